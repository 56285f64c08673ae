//===- InclusiveRanges.cpp - Ranges with their last element ---------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Rust's first..=last must not overflow behind the last number of its type:
///
///   for (i = first, done = false; !(done || i > last);) {
///     ...
///     more = i < last;
///     done = more ? done : true;
///     i = more ? i + 1 : i;
///   }
///
/// has last - first + 1 rounds, if first <= last, and i is first plus as many
/// as there have been.
///
//===----------------------------------------------------------------------===//
#include "InclusiveRanges.h"
#include "RoundCounter.h"
#include "dlopt/Compat.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace dlopt {

namespace {

struct InclusiveRange {
  PHINode *Index = nullptr;
  Value *First = nullptr, *Last = nullptr;
  bool IsSigned = false;
  CondBrInst *Test = nullptr;
};

} // namespace

/// Whether \p V is \p A if \p Index is in front of \p Last, and else \p B, each
/// as the functions say.
template <typename IsA, typename IsB>
static bool isChoice(Value *V, const InclusiveRange &R, IsA A, IsB B) {
  auto *Choice = dyn_cast<SelectInst>(V);
  if (!Choice)
    return false;
  CmpInst::Predicate Less = R.IsSigned ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT;
  Value *Cond = Choice->getCondition(), *IfLess = Choice->getTrueValue(),
        *Else = Choice->getFalseValue();
  if (match(Cond, m_SpecificICmp(CmpInst::getInversePredicate(Less),
                                 m_Specific(R.Index), m_Specific(R.Last))))
    std::swap(IfLess, Else);
  else if (!match(Cond, m_SpecificICmp(Less, m_Specific(R.Index),
                                       m_Specific(R.Last))))
    return false;
  return A(IfLess) && B(Else);
}

/// Whether \p Flag says in the header of \p L that the last element was there.
static bool isFlag(Value *Flag, const Loop &L, const InclusiveRange &R) {
  Value *Wide = nullptr;
  if (match(Flag, m_Trunc(m_Value(Wide))))
    Flag = Wide;
  auto *Phi = dyn_cast<PHINode>(Flag);
  return Phi && Phi->getParent() == L.getHeader() &&
         match(Phi->getIncomingValueForBlock(L.getLoopPreheader()), m_Zero()) &&
         isChoice(
             Phi->getIncomingValueForBlock(L.getLoopLatch()), R,
             [&](Value *V) { return V == Phi || match(V, m_Zero()); },
             [](Value *V) { return match(V, m_One()); });
}

/// The range that \p Flag and \p Beyond, in either of which \p L is left, test;
/// without Index: none. \p Negated: they are true where it goes on.
static InclusiveRange getRange(const Loop &L, Value *Flag, Value *Beyond,
                               bool Negated) {
  InclusiveRange R;
  auto *Test = dyn_cast<ICmpInst>(Beyond);
  if (!Test || (Negated && !match(Flag, m_Not(m_Value(Flag)))))
    return {};
  CmpInst::Predicate Pred =
      Negated ? Test->getInversePredicate() : Test->getPredicate();
  R.IsSigned = Pred == CmpInst::ICMP_SGT;
  R.Index = dyn_cast<PHINode>(Test->getOperand(0));
  R.Last = Test->getOperand(1);
  if ((Pred != CmpInst::ICMP_UGT && !R.IsSigned) || !R.Index ||
      R.Index->getParent() != L.getHeader() || !L.isLoopInvariant(R.Last) ||
      !isFlag(Flag, L, R) ||
      !isChoice(
          R.Index->getIncomingValueForBlock(L.getLoopLatch()), R,
          [&](Value *V) {
            return match(V, m_Add(m_Specific(R.Index), m_One()));
          },
          [&](Value *V) { return V == R.Index; }))
    return {};
  R.First = R.Index->getIncomingValueForBlock(L.getLoopPreheader());
  return R;
}

/// The range that the header of \p L tests, or none.
static InclusiveRange getRange(const Loop &L) {
  auto *Br = dyn_cast<CondBrInst>(L.getHeader()->getTerminator());
  if (!Br || L.contains(Br->getSuccessor(0)) == L.contains(Br->getSuccessor(1)))
    return {};
  bool Negated = L.contains(Br->getSuccessor(0));
  Value *Cond = Br->getCondition(), *A = nullptr, *B = nullptr;
  if (!(Negated ? match(Cond, m_LogicalAnd(m_Value(A), m_Value(B)))
                : match(Cond, m_LogicalOr(m_Value(A), m_Value(B)))))
    return {};
  InclusiveRange R = getRange(L, A, B, Negated);
  if (!R.Index)
    R = getRange(L, B, A, Negated);
  R.Test = Br;
  return R;
}

/// Whether all that is done in the header, where the loop is left, too, may be
/// done with another index.
static bool isHarmless(const BasicBlock &Header) {
  return all_of(Header, [](const Instruction &I) {
    return isa<PHINode>(I) || I.isTerminator() ||
           isSafeToSpeculativelyExecute(&I);
  });
}

/// Whether something behind \p L may ask for the index, which stays at the last
/// element there: by what the header computes.
static bool isUsedBehind(const InclusiveRange &R, const Loop &L) {
  const BasicBlock *Header = L.getHeader();
  const BasicBlock *Exit =
      R.Test->getSuccessor(L.contains(R.Test->getSuccessor(0)));
  return any_of(Exit->phis(), [&](const PHINode &Out) {
    Value *V = Out.getIncomingValueForBlock(Header);
    auto *I = dyn_cast<Instruction>(V);
    return I && L.contains(I) && (I == R.Index || !isa<PHINode>(I));
  });
}

/// All numbers of 64 bits are as many rounds as no counter comes to.
static Value *countRounds(const InclusiveRange &R, Instruction *Before) {
  IRBuilder<> B(Before);
  Value *More = B.CreateZExt(B.CreateSub(R.Last, R.First), B.getInt64Ty());
  Value *All = B.getInt64(-1);
  Value *Rounds = B.CreateSelect(B.CreateICmpEQ(More, All), All,
                                 B.CreateAdd(More, B.getInt64(1)));
  Value *HasAny = R.IsSigned ? B.CreateICmpSLE(R.First, R.Last)
                             : B.CreateICmpULE(R.First, R.Last);
  if (DLOPT_PLANTED(EmptyRangeRuns))
    HasAny = B.getTrue();
  return B.CreateSelect(HasAny, Rounds, B.getInt64(0), "rounds");
}

bool countInclusiveRanges(const LoopInfo &LI) {
  bool Changed = false;
  for (Loop *L : LI.getLoopsInPreorder()) {
    if (!L->getLoopPreheader() || !L->getLoopLatch())
      continue;
    InclusiveRange R = getRange(*L);
    if (!R.Index || R.Index->getType()->getIntegerBitWidth() > 64 ||
        isUsedBehind(R, *L) || !isHarmless(*L->getHeader()))
      continue;
    Value *Rounds = countRounds(R, L->getLoopPreheader()->getTerminator());
    Value *Count = addRoundCounter(*L).Count;
    IRBuilder<> B(L->getHeader(), L->getHeader()->getFirstNonPHIIt());
    // It goes up to the last element, and one further without being used. Of
    // more than half of its type's numbers the sum wraps as a signed one.
    R.Index->replaceAllUsesWith(
        B.CreateAdd(R.First, B.CreateTrunc(Count, R.Index->getType()), "",
                    /*HasNUW=*/!R.IsSigned));
    R.Test->setCondition(L->contains(R.Test->getSuccessor(0))
                             ? B.CreateICmpULT(Count, Rounds)
                             : B.CreateICmpUGE(Count, Rounds));
    Changed = true;
  }
  return Changed;
}

} // namespace dlopt
