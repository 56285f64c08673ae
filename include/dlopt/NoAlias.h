//===- NoAlias.h - Aliasing facts and guards --------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_NOALIAS_H
#define DLOPT_NOALIAS_H

#include "dlopt/PassParams.h"

namespace dlopt {

struct NoAliasParams {
  /// guards: kernels whose output may overlap an input get a run-time guard and
  /// behind it a clone of their loops with scoped noalias metadata.
  bool Guards = false;
  /// nests: nests that read bounds or pointers again because what they store
  /// may be these get a guard and behind it a copy that reads them once.
  bool Nests = false;
  /// prepared: only functions that dl-prepare has brought into light form.
  bool Prepared = false;
  static llvm::Expected<NoAliasParams> parse(llvm::StringRef Params);
  void print(llvm::raw_ostream &OS) const;
};

/// dl-noalias: what callers prove about pointer arguments, and guards for what
/// nobody proves.
class NoAliasPass : public ParamPassMixin<NoAliasPass, NoAliasParams> {
public:
  using ParamPassMixin::ParamPassMixin;
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
};

} // namespace dlopt

#endif // DLOPT_NOALIAS_H
