//===- NoAlias.cpp - The pass dl-noalias ----------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/NoAlias.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace dlopt;

PreservedAnalyses NoAliasPass::run(Module &, ModuleAnalysisManager &) {
  return PreservedAnalyses::all();
}
