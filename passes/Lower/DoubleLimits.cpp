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
/// out by -infinity are as fast as others. Subnormal results are not decided
/// here.
///
//===----------------------------------------------------------------------===//
#include "MathFormulas.h"
#include "MathRecipes.h"

using namespace llvm;

namespace dlopt {

/// exp(-104) is less than half of the least float, exp(89) more than all.
Value *emitAnyExpInDouble(MathBuilder &M, MathArgs Args, Value *&Calls) {
  return emitExpInDouble(M, clamp(M, Args[0], -104, 89), Calls);
}

Value *emitAnyExp2InDouble(MathBuilder &M, MathArgs Args, Value *&Calls) {
  return emitExp2InDouble(M, clamp(M, Args[0], -151, 128), Calls);
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
  constexpr float Beyond = 10.1F;
  Value *Y = emitErfcInDouble(M, Args, Calls);
  Value *Vanishes =
      M.B.CreateFCmpOGT(Args[0], ConstantFP::get(Args[0]->getType(), Beyond));
  return M.select(Vanishes, M.num(0), Y);
}

} // namespace dlopt
