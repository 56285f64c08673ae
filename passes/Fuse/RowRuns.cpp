//===- RowRuns.cpp - Loops over one row as one kernel ---------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A function that works on a single row has no loop around its stages:
///
///   for i { m = max(m, x[i]); }
///   for i { x[i] = exp(x[i] - m); s += x[i]; }
///   for i { x[i] /= s; }
///
/// Where each loop uses what those before it have found out about the same
/// memory, they get a loop of one round around them, from which the raiser
/// makes one kernel.
///
//===----------------------------------------------------------------------===//
#include "Fusion.h"
#include "Runs.h"
#include "dlopt/Compat.h"
#include "dlopt/ContractionView.h"
#include "dlopt/Fuse.h"
#include "dlopt/Raise.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace dlopt;

static bool isContraction(const Kernel &K, const Node &N) {
  std::optional<ContractionView> V = matchContraction(K, N);
  return V && (!V->M.empty() || !V->N.empty());
}

/// Whether each loop of \p K goes over memory of the one before it, with
/// numbers that come from loops before it.
static bool isRowProgram(const Kernel &K) {
  SmallSet<BufferId, 8> Found;
  const Node *Last = nullptr;
  for (const auto &Child : K.Root.Children) {
    bool Uses = false;
    forEachLeaf(*Child, [&](const Leaf &L, ArrayRef<AxisId>) {
      Uses |= any_of(L.Ops, [&](const Op &O) {
        return O.K == Op::Load && Found.contains(O.Acc.Buf);
      });
    });
    if (Child->K == Node::AxisNode &&
        (isContraction(K, *Child) ||
         (Last && (!Uses || !meet(K, *Last, *Child)))))
      return false;
    if (Child->K == Node::AxisNode)
      Last = Child.get();
    if (Child->K == Node::AxisNode || Uses)
      forEachLeaf(*Child, [&](const Leaf &L, ArrayRef<AxisId>) {
        for (const Assign &A : L.Assigns)
          if (is_contained(K.Root.Locals, A.Target.Buf))
            Found.insert(A.Target.Buf);
      });
  }
  return Last;
}

/// Whether \p L may use what \p First, or code between the two, has found out.
static bool mayUseResults(const Loop &L, const Loop &First,
                          const DominatorTree &DT) {
  auto IsResult = [&](const Value *V) {
    const auto *I = dyn_cast<Instruction>(V);
    return I && !L.contains(I) &&
           DT.dominates(First.getHeader(), I->getParent());
  };
  auto IsScalarInMemory = [&](const Instruction &I) {
    const auto *Load = dyn_cast<LoadInst>(&I);
    return Load && L.isLoopInvariant(Load->getPointerOperand()) &&
           isa<AllocaInst>(getUnderlyingObject(Load->getPointerOperand()));
  };
  return any_of(L.blocks(), [&](const BasicBlock *BB) {
    return any_of(*BB, [&](const Instruction &I) {
      return any_of(I.operands(), IsResult) || IsScalarInMemory(I);
    });
  });
}

namespace {

/// Finds the runs of one function.
class RowJoiner {
public:
  RowJoiner(Function &F, FunctionAnalysisManager &FAM) : F(F), FAM(FAM) {}
  bool run();

private:
  LoopInfo &getLoops() { return FAM.getResult<LoopAnalysis>(F); }
  bool isInKernel(const Loop &L);
  bool join(ArrayRef<const BasicBlock *> Headers);
  bool joinSome(ArrayRef<const BasicBlock *> Headers);

  Function &F;
  FunctionAnalysisManager &FAM;
};

} // namespace

/// Whether a loop around \p L is a kernel, whose rows it works on.
bool RowJoiner::isInKernel(const Loop &L) {
  for (Loop *Outer = L.getParentLoop(); Outer; Outer = Outer->getParentLoop())
    if (raiseNest(*Outer, F, FAM))
      return true;
  return false;
}

/// Whether the loops that begin with \p Headers are one kernel now.
bool RowJoiner::join(ArrayRef<const BasicBlock *> Headers) {
  LoopRun Run;
  for (const BasicBlock *Header : Headers)
    Run.push_back(getLoops().getLoopFor(Header));
  // Most are not, and to find that out in the IR is cheap.
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  if (!all_of(ArrayRef(Run).drop_front(), [&](const Loop *L) {
        return mayUseResults(*L, *Run.front(), DT);
      }))
    return false;
  RunWrapper Round(Run);
  FAM.invalidate(F, PreservedAnalyses::none());
  std::optional<RaisedKernel> RK =
      raiseNest(*getLoops().getLoopFor(Round.getHeader()), F, FAM);
  if (RK && isRowProgram(*RK->K))
    return true;
  Round.unwrap();
  FAM.invalidate(F, PreservedAnalyses::none());
  return false;
}

/// Joins as many neighbours as possible, from the first loop on.
bool RowJoiner::joinSome(ArrayRef<const BasicBlock *> Headers) {
  constexpr size_t MaxLoops = 6;
  bool Changed = false;
  while (Headers.size() > 1) {
    size_t Size = std::min(Headers.size(), MaxLoops);
    while (Size > 1 && !join(Headers.take_front(Size)))
      --Size;
    Changed |= Size > 1;
    Headers = Headers.drop_front(Size);
  }
  return Changed;
}

bool RowJoiner::run() {
  SmallVector<SmallVector<const BasicBlock *, 4>, 4> Rows;
  for (const LoopRun &Run : findRuns(getLoops())) {
    if (isInKernel(*Run.front()))
      continue;
    Rows.emplace_back();
    for (const Loop *L : Run) {
      if (L->isInnermost())
        Rows.back().push_back(L->getHeader());
      else
        Rows.emplace_back();
    }
  }
  bool Changed = false;
  for (ArrayRef<const BasicBlock *> Headers : Rows)
    Changed |= joinSome(Headers);
  return Changed;
}

bool dlopt::joinRows(Function &F, FunctionAnalysisManager &FAM) {
  return RowJoiner(F, FAM).run();
}

/// Makes the loop of one round \p L straight code.
static void unroll(Loop &L) {
  BasicBlock *Header = L.getHeader(), *Latch = L.getLoopLatch(),
             *Exit = L.getExitBlock(), *Before = L.getLoopPreheader();
  auto *Close = cast<CondBrInst>(Latch->getTerminator());
  for (PHINode &Phi : make_early_inc_range(Header->phis())) {
    Phi.replaceAllUsesWith(Phi.getIncomingValueForBlock(Before));
    Phi.eraseFromParent();
  }
  UncondBrInst::Create(Exit, Close->getIterator())
      ->setDebugLoc(Close->getDebugLoc());
  Value *Again = Close->getCondition();
  Close->eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(Again);
  FoldSingleEntryPHINodes(Exit);
  MergeBlockIntoPredecessor(Exit);
  MergeBlockIntoPredecessor(Header);
}

bool dlopt::separateRows(Function &F, FunctionAnalysisManager &FAM) {
  SmallVector<Loop *, 2> Rounds;
  for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
    if (isRound(*L) && L->getLoopPreheader() && L->getExitBlock() &&
        L->getExitingBlock() == L->getLoopLatch())
      Rounds.push_back(L);
  for (Loop *L : Rounds)
    unroll(*L);
  return !Rounds.empty();
}
