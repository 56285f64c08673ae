//===- LaneScalable.cpp - Lanes of scalable vectors -----------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Vectors as long as the machine's have no lanes that could be taken one by
/// one: elements that are apart are gathered and scattered, and what whole
/// vectors leave is done in one vector under a mask.
///
//===----------------------------------------------------------------------===//
#include "ExpressionLower.h"
#include "LaneLower.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace dlopt {

Value *LaneContext::getAddressVector(const Access &X) {
  Poly Stride = *getStride(K, getOffset(K, X), Lane);
  Value *Offsets =
      B.CreateMul(getLaneOffsets(), spread(ScalarContext::getPoly(Stride)));
  return B.CreateGEP(getIRType(K.Buffers[X.Buf].Ty, B.getContext()),
                     getAddress(X), Offsets);
}

Value *LaneContext::getAllLanes(Value *Mask) {
  return Mask ? Mask : B.CreateVectorSplat(getCount(), B.getTrue());
}

Value *LaneContext::gather(const Op &O, Align ElemAlign, Value *Mask) {
  Type *Ty = getVectorType(O.Ty);
  return B.CreateMaskedGather(Ty, getAddressVector(O.Acc), ElemAlign,
                              getAllLanes(Mask), Constant::getNullValue(Ty));
}

void LaneContext::scatter(const Access &To, Value *V, Align ElemAlign) {
  B.CreateMaskedScatter(V, getAddressVector(To), ElemAlign, getAllLanes(Mask));
}

/// The lanes of one vector from \p First on that are in front of \p Trip.
/// Counts of lanes fit into 32 bits, of which a vector has no more than of
/// floats.
Value *LaneContext::getLanesBefore(Value *First, Value *Trip) {
  if (Plan.Scalable)
    return B.CreateIntrinsic(
        Intrinsic::get_active_lane_mask,
        {VectorType::get(B.getInt1Ty(), getCount()), B.getInt64Ty()},
        {First, Trip});
  auto *Ty = VectorType::get(B.getInt32Ty(), getCount());
  Value *Left = B.CreateTrunc(B.CreateSub(Trip, First), B.getInt32Ty());
  return B.CreateICmpULT(B.CreateStepVector(Ty), spread(Left));
}

/// Several vectors at a time, and then one under a mask, until nothing is left.
/// Where masks are slow, whole vectors are accessed without.
void LaneLowering::lowerMaskedLanes(AxisId A, Value *First, Value *Trip,
                                    ArrayRef<LaneReduction> Reductions,
                                    function_ref<void()> Body) {
  unsigned Vectors = AlongRow ? Plan.AlongVectors : Plan.Vectors;
  bool IsFirst = true;
  // Fewer are a rest of rows.
  bool MasksAreSlow = !Plan.Scalable && Plan.RestElems >= Plan.VectorElems;
  auto Run = [&](unsigned Count, Value *End) {
    enterShared(A, First, Count, IsFirst, Reductions);
    IsFirst = false;
    Value *Step = B.CreateElementCount(B.getInt64Ty(), C.getCount());
    if (!End)
      End = B.CreateAdd(B.CreateSub(Trip, Step), B.getInt64(1));
    CountedLoop L = beginSteps(B, First, End, Step,
                               K.Axes[A].Name + (Plan.Scalable ? ".xv" : ".x") +
                                   Twine(Count));
    C.enterLanes(A, L.Index, Count);
    if (End == Trip)
      C.setTail(C.getLanesBefore(L.Index, Trip),
                DLOPT_PLANTED(TailTakenForWhole) ? B.getTrue()
                : MasksAreSlow
                    ? B.CreateICmpSLE(B.CreateAdd(L.Index, Step), Trip)
                    : nullptr);
    Body();
    endLoop(B, L);
    C.setTail(nullptr);
    First = L.Index;
  };
  Run(Plan.VectorElems * Vectors, nullptr);
  Run(Plan.VectorElems, Trip);
  if (Plan.Scalable)
    closeScalableReductions(Reductions);
  else
    closeReductions(Reductions);
  C.leaveLanes();
}

/// The vectors of \p V, each of \p Lanes times vscale, combined to one.
Value *LaneLowering::combineVectors(const LaneReduction &R, Value *V,
                                    unsigned Lanes) {
  auto *Ty = cast<VectorType>(V->getType());
  unsigned All = Ty->getElementCount().getKnownMinValue();
  auto *One = ScalableVectorType::get(Ty->getElementType(), Lanes);
  Value *Result = nullptr;
  for (unsigned First = 0; First != All; First += Lanes) {
    Value *Part =
        All == Lanes ? V : B.CreateExtractVector(One, V, B.getInt64(First));
    Result = Result ? combine(R, Result, Part) : Part;
  }
  return Result;
}

/// As closeReductions: parts of as many lanes as a vector has at least are
/// combined through memory, where they can be counted.
void LaneLowering::closeScalableReductions(ArrayRef<LaneReduction> Reductions) {
  Function *F = B.GetInsertBlock()->getParent();
  unsigned Lanes = Plan.VectorElems;
  for (const LaneReduction &R : Reductions) {
    Value *V = combineVectors(R, C.getPrivate(R.State), Lanes);
    C.Private.erase(R.State);
    StringRef Name = K.Buffers[R.State].Name;
    Type *Elem = V->getType()->getScalarType(),
         *Part = FixedVectorType::get(Elem, Lanes);
    // What the ABI aligns the stack to.
    Align Alignment(16);
    auto *Spill = new AllocaInst(
        V->getType(), F->getDataLayout().getAllocaAddrSpace(), nullptr,
        Alignment, Name + ".lanes", F->getEntryBlock().getFirstInsertionPt());
    B.CreateAlignedStore(V, Spill, Alignment);
    auto LoadPart = [&](Value *First) {
      return B.CreateAlignedLoad(Part, B.CreateGEP(Elem, Spill, First),
                                 F->getDataLayout().getABITypeAlign(Elem));
    };
    Value *Step = B.getInt64(Lanes);
    Value *All =
        B.CreateElementCount(B.getInt64Ty(), ElementCount::getScalable(Lanes));
    Value *Sum = LoadPart(B.getInt64(0));
    CountedLoop L = beginSteps(B, Step, All, Step, Name + ".parts");
    PHINode *Carried = addCarried(L, Sum, Name);
    Carried->addIncoming(combine(R, Carried, LoadPart(L.Index)), L.Latch);
    endLoop(B, L);
    closeReduction(R, Carried);
  }
}

} // namespace dlopt
