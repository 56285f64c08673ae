//===- SingleRounds.h - Loops of one round ----------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_PREPARE_SINGLEROUNDS_H
#define DLOPT_PASSES_PREPARE_SINGLEROUNDS_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class DataLayout;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace dlopt {

/// Lets what runs once at most (`for (b = 0; b < 1; b++)`, batches of one) go
/// on behind the loop instead of asking once more; \p GetSE is asked where the
/// first round is none of a known number (groups of one channel). The loops are
/// in LCSSA form with exits of their own. True if there were some: they are no
/// loops any more, and the analyses of loops and dominators are out of date.
bool removeSingleRounds(const llvm::LoopInfo &LI, const llvm::DataLayout &DL,
                        llvm::function_ref<llvm::ScalarEvolution &()> GetSE);

} // namespace dlopt

#endif // DLOPT_PASSES_PREPARE_SINGLEROUNDS_H
