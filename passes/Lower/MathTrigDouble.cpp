//===- MathTrigDouble.cpp - Sine and cosine of double ---------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// As MathTrig.cpp: x * 2 / pi is n + f, where multiples of 4 are left out.
/// Here 2 / pi is a row of digits of 53 bits; the exponent of x says from which
/// on five of them matter, and they are moved to the front by as many digits as
/// each bit of that number says. The products are exact, as results and what
/// those leave out, and so are their sums, which are taken of multiples of one
/// power of two at a time: numbers are as close to a multiple of pi / 2 as
/// 2^-61, and what is left then must still have all its bits. That takes fused
/// operations.
///
//===----------------------------------------------------------------------===//
#include "MathRecipes.h"
#include <cmath>

using namespace llvm;

namespace dlopt {

static constexpr unsigned DigitBits = 53, NumUsed = 5, IndexBits = 5;
/// What digits are multiplied by, such that none is subnormal.
static constexpr int Up = 600;
/// With x from 2^64 to 2^117 and the first digit behind the point, the
/// product's rounded part is a multiple of 4, and what is behind the fifth
/// digit does not matter. This is the middle of the exponents that begin a
/// digit earlier, where there is none.
static constexpr double FirstExponent = 90 - int(DigitBits);

/// The digits of 2 / pi, times 2^Up. None has more than seven zeros in front.
static constexpr double Digits[] = {0,
                                    0x1.45f306dc9c882p+599,
                                    0x1.4a7f09d5f47d4p+546,
                                    0x1.a6ee06db14accp+493,
                                    0x1.3c439041fe516p+440,
                                    0x1.d5ef5de2b0db8p+385,
                                    0x1.2371d2126e97p+333,
                                    0x1.924bba82746p+274,
                                    0x1.21cfe1deb1cb1p+228,
                                    0x1.4d39f74411af8p+173,
                                    0x1.4baed1213a671p+122,
                                    0x1.8135a2fbf209cp+69,
                                    0x1.91d639835339fp+16,
                                    0x1.272117e2ef7e4p-38,
                                    0x1.41d8ffc4bffeep-91,
                                    0x1.02cc07f79788cp-143,
                                    0x1.6b414da3eda6cp-197,
                                    0x1.fb3c9f2c26dd2p-250,
                                    0x1.d18fd9a797fa8p-302,
                                    0x1.6ba93dd63f5f2p-355,
                                    0x1.f17b3d0739f78p-408,
                                    0x1.4a525d4d7f6bfp-461,
                                    0x1.88fc6ae842bp-515,
                                    0x1.98237e3db5d5fp-567};

namespace {

/// X * 2 / pi = n + F + FLo; the low bits of N are those of n.
struct TrigReduction {
  Value *N, *F, *FLo;
};

} // namespace

/// The digits that matter to a number whose absolute value is \p A.
static SmallVector<Value *, 24> getDigits(MathBuilder &M, Value *A) {
  const MathFormat &F = M.Format;
  // The exponent as a number, by its place in a mantissa.
  double TwoToMantissa = std::ldexp(1.0, F.Mantissa);
  Value *Biased = M.B.CreateOr(M.B.CreateLShr(M.bits(A), M.integer(F.Mantissa)),
                               M.bits(M.num(TwoToMantissa)));
  Value *Exponent =
      M.sub(M.fromBits(Biased), TwoToMantissa + F.Bias + FirstExponent);
  Value *Index =
      M.bits(M.mulAdd(M.max(Exponent, 0), 1.0 / DigitBits, M.num(F.Magic)));
  SmallVector<Value *, 24> Result;
  for (double Digit : Digits)
    Result.push_back(M.num(Digit));
  unsigned Top = M.IntTy->getScalarSizeInBits() - 1;
  for (unsigned Bit = IndexBits; Bit-- > 0;) {
    unsigned Step = 1u << Bit;
    Value *Moves = M.B.CreateICmpSLT(M.B.CreateShl(Index, M.integer(Top - Bit)),
                                     ConstantInt::getNullValue(M.IntTy));
    // As many as smaller moves may bring to the front.
    size_t Size = std::min<size_t>(Result.size(), NumUsed + Step - 1);
    for (size_t I = 0; I < Size && I + Step < Result.size(); I++)
      Result[I] = M.select(Moves, Result[I + Step], Result[I]);
    Result.truncate(Size);
  }
  return Result;
}

/// \p X to a multiple of 2^K. Exact, and so is what that leaves out, where |X|
/// is less than 2^(51 + K).
static Value *roundTo(MathBuilder &M, Value *X, int K) {
  double Magic = std::ldexp(M.Format.Magic, K);
  return M.sub(M.add(X, Magic), Magic);
}

/// The sum of \p Terms as multiples of 2^K, which is exact; what that leaves
/// out of each replaces it.
static Value *sumMultiples(MathBuilder &M, MutableArrayRef<Value *> Terms,
                           int K) {
  Value *Sum = nullptr;
  for (Value *&X : Terms) {
    Value *Multiple = roundTo(M, X, K);
    X = M.sub(X, Multiple);
    Sum = Sum ? M.add(Sum, Multiple) : Multiple;
  }
  return Sum;
}

/// The integer next to \p X is added to \p N, and X is what it leaves out.
static void moveInteger(MathBuilder &M, Value *&X, Value *&N) {
  Value *Sum = M.add(X, M.Format.Magic);
  X = M.sub(X, M.sub(Sum, M.Format.Magic));
  N = N ? M.B.CreateAdd(N, M.bits(Sum)) : M.bits(Sum);
}

static TrigReduction reduceTrig(MathBuilder &M, Value *X) {
  SmallVector<Value *, 24> D = getDigits(M, M.abs(X));
  X = M.mul(X, std::ldexp(1.0, -Up));
  MathSum P[NumUsed - 1];
  for (unsigned I = 0; I + 1 < NumUsed; I++)
    P[I] = M.product(X, D[I]);
  // The first result is a multiple of 4. The next ones are less than 2^65; then
  // less than 2^13, as the two after them are.
  Value *Large[] = {P[0].Lo, P[1].Hi, P[1].Lo, P[2].Hi}, *N = nullptr;
  for (Value *&Y : MutableArrayRef(Large).take_front(2))
    Y = M.sub(Y, roundTo(M, Y, 14));
  for (Value *&Y : Large)
    moveInteger(M, Y, N);
  // The first one is a multiple of 2^-41 or 0: nothing is left of it.
  Value *Hi = M.add(Large[0],
                    sumMultiples(M, MutableArrayRef(Large).drop_front(), -49));
  moveInteger(M, Hi, N);
  // These are less than 2^-42.
  Value *Small[] = {P[2].Lo, P[3].Hi, Large[1], Large[2], Large[3]};
  Value *Lo = sumMultiples(M, Small, -93);
  Value *Rest = M.mulAdd(X, D[NumUsed - 1], P[3].Lo);
  for (Value *Y : Small)
    Rest = M.add(Rest, Y);
  MathSum F = M.twoSum(Hi, Lo);
  F = M.fastTwoSum(F.Hi, M.add(F.Lo, Rest));
  return {N, F.Hi, F.Lo};
}

/// The product of \p F and pi / 2.
static MathSum getAngle(MathBuilder &M, const TrigReduction &T) {
  constexpr double Hi = 0x1.921fb54442d18p+0, Lo = 0x1.1a62633145c07p-54;
  MathSum P = M.product(T.F, M.num(Hi));
  return {P.Hi, M.mulAdd(T.FLo, Hi, M.mulAdd(T.F, Lo, P.Lo))};
}

/// sin(r) = r + r^3 * Near(r^2).
static Value *getSin(MathBuilder &M, MathSum R, Value *Square, MathPoly Near) {
  Value *Poly = M.poly(Square, M.mul(Square, Square), Near);
  // What r leaves out, times cos(r).
  Value *Lo = M.mulAdd(M.mul(Square, -0.5), R.Lo, R.Lo);
  return M.add(R.Hi, M.mulAdd(M.mul(R.Hi, Square), Poly, Lo));
}

/// cos(r) = 1 - r^2 / 2 + r^4 * Far(r^2).
static Value *getCos(MathBuilder &M, MathSum R, Value *Square, MathPoly Far) {
  Value *Fourth = M.mul(Square, Square);
  Value *Half = M.mul(Square, 0.5);
  MathSum One = M.fastTwoSum(M.num(1.0), M.neg(Half));
  // What r and its square leave out.
  Value *Lo = M.mulAdd(R.Hi, R.Hi, M.neg(Square));
  Lo = M.mulAdd(Lo, -0.5, M.mulAdd(M.neg(R.Hi), R.Lo, One.Lo));
  return M.add(One.Hi, M.mulAdd(Fourth, M.poly(Square, Fourth, Far), Lo));
}

static Value *emitTrigDouble(MathBuilder &M, Value *X, const MathRecipe &R,
                             int Quadrant) {
  TrigReduction T = reduceTrig(M, X);
  MathSum Angle = getAngle(M, T);
  Value *Square = M.mul(Angle.Hi, Angle.Hi);
  Value *Y = selectQuadrant(M, T.N, Quadrant, getSin(M, Angle, Square, R.Near),
                            getCos(M, Angle, Square, R.Far));
  if (Quadrant)
    return Y;
  // Where x^3 is nothing; products of numbers as small are subnormal.
  return M.select(M.less(M.abs(X), 0x1p-27), X, Y);
}

Value *emitSinDouble(MathBuilder &M, MathArgs Args, const MathRecipe &R) {
  return emitTrigDouble(M, Args[0], R, 0);
}

Value *emitCosDouble(MathBuilder &M, MathArgs Args, const MathRecipe &R) {
  return emitTrigDouble(M, Args[0], R, 1);
}

} // namespace dlopt
