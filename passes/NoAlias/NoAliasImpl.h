//===- NoAliasImpl.h - The parts of dl-noalias ------------------*- C++ -*-===//
//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_NOALIAS_NOALIASIMPL_H
#define DLOPT_NOALIAS_NOALIASIMPL_H

#include "dlopt/Raise.h"

namespace llvm {
class TargetLibraryInfo;
} // namespace llvm

namespace dlopt {

struct SelfCheck;

/// Loop metadata (a flag) on guarded clones: their tests are made already.
inline constexpr llvm::StringLiteral ScopedLoopTag = "dl.scoped";

/// Adds noalias to the pointer arguments of a local function for which every
/// call proves it. True if anything changed.
bool annotateArguments(llvm::Function &F);

/// Adds noalias to the result of \p F, if that is memory that it has allocated.
/// True if anything changed.
bool annotateResult(llvm::Function &F, const llvm::TargetLibraryInfo &TLI);

/// What keeps pointer arguments of \p F from being noalias, counted: "1 of 3
/// ...". Empty: nothing does.
std::string countUnproved(const llvm::Function &F);

/// Puts a clone of the nest of \p RK behind a guard that tests its needs; the
/// accesses of the clone carry scoped noalias metadata. Where the verdict is
/// not Ok the original loops are what runs, perhaps behind a guard that always
/// takes them.
Verdict addScopedClone(RaisedKernel &RK, llvm::Function &F,
                       llvm::FunctionAnalysisManager &FAM,
                       const SelfCheck &Check);

/// Puts nests that read bounds and pointers again and again, though nothing but
/// a store between may change them, beside such that read them once.
bool versionNests(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Makes the disjointness tests of guards true where the objects are distinct.
bool foldGuards(llvm::Function &F);

} // namespace dlopt

#endif // DLOPT_NOALIAS_NOALIASIMPL_H
