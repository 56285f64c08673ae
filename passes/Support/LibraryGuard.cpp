//===- LibraryGuard.cpp - Tests of the library in front of loops ----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Guards.h"
#include "dlopt/MathModels.h"

using namespace llvm;

namespace dlopt {

void addLibraryTests(GuardEmitter &E, const Kernel &K, const MathPlan &Plan) {
  if (Plan.Accuracy == MathAccuracy::Correct)
    return;
  const Function &F = *E.builder().GetInsertBlock()->getParent();
  forEachModel(K, Plan, [&](const MathModel &Model, const Op &O) {
    if (getKnownModel(*F.getParent(), Model.Function, Plan))
      return;
    E.startBlock();
    Value *Number =
        E.builder().CreateCall(getLibraryTest(F, Model.Function, O));
    E.addCondition(E.builder().CreateIsNotNull(Number));
  });
}

} // namespace dlopt
