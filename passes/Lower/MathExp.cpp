//===- MathExp.cpp - Exponential functions --------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Range reduction: n = round(x / log(2)) by adding a number so large that the
/// sum has no fraction, r = x - n * log(2) with log(2) in two parts (Cody and
/// Waite, Software Manual for the Elementary Functions, 1980). NaN passes
/// through x and r; infinities are clamped to where the result has become what
/// it stays.
///
//===----------------------------------------------------------------------===//
#include "MathRecipes.h"

using namespace llvm;

namespace dlopt {

namespace {

/// x = n * log(2) + R; T's low bits are n and a bias.
struct ExpReduction {
  Value *T, *N, *R;
};

} // namespace

/// Biases: 2 for MathBuilder::scale, 1 for pow2.
static ExpReduction reduce(MathBuilder &M, Value *X, unsigned Biases) {
  const MathFormat &F = M.Format;
  double Magic = F.Magic + Biases * F.Bias;
  Value *T = M.mulAdd(X, F.Log2E, M.num(Magic));
  Value *N = M.sub(T, Magic);
  Value *R = M.mulAdd(N, -F.Ln2Hi, X);
  return {T, N, M.mulAdd(N, -F.Ln2Lo, R)};
}

/// exp(R) - 1 = R + R^2 * Q(R).
static Value *expm1Reduced(MathBuilder &M, Value *R, MathPoly Q) {
  return M.mulAdd(M.mul(R, R), M.poly(R, Q), R);
}

static ExpReduction reduceClamped(MathBuilder &M, Value *X) {
  return reduce(M, M.max(M.min(X, M.Format.ExpMax), M.Format.ExpMin), 2);
}

/// Near: exp(r) = 1 + r + r^2 * Near(r).
Value *emitExp(MathBuilder &M, MathArgs Args, const MathRecipe &R) {
  ExpReduction E = reduceClamped(M, Args[0]);
  return M.scale(M.add(expm1Reduced(M, E.R, R.Near), 1.0), E.T);
}

/// Near: exp(r) = 1 + r * Near(r), an operation less and an error more.
Value *emitExpShort(MathBuilder &M, MathArgs Args, const MathRecipe &R) {
  ExpReduction E = reduceClamped(M, Args[0]);
  return M.scale(M.mulAdd(M.poly(E.R, R.Near), E.R, M.num(1.0)), E.T);
}

/// Near: 2^f = 1 + f * Near(f).
Value *emitExp2(MathBuilder &M, MathArgs Args, const MathRecipe &R) {
  Value *X = M.max(M.min(Args[0], M.Format.Exp2Max), M.Format.Exp2Min);
  double Magic = M.Format.Magic + 2 * M.Format.Bias;
  Value *T = M.add(X, Magic);
  Value *F = M.sub(X, M.sub(T, Magic));
  if (M.hasFMA() || R.Accuracy > MathAccuracy::OneULP)
    return M.scale(M.mulAdd(F, M.poly(F, R.Near), M.num(1.0)), T);
  // Rounded products would add up: keep what 1 + f * Near(0) rounds away.
  MathSum Sum = M.fastTwoSum(M.num(1.0), M.mul(F, R.Near[0]));
  Value *Rest = M.mulAdd(M.poly(F, R.Near.drop_front()), M.mul(F, F), Sum.Lo);
  return M.scale(M.add(Sum.Hi, Rest), T);
}

/// Up to |x| = Split x + x^3 * Near(x^2), then 1 - 2 / (exp(2|x|) + 1), with
/// exp as in emitExp by Far.
Value *emitTanh(MathBuilder &M, MathArgs Args, const MathRecipe &R) {
  Value *A = M.abs(Args[0]);
  Value *Square = M.mul(A, A);
  Value *Near = M.mulAdd(M.mul(M.poly(Square, R.Near), Square), A, A);
  // 1 from where 2 / exp(2|x|) is less than half a unit in the last place.
  double Log2 = M.Format.Ln2Hi;
  ExpReduction E =
      reduce(M, M.min(M.add(A, A), (M.Format.Mantissa + 5) * Log2), 1);
  Value *Power = M.pow2(E.T);
  Value *Sum = M.mulAdd(expm1Reduced(M, E.R, R.Far), Power, M.add(Power, 1.0));
  Value *Far = M.sub(1.0, M.div(M.num(2.0), Sum));
  return M.withSignOf(M.select(M.less(A, R.Split), Near, Far), Args[0]);
}

} // namespace dlopt
