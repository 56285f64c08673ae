//===- ContractionPacked.cpp - Blocks of a contraction --------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// .packed, for B that does not fit into the cache or is not aligned to it:
///
///   for blocks of columns, of KC k values: copy the block of B into panels as
///   wide as a register tile; .tiles, rows by rows, for all panels of a block
///
/// C holds the partial sums between blocks of k, exactly. If what it held
/// before is still needed behind the sum it cannot: then there is one block of
/// k, or blocks of SumRows rows keep their sums in a local buffer. If there are
/// too few rows to pay for the copy, B is used in place, in blocks of k that
/// fit into the cache.
///
/// If an operand is transposed or its columns are apart, B is always copied: if
/// only one tile of rows uses it, panel by panel, so that the copy is used
/// while it is near. A transposed A is copied by blocks of RowsOfA rows.
///
//===----------------------------------------------------------------------===//
#include "BlockUtils.h"
#include "ContractionCopies.h"
#include "ContractionEmitter.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace dlopt::contraction {

namespace {

class PackedEmitter {
public:
  PackedEmitter(Function &F, Function &Tiles, const ContractionSpec &S,
                const ContractionPlan &P)
      : B(BasicBlock::Create(F.getContext(), "entry", &F)), E(B, S),
        From(E.forOperands()), Tiles(Tiles), Spec(S), Plan(P) {
    auto Arg = [&](unsigned I) { return F.getArg(I); };
    Whole = {Arg(0), Arg(1), Arg(2), Arg(3), Arg(4),  Arg(5), One(),
             Arg(6), Arg(7), Arg(8), Arg(9), Arg(10), Arg(11)};
    if (S.hasResults())
      Whole.Last = B.getTrue();
    for (Argument &X : drop_begin(F.args(), NumEntryArgs))
      Whole.Operands.push_back(&X);
    if (S.isTriangle())
      Whole.Diagonal = Whole.Operands.pop_back_val();
    if (S.StepC != 1)
      Whole.StepC = Whole.Operands.pop_back_val();
    if (P.FetchesNext)
      Whole.setNoNext(B);
    StepB = getStep(S.StepB);
    StepA = getStep(S.StepA);
  }
  void emit();

private:
  Value *One() { return B.getInt64(1); }
  /// If it is an argument, that is the last one left of the operands.
  Value *getStep(int64_t Step) {
    return Step == ContractionSpec::AnyStep ? Whole.Operands.pop_back_val()
                                            : B.getInt64(Step);
  }
  Value *getPanelColumns() {
    return B.CreateElementCount(B.getInt64Ty(), getPanelWidth(Plan));
  }
  Value *pick(uint64_t PackedBlocks::*Number);
  void allocate();
  Value *umin(Value *X, Value *Y) {
    return B.CreateBinaryIntrinsic(Intrinsic::umin, X, Y);
  }
  Value *umax(Value *X, Value *Y) {
    return B.CreateBinaryIntrinsic(Intrinsic::umax, X, Y);
  }
  /// \p Known if \p IsKnown, else what \p Compute makes: small products are
  /// done before a few divisions are.
  Value *unless(Value *IsKnown, Value *Known, function_ref<Value *()> Compute);
  /// ceil(K / ceil(K / Most)): blocks of nearly equal size.
  Value *balance(Value *K, Value *Most);
  /// Runs \p Body(First, Count) for blocks of [0, Extent), which is not empty.
  void forEachBlock(Value *Extent, Value *Size, const Twine &Name,
                    function_ref<void(Value *, Value *)> Body);
  void emitSizes();
  void emitInPlace();
  void emitBlocks();
  /// The first row with an element in \p Columns columns from \p J on, and how
  /// many rows there are from it to the last one.
  std::pair<Value *, Value *> getRows(Value *J, Value *Columns);
  /// How many rows of C are computed at a time.
  Value *getCachedRows();
  /// Moves the diagonal of \p T from the first element on to (I, J).
  void moveDiagonal(TilesArgs &T, Value *I, Value *J) {
    if (T.Diagonal)
      T.Diagonal = B.CreateAdd(T.Diagonal, B.CreateSub(I, J));
  }
  TilesArgs getBlock(Value *I, Value *Rows, Value *J, Value *Columns, Value *K,
                     Value *Steps);
  void emitBlock(Value *I, Value *Rows, Value *J, Value *Columns, Value *K,
                 Value *Steps);
  Value *getWidth(Value *Depth);
  void emitPack(Value *Block, Value *Columns, Value *Steps);
  void copyA(const TilesArgs &T);
  void setA(TilesArgs &T, Value *I, Value *K, Value *Stays);
  Value *getA(Value *I, Value *K) {
    Value *Row = Spec.TransA ? K : I, *Column = Spec.TransA ? I : K;
    return From.at(From.at(Whole.A, B.CreateMul(Row, Whole.Lda)),
                   B.CreateMul(Column, StepA));
  }
  Value *getB(Value *K, Value *J) {
    Value *Row = Spec.TransB ? J : K, *Column = Spec.TransB ? K : J;
    return From.at(From.at(Whole.B, B.CreateMul(Row, Whole.Ldb)),
                   B.CreateMul(Column, StepB));
  }
  /// The operands that continue chains from \p K on, with K to be set.
  void setStart(TilesArgs &T, Value *IsFirst, Value *I, Value *J);
  void setLast(TilesArgs &T, Value *K);
  void setNext(TilesArgs &T, Value *J, Value *K);
  /// Whether \p Rows rows of B find sets for them in a cache of \p Bytes.
  Value *fits(Value *Rows, uint64_t Bytes) {
    return fitsSets(B, Rows, From.getBytes(Whole.Ldb), Bytes);
  }
  Value *staysNear() {
    return fits(umin(Whole.K, B.getInt64(Plan.DirectRows)), Plan.NearBytes);
  }
  Value *hasFewRows();

  IRBuilder<> B;
  Emitter E, From; ///< From: for operands where they lie
  Function &Tiles;
  const ContractionSpec &Spec;
  const ContractionPlan &Plan;
  TilesArgs Whole;
  Value *StepA = nullptr, *StepB = nullptr; ///< between neighbours
  Value *Panels = nullptr, *Sums = nullptr, *PackedA = nullptr;
  Value *IsFar = nullptr; ///< whether rows of a transposed B are fetched ahead
  /// The sizes of blocks.
  Value *KC = nullptr, *NC = nullptr, *NarrowKC = nullptr;
  Value *SumKC = nullptr, *SumNC = nullptr, *SumRows = nullptr;
  Value *RowsOfA = nullptr, *PackedLda = nullptr;
  Value *IsLarge = nullptr; ///< which blocks these are, if there are two kinds
};

/// \p Number of the blocks that these extents take.
Value *PackedEmitter::pick(uint64_t PackedBlocks::*Number) {
  Value *Small = B.getInt64(Plan.*Number);
  return IsLarge
             ? B.CreateSelect(IsLarge, B.getInt64(Plan.Large.*Number), Small)
             : Small;
}

/// One buffer for all that is copied, as large as it has to be: where there are
/// two sizes this is an allocation of the moment, behind what needs none.
void PackedEmitter::allocate() {
  if (Plan.LargeWork) {
    // Extents are below 2^30: three of them multiplied may wrap.
    Value *Outputs =
        umin(B.CreateMul(Whole.M, Whole.N), B.getInt64(uint64_t(1) << 32));
    Value *Work = B.CreateMul(Outputs, Whole.K);
    // All steps of a shallow product are in a small block. It gains by a wide
    // one if what is written is beyond the caches.
    Value *IsDeep = B.CreateICmpUGT(Whole.K, B.getInt64(Plan.KC));
    Value *Cached = B.getInt64(CachedBytes / getSizeInBytes(Spec.Ty));
    Value *IsWide = B.CreateICmpUGT(Outputs, Cached, "is.wide");
    IsLarge = B.CreateAnd(B.CreateICmpUGE(Work, B.getInt64(Plan.LargeWork)),
                          B.CreateOr(IsDeep, IsWide), "is.large");
  }
  emitSizes();
  Value *Bytes = DLOPT_PLANTED(LargeBlocksInSmallBuffer)
                     ? B.getInt64(Plan.StackBytes)
                     : pick(&PackedBlocks::StackBytes);
  AllocaInst *A = B.CreateAlloca(B.getInt8Ty(), Bytes, "panels");
  A->setAlignment(Align(64));
  Panels = A;
  if (Spec.keepsSums())
    Sums = E.at(Panels, B.CreateMul(SumKC, SumNC), "sums");
  // Behind all that sums and the block of B ever take: of scalable vectors
  // blocks are smaller than planned, and sums need not be.
  if (Spec.copiesA())
    PackedA = E.at(
        Panels, B.CreateMul(pick(&PackedBlocks::KC), pick(&PackedBlocks::NC)),
        "rows");
}

Value *PackedEmitter::unless(Value *IsKnown, Value *Known,
                             function_ref<Value *()> Compute) {
  BasicBlock *Before = B.GetInsertBlock();
  Value *Computed = nullptr;
  BasicBlock *End = nullptr;
  E.emitIf(B.CreateNot(IsKnown), "sizes", [&] {
    Computed = Compute();
    End = B.GetInsertBlock();
  });
  PHINode *Phi = B.CreatePHI(Known->getType(), 2);
  Phi->addIncoming(Known, Before);
  Phi->addIncoming(Computed, End);
  return Phi;
}

Value *PackedEmitter::balance(Value *K, Value *Most) {
  auto CeilDiv = [&](Value *X, Value *Y) {
    return B.CreateUDiv(B.CreateAdd(X, B.CreateSub(Y, One())), Y);
  };
  return unless(B.CreateICmpULE(K, Most), K,
                [&] { return CeilDiv(K, CeilDiv(K, Most)); });
}

void PackedEmitter::forEachBlock(Value *Extent, Value *Size, const Twine &Name,
                                 function_ref<void(Value *, Value *)> Body) {
  BasicBlock *Before = B.GetInsertBlock();
  Function *F = Before->getParent();
  LLVMContext &C = F->getContext();
  auto *Block = BasicBlock::Create(C, Name, F);
  B.CreateBr(Block);
  B.SetInsertPoint(Block);
  PHINode *First = B.CreatePHI(Extent->getType(), 2);
  First->addIncoming(B.getInt64(0), Before);
  Body(First, umin(Size, B.CreateSub(Extent, First)));
  Value *Next = B.CreateAdd(First, Size);
  First->addIncoming(Next, B.GetInsertBlock());
  auto *Behind = BasicBlock::Create(C, Name + ".end", F);
  // Unswitching multiplies the code.
  StringRef Flags[] = {"llvm.loop.unswitch.partial.disable",
                       "llvm.loop.unswitch.nontrivial.disable",
                       "llvm.loop.disable_nonforced"};
  B.CreateCondBr(B.CreateICmpSLT(Next, Extent), Block, Behind)
      ->setMetadata(LLVMContext::MD_loop, getFinalLoopID(C, Flags));
  B.SetInsertPoint(Behind);
}

void PackedEmitter::setStart(TilesArgs &T, Value *IsFirst, Value *I, Value *J) {
  if (DLOPT_PLANTED(BlockRestarted))
    IsFirst = B.getTrue();
  // S has no columns if scs is 0.
  Value *PerRow = B.CreateICmpEQ(Whole.Scs, B.getInt64(0));
  Value *Column = Spec.StepsOfStart ? B.CreateMul(J, Whole.Scs)
                                    : B.CreateSelect(PerRow, B.getInt64(0), J);
  Value *S = E.at(E.at(Whole.S, B.CreateMul(I, Whole.Srs)), Column);
  Value *Sum = Sums ? Sums : T.C;
  T.S = B.CreateSelect(IsFirst, S, Sum);
  T.Srs = B.CreateSelect(IsFirst, Whole.Srs, Sums ? SumNC : Whole.Ldc);
  T.Scs = B.CreateSelect(IsFirst, Whole.Scs, One());
}

/// Whether chains end behind the steps of \p T from \p K on.
void PackedEmitter::setLast(TilesArgs &T, Value *K) {
  if (T.Last)
    T.Last = B.CreateICmpEQ(B.CreateAdd(K, T.K), Whole.K);
}

/// Behind the block of B of \p T comes the one with the next steps of k, or the
/// first of the next columns. Rows whose distance is a multiple of a large
/// power of two fall into the same sets of the cache: no more of these than it
/// has room for.
void PackedEmitter::setNext(TilesArgs &T, Value *J, Value *K) {
  Value *NextK = B.CreateAdd(K, T.K), *NextJ = B.CreateAdd(J, T.N);
  Value *IsDeeper = B.CreateICmpSLT(NextK, Whole.K);
  Value *IsWider = B.CreateICmpSLT(NextJ, Whole.N);
  Value *Zero = B.getInt64(0);
  T.Next = getB(B.CreateSelect(IsDeeper, NextK, Zero),
                B.CreateSelect(IsDeeper, J, NextJ));
  Value *Exists =
      B.CreateAnd(B.CreateOr(IsDeeper, IsWider), fits(T.K, Plan.FetchedBytes));
  T.Next = B.CreateSelect(Exists, T.Next, T.B);
  T.NextLd = B.CreateSelect(Exists, Whole.Ldb, Zero);
}

void PackedEmitter::emitInPlace() {
  auto Call = [&](const TilesArgs &T) {
    callTiles(B, Tiles, Plan.MayStayA ? getInPlaceA(B, T) : T);
  };
  if (Spec.keepsSums())
    return Call(Whole);
  // Rows of one tile read B once: in an order that the prefetchers follow. More
  // rows find the block of B in the caches again, and rows of a page or more
  // its translations (Cascade Lake, 8 to 16 rows: half of DirectBytes gains 5
  // to 20% there, but loses 5% below with AVX2).
  Value *RowBytes = B.CreateMul(Whole.N, B.getInt64(getSizeInBytes(Spec.Ty)));
  Value *Fit = B.CreateUDiv(B.getInt64(Plan.DirectBytes), RowBytes);
  Value *Short = E.isShort(B.CreateAdd(Whole.N, One()));
  Fit = B.CreateSelect(Short, Fit, B.CreateLShr(Fit, 1));
  Fit = umax(umin(Fit, B.getInt64(Plan.DirectRows)), B.getInt64(12));
  Value *IsOne = B.CreateICmpULE(Whole.M, B.getInt64(Plan.TileRows));
  Fit = B.CreateSelect(IsOne, B.getInt64(8), Fit);
  Value *Zero = B.getInt64(0), *Width = Whole.N, *ByPanels = nullptr;
  // Where tiles fetch what comes next, those of all rows find a panel in the
  // first-level cache.
  if (Plan.FetchesNext) {
    ByPanels = B.CreateAnd(B.CreateNot(IsOne), staysNear());
    Width = B.CreateSelect(ByPanels, getPanelColumns(), Width);
    Fit = B.CreateSelect(ByPanels, B.getInt64(Plan.DirectRows), Fit);
  }
  Value *Depth = balance(Whole.K, Fit);
  forEachBlock(Whole.N, Width, "in.place.n", [&](Value *J, Value *Columns) {
    forEachBlock(Whole.K, Depth, "in.place", [&](Value *K, Value *Steps) {
      TilesArgs T = getBlock(Zero, Whole.M, J, Columns, K, Steps);
      if (ByPanels) {
        T.Next = B.CreateSelect(ByPanels, T.Next, T.B);
        T.NextLd = B.CreateSelect(ByPanels, T.NextLd, Zero);
      }
      Call(T);
    });
  });
}

/// Copies \p Columns columns of \p Steps rows of B into panels.
void PackedEmitter::emitPack(Value *Block, Value *Columns, Value *Steps) {
  CopiedBlock Copied = {Block, Whole.Ldb, Steps, Columns, StepB, IsFar};
  if (Spec.TransB)
    std::swap(Copied.Rows, Copied.Width);
  emitCopyOfB(B, Spec, Plan, Whole.Operands, Copied, Panels, Steps);
}

/// Copies A[i ..., k ...] for the rows and steps of \p T.
void PackedEmitter::copyA(const TilesArgs &T) {
  CopiedBlock Block = {T.A, T.Lda, T.M, T.K, StepA};
  if (Spec.TransA)
    std::swap(Block.Rows, Block.Width);
  emitCopyOfA(B, Spec, Plan, Whole.Operands, Block, PackedA, PackedLda);
}

/// A of the rows of \p T from \p I on and its steps from \p K on: a copy,
/// unless it \p Stays.
void PackedEmitter::setA(TilesArgs &T, Value *I, Value *K, Value *Stays) {
  T.A = getA(I, K);
  TilesArgs Copy = T;
  Copy.A = PackedA;
  Copy.Lda = PackedLda;
  if (!Stays) {
    copyA(T);
    T = Copy;
    return;
  }
  E.emitIf(B.CreateNot(Stays), "a.copied", [&] { copyA(T); });
  T = getInPlaceA(B, T);
  T.A = B.CreateSelect(Stays, T.A, Copy.A);
  T.Lda = B.CreateSelect(Stays, T.Lda, Copy.Lda);
  T.StepA = B.CreateSelect(Stays, T.StepA, B.getInt64(Plan.TileRows));
}

/// A block of the product, of operands where they lie.
TilesArgs PackedEmitter::getBlock(Value *I, Value *Rows, Value *J,
                                  Value *Columns, Value *K, Value *Steps) {
  TilesArgs T = Whole;
  Emitter Out = E.forOutput();
  T.C = Out.at(Out.at(Whole.C, B.CreateMul(I, Whole.Ldc)),
               Whole.StepC ? B.CreateMul(J, Whole.StepC) : J);
  T.A = getA(I, K);
  T.B = getB(K, J);
  T.M = Rows;
  T.N = Columns;
  T.K = Steps;
  setStart(T, B.CreateICmpEQ(K, B.getInt64(0)), I, J);
  setLast(T, K);
  if (Plan.FetchesNext)
    setNext(T, J, K);
  advanceOperands(B, Spec, T.Operands, I, J);
  moveDiagonal(T, I, J);
  return T;
}

void PackedEmitter::emitBlock(Value *I, Value *Rows, Value *J, Value *Columns,
                              Value *K, Value *Steps) {
  Value *Packed = Columns;
  if (DLOPT_PLANTED(PanelTailStale))
    Packed = B.CreateSub(Columns, B.CreateURem(Columns, getPanelColumns()));
  emitPack(getB(K, J), Packed, Steps);
  TilesArgs T = getBlock(I, Rows, J, Columns, K, Steps);
  T.B = Panels;
  T.Ldb = getPanelColumns();
  T.PanelStep = Steps;
  // The sums wait in a buffer of their own until the last block, whose tiles
  // write the result. Its rows are counted in bytes: the element may be
  // another.
  Value *RowBytes = E.forOutput().getBytes(Whole.Ldc);
  if (Sums) {
    T.C = B.CreateSelect(T.Last, T.C, Sums);
    T.Ldc = B.CreateSelect(T.Last, Whole.Ldc, SumNC);
    RowBytes = B.CreateSelect(T.Last, RowBytes, E.getBytes(SumNC));
  }
  if (!Spec.copiesA())
    return callTiles(B, Tiles, T);
  Value *Most = RowsOfA, *Stays = nullptr;
  if (Plan.MayStayA) {
    Stays = staysA(B, Spec, Plan, Whole);
    Most = B.CreateSelect(Stays, Rows, Most);
  }
  forEachBlock(Rows, Most, "m.block", [&](Value *First, Value *Count) {
    TilesArgs Block = T;
    Block.C = B.CreatePtrAdd(T.C, B.CreateMul(First, RowBytes));
    Block.S = E.at(T.S, B.CreateMul(First, T.Srs));
    Block.M = Count;
    setA(Block, B.CreateAdd(I, First), K, Stays);
    advanceOperands(B, Spec, Block.Operands, First, B.getInt64(0));
    moveDiagonal(Block, First, B.getInt64(0));
    callTiles(B, Tiles, Block);
  });
}

/// The sizes of blocks are numbers of the plan; where the vector length tells
/// the width of a panel, they are what fills buffers of the same size.
void PackedEmitter::emitSizes() {
  KC = pick(&PackedBlocks::KC);
  NC = pick(&PackedBlocks::NC);
  SumKC = pick(&PackedBlocks::SumKC);
  SumNC = pick(&PackedBlocks::SumNC);
  SumRows = pick(&PackedBlocks::SumRows);
  NarrowKC = pick(&PackedBlocks::NarrowKC);
  RowsOfA = pick(&PackedBlocks::RowsOfA);
  PackedLda = pick(&PackedBlocks::PackedLda);
  if (!Plan.Scalable)
    return;
  Value *Panel = getPanelColumns();
  uint64_t PanelLanes = getPanelWidth(Plan).getKnownMinValue();
  auto ToPanels = [&](Value *Columns) {
    return umax(B.CreateMul(B.CreateUDiv(Columns, Panel), Panel), Panel);
  };
  auto Fit = [&](Value *Rows, Value *Columns, Value *Width) {
    return umin(Rows, B.CreateUDiv(B.CreateMul(Rows, Columns), Width));
  };
  Value *OldNC = NC, *OldSumNC = SumNC;
  NC = ToPanels(OldNC);
  KC = Fit(KC, OldNC, NC);
  if (Spec.keepsSums()) {
    SumNC = ToPanels(OldSumNC);
    SumKC = Fit(SumKC, OldSumNC, SumNC);
    SumRows = Fit(SumRows, OldSumNC, SumNC);
  }
  Value *Narrow =
      B.CreateUDiv(B.CreateMul(NarrowKC, B.getInt64(PanelLanes)), Panel);
  NarrowKC = umin(umax(Narrow, B.getInt64(MinBlockSteps)),
                  Spec.keepsSums() ? SumKC : KC);
}

/// Every block of columns reads all rows of A, which should find them in the
/// last cache: Zen 3 gains 5% at 2048^3 of double from 8 MiB of A at a time,
/// and loses nothing at 1024^3. B is copied once for each of these blocks.
Value *PackedEmitter::getCachedRows() {
  constexpr uint64_t FewestTiles = 32;
  Value *Tile = B.getInt64(Plan.TileRows),
        *Fewest = B.getInt64(FewestTiles * Plan.TileRows);
  return unless(B.CreateICmpULE(Whole.M, Fewest), Fewest, [&] {
    Value *RowBytes =
        B.CreateMul(Whole.K, B.getInt64(getSizeInBytes(Spec.getOperandTy())));
    Value *Most = umax(B.CreateUDiv(B.getInt64(CachedBytes), RowBytes), Fewest);
    // As many rows or more in each of equal blocks, of whole tiles.
    Value *Blocks = umax(B.CreateUDiv(Whole.M, Most), One());
    Value *Tiles = B.CreateUDiv(B.CreateUDiv(Whole.M, Blocks), Tile);
    return B.CreateMul(B.CreateAdd(Tiles, One()), Tile);
  });
}

std::pair<Value *, Value *> PackedEmitter::getRows(Value *J, Value *Columns) {
  Value *Zero = B.getInt64(0);
  if (!Spec.isTriangle())
    return {Zero, Whole.M};
  Value *At = B.CreateSub(J, Whole.Diagonal);
  if (Spec.Elements == ContractionSpec::UpperTriangle)
    return {Zero, umin(Whole.M, B.CreateAdd(At, Columns))};
  Value *First =
      B.CreateBinaryIntrinsic(Intrinsic::smax, Zero, B.CreateAdd(At, One()));
  return {First, B.CreateSub(Whole.M, First)};
}

/// Columns per block of B with \p Depth steps: as many as the buffer holds.
/// The blocks of a shallow product are wide then, and C is written row by row
/// (Cascade Lake, 1000x4000x32 and 2048x2048x128: 2.0 and 1.4 times of blocks
/// of NC columns; the same with other vectors).
Value *PackedEmitter::getWidth(Value *Depth) {
  Value *Wide = unless(B.CreateICmpULE(Whole.N, NC), NC, [&] {
    Value *Fit = B.CreateUDiv(B.CreateMul(KC, NC), Depth);
    Value *Panel = getPanelColumns();
    return umax(NC, B.CreateMul(B.CreateUDiv(Fit, Panel), Panel));
  });
  if (Sums)
    Wide = B.CreateSelect(B.CreateICmpEQ(Depth, Whole.K), Wide, SumNC);
  return Wide;
}

void PackedEmitter::emitBlocks() {
  allocate();
  // Copies of rows longer than half a page lose by it (Cascade Lake, 8 to 32
  // rows: 288 floats gain 10 to 15%, 512 1%; 768 lose 3%, 1024 6 to 15%).
  if (Spec.TransB)
    IsFar = B.CreateAnd(E.isLarge(Whole.N, Whole.Ldb),
                        E.isShort(B.CreateShl(Whole.K, 1)));
  Value *Depth = KC, *Few = nullptr;
  if (Sums)
    Depth = B.CreateSelect(B.CreateICmpULE(Whole.K, KC), KC, SumKC);
  if (Spec.copiesB()) {
    Few = B.CreateICmpULE(Whole.M, B.getInt64(Plan.TileRows));
    Depth = B.CreateSelect(Few, NarrowKC, Depth);
  }
  Depth = balance(Whole.K, Depth);
  Value *Width = getWidth(Depth);
  if (Few)
    Width = B.CreateSelect(Few, getPanelColumns(), Width);
  auto Columns = [&](Value *Top, Value *Count) {
    forEachBlock(Whole.N, Width, "n.block", [&](Value *J, Value *Columns) {
      auto Blocks = [&](Value *I, Value *Rows) {
        forEachBlock(Whole.K, Depth, "k.block", [&](Value *K, Value *Steps) {
          emitBlock(I, Rows, J, Columns, K, Steps);
        });
      };
      auto [First, Rows] =
          Spec.isTriangle() ? getRows(J, Columns) : std::pair(Top, Count);
      // Sums that end in the one block of K need no buffer: B is copied once
      // for all rows then, and else for those of the buffer.
      if (Sums)
        forEachBlock(
            Rows, B.CreateSelect(B.CreateICmpEQ(Depth, Whole.K), Rows, SumRows),
            "m.block", [&, First = First](Value *I, Value *N) {
              Blocks(B.CreateAdd(First, I), N);
            });
      else
        Blocks(First, Rows);
    });
  };
  if (Spec.isTriangle() || Sums)
    return Columns(B.getInt64(0), Whole.M);
  forEachBlock(Whole.M, getCachedRows(), "rows.block", Columns);
}

/// Whether a copy of B would cost more than it saves.
Value *PackedEmitter::hasFewRows() {
  Value *Most = B.getInt64(Plan.PackRows);
  if (Plan.FetchesNext) {
    Value *RowBytes = From.getBytes(Whole.Ldb);
    Value *Starts =
        B.CreateOr(B.CreatePtrToInt(Whole.B, B.getInt64Ty()), RowBytes);
    Value *IsNear = B.CreateAnd(
        B.CreateICmpUGE(getPowerOfTwo(B, Starts), B.getInt64(CacheLineBytes)),
        staysNear());
    Most = B.CreateSelect(IsNear, B.getInt64(Plan.NearRows), Most);
  }
  return B.CreateICmpULT(Whole.M, Most);
}

void PackedEmitter::emit() {
  Function *F = B.GetInsertBlock()->getParent();
  if (!Plan.MayStay) {
    emitBlocks();
    B.CreateRetVoid();
    return;
  }
  auto *InPlace = BasicBlock::Create(B.getContext(), "few.rows", F);
  auto *Blocks = BasicBlock::Create(B.getContext(), "many.rows", F);
  B.CreateCondBr(hasFewRows(), InPlace, Blocks);
  B.SetInsertPoint(InPlace);
  emitInPlace();
  B.CreateRetVoid();
  B.SetInsertPoint(Blocks);
  emitBlocks();
  B.CreateRetVoid();
}

} // namespace

void emitPacked(Function &F, Function &Tiles, const ContractionSpec &S,
                const ContractionPlan &P) {
  PackedEmitter(F, Tiles, S, P).emit();
}

} // namespace dlopt::contraction
