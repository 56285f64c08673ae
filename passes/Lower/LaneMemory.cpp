//===- LaneMemory.cpp - What lanes read and write -------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Neighbours in memory are read and written as vectors, or as two halves of
/// one, under masks where lanes do not run; all else lane by lane.
///
//===----------------------------------------------------------------------===//
#include "BlockUtils.h"
#include "LaneContext.h"
#include "dlopt/Compat.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace dlopt {

/// Calls \p Do for lanes that have iterations behind each other, of which the
/// axis has the first one then: all, or each half.
void LaneContext::forEachHalf(
    function_ref<void(unsigned Begin, unsigned Count)> Do) {
  if (!Second)
    return Do(0, Lanes);
  Value *First = AxisValues[Lane];
  Do(0, Lanes / 2);
  AxisValues[Lane] = Second;
  Do(Lanes / 2, Lanes / 2);
  AxisValues[Lane] = First;
}

/// The lanes of \p V, which may be null, from \p Begin on.
Value *LaneContext::getPart(Value *V, unsigned Begin, unsigned Count) {
  if (!V || Count == Lanes)
    return V;
  return B.CreateShuffleVector(V, createSequentialMask(Begin, Count, 0));
}

/// How neighbours are aligned that are read or written at once.
Align LaneContext::getVectorAlign(const Access &X, Align ElemAlign) const {
  if (!Plan.PerThread || !getVectorStart(K, X, Lane, Lanes))
    return ElemAlign;
  return Align(Lanes * getSizeInBytes(K.Buffers[X.Buf].Ty));
}

/// One of two, by what \p Condition is for all lanes; what they return, or
/// null.
Value *LaneContext::choose(Value *Condition, const Twine &Name,
                           function_ref<Value *()> IfTrue,
                           function_ref<Value *()> IfFalse) {
  BasicBlock *Done = splitAtInsertPoint(B, Name + ".done");
  Function &F = *Done->getParent();
  auto *True = BasicBlock::Create(B.getContext(), Name, &F, Done),
       *False = BasicBlock::Create(B.getContext(), Name + ".not", &F, Done);
  DebugLoc Loc = B.getCurrentDebugLocation();
  B.CreateCondBr(Condition, True, False);
  // Either side may choose itself, and end in another block.
  SmallVector<std::pair<Value *, BasicBlock *>, 2> Results;
  for (auto [BB, Emit] : {std::pair(True, IfTrue), std::pair(False, IfFalse)}) {
    B.SetInsertPoint(UncondBrInst::Create(Done, BB));
    B.SetCurrentDebugLocation(Loc);
    Value *V = Emit();
    Results.push_back({V, B.GetInsertBlock()});
  }
  B.SetInsertPoint(Done, Done->getFirstInsertionPt());
  B.SetCurrentDebugLocation(Loc);
  if (!Results.front().first)
    return nullptr;
  PHINode *Result = B.CreatePHI(Results.front().first->getType(), 2);
  for (auto [V, From] : Results)
    Result->addIncoming(V, From);
  return Result;
}

/// Neighbours under \p Mask. What is a tail may be none.
Value *LaneContext::loadMasked(Type *Ty, Value *Address, Align ElemAlign,
                               Value *Mask) {
  auto Load = [&]() -> Value * {
    return B.CreateMaskedLoad(Ty, Address, ElemAlign, Mask,
                              Constant::getNullValue(Ty));
  };
  if (Mask != Tail || !IsWhole)
    return Load();
  return choose(
      IsWhole, "whole",
      [&]() -> Value * { return B.CreateAlignedLoad(Ty, Address, ElemAlign); },
      Load);
}

/// The same the other way round.
void LaneContext::storeMasked(Value *V, Value *Address, Align ElemAlign,
                              Value *Mask) {
  auto Store = [&]() -> Value * {
    B.CreateMaskedStore(V, Address, ElemAlign, Mask);
    return nullptr;
  };
  if (Mask != Tail || !IsWhole) {
    Store();
    return;
  }
  choose(
      IsWhole, "whole",
      [&]() -> Value * {
        B.CreateAlignedStore(V, Address, ElemAlign);
        return nullptr;
      },
      Store);
}

/// Elements under \p Mask that are \p Stride apart: an argument, which is 1
/// more often than not, and neighbours are read many times as fast.
Value *LaneContext::gatherUnlessNear(const Op &O, Value *Stride,
                                     Align ElemAlign, Value *Mask) {
  Value *IsNear = DLOPT_PLANTED(GatheredAsNeighbours)
                      ? B.getTrue()
                      : B.CreateICmpEQ(Stride, B.getInt64(1));
  return choose(
      IsNear, "near", [&] { return loadNeighbours(O, ElemAlign, Mask); },
      [&] { return gather(O, ElemAlign, Mask); });
}

/// Neighbours, under \p Mask if that is not null.
Value *LaneContext::loadNeighbours(const Op &O, Align ElemAlign, Value *Mask) {
  SmallVector<Value *, 2> Parts;
  forEachHalf([&](unsigned Begin, unsigned Count) {
    Type *Ty =
        VectorType::get(getIRType(O.Ty, B.getContext()),
                        ElementCount::get(Count, getCount().isScalable()));
    Value *Address = getAddress(O.Acc);
    Parts.push_back(
        Mask ? loadMasked(Ty, Address, ElemAlign, getPart(Mask, Begin, Count))
             : static_cast<Value *>(B.CreateAlignedLoad(
                   Ty, Address, getVectorAlign(O.Acc, ElemAlign))));
  });
  return concatenateVectors(B, Parts);
}

/// Elements that differ between lanes.
Value *LaneContext::loadLanes(const Op &O) {
  std::optional<Poly> Stride = getStride(K, getOffset(K, O.Acc), Lane);
  std::optional<int64_t> Step = Stride ? Stride->getConstant() : std::nullopt;
  Type *Elem = getIRType(O.Ty, B.getContext()), *Ty = getVectorType(O.Ty);
  Align ElemAlign = getElementAlign(O.Origin, Elem);
  Value *Mask = Safe.contains(&O) ? Tail : this->Mask;
  if (Step == 1)
    return loadNeighbours(O, ElemAlign, Mask);
  if (Plan.Scalable || (Mask && Step))
    return gather(O, ElemAlign, Mask);
  if (Mask && Stride)
    return gatherUnlessNear(O, ScalarContext::getPoly(*Stride), ElemAlign,
                            Mask);
  if (Step == -1 && !Mask && !Second) {
    Value *Last = B.CreateGEP(Elem, getAddress(O.Acc),
                              B.getInt64(1 - static_cast<int64_t>(Lanes)));
    return B.CreateVectorReverse(B.CreateAlignedLoad(Ty, Last, ElemAlign));
  }
  SmallVector<Value *, 16> Values = getAddresses(O.Acc);
  if (Mask)
    return B.CreateMaskedGather(Ty, makeVector(B, Values), ElemAlign, Mask,
                                Constant::getNullValue(Ty));
  for (Value *&V : Values)
    V = B.CreateAlignedLoad(Elem, V, ElemAlign);
  return makeVector(B, Values);
}

/// Neighbours, the other way round, under the mask of the leaf.
void LaneContext::storeNeighbours(const Access &To, Value *V, Align ElemAlign) {
  forEachHalf([&](unsigned Begin, unsigned Count) {
    Value *Part = getPart(V, Begin, Count), *Address = getAddress(To);
    if (Mask)
      storeMasked(Part, Address, ElemAlign, getPart(Mask, Begin, Count));
    else
      B.CreateAlignedStore(Part, Address, getVectorAlign(To, ElemAlign));
  });
}

void LaneContext::store(const Assign &A, Value *V) {
  const Access &To = A.Target;
  V = spread(V);
  if (auto It = Behind.find(&A); It != Behind.end()) {
    It->second.push_back(V);
    return;
  }
  if (Private.contains(To.Buf)) {
    Value *Slot = getSlot(To);
    // A lane without an iteration keeps what lanes share, alone. What it has
    // else is no number that is left over: arithmetic on those may be slow.
    bool IsOwn = Mask == Tail && K.Axes[Lane].R == Role::Parallel;
    if (Mask && !IsOwn && !DLOPT_PLANTED(LaneMaskDropped))
      V = B.CreateSelect(Mask, V, B.CreateLoad(V->getType(), Slot));
    B.CreateStore(V, Slot);
    return;
  }
  std::optional<Poly> Stride = getStride(K, getOffset(K, To), Lane);
  Type *Elem = V->getType()->getScalarType();
  Align ElemAlign = getElementAlign(A.Origin, Elem);
  if (Stride && Stride->getConstant() == 1) {
    if (is_contained(Streams, &A))
      B.CreateAlignedStore(V, getAddress(To), getStreamAlign(Plan, Elem))
          ->setMetadata(LLVMContext::MD_nontemporal,
                        MDNode::get(B.getContext(),
                                    ConstantAsMetadata::get(B.getInt32(1))));
    else
      storeNeighbours(To, V, ElemAlign);
    return;
  }
  if (Plan.Scalable)
    return scatter(To, V, ElemAlign);
  SmallVector<Value *, 16> Addresses = getAddresses(To);
  if (Mask) {
    B.CreateMaskedScatter(V, makeVector(B, Addresses), ElemAlign, Mask);
    return;
  }
  for (auto [L, Address] : enumerate(Addresses))
    B.CreateAlignedStore(B.CreateExtractElement(V, L), Address, ElemAlign);
}

} // namespace dlopt
