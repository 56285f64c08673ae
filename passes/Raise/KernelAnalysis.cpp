//===- KernelAnalysis.cpp - The kernels of a function, and their printer --===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/KernelAnalysis.h"
#include "dlopt/Names.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;
using namespace dlopt;

AnalysisKey DLKernelAnalysis::Key;

DLKernelAnalysis::Result DLKernelAnalysis::run(Function &F,
                                               FunctionAnalysisManager &FAM) {
  return Result(raiseFunction(F, FAM));
}

bool DLKernelAnalysis::Result::invalidate(
    Function &F, const PreservedAnalyses &PA,
    FunctionAnalysisManager::Invalidator &Inv) {
  auto Checker = PA.getChecker<DLKernelAnalysis>();
  if (!Checker.preserved() && !Checker.preservedSet<AllAnalysesOn<Function>>())
    return true;
  // Kernels point to loops.
  return Inv.invalidate<LoopAnalysis>(F, PA);
}

void dlopt::printKernels(const Function &F, const RaiseResult &R,
                         raw_ostream &OS) {
  for (const RaisedKernel &RK : R.Kernels) {
    std::string Kind = std::exchange(RK.K->Kind, nameKernel(*RK.K));
    RK.K->print(OS);
    RK.K->Kind = std::move(Kind);
  }
  for (const MissedNest &M : R.Missed) {
    DebugLoc DL = getUserLoc(M.Why, M.L->getStartLoc());
    OS << "missed @" << F.getName() << " line "
       << (DL ? std::to_string(DL.getLine()) : "?") << ": " << getName(M.Why.R)
       << ": " << getText(M.Why.R);
    if (!M.Why.Detail.empty())
      OS << ": " << M.Why.Detail;
    OS << '\n';
  }
}

PreservedAnalyses KernelPrinterPass::run(Function &F,
                                         FunctionAnalysisManager &FAM) {
  printKernels(F, FAM.getResult<DLKernelAnalysis>(F).get(), outs());
  return PreservedAnalyses::all();
}
