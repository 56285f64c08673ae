//===- Choices.cpp - Choices between numbers as selects -------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// SimplifyCFG makes a select of two values that meet, but not where a third
/// comes from elsewhere if it is a comparison of floating-point numbers that
/// chooses (speculativelyExecuteBB: such selects may cost more than they save).
/// The greatest of a window is written so:
///
///   if (row >= 0 && row < rows && x[row] > most) most = x[row];
///
/// What is chosen of two in an arm is chosen of three in all:
///
///   most = isnan(most) ? most : most > x[row] ? most : x[row];
///
/// Nor of what InstCombine has moved into an arm that alone uses it: a product
/// of 64 bits that is rounded is too much to be computed on both ways, though
/// the source does.
///
///   return overflow ? INT32_MAX : rounded;
///
//===----------------------------------------------------------------------===//
#include "Choices.h"
#include "dlopt/Compat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace dlopt {

/// Whether what meets in \p BB are numbers.
static bool choosesNumbers(const BasicBlock &BB) {
  return !BB.phis().empty() && all_of(BB.phis(), [](const PHINode &P) {
    return P.getType()->isFloatingPointTy();
  });
}

static bool isEmptyArm(const BasicBlock &Arm) {
  return &*Arm.getFirstNonPHIOrDbg() == Arm.getTerminator() &&
         Arm.phis().empty();
}

/// Whether an integer meets another one in \p BB that was computed before the
/// way parted, for one arm alone. What is compared says where to go next, and
/// waits for that branch.
static bool choosesComputed(const BasicBlock &BB) {
  if (!BB.hasNPredecessors(2))
    return false;
  return any_of(BB.phis(), [](const PHINode &P) {
    if (!P.getType()->isIntegerTy() || P.getType()->isIntegerTy(1) ||
        any_of(P.users(), IsaPred<ICmpInst, SwitchInst>))
      return false;
    return any_of(P.incoming_values(), [&P](const Use &U) {
      const BasicBlock &Arm = *P.getIncomingBlock(U);
      const auto *I = dyn_cast<Instruction>(U);
      return I && I->hasOneUse() &&
             isa<BinaryOperator, CastInst, SelectInst>(I) && isEmptyArm(Arm) &&
             I->getParent() == Arm.getSinglePredecessor();
    });
  });
}

/// The block in which a comparison of numbers leads either to \p Arm, which is
/// empty, or to \p Join at once; null if there is none.
static BasicBlock *getChooser(BasicBlock &Arm, BasicBlock &Join) {
  BasicBlock *From = Arm.getSinglePredecessor();
  if (!From || Arm.getSingleSuccessor() != &Join || Arm.hasAddressTaken() ||
      !isEmptyArm(Arm))
    return nullptr;
  auto *Branch = dyn_cast<CondBrInst>(From->getTerminator());
  return Branch && isa<FCmpInst>(Branch->getCondition()) && From != &Join &&
                 is_contained(successors(From), &Join)
             ? From
             : nullptr;
}

/// The values that come to \p Join from \p Arm and from \p From become selects
/// in \p From, which alone goes on to it.
static void selectIn(BasicBlock &From, BasicBlock &Arm, BasicBlock &Join) {
  auto *Branch = cast<CondBrInst>(From.getTerminator());
  const bool IsArmFirst = Branch->getSuccessor(0) == &Arm;
  IRBuilder<> B(Branch);
  for (PHINode &P : Join.phis()) {
    Value *Through = P.getIncomingValueForBlock(&Arm);
    Value *Past = P.getIncomingValueForBlock(&From);
    if (Through != Past)
      P.setIncomingValueForBlock(&From,
                                 B.CreateSelect(Branch->getCondition(),
                                                IsArmFirst ? Through : Past,
                                                IsArmFirst ? Past : Through));
    P.removeIncomingValue(&Arm, /*DeletePHIIfEmpty=*/false);
  }
  B.CreateBr(&Join);
  Branch->eraseFromParent();
  Arm.eraseFromParent();
}

static bool selectEmptyArms(BasicBlock &Join) {
  constexpr unsigned Fewest = 3;
  if (!Join.hasNPredecessorsOrMore(Fewest))
    return false;
  bool Changed = false;
  for (BasicBlock *Arm : SmallVector<BasicBlock *, 4>(predecessors(&Join)))
    if (BasicBlock *From = getChooser(*Arm, Join)) {
      selectIn(*From, *Arm, Join);
      Changed = true;
    }
  return Changed;
}

static bool testsNumber(const Value *Cond) {
  return isa<FCmpInst>(Cond) ||
         match(Cond, m_Intrinsic<Intrinsic::is_fpclass>());
}

/// \p BB, where no values meet any more, is the end of the block that chooses.
/// That may be an arm of another choice, by numbers as well: what is tested of
/// integers is often the same in all rounds, and is tested by itself.
static void joinWithChooser(BasicBlock &BB) {
  for (BasicBlock *Arm : SmallVector<BasicBlock *, 4>(predecessors(&BB)))
    if (pred_empty(Arm) && !Arm->isEntryBlock())
      DeleteDeadBlock(Arm);
  const BasicBlock *Chooser = BB.getSinglePredecessor();
  const BasicBlock *Outer = Chooser ? Chooser->getSinglePredecessor() : nullptr;
  const auto *Branch =
      Outer ? dyn_cast<CondBrInst>(Outer->getTerminator()) : nullptr;
  if (Branch && testsNumber(Branch->getCondition()))
    MergeBlockIntoPredecessor(&BB);
}

bool foldChoices(Function &F, const LoopInfo &LI,
                 const TargetTransformInfo &TTI) {
  SmallVector<WeakVH, 16> Blocks, Headers;
  for (BasicBlock &BB : F)
    if (LI.isLoopHeader(&BB))
      Headers.push_back(&BB);
    else if (!BB.phis().empty())
      Blocks.push_back(&BB);
  bool Changed = false;
  for (const WeakVH &V : Blocks)
    if (auto *BB = cast_or_null<BasicBlock>(V)) {
      Changed |= selectEmptyArms(*BB);
      if ((choosesNumbers(*BB) || choosesComputed(*BB)) &&
          simplifyCFG(BB, TTI, nullptr, {}, Headers)) {
        Changed = true;
        if (V)
          joinWithChooser(*BB);
      }
    }
  return Changed;
}

} // namespace dlopt
