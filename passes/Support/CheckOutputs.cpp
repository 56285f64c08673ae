//===- CheckOutputs.cpp - What self-checks compare ------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CheckOutputs.h"
#include "dlopt/Lower.h"
#include "dlopt/Uses.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace dlopt;

/// The array that the kernel assigns by \p Store, or one in the same object.
std::optional<BufferId> CheckOutputs::findBuffer(const Instruction &Store,
                                                 const Value *Ptr) const {
  const Kernel &K = *RK->K;
  std::optional<BufferId> ByStore, ByObject;
  const Value *Object = getUnderlyingObject(Ptr);
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Assign &A : L.Assigns) {
      const Buffer &Buf = K.Buffers[A.Target.Buf];
      if (Buf.IsLocal || !Buf.Bound)
        continue;
      if (A.Origin == &Store)
        ByStore = A.Target.Buf;
      if (getUnderlyingObject(Buf.Bound) == Object)
        ByObject = A.Target.Buf;
    }
  });
  return ByStore ? ByStore : ByObject;
}

/// Whether \p Ptr points into memory of the function that the kernel does not
/// assign: that is gone, since nothing else reads it.
bool CheckOutputs::isPrivate(const Value *Ptr, LoopInfo &LI,
                             const TargetLibraryInfo &TLI) const {
  const Kernel &K = *RK->K;
  SmallVector<const Value *, 4> Objects, Assigned;
  for (auto [Id, Buf] : enumerate(K.Buffers))
    if (!Buf.IsLocal && Buf.Bound && assigns(K.Root, static_cast<BufferId>(Id)))
      getUnderlyingObjects(Buf.Bound, Assigned, &LI);
  getUnderlyingObjects(Ptr, Objects, &LI);
  return all_of(Objects, [&](const Value *Object) {
    return isNewObject(*Object, TLI) && !is_contained(Assigned, Object);
  });
}

static SmallVector<Poly, 2> getStrides(const Kernel &K, BufferId Buf) {
  SmallVector<Poly, 2> Result;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Assign &A : L.Assigns)
      if (A.Target.Buf == Buf && Result.size() < A.Target.Strides.size())
        Result.assign(A.Target.Strides.begin(), A.Target.Strides.end());
  });
  return Result;
}

unsigned CheckOutputs::getOutput(std::optional<BufferId> Buf, unsigned Class,
                                 unsigned Bytes) {
  if (Outputs.size() >= MostCheckOutputs)
    Buf = std::nullopt;
  auto *Known = find_if(Outputs, [&](const Output &O) {
    return O.Buf == Buf && O.Class == Class && O.Bytes == Bytes;
  });
  if (Known == Outputs.end()) {
    Output O;
    O.Buf = Buf;
    O.Name = Buf ? getSourceName(RK->K->Buffers[*Buf].Bound,
                                 RK->K->Buffers[*Buf].Name)
                 : "memory";
    O.Class = Class;
    O.Bytes = Bytes;
    if (Buf)
      O.Strides = getStrides(*RK->K, *Buf);
    O.Rank = static_cast<unsigned>(O.Strides.size());
    Outputs.push_back(std::move(O));
    Known = &Outputs.back();
  }
  return static_cast<unsigned>(Known - Outputs.begin()) + 1;
}

CheckOutputs::CheckOutputs(const RaisedKernel &RK, LoopInfo &LI,
                           const TargetLibraryInfo &TLI)
    : RK(&RK) {
  const DataLayout &DL = RK.Preheader->getDataLayout();
  for (BasicBlock *BB : RK.Nest->blocks())
    for (Instruction &I : *BB) {
      auto *S = dyn_cast<StoreInst>(&I);
      auto *Mem = dyn_cast<MemIntrinsic>(&I);
      if (!S && !Mem)
        continue;
      const Value *Ptr = S ? S->getPointerOperand() : Mem->getRawDest();
      std::optional<BufferId> Buf = findBuffer(I, Ptr);
      if (!Buf && isPrivate(Ptr, LI, TLI))
        continue;
      Type *Ty = S     ? S->getValueOperand()->getType()
                 : Buf ? getIRType(RK.K->Buffers[*Buf].Ty, I.getContext())
                       : Type::getInt8Ty(I.getContext());
      auto [Class, Bytes] = getCheckElement(Ty, DL);
      Stores[&I] = getOutput(Buf, Class, Bytes);
    }
}

SmallVector<CheckOutput, 2> CheckOutputs::describe() const {
  return {Outputs.begin(), Outputs.end()};
}

/// \p P where the values that it is made of are known.
static Value *emitFixed(IRBuilderBase &B, const Kernel &K, const Poly &P,
                        DominatorTree &DT) {
  Instruction *At = &*B.GetInsertPoint();
  return emitPoly(B, K, P, [&](IRBuilderBase &, AtomId Id) -> Value * {
    const Atom &A = K.Atoms[Id];
    if (A.K != Atom::Param)
      return nullptr;
    const Param &X = K.Params[A.Ref];
    if (!X.Bound || !DT.dominates(X.Bound, At))
      return nullptr;
    return B.CreateIntCast(X.Bound, B.getInt64Ty(), X.Signed);
  });
}

Value *CheckOutputs::emitPlaces(IRBuilderBase &B, DominatorTree &DT) {
  SmallVector<Value *, 8> Values;
  Instruction *At = &*B.GetInsertPoint();
  for (const Output &O : Outputs) {
    Value *Base = O.Buf ? RK->K->Buffers[*O.Buf].Bound : nullptr;
    bool IsKnown = Base && DT.dominates(Base, At);
    Values.push_back(IsKnown ? B.CreatePtrToInt(Base, B.getInt64Ty())
                             : B.getInt64(0));
    for (const Poly &Stride : O.Strides) {
      Value *V = emitFixed(B, *RK->K, Stride, DT);
      Values.push_back(V ? V : B.getInt64(1));
    }
  }
  Function &F = *At->getFunction();
  auto *Ty = ArrayType::get(B.getInt64Ty(), Values.size());
  auto *Memory =
      new AllocaInst(Ty, F.getDataLayout().getAllocaAddrSpace(), "dl.places",
                     F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  for (auto [I, V] : enumerate(Values))
    B.CreateStore(V, B.CreateConstInBoundsGEP2_64(Ty, Memory, 0, I));
  return Memory;
}
