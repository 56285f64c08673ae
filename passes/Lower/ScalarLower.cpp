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
#include "ScalarLower.h"
#include "dlopt/GeneratedDebugInfo.h"
#include "dlopt/Guards.h"
#include "dlopt/KernelEdit.h"
#include "dlopt/Lower.h"
#include "dlopt/Raise.h"
#include "dlopt/Rematerialize.h"
#include "dlopt/Stack.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace dlopt {

static bool isBound(const Kernel &K, const Value *V) {
  auto InNest = [&](const BasicBlock *BB) {
    return any_of(K.Axes,
                  [&](const Axis &Ax) { return Ax.L && Ax.L->contains(BB); });
  };
  return V && canRematerialize(V, InNest, isUnwrittenByKernel);
}

/// Every call that came from the IR has the operands that the model has.
static bool hasItsCalls(const Leaf &L) {
  return all_of(L.Ops, [](const Op &O) {
    auto *Call = dyn_cast_or_null<CallInst>(O.Origin);
    return O.K != Op::LibCall || !Call || Call->arg_size() == O.Args.size();
  });
}

Verdict checkBindings(const Kernel &K) {
  for (const Param &P : K.Params)
    if (!P.isComputed() &&
        (!isBound(K, P.Bound) || getScalarType(P.Bound->getType()) != P.Ty))
      return {Reason::NotInvariant, nullptr, P.Name};
  for (const Buffer &Buf : K.Buffers)
    if (!Buf.IsLocal &&
        (!isBound(K, Buf.Bound) || !Buf.Bound->getType()->isPointerTy()))
      return {Reason::NotInvariant, nullptr, Buf.Name};
  Verdict Result;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    if (!hasItsCalls(L))
      Result = {Reason::UnknownCall, nullptr, ""};
  });
  return Result;
}

Verdict canLowerScalar(const Kernel &K, uint64_t StackBytes) {
  if (Verdict Why = checkBindings(K); !Why.ok())
    return Why;
  uint64_t Bytes = 0;
  for (const Buffer &Buf : K.Buffers) {
    if (!Buf.IsLocal || Buf.Shape.empty())
      continue;
    Bytes = SaturatingMultiplyAdd(getNumElements(Buf).value_or(UINT64_MAX),
                                  uint64_t(getSizeInBytes(Buf.Ty)), Bytes);
    // Who says where an array is has asked whether that pays.
    bool Pays = Buf.Where == Buffer::Stack;
    if (Bytes > (Pays ? StackBytes : std::min(StackBytes, CheapStackBytes)))
      return {Reason::StackLimit, nullptr, Buf.Name};
  }
  return {};
}

ScalarLowering::ScalarLowering(ScalarContext &C, const Node &Top)
    : B(C.B), K(C.K), Top(Top), C(C) {}

DenseMap<BufferId, Value *> ScalarLowering::run() {
  Function *F = B.GetInsertBlock()->getParent();
  DebugLoc Before = B.getCurrentDebugLocation();
  B.SetCurrentDebugLocation(getCallLoc(*F, Before));
  createLocals(*F);
  computeQuotients();
  lower(Top);
  if (Stack)
    B.CreateStackRestore(Stack);
  B.SetCurrentDebugLocation(Before);
  return promote();
}

void ScalarLowering::createLocals(Function &F) {
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
    C.Locals[Id] = C.createLocal(F, Id, getIRType(Buf.Ty, F.getContext()));
    if (Buf.Where == Buffer::Stack)
      placeArray(*C.Locals[Id]);
  }
}

/// Arrays that somebody has put on the stack are there as long as these loops
/// run, not as long as the function does, which may call itself. Their vectors
/// are within cache lines.
void ScalarLowering::placeArray(AllocaInst &Array) {
  if (!Stack)
    Stack = B.CreateStackSave();
  Array.moveBefore(*B.GetInsertBlock(), B.GetInsertPoint());
  Array.setAlignment(std::max(Array.getAlign(), Align(64)));
}

/// Computes the quotients in \p P, innermost first, that nothing changes.
void ScalarLowering::computeQuotients(const Poly &P) {
  auto Changes = [&](const Atom &A) {
    return A.K == Atom::Axis || A.K == Atom::Load ||
           (A.K == Atom::Param && K.Params[A.Ref].Depth != 0);
  };
  P.anyAtom([&](AtomId Id) {
    const Atom &A = K.Atoms[Id];
    if ((A.K != Atom::FloorDiv && A.K != Atom::Mod) ||
        C.Quotients.contains(Id) || K.anyNestedAtom(Poly::atom(Id), Changes))
      return false;
    computeQuotients(A.Num);
    computeQuotients(A.Den);
    // Where that is not 1 or more, nothing runs that the result matters to.
    Value *Den = C.getPoly(A.Den);
    // It may be poison where nothing runs.
    if (!isGuaranteedNotToBeUndefOrPoison(Den))
      Den = B.CreateFreeze(Den);
    if (A.Den.getConstant().value_or(0) < 1)
      Den = B.CreateBinaryIntrinsic(Intrinsic::smax, Den, B.getInt64(1));
    BasicBlock::iterator End = B.GetInsertPoint();
    BasicBlock &Block = *B.GetInsertBlock();
    Instruction *Before = End == Block.begin() ? nullptr : &*std::prev(End);
    Value *V = emitDivMod(B, C.getPoly(A.Num), Den, A.K == Atom::Mod);
    for (Instruction &I :
         make_range(Before ? std::next(Before->getIterator()) : Block.begin(),
                    B.GetInsertPoint()))
      if (isa<BinaryOperator>(I))
        I.setMetadata(QuotientTag, MDNode::get(B.getContext(), {}));
    C.Quotients[Id] = V;
    return false;
  });
}

/// Those in numbers of rounds and in subscripts are computed once, in front of
/// all loops: LLVM moves no division out of a loop that may not run, as it
/// might trap, takes the loop inside for one whose end moves, and an address
/// for one that is computed anew in each round.
void ScalarLowering::computeQuotients() {
  auto Compute = [&](const Access &X) {
    for (const Poly &Sub : X.Subs)
      computeQuotients(Sub);
  };
  forEachLeaf(Top, [&](const Leaf &L, ArrayRef<AxisId> Axes) {
    for (AxisId A : Axes)
      for (const Poly &Extent : K.Axes[A].Extents)
        computeQuotients(Extent);
    for (const Op &O : L.Ops)
      if (O.K == Op::Load)
        Compute(O.Acc);
    for (const Assign &A : L.Assigns)
      Compute(A.Target);
  });
}

void ScalarLowering::lower(const Node &N) {
  DebugLoc Loc = B.getCurrentDebugLocation();
  if (N.K == Node::LeafNode) {
    if (N.L.Loc)
      B.SetCurrentDebugLocation(N.L.Loc);
    lowerLeaf(N.L);
  } else if (N.K == Node::AxisNode) {
    if (DebugLoc Own = K.Axes[N.Ax].Loc)
      B.SetCurrentDebugLocation(Own);
    lowerAxis(N);
  } else {
    lowerChildren(N);
  }
  B.SetCurrentDebugLocation(Loc);
}

void ScalarLowering::lowerChildren(const Node &N) {
  for (const auto &Child : N.Children)
    lower(*Child);
}

Value *ScalarLowering::getTrip(AxisId A) {
  Value *Trip = nullptr;
  for (const Poly &Extent : K.Axes[A].Extents) {
    Value *V = C.getPoly(Extent);
    Trip = Trip ? B.CreateBinaryIntrinsic(Intrinsic::smin, Trip, V) : V;
  }
  return Trip;
}

void ScalarLowering::lowerLeaf(const Leaf &L) { dlopt::lowerLeaf(C, L); }

/// Whether \p N is around loops that divide the first dimension of arrays that
/// somebody has put on the stack.
static bool isAroundBlocks(const Kernel &K, const Node &N) {
  SmallVector<AxisId, 8> Inside;
  collectAxes(N, Inside);
  erase(Inside, N.Ax);
  auto IsBlock = [&](const Access &X) {
    return K.Buffers[X.Buf].Where == Buffer::Stack && !X.Subs.empty() &&
           any_of(Inside,
                  [&](AxisId A) { return K.dependsOn(X.Subs.front(), A); });
  };
  bool Any = false;
  forEachLeaf(N, [&](const Leaf &L, ArrayRef<AxisId>) {
    Any |=
        any_of(L.Assigns, [&](const Assign &A) { return IsBlock(A.Target); });
  });
  return Any;
}

/// Rounds of such a loop use the same arrays, which those of inner loops divide
/// among them.
static void markBlocks(CountedLoop &L) {
  LLVMContext &C = L.Latch->getContext();
  MDNode *Tag = MDNode::get(C, MDString::get(C, BlockLoopTag));
  L.Latch->getTerminator()->setMetadata(
      LLVMContext::MD_loop,
      makePostTransformationMetadata(C, nullptr, {}, {Tag}));
}

void ScalarLowering::lowerAxis(const Node &N) {
  auto Before = C.Copies;
  CountedLoop L = beginLoop(B, getTrip(N.Ax), B.getInt64(1), K.Axes[N.Ax].Name,
                            mustStayScalar(N));
  if (isAroundBlocks(K, N))
    markBlocks(L);
  C.AxisValues[N.Ax] = L.Index;
  // What lives for a round is not carried to the next one, though not every
  // branch may assign it.
  for (BufferId Id : N.Locals)
    if (AllocaInst *Local = C.Locals.lookup(Id);
        Local && K.Buffers[Id].Shape.empty())
      B.CreateStore(UndefValue::get(Local->getAllocatedType()), Local);
  lowerChildren(N);
  endLoop(B, L);
  C.Copies = std::move(Before);
}

void promoteSlots(IRBuilderBase &B, ArrayRef<AllocaInst *> Slots) {
  Function &F = *B.GetInsertBlock()->getParent();
  SmallVector<AllocaInst *, 4> Promotable;
  for (AllocaInst *Slot : Slots)
    if (isAllocaPromotable(Slot))
      Promotable.push_back(Slot);
  // A block under construction has no terminator yet, but analyses need one.
  Instruction *Stub = nullptr;
  const BasicBlock &Last = *B.GetInsertBlock();
  if (Last.empty() || !Last.back().isTerminator())
    Stub = new UnreachableInst(F.getContext(), B.GetInsertBlock());
  DominatorTree DT(F);
  PromoteMemToReg(Promotable, DT);
  if (Stub)
    Stub->eraseFromParent();
}

/// Turns state into SSA values.
DenseMap<BufferId, Value *> ScalarLowering::promote() {
  SmallVector<std::pair<BufferId, WeakTrackingVH>, 2> Finals;
  for (BufferId Id : Top.Locals)
    if (K.Buffers[Id].Shape.empty() && C.Locals.contains(Id))
      Finals.push_back(
          {Id, B.CreateLoad(C.Locals[Id]->getAllocatedType(), C.Locals[Id])});
  promoteSlots(B, C.AllLocals);
  DenseMap<BufferId, Value *> Result;
  for (auto &[Id, V] : Finals)
    Result[Id] = V;
  return Result;
}

DenseMap<BufferId, Value *> lowerScalar(IRBuilderBase &B, const Kernel &K) {
  ScalarContext C(B, K);
  return ScalarLowering(C, K.Root).run();
}

void lowerScalar(IRBuilderBase &B, const Kernel &K, const Node &Subtree) {
  ScalarContext C(B, K);
  ScalarLowering(C, Subtree).run();
}

} // namespace dlopt
