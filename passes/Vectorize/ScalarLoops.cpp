//===- ScalarLoops.cpp - What stays scalar beside a nest -----------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ScalarLoops.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

/// Whether \p V is what a round makes of \p Phi, by operations that keep their
/// order. Sums may be written as several additions.
static bool isChain(const PHINode &Phi, const Value *V) {
  constexpr unsigned MaxLength = 16;
  SmallPtrSet<const Value *, 16> Seen;
  SmallVector<const Value *, 8> Work = {V};
  while (!Work.empty() && Seen.size() < MaxLength) {
    const auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    bool Computes = I && (I->isBinaryOp() || isa<IntrinsicInst>(I)) &&
                    isa<FPMathOperator>(I) && !I->hasAllowReassoc();
    if (!Computes || !Seen.insert(I).second)
      continue;
    if (is_contained(I->operand_values(), &Phi))
      return true;
    append_range(Work, I->operand_values());
  }
  return false;
}

/// Whether \p L carries such a number from round to round.
static bool hasChain(const Loop &L, const BasicBlock &Latch) {
  return any_of(L.getHeader()->phis(), [&](const PHINode &Phi) {
    return Phi.getType()->isFloatingPointTy() &&
           isChain(Phi, Phi.getIncomingValueForBlock(&Latch));
  });
}

/// A function, or an intrinsic that becomes the call of one; not where it may
/// be approximated, which is done in vectors.
static bool isSlowCall(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || (isa<FPMathOperator>(Call) && Call->hasApproxFunc()))
    return false;
  switch (Call->getIntrinsicID()) {
  case Intrinsic::not_intrinsic:
  case Intrinsic::exp:
  case Intrinsic::exp2:
  case Intrinsic::exp10:
  case Intrinsic::log:
  case Intrinsic::log2:
  case Intrinsic::log10:
  case Intrinsic::pow:
  case Intrinsic::sin:
  case Intrinsic::cos:
  case Intrinsic::tan:
  case Intrinsic::tanh:
    return true;
  default:
    return false;
  }
}

/// Whether \p L stays scalar, and has more than a few rounds.
static bool takesLong(const Loop &L, ScalarEvolution &SE) {
  constexpr unsigned FewRounds = 16;
  const BasicBlock *Latch = L.getLoopLatch();
  if (!L.isInnermost() || !Latch)
    return false;
  bool Calls = any_of(
      L.blocks(), [](const BasicBlock *BB) { return any_of(*BB, isSlowCall); });
  if (!Calls && !hasChain(L, *Latch))
    return false;
  unsigned Rounds = SE.getSmallConstantTripCount(&L);
  return Rounds == 0 || Rounds > FewRounds;
}

/// Whether \p F has loops and makes one floating-point number of them: helpers
/// that sum are inlined only later.
static bool isSum(const Function &F, unsigned Depth) {
  constexpr unsigned MaxDepth = 3;
  if (!F.getReturnType()->isFloatingPointTy() || F.isDeclaration() ||
      Depth == MaxDepth)
    return false;
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>, 4> Backedges;
  FindFunctionBackedges(F, Backedges);
  return !Backedges.empty() || any_of(instructions(F), [&](const auto &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    return Callee && isSum(*Callee, Depth + 1);
  });
}

bool dlopt::isBesideScalarLoop(const Loop &Nest, const LoopInfo &LI,
                               ScalarEvolution &SE) {
  const Loop *Parent = Nest.getParentLoop();
  const std::vector<Loop *> &Siblings =
      Parent ? Parent->getSubLoops() : LI.getTopLevelLoops();
  if (any_of(Siblings,
             [&](const Loop *L) { return L != &Nest && takesLong(*L, SE); }))
    return true;
  const Function &F = *Nest.getHeader()->getParent();
  return any_of(instructions(F), [&](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    return Callee && !(isa<FPMathOperator>(Call) && Call->hasAllowReassoc()) &&
           LI.getLoopFor(I.getParent()) == Parent && isSum(*Callee, 0);
  });
}

bool dlopt::isLeftOver(const Loop &L) {
  const BasicBlock *Before = L.getLoopPredecessor(), *Latch = L.getLoopLatch();
  if (!Before || !Latch)
    return false;
  return any_of(L.getHeader()->phis(), [&](const PHINode &Phi) {
    const Value *Start = Phi.getIncomingValueForBlock(Before);
    const auto *End = dyn_cast<PHINode>(Start);
    while (End && End->getNumIncomingValues() == 1)
      End = dyn_cast<PHINode>(End->getIncomingValue(0));
    if (!End || !match(Phi.getIncomingValueForBlock(Latch),
                       m_c_Add(m_Specific(&Phi), m_One())))
      return false;
    return any_of(End->incoming_values(), [&](const Value *Next) {
      const APInt *Step;
      return match(Next, m_c_Add(m_Specific(End), m_APInt(Step))) &&
             Step->sgt(1);
    });
  });
}
