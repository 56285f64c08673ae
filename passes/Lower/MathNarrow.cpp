//===- MathNarrow.cpp - Numbers of 16 bits --------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// half and bfloat are computed as float. Where the target cannot convert them,
/// LLVM's conversions are calls: these are made of integer operations, which
/// also leave subnormal numbers alone whatever the mode of float is.
///
//===----------------------------------------------------------------------===//
#include "MathRecipes.h"

using namespace llvm;

namespace dlopt {

/// \p M is of float; half to its bits.
static Value *widenHalf(MathBuilder &M, Value *Bits) {
  IRBuilderBase &B = M.B;
  Value *Magnitude = B.CreateAnd(Bits, M.integer(0x7fff));
  // Exponents differ by 112; that of infinities and NaN is all ones.
  Value *IsSpecial = B.CreateICmpUGE(Magnitude, M.integer(0x7c00));
  Value *Offset = M.select(IsSpecial, M.integer(int64_t(224) << 23),
                           M.integer(int64_t(112) << 23));
  Value *Number = B.CreateAdd(B.CreateShl(Magnitude, M.integer(13)), Offset);
  Value *Subnormal = M.bits(M.mul(B.CreateSIToFP(Magnitude, M.Ty), 0x1p-24));
  Number =
      M.select(B.CreateICmpULT(Magnitude, M.integer(0x400)), Subnormal, Number);
  Value *Sign =
      B.CreateShl(B.CreateAnd(Bits, M.integer(0x8000)), M.integer(16));
  return M.fromBits(B.CreateOr(Number, Sign));
}

/// The bits of a half, rounded to nearest, ties to even.
static Value *narrowHalf(MathBuilder &M, Value *X) {
  IRBuilderBase &B = M.B;
  Value *Bits = M.bits(X);
  Value *A = M.abs(X), *Magnitude = M.bits(A);
  Value *Odd =
      B.CreateAnd(B.CreateLShr(Magnitude, M.integer(13)), M.integer(1));
  Value *Number =
      B.CreateAdd(Magnitude, M.integer(0xfff - (int64_t(112) << 23)));
  Number = B.CreateLShr(B.CreateAdd(Number, Odd), M.integer(13));
  // Subnormal halves are multiples of 2^-24, which is what 1/2 + x keeps.
  Value *Half = M.num(0.5);
  Value *Subnormal = B.CreateSub(M.bits(M.add(A, Half)), M.bits(Half));
  Number = M.select(M.less(A, 0x1p-14), Subnormal, Number);
  Number =
      M.select(B.CreateFCmpOGE(A, M.num(0x1p16)), M.integer(0x7c00), Number);
  Number = M.select(B.CreateFCmpUNO(X, X), M.integer(0x7e00), Number);
  Value *Sign =
      B.CreateAnd(B.CreateLShr(Bits, M.integer(16)), M.integer(0x8000));
  return B.CreateOr(Number, Sign);
}

/// The bits of a bfloat, the upper half of a float, rounded. NaN becomes a
/// quiet one and keeps its sign and upper bits, as in LLVM's and the libraries'
/// code.
static Value *narrowBFloat(MathBuilder &M, Value *X) {
  IRBuilderBase &B = M.B;
  Value *Bits = M.bits(X), *Shift = M.integer(16);
  Value *Odd = B.CreateAnd(B.CreateLShr(Bits, Shift), M.integer(1));
  Value *Sum = B.CreateAdd(B.CreateAdd(Bits, M.integer(0x7fff)), Odd);
  Value *Number = B.CreateLShr(Sum, Shift);
  Value *Quiet = B.CreateLShr(B.CreateOr(Bits, M.integer(0x400000)), Shift);
  return M.select(B.CreateFCmpUNO(X, X), Quiet, Number);
}

Value *widen(MathBuilder &M, Value *X, const MathTarget &T) {
  Type *Ty = X->getType();
  bool IsHalf = Ty->getScalarType()->isHalfTy();
  if (IsHalf && T.ConvertsHalf)
    return M.B.CreateFPExt(X, M.Ty);
  Value *Bits = M.B.CreateBitCast(X, Ty->getWithNewType(M.B.getInt16Ty()));
  Bits = M.B.CreateZExt(Bits, M.IntTy);
  return IsHalf ? widenHalf(M, Bits)
                : M.fromBits(M.B.CreateShl(Bits, M.integer(16)));
}

Value *narrow(MathBuilder &M, Value *X, Type *Ty, const MathTarget &T) {
  bool IsHalf = Ty->getScalarType()->isHalfTy();
  if (IsHalf && T.ConvertsHalf)
    return M.B.CreateFPTrunc(X, Ty);
  Value *Bits = IsHalf ? narrowHalf(M, X) : narrowBFloat(M, X);
  Bits = M.B.CreateTrunc(Bits, Ty->getWithNewType(M.B.getInt16Ty()));
  return M.B.CreateBitCast(Bits, Ty);
}

Value *emitRoundToBFloat(IRBuilderBase &B, Value *X, const MathTarget &T) {
  Type *Ty = X->getType()->getWithNewType(B.getBFloatTy());
  if (T.RoundsBFloat)
    return B.CreateFPTrunc(X, Ty);
  MathBuilder M(B, X->getType(), T);
  return narrow(M, X, Ty, T);
}

} // namespace dlopt
