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
///   par u[16] row interleave16 par k[size(K)] lanes 16
///     t[k,u] = %B[J + u,K + k]
///
/// with t in registers has a row of %B for each u, and a register for each k.
/// Parts of rows are loaded to where they come to lie, so that few shuffles are
/// left. Where there are fewer u, the last one takes the place of the others,
/// whose elements are junk.
///
//===----------------------------------------------------------------------===//
#include "ExpressionLower.h"
#include "RegisterTranspose.h"
#include "ScheduleEmitter.h"
#include "dlopt/Conversion.h"
#include "dlopt/PlantedBugs.h"
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

/// A vector of what is in memory for each element of the instruction, to one
/// for each lane.
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
          B.CreateAlignedStore(V, At, ElemAlign);
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

bool ScheduleEmitter::isTransposed() const {
  return Row->Row->isMove() &&
         K.Buffers[Row->target().Buf].Where == Buffer::Register;
}

/// How many rows the move has, if all but one of what limits them are no limit.
std::optional<Poly> ScheduleEmitter::getNumberOfRows() const {
  Poly Most = Poly(Row->Row->Depth), Rows = Most;
  for (const Poly &P : K.Axes[RowAxis].Extents) {
    Poly Own = Facts.fold(P);
    if (Own.getConstant().value_or(0) >= Row->Row->Depth)
      continue;
    if (Rows != Most)
      return std::nullopt;
    Rows = Own;
  }
  return Rows;
}

/// How far row \p At of \p Rows, or the last one, is behind the first: computed
/// where a round begins of the loop in which that is known, for all inside.
Value *ScheduleEmitter::getRowOffset(int64_t At, const Poly &Stride,
                                     const Poly &Rows) {
  unsigned Of = 0;
  for (const Poly &P : {Stride, Rows})
    for (const auto &[Depth, Part] : splitByDepth(P))
      Of = std::max(Of, Depth);
  LoopFrame *Owner = findOwner(Of);
  IRBuilderBase::InsertPointGuard Guard(B);
  if (Owner) {
    for (const LoopFrame::RowOffset &R : Owner->RowOffsets)
      if (R.Stride == Stride && R.Rows == Rows && R.At == At)
        return R.Offset;
    setInsertPointAtBegin(*Owner);
  }
  Value *Number = B.getInt64(At);
  if (!DLOPT_PLANTED(MoveOverread))
    Number = B.CreateBinaryIntrinsic(Intrinsic::smin, Number,
                                     ScalarContext::getPoly(Rows - Poly(1)));
  Value *Offset = B.CreateMul(Number, ScalarContext::getPoly(Stride));
  if (Owner) {
    Owner->RowOffsets.push_back({Stride, Rows, At, Offset});
    if (auto *I = dyn_cast<Instruction>(Offset))
      Owner->BeginsBehind = I;
  }
  return Offset;
}

/// Where each element of the move begins, in the first lane.
SmallVector<Value *, 16> ScheduleEmitter::getRowsOfMove(const Op &Load) {
  int64_t Depth = Row->Row->Depth;
  Poly Offset = getOffset(Load.Acc);
  SmallVector<Value *, 16> Rows;
  auto Locate = [&] {
    Rows.push_back(inLane(0, [&] { return getAddress(Load.Acc.Buf, Offset); }));
  };
  std::optional<Poly> Stride = getStride(K, Facts.fold(Offset), RowAxis),
                      Number = getNumberOfRows();
  bool IsRest = Number && !Number->getConstant() && isPlain(K, *Number);
  if (IsRest && Stride && isPlain(K, *Stride)) {
    inElement(0, Locate);
    Type *Elem = getMemoryType(K.Buffers[Load.Acc.Buf].Ty);
    for (int64_t At = 1; At != Depth; ++At)
      Rows.push_back(
          B.CreateGEP(Elem, Rows.front(), getRowOffset(At, *Stride, *Number)));
    return Rows;
  }
  NumberRange Elements = Facts.getRangeOfMin(K.Axes[RowAxis].Extents);
  Value *Last = nullptr;
  if (Elements.getNumber() != Depth)
    Last = B.CreateSub(getBounds(RowAxis).End, B.getInt64(1));
  for (int64_t At = 0; At != Depth; ++At)
    if ((Elements.Least && At < *Elements.Least) || DLOPT_PLANTED(MoveOverread))
      inElement(At, Locate);
    else
      inElementAt(
          B.CreateBinaryIntrinsic(Intrinsic::smin, B.getInt64(At), Last),
          {0, Depth - 1}, Locate);
  return Rows;
}

/// The move into registers, or false: it is a loop.
bool ScheduleEmitter::emitTransposed() {
  const Op &Load = *Row->A;
  const Access &To = Row->target();
  unsigned Depth = Row->Row->Depth, Width = Lanes.Width;
  const RegisterArray &R = Registers[To.Buf];
  Type *Elem = getMemoryType(Load.Ty);
  unsigned Part = getPartLanes(Depth, Elem);
  std::optional<Poly> Apart =
      getStride(K, Facts.fold(getOffset(Load.Acc)), Row->Lanes->Ax);
  bool AreNeighbours = Apart && Apart->getConstant() == 1;
  if (Lanes.Range || R.Width != Depth ||
      isInRegisters(K.Buffers[Load.Acc.Buf]) ||
      (Width > 1 && (Width % Part || !AreNeighbours)))
    return false;
  auto Before = Copies;
  SmallVector<Value *, 16> Rows = getRowsOfMove(Load), Columns;
  Align ElemAlign = getElementAlign(Load.Acc.Buf, Load.Origin);
  auto LoadRow = [&](unsigned At, unsigned First, unsigned Count) {
    Type *Ty = Count == 1 ? Elem : FixedVectorType::get(Elem, Count);
    Value *From = Rows[At];
    if (First)
      From = B.CreateGEP(Elem, From, B.getInt64(First));
    return B.CreateAlignedLoad(Ty, From, ElemAlign);
  };
  if (Width == 1) {
    Value *Column = PoisonValue::get(FixedVectorType::get(Elem, Depth));
    for (unsigned At = 0; At != Depth; ++At)
      Column = B.CreateInsertElement(Column, LoadRow(At, 0, 1), At);
    Columns.push_back(Column);
  } else {
    unsigned Most = getPairLanes(Depth, Elem);
    unsigned Count = Width % Most ? Part : Most;
    for (unsigned First = 0; First != Width; First += Count) {
      SmallVector<Value *, 16> Some;
      loadTransposed(
          B, Elem, Depth, Count,
          [&](unsigned At) { return LoadRow(At, First, Count); }, Some);
      Columns.append(Some);
    }
  }
  for (auto [Lane, Column] : enumerate(Columns))
    inLane(static_cast<unsigned>(Lane), [&, V = Column] {
      std::optional<Element> At;
      inElement(0, [&] { At = findElement(To); });
      if (At)
        B.CreateStore(toRegister(V, Load.Ty), R.Slots[At->Slot]);
      return nullptr;
    });
  Copies = std::move(Before);
  return true;
}

/// What is stored of \p V, elements as they are in memory.
Value *ScheduleEmitter::convertMoved(Value *V) {
  const Leaf &L = *Row->L;
  OpId Load = static_cast<OpId>(Row->A - L.Ops.data());
  return emitConversion(getConversion(L, Load, L.Assigns.front().Value), V);
}

/// What \p X makes of \p V, elements as they are in memory.
Value *ScheduleEmitter::emitConversion(const Expression &X, Value *V) {
  SmallVector<Value *, 8> Values;
  for (const Op &O : X.Ops) {
    if (O.K == Op::Param) {
      Values.push_back(O.Ref ? getParam(O.Ref - 1) : fromMemory(V, O.Ty));
      continue;
    }
    SmallVector<Value *, 3> Args;
    for (OpId Arg : O.Args)
      Args.push_back(Values[Arg]);
    if (any_of(Args, [](Value *A) { return A->getType()->isVectorTy(); }))
      for (Value *&A : Args)
        if (!A->getType()->isVectorTy())
          A = B.CreateVectorSplat(getLanes(V), A);
    Values.push_back(emitOperation(B, O, Args));
  }
  return toMemory(Values[X.Result], X.Ops[X.Result].Ty);
}

void ScheduleEmitter::emitMove() {
  const Access &X = Row->target();
  unsigned Depth = Row->Row->Depth;
  if (isMoveOfNumbers())
    return storeNumbers(X, convertMoved(loadFactor(*Row->A)));
  SmallVector<Value *, 16> Vs;
  for (unsigned I = 0; I != Depth; ++I)
    inElement(I, [&] {
      Value *V = load(Row->A->Acc, Row->A->Origin);
      Vs.push_back(convertMoved(spread(toMemory(V, Row->A->Ty))));
    });
  storeTransposed(X, Vs);
}

} // namespace dlopt
