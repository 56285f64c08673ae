//===- ParserFunction.cpp - Text to kernels: functions --------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Functions of numbers that bodies share, inlined where they are named:
///
///   function sigmoid(x:f32):f32
///     e = exp(fneg(x))
///     y = fdiv(1.0, fadd(1.0, e))
///   par i[%N]
///     %y[i] = fmul(%x[i], sigmoid(%x[i]))
///
/// The last line is the value; numbers are of its type where nothing else says
/// what they are. A kernel has no functions: what is printed, run
/// and changed are their operations.
///
//===----------------------------------------------------------------------===//
#include "Operations.h"
#include "Parser.h"
#include "dlopt/KernelText.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace dlopt;

/// Functions of functions can be long: bound what that costs.
static constexpr size_t MaxOps = 1 << 14;

static bool isOperation(StringRef Name) {
  return parseOpcode(Name) || findIntrinsic(Name);
}

/// "(" { NAME ":" TYPE } ")" ":" TYPE
bool Parser::parseArguments(Function &F) {
  if (expectPunct("("))
    return true;
  while (!takePunct(")")) {
    if (!F.Body.Ops.empty() && expectPunct(","))
      return true;
    Token Name = take();
    Op Argument;
    Argument.K = Op::Param;
    if (Name.K != Token::Ident || isReservedWord(Name.Text) ||
        Lets.contains(Name.Text))
      return error(Name, "expected a new name");
    if (expectPunct(":") || parseType(Argument.Ty))
      return true;
    Lets[Name.Text] = static_cast<OpId>(F.Body.Ops.size());
    F.Body.Ops.push_back(std::move(Argument));
  }
  F.NumArguments = F.Body.Ops.size();
  if (takePunct(":"))
    return parseType(F.Ty);
  return error("expected ':' and a type");
}

/// At "function": a line for each value, the last one that of the function.
bool Parser::parseFunction() {
  unsigned Indent = take().Column;
  Token Name = take();
  if (Name.K != Token::Ident || isReservedWord(Name.Text) ||
      Functions.contains(Name.Text) || isOperation(Name.Text))
    return error(Name, "expected a new name that is no operation's");
  Lets.clear();
  Function F;
  if (parseArguments(F) || expectEndOfLine())
    return true;
  unsigned Inner = peek().Column;
  if (peek().K == Token::Eof || Inner <= Indent)
    return error("expected the lines of '" + Name.Text + "'");
  while (peek().K != Token::Eof && peek().Column == Inner) {
    Token Value = take();
    if (Value.K != Token::Ident || isReservedWord(Value.Text) ||
        Lets.contains(Value.Text))
      return error(Value, "expected a new name");
    if (expectPunct("=") || parseExpression(F.Body, F.Ty, F.Value) ||
        expectEndOfLine())
      return true;
    Lets[Value.Text] = F.Value;
  }
  if (any_of(drop_begin(F.Body.Ops, F.NumArguments), [](const Op &O) {
        return O.K != Op::Const && O.K != Op::Inst && O.K != Op::Intrinsic &&
               O.K != Op::LibCall;
      }))
    return error(Name, "expected operations on arguments and numbers alone");
  if (F.Body.Ops[F.Value].Ty != F.Ty)
    return error(Name, "expected a value of type " + getName(F.Ty));
  Functions.try_emplace(Name.Text, std::move(F));
  return false;
}

/// At the name of a function: its operations, on what is in parentheses.
bool Parser::parseInlined(Leaf &L, OpId &Id) {
  Token Name = take();
  const Function &F = Functions.find(Name.Text)->second;
  SmallVector<OpId, 16> Of;
  if (expectPunct("("))
    return true;
  while (Of.size() < F.NumArguments) {
    ScalarType Ty = F.Body.Ops[Of.size()].Ty;
    if ((!Of.empty() && expectPunct(",")) ||
        parseExpression(L, Ty, Of.emplace_back()))
      return true;
    if (L.Ops[Of.back()].Ty != Ty)
      return error(Name, "expected an argument of type " + getName(Ty));
  }
  if (expectPunct(")"))
    return true;
  if (L.Ops.size() + F.Body.Ops.size() > MaxOps)
    return error(Name, "expected fewer operations");
  for (Op O : drop_begin(F.Body.Ops, F.NumArguments)) {
    for (OpId &Arg : O.Args)
      Arg = Of[Arg];
    L.Ops.push_back(std::move(O));
    Of.push_back(static_cast<OpId>(L.Ops.size() - 1));
  }
  Id = Of[F.Value];
  return false;
}
