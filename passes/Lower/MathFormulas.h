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

/// The numbers of \p Table, whose size is a power of two, that \p Index, a
/// vector of integers, has; where vectors have as many elements as the table,
/// by a permutation.
llvm::Value *lookUp(llvm::IRBuilderBase &B, llvm::ArrayRef<float> Table,
                    llvm::Value *Index);

// DoubleModels.cpp
MathFormula::InDouble emitExpInDouble, emitExp2InDouble, emitExpm1InDouble,
    emitTanhInDouble, emitErfInDouble, emitLogInDouble, emitExactLogInDouble,
    emitLog1pInDouble;
/// exp up to |x| = log(2) / 2.
MathFormula::InDouble emitSmallExpInDouble;

// FloatModels.cpp
MathFormula::InFloat emitTanhInFloat, emitExpm1InFloat, emitLog1pInFloat,
    emitErfInFloat;

} // namespace dlopt

#endif // DLOPT_PASSES_LOWER_MATHFORMULAS_H
