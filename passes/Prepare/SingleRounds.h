//===- SingleRounds.h - Loops of one round ----------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_PREPARE_SINGLEROUNDS_H
#define DLOPT_PASSES_PREPARE_SINGLEROUNDS_H

namespace llvm {
class DataLayout;
class LoopInfo;
} // namespace llvm

namespace dlopt {

/// Lets what runs once at most (`for (b = 0; b < 1; b++)`, batches of one) go
/// on behind the loop instead of asking once more. The loops are in LCSSA form
/// with exits of their own. True if there were some: they are no loops any
/// more, and the analyses of loops and dominators are out of date.
bool removeSingleRounds(const llvm::LoopInfo &LI, const llvm::DataLayout &DL);

} // namespace dlopt

#endif // DLOPT_PASSES_PREPARE_SINGLEROUNDS_H
