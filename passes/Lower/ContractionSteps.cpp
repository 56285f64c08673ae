//===- ContractionSteps.cpp - Operands whose columns are apart ------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Vectors of elements that are some steps apart, forwards or backwards: every
/// second column, parts of complex numbers, sums from the last term to the
/// first. What lies between two elements may be read with them, what lies in
/// front of the first or behind the last may not be there.
///
//===----------------------------------------------------------------------===//
#include "ContractionEmitter.h"
#include "dlopt/PlantedBugs.h"

using namespace llvm;

namespace dlopt::contraction {

/// As many whole vectors as there are steps: the last of them ends with the
/// last element.
Value *Emitter::loadFewApart(unsigned Lanes, Value *Ptr, int64_t Step) {
  unsigned Apart = unsigned(std::abs(Step)), Last = (Lanes - 1) * Apart;
  Value *Lowest = Step < 0 ? at(Ptr, B.getInt64(-uint64_t(Last))) : Ptr;
  Type *Ty = FixedVectorType::get(Elem, Lanes);
  Value *Result = nullptr;
  for (unsigned Part = 0; Part != Apart; ++Part) {
    unsigned First = std::min(Part * Lanes, Last + 1 - Lanes);
    if (DLOPT_PLANTED(StepOverread))
      First = Part * Lanes;
    Value *V = B.CreateAlignedLoad(Ty, at(Lowest, First), getElemAlign());
    // The first two are put together at once.
    if (Part == 0 && Apart > 1) {
      Result = V;
      continue;
    }
    SmallVector<int, 16> Mask(Lanes, PoisonMaskElem);
    for (unsigned Lane = 0; Lane != Lanes; ++Lane) {
      unsigned Offset = (Step < 0 ? Lanes - 1 - Lane : Lane) * Apart;
      if (Offset / Lanes == Part)
        Mask[Lane] = int(Part ? Lanes + Offset - First : Offset);
      else if (Offset / Lanes < Part)
        Mask[Lane] = int(Part == 1 ? Offset : Lane);
    }
    Result = Part ? B.CreateShuffleVector(Result, V, Mask)
                  : B.CreateShuffleVector(V, Mask);
  }
  return Result;
}

Value *Emitter::gather(const ColumnKind &Cols, Value *Ptr, Value *Mask,
                       const ElementStep &Step) {
  auto *Ty = cast<VectorType>(getType(Cols));
  ElementCount Lanes = Ty->getElementCount();
  Value *Numbers = B.CreateStepVector(VectorType::get(B.getInt64Ty(), Lanes));
  Value *Offsets =
      B.CreateMul(Numbers, B.CreateVectorSplat(Lanes, Step.Elements));
  if (!Mask)
    Mask = B.CreateVectorSplat(Lanes, B.getTrue());
  return B.CreateMaskedGather(Ty, at(Ptr, Offsets), getElemAlign(), Mask);
}

Value *Emitter::load(const ColumnKind &Cols, Value *Ptr, Value *Mask,
                     const ElementStep &Step) {
  if (Step.Constant == 1 || Cols.lanes().isScalar())
    return load(Cols, Ptr, Mask);
  if (Mask || Cols.Scalable)
    return gather(Cols, Ptr, Mask, Step);
  if (Step.Constant != ContractionSpec::AnyStep)
    return loadFewApart(Cols.Lanes, Ptr, Step.Constant);
  Value *Result = PoisonValue::get(getType(Cols));
  for (unsigned Lane = 0; Lane != Cols.Lanes; ++Lane) {
    Value *X = B.CreateAlignedLoad(Elem, at(Ptr, B.getInt64(Lane), Step),
                                   getElemAlign());
    Result = B.CreateInsertElement(Result, X, uint64_t(Lane));
  }
  return Result;
}

} // namespace dlopt::contraction
