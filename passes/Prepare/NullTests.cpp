//===- NullTests.cpp - Tests of pointers that are never null --------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Rust's iterators give a pointer to the next element, or null where there is
/// none, and the loop around asks which it was:
///
///   next = p == end ? null : p, p += 1;      first = p == end
///   if (next == null) break;             ->  if (first) break;
///
/// where p starts with a pointer that is not null and moves inside an array.
/// LLVM follows a pointer through one phi at most; pointers of loops in loops
/// go through several, in a circle.
///
//===----------------------------------------------------------------------===//
#include "NullTests.h"
#include "dlopt/Compat.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace dlopt {
namespace {

class NullTestFolder {
public:
  explicit NullTestFolder(Function &F) : F(F), Query(F.getDataLayout()) {}

  bool run() {
    bool Changed = false;
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      Value *Ptr = nullptr;
      CmpPredicate Pred;
      unsigned Left = MostValues;
      if (!match(&I, m_ICmp(Pred, m_Value(Ptr), m_Zero())) ||
          !Ptr->getType()->isPointerTy() || !ICmpInst::isEquality(Pred) ||
          !isDecided(Ptr, MostChoices, Left))
        continue;
      Value *IsNull = getNullBit(Ptr);
      if (Pred == CmpInst::ICMP_NE)
        IsNull = IRBuilder<>(&I).CreateNot(IsNull);
      I.replaceAllUsesWith(IsNull);
      I.eraseFromParent();
      Changed = true;
    }
    return Changed;
  }

private:
  /// Values on the way of a pointer through the function.
  static constexpr unsigned MostValues = 32;
  /// Choices of choices.
  static constexpr unsigned MostChoices = 4;

  bool isNonNull(const Value *V);
  /// Whether \p V is null or not by what was chosen on the way.
  bool isDecided(const Value *V, unsigned Depth, unsigned &Left);
  Value *getNullBit(Value *V);

  Function &F;
  SimplifyQuery Query;
  DenseMap<const Value *, bool> Known;
  DenseMap<const Value *, Value *> Bits;
};

} // namespace

/// Whether \p V, and whatever it may have come from, is not null. What is asked
/// for already holds if the rest does: each value starts somewhere.
bool NullTestFolder::isNonNull(const Value *V) {
  if (auto It = Known.find(V); It != Known.end())
    return It->second;
  SmallVector<const Value *, 8> Todo = {V};
  SmallPtrSet<const Value *, 16> Seen;
  bool Holds = true;
  while (Holds && !Todo.empty()) {
    const Value *X = Todo.pop_back_val();
    if (!Seen.insert(X).second)
      continue;
    const auto *GEP = dyn_cast<GEPOperator>(X);
    const auto *Choice = dyn_cast<SelectInst>(X);
    if (const auto *Phi = dyn_cast<PHINode>(X))
      append_range(Todo, Phi->incoming_values());
    else if (Choice)
      Todo.append({Choice->getTrueValue(), Choice->getFalseValue()});
    else if (GEP && GEP->isInBounds() &&
             !NullPointerIsDefined(&F, GEP->getPointerAddressSpace()))
      Todo.push_back(GEP->getPointerOperand());
    else
      Holds = isKnownNonZero(X, Query) || DLOPT_PLANTED(NullTestDecided);
    Holds &= Seen.size() <= MostValues;
  }
  return Known[V] = Holds;
}

bool NullTestFolder::isDecided(const Value *V, unsigned Depth, unsigned &Left) {
  if (isa<ConstantPointerNull>(V) || isNonNull(V))
    return true;
  if (!Depth || !Left)
    return false;
  --Left;
  auto IsDecided = [&](const Value *In) {
    return isDecided(In, Depth - 1, Left);
  };
  if (const auto *Choice = dyn_cast<SelectInst>(V))
    return IsDecided(Choice->getTrueValue()) &&
           IsDecided(Choice->getFalseValue());
  const auto *Phi = dyn_cast<PHINode>(V);
  return Phi && all_of(Phi->incoming_values(), IsDecided);
}

Value *NullTestFolder::getNullBit(Value *V) {
  if (isa<ConstantPointerNull>(V))
    return ConstantInt::getTrue(F.getContext());
  if (isNonNull(V))
    return ConstantInt::getFalse(F.getContext());
  if (Value *Bit = Bits.lookup(V))
    return Bit;
  if (auto *Choice = dyn_cast<SelectInst>(V)) {
    Value *IfTrue = getNullBit(Choice->getTrueValue());
    Value *IfFalse = getNullBit(Choice->getFalseValue());
    IRBuilder<> B(Choice);
    Value *If = Choice->getCondition();
    bool IsNot = match(IfTrue, m_Zero()) && match(IfFalse, m_One());
    return Bits[V] =
               IsNot ? B.CreateNot(If) : B.CreateSelect(If, IfTrue, IfFalse);
  }
  auto *Phi = cast<PHINode>(V);
  SmallVector<Value *, 4> In;
  for (Value *X : Phi->incoming_values())
    In.push_back(getNullBit(X));
  PHINode *Bit = IRBuilder<>(Phi).CreatePHI(Type::getInt1Ty(F.getContext()),
                                            Phi->getNumIncomingValues());
  for (auto [X, BB] : zip(In, Phi->blocks()))
    Bit->addIncoming(X, BB);
  return Bits[V] = Bit;
}

bool foldNullTests(Function &F) { return NullTestFolder(F).run(); }

} // namespace dlopt
