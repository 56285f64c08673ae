//===- LaneTiles.cpp - Long bodies of loops over rows ---------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where lanes read rows (LaneTranspose.cpp), a body is there once for each
/// column of a square. Functions with the library's bits are a hundred
/// operations and more: of these one loop runs over the columns of a tile in
/// memory, which squares are transposed to and from.
///
///   for the blocks of a row:
///     columns of the block, by squares and what these leave -> tile
///     for each column: the body, of what is in the tile     -> tile of results
///     tile of results -> rows
///
//===----------------------------------------------------------------------===//
#include "LaneLower.h"
#include "dlopt/PlantedBugs.h"

using namespace llvm;

namespace dlopt {

LaneLowering::ColumnBlock LaneLowering::getColumnsInMemory(ScalarType Elem,
                                                           unsigned Columns,
                                                           unsigned Number) {
  Type *Column =
      FixedVectorType::get(getIRType(Elem, B.getContext()), C.getLanes());
  Type *Ty = ArrayType::get(Column, Columns);
  AllocaInst *&Memory = ColumnBlocks[{Ty, Number}];
  if (!Memory) {
    Function &F = *B.GetInsertBlock()->getParent();
    const DataLayout &DL = F.getDataLayout();
    Memory = new AllocaInst(Ty, DL.getAllocaAddrSpace(), nullptr,
                            DL.getPrefTypeAlign(Column), "tile",
                            F.getEntryBlock().getFirstInsertionPt());
  }
  return {Memory, Column};
}

Value *LaneLowering::getColumn(const ColumnBlock &T, Value *At) {
  return B.CreateGEP(T.Column, T.Memory, At);
}

/// \p Count columns of what \p O reads, from where the axes are now on, as
/// those from \p At on of \p T.
void LaneLowering::readColumns(const Op &O, const ColumnBlock &T, Value *At,
                               unsigned Count) {
  SmallVector<Value *, 16> Columns;
  if (Count == 1)
    Columns = {C.getOp(O, {})};
  else
    Columns = readAhead(O, Count);
  for (auto [I, Column] : enumerate(Columns))
    B.CreateStore(Column, getColumn(T, B.CreateAdd(At, B.getInt64(I))));
}

/// The other way round, for what \p A writes.
void LaneLowering::writeColumns(const Assign &A, const ColumnBlock &T,
                                Value *At, unsigned Count) {
  SmallVector<Value *, 16> Columns;
  for (unsigned I = 0; I != Count; ++I)
    Columns.push_back(
        B.CreateLoad(T.Column, getColumn(T, B.CreateAdd(At, B.getInt64(I)))));
  if (Count == 1)
    return C.assign(ArrayRef(A), Columns);
  C.Behind[&A] = std::move(Columns);
  writeBehind(A);
}

/// The loop \p N, whose leaves read rows by \p Ops, in blocks of as many
/// columns as the first of \p Counts, which are read and written in pieces of
/// these.
void LaneLowering::lowerByTiles(const Node &N, ArrayRef<const Op *> Ops,
                                ArrayRef<unsigned> Counts,
                                const RowFetch &Fetch) {
  AxisId Row = N.Ax;
  SmallVector<const Assign *, 2> Stores = getRowStores(N);
  SmallVector<ColumnBlock, 4> Read, Written;
  for (const Op *O : Ops)
    Read.push_back(getColumnsInMemory(O->Ty, Counts.front(), Read.size()));
  for (const Assign *A : Stores)
    Written.push_back(getColumnsInMemory(K.Buffers[A->Target.Buf].Ty,
                                         Counts.front(),
                                         Read.size() + Written.size()));

  Value *Trip = getTrip(Row), *Size = B.getInt64(Counts.front());
  CountedLoop Blocks =
      beginSteps(B, B.getInt64(0), Trip, Size, K.Axes[Row].Name + ".block");
  Value *First = hideSteps(B, Blocks.Index);
  Value *End =
      B.CreateBinaryIntrinsic(Intrinsic::smin, B.CreateAdd(First, Size), Trip);
  auto ForEachPiece = [&](function_ref<void(Value *, unsigned)> Body) {
    forEachPiece(Row, First, End, Counts, [&](Value *Begin, unsigned Count) {
      C.AxisValues[Row] = Begin;
      Body(B.CreateSub(Begin, First), Count);
    });
  };
  C.AxisValues[Row] = First;
  fetchAhead(Fetch);
  ForEachPiece([&](Value *At, unsigned Count) {
    for (auto [O, T] : zip(Ops, Read))
      readColumns(*O, T, At, Count);
  });

  CountedLoop Columns =
      beginSteps(B, First, End, B.getInt64(1), K.Axes[Row].Name);
  C.AxisValues[Row] = Columns.Index;
  Value *At = DLOPT_PLANTED(ColumnRepeated) ? B.getInt64(0)
                                            : B.CreateSub(Columns.Index, First);
  for (auto [O, T] : zip(Ops, Read))
    C.Ahead[O] = B.CreateLoad(T.Column, getColumn(T, At));
  for (const Assign *A : Stores)
    C.Behind[A].clear();
  lowerChildren(N);
  for (auto [A, T] : zip(Stores, Written)) {
    B.CreateStore(C.Behind[A].front(), getColumn(T, At));
    C.Behind.erase(A);
  }
  C.Ahead.clear();
  endLoop(B, Columns);

  ForEachPiece([&](Value *At, unsigned Count) {
    for (auto [A, T] : zip(Stores, Written))
      writeColumns(*A, T, At, Count);
  });
  endLoop(B, Blocks);
  C.AxisValues[Row] = Trip;
}

} // namespace dlopt
