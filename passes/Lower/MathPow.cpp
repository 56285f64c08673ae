//===- MathPow.cpp - Powers -----------------------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// x^y = 2^(y * log2(x)). Floats are computed as double: the product has the
/// bits that the largest exponents ask for. For double the logarithm has two
/// parts, by s = f / (2 + f), log2(1 + f) being an odd function of s, whose
/// first two terms are products of two parts, too.
///
//===----------------------------------------------------------------------===//
#include "MathRecipes.h"
#include <limits>

using namespace llvm;

namespace dlopt {

MathParity getParity(MathBuilder &M, Value *Y) {
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

Value *withPowSpecialCases(MathBuilder &M, Value *X, Value *Y, Value *Result,
                           MathParity P) {
  double Infinity = std::numeric_limits<double>::infinity();
  double NaN = std::numeric_limits<double>::quiet_NaN();
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
                              M.B.CreateFCmpOEQ(Y, M.num(0)));
  return M.select(IsOne, M.num(1.0), Result);
}

/// Near as emitLog's Base, Base as that of emitExp2.
Value *emitPow(MathBuilder &M, MathArgs Args, const MathRecipe &R) {
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

  return withPowSpecialCases(M, X, Y, Result, getParity(M, Y));
}

/// Of a double: where it has a fraction there is room for one more bit, and
/// from 2^52 on its lowest bit is that of the integer it is.
static MathParity getParityOfDouble(MathBuilder &M, Value *Y) {
  double TwoToMantissa = double(uint64_t(1) << M.Format.Mantissa);
  // From 2^53 on all are even, as that is.
  Value *A = M.min(M.abs(Y), 2 * TwoToMantissa);
  Value *IsLarge = M.B.CreateFCmpOGE(A, M.num(TwoToMantissa));
  Value *Sum = M.add(A, TwoToMantissa);
  Value *Odd = M.select(IsLarge, A, Sum);
  Value *IsEqual = M.B.CreateFCmpOEQ(M.sub(Sum, TwoToMantissa), A);
  unsigned Top = M.IntTy->getScalarSizeInBits() - 1;
  return {M.B.CreateOr(IsEqual, IsLarge),
          M.B.CreateShl(M.bits(Odd), M.integer(Top))};
}

/// log2(1 + F), Poly being what is left of it behind the first two terms.
static MathSum getLog2(MathBuilder &M, Value *F, MathPoly Poly) {
  // 2 / log(2) and a third of it.
  constexpr double FirstHi = 0x1.71547652b82fep+1,
                   FirstLo = 0x1.777d0ffda0d24p-55,
                   ThirdHi = 0x1.ec709dc3a03fdp-1,
                   ThirdLo = 0x1.d27f05548af0cp-55;
  MathSum Two = M.fastTwoSum(M.num(2.0), F);
  Value *Inverse = M.div(M.num(1.0), Two.Hi);
  MathSum S;
  S.Hi = M.mul(F, Inverse);
  Value *Minus = M.neg(S.Hi);
  S.Lo = M.mul(M.mulAdd(Minus, Two.Lo, M.mulAdd(Minus, Two.Hi, F)), Inverse);
  MathSum Square = M.product(S.Hi, S.Hi);
  Square.Lo = M.mulAdd(M.add(S.Hi, S.Hi), S.Lo, Square.Lo);
  // The factor of s^3: two terms of it exactly.
  Value *Fourth = M.mul(Square.Hi, Square.Hi);
  MathSum Fifth = M.product(Square.Hi, M.num(Poly[0]));
  MathSum Inner = M.fastTwoSum(M.num(ThirdHi), Fifth.Hi);
  Value *Rest = M.add(Inner.Lo, M.add(Fifth.Lo, ThirdLo));
  Rest = M.mulAdd(Square.Lo, Poly[0], Rest);
  Inner.Lo =
      M.mulAdd(Fourth, M.poly(Square.Hi, Fourth, Poly.drop_front()), Rest);
  MathSum Outer = M.product(Square, Inner);
  MathSum Factor = M.fastTwoSum(M.num(FirstHi), Outer.Hi);
  Factor.Lo = M.add(Factor.Lo, M.add(Outer.Lo, FirstLo));
  return M.product(S, Factor);
}

/// 2^(T.Hi + T.Lo), Base as in emitExp2.
static Value *emitPowerOfSum(MathBuilder &M, MathSum T, MathPoly Base) {
  // Of what is clamped, infinite or NaN there is no rest.
  constexpr double Limit = 1100;
  Value *Lo = M.select(M.less(M.abs(T.Hi), Limit), T.Lo, M.num(0));
  Value *Hi = M.max(M.min(T.Hi, Limit), -Limit);
  double Magic = M.Format.Magic + 2 * M.Format.Bias;
  Value *Sum = M.add(Hi, Magic);
  MathSum F = M.fastTwoSum(M.sub(Hi, M.sub(Sum, Magic)), Lo);
  MathSum First = M.product(F.Hi, M.num(Base[0]));
  First.Lo = M.mulAdd(F.Lo, Base[0], First.Lo);
  MathSum One = M.fastTwoSum(M.num(1.0), First.Hi);
  Value *Square = M.mul(F.Hi, F.Hi);
  Value *Rest = M.mulAdd(M.poly(F.Hi, Square, Base.drop_front()), Square,
                         M.add(One.Lo, First.Lo));
  return M.scale(M.add(One.Hi, Rest), Sum);
}

/// Takes fused operations. Near as getLog2's Poly, Base as that of emitExp2.
Value *emitPowDouble(MathBuilder &M, MathArgs Args, const MathRecipe &R) {
  Value *X = Args[0], *Y = Args[1], *A = M.abs(X), *Zero = M.num(0);
  LogReduction L = reduceLog(M, A);
  MathSum Fraction = getLog2(M, L.F, R.Near);
  MathSum Log = M.fastTwoSum(L.K, Fraction.Hi);
  Log.Hi = withLogSpecialCases(M, A, Log.Hi);
  MathSum T = M.product(Log.Hi, Y);
  T.Lo = M.mulAdd(M.add(Log.Lo, Fraction.Lo), Y, T.Lo);
  Value *Result = emitPowerOfSum(M, T, R.Base);
  // 1 to an infinite power is 1.
  Result = M.select(M.B.CreateFCmpOEQ(Log.Hi, Zero), M.num(1.0), Result);
  return withPowSpecialCases(M, X, Y, Result, getParityOfDouble(M, Y));
}

} // namespace dlopt
