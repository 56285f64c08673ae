//===- Tests.cpp - Tests inside nests that choose among loops -------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Compilers (flang at -O3) and people test in a loop whether elements are next
/// to each other, and have loops for that case and for all others:
///
///   for (j) for (i) { if (stride == 4) for (l) a[l]; else for (l) a[l * stride
///   / 4]; }
///
///   if (j and i have a round && stride == 4)
///     for (j) for (i) for (l) a[l];
///   else
///     the nest
///
/// What such a test reads must not change in the nest. Tests in what another
/// one chooses come after that.
///
//===----------------------------------------------------------------------===//
#include "Tests.h"
#include "Versions.h"
#include "dlopt/Compat.h"
#include "dlopt/Guards.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace dlopt {
namespace {

/// One test of one nest.
class TestVersioner : NestVersioner {
public:
  using NestVersioner::NestVersioner;
  bool find();
  /// False if nothing changed. Without a \p Fallback, which runs the nest as it
  /// was, there is none yet; \p Header is that of the copy then.
  bool apply(BasicBlock *&Fallback, BasicBlock *&Header);

private:
  CondBrInst *Test = nullptr;
};

} // namespace

static bool isEqualityWithConstant(Value *Cond) {
  Value *A, *B;
  if (match(Cond, m_LogicalAnd(m_Value(A), m_Value(B))))
    return isEqualityWithConstant(A) && isEqualityWithConstant(B);
  return match(Cond,
               m_SpecificICmp(CmpInst::ICMP_EQ, m_Value(), m_ConstantInt()));
}

/// Whether \p BB goes to one loop in \p L or to another one.
static bool choosesLoops(const Loop &L, const BasicBlock *BB,
                         const DominatorTree &DT) {
  auto *Br = dyn_cast<CondBrInst>(BB->getTerminator());
  return Br && Br->getSuccessor(0) != Br->getSuccessor(1) &&
         isEqualityWithConstant(Br->getCondition()) &&
         all_of(Br->successors(), [&](const BasicBlock *To) {
           return L.contains(To) && any_of(L.getSubLoops(), [&](const Loop *X) {
                    return DT.dominates({BB, To}, X->getHeader());
                  });
         });
}

bool TestVersioner::find() {
  if (L.isInnermost() || !canVersion())
    return false;
  for (BasicBlock *BB : L.blocks()) {
    if (!choosesLoops(*LI.getLoopFor(BB), BB, DT))
      continue;
    Counts.clear();
    Test = cast<CondBrInst>(BB->getTerminator());
    if (countRounds(BB) && isInvariant(Test->getCondition()))
      return true;
  }
  return false;
}

bool TestVersioner::apply(BasicBlock *&Fallback, BasicBlock *&Header) {
  BasicBlock *Entry = L.getLoopPreheader();
  if (!canCount(Entry))
    return false;
  emitCounts(Entry);
  // A copy gets the preheader's instructions, too: it has none.
  BasicBlock *Run = SplitBlock(Entry, Entry->getTerminator(), &DT, &LI);
  BasicBlock *Ask = SplitBlock(Entry, Entry->getTerminator(), &DT, &LI);
  CondBrInst *Known = Test;
  if (!Fallback) {
    Fallback = Run;
    ValueToValueMapTy Map;
    Loop *Fast = copyNest(Ask, Run, Map, ".tested");
    addLoopFlag(L, OriginalLoopTag);
    addLoopFlag(*Fast, TestedTag);
    Known = cast<CondBrInst>(Map[Test]);
    Run = Fast->getLoopPreheader();
    Header = Fast->getHeader();
  }
  emitRuns(Entry, Ask, Fallback);
  Instruction *Old = Ask->getTerminator();
  IRBuilder<> B(Old);
  Value *Holds = B.CreateFreeze(copy(B, Test->getCondition()));
  B.CreateCondBr(DLOPT_PLANTED(LoopTestUnasked) ? B.getTrue() : Holds, Run,
                 Fallback);
  Old->eraseFromParent();
  Known->setCondition(B.getTrue());
  ConstantFoldTerminator(Known->getParent());
  removeUnreachableBlocks(F);
  return true;
}

bool assumeTests(Function &F, FunctionAnalysisManager &FAM,
                 function_ref<void()> Close) {
  bool Changed = false;
  SmallVector<BasicBlock *, 8> Todo;
  for (Loop *L : FAM.getResult<LoopAnalysis>(F))
    Todo.push_back(L->getHeader());
  while (!Todo.empty()) {
    BasicBlock *Header = Todo.pop_back_val(), *Fallback = nullptr;
    for (;;) {
      Loop *L = FAM.getResult<LoopAnalysis>(F).getLoopFor(Header);
      TestVersioner V(*L, F, FAM);
      if (!V.find() || !V.apply(Fallback, Header)) {
        if (!Fallback)
          for (Loop *Inner : *L)
            Todo.push_back(Inner->getHeader());
        break;
      }
      Changed = true;
      FAM.invalidate(F, PreservedAnalyses::none());
      Close();
    }
  }
  return Changed;
}

bool testsInLoops(const LoopInfo &LI, const DominatorTree &DT) {
  return any_of(LI.getLoopsInPreorder(), [&](const Loop *L) {
    return any_of(L->blocks(), [&](const BasicBlock *BB) {
      return LI.getLoopFor(BB) == L && choosesLoops(*L, BB, DT);
    });
  });
}

bool isInTagged(const Loop &L, StringRef Tag) {
  auto IsTagged = [&](const Loop *X) {
    return findOptionMDForLoop(X, Tag) != nullptr;
  };
  for (const Loop *X = L.getParentLoop(); X; X = X->getParentLoop())
    if (IsTagged(X))
      return true;
  return any_of(L.getLoopsInPreorder(), IsTagged);
}

} // namespace dlopt
