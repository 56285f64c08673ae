//===- ReplaceNest.cpp - Loops of a kernel for a nest ---------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/ReplaceNest.h"
#include "dlopt/AliasScopes.h"
#include "dlopt/CPUFeatures.h"
#include "dlopt/Guards.h"
#include "dlopt/Instructions.h"
#include "dlopt/KernelEdit.h"
#include "dlopt/Lower.h"
#include "dlopt/LowerSchedule.h"
#include "dlopt/MathModels.h"
#include "dlopt/Options.h"
#include "dlopt/SelfCheck.h"
#include "dlopt/Target.h"
#include "dlopt/Uses.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace dlopt;

/// Values behind the nest that Fast does not compute by itself.
static bool setLiveOuts(RaisedKernel &RK, GuardedRegion &Region,
                        GuardEmitter &Guard, IRBuilderBase &Fast,
                        const DenseMap<BufferId, Value *> &States) {
  for (auto [Idx, Out] : enumerate(RK.LiveOuts)) {
    Value *V = Out.Local ? States.lookup(*Out.Local) : nullptr;
    if (!Out.Local)
      if ((V = Guard.getValue(Out.IndexValue)))
        V = Fast.CreateIntCast(V, Out.V->getType(), /*isSigned=*/true);
    if (!V || V->getType() != Out.V->getType())
      return false;
    Region.setLiveOut(Idx, V);
  }
  return true;
}

/// Whether a schedule has the state \p B in the end, too.
static bool isState(const Kernel &K, BufferId B) {
  return is_contained(K.Root.Locals, B) && K.Buffers[B].Shape.empty();
}

/// Whether \p P is what leaves compute with: no bound and no index.
static bool isNumberOfLeaves(const Kernel &K, ParamId P) {
  auto Speaks = [&](const auto &X) {
    return K.anyNestedAtom(
        X, [&](const Atom &A) { return A.K == Atom::Param && A.Ref == P; });
  };
  bool IsOther = any_of(K.Axes, [&](const Axis &A) {
    return any_of(A.Begins, Speaks) || any_of(A.Extents, Speaks);
  });
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    IsOther |=
        any_of(L.Domain, [&](const Constraint &C) { return Speaks(C.P); }) ||
        any_of(L.Ops,
               [&](const Op &O) {
                 return Speaks(O.Idx) || (O.K == Op::Load && Speaks(O.Acc));
               }) ||
        any_of(L.Assigns, [&](const Assign &A) { return Speaks(A.Target); });
  });
  return !IsOther;
}

Verdict dlopt::canReplaceNest(const RaisedKernel &RK, Function &F,
                              const Kernel *Scheduled) {
  uint64_t StackBytes = getStackLimit(F, getOptions(F));
  Verdict Why;
  if (Scheduled) {
    // Numbers that the nest reads itself are read in front.
    Kernel InFront;
    copyKernel(*Scheduled, InFront);
    for (auto [Id, P] : enumerate(InFront.Params))
      if (P.Depth && isNumberOfLeaves(*Scheduled, static_cast<ParamId>(Id)))
        P.Depth = 0;
    Why = canLowerSchedule(InFront, {StackBytes, /*StackByNumber=*/false, &F});
  } else {
    Why = canLowerScalar(*RK.K, StackBytes);
  }
  if (!Why.ok())
    return Why;
  for (const auto &Out : RK.LiveOuts)
    if (Scheduled && Out.Local && !isState(*Scheduled, *Out.Local))
      return {Reason::LiveOut, dyn_cast<Instruction>(Out.V), ""};
  for (const auto &Out : RK.LiveOuts)
    if (!Out.Local && Out.IndexValue.anyAtom([&](AtomId Id) {
          return RK.K->Atoms[Id].K != Atom::Param;
        }))
      return {Reason::LiveOut, dyn_cast<Instruction>(Out.V), ""};
  return {};
}

/// Transformations keep parameters and external buffers, and add locals.
static void bindAs(Kernel &Scheduled, const Kernel &K) {
  for (auto [To, From] : zip(Scheduled.Params, K.Params)) {
    To.Bound = From.Bound;
    To.Depth = From.Depth;
  }
  for (auto [To, From] : zip(Scheduled.Buffers, K.Buffers)) {
    To.Bound = From.Bound;
    To.Depth = From.Depth;
  }
}

/// Whether there is an instruction of what a thread of a GPU runs.
static bool isOfThread(const Kernel &K) {
  return any_of(K.Axes, [](const Axis &A) {
    return any_of(findInstructions(A.Schedule.Row),
                  [](const auto &I) { return I.isDot() && I.Lanes == 1; });
  });
}

/// A schedule is what was asked for: no pass takes its loops for kernels again.
/// \p MayUnroll: it has not said how many rounds are one.
static void keepLoops(BasicBlock &BB, bool MayUnroll) {
  Instruction &Last = *BB.getTerminator();
  MDNode *Loop = Last.getMetadata(LLVMContext::MD_loop);
  if (!Loop)
    return;
  LLVMContext &C = BB.getContext();
  MDNode *Tag = MDNode::get(C, MDString::get(C, OriginalLoopTag));
  Last.setMetadata(LLVMContext::MD_loop,
                   makePostTransformationMetadata(
                       C, Loop,
                       MayUnroll ? ArrayRef<StringRef>("llvm.loop.unroll.")
                                 : ArrayRef<StringRef>(),
                       {Tag}));
}

Verdict dlopt::replaceNest(RaisedKernel &RK, Function &F,
                           FunctionAnalysisManager &FAM, const SelfCheck &Check,
                           const Need *Pays, Kernel *Scheduled,
                           ArrayRef<ScheduleVariant> Variants) {
  GuardedRegion Region;
  Verdict Why = openGuard(RK, F, FAM, Region, Check);
  if (!Why.ok())
    return Why;
  GuardEmitter Guard(RK, Region, F, FAM);
  bool Ok = !Pays || Guard.addInRange(Pays->P, Pays->Lo, Pays->Hi);
  if (Pays)
    Guard.startBlock();
  if (!Variants.empty() && Variants.back().IsSure)
    Guard.addCondition(
        hasCPUFeatures(Guard.builder(), Variants.back().CPUFeatures));
  Ok = Ok && Guard.addNeeds();
  MathPlan Math;
  const bool IsOfThread = Scheduled && isOfThread(*Scheduled);
  if (Scheduled) {
    TargetModel Target = getTargetModel(F, FAM.getResult<TargetIRAnalysis>(F));
    Math = getMathPlan(F, Target, getOptions(F));
    addLibraryTests(Guard, *Scheduled, Math);
    for (const ScheduleVariant &V : Variants)
      addLibraryTests(Guard, *V.K, V.Math);
  }
  // The guard must know all that Fast uses before it is finished.
  for (const auto &Out : RK.LiveOuts)
    Ok &= Out.Local || Guard.getValue(Out.IndexValue);
  // What is read in front is not read again; a schedule reads nothing where the
  // source does.
  if (Scheduled || readsAhead(*RK.K)) {
    for (ParamId P = 0; P != RK.K->Params.size(); ++P)
      Ok &= Guard.getParam(P) != nullptr;
    for (BufferId B = 0; B != RK.K->Buffers.size(); ++B)
      Ok &= RK.K->Buffers[B].IsLocal || Guard.getPointer(B);
    Guard.bindValues();
  }
  IRBuilder<> Fast(Region.Fast->getTerminator());
  AliasScopes Scopes(*RK.K, Fast);
  SmallPtrSet<const BasicBlock *, 32> Old;
  for (const BasicBlock &BB : F)
    if (&BB != Region.Fast)
      Old.insert(&BB);
  DenseMap<BufferId, Value *> States;
  if (Scheduled && Ok) {
    bindAs(*Scheduled, *RK.K);
    // A thread of a GPU has no stack that is worth a call.
    if (IsOfThread ||
        any_of(RK.LiveOuts, [](const auto &Out) { return bool(Out.Local); }))
      States = lowerSchedule(Fast, *Scheduled, Math);
    else
      callScheduled(Fast, *Scheduled, Math, Variants);
  } else if (!Scheduled) {
    States = lowerScalar(Fast, *RK.K);
  }
  for (BasicBlock &BB : F) {
    if (Old.contains(&BB))
      continue;
    for (Instruction &I : BB)
      if (const Value *Ptr = getLoadStorePointerOperand(&I))
        Scopes.annotate(I, Ptr);
    if (Scheduled && &BB != Region.Fast)
      keepLoops(BB, IsOfThread);
  }
  Ok &= setLiveOuts(RK, Region, Guard, Fast, States);
  if (!Ok) {
    Guard.abandon();
    Why.R = Reason::LiveOut;
  } else if (!Guard.finish()) {
    Why.R = Reason::GuardFails;
  }
  if (Why.ok())
    addSelfCheck(RK, Region, Check, F, FAM);
  FAM.getResult<DominatorTreeAnalysis>(F).recalculate(F);
  return Why;
}
