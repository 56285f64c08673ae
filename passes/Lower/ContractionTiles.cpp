//===- ContractionTiles.cpp - Register tiles of a contraction -------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// .tiles: rows outside, columns inside, and for each register tile
///
///   acc = start; do { acc[i][j] += A[i][k] * B[k][j] } while (++k < K);
///   C = acc
///
/// Rows are taken TileRows at a time, the rest by powers of two; columns by the
/// kinds of getColumnKinds.
///
//===----------------------------------------------------------------------===//
#include "ContractionEmitter.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IntrinsicsAArch64.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace llvm;

namespace dlopt::contraction {

//===----------------------------------------------------------------------===//
// One register tile.
//===----------------------------------------------------------------------===//

/// What products of type \p Ty are scaled by.
Value *Emitter::getScale(Type *Ty) {
  auto *Vector = dyn_cast<VectorType>(Ty);
  return Vector ? B.CreateVectorSplat(Vector->getElementCount(), Scale) : Scale;
}

Value *Emitter::multiplyAdd(Value *X, Value *Y, Value *Acc) {
  if (!Scale)
    return addProduct(X, Y, Acc);
  return addProduct(B.CreateFMulFMF(X, Y, Spec.ScaleFlags),
                    getScale(Acc->getType()), Acc);
}

Value *Emitter::addProduct(Value *X, Value *Y, Value *Acc) {
  Type *Ty = Acc->getType();
  // All targets that fuse have an instruction for it.
  if (Spec.Subtracts && Spec.Comb != ContractionSpec::MulAdd)
    Y = B.CreateFNeg(Y);
  switch (Spec.Comb) {
  case ContractionSpec::FMulAdd:
    if (DLOPT_PLANTED(FusedSeparated))
      return B.CreateFAdd(B.CreateFMul(X, Y), Acc);
    return B.CreateIntrinsic(Intrinsic::fmuladd, {Ty}, {X, Y, Acc},
                             Spec.AddFlags);
  case ContractionSpec::FMA:
    return B.CreateIntrinsic(Intrinsic::fma, {Ty}, {X, Y, Acc}, Spec.AddFlags);
  case ContractionSpec::MulAdd:
    if (DLOPT_PLANTED(SeparateFused))
      return B.CreateIntrinsic(Intrinsic::fmuladd, {Ty}, {X, Y, Acc},
                               Spec.AddFlags);
    break;
  }
  return addRounded(B.CreateFMulFMF(X, Y, Spec.MulFlags), Acc);
}

Value *Emitter::addRounded(Value *Product, Value *Acc) {
  return Spec.Subtracts ? B.CreateFSubFMF(Acc, Product, Spec.AddFlags)
                        : B.CreateFAddFMF(Product, Acc, Spec.AddFlags);
}

/// One step where \p X has factors of several: its lane \p Lane, in scalable
/// vectors that of each part of 128 bits.
Value *Emitter::multiplyAddLane(Value *X, unsigned Lane, Value *Y, Value *Acc) {
  Type *Ty = Acc->getType();
  if (!Plan.Scalable)
    return multiplyAdd(B.CreateShuffleVector(
                           X, SmallVector<int, 8>(Plan.VectorElems, int(Lane))),
                       Y, Acc);
  if (Scale) {
    Value *Product = B.CreateIntrinsic(Intrinsic::aarch64_sve_fmul_lane, {Ty},
                                       {Y, X, B.getInt32(Lane)});
    return addProduct(Product, getScale(Ty), Acc);
  }
  // The plan says what the backend makes of operations that may contract.
  if (Plan.Fused)
    return B.CreateIntrinsic(Spec.Subtracts ? Intrinsic::aarch64_sve_fmls_lane
                                            : Intrinsic::aarch64_sve_fmla_lane,
                             {Ty}, {Acc, Y, X, B.getInt32(Lane)});
  Value *Product = B.CreateIntrinsic(Intrinsic::aarch64_sve_fmul_lane, {Ty},
                                     {Y, X, B.getInt32(Lane)});
  return addRounded(Product, Acc);
}

/// Start values that are apart, but for those of sums that go on. The block
/// behind them.
BasicBlock *Emitter::emitSteppedStart(const TilesArgs &T, const Rows &R,
                                      const ColumnKind &Cols, Value *J,
                                      Value *Mask,
                                      SmallVectorImpl<Value *> &Result) {
  Function *F = B.GetInsertBlock()->getParent();
  auto *Vectors = BasicBlock::Create(B.getContext(), "start.vectors", F);
  auto *Apart = BasicBlock::Create(B.getContext(), "start.apart", F);
  auto *End = BasicBlock::Create(B.getContext(), "start.loaded", F);
  B.CreateCondBr(B.CreateICmpEQ(T.Scs, B.getInt64(1)), Vectors, Apart);
  SmallVector<Value *, 32> Whole;
  auto Load = [&](BasicBlock *Block, const ElementStep &Step,
                  SmallVectorImpl<Value *> &Into) {
    B.SetInsertPoint(Block);
    for (Value *Row : R.S)
      for (unsigned V = 0; V != Cols.Vectors; ++V) {
        Value *Column = B.CreateAdd(J, getCount(Cols.lanes() * V));
        Into.push_back(load(Cols, at(Row, Column, Step), Mask, Step));
      }
    B.CreateBr(End);
    return B.GetInsertBlock();
  };
  Vectors = Load(Vectors, {}, Whole);
  Apart = Load(Apart, {ContractionSpec::AnyStep, T.Scs}, Result);
  B.SetInsertPoint(End);
  for (auto [X, Y] : zip_equal(Result, Whole)) {
    PHINode *Phi = B.CreatePHI(getType(Cols), 2);
    Phi->addIncoming(Y, Vectors);
    Phi->addIncoming(X, Apart);
    X = Phi;
  }
  return End;
}

/// Start values: vectors of S, or one element of it per row.
void Emitter::emitStart(const TilesArgs &T, const Rows &R,
                        const ColumnKind &Cols, Value *J, Value *Mask,
                        SmallVectorImpl<Value *> &Acc) {
  Function *F = B.GetInsertBlock()->getParent();
  auto *PerElement = BasicBlock::Create(B.getContext(), "start.elements", F);
  auto *PerRow = BasicBlock::Create(B.getContext(), "start.rows", F);
  auto *End = BasicBlock::Create(B.getContext(), "start.end", F);
  B.CreateCondBr(B.CreateICmpEQ(T.Scs, B.getInt64(0)), PerRow, PerElement);

  SmallVector<Value *, 32> Elements, Splats;
  if (Spec.StepsOfStart) {
    B.SetInsertPoint(PerElement);
    PerElement = emitSteppedStart(T, R, Cols, J, Mask, Elements);
    B.CreateBr(End);
  } else {
    B.SetInsertPoint(PerElement);
    for (Value *Row : R.S)
      for (unsigned V = 0; V != Cols.Vectors; ++V)
        Elements.push_back(load(Cols, atVector(Cols, at(Row, J), V), Mask));
    B.CreateBr(End);
  }
  B.SetInsertPoint(PerRow);
  for (Value *Row : R.S) {
    Value *X = B.CreateAlignedLoad(Elem, Row, getElemAlign());
    if (Cols.lanes().isVector())
      X = B.CreateVectorSplat(Cols.lanes(), X);
    Splats.append(Cols.Vectors, X);
  }
  B.CreateBr(End);
  B.SetInsertPoint(End);
  for (auto [X, Y] : zip_equal(Elements, Splats)) {
    PHINode *Phi = B.CreatePHI(getType(Cols), 2);
    Phi->addIncoming(X, PerElement);
    Phi->addIncoming(Y, PerRow);
    Acc.push_back(Phi);
  }
}

/// Vectors of \p Count steps of each row of A from \p K on; scalable vectors
/// have them in each part of 128 bits.
SmallVector<Value *, 24> Emitter::loadVectorsOfA(const Rows &R, Value *K,
                                                 unsigned Count) {
  SmallVector<Value *, 24> Vectors;
  // Backwards, the last step comes first.
  bool Backwards = Spec.getTileStepA() < 0;
  Value *First =
      Backwards ? B.CreateSub(B.getInt64(1), B.CreateAdd(K, B.getInt64(Count)))
                : K;
  auto Load = [&](Value *Ptr) -> Value * {
    if (!Plan.Scalable)
      return B.CreateAlignedLoad(FixedVectorType::get(Elem, Count), Ptr,
                                 getElemAlign());
    auto *Ty = ScalableVectorType::get(Elem, Plan.VectorElems);
    Value *All = B.CreateVectorSplat(Ty->getElementCount(), B.getTrue());
    return B.CreateIntrinsic(Intrinsic::aarch64_sve_ld1rq, {Ty}, {All, Ptr});
  };
  for (Value *Row : R.A)
    Vectors.push_back(Load(at(Row, First)));
  return Vectors;
}

/// One value of k: of A its elements or, if there are any, lane \p Lane of \p
/// VectorsOfA. Row by row, since later passes keep the order more or less.
void Emitter::emitStep(const Rows &R, const ColumnKind &Cols,
                       const StepCursor &At, ArrayRef<Value *> VectorsOfA,
                       unsigned Lane, Value *Mask,
                       SmallVectorImpl<Value *> &Acc) {
  SmallVector<Value *, 4> Row;
  if (At.Next)
    prefetch(At.Next, /*ForWrite=*/false, /*IsLater=*/true);
  for (unsigned V = 0; V != Cols.Vectors; ++V)
    Row.push_back(load(Cols, atVector(Cols, At.B, V), Mask));
  Value *Column = R.StepA ? B.CreateMul(At.K, R.StepA) : At.K;
  for (unsigned I = 0; I != R.size(); ++I) {
    Value *X = nullptr;
    if (VectorsOfA.empty()) {
      X = B.CreateAlignedLoad(Elem, at(R.A[I], Column), getElemAlign());
      if (Cols.lanes().isVector())
        X = B.CreateVectorSplat(Cols.lanes(), X);
    }
    for (unsigned V = 0; V != Cols.Vectors; ++V) {
      Value *&Chain = Acc[I * Cols.Vectors + V];
      Chain = X ? multiplyAdd(X, Row[V], Chain)
                : multiplyAddLane(VectorsOfA[I], Lane, Row[V], Chain);
    }
  }
}

/// The values that a loop over k carries, and what they are called there.
static SmallVector<Value **, 32> getState(StepCursor &At,
                                          SmallVectorImpl<Value *> &Acc) {
  SmallVector<Value **, 32> State = {&At.K, &At.B};
  if (At.Next)
    State.push_back(&At.Next);
  for (Value *&V : Acc)
    State.push_back(&V);
  return State;
}

static SmallVector<Value *, 32> getValues(ArrayRef<Value **> State) {
  SmallVector<Value *, 32> Values;
  for (Value **V : State)
    Values.push_back(*V);
  return Values;
}

/// \p Steps steps per iteration, while they fit into what is left of K.
void Emitter::emitStepLoop(const TilesArgs &T, const Rows &R,
                           const ColumnKind &Cols, unsigned Steps,
                           StepCursor &At, Value *Mask,
                           SmallVectorImpl<Value *> &Acc) {
  SmallVector<Value **, 32> State = getState(At, Acc);
  DoWhile Loop(B, getValues(State), "k.loop");
  for (unsigned I = 0; I != State.size(); ++I)
    *State[I] = Loop[I];
  bool Descending = DLOPT_PLANTED(StepsDescending);
  SmallVector<Value *, 24> VectorsOfA;
  if (Plan.LanesOfA && Steps > 1 && !Descending)
    VectorsOfA = loadVectorsOfA(R, Loop[0], Steps);
  for (unsigned Step = 0; Step != Steps; ++Step) {
    At.K = B.CreateAdd(Loop[0], B.getInt64(Step));
    if (Descending)
      At.K = B.CreateSub(B.CreateSub(T.K, B.getInt64(1)), At.K);
    unsigned Lane = Spec.getTileStepA() < 0 ? Steps - 1 - Step : Step;
    emitStep(R, Cols, At, VectorsOfA, Lane, Mask, Acc);
    At.B = at(At.B, Descending ? B.CreateNeg(T.Ldb) : T.Ldb);
    if (At.Next)
      At.Next = forOperands().at(At.Next, At.NextLd);
  }
  At.K = B.CreateAdd(Loop[0], B.getInt64(Steps));
  bool IsLast = Steps == 1 || DLOPT_PLANTED(UnrolledStepsOverrun);
  Value *NextEnd =
      IsLast ? At.K : B.CreateAdd(At.K, B.getInt64(Steps - 1), "k.last");
  Loop.close(getValues(State), B.CreateICmpSLT(NextEnd, T.K));
}

/// All steps: whole iterations of UnrollK, then one at a time.
void Emitter::emitSteps(const TilesArgs &T, const Rows &R,
                        const ColumnKind &Cols, StepCursor At, Value *Mask,
                        SmallVectorImpl<Value *> &Acc) {
  if (DLOPT_PLANTED(StepsDescending))
    At.B = at(At.B, B.CreateMul(B.CreateSub(T.K, B.getInt64(1)), T.Ldb));
  bool Unroll = Plan.UnrollK > 1 && R.size() == Plan.TileRows &&
                Cols.width() == getPanelWidth(Plan);
  if (!Unroll)
    return emitStepLoop(T, R, Cols, 1, At, Mask, Acc);
  SmallVector<Value **, 32> State = getState(At, Acc);
  auto Guarded = [&](Value *Cond, unsigned Steps, const Twine &Name) {
    BasicBlock *Before = B.GetInsertBlock(), *After = nullptr;
    SmallVector<Value *, 32> Old = getValues(State);
    emitIf(Cond, Name, [&] {
      emitStepLoop(T, R, Cols, Steps, At, Mask, Acc);
      After = B.GetInsertBlock();
    });
    for (unsigned I = 0; I != Old.size(); ++I) {
      PHINode *Phi = B.CreatePHI(Old[I]->getType(), 2);
      Phi->addIncoming(Old[I], Before);
      Phi->addIncoming(*State[I], After);
      *State[I] = Phi;
    }
  };
  Guarded(B.CreateICmpSGE(T.K, B.getInt64(Plan.UnrollK)), Plan.UnrollK,
          "k.many");
  Guarded(B.CreateICmpSLT(At.K, T.K), 1, "k.rest");
}

/// Stores the first Count lanes in pieces of descending powers of two.
void Emitter::emitPartialStores(const Rows &R, const ColumnKind &Cols, Value *J,
                                Value *Count, ArrayRef<Value *> Acc) {
  SmallVector<Value *, 24> Rest(Acc);
  Value *Column = J;
  for (unsigned Lanes = Cols.Lanes / 2; Lanes; Lanes /= 2) {
    BasicBlock *Before = B.GetInsertBlock();
    SmallVector<int, 16> Low(Lanes), High(Lanes);
    std::iota(Low.begin(), Low.end(), 0);
    std::iota(High.begin(), High.end(), int(Lanes));
    Value *Has =
        B.CreateICmpNE(B.CreateAnd(Count, B.getInt64(Lanes)), B.getInt64(0));
    SmallVector<Value *, 24> Lows, Highs;
    for (Value *V : Rest)
      Lows.push_back(Lanes == 1 ? B.CreateExtractElement(V, uint64_t(0))
                                : B.CreateShuffleVector(V, Low));
    Value *NextColumn = nullptr;
    BasicBlock *Stored = nullptr;
    emitIf(Has, "store.part", [&] {
      for (auto [V, Row] : zip_equal(Lows, R.C))
        store(V, at(Row, Column));
      if (Lanes > 1)
        for (Value *V : Rest)
          Highs.push_back(B.CreateShuffleVector(V, High));
      NextColumn = B.CreateAdd(Column, B.getInt64(Lanes));
      Stored = B.GetInsertBlock();
    });
    if (Lanes == 1)
      break;
    PHINode *Phi = B.CreatePHI(B.getInt64Ty(), 2);
    Phi->addIncoming(Column, Before);
    Phi->addIncoming(NextColumn, Stored);
    Column = Phi;
    for (unsigned I = 0; I != Rest.size(); ++I) {
      PHINode *Half = B.CreatePHI(Lows[I]->getType(), 2);
      Half->addIncoming(Lows[I], Before);
      Half->addIncoming(Highs[I], Stored);
      Rest[I] = Half;
    }
  }
}

void Emitter::emitStores(const Rows &R, const ColumnKind &Cols, Value *J,
                         Value *Count, Value *Mask, ArrayRef<Value *> Acc) {
  if (!Spec.isTriangle())
    return emitWholeStores(R, Cols, J, Count, Mask, Acc);
  Value *Inside = isInside(R, Cols, J);
  emitIf(Inside, "inside",
         [&] { emitWholeStores(R, Cols, J, Count, Mask, Acc); });
  emitIf(B.CreateNot(Inside), "diagonal",
         [&] { emitElementStores(R, Cols, J, Count, Acc); });
}

void Emitter::emitWholeStores(const Rows &R, const ColumnKind &Cols, Value *J,
                              Value *Count, Value *Mask,
                              ArrayRef<Value *> Acc) {
  auto Whole = [&] {
    for (unsigned I = 0; I != Acc.size(); ++I)
      store(Acc[I],
            atVector(Cols, at(R.C[I / Cols.Vectors], J), I % Cols.Vectors));
  };
  if (!Mask)
    return Whole();
  if (Plan.MaskedStores) {
    for (unsigned I = 0; I != Acc.size(); ++I)
      B.CreateMaskedStore(Acc[I], at(R.C[I], J), getElemAlign(), Mask);
    return;
  }
  Function *F = B.GetInsertBlock()->getParent();
  auto *WholeBB = BasicBlock::Create(B.getContext(), "store.whole", F);
  auto *PartBB = BasicBlock::Create(B.getContext(), "store.parts", F);
  auto *End = BasicBlock::Create(B.getContext(), "store.end", F);
  B.CreateCondBr(B.CreateICmpSGE(Count, B.getInt64(Cols.Lanes)), WholeBB,
                 PartBB);
  B.SetInsertPoint(WholeBB);
  Whole();
  B.CreateBr(End);
  B.SetInsertPoint(PartBB);
  emitPartialStores(R, Cols, J, Count, Acc);
  B.CreateBr(End);
  B.SetInsertPoint(End);
}

/// What a tile fetches of the columns from \p J on: one line of each step of a
/// panel. When those of the first rows have fetched all, the others ask for
/// what is there: translating an address costs, too.
void Emitter::setNext(const TilesArgs &T, const Rows &R, Value *J,
                      StepCursor &At) {
  uint64_t Bytes = uint64_t(Plan.TileVectors) * Plan.VectorElems *
                   getSizeInBytes(Spec.getOperandTy());
  uint64_t Lines = std::max<uint64_t>(Bytes / CacheLineBytes, 1);
  Value *Line = B.CreateUDiv(R.First, B.getInt64(Plan.TileRows));
  Value *IsMissing = B.CreateICmpULT(Line, B.getInt64(Lines));
  Value *First =
      B.CreatePtrAdd(T.Next, B.CreateMul(Line, B.getInt64(CacheLineBytes)));
  At.Next = forOperands().at(B.CreateSelect(IsMissing, First, T.B), J);
  At.NextLd = B.CreateSelect(IsMissing, T.NextLd, B.getInt64(0));
}

/// The lines of C that a tile is going to write arrive while it is computed.
void Emitter::prefetchTile(const Rows &R, const ColumnKind &Cols, Value *J) {
  unsigned VectorBytes = Cols.Lanes * Plan.TuneVScale * getSizeInBytes(Spec.Ty);
  unsigned Step = std::max(CacheLineBytes / VectorBytes, 1u);
  for (Value *Row : R.C)
    for (unsigned V = 0; V < Cols.Vectors; V += Step)
      prefetch(atVector(Cols, at(Row, J), V), /*ForWrite=*/true);
}

void Emitter::emitTile(const TilesArgs &T, const Rows &R,
                       const ColumnKind &Cols, Value *J, Value *BPtr) {
  if (Spec.isTriangle())
    return emitIf(B.CreateNot(isOutside(R, Cols, J)), "tile",
                  [&] { emitWholeTile(T, R, Cols, J, BPtr); });
  emitWholeTile(T, R, Cols, J, BPtr);
}

void Emitter::emitWholeTile(const TilesArgs &T, const Rows &R,
                            const ColumnKind &Cols, Value *J, Value *BPtr) {
  Value *Count = B.CreateSub(T.N, J, "count");
  Value *Mask = getMask(Cols, Count);
  SmallVector<Value *, 32> Acc;
  StepCursor At = {B.getInt64(0), BPtr};
  if (R.size() == Plan.TileRows && Cols.width() == getPanelWidth(Plan)) {
    if (!Spec.storesApart())
      prefetchTile(R, Cols, J);
    if (T.Next)
      setNext(T, R, J, At);
  }
  emitStart(T, R, Cols, J, Mask, Acc);
  emitSteps(T, R, Cols, At, Mask, Acc);
  if (Spec.storesApart())
    return emitConvertedStores(T, R, Cols, J, Count, Mask, Acc);
  if (!Spec.Epilogue.isTrivial())
    emitEpilogues(T, R, Cols, J, Mask, Acc);
  emitStores(R, Cols, J, Count, Mask, Acc);
}

//===----------------------------------------------------------------------===//
// All tiles.
//===----------------------------------------------------------------------===//

/// All columns of the rows I .. I + NumRows - 1.
void Emitter::emitRows(const TilesArgs &T, unsigned NumRows, Value *I) {
  Rows R;
  R.First = I;
  R.Ldc = T.Ldc;
  if (T.Diagonal)
    R.Diagonal = B.CreateAdd(T.Diagonal, I);
  R.Buffer = T.Buffer;
  R.StepC = T.StepC;
  auto Fill = [&](SmallVectorImpl<Value *> &Ptrs, Value *Base, Value *Stride,
                  const Twine &Name) {
    Value *Ptr = at(Base, B.CreateMul(I, Stride), Name);
    for (unsigned Q = 0; Q != NumRows; ++Q) {
      if (Q)
        Ptr = at(Ptr, Stride, Name);
      Ptrs.push_back(Ptr);
    }
  };
  if (Plan.GroupedA) {
    R.StepA = T.StepA && !DLOPT_PLANTED(StepOfCopyTaken)
                  ? T.StepA
                  : B.getInt64(Plan.TileRows);
    Value *InGroup = B.CreateURem(I, B.getInt64(Plan.TileRows));
    Value *Group = B.CreateSub(I, InGroup);
    Value *Row = at(at(T.A, B.CreateMul(Group, T.Lda)), InGroup, "a");
    for (unsigned Q = 0; Q != NumRows; ++Q)
      R.A.push_back(at(Row, Q));
  } else {
    if (int64_t Step = Spec.getTileStepA(); Step != 1)
      R.StepA = B.getInt64(uint64_t(Step));
    Fill(R.A, T.A, T.Lda, "a");
    // One address register per row: seen as multiples of lda, the rows would
    // be computed from each other in every step.
    for (Value *&Row : R.A)
      Row = B.CreateLaunderInvariantGroup(Row);
  }
  Fill(R.C, T.C, T.Ldc, "c");
  Fill(R.S, T.S, DLOPT_PLANTED(StartRowWrong) ? T.Ldc : T.Srs, "s");
  Value *InPlace = B.CreateICmpEQ(T.PanelStep, B.getInt64(1));
  forEachColumns(getColumnKinds(Plan, NumRows), T.N, InPlace,
                 [&](const ColumnKind &Cols, Value *J) {
                   emitTile(T, R, Cols, J,
                            getColumn(Cols, T.B, J, T.PanelStep));
                 });
}

void Emitter::emitTiles(const TilesArgs &T) {
  setScale(T.Operands);
  unsigned R = Plan.TileRows;
  BasicBlock *Before = B.GetInsertBlock();
  Value *I = B.getInt64(0), *Step = B.getInt64(R), *Next = nullptr;
  BasicBlock *After = nullptr;
  emitIf(B.CreateICmpSGE(T.M, Step), "rows", [&] {
    DoWhile Loop(B, {I}, "rows.loop");
    emitRows(T, R, Loop[0]);
    Next = B.CreateAdd(Loop[0], Step);
    Loop.close({Next}, B.CreateICmpSLE(B.CreateAdd(Next, Step), T.M));
    After = B.GetInsertBlock();
  });
  auto Merge = [&] {
    PHINode *Phi = B.CreatePHI(B.getInt64Ty(), 2, "row");
    Phi->addIncoming(I, Before);
    Phi->addIncoming(Next, After);
    I = Phi;
  };
  Merge();
  if (R == 1)
    return;
  Value *Left = B.CreateSub(T.M, I, "rows.left");
  for (unsigned Rest = unsigned(llvm::bit_floor(R - 1)); Rest; Rest /= 2) {
    if (DLOPT_PLANTED(RowTailDropped) && Rest == 1)
      break;
    Before = B.GetInsertBlock();
    Value *Bit = B.CreateAnd(Left, B.getInt64(Rest));
    emitIf(B.CreateICmpNE(Bit, B.getInt64(0)), "rest", [&] {
      emitRows(T, Rest, I);
      Next = B.CreateAdd(I, B.getInt64(Rest));
      After = B.GetInsertBlock();
    });
    if (Rest > 1)
      Merge();
  }
}

} // namespace dlopt::contraction
