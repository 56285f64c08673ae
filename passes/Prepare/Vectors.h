//===- Vectors.h - Loops that compute with vectors --------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PREPARE_VECTORS_H
#define DLOPT_PREPARE_VECTORS_H

#include "llvm/Analysis/LoopInfo.h"

namespace dlopt {

/// How many outermost loops have values in vectors.
unsigned countVectorLoops(const llvm::LoopInfo &LI);

/// Whether all that \p F does with vectors can be done with their elements.
bool canTakeApart(const llvm::Function &F);

/// Marks these loops, and asks for the mark.
void markVectorLoops(const llvm::LoopInfo &LI);
bool hadVectors(const llvm::Loop &L);

} // namespace dlopt

#endif // DLOPT_PREPARE_VECTORS_H
