//===- GuardBuilder.cpp - A fast path beside the original loops -----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Compat.h"
#include "dlopt/Guards.h"
#include "dlopt/SelfCheck.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace dlopt {

void addLoopFlag(Loop &L, StringRef Name) {
  if (findOptionMDForLoop(&L, Name))
    return;
  LLVMContext &C = L.getHeader()->getContext();
  SmallVector<Metadata *, 4> Ops = {nullptr}; // a loop ID names itself first
  if (MDNode *Old = L.getLoopID())
    Ops.append(std::next(Old->op_begin()), Old->op_end());
  Ops.push_back(MDNode::get(C, MDString::get(C, Name)));
  MDNode *ID = MDNode::getDistinct(C, Ops);
  ID->replaceOperandWith(0, ID);
  L.setLoopID(ID);
}

void GuardedRegion::setLiveOut(unsigned Idx, Value *V) {
  for (auto &[Phi, LiveOut] : Outs)
    if (LiveOut == Idx)
      Phi->setIncomingValue(1, V); // 0 is Exit
}

/// For each phi of the exit: the live-out it closes, or nullopt for a value
/// that is not from the nest. False if a phi closes something unknown.
static bool matchExitPhis(const RaisedKernel &RK,
                          SmallVectorImpl<std::optional<unsigned>> &Matched) {
  for (PHINode &Phi : RK.Exit->phis()) {
    auto *I = dyn_cast<Instruction>(Phi.getIncomingValue(0));
    if (!Phi.hasConstantValue() && Phi.getNumIncomingValues() != 1)
      return false;
    if (!I || !RK.Nest->contains(I)) {
      Matched.push_back(std::nullopt);
      continue;
    }
    const auto *Out = find_if(
        RK.LiveOuts, [&](const auto &Candidate) { return Candidate.V == I; });
    if (Out == RK.LiveOuts.end())
      return false;
    Matched.push_back(Out - RK.LiveOuts.begin());
  }
  return true;
}

static bool isClosed(const RaisedKernel &RK) {
  if (!RK.Preheader || !RK.Exit)
    return false;
  return isa<UncondBrInst>(RK.Preheader->getTerminator()) &&
         !RK.Exit->isEHPad() && RK.Exit->getUniquePredecessor() == RK.Exiting;
}

/// Moves the phis of the exit into Join, where they keep their users (which may
/// be bound to other kernels); phis in the exit close the loops in their stead.
static void joinExitPhis(GuardedRegion &R, BasicBlock *Exit,
                         ArrayRef<std::optional<unsigned>> Matched) {
  SmallVector<PHINode *, 2> Phis;
  for (PHINode &Phi : Exit->phis())
    Phis.push_back(&Phi);
  for (auto [Phi, LiveOut] : zip(Phis, Matched)) {
    auto *Closing = cast<PHINode>(Phi->clone());
    Closing->insertBefore(Phi->getIterator());
    Closing->setName(Phi->getName() + ".original");
    while (Phi->getNumIncomingValues())
      Phi->removeIncomingValue(0u, /*DeletePHIIfEmpty=*/false);
    Phi->moveBefore(*R.Join, R.Join->getFirstNonPHIIt());
    Phi->addIncoming(Closing, Exit);
    Phi->addIncoming(LiveOut ? PoisonValue::get(Phi->getType())
                             : Closing->getIncomingValue(0),
                     R.Fast);
    if (LiveOut)
      R.Outs.push_back({Phi, *LiveOut});
  }
}

/// nullopt if the nest is not closed as RaisedKernel promises.
static std::optional<GuardedRegion> guardNest(RaisedKernel &RK,
                                              DominatorTree &DT, LoopInfo &LI) {
  formLCSSARecursively(*RK.Nest, DT, &LI, nullptr);
  // The guard of a neighbouring nest may have put other blocks around this one.
  RK.Preheader = RK.Nest->getLoopPreheader();
  for (BasicBlock *BB : successors(RK.Exiting))
    if (!RK.Nest->contains(BB))
      RK.Exit = BB;
  SmallVector<std::optional<unsigned>, 2> Matched;
  if (!isClosed(RK) || !matchExitPhis(RK, Matched))
    return std::nullopt;

  GuardedRegion R;
  R.Guard = RK.Preheader;
  Instruction *Enter = R.Guard->getTerminator();
  DebugLoc Loc = Enter->getDebugLoc();
  R.Original = SplitBlock(R.Guard, Enter, &DT, &LI, nullptr, "dl.original");
  R.Join = SplitBlock(RK.Exit, RK.Exit->getFirstNonPHIIt(), &DT, &LI, nullptr,
                      "dl.join");
  LLVMContext &C = R.Guard->getContext();
  R.Enter = R.Fast =
      BasicBlock::Create(C, "dl.fast", R.Guard->getParent(), R.Original);
  UncondBrInst::Create(R.Join, R.Fast)->setDebugLoc(Loc);
  R.Guard->getTerminator()->eraseFromParent();
  CondBrInst::Create(ConstantInt::getFalse(C), R.Fast, R.Original, R.Guard)
      ->setDebugLoc(Loc);

  DT.addNewBlock(R.Fast, R.Guard);
  DT.changeImmediateDominator(R.Join, R.Guard);
  // Where side exits meet what is behind the nest, Join no longer is behind it.
  if (!RK.Nest->getExitingBlock())
    DT.recalculate(*R.Guard->getParent());
  if (Loop *Parent = RK.Nest->getParentLoop())
    Parent->addBasicBlockToLoop(R.Fast, LI);
  joinExitPhis(R, RK.Exit, Matched);
  RK.Preheader = R.Original;
  for (Loop *L : RK.Nest->getLoopsInPreorder())
    addLoopFlag(*L, OriginalLoopTag);
  return R;
}

/// Stack arrays whose scope begins or ends in the nest live throughout: what
/// replaces the nest may use several of them at once, and has no markers.
static void dropScopes(const Loop &Nest) {
  SmallSetVector<Value *, 4> Arrays;
  for (BasicBlock *BB : Nest.blocks())
    for (Instruction &I : *BB)
      if (I.isLifetimeStartOrEnd())
        Arrays.insert(cast<IntrinsicInst>(I).getArgOperand(0));
  for (Value *Array : Arrays)
    for (User *U : make_early_inc_range(Array->users()))
      if (auto *I = dyn_cast<Instruction>(U); I && I->isLifetimeStartOrEnd())
        I->eraseFromParent();
}

Verdict openGuard(RaisedKernel &RK, Function &F, FunctionAnalysisManager &FAM,
                  GuardedRegion &Region, const SelfCheck &Check) {
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &AA = FAM.getResult<AAManager>(F);
  if (Verdict Needs = GuardEmitter::checkNeeds(RK, DT, LI, &AA); !Needs.ok())
    return Needs;
  const auto &TLI = FAM.getResult<TargetLibraryAnalysis>(F);
  if (Verdict Why = canSelfCheck(RK, Check, F, TLI); !Why.ok())
    return Why;
  std::optional<GuardedRegion> Opened = guardNest(RK, DT, LI);
  if (!Opened)
    return {Reason::NotRotatable, RK.Nest->getHeader()->getTerminator(), ""};
  Region = std::move(*Opened);
  dropScopes(*RK.Nest);
  return {};
}

void adoptNewLoops(Function &F, DominatorTree &DT, LoopInfo &LI) {
  DT.recalculate(F);
  LoopInfo Fresh(DT);
  for (Loop *New : Fresh.getLoopsInPreorder()) {
    if (Loop *Known = LI.getLoopFor(New->getHeader());
        Known && Known->getHeader() == New->getHeader())
      continue;
    Loop *L = LI.AllocateLoop();
    if (Loop *Parent = New->getParentLoop())
      LI.getLoopFor(Parent->getHeader())->addChildLoop(L);
    else
      LI.addTopLevelLoop(L);
    L->addBasicBlockToLoop(New->getHeader(), LI);
  }
  for (BasicBlock &BB : F)
    if (Loop *New = Fresh.getLoopFor(&BB); New && !LI.getLoopFor(&BB))
      LI.getLoopFor(New->getHeader())->addBasicBlockToLoop(&BB, LI);
}

} // namespace dlopt
