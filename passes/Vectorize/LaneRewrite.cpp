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

/// Adds tests that an extent that depends on axes around it, each a few times,
/// is small where they are. False: it is something else.
static bool addDependentExtent(GuardEmitter &E, const Kernel &K,
                               const Poly &Extent) {
  constexpr int64_t MaxSteps = 16, MaxOffset = 1 << 16;
  Poly Fixed = Extent;
  for (auto [Id, A] : enumerate(K.Atoms))
    if (A.K == Atom::FloorDiv && Extent == Poly::atom(Id) &&
        A.Den.getConstant())
      return addDependentExtent(E, K, A.Num);
  for (auto [Id, A] : enumerate(K.Atoms))
    if (A.K == Atom::Axis && Fixed.uses(Id)) {
      std::optional<Poly> Steps = Fixed.coefficient(Id);
      std::optional<int64_t> Number =
          Steps ? Steps->getConstant() : std::nullopt;
      if (!Number || std::abs(*Number) > MaxSteps)
        return false;
      Fixed = Fixed.without(Id);
    }
  if (std::optional<int64_t> Number = Fixed.getConstant())
    return std::abs(*Number) <= MaxOffset;
  Value *V = E.getValue(Fixed);
  if (V)
    E.addSmall(V);
  return V;
}

/// The least number of iterations of the axis \p A of lanes that is worth a
/// call.
static uint64_t getLeast(const Kernel &K, const LanePlan &Plan, AxisId A) {
  constexpr unsigned WorthMask = 2, WorthMasks = 5, WorthWidth = 64;
  if (Plan.OnlyWider && any_of(K.Root.Children, [&](const auto &N) {
        return N->K == Node::AxisNode && N->Ax == A;
      }))
    return WorthWidth;
  if (!Plan.MaskedRest || Plan.Scalable)
    return Plan.VectorElems;
  // Each loop computes a whole vector.
  return Plan.Axes.size() > 1 ? WorthMasks : WorthMask;
}

/// \p Extent, of the axis \p A of lanes, fills a vector or is worth a mask, or
/// the search inside is worth its own lanes.
static bool emitWorthTest(GuardEmitter &E, const Kernel &K, AxisId A,
                          Value *Extent, const LanePlan &Plan) {
  uint64_t Least = getLeast(K, Plan, A);
  Value *Long = Plan.LongSearch ? E.getExtent(*Plan.LongSearch) : nullptr;
  if (Plan.LongSearch && !Long)
    return false;
  IRBuilderBase &B = E.builder();
  if (Plan.OnlyStreams) {
    E.addCondition(B.CreateICmpSGE(
        Extent,
        B.getInt64(getLeastStreamed(K, Plan, getStreams(K, Plan.Axes[0])))));
    return true;
  }
  Value *Worth = B.CreateICmpSGE(Extent, B.getInt64(Least));
  if (Long)
    Worth = B.CreateOr(Worth, B.CreateICmpSGE(Long, B.getInt64(LongRow)));
  E.addCondition(Worth);
  return true;
}

/// Extents are no such numbers that arithmetic with them wraps. Loops that are
/// shorter than a vector stay as they are, unless a part of one does.
static Verdict emitExtentTests(GuardEmitter &E, const Kernel &K, const Node &N,
                               const LanePlan &Plan) {
  if (N.K == Node::AxisNode && !K.hasFixedExtents(N.Ax)) {
    if (!all_of(K.Axes[N.Ax].Extents,
                [&](const Poly &P) { return addDependentExtent(E, K, P); }))
      return {Reason::NotInvariant, nullptr, ""};
  } else if (N.K == Node::AxisNode) {
    Value *Extent = E.getExtent(N.Ax);
    if (!Extent)
      return {Reason::NotInvariant, nullptr, ""};
    E.addSmall(Extent);
    if (is_contained(Plan.Axes, N.Ax) &&
        !emitWorthTest(E, K, N.Ax, Extent, Plan))
      return {Reason::NotInvariant, nullptr, ""};
  }
  for (const auto &Child : N.Children)
    if (Verdict Why = emitExtentTests(E, K, *Child, Plan); !Why.ok())
      return Why;
  return {E.isKnownToFail() ? Reason::TooSmall : Reason::Ok, nullptr, ""};
}

Verdict dlopt::emitLaneTests(GuardEmitter &E, const Kernel &K,
                             const LanePlan &Plan,
                             SmallVectorImpl<Value *> &Inputs) {
  if (!E.addSame())
    return {Reason::NotInvariant, nullptr, ""};
  if (Verdict Why = emitExtentTests(E, K, K.Root, Plan); !Why.ok())
    return Why;
  E.startBlock();
  LaneInputs In = getLaneInputs(K);
  for (BufferId Id : In.Buffers)
    Inputs.push_back(E.getPointer(Id));
  for (ParamId Id : In.Params)
    Inputs.push_back(E.getParam(Id));
  if (is_contained(Inputs, nullptr) ||
      (Plan.PerThread && !addAlignmentTests(E, K, Plan)) || !E.addNeeds())
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
