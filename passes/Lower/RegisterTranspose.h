//===- RegisterTranspose.h - Squares in registers --------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_LOWER_REGISTERTRANSPOSE_H
#define DLOPT_PASSES_LOWER_REGISTERTRANSPOSE_H

#include "llvm/IR/IRBuilder.h"

namespace dlopt {

/// Lanes of a 128-bit part of a vector of \p Lanes: what crosses such parts is
/// slow on x86, so only parts are transposed.
unsigned getPartLanes(unsigned Lanes, const llvm::Type *Elem);

/// Transposes the squares that parts of \p Columns are, as many lanes each as
/// there are columns.
void transposeParts(llvm::IRBuilderBase &B,
                    llvm::MutableArrayRef<llvm::Value *> Columns);

/// How many elements of a row loadTransposed takes at most: two parts where a
/// vector of \p Lanes lanes has four. That halves the loads, and what crosses
/// parts costs less than to insert them one by one; where a vector has two, it
/// costs more.
unsigned getPairLanes(unsigned Lanes, const llvm::Type *Elem);

/// Transposes what \p LoadRow gives of each of \p Lanes rows, vectors of
/// \p Count elements, getPartLanes or getPairLanes: entry I of \p Columns has
/// the I th of each row, one in a lane.
void loadTransposed(llvm::IRBuilderBase &B, const llvm::Type *Elem,
                    unsigned Lanes, unsigned Count,
                    llvm::function_ref<llvm::Value *(unsigned Row)> LoadRow,
                    llvm::SmallVectorImpl<llvm::Value *> &Columns);

} // namespace dlopt

#endif // DLOPT_PASSES_LOWER_REGISTERTRANSPOSE_H
