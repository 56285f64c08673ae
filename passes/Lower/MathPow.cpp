//===- MathPow.cpp - Powers -----------------------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// x^y = 2^(y * log2(x)) of floats, computed as double: the product has the
/// bits that the largest exponents ask for.
///
//===----------------------------------------------------------------------===//
#include "MathRecipes.h"
#include <limits>

using namespace llvm;

namespace dlopt {

namespace {

/// Whether a number is an integer, and the sign bit if that is odd.
struct Parity {
  Value *IsInteger, *OddSign;
};

} // namespace

static Parity getParity(MathBuilder &M, Value *Y) {
  // Floats from 2^24 on, infinities too, are even numbers, as the limits are.
  double Limit = 0x1p25;
  Value *Clamped = M.max(M.min(Y, Limit), -Limit);
  Value *Sum = M.add(Clamped, M.Format.Magic);
  unsigned Top = M.IntTy->getScalarSizeInBits() - 1;
  return {M.B.CreateFCmpOEQ(M.sub(Sum, M.Format.Magic), Clamped),
          M.B.CreateShl(M.bits(Sum), M.integer(Top))};
}

/// 2^t, Base as in emitExp2, for a result that is a float.
static Value *emitPower(MathBuilder &M, Value *T, MathPoly Base) {
  T = M.max(M.min(T, 200), -200);
  double Magic = M.Format.Magic + M.Format.Bias;
  Value *Sum = M.add(T, Magic);
  Value *F = M.sub(T, M.sub(Sum, Magic));
  Value *Power = M.mulAdd(M.poly(F, M.mul(F, F), Base), F, M.num(1.0));
  return M.mul(Power, M.pow2(Sum));
}

/// Near as emitLog's Base, Base as that of emitExp2.
Value *emitPow(MathBuilder &M, MathArgs Args, const MathRecipe &R) {
  double Infinity = std::numeric_limits<double>::infinity();
  double NaN = std::numeric_limits<double>::quiet_NaN();
  Value *X = Args[0], *Y = Args[1], *A = M.abs(X), *Zero = M.num(0);
  // Subnormal floats are normal as double.
  LogReduction L = reduceLog(M, A, /*Normal=*/true);
  Value *Log =
      M.mulAdd(M.add(L.F, getLogTail(M, L.F, R.Near)), M.Format.Log2E, L.K);
  Log = withLogSpecialCases(M, A, Log);
  // 1 to an infinite power is 1.
  Value *T = M.mul(Log, Y);
  T = M.select(M.B.CreateFCmpOEQ(Log, Zero), Zero, T);
  Value *Result = emitPower(M, T, R.Base);

  Parity P = getParity(M, Y);
  Value *Sign = M.B.CreateAnd(M.bits(X), P.OddSign);
  Sign = M.select(P.IsInteger, Sign, ConstantInt::getNullValue(M.IntTy));
  Result = M.fromBits(M.B.CreateOr(M.bits(Result), Sign));
  // NaN for numbers below zero, but not for zeros and infinities.
  Value *IsNegative =
      M.B.CreateAnd(M.less(X, 0), M.B.CreateFCmpOGT(X, M.num(-Infinity)));
  Result = M.select(M.B.CreateAnd(IsNegative, M.B.CreateNot(P.IsInteger)),
                    M.num(NaN), Result);
  // Also of NaN and to the power of NaN.
  Value *IsOne = M.B.CreateOr(M.B.CreateFCmpOEQ(X, M.num(1.0)),
                              M.B.CreateFCmpOEQ(Y, Zero));
  return M.select(IsOne, M.num(1.0), Result);
}

} // namespace dlopt
