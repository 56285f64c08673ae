//===- RotatedLoops.cpp - Loops that test behind each round ---------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What has been optimized, as modules that meet in a link, asks in front of a
/// loop whether there is a round, and then behind each:
///
///   if (n != 0)                             for (i = 0; i != n; ++i)
///     do { ...; ++i; } while (i != n);  ->    ...;
///
/// What a nest comes to in which order is seen of loops that test ahead.
///
//===----------------------------------------------------------------------===//
#include "RotatedLoops.h"
#include "dlopt/Compat.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace dlopt {
namespace {

class RotatedLoop {
public:
  explicit RotatedLoop(const Loop &L) : L(L) {}

  bool match();
  void testAhead();

private:
  bool matchTest();
  bool matchGuard();
  bool leavesAsGuard() const;
  Value *getAhead(Value *V) const;

  const Loop &L;
  BasicBlock *Header = nullptr, *Latch = nullptr, *Exit = nullptr;
  PHINode *Index = nullptr;
  Value *Bound = nullptr;
  /// Goes to Behind from Guard's block if Bound is 0, as the exit does.
  CondBrInst *Guard = nullptr;
  BasicBlock *Behind = nullptr;
};

} // namespace

/// What \p V, at the end of a round, is in front of the next one; null: that is
/// not known there.
Value *RotatedLoop::getAhead(Value *V) const {
  if (L.isLoopInvariant(V))
    return V;
  for (PHINode &Phi : Header->phis())
    if (Phi.getIncomingValueForBlock(Latch) == V)
      return &Phi;
  return nullptr;
}

/// Whether an index from 0 on is compared with a bound at the end of a round.
bool RotatedLoop::matchTest() {
  auto *Br = dyn_cast<CondBrInst>(Latch->getTerminator());
  Value *Next = nullptr;
  CmpPredicate Pred;
  if (!Br || L.getExitingBlock() != Latch ||
      !PatternMatch::match(Br->getCondition(),
                           m_c_ICmp(Pred, m_Value(Next), m_Value(Bound))))
    return false;
  if (L.isLoopInvariant(Next))
    std::swap(Next, Bound);
  Exit = Br->getSuccessor(Br->getSuccessor(0) == Header ? 1 : 0);
  Index = dyn_cast_or_null<PHINode>(getAhead(Next));
  return ICmpInst::isEquality(Pred) &&
         (Pred == CmpInst::ICMP_NE) == (Br->getSuccessor(0) == Header) &&
         Index && Index->getParent() == Header && L.isLoopInvariant(Bound) &&
         PatternMatch::match(
             Index->getIncomingValueForBlock(L.getLoopPreheader()), m_Zero());
}

/// Whether the way to the loop starts with a test for rounds, and nothing on it
/// has an effect.
bool RotatedLoop::matchGuard() {
  BasicBlock *At = L.getLoopPreheader();
  Behind = Exit->getSingleSuccessor();
  for (; At && Behind; At = At->getSinglePredecessor()) {
    if ((Guard = dyn_cast<CondBrInst>(At->getTerminator())))
      break;
    for (const Instruction &I : *At)
      if (!I.isTerminator() &&
          (I.mayReadOrWriteMemory() || !isSafeToSpeculativelyExecute(&I)))
        return false;
  }
  CmpPredicate Pred;
  return At && Behind && Guard &&
         PatternMatch::match(Guard->getCondition(),
                             m_ICmp(Pred, m_Specific(Bound), m_Zero())) &&
         ICmpInst::isEquality(Pred) &&
         Guard->getSuccessor(Pred == CmpInst::ICMP_EQ ? 0 : 1) == Behind &&
         Guard->getSuccessor(0) != Guard->getSuccessor(1);
}

/// Whether nothing is between the loop and where the guard leads, and values
/// there are those of a loop without a round.
bool RotatedLoop::leavesAsGuard() const {
  if (&*Exit->getFirstNonPHIOrDbg() != Exit->getTerminator())
    return false;
  for (PHINode &Out : Exit->phis())
    if (!getAhead(Out.getIncomingValueForBlock(Latch)))
      return false;
  for (PHINode &Out : Behind->phis()) {
    Value *Here = Out.getIncomingValueForBlock(Guard->getParent());
    Value *There = Out.getIncomingValueForBlock(Exit);
    if (auto *Of = dyn_cast<PHINode>(There); Of && Of->getParent() == Exit)
      There = getAhead(Of->getIncomingValueForBlock(Latch));
    if (auto *Of = dyn_cast<PHINode>(There); Of && Of->getParent() == Header)
      There = Of->getIncomingValueForBlock(L.getLoopPreheader());
    if (Here != There && !DLOPT_PLANTED(NoRoundUnasked))
      return false;
  }
  return true;
}

bool RotatedLoop::match() {
  Header = L.getHeader();
  Latch = L.getLoopLatch();
  return L.getLoopPreheader() && Latch && matchTest() &&
         Exit->getUniquePredecessor() == Latch && matchGuard() &&
         leavesAsGuard();
}

void RotatedLoop::testAhead() {
  BasicBlock *Preheader = L.getLoopPreheader();
  for (PHINode &Out : Exit->phis())
    Out.setIncomingValue(0, getAhead(Out.getIncomingValue(0)));
  auto *Test =
      BasicBlock::Create(Header->getContext(), Header->getName() + ".test",
                         Header->getParent(), Header);
  for (PHINode &Phi : make_early_inc_range(Header->phis()))
    Phi.moveBefore(*Test, Test->end());
  auto *Go = new ICmpInst(Test->end(), CmpInst::ICMP_NE, Index, Bound);
  CondBrInst::Create(Go, Header, Exit, Test);
  Exit->replacePhiUsesWith(Latch, Test);
  Preheader->getTerminator()->replaceSuccessorWith(Header, Test);
  Instruction *Old = Latch->getTerminator();
  auto *Back = UncondBrInst::Create(Test, Old->getIterator());
  Back->setDebugLoc(Old->getDebugLoc());
  Back->setMetadata(LLVMContext::MD_loop,
                    Old->getMetadata(LLVMContext::MD_loop));
  Old->eraseFromParent();
  BasicBlock *To =
      Guard->getSuccessor(Guard->getSuccessor(0) == Behind ? 1 : 0);
  Behind->removePredecessor(Guard->getParent(), /*KeepOneInputPHIs=*/true);
  UncondBrInst::Create(To, Guard->getIterator());
  Guard->eraseFromParent();
}

bool testRoundsAhead(Function &F, FunctionAnalysisManager &FAM) {
  auto Next = [&] {
    for (const Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
      if (RotatedLoop R(*L); R.match()) {
        R.testAhead();
        return true;
      }
    return false;
  };
  bool Changed = false;
  while (Next()) {
    FAM.invalidate(F, PreservedAnalyses::none());
    Changed = true;
  }
  return Changed;
}

} // namespace dlopt
