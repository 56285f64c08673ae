//===- ScheduleFunction.cpp - Schedules as functions ----------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/GeneratedFunction.h"
#include "dlopt/KernelEdit.h"
#include "dlopt/LowerSchedule.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Uses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace dlopt {

/// Of the longest vector.
static uint64_t getVectorBits(const Kernel &K) {
  uint64_t Lanes = 0, Bits = 8;
  for (const Axis &A : K.Axes)
    Lanes = std::max<uint64_t>(Lanes, A.Schedule.Lanes);
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Op &O : L.Ops)
      Bits = std::max<uint64_t>(Bits, 8 * getSizeInBytes(O.Ty));
  });
  constexpr uint64_t Longest = 512;
  return std::min(Lanes * Bits, Longest);
}

/// Whether what is written through one pointer is touched through no other.
static bool isUnaliased(const Kernel &K) {
  auto IsTouched = [&](BufferId B) {
    return !K.Buffers[B].IsLocal && (isRead(K, B) || assigns(K.Root, B));
  };
  auto AreApart = [&](BufferId A, BufferId B) {
    return any_of(K.Needs, [&](const Need &N) {
      return N.K == Need::Disjoint &&
             ((N.Buf == A && is_contained(N.Others, B)) ||
              (N.Buf == B && is_contained(N.Others, A)));
    });
  };
  for (BufferId A = 0; A != K.Buffers.size(); ++A)
    for (BufferId B = 0; B != K.Buffers.size(); ++B)
      if (A != B && IsTouched(A) && IsTouched(B) && assigns(K.Root, A) &&
          !AreApart(A, B))
        return false;
  return true;
}

void callScheduled(IRBuilderBase &B, const Kernel &K) {
  Function &Caller = *B.GetInsertBlock()->getParent();
  LLVMContext &C = B.getContext();
  SmallVector<Type *, 8> Types;
  SmallVector<StringRef, 8> Names;
  SmallVector<Value *, 8> Args;
  auto Add = [&](Value *V, StringRef Name) {
    Args.push_back(V);
    Types.push_back(V->getType());
    Names.push_back(Name);
  };
  for (const Buffer &Buf : K.Buffers)
    if (!Buf.IsLocal)
      Add(Buf.Bound, Buf.Name);
  for (const Param &P : K.Params)
    Add(P.Bound, P.Name);
  AttributeSet Attrs = AttributeSet::get(C, getGeneratedAttributes(Caller));
  Attrs = addWorkerAttributes(C, Attrs, getVectorBits(K));
  Function *F =
      createGenerated(Caller, getFreeName(*Caller.getParent(), "dl.schedule."),
                      Types, Names, Attrs);
  Kernel Own;
  copyKernel(K, Own);
  for (Axis &A : Own.Axes)
    A.L = nullptr;
  bool IsApart = DLOPT_PLANTED(ApartUnasked) || isUnaliased(K);
  auto *Arg = F->arg_begin();
  for (Buffer &Buf : Own.Buffers)
    if (!Buf.IsLocal) {
      if (IsApart)
        Arg->addAttr(Attribute::NoAlias);
      Buf.Bound = Arg++;
      Buf.Depth = 0;
    }
  for (Param &P : Own.Params) {
    P.Bound = Arg++;
    P.Depth = 0;
  }
  IRBuilder<> Inner(BasicBlock::Create(C, "entry", F));
  lowerSchedule(Inner, Own);
  Inner.CreateRetVoid();
  stripDebugInfo(*F);
  B.CreateCall(F, Args);
}

} // namespace dlopt
