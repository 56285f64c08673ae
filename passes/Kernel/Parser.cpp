//===- Parser.cpp - Text to kernels: declarations and trees ---------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Parser.h"
#include "dlopt/KernelText.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace dlopt;

bool Parser::error(const Token &At, const Twine &Message) {
  // Callers return at once, so there is at most one error.
  TheError = joinErrors(std::move(TheError),
                        makeParseError(FileName, At.Line, At.Column, Message));
  return true;
}

Token Parser::take() {
  Token T = peek();
  if (Pos + 1 < Tokens.size())
    ++Pos;
  return T;
}

bool Parser::takePunct(StringRef P) {
  if (!atPunct(P))
    return false;
  take();
  return true;
}

bool Parser::expectPunct(StringRef P) {
  if (takePunct(P))
    return false;
  return error("expected '" + P + "'");
}

bool Parser::expectEndOfLine() {
  if (peek().FirstOnLine || peek().K == Token::Eof)
    return false;
  return error("expected the end of the line");
}

bool Parser::declareBare(const Token &Name, bool IsAxis, uint32_t Id) {
  if (Name.K != Token::Ident)
    return error(Name, "expected a name");
  if (isReservedWord(Name.Text))
    return error(Name, "expected a name, '" + Name.Text +
                           "' is a word of the "
                           "language");
  auto [It, IsNew] = BareNames.try_emplace(Name.Text, BareName{IsAxis, Id});
  if (!IsNew && It->second.InScope)
    return error(Name, "expected a new name, '" + Name.Text +
                           "' is declared already");
  It->second = BareName{IsAxis, Id};
  Scope.push_back(Name.Text);
  return false;
}

void Parser::leaveScope(size_t Mark) {
  for (; Scope.size() > Mark; Scope.pop_back())
    BareNames.find(Scope.back())->second.InScope = false;
}

bool Parser::declareSigil(const Token &Name) {
  if (Params.contains(Name.Text) || Externals.contains(Name.Text))
    return error(Name, "expected a new name, '%" + Name.Text +
                           "' is declared already");
  return false;
}

bool Parser::parseType(ScalarType &Ty, bool *Signed) {
  StringRef Name = peek().Text;
  std::optional<ScalarType> Parsed;
  if (peek().K == Token::Ident && !peek().FirstOnLine) {
    Parsed = parseScalarType(Name);
    if (!Parsed && Signed && Name.consume_front("u")) {
      Parsed = parseScalarType(("i" + Name).str());
      *Signed = false;
    }
  }
  if (!Parsed)
    return error("expected a type such as f32 or i64");
  Ty = *Parsed;
  take();
  return false;
}

bool Parser::parseHeader() {
  if (!atWord("kernel") || !peek().FirstOnLine)
    return error("expected 'kernel'");
  take();
  int64_t Id = 0;
  Token IdToken = peek();
  if (parseInteger(Id))
    return true;
  if (Id < 0 || Id > UINT32_MAX)
    return error(IdToken, "expected a kernel number of 32 bits");
  K->Id = static_cast<unsigned>(Id);
  if (peek().K != Token::At || peek().FirstOnLine)
    return error("expected '@' and the name of a function");
  K->Function = take().Text;
  while (peek().K == Token::Word) {
    Token Word = take();
    StringRef Text = Word.Text;
    if (Text.contains(':')) {
      if (!K->Location.empty() || !K->Kind.empty())
        return error(Word, "expected at most one location, before the kind");
      Text.consume_front(":");
      K->Location = Text.str();
      continue;
    }
    K->Kind += (K->Kind.empty() ? "" : " ") + Word.Text;
  }
  return expectEndOfLine();
}

bool Parser::parseParams() {
  take();
  while (peek().K == Token::Percent && !peek().FirstOnLine) {
    Token Name = take();
    if (declareSigil(Name))
      return true;
    Param P;
    P.Name = Name.Text;
    if (takePunct(":") && parseType(P.Ty, &P.Signed))
      return true;
    Params[P.Name] = static_cast<ParamId>(K->Params.size());
    K->Params.push_back(std::move(P));
  }
  return expectEndOfLine();
}

/// The elements of an array that nobody else sees.
bool Parser::parsePrivate(Buffer &B) {
  int64_t Elements = 0;
  if (!takePunct("["))
    return false;
  if (parseInteger(Elements))
    return true;
  if (Elements < 1)
    return error("expected a number of elements");
  B.Private = static_cast<uint64_t>(Elements);
  return expectPunct("]");
}

bool Parser::parseBuffers() {
  take();
  while (peek().K == Token::Percent && !peek().FirstOnLine) {
    Token Name = take();
    if (declareSigil(Name))
      return true;
    Buffer B;
    B.Name = Name.Text;
    SmallVector<Poly, 2> Strides = {Poly(1)};
    if (expectPunct(":") || parseType(B.Ty) || parsePrivate(B))
      return true;
    if (takePunct("(") && parsePolyList(Strides, ")"))
      return true;
    Externals[B.Name] = static_cast<BufferId>(K->Buffers.size());
    K->Buffers.push_back(std::move(B));
    DeclaredStrides.push_back(std::move(Strides));
  }
  return expectEndOfLine();
}

bool Parser::parseLocals(Node &N) {
  take();
  while (peek().K == Token::Ident && !peek().FirstOnLine) {
    Token Name = take();
    Buffer B;
    B.Name = Name.Text;
    B.IsLocal = true;
    auto Id = static_cast<BufferId>(K->Buffers.size());
    if (declareBare(Name, false, Id) || expectPunct(":") || parseType(B.Ty))
      return true;
    if (takePunct("[") && parsePolyList(B.Shape, "]"))
      return true;
    parsePlace(B);
    K->Buffers.push_back(std::move(B));
    DeclaredStrides.emplace_back();
    N.Locals.push_back(Id);
  }
  return expectEndOfLine();
}

static std::optional<Role> parseRole(const Token &T) {
  if (T.K != Token::Ident)
    return std::nullopt;
  return StringSwitch<std::optional<Role>>(T.Text)
      .Case("par", Role::Parallel)
      .Case("red", Role::Reduction)
      .Case("win", Role::Window)
      .Case("seq", Role::Sequential)
      .Default(std::nullopt);
}

bool Parser::parseAxis(Node &N) {
  Axis A;
  A.R = *parseRole(take());
  Token Name = peek();
  if (Name.FirstOnLine)
    return error("expected the name of an axis");
  take();
  A.Name = Name.Text;
  if (expectPunct("["))
    return true;
  // The bounds come first: they cannot use the axis itself.
  if (parseBounds(A) || expectPunct("]") || parseSchedule(A.Schedule))
    return true;
  N.K = Node::AxisNode;
  N.Ax = static_cast<AxisId>(K->Axes.size());
  if (declareBare(Name, true, N.Ax))
    return true;
  K->Axes.push_back(std::move(A));
  return false;
}

/// One or more axes on a line, each the only child of the one before.
bool Parser::parseAxes(Node &N, unsigned Indent) {
  auto NewNode = std::make_unique<Node>();
  Node *Current = NewNode.get();
  N.Children.push_back(std::move(NewNode));
  // Nodes are destroyed, printed and run recursively.
  constexpr unsigned MaxAxesOnLine = 64;
  size_t Mark = Scope.size();
  if (parseAxis(*Current))
    return true;
  for (unsigned I = 1; !peek().FirstOnLine && parseRole(peek()); ++I) {
    if (I == MaxAxesOnLine)
      return error("expected fewer axes");
    Current->Children.push_back(std::make_unique<Node>());
    Current = Current->Children.back().get();
    if (parseAxis(*Current))
      return true;
  }
  if (expectEndOfLine() || parseBlock(*Current, Indent))
    return true;
  leaveScope(Mark);
  return false;
}

/// At 'case'.
bool Parser::parseCase(Node &N) {
  take();
  N.CasesAreOne = atWord("all");
  if (N.CasesAreOne)
    take();
  do {
    if (parseConstraint(N.Cases.emplace_back()))
      return true;
  } while (takePunct(","));
  return false;
}

/// The lines that are indented more than \p ParentIndent, if any.
bool Parser::parseBlock(Node &N, unsigned ParentIndent) {
  if (peek().K == Token::Eof || peek().Column <= ParentIndent)
    return false;
  constexpr unsigned MaxDepth = 64;
  if (++Depth > MaxDepth)
    return error("expected a tree of less depth");
  size_t Mark = Scope.size();
  bool Failed = parseChildren(N, peek().Column);
  leaveScope(Mark);
  --Depth;
  if (Failed)
    return true;
  if (peek().K != Token::Eof && peek().Column > ParentIndent)
    return error("expected the indentation of an enclosing line");
  return false;
}

bool Parser::parseChildren(Node &N, unsigned Indent) {
  while (peek().K != Token::Eof && peek().Column == Indent) {
    if (atWord("needs") || atWord("kernel") || atWord("params") ||
        atWord("buffers"))
      return false;
    if (atWord("local")) {
      if (!N.Children.empty())
        return error("expected 'local' before the first child");
      if (parseLocals(N))
        return true;
      continue;
    }
    if (parseRole(peek())) {
      if (parseAxes(N, Indent))
        return true;
      continue;
    }
    N.Children.push_back(std::make_unique<Node>());
    Node &Child = *N.Children.back();
    if (atWord("block") || atWord("case")) {
      if (atWord("block"))
        take();
      else if (parseCase(Child))
        return true;
      if (expectEndOfLine() || parseBlock(Child, Indent))
        return true;
      continue;
    }
    Child.K = Node::LeafNode;
    if (parseLeaf(Child.L, Indent) || expectEndOfLine())
      return true;
  }
  return false;
}

bool Parser::parseNeed() {
  Need N;
  auto ParseBuffer = [this](BufferId &B) {
    auto It = Externals.find(peek().Text);
    if (peek().K != Token::Percent || It == Externals.end())
      return error("expected a buffer");
    B = It->second;
    take();
    return false;
  };
  if (atWord("disjoint") || atWord("same")) {
    N.K = atWord("same") ? Need::Same : Need::Disjoint;
    take();
    if (expectPunct("(") || ParseBuffer(N.Buf) || expectPunct(";"))
      return true;
    while (!atPunct(")")) {
      if (ParseBuffer(N.Others.emplace_back()))
        return true;
    }
    take();
  } else if (atWord("noerrno")) {
    take();
    N.K = Need::NoErrno;
    if (expectPunct("(") || ParseBuffer(N.Buf) || expectPunct(")"))
      return true;
  } else if (atWord("aligned")) {
    take();
    N.K = Need::Aligned;
    if (expectPunct("(") || ParseBuffer(N.Buf) || expectPunct(";") ||
        parseInteger(N.Lo) || expectPunct(")"))
      return true;
  } else if (atWord("nonzero")) {
    take();
    N.K = Need::NonZero;
    if (expectPunct("(") || ParseBuffer(N.Buf) || expectPunct(";") ||
        parsePoly(N.P) || expectPunct(")"))
      return true;
  } else if (atWord("inrange")) {
    take();
    N.K = Need::InRange;
    if (expectPunct("(") || parseInteger(N.Lo) || expectPunct("<=") ||
        parsePoly(N.P) || expectPunct("<=") || parseInteger(N.Hi) ||
        expectPunct(")"))
      return true;
  } else {
    return error("expected 'disjoint', 'same', 'inrange', 'nonzero', 'noerrno' "
                 "or 'aligned'");
  }
  K->Needs.push_back(std::move(N));
  return false;
}

bool Parser::parseNeeds() {
  take();
  if (parseNeed())
    return true;
  while (takePunct(","))
    if (parseNeed())
      return true;
  return expectEndOfLine();
}

bool Parser::parseKernel() {
  Own = std::make_unique<Kernel>();
  K = Own.get();
  Params.clear();
  Externals.clear();
  BareNames.clear();
  Functions.clear();
  Scope.clear();
  DeclaredStrides.clear();
  unsigned KernelIndent = peek().Column;
  if (parseHeader())
    return true;
  if (peek().K == Token::Eof || peek().Column <= KernelIndent)
    return false;
  unsigned Indent = peek().Column;
  while (peek().Column == Indent && (atWord("params") || atWord("buffers")))
    if (atWord("params") ? parseParams() : parseBuffers())
      return true;
  while (peek().Column == Indent && atWord("let") &&
         peek(1).K == Token::Percent)
    if (parseNumber())
      return true;
  while (peek().Column == Indent && atWord("function"))
    if (parseFunction())
      return true;
  if (parseChildren(K->Root, Indent))
    return true;
  while (peek().Column == Indent && atWord("needs"))
    if (parseNeeds())
      return true;
  if (peek().K != Token::Eof && peek().Column > KernelIndent)
    return error(peek().Column == Indent
                     ? "expected 'params' and 'buffers' first, 'needs' last"
                     : "expected the indentation of an enclosing line");
  return false;
}

Expected<std::vector<std::unique_ptr<Kernel>>> Parser::run() {
  std::vector<std::unique_ptr<Kernel>> Kernels;
  while (peek().K != Token::Eof) {
    if (parseKernel())
      return std::move(TheError);
    Kernels.push_back(std::move(Own));
  }
  if (TheError)
    return std::move(TheError);
  return std::move(Kernels);
}

Expected<std::vector<std::unique_ptr<Kernel>>>
dlopt::parseKernels(StringRef Text, StringRef FileName) {
  Expected<std::vector<Token>> Tokens = tokenize(Text, FileName);
  if (!Tokens)
    return Tokens.takeError();
  return Parser(std::move(*Tokens), FileName).run();
}
