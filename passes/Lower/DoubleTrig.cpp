//===- DoubleTrig.cpp - Sine and cosine of float, in double ---------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Values of sines and cosines of float that have been extended to double: by
/// the quadrant, what is left of the angle, and polynomials of that.
///
//===----------------------------------------------------------------------===//
#include "MathFormulas.h"
#include "MathRecipes.h"
#include "dlopt/PlantedBugs.h"

using namespace llvm;

namespace dlopt {

static constexpr double HalfPi = 0x1.921fb54442d18p+0;

//===----------------------------------------------------------------------===//
// The exact values
//===----------------------------------------------------------------------===//

namespace {

struct SinCos {
  Value *Sin, *Cos, *N;
};

} // namespace

/// Of the angle in the first quadrant, the low bits of N being those of the
/// quadrant, by the reduction of MathTrig.cpp, which leaves out 2^-52 of
/// quadrants from 2^28 on: the library is asked where that is more than 2^-40
/// of what is left. The polynomials are within 2^-43.
static SinCos emitSinCos(MathBuilder &M, Value *X, Value *&Calls) {
  // sin(r) / r and cos(r) in r^2 up to |r| = pi / 4.
  static constexpr double SinPoly[] = {
      0x1.fffffffffffd7p-1,   -0x1.5555555550c6bp-3, 0x1.1111110bbce79p-7,
      -0x1.a019f87bf130bp-13, 0x1.71d71fc82f13cp-19, -0x1.a94abcd101b0ap-26};
  static constexpr double CosPoly[] = {
      0x1.ffffffffffdb4p-1,   -0x1.ffffffffe0084p-2, 0x1.5555554313233p-5,
      -0x1.6c16b20a9dc9cp-10, 0x1.a00e39569a2d3p-16, -0x1.23b6a6847c0a1p-22};
  X = extend(M, X);
  FloatTrigReduction T = reduceFloatTrig(M, X);
  // Up to 2^28 what is left of small ones is as exact as large ones.
  Value *IsLost =
      M.B.CreateFCmpOLT(M.abs(T.F), M.min(M.mul(M.abs(X), 0x1p-40), 0x1p-12));
  Calls = Calls ? M.B.CreateOr(Calls, IsLost) : IsLost;
  Value *R = M.mul(T.F, HalfPi);
  Value *Square = M.mul(R, R), *Fourth = M.mul(Square, Square);
  // A product keeps the sign of zero.
  Value *Sin = M.mul(R, M.poly(Square, Fourth, SinPoly));
  Value *Cos = M.poly(Square, Fourth, CosPoly);
  return {Sin, Cos, T.N};
}

/// sin(x + Quadrant * pi / 2).
static Value *emitExactTrig(MathBuilder &M, Value *X, int Quadrant,
                            Value *&Calls) {
  SinCos S = emitSinCos(M, X, Calls);
  return selectQuadrant(M, S.N, Quadrant, S.Sin, S.Cos);
}

/// Within 2^-38 of itself for every number.
Value *emitExactSinInDouble(MathBuilder &M, MathArgs Args, Value *&Calls) {
  Calls = isSubnormal(M, Args[0]);
  return emitExactTrig(M, Args[0], 0, Calls);
}

/// Within 2^-38 of itself for every number.
Value *emitExactCosInDouble(MathBuilder &M, MathArgs Args, Value *&Calls) {
  return emitExactTrig(M, Args[0], 1, Calls);
}

//===----------------------------------------------------------------------===//
// The library's
//===----------------------------------------------------------------------===//

/// \p X less N quadrants, pi / 2 being a double.
static Value *subtractQuadrants(MathBuilder &M, Value *X, Value *N) {
  if (M.hasFMA())
    return M.mulAdd(N, -HalfPi, X);
  // The first 33 bits: their product with an N of 20 is exact.
  constexpr double First = 0x1.921fb544p+0, Second = HalfPi - First;
  return M.mulAdd(N, -Second, M.mulAdd(N, -First, X));
}

/// sin(x + Quadrant * pi / 2) up to |x| = 2^20 as glibc has it since 2.28: by a
/// polynomial of degree 7 for the sine and 8 for the cosine of what is left of
/// x. That is less a multiple of a double up to 120, which variants of the
/// library do or do not round by itself, and of nearly all of pi / 2 beyond.
/// From 16 on vectors take that, too: all these are within 2^-46.3. They may
/// have another quadrant next to the middle between two, as some variants have.
/// The library is asked where any of that makes a difference.
static Value *emitLibraryTrig(MathBuilder &M, Value *Single, int Quadrant,
                              Value *&Calls) {
  IRBuilderBase &B = M.B;
  Value *X = extend(M, Single);
  double Magic = M.Format.Magic;
  Value *T = M.mulAdd(X, 0x1.45f306dc9c883p-1, M.num(Magic));
  Value *N = M.sub(T, Magic), *R = subtractQuadrants(M, X, N);
  Value *IsLarge =
      B.CreateFCmpOGT(B.CreateUnaryIntrinsic(Intrinsic::fabs, Single),
                      ConstantFP::get(Single->getType(), 16));
  R = M.select(IsLarge, M.mulAdd(N, -0x1.1a62633145c07p-54, R), R);
  Value *IsOther = B.CreateAnd(B.CreateNot(isAtLeast(M, R, 0x1p-7)), IsLarge);
  // pi / 4 less 2^-20.2 of it.
  Value *IsBetween = isAtLeast(M, R, 0x1.921fap-1);
  Calls = DLOPT_PLANTED(AngleVariantAssumed) ? IsBetween
                                             : B.CreateOr(IsOther, IsBetween);
  Value *Square = M.mul(R, R);
  Value *Sin =
      M.mulAdd(Square, -0x1.994eb3774cf24p-13, M.num(0x1.1107605230bc4p-7));
  Sin = M.mulAdd(Square, Sin, M.num(-0x1.555545995a603p-3));
  Sin = M.mul(M.mulAdd(Square, Sin, M.num(1)), R);
  static constexpr double CosPoly[] = {
      0x1p0, -0x1.ffffffd0c621cp-2, 0x1.55553e1068f19p-5,
      -0x1.6c087e89a359dp-10, 0x1.99343027bf8c3p-16};
  Value *Cos = M.poly(Square, M.mul(Square, Square), CosPoly);
  return selectQuadrant(M, M.bits(T), Quadrant, Sin, Cos);
}

Value *emitSinInDouble(MathBuilder &M, MathArgs Args, Value *&Calls) {
  return emitLibraryTrig(M, Args[0], 0, Calls);
}

Value *emitCosInDouble(MathBuilder &M, MathArgs Args, Value *&Calls) {
  return emitLibraryTrig(M, Args[0], 1, Calls);
}

/// Within 2^-37 of itself for every number: the cotangent with a minus in odd
/// quadrants.
Value *emitTanInDouble(MathBuilder &M, MathArgs Args, Value *&Calls) {
  Calls = isSubnormal(M, Args[0]);
  SinCos S = emitSinCos(M, Args[0], Calls);
  Value *IsOdd = M.B.CreateIsNotNull(M.B.CreateAnd(S.N, M.integer(1)));
  return M.div(M.select(IsOdd, M.neg(S.Cos), S.Sin),
               M.select(IsOdd, S.Sin, S.Cos));
}

} // namespace dlopt
