//===- Dispatch.h - Code for wider vectors than asked for -------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A plain build for x86-64 may use SSE2 alone, where no loop can be fast. The
/// variants of a kernel are its schedules for wider vectors, which the
/// generated function chooses by what the CPU says at run time.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_VECTORIZE_DISPATCH_H
#define DLOPT_VECTORIZE_DISPATCH_H

#include "dlopt/Contraction.h"
#include "dlopt/Lanes.h"
#include "dlopt/LowerSchedule.h"
#include "dlopt/Options.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/PassManager.h"

namespace dlopt {

/// What \p O says about dispatch in \p F; where it says nothing, with
/// DispatchIfHosted: whether \p F is plain code, for any machine. \p Bits:
/// vectors of the code of
/// \p F.
DispatchMode getDispatchMode(const llvm::Function &F, const Options &O,
                             unsigned Bits);

/// Whether code for \p F may ask who made the CPU.
bool mayAskVendor(const llvm::Function &F, const Options &O);

/// Whether there are variants for wider vectors than of \p Bits.
bool mayWiden(const llvm::Function &F, const Options &O, unsigned Bits);

/// The models of the targets that there are variants for, wider than of
/// \p Bits, narrowest first; empty where nothing may ask the CPU.
llvm::SmallVector<TargetModel, 2>
getVariantModels(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                 const Options &O, unsigned Bits);

/// The variants of \p Base that are faster than \p BasePlan, fastest first.
/// Exact: they round where the code of \p F does, unless \p Mode is FMA.
llvm::SmallVector<ContractionVariant, 2>
planVariants(const ContractionSpec &Base, const ContractionPlan &BasePlan,
             llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
             DispatchMode Mode, uint64_t StackLimit,
             const ContractionOverrides &O);

/// The same for \p K in lanes by \p BasePlan: along the same axes, unless the
/// code is so large that copies of it do not pay.
llvm::SmallVector<LaneVariant, 2>
planVariants(const Kernel &K, const LanePlan &BasePlan, llvm::Function &F,
             llvm::FunctionAnalysisManager &FAM, DispatchMode Mode,
             const Options &O);

/// The same for \p K, which runs by a script where \p F is compiled for.
llvm::SmallVector<ScheduleVariant, 2>
planVariants(const Kernel &K, llvm::Function &F,
             llvm::FunctionAnalysisManager &FAM, DispatchMode Mode);

} // namespace dlopt

#endif // DLOPT_VECTORIZE_DISPATCH_H
