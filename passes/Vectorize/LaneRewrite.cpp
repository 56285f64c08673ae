//===- LaneRewrite.cpp - Kernels in lanes to calls ------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LaneStrategy.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace dlopt;

/// Extents are no such numbers that arithmetic with them wraps. Loops that are
/// shorter than a vector stay as they are.
static Verdict emitExtentTests(GuardEmitter &E, const Node &N,
                               const LanePlan &Plan) {
  if (N.K == Node::AxisNode) {
    Value *Extent = E.getExtent(N.Ax);
    if (!Extent)
      return {Reason::NotInvariant, nullptr, ""};
    E.addSmall(Extent);
    if (is_contained(Plan.Axes, N.Ax))
      E.addCondition(E.builder().CreateICmpSGE(
          Extent, E.builder().getInt64(Plan.VectorElems)));
  }
  for (const auto &Child : N.Children)
    if (Verdict Why = emitExtentTests(E, *Child, Plan); !Why.ok())
      return Why;
  return {E.isKnownToFail() ? Reason::TooSmall : Reason::Ok, nullptr, ""};
}

Verdict dlopt::emitLaneTests(GuardEmitter &E, const Kernel &K,
                             const LanePlan &Plan,
                             SmallVectorImpl<Value *> &Inputs) {
  if (Verdict Why = emitExtentTests(E, K.Root, Plan); !Why.ok())
    return Why;
  E.startBlock();
  LaneInputs In = getLaneInputs(K);
  for (BufferId Id : In.Buffers)
    Inputs.push_back(E.getPointer(Id));
  for (ParamId Id : In.Params)
    Inputs.push_back(E.getParam(Id));
  if (is_contained(Inputs, nullptr) || !E.addNeeds())
    return {Reason::NotInvariant, nullptr, ""};
  return {E.isKnownToFail() ? Reason::GuardFails : Reason::Ok, nullptr, ""};
}

CallInst *dlopt::emitLanes(GuardedRegion &Region, const Kernel &K,
                           const LanePlan &Plan, ArrayRef<LaneVariant> Variants,
                           ArrayRef<Value *> Inputs, Function &F,
                           const DebugLoc &Loc) {
  IRBuilder<> B(Region.Fast->getTerminator());
  B.SetCurrentDebugLocation(Loc);
  Function *Callee = getOrCreateLanes(*F.getParent(), K, Plan, F, Variants);
  CallInst *Call = B.CreateCall(Callee, Inputs);
  Call->setCallingConv(Callee->getCallingConv());
  return Call;
}
