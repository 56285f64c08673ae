//===- ContractionRow.cpp - One row times a transposed matrix -------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// .row, for M = 1 and a transposed B, whose elements are used once: a matrix
/// times a vector. Lanes are columns, as everywhere, and a few steps of k of as
/// many columns as a vector has lanes are transposed in registers on the way,
/// so that nothing is copied. Several such groups side by side hide the latency
/// of their chains.
///
//===----------------------------------------------------------------------===//
#include "ContractionEmitter.h"
#include "RegisterTranspose.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace dlopt::contraction {

namespace {

/// How far ahead each row of a matrix is fetched that no cache holds: there are
/// more rows than streams that the hardware follows. Measured on Cascade Lake
/// at 2 to 16 lines: 4096^2 of float gains 8 to 25% at 4.
constexpr unsigned LinesAhead = 4;

class RowEmitter {
public:
  RowEmitter(Function &F, const ContractionSpec &S, const ContractionPlan &P)
      : B(BasicBlock::Create(F.getContext(), "entry", &F)), E(B, S, P), Spec(S),
        Plan(P), C(F.getArg(0)), A(F.getArg(2)), Lda(F.getArg(3)),
        BPtr(F.getArg(4)), Ldb(F.getArg(5)), S(F.getArg(6)), Scs(F.getArg(8)),
        N(F.getArg(10)), K(F.getArg(11)) {
    for (Argument &X : drop_begin(F.args(), NumEntryArgs))
      Operands.push_back(&X);
    E.setScale(Operands);
  }
  void emit();

private:
  using Values = SmallVector<Value *, 8>;
  /// Columns of \p Groups groups at a time from \p J on; the first left over.
  Value *emitColumns(unsigned Groups, Value *J);
  void emitChains(unsigned Groups, Value *J);
  /// Of a group of columns: where they begin, the step, and the sums until it.
  struct Chain {
    Values Rows;
    Value *K, *Sum;
  };
  void emitSteps(MutableArrayRef<Chain> Chains, unsigned Count, Value *End,
                 bool Prefetches = false);
  void loadSteps(ArrayRef<Value *> Rows, Value *First, unsigned Count,
                 Values &Columns);
  void emitAhead();
  Value *loadStart(Value *J, Type *VecTy);
  Value *loadA(Value *Step) {
    Value *From = E.at(A, Spec.TransA ? B.CreateMul(Step, Lda) : Step);
    return B.CreateAlignedLoad(E.getElem(), From, E.getElemAlign());
  }

  IRBuilder<> B;
  Emitter E;
  const ContractionSpec &Spec;
  const ContractionPlan &Plan;
  Value *C, *A, *Lda, *BPtr, *Ldb, *S, *Scs, *N, *K;
  /// Whether lines are fetched ahead, and how many elements.
  Value *IsFar = nullptr, *Ahead = nullptr;
  Values RowOffsets, Operands;
};

Value *RowEmitter::loadStart(Value *J, Type *VecTy) {
  // Whichever is not wanted is a load of what is there: S[0] always exists.
  Value *Same = B.CreateICmpEQ(Scs, B.getInt64(0));
  Function *F = B.GetInsertBlock()->getParent();
  auto *PerElement = BasicBlock::Create(B.getContext(), "start.elements", F);
  auto *End = BasicBlock::Create(B.getContext(), "start.end", F);
  Value *Splat = B.CreateVectorSplat(
      Plan.VectorElems, B.CreateAlignedLoad(E.getElem(), S, E.getElemAlign()));
  BasicBlock *Before = B.GetInsertBlock();
  B.CreateCondBr(Same, End, PerElement);
  B.SetInsertPoint(PerElement);
  Value *Elements = B.CreateAlignedLoad(VecTy, E.at(S, J), E.getElemAlign());
  B.CreateBr(End);
  B.SetInsertPoint(End);
  PHINode *Phi = B.CreatePHI(VecTy, 2);
  Phi->addIncoming(Splat, Before);
  Phi->addIncoming(Elements, PerElement);
  return Phi;
}

/// A vector for each of \p Count steps from \p First on.
void RowEmitter::loadSteps(ArrayRef<Value *> Rows, Value *First, unsigned Count,
                           Values &Columns) {
  Type *Elem = E.getElem();
  auto Load = [&](unsigned Row, unsigned Step, unsigned Elems) {
    Type *Ty = Elems == 1 ? Elem : FixedVectorType::get(Elem, Elems);
    return B.CreateAlignedLoad(Ty, E.at(E.at(Rows[Row], First), Step),
                               E.getElemAlign());
  };
  if (Count == 1) {
    Value *Column = PoisonValue::get(FixedVectorType::get(Elem, Rows.size()));
    for (unsigned Row = 0; Row != Rows.size(); ++Row)
      Column = B.CreateInsertElement(Column, Load(Row, 0, 1), uint64_t(Row));
    Columns.push_back(Column);
    return;
  }
  unsigned Most = getPairLanes(Rows.size(), Elem);
  unsigned Some = Count % Most ? getPartLanes(Rows.size(), Elem) : Most;
  for (unsigned I = 0; I != Count; I += Some) {
    SmallVector<Value *, 16> Loaded;
    loadTransposed(
        B, Elem, Rows.size(), Some,
        [&](unsigned Row) { return Load(Row, I, Some); }, Loaded);
    Columns.append(Loaded);
  }
}

/// \p Count steps of one group at a time, and of all \p Chains side by side,
/// while they fit into \p End for the first, which is ahead of the others.
///
/// Rows begin at pointers that do not change, so that all loops have the same.
void RowEmitter::emitSteps(MutableArrayRef<Chain> Chains, unsigned Count,
                           Value *End, bool Prefetches) {
  Value *Step = B.getInt64(Count);
  Values State;
  for (Chain &X : Chains)
    State.append({X.K, X.Sum});
  E.emitWhileFits(State, Count, End, "k", [&](MutableArrayRef<Value *> Now) {
    // One group after the other: rows may be apart by a multiple of what a way
    // of the cache holds, so all that is wanted of a line is read at once.
    for (Chain &X : Chains) {
      Value *First = Now[0];
      if (Prefetches)
        E.emitIf(IsFar, "far", [&] {
          Value *At = B.CreateAdd(First, Ahead);
          for (Value *Row : X.Rows)
            E.prefetch(E.at(Row, At), /*ForWrite=*/false);
        });
      Values Columns;
      loadSteps(X.Rows, First, Count, Columns);
      for (auto [I, Column] : enumerate(Columns)) {
        Value *From = I ? B.CreateAdd(First, B.getInt64(I)) : First;
        Value *Factor = B.CreateVectorSplat(Plan.VectorElems, loadA(From));
        Now[1] = E.multiplyAdd(Factor, Column, Now[1]);
      }
      Now[0] = B.CreateAdd(First, Step);
      Now = Now.drop_front(2);
    }
  });
  for (auto [I, X] : enumerate(Chains)) {
    X.K = State[2 * I];
    X.Sum = State[2 * I + 1];
  }
}

/// Groups run one behind the other, some lines apart: rows whose distance is a
/// multiple of what a way of the cache holds have all their lines for one step
/// in one set, which has no room for two groups.
void RowEmitter::emitChains(unsigned Groups, Value *J) {
  constexpr unsigned LinesApart = 4;
  unsigned Line = CacheLineBytes / getSizeInBytes(Spec.Ty);
  Type *VecTy = FixedVectorType::get(E.getElem(), Plan.VectorElems);
  auto Column = [&](unsigned G) {
    return B.CreateAdd(J, B.getInt64(uint64_t(G) * Plan.VectorElems));
  };
  SmallVector<Chain, 4> Chains;
  for (unsigned G = 0; G != Groups; ++G) {
    Value *First = E.at(BPtr, B.CreateMul(Column(G), Ldb));
    Values Rows;
    for (Value *Offset : RowOffsets)
      Rows.push_back(E.at(First, Offset));
    Chains.push_back({Rows, B.getInt64(0), loadStart(Column(G), VecTy)});
  }
  for (unsigned G = 1; G < Groups; ++G) {
    Value *Ahead = B.getInt64(uint64_t(G) * LinesApart * Line);
    emitSteps(MutableArrayRef(Chains).take_front(G), Line,
              B.CreateBinaryIntrinsic(Intrinsic::smin, Ahead, K));
  }
  // What is left of the groups is no more than one.
  emitSteps(Chains, Line, K, Groups == Plan.RowGroups);
  for (unsigned G = 0; G != Groups; ++G)
    for (unsigned Count :
         {Line, getPartLanes(Plan.VectorElems, E.getElem()), 1u})
      // The first has no line left.
      if (G || Count != Line)
        emitSteps(Chains[G], Count, K);
  for (unsigned G = 0; G != Groups; ++G) {
    Value *To = E.forOutput().at(C, Column(G)), *Sum = Chains[G].Sum;
    if (!Spec.Epilogue.isTrivial())
      Sum = E.emitEpilogue({1, Plan.VectorElems},
                           {To, B.getInt64(0), Column(G), nullptr}, Operands,
                           Sum);
    E.forOutput().store(Sum, To);
  }
}

Value *RowEmitter::emitColumns(unsigned Groups, Value *J) {
  return E.emitWhileFits(J, uint64_t(Groups) * Plan.VectorElems, N, "columns",
                         [&](Value *First) { emitChains(Groups, First); });
}

/// Where a cache holds the matrix, fetching costs more than it saves: up to 25%
/// in the second-level cache.
void RowEmitter::emitAhead() {
  unsigned Line = CacheLineBytes / getSizeInBytes(Spec.Ty);
  uint64_t Rows = uint64_t(Plan.RowGroups) * Plan.VectorElems;
  IsFar = E.isLarge(N, Ldb);
  Ahead = B.CreateSelect(E.isShort(K), B.CreateMul(Ldb, B.getInt64(Rows)),
                         B.getInt64(LinesAhead * Line));
}

void RowEmitter::emit() {
  emitAhead();
  for (unsigned Lane = 0; Lane != Plan.VectorElems; ++Lane)
    RowOffsets.push_back(B.CreateMul(Ldb, B.getInt64(Lane)));
  Value *J = emitColumns(Plan.RowGroups, B.getInt64(0));
  if (Plan.RowGroups > 1)
    emitColumns(1, J);
  B.CreateRetVoid();
}

} // namespace

void emitRow(Function &F, const ContractionSpec &S, const ContractionPlan &P) {
  RowEmitter(F, S, P).emit();
}

} // namespace dlopt::contraction
