//===- ContractionTranspose.cpp - Transposed operands of a contraction ----===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Copies the transpose of a block: as many of its rows as a vector has lanes
/// at a time, by transposing squares in registers. Nothing is rounded, so sums
/// over the copy are those of the loop.
///
//===----------------------------------------------------------------------===//
#include "ContractionEmitter.h"
#include "RegisterTranspose.h"
#include "dlopt/PlantedBugs.h"

using namespace llvm;

namespace dlopt::contraction {

namespace {

/// Copies one group of rows, as many as a vector has lanes.
class GroupCopier {
public:
  GroupCopier(IRBuilderBase &B, Emitter &E, Value *From,
              ArrayRef<Value *> RowOffsets, const CopiedBlock &Block, Value *To,
              Value *Stride, function_ref<Value *(Value *)> Make)
      : B(B), E(E), Source(E.forOperands()), From(From), RowOffsets(RowOffsets),
        Block(Block), Step(Block.Step), To(To), Stride(Stride), Make(Make) {}
  /// Elements [0, Width) of all rows.
  void run(Value *Width);

private:
  void copyColumns(Value *First, unsigned Count);
  void copyElement(Value *First);
  Value *target(Value *Element, unsigned Offset) {
    Value *First = E.at(To, B.CreateMul(Element, Stride));
    return Offset ? E.at(First, B.CreateMul(B.getInt64(Offset), Stride))
                  : First;
  }

  IRBuilderBase &B;
  Emitter &E, Source;
  Value *From;
  ArrayRef<Value *> RowOffsets;
  const CopiedBlock &Block;
  const ElementStep &Step;
  Value *To, *Stride;
  function_ref<Value *(Value *)> Make;
};

void GroupCopier::copyColumns(Value *First, unsigned Count) {
  SmallVector<Value *, 16> Columns;
  Value *FirstRow = Source.at(From, First, Step);
  if (Block.IsFar)
    E.emitIf(Block.IsFar, "far", [&] {
      Value *Group = B.CreateMul(Block.Ld, B.getInt64(RowOffsets.size()));
      Value *Next = Source.at(FirstRow, Group);
      for (Value *Row : RowOffsets)
        E.prefetch(Source.at(Next, Row));
    });
  loadTransposed(
      B, Source.getElem(), RowOffsets.size(), Count,
      [&](unsigned Row) {
        return Source.load({1, Count}, Source.at(FirstRow, RowOffsets[Row]),
                           nullptr, Step);
      },
      Columns);
  for (unsigned I = 0; I != Columns.size(); ++I)
    E.store(Make(Columns[I]), target(First, I));
}

void GroupCopier::copyElement(Value *First) {
  for (unsigned Lane = 0; Lane != RowOffsets.size(); ++Lane) {
    Value *Row = Source.at(From, RowOffsets[Lane]);
    Value *X = B.CreateAlignedLoad(
        Source.getElem(), Source.at(Row, First, Step), Source.getElemAlign());
    E.store(Make(X), E.at(target(First, 0), Lane));
  }
}

void GroupCopier::run(Value *Width) {
  unsigned Part = getPartLanes(RowOffsets.size(), Source.getElem());
  unsigned Pair = getPairLanes(RowOffsets.size(), Source.getElem());
  SmallVector<unsigned, 2> Counts = {Part};
  if (Pair != Part)
    Counts.insert(Counts.begin(), Pair);
  Value *First = B.getInt64(0);
  for (unsigned Count : Counts)
    First = E.emitWhileFits(First, Count, Width, "transpose",
                            [&](Value *I) { copyColumns(I, Count); });
  if (DLOPT_PLANTED(TransposedRestDropped))
    return;
  E.emitWhileFits(First, 1, Width, "transpose.rest",
                  [&](Value *I) { copyElement(I); });
}

} // namespace

void transposeBlock(IRBuilderBase &B, Emitter &E, const ContractionPlan &Plan,
                    const CopiedBlock &Block, Value *Stride,
                    function_ref<Value *(Value *)> Target,
                    function_ref<Value *(Value *)> Make) {
  unsigned Lanes = Plan.VectorElems;
  DoWhile Loop(B, {B.getInt64(0)}, "transpose.rows");
  Value *Row = Loop[0];
  // Lanes beyond the last row repeat it; nothing reads them.
  Value *Last = B.CreateSub(B.CreateSub(Block.Rows, Row), B.getInt64(1));
  SmallVector<Value *, 16> RowOffsets;
  for (unsigned Lane = 0; Lane != Lanes; ++Lane) {
    Value *Capped =
        B.CreateBinaryIntrinsic(Intrinsic::umin, B.getInt64(Lane), Last);
    RowOffsets.push_back(B.CreateMul(Capped, Block.Ld));
  }
  Value *First = E.forOperands().at(Block.From, B.CreateMul(Row, Block.Ld));
  GroupCopier(B, E, First, RowOffsets, Block, Target(Row), Stride, Make)
      .run(Block.Width);
  Value *Next = B.CreateAdd(Row, B.getInt64(Lanes));
  Loop.close({Next}, B.CreateICmpSLT(Next, Block.Rows));
}

} // namespace dlopt::contraction
