//===- Ranks.h - Nests for tensors of any rank ------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PREPARE_RANKS_H
#define DLOPT_PREPARE_RANKS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

namespace dlopt {

/// Loop metadata (a flag) on copies of nests for a number of dimensions.
inline constexpr llvm::StringLiteral RanksTag = "dl.ranks";

/// Whether there are nests with loops over dimensions whose number is not
/// known.
bool hasRanks(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Gives them copies for the usual numbers of dimensions, whose loops over
/// these can be unrolled. Loops must be in simplified form, and \p Close brings
/// them there again. True if something changed.
bool assumeRanks(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                 llvm::function_ref<void()> Close);

} // namespace dlopt

#endif // DLOPT_PREPARE_RANKS_H
