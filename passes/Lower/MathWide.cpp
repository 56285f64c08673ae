//===- MathWide.cpp - Functions by the instructions of AVX-512 ------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Of float, in registers of 512 bits: a table of 16 or 32 numbers is one or
/// two of them, so that polynomials are short; numbers are scaled, and taken
/// apart into exponent and mantissa, by instructions that know all special
/// ones.
///
//===----------------------------------------------------------------------===//
#include "MathWide.h"
#include "MathFormulas.h"
#include "MathRecipes.h"
#include "dlopt/Lanes.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;

namespace dlopt {

static constexpr unsigned Lanes = 16;

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// What \p Emit makes of each register of \p Args.
static Value *emitByRegister(MathBuilder &M, ArrayRef<Value *> Args,
                             function_ref<Value *(ArrayRef<Value *>)> Emit) {
  unsigned Count =
      cast<FixedVectorType>(Args.front()->getType())->getNumElements();
  if (Count == Lanes)
    return Emit(Args);
  SmallVector<Value *, 4> Results;
  for (unsigned First = 0; First != Count; First += Lanes) {
    SmallVector<Value *, 2> Own;
    for (Value *Arg : Args)
      Own.push_back(M.B.CreateShuffleVector(
          Arg, createSequentialMask(First, Lanes, /*NumUndefs=*/0)));
    Results.push_back(Emit(Own));
  }
  return concatenateVectors(M.B, Results);
}

/// \p ID of \p Args, with what follows them: a result for no lane, all lanes,
/// and the rounding that the CPU is set to.
static Value *emitMasked(MathBuilder &M, Intrinsic::ID ID,
                         ArrayRef<Value *> Args, int Selector = -1) {
  return emitByRegister(M, Args, [&](ArrayRef<Value *> Own) {
    constexpr int CurrentRounding = 4;
    SmallVector<Value *, 6> All(Own);
    if (Selector >= 0)
      All.push_back(M.B.getInt32(Selector));
    All.append({PoisonValue::get(Own.front()->getType()), M.B.getInt16(-1),
                M.B.getInt32(CurrentRounding)});
    return M.B.CreateIntrinsic(ID, {}, All);
  });
}

Value *scaleBy(MathBuilder &M, Value *X, Value *N) {
  return emitMasked(M, Intrinsic::x86_avx512_mask_scalef_ps_512, {X, N});
}

/// \p X if its magnitude is no greater than \p Limit, else that with its sign;
/// of NaN \p Limit.
static Value *limit(MathBuilder &M, Value *X, double Limit) {
  constexpr int SmallerMagnitude = 2;
  return emitMasked(M, Intrinsic::x86_avx512_mask_range_ps_512,
                    {X, M.num(Limit)}, SmallerMagnitude);
}

Value *getExponent(MathBuilder &M, Value *X) {
  return emitMasked(M, Intrinsic::x86_avx512_mask_getexp_ps_512, {X});
}

Value *getMantissa(MathBuilder &M, Value *X) {
  constexpr int ThreeQuarters = 3, NoNegative = 2 << 2;
  return emitMasked(M, Intrinsic::x86_avx512_mask_getmant_ps_512, {X},
                    ThreeQuarters | NoNegative);
}

Value *lookUpFloat(MathBuilder &M, MathPoly Table, Value *Index) {
  SmallVector<float, 32> Numbers(Table.begin(), Table.end());
  return lookUp(M, ArrayRef<float>(Numbers), Index);
}

//===----------------------------------------------------------------------===//
// Exponential functions
//===----------------------------------------------------------------------===//

/// 2^N * exp(R + Left), N being \p T without the magic number. R is anything,
/// but has N's sign, where the result is 0 or infinite. Near: 2^(j/16), and
/// the logarithm of what that leaves out.
static Value *scaleByTable(MathBuilder &M, Value *T, Value *N,
                           const MathRecipe &R,
                           function_ref<Value *(Value *Left)> Reduce) {
  Value *Index = M.bits(T);
  Value *Power = lookUpFloat(M, R.Near.take_front(Lanes), Index);
  Value *Rest = Reduce(lookUpFloat(M, R.Near.drop_front(Lanes), Index));
  // log(2) / 32 and a bit.
  Rest = limit(M, Rest, 0x1.7p-6);
  Value *Inner = M.poly(Rest, R.Base);
  Value *Y = M.mulAdd(Inner, M.mul(Rest, Rest), Rest);
  return scaleBy(M, M.mulAdd(Power, Y, Power), N);
}

/// Base: exp(r) = 1 + r + r^2 * Base(r).
Value *emitExpWide(MathBuilder &M, MathArgs Args, const MathRecipe &R) {
  Value *T = M.mulAdd(Args[0], M.Format.Log2E, M.num(MagicOf16th));
  Value *N = M.sub(T, MagicOf16th);
  return scaleByTable(M, T, N, R, [&](Value *Left) {
    // The first product is subtracted exactly.
    Value *Rest = M.add(M.mulAdd(N, -0x1.62e43p-1, Args[0]), Left);
    return DLOPT_PLANTED(MathReductionShort) ? Rest
                                             : M.mulAdd(N, 0x1.05c61p-29, Rest);
  });
}

Value *emitExp2Wide(MathBuilder &M, MathArgs Args, const MathRecipe &R) {
  Value *T = M.add(Args[0], MagicOf16th);
  Value *N = M.sub(T, MagicOf16th);
  return scaleByTable(M, T, N, R, [&](Value *Left) {
    return M.mulAdd(M.sub(Args[0], N), 0x1.62e43p-1, Left);
  });
}

//===----------------------------------------------------------------------===//
// Logarithms
//===----------------------------------------------------------------------===//

/// x = 2^k * m, m = (1 + r) / c: k log(2) - log(c) + r + r^2 * Base(r). Near: c
/// for 32 intervals, Far: -log(c) in few bits, so that the sum of both is
/// exact.
Value *emitLogWide(MathBuilder &M, MathArgs Args, const MathRecipe &R) {
  Value *Mantissa = getMantissa(M, Args[0]);
  Value *K = M.sub(getExponent(M, Args[0]), getExponent(M, Mantissa));
  Value *Index = M.B.CreateLShr(M.bits(Mantissa), M.integer(18));
  Value *Inverse = lookUpFloat(M, R.Near.take_front(32), Index);
  Value *Log = lookUpFloat(M, R.Near.drop_front(32), Index);
  Value *Rest = M.mulAdd(Mantissa, Inverse, M.num(-1.0));
  Value *Square = M.mul(Rest, Rest);
  Value *Y = M.mulAdd(Square, M.poly(Rest, Square, R.Base), Rest);
  Y = M.mulAdd(K, 0x1.7f7d1cp-20, Y);
  return M.add(M.mulAdd(K, 0x1.62e4p-1, Log), Y);
}

//===----------------------------------------------------------------------===//
// Functions by intervals
//===----------------------------------------------------------------------===//

Intervals::Intervals(MathBuilder &M, Value *X, MathPoly Table, double Limit)
    : A(M.min(M.abs(X), Limit)), M(M), Rows(Table.drop_front(4)),
      Count(static_cast<size_t>(Table[2])) {
  Value *T = M.mulAdd(A, Table[0], M.num(Table[1]));
  auto Bits = static_cast<unsigned>(Table[3]);
  Index = M.B.CreateLShr(M.bits(T), M.integer(M.Format.Mantissa - Bits));
}

Value *Intervals::poly(Value *X, size_t Row) const {
  size_t Power = Rows.size() / Count - 1;
  Value *Sum = get(Power);
  while (Power-- > Row)
    Sum = M.mulAdd(Sum, X, get(Power));
  return Sum;
}

/// From Split on the function is 1. Base: intervals with their middles, the
/// function there, and the coefficients of what is added to that: r, r^2 and so
/// on.
Value *emitOddWide(MathBuilder &M, MathArgs Args, const MathRecipe &R) {
  Intervals I(M, Args[0], R.Base, R.Split);
  Value *Rest = M.sub(I.A, I.get(0)), *Slope = I.poly(Rest, 2);
  // Both are 0 in the first interval, where r itself has to be added; in
  // all others r is less.
  Value *Middle = I.get(1);
  if (!DLOPT_PLANTED(FirstIntervalWithoutArgument))
    Middle = M.select(M.B.CreateFCmpOGT(Rest, Middle), Rest, Middle);
  return M.withSignOf(M.mulAdd(Slope, Rest, Middle), Args[0]);
}

/// From Split on the function is 1. Base: intervals with the coefficients in
/// terms of |x|.
Value *emitOddWideDirectly(MathBuilder &M, MathArgs Args, const MathRecipe &R) {
  Intervals I(M, Args[0], R.Base, R.Split);
  return M.withSignOf(I.poly(I.A, 0), Args[0]);
}

//===----------------------------------------------------------------------===//
// Other shapes
//===----------------------------------------------------------------------===//

Value *emitInWholeRegisters(IRBuilderBase &B, MathArgs Args,
                            function_ref<Value *(MathArgs)> Emit) {
  auto *Ty = dyn_cast<FixedVectorType>(Args.front()->getType());
  unsigned Count = Ty ? Ty->getNumElements() : 1;
  if (Ty && Count % Lanes == 0)
    return Emit(Args);
  unsigned Whole = alignTo(Count, Lanes);
  SmallVector<Value *, 2> Wide;
  for (Value *Arg : Args)
    Wide.push_back(Ty ? B.CreateShuffleVector(
                            Arg, createSequentialMask(0, Count, Whole - Count))
                      : B.CreateVectorSplat(Whole, Arg));
  Value *Y = Emit(Wide);
  return Ty ? B.CreateShuffleVector(
                  Y, createSequentialMask(0, Count, /*NumUndefs=*/0))
            : B.CreateExtractElement(Y, uint64_t(0));
}

} // namespace dlopt
