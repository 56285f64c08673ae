//===- CorrectFormulas.h - Functions in double-double -----------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The slow paths that rows of CorrectMath.def name: functions of any floats,
/// which have been extended to double, within 2^-90 of themselves. The result
/// is a double from which float is rounded as from the exact value
/// (DoubleDoubleBuilder::roundToOdd): NaN, infinities, zeros with their sign,
/// overflow and subnormal results are those of the function, too.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_LOWER_CORRECTFORMULAS_H
#define DLOPT_PASSES_LOWER_CORRECTFORMULAS_H

#include "DoubleDouble.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace dlopt {

using CorrectFormula = llvm::Value *(DoubleDoubleBuilder &D,
                                     llvm::ArrayRef<llvm::Value *> X);

/// \p Compute() where \p C, else \p Other, without computing anything.
llvm::Value *emitIf(MathBuilder &M, llvm::Value *C,
                    llvm::function_ref<llvm::Value *()> Compute,
                    llvm::Value *Other);

/// exp(z) = 2^n (1 + P): Power is 2^n.
struct ExpParts {
  llvm::Value *Power;
  MathSum P;
};

// CorrectExp.cpp
CorrectFormula emitCorrectExp, emitCorrectExp2, emitCorrectExpm1,
    emitCorrectTanh, emitCorrectSinh, emitCorrectCosh;
/// Of |z| < 700.
ExpParts emitExpParts(DoubleDoubleBuilder &D, MathSum Z);
MathSum emitExpOf(DoubleDoubleBuilder &D, MathSum Z);

// CorrectLog.cpp
CorrectFormula emitCorrectLog, emitCorrectLog2, emitCorrectLog10,
    emitCorrectLog1p, emitCorrectPow;

// CorrectErf.cpp
CorrectFormula emitCorrectErf, emitCorrectErfc;

// CorrectTrig.cpp
CorrectFormula emitCorrectSin, emitCorrectCos, emitCorrectTan, emitCorrectAsin,
    emitCorrectAcos, emitCorrectAtan;

// CorrectRoot.cpp
CorrectFormula emitCorrectCbrt, emitCorrectHypot;

} // namespace dlopt

#endif // DLOPT_PASSES_LOWER_CORRECTFORMULAS_H
