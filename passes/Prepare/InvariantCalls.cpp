//===- InvariantCalls.cpp - Calls whose results do not change -------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Functions of the math library set errno to the last error, so that they keep
/// their order among each other: one that is called with the same numbers in
/// every round keeps a nest from being anything else than it is written.
///
///   for (i) { ... powf(beta, t) ... sqrtf(v[i]) }
///
///   if (there is a round && (p = powf(beta, t)) is neither 0, infinite, NaN
///       nor subnormal)
///     for (i) { ... p ... sqrtf(v[i]) }
///   else
///     the nest
///
/// A result that is a normal number is no error (C23, 7.12.1), and a function
/// that did set errno in front does so again in the first round. A root is an
/// error below 0 alone (7.12.7.10), so that it need not be called to find out.
///
//===----------------------------------------------------------------------===//
#include "InvariantCalls.h"
#include "Versions.h"
#include "dlopt/Errno.h"
#include "dlopt/Guards.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Rematerialize.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace dlopt {
namespace {

class CallVersioner : NestVersioner {
public:
  using NestVersioner::canVersion;
  using NestVersioner::NestVersioner;
  /// Finds the calls, if canVersion; false if there are none that are worth it.
  bool find();
  /// False if nothing changed.
  bool apply();

private:
  bool mayCallAhead(CallInst &C);
  bool touchesErrno(const CallInst &C);
  Value *emitCall(IRBuilderBase &B, CallInst &C, Value *&IsNoError);

  SmallVector<CallInst *, 4> Calls;
};

} // namespace

static bool isRoot(LibFunc Func) {
  return Func == LibFunc_sqrt || Func == LibFunc_sqrtf;
}

/// Whether something else than functions of the library knows errno.
bool CallVersioner::touchesErrno(const CallInst &C) {
  auto Touches = [&](const Instruction &I) {
    if (!I.mayReadOrWriteMemory() || getErrnoFunction(I, TLI))
      return false;
    if (!isa<LoadInst, StoreInst>(I))
      return true;
    MemoryLocation Loc = MemoryLocation::get(&I);
    return !isMember(Loc) && isModOrRefSet(AA.getModRefInfo(&C, Loc));
  };
  return any_of(L.blocks(),
                [&](const BasicBlock *BB) { return any_of(*BB, Touches); });
}

/// A root of what can be computed anywhere, and does not change, is taken
/// whether or not the nest does so; others only if it calls them.
bool CallVersioner::mayCallAhead(CallInst &C) {
  std::optional<LibFunc> Func = getErrnoFunction(C, TLI);
  if (!Func)
    return false;
  auto InNest = [&](const BasicBlock *BB) { return L.contains(BB); };
  auto IsUnwritten = [&](const LoadInst &Load) {
    return isUnchanged(Load) || DLOPT_PLANTED(SpeculatedAsInvariant);
  };
  if (isRoot(*Func) && canSpeculate(C.getArgOperand(0), InNest, IsUnwritten))
    return true;
  return all_of(C.args(), [&](Use &A) { return isInvariant(A); }) &&
         countRounds(C.getParent()) && !touchesErrno(C);
}

bool CallVersioner::find() {
  bool HasOthers = false;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB) {
      std::optional<LibFunc> Func = getErrnoFunction(I, TLI);
      HasOthers |= Func && !isRoot(*Func);
      auto *C = dyn_cast<CallInst>(&I);
      if (Func && C && mayCallAhead(*C))
        Calls.push_back(C);
    }
  // Roots by themselves have no order.
  return HasOthers && !Calls.empty();
}

Value *CallVersioner::emitCall(IRBuilderBase &B, CallInst &C,
                               Value *&IsNoError) {
  Value *Result, *Ok;
  if (isRoot(*getErrnoFunction(C, TLI))) {
    Value *X = copy(B, C.getArgOperand(0));
    Result = B.CreateUnaryIntrinsic(Intrinsic::sqrt, X, &C, C.getName());
    Ok = B.CreateFCmpUGE(X, ConstantFP::getZero(X->getType()));
  } else {
    auto *New = cast<CallInst>(C.clone());
    for (Use &A : New->args())
      A.set(copy(B, A));
    Result = B.Insert(New, C.getName());
    Ok = B.createIsFPClass(Result, fcNormal);
  }
  if (DLOPT_PLANTED(ErrorAheadIgnored))
    Ok = B.getTrue();
  IsNoError = B.CreateAnd(IsNoError, B.CreateFreeze(Ok));
  return Result;
}

bool CallVersioner::apply() {
  BasicBlock *Entry = L.getLoopPreheader();
  if (!canCount(Entry))
    return false;
  emitCounts(Entry);
  // The copy gets the preheader's instructions, too: it has none.
  BasicBlock *Main = SplitBlock(Entry, Entry->getTerminator(), &DT, &LI);
  BasicBlock *Test = SplitBlock(Entry, Entry->getTerminator(), &DT, &LI);
  ValueToValueMapTy Map;
  Loop *Fast = copyNest(Test, Main, Map, ".called");
  addLoopFlag(L, OriginalLoopTag);
  addLoopFlag(*Fast, CalledAheadTag);
  emitRuns(Entry, Test, Main);
  Instruction *Old = Test->getTerminator();
  IRBuilder<> B(Old);
  Value *IsNoError = B.getTrue();
  for (CallInst *C : Calls) {
    Value *Result = emitCall(B, *C, IsNoError);
    auto *Copy = cast<Instruction>(Map[C]);
    Copy->replaceAllUsesWith(Result);
    Copy->eraseFromParent();
  }
  B.CreateCondBr(IsNoError, Fast->getLoopPreheader(), Main);
  Old->eraseFromParent();
  return true;
}

bool callAhead(Function &F, FunctionAnalysisManager &FAM) {
  bool Changed = false;
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  SmallVector<Loop *, 8> Todo(LI.begin(), LI.end());
  while (!Todo.empty()) {
    Loop *L = Todo.pop_back_val();
    CallVersioner V(*L, F, FAM);
    // What changes in a nest may be what a row of it is about: the logarithm of
    // its sum. A loop inside is looked at only where the nest is no kernel.
    if (!V.canVersion()) {
      append_range(Todo, *L);
      continue;
    }
    if (!V.find() || !V.apply())
      continue;
    Changed = true;
    FAM.getResult<DominatorTreeAnalysis>(F).recalculate(F);
    FAM.getResult<ScalarEvolutionAnalysis>(F).forgetAllLoops();
  }
  return Changed;
}

bool callsInvariants(Function &F, FunctionAnalysisManager &FAM) {
  const auto &TLI = FAM.getResult<TargetLibraryAnalysis>(F);
  return any_of(
      FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder(), [&](const Loop *L) {
        auto InLoop = [&](const BasicBlock *BB) { return L->contains(BB); };
        auto MayBeUnwritten = [](const LoadInst &) { return true; };
        return any_of(L->blocks(), [&](const BasicBlock *BB) {
          return any_of(*BB, [&](const Instruction &I) {
            return getErrnoFunction(I, TLI) &&
                   all_of(cast<CallBase>(I).args(), [&](const Use &A) {
                     return canRematerialize(A, InLoop, MayBeUnwritten);
                   });
          });
        });
      });
}

} // namespace dlopt
