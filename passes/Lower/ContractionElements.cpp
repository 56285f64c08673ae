//===- ContractionElements.cpp - Results stored one by one ----------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Tiles of a triangle are those of a rectangle. What lies beyond the diagonal
/// is left out; tiles on it are computed as a whole, into a buffer, of which
/// the elements of the triangle are stored. So are results whose columns are
/// apart.
///
//===----------------------------------------------------------------------===//
#include "ContractionEmitter.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace dlopt::contraction {

Value *Emitter::allocateTile() {
  // Wide tiles are twice as wide.
  uint64_t Bytes = uint64_t(Plan.TileRows) * 2 * Plan.TileVectors *
                   Plan.VectorElems * sizeof(double);
  AllocaInst *Buffer =
      B.CreateAlloca(ArrayType::get(B.getInt8Ty(), Bytes), nullptr, "tile");
  Buffer->setAlignment(Align(64));
  return Buffer;
}

/// A tile has column - row from J - (rows - 1) to J + (width - 1), counted from
/// its first row.
Value *Emitter::isInside(const Rows &R, const ColumnKind &Cols, Value *J) {
  if (DLOPT_PLANTED(DiagonalStoredWhole))
    return B.getTrue();
  if (Spec.Elements == ContractionSpec::UpperTriangle)
    return B.CreateICmpSGE(B.CreateSub(J, B.getInt64(R.size() - 1)),
                           R.Diagonal);
  return B.CreateICmpSLT(
      B.CreateAdd(J, B.CreateSub(getCount(Cols.width()), B.getInt64(1))),
      R.Diagonal);
}

Value *Emitter::isOutside(const Rows &R, const ColumnKind &Cols, Value *J) {
  if (Spec.Elements == ContractionSpec::UpperTriangle)
    return B.CreateICmpSLT(
        B.CreateAdd(J, B.CreateSub(getCount(Cols.width()), B.getInt64(1))),
        R.Diagonal);
  return B.CreateICmpSGE(B.CreateSub(J, B.getInt64(R.size() - 1)), R.Diagonal);
}

void Emitter::emitElementStores(const Rows &R, const ColumnKind &Cols, Value *J,
                                Value *Count, ArrayRef<Value *> Acc) {
  unsigned Width = Cols.Vectors * Cols.Lanes;
  for (unsigned I = 0; I != Acc.size(); ++I)
    store(Acc[I], at(R.Buffer, uint64_t(I) * Cols.Lanes));
  DoWhile Loop(B, {B.getInt64(0)}, "diagonal.rows");
  Value *Row = Loop[0];
  Value *From = at(R.Buffer, B.CreateMul(Row, B.getInt64(Width)));
  Value *To = at(at(R.C[0], B.CreateMul(Row, R.Ldc)), stepped(J, R.StepC));
  Value *First = B.getInt64(0),
        *End =
            B.CreateBinaryIntrinsic(Intrinsic::smin, B.getInt64(Width), Count);
  // Where the diagonal is in this row of the tile.
  Value *At =
      R.Diagonal ? B.CreateSub(B.CreateAdd(R.Diagonal, Row), J) : nullptr;
  if (Spec.Elements == ContractionSpec::UpperTriangle)
    First = B.CreateBinaryIntrinsic(Intrinsic::smax, First, At);
  else if (At)
    End = B.CreateBinaryIntrinsic(Intrinsic::smin, End, At);
  emitWhileFits(First, 1, End, "diagonal.store", [&](Value *I) {
    Value *X = B.CreateAlignedLoad(Elem, at(From, I), getElemAlign());
    Value *Column = DLOPT_PLANTED(ResultStepLost) ? I : stepped(I, R.StepC);
    B.CreateAlignedStore(X, at(To, Column), getElemAlign());
  });
  Value *Next = B.CreateAdd(Row, B.getInt64(1));
  Loop.close({Next}, B.CreateICmpSLT(Next, B.getInt64(R.size())));
}

} // namespace dlopt::contraction
