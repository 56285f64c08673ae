//===- Rematerialize.cpp - Computing invariants again elsewhere -----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Rematerialize.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace dlopt {

/// Computations longer than this are not worth copying.
static constexpr unsigned MaxCopies = 64;

static bool isAvailable(const Value *V, InRegionFn InRegion) {
  auto *I = dyn_cast<Instruction>(V);
  return !I || !InRegion(I->getParent());
}

/// Not freeze: each may choose another value.
static bool canCopy(const Instruction &I) {
  if (auto *L = dyn_cast<LoadInst>(&I))
    return L->isSimple();
  if (auto *Phi = dyn_cast<PHINode>(&I))
    return Phi->getNumIncomingValues() == 1;
  if (auto *Call = dyn_cast<IntrinsicInst>(&I))
    return Call->doesNotAccessMemory() && Call->willReturn() &&
           !Call->isConvergent() && !Call->hasOperandBundles();
  return isa<UnaryOperator, BinaryOperator, CastInst, CmpInst, SelectInst,
             GetElementPtrInst>(I);
}

/// Whether \p V follows from available values by instructions that
/// \p IsAccepted.
static bool followsBy(function_ref<bool(const Instruction &)> IsAccepted,
                      const Value *V, InRegionFn InRegion) {
  SmallVector<const Value *, 8> Todo = {V};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Todo.empty()) {
    const Value *Next = Todo.pop_back_val();
    if (isAvailable(Next, InRegion) || !Seen.insert(Next).second)
      continue;
    auto *I = cast<Instruction>(Next);
    if (!IsAccepted(*I) || Seen.size() > MaxCopies)
      return false;
    Todo.append(I->value_op_begin(), I->value_op_end());
  }
  return true;
}

static bool canCopyUnwritten(const Instruction &I, IsUnwrittenFn IsUnwritten) {
  auto *Load = dyn_cast<LoadInst>(&I);
  return canCopy(I) && (!Load || IsUnwritten(*Load));
}

bool canRematerialize(const Value *V, InRegionFn InRegion,
                      IsUnwrittenFn IsUnwritten) {
  auto IsAccepted = [&](const Instruction &I) {
    return canCopyUnwritten(I, IsUnwritten);
  };
  return followsBy(IsAccepted, V, InRegion);
}

bool canSpeculate(const Value *V, InRegionFn InRegion,
                  IsUnwrittenFn IsUnwritten) {
  auto IsSafe = [&](const Instruction &I) {
    return canCopyUnwritten(I, IsUnwritten) &&
           (isa<PHINode>(I) || isSafeToSpeculativelyExecute(&I));
  };
  return followsBy(IsSafe, V, InRegion);
}

Value *copyFirstRound(IRBuilderBase &B, Value *V, InRegionFn InRegion,
                      PhiFn GetFirst,
                      DenseMap<const Value *, Value *> &Copies) {
  if (isAvailable(V, InRegion))
    return V;
  if (Value *Known = Copies.lookup(V))
    return Known;
  auto *I = cast<Instruction>(V);
  if (auto *Phi = dyn_cast<PHINode>(I))
    return copyFirstRound(B, GetFirst(*Phi), InRegion, GetFirst, Copies);
  SmallVector<Value *, 4> Operands;
  for (Value *Op : I->operand_values())
    Operands.push_back(copyFirstRound(B, Op, InRegion, GetFirst, Copies));
  Instruction *New = I->clone();
  for (auto [Idx, Op] : enumerate(Operands))
    New->setOperand(Idx, Op);
  // Scopes of a loop body and its access groups do not hold out of it, and what
  // was undefined in the nest must not be so in front of it.
  New->dropUBImplyingAttrsAndMetadata();
  B.Insert(New, I->getName());
  New->setDebugLoc(B.getCurrentDebugLocation());
  return Copies[V] = New;
}

Value *rematerialize(IRBuilderBase &B, Value *V, InRegionFn InRegion,
                     DenseMap<const Value *, Value *> &Copies) {
  auto IsKnown = [&](const Instruction &I) {
    return Copies.contains(&I) || canCopy(I);
  };
  if (!followsBy(IsKnown, V, InRegion))
    return nullptr;
  // This ends: a cycle of SSA values goes through a phi with two incoming
  // values, which canCopy refuses.
  return copyFirstRound(
      B, V, InRegion, [](PHINode &P) { return P.getIncomingValue(0); }, Copies);
}

} // namespace dlopt
