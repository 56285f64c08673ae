//===- FoldGuards.cpp - Guards that are provable by now -------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// br (... & (start(X) - start(Y) >= bytes(Y)) & ...), Fast, Original !dl.guard
/// -> the comparison is true where X and Y point into distinct objects.
///
/// The comparison speaks of the bytes that the loops access. If the loops run,
/// those of X are inside X's object and those of Y inside Y's, or their
/// accesses would be undefined; if the loops do not run, the guard's other
/// tests (all extents at least one) take the original path, whatever this one
/// says.
///
/// Simplification may have turned the conjunction around: a disjunction of
/// negated comparisons that leads to Original.
///
//===----------------------------------------------------------------------===//
#include "NoAliasImpl.h"
#include "dlopt/Compat.h"
#include "dlopt/Guards.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace dlopt;

/// \p V as an operation, instruction or constant expression.
static bool matchOperator(Value *V, unsigned Opcode, Value *&A, Value *&C) {
  auto *O = dyn_cast<Operator>(V);
  if (!O || O->getOpcode() != Opcode)
    return false;
  A = O->getOperand(0);
  C = O->getOperand(1);
  return true;
}

/// The pointer in `ptrtoint P + ...`; null if there is none or more than one.
static Value *getAddress(Value *V, unsigned Depth = 0) {
  Value *P, *A, *C;
  if (match(V, m_PtrToInt(m_Value(P))))
    return P;
  if (Depth > 4 || !matchOperator(V, Instruction::Add, A, C))
    return nullptr;
  Value *First = getAddress(A, Depth + 1), *Second = getAddress(C, Depth + 1);
  return First && Second ? nullptr : First ? First : Second;
}

/// Whether \p V says `start(X) - start(Y) >= bytes`, or its negation.
static bool isDisjointnessTest(Value *V, bool Negated, Value *&X, Value *&Y) {
  auto *Cmp = dyn_cast<ICmpInst>(V);
  if (!Cmp)
    return false;
  CmpInst::Predicate Pred = Cmp->getPredicate();
  if (!matchOperator(Cmp->getOperand(0), Instruction::Sub, X, Y)) {
    if (!matchOperator(Cmp->getOperand(1), Instruction::Sub, X, Y))
      return false;
    Pred = CmpInst::getSwappedPredicate(Pred);
  }
  if (Negated)
    Pred = CmpInst::getInversePredicate(Pred);
  return Pred == ICmpInst::ICMP_UGE || Pred == ICmpInst::ICMP_UGT;
}

static bool areDistinctObjects(const Value *P, const Value *Q) {
  const Value *X = getUnderlyingObject(P, 0), *Y = getUnderlyingObject(Q, 0);
  if (DLOPT_PLANTED(FoldedUnidentified))
    return X != Y;
  return X != Y && isIdentifiedObject(X) && isIdentifiedObject(Y);
}

/// Replaces tests in the condition tree \p V by what is known of them; \p Holds
/// is the value with which the tree leads to the fast path.
static bool foldTests(Use &U, bool Holds) {
  Value *V = U.get(), *A, *C, *X, *Y;
  if (match(V, m_Freeze(m_Value(A))) && V->hasOneUse())
    return foldTests(cast<Instruction>(V)->getOperandUse(0), Holds);
  bool IsJoin = Holds ? match(V, m_And(m_Value(A), m_Value(C)))
                      : match(V, m_Or(m_Value(A), m_Value(C)));
  if (IsJoin && V->hasOneUse()) {
    auto *I = cast<Instruction>(V);
    bool First = foldTests(I->getOperandUse(0), Holds);
    return foldTests(I->getOperandUse(1), Holds) || First;
  }
  if (!isDisjointnessTest(V, !Holds, X, Y))
    return false;
  Value *P = getAddress(X), *Q = getAddress(Y);
  if (!P || !Q || !areDistinctObjects(P, Q))
    return false;
  U.set(ConstantInt::getBool(V->getContext(), Holds));
  return true;
}

bool dlopt::foldGuards(Function &F) {
  bool Changed = false;
  for (BasicBlock &BB : F) {
    auto *Branch = dyn_cast_or_null<CondBrInst>(BB.getTerminator());
    if (!Branch || !Branch->getMetadata(GuardTag))
      continue;
    // A conjunction leads to the fast path where it holds, a disjunction is one
    // that was turned around.
    bool Holds = !match(Branch->getCondition(), m_Or(m_Value(), m_Value()));
    Changed |= foldTests(Branch->getOperandUse(0), Holds);
  }
  return Changed;
}
