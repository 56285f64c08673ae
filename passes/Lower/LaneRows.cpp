//===- LaneRows.cpp - What lanes do one after the other -------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A row program begins with sums and maxima of a row, whose order the lanes of
/// several rows keep, and ends with what writes a row: along the row, where its
/// elements are neighbours, or in the order of the source, where functions of
/// the library may set errno.
///
//===----------------------------------------------------------------------===//
#include "LaneLower.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Uses.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace dlopt {

/// Memory for what lanes have found out in front of the child \p First of \p N.
SmallVector<LaneLowering::Spill, 4> LaneLowering::spill(const Node &N,
                                                        unsigned First) {
  SmallVector<Spill, 4> Result;
  auto Before = ArrayRef(N.Children).take_front(First);
  for (BufferId Buf : N.Locals) {
    if (!K.Buffers[Buf].Shape.empty() ||
        none_of(Before, [&](auto &X) { return assigns(*X, Buf); }))
      continue;
    Value *V = C.getPrivate(Buf);
    // A vector of bits has no elements in memory.
    if (K.Buffers[Buf].Ty == ScalarType::I1)
      V = B.CreateZExt(V, FixedVectorType::get(B.getInt8Ty(), C.getLanes()));
    Result.push_back({Buf, C.createLocal(*B.GetInsertBlock()->getParent(), Buf,
                                         V->getType())});
    B.CreateStore(V, Result.back().second);
  }
  return Result;
}

/// \p Children of \p N for each of the lanes by itself. What \p Spilled holds,
/// one element for each, are scalars there.
void LaneLowering::lowerRows(const Node &N,
                             ArrayRef<std::unique_ptr<Node>> Children,
                             ArrayRef<Spill> Spilled) {
  unsigned Lanes = C.getLanes();
  DenseSet<BufferId> Private = std::move(C.Private);
  C.Private.clear();
  AlongRow = true;
  const Node *OuterRow = std::exchange(Row, &N),
             *OuterProgram = std::exchange(Program, &N);
  Value *FirstRow = C.AxisValues[N.Ax];
  CountedLoop L = beginWholeSteps(B, B.getInt64(0), B.getInt64(Lanes), 1,
                                  K.Axes[N.Ax].Name + ".row");
  C.enterLanes(N.Ax, B.CreateAdd(FirstRow, L.Index), 1);
  for (auto [Buf, Memory] : Spilled) {
    Type *Ty = getIRType(K.Buffers[Buf].Ty, B.getContext());
    Type *Elem = Memory->getAllocatedType()->getScalarType();
    Value *Row = L.Index;
    if (DLOPT_PLANTED(FirstRowForAll))
      Row = B.getInt64(0);
    Value *V = B.CreateLoad(Elem, B.CreateGEP(Elem, Memory, Row));
    B.CreateStore(V->getType() == Ty ? V : B.CreateTrunc(V, Ty), C.Locals[Buf]);
  }
  for (const auto &Child : Children)
    lower(*Child);
  endLoop(B, L);
  AlongRow = false;
  Row = OuterRow;
  Program = OuterProgram;
  C.Private = std::move(Private);
  C.enterLanes(N.Ax, FirstRow, Lanes);
}

/// The children of \p N, whose iterations are lanes; those that \p Rows says
/// for one row after the other.
void LaneLowering::lowerSplit(const Node &N, const LanePlan::Split &Rows) {
  auto All = ArrayRef(N.Children);
  if (Rows.Begin)
    lowerRows(N, All.take_front(Rows.Begin), {});
  for (const auto &Child : All.slice(Rows.Begin, Rows.First - Rows.Begin))
    lower(*Child);
  if (Rows.First == All.size())
    return;
  auto Spilled = C.inLanes() ? spill(N, Rows.First) : SmallVector<Spill, 4>();
  lowerRows(N, All.drop_front(Rows.First), Spilled);
}

} // namespace dlopt
