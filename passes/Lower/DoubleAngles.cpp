//===- DoubleAngles.cpp - Angles of float, computed in double -------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Inverse trigonometric functions of float, within 2^-40 of themselves. The
/// polynomials interpolate at Chebyshev's points, which is within a factor of
/// two of the best ones.
///
//===----------------------------------------------------------------------===//
#include "MathFormulas.h"
#include "MathRecipes.h"

using namespace llvm;

namespace dlopt {

static constexpr double HalfPi = 0x1.921fb54442d18p+0;

/// atan(t) / t in terms of t^2, up to 1.
Value *emitSmallAtanOf(MathBuilder &M, Value *T) {
  static constexpr double C[] = {
      0x1.ffffffffff5ccp-1,  -0x1.5555555316212p-2,  0x1.999998469d323p-3,
      -0x1.24922161af34dp-3, 0x1.c717834559cfep-4,   -0x1.742d65ac65c77p-4,
      0x1.39e23d1599a8ep-4,  -0x1.0bb9539dc5436p-4,  0x1.bf2393efe8459p-5,
      -0x1.5ab9279e2b201p-5, 0x1.d17abe7889664p-6,   -0x1.f323674b044a5p-7,
      0x1.850bdf56a80b6p-8,  -0x1.807a77421f2f7p-10, 0x1.657b3ba0095aep-13};
  Value *Square = M.mul(T, T);
  return M.mul(M.poly(Square, M.mul(Square, Square), C), T);
}

Value *emitAtanInDouble(MathBuilder &M, MathArgs Args, Value *&Calls) {
  Calls = isSubnormal(M, Args[0]);
  Value *X = extend(M, Args[0]);
  Value *A = M.abs(X), *IsSteep = M.B.CreateFCmpOGT(A, M.num(1));
  Value *Y = emitSmallAtanOf(M, M.select(IsSteep, M.div(M.num(1), A), A));
  return M.withSignOf(M.select(IsSteep, M.sub(HalfPi, Y), Y), X);
}

namespace {

/// The angle whose sine is |x|: Angle, or pi / 2 less that where IsSteep.
struct Arc {
  Value *Angle, *IsSteep;
};

} // namespace

/// By a polynomial up to 0.5: asin(s) / s in terms of s^2. Beyond that the
/// angle is pi / 2 - 2 asin(sqrt((1 - |x|) / 2)).
static Arc emitArc(MathBuilder &M, Value *A) {
  static constexpr double C[] = {0x1.ffffffffffe37p-1,  0x1.55555556ba261p-3,
                                 0x1.333331c54a5c9p-4,  0x1.6db76c4073936p-5,
                                 0x1.f1aa2e3259ba2p-6,  0x1.703109f1e31b1p-6,
                                 0x1.0de3abdd2358ep-6,  0x1.315f91ce454b4p-6,
                                 -0x1.76633841944a1p-9, 0x1.05af6a78bec66p-5};
  Value *IsSteep = M.B.CreateFCmpOGT(A, M.num(0.5));
  Value *Half = M.mul(M.sub(1, A), 0.5);
  Value *Root = M.B.CreateUnaryIntrinsic(Intrinsic::sqrt, Half);
  Value *Square = M.select(IsSteep, Half, M.mul(A, A));
  Value *Sine = M.select(IsSteep, M.add(Root, Root), A);
  Value *P = M.poly(Square, M.mul(Square, Square), C);
  return {M.mul(P, Sine), IsSteep};
}

Value *emitAsinInDouble(MathBuilder &M, MathArgs Args, Value *&Calls) {
  Calls = isSubnormal(M, Args[0]);
  Value *X = extend(M, Args[0]);
  Arc Y = emitArc(M, M.abs(X));
  return M.withSignOf(M.select(Y.IsSteep, M.sub(HalfPi, Y.Angle), Y.Angle), X);
}

/// pi / 2 - asin(x); what is small next to 1 is the angle itself.
Value *emitAcosInDouble(MathBuilder &M, MathArgs Args, Value *&) {
  Value *X = extend(M, Args[0]);
  Arc Y = emitArc(M, M.abs(X));
  Value *IsNegative = M.less(X, 0);
  Value *Far = M.select(IsNegative, M.sub(2 * HalfPi, Y.Angle), Y.Angle);
  Value *Signed = M.select(IsNegative, M.neg(Y.Angle), Y.Angle);
  return M.select(Y.IsSteep, Far, M.sub(HalfPi, Signed));
}

/// Squares of floats are exact. The function is called where its result is no
/// normal number.
Value *emitHypotInDouble(MathBuilder &M, MathArgs Args, Value *&Calls) {
  Value *X = extend(M, Args[0]), *Y = extend(M, Args[1]);
  Value *Square = M.mulAdd(X, X, M.mul(Y, Y));
  Value *IsNormal =
      M.B.CreateAnd(M.B.CreateFCmpOGE(Square, M.num(0x1p-252)),
                    M.B.CreateFCmpOLT(Square, M.num(0x1.fffffep+255)));
  Calls = M.B.CreateNot(IsNormal);
  return M.B.CreateUnaryIntrinsic(Intrinsic::sqrt, Square);
}

} // namespace dlopt
