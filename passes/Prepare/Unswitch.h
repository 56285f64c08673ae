//===- Unswitch.h - Tests that decide what nests read -----------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PREPARE_UNSWITCH_H
#define DLOPT_PREPARE_UNSWITCH_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Loop;
class LoopInfo;
} // namespace llvm

namespace dlopt {

/// Loop metadata (a flag) on both copies of such a nest.
inline constexpr llvm::StringLiteral UnswitchedTag = "dl.unswitched";

/// Whether a loop of \p L with loops inside tests something that does not
/// change in \p L, and reads memory only where that holds.
bool choosesLoads(const llvm::Loop &L, const llvm::LoopInfo &LI);

/// Whether \p L chooses among numbers that become addresses by what does not
/// change in it.
bool choosesAddresses(const llvm::Loop &L);

/// Gives such nests a copy: one for each outcome of the test. Loops must be in
/// simplified form, and \p Close brings them there again. True if something
/// changed.
bool unswitchLoads(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                   llvm::function_ref<void()> Close);

} // namespace dlopt

#endif // DLOPT_PREPARE_UNSWITCH_H
