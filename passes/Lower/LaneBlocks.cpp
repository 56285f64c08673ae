//===- LaneBlocks.cpp - Permutations in lanes -----------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Two parallel axes where elements are read along one and written along the
/// other run in square tiles of a few cache lines. Rows that lie a multiple of
/// half a page apart have their lines in a few sets of each cache, and what is
/// fetched ahead of use is gone before it is used: there tiles go through a
/// buffer, into which whole lines of eight rows are read and from which whole
/// lines are written, row by row. A tile is read while the one before it is
/// written.
///
//===----------------------------------------------------------------------===//
#include "CacheLines.h"
#include "LaneLower.h"
#include "RegisterTranspose.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace dlopt {

/// Elements in a cache line.
static unsigned getLine(ScalarType Ty) {
  return CacheLineBytes / getSizeInBytes(Ty);
}

/// Columns that are run at once, of which a square has \p Square: those of a
/// cache line, but for narrow elements, of which a line is the code of several
/// squares.
static unsigned getColumnsAtOnce(ScalarType Ty, unsigned Square) {
  return getSizeInBytes(Ty) < 4 ? Square : getLine(Ty);
}

/// Rows and columns of a tile: four lines of elements of 4 bytes or more, so
/// that the few lines at which the hardware starts to read ahead pay.
static unsigned getTile(ScalarType Ty) {
  return 4 * getLine(getSizeInBytes(Ty) < 4 ? ScalarType::F32 : Ty);
}

/// From one column of a tile in a buffer to the next: a line more than its
/// rows, so that columns do not have common sets.
static unsigned getBufferStep(ScalarType Ty) {
  return getTile(Ty) + getLine(Ty);
}

/// Columns of a tile that goes through a buffer, of which LaneBufferBytes hold
/// two: fewer than rows where these are all there is room for.
static unsigned getBufferColumns(ScalarType Ty) {
  unsigned Columns = getTile(Ty);
  while (2 * uint64_t(Columns) * getBufferStep(Ty) * getSizeInBytes(Ty) >
         LaneBufferBytes)
    Columns /= 2;
  return Columns;
}

/// Whether rows that are read or written are a multiple of half a page apart;
/// both, where strips or bands do without a buffer: a few lines of each row
/// that is read, or written, wait in sets of their own.
Value *LaneLowering::haveCommonSets(const LaneBlock &Block) {
  constexpr uint64_t Distance = 2048;
  bool IsOfBoth = Plan.StripLines;
  Value *Are = IsOfBoth ? B.getTrue() : B.getFalse();
  auto Use = [&](const Access &X, ScalarType Ty, AxisId Along) {
    std::optional<Poly> Stride = getStride(K, getOffset(K, X), Along);
    if (!Stride)
      return;
    Value *Bytes =
        B.CreateMul(C.getPoly(*Stride), B.getInt64(getSizeInBytes(Ty)));
    Value *Rest = B.CreateAnd(Bytes, B.getInt64(Distance - 1));
    Value *Is = B.CreateICmpEQ(Rest, B.getInt64(0));
    Are = IsOfBoth ? B.CreateAnd(Are, Is) : B.CreateOr(Are, Is);
  };
  for (const Op *O : Block.Ops)
    Use(O->Acc, O->Ty, Block.Lane);
  for (const auto &Child : Block.Inner.Children)
    for (const Assign &A : Child->L.Assigns)
      if (const Buffer &Buf = K.Buffers[A.Target.Buf]; !Buf.IsLocal)
        Use(A.Target, Buf.Ty, Block.Row);
  return Are;
}

/// Reads as many rows as there are lanes, from where the lanes are now on, and
/// as many columns as a tile has, into columns of \p Buffer.
void LaneLowering::fillBuffer(const LaneBlock &Block, Value *Buffer) {
  const Op &O = *Block.Ops.front();
  Type *Elem = getIRType(O.Ty, B.getContext());
  Value *First = C.AxisValues[Block.Row];
  CountedLoop Pieces =
      beginLoop(B, B.getInt64(getBufferColumns(O.Ty)),
                B.getInt64(getLine(O.Ty)), "piece", /*Final=*/true);
  C.AxisValues[Block.Row] = B.CreateAdd(First, Pieces.Index);
  Value *To = B.CreateGEP(
      Elem, Buffer, B.CreateMul(Pieces.Index, B.getInt64(getBufferStep(O.Ty))));
  for (auto [Column, V] : enumerate(readAhead(O, getLine(O.Ty))))
    B.CreateAlignedStore(
        V, B.CreateConstGEP1_64(Elem, To, Column * getBufferStep(O.Ty)),
        Align(getSizeInBytes(O.Ty) * C.getLanes()));
  endLoop(B, Pieces);
  C.AxisValues[Block.Row] = First;
}

/// Runs the leaves for \p Count columns and as many lanes as a tile has, from
/// where the axes are now on. \p Buffer has the elements.
void LaneLowering::emptyBuffer(const LaneBlock &Block, Value *Buffer,
                               unsigned Count) {
  const Op &O = *Block.Ops.front();
  Type *Elem = getIRType(O.Ty, B.getContext());
  unsigned Line = std::min(getLine(O.Ty), getTile(O.Ty));
  Value *FirstLane = C.AxisValues[Block.Lane],
        *FirstRow = C.AxisValues[Block.Row];
  CountedLoop Columns =
      beginLoop(B, B.getInt64(Count), B.getInt64(1), "column", /*Final=*/true);
  C.AxisValues[Block.Row] = B.CreateAdd(FirstRow, Columns.Index);
  Value *From =
      B.CreateGEP(Elem, Buffer,
                  B.CreateMul(Columns.Index, B.getInt64(getBufferStep(O.Ty))));
  CountedLoop Lines = beginLoop(B, B.getInt64(getTile(O.Ty)), B.getInt64(Line),
                                "line", /*Final=*/true);
  C.enterLanes(Block.Lane, B.CreateAdd(FirstLane, Lines.Index), Line);
  C.Ahead[&O] = B.CreateAlignedLoad(FixedVectorType::get(Elem, Line),
                                    B.CreateGEP(Elem, From, Lines.Index),
                                    Align(CacheLineBytes));
  lowerChildren(Block.Inner);
  C.Ahead.clear();
  endLoop(B, Lines);
  endLoop(B, Columns);
}

/// Whole tiles up to \p RowEnd and \p LaneEnd, both multiples of their size.
void LaneLowering::lowerBuffered(const LaneBlock &Block, Value *RowEnd,
                                 Value *LaneEnd) {
  ScalarType Ty = Block.Ops.front()->Ty;
  Type *Elem = getIRType(Ty, B.getContext());
  unsigned Tile = getTile(Ty), Columns = getBufferColumns(Ty),
           Lanes = Plan.VectorElems * Plan.Vectors,
           Size = Columns * getBufferStep(Ty);
  Function &F = *B.GetInsertBlock()->getParent();
  auto *Buffers = new AllocaInst(ArrayType::get(Elem, 2 * uint64_t(Size)),
                                 F.getDataLayout().getAllocaAddrSpace(),
                                 nullptr, Align(CacheLineBytes), "tiles",
                                 F.getEntryBlock().getFirstInsertionPt());
  Value *Zero = B.getInt64(0), *One = B.getInt64(1), *Side = B.getInt64(Tile),
        *Width = B.getInt64(Columns);
  Value *PerRow = B.CreateUDiv(RowEnd, Width);
  Value *Count = B.CreateMul(PerRow, B.CreateUDiv(LaneEnd, Side));
  Value *Rounds = B.CreateSelect(B.CreateICmpEQ(Count, Zero), Zero,
                                 B.CreateAdd(Count, One));
  CountedLoop Tiles = beginLoop(B, Rounds, One, "tile", /*Final=*/true);
  CountedLoop Strips =
      beginLoop(B, Side, B.getInt64(Lanes), "strip", /*Final=*/true);
  // A strip of tile Number, of rows while reading, of columns while writing.
  auto Enter = [&](Value *Number, Value *RowOffset, Value *LaneOffset) {
    Value *Lane = B.CreateMul(B.CreateUDiv(Number, PerRow), Side);
    C.AxisValues[Block.Row] = B.CreateAdd(
        B.CreateMul(B.CreateURem(Number, PerRow), Width), RowOffset);
    C.enterLanes(Block.Lane, B.CreateAdd(Lane, LaneOffset), Lanes);
    Value *Which = B.CreateMul(B.CreateAnd(Number, One), B.getInt64(Size));
    return B.CreateGEP(Elem, Buffers, Which);
  };
  // A loop of one round or none is a branch.
  auto If = [&](Value *Is, const char *Name, function_ref<void()> Body) {
    CountedLoop L = beginLoop(B, B.CreateZExt(Is, B.getInt64Ty()), One, Name,
                              /*Final=*/true);
    Body();
    endLoop(B, L);
  };
  If(B.CreateICmpSLT(Tiles.Index, Count), "fill", [&] {
    Value *Buffer = Enter(Tiles.Index, Zero, Strips.Index);
    fillBuffer(Block, B.CreateGEP(Elem, Buffer, Strips.Index));
  });
  If(B.CreateICmpSGT(Tiles.Index, Zero), "empty", [&] {
    Value *Last = B.CreateSub(Tiles.Index, One);
    // As many columns as leave one round of the loop for each.
    unsigned Part = Tile / Columns;
    Value *First = B.CreateUDiv(Strips.Index, B.getInt64(Part));
    Value *Buffer = Enter(Last, First, Zero);
    if (DLOPT_PLANTED(TileBufferMixed))
      Buffer = B.CreateConstGEP1_64(Elem, Buffers, 0);
    Value *Skipped = B.CreateMul(First, B.getInt64(getBufferStep(Ty)));
    emptyBuffer(Block, B.CreateGEP(Elem, Buffer, Skipped), Lanes / Part);
  });
  endLoop(B, Strips);
  endLoop(B, Tiles);
  C.leaveLanes();
}

/// The columns and lanes of \p Part, in tiles.
void LaneLowering::lowerDirectly(const LaneBlock &Block,
                                 const BlockPart &Part) {
  ScalarType Ty = Block.Ops.front()->Ty;
  Value *Side = B.getInt64(getTile(Ty));
  auto BeginTiles = [&](Value *First, Value *End, AxisId A) {
    return beginWholeSteps(B, First,
                           B.CreateAdd(End, B.getInt64(getTile(Ty) - 1)),
                           getTile(Ty), K.Axes[A].Name + ".tile");
  };
  auto GetEnd = [&](const CountedLoop &L, Value *End) {
    return B.CreateBinaryIntrinsic(Intrinsic::smin, B.CreateAdd(L.Index, Side),
                                   End);
  };
  CountedLoop LaneTiles = BeginTiles(Part.FirstLane, Part.LaneEnd, Block.Lane);
  CountedLoop RowTiles = BeginTiles(Part.FirstRow, Part.RowEnd, Block.Row);
  unsigned Square = getPartLanes(Plan.VectorElems * Plan.Vectors,
                                 getIRType(Ty, B.getContext()));
  lowerLanes(
      Block.Lane, LaneTiles.Index, GetEnd(LaneTiles, Part.LaneEnd), {}, [&] {
        forEachPiece(Block.Row, RowTiles.Index, GetEnd(RowTiles, Part.RowEnd),
                     {getColumnsAtOnce(Ty, Square), Square, 1},
                     [&](Value *First, unsigned Count) {
                       lowerColumns(Block.Inner, Block.Ops, Block.Row, First,
                                    Count);
                     });
      });
  endLoop(B, RowTiles);
  endLoop(B, LaneTiles);
}

/// Asks for the lines that \p Rows rows from where the axes are now on will
/// write as many rows later: \p Lines of each. Those lie in pages of their own,
/// which no prefetcher of the hardware follows, and stores wait for one page
/// after the other. Not where rows are near each other.
void LaneLowering::prefetchTargets(const LaneBlock &Block, unsigned Rows,
                                   unsigned Lines) {
  constexpr uint64_t FarApart = 1024;
  // Targets, and how many bytes on their next rows are.
  SmallVector<std::pair<const Access *, Value *>, 2> Targets;
  for (const auto &Child : Block.Inner.Children)
    for (const Assign &A : Child->L.Assigns) {
      const Buffer &Buf = K.Buffers[A.Target.Buf];
      if (auto Stride = getStride(K, getOffset(K, A.Target), Block.Row);
          Stride && !Buf.IsLocal)
        Targets.push_back(
            {&A.Target, B.CreateMul(C.getPoly(*Stride),
                                    B.getInt64(getSizeInBytes(Buf.Ty)))});
    }
  Value *First = C.AxisValues[Block.Row], *IsFar = B.getFalse();
  for (auto [Target, Bytes] : Targets) {
    // Rows may follow each other backwards.
    Value *Apart = B.CreateBinaryIntrinsic(Intrinsic::abs, Bytes, B.getFalse());
    IsFar = B.CreateOr(IsFar, B.CreateICmpUGE(Apart, B.getInt64(FarApart)));
  }
  Value *Trips = B.CreateSelect(IsFar, B.getInt64(Rows), B.getInt64(0));
  CountedLoop Each = beginLoop(B, Trips, B.getInt64(1), "ahead",
                               /*Final=*/true);
  C.AxisValues[Block.Row] = B.CreateAdd(First, Each.Index);
  for (auto [Target, Bytes] : Targets)
    prefetchLines(B,
                  B.CreatePtrAdd(C.getAddress(*Target),
                                 B.CreateMul(Bytes, B.getInt64(Rows))),
                  uint64_t(Lines) * CacheLineBytes, /*ForWrite=*/true);
  endLoop(B, Each);
  C.AxisValues[Block.Row] = First;
}

/// Strips of lanes, from end to end: what is read are a few rows in order, and
/// of each row that is written whole lines, all at about the same time.
void LaneLowering::lowerStrips(const LaneBlock &Block, const BlockPart &Part) {
  ScalarType Ty = Block.Ops.front()->Ty;
  unsigned Lanes = Plan.VectorElems * Plan.Vectors,
           Width = std::max(Plan.StripLines * getLine(Ty), Lanes);
  Value *LaneEnd = Part.LaneEnd;
  CountedLoop Strips = beginWholeSteps(
      B, Part.FirstLane, B.CreateAdd(LaneEnd, B.getInt64(Width - 1)), Width,
      K.Axes[Block.Lane].Name + ".strip");
  Value *End = B.CreateBinaryIntrinsic(
      Intrinsic::smin, B.CreateAdd(Strips.Index, B.getInt64(Width)), LaneEnd);
  unsigned Square = getPartLanes(Lanes, getIRType(Ty, B.getContext())),
           Line = getColumnsAtOnce(Ty, Square);
  auto RunColumns = [&](Value *First, unsigned Count) {
    lowerColumns(Block.Inner, Block.Ops, Block.Row, First, Count);
  };
  Value *RowEnd = Part.RowEnd;
  CountedLoop Lines = beginWholeSteps(B, Part.FirstRow, RowEnd, Line,
                                      K.Axes[Block.Row].Name + ".lines");
  C.AxisValues[Block.Row] = Lines.Index;
  C.enterLanes(Block.Lane, Strips.Index, 1);
  prefetchTargets(Block, Line, Plan.StripLines);
  lowerLanes(Block.Lane, Strips.Index, End, {},
             [&] { RunColumns(Lines.Index, Line); });
  endLoop(B, Lines);
  if (!DLOPT_PLANTED(StripRestDropped))
    lowerLanes(Block.Lane, Strips.Index, End, {}, [&] {
      forEachPiece(Block.Row, Lines.Index, RowEnd, {Square, 1}, RunColumns);
    });
  endLoop(B, Strips);
}

/// Bands of a few lines of each row: targets, as many as a band has columns,
/// are written from end to end, a line of each at a time. The next line of each
/// row and target is fetched: they lie in pages of their own, of which no
/// prefetcher of the hardware follows so many.
void LaneLowering::lowerBands(const LaneBlock &Block, const BlockPart &Part) {
  constexpr unsigned LinesOfBand = 4;
  ScalarType Ty = Block.Ops.front()->Ty;
  unsigned Line = getLine(Ty), Width = LinesOfBand * Line;
  Value *RowEnd = Part.RowEnd;
  CountedLoop Bands = beginWholeSteps(
      B, Part.FirstRow, B.CreateAdd(RowEnd, B.getInt64(Width - 1)), Width,
      K.Axes[Block.Row].Name + ".band");
  Value *End = B.CreateBinaryIntrinsic(
      Intrinsic::smin, B.CreateAdd(Bands.Index, B.getInt64(Width)), RowEnd);
  if (DLOPT_PLANTED(BandRestDropped))
    End = B.CreateAnd(End, B.getInt64(-int64_t(Line)));
  Type *Elem = getIRType(Ty, B.getContext());
  lowerLanes(Block.Lane, Part.FirstLane, Part.LaneEnd, {}, [&] {
    unsigned Pair = getPairLanes(C.getLanes(), Elem);
    SmallVector<unsigned, 4> Counts = {getColumnsAtOnce(Ty, Pair)};
    for (unsigned Count : {Pair, getPartLanes(C.getLanes(), Elem), 1u})
      if (Count < Counts.back())
        Counts.push_back(Count);
    forEachPiece(
        Block.Row, Bands.Index, End, Counts, [&](Value *First, unsigned Count) {
          bool IsWhole = Count == Line && C.getLanes() == Plan.VectorElems;
          lowerColumns(Block.Inner, Block.Ops, Block.Row, First, Count,
                       /*FetchesNext=*/IsWhole);
        });
  });
  endLoop(B, Bands);
}

void LaneLowering::lowerPart(const LaneBlock &Block, const BlockPart &Part) {
  if (Plan.InBands)
    lowerBands(Block, Part);
  else if (Plan.StripLines)
    lowerStrips(Block, Part);
  else
    lowerDirectly(Block, Part);
}

/// What \p Done, which begins with the first column, has left.
void LaneLowering::lowerBeside(const LaneBlock &Block, const BlockPart &Done) {
  // What is behind it in each row, in front, and what rows it has not reached.
  bool IsFromStart = match(Done.FirstLane, PatternMatch::m_Zero());
  unsigned Count = IsFromStart ? 2 : 3;
  if (DLOPT_PLANTED(PastRestDropped))
    Count = 2;
  CountedLoop Parts =
      beginLoop(B, B.getInt64(Count), B.getInt64(1), "part", /*Final=*/true);
  Value *Zero = B.getInt64(0), *RowEnd = getTrip(Block.Row),
        *LaneEnd = getTrip(Block.Lane);
  Value *IsRest = B.CreateICmpEQ(Parts.Index, Zero),
        *IsBehind = B.CreateICmpEQ(Parts.Index, B.getInt64(1));
  auto Choose = [&](Value *Rest, Value *Behind, Value *InFront) {
    Value *Other =
        IsFromStart ? Behind : B.CreateSelect(IsBehind, Behind, InFront);
    return B.CreateSelect(IsRest, Rest, Other);
  };
  lowerPart(Block, {Choose(Done.RowEnd, Zero, Zero),
                    Choose(RowEnd, Done.RowEnd, Done.RowEnd),
                    Choose(Zero, Done.LaneEnd, Zero),
                    Choose(LaneEnd, LaneEnd, Done.FirstLane)});
  endLoop(B, Parts);
}

/// Whole tiles through a buffer, unless \p IsDone, if rows have common sets.
LaneLowering::BlockPart LaneLowering::lowerInBuffer(const LaneBlock &Block,
                                                    Value *IsDone) {
  ScalarType Ty = Block.Ops.front()->Ty;
  Value *Zero = B.getInt64(0);
  auto GetWhole = [&](AxisId A, unsigned Size) {
    Value *Trip = B.CreateBinaryIntrinsic(Intrinsic::smax, getTrip(A), Zero);
    return B.CreateAnd(Trip, B.getInt64(-int64_t(Size)));
  };
  Value *RowDone = GetWhole(Block.Row, getBufferColumns(Ty)),
        *LaneDone = GetWhole(Block.Lane, getTile(Ty));
  Value *Pays = B.CreateAnd(haveCommonSets(Block),
                            B.CreateAnd(B.CreateICmpNE(RowDone, Zero),
                                        B.CreateICmpNE(LaneDone, Zero)));
  if (IsDone)
    Pays = B.CreateAnd(Pays, B.CreateNot(IsDone));
  RowDone = B.CreateSelect(Pays, RowDone, Zero);
  LaneDone = B.CreateSelect(Pays, LaneDone, Zero);
  lowerBuffered(Block, RowDone, LaneDone);
  return {Zero, RowDone, Zero, LaneDone};
}

void LaneLowering::lowerBlocks(const Node &Outer) {
  const Node &Inner = *Outer.Children.front();
  bool LanesInside = is_contained(Plan.Axes, Inner.Ax);
  AxisId Lane = LanesInside ? Inner.Ax : Outer.Ax,
         Row = LanesInside ? Outer.Ax : Inner.Ax;
  LaneBlock Block{Inner, Lane, Row, getRowLoads(Inner, Row, Lane)};
  bool IsBuffered = Plan.Buffered && Block.Ops.size() == 1;
  auto Streams = Plan.StreamBytes && !Block.Ops.empty()
                     ? getStreams(K, Lane, Row)
                     : SmallVector<const Assign *, 2>();
  if (!IsBuffered && Streams.empty())
    return lowerPart(
        Block, {B.getInt64(0), getTrip(Row), B.getInt64(0), getTrip(Lane)});
  Value *IsPast = nullptr;
  BlockPart Done = {};
  if (!Streams.empty()) {
    IsPast = goesPastCaches(Block, Streams);
    Done = lowerPastCaches(Block, Streams, IsPast);
  }
  if (IsBuffered) {
    BlockPart Near = lowerInBuffer(Block, IsPast);
    if (IsPast) {
      // Where one has done something the other has done nothing.
      Near.FirstLane = Done.FirstLane;
      Near.RowEnd = B.CreateSelect(IsPast, Done.RowEnd, Near.RowEnd);
      Near.LaneEnd = B.CreateSelect(IsPast, Done.LaneEnd, Near.LaneEnd);
    }
    Done = Near;
  }
  lowerBeside(Block, Done);
}

} // namespace dlopt
