//===- ContractionPanels.cpp - Columns of a contraction -------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ContractionPanels.h"
#include "ContractionEmitter.h"
#include "dlopt/Target.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace dlopt::contraction {

PanelText::PanelText(IRBuilderBase &B, const ContractionSpec &S,
                     const ContractionPlan &P, ArrayRef<Value *> Operands)
    : ContractionText(B, S, P, Operands),
      LanesOfVL(
          getScalableRegister(*B.GetInsertBlock()->getParent()).getLanes()) {
  set("lanes", getElements(P.VectorElems));
}

std::string PanelText::getElements(unsigned N) const {
  if (!Plan.Scalable)
    return utostr(N);
  return getText({std::max(1, int(N / LanesOfVL)), /*Scalable=*/true});
}

std::string PanelText::getProduct(unsigned N) const {
  return Plan.Scalable ? utostr(std::max(1u, N / LanesOfVL)) + "*vl"
                       : utostr(N);
}

Value *PanelText::getWhole(Value *Of, Value *Size) {
  return B.CreateSub(Of, B.CreateURem(Of, Size));
}

void PanelText::addColumns(Value *N, Value *PanelStep) {
  ElementCount Width = getPanelWidth(Plan),
               Pair = ElementCount::get(2 * Plan.VectorElems, Plan.Scalable);
  Value *Panel = B.CreateElementCount(B.getInt64Ty(), Width);
  Value *Whole = getWhole(N, Panel);
  addNumber("whole", Whole);
  addNumber("last.panel",
            B.CreateMul(Whole, B.CreateSub(PanelStep, B.getInt64(1))));
  if (!Plan.MaskedLoads || Plan.TileVectors <= 2)
    return;
  Value *Left = B.CreateURem(B.CreateSub(N, Whole),
                             B.CreateElementCount(B.getInt64Ty(), Pair));
  addNumber("even", B.CreateSub(N, Left));
}

SmallVector<ColumnPart, 2> PanelText::getRest(StringRef Begin,
                                              StringRef End) const {
  unsigned Lanes = Plan.VectorElems,
           First = llvm::bit_floor(Plan.TileVectors - 1);
  ColumnPart Vectors{Begin.str(), End.str(), "", std::max(First, 1u) * Lanes};
  auto Add = [&](unsigned Size) {
    std::string Text = " " + getElements(Size);
    if (Vectors.Blocks.empty())
      Vectors.Blocks = "step";
    if (!StringRef(Vectors.Blocks).ends_with(Text))
      Vectors.Blocks += Text;
  };
  for (unsigned V = First; V > 1; V /= 2)
    Add(V * Lanes);
  SmallVector<ColumnPart, 2> Parts;
  if (!Plan.MaskedLoads) {
    for (unsigned Size = First ? Lanes : Lanes / 2; Size; Size /= 2)
      Add(Size);
    if (!Vectors.Blocks.empty())
      Parts.push_back(std::move(Vectors));
    return Parts;
  }
  ColumnPart Last{Begin.str(), End.str(), "upto " + getElements(Lanes), Lanes};
  if (!Vectors.Blocks.empty()) {
    Vectors.End = Last.Begin = "%even";
    Parts.push_back(std::move(Vectors));
  }
  Parts.push_back(std::move(Last));
  return Parts;
}

} // namespace dlopt::contraction
