//===- EmptyTests.cpp - Numbers that are 0 of nothing anyway --------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Rust's chunks() asks whether there is anything before it divides:
///
///   rounds = n == 0 ? 0 : min(n / d + (n % d != 0), m)
///
/// which is the bound of a loop, or asked whether there is a round. As what is
/// divided is 0 then, so is the other side, and where d is not 0 it can be
/// computed in any case.
///
//===----------------------------------------------------------------------===//
#include "EmptyTests.h"
#include "dlopt/Compat.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace dlopt {

using Instructions = SmallVectorImpl<Instruction *>;

/// Whether \p V is no poison at \p At if the \p Flagged have no flags.
static bool isDefined(Value *V, const Instruction *At, const DominatorTree &DT,
                      Instructions &Flagged, unsigned Depth = 0) {
  constexpr unsigned MostDepth = 4;
  if (isGuaranteedNotToBePoison(V, nullptr, At, &DT))
    return true;
  auto *I = dyn_cast<Instruction>(V);
  auto *O = dyn_cast_or_null<Operator>(I);
  if (!O || Depth == MostDepth || isa<PHINode, LoadInst>(I) ||
      canCreatePoison(O, /*ConsiderFlagsAndMetadata=*/false))
    return false;
  Flagged.push_back(I);
  return all_of(I->operands(), [&](Value *Op) {
    return isa<Function>(Op) || isDefined(Op, At, DT, Flagged, Depth + 1);
  });
}

/// Whether \p V is 0, and no poison, at \p At where \p Count is.
static bool isZeroWith(Value *V, Value *Count, const Instruction *At,
                       const DominatorTree &DT, Instructions &Flagged,
                       unsigned Depth = 0) {
  constexpr unsigned MostDepth = 6;
  Value *X = nullptr, *Y = nullptr;
  if (V == Count || match(V, m_Zero()))
    return true;
  if (Depth == MostDepth)
    return false;
  auto IsZero = [&](Value *Op) {
    return isZeroWith(Op, Count, At, DT, Flagged, Depth + 1);
  };
  auto Either = [&](Value *A, Value *B) {
    return IsZero(A) && isDefined(B, At, DT, Flagged);
  };
  if (match(V, m_UMin(m_Value(X), m_Value(Y))) ||
      match(V, m_Mul(m_Value(X), m_Value(Y))))
    return Either(X, Y) || Either(Y, X);
  CmpPredicate Pred;
  Value *Rest = nullptr;
  if (match(V, m_Select(m_ICmp(Pred, m_Value(Rest), m_Zero()), m_Value(X),
                        m_Value(Y))) &&
      ICmpInst::isEquality(Pred) && IsZero(Rest))
    return IsZero(Pred == CmpInst::ICMP_EQ ? X : Y);
  if (match(V, m_Add(m_Value(X), m_Value(Y))) ||
      match(V, m_Or(m_Value(X), m_Value(Y))))
    return IsZero(X) && IsZero(Y);
  if (match(V, m_UDiv(m_Value(X), m_Value())) ||
      match(V, m_URem(m_Value(X), m_Value())) || match(V, m_ZExt(m_Value(X))) ||
      match(V, m_SpecificICmp(CmpInst::ICMP_NE, m_Value(X), m_Zero())))
    return IsZero(X);
  return false;
}

/// Whether \p V is not 0 at the end of \p At, by a test on the way there.
static bool isTested(Value *V, const BasicBlock *At, const DominatorTree &DT) {
  if (auto *C = dyn_cast<ConstantInt>(V))
    return !C->isZero();
  if (DLOPT_PLANTED(EmptyDivisorUnasked))
    return true;
  for (User *U : V->users()) {
    CmpPredicate Pred;
    if (!match(U, m_ICmp(Pred, m_Specific(V), m_Zero())) ||
        !ICmpInst::isEquality(Pred))
      continue;
    for (User *Branch : U->users()) {
      auto *Br = dyn_cast<CondBrInst>(Branch);
      if (!Br)
        continue;
      BasicBlock *To = Br->getSuccessor(Pred == CmpInst::ICMP_EQ ? 1 : 0);
      if (DT.dominates(BasicBlockEdge(Br->getParent(), To), At))
        return true;
    }
  }
  return false;
}

/// Whether \p I may run at the end of \p At.
static bool canRunAt(const Instruction &I, const BasicBlock *At,
                     const DominatorTree &DT) {
  if (I.getOpcode() == Instruction::UDiv || I.getOpcode() == Instruction::URem)
    return isTested(I.getOperand(1), At, DT);
  return !I.mayReadOrWriteMemory() &&
         isSafeToSpeculativelyExecute(&I, At->getTerminator(), nullptr, &DT);
}

/// The block at whose end \p I, which may run at that of \p From, runs least
/// often: what divides numbers that a loop does not change stays in no loop.
static BasicBlock *getPlace(const Instruction &I, BasicBlock *From,
                            const DominatorTree &DT, const LoopInfo &LI) {
  for (const Loop *L = LI.getLoopFor(From); L; L = LI.getLoopFor(From)) {
    BasicBlock *Before = L->getLoopPredecessor();
    if (!Before || !L->hasLoopInvariantOperands(&I) || !canRunAt(I, Before, DT))
      break;
    From = Before;
  }
  return From;
}

/// Whether \p BB goes on to \p Join where \p V, of what it tests, is 0; null:
/// it tests nothing.
static bool leadsTo(BasicBlock *BB, BasicBlock *Join, Value *&V) {
  V = nullptr;
  if (auto *Br = dyn_cast<UncondBrInst>(BB->getTerminator()))
    return Br->getSuccessor() == Join;
  auto *Br = dyn_cast<CondBrInst>(BB->getTerminator());
  CmpPredicate Pred;
  return Br && match(Br->getCondition(), m_ICmp(Pred, m_Value(V), m_Zero())) &&
         ICmpInst::isEquality(Pred) &&
         Br->getSuccessor(Pred == CmpInst::ICMP_EQ ? 0 : 1) == Join;
}

/// Where \p Test goes to \p Join if Count is 0 and else to \p Otherwise, which
/// goes there, too, with what is 0 for a Count of 0 anyway.
static bool foldTest(CondBrInst &Test, Value *Count, BasicBlock *Otherwise,
                     BasicBlock *Join, const DominatorTree &DT,
                     const LoopInfo &LI) {
  constexpr unsigned MostInstructions = 16;
  BasicBlock *From = Test.getParent();
  Value *Tested;
  if (Otherwise->getSinglePredecessor() != From ||
      Otherwise->size() > MostInstructions || !leadsTo(Otherwise, Join, Tested))
    return false;
  SmallVector<Instruction *, 8> Flagged;
  auto IsZero = [&](Value *V) {
    return isZeroWith(V, Count, &Test, DT, Flagged);
  };
  if (Tested ? !IsZero(Tested) : Join->phis().empty())
    return false;
  for (PHINode &Phi : Join->phis()) {
    Value *Here = Phi.getIncomingValueForBlock(From);
    Value *There = Phi.getIncomingValueForBlock(Otherwise);
    if (Here != There && (!Here->getType()->isIntegerTy() ||
                          !match(Here, m_Zero()) || !IsZero(There)))
      return false;
  }
  for (const Instruction &I : *Otherwise)
    if (!I.isTerminator() && !canRunAt(I, From, DT))
      return false;
  // What was not used may have been anything. Numbers that are 0 do not wrap.
  for (Instruction *I : Flagged)
    I->dropPoisonGeneratingAnnotations();
  for (Instruction &I : make_early_inc_range(*Otherwise)) {
    if (I.isTerminator())
      break;
    I.dropUBImplyingAttrsAndMetadata();
    if (BasicBlock *To = getPlace(I, From, DT, LI); To != From)
      I.moveBefore(*To, To->getTerminator()->getIterator());
  }
  Join->removePredecessor(From, /*KeepOneInputPHIs=*/true);
  UncondBrInst::Create(Otherwise, Test.getIterator());
  Test.eraseFromParent();
  return true;
}

bool foldEmptyTests(Function &F, const DominatorTree &DT, const LoopInfo &LI) {
  bool Changed = false;
  for (BasicBlock &BB : F) {
    auto *Test = dyn_cast<CondBrInst>(BB.getTerminator());
    CmpPredicate Pred;
    Value *Count = nullptr;
    if (!Test || !DT.isReachableFromEntry(&BB) ||
        !match(Test->getCondition(), m_ICmp(Pred, m_Value(Count), m_Zero())) ||
        !Count->getType()->isIntegerTy() || !ICmpInst::isEquality(Pred))
      continue;
    bool IfTrue = Pred == CmpInst::ICMP_EQ;
    BasicBlock *Join = Test->getSuccessor(IfTrue ? 0 : 1);
    BasicBlock *Otherwise = Test->getSuccessor(IfTrue ? 1 : 0);
    Changed |=
        Join != Otherwise && foldTest(*Test, Count, Otherwise, Join, DT, LI);
  }
  return Changed;
}

} // namespace dlopt
