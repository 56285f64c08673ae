//===- Runs.h - Nests that run one after another ---------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_FUSE_RUNS_H
#define DLOPT_PASSES_FUSE_RUNS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

namespace dlopt {

/// Sibling loops in the order in which they run, with nothing between them but
/// straight code without calls.
using LoopRun = llvm::SmallVector<llvm::Loop *, 4>;

/// All runs of at least two loops; and the loops of the source alone, if
/// \p Singles.
llvm::SmallVector<LoopRun, 4> findRuns(const llvm::LoopInfo &LI);

/// A loop of one round around a run, so that it can be raised as one nest.
class RunWrapper {
public:
  /// Wraps \p Run. Analyses of the function are invalid afterwards; loops keep
  /// the property that values used behind them go through phis.
  explicit RunWrapper(const LoopRun &Run);
  /// The block that the loop of one round begins with.
  llvm::BasicBlock *getHeader() const { return Header; }
  /// Makes the loop of one round straight code again.
  void unwrap();

private:
  /// Values that are used behind the run are carried around it, as those of
  /// loops are.
  void carry(llvm::Instruction &V);

  llvm::BasicBlock *Header, *Latch, *Exit;
  llvm::PHINode *Round;
  llvm::SmallVector<llvm::PHINode *, 2> Carried;
};

} // namespace dlopt

#endif // DLOPT_PASSES_FUSE_RUNS_H
