//===- ParserPoly.cpp - Text to kernels: polynomials ----------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;
using namespace dlopt;

/// Parentheses can multiply polynomials out: bound what that costs.
static constexpr size_t MaxTerms = 4096;
static constexpr unsigned MaxNesting = 128;

bool Parser::parseInteger(int64_t &Value) {
  bool Negative = takePunct("-");
  uint64_t Magnitude = 0;
  uint64_t Limit = static_cast<uint64_t>(INT64_MAX) + Negative;
  if (peek().K != Token::Number || peek().FirstOnLine ||
      StringRef(peek().Text).getAsInteger(10, Magnitude) || Magnitude > Limit)
    return error("expected an integer of 64 bits");
  take();
  Value = static_cast<int64_t>(Negative ? -Magnitude : Magnitude);
  return false;
}

bool Parser::parsePoly(Poly &P) {
  if (Depth > MaxNesting)
    return error("expected less nesting");
  SaveAndRestore<unsigned> Deeper(Depth, Depth + 1);
  bool Negative = takePunct("-");
  if (parsePolyTerm(P))
    return true;
  if (Negative)
    P = Poly(-1) * P;
  while (atPunct("+") || atPunct("-")) {
    bool Minus = take().Text == "-";
    Poly Term;
    if (parsePolyTerm(Term))
      return true;
    if (Minus)
      P -= Term;
    else
      P += Term;
    if (P.terms().size() > MaxTerms)
      return error("expected a polynomial of fewer terms");
  }
  return false;
}

bool Parser::parsePolyTerm(Poly &P) {
  if (parsePolyFactor(P))
    return true;
  while (takePunct("*")) {
    Poly Factor;
    if (parsePolyFactor(Factor))
      return true;
    if (P.terms().size() * Factor.terms().size() > MaxTerms)
      return error("expected a polynomial of fewer terms");
    P = P * Factor;
  }
  return false;
}

bool Parser::parsePolyFactor(Poly &P) {
  const Token &T = peek();
  if (T.K == Token::Number) {
    // The most negative integer is written with its sign, but as a factor
    // comes without: accept 2^63 and let it wrap.
    uint64_t Value = 0;
    StringRef Text = T.Text;
    bool IsOfVL = Text.consume_back("vl");
    if (Text.getAsInteger(10, Value) || Value > 1ULL << 63)
      return error("expected an integer of 64 bits");
    take();
    P = Poly(static_cast<int64_t>(Value));
    if (IsOfVL)
      P = P * Poly::atom(K->getVLAtom());
    return false;
  }
  if (takePunct("("))
    return parsePoly(P) || expectPunct(")");
  if (T.K == Token::Percent || T.K == Token::Ident)
    return parsePolyName(P);
  return error("expected an index expression");
}

/// At "floordiv(" or "mod(".
bool Parser::parseDivMod(Poly &P) {
  bool IsDiv = take().Text == "floordiv";
  Poly Num, Den;
  if (expectPunct("(") || parsePoly(Num) || expectPunct(",") ||
      parsePoly(Den) || expectPunct(")"))
    return true;
  P = Poly::atom(IsDiv ? K->getFloorDivAtom(std::move(Num), std::move(Den))
                       : K->getModAtom(std::move(Num), std::move(Den)));
  return false;
}

bool Parser::parsePolyName(Poly &P) {
  const Token &T = peek();
  if (T.FirstOnLine)
    return error("expected an index expression");
  if (T.K == Token::Percent && !atPunct("[", 1)) {
    auto It = Params.find(T.Text);
    if (It == Params.end())
      return error("expected a parameter or an element of a buffer");
    P = Poly::atom(K->getParamAtom(It->second));
    take();
    return false;
  }
  bool Signed = true;
  if (T.K == Token::Ident) {
    if ((T.Text == "floordiv" || T.Text == "mod") && atPunct("(", 1))
      return parseDivMod(P);
    if (T.Text == "size" && atPunct("(", 1))
      return parseSize(P);
    if (T.Text == "vl") {
      take();
      P = Poly::atom(K->getVLAtom());
      return false;
    }
    auto It = BareNames.find(T.Text);
    if (It != BareNames.end() && It->second.IsAxis) {
      P = Poly::atom(K->getAxisAtom(It->second.Id));
      take();
      return false;
    }
    if (T.Text == "zext" && atPunct("(", 1)) {
      take();
      take();
      Signed = false;
    }
  }
  Access Source;
  if (parseAccess(Source) || (!Signed && expectPunct(")")))
    return true;
  P = Poly::atom(K->getLoadAtom(std::move(Source), Signed));
  return false;
}

/// Behind the opening bracket; takes \p Close.
bool Parser::parsePolyList(SmallVectorImpl<Poly> &Ps, StringRef Close) {
  Ps.clear();
  if (takePunct(Close))
    return false;
  do {
    if (parsePoly(Ps.emplace_back()))
      return true;
  } while (takePunct(","));
  return expectPunct(Close);
}

bool Parser::parseConstraint(Constraint &C) {
  Poly Left, Right;
  if (parsePoly(Left))
    return true;
  Token Relation = peek();
  if (Relation.K != Token::Punct || Relation.FirstOnLine ||
      !is_contained({"<", "<=", ">", ">=", "=="}, Relation.Text))
    return error("expected one of < <= > >= ==");
  take();
  if (parsePoly(Right))
    return true;
  C.IsEquality = Relation.Text == "==";
  C.P = Relation.Text[0] == '<' ? Right - Left : Left - Right;
  if (Relation.Text.size() == 1)
    C.P -= Poly(1);
  return false;
}

bool Parser::parseAccess(Access &X) {
  Token Name = peek();
  if (Name.FirstOnLine)
    return error("expected a buffer");
  if (Name.K == Token::Percent) {
    auto It = Externals.find(Name.Text);
    if (It == Externals.end())
      return error("expected a buffer, '%" + Name.Text + "' is not declared");
    X.Buf = It->second;
  } else if (Name.K == Token::Ident) {
    auto It = BareNames.find(Name.Text);
    if (It == BareNames.end())
      return error("expected a name that is declared, got '" + Name.Text + "'");
    if (It->second.IsAxis)
      return error("expected a buffer, '" + Name.Text + "' is an axis");
    X.Buf = It->second.Id;
  } else {
    return error("expected a buffer");
  }
  take();
  return parseSubscripts(X);
}

bool Parser::parseSubscripts(Access &X) {
  bool IsLocal = K->Buffers[X.Buf].IsLocal;
  if (!atPunct("["))
    return IsLocal ? false : error("expected '['");
  take();
  if (parsePolyList(X.Subs, "]"))
    return true;
  if (IsLocal || X.Subs.empty())
    return false;
  Token At = peek();
  if (takePunct("(")) {
    if (parsePolyList(X.Strides, ")"))
      return true;
  } else {
    X.Strides = DeclaredStrides[X.Buf];
  }
  if (X.Strides.size() != X.Subs.size())
    return error(At, "expected as many strides as subscripts, " +
                         Twine(X.Subs.size()));
  return false;
}
