//===- Fuse.h - Loops that go together over memory --------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Nests that run one after another are raised as one kernel, and loops of it
/// that go over the same memory become one (loop fusion: Kennedy and McKinley,
/// Maximizing Loop Parallelism and Improving Data Locality via Loop Fusion and
/// Distribution, LCPC 1993): the stages of a normalization work on one row
/// while that is in the cache, a chain of element-wise loops reads and writes
/// each element once, and what a temporary array held stays in registers.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_FUSE_H
#define DLOPT_FUSE_H

#include "dlopt/Kernel.h"
#include "dlopt/PassParams.h"

namespace llvm {
class Function;
} // namespace llvm

namespace dlopt {

/// Parameters of dl-fuse.
struct FuseParams {
  /// prepared: only functions that dl-prepare has brought into light form;
  /// otherwise the others are brought into it first, by the same code.
  bool Prepared = false;
  static llvm::Expected<FuseParams> parse(llvm::StringRef Params);
  void print(llvm::raw_ostream &OS) const;
};

/// dl-fuse: joins loops over the same memory. Light form stays light form: the
/// joined loops stand behind a guard, beside those that were there.
class FusePass : public ParamPassMixin<FusePass, FuseParams> {
public:
  using ParamPassMixin::ParamPassMixin;
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
};

/// True if dl-fuse would join loops of \p F, a clone in light form that is not
/// needed otherwise: it is changed.
bool hasFusion(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Puts loops of one round around loops of \p F over one row that use what the
/// ones before have found out about it. True if \p F changed.
bool joinRows(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Makes those loops of one round straight code again. Analyses are invalid
/// then. True if there were any.
bool separateRows(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace dlopt

#endif // DLOPT_FUSE_H
