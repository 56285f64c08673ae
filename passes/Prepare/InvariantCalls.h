//===- InvariantCalls.h - Calls whose results do not change -----*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PREPARE_INVARIANTCALLS_H
#define DLOPT_PREPARE_INVARIANTCALLS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

namespace dlopt {

/// Loop metadata (a flag) on loops without calls that are made in front.
inline constexpr llvm::StringLiteral CalledAheadTag = "dl.called.ahead";

/// Gives nests that call functions of the math library with what does not
/// change a copy for the case that these do not set errno, which has their
/// results. Loops must be in simplified form. True if something changed;
/// analyses are not kept up to date.
bool callAhead(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Whether that might find something to do.
bool callsInvariants(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace dlopt

#endif // DLOPT_PREPARE_INVARIANTCALLS_H
