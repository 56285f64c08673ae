//===- Prepare.cpp - The pass dl-prepare ----------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Prepare.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace dlopt;

Expected<PrepareParams> PrepareParams::parse(StringRef Params) {
  PrepareParams P;
  if (Params == "all")
    P.All = true;
  else if (!Params.empty())
    return unknownParam(Params);
  return P;
}

void PrepareParams::print(raw_ostream &OS) const {
  if (All)
    OS << "all";
}

PreservedAnalyses PreparePass::run(Module &, ModuleAnalysisManager &) {
  return PreservedAnalyses::all();
}
