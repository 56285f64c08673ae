//===- ParserBody.cpp - Text to kernels: leaves ---------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Operations.h"
#include "Parser.h"
#include "dlopt/KernelText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Instruction.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;
using namespace dlopt;

static constexpr unsigned MaxNesting = 128;

static OpId append(Leaf &L, Op O) {
  L.Ops.push_back(std::move(O));
  return static_cast<OpId>(L.Ops.size() - 1);
}

bool Parser::parseDomain(Leaf &L) {
  if (!atWord("where") || peek().FirstOnLine)
    return false;
  take();
  do {
    if (parseConstraint(L.Domain.emplace_back()))
      return true;
  } while (takePunct(","));
  return false;
}

/// [ "locality" 0 to 3 ]
bool Parser::parseLocality(Leaf &L) {
  if (!atWord("locality") || peek().FirstOnLine)
    return false;
  take();
  Token At = peek();
  int64_t Locality = 0;
  if (parseInteger(Locality))
    return true;
  if (Locality < 0 || Locality > 3)
    return error(At, "expected a locality of 0 to 3");
  L.PrefetchLocality = static_cast<unsigned>(Locality);
  return false;
}

/// Behind an access: [ "aligned" bytes ]
bool Parser::parseAligned(Access &X) {
  if (!atWord("aligned") || peek().FirstOnLine)
    return false;
  take();
  Token At = peek();
  int64_t Bytes = 0;
  if (parseInteger(Bytes))
    return true;
  if (Bytes < 1 || Bytes > MostAligned || !isPowerOf2_64(Bytes))
    return error(At, "expected a power of two of at most " +
                         Twine(MostAligned) + " bytes");
  X.Aligned = static_cast<unsigned>(Bytes);
  return false;
}

bool Parser::parseLeaf(Leaf &L, unsigned Indent) {
  Lets.clear();
  if (atWord("fence")) {
    take();
    L.IsFence = true;
    return false;
  }
  if (atWord("prefetch")) {
    take();
    return parseAccess(L.Prefetch.emplace()) || parseLocality(L) ||
           parseDomain(L);
  }
  while (atWord("let")) {
    take();
    Token Name = peek();
    OpId Id = 0;
    if (Name.K != Token::Ident || Name.FirstOnLine ||
        isReservedWord(Name.Text) || BareNames.contains(Name.Text) ||
        Lets.contains(Name.Text))
      return error("expected a new name");
    take();
    if (expectPunct("=") || parseExpression(L, std::nullopt, Id) ||
        expectEndOfLine())
      return true;
    Lets[Name.Text] = Id;
    if (peek().Column != Indent)
      return error("expected an assignment at the indentation of 'let'");
  }
  bool IsTuple = false;
  if (parseTargets(L, IsTuple) || expectPunct("=") || parseValues(L, IsTuple) ||
      parseDomain(L))
    return true;
  if (atWord("if") && !peek().FirstOnLine) {
    take();
    OpId Id = 0;
    if (parseExpression(L, ScalarType::I1, Id))
      return true;
    L.Predicate = Id;
  }
  return false;
}

bool Parser::parseTargets(Leaf &L, bool &IsTuple) {
  // The first token of a line, which atPunct does not accept.
  IsTuple = peek().is(Token::Punct, "(");
  if (IsTuple)
    take();
  else if (peek().K != Token::Percent && peek().K != Token::Ident)
    return error("expected an axis, an assignment or 'let'");
  Tokens[Pos].FirstOnLine = false;
  do {
    Assign &A = L.Assigns.emplace_back();
    if (parseAccess(A.Target) || parseAligned(A.Target))
      return true;
    A.IsNonTemporal = atWord("nt") && !peek().FirstOnLine;
    if (A.IsNonTemporal)
      take();
  } while (IsTuple && takePunct(","));
  return IsTuple && expectPunct(")");
}

bool Parser::parseValues(Leaf &L, bool IsTuple) {
  if (IsTuple && expectPunct("("))
    return true;
  for (Assign &A : L.Assigns) {
    if (&A != L.Assigns.begin() && expectPunct(","))
      return true;
    if (parseExpression(L, K->Buffers[A.Target.Buf].Ty, A.Value))
      return true;
  }
  return IsTuple && expectPunct(")");
}

bool Parser::parseSuffix(ScalarType &Ty, std::optional<ScalarType> Default) {
  if (takePunct(":"))
    return parseType(Ty);
  if (!Default)
    return error("expected ':' and a type");
  Ty = *Default;
  return false;
}

bool Parser::parseExpression(Leaf &L, std::optional<ScalarType> Expected,
                             OpId &Id) {
  const Token &T = peek();
  if (T.FirstOnLine || T.K == Token::Eof)
    return error("expected an expression");
  if (T.K == Token::Percent || T.K == Token::At || T.K == Token::Ident)
    return parseName(L, Expected, Id);
  Op O;
  if (parseConstant(O, Expected))
    return true;
  Id = append(L, std::move(O));
  return false;
}

bool Parser::parseName(Leaf &L, std::optional<ScalarType> Expected, OpId &Id) {
  const Token &T = peek();
  Op O;
  if (T.K == Token::At || atPunct("(", 1) || atPunct("<", 1))
    return parseOperation(L, Expected, Id);
  if (T.K == Token::Percent && !atPunct("[", 1)) {
    auto It = Params.find(T.Text);
    if (It == Params.end())
      return error("expected a parameter or an element of a buffer");
    O.K = Op::Param;
    O.Ref = It->second;
    O.Ty = K->Params[O.Ref].Ty;
    take();
  } else if (T.K == Token::Ident &&
             is_contained({"true", "false", "inf", "nan"}, T.Text)) {
    if (parseConstant(O, Expected))
      return true;
  } else {
    if (T.K == Token::Ident)
      if (auto It = Lets.find(T.Text); It != Lets.end()) {
        Id = It->second;
        take();
        return false;
      }
    O.K = Op::Load;
    if (parseAccess(O.Acc) || parseAligned(O.Acc))
      return true;
    O.Ty = K->Buffers[O.Acc.Buf].Ty;
  }
  Id = append(L, std::move(O));
  return false;
}

bool Parser::parseConstant(Op &O, std::optional<ScalarType> Expected) {
  O.K = Op::Const;
  bool Negative = takePunct("-");
  Token T = peek();
  if (T.is(Token::Ident, "true") || T.is(Token::Ident, "false")) {
    if (Negative)
      return error("expected a number");
    take();
    O.Ty = ScalarType::I1;
    O.Bits = T.Text == "true";
    return false;
  }
  if (T.FirstOnLine || (T.K != Token::Number && !T.is(Token::Ident, "inf") &&
                        !T.is(Token::Ident, "nan")))
    return error("expected an expression");
  take();
  if (parseSuffix(O.Ty, Expected))
    return true;
  std::optional<uint64_t> Bits =
      parseScalar(O.Ty, (Negative ? "-" : "") + T.Text);
  if (!Bits)
    return error(T, "expected a number of type " + getName(O.Ty));
  O.Bits = *Bits;
  return false;
}

bool Parser::parseOperationName(Op &O) {
  Token T = take();
  if (T.K == Token::At) {
    O.K = Op::LibCall;
    O.Callee = T.Text;
    return false;
  }
  StringRef Name = T.Text;
  if (auto Opcode = parseOpcode(Name)) {
    O.K = Op::Inst;
    O.Opcode = *Opcode;
    return false;
  }
  Name.consume_front("llvm.");
  auto Info = findIntrinsic(Name);
  if (!Info)
    return error(T, "expected an operation, got '" + T.Text + "'");
  O.K = Op::Intrinsic;
  O.Opcode = Info->ID;
  return false;
}

static std::optional<CmpInst::Predicate> parsePredicate(unsigned Opcode,
                                                        StringRef Name) {
  auto Find = [Name](auto Range) -> std::optional<CmpInst::Predicate> {
    for (CmpInst::Predicate P : Range)
      if (CmpInst::getPredicateName(P) == Name)
        return P;
    return std::nullopt;
  };
  return Opcode == Instruction::FCmp ? Find(CmpInst::FCmpPredicates())
                                     : Find(CmpInst::ICmpPredicates());
}

bool Parser::parseFlag(Op &O) {
  Token T = peek();
  if (T.K != Token::Ident || T.FirstOnLine)
    return error("expected a flag");
  if (O.K == Op::Inst && isCompareOpcode(O.Opcode))
    if (auto P = parsePredicate(O.Opcode, T.Text)) {
      O.Pred = *P;
      take();
      return false;
    }
  StringRef Name = T.Text;
  if (Name == "fast")
    O.FMF.setFast();
  else if (Name == "nnan")
    O.FMF.setNoNaNs();
  else if (Name == "ninf")
    O.FMF.setNoInfs();
  else if (Name == "nsz")
    O.FMF.setNoSignedZeros();
  else if (Name == "arcp")
    O.FMF.setAllowReciprocal();
  else if (Name == "contract")
    O.FMF.setAllowContract();
  else if (Name == "afn")
    O.FMF.setApproxFunc();
  else if (Name == "reassoc")
    O.FMF.setAllowReassoc();
  else if (bool *Flag = StringSwitch<bool *>(Name)
                            .Case("nuw", &O.NUW)
                            .Case("nsw", &O.NSW)
                            .Case("exact", &O.Exact)
                            .Case("disjoint", &O.Disjoint)
                            .Case("nneg", &O.NNeg)
                            .Case("errno", &O.WritesErrno)
                            .Default(nullptr))
    *Flag = true;
  else
    return error("expected a flag, got '" + Name + "'");
  take();
  return false;
}

bool Parser::parseFlags(Op &O) {
  if (takePunct("<"))
    while (!takePunct(">"))
      if (parseFlag(O))
        return true;
  if (O.K == Op::Inst && isCompareOpcode(O.Opcode) &&
      O.Pred == CmpInst::BAD_ICMP_PREDICATE)
    return error("expected a predicate such as <olt> or <slt>");
  return false;
}

/// view(ACCESS, ACCESS, CONDITION)
bool Parser::parseView(Leaf &L, std::optional<ScalarType> Expected, OpId &Id) {
  take();
  Op O;
  O.K = Op::View;
  O.Args.resize(2);
  Constraint C;
  if (expectPunct("(") || parseExpression(L, Expected, O.Args[0]) ||
      expectPunct(",") || parseExpression(L, Expected, O.Args[1]) ||
      expectPunct(","))
    return true;
  Token At = peek();
  if (parseConstraint(C) || expectPunct(")"))
    return true;
  if (C.IsEquality)
    return error(At, "expected a condition without '=='");
  O.Ty = L.Ops[O.Args[0]].Ty;
  O.Idx = std::move(C.P);
  Id = append(L, std::move(O));
  return false;
}

bool Parser::parseOperation(Leaf &L, std::optional<ScalarType> Expected,
                            OpId &Id) {
  if (Depth > MaxNesting)
    return error("expected less nesting");
  SaveAndRestore<unsigned> Deeper(Depth, Depth + 1);
  Op O;
  if (peek().is(Token::Ident, "view"))
    return parseView(L, Expected, Id);
  if (peek().K == Token::Ident && Functions.contains(peek().Text))
    return parseInlined(L, Id);
  if (peek().is(Token::Ident, "index")) {
    take();
    O.K = Op::Index;
    if (expectPunct("(") || parsePoly(O.Idx) || expectPunct(")") ||
        parseSuffix(O.Ty, Expected))
      return true;
    Id = append(L, std::move(O));
    return false;
  }
  if (parseOperationName(O) || parseFlags(O) || expectPunct("("))
    return true;
  SmallVector<ScalarType, 3> Types;
  while (!takePunct(")")) {
    if (!Types.empty() && expectPunct(","))
      return true;
    OpId Arg = 0;
    if (parseExpression(L, getExpectedType(O, Types.size(), Expected, Types),
                        Arg))
      return true;
    O.Args.push_back(Arg);
    Types.push_back(L.Ops[Arg].Ty);
  }
  if (parseSuffix(O.Ty, getDefaultType(O, Types)))
    return true;
  Id = append(L, std::move(O));
  return false;
}
