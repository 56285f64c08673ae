//===- VersionGain.cpp - Nests that gain from another version -------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "VersionGain.h"
#include "llvm/Analysis/LoopAccessAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace dlopt;

/// Fewer iterations are a vector or two, which do not pay for the test.
static constexpr unsigned LeastIterations = 16;

/// Elements that an access moves on in each iteration: LLVM reads and writes
/// whole vectors, and takes up to so many apart in registers. What is further
/// apart it would read and write one by one.
static constexpr uint64_t MostElementsApart = 4;

/// Whether the elements that \p I accesses are close together.
static bool isDense(Instruction &I, const Loop &L, ScalarEvolution &SE) {
  const SCEV *At = SE.getSCEV(getLoadStorePointerOperand(&I));
  if (SE.isLoopInvariant(At, &L))
    return isa<LoadInst>(I);
  const auto *Rec = dyn_cast<SCEVAddRecExpr>(At);
  if (!Rec || !Rec->isAffine() || Rec->getLoop() != &L)
    return false;
  // LLVM asks whether an unknown step is one element.
  const auto *Step = dyn_cast<SCEVConstant>(Rec->getStepRecurrence(SE));
  TypeSize Size = I.getDataLayout().getTypeStoreSize(getLoadStoreType(&I));
  return !Size.isScalable() &&
         (!Step ||
          Step->getAPInt().abs().ule(MostElementsApart * Size.getFixedValue()));
}

static bool mayBecomeVectors(Loop &L, FunctionAnalysisManager &FAM) {
  Function &F = *L.getHeader()->getParent();
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  const auto &TLI = FAM.getResult<TargetLibraryAnalysis>(F);
  if (isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(&L)))
    return false;
  unsigned Most = SE.getSmallConstantMaxTripCount(&L);
  if (Most && Most < LeastIterations)
    return false;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB) {
      if (isa<LoadInst, StoreInst>(I) ? !isDense(I, L, SE)
                                      : I.mayWriteToMemory())
        return false;
      auto *Call = dyn_cast<CallInst>(&I);
      if (Call && !getVectorIntrinsicIDForCall(Call, &TLI))
        return false;
    }
  return FAM.getResult<LoopAccessAnalysis>(F).getInfo(L).canVectorizeMemory();
}

bool dlopt::gainsFromVersion(NestCopy &C, const NestMemory &Memory,
                             FunctionAnalysisManager &FAM) {
  if (!Memory.accumulators().empty())
    return true;
  Function &F = C.function();
  return any_of(
      FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder(),
      [&](Loop *L) { return L->isInnermost() && mayBecomeVectors(*L, FAM); });
}
