//===- LaneTranspose.cpp - Lanes that read rows ---------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Loops inside an axis with lanes that read or write rows, each lane its own,
/// do so in squares of a few elements ahead (or behind), which are transposed
/// in registers.
///
//===----------------------------------------------------------------------===//
#include "CacheLines.h"
#include "LaneLower.h"
#include "RegisterTranspose.h"
#include "dlopt/MathModels.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/Analysis/VectorUtils.h"

using namespace llvm;

namespace dlopt {

/// How far ahead each row is fetched of an array that no cache holds: there are
/// more rows than streams that the hardware follows, and those end at pages.
static constexpr uint64_t LinesAhead = 4;

/// Of rows no longer than that, the same lines of the next rows are fetched.
static constexpr uint64_t ShortBytes = 6 << 10;

/// What rows have together that are not in the second-level cache any more when
/// they are read again, in these loops or by those around the kernel.
static constexpr uint64_t NearBytes = 1 << 20;

/// How many elements of a row are transposed at once, at most: more than a part
/// only where all lanes are one vector.
unsigned LaneLowering::getSquare(const Type *Elem) const {
  unsigned Lanes = C.getLanes();
  return Lanes > Plan.VectorElems ? getPartLanes(Lanes, Elem)
                                  : getPairLanes(Lanes, Elem);
}

/// Reads \p Count elements of each row from where the axes are now on. Few rows
/// at a time: where they lie a multiple of a page apart, their lines are all in
/// one set of the cache, and are to be used up while they are there. With
/// \p FetchesNext the next line of each row is asked for.
SmallVector<Value *, 16> LaneLowering::readAhead(const Op &O, unsigned Count,
                                                 bool FetchesNext) {
  constexpr unsigned RowsTogether = 8;
  Type *Own = getIRType(O.Ty, B.getContext());
  Align ElemAlign = getElementAlign(O.Origin, Own);
  Type *Elem = getMovedType(Own);
  SmallVector<Value *, 16> Rows = C.getAddresses(O.Acc);
  SmallVector<SmallVector<Value *, 2>, 16> Pieces(Count);
  unsigned Square = getSquare(Elem);
  bool IsPair = Count % Square == 0 && Square > getPartLanes(Rows.size(), Elem);
  unsigned Together = IsPair ? Rows.size() : RowsTogether;
  for (unsigned Row = 0; Row < Rows.size(); Row += Together) {
    auto Group = MutableArrayRef(Rows).slice(
        Row, std::min<size_t>(Together, Rows.size() - Row));
    // Columns may be those of results that are wider than what is read.
    if (!IsPair)
      Square = std::min(getPartLanes(Group.size(), Elem), Count);
    Type *SquareTy = FixedVectorType::get(Elem, Square);
    for (unsigned First = 0; First != Count;) {
      SmallVector<Value *, 16> Columns;
      loadTransposed(
          B, Elem, Group.size(), Square,
          [&](unsigned I) {
            if (FetchesNext && !First)
              prefetchNextLine(B, Group[I], /*ForWrite=*/false);
            return B.CreateAlignedLoad(SquareTy, Group[I], ElemAlign);
          },
          Columns);
      for (Value *Column : Columns)
        Pieces[First++].push_back(Column);
      for (Value *&Address : Group)
        Address = B.CreateConstGEP1_64(Elem, Address, Columns.size());
    }
  }
  SmallVector<Value *, 16> Result;
  for (ArrayRef<Value *> Piece : Pieces) {
    Value *V = concatenateVectors(B, Piece);
    Result.push_back(B.CreateBitCast(V, V->getType()->getWithNewType(Own)));
  }
  return Result;
}

/// The loads of leaves in \p N that read rows along \p Row. Their elements have
/// one size, so that all squares have, too.
SmallVector<const Op *, 2> LaneLowering::getRowLoads(const Node &N, AxisId Row,
                                                     AxisId Lane) {
  SmallVector<const Op *, 2> Ops;
  for (const auto &Child : N.Children)
    if (Child->K == Node::LeafNode)
      for (const Op &O : Child->L.Ops)
        if (isTransposed(K, O, Row, Lane) && mayReadAhead(N, Child->L, O) &&
            (Ops.empty() || getSizeInBytes(O.Ty) == getSizeInBytes(Ops[0]->Ty)))
          Ops.push_back(&O);
  return Ops;
}

/// Asks for the next line of each array that leaves in \p N write.
void LaneLowering::fetchNextTargets(const Node &N) {
  for (const auto &Child : N.Children)
    for (const Assign &A : Child->L.Assigns)
      if (!K.Buffers[A.Target.Buf].IsLocal)
        prefetchNextLine(B, C.getAddress(A.Target), /*ForWrite=*/true);
}

/// The children of \p N for \p Count values of \p Row from \p First on. With
/// \p FetchesNext what comes behind that is asked for. \p AddAhead: what else
/// is known of the column I.
void LaneLowering::lowerColumns(const Node &N, ArrayRef<const Op *> Ops,
                                AxisId Row, Value *First, unsigned Count,
                                bool FetchesNext,
                                function_ref<void(unsigned I)> AddAhead) {
  SmallVector<SmallVector<Value *, 16>, 2> Columns;
  C.AxisValues[Row] = First;
  if (Count != 1 && C.inLanes())
    for (const Op *O : Ops)
      Columns.push_back(readAhead(*O, Count, FetchesNext));
  SmallVector<const Assign *, 2> Stores;
  if (Count != 1 && C.inLanes())
    Stores = getRowStores(N);
  for (const Assign *A : Stores)
    C.Behind[A].clear();
  for (unsigned I = 0; I != Count; ++I) {
    C.AxisValues[Row] = I ? B.CreateAdd(First, B.getInt64(I)) : First;
    for (auto [O, Read] : zip(Ops, Columns))
      C.Ahead[O] = Read[I];
    if (AddAhead)
      AddAhead(I);
    lowerChildren(N);
    if (FetchesNext)
      fetchNextTargets(N);
  }
  C.Ahead.clear();
  C.AxisValues[Row] = First;
  for (const Assign *A : Stores)
    writeBehind(*A);
}

/// The assignments of leaves in the axis \p N that write rows along it.
SmallVector<const Assign *, 2> LaneLowering::getRowStores(const Node &N) {
  SmallVector<const Assign *, 2> Stores;
  for (const auto &Child : N.Children)
    if (Child->K == Node::LeafNode)
      for (const Assign &A : Child->L.Assigns)
        if (mayWriteBehind(K, N, Child->L, A, C.getLaneAxis()))
          Stores.push_back(&A);
  return Stores;
}

/// Writes squares of \p Columns to the addresses \p Rows.
static void storeTransposed(IRBuilderBase &B, Align ElemAlign,
                            ArrayRef<Value *> Columns, ArrayRef<Value *> Rows) {
  SmallVector<Value *, 16> Parts(Columns);
  transposeParts(B, Parts);
  unsigned Part = Parts.size();
  for (auto [Row, Address] : enumerate(Rows)) {
    auto Mask = createSequentialMask(Row / Part * Part, Part, 0);
    B.CreateAlignedStore(B.CreateShuffleVector(Parts[Row % Part], Mask),
                         Address, ElemAlign);
  }
}

/// Writes what has been collected of \p A, from where the axes are now on.
void LaneLowering::writeBehind(const Assign &A) {
  SmallVector<Value *, 16> Columns = C.Behind.lookup(&A);
  C.Behind.erase(&A);
  Type *Elem = getIRType(K.Buffers[A.Target.Buf].Ty, B.getContext());
  SmallVector<Value *, 16> Rows = C.getAddresses(A.Target);
  unsigned Square =
      std::min<unsigned>(getPartLanes(C.getLanes(), Elem), Columns.size());
  for (unsigned First = 0; First != Columns.size(); First += Square) {
    storeTransposed(B, getElementAlign(A.Origin, Elem),
                    ArrayRef(Columns).slice(First, Square), Rows);
    for (Value *&Address : Rows)
      Address = B.CreateConstGEP1_64(Elem, Address, Square);
  }
}

void LaneLowering::forEachPiece(
    AxisId Row, Value *First, Value *Trip, ArrayRef<unsigned> Counts,
    function_ref<void(Value *First, unsigned Count)> Body) {
  unsigned Done = 0;
  for (unsigned Count : Counts) {
    if (Count == 1 && DLOPT_PLANTED(SquareRestDropped))
      break;
    if (std::exchange(Done, Count) == Count)
      continue;
    CountedLoop L = beginWholeSteps(B, First, Trip, Count, K.Axes[Row].Name);
    Body(hideSteps(B, L.Index), Count);
    endLoop(B, L);
    First = L.Index;
  }
}

/// When the rows that \p Ops in the loop \p N read are fetched ahead, and how
/// far.
LaneLowering::RowFetch LaneLowering::getFetch(const Node &N,
                                              ArrayRef<const Op *> Ops) {
  AxisId Lane = C.getLaneAxis();
  RowFetch Fetch;
  for (const Op *O : Ops) {
    Poly Stride = *getStride(K, getOffset(K, O->Acc), Lane);
    if (K.dependsOn(Stride, Lane) || K.dependsOn(Stride, N.Ax))
      continue;
    Value *Size = B.getInt64(getSizeInBytes(O->Ty));
    Value *Bytes = B.CreateMul(C.getPoly(Stride), Size);
    // Rows may follow each other backwards.
    Value *Apart = B.CreateBinaryIntrinsic(Intrinsic::abs, Bytes, B.getFalse());
    Value *Lanes = B.getInt64(C.getLanes());
    bool IsAgain = is_contained(Fetched, O->Acc.Buf);
    // What is in a larger cache still comes to the first one as fast.
    uint64_t Least = Plan.FetchesToL1 && !IsAgain ? CachedBytes : NearBytes;
    Value *Is = B.CreateICmpUGE(
        B.CreateMul(Apart, IsAgain ? Lanes : getTrip(Lane)), B.getInt64(Least));
    Fetch.IsFar = Fetch.IsFar ? B.CreateOr(Fetch.IsFar, Is) : Is;
    Value *IsShort = B.CreateICmpULE(B.CreateMul(getTrip(N.Ax), Size),
                                     B.getInt64(ShortBytes));
    Fetch.Rows.push_back(
        {O, B.CreateSelect(IsShort, B.CreateMul(Bytes, Lanes),
                           B.getInt64(LinesAhead * CacheLineBytes))});
  }
  for (const Op *O : Ops)
    Fetched.insert(O->Acc.Buf);
  return Fetch;
}

/// Fetches a line of each row, of what is read later: to L2 where rows that are
/// a page apart push each other out of L1.
void LaneLowering::fetchAhead(const RowFetch &Fetch) {
  if (!Fetch.IsFar)
    return;
  // A loop of one round or none is a branch.
  CountedLoop L = beginLoop(B, B.CreateZExt(Fetch.IsFar, B.getInt64Ty()),
                            B.getInt64(1), "far", /*Final=*/true);
  for (auto [O, Ahead] : Fetch.Rows)
    for (Value *Row : C.getAddresses(O->Acc))
      prefetchLines(B, B.CreatePtrAdd(Row, Ahead), CacheLineBytes,
                    /*ForWrite=*/false, /*Locality=*/Plan.FetchesToL1 ? 3 : 2);
  endLoop(B, L);
}

/// A loop whose leaves read rows. False if it is none, or if it has loops of
/// its own: they take the time, and copies of them would have copies of theirs.
bool LaneLowering::lowerTransposed(const Node &N) {
  if (any_of(N.Children, [](const auto &C) { return C->K != Node::LeafNode; }))
    return false;
  auto Ops = getRowLoads(N, N.Ax, C.getLaneAxis());
  if (Ops.empty())
    return false;
  Type *Elem = getIRType(Ops[0]->Ty, B.getContext());
  unsigned Part = getPartLanes(C.getLanes(), Elem);
  SmallVector<unsigned, 3> Counts = {Part, 1};
  // The rows of several arrays, a multiple of a page apart, do not stay in the
  // cache together: of each, whole lines are read or written at once.
  bool AtOnce = Ops.size() + getRowStores(N).size() > 1;
  unsigned Line = CacheLineBytes / getSizeInBytes(Ops[0]->Ty);
  // What is left of the rows is little, and what loops read that are inside
  // others they may read again.
  bool Fetches = Plan.FetchesAhead && Row == AroundLanes &&
                 C.getLanes() == Plan.VectorElems * Plan.Vectors;
  // So are rows of which functions are computed with lanes along each.
  bool AreWide = (C.getLanes() < Plan.VectorElems || C.getSecondHalf()) &&
                 computesModels(N, Plan);
  if ((AtOnce || Fetches || AreWide) && Line > Part)
    Counts.insert(Counts.begin(), Line);
  RowFetch Fetch;
  if (Fetches && Counts[0] == Line)
    Fetch = getFetch(N, Ops);
  if (computesModels(N, Plan)) {
    std::optional<RowFunction> F = getRowFunction(N, Ops);
    if (F && runsByRows(*F))
      branch(
          isLongRow(N.Ax), [&] { lowerByRows(N, Ops, Counts, Fetch, *F); },
          [&] { lowerByTiles(N, Ops, Counts, Fetch); });
    else
      lowerByTiles(N, Ops, Counts, Fetch);
    return true;
  }
  forEachPiece(N.Ax, B.getInt64(0), getTrip(N.Ax), Counts,
               [&](Value *First, unsigned Count) {
                 unsigned Piece = Count;
                 if (Count == Line) {
                   C.AxisValues[N.Ax] = First;
                   fetchAhead(Fetch);
                   Piece = AtOnce ? Line : getSquare(Elem);
                 }
                 for (unsigned At = 0; At != Count; At += Piece) {
                   bool IsFirst = !At || DLOPT_PLANTED(LineSquareRepeated);
                   lowerColumns(N, Ops, N.Ax,
                                IsFirst ? First
                                        : B.CreateAdd(First, B.getInt64(At)),
                                Piece);
                 }
               });
  return true;
}

} // namespace dlopt
