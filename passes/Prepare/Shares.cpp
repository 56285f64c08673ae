//===- Shares.cpp - Shares of flat loops as whole and partial rows --------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a thread gets of two OpenMP loops that are collapsed starts and ends
/// anywhere in a row:
///
///   for x in [S, E): f(x / D, x % D)
///
///   for x in [S, min(E, up(S))):             f(S / D, x - S / D * D)
///   for x in [min(E, up(S)), T):             f(x / D, x % D)
///   for x in [T, E), T = max(.., down(E)):   f(T / D, x - T / D * D)
///
/// Where D or a bound is negative or so large that this might wrap, the middle
/// loop does it all.
///
//===----------------------------------------------------------------------===//
#include "Shares.h"
#include "dlopt/Compat.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

class ShareSplitter {
public:
  ShareSplitter(Loop &L, LoopInfo &LI, DominatorTree &DT)
      : L(L), LI(LI), DT(DT) {}
  bool find();
  void apply();

private:
  bool matchTest();
  bool matchDivisions();
  void emitBounds(Instruction *At);
  BasicBlock *clone(BasicBlock *Before, BasicBlock *Dom, Value *From,
                    Value *End, Value *Row, const char *Suffix);
  Value *getBound(IRBuilder<> &B, Value *End) const;

  Loop &L;
  LoopInfo &LI;
  DominatorTree &DT;
  PHINode *Index = nullptr;
  ICmpInst *Test = nullptr;
  Value *Start = nullptr, *Last = nullptr, *Divisor = nullptr;
  bool IsInclusive = false;
  SmallVector<BinaryOperator *, 4> Divisions;
  /// Where the three loops start and end.
  Value *HeadStart = nullptr, *HeadEnd = nullptr, *TailStart = nullptr,
        *TailEnd = nullptr, *MainStart = nullptr, *MainBound = nullptr,
        *HeadRow = nullptr, *TailRow = nullptr, *Width = nullptr;
};

} // namespace

/// One index that goes up by one to a bound from outside, and no value that is
/// used behind the loop.
bool ShareSplitter::find() {
  BasicBlock *Header = L.getHeader(), *Exit = L.getUniqueExitBlock();
  if (!L.isLoopSimplifyForm() || L.isInnermost() || !Exit ||
      L.getExitingBlock() != Header || !Exit->phis().empty() ||
      Exit->getSinglePredecessor() != Header)
    return false;
  for (PHINode &P : Header->phis()) {
    if (Index)
      return false;
    Index = &P;
  }
  if (!Index || !Index->getType()->isIntegerTy() ||
      Index->getType()->getIntegerBitWidth() > 64 ||
      !match(Index->getIncomingValueForBlock(L.getLoopLatch()),
             m_Add(m_Specific(Index), m_One())))
    return false;
  Start = Index->getIncomingValueForBlock(L.getLoopPreheader());
  return !match(Start, m_Zero()) && matchTest() && matchDivisions();
}

bool ShareSplitter::matchTest() {
  auto *Br = dyn_cast<CondBrInst>(L.getHeader()->getTerminator());
  Test = Br ? dyn_cast<ICmpInst>(Br->getCondition()) : nullptr;
  if (!Test || !Test->hasOneUse() || Test->getOperand(0) != Index ||
      !L.isLoopInvariant(Test->getOperand(1)))
    return false;
  Last = Test->getOperand(1);
  CmpInst::Predicate P = L.contains(Br->getSuccessor(0))
                             ? Test->getPredicate()
                             : Test->getInversePredicate();
  IsInclusive = P == CmpInst::ICMP_SLE;
  return IsInclusive || P == CmpInst::ICMP_SLT || P == CmpInst::ICMP_ULT;
}

bool ShareSplitter::matchDivisions() {
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB) {
      auto *B = dyn_cast<BinaryOperator>(&I);
      if (!B || !B->isIntDivRem() || B->getOperand(0) != Index)
        continue;
      if (!L.isLoopInvariant(B->getOperand(1)) ||
          (Divisor && Divisor != B->getOperand(1)))
        return false;
      Divisor = B->getOperand(1);
      Divisions.push_back(B);
    }
  return Divisor != nullptr;
}

/// What the test compares with in a loop that ends in front of \p End.
Value *ShareSplitter::getBound(IRBuilder<> &B, Value *End) const {
  return IsInclusive ? B.CreateSub(End, ConstantInt::get(End->getType(), 1))
                     : End;
}

void ShareSplitter::emitBounds(Instruction *At) {
  IRBuilder<> B(At);
  Type *Ty = Index->getType();
  Value *Zero = ConstantInt::get(Ty, 0), *One = ConstantInt::get(Ty, 1);
  Value *D = B.CreateFreeze(Divisor), *S = B.CreateFreeze(Start),
        *E = B.CreateFreeze(Last);
  Value *Max =
      ConstantInt::get(Ty, APInt::getSignedMaxValue(Ty->getIntegerBitWidth()));
  Value *Ok = B.CreateICmpSGT(D, Zero);
  Ok = B.CreateAnd(Ok, B.CreateICmpSGE(S, Zero));
  Ok = B.CreateAnd(Ok, B.CreateICmpSLT(E, B.CreateSub(Max, D)));
  Value *End = IsInclusive ? B.CreateAdd(E, One) : E;
  Ok = B.CreateAnd(Ok, B.CreateICmpSLE(S, End));
  Width = B.CreateSelect(Ok, D, One);
  HeadStart = B.CreateSelect(Ok, S, Zero);
  TailEnd = B.CreateSelect(Ok, End, Zero);
  Value *Rest = B.CreateURem(HeadStart, Width);
  Value *Up = B.CreateSelect(B.CreateICmpEQ(Rest, Zero), HeadStart,
                             B.CreateAdd(HeadStart, B.CreateSub(Width, Rest)));
  HeadEnd = B.CreateBinaryIntrinsic(Intrinsic::smin, Up, TailEnd);
  Value *Down = B.CreateSub(TailEnd, B.CreateURem(TailEnd, Width));
  TailStart = B.CreateBinaryIntrinsic(Intrinsic::smax, HeadEnd, Down);
  HeadRow = B.CreateUDiv(HeadStart, Width);
  TailRow = B.CreateUDiv(TailStart, Width);
  MainStart = B.CreateSelect(Ok, HeadEnd, S);
  MainBound = B.CreateSelect(Ok, getBound(B, TailStart), E);
}

/// A copy of the loop from \p From to \p End that goes on to \p Before, in
/// which the row is \p Row. Returns its preheader, which nothing leads to yet.
BasicBlock *ShareSplitter::clone(BasicBlock *Before, BasicBlock *Dom,
                                 Value *From, Value *End, Value *Row,
                                 const char *Suffix) {
  ValueToValueMapTy Map;
  SmallVector<BasicBlock *, 8> Blocks;
  BasicBlock *Exit = L.getUniqueExitBlock();
  Loop *New =
      cloneLoopWithPreheader(Before, Dom, &L, Map, Suffix, &LI, &DT, Blocks);
  remapInstructionsInBlocks(Blocks, Map);
  // What a scope says of a round it does not say of those of other copies.
  SmallVector<MDNode *, 2> Scopes;
  identifyNoAliasScopesToClone(L.getBlocks(), Scopes);
  cloneAndAdaptNoAliasScopes(Scopes, Blocks, L.getHeader()->getContext(),
                             Suffix);
  auto *NewIndex = cast<PHINode>(Map[Index]);
  NewIndex->setIncomingValueForBlock(New->getLoopPreheader(), From);
  IRBuilder<> B(New->getLoopPreheader()->getTerminator());
  cast<ICmpInst>(Map[Test])->setOperand(1, getBound(B, End));
  New->getHeader()->getTerminator()->replaceSuccessorWith(Exit, Before);
  for (BinaryOperator *Old : Divisions) {
    auto *I = cast<BinaryOperator>(Map[Old]);
    B.SetInsertPoint(I);
    bool IsRow = I->getOpcode() == Instruction::SDiv ||
                 I->getOpcode() == Instruction::UDiv;
    I->replaceAllUsesWith(
        IsRow ? Row : B.CreateSub(NewIndex, B.CreateMul(Row, Width)));
    I->eraseFromParent();
  }
  return New->getLoopPreheader();
}

void ShareSplitter::apply() {
  BasicBlock *Entry = L.getLoopPreheader(), *Exit = L.getUniqueExitBlock();
  // The copies get the preheader's instructions, too: it has none.
  BasicBlock *Main = SplitBlock(Entry, Entry->getTerminator(), &DT, &LI);
  emitBounds(Entry->getTerminator());
  BasicBlock *Head = clone(Main, Entry, HeadStart, HeadEnd, HeadRow, ".head");
  BasicBlock *Tail =
      clone(Exit, L.getHeader(), TailStart, TailEnd, TailRow, ".tail");
  Entry->getTerminator()->setSuccessor(0, Head);
  L.getHeader()->getTerminator()->replaceSuccessorWith(Exit, Tail);
  Index->setIncomingValueForBlock(Main, MainStart);
  Test->setOperand(1, MainBound);
}

/// Whether the loop multiplies anything but indices.
static bool multiplies(const Loop &L) {
  return any_of(L.blocks(), [](const BasicBlock *BB) {
    return any_of(*BB, [](const Instruction &I) {
      return I.getOpcode() == Instruction::FMul ||
             match(&I, m_Intrinsic<Intrinsic::fmuladd>());
    });
  });
}

bool dlopt::splitShares(Function &F, LoopInfo &LI, DominatorTree &DT) {
  bool Changed = false;
  SmallVector<Loop *, 8> Loops = LI.getLoopsInPreorder();
  for (Loop *L : Loops) {
    ShareSplitter S(*L, LI, DT);
    if (!multiplies(*L) || !S.find())
      continue;
    S.apply();
    Changed = true;
    DT.recalculate(F);
  }
  return Changed;
}
