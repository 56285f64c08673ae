//===- ReadAhead.cpp - Pointers and bounds that nests read ----------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Members of structs and globals are read where they are used:
///
///   for (i) for (j = 0; j <= n - size; j += size) for (k < size) w->q[...]
///
///   if (i has a round) { s = size; if (j and k have) { q = w->q;
///     for (i) for (j = 0; j <= n - s; j += s) for (k < s) q[...] }}
///   else the nest
///
/// A single loop is left to LLVM, which reads in front of it what does not
/// change, unless its index is divided by what is read: such a loop is a nest
/// in disguise.
///
/// What runs in the stead of a nest runs in front of all of it, so what it
/// needs is read there: where the source is certain to read it, in its first
/// rounds, as nothing in the nest writes there.
///
//===----------------------------------------------------------------------===//
#include "ReadAhead.h"
#include "Versions.h"
#include "dlopt/Compat.h"
#include "dlopt/Guards.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Quotients.h"
#include "dlopt/Raise.h"
#include "dlopt/Rematerialize.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace dlopt {
namespace {

class AheadReader : NestVersioner {
public:
  using NestVersioner::NestVersioner;
  bool find();
  void apply();

private:
  bool isReached(const BasicBlock *BB);
  bool isKnown(Value *V);
  Value *emitFirst(IRBuilderBase &B, Value *V);
  void emitTests(BasicBlock *Entry, BasicBlock *Ask, BasicBlock *Main);

  SmallVector<LoadInst *, 8> Reads;
  /// Whose first tests are made in front.
  SmallSetVector<const Loop *, 4> Tested;
  DenseMap<const Value *, Value *> First;
  unsigned Steps = 0;
};

} // namespace

static CondBrInst *getTest(const Loop &X) {
  BasicBlock *Header = X.getHeader();
  auto *Br = dyn_cast<CondBrInst>(Header->getTerminator());
  return X.getLoopLatch() && X.getExitingBlock() == Header ? Br : nullptr;
}

/// Whether the source comes to \p BB if the loops of Tested, and some more,
/// have a round.
bool AheadReader::isReached(const BasicBlock *BB) {
  for (const Loop *X = LI.getLoopFor(BB);; X = X->getParentLoop()) {
    // A header is entered even if its loop has no round.
    if (BB != X->getHeader()) {
      CondBrInst *Br = getTest(*X);
      if (!Br || !DT.dominates(BB, X->getLoopLatch()))
        return false;
      if (!Tested.contains(X)) {
        if (!isKnown(Br->getCondition()))
          return false;
        Tested.insert(X);
      }
    }
    if (X == &L)
      return true;
    BB = X->getLoopPreheader();
  }
}

/// Whether \p V in the first round can be computed in front, where the source
/// computes it, too.
bool AheadReader::isKnown(Value *V) {
  constexpr unsigned MostSteps = 256;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return true;
  if (++Steps > MostSteps)
    return false;
  if (auto *Phi = dyn_cast<PHINode>(I)) {
    const Loop *X = LI.getLoopFor(I->getParent());
    return X->getHeader() == I->getParent() &&
           isKnown(Phi->getIncomingValueForBlock(X->getLoopPreheader()));
  }
  if (auto *Load = dyn_cast<LoadInst>(I)) {
    if (!isUnchanged(*Load))
      return false;
  } else if (!isa<BinaryOperator, CastInst, CmpInst, SelectInst,
                  GetElementPtrInst, MinMaxIntrinsic>(I)) {
    return false;
  }
  auto *Call = dyn_cast<IntrinsicInst>(I);
  return isReached(I->getParent()) &&
         all_of(Call ? make_range(Call->arg_begin(), Call->arg_end())
                     : I->operands(),
                [&](Value *Op) { return isKnown(Op); });
}

bool AheadReader::find() {
  if (!canVersion())
    return false;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB) {
      auto *Load = dyn_cast<LoadInst>(&I);
      Type *Ty = I.getType();
      if (!Load || !(Ty->isPointerTy() || Ty->isIntegerTy()))
        continue;
      auto IsRead = [&](const LoadInst &From) {
        return isReached(From.getParent());
      };
      if (isInvariant(Load, IsRead))
        Reads.push_back(Load);
    }
  return !Reads.empty();
}

Value *AheadReader::emitFirst(IRBuilderBase &B, Value *V) {
  return copyFirstRound(
      B, V, [&](const BasicBlock *BB) { return L.contains(BB); },
      [&](PHINode &Phi) {
        const Loop *X = LI.getLoopFor(Phi.getParent());
        return emitFirst(B,
                         Phi.getIncomingValueForBlock(X->getLoopPreheader()));
      },
      First);
}

/// From \p Entry to \p Ask if each of the loops has a round, else to \p Main.
void AheadReader::emitTests(BasicBlock *Entry, BasicBlock *Ask,
                            BasicBlock *Main) {
  auto Loops = Tested.takeVector();
  sort(Loops, [](const Loop *X, const Loop *Y) {
    return X->getLoopDepth() < Y->getLoopDepth();
  });
  Entry->getTerminator()->eraseFromParent();
  IRBuilder<> B(Entry);
  for (const Loop *X : Loops) {
    CondBrInst *Br = getTest(*X);
    Value *Runs = B.CreateFreeze(emitFirst(B, Br->getCondition()));
    if (!X->contains(Br->getSuccessor(0)))
      Runs = B.CreateNot(Runs);
    auto *Next = BasicBlock::Create(F.getContext(), "runs", &F, Ask);
    B.CreateCondBr(DLOPT_PLANTED(ReadUnreached) ? B.getTrue() : Runs, Next,
                   Main);
    B.SetInsertPoint(Next);
  }
  B.CreateBr(Ask);
}

void AheadReader::apply() {
  BasicBlock *Entry = L.getLoopPreheader();
  // A copy gets the preheader's instructions, too: it has none.
  BasicBlock *Run = SplitBlock(Entry, Entry->getTerminator(), &DT, &LI);
  BasicBlock *Ask = SplitBlock(Entry, Entry->getTerminator(), &DT, &LI);
  ValueToValueMapTy Map;
  Loop *Fast = copyNest(Ask, Run, Map, ".ahead");
  addLoopFlag(L, OriginalLoopTag);
  addLoopFlag(*Fast, ReadAheadTag);
  emitTests(Entry, Ask, Run);
  Instruction *Old = Ask->getTerminator();
  IRBuilder<> B(Old);
  SmallVector<Value *, 8> Values;
  for (LoadInst *Read : Reads)
    Values.push_back(emitFirst(B, Read));
  for (auto [Read, V] : zip_equal(Reads, Values)) {
    auto *Own = cast<Instruction>(Map[Read]);
    Own->replaceAllUsesWith(V);
    Own->eraseFromParent();
  }
  B.CreateBr(Fast->getLoopPreheader());
  Old->eraseFromParent();
}

bool asksPointers(const MissedNest &N) {
  auto IsAsked = [](const Instruction &I) {
    return isa<LoadInst>(I) && I.getType()->isPointerTy() &&
           any_of(I.users(), IsaPred<ICmpInst>);
  };
  return N.L && N.Why.R == Reason::PointerStored && !N.L->isInnermost() &&
         any_of(N.L->blocks(),
                [&](const BasicBlock *BB) { return any_of(*BB, IsAsked); });
}

bool readAhead(Function &F, FunctionAnalysisManager &FAM,
               function_ref<void()> Close) {
  bool Changed = false;
  // What is around such nests is none of them, and would be copied for nothing.
  SmallVector<BasicBlock *, 8> Headers;
  RaiseResult R = raiseFunction(F, FAM);
  for (const RaisedKernel &RK : R.Kernels)
    if (mayReadAhead(RK))
      Headers.push_back(RK.Nest->getHeader());
  for (const MissedNest &N : R.Missed)
    if (asksPointers(N))
      Headers.push_back(N.L->getHeader());
  for (BasicBlock *Header : Headers) {
    Loop *L = FAM.getResult<LoopAnalysis>(F).getLoopFor(Header);
    AheadReader Reader(*L, F, FAM);
    if (!Reader.find())
      continue;
    Reader.apply();
    Changed = true;
    FAM.invalidate(F, PreservedAnalyses::none());
    Close();
  }
  return Changed;
}

bool mayReadAhead(const RaisedKernel &RK) {
  auto IsInside = [](const auto &X) { return X.Depth != 0; };
  return (!RK.Nest->isInnermost() || hasQuotients(*RK.K)) &&
         (any_of(RK.K->Params, IsInside) || any_of(RK.K->Buffers, IsInside));
}

} // namespace dlopt
