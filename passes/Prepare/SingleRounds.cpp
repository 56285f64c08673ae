//===- SingleRounds.cpp - Loops of one round ------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Generators of code write loops over everything that may have more than one
/// element. Of a loop over one, the test becomes `b == 0`, what it counts
/// to becomes 1, or all that is left is a phi that is true, then false: none
/// counts rounds, so the loop would keep what is inside from being one nest
/// with it.
///
//===----------------------------------------------------------------------===//
#include "SingleRounds.h"
#include "dlopt/Compat.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace dlopt {

namespace {

/// A loop that its header leaves.
class TestedLoop {
public:
  TestedLoop(const Loop &L, const DataLayout &DL) : L(L), DL(DL) {}

  bool runsOnce(function_ref<ScalarEvolution &()> GetSE);
  void remove();

private:
  bool isPlain();
  Constant *getSecond(Value *V) const;
  bool startsAnywhere() const;

  const Loop &L;
  const DataLayout &DL;
  BasicBlock *Header = nullptr, *Latch = nullptr, *Exit = nullptr;
  CmpInst *Test = nullptr;       ///< in the header
  PHINode *Remembered = nullptr; ///< its result, where that is all there is
  bool ExitIfTrue = false;
};

} // namespace

/// Whether there is nothing in the header but phis, the test and what is the
/// same in each round, and no phi is used behind the loop but by phis of the
/// exit.
bool TestedLoop::isPlain() {
  Header = L.getHeader();
  Latch = L.getLoopLatch();
  if (!L.getLoopPreheader() || !Latch || Latch == Header)
    return false;
  auto *Br = dyn_cast<CondBrInst>(Header->getTerminator());
  if (!isa<UncondBrInst>(Latch->getTerminator()) || !Br)
    return false;
  ExitIfTrue = !L.contains(Br->getSuccessor(0));
  Exit = Br->getSuccessor(ExitIfTrue ? 0 : 1);
  Test = dyn_cast<CmpInst>(Br->getCondition());
  Remembered = dyn_cast<PHINode>(Br->getCondition());
  if (L.contains(Exit) || !Exit->getUniquePredecessor() ||
      !(Test ? Test->getParent() == Header && Test->hasOneUse()
             : Remembered && Remembered->getParent() == Header))
    return false;
  for (Instruction &I : *Header)
    if (!isa<PHINode>(I) && &I != Test && &I != Br &&
        (I.mayReadOrWriteMemory() || !L.hasLoopInvariantOperands(&I)))
      return false;
  return all_of(Header->phis(), [&](const PHINode &P) {
    return all_of(P.users(), [&](const User *U) {
      const auto *I = cast<Instruction>(U);
      return L.contains(I) || (isa<PHINode>(I) && I->getParent() == Exit);
    });
  });
}

/// What \p V is at the second test, as far as it is known.
Constant *TestedLoop::getSecond(Value *V) const {
  auto *P = dyn_cast<PHINode>(V);
  if (!P || P->getParent() != Header)
    return dyn_cast<Constant>(V);
  Value *Next = P->getIncomingValueForBlock(Latch);
  auto *I = dyn_cast<BinaryOperator>(Next);
  if (!I)
    return dyn_cast<Constant>(Next);
  SmallVector<Constant *, 2> Ops;
  for (Value *Op : I->operands()) {
    if (auto *Q = dyn_cast<PHINode>(Op); Q && Q->getParent() == Header)
      Op = Q->getIncomingValueForBlock(L.getLoopPreheader());
    auto *C = dyn_cast<Constant>(Op);
    if (!C)
      return nullptr;
    Ops.push_back(C);
  }
  return ConstantFoldBinaryOpOperands(I->getOpcode(), Ops[0], Ops[1], DL);
}

/// Whether no number is known that the loop counts from, nor to.
bool TestedLoop::startsAnywhere() const {
  return none_of(Test->operand_values(), [&](const Value *V) {
    const auto *P = dyn_cast<PHINode>(V);
    if (P && P->getParent() == Header)
      V = P->getIncomingValueForBlock(L.getLoopPreheader());
    return isa<Constant>(V);
  });
}

bool TestedLoop::runsOnce(function_ref<ScalarEvolution &()> GetSE) {
  if (!isPlain())
    return false;
  if (Remembered) {
    auto *Second = dyn_cast_or_null<ConstantInt>(getSecond(Remembered));
    return Second && Second->isOne() == ExitIfTrue;
  }
  if (startsAnywhere()) {
    // By the header: another exit may be in the middle of the second round.
    auto *Rounds = dyn_cast<SCEVConstant>(
        GetSE().getExitCount(&L, Header, ScalarEvolution::ConstantMaximum));
    return Rounds && Rounds->getAPInt().ule(1);
  }
  Constant *A = getSecond(Test->getOperand(0));
  Constant *B = A ? getSecond(Test->getOperand(1)) : nullptr;
  Constant *R =
      B ? ConstantFoldCompareInstOperands(Test->getPredicate(), A, B, DL)
        : nullptr;
  auto *Known = dyn_cast_or_null<ConstantInt>(R);
  return Known &&
         (Known->isOne() == ExitIfTrue || DLOPT_PLANTED(SecondRoundDropped));
}

void TestedLoop::remove() {
  for (PHINode &P : Exit->phis()) {
    Value *V = P.getIncomingValueForBlock(Header);
    if (auto *Q = dyn_cast<PHINode>(V); Q && Q->getParent() == Header)
      V = Q->getIncomingValueForBlock(Latch);
    P.addIncoming(V, Latch);
  }
  Header->removePredecessor(Latch);
  auto *Back = cast<UncondBrInst>(Latch->getTerminator());
  Back->setSuccessor(Exit);
  Back->setMetadata(LLVMContext::MD_loop, nullptr);
}

bool removeSingleRounds(const LoopInfo &LI, const DataLayout &DL,
                        function_ref<ScalarEvolution &()> GetSE) {
  SmallVector<TestedLoop, 4> Found;
  for (const Loop *L : LI.getLoopsInPreorder())
    if (TestedLoop T(*L, DL); T.runsOnce(GetSE))
      Found.push_back(T);
  for (TestedLoop &T : Found)
    T.remove();
  return !Found.empty();
}

} // namespace dlopt
