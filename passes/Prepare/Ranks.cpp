//===- Ranks.cpp - Nests for tensors of any rank --------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where an element is is computed by a loop over all dimensions, of which
/// nobody knows how many there are (Coordinates.cpp unrolls loops over four):
///
///   for (i < n) { for (k < rank) { o += r / steps[k] * ...; } y[i] = x[o]; }
///
///   if (rank == 4) for (i < n) { for (k < 4) ... }
///   else if (rank == 3) ...
///   else the nest
///
/// There are not many more of which a permutation is worth one loop.
///
//===----------------------------------------------------------------------===//
#include "Ranks.h"
#include "Coordinates.h"
#include "Versions.h"
#include "dlopt/Guards.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace dlopt {
namespace {

/// What is not known of a number.
struct UnknownFinder {
  SmallSetVector<Value *, 2> Values;
  bool HasIndex = false;

  bool follow(const SCEV *S) {
    if (auto *U = dyn_cast<SCEVUnknown>(S))
      Values.insert(U->getValue());
    HasIndex |= isa<SCEVAddRecExpr>(S);
    return true;
  }
  bool isDone() const { return HasIndex || Values.size() > 1; }
};

/// Makes copies of a nest.
class RankAssumer : NestVersioner {
public:
  using NestVersioner::NestVersioner;
  bool find();
  void apply(unsigned Rank);

private:
  Value *getRank(const Loop &X);
  void assume(const Loop &Copy, unsigned Rank);

  Value *Rank = nullptr;
};

} // namespace

/// What says how often \p X runs, if that is one number from in front of the
/// nest; null otherwise.
Value *RankAssumer::getRank(const Loop &X) {
  const SCEV *Rounds = SE.getExitCount(&X, X.getHeader());
  if (isa<SCEVCouldNotCompute>(Rounds))
    return nullptr;
  UnknownFinder Finder;
  visitAll(Rounds, Finder);
  if (Finder.HasIndex || Finder.Values.size() != 1)
    return nullptr;
  Value *V = Finder.Values.front();
  return V->getType()->isIntegerTy() && L.isLoopInvariant(V) ? V : nullptr;
}

bool RankAssumer::find() {
  constexpr unsigned MostInstructions = 256;
  if (L.isInnermost() || !canVersion())
    return false;
  unsigned Size = 0;
  for (BasicBlock *BB : L.blocks())
    Size += BB->size();
  if (Size > MostInstructions)
    return false;
  // One number says it of all such loops.
  for (const Loop *X : L.getLoopsInPreorder())
    if (X != &L && computesCoordinates(*X)) {
      Value *Own = getRank(*X);
      if (!Own || (Rank && Own != Rank))
        return false;
      Rank = Own;
    }
  return Rank;
}

/// Lets \p Rank be what says it, and numbers that are so much more or less what
/// they are then, in \p Copy.
void RankAssumer::assume(const Loop &Copy, unsigned Number) {
  DenseMap<Value *, Constant *> Known;
  auto GetKnown = [&](Value *V) -> Constant * {
    auto [It, IsNew] = Known.try_emplace(V, nullptr);
    if (IsNew && V->getType() == Rank->getType() && L.isLoopInvariant(V))
      if (auto *More = dyn_cast<SCEVConstant>(
              SE.getMinusSCEV(SE.getSCEV(V), SE.getSCEV(Rank))))
        It->second =
            ConstantInt::get(V->getContext(), More->getAPInt() + Number);
    return It->second;
  };
  for (BasicBlock *BB : Copy.blocks())
    for (Instruction &I : *BB)
      for (Use &U : I.operands())
        if (isa<Argument, Instruction>(U) && Copy.isLoopInvariant(U))
          if (Constant *C = GetKnown(U))
            U = C;
}

void RankAssumer::apply(unsigned Number) {
  BasicBlock *Ask = L.getLoopPreheader();
  // A copy gets the preheader's instructions, too: it has none.
  BasicBlock *Run = SplitBlock(Ask, Ask->getTerminator(), &DT, &LI);
  ValueToValueMapTy Map;
  Loop *Copy = copyNest(Ask, Run, Map, ".rank");
  addLoopFlag(*Copy, RanksTag);
  assume(*Copy, Number);
  Instruction *Old = Ask->getTerminator();
  IRBuilder<> B(Old);
  // A nest without rounds may not know it.
  Value *Is = B.CreateICmpEQ(B.CreateFreeze(Rank),
                             ConstantInt::get(Rank->getType(), Number));
  B.CreateCondBr(DLOPT_PLANTED(RankUnasked) ? B.getTrue() : Is,
                 Copy->getLoopPreheader(), Run);
  Old->eraseFromParent();
}

bool hasRanks(Function &F, FunctionAnalysisManager &FAM) {
  const LoopInfo &LI = FAM.getResult<LoopAnalysis>(F);
  return any_of(LI, [&](Loop *L) {
    return any_of(L->getLoopsInPreorder(),
                  [&](const Loop *X) {
                    return X != L && computesCoordinates(*X);
                  }) &&
           RankAssumer(*L, F, FAM).find();
  });
}

bool assumeRanks(Function &F, FunctionAnalysisManager &FAM,
                 function_ref<void()> Close) {
  SmallVector<BasicBlock *, 4> Headers;
  for (Loop *L : FAM.getResult<LoopAnalysis>(F))
    Headers.push_back(L->getHeader());
  bool Changed = false;
  for (BasicBlock *Header : Headers)
    for (unsigned Number : {4, 3, 2}) {
      Loop *L = FAM.getResult<LoopAnalysis>(F).getLoopFor(Header);
      RankAssumer Ranks(*L, F, FAM);
      if (!Ranks.find())
        break;
      Ranks.apply(Number);
      Changed = true;
      FAM.invalidate(F, PreservedAnalyses::none());
      Close();
    }
  return Changed;
}

} // namespace dlopt
