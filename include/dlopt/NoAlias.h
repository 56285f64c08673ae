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

/// dl-noalias: argument attributes from the callers where they prove them, one
/// run-time guard per kernel elsewhere.
class NoAliasPass : public ParamPassMixin<NoAliasPass, NoParams> {
public:
  using ParamPassMixin::ParamPassMixin;
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
};

} // namespace dlopt

#endif // DLOPT_NOALIAS_H
