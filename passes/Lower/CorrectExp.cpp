//===- CorrectExp.cpp - Exponential functions in double-double ------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CorrectFormulas.h"

using namespace llvm;

namespace dlopt {

/// (exp(r) - 1) / r: 1 + r / 2 + r^2 / 6 + ...
static constexpr DoubleDouble Terms[] = {
    {0x1p+0, 0},
    {0x1p-1, 0},
    {0x1.5555555555555p-3, 0x1.5555555555555p-57},
    {0x1.5555555555555p-5, 0x1.5555555555555p-59},
    {0x1.1111111111111p-7, 0x1.1111111111111p-63},
    {0x1.6c16c16c16c17p-10, -0x1.f49f49f49f49fp-65},
    {0x1.a01a01a01a01ap-13, 0x1.a01a01a01a01ap-73},
    {0x1.a01a01a01a01ap-16, 0x1.a01a01a01a01ap-76},
    {0x1.71de3a556c734p-19, -0x1.c154f8ddc6cp-73},
    {0x1.27e4fb7789f5cp-22, 0x1.cbbc05b4fa99ap-76},
    {0x1.ae64567f544e4p-26, -0x1.c062e06d1f209p-80}};
static constexpr double SmallTerms[] = {
    0x1.1eed8eff8d898p-29, 0x1.6124613a86d09p-33, 0x1.93974a8c07c9dp-37,
    0x1.ae7f3e733b81fp-41, 0x1.ae7f3e733b81fp-45, 0x1.952c77030ad4ap-49,
    0x1.6827863b97d97p-53, 0x1.2f49b46814157p-57, 0x1.e542ba4020225p-62,
    0x1.71b8ef6dcf572p-66, 0x1.0ce396db7f853p-70, 0x1.761b41316381ap-75};

/// exp(R) - 1, up to |r| = log(2) / 2.
static MathSum emitSmallExpm1(DoubleDoubleBuilder &D, MathSum R) {
  return D.mul(R, D.poly(R, Terms, SmallTerms));
}

ExpParts emitExpParts(DoubleDoubleBuilder &D, MathSum Z) {
  // log(2): 42 bits, whose products with n are exact, and the rest.
  constexpr double Log2Hi = 0x1.62e42fefa38p-1;
  constexpr DoubleDouble Log2Lo = {0x1.ef35793c7673p-45,
                                   0x1.f97b57a079a19p-103};
  MathBuilder &M = D.M;
  double Magic = M.Format.Magic + M.Format.Bias;
  Value *T = M.add(D.mulDouble(Z.Hi, M.num(M.Format.Log2E)), Magic);
  Value *MinusN = M.neg(M.sub(T, Magic));
  MathSum R = D.add(Z, D.mulDouble(MinusN, M.num(Log2Hi)));
  R = D.add(R, D.mul(D.num(Log2Lo), MinusN));
  return {M.pow2(T), emitSmallExpm1(D, R)};
}

MathSum emitExpOf(DoubleDoubleBuilder &D, MathSum Z) {
  ExpParts E = emitExpParts(D, Z);
  return D.scale(D.add(E.P, D.M.num(1)), E.Power);
}

/// exp(z) - 1 = 2^n P + (2^n - 1).
static MathSum emitExpm1Of(DoubleDoubleBuilder &D, MathSum Z) {
  ExpParts E = emitExpParts(D, Z);
  return D.add(D.scale(E.P, E.Power), D.M.sub(E.Power, 1));
}

/// NaN where \p X is.
static Value *withNaN(MathBuilder &M, Value *X, Value *Y) {
  return M.select(M.B.CreateFCmpUNO(X, X), X, Y);
}

/// Within \p Limits, where the result does not change any more.
static MathSum getArgument(DoubleDoubleBuilder &D, Value *X, double Least,
                           double Greatest) {
  return D.widen(D.M.max(D.M.min(X, Greatest), Least));
}

Value *emitCorrectExp(DoubleDoubleBuilder &D, ArrayRef<Value *> X) {
  MathSum Z = getArgument(D, X[0], -110, 90);
  return withNaN(D.M, X[0], D.roundToOdd(emitExpOf(D, Z)));
}

/// x = n + f, both exactly: half the least subnormal number is a power of two.
Value *emitCorrectExp2(DoubleDoubleBuilder &D, ArrayRef<Value *> X) {
  constexpr DoubleDouble Log2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
  MathBuilder &M = D.M;
  Value *A = M.max(M.min(X[0], 130), -152);
  double Magic = M.Format.Magic + M.Format.Bias;
  Value *T = M.add(A, Magic), *F = M.sub(A, M.sub(T, Magic));
  MathSum Y = D.add(emitSmallExpm1(D, D.mul(D.num(Log2), F)), M.num(1));
  return withNaN(M, X[0], D.roundToOdd(D.scale(Y, M.pow2(T))));
}

Value *emitCorrectExpm1(DoubleDoubleBuilder &D, ArrayRef<Value *> X) {
  MathBuilder &M = D.M;
  Value *Y = D.roundToOdd(emitExpm1Of(D, getArgument(D, X[0], -30, 90)));
  // Zeros with their sign.
  return M.select(M.B.CreateFCmpUEQ(X[0], M.num(0)), X[0], Y);
}

/// \p Y of |x| where the function of \p X is odd.
static Value *makeOdd(DoubleDoubleBuilder &D, Value *X, MathSum Y) {
  return withNaN(D.M, X, D.M.withSignOf(D.roundToOdd(Y), X));
}

/// e / (e + 2), e = exp(2x) - 1.
Value *emitCorrectTanh(DoubleDoubleBuilder &D, ArrayRef<Value *> X) {
  Value *A = D.M.min(D.M.abs(X[0]), 12);
  MathSum E = emitExpm1Of(D, D.widen(D.M.add(A, A)));
  return makeOdd(D, X[0], D.div(E, D.add(E, D.M.num(2))));
}

/// (e + e / (e + 1)) / 2, e = exp(x) - 1.
Value *emitCorrectSinh(DoubleDoubleBuilder &D, ArrayRef<Value *> X) {
  MathSum E = emitExpm1Of(D, D.widen(D.M.min(D.M.abs(X[0]), 92)));
  MathSum Y = D.add(E, D.div(E, D.add(E, D.M.num(1))));
  return makeOdd(D, X[0], D.scale(Y, 0.5));
}

/// 1 + e^2 / (e + 1) / 2.
Value *emitCorrectCosh(DoubleDoubleBuilder &D, ArrayRef<Value *> X) {
  MathSum E = emitExpm1Of(D, D.widen(D.M.min(D.M.abs(X[0]), 92)));
  MathSum Y = D.div(D.mul(E, E), D.add(E, D.M.num(1)));
  Y = D.add(D.scale(Y, 0.5), D.M.num(1));
  return withNaN(D.M, X[0], D.roundToOdd(Y));
}

} // namespace dlopt
