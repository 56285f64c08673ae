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

LogReduction reduceLog(MathBuilder &M, Value *X, bool Normal) {
  const MathFormat &F = M.Format;
  Value *Bias = M.num(F.Bias);
  if (M.hasSubnormals() && !Normal) {
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
  return {toFloat(M, N, Bias), M.sub(Fraction, 1.0), N};
}

Value *withLogSpecialCases(MathBuilder &M, Value *X, Value *Y) {
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

namespace {

/// A logarithm's base: log(2) and 1 / log(base) in two parts; the product of
/// TwoHi and an exponent is exact, unless it is fused. In ScaleTop only as many
/// bits are set as make products with half a mantissa exact.
struct LogBase {
  double TwoHi, TwoLo, ScaleHi, ScaleLo, ScaleTop, ScaleRest;
};

} // namespace

Value *getLogTail(MathBuilder &M, Value *F, MathPoly Base) {
  Value *Square = M.mul(F, F);
  Value *Inner = M.mulAdd(M.poly(F, Square, Base), F, M.num(-0.5));
  return M.mul(Inner, Square);
}

/// Base: log(1 + f) = f - f^2 / 2 + f^3 * Base(f).
Value *emitLog(MathBuilder &M, MathArgs Args, const MathRecipe &R) {
  LogReduction L = reduceLog(M, Args[0]);
  Value *F = L.F, *Square = M.mul(F, F), *Y;
  Value *Poly = M.poly(F, Square, R.Base);
  if (M.hasFMA() && M.Format.Mantissa == 23) {
    // log(2) is so close to a float that one product does.
    Value *Inner = M.mulAdd(Poly, F, M.num(-0.5));
    Y = M.mulAdd(L.K, 0x1.62e43p-1, M.mulAdd(Square, Inner, F));
  } else {
    Y = M.mulAdd(M.mul(Poly, F), Square, M.mul(L.K, M.Format.Ln2Lo));
    Y = M.add(M.mulAdd(Square, -0.5, Y), F);
    Y = M.mulAdd(L.K, M.Format.Ln2Hi, Y);
  }
  return withLogSpecialCases(M, Args[0], Y);
}

/// k * log2 + scale * f + f^2 * Base(f), the product with f exactly.
static Value *emitScaledLog(MathBuilder &M, Value *X, MathPoly Base,
                            const LogBase &B) {
  LogReduction L = reduceLog(M, X);
  // f itself is a factor twice, as its square is rounded.
  Value *Tail = M.mul(M.poly(L.F, M.mul(L.F, L.F), Base), L.F), *Hi, *Lo;
  if (M.hasFMA()) {
    Hi = M.mul(L.F, B.ScaleHi);
    Lo = M.mulAdd(L.F, B.ScaleHi, M.neg(Hi));
    Lo = M.mulAdd(L.F, B.ScaleLo, Lo);
  } else {
    uint64_t Half = (M.Format.Mantissa + 1) / 2;
    Value *Top = M.fromBits(
        M.B.CreateAnd(M.bits(L.F), M.integer(-(int64_t(1) << Half))));
    Hi = M.mul(Top, B.ScaleTop);
    Lo = M.mulAdd(M.sub(L.F, Top), B.ScaleTop, M.mul(L.F, B.ScaleRest));
  }
  Lo = M.mulAdd(Tail, L.F, Lo);
  if (B.TwoLo)
    Lo = M.mulAdd(L.K, B.TwoLo, Lo);
  Value *Y = M.add(Hi, Lo);
  Y = B.TwoLo ? M.mulAdd(L.K, B.TwoHi, Y) : M.add(L.K, Y);
  return withLogSpecialCases(M, X, Y);
}

Value *emitLog2(MathBuilder &M, MathArgs Args, const MathRecipe &R) {
  static constexpr LogBase Single = {
      1, 0, 0x1.715476p+0, 0x1.4ae0cp-26, 0x1.714p+0, 0x1.47652cp-12};
  static constexpr LogBase Double = {1,
                                     0,
                                     0x1.71547652b82fep+0,
                                     0x1.777d0ffda0d24p-56,
                                     0x1.7154768p+0,
                                     -0x1.6a3e80f444178p-27};
  return emitScaledLog(M, Args[0], R.Base,
                       M.Format.Mantissa == 23 ? Single : Double);
}

Value *emitLog10(MathBuilder &M, MathArgs Args, const MathRecipe &R) {
  static constexpr LogBase Single = {0x1.344p-2,    0x1.3509f8p-18,
                                     0x1.bcb7b2p-2, -0x1.5b235ep-27,
                                     0x1.bcap-2,    0x1.7b1526p-14};
  static constexpr LogBase Double = {
      0x1.34413509f8p-2,     -0x1.80433b83b532ap-44, 0x1.bcb7b1526e50ep-2,
      0x1.95355baaafad3p-57, 0x1.bcb7b18p-2,         -0x1.6c8d78e6acaa4p-29};
  return emitScaledLog(M, Args[0], R.Base,
                       M.Format.Mantissa == 23 ? Single : Double);
}

/// log of u = 1 + x, to which is added what u leaves out of x over u.
Value *emitLog1p(MathBuilder &M, MathArgs Args, const MathRecipe &R) {
  Value *X = Args[0];
  const MathFormat &Format = M.Format;
  // The larger one first, for fastTwoSum. NaN may come out as anything here.
  Value *One = M.num(1.0);
  Value *IsLarge = M.B.CreateFCmpOGT(X, One);
  MathSum U =
      M.fastTwoSum(M.select(IsLarge, X, One), M.select(IsLarge, One, X));
  LogReduction L = reduceLog(M, U.Hi, /*Normal=*/true);
  Value *F = L.F, *Square = M.mul(F, F);
  Value *Poly = M.poly(F, Square, R.Base);
  // U.Lo / U.Hi = U.Lo * 2^-k / (1 + f); of numbers so large that 2^-k is none
  // nothing is missing.
  Value *Limit = M.integer(Format.Bias + Format.Mantissa + 3);
  Value *N = M.select(M.B.CreateICmpSLT(L.N, Limit), L.N, Limit);
  Value *Scale =
      M.fromBits(M.B.CreateShl(M.B.CreateSub(M.integer(2 * Format.Bias), N),
                               M.integer(Format.Mantissa)));
  Value *Rest = M.mul(U.Lo, Scale);
  Value *Inverse = M.mulAdd(M.mulAdd(F, 0.6875, M.num(-1.0)), F, One);
  Rest = M.mul(Rest, Inverse);
  Rest = M.mulAdd(M.mul(Poly, F), Square, Rest);
  Rest = M.mulAdd(L.K, Format.Ln2Lo, Rest);
  Value *Y = M.add(M.mulAdd(Square, -0.5, Rest), F);
  Y = withLogSpecialCases(M, U.Hi, M.mulAdd(L.K, Format.Ln2Hi, Y));
  // Sums lose the sign of zero.
  return M.select(M.B.CreateFCmpOEQ(X, M.num(0)), X, Y);
}

} // namespace dlopt
