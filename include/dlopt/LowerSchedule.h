//===- LowerSchedule.h - Scheduled kernels to IR ----------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A kernel that says how it is run (AxisSchedule.h) as IR that runs so. What
/// is emitted follows from the text alone: no kind of kernel is known here.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_LOWERSCHEDULE_H
#define DLOPT_LOWERSCHEDULE_H

#include "dlopt/Lower.h"
#include "dlopt/Target.h"
#include "dlopt/VectorMath.h"

namespace dlopt {

struct ScheduleLimits {
  /// Of all locals on the stack together.
  uint64_t StackBytes = 0;
  /// Locals without a place may have a number of elements that is known at run
  /// time only.
  bool StackByNumber = false;
  /// Where the code will be: its target has the instructions that it may use.
  /// Null: the caller knows that it does.
  const llvm::Function *Into = nullptr;
};

/// Whether lowerSchedule can emit \p K, which need not be scheduled: everything
/// is bound, and places in registers are known when code is made.
Verdict canLowerSchedule(const Kernel &K, const ScheduleLimits &Limits);

/// Emits the whole kernel at \p B's insertion point, as it says that it is run.
/// Returns, for each local of rank 0 owned by the root, its final value.
/// Requires canLowerSchedule. Dominator tree and LoopInfo are not updated.
///
/// \p Math: how functions are computed in lanes; of models that it does not
/// know, the library has one (addLibraryTests).
llvm::DenseMap<BufferId, llvm::Value *>
lowerSchedule(llvm::IRBuilderBase &B, const Kernel &K, const MathPlan &Math);

/// About how many vectors of leaves the code of \p K has; nullopt: there is no
/// code for it.
std::optional<uint64_t> countLeaves(const Kernel &K);

/// The same kernel as other machines run it.
struct ScheduleVariant : CodeVariant {
  std::unique_ptr<Kernel> K;
  MathPlan Math;
  /// The last one, of which the guard has found that the CPU supports it: there
  /// is no code for others.
  bool IsSure = false;
};

/// The same in an internal function of its own, which is called: its registers,
/// frame and vectors do not touch the caller. The root has no state that
/// anybody wants. The function chooses the first of \p Variants, which have the
/// parameters and external buffers of \p K, that the CPU supports.
void callScheduled(llvm::IRBuilderBase &B, const Kernel &K,
                   const MathPlan &Math,
                   llvm::ArrayRef<ScheduleVariant> Variants = {});

} // namespace dlopt

#endif // DLOPT_LOWERSCHEDULE_H
