//===- DoubleModels.cpp - Exponential functions of float, in double -------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Values of exponential functions of float that have been extended to double,
/// within 2^-38 of the exact ones. Where a library's result might be another
/// one than these, rounded, is up to the model's window.
///
//===----------------------------------------------------------------------===//
#include "MathFormulas.h"
#include "MathRecipes.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace llvm;

namespace dlopt {

static constexpr double LogOf2 = 0x1.62e42fefa39efp-1;

Value *extend(MathBuilder &M, Value *X) { return M.B.CreateFPExt(X, M.Ty); }

Value *isSubnormal(MathBuilder &M, Value *X) {
  constexpr int64_t TwiceLeast = 0x01000000;
  Type *Int = M.Ty->getWithNewType(M.B.getInt32Ty());
  Value *Twice = M.B.CreateShl(M.B.CreateBitCast(X, Int), 1);
  return M.B.CreateICmpULT(M.B.CreateSub(Twice, ConstantInt::get(Int, 1)),
                           ConstantInt::get(Int, TwiceLeast - 1));
}

Value *clamp(MathBuilder &M, Value *X, float Least, float Greatest) {
  auto Number = [&](float Y) { return ConstantFP::get(X->getType(), Y); };
  IRBuilderBase &B = M.B;
  X = B.CreateSelect(B.CreateFCmpOLT(X, Number(Least)), Number(Least), X);
  return B.CreateSelect(B.CreateFCmpOGT(X, Number(Greatest)), Number(Greatest),
                        X);
}

//===----------------------------------------------------------------------===//
// Powers of two by a table
//===----------------------------------------------------------------------===//

static constexpr unsigned TableBits = 5, TableSize = 1 << TableBits;

namespace {

/// k / 32 + R * Scale, k being the low bits of Sum.
struct TableReduction {
  Value *Sum, *R;
  double Scale;
};

} // namespace

/// Of x / log(2).
static TableReduction reduceByTable(MathBuilder &M, Value *X) {
  Value *Factor = M.num(M.Format.Log2E * TableSize);
  Value *Sum = M.mulAdd(X, Factor, M.num(M.Format.Magic));
  Value *K = M.sub(Sum, M.Format.Magic);
  Value *R =
      M.hasFMA() ? M.mulAdd(X, Factor, M.neg(K)) : M.sub(M.mul(X, Factor), K);
  return {Sum, R, 1.0 / TableSize};
}

static TableReduction reducePowerByTable(MathBuilder &M, Value *T) {
  double Magic = M.Format.Magic / TableSize;
  Value *Sum = M.add(T, Magic);
  return {Sum, M.sub(T, M.sub(Sum, Magic)), 1};
}

/// The same as 2^(k / 8 / 4) 2^(k % 8 / 32), k / 8 being an integer: within 1.5
/// times what a double rounds off, and eight numbers and four are picked by an
/// instruction each where 32 take fourteen.
static Value *multiplyPowers(MathBuilder &M, Value *Index) {
  constexpr unsigned LowBits = 3, HighBits = TableBits - LowBits;
  double Low[1 << LowBits], High[1 << HighBits];
  for (auto [I, P] : enumerate(Low))
    P = std::exp2(double(I) / TableSize);
  for (auto [I, P] : enumerate(High))
    P = bit_cast<double>(
        bit_cast<uint64_t>(std::exp2(double(I) / (1 << HighBits))) -
        (uint64_t(I) << (M.Format.Mantissa - HighBits)));
  Value *Power =
      lookUp(M, High, Index, M.Format.Mantissa - HighBits - 32, LowBits);
  if (DLOPT_PLANTED(LowPowerLost))
    return Power;
  return M.mul(lookUp(M, Low, Index), Power);
}

/// 2^(k / 32), k being the low bits of \p Sum.
static Value *lookUpPower(MathBuilder &M, Value *Sum) {
  Value *Index = getLowHalves(M.B, M.bits(Sum));
  if (M.getPermuted() == 8)
    return multiplyPowers(M, Index);
  // Less what k's high bits are as an exponent, as k as a whole is added.
  double Powers[TableSize];
  for (auto [I, P] : enumerate(Powers))
    P = bit_cast<double>(bit_cast<uint64_t>(std::exp2(double(I) / TableSize)) -
                         (uint64_t(I) << (M.Format.Mantissa - TableBits)));
  return lookUp(M, Powers, Index, M.Format.Mantissa - TableBits - 32);
}

/// As glibc has it since 2.28.
static Value *emitLibraryPower(MathBuilder &M, TableReduction T) {
  double S = T.Scale;
  return M.mul(
      M.poly(T.R, {1, 0x1.62e42ff0c52d6p-1 * S, 0x1.ebfce50fac4f3p-3 * S * S,
                   0x1.c6af84b912394p-5 * S * S * S}),
      lookUpPower(M, T.Sum));
}

/// Within 2^-43.5 of itself (a minimax polynomial by Remez' algorithm).
static Value *emitPower(MathBuilder &M, TableReduction T) {
  double C[] = {0x1p+0, 0x1.62e42fef6c9c2p-1, 0x1.ebfbdff7ad46bp-3,
                0x1.c6b168b00d632p-5, 0x1.3b2be6e0ccacap-7};
  double Scale = 1;
  for (double &Coefficient : C) {
    Coefficient *= Scale;
    Scale *= T.Scale;
  }
  return M.mul(M.poly(T.R, M.mul(T.R, T.R), C), lookUpPower(M, T.Sum));
}

Value *emitPowerByTable(MathBuilder &M, Value *T, Value *&R) {
  TableReduction Parts = reducePowerByTable(M, T);
  R = Parts.R;
  return emitLibraryPower(M, Parts);
}

Value *emitExpByTable(MathBuilder &M, MathArgs Args, Value *&) {
  return emitLibraryPower(M, reduceByTable(M, extend(M, Args[0])));
}

Value *emitExp2ByTable(MathBuilder &M, MathArgs Args, Value *&) {
  return emitLibraryPower(M, reducePowerByTable(M, extend(M, Args[0])));
}

//===----------------------------------------------------------------------===//
// exp, exp2
//===----------------------------------------------------------------------===//

/// exp(r) up to |r| = log(2) / 2, within 2^-43.5 (a minimax polynomial by
/// Remez' algorithm, its coefficients rounded).
static constexpr double ExpPoly[] = {0x1p+0,
                                     0x1.fffffffffb933p-1,
                                     0x1.fffffffff72ddp-2,
                                     0x1.5555555d0f6bep-3,
                                     0x1.5555557405cd3p-5,
                                     0x1.1111028d1a9edp-7,
                                     0x1.6c164e3d2a6c7p-10,
                                     0x1.a0423a656cecfp-13,
                                     0x1.a159f8efeb416p-16,
                                     0x1.4d2a848873e82p-19};

/// The same within 2^-39.7.
static constexpr double ShortExpPoly[] = {0x1p+0,
                                          0x1.ffffffffc4a22p-1,
                                          0x1.ffffffff9520ep-2,
                                          0x1.555555b50668ep-3,
                                          0x1.55555661fc311p-5,
                                          0x1.11106aa75d915p-7,
                                          0x1.6c14240fdb937p-10,
                                          0x1.a1c756ce69a0dp-13,
                                          0x1.a4275ab098e78p-16};

namespace {

/// X = n log(2) + R: n, and 2^n.
struct ExpReduction {
  Value *N, *R, *Power;
};

} // namespace

/// n * log(2) is less than 2^7: one part of log(2) leaves out 2^-47.
static ExpReduction reduceExp(MathBuilder &M, Value *X) {
  const MathFormat &F = M.Format;
  double Magic = F.Magic + F.Bias;
  Value *T = M.mulAdd(X, F.Log2E, M.num(Magic)), *N = M.sub(T, Magic);
  return {N, M.mulAdd(N, -LogOf2, X), M.pow2(T)};
}

static Value *emitExpOf(MathBuilder &M, Value *X, MathPoly C) {
  ExpReduction E = reduceExp(M, X);
  return M.mul(M.poly(E.R, M.mul(E.R, E.R), C), E.Power);
}

Value *emitShortExpInDouble(MathBuilder &M, MathArgs Args, Value *&) {
  return emitExpOf(M, extend(M, Args[0]), ShortExpPoly);
}

Value *emitSmallExpInDouble(MathBuilder &M, MathArgs Args, Value *&) {
  Value *X = extend(M, Args[0]);
  return M.poly(X, M.mul(X, X), ShortExpPoly);
}

/// A table and a short polynomial take less time than a long one where a table
/// is one permutation.
static bool prefersTable(const MathBuilder &M) { return M.getPermuted() != 0; }

Value *emitExpOf(MathBuilder &M, Value *X) {
  if (prefersTable(M))
    return emitPower(M, reduceByTable(M, X));
  return emitExpOf(M, X, ExpPoly);
}

Value *emitExpInDouble(MathBuilder &M, MathArgs Args, Value *&) {
  return emitExpOf(M, extend(M, Args[0]));
}

Value *emitExp2Of(MathBuilder &M, Value *X) {
  if (prefersTable(M))
    return emitPower(M, reducePowerByTable(M, X));
  double Magic = M.Format.Magic + M.Format.Bias;
  Value *T = M.add(X, Magic);
  Value *R = M.mul(M.sub(X, M.sub(T, Magic)), LogOf2);
  return M.mul(M.poly(R, M.mul(R, R), ExpPoly), M.pow2(T));
}

Value *emitExp2InDouble(MathBuilder &M, MathArgs Args, Value *&) {
  return emitExp2Of(M, extend(M, Args[0]));
}

//===----------------------------------------------------------------------===//
// expm1, tanh, sinh, cosh
//===----------------------------------------------------------------------===//

/// The polynomial is (exp(r) - 1) / r, within 2^-46 up to |r| = log(2) / 64.
static Value *emitExpm1ByTable(MathBuilder &M, Value *X) {
  static constexpr double C[] = {0x1p+0, 0x1.ffffffffe5bc7p-2,
                                 0x1.555555556bd86p-3, 0x1.5555c2a9ca586p-5,
                                 0x1.111111111416ep-7};
  TableReduction T = reduceByTable(M, X);
  Value *R = M.mul(T.R, LogOf2 * T.Scale), *Power = lookUpPower(M, T.Sum);
  Value *Y = M.mul(M.poly(R, M.mul(R, R), C), R);
  return M.mulAdd(Power, Y, M.sub(Power, 1));
}

/// 2^n (exp(r) - 1) + (2^n - 1), within 2^-42 of itself, but for the sign of
/// zero. The polynomial is (exp(r) - 1) / r, within 2^-43.5.
static Value *emitExpm1Of(MathBuilder &M, Value *X) {
  static constexpr double C[] = {
      0x1.fffffffffff9dp-1,  0x1.fffffffff736ap-2,  0x1.555555556d731p-3,
      0x1.55555573f354cp-5,  0x1.111110d933168p-7,  0x1.6c164e63ba0c1p-10,
      0x1.a01a8d523787ap-13, 0x1.a159cafa93f82p-16, 0x1.71de2b4bfe608p-19};
  if (prefersTable(M))
    return emitExpm1ByTable(M, X);
  ExpReduction E = reduceExp(M, X);
  Value *Y = M.mul(M.poly(E.R, M.mul(E.R, E.R), C), E.R);
  return M.mulAdd(E.Power, Y, M.sub(E.Power, 1));
}

/// Below -20 results are -1.
Value *emitExpm1InDouble(MathBuilder &M, MathArgs Args, Value *&Calls) {
  Value *X = Args[0];
  Calls = isSubnormal(M, X);
  X = extend(M, clamp(M, X, -20, 89));
  return M.withSignOf(emitExpm1Of(M, X), X);
}

/// Beyond 10 results are 1.
Value *emitTanhInDouble(MathBuilder &M, MathArgs Args, Value *&Calls) {
  Value *X = Args[0];
  Calls = isSubnormal(M, X);
  X = extend(M, clamp(M, X, -10, 10));
  Value *Y = emitExpm1Of(M, M.add(X, X));
  return M.withSignOf(M.div(Y, M.add(Y, 2)), X);
}

/// By expm1, within 2^-42 of itself.
Value *emitSinhInDouble(MathBuilder &M, MathArgs Args, Value *&Calls) {
  Calls = isSubnormal(M, Args[0]);
  Value *X = extend(M, Args[0]);
  Value *Y = emitExpm1Of(M, M.abs(X));
  Y = M.mul(M.add(Y, M.div(Y, M.add(Y, 1))), 0.5);
  return M.withSignOf(Y, X);
}

/// Within 2^-43 of itself.
Value *emitCoshInDouble(MathBuilder &M, MathArgs Args, Value *&) {
  Value *Y = emitExpOf(M, M.abs(extend(M, Args[0])));
  return M.mul(M.add(Y, M.div(M.num(1), Y)), 0.5);
}

//===----------------------------------------------------------------------===//
// erf, erfc
//===----------------------------------------------------------------------===//

/// An odd polynomial within 2^-40 of itself up to 1, then 1 - exp(q(|x|)), q
/// being log(erfc(|x|)) but for what is 2^-40 of the result. Beyond 4 that
/// is 1.
Value *emitErfInDouble(MathBuilder &M, MathArgs Args, Value *&Calls) {
  Value *X = Args[0];
  static constexpr double Near[] = {
      0x1.20dd750428b2ap+0,  -0x1.812746adb3077p-2,  0x1.ce2f20978ac74p-4,
      -0x1.b82cb8f75f60fp-6, 0x1.56586d16ea132p-8,   -0x1.bfdf5b94982e6p-11,
      0x1.f56bf559fee87p-14, -0x1.d25d1854a33edp-17, 0x1.1b8c452381854p-20};
  static constexpr double Far[] = {
      0x1.e707031fc4e7bp-15,  -0x1.20f7d8c24b35ap+0, -0x1.454f201d41b3fp-1,
      -0x1.ae53b70318c34p-4,  0x1.65f77c057048ep-6,  -0x1.00d4a2abd4e0fp-9,
      -0x1.2bb0b90c73644p-11, 0x1.2804fd31edf76p-12, -0x1.e5becfd06ea8bp-15,
      0x1.a696274840a8ep-18,  -0x1.3cfa6017e1c2ap-22};
  Calls = isSubnormal(M, X);
  X = extend(M, clamp(M, X, -4, 4));
  Value *A = M.abs(X), *Square = M.mul(A, A);
  Value *Small = M.mul(M.poly(Square, M.mul(Square, Square), Near), A);
  Value *Large = M.sub(1, emitExpOf(M, M.poly(A, Square, Far)));
  return M.withSignOf(M.select(M.less(A, 1), Small, Large), X);
}

/// exp(-x^2) q((|x| - 3) / (|x| + 3)), 2 less that below zero: within 2^-38.9
/// of itself up to 9.25 and within 2^-18 of the least float beyond, q within
/// 2^-40.1 (Shepherd and Laframboise, Chebyshev approximation of (1 + 2x)
/// exp(x^2) erfc x, 1981, have it so).
Value *emitErfcInDouble(MathBuilder &M, MathArgs Args, Value *&) {
  static constexpr double Q[] = {
      0x1.6e9827d228ed5p-3,   -0x1.4e102b9d01033p-2, 0x1.f6ff2041f11d7p-3,
      -0x1.336ffbea6d8e3p-3,  0x1.258b13689acbep-4,  -0x1.8fa591ea27a1dp-6,
      0x1.17c875c98b827p-8,   0x1.731496747a411p-11, -0x1.39139114e5a56p-11,
      0x1.79ebc9cc181e2p-15,  0x1.0d8694adaddcdp-14, -0x1.99a7b458b636fp-17,
      -0x1.0ce01643847c3p-17, 0x1.42d63d4572423p-20, 0x1.a61755b390925p-21};
  Value *X = extend(M, Args[0]);
  Value *A = M.min(M.abs(X), 10.1);
  Value *U = M.div(M.sub(A, 3.0), M.add(A, 3.0));
  // The square is exact.
  Value *Y = M.mul(emitExpOf(M, M.neg(M.mul(A, A))), M.poly(U, M.mul(U, U), Q));
  return M.select(M.less(X, 0), M.sub(2.0, Y), Y);
}

} // namespace dlopt
