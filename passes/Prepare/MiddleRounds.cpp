//===- MiddleRounds.cpp - Pointers behind conditions on indices -----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A convolution with borders reads its image where a condition on the indices
/// holds. If it reads the pointer to the image there, too, that may not be read
/// in front: there need be no such round.
///
///   for (i < n) for (k < m) { h = i + k - p;
///     if (0 <= h && h < x->h) s += x->data[h] * ... }
///
/// Where a border is at the ends of loops, the condition holds in the middle:
///
///   if (0 < n && 0 < m && 0 <= h(n/2, m/2)) { X = x->h;
///     if (h(n/2, m/2) < X) { data = x->data; the nest with X and data }}
///   else
///     the nest
///
/// A nest that comes to an end comes to that round, and reads then what it
/// reads in all others, since nothing in it writes that.
///
//===----------------------------------------------------------------------===//
#include "MiddleRounds.h"
#include "Versions.h"
#include "dlopt/Compat.h"
#include "dlopt/Errno.h"
#include "dlopt/Guards.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Rematerialize.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace dlopt {
namespace {

class MiddleVersioner : NestVersioner {
public:
  MiddleVersioner(Loop &L, Function &F, FunctionAnalysisManager &FAM)
      : NestVersioner(L, F, FAM),
        PDT(FAM.getResult<PostDominatorTreeAnalysis>(F)) {}
  bool find();
  /// False if nothing changed.
  bool apply();

private:
  /// A test on the way to what is read: of the header of a loop, whether that
  /// runs, or of a branch, whether it goes to a side.
  struct Step {
    const Loop *Runs = nullptr;
    Value *Condition = nullptr;
    bool Side = false;
    bool operator==(const Step &O) const {
      return Runs == O.Runs && Condition == O.Condition && Side == O.Side;
    }
  };
  bool comesToMiddle() const;
  bool isUnwritten(const LoadInst &Load);
  bool isKnown(Value *V, const Loop *Within);
  bool addStep(BasicBlock &At, BasicBlock &Next, BasicBlock &To);
  bool addWay(BasicBlock &To);
  Value *copyMiddle(IRBuilderBase &B, Value *V);
  Value *getMiddle(IRBuilderBase &B, PHINode &Index);
  Value *emitTest(IRBuilderBase &B, const Step &S);

  const PostDominatorTree &PDT;
  SmallVector<Step, 8> Steps;
  SmallSetVector<LoadInst *, 8> Loads;
  DenseMap<const Value *, Value *> Copies;
  DenseMap<const PHINode *, Value *> Middles;
  unsigned Work = 0;
};

} // namespace

/// Whether a round of \p L need not come to \p BB.
static bool isConditional(const Loop &L, const BasicBlock *BB,
                          const LoopInfo &LI, const DominatorTree &DT) {
  for (const Loop *X = LI.getLoopFor(BB);; X = X->getParentLoop()) {
    if (!X->getLoopLatch() || !DT.dominates(BB, X->getLoopLatch()))
      return true;
    if (X == &L)
      return false;
    BB = X->getHeader();
  }
}

/// Whether \p I reads a bound or a pointer from where there need be none.
static bool readsPlace(const Instruction &I) {
  auto *Load = dyn_cast<LoadInst>(&I);
  return Load && Load->isSimple() &&
         (I.getType()->isPointerTy() ||
          (I.getType()->isIntegerTy() &&
           I.getType()->getIntegerBitWidth() <= 64)) &&
         !isSafeToSpeculativelyExecute(Load);
}

/// Whether the nest makes all rounds of all its loops.
bool MiddleVersioner::comesToMiddle() const {
  return all_of(L.getLoopsInPreorder(),
                [](const Loop *X) {
                  return X->getExitingBlock() == X->getHeader() &&
                         X->getLoopPreheader() && X->getLoopLatch() &&
                         isMustProgress(X);
                }) &&
         none_of(L.blocks(), [](const BasicBlock *BB) {
           return any_of(*BB, [](const Instruction &I) {
             return I.isVolatile() || I.isAtomic();
           });
         });
}

/// For all rounds: the address in one of them says nothing of the others.
bool MiddleVersioner::isUnwritten(const LoadInst &Load) {
  MemoryLocation Loc = MemoryLocation::getBeforeOrAfter(
      getUnderlyingObject(Load.getPointerOperand()),
      Scopes.getTagsInAllRounds(Load));
  return none_of(L.blocks(), [&](const BasicBlock *BB) {
    return any_of(
        *BB, [&](const Instruction &I) { return mayWrite(I, Loc, AA, TLI); });
  });
}

/// Whether \p V follows from what does not change in the nest and the indices
/// of loops around \p Within (without one: of none).
bool MiddleVersioner::isKnown(Value *V, const Loop *Within) {
  constexpr unsigned MostWork = 2048;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return true;
  if (++Work > MostWork)
    return false;
  if (auto *Phi = dyn_cast<PHINode>(I)) {
    if (Phi->getNumIncomingValues() == 1)
      return isKnown(Phi->getIncomingValue(0), Within);
    const Loop *X = LI.getLoopFor(Phi->getParent());
    return Within && X->contains(Within) &&
           X->getHeader() == Phi->getParent() &&
           Phi->getType()->isIntegerTy() &&
           match(Phi->getIncomingValueForBlock(X->getLoopLatch()),
                 m_Add(m_Specific(Phi), m_ConstantInt())) &&
           isKnown(Phi->getIncomingValueForBlock(X->getLoopPreheader()),
                   X == &L ? nullptr : X->getParentLoop());
  }
  if (auto *Load = dyn_cast<LoadInst>(I))
    return Load->isSimple() && isKnown(Load->getPointerOperand(), nullptr) &&
           isUnwritten(*Load);
  // Each freeze may choose another value.
  return isa<UnaryOperator, BinaryOperator, CastInst, CmpInst, SelectInst,
             GetElementPtrInst>(I) &&
         all_of(I->operands(), [&](Value *Op) { return isKnown(Op, Within); });
}

/// The test at the end of \p At, if the way to \p Next, which leads to \p To,
/// depends on it.
bool MiddleVersioner::addStep(BasicBlock &At, BasicBlock &Next,
                              BasicBlock &To) {
  const Loop &X = *LI.getLoopFor(&At);
  // Loops in front of it end.
  if (!X.contains(&To))
    return true;
  Step S;
  if (X.getHeader() == &At) {
    const Loop *Around = &X == &L ? nullptr : X.getParentLoop();
    if (!Counts.contains(&X)) {
      std::optional<RoundCount> Count =
          getCount(X, [&](Value *V) { return isKnown(V, Around); });
      if (!Count)
        return false;
      Counts[&X] = *Count;
    }
    S.Runs = &X;
  } else {
    if (PDT.dominates(&Next, &At))
      return true;
    auto *Br = dyn_cast<CondBrInst>(At.getTerminator());
    if (!Br || Br->getSuccessor(0) == Br->getSuccessor(1) ||
        !isKnown(Br->getCondition(), &X))
      return false;
    S.Condition = Br->getCondition();
    S.Side = DT.dominates({&At, Br->getSuccessor(0)}, &Next);
    if (!S.Side && !DT.dominates({&At, Br->getSuccessor(1)}, &Next))
      return false;
  }
  Step Other = S;
  Other.Side = !S.Side;
  if (S.Condition && is_contained(Steps, Other))
    return false;
  if (!is_contained(Steps, S))
    Steps.push_back(S);
  return true;
}

/// Adds what \p To and the blocks on the way to it read under conditions.
bool MiddleVersioner::addWay(BasicBlock &To) {
  SmallVector<BasicBlock *, 8> Way = {&To};
  while (Way.back() != L.getHeader())
    Way.push_back(DT.getNode(Way.back())->getIDom()->getBlock());
  size_t Known = Steps.size();
  for (size_t I = Way.size(); --I;)
    if (!addStep(*Way[I], *Way[I - 1], To)) {
      Steps.truncate(Known);
      return false;
    }
  for (BasicBlock *BB : reverse(Way))
    if (LI.getLoopFor(BB)->contains(&To) && isConditional(L, BB, LI, DT))
      for (Instruction &I : *BB)
        if (readsPlace(I) && isKnown(&I, nullptr))
          Loads.insert(cast<LoadInst>(&I));
  return true;
}

bool MiddleVersioner::find() {
  if (!canVersion() || !comesToMiddle())
    return false;
  for (BasicBlock *BB : L.blocks())
    if (any_of(*BB,
               [&](Instruction &I) {
                 return I.getType()->isPointerTy() && readsPlace(I) &&
                        isKnown(&I, nullptr);
               }) &&
        isConditional(L, BB, LI, DT))
      addWay(*BB);
  return any_of(Loads, [](const LoadInst *Load) {
    return Load->getType()->isPointerTy();
  });
}

Value *MiddleVersioner::copyMiddle(IRBuilderBase &B, Value *V) {
  return copyFirstRound(
      B, V, [&](const BasicBlock *BB) { return L.contains(BB); },
      [&](PHINode &P) {
        return P.getNumIncomingValues() == 1 ? P.getIncomingValue(0)
                                             : getMiddle(B, P);
      },
      Copies);
}

/// The index in the middle round.
Value *MiddleVersioner::getMiddle(IRBuilderBase &B, PHINode &Index) {
  if (Value *Known = Middles.lookup(&Index))
    return Known;
  const Loop *X = LI.getLoopFor(Index.getParent());
  ConstantInt *By = nullptr;
  [[maybe_unused]] bool IsIndex =
      match(Index.getIncomingValueForBlock(X->getLoopLatch()),
            m_Add(m_Specific(&Index), m_ConstantInt(By)));
  assert(IsIndex && "not an index");
  Value *Start =
      copyMiddle(B, Index.getIncomingValueForBlock(X->getLoopPreheader()));
  Value *Rounds =
      B.CreateZExtOrTrunc(B.CreateLShr(Counts[X].V, 1), Index.getType());
  return Middles[&Index] =
             B.CreateAdd(Start, B.CreateMul(Rounds, By), Index.getName());
}

Value *MiddleVersioner::emitTest(IRBuilderBase &B, const Step &S) {
  if (!S.Runs) {
    Value *Holds = B.CreateFreeze(copyMiddle(B, S.Condition));
    return S.Side ? Holds : B.CreateNot(Holds);
  }
  RoundCount &Count = Counts[S.Runs];
  if (!Count.V) {
    Value *V = copyMiddle(B, Count.Bound);
    if (Count.Signed)
      V = B.CreateBinaryIntrinsic(Intrinsic::smax, V,
                                  Constant::getNullValue(V->getType()));
    Count.V = B.CreateZExt(V, B.getInt64Ty());
  }
  Count.V = B.CreateFreeze(Count.V);
  return B.CreateICmpNE(Count.V, B.getInt64(0));
}

bool MiddleVersioner::apply() {
  BasicBlock *Entry = L.getLoopPreheader();
  if (!canCount(Entry))
    return false;
  emitCounts(Entry);
  // The copy gets the preheader's instructions, too: it has none.
  BasicBlock *Main = SplitBlock(Entry, Entry->getTerminator(), &DT, &LI);
  BasicBlock *Test = SplitBlock(Entry, Entry->getTerminator(), &DT, &LI);
  ValueToValueMapTy Map;
  Loop *Fast = copyNest(Test, Main, Map, ".middle");
  addLoopFlag(L, OriginalLoopTag);
  addLoopFlag(*Fast, MiddleReadTag);
  Test->getTerminator()->eraseFromParent();
  IRBuilder<> B(Test);
  for (const Step &S : Steps) {
    auto *Next = BasicBlock::Create(F.getContext(), "middle", &F, Main);
    Value *Holds = emitTest(B, S);
    B.CreateCondBr(DLOPT_PLANTED(MiddleUnasked) ? B.getTrue() : Holds, Next,
                   Main);
    B.SetInsertPoint(Next);
  }
  for (LoadInst *Load : Loads) {
    Value *Read = copyMiddle(B, Load);
    auto *Copy = cast<Instruction>(Map[Load]);
    Copy->replaceAllUsesWith(Read);
    Copy->eraseFromParent();
  }
  B.CreateBr(Fast->getLoopPreheader());
  return true;
}

bool readInMiddle(Function &F, FunctionAnalysisManager &FAM) {
  bool Changed = false;
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  // What is no loop need not end.
  ReversePostOrderTraversal<const Function *> Order(&F);
  if (containsIrreducibleCFG<const BasicBlock *>(Order, LI))
    return false;
  SmallVector<Loop *, 8> Todo(LI.begin(), LI.end());
  while (!Todo.empty()) {
    Loop *L = Todo.pop_back_val();
    MiddleVersioner V(*L, F, FAM);
    if (!V.find() || !V.apply()) {
      append_range(Todo, *L);
      continue;
    }
    Changed = true;
    FAM.getResult<DominatorTreeAnalysis>(F).recalculate(F);
    FAM.getResult<PostDominatorTreeAnalysis>(F).recalculate(F);
    FAM.getResult<ScalarEvolutionAnalysis>(F).forgetAllLoops();
  }
  return Changed;
}

bool readsUnderConditions(Function &F, FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  const auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  return any_of(LI, [&](const Loop *L) {
    auto InLoop = [&](const BasicBlock *BB) { return L->contains(BB); };
    auto MayBeUnwritten = [](const LoadInst &) { return true; };
    return any_of(L->blocks(), [&](const BasicBlock *BB) {
      return any_of(*BB,
                    [&](const Instruction &I) {
                      return I.getType()->isPointerTy() && readsPlace(I) &&
                             canRematerialize(&I, InLoop, MayBeUnwritten);
                    }) &&
             isConditional(*L, BB, LI, DT);
    });
  });
}

} // namespace dlopt
