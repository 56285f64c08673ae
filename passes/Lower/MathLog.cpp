//===- MathLog.cpp - Logarithms -------------------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// x = 2^k * (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2), by subtracting from the
/// bits of x, so that f is exact and k is 0 around 1.
///
//===----------------------------------------------------------------------===//
#include "MathRecipes.h"
#include <limits>

using namespace llvm;

namespace dlopt {

namespace {

/// x = 2^K * (1 + F).
struct LogReduction {
  Value *K, *F;
};

} // namespace

/// The bits of sqrt(1/2), rounded up.
static int64_t getSqrtHalf(const MathFormat &F) {
  return F.Mantissa == 23 ? 0x3f3504f4 : 0x3fe6a09e667f3bcd;
}

/// The small integer \p N, at least 0, minus \p Bias.
static Value *toFloat(MathBuilder &M, Value *N, Value *Bias) {
  if (M.Format.Mantissa == 23)
    return M.sub(M.B.CreateSIToFP(N, M.Ty), Bias);
  // Few targets convert vectors of i64: put the integer into a mantissa.
  double TwoToMantissa = double(uint64_t(1) << M.Format.Mantissa);
  Value *Sum = M.fromBits(M.B.CreateOr(N, M.bits(M.num(TwoToMantissa))));
  return M.sub(M.sub(Sum, TwoToMantissa), Bias);
}

static LogReduction reduce(MathBuilder &M, Value *X) {
  const MathFormat &F = M.Format;
  Value *Bias = M.num(F.Bias);
  if (M.hasSubnormals()) {
    double Up = double(uint64_t(1) << F.Mantissa);
    Value *Small = M.less(X, F.MinNormal);
    X = M.select(Small, M.mul(X, Up), X);
    Bias = M.select(Small, M.num(F.Bias + F.Mantissa), Bias);
  }
  int64_t SqrtHalf = getSqrtHalf(F);
  int64_t One = int64_t(F.Bias) << F.Mantissa;
  Value *Above = M.B.CreateAdd(M.bits(X), M.integer(One - SqrtHalf));
  Value *N = M.B.CreateLShr(Above, M.integer(F.Mantissa));
  Value *Rest = M.B.CreateAnd(Above, M.integer((int64_t(1) << F.Mantissa) - 1));
  Value *Fraction = M.fromBits(M.B.CreateAdd(Rest, M.integer(SqrtHalf)));
  return {toFloat(M, N, Bias), M.sub(Fraction, 1.0)};
}

/// The result for X that is not a positive number, or \p Y.
static Value *withSpecialCases(MathBuilder &M, Value *X, Value *Y) {
  double Infinity = std::numeric_limits<double>::infinity();
  double NaN = std::numeric_limits<double>::quiet_NaN();
  // +Inf and NaN are their own logarithms.
  Y = M.select(M.less(X, Infinity), Y, X);
  if (M.hasSubnormals())
    Y = M.select(M.B.CreateFCmpOEQ(X, M.num(0)), M.num(-Infinity), Y);
  else
    Y = M.select(M.less(M.abs(X), M.Format.MinNormal), M.num(-Infinity), Y);
  double Zero = M.hasSubnormals() ? 0 : -M.Format.MinNormal;
  Value *Negative = Zero ? M.B.CreateFCmpOLE(X, M.num(Zero)) : M.less(X, 0);
  return M.select(Negative, M.num(NaN), Y);
}

/// Near: log(1 + f) = f - f^2 / 2 + f^3 * Near(f).
Value *emitLog(MathBuilder &M, MathArgs Args, const MathRecipe &R) {
  LogReduction L = reduce(M, Args[0]);
  Value *F = L.F, *Square = M.mul(F, F);
  Value *Y =
      M.mulAdd(M.mul(M.poly(F, R.Near), F), Square, M.mul(L.K, M.Format.Ln2Lo));
  Y = M.add(M.mulAdd(Square, -0.5, Y), F);
  return withSpecialCases(M, Args[0], M.mulAdd(L.K, M.Format.Ln2Hi, Y));
}

} // namespace dlopt
