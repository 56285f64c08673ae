//===- ContractionDots.cpp - One row times a transposed matrix, by dots ---===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// .row where sums may be reassociated: lanes are steps of k, so that rows of B
/// are read as they lie, a few of them side by side to read the vector less
/// often.
///
//===----------------------------------------------------------------------===//
#include "ContractionEmitter.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace dlopt::contraction {

namespace {

class DotEmitter {
public:
  DotEmitter(Function &F, const ContractionSpec &S, const ContractionPlan &P)
      : B(BasicBlock::Create(F.getContext(), "entry", &F)), E(B, S, P), Spec(S),
        Plan(P), C(F.getArg(0)), A(F.getArg(2)), BPtr(F.getArg(4)),
        Ldb(F.getArg(5)), S(F.getArg(6)), Scs(F.getArg(8)), N(F.getArg(10)),
        K(F.getArg(11)),
        VecTy(FixedVectorType::get(E.getElem(), P.VectorElems)) {
    for (Argument &X : drop_begin(F.args(), NumEntryArgs))
      Operands.push_back(&X);
  }
  void emit();

private:
  using Values = SmallVector<Value *, 16>;
  /// Rows [J, End), each with those \p Distance and its multiples further on.
  void emitRows(unsigned Rows, Value *J, Value *End, Value *Distance);
  void emitSums(ArrayRef<Value *> Columns);
  /// \p Vectors vectors of k at a time (0: one element), while they fit.
  void emitSteps(unsigned Vectors, ArrayRef<Value *> RowPtrs, Value *&K0,
                 Values &Sums);
  Value *load(Type *Ty, Value *Ptr) {
    return B.CreateAlignedLoad(Ty, Ptr, E.getElemAlign());
  }

  IRBuilder<> B;
  Emitter E;
  const ContractionSpec &Spec;
  const ContractionPlan &Plan;
  Value *C, *A, *BPtr, *Ldb, *S, *Scs, *N, *K;
  Type *VecTy;
  Values Operands;
};

void DotEmitter::emitSteps(unsigned Vectors, ArrayRef<Value *> RowPtrs,
                           Value *&K0, Values &Sums) {
  Type *Ty = Vectors ? VecTy : E.getElem();
  unsigned Count = Vectors ? Vectors * Plan.VectorElems : 1;
  unsigned PerRow = std::max(Vectors, 1u);
  Values State = {K0};
  State.append(Sums);
  E.emitWhileFits(State, Count, K, "k", [&](MutableArrayRef<Value *> Now) {
    Values X;
    for (unsigned V = 0; V != PerRow; ++V) {
      Value *Index = B.CreateAdd(Now[0], B.getInt64(V * Plan.VectorElems));
      X.push_back(load(Ty, E.at(A, Index)));
    }
    for (unsigned I = 0; I != Sums.size(); ++I) {
      Value *Row = E.at(RowPtrs[I / PerRow], Now[0]);
      Value *Y = load(Ty, E.at(Row, uint64_t(I % PerRow) * Plan.VectorElems));
      Now[I + 1] = E.multiplyAdd(X[I % PerRow], Y, Now[I + 1]);
    }
  });
  K0 = State[0];
  Sums.assign(State.begin() + 1, State.end());
}

void DotEmitter::emitSums(ArrayRef<Value *> Columns) {
  unsigned Rows = Columns.size();
  Values RowPtrs, Starts;
  for (Value *Column : Columns) {
    RowPtrs.push_back(E.at(BPtr, B.CreateMul(Column, Ldb)));
    Starts.push_back(load(E.getElem(), E.at(S, B.CreateMul(Column, Scs))));
  }
  // -0 is what changes no sum.
  Values Sums(Rows * Plan.DotVectors, ConstantFP::getNegativeZero(VecTy)),
      Totals;
  Value *K0 = B.getInt64(0);
  emitSteps(Plan.DotVectors, RowPtrs, K0, Sums);
  for (unsigned R = 0; R != Rows; ++R) {
    Value *Sum = Sums[R * Plan.DotVectors];
    for (unsigned V = 1; V != Plan.DotVectors; ++V)
      Sum = B.CreateFAddFMF(Sum, Sums[R * Plan.DotVectors + V], Spec.AddFlags);
    Totals.push_back(Sum);
  }
  emitSteps(1, RowPtrs, K0, Totals);
  for (unsigned R = 0; R != Rows; ++R) {
    auto *Total = cast<Instruction>(B.CreateFAddReduce(Starts[R], Totals[R]));
    Total->setFastMathFlags(Spec.AddFlags);
    Totals[R] = Total;
  }
  emitSteps(0, RowPtrs, K0, Totals);
  for (unsigned R = 0; R != Rows; ++R) {
    Value *To = E.forOutput().at(C, Columns[R]);
    if (!Spec.Epilogue.isTrivial())
      Totals[R] = E.emitEpilogue({}, {To, B.getInt64(0), Columns[R], nullptr},
                                 Operands, Totals[R]);
    E.forOutput().store(Totals[R], To);
  }
}

void DotEmitter::emitRows(unsigned Rows, Value *J, Value *End,
                          Value *Distance) {
  E.emitWhileFits(J, 1, End, "rows", [&](Value *First) {
    Values Columns = {First};
    while (Columns.size() != Rows)
      Columns.push_back(B.CreateAdd(Columns.back(), Distance));
    emitSums(Columns);
  });
}

/// Rows that are read together are a quarter of the matrix apart: each place
/// goes on where it was, across the ends of rows, as prefetchers expect.
void DotEmitter::emit() {
  Value *Rows = B.getInt64(Plan.DotRows), *Quarter = B.CreateUDiv(N, Rows);
  emitRows(Plan.DotRows, B.getInt64(0), Quarter, Quarter);
  emitRows(1, B.CreateMul(Quarter, Rows), N, nullptr);
  B.CreateRetVoid();
}

} // namespace

void emitDots(Function &F, const ContractionSpec &S, const ContractionPlan &P) {
  DotEmitter(F, S, P).emit();
}

} // namespace dlopt::contraction
