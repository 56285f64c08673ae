//===- ConditionalLoads.cpp - Pointers that a condition leads to ----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A pointer that is read in loops under a condition may not be read in front
/// of them: there need be none. What may be done there is what the first rounds
/// of the loops do: their tests, then the condition, then the load.
///
///   for (i < n) if (l->bias) y[i] += l->bias->data[i];
///   ->
///   p = null; if (0 < n) if (l->bias) p = l->bias->data;
///   for (i < n) if (l->bias) y[i] += p[i];
///
/// If no test changes from round to round but by the loop's own index, rounds
/// that read a pointer are those of loops whose first rounds do.
///
//===----------------------------------------------------------------------===//
#include "ConditionalLoads.h"
#include "dlopt/AliasScopes.h"
#include "dlopt/Compat.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Rematerialize.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace dlopt {

namespace {

/// What writes in a loop whose rounds all go to their end, and that ends by the
/// tests of it and the loops inside alone.
struct Writers {
  explicit Writers(const Loop &L) : Scopes(L) {}
  SmallVector<Instruction *, 8> Written;
  RoundScopes Scopes;
};

/// A block of a loop with pointers that it reads, and the way to it.
class ConditionalReads {
public:
  ConditionalReads(const Loop &L, const Writers &W, const LoopInfo &LI,
                   const DominatorTree &DT, const PostDominatorTree &PDT,
                   AAResults &AA)
      : L(L), W(W), LI(LI), DT(DT), PDT(PDT), AA(AA) {}
  bool find(BasicBlock &To);
  void rewrite();

private:
  /// A branch on the way, and the side that it must take.
  struct Step {
    Value *Condition;
    bool Side;
  };
  bool isInvariant(Value *V, const PHINode *Index = nullptr);
  bool isUnwritten(const LoadInst &Load);
  bool addStep(BasicBlock &At, BasicBlock &Next);
  Value *copy(IRBuilderBase &B, Value *V);

  const Loop &L;
  const Writers &W;
  const LoopInfo &LI;
  const DominatorTree &DT;
  const PostDominatorTree &PDT;
  AAResults &AA;
  SmallVector<Step, 4> Steps;
  SmallVector<LoadInst *, 2> Loads;
  DenseMap<const Value *, Value *> Copies;
  unsigned Work = 0;
};

} // namespace

/// For all rounds: the address in one of them says nothing of the others.
bool ConditionalReads::isUnwritten(const LoadInst &Load) {
  MemoryLocation Loc = MemoryLocation::getBeforeOrAfter(
      getUnderlyingObject(Load.getPointerOperand()),
      W.Scopes.getTagsInAllRounds(Load));
  return none_of(W.Written, [&](Instruction *I) {
    return isModSet(AA.getModRefInfo(I, Loc)) &&
           !DLOPT_PLANTED(MovedPointerKept);
  });
}

/// Whether \p V has one value in all rounds of L; with \p Index, in all first
/// rounds of its loop.
bool ConditionalReads::isInvariant(Value *V, const PHINode *Index) {
  constexpr unsigned MostWork = 256;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return true;
  if (++Work > MostWork)
    return false;
  if (auto *Phi = dyn_cast<PHINode>(I)) {
    if (Phi->getNumIncomingValues() == 1)
      return isInvariant(Phi->getIncomingValue(0), Index);
    if (!Index || Phi->getParent() != Index->getParent())
      return false;
    const BasicBlock *From =
        LI.getLoopFor(Phi->getParent())->getLoopPreheader();
    return From && isInvariant(Phi->getIncomingValueForBlock(From));
  }
  if (auto *Load = dyn_cast<LoadInst>(I)) {
    if (!Load->isSimple() || !isUnwritten(*Load))
      return false;
    // Each freeze may choose another value.
  } else if (!isa<UnaryOperator, BinaryOperator, CastInst, CmpInst, SelectInst,
                  GetElementPtrInst>(I)) {
    return false;
  }
  return all_of(I->operands(),
                [&](Value *Op) { return isInvariant(Op, Index); });
}

/// The branch at the end of \p At, if the way to \p Next, all ways to which
/// begin there, depends on it.
bool ConditionalReads::addStep(BasicBlock &At, BasicBlock &Next) {
  const Loop &Around = *LI.getLoopFor(&At);
  // Loops in front of it end.
  if (!Around.contains(&Next) || PDT.dominates(&Next, &At))
    return true;
  auto *Br = dyn_cast<CondBrInst>(At.getTerminator());
  if (!Br)
    return false;
  for (bool Side : {true, false}) {
    BasicBlockEdge Edge(&At, Br->getSuccessor(Side ? 0 : 1));
    if (Br->getSuccessor(0) == Br->getSuccessor(1) ||
        !DT.dominates(Edge, &Next))
      continue;
    bool IsTest = Around.getHeader() == &At;
    const PHINode *Index =
        IsTest && !At.phis().empty() ? &*At.phis().begin() : nullptr;
    if (!isInvariant(Br->getCondition(), Index))
      return false;
    Steps.push_back({Br->getCondition(), Side});
    return true;
  }
  // Either side may lead to it, and neither has to.
  return DLOPT_PLANTED(EitherConditionTaken);
}

/// nullopt for other loops.
static std::optional<Writers> findWriters(const Loop &L) {
  constexpr unsigned MostWriters = 32;
  if (!all_of(L.getLoopsInPreorder(), [](const Loop *Inner) {
        return Inner->getExitingBlock() == Inner->getHeader() &&
               Inner->getLoopPreheader() && isMustProgress(Inner);
      }))
    return std::nullopt;
  Writers W(L);
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB) {
      if (I.mayWriteToMemory())
        W.Written.push_back(&I);
      // Loops may wait for what others write.
      if (!isGuaranteedToTransferExecutionToSuccessor(&I) || I.isVolatile() ||
          I.isAtomic() || W.Written.size() > MostWriters)
        return std::nullopt;
    }
  return W;
}

bool ConditionalReads::find(BasicBlock &To) {
  for (Instruction &I : To) {
    auto *Load = dyn_cast<LoadInst>(&I);
    if (Load && Load->getType()->isPointerTy() &&
        !isSafeToSpeculativelyExecute(Load) && isInvariant(Load))
      Loads.push_back(Load);
  }
  if (Loads.empty())
    return false;
  SmallVector<BasicBlock *, 8> Way = {&To};
  while (Way.back() != L.getHeader())
    Way.push_back(DT.getNode(Way.back())->getIDom()->getBlock());
  for (size_t I = Way.size(); --I;)
    if (!addStep(*Way[I], *Way[I - 1]))
      return false;
  return true;
}

Value *ConditionalReads::copy(IRBuilderBase &B, Value *V) {
  return copyFirstRound(
      B, V, [&](const BasicBlock *BB) { return L.contains(BB); },
      [&](PHINode &P) {
        return P.getNumIncomingValues() == 1
                   ? P.getIncomingValue(0)
                   : P.getIncomingValueForBlock(
                         LI.getLoopFor(P.getParent())->getLoopPreheader());
      },
      Copies);
}

void ConditionalReads::rewrite() {
  BasicBlock *Front = L.getLoopPreheader();
  BasicBlock *Join = SplitBlock(Front, Front->getTerminator());
  SmallVector<BasicBlock *, 4> Others;
  for (const Step &S : Steps) {
    Front->getTerminator()->eraseFromParent();
    IRBuilder<> B(Front);
    Value *Condition = copy(B, S.Condition);
    auto *Next = BasicBlock::Create(B.getContext(), Front->getName() + ".first",
                                    Front->getParent(), Join);
    B.CreateCondBr(Condition, S.Side ? Next : Join, S.Side ? Join : Next);
    Others.push_back(Front);
    Front = Next;
    IRBuilder<>(Front).CreateBr(Join);
  }
  IRBuilder<> B(Front->getTerminator());
  IRBuilder<> Phis(Join, Join->begin());
  SmallVector<Value *, 2> Read;
  for (LoadInst *Load : Loads)
    Read.push_back(copy(B, Load));
  for (auto [Load, Value] : zip_equal(Loads, Read)) {
    PHINode *Phi = Phis.CreatePHI(Load->getType(), Others.size() + 1);
    Phi->takeName(Load);
    Phi->addIncoming(Value, Front);
    for (BasicBlock *Other : Others)
      Phi->addIncoming(Constant::getNullValue(Load->getType()), Other);
    Load->replaceAllUsesWith(Phi);
  }
  for (LoadInst *Load : reverse(Loads))
    Load->eraseFromParent();
}

/// Whether a load of a pointer in \p BB cannot be done in front by itself.
static bool readsPointers(const BasicBlock &BB) {
  return any_of(BB, [](const Instruction &I) {
    return isa<LoadInst>(I) && I.getType()->isPointerTy() &&
           !isSafeToSpeculativelyExecute(&I);
  });
}

/// Whether \p F may go round in what is no loop.
static bool hasOtherCycles(const Function &F, const LoopInfo &LI) {
  ReversePostOrderTraversal<const Function *> Order(&F);
  return containsIrreducibleCFG<const BasicBlock *>(Order, LI);
}

bool readConditionalPointers(Function &F, FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &AA = FAM.getResult<AAManager>(F);
  DenseMap<const Loop *, std::optional<Writers>> Known;
  std::optional<bool> HasOtherCycles;
  for (BasicBlock &BB : F) {
    const Loop *Inner = LI.getLoopFor(&BB);
    // What runs in every round is found as it is.
    if (!Inner || DT.dominates(&BB, Inner->getLoopLatch()) ||
        !DT.isReachableFromEntry(&BB) || !readsPointers(BB))
      continue;
    // What is no loop need not end.
    if (!HasOtherCycles)
      HasOtherCycles = hasOtherCycles(F, LI);
    if (*HasOtherCycles)
      return false;
    SmallVector<const Loop *, 4> Loops;
    for (const Loop *L = Inner; L; L = L->getParentLoop())
      Loops.push_back(L);
    for (const Loop *L : reverse(Loops)) {
      auto [It, New] = Known.try_emplace(L);
      if (New)
        It->second = findWriters(*L);
      if (!It->second)
        continue;
      ConditionalReads Reads(*L, *It->second, LI, DT,
                             FAM.getResult<PostDominatorTreeAnalysis>(F), AA);
      if (!Reads.find(BB))
        continue;
      Reads.rewrite();
      return true;
    }
  }
  return false;
}

} // namespace dlopt
