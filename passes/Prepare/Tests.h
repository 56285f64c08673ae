//===- Tests.h - Tests inside nests that choose among loops -----*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PREPARE_TESTS_H
#define DLOPT_PREPARE_TESTS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class DominatorTree;
class Loop;
class LoopInfo;
} // namespace llvm

namespace dlopt {

/// Loop metadata (a flag) on loops whose tests are made in front.
inline constexpr llvm::StringLiteral TestedTag = "dl.tested";

/// Gives nests that choose among loops by comparing something that does not
/// change with a constant a copy for the case that it is equal. Loops must be
/// in simplified form, and \p Close brings them there again. True if something
/// changed.
bool assumeTests(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                 llvm::function_ref<void()> Close);

/// Whether that might find something to do.
bool testsInLoops(const llvm::LoopInfo &LI, const llvm::DominatorTree &DT);

/// Whether \p L or a loop in or around it has the flag \p Tag.
bool isInTagged(const llvm::Loop &L, llvm::StringRef Tag);

} // namespace dlopt

#endif // DLOPT_PREPARE_TESTS_H
