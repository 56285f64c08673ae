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
#include "dlopt/PlantedBugs.h"
#include <cmath>

using namespace llvm;

namespace dlopt {

namespace {

/// x = n * log(2) + R; T's low bits are n and a bias. RHi is R without the
/// product with log(2)'s low part.
struct ExpReduction {
  Value *T, *N, *RHi, *R;
};

} // namespace

/// Biases: 2 for MathBuilder::scale, 1 for pow2. 2^Up: another factor of it.
static ExpReduction reduce(MathBuilder &M, Value *X, unsigned Biases,
                           int Up = 0) {
  const MathFormat &F = M.Format;
  double Magic = F.Magic + Biases * F.Bias + Up;
  Value *T = M.mulAdd(X, F.Log2E, M.num(Magic));
  Value *N = M.sub(T, Magic);
  Value *R = M.mulAdd(N, -F.Ln2Hi, X);
  if (DLOPT_PLANTED(MathReductionShort))
    return {T, N, R, R};
  return {T, N, R, M.mulAdd(N, -F.Ln2Lo, R)};
}

/// exp(R) - 1 = R + R^2 * Q(R).
static Value *expm1Reduced(MathBuilder &M, Value *R, MathPoly Q) {
  Value *Square = M.mul(R, R);
  return M.mulAdd(Square, M.poly(R, Square, Q), R);
}

static ExpReduction reduceClamped(MathBuilder &M, Value *X) {
  return reduce(M, M.max(M.min(X, M.Format.ExpMax), M.Format.ExpMin), 2);
}

/// Base: exp(r) = 1 + r + r^2 * Base(r).
Value *emitExp(MathBuilder &M, MathArgs Args, const MathRecipe &R) {
  ExpReduction E = reduceClamped(M, Args[0]);
  return M.scale(M.add(expm1Reduced(M, E.R, R.Base), 1.0), E.T);
}

/// Base: exp(r) = 1 + r * Base(r), Base(0) = 1. Base is rounded in proportion
/// to r; with rounded products there would be one rounding more.
Value *emitExpFused(MathBuilder &M, MathArgs Args, const MathRecipe &R) {
  ExpReduction E = reduceClamped(M, Args[0]);
  Value *Base = M.poly(E.R, M.mul(E.R, E.R), R.Base);
  return M.scale(M.mulAdd(Base, E.R, M.num(1.0)), E.T);
}

/// 2^n is as small as a subnormal number, and no greater than 1: with this
/// factor it has an exponent.
static constexpr int UpNegative = 64;

static ExpReduction reduceNegative(MathBuilder &M, Value *X) {
  return reduce(M, M.max(X, M.Format.ExpMin), 1, UpNegative);
}

/// Base as in emitExp; the same bits.
Value *emitExpNegative(MathBuilder &M, MathArgs Args, const MathRecipe &R) {
  ExpReduction E = reduceNegative(M, Args[0]);
  Value *Y = M.mul(M.add(expm1Reduced(M, E.R, R.Base), 1.0), M.pow2(E.T));
  return M.mul(Y, std::ldexp(1.0, -UpNegative));
}

/// Base as in emitExpFused; the same bits. The product with r does not wait for
/// the polynomial.
Value *emitExpNegativeFused(MathBuilder &M, MathArgs Args,
                            const MathRecipe &R) {
  ExpReduction E = reduceNegative(M, Args[0]);
  Value *Power = M.pow2(E.T);
  Value *Base = M.poly(E.R, M.mul(E.R, E.R), R.Base);
  Value *Y = M.mulAdd(Base, M.mul(E.R, Power), Power);
  return M.mul(Y, std::ldexp(1.0, -UpNegative));
}

/// 2^n * (exp(r) - 1) + (2^n - 1), Base as in emitExp.
Value *emitExpm1(MathBuilder &M, MathArgs Args, const MathRecipe &R) {
  const MathFormat &F = M.Format;
  // -1 from where exp(x) is less than a quarter of a unit in the last place.
  Value *X = M.max(M.min(Args[0], F.ExpMax), -double(F.Mantissa + 3) * F.Ln2Hi);
  ExpReduction E = reduce(M, X, 1);
  // Half of everything: 2^n overflows where the result does not.
  Value *Half = M.fromBits(
      M.B.CreateSub(M.bits(M.pow2(E.T)), M.integer(int64_t(1) << F.Mantissa)));
  MathSum Minus = M.fastTwoSum(Half, M.num(-0.5));
  MathSum Sum = M.fastTwoSum(Minus.Hi, M.mul(Half, E.R));
  // What is rounded off R, which sums with 2^n - 1 to a number as small.
  Value *RLo = M.mulAdd(E.N, -F.Ln2Lo, M.sub(E.RHi, E.R));
  Value *Square = M.mul(E.R, E.R);
  Value *Rest;
  if (M.hasFMA() && F.Mantissa > 23 && R.Accuracy == MathAccuracy::OneULP) {
    // And off its square, of which the result has half: Base(0) is that.
    RLo = M.mulAdd(M.mulAdd(E.R, E.R, M.neg(Square)), 0.5, RLo);
    Rest = M.mulAdd(M.mul(Square, E.R),
                    M.poly(E.R, Square, R.Base.drop_front()), RLo);
    Rest = M.mulAdd(Square, 0.5, Rest);
  } else {
    Rest = M.mulAdd(Square, M.poly(E.R, Square, R.Base), RLo);
  }
  Value *Y =
      M.mul(M.add(Sum.Hi, M.mulAdd(Half, Rest, M.add(Sum.Lo, Minus.Lo))), 2.0);
  // x itself where x^2 / 2 is nothing: half of a subnormal number is rounded,
  // and sums lose the sign of zero.
  Value *Tiny = M.less(M.abs(Args[0]), M.getUnit() / 2);
  return M.select(Tiny, Args[0], Y);
}

/// Base: 2^f = 1 + f * Base(f).
Value *emitExp2(MathBuilder &M, MathArgs Args, const MathRecipe &R) {
  Value *X = M.max(M.min(Args[0], M.Format.Exp2Max), M.Format.Exp2Min);
  double Magic = M.Format.Magic + 2 * M.Format.Bias;
  Value *T = M.add(X, Magic);
  Value *F = M.sub(X, M.sub(T, Magic));
  if (M.hasFMA() || R.Accuracy > MathAccuracy::OneULP)
    return M.scale(M.mulAdd(F, M.poly(F, R.Base), M.num(1.0)), T);
  // Rounded products would add up: keep what 1 + f * Base(0) rounds away.
  MathSum Sum = M.fastTwoSum(M.num(1.0), M.mul(F, R.Base[0]));
  Value *Rest = M.mulAdd(M.poly(F, R.Base.drop_front()), M.mul(F, F), Sum.Lo);
  return M.scale(M.add(Sum.Hi, Rest), T);
}

/// Up to |x| = Split x + x^3 * Near(x^2), then 1 - 2 / (exp(2|x|) + 1), with
/// exp by Base as in emitExp.
Value *emitTanh(MathBuilder &M, MathArgs Args, const MathRecipe &R) {
  Value *A = M.abs(Args[0]);
  Value *Square = M.mul(A, A);
  Value *Near = M.mulAdd(
      M.mul(M.poly(Square, M.mul(Square, Square), R.Near), Square), A, A);
  // 1 from where 2 / exp(2|x|) is less than half a unit in the last place.
  double Log2 = M.Format.Ln2Hi;
  ExpReduction E =
      reduce(M, M.min(M.add(A, A), (M.Format.Mantissa + 5) * Log2), 1);
  Value *Power = M.pow2(E.T);
  Value *Sum = M.mulAdd(expm1Reduced(M, E.R, R.Base), Power, M.add(Power, 1.0));
  Value *Far = M.sub(1.0, M.div(M.num(2.0), Sum));
  return M.withSignOf(M.select(M.less(A, R.Split), Near, Far), Args[0]);
}

/// x * (C + Near(x^2) / Far(x^2)) up to |x| = Split, from where on it is 1. C
/// is about what the function over x is where that is hardest, next to 1, so
/// that little of what the quotient rounds off is left there.
static Value *emitQuotient(MathBuilder &M, Value *X, double C,
                           const MathRecipe &R) {
  X = M.max(M.min(X, R.Split), -R.Split);
  Value *Square = M.mul(X, X), *Fourth = M.mul(Square, Square);
  Value *Quotient =
      M.div(M.poly(Square, Fourth, R.Near), M.poly(Square, Fourth, R.Far));
  return M.mul(X, M.add(Quotient, C));
}

Value *emitTanhQuotient(MathBuilder &M, MathArgs Args, const MathRecipe &R) {
  return emitQuotient(M, Args[0], 0.1875, R);
}

Value *emitErfQuotient(MathBuilder &M, MathArgs Args, const MathRecipe &R) {
  return emitQuotient(M, Args[0], 0.3125, R);
}

/// exp(-x^2) * Far((x - 2) / (x + 2)), exp by Base as in emitExp: in double,
/// for float, where x^2 is exact.
Value *emitErfc(MathBuilder &M, MathArgs Args, const MathRecipe &R) {
  // From there on erfc is 0 as a float.
  Value *A = M.min(M.abs(Args[0]), 10.25);
  Value *U = M.div(M.sub(A, 2.0), M.add(A, 2.0));
  Value *Scaled = M.poly(U, M.mul(U, U), R.Far);
  ExpReduction E = reduce(M, M.neg(M.mul(A, A)), 1);
  Value *Y = M.mul(M.add(expm1Reduced(M, E.R, R.Base), 1.0), M.pow2(E.T));
  Y = M.mul(Y, Scaled);
  return M.select(M.less(Args[0], 0), M.sub(2.0, Y), Y);
}

static Value *getErfNear(MathBuilder &M, Value *Square, const MathRecipe &R) {
  Value *Fourth = M.mul(Square, Square);
  if (R.Ty != ScalarType::F64 || R.Accuracy != MathAccuracy::OneULP)
    return M.poly(Square, Fourth, R.Near);
  // The largest term, that of x^2, is rounded with the sum alone.
  Value *Rest = M.poly(Square, Fourth, R.Near.drop_front(2));
  return M.mulAdd(Square, R.Near[1], M.mulAdd(Rest, Fourth, M.num(R.Near[0])));
}

/// erfc(A) * exp(A^2) * Divisor, which hardly changes.
static MathSum getScaledErfc(MathBuilder &M, Value *A, MathPoly Far) {
  Value *U = M.div(M.sub(A, 3.0), M.add(A, 3.0));
  // 7 * exp(9) * erfc(3).
  MathSum Sum = M.fastTwoSum(M.num(0x1.40c522d7e4987p+0),
                             M.mul(U, M.poly(U, M.mul(U, U), Far)));
  Sum.Lo = M.add(Sum.Lo, 0x1.a19969d5cf11fp-55);
  return Sum;
}

/// exp(-A^2) = 2^n times a number, T's low bits being n, Base as in emitExp.
static MathSum getGauss(MathBuilder &M, Value *A, MathPoly Base, Value *&T) {
  MathSum Square = M.product(A, A);
  ExpReduction E = reduce(M, M.neg(Square.Hi), 2);
  T = E.T;
  Value *Lo = M.mulAdd(E.N, -M.Format.Ln2Lo, M.sub(E.RHi, E.R));
  MathSum R = M.fastTwoSum(E.R, M.sub(Lo, Square.Lo));
  MathSum One = M.fastTwoSum(M.num(1.0), R.Hi);
  Square.Hi = M.mul(R.Hi, R.Hi);
  Value *Rest = M.mulAdd(Square.Hi, M.poly(R.Hi, Square.Hi, Base), R.Lo);
  return {One.Hi, M.add(One.Lo, Rest)};
}

/// Up to |x| = Split 1 - x - x * Near(x^2), then exp(-x^2) * Far / (1 + 2 x),
/// with what all factors leave out.
Value *emitErfcDouble(MathBuilder &M, MathArgs Args, const MathRecipe &R) {
  Value *X = Args[0];
  MathSum One = M.fastTwoSum(M.num(1.0), M.neg(X));
  Value *Near = getErfNear(M, M.mul(X, X), R);
  Near = M.add(One.Hi, M.mulAdd(M.neg(X), Near, One.Lo));
  // From there on erfc is 0.
  Value *A = M.min(M.abs(X), 27.5), *T;
  MathSum Gauss = getGauss(M, A, R.Base, T);
  MathSum Product = M.product(Gauss, getScaledErfc(M, A, R.Far));
  MathSum Divisor = M.fastTwoSum(M.add(A, A), M.num(1.0));
  Value *Inverse = M.div(M.num(1.0), Divisor.Hi);
  Value *Far = M.mul(Product.Hi, Inverse), *Minus = M.neg(Far);
  Value *Rest = M.mulAdd(Minus, Divisor.Hi, Product.Hi);
  Rest = M.mulAdd(Minus, Divisor.Lo, M.add(Rest, Product.Lo));
  Far = M.scale(M.mulAdd(Rest, Inverse, Far), T);
  Far = M.select(M.less(X, 0), M.sub(2.0, Far), Far);
  return M.select(M.less(M.abs(X), R.Split), Near, Far);
}

/// Up to |x| = Split x + x * Near(x^2), then 1 - exp(x * Far(|x|)), exp by
/// Base as in emitExp.
Value *emitErf(MathBuilder &M, MathArgs Args, const MathRecipe &R) {
  Value *A = M.abs(Args[0]);
  Value *Near = getErfNear(M, M.mul(A, A), R);
  // A product by itself could be a subnormal number that counts as zero.
  Near = M.hasFMA() ? M.mulAdd(Near, A, A) : M.mul(M.add(Near, 1.0), A);
  // From there on erf is 1.
  Value *Z = M.min(A, R.Ty == ScalarType::F32 ? 3.95 : 6.0);
  Value *Far = M.poly(Z, M.mul(Z, Z), R.Far);
  Value *Exponent = M.mul(Z, Far);
  ExpReduction E = reduce(M, Exponent, 1);
  Value *Rest = E.R;
  if (M.hasFMA() && R.Accuracy == MathAccuracy::OneULP)
    Rest = M.add(Rest, M.mulAdd(Z, Far, M.neg(Exponent)));
  Value *Power = M.pow2(E.T);
  Value *Y =
      M.mulAdd(expm1Reduced(M, Rest, R.Base), M.neg(Power), M.sub(1.0, Power));
  return M.withSignOf(M.select(M.less(A, R.Split), Near, Y), Args[0]);
}

} // namespace dlopt
