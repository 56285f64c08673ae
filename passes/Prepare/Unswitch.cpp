//===- Unswitch.cpp - Tests that decide what nests read -------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What does not change in a nest decides whether all points of it read
/// something:
///
///   for (i) for (j) { s = 0; for (k) ...; if (bias) s += bias[j]; ... }
///
///   if (bias)
///     for (i) for (j) { s = 0; for (k) ...; s += bias[j]; ... }
///   else
///     for (i) for (j) { s = 0; for (k) ...; ... }
///
/// LLVM's SimpleLoopUnswitch does that later, by sizes of code. Choices among
/// numbers need no copies: they are selects. But where such numbers become
/// addresses, it is the choice that says which loop is a sum:
///
///   for (i) for (j) y[(axis == 0 ? 0 : i) + (axis == 1 ? 0 : j)] += x[...];
///
///
//===----------------------------------------------------------------------===//
#include "Unswitch.h"
#include "Coordinates.h"
#include "Versions.h"
#include "dlopt/Compat.h"
#include "dlopt/Guards.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Rematerialize.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace dlopt {
namespace {

class Unswitcher : NestVersioner {
public:
  using NestVersioner::NestVersioner;
  bool find();
  /// Copies of two tests, or one for each of a tensor's axes.
  unsigned getMostCopies() const { return Test ? 3 : 8; }
  /// The header of the copy, for which the test holds.
  WeakTrackingVH apply();

private:
  bool canAsk(Value *Cond) const;

  CondBrInst *Test = nullptr;
  Value *Choice = nullptr; ///< what selects ask, if there is no Test
};

} // namespace

/// The test at the end of \p BB, one side of which reads memory and comes back.
static CondBrInst *getTest(const Loop &L, const LoopInfo &LI, BasicBlock *BB) {
  const Loop *Own = LI.getLoopFor(BB);
  auto *Br = dyn_cast<CondBrInst>(BB->getTerminator());
  if (Own->isInnermost() || !Br || Br->getSuccessor(0) == Br->getSuccessor(1))
    return nullptr;
  auto *Cond = dyn_cast<Instruction>(Br->getCondition());
  if (isa<Constant>(Br->getCondition()) ||
      (Cond && L.contains(Cond) && Cond->mayReadFromMemory()))
    return nullptr;
  auto Reads = [&](const BasicBlock *To) {
    return To->getSinglePredecessor() == BB && LI.getLoopFor(To) == Own &&
           any_of(*To, IsaPred<LoadInst>);
  };
  bool StaysInside = all_of(Br->successors(), [&](const BasicBlock *To) {
    return LI.getLoopFor(To) == Own;
  });
  return StaysInside && any_of(Br->successors(), Reads) ? Br : nullptr;
}

/// What \p I asks to choose a number that becomes an address; null if it does
/// not.
static Value *getChoice(const Loop &L, Instruction &I) {
  auto *Select = dyn_cast<SelectInst>(&I);
  if (!Select || !I.getType()->isIntegerTy() ||
      !isa<ICmpInst>(Select->getCondition()))
    return nullptr;
  auto *Cond = cast<ICmpInst>(Select->getCondition());
  bool IsFixed = all_of(Cond->operands(),
                        [&](const Value *V) { return L.isLoopInvariant(V); });
  return IsFixed && isAddressOnly(I) ? Cond : nullptr;
}

/// It is computed in front, where the nest may never come to it: nothing is
/// read for that, nor divided by what may be zero.
bool Unswitcher::canAsk(Value *Cond) const {
  auto IsInside = [&](const BasicBlock *BB) { return L.contains(BB); };
  auto IsRead = [](const LoadInst &) { return false; };
  return DLOPT_PLANTED(UnswitchedTraps)
             ? canRematerialize(Cond, IsInside, IsRead)
             : canSpeculate(Cond, IsInside, IsRead);
}

bool Unswitcher::find() {
  if (!canVersion())
    return false;
  for (BasicBlock *BB : L.blocks())
    if (CondBrInst *Br = getTest(L, LI, BB))
      if (!L.isInnermost() && canAsk(Br->getCondition())) {
        Test = Br;
        return true;
      }
  constexpr unsigned MostInstructions = 256;
  unsigned Size = 0;
  for (const BasicBlock *BB : L.blocks())
    Size += BB->size();
  if (Size > MostInstructions)
    return false;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB)
      if (Value *Cond = getChoice(L, I); Cond && canAsk(Cond)) {
        Choice = Cond;
        return true;
      }
  return false;
}

/// Lets \p Cond and what follows from it in \p L be as it is if it \p Holds.
static void assume(const Loop &L, ICmpInst &Cond, bool Holds) {
  Value *Of = Cond.getOperand(0);
  auto *Number = dyn_cast<ConstantInt>(Cond.getOperand(1));
  bool IsNumber = Number && Cond.getPredicate() == CmpInst::ICMP_EQ && Holds;
  Cond.replaceUsesWithIf(
      ConstantInt::getBool(Cond.getContext(), Holds), [&](const Use &U) {
        return L.contains(cast<Instruction>(U.getUser())->getParent());
      });
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB) {
      auto *Cmp = dyn_cast<ICmpInst>(&I);
      auto *Other = Cmp ? dyn_cast<ConstantInt>(Cmp->getOperand(1)) : nullptr;
      if (IsNumber && Other && Cmp->isEquality() && Cmp->getOperand(0) == Of)
        Cmp->replaceAllUsesWith(ConstantInt::getBool(
            Cond.getContext(),
            (Other == Number) == (Cmp->getPredicate() == CmpInst::ICMP_EQ)));
    }
}

WeakTrackingVH Unswitcher::apply() {
  BasicBlock *Ask = L.getLoopPreheader();
  // A copy gets the preheader's instructions, too: it has none.
  BasicBlock *Run = SplitBlock(Ask, Ask->getTerminator(), &DT, &LI);
  ValueToValueMapTy Map;
  Loop *Copy = copyNest(Ask, Run, Map, ".unswitched");
  for (Loop *Each : {&L, Copy})
    addLoopFlag(*Each, UnswitchedTag);
  Instruction *Old = Ask->getTerminator();
  IRBuilder<> B(Old);
  // A nest that never comes to the test may not know what it asks.
  Value *Asked = Test ? Test->getCondition() : Choice;
  Value *Holds = B.CreateFreeze(copy(B, Asked));
  B.CreateCondBr(DLOPT_PLANTED(UnswitchedUnasked) ? B.getTrue() : Holds,
                 Copy->getLoopPreheader(), Run);
  Old->eraseFromParent();
  if (Test) {
    auto *Known = cast<CondBrInst>(Map[Test]);
    Known->setCondition(B.getTrue());
    Test->setCondition(B.getFalse());
    for (CondBrInst *Br : {Known, Test})
      ConstantFoldTerminator(Br->getParent());
  } else {
    Value *Own = Map.lookup(Choice);
    assume(*Copy, *cast<ICmpInst>(Own ? Own : Choice), true);
    assume(L, *cast<ICmpInst>(Choice), false);
  }
  WeakTrackingVH Header = Copy->getHeader();
  removeUnreachableBlocks(F);
  return Header;
}

bool choosesAddresses(const Loop &L) {
  return any_of(L.blocks(), [&](BasicBlock *BB) {
    return any_of(*BB, [&](Instruction &I) { return getChoice(L, I); });
  });
}

bool choosesLoads(const Loop &L, const LoopInfo &LI) {
  return any_of(L.blocks(), [&](BasicBlock *BB) { return getTest(L, LI, BB); });
}

bool unswitchLoads(Function &F, FunctionAnalysisManager &FAM,
                   function_ref<void()> Close) {
  unsigned Copies = 0;
  // A test that is decided leaves one nest.
  SmallVector<WeakTrackingVH, 8> Todo;
  for (Loop *L : FAM.getResult<LoopAnalysis>(F))
    Todo.push_back(L->getHeader());
  while (!Todo.empty()) {
    auto *Header =
        cast_or_null<BasicBlock>(static_cast<Value *>(Todo.pop_back_val()));
    Loop *L = FAM.getResult<LoopAnalysis>(F).getLoopFor(Header);
    if (!Header || !L)
      continue;
    Unswitcher U(*L, F, FAM);
    if (!U.find()) {
      for (Loop *Inner : *L)
        Todo.push_back(Inner->getHeader());
      continue;
    }
    if (Copies >= U.getMostCopies())
      continue;
    Todo.emplace_back(Header);
    Todo.emplace_back(U.apply());
    ++Copies;
    FAM.invalidate(F, PreservedAnalyses::none());
    Close();
  }
  return Copies != 0;
}

} // namespace dlopt
