//===- MiddleRounds.h - Pointers behind conditions on indices ---*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PREPARE_MIDDLEROUNDS_H
#define DLOPT_PREPARE_MIDDLEROUNDS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

namespace dlopt {

/// Loop metadata (a flag) on loops whose middle rounds are known to read what
/// was read in front.
inline constexpr llvm::StringLiteral MiddleReadTag = "dl.middle.read";

/// Gives nests that read pointers under conditions on their indices a copy for
/// the case that these hold in the middle of the loops, in which the pointers
/// are read in front. Loops must be in simplified form. True if something
/// changed; analyses are not kept up to date.
bool readInMiddle(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Whether that might find something to do.
bool readsUnderConditions(llvm::Function &F,
                          llvm::FunctionAnalysisManager &FAM);

} // namespace dlopt

#endif // DLOPT_PREPARE_MIDDLEROUNDS_H
