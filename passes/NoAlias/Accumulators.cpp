//===- Accumulators.cpp - Sums in memory, in registers --------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Accumulators.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

using namespace llvm;
using namespace dlopt;

namespace {

/// Makes values of all loads and stores of one address in a loop.
class SumPromoter : public LoadAndStorePromoter {
public:
  SumPromoter(ArrayRef<const Instruction *> Accesses, SSAUpdater &SSA,
              BasicBlock &Exit, StoreInst &Store)
      : LoadAndStorePromoter(Accesses, SSA), SSA(SSA), Exit(Exit),
        Last(cast<StoreInst>(Store.clone())) {}

private:
  void doExtraRewritesBeforeFinalDeletion() override {
    Last->insertBefore(Exit.getFirstInsertionPt());
    Last->setOperand(0, SSA.GetValueInMiddleOfBlock(&Exit));
  }

  SSAUpdater &SSA;
  BasicBlock &Exit;
  StoreInst *Last;
};

} // namespace

/// The accesses of \p A, all of whom are in the copy.
static SmallVector<Instruction *, 4> getCopies(const NestCopy &C,
                                               const Accumulator &A) {
  SmallVector<Instruction *, 4> Copies;
  for (Instruction *I : A.Accesses)
    Copies.push_back(cast<Instruction>(C.get(I)));
  return Copies;
}

static void promote(ArrayRef<Instruction *> Accesses, BasicBlock &Preheader,
                    BasicBlock &Exit) {
  Instruction *First = Accesses.front();
  auto *Store = cast<StoreInst>(
      *find_if(Accesses, [](Instruction *I) { return isa<StoreInst>(I); }));
  Type *Ty = getLoadStoreType(First);
  // All of them may be aligned as little as any.
  Align Alignment = getLoadStoreAlignment(First);
  AAMDNodes Tags = First->getAAMetadata();
  for (Instruction *I : Accesses) {
    Alignment = std::min(Alignment, getLoadStoreAlignment(I));
    Tags = Tags.merge(I->getAAMetadata());
  }
  auto *Start = new LoadInst(Ty, getLoadStorePointerOperand(First), "dl.sum",
                             /*isVolatile=*/false, Alignment,
                             Preheader.getTerminator()->getIterator());
  Start->setDebugLoc(First->getDebugLoc());
  Start->setAAMetadata(Tags);
  Store->setAlignment(Alignment);
  Store->setAAMetadata(Tags);
  SmallVector<PHINode *, 4> Phis;
  SSAUpdater SSA(&Phis);
  SmallVector<const Instruction *, 4> Known(Accesses.begin(), Accesses.end());
  SumPromoter Promoter(Known, SSA, Exit, *Store);
  SSA.AddAvailableValue(&Preheader, Start);
  Promoter.run(SmallVector<Instruction *, 4>(Accesses));
}

/// Loads of \p Inner, which runs, that are executed in each iteration and whose
/// address does not change: stores to other addresses have been tested.
static void hoistLoads(Loop &Inner, BasicBlock &Preheader,
                       const DominatorTree &DT) {
  SmallPtrSet<const Value *, 4> Stored;
  for (BasicBlock *BB : Inner.blocks())
    for (Instruction &I : *BB)
      if (auto *Store = dyn_cast<StoreInst>(&I))
        Stored.insert(Store->getPointerOperand());
  for (BasicBlock *BB : Inner.blocks()) {
    if (!DT.dominates(BB, Inner.getLoopLatch()))
      continue;
    for (Instruction &I : make_early_inc_range(*BB))
      if (isa<LoadInst>(I) &&
          Inner.isLoopInvariant(getLoadStorePointerOperand(&I)) &&
          !Stored.contains(getLoadStorePointerOperand(&I))) {
        I.moveBefore(Preheader, Preheader.getTerminator()->getIterator());
        I.updateLocationAfterHoist();
      }
  }
}

void dlopt::promoteAccumulators(NestCopy &C, NestMemory &Memory,
                                FunctionAnalysisManager &FAM) {
  if (Memory.accumulators().empty())
    return;
  Function &F = C.function();
  FAM.invalidate(F, PreservedAnalyses::none());
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  SmallSetVector<Loop *, 2> Loops;
  for (const Accumulator &A : Memory.accumulators()) {
    Loop *Inner = LI.getLoopFor(cast<BasicBlock>(C.get(A.Inner->getHeader())));
    if (!Inner->getLoopPreheader())
      InsertPreheaderForLoop(Inner, &DT, &LI, nullptr, false);
    formDedicatedExitBlocks(Inner, &DT, &LI, nullptr, false);
    SmallVector<Instruction *, 4> Accesses = getCopies(C, A);
    for (Instruction *I : Accesses)
      C.forget(*I);
    promote(Accesses, *Inner->getLoopPreheader(), *Inner->getExitBlock());
    Loops.insert(Inner);
  }
  for (Loop *Inner : Loops)
    hoistLoads(*Inner, *Inner->getLoopPreheader(), DT);
}
