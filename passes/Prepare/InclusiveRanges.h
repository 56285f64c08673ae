//===- InclusiveRanges.h - Ranges with their last element -------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_PREPARE_INCLUSIVERANGES_H
#define DLOPT_PASSES_PREPARE_INCLUSIVERANGES_H

namespace llvm {
class LoopInfo;
} // namespace llvm

namespace dlopt {

/// Loops over first..=last, which remember that the last element was there
/// instead of going beyond it, count their rounds. Loops are in simplified
/// form. True if something changed; what is dead is left.
bool countInclusiveRanges(const llvm::LoopInfo &LI);

} // namespace dlopt

#endif // DLOPT_PASSES_PREPARE_INCLUSIVERANGES_H
