//===- ScopedClone.cpp - Guarded loops with noalias scopes ----------------===//
//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// loops  ->  if (disjoint) { loops with scopes } else { loops as they were }
///
//===----------------------------------------------------------------------===//
#include "NoAliasImpl.h"
#include "dlopt/AliasScopes.h"
#include "dlopt/Compat.h"
#include "dlopt/Guards.h"
#include "dlopt/SelfCheck.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace dlopt;

namespace {

class ScopedCloner {
public:
  ScopedCloner(RaisedKernel &RK, GuardedRegion &Region)
      : RK(RK), Region(Region) {}

  void run(ArrayRef<std::pair<BasicBlock *, MDNode *>> LoopIDs, LoopInfo &LI);

private:
  void cloneBlocks();
  void connectExits();

  RaisedKernel &RK;
  GuardedRegion &Region;
  ValueToValueMapTy Map;
  SmallVector<BasicBlock *, 8> Blocks;
};

} // namespace

void ScopedCloner::cloneBlocks() {
  Function *F = Region.Fast->getParent();
  for (BasicBlock *BB : RK.Nest->blocks()) {
    BasicBlock *New = CloneBasicBlock(BB, Map, ".scoped", F);
    New->moveBefore(Region.Original);
    Map[BB] = New;
    Blocks.push_back(New);
  }
  // The header is entered from the fast path.
  Map[RK.Preheader] = Region.Fast;
  remapInstructionsInBlocks(Blocks, Map);
}

/// Edges to the exit go to Join instead; phis there take the clone's values.
void ScopedCloner::connectExits() {
  BasicBlock *End =
      BasicBlock::Create(Region.Fast->getContext(), "dl.fast.exit",
                         Region.Fast->getParent(), Region.Original);
  for (BasicBlock *New : Blocks)
    New->getTerminator()->replaceSuccessorWith(RK.Exit, End);
  UncondBrInst::Create(Region.Join, End)
      ->setDebugLoc(Region.Fast->getTerminator()->getDebugLoc());
  Region.Fast->getTerminator()->setSuccessor(
      0, cast<BasicBlock>(Map[RK.Nest->getHeader()]));
  Region.Join->replacePhiUsesWith(Region.Fast, End);
  for (auto &[Phi, Index] : Region.Outs)
    Phi->setIncomingValueForBlock(End, Map[RK.LiveOuts[Index].V]);
}

/// The clone's loops keep the metadata of the source, under identities of their
/// own, with a mark of their own instead of the one that the originals got.
static void setLoopID(Instruction &Latch, MDNode *Old) {
  LLVMContext &C = Latch.getContext();
  SmallVector<Metadata *, 4> Ops = {nullptr};
  if (Old)
    Ops.append(Old->op_begin() + 1, Old->op_end());
  Ops.push_back(MDNode::get(C, MDString::get(C, ScopedLoopTag)));
  MDNode *ID = MDNode::getDistinct(C, Ops);
  ID->replaceOperandWith(0, ID);
  Latch.setMetadata(LLVMContext::MD_loop, ID);
}

void ScopedCloner::run(ArrayRef<std::pair<BasicBlock *, MDNode *>> LoopIDs,
                       LoopInfo &LI) {
  cloneBlocks();
  for (auto [Latch, ID] : LoopIDs)
    setLoopID(*cast<BasicBlock>(Map[Latch])->getTerminator(), ID);
  // Loops around the nest know the new blocks; the new loops themselves are
  // found when LoopInfo is computed again.
  if (Loop *Parent = RK.Nest->getParentLoop())
    for (BasicBlock *New : Blocks)
      Parent->addBasicBlockToLoop(New, LI);
  IRBuilder<> B(Region.Fast->getTerminator());
  AliasScopes Scopes(*RK.K, B);
  // Objects are those that the kernel names: of the original nest.
  for (BasicBlock *BB : RK.Nest->blocks())
    for (Instruction &I : *BB)
      if (const Value *Ptr = getLoadStorePointerOperand(&I))
        Scopes.annotate(*cast<Instruction>(Map.lookup(&I)), Ptr);
  connectExits();
}

Verdict dlopt::addScopedClone(RaisedKernel &RK, Function &F,
                              FunctionAnalysisManager &FAM,
                              const SelfCheck &Check) {
  SmallVector<std::pair<BasicBlock *, MDNode *>, 4> LoopIDs;
  for (Loop *L : RK.Nest->getLoopsInPreorder()) {
    if (!L->getLoopLatch())
      return {Reason::NotRotatable, RK.Preheader->getTerminator(), ""};
    LoopIDs.push_back({L->getLoopLatch(), L->getLoopID()});
  }
  // The clone would need values for the phis behind side exits.
  if (RK.Nest->getExitingBlock() != RK.Exiting)
    return {Reason::MultipleExits, RK.Preheader->getTerminator(), ""};
  GuardedRegion Region;
  if (Verdict Why = openGuard(RK, F, FAM, Region, Check); !Why.ok())
    return Why;
  GuardEmitter E(RK, Region, F, FAM);
  bool Testable = E.addNeeds();
  if (!Testable || E.isKnownToFail()) {
    E.abandon();
    return {Testable ? Reason::GuardFails : Reason::MayAlias,
            RK.Preheader->getTerminator(), ""};
  }
  // The parameters' and buffers' own values name the accesses of the nest;
  // finish() rebinds them.
  ScopedCloner(RK, Region).run(LoopIDs, FAM.getResult<LoopAnalysis>(F));
  FAM.getResult<DominatorTreeAnalysis>(F).recalculate(F);
  if (!E.finish())
    return {Reason::GuardFails, RK.Preheader->getTerminator(), ""};
  addSelfCheck(RK, Region, Check, F, FAM);
  return {};
}
