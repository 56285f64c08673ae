//===- MathRoot.cpp - Roots -----------------------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "MathRecipes.h"
#include <cmath>
#include <limits>

using namespace llvm;

namespace dlopt {

/// 1 / sqrt(x), by the instructions, and a step of Newton's with what both of
/// them round off.
Value *emitRsqrt(MathBuilder &M, MathArgs Args, const MathRecipe &R) {
  bool Step = M.hasFMA() && R.Accuracy == MathAccuracy::OneULP;
  Value *X = Args[0], *Small = nullptr;
  int Half = int(M.Format.Mantissa + 2) / 2;
  if (Step) {
    // The root's rest must not be subnormal.
    Small = M.less(X, std::ldexp(M.Format.MinNormal, 2 * Half));
    X = M.select(Small, M.mul(X, std::ldexp(1.0, 2 * Half)), X);
  }
  Value *Root = M.B.CreateUnaryIntrinsic(Intrinsic::sqrt, X);
  Value *Y = M.div(M.num(1.0), Root);
  if (!Step)
    return Y;
  Value *FromRoot = M.mulAdd(M.neg(Root), Root, X);
  Value *FromQuotient = M.mulAdd(M.neg(Y), Root, M.num(1.0));
  Value *Rest = M.mulAdd(M.mul(M.mul(FromRoot, Y), -0.5), Y, FromQuotient);
  Value *Better = M.mulAdd(Y, Rest, Y);
  Better = M.select(Small, M.mul(Better, std::ldexp(1.0, Half)), Better);
  // 0 * infinity, where the quotient is exact.
  return M.select(M.B.CreateFCmpUNO(Better, Better), Y, Better);
}

namespace {

/// The cube root is Root + Rest * Factor.
struct CubeRoot {
  Value *Root, *Rest, *Factor;
};

} // namespace

/// y = x^(-1/3) from the bits of x, whose third is the logarithm's, two steps
/// of third order, and a step of Newton's for x * y^2.
static CubeRoot getCubeRoot(MathBuilder &M, Value *X) {
  const MathFormat &F = M.Format;
  // The top bits of x as a number, a third of it and back.
  unsigned Drop = M.Ty->getScalarSizeInBits() - F.Mantissa;
  double Magic = double(uint64_t(1) << F.Mantissa);
  double One = std::ldexp(double(F.Bias), int(F.Mantissa - Drop));
  Value *Top = M.B.CreateLShr(M.bits(X), M.integer(Drop));
  Value *Number =
      M.sub(M.fromBits(M.B.CreateOr(Top, M.bits(M.num(Magic)))), Magic);
  // 4 / 3 of the bits of 1, less what makes the error as large on both sides.
  double Start =
      std::floor(One * 4 / 3 - std::ldexp(0.06, int(F.Mantissa - Drop)));
  Value *Sum = M.mulAdd(Number, -0x1.555556p-2, M.num(Magic + Start));
  Value *Y = M.fromBits(M.B.CreateShl(M.bits(Sum), M.integer(Drop)));
  for (int Step = 0; Step < 2; Step++) {
    // 1 / (1 - h)^(1/3) = 1 + h / 3 + 2 h^2 / 9 + ...
    Value *H = M.mulAdd(M.neg(M.mul(X, M.mul(Y, Y))), Y, M.num(1.0));
    Value *Factor = M.mulAdd(H, 2.0 / 9, M.num(1.0 / 3));
    Y = M.mulAdd(M.mul(Y, H), Factor, Y);
  }
  Value *Square = M.mul(Y, Y);
  Value *Root = M.mul(X, Square);
  // x - root^3, of which only the difference matters.
  Value *RootSquare = M.mul(Root, Root), *Rest;
  if (M.hasFMA()) {
    Value *Low = M.mulAdd(Root, Root, M.neg(RootSquare));
    Rest = M.mulAdd(M.neg(RootSquare), Root, X);
    Rest = M.mulAdd(M.neg(Low), Root, Rest);
  } else {
    Rest = M.sub(X, M.mul(RootSquare, Root));
  }
  return {Root, Rest, M.mul(Square, 1.0 / 3)};
}

Value *emitCbrtNormal(MathBuilder &M, Value *X) {
  CubeRoot R = getCubeRoot(M, X);
  return M.mulAdd(R.Rest, R.Factor, R.Root);
}

/// \p X, not negative, or a multiple by a power of 8 such that what is left of
/// it is not subnormal; the root of that times \p Unscale is that of X.
static Value *scaleUp(MathBuilder &M, Value *X, Value *&Unscale) {
  int Third = int(M.Format.Mantissa + 3) / 3 * 2;
  Value *Small = M.less(X, std::ldexp(M.Format.MinNormal, 3 * Third));
  Unscale = M.select(Small, M.num(std::ldexp(1.0, -Third)), M.num(1));
  return M.select(Small, M.mul(X, std::ldexp(1.0, 3 * Third)), X);
}

MathSum emitCbrtParts(MathBuilder &M, Value *X, Value *&Unscale) {
  CubeRoot R = getCubeRoot(M, scaleUp(M, M.abs(X), Unscale));
  return {R.Root, M.mul(R.Rest, R.Factor)};
}

Value *emitCbrt(MathBuilder &M, MathArgs Args, const MathRecipe &) {
  Value *A = M.abs(Args[0]), *Unscale = nullptr;
  Value *Y = emitCbrtNormal(M, scaleUp(M, A, Unscale));
  Y = M.mul(Y, Unscale);
  // Zeros, infinities and NaN are their own roots.
  Value *Special = Args[0];
  if (!M.hasSubnormals())
    Special = M.select(M.less(A, M.Format.MinNormal),
                       M.withSignOf(M.num(0), Args[0]), Special);
  double Infinity = std::numeric_limits<double>::infinity();
  Value *IsNumber = M.hasSubnormals()
                        ? M.B.CreateFCmpOGT(A, M.num(0))
                        : M.B.CreateFCmpOGE(A, M.num(M.Format.MinNormal));
  Value *Regular = M.B.CreateAnd(M.less(A, Infinity), IsNumber);
  return M.select(Regular, M.withSignOf(Y, Args[0]), Special);
}

} // namespace dlopt
