//===- RotatedLoops.h - Loops that test behind each round -------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PREPARE_ROTATEDLOOPS_H
#define DLOPT_PREPARE_ROTATEDLOOPS_H

#include "llvm/IR/PassManager.h"

namespace dlopt {

/// Lets loops that test behind each round, behind a test whether there is a
/// first one, test in front of each instead. Loops must be in simplified form,
/// with exits of their own and phis behind them. True if something changed; no
/// analysis is kept.
bool testRoundsAhead(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace dlopt

#endif // DLOPT_PREPARE_ROTATEDLOOPS_H
