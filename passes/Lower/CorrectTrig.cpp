//===- CorrectTrig.cpp - Angles in double-double --------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CorrectFormulas.h"
#include "MathFormulas.h"
#include <cmath>

using namespace llvm;

namespace dlopt {

static constexpr DoubleDouble ExactHalfPi = {0x1.921fb54442d18p+0,
                                             0x1.1a62633145c07p-54};

/// sin(r) / r in terms of r^2: 1 - r^2 / 6 + ...
static constexpr DoubleDouble SinTerms[] = {
    {0x1p+0, 0},
    {-0x1.5555555555555p-3, -0x1.5555555555555p-57},
    {0x1.1111111111111p-7, 0x1.1111111111111p-63},
    {-0x1.a01a01a01a01ap-13, -0x1.a01a01a01a01ap-73},
    {0x1.71de3a556c734p-19, -0x1.c154f8ddc6cp-73},
    {-0x1.ae64567f544e4p-26, 0x1.c062e06d1f209p-80},
    {0x1.6124613a86d09p-33, 0x1.f28e0cc748ebep-87},
    {-0x1.ae7f3e733b81fp-41, -0x1.1d8656b0ee8cbp-97}};
static constexpr double SmallSinTerms[] = {
    0x1.952c77030ad4ap-49,  -0x1.2f49b46814157p-57, 0x1.71b8ef6dcf572p-66,
    -0x1.761b41316381ap-75, 0x1.3f3ccdd165fa9p-84,  -0x1.d1ab1c2dccea3p-94,
    0x1.259f98b4358adp-103};

/// cos(r) in terms of r^2: 1 - r^2 / 2 + ...
static constexpr DoubleDouble CosTerms[] = {
    {0x1p+0, 0},
    {-0x1p-1, 0},
    {0x1.5555555555555p-5, 0x1.5555555555555p-59},
    {-0x1.6c16c16c16c17p-10, 0x1.f49f49f49f49fp-65},
    {0x1.a01a01a01a01ap-16, 0x1.a01a01a01a01ap-76},
    {-0x1.27e4fb7789f5cp-22, -0x1.cbbc05b4fa99ap-76},
    {0x1.1eed8eff8d898p-29, -0x1.2aec959e14c06p-83},
    {-0x1.93974a8c07c9dp-37, -0x1.05d6f8a2efd1fp-92}};
static constexpr double SmallCosTerms[] = {
    0x1.ae7f3e733b81fp-45,  -0x1.6827863b97d97p-53, 0x1.e542ba4020225p-62,
    -0x1.0ce396db7f853p-70, 0x1.f2cf01972f578p-80,  -0x1.88e85fc6a4e5ap-89,
    0x1.0a18a2635085dp-98,  -0x1.3932c5047d60ep-108};

namespace {

struct SinCos {
  MathSum Sin, Cos;
};

/// An angle as n pi / 2 + R: the low bits of N, i64, are those of n.
struct Quadrant {
  Value *N;
  MathSum R;
};

} // namespace

/// Up to |r| = pi / 4.
static SinCos emitSmallSinCos(DoubleDoubleBuilder &D, MathSum R) {
  MathSum Square = D.mul(R, R);
  return {D.mul(R, D.poly(Square, SinTerms, SmallSinTerms)),
          D.poly(Square, CosTerms, SmallCosTerms)};
}

//===----------------------------------------------------------------------===//
// sin, cos, tan
//===----------------------------------------------------------------------===//

/// \p X, an integer of 128 bits that is not negative, as a number.
static MathSum convert(DoubleDoubleBuilder &D, Value *X) {
  constexpr unsigned PartBits = 43;
  MathBuilder &M = D.M;
  auto Part = [&](unsigned From) {
    Value *Bits = M.B.CreateTrunc(M.B.CreateLShr(X, From), M.IntTy);
    Bits = M.B.CreateAnd(Bits, M.integer((int64_t(1) << PartBits) - 1));
    // No bit is lost.
    return M.mul(M.B.CreateSIToFP(Bits, M.Ty), M.num(std::ldexp(1.0, From)));
  };
  MathSum Top = M.fastTwoSum(Part(2 * PartBits), Part(PartBits));
  return D.add(Top, Part(0));
}

/// Payne and Hanek, Radian reduction for trigonometric functions, 1983, with
/// integers: a float is m 2^e, and of m 2^e 2 / pi only two bits in front of
/// the point matter. So m is multiplied by the 192 bits of 2 / pi that begin
/// where products are less than 4. \p X: 0.5 or more.
static Quadrant reduceLarge(DoubleDoubleBuilder &D, Value *X) {
  constexpr unsigned TableBits = 512, Bits = 192, Mantissa = 24;
  // 2 / pi times 2^512.
  static constexpr char Table[] =
      "a2f9836e4e441529fc2757d1f534ddc0db6295993c439041fe5163abdebbc561"
      "b7246e3a424dd2e006492eea09d1921cfe1deb1cb129a73ee88235f52ebb4484";
  MathBuilder &M = D.M;
  IRBuilderBase &B = M.B;
  Type *Wide = B.getIntNTy(Bits), *Whole = B.getIntNTy(TableBits);
  Value *Number = M.bits(X);
  // As double: 52 bits behind the point, of which 24 are set at most.
  unsigned Unset = M.Format.Mantissa + 1 - Mantissa;
  Value *Significand =
      B.CreateOr(B.CreateAnd(Number, M.integer((int64_t(1) << 52) - 1)),
                 M.integer(int64_t(1) << M.Format.Mantissa));
  Significand = B.CreateLShr(Significand, M.integer(Unset));
  Value *E = B.CreateSub(B.CreateLShr(Number, M.integer(M.Format.Mantissa)),
                         M.integer(M.Format.Bias + Mantissa - 1));
  // The bits e - 1 to e + 190 behind the point.
  Value *Shift = B.CreateSub(M.integer(TableBits - Bits + 2), E);
  Value *Window = B.CreateLShr(
      ConstantInt::get(Whole, APInt(TableBits, Table, /*radix=*/16)),
      B.CreateZExt(Shift, Whole));
  Value *Product =
      B.CreateMul(B.CreateTrunc(Window, Wide), B.CreateZExt(Significand, Wide));
  // Two bits of n, then the fraction, which is signed: n to nearest.
  Value *N = B.CreateTrunc(B.CreateLShr(Product, Bits - 3), M.IntTy);
  N = B.CreateLShr(B.CreateAdd(N, M.integer(1)), M.integer(1));
  Value *F = B.CreateTrunc(B.CreateAShr(B.CreateShl(Product, 2), Bits - 128),
                           B.getInt128Ty());
  Value *IsNegative =
      B.CreateICmpSLT(F, ConstantInt::getNullValue(B.getInt128Ty()));
  MathSum Fraction = D.scale(
      convert(D, B.CreateSelect(IsNegative, B.CreateNeg(F), F)), 0x1p-128);
  Fraction = D.select(IsNegative, D.neg(Fraction), Fraction);
  return {N, D.mul(Fraction, D.num(ExactHalfPi))};
}

/// Of |x|, where that is finite.
static Quadrant reduce(DoubleDoubleBuilder &D, Value *A) {
  MathBuilder &M = D.M;
  Value *IsSmall = M.less(A, 0.78);
  Value *Large = M.select(M.B.CreateFCmpOLT(A, M.num(INFINITY)), A, M.num(1));
  Quadrant Q = reduceLarge(D, M.max(Large, 0.5));
  return {M.select(IsSmall, ConstantInt::getNullValue(M.IntTy), Q.N),
          D.select(IsSmall, D.widen(A), Q.R)};
}

/// NaN where \p X is not finite, and its sign with \p Y's where \p IsOdd.
static Value *finish(DoubleDoubleBuilder &D, Value *X, MathSum Y, bool IsOdd) {
  MathBuilder &M = D.M;
  Value *Result = D.roundToOdd(Y);
  if (IsOdd)
    Result = M.select(
        M.B.CreateICmpSLT(M.bits(X), ConstantInt::getNullValue(M.IntTy)),
        M.neg(Result), Result);
  Value *IsFinite = M.B.CreateFCmpOLT(M.abs(X), M.num(INFINITY));
  return M.select(IsFinite, Result, M.num(NAN));
}

static Value *isBitSet(MathBuilder &M, Value *N, int64_t Bit) {
  return M.B.CreateIsNotNull(M.B.CreateAnd(N, M.integer(Bit)));
}

/// sin(|x| + \p Turn pi / 2).
static MathSum emitSinOf(DoubleDoubleBuilder &D, Value *X, int64_t Turn) {
  MathBuilder &M = D.M;
  Quadrant Q = reduce(D, M.abs(X));
  SinCos S = emitSmallSinCos(D, Q.R);
  Value *N = M.B.CreateAdd(Q.N, M.integer(Turn));
  MathSum Y = D.select(isBitSet(M, N, 1), S.Cos, S.Sin);
  return D.select(isBitSet(M, N, 2), D.neg(Y), Y);
}

Value *emitCorrectSin(DoubleDoubleBuilder &D, ArrayRef<Value *> X) {
  return finish(D, X[0], emitSinOf(D, X[0], 0), /*IsOdd=*/true);
}

Value *emitCorrectCos(DoubleDoubleBuilder &D, ArrayRef<Value *> X) {
  return finish(D, X[0], emitSinOf(D, X[0], 1), /*IsOdd=*/false);
}

Value *emitCorrectTan(DoubleDoubleBuilder &D, ArrayRef<Value *> X) {
  Quadrant Q = reduce(D, D.M.abs(X[0]));
  SinCos S = emitSmallSinCos(D, Q.R);
  Value *IsOdd = isBitSet(D.M, Q.N, 1);
  MathSum Y = D.div(D.select(IsOdd, D.neg(S.Cos), S.Sin),
                    D.select(IsOdd, S.Sin, S.Cos));
  return finish(D, X[0], Y, /*IsOdd=*/true);
}

//===----------------------------------------------------------------------===//
// atan, asin, acos
//===----------------------------------------------------------------------===//

/// The angle from 0 to pi / 2 whose tangent is Y / X, neither of them negative,
/// nor both zero: t from 0 to 1, a from double, and a + (t cos(a) - sin(a)) /
/// (cos(a) + t sin(a)).
static MathSum emitAngle(DoubleDoubleBuilder &D, MathSum Y, MathSum X) {
  MathBuilder &M = D.M;
  Value *IsSteep = M.B.CreateFCmpOGT(Y.Hi, X.Hi);
  MathSum T = D.div(D.select(IsSteep, X, Y), D.select(IsSteep, Y, X));
  Value *First = emitSmallAtanOf(M, T.Hi);
  SinCos S = emitSmallSinCos(D, D.widen(First));
  MathSum Rest = D.sub(D.mul(T, S.Cos), S.Sin);
  MathSum Angle = D.add(D.div(Rest, D.add(S.Cos, D.mul(T, S.Sin))), First);
  return D.select(IsSteep, D.sub(D.num(ExactHalfPi), Angle), Angle);
}

Value *emitCorrectAtan(DoubleDoubleBuilder &D, ArrayRef<Value *> X) {
  MathBuilder &M = D.M;
  // What is larger has no other result.
  Value *A = M.min(M.abs(X[0]), 0x1p100);
  MathSum Y = emitAngle(D, D.widen(A), D.num(1));
  return M.select(M.B.CreateFCmpUNO(X[0], X[0]), X[0],
                  M.withSignOf(D.roundToOdd(Y), X[0]));
}

/// sqrt(1 - x^2), x being a float.
static MathSum emitLeg(DoubleDoubleBuilder &D, Value *X) {
  MathBuilder &M = D.M;
  MathSum Square = M.twoSum(M.num(1), M.neg(D.mulDouble(X, X)));
  Value *IsPositive = M.B.CreateFCmpOGT(Square.Hi, M.num(0));
  MathSum Root = D.sqrt(D.select(IsPositive, Square, D.num(1)));
  return D.select(IsPositive, Root, D.num(0));
}

Value *emitCorrectAsin(DoubleDoubleBuilder &D, ArrayRef<Value *> X) {
  MathBuilder &M = D.M;
  Value *A = M.abs(X[0]);
  auto Compute = [&] {
    MathSum Y = emitAngle(D, D.widen(A), emitLeg(D, A));
    return M.withSignOf(D.roundToOdd(Y), X[0]);
  };
  return emitIf(M, M.B.CreateFCmpOLE(A, M.num(1)), Compute, M.num(NAN));
}

Value *emitCorrectAcos(DoubleDoubleBuilder &D, ArrayRef<Value *> X) {
  MathBuilder &M = D.M;
  Value *A = M.abs(X[0]);
  auto Compute = [&] {
    MathSum Y = emitAngle(D, emitLeg(D, A), D.widen(A));
    MathSum Other = D.sub(D.scale(D.num(ExactHalfPi), 2), Y);
    return D.roundToOdd(D.select(M.less(X[0], 0), Other, Y));
  };
  return emitIf(M, M.B.CreateFCmpOLE(A, M.num(1)), Compute, M.num(NAN));
}

} // namespace dlopt
