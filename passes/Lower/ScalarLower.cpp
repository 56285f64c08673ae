//===- ScalarLower.cpp - Kernels to scalar loops --------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The reference order of Kernel.h, as IR: one loop per axis, children in
/// order, state in stack slots that become SSA values at the end.
///
//===----------------------------------------------------------------------===//
#include "BodyLower.h"
#include "dlopt/Rematerialize.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace dlopt {

/// Elements of a local buffer; nullopt: not a constant.
static std::optional<uint64_t> getNumElements(const Buffer &Buf) {
  uint64_t Result = 1;
  for (const Poly &Extent : Buf.Shape) {
    std::optional<int64_t> C = Extent.getConstant();
    if (!C || *C < 0)
      return std::nullopt;
    Result = SaturatingMultiply(Result, uint64_t(*C));
  }
  return Result;
}

static bool isBound(const Kernel &K, const Value *V) {
  return V && canRematerialize(V, [&](const BasicBlock *BB) {
           return any_of(K.Axes, [&](const Axis &Ax) {
             return Ax.L && Ax.L->contains(BB);
           });
         });
}

/// Every call that came from the IR has the operands that the model has.
static bool hasItsCalls(const Leaf &L) {
  return all_of(L.Ops, [](const Op &O) {
    auto *Call = dyn_cast_or_null<CallInst>(O.Origin);
    return O.K != Op::LibCall || !Call || Call->arg_size() == O.Args.size();
  });
}

Verdict canLowerScalar(const Kernel &K, uint64_t StackBytes) {
  for (const Param &P : K.Params)
    if (!isBound(K, P.Bound) || getScalarType(P.Bound->getType()) != P.Ty)
      return {Reason::NotInvariant, nullptr, P.Name};
  uint64_t Bytes = 0;
  for (const Buffer &Buf : K.Buffers) {
    if (!Buf.IsLocal &&
        (!isBound(K, Buf.Bound) || !Buf.Bound->getType()->isPointerTy()))
      return {Reason::NotInvariant, nullptr, Buf.Name};
    if (!Buf.IsLocal || Buf.Shape.empty())
      continue;
    Bytes = SaturatingMultiplyAdd(getNumElements(Buf).value_or(UINT64_MAX),
                                  uint64_t(getSizeInBytes(Buf.Ty)), Bytes);
    if (Bytes > StackBytes)
      return {Reason::StackLimit, nullptr, Buf.Name};
  }
  Verdict Result;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    if (!hasItsCalls(L))
      Result = {Reason::UnknownCall, nullptr, ""};
  });
  return Result;
}

namespace {

class ScalarLowering {
public:
  ScalarLowering(IRBuilderBase &B, const Kernel &K, const Node &Top)
      : B(B), K(K), Top(Top), C(B, K) {}

  DenseMap<BufferId, Value *> run() {
    Function *F = B.GetInsertBlock()->getParent();
    DebugLoc Before = B.getCurrentDebugLocation();
    // A call without a location cannot be inlined in a function that has any.
    if (DISubprogram *SP = F->getSubprogram();
        SP && !B.getCurrentDebugLocation())
      B.SetCurrentDebugLocation(DILocation::get(F->getContext(), 0, 0, SP));
    createLocals(*F);
    lower(Top);
    B.SetCurrentDebugLocation(Before);
    return promote(*F);
  }

private:
  void createLocals(Function &F) {
    BasicBlock &Entry = F.getEntryBlock();
    DenseSet<BufferId> Used;
    forEachLeaf(Top, [&](const Leaf &L, ArrayRef<AxisId>) {
      for (const Op &O : L.Ops)
        if (O.K == Op::Load)
          Used.insert(O.Acc.Buf);
      for (const Assign &A : L.Assigns)
        Used.insert(A.Target.Buf);
    });
    for (auto [Id, Buf] : enumerate(K.Buffers)) {
      if (!Buf.IsLocal || !Used.contains(Id))
        continue;
      Type *Ty = getIRType(Buf.Ty, F.getContext());
      if (!Buf.Shape.empty())
        Ty = ArrayType::get(Ty, getNumElements(Buf).value_or(0));
      C.Locals[Id] =
          new AllocaInst(Ty, F.getDataLayout().getAllocaAddrSpace(), nullptr,
                         F.getDataLayout().getPrefTypeAlign(Ty), Buf.Name,
                         Entry.getFirstInsertionPt());
    }
  }

  void lower(const Node &N) {
    DebugLoc Loc = B.getCurrentDebugLocation();
    if (N.K == Node::LeafNode) {
      if (N.L.Loc)
        B.SetCurrentDebugLocation(N.L.Loc);
      lowerLeaf(C, N.L);
    } else if (N.K == Node::AxisNode) {
      lowerAxis(N);
    } else {
      for (const auto &Child : N.Children)
        lower(*Child);
    }
    B.SetCurrentDebugLocation(Loc);
  }

  void lowerAxis(const Node &N) {
    const Axis &Ax = K.Axes[N.Ax];
    if (Ax.Loc)
      B.SetCurrentDebugLocation(Ax.Loc);
    auto Before = C.Copies;
    Value *Trip = nullptr;
    for (const Poly &Extent : Ax.Extents) {
      Value *V = C.getPoly(Extent);
      Trip = Trip ? B.CreateBinaryIntrinsic(Intrinsic::smin, Trip, V) : V;
    }
    CountedLoop L = beginLoop(B, Trip, B.getInt64(1), Ax.Name, /*Final=*/false);
    C.AxisValues[N.Ax] = L.Index;
    for (const auto &Child : N.Children)
      lower(*Child);
    endLoop(B, L);
    C.Copies = std::move(Before);
  }

  /// Turns state into SSA values.
  DenseMap<BufferId, Value *> promote(Function &F) {
    SmallVector<std::pair<BufferId, WeakTrackingVH>, 2> Finals;
    for (BufferId Id : Top.Locals)
      if (K.Buffers[Id].Shape.empty() && C.Locals.contains(Id))
        Finals.push_back(
            {Id, B.CreateLoad(C.Locals[Id]->getAllocatedType(), C.Locals[Id])});
    SmallVector<AllocaInst *, 4> Slots;
    for (auto [Id, Buf] : enumerate(K.Buffers))
      if (AllocaInst *Slot = C.Locals.lookup(Id);
          Slot && isAllocaPromotable(Slot))
        Slots.push_back(Slot);
    // A block under construction has no terminator yet, but analyses need one.
    Instruction *Stub = nullptr;
    if (!B.GetInsertBlock()->getTerminator())
      Stub = new UnreachableInst(F.getContext(), B.GetInsertBlock());
    DominatorTree DT(F);
    PromoteMemToReg(Slots, DT);
    if (Stub)
      Stub->eraseFromParent();
    DenseMap<BufferId, Value *> Result;
    for (auto &[Id, V] : Finals)
      Result[Id] = V;
    return Result;
  }

  IRBuilderBase &B;
  const Kernel &K;
  const Node &Top;
  ScalarContext C;
};

} // namespace

DenseMap<BufferId, Value *> lowerScalar(IRBuilderBase &B, const Kernel &K) {
  return ScalarLowering(B, K, K.Root).run();
}

void lowerScalar(IRBuilderBase &B, const Kernel &K, const Node &Subtree) {
  ScalarLowering(B, K, Subtree).run();
}

} // namespace dlopt
