//===- PointerEnds.cpp - Loops that end at a pointer ----------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PointerEnds.h"
#include "RoundCounter.h"
#include "dlopt/Compat.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace dlopt {

namespace {

/// A pointer that moves by the same number of bytes in each round.
struct Iterator {
  PHINode *Phi = nullptr;
  GetElementPtrInst *Next = nullptr;
  Value *Start = nullptr;
  int64_t Step = 0;
};

class LoopCounter {
public:
  explicit LoopCounter(Loop &L)
      : L(L), DL(L.getHeader()->getModule()->getDataLayout()) {}
  bool run();

private:
  Iterator getIterator(Value *V) const;
  Value *getCount(const Iterator &It, const Value *V);
  Value *countRounds(const Iterator &It, Value *End);
  Value *countRoundsUpTo(const Iterator &It, Value *End);
  bool countTo(ICmpInst &Test);
  bool countTests(Value &Condition);
  bool countBehind(PHINode &Out);

  Loop &L;
  const DataLayout &DL;
  RoundCounter Rounds;
};

} // namespace

/// The iterator that \p V is, before it moves or afterwards.
Iterator LoopCounter::getIterator(Value *V) const {
  Iterator It;
  auto *Moved = dyn_cast<GetElementPtrInst>(V);
  It.Phi = dyn_cast<PHINode>(Moved ? Moved->getPointerOperand() : V);
  // Pointers that are integers of 64 bits, and move like them.
  if (!It.Phi || It.Phi->getParent() != L.getHeader() ||
      DL.getPointerTypeSizeInBits(V->getType()) != 64 ||
      DL.getIndexTypeSizeInBits(V->getType()) != 64 ||
      DL.isNonIntegralPointerType(V->getType()))
    return {};
  It.Start = It.Phi->getIncomingValueForBlock(L.getLoopPreheader());
  It.Next = dyn_cast<GetElementPtrInst>(
      It.Phi->getIncomingValueForBlock(L.getLoopLatch()));
  APInt Step(64, 0);
  if (!It.Next || It.Next->getPointerOperand() != It.Phi ||
      (Moved && Moved != It.Next) ||
      !It.Next->accumulateConstantOffset(DL, Step) || Step.isZero())
    return {};
  It.Step = Step.getSExtValue();
  return It;
}

/// The number of steps that \p V, which is \p It, is away from its start.
Value *LoopCounter::getCount(const Iterator &It, const Value *V) {
  if (!Rounds.Count)
    Rounds = addRoundCounter(L);
  return V == It.Phi ? Rounds.Count : Rounds.Next;
}

namespace {

/// From the start of an iterator to its end, in the direction of its steps.
struct Distance {
  Value *Low, *High, *Bytes;
  ConstantInt *Step;
};

} // namespace

static Distance getDistance(IRBuilderBase &B, const Iterator &It, Value *End) {
  Distance D;
  D.Low = B.CreatePtrToInt(It.Start, B.getInt64Ty());
  D.High = B.CreatePtrToInt(End, B.getInt64Ty());
  if (It.Step < 0)
    std::swap(D.Low, D.High);
  D.Bytes = B.CreateSub(D.High, D.Low);
  D.Step = B.getInt64(std::abs(It.Step));
  return D;
}

/// The rounds after which \p It is at \p End: -1, which no counter comes to, if
/// whole steps do not lead there.
Value *LoopCounter::countRounds(const Iterator &It, Value *End) {
  IRBuilder<> B(L.getLoopPreheader()->getTerminator());
  Distance D = getDistance(B, It, End);
  Value *Rest = B.CreateSRem(D.Bytes, D.Step);
  Value *IsWhole = B.CreateICmpEQ(Rest, B.getInt64(0));
  if (DLOPT_PLANTED(PointerEndRounded))
    IsWhole = B.getTrue();
  return B.CreateSelect(IsWhole, B.CreateSDiv(D.Bytes, D.Step), B.getInt64(-1),
                        "rounds");
}

/// The rounds in which \p It is in front of \p End. It does not wrap.
Value *LoopCounter::countRoundsUpTo(const Iterator &It, Value *End) {
  IRBuilder<> B(L.getLoopPreheader()->getTerminator());
  Distance D = getDistance(B, It, End);
  Value *HasRest = B.CreateICmpNE(B.CreateURem(D.Bytes, D.Step), B.getInt64(0));
  Value *Rounds = B.CreateAdd(B.CreateUDiv(D.Bytes, D.Step),
                              B.CreateZExt(HasRest, B.getInt64Ty()));
  return B.CreateSelect(B.CreateICmpULE(D.Low, D.High), Rounds, B.getInt64(0),
                        "rounds");
}

/// Makes \p Test, if it compares an iterator with its end, one of numbers.
bool LoopCounter::countTo(ICmpInst &Test) {
  if (!Test.getOperand(0)->getType()->isPointerTy())
    return false;
  for (unsigned I : {0, 1}) {
    Value *V = Test.getOperand(I), *End = Test.getOperand(1 - I);
    CmpInst::Predicate Pred =
        I == 0 ? Test.getPredicate() : Test.getSwappedPredicate();
    Iterator It = L.isLoopInvariant(End) ? getIterator(V) : Iterator();
    // How far apart two pointers into one array are is seen as they are.
    if (!It.Phi || isa<ConstantPointerNull>(End) ||
        getUnderlyingObject(End) == getUnderlyingObject(It.Start))
      continue;
    bool Down = It.Step < 0;
    Value *Last = nullptr;
    if (Test.isEquality())
      Last = countRounds(It, End);
    else if (It.Next->isInBounds() &&
             (Pred == (Down ? CmpInst::ICMP_UGT : CmpInst::ICMP_ULT) ||
              Pred == (Down ? CmpInst::ICMP_ULE : CmpInst::ICMP_UGE)))
      Last = countRoundsUpTo(It, End);
    if (!Last)
      continue;
    if (Down && !Test.isEquality())
      Pred = CmpInst::getSwappedPredicate(Pred);
    IRBuilder<> B(&Test);
    Test.replaceAllUsesWith(B.CreateICmp(Pred, getCount(It, V), Last));
    return true;
  }
  return false;
}

/// All tests of iterators that \p Condition consists of.
bool LoopCounter::countTests(Value &Condition) {
  Value *A = nullptr, *B = nullptr;
  if (match(&Condition, m_LogicalOp(m_Value(A), m_Value(B)))) {
    bool Changed = countTests(*A);
    // The first may have been the second, too.
    match(&Condition, m_LogicalOp(m_Value(), m_Value(B)));
    return countTests(*B) || Changed;
  }
  auto *Test = dyn_cast<ICmpInst>(&Condition);
  if (!Test || !L.contains(Test) || !countTo(*Test))
    return false;
  Test->eraseFromParent();
  return true;
}

/// Computes \p Out, behind the loop, from the number of rounds, if it is an
/// iterator.
bool LoopCounter::countBehind(PHINode &Out) {
  if (!Out.getType()->isPointerTy() || Out.getNumIncomingValues() != 1 ||
      !L.contains(Out.getIncomingBlock(0)))
    return false;
  Value *V = Out.getIncomingValue(0);
  Iterator It = getIterator(V);
  if (!It.Phi)
    return false;
  IRBuilder<> B(&Out);
  PHINode *Count = B.CreatePHI(B.getInt64Ty(), 1);
  Count->addIncoming(getCount(It, V), Out.getIncomingBlock(0));
  B.SetInsertPoint(Out.getParent(), Out.getParent()->getFirstInsertionPt());
  Value *Bytes = B.CreateMul(Count, B.getInt64(It.Step));
  Out.replaceAllUsesWith(B.CreatePtrAdd(It.Start, Bytes));
  return true;
}

bool LoopCounter::run() {
  if (!L.getLoopPreheader() || !L.getLoopLatch())
    return false;
  bool Changed = false;
  SmallVector<BasicBlock *, 4> Blocks;
  L.getExitingBlocks(Blocks);
  for (BasicBlock *BB : Blocks)
    if (auto *Br = dyn_cast<CondBrInst>(BB->getTerminator()))
      Changed |= countTests(*Br->getCondition());
  // Inside others, the loops around go on with it.
  if (!L.isOutermost())
    return Changed;
  Blocks.clear();
  L.getUniqueExitBlocks(Blocks);
  for (BasicBlock *BB : Blocks)
    for (PHINode &Out : make_early_inc_range(BB->phis()))
      if (!Out.use_empty() && countBehind(Out)) {
        Out.eraseFromParent();
        Changed = true;
      }
  return Changed;
}

bool countToPointerEnds(const LoopInfo &LI) {
  bool Changed = false;
  for (Loop *L : LI.getLoopsInPreorder())
    Changed |= LoopCounter(*L).run();
  return Changed;
}

} // namespace dlopt
