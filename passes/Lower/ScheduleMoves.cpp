//===- ScheduleMoves.cpp - Scheduled kernels to IR: moves -----------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///   par u[16] row interleave16 par j[size(J)] lanes 16
///     t[16*j + u] = %w[u,J + j]
///
/// loads a vector for each u and stores one for each lane: a transposition. Of
/// small elements, of which all u fit into one number, it is one vector of such
/// numbers.
///
//===----------------------------------------------------------------------===//
#include "ScheduleEmitter.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace dlopt {

/// The elements of each lane as one number, \p V, where the first of them is.
void ScheduleEmitter::storeNumbers(const Access &X, Value *V) {
  unsigned Depth = Row->Row->Depth;
  Type *Whole = B.getIntNTy(Depth * getBitWidth(K.Buffers[X.Buf].Ty));
  V = B.CreateBitCast(V, FixedVectorType::get(Whole, Lanes.Width));
  Align ElemAlign = getElementAlign(X.Buf, nullptr);
  Value *At = nullptr;
  Poly Offset = getOffset(X);
  inElement(0,
            [&] { At = inLane(0, [&] { return getAddress(X.Buf, Offset); }); });
  if (Value *Mask = getMask(X.Buf))
    B.CreateMaskedStore(V, At, ElemAlign, Mask);
  else
    B.CreateAlignedStore(V, At, ElemAlign);
}

static unsigned getLanes(Value *V) {
  return cast<FixedVectorType>(V->getType())->getNumElements();
}

/// Of each \p Window elements of \p X, then of \p Y, every other \p Unit: the
/// first ones, or the others.
static Value *pickHalf(IRBuilderBase &B, Value *X, Value *Y, unsigned Unit,
                       unsigned Window, bool Others) {
  unsigned Size = getLanes(X);
  SmallVector<int, 16> Numbers;
  for (unsigned Base = 0; Base != Size; Base += Window)
    for (unsigned From : {0u, Size})
      for (unsigned At = Others ? Unit : 0; At < Window; At += 2 * Unit)
        for (unsigned I = 0; I != Unit; ++I)
          Numbers.push_back(static_cast<int>(From + Base + At + I));
  return B.CreateShuffleVector(X, Y, Numbers);
}

/// A square of units in each window: rows are \p Vs, as many as units.
static void transposeUnits(IRBuilderBase &B, MutableArrayRef<Value *> Vs,
                           unsigned Unit, unsigned Window) {
  for (size_t Left = Vs.size(); Left > 1; Left /= 2) {
    SmallVector<Value *, 16> Next(Vs.size());
    for (size_t I = 0, Half = Vs.size() / 2; I != Half; ++I)
      for (bool Others : {false, true})
        Next[I + (Others ? Half : 0)] =
            pickHalf(B, Vs[2 * I], Vs[2 * I + 1], Unit, Window, Others);
    copy(Next, Vs.begin());
  }
}

/// A square, as many vectors as elements, a power of two. Shuffles inside of
/// 128 bits, then of such parts, are one instruction each on most targets.
static void transposeSquare(IRBuilderBase &B, SmallVectorImpl<Value *> &Vs) {
  unsigned Size = static_cast<unsigned>(Vs.size());
  unsigned Bits = Vs.front()->getType()->getScalarSizeInBits();
  unsigned Unit = std::clamp(128 / Bits, 1u, Size);
  for (unsigned First = 0; First != Size; First += Unit)
    transposeUnits(B, MutableArrayRef(Vs).slice(First, Unit), 1, Unit);
  // Vector First + I has the columns I, Unit + I, ... of Unit rows.
  SmallVector<Value *, 16> Columns(Size), Parts(Size / Unit);
  for (unsigned I = 0; I != Unit; ++I) {
    for (unsigned Part = 0; Part != Size / Unit; ++Part)
      Parts[Part] = Vs[Part * Unit + I];
    transposeUnits(B, Parts, Unit, Size);
    for (unsigned Part = 0; Part != Size / Unit; ++Part)
      Columns[Part * Unit + I] = Parts[Part];
  }
  copy(Columns, Vs.begin());
}

/// A vector for each element of the instruction, to one for each lane.
void ScheduleEmitter::storeTransposed(const Access &X, ArrayRef<Value *> Vs) {
  unsigned Depth = Row->Row->Depth, Size = std::min(Depth, Lanes.Width);
  Align ElemAlign = getElementAlign(X.Buf, nullptr);
  Poly Offset = getOffset(X);
  for (unsigned Lane = 0; Lane != Lanes.Width; Lane += Size)
    for (unsigned First = 0; First != Depth; First += Size) {
      SmallVector<Value *, 16> Square;
      for (Value *V : Vs.slice(First, Size)) {
        SmallVector<int, 16> Numbers;
        for (unsigned I = 0; I != Size; ++I)
          Numbers.push_back(static_cast<int>(Lane + I));
        Square.push_back(
            Size == Lanes.Width ? V : B.CreateShuffleVector(V, Numbers));
      }
      transposeSquare(B, Square);
      for (auto [I, V] : enumerate(Square))
        inElement(First, [&, I = I, V = V] {
          Value *At = inLane(Lane + static_cast<unsigned>(I),
                             [&] { return getAddress(X.Buf, Offset); });
          B.CreateAlignedStore(toMemory(V, K.Buffers[X.Buf].Ty), At, ElemAlign);
        });
    }
}

bool ScheduleEmitter::isMoveOfNumbers() const {
  return Row->Row->Depth * getBitWidth(K.Buffers[Row->target().Buf].Ty) <=
         MostMoveBits;
}

/// Vectors of lanes past the end are stored where there is room for them.
bool ScheduleEmitter::canMove() const {
  return isMoveOfNumbers() || !getMask(Row->target().Buf);
}

void ScheduleEmitter::emitMove() {
  const Access &X = Row->target();
  unsigned Depth = Row->Row->Depth;
  if (isMoveOfNumbers())
    return storeNumbers(X, loadFactor(*Row->A));
  SmallVector<Value *, 16> Vs;
  for (unsigned I = 0; I != Depth; ++I)
    inElement(I,
              [&] { Vs.push_back(spread(load(Row->A->Acc, Row->A->Origin))); });
  storeTransposed(X, Vs);
}

} // namespace dlopt
