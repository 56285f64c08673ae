//===- Remembered.cpp - What loops remember of their rounds ---------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Remembered.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace dlopt {

/// Bounds how many values depend on one that is remembered.
static constexpr size_t MostChoices = 16;

std::optional<Remembered> Remembered::get(PHINode &Phi, const Loop &L,
                                          const LoopInfo &LI) {
  Remembered R;
  R.Phi = &Phi;
  R.Choices.insert(&Phi);
  bool IsKept = false;
  auto IsChoice = [&](Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    return I && (isa<SelectInst>(I) || isa<PHINode>(I)) &&
           LI.getLoopFor(I->getParent()) == &L &&
           !(isa<PHINode>(I) && I->getParent() == L.getHeader());
  };
  auto Take = [&](Use &U) {
    if (U == &Phi)
      IsKept = true;
    else if (IsChoice(U))
      R.Choices.insert(cast<Instruction>(U));
    else
      R.Taken.push_back(&U);
  };
  int Latch = Phi.getBasicBlockIndex(L.getLoopLatch());
  if (Latch < 0 || Phi.getNumIncomingValues() != 2 ||
      !IsChoice(Phi.getIncomingValue(Latch)))
    return std::nullopt;
  Take(Phi.getOperandUse(Latch));
  for (size_t I = 1; I != R.Choices.size(); ++I) {
    if (I == MostChoices)
      return std::nullopt;
    auto *Choice = R.Choices[I];
    for (Use &U : Choice->operands())
      if (!isa<SelectInst>(Choice) || U.getOperandNo() != 0)
        Take(U);
  }
  if (!IsKept || R.Taken.empty())
    return std::nullopt;
  return R;
}

Value *Remembered::getStart(const Loop &L) const {
  return Phi->getIncomingValueForBlock(L.getLoopPreheader());
}

Instruction *getPlaceOf(const Use &U) {
  auto *User = cast<Instruction>(U.getUser());
  if (auto *P = dyn_cast<PHINode>(User))
    return P->getIncomingBlock(U)->getTerminator();
  return User;
}

/// The block that leads to \p L and to another one, if nothing happens between
/// it and \p L.
static BasicBlock *getFork(const Loop &L) {
  BasicBlock *BB = L.getLoopPreheader();
  while (BB && BB->getSingleSuccessor())
    BB = any_of(*BB, [](auto &I) { return I.mayHaveSideEffects(); })
             ? nullptr
             : BB->getSinglePredecessor();
  return BB;
}

Sequel getSequel(const Loop &L) {
  constexpr size_t MostBlocks = 8;
  Sequel S;
  BasicBlock *BB = L.getExitBlock();
  if (!BB || BB->getUniquePredecessor() != L.getExitingBlock())
    return S;
  while (BB && S.Blocks.size() != MostBlocks) {
    S.Blocks.push_back(BB);
    BasicBlock *Next = BB->getSingleSuccessor();
    if (!Next)
      break;
    if (!Next->getSinglePredecessor()) {
      BasicBlock *Fork = getFork(L);
      if (S.Join || !Fork || !Next->hasNPredecessors(2) ||
          !is_contained(predecessors(Next), Fork) || Fork == BB)
        break;
      S.Fork = Fork;
      S.Join = Next;
    }
    BB = Next;
  }
  return S;
}

} // namespace dlopt
