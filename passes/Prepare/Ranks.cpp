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
/// A rank that is read is read in front where the nest has a round.
///
//===----------------------------------------------------------------------===//
#include "Ranks.h"
#include "Coordinates.h"
#include "Versions.h"
#include "dlopt/Compat.h"
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

/// Makes copies of a nest.
class RankAssumer : NestVersioner {
public:
  using NestVersioner::NestVersioner;
  bool find();
  /// False if nothing changed.
  bool apply(unsigned Number);

private:
  bool isInside(const Value *V) const {
    auto *I = dyn_cast<Instruction>(V);
    return I && L.contains(I);
  }
  bool addRanks(Value *V, const Loop &X, unsigned Most = 8);
  void assume(const Loop &Copy, unsigned Number);

  /// What says how many dimensions there are: from in front of the nest, or
  /// read in it.
  SmallSetVector<Value *, 2> Ranks;
};

} // namespace

/// Adds what \p V, a bound of \p X or what that starts from, is made of; false
/// if that is more than numbers which do not change.
bool RankAssumer::addRanks(Value *V, const Loop &X, unsigned Most) {
  if (isa<Constant>(V))
    return true;
  if (!isInside(V) || isa<LoadInst>(V)) {
    Ranks.insert(V);
    return V->getType()->isIntegerTy();
  }
  if (!Most)
    return false;
  auto *Phi = dyn_cast<PHINode>(V);
  if (Phi && Phi->getParent() == X.getHeader())
    return addRanks(Phi->getIncomingValueForBlock(X.getLoopPreheader()), X,
                    Most - 1);
  auto *I = cast<Instruction>(V);
  return isa<CastInst, BinaryOperator>(I) &&
         all_of(I->operands(),
                [&](Value *Op) { return addRanks(Op, X, Most - 1); });
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
      auto *Br = dyn_cast<CondBrInst>(X->getHeader()->getTerminator());
      auto *Test = Br && X->isLoopExiting(X->getHeader())
                       ? dyn_cast<ICmpInst>(Br->getCondition())
                       : nullptr;
      if (!Test || !addRanks(Test->getOperand(0), *X) ||
          !addRanks(Test->getOperand(1), *X) || Ranks.size() != 1)
        return false;
    }
  if (Ranks.empty())
    return false;
  auto *Read = dyn_cast<Instruction>(Ranks.front());
  if (!Read || !L.contains(Read))
    return true;
  // A header is entered even if its loop has no round.
  const BasicBlock *BB = Read->getParent();
  const Loop *X = LI.getLoopFor(BB);
  if (X != &L && BB == X->getHeader())
    BB = X->getLoopPreheader();
  return countRounds(BB) && isInvariant(Read);
}

/// Lets what says it be \p Number in \p Copy, and what is so much more or less
/// what that is then.
void RankAssumer::assume(const Loop &Copy, unsigned Number) {
  Value *Rank = Ranks.front();
  DenseMap<Value *, Constant *> Known;
  auto GetKnown = [&](Value *V) -> Constant * {
    auto [It, IsNew] = Known.try_emplace(V, nullptr);
    if (IsNew && V->getType() == Rank->getType())
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

bool RankAssumer::apply(unsigned Number) {
  Value *Rank = Ranks.front();
  BasicBlock *Entry = L.getLoopPreheader();
  if (isInside(Rank)) {
    if (!canCount(Entry))
      return false;
    emitCounts(Entry);
  }
  // A copy gets the preheader's instructions, too: it has none.
  BasicBlock *Run = SplitBlock(Entry, Entry->getTerminator(), &DT, &LI);
  BasicBlock *Ask = SplitBlock(Entry, Entry->getTerminator(), &DT, &LI);
  ValueToValueMapTy Map;
  Loop *Copy = copyNest(Ask, Run, Map, ".rank");
  addLoopFlag(*Copy, RanksTag);
  Constant *As = ConstantInt::get(Rank->getType(), Number);
  if (isInside(Rank))
    cast<Instruction>(Map[Rank])->replaceAllUsesWith(As);
  else
    assume(*Copy, Number);
  if (isInside(Rank))
    emitRuns(Entry, Ask, Run);
  Instruction *Old = Ask->getTerminator();
  IRBuilder<> B(Old);
  // A nest without rounds may not know it.
  Value *Is = B.CreateICmpEQ(B.CreateFreeze(copy(B, Rank)), As);
  B.CreateCondBr(DLOPT_PLANTED(RankUnasked) ? B.getTrue() : Is,
                 Copy->getLoopPreheader(), Run);
  Old->eraseFromParent();
  return true;
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
      if (!Ranks.find() || !Ranks.apply(Number))
        break;
      Changed = true;
      FAM.invalidate(F, PreservedAnalyses::none());
      Close();
    }
  return Changed;
}

} // namespace dlopt
