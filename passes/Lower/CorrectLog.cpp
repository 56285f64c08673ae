//===- CorrectLog.cpp - Logarithms and powers in double-double ------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CorrectFormulas.h"
#include "MathFormulas.h"
#include "MathRecipes.h"
#include "dlopt/PlantedBugs.h"
#include <cmath>

using namespace llvm;

namespace dlopt {

/// log(x), x = 1 + Less, from \p Y, which is within 2^-35 of it: y + log1p(e),
/// e = x exp(-y) - 1. Where exp(-y) has no power of two, that is Less + x
/// (exp(-y) - 1): what is small has all its bits.
static MathSum refineLog(DoubleDoubleBuilder &D, MathSum X, MathSum Less,
                         Value *Y) {
  MathBuilder &M = D.M;
  ExpParts E = emitExpParts(D, D.neg(D.widen(Y)));
  MathSum Scaled = D.scale(X, E.Power);
  Value *IsOne = M.B.CreateFCmpOEQ(E.Power, M.num(1));
  Less = D.select(IsOne, Less, D.add(Scaled, M.num(-1)));
  MathSum Rest = D.add(Less, D.mul(Scaled, E.P));
  // Less than 2^-28: two more terms are as many as matter.
  Value *Square = D.mulDouble(Rest.Hi, Rest.Hi);
  Value *Factor = M.sub(D.mulDouble(Rest.Hi, M.num(1.0 / 3)), 0.5);
  Rest = D.add(Rest, D.mulDouble(Square, Factor));
  return D.add(Rest, Y);
}

/// Of a positive number.
static MathSum emitLogOf(DoubleDoubleBuilder &D, Value *X) {
  return refineLog(D, D.widen(X), D.widen(D.M.sub(X, 1)), emitLogOf(D.M, X));
}

/// log(|X|), times \p Factor, of all numbers.
static Value *emitLog(DoubleDoubleBuilder &D, Value *X, DoubleDouble Factor) {
  MathBuilder &M = D.M;
  constexpr double Infinity = INFINITY;
  Value *IsNumber = M.B.CreateAnd(M.B.CreateFCmpOGT(X, M.num(0)),
                                  M.B.CreateFCmpOLT(X, M.num(Infinity)));
  // NaN, infinity; below zero NaN.
  Value *Special =
      M.select(M.less(X, 0), M.num(NAN),
               M.select(M.B.CreateFCmpOEQ(X, M.num(0)), M.num(-Infinity), X));
  auto Compute = [&] {
    return D.roundToOdd(D.mul(emitLogOf(D, X), D.num(Factor)));
  };
  return emitIf(M, IsNumber, Compute, Special);
}

Value *emitCorrectLog(DoubleDoubleBuilder &D, ArrayRef<Value *> X) {
  return emitLog(D, X[0], {1, 0});
}

Value *emitCorrectLog2(DoubleDoubleBuilder &D, ArrayRef<Value *> X) {
  return emitLog(D, X[0], {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56});
}

Value *emitCorrectLog10(DoubleDoubleBuilder &D, ArrayRef<Value *> X) {
  return emitLog(D, X[0], {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57});
}

Value *emitCorrectLog1p(DoubleDoubleBuilder &D, ArrayRef<Value *> X) {
  MathBuilder &M = D.M;
  constexpr double Infinity = INFINITY;
  Value *IsNumber = M.B.CreateAnd(M.B.CreateFCmpOGT(X[0], M.num(-1)),
                                  M.B.CreateFCmpOLT(X[0], M.num(Infinity)));
  IsNumber = M.B.CreateAnd(IsNumber, M.B.CreateFCmpONE(X[0], M.num(0)));
  Value *Special = M.select(
      M.less(X[0], -1), M.num(NAN),
      M.select(M.B.CreateFCmpOEQ(X[0], M.num(-1)), M.num(-Infinity), X[0]));
  auto Compute = [&] {
    Value *First = emitLog1pOf(M, X[0]);
    MathSum One = M.twoSum(M.num(1), X[0]);
    return D.roundToOdd(refineLog(D, One, D.widen(X[0]), First));
  };
  return emitIf(M, IsNumber, Compute, Special);
}

/// \p Z where it is no more than a number of 25 bits: where a power of a float
/// may lie in the middle between two of them. That takes an exponent of few
/// bits, so that no other one comes as near (3^15 has 24 bits, and 2^-150, half
/// the least subnormal number, is 2^-128 to the power of 75 / 64).
static MathSum snapToMiddle(DoubleDoubleBuilder &D, MathSum Z, Value *Y) {
  if (DLOPT_PLANTED(MiddleMissed))
    return Z;
  constexpr double Splitter = 0x1p28 + 1, Least = 0x1p-80, MostBits = 64,
                   Most = 150;
  MathBuilder &M = D.M;
  Value *Large = D.mulDouble(Z.Hi, M.num(Splitter));
  Value *Short = M.sub(Large, M.sub(Large, Z.Hi));
  Value *Rest = M.abs(M.add(M.sub(Z.Hi, Short), Z.Lo));
  Value *Scaled = D.mulDouble(M.min(M.abs(Y), 2 * Most), M.num(MostBits));
  double Magic = M.Format.Magic;
  Value *IsShort =
      M.B.CreateFCmpOEQ(Scaled, M.sub(M.add(Scaled, Magic), Magic));
  IsShort = M.B.CreateAnd(IsShort, M.B.CreateFCmpOLE(M.abs(Y), M.num(Most)));
  Value *IsNear = M.B.CreateFCmpOLE(Rest, D.mulDouble(Z.Hi, M.num(Least)));
  return D.select(M.B.CreateAnd(IsShort, IsNear), D.widen(Short), Z);
}

/// exp(y log(|x|)).
Value *emitCorrectPow(DoubleDoubleBuilder &D, ArrayRef<Value *> X) {
  MathBuilder &M = D.M;
  constexpr double Most = 200; // beyond all floats
  Value *A = M.abs(X[0]), *Y = X[1];
  Value *IsNumber = M.B.CreateAnd(M.B.CreateFCmpOGT(A, M.num(0)),
                                  M.B.CreateFCmpOLT(A, M.num(INFINITY)));
  MathSum Log = emitLogOf(D, M.select(IsNumber, A, M.num(1)));
  // Of zero and infinity.
  Value *Special =
      M.select(M.B.CreateFCmpOEQ(A, M.num(0)), M.num(-INFINITY), A);
  Value *Product = M.mul(M.select(IsNumber, Log.Hi, Special), Y);
  Value *IsSmall = M.B.CreateAnd(IsNumber, M.less(M.abs(Product), Most));
  MathSum Z = D.mul(Log, M.select(IsSmall, Y, M.num(0)));
  Z = D.select(IsSmall, Z, D.widen(M.max(M.min(Product, Most), -Most)));
  // 1 to an infinite power is 1.
  Z = D.select(M.B.CreateFCmpOEQ(A, M.num(1)), D.num(0), Z);
  Value *IsNaN = M.B.CreateFCmpUNO(X[0], Y);
  Z = D.select(IsNaN, D.num(0), Z);
  Value *Result = D.roundToOdd(snapToMiddle(D, emitExpOf(D, Z), Y));
  Result = M.select(IsNaN, M.num(NAN), Result);
  return withPowSpecialCases(M, X[0], Y, Result, getParity(M, Y));
}

} // namespace dlopt
