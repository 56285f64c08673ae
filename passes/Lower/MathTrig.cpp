//===- MathTrig.cpp - Sine and cosine -------------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Of floats, computed as double. x * 2 / pi is n + f with |f| <= 1/2; of n
/// only two bits matter, so bits of 2 / pi whose products with x are multiples
/// of 4 are left out: which ones depends on the exponent of x (Payne and Hanek,
/// Radian reduction for trigonometric functions, SIGNUM 18, 1983).
///
//===----------------------------------------------------------------------===//
#include "MathRecipes.h"

using namespace llvm;

namespace dlopt {

namespace {

/// Parts of 2 / pi: products of the first two, 29 bits each, and a float are
/// exact, and what is behind the last one matters to no float.
struct TwoOverPi {
  double Parts[3];
};

} // namespace

/// From each bound on multiples of 4 begin 26 bits lower.
static constexpr double Bounds[] = {0x1p50, 0x1p76, 0x1p102};
static constexpr TwoOverPi Tables[] = {
    {{0x1.45f306dp-1, 0x1.9391054p-30, 0x1.4fe13abe8fa9ap-59}},
    {{0x1.b939105p-26, 0x1.29fc274p-56, 0x1.7d1f534ddc0dbp-84}},
    {{0x1.529fc27p-52, 0x1.5f47d4cp-82, 0x1.377036d8a5665p-110}},
    {{0x1.d5f47d4p-78, 0x1.a6ee06dp-107, 0x1.6295993c43904p-136}},
};

FloatTrigReduction reduceFloatTrig(MathBuilder &M, Value *X) {
  Value *A = M.abs(X), *Parts[3];
  for (unsigned I = 0; I < 3; I++)
    Parts[I] = M.num(Tables[0].Parts[I]);
  for (unsigned B = 0; B < 3; B++) {
    Value *Beyond = M.B.CreateFCmpOGE(A, M.num(Bounds[B]));
    for (unsigned I = 0; I < 3; I++)
      Parts[I] = M.select(Beyond, M.num(Tables[B + 1].Parts[I]), Parts[I]);
  }
  // Infinities become NaN here.
  double Magic = M.Format.Magic;
  Value *First = M.mul(X, Parts[0]);
  Value *FirstSum = M.add(First, Magic);
  First = M.sub(First, M.sub(FirstSum, Magic));
  Value *Second = M.add(First, M.mul(X, Parts[1]));
  Value *SecondSum = M.add(Second, Magic);
  Second = M.sub(Second, M.sub(SecondSum, Magic));
  return {M.B.CreateAdd(M.bits(FirstSum), M.bits(SecondSum)),
          M.mulAdd(X, Parts[2], Second)};
}

Value *selectQuadrant(MathBuilder &M, Value *N, int Quadrant, Value *Sin,
                      Value *Cos) {
  if (Quadrant)
    N = M.B.CreateAdd(N, M.integer(Quadrant));
  unsigned Top = M.IntTy->getScalarSizeInBits() - 1;
  // The lowest bit of n chooses between them, the next one is the sign.
  Value *IsCos = M.B.CreateICmpSLT(M.B.CreateShl(N, M.integer(Top)),
                                   ConstantInt::getNullValue(M.IntTy));
  Value *Sign = M.B.CreateShl(M.B.CreateLShr(N, M.integer(1)), M.integer(Top));
  Value *Y = M.select(IsCos, Cos, Sin);
  return M.fromBits(M.B.CreateXor(M.bits(Y), Sign));
}

/// sin(x + Quadrant * pi / 2): sin(r) = r + r^3 * Near(r^2), cos(r) = 1 + r^2 *
/// Far(r^2).
static Value *emitTrig(MathBuilder &M, Value *X, const MathRecipe &R,
                       int Quadrant) {
  FloatTrigReduction T = reduceFloatTrig(M, X);
  Value *Angle = M.mul(T.F, 0x1.921fb54442d18p+0);
  Value *Square = M.mul(Angle, Angle);
  Value *Fourth = M.mul(Square, Square);
  // A product keeps the sign of zero.
  Value *Sin = M.mul(
      Angle, M.mulAdd(M.poly(Square, Fourth, R.Near), Square, M.num(1.0)));
  Value *Cos = M.mulAdd(M.poly(Square, Fourth, R.Far), Square, M.num(1.0));
  return selectQuadrant(M, T.N, Quadrant, Sin, Cos);
}

Value *emitSin(MathBuilder &M, MathArgs Args, const MathRecipe &R) {
  return emitTrig(M, Args[0], R, 0);
}

Value *emitCos(MathBuilder &M, MathArgs Args, const MathRecipe &R) {
  return emitTrig(M, Args[0], R, 1);
}

} // namespace dlopt
