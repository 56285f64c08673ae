//===- DoubleLimits.cpp - Functions beyond the range of float -------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Values in double of functions that overflow or vanish as float, for all
/// floats where nothing has to know of that, as errno: scores that are masked
/// out by -infinity are as fast as others. Only subnormal results are not
/// decided here.
///
//===----------------------------------------------------------------------===//
#include "MathFormulas.h"
#include "MathRecipes.h"

using namespace llvm;

namespace dlopt {

/// Lanes of \p X, float, from \p Least on up to \p Greatest.
static Value *isBetween(MathBuilder &M, Value *X, float Least, float Greatest) {
  Type *Ty = X->getType();
  return M.B.CreateAnd(M.B.CreateFCmpOGE(X, ConstantFP::get(Ty, Least)),
                       M.B.CreateFCmpOLE(X, ConstantFP::get(Ty, Greatest)));
}

/// exp(-104) is less than half of the least float, exp(89) more than all.
Value *emitAnyExpInDouble(MathBuilder &M, MathArgs Args, Value *&Calls) {
  Value *X = clamp(M, Args[0], -104, 89);
  Value *Y = emitExpInDouble(M, X, Calls);
  Calls = isBetween(M, Args[0], -104, -87.25);
  return Y;
}

Value *emitAnyExp2InDouble(MathBuilder &M, MathArgs Args, Value *&Calls) {
  Value *X = clamp(M, Args[0], -151, 128);
  Value *Y = emitExp2InDouble(M, X, Calls);
  Calls = isBetween(M, Args[0], -150, -126);
  return Y;
}

Value *emitAnyExpm1InDouble(MathBuilder &M, MathArgs Args, Value *&Calls) {
  return emitExpm1InDouble(M, clamp(M, Args[0], -20, 89), Calls);
}

Value *emitAnySinhInDouble(MathBuilder &M, MathArgs Args, Value *&Calls) {
  return emitSinhInDouble(M, clamp(M, Args[0], -90, 90), Calls);
}

Value *emitAnyCoshInDouble(MathBuilder &M, MathArgs Args, Value *&Calls) {
  return emitCoshInDouble(M, clamp(M, Args[0], -90, 90), Calls);
}

/// erfc(10.1) is less than half of the least float.
Value *emitAnyErfcInDouble(MathBuilder &M, MathArgs Args, Value *&Calls) {
  constexpr float Least = 9.1875, Beyond = 10.1F;
  Value *Y = emitErfcInDouble(M, Args, Calls);
  Calls = isBetween(M, Args[0], Least, Beyond);
  Value *Vanishes = M.B.CreateFCmpOGT(
      Args[0], ConstantFP::get(Args[0]->getType(), Beyond));
  return M.select(Vanishes, M.num(0), Y);
}

} // namespace dlopt
