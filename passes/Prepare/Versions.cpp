//===- Versions.cpp - Nests with a copy for what holds mostly -------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Versions.h"
#include "dlopt/Compat.h"
#include "dlopt/Errno.h"
#include "dlopt/Guards.h"
#include "dlopt/Kernel.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Rematerialize.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace dlopt {

NestVersioner::NestVersioner(Loop &L, Function &F, FunctionAnalysisManager &FAM)
    : L(L), F(F), LI(FAM.getResult<LoopAnalysis>(F)),
      DT(FAM.getResult<DominatorTreeAnalysis>(F)),
      SE(FAM.getResult<ScalarEvolutionAnalysis>(F)),
      AA(FAM.getResult<AAManager>(F)),
      TLI(FAM.getResult<TargetLibraryAnalysis>(F)), Scopes(L) {}

/// Whether \p C comes back: a function of the math library does, one of the
/// source that is called so need not.
static bool returns(const CallBase &C, const TargetLibraryInfo &TLI) {
  const Function *Callee = C.getCalledFunction();
  LibFunc Func;
  return isGuaranteedToTransferExecutionToSuccessor(&C) ||
         (Callee && Callee->isDeclarationForLinker() &&
          TLI.getLibFunc(C, Func) && isModelLibFunction(Callee->getName()));
}

bool NestVersioner::canVersion() const {
  if (!L.isLoopSimplifyForm() || findOptionMDForLoop(&L, OriginalLoopTag))
    return false;
  auto IsInTheWay = [&](const Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    return Call && (!returns(*Call, TLI) || Call->cannotDuplicate() ||
                    Call->isConvergent());
  };
  return none_of(L.blocks(),
                 [&](const BasicBlock *BB) { return any_of(*BB, IsInTheWay); });
}

Value *NestVersioner::copy(IRBuilderBase &B, Value *V) {
  return rematerialize(
      B, V, [&](const BasicBlock *BB) { return L.contains(BB); }, Copies);
}

bool NestVersioner::isUnchanged(const LoadInst &Load) {
  if (!Load.isSimple())
    return false;
  if (DLOPT_PLANTED(RowTableChanges))
    return true;
  MemoryLocation Where(Load.getPointerOperand(),
                       MemoryLocation::get(&Load).Size,
                       Scopes.getTagsInAllRounds(Load));
  return none_of(L.blocks(), [&](BasicBlock *BB) {
    return any_of(*BB,
                  [&](Instruction &I) { return mayWrite(I, Where, AA, TLI); });
  });
}

bool NestVersioner::isInvariant(Value *V,
                                function_ref<bool(const LoadInst &)> IsRead) {
  return canRematerialize(
      V, [&](const BasicBlock *BB) { return L.contains(BB); },
      [&](const LoadInst &Load) { return IsRead(Load) && isUnchanged(Load); });
}

std::optional<RoundCount>
NestVersioner::getCount(const Loop &X, function_ref<bool(Value *)> IsKnown) {
  RoundCount R;
  R.Known = SE.getExitCount(&X, X.getHeader());
  if (!isa<SCEVCouldNotCompute>(R.Known) && SE.isLoopInvariant(R.Known, &L) &&
      SE.getTypeSizeInBits(R.Known->getType()) <= 64)
    return R;
  R.Known = nullptr;
  auto *Br = dyn_cast<CondBrInst>(X.getHeader()->getTerminator());
  CmpPredicate Pred;
  Value *Index;
  if (!Br ||
      !match(Br->getCondition(),
             m_ICmp(Pred, m_Value(Index), m_Value(R.Bound))) ||
      !R.Bound->getType()->isIntegerTy() ||
      R.Bound->getType()->getIntegerBitWidth() > 64)
    return std::nullopt;
  auto *Rounds = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Index));
  if (!Rounds) {
    // InstCombine puts what is cast behind what is read.
    std::swap(Index, R.Bound);
    Pred = CmpInst::getSwappedPredicate(Pred);
    Rounds = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Index));
  }
  if (!Rounds || Rounds->getLoop() != &X || !Rounds->isAffine() ||
      !Rounds->getStart()->isZero() || !Rounds->getStepRecurrence(SE)->isOne())
    return std::nullopt;
  if (!X.contains(Br->getSuccessor(0)))
    Pred = CmpInst::getInversePredicate(Pred);
  R.Signed = Pred == CmpInst::ICMP_SLT;
  if (!R.Signed && Pred != CmpInst::ICMP_ULT && Pred != CmpInst::ICMP_NE)
    return std::nullopt;
  if (!IsKnown(R.Bound))
    return std::nullopt;
  return R;
}

bool NestVersioner::countRounds(const BasicBlock *BB) {
  for (const Loop *X = LI.getLoopFor(BB);; X = X->getParentLoop()) {
    BasicBlock *Header = X->getHeader(), *Latch = X->getLoopLatch();
    if (!Latch || X->getExitingBlock() != Header || BB == Header ||
        !DT.dominates(BB, Latch))
      return false;
    if (!Counts.contains(X)) {
      auto IsRead = [&](const LoadInst &I) {
        return I.getParent() == Header ||
               (LI.getLoopFor(I.getParent())->contains(X) && isRead(I));
      };
      std::optional<RoundCount> Count = getCount(
          *X, [&](Value *Bound) { return isInvariant(Bound, IsRead); });
      if (!Count)
        return false;
      Counts[X] = *Count;
    }
    if (X == &L)
      return true;
    BB = Header;
  }
}

/// Whether \p I is executed where the loops of Counts run.
bool NestVersioner::isRead(const LoadInst &I) {
  // A header is entered even if its loop has no round.
  const BasicBlock *BB = I.getParent();
  const Loop *X = LI.getLoopFor(BB);
  if (BB != X->getHeader())
    return countRounds(BB);
  return X == &L || countRounds(X->getLoopPreheader());
}

bool NestVersioner::canCount(const BasicBlock *Entry) {
  auto Expander = makeExpander<SCEVExpander>(SE, "rounds");
  return all_of(Counts, [&](auto &C) {
    return !C.second.Known ||
           Expander->isSafeToExpandAt(C.second.Known, Entry->getTerminator());
  });
}

void NestVersioner::emitCounts(BasicBlock *Entry) {
  auto Expander = makeExpander<SCEVExpander>(SE, "rounds");
  Instruction *At = const_cast<Instruction *>(Entry->getTerminator());
  IRBuilder<> B(At);
  for (auto &[X, Count] : Counts)
    if (Count.Known)
      Count.V = B.CreateZExt(
          Expander->expandCodeFor(Count.Known, Count.Known->getType(), At),
          B.getInt64Ty());
}

void NestVersioner::emitRuns(BasicBlock *Entry, BasicBlock *Test,
                             BasicBlock *Main) {
  unsigned Deepest = 0;
  for (auto &[X, Count] : Counts)
    Deepest = std::max(Deepest, X->getLoopDepth());
  SmallVector<RoundCount *, 4> Loops;
  for (unsigned Depth = L.getLoopDepth(); Depth <= Deepest; ++Depth)
    for (auto &[X, Count] : Counts)
      if (X->getLoopDepth() == Depth)
        Loops.push_back(&Count);
  Entry->getTerminator()->eraseFromParent();
  IRBuilder<> B(Entry);
  Value *Runs = B.getTrue();
  for (RoundCount *Count : Loops) {
    if (!Count->V) {
      auto *Next = BasicBlock::Create(F.getContext(), "rounds.count", &F, Test);
      B.CreateCondBr(Runs, Next, Main);
      B.SetInsertPoint(Next);
      Value *V = copy(B, Count->Bound);
      if (Count->Signed)
        V = B.CreateBinaryIntrinsic(Intrinsic::smax, V,
                                    Constant::getNullValue(V->getType()));
      Count->V = B.CreateZExt(V, B.getInt64Ty());
      Runs = B.getTrue();
    }
    Runs = B.CreateAnd(Runs,
                       B.CreateFreeze(B.CreateICmpNE(Count->V, B.getInt64(0))));
  }
  B.CreateCondBr(DLOPT_PLANTED(RowsReadUnasked) ? B.getTrue() : Runs, Test,
                 Main);
}

Loop *NestVersioner::copyNest(BasicBlock *Entry, BasicBlock *Main,
                              ValueToValueMapTy &Map, const char *Suffix) {
  SmallVector<BasicBlock *, 16> Blocks;
  Loop *New =
      cloneLoopWithPreheader(Main, Entry, &L, Map, Suffix, &LI, &DT, Blocks);
  remapInstructionsInBlocks(Blocks, Map);
  SmallVector<BasicBlock *, 2> Exits;
  L.getUniqueExitBlocks(Exits);
  for (BasicBlock *Exit : Exits)
    for (PHINode &Phi : Exit->phis())
      for (unsigned I = 0, E = Phi.getNumIncomingValues(); I != E; ++I) {
        BasicBlock *From = Phi.getIncomingBlock(I);
        if (!L.contains(From))
          continue;
        Value *V = Phi.getIncomingValue(I), *Copy = Map.lookup(V);
        Phi.addIncoming(Copy ? Copy : V, cast<BasicBlock>(Map[From]));
      }
  return New;
}

} // namespace dlopt
