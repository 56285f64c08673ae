//===- Recognize.cpp - The pass dl-recognize ------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Recognize.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace dlopt;

PreservedAnalyses RecognizePass::run(Function &, FunctionAnalysisManager &) {
  return PreservedAnalyses::all();
}
