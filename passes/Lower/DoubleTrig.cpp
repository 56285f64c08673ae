//===- DoubleTrig.cpp - Sine and cosine of float, in double ---------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Values of sines and cosines of float that have been extended to double: by
/// the reduction of MathTrig.cpp, polynomials that are within 2^-43, and the
/// quadrant.
///
//===----------------------------------------------------------------------===//
#include "MathFormulas.h"
#include "MathRecipes.h"

using namespace llvm;

namespace dlopt {

namespace {

struct SinCos {
  Value *Sin, *Cos, *N;
};

} // namespace

/// Of the angle in the first quadrant; the low bits of N are the quadrant.
static SinCos emitSinCos(MathBuilder &M, Value *X) {
  // sin(r) / r and cos(r) in r^2 up to |r| = pi / 4.
  static constexpr double SinPoly[] = {
      0x1.fffffffffffd7p-1,   -0x1.5555555550c6bp-3, 0x1.1111110bbce79p-7,
      -0x1.a019f87bf130bp-13, 0x1.71d71fc82f13cp-19, -0x1.a94abcd101b0ap-26};
  static constexpr double CosPoly[] = {
      0x1.ffffffffffdb4p-1,   -0x1.ffffffffe0084p-2, 0x1.5555554313233p-5,
      -0x1.6c16b20a9dc9cp-10, 0x1.a00e39569a2d3p-16, -0x1.23b6a6847c0a1p-22};
  FloatTrigReduction T = reduceFloatTrig(M, extend(M, X));
  Value *R = M.mul(T.F, 0x1.921fb54442d18p+0);
  Value *Square = M.mul(R, R), *Fourth = M.mul(Square, Square);
  // A product keeps the sign of zero.
  Value *Sin = M.mul(R, M.poly(Square, Fourth, SinPoly));
  Value *Cos = M.poly(Square, Fourth, CosPoly);
  return {Sin, Cos, T.N};
}

/// sin(x + Quadrant * pi / 2).
static Value *emitExactTrig(MathBuilder &M, Value *X, int Quadrant) {
  SinCos S = emitSinCos(M, X);
  return selectQuadrant(M, S.N, Quadrant, S.Sin, S.Cos);
}

/// Within 2^-38 of itself for every number.
Value *emitExactSinInDouble(MathBuilder &M, MathArgs Args, Value *&Calls) {
  Calls = isSubnormal(M, Args[0]);
  return emitExactTrig(M, Args[0], 0);
}

/// Within 2^-38 of itself for every number.
Value *emitExactCosInDouble(MathBuilder &M, MathArgs Args, Value *&) {
  return emitExactTrig(M, Args[0], 1);
}

/// Within 2^-37 of itself for every number: the cotangent with a minus in odd
/// quadrants.
Value *emitTanInDouble(MathBuilder &M, MathArgs Args, Value *&Calls) {
  Calls = isSubnormal(M, Args[0]);
  SinCos S = emitSinCos(M, Args[0]);
  Value *IsOdd = M.B.CreateIsNotNull(M.B.CreateAnd(S.N, M.integer(1)));
  return M.div(M.select(IsOdd, M.neg(S.Cos), S.Sin),
               M.select(IsOdd, S.Sin, S.Cos));
}

} // namespace dlopt
