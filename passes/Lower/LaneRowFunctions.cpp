//===- LaneRowFunctions.cpp - Functions of few rows in lanes --------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Five rows are in eight lanes, or in sixteen: sums in their order wait for
/// the addition before, whatever the lanes are, but functions with the
/// library's bits take as long as there are lanes. So they are computed of each
/// row once, with lanes along it, and become columns then:
///
///   for the columns of a block:
///     if they do not fill the block: rows of it -> lines
///     for each row: function of its elements, or line -> rows of results
///     for each square of results, which become columns: the body
///
/// Short rows run by columns, as of these a vector along the row has few.
///
/// That is legal where one leaf calls one function, without a condition, of
/// elements of its row and of what the loop does not change. Elements that fill
/// no vector are the last one again: nothing is called that the source does not
/// call.
///
//===----------------------------------------------------------------------===//
#include "LaneLower.h"
#include "RegisterTranspose.h"
#include "dlopt/MathModels.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Uses.h"
#include "llvm/Analysis/VectorUtils.h"

using namespace llvm;

namespace dlopt {

/// The loads among \p Ops whose columns leaves of \p N need, if the operation
/// \p Known of \p Of is known.
static DenseSet<const Op *> findInColumns(const Node &N, const Leaf &Of,
                                          OpId Known,
                                          ArrayRef<const Op *> Ops) {
  DenseSet<const Op *> Result;
  for (const auto &Child : N.Children) {
    const Leaf &L = Child->L;
    SmallVector<OpId, 16> Open;
    for (const Assign &A : L.Assigns)
      Open.push_back(A.Value);
    if (L.Predicate)
      Open.push_back(*L.Predicate);
    SmallVector<bool, 16> Seen(L.Ops.size());
    while (!Open.empty()) {
      OpId Id = Open.pop_back_val();
      if (Seen[Id] || (&L == &Of && Id == Known))
        continue;
      Seen[Id] = true;
      if (is_contained(Ops, &L.Ops[Id]))
        Result.insert(&L.Ops[Id]);
      Open.append(L.Ops[Id].Args.begin(), L.Ops[Id].Args.end());
    }
  }
  return Result;
}

/// The function that one leaf of the loop \p N, whose leaves read rows by
/// \p Ops, computes of these and of what the loop does not change. (Errors of
/// several functions have an order.)
std::optional<LaneLowering::RowFunction>
LaneLowering::getRowFunction(const Node &N, ArrayRef<const Op *> Ops) const {
  std::optional<RowFunction> Found;
  for (const auto &Child : N.Children)
    for (auto [Id, O] : enumerate(Child->L.Ops)) {
      bool IsModel = getMathModel(O, Plan);
      if (!IsModel && !O.WritesErrno)
        continue;
      if (Found || !IsModel || isConditional(Child->L))
        return std::nullopt;
      Found.emplace();
      Found->L = &Child->L;
      Found->Id = static_cast<OpId>(Id);
    }
  if (!Found)
    return std::nullopt;
  const Leaf &L = *Found->L;
  Found->Needed = findNeeded(L, {Found->Id}, /*AndCalls=*/false);
  auto IsFixed = [&](const Op &O) {
    return O.Ty != ScalarType::I1 && !K.dependsOn(O.Acc, N.Ax) &&
           !assigns(N, O.Acc.Buf);
  };
  for (auto [Id, O] : enumerate(L.Ops)) {
    if (!Found->Needed[Id])
      continue;
    if (is_contained(Ops, &O))
      Found->Rows.push_back(&O);
    if (O.K == Op::Index || (O.K == Op::LibCall && Id != Found->Id) ||
        (O.K == Op::Load && !is_contained(Ops, &O) && !IsFixed(O)))
      return std::nullopt;
  }
  if (Found->Rows.empty())
    return std::nullopt;
  Found->InColumns = findInColumns(N, L, Found->Id, Ops);
  return Found;
}

/// Whether \p F is computed with lanes along each row: of less than whole
/// vectors of rows, which may be fewer than there are lanes, but for so few
/// that a register has four columns of them: then sums wait less for columns.
bool LaneLowering::runsByRows(const RowFunction &F) const {
  constexpr unsigned Columns = 4;
  const AxisId Lane = C.getLaneAxis();
  const bool AreFew = C.getLanes() < Plan.VectorElems || C.getSecondHalf();
  return AreFew && C.getLanes() * Columns > Plan.VectorElems &&
         none_of(F.Rows, [&](const Op *O) {
           return K.dependsOn(*getStride(K, getOffset(K, O->Acc), Lane), Lane);
         });
}

/// Whether what the last vector of a row along \p Along leaves is little.
Value *LaneLowering::isLongRow(AxisId Along) {
  constexpr unsigned Vectors = 8;
  return B.CreateICmpSGE(getTrip(Along),
                         B.getInt64(uint64_t(Vectors) * Plan.VectorElems));
}

/// The rows that lanes have, from the first one on: the upper half ends with
/// the last one.
Value *LaneLowering::countRows() {
  Value *Second = C.getSecondHalf();
  return Second ? B.CreateSub(B.CreateAdd(Second, B.getInt64(C.getLanes() / 2)),
                              C.AxisValues[C.getLaneAxis()])
                : B.getInt64(C.getLanes());
}

/// What \p F is made of beside what it reads of rows: what each row has for
/// itself goes to memory, one behind the other.
void LaneLowering::readFixed(RowFunction &F) {
  const DataLayout &DL = B.GetInsertBlock()->getDataLayout();
  const unsigned Half = C.getLanes() / 2;
  C.beginLeaf(/*BranchOnMask=*/false);
  for (auto [Id, O] : enumerate(F.L->Ops)) {
    if (!F.Needed[Id] || O.K != Op::Load || is_contained(F.Rows, &O))
      continue;
    Value *V = C.getOp(O, {});
    if (auto *Ty = dyn_cast<FixedVectorType>(V->getType())) {
      V = B.CreateBitCast(V, getMovedType(Ty));
      Type *Elem = V->getType()->getScalarType();
      AllocaInst *Memory = getTileMemory(Ty, DL.getPrefTypeAlign(Ty),
                                         /*Number=*/F.Fixed.size());
      Value *Upper = B.CreateSub(countRows(), B.getInt64(Half));
      if (DLOPT_PLANTED(UpperRowsOfFirst))
        Upper = B.getInt64(Half);
      auto Store = [&](unsigned From, Value *At) {
        B.CreateAlignedStore(
            B.CreateShuffleVector(V, createSequentialMask(From, Half, 0)),
            B.CreateGEP(Elem, Memory, At), DL.getABITypeAlign(Elem));
      };
      Store(0, B.getInt64(0));
      Store(Half, Upper);
      V = Memory;
    }
    F.Fixed.push_back({&O, V});
  }
}

/// \p Count elements of what \p O reads of one row, in pieces of \p Counts, to
/// \p Line, and the last one again up to whole vectors.
void LaneLowering::readLine(const Op &O, AxisId Along, Value *Line,
                            ArrayRef<unsigned> Counts, Value *Count) {
  Type *Elem = getMovedType(getIRType(O.Ty, B.getContext()));
  Align ElemAlign = getElementAlign(O.Origin, Elem);
  Value *From = C.getAddress(O.Acc), *One = B.getInt64(1);
  auto At = [&](Value *P, Value *I) { return B.CreateGEP(Elem, P, I); };
  forEachPiece(Along, B.getInt64(0), Count, Counts,
               [&](Value *First, unsigned Size) {
                 Type *Ty = Size == 1 ? Elem : FixedVectorType::get(Elem, Size);
                 B.CreateAlignedStore(
                     B.CreateAlignedLoad(Ty, At(From, First), ElemAlign),
                     At(Line, First), ElemAlign);
               });
  const auto Most = static_cast<int64_t>(Plan.VectorElems) - 1;
  Value *Last = B.CreateLoad(Elem, At(Line, B.CreateSub(Count, One)));
  Value *End = B.CreateAnd(B.CreateAdd(Count, B.getInt64(Most)), ~Most);
  CountedLoop Again = beginSteps(B, Count, End, One, "again");
  B.CreateStore(Last, At(Line, Again.Index));
  endLoop(B, Again);
}

/// The rows of each array that \p F reads, from where the axes are now on:
/// where they are or, if these do not fill a block of \p Width elements, in
/// lines.
SmallVector<LaneLowering::RowSource, 2>
LaneLowering::getRowSources(const RowFunction &F, AxisId Along,
                            ArrayRef<unsigned> Counts, unsigned Width,
                            Value *Count) {
  const AxisId Lane = C.getLaneAxis();
  const unsigned Lanes = C.getLanes();
  Value *FirstRow = C.AxisValues[Lane], *Rows = countRows(),
        *Zero = B.getInt64(0);
  Value *IsWhole = B.CreateICmpEQ(Count, B.getInt64(Width));
  CountedLoop L = beginSteps(B, Zero, B.CreateSelect(IsWhole, Zero, Rows),
                             B.getInt64(1), K.Axes[Lane].Name + ".line");
  C.AxisValues[Lane] = B.CreateAdd(FirstRow, L.Index);
  C.setLanes(1);
  SmallVector<AllocaInst *, 2> Lines;
  for (const Op *O : F.Rows) {
    Lines.push_back(getRowsInMemory(O->Ty, Width, Lanes, Lines.size()));
    Value *Line = B.CreateGEP(getIRType(O->Ty, B.getContext()), Lines.back(),
                              B.CreateMul(L.Index, B.getInt64(Width)));
    readLine(*O, Along, Line, Counts, Count);
  }
  endLoop(B, L);
  C.AxisValues[Lane] = FirstRow;
  SmallVector<RowSource, 2> Sources;
  for (auto [O, Line] : zip(F.Rows, Lines))
    Sources.push_back(
        {B.CreateSelect(IsWhole, C.getAddress(O->Acc), Line),
         B.CreateSelect(IsWhole,
                        C.getPoly(*getStride(K, getOffset(K, O->Acc), Lane)),
                        B.getInt64(Width))});
  C.setLanes(Lanes);
  return Sources;
}

/// Memory for \p Width elements of each of \p Rows rows.
AllocaInst *LaneLowering::getRowsInMemory(ScalarType Ty, unsigned Width,
                                          unsigned Rows, unsigned Number) {
  Type *Elem = getIRType(Ty, B.getContext());
  const DataLayout &DL = B.GetInsertBlock()->getDataLayout();
  // No number of what is read or written by columns.
  constexpr unsigned OfRows = 1 << 16;
  return getTileMemory(
      ArrayType::get(FixedVectorType::get(Elem, Width), Rows),
      DL.getPrefTypeAlign(FixedVectorType::get(Elem, Plan.VectorElems)),
      OfRows + Number);
}

/// \p F of what it reads, which is there (LaneContext::Ahead).
Value *LaneLowering::emitFunction(const RowFunction &F) {
  SmallVector<Value *, 16> Values;
  for (auto [Id, O] : enumerate(F.L->Ops)) {
    SmallVector<Value *, 3> Args;
    for (OpId Arg : O.Args)
      Args.push_back(Arg < Values.size() ? Values[Arg] : nullptr);
    Values.push_back(F.Needed[Id] ? C.getOp(O, Args) : nullptr);
  }
  return Values[F.Id];
}

/// \p F of \p Width elements of the row number \p Row in \p Sources, to \p To.
void LaneLowering::computeRow(const RowFunction &F, ArrayRef<RowSource> Sources,
                              Value *Row, Value *To, unsigned Width,
                              Value *Count) {
  const DataLayout &DL = B.GetInsertBlock()->getDataLayout();
  const unsigned Elems = Plan.VectorElems;
  auto GetType = [&](ScalarType Ty) {
    return FixedVectorType::get(getIRType(Ty, B.getContext()), Elems);
  };
  for (auto [O, V] : F.Fixed) {
    Type *Elem = getIRType(O->Ty, B.getContext());
    C.Ahead[O] =
        isa<AllocaInst>(V) ? B.CreateLoad(Elem, B.CreateGEP(Elem, V, Row)) : V;
  }
  auto Compute = [&](Value *At) {
    C.setLanes(Elems);
    C.beginLeaf(/*BranchOnMask=*/false);
    for (auto [O, From] : zip(F.Rows, Sources)) {
      Type *Ty = GetType(O->Ty), *Elem = Ty->getScalarType();
      C.Ahead[O] = B.CreateAlignedLoad(
          Ty,
          B.CreateGEP(Elem, From.First,
                      B.CreateAdd(B.CreateMul(Row, From.Step), At)),
          getElementAlign(O->Origin, Elem));
    }
    Value *Result = emitFunction(F);
    Type *Ty = GetType(F.L->Ops[F.Id].Ty);
    B.CreateAlignedStore(Result, B.CreateGEP(Ty->getScalarType(), To, At),
                         DL.getPrefTypeAlign(Ty));
  };
  if (Width == Elems) {
    Compute(B.getInt64(0));
  } else {
    CountedLoop L =
        beginSteps(B, B.getInt64(0), Count, B.getInt64(Elems), "columns");
    Compute(L.Index);
    endLoop(B, L);
  }
  C.Ahead.clear();
}

/// \p Count columns from the number \p At on of the rows in \p Results.
SmallVector<Value *, 16>
LaneLowering::getColumnsOfRows(ScalarType Ty, AllocaInst *Results,
                               unsigned Width, Value *At, unsigned Count) {
  const unsigned Lanes = C.getLanes();
  Type *Elem = getIRType(Ty, B.getContext());
  const DataLayout &DL = B.GetInsertBlock()->getDataLayout();
  // The upper half of the lanes ends with the last row.
  Value *Twice = B.CreateSub(B.getInt64(Lanes), countRows());
  auto Load = [&](unsigned I) -> Value * {
    Value *Row = B.getInt64(I);
    if (I >= Lanes / 2 && !DLOPT_PLANTED(UpperRowsOfFirst))
      Row = B.CreateSub(Row, Twice);
    Value *From = B.CreateGEP(
        Elem, Results, B.CreateAdd(B.CreateMul(Row, B.getInt64(Width)), At));
    return B.CreateAlignedLoad(Count == 1 ? Elem
                                          : FixedVectorType::get(Elem, Count),
                               From, DL.getABITypeAlign(Elem));
  };
  SmallVector<Value *, 16> Columns;
  if (Count != 1) {
    loadTransposed(B, Elem, Lanes, Count, Load, Columns);
    return Columns;
  }
  for (unsigned I = 0; I != Lanes; ++I)
    Columns.push_back(Load(I));
  return {makeVector(B, Columns)};
}

/// \p F of the next \p Count elements of each row along the axis \p Along, by
/// rows of \p Width.
AllocaInst *LaneLowering::computeRows(const RowFunction &F, AxisId Along,
                                      ArrayRef<unsigned> Counts, unsigned Width,
                                      Value *Count) {
  const unsigned Lanes = C.getLanes();
  const ScalarType Ty = F.L->Ops[F.Id].Ty;
  Value *Rows = countRows();
  SmallVector<RowSource, 2> Sources =
      getRowSources(F, Along, Counts, Width, Count);
  AllocaInst *Results = getRowsInMemory(Ty, Width, Lanes, F.Rows.size());
  CountedLoop L = beginSteps(B, B.getInt64(0), Rows, B.getInt64(1),
                             K.Axes[C.getLaneAxis()].Name + ".row");
  computeRow(F, Sources, L.Index,
             B.CreateGEP(getIRType(Ty, B.getContext()), Results,
                         B.CreateMul(L.Index, B.getInt64(Width))),
             Width, Count);
  C.setLanes(Lanes);
  endLoop(B, L);
  return Results;
}

/// The loop \p N, whose leaves read rows by \p Ops, with the function \p F of
/// each row, in blocks of as many columns as the first of \p Counts.
void LaneLowering::lowerByRows(const Node &N, ArrayRef<const Op *> Ops,
                               ArrayRef<unsigned> Counts, const RowFetch &Fetch,
                               RowFunction &F) {
  const AxisId Row = N.Ax;
  const Op &Function = F.L->Ops[F.Id];
  const auto Width =
      static_cast<unsigned>(alignTo(Counts.front(), Plan.VectorElems));
  Type *Elem = getIRType(Function.Ty, B.getContext());
  unsigned Square = getSquare(Elem);
  if (Counts.front() % Square)
    Square = getPartLanes(C.getLanes(), Elem);
  SmallVector<const Op *, 2> InColumns;
  copy_if(Ops, std::back_inserter(InColumns),
          [&](const Op *O) { return F.InColumns.contains(O); });
  readFixed(F);

  Value *Trip = getTrip(Row), *Size = B.getInt64(Counts.front());
  CountedLoop Blocks =
      beginSteps(B, B.getInt64(0), Trip, Size, K.Axes[Row].Name + ".block");
  Value *First = hideSteps(B, Blocks.Index);
  Value *End =
      B.CreateBinaryIntrinsic(Intrinsic::smin, B.CreateAdd(First, Size), Trip);
  C.AxisValues[Row] = First;
  fetchAhead(Fetch);
  AllocaInst *Results =
      computeRows(F, Row, Counts, Width, B.CreateSub(End, First));
  forEachPiece(Row, First, End, {Square, 1}, [&](Value *Begin, unsigned Count) {
    SmallVector<Value *, 16> Columns = getColumnsOfRows(
        Function.Ty, Results, Width, B.CreateSub(Begin, First), Count);
    lowerColumns(N, InColumns, Row, Begin, Count, /*FetchesNext=*/false,
                 [&](unsigned I) {
                   C.Ahead[&Function] = Columns[I];
                   // What only the function is made of nobody reads here.
                   for (const Op *O : F.Rows)
                     if (!F.InColumns.contains(O))
                       C.Ahead[O] = PoisonValue::get(FixedVectorType::get(
                           getIRType(O->Ty, B.getContext()), C.getLanes()));
                 });
  });
  endLoop(B, Blocks);
  C.AxisValues[Row] = Trip;
}

} // namespace dlopt
