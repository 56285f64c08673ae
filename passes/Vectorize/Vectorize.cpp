//===- Vectorize.cpp - The pass dl-vectorize ------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Vectorize.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace dlopt;

PreservedAnalyses VectorizePass::run(Module &, ModuleAnalysisManager &) {
  return PreservedAnalyses::all();
}
