//===- PairModels.cpp - Functions of float as sums of two floats ----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Values that are not rounded yet, as sums of two floats, with fused
/// operations: within 2^-10 units in the last place of the first one, if not
/// more exact. That says what all lanes but one in 500 are rounded to, with
/// half of the instructions that double takes, which has half of the lanes.
///
//===----------------------------------------------------------------------===//
#include "DoubleDouble.h"
#include "MathFormulas.h"
#include "MathRecipes.h"
#include "MathWide.h"
#include "dlopt/PlantedBugs.h"
#include <cmath>

using namespace llvm;

namespace dlopt {

#define DLOPT_MATH_POLY(NAME, ...)                                             \
  static constexpr double NAME[] = {__VA_ARGS__};
#include "MathPolys.def"

/// Of exponential functions: as all floats have shown.
static constexpr double ExpWindow = 0x1.4p-11;

/// log(2), the second part being negative.
static constexpr double Log2Hi = 0x1.62e43p-1, Log2Lo = -0x1.05c61p-29;

/// What \p Y, which is within \p Window units in the last place, is rounded to,
/// and the lanes in which that is not sure.
static ModelledMath decide(MathBuilder &M, MathSum Y, double Window = 0x1p-10) {
  Y = M.fastTwoSum(Y.Hi, Y.Lo);
  // The second part is half a unit at most, where a little more would be too
  // much. NaN is what it is.
  double Factor = DLOPT_PLANTED(PairWindowTooSmall) ? 1 : 1 + 2 * Window;
  Value *Moved = M.mulAdd(Y.Lo, Factor, Y.Hi);
  return {Y.Hi, M.B.CreateFCmpONE(Moved, Y.Hi)};
}

/// X * Y exactly. Sums behind it take what is rounded, whatever back ends may
/// fuse.
static MathSum product(MathBuilder &M, Value *X, Value *Y) {
  return DoubleDoubleBuilder(M).product(X, Y);
}

/// X * Y + Z and what that rounds off, as exact as matters where X * Y is at
/// most half of Z, or Z is 0.
static MathSum mulAddSum(MathBuilder &M, Value *X, Value *Y, Value *Z) {
  Value *Hi = M.mulAdd(X, Y, Z);
  return {Hi, M.mulAdd(X, Y, M.sub(Z, Hi))};
}

//===----------------------------------------------------------------------===//
// Exponential functions
//===----------------------------------------------------------------------===//

namespace {

/// 2^N times 2^(j/16), of which Power is the float next to it: exp(Rest) is
/// what is left. N is a multiple of 1/16, to be rounded down.
struct PowerParts {
  Value *N, *Power;
  MathSum Rest;
};

} // namespace

/// N is \p T without the magic number; the second part of the rest is \p Left
/// and what Power has been rounded by.
static PowerParts getPowerParts(MathBuilder &M, Value *T, Value *N,
                                function_ref<MathSum(Value *Left)> Reduce) {
  constexpr size_t Count = 16;
  MathPoly Table = ExpF32T16;
  Value *Index = M.bits(T);
  return {N, lookUpFloat(M, Table.take_front(Count), Index),
          Reduce(lookUpFloat(M, Table.drop_front(Count), Index))};
}

static PowerParts getExpParts(MathBuilder &M, Value *X) {
  Value *T = M.mulAdd(X, M.Format.Log2E, M.num(MagicOf16th));
  Value *N = M.sub(T, MagicOf16th);
  return getPowerParts(M, T, N, [&](Value *Left) -> MathSum {
    // The first product is subtracted exactly.
    return {M.mulAdd(N, -Log2Hi, X), M.mulAdd(N, -Log2Lo, Left)};
  });
}

/// Power times exp(Rest).
static MathSum emitPower(MathBuilder &M, const PowerParts &P) {
  // exp(r) = 1 + r + r^2 * q(r), within 2^-37.
  static constexpr double Q[] = {0x1p-1, 0x1.55571ep-3, 0x1.55576ap-5};
  auto [R, Low] = P.Rest;
  Value *Square = M.mul(R, R);
  Value *Small = M.mulAdd(Low, M.mulAdd(Square, 0.5, R), Low);
  Small = M.mulAdd(Square, M.poly(R, Q), Small);
  MathSum Y = mulAddSum(M, P.Power, R, P.Power);
  Y.Lo = M.mulAdd(P.Power, Small, Y.Lo);
  return Y;
}

/// Results that are subnormal have their middles elsewhere.
static ModelledMath scaleResult(MathBuilder &M, ModelledMath Y, Value *N) {
  constexpr int64_t LeastNormal = 0x00800000;
  Value *Result = scaleBy(M, Y.Result, N);
  Value *Less = M.B.CreateSub(M.bits(Result), M.integer(1));
  Value *IsSubnormal = M.B.CreateICmpULT(Less, M.integer(LeastNormal - 1));
  return {Result, M.B.CreateOr(Y.Calls, IsSubnormal)};
}

ModelledMath emitExpInPairs(MathBuilder &M, MathArgs Args) {
  PowerParts P = getExpParts(M, clamp(M, Args[0], -104, 89));
  return scaleResult(M, decide(M, emitPower(M, P), ExpWindow), P.N);
}

ModelledMath emitExp2InPairs(MathBuilder &M, MathArgs Args) {
  Value *X = clamp(M, Args[0], -151, 128);
  Value *T = M.add(X, MagicOf16th), *N = M.sub(T, MagicOf16th);
  PowerParts P = getPowerParts(M, T, N, [&](Value *Left) -> MathSum {
    Value *R = M.sub(X, N);
    MathSum Product = product(M, R, M.num(Log2Hi));
    Product.Lo = M.add(M.mulAdd(R, Log2Lo, Product.Lo), Left);
    return Product;
  });
  return scaleResult(M, decide(M, emitPower(M, P), ExpWindow), P.N);
}

/// Beyond that the scaled table might overflow.
static constexpr float MostOfExpm1 = 88;

/// 2^N Power (exp(Rest) - 1) + (2^N Power - 1).
ModelledMath emitExpm1InPairs(MathBuilder &M, MathArgs Args) {
  // exp(r) = 1 + r + r^2 / 2 + r^3 * q(r), within 2^-40 of r.
  static constexpr double Q[] = {0x1.555556p-3, 0x1.555686p-5, 0x1.111242p-7};
  PowerParts P = getExpParts(M, clamp(M, Args[0], -20, MostOfExpm1));
  auto [R, Low] = P.Rest;
  MathSum Square = mulAddSum(M, R, M.mul(R, 0.5), R);
  Value *Small = M.mulAdd(Low, Square.Hi, Low);
  Value *Cube = M.mul(M.mul(R, R), R);
  Small = M.mulAdd(Cube, M.poly(R, Q), M.add(Small, Square.Lo));
  Value *Power = scaleBy(M, P.Power, P.N);
  MathSum Less = M.twoSum(M.num(-1), Power);
  MathSum Y = mulAddSum(M, Power, Square.Hi, Less.Hi);
  Y.Lo = M.add(M.mulAdd(Power, Small, Y.Lo), Less.Lo);
  ModelledMath Result = decide(M, Y, ExpWindow);
  Value *IsLarge = M.B.CreateFCmpOGT(Args[0], M.num(MostOfExpm1));
  return {M.withSignOf(M.abs(Result.Result), Args[0]),
          M.B.CreateOr(Result.Calls, IsLarge)};
}

//===----------------------------------------------------------------------===//
// Logarithms
//===----------------------------------------------------------------------===//

namespace {

/// The logarithm of 2, its first part having so few bits that its multiples
/// with exponents, and sums of these and multiples of 2^-16, are floats; and
/// what natural logarithms are multiplied by.
struct LogBase {
  double OfTwo, OfTwoLo, Factor, FactorLo;
};

} // namespace

/// 1/c for 32 intervals of the mantissa; within 1/32 of 1 it is 1.
static double getInverse(size_t Interval) {
  constexpr size_t Half = 16, Count = 32;
  if (Interval < 1 || Interval >= Count - 2)
    return 1;
  double Unit = Interval < Half ? 1 : 0.5;
  return static_cast<float>(1 /
                            (Unit * (1 + (double(Interval) + 0.5) / Count)));
}

namespace {

/// x = 2^K m, m = (1 + Rest) / c: the logarithm is K log(2) - log(c) and that
/// of 1 + Rest. Index is that of c.
struct LogParts {
  Value *K, *Inverse, *Index;
  MathSum Rest;
};

} // namespace

static LogParts getLogParts(MathBuilder &M, Value *X) {
  constexpr size_t Count = 32;
  double Inverses[Count];
  for (size_t I = 0; I != Count; ++I)
    Inverses[I] = getInverse(I);
  LogParts P;
  Value *Mantissa = getMantissa(M, X);
  P.K = M.sub(getExponent(M, X), getExponent(M, Mantissa));
  P.Index = M.B.CreateLShr(M.bits(Mantissa), M.integer(18));
  P.Inverse = lookUpFloat(M, Inverses, P.Index);
  P.Rest = product(M, Mantissa, P.Inverse);
  P.Rest.Hi = M.sub(P.Rest.Hi, 1);
  return P;
}

/// K log(2) - log(c), both parts of which have few bits, and a factor times
/// log(1 + r) = r - r^2 / 2 + r^3 * p(r).
static ModelledMath emitLog(MathBuilder &M, const LogParts &P,
                            const LogBase &Base) {
  // Within 2^-37 of r.
  static constexpr double Poly[] = {0x1.555552p-2, -0x1.fffff4p-3,
                                    0x1.99ff3ap-3, -0x1.55c43cp-3};
  constexpr size_t Count = 32;
  double Logs[Count], Lower[Count];
  for (size_t I = 0; I != Count; ++I) {
    double Log = -std::log(getInverse(I)) * (Base.Factor + Base.FactorLo);
    Logs[I] = std::nearbyint(Log * 0x1p16) * 0x1p-16;
    Lower[I] = Log - Logs[I];
  }
  auto [R, Low] = P.Rest;
  MathSum Y = mulAddSum(M, R, M.mul(R, -0.5), R);
  Value *Cube = M.mul(M.mul(R, R), R);
  Low = M.mulAdd(M.neg(Low), M.mulAdd(M.neg(R), R, R), Low);
  Low = M.add(Low, Y.Lo);
  Low = M.mulAdd(Cube, M.poly(R, Poly), Low);
  if (Base.Factor != 1) {
    MathSum Product = product(M, Y.Hi, M.num(Base.Factor));
    Low = M.mulAdd(Low, Base.Factor, M.mulAdd(Y.Hi, Base.FactorLo, Product.Lo));
    Y.Hi = Product.Hi;
  }
  Value *Whole = M.mulAdd(P.K, Base.OfTwo, lookUpFloat(M, Logs, P.Index));
  MathSum Sum = M.fastTwoSum(Whole, Y.Hi);
  Value *Rest = M.mulAdd(P.K, Base.OfTwoLo, lookUpFloat(M, Lower, P.Index));
  return decide(M, {Sum.Hi, M.add(M.add(Sum.Lo, Rest), Low)});
}

static constexpr LogBase Natural = {0x1.62e4p-1, 0x1.7f7d1cp-20, 1, 0};

ModelledMath emitLogInPairs(MathBuilder &M, MathArgs Args) {
  return emitLog(M, getLogParts(M, Args[0]), Natural);
}

ModelledMath emitLog2InPairs(MathBuilder &M, MathArgs Args) {
  return emitLog(M, getLogParts(M, Args[0]),
                 {1, 0, 0x1.715476p+0, 0x1.4ae0cp-26});
}

ModelledMath emitLog10InPairs(MathBuilder &M, MathArgs Args) {
  return emitLog(M, getLogParts(M, Args[0]),
                 {0x1.344p-2, 0x1.3509f8p-18, 0x1.bcb7b2p-2, -0x1.5b235ep-27});
}

/// The logarithm of 1 + x and what that leaves out. Next to 0 the rest is x.
ModelledMath emitLog1pInPairs(MathBuilder &M, MathArgs Args) {
  Value *X = Args[0], *One = M.num(1);
  Value *IsLarge = M.B.CreateFCmpOGT(X, One);
  MathSum U =
      M.fastTwoSum(M.select(IsLarge, X, One), M.select(IsLarge, One, X));
  LogParts P = getLogParts(M, U.Hi);
  Value *Low = M.mul(scaleBy(M, U.Lo, M.neg(P.K)), P.Inverse);
  // U is not rounded to the end of the intervals next to 1.
  Value *IsSmall = M.less(M.abs(X), 0x1.ffffp-6);
  P.Rest = {M.select(IsSmall, X, P.Rest.Hi),
            M.select(IsSmall, M.num(0), M.add(P.Rest.Lo, Low))};
  ModelledMath Y = emitLog(M, P, Natural);
  return {M.withSignOf(M.abs(Y.Result), X), Y.Calls};
}

//===----------------------------------------------------------------------===//
// tanh, erf
//===----------------------------------------------------------------------===//

/// From \p Limit on the function is 1. Table: intervals with their middles, the
/// function there in two parts, the first coefficient in two parts, and those
/// of r^2, r^3 and so on to the seventh.
static ModelledMath emitOdd(MathBuilder &M, Value *X, MathPoly Table,
                            double Limit) {
  Intervals I(M, X, Table, Limit);
  Value *R = M.sub(I.A, I.get(0)), *Square = M.mul(R, R);
  MathSum Slope = mulAddSum(M, R, I.get(5), I.get(3));
  MathSum Y = mulAddSum(M, R, Slope.Hi, I.get(1));
  auto Pair = [&](size_t Row) {
    return M.mulAdd(R, I.get(Row + 1), I.get(Row));
  };
  Value *Rest = M.mulAdd(Square, I.get(10), Pair(8));
  Rest = M.mulAdd(Square, Rest, Pair(6));
  Rest = M.mulAdd(Square, Rest, M.add(Slope.Lo, I.get(4)));
  Y.Lo = M.mulAdd(R, Rest, M.add(I.get(2), Y.Lo));
  ModelledMath Result = decide(M, Y);
  return {M.withSignOf(Result.Result, X), Result.Calls};
}

ModelledMath emitTanhInPairs(MathBuilder &M, MathArgs Args) {
  return emitOdd(M, Args[0], TanhF32P7, 9.1);
}

/// Next to 0 the second part would be less than floats are.
ModelledMath emitErfInPairs(MathBuilder &M, MathArgs Args) {
  constexpr int64_t Tiny = 0x0d800000; // 2^-100
  ModelledMath Y = emitOdd(M, Args[0], ErfF32P7, 4);
  Value *Magnitude = M.B.CreateAnd(M.bits(Args[0]), M.integer(0x7fffffff));
  Value *IsTiny = M.B.CreateICmpULT(M.B.CreateSub(Magnitude, M.integer(1)),
                                    M.integer(Tiny));
  return {Y.Result, M.B.CreateOr(Y.Calls, IsTiny)};
}

//===----------------------------------------------------------------------===//
// cbrt
//===----------------------------------------------------------------------===//

/// All that is rounded off is 2^-44 of the root.
ModelledMath emitCbrtInPairs(MathBuilder &M, MathArgs Args) {
  Value *Unscale = nullptr;
  MathSum Parts = emitCbrtParts(M, Args[0], Unscale);
  Parts.Hi =
      M.B.CreateIntrinsic(Intrinsic::arithmetic_fence, {M.Ty}, {Parts.Hi});
  ModelledMath Y = decide(M, Parts, 0x1p-18);
  return {M.withSignOf(M.mul(Y.Result, Unscale), Args[0]), Y.Calls};
}

} // namespace dlopt
