//===- ReplaceNest.h - Loops of a kernel for a nest -------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_REPLACENEST_H
#define DLOPT_REPLACENEST_H

#include "dlopt/Raise.h"

namespace dlopt {

struct ScheduleVariant;
struct SelfCheck;

/// Replaces the nest of \p RK by what lowerScalar makes of its kernel, which
/// may be another than was raised: where it has needs that cannot be proved,
/// the new loops stand behind a guard. If the verdict is not Ok, the original
/// loops are what runs, perhaps behind a guard that always takes them. Unless
/// canReplaceNest() says why not, \p F has changed. \p Pays, in front of all
/// other tests: where it does not hold the original loops are faster.
///
/// \p Scheduled: what is emitted, by lowerSchedule, in place of the kernel: one
/// that says how it is run, with the same parameters and external buffers, and
/// no need that \p RK does not have. It is bound as that. \p Variants: the same
/// for other machines.
Verdict replaceNest(RaisedKernel &RK, llvm::Function &F,
                    llvm::FunctionAnalysisManager &FAM, const SelfCheck &Check,
                    const Need *Pays = nullptr, Kernel *Scheduled = nullptr,
                    llvm::ArrayRef<ScheduleVariant> Variants = {});
Verdict canReplaceNest(const RaisedKernel &RK, llvm::Function &F,
                       const Kernel *Scheduled = nullptr);

} // namespace dlopt

#endif // DLOPT_REPLACENEST_H
