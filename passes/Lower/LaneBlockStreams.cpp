//===- LaneBlockStreams.cpp - Permutations larger than the caches ---------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a permutation writes is not read before it is written if whole lines go
/// past the caches (LaneStream.cpp). So lanes are a line there, from an aligned
/// address on, whose squares are read in tiles as always:
///
///   for (i in tiles of 64, from the first line on) for (j in tiles of 64)
///     for (16 of these i) for (8 of these j)
///       8 lines of y = 16 rows of x, transposed       ; non-temporal
///
/// All rows of the output have to be aligned alike, as vectors are. What lines
/// leave is done like any other part.
///
//===----------------------------------------------------------------------===//
#include "CacheLines.h"
#include "LaneLower.h"
#include "RegisterTranspose.h"
#include "dlopt/CPUFeatures.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;

namespace dlopt {

/// Appends the axes around \p Inner to \p Path, its own last.
static bool findPath(const Node &N, const Node &Inner,
                     SmallVectorImpl<AxisId> &Path) {
  size_t Before = Path.size();
  if (N.K == Node::AxisNode)
    Path.push_back(N.Ax);
  if (&N == &Inner || any_of(N.Children, [&](const auto &Child) {
        return findPath(*Child, Inner, Path);
      }))
    return true;
  Path.truncate(Before);
  return false;
}

/// Whether all that is written, by all blocks, is larger than the caches, and
/// vectors of all rows of it are aligned at the same lanes.
Value *LaneLowering::goesPastCaches(const LaneBlock &Block,
                                    ArrayRef<const Assign *> Streams) {
  SmallVector<AxisId, 4> Path;
  findPath(K.Root, Block.Inner, Path);
  Value *Count = B.getInt64(1);
  for (AxisId A : Path)
    Count = B.CreateMul(Count, getTrip(A));
  Value *Is = B.CreateICmpSGE(
      Count, B.getInt64(getLeastStreamed(K, Plan.StreamBytes, Streams)));
  C.AxisValues[Block.Row] = B.getInt64(0);
  Value *Wrong = getMisalignment(Block.Lane, Streams);
  for (const Assign *A : Streams) {
    ScalarType Ty = K.Buffers[A->Target.Buf].Ty;
    Align Own = getStreamAlign(Plan, getIRType(Ty, B.getContext()));
    std::optional<Poly> Stride =
        getStride(K, getOffset(K, A->Target), Block.Row);
    if (!Stride || K.dependsOn(*Stride, Block.Row))
      return B.getFalse();
    Value *Bytes =
        B.CreateMul(C.getPoly(*Stride), B.getInt64(getSizeInBytes(Ty)));
    if (!DLOPT_PLANTED(StreamedRowsMisaligned))
      Wrong =
          B.CreateOr(Wrong, B.CreateAnd(Bytes, B.getInt64(Own.value() - 1)));
  }
  Is = B.CreateAnd(Is, B.CreateICmpEQ(Wrong, B.getInt64(0)));
  if (Plan.Large == LargeStores::ByVendor)
    Is = B.CreateAnd(Is, isFromAMD(B));
  return Is;
}

/// The tiles of \p Part, which has whole lines and squares.
void LaneLowering::storeLinesPast(const LaneBlock &Block, const BlockPart &Part,
                                  ArrayRef<const Assign *> Streams,
                                  unsigned Columns) {
  ScalarType Ty = Block.Ops.front()->Ty;
  unsigned Line = CacheLineBytes / getSizeInBytes(Ty), Tile = 4 * Line;
  auto BeginTiles = [&](AxisId A, Value *First, Value *End) {
    return beginWholeSteps(B, First, B.CreateAdd(End, B.getInt64(Tile - 1)),
                           Tile, K.Axes[A].Name + ".past");
  };
  auto BeginInside = [&](const CountedLoop &L, Value *End, unsigned Step,
                         AxisId A) {
    Value *Next = B.CreateAdd(L.Index, B.getInt64(Tile));
    return beginWholeSteps(B, L.Index,
                           B.CreateBinaryIntrinsic(Intrinsic::smin, Next, End),
                           Step, K.Axes[A].Name + ".x" + Twine(Step));
  };
  CountedLoop LaneTiles = BeginTiles(Block.Lane, Part.FirstLane, Part.LaneEnd);
  CountedLoop RowTiles = BeginTiles(Block.Row, Part.FirstRow, Part.RowEnd);
  CountedLoop Lines = BeginInside(LaneTiles, Part.LaneEnd, Line, Block.Lane);
  CountedLoop Squares = BeginInside(RowTiles, Part.RowEnd, Columns, Block.Row);
  C.enterLanes(Block.Lane, Lines.Index, Line);
  C.Streams = Streams;
  lowerColumns(Block.Inner, Block.Ops, Block.Row, Squares.Index, Columns);
  C.Streams = {};
  C.leaveLanes();
  for (CountedLoop *L : {&Squares, &Lines, &RowTiles, &LaneTiles})
    endLoop(B, *L);
}

/// Whole lines past the caches if \p Pays. Returns what has been done.
LaneLowering::BlockPart
LaneLowering::lowerPastCaches(const LaneBlock &Block,
                              ArrayRef<const Assign *> Streams, Value *Pays) {
  Type *Elem = getIRType(Block.Ops.front()->Ty, B.getContext());
  unsigned Line = CacheLineBytes * 8 / Elem->getPrimitiveSizeInBits(),
           Columns = std::max(Plan.VectorElems, getPartLanes(Line, Elem));
  Value *Zero = B.getInt64(0), *LaneEnd = getTrip(Block.Lane);
  auto IfPays = [&](Value *V) { return B.CreateSelect(Pays, V, Zero); };
  auto GetWhole = [&](Value *Trip, unsigned Size) {
    return B.CreateAnd(B.CreateBinaryIntrinsic(Intrinsic::smax, Trip, Zero),
                       B.getInt64(-int64_t(Size)));
  };
  C.AxisValues[Block.Row] = Zero;
  Value *First = B.CreateBinaryIntrinsic(
      Intrinsic::smin,
      getPeel(Block.Lane, *Streams.front(), Align(CacheLineBytes)), LaneEnd);
  Value *End = B.CreateAdd(First, GetWhole(B.CreateSub(LaneEnd, First), Line));
  BlockPart Done = {Zero, IfPays(GetWhole(getTrip(Block.Row), Columns)),
                    IfPays(First), IfPays(End)};
  storeLinesPast(Block, Done, Streams, Columns);
  branch(
      Pays,
      [&] {
        B.CreateIntrinsic(Intrinsic::x86_sse_sfence, ArrayRef<Type *>(), {});
      },
      [] {});
  return Done;
}

} // namespace dlopt
