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
/// (Functions of few rows have lanes along each of them: LaneRowFunctions.cpp.)
///
//===----------------------------------------------------------------------===//
#include "LaneLower.h"
#include "dlopt/MathModels.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Uses.h"
#include "llvm/Analysis/VectorUtils.h"

using namespace llvm;

namespace dlopt {

AllocaInst *LaneLowering::getTileMemory(Type *Ty, Align Least,
                                        unsigned Number) {
  AllocaInst *&Memory = Tiles[{Ty, Number}];
  if (!Memory) {
    Function &F = *B.GetInsertBlock()->getParent();
    Memory =
        new AllocaInst(Ty, F.getDataLayout().getAllocaAddrSpace(), nullptr,
                       Least, "tile", F.getEntryBlock().getFirstInsertionPt());
  }
  return Memory;
}

LaneLowering::ColumnBlock LaneLowering::getColumnsInMemory(ScalarType Elem,
                                                           unsigned Columns,
                                                           unsigned Number) {
  Type *Column =
      FixedVectorType::get(getIRType(Elem, B.getContext()), C.getLanes());
  const DataLayout &DL = B.GetInsertBlock()->getDataLayout();
  return {getTileMemory(ArrayType::get(Column, Columns),
                        DL.getPrefTypeAlign(Column), Number),
          Column};
}

Value *LaneLowering::getColumn(const ColumnBlock &T, Value *At) {
  return B.CreateGEP(T.Column, T.Memory, At);
}

/// \p Count columns of what \p O reads, from where the axes are now on, as
/// those from \p At on of \p T. Those that are read \p Together are written so:
/// a load of what several stores have written waits until all are in the cache.
void LaneLowering::readColumns(const Op &O, const ColumnBlock &T, Value *At,
                               unsigned Count, unsigned Together) {
  SmallVector<Value *, 16> Columns;
  // All lanes read, whatever the conditions were of a leaf that ran before.
  C.beginLeaf(/*BranchOnMask=*/false);
  if (Count == 1)
    Columns = {C.getOp(O, {})};
  else
    Columns = readAhead(O, Count);
  if (Count % Together)
    Together = 1;
  for (unsigned I = 0; I != Count; I += Together)
    B.CreateAlignedStore(
        concatenateVectors(B, ArrayRef(Columns).slice(I, Together)),
        getColumn(T, B.CreateAdd(At, B.getInt64(I))), getColumnAlign(T));
}

/// That of any column.
Align LaneLowering::getColumnAlign(const ColumnBlock &T) const {
  return T.Memory->getDataLayout().getPrefTypeAlign(T.Column);
}

/// The other way round, for what \p A writes.
void LaneLowering::writeColumns(const Assign &A, const ColumnBlock &T,
                                Value *At, unsigned Count) {
  SmallVector<Value *, 16> Columns;
  C.beginLeaf(/*BranchOnMask=*/false);
  for (unsigned I = 0; I != Count; ++I)
    Columns.push_back(
        B.CreateLoad(T.Column, getColumn(T, B.CreateAdd(At, B.getInt64(I)))));
  if (Count == 1)
    return C.assign(ArrayRef(A), Columns);
  C.Behind[&A] = std::move(Columns);
  writeBehind(A);
}

/// \p F of the first \p Count columns of \p Read, which \p Ops have read.
/// Columns that fill no vector are the last one again, so that nothing is
/// called that the source does not call.
void LaneLowering::computeColumns(const RowFunction &F,
                                  ArrayRef<const Op *> Ops,
                                  ArrayRef<ColumnBlock> Read,
                                  const ColumnBlock &To, Value *Count) {
  unsigned Lanes = C.getLanes(), Together = Plan.VectorElems / Lanes;
  Value *Step = B.getInt64(Together), *One = B.getInt64(1);
  // A vector that is a part of two lines is slow.
  const DataLayout &DL = B.GetInsertBlock()->getDataLayout();
  auto GetVector = [&](const ColumnBlock &T) -> std::pair<Type *, Align> {
    Type *Ty =
        FixedVectorType::get(T.Column->getScalarType(), Plan.VectorElems);
    Align Whole = DL.getPrefTypeAlign(Ty);
    T.Memory->setAlignment(std::max(T.Memory->getAlign(), Whole));
    return {Ty, Whole};
  };
  Value *Last = B.CreateSub(Count, One),
        *End = B.CreateAnd(B.CreateAdd(Last, Step),
                           B.getInt64(-int64_t(Together)));
  CountedLoop Again = beginSteps(B, Count, End, One, "again");
  for (const ColumnBlock &T : Read) {
    Type *Moved = getMovedType(T.Column);
    Value *Same = B.CreateLoad(Moved, getColumn(T, Last));
    if (DLOPT_PLANTED(JunkColumnsCall))
      Same = Constant::getNullValue(Moved);
    B.CreateStore(Same, getColumn(T, Again.Index));
  }
  endLoop(B, Again);

  // What lanes have for themselves is there once for each column of a vector.
  SmallVector<int, 16> Columns;
  for (unsigned I = 0; I != Plan.VectorElems; ++I)
    Columns.push_back(static_cast<int>(I % Lanes));
  C.beginLeaf(/*BranchOnMask=*/false);
  SmallVector<std::pair<const Op *, Value *>, 2> Fixed;
  for (auto [Id, O] : enumerate(F.L->Ops))
    if (F.Needed[Id] && O.K == Op::Load && !is_contained(Ops, &O)) {
      Value *V = C.getOp(O, {});
      bool IsOwn = V->getType()->isVectorTy();
      Fixed.push_back({&O, IsOwn ? B.CreateShuffleVector(V, Columns) : V});
    }

  CountedLoop Vectors = beginSteps(B, B.getInt64(0), Count, Step, "columns");
  C.setLanes(Plan.VectorElems);
  C.Ahead.insert(Fixed.begin(), Fixed.end());
  for (auto [O, T] : zip(Ops, Read)) {
    auto [Ty, Whole] = GetVector(T);
    C.Ahead[O] = B.CreateAlignedLoad(Ty, getColumn(T, Vectors.Index), Whole);
  }
  Value *Result = emitFunction(F);
  B.CreateAlignedStore(Result, getColumn(To, Vectors.Index),
                       GetVector(To).second);
  C.Ahead.clear();
  C.setLanes(Lanes);
  endLoop(B, Vectors);
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

  // Where the lanes are fewer than a register has.
  std::optional<RowFunction> Function;
  if (C.getLanes() < Plan.VectorElems)
    Function = getRowFunction(N, Ops);
  ColumnBlock Results = {};
  unsigned Together = 1;
  if (Function) {
    Together = Plan.VectorElems / C.getLanes();
    Results = getColumnsInMemory(Function->L->Ops[Function->Id].Ty,
                                 Counts.front(), Read.size() + Written.size());
  }

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
      readColumns(*O, T, At, Count, Together);
  });

  if (Function)
    computeColumns(*Function, Ops, Read, Results, B.CreateSub(End, First));

  CountedLoop Columns =
      beginSteps(B, First, End, B.getInt64(1), K.Axes[Row].Name);
  C.AxisValues[Row] = Columns.Index;
  Value *At = DLOPT_PLANTED(ColumnRepeated) ? B.getInt64(0)
                                            : B.CreateSub(Columns.Index, First);
  for (auto [O, T] : zip(Ops, Read))
    C.Ahead[O] = B.CreateLoad(T.Column, getColumn(T, At));
  if (Function)
    C.Ahead[&Function->L->Ops[Function->Id]] =
        B.CreateLoad(Results.Column, getColumn(Results, At));
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
