//===- MathFormulas.h - How libraries compute functions --------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The formulas that rows of MathModels.def name.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_LOWER_MATHFORMULAS_H
#define DLOPT_PASSES_LOWER_MATHFORMULAS_H

#include "MathBuilder.h"
#include "dlopt/MathModels.h"

namespace dlopt {

/// Lanes of \p Y, double, that are within \p Window units of float's last place
/// of the middle between two floats, all of them normal.
llvm::Value *isNearMiddle(llvm::IRBuilderBase &B, llvm::Value *Y,
                          double Window);

/// The low 32 bits of each element of \p X, which has 64.
llvm::Value *getLowHalves(llvm::IRBuilderBase &B, llvm::Value *X);

/// The numbers of \p Table, whose size is a power of two, that the low bits of
/// \p Index, a vector of i32, have; where vectors have as many elements as the
/// table, by a permutation, and by selections where they are scalable.
llvm::Value *lookUp(MathBuilder &M, llvm::ArrayRef<float> Table,
                    llvm::Value *Index);
/// Of double: the halves of numbers by themselves. The lowest \p Skipped bits
/// of \p Index are none of it. If \p Shift is not 0, what is left is added to
/// the high halves, so far to the left.
llvm::Value *lookUp(MathBuilder &M, llvm::ArrayRef<double> Table,
                    llvm::Value *Index, unsigned Shift = 0,
                    unsigned Skipped = 0);
/// Lanes of floats with these \p Bits that are no normal positive numbers.
llvm::Value *isNotNormal(llvm::IRBuilderBase &B, llvm::Value *Bits);
/// Lanes of \p X, double, whose magnitudes are \p Least or more, or NaN. The
/// lower half of Least's bits is zero.
llvm::Value *isAtLeast(MathBuilder &M, llvm::Value *X, double Least);

// DoubleModels.cpp

/// \p X, float, as \p M's double.
llvm::Value *extend(MathBuilder &M, llvm::Value *X);
/// Lanes of \p X, float, that are subnormal, and their results with them.
llvm::Value *isSubnormal(MathBuilder &M, llvm::Value *X);
/// Of float, from \p Least on up to \p Greatest; NaN stays.
llvm::Value *clamp(MathBuilder &M, llvm::Value *X, float Least, float Greatest);
/// 2^\p T as glibc has it since 2.28: by a table for multiples of 1 / 32, and a
/// polynomial of third degree in the rest, which \p R is set to.
llvm::Value *emitPowerByTable(MathBuilder &M, llvm::Value *T, llvm::Value *&R);
/// Of double, within 2^-43 of themselves.
llvm::Value *emitExpOf(MathBuilder &M, llvm::Value *X);
llvm::Value *emitExp2Of(MathBuilder &M, llvm::Value *X);

MathFormula::InDouble emitExpByTable, emitExp2ByTable;
MathFormula::InDouble emitExpInDouble, emitExp2InDouble, emitExpm1InDouble,
    emitTanhInDouble, emitSinhInDouble, emitCoshInDouble, emitErfInDouble,
    emitErfcInDouble;
/// exp within 2^-39.7 of itself, of numbers that are up to |x| = log(2) / 2,
/// and of others, without tables: for formulas that are long themselves.
MathFormula::InDouble emitSmallExpInDouble, emitShortExpInDouble;

// DoubleAngles.cpp
MathFormula::InDouble emitAtanInDouble, emitAsinInDouble, emitAcosInDouble,
    emitHypotInDouble;
/// Of 0 <= t <= 1.
llvm::Value *emitSmallAtanOf(MathBuilder &M, llvm::Value *T);

// DoubleLimits.cpp: of any float; subnormal results have to be asked for.
MathFormula::InDouble emitAnyExpInDouble, emitAnyExp2InDouble,
    emitAnyExpm1InDouble, emitAnySinhInDouble, emitAnyCoshInDouble,
    emitAnyErfcInDouble;

// DoubleLog.cpp
MathFormula::InDouble emitLogInDouble, emitLog2InDouble, emitPowInDouble,
    emitExactLogInDouble, emitExactLog2InDouble, emitExactPowInDouble,
    emitLog10InDouble, emitLog1pInDouble, emitCbrtInDouble;
/// Of double, within 2^-37 of themselves.
llvm::Value *emitLogOf(MathBuilder &M, llvm::Value *X);
llvm::Value *emitLog1pOf(MathBuilder &M, llvm::Value *X);

// DoubleTrig.cpp
MathFormula::InDouble emitSinInDouble, emitCosInDouble, emitExactSinInDouble,
    emitExactCosInDouble, emitTanInDouble;

// FloatModels.cpp
MathFormula::InFloat emitTanhInFloat, emitExpm1InFloat, emitSinhInFloat,
    emitCoshInFloat, emitLog1pInFloat, emitLog10InFloat, emitCbrtInFloat,
    emitErfInFloat, emitErfcInFloat;

// PairModels.cpp: of any float, but for what the rows of CorrectMath.def leave
// out; with fused operations. Undecided lanes call.
MathFormula::InFloat emitCbrtInPairs;
/// In registers of 512 bits.
MathFormula::InFloat emitExpInPairs, emitExp2InPairs, emitExpm1InPairs,
    emitLogInPairs, emitLog2InPairs, emitLog10InPairs, emitLog1pInPairs,
    emitTanhInPairs, emitErfInPairs;

} // namespace dlopt

#endif // DLOPT_PASSES_LOWER_MATHFORMULAS_H
