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
#include "llvm/IR/Function.h"

using namespace llvm;

namespace dlopt::contraction {

namespace {

/// How far ahead each row of a matrix is fetched that no cache holds: there are
/// more rows than streams that the hardware follows. Measured on Cascade Lake
/// at 2 to 16 lines: 4096^2 of float gains 8 to 13% at 4. 1024^2 lost 5%.
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
  /// Where the chains of a group of columns stand: the step, its element of A,
  /// the group's first of B, the sums.
  struct Chain {
    Value *K, *A, *B, *Sum;
  };
  void emitSteps(MutableArrayRef<Chain> Chains, unsigned Count, Value *End);
  Value *loadColumns(Value *From);
  Value *loadStart(Value *J, Type *VecTy);
  Value *loadA(Value *Ptr, unsigned Step) {
    Value *From = Spec.TransA ? E.at(Ptr, B.CreateMul(B.getInt64(Step), Lda))
                              : E.at(Ptr, Step);
    return B.CreateAlignedLoad(E.getElem(), From, E.getElemAlign());
  }

  IRBuilder<> B;
  Emitter E;
  const ContractionSpec &Spec;
  const ContractionPlan &Plan;
  Value *C, *A, *Lda, *BPtr, *Ldb, *S, *Scs, *N, *K;
  Value *Ahead = nullptr; ///< elements, see LinesAhead
  Values RowOffsets, Operands;
};

/// One step of a group, element by element.
Value *RowEmitter::loadColumns(Value *From) {
  Value *Result =
      PoisonValue::get(FixedVectorType::get(E.getElem(), Plan.VectorElems));
  for (unsigned Lane = 0; Lane != Plan.VectorElems; ++Lane)
    Result = B.CreateInsertElement(
        Result,
        B.CreateAlignedLoad(E.getElem(), E.at(From, RowOffsets[Lane]),
                            E.getElemAlign()),
        uint64_t(Lane));
  return Result;
}

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

/// \p Count steps of one group at a time, and of all \p Chains side by side,
/// while they fit into \p End for the first, which is ahead of the others.
void RowEmitter::emitSteps(MutableArrayRef<Chain> Chains, unsigned Count,
                           Value *End) {
  Value *Step = B.getInt64(Count);
  Values State;
  for (Chain &X : Chains)
    State.append({X.K, X.A, X.B, X.Sum});
  E.emitWhileFits(State, Count, End, "k", [&](MutableArrayRef<Value *> Now) {
    // One group after the other: rows may be apart by a multiple of what a way
    // of the cache holds, so all that is wanted of a line is read at once.
    for (; !Now.empty(); Now = Now.drop_front(4)) {
      // Two groups have no registers left for it, and more code.
      if (Count > 1 && Plan.RowGroups == 1)
        for (Value *Row : RowOffsets)
          E.prefetch(E.at(E.at(Now[2], Row), Ahead), /*ForWrite=*/false);
      for (unsigned I = 0; I != Count;) {
        Values Columns;
        if (Count == 1)
          Columns = {loadColumns(Now[2])};
        else
          loadTransposed(B, E, E.at(Now[2], I), RowOffsets, {}, Columns);
        for (Value *Column : Columns) {
          Value *X = B.CreateVectorSplat(Plan.VectorElems, loadA(Now[1], I++));
          Now[3] = E.multiplyAdd(X, Column, Now[3]);
        }
      }
      Now[0] = B.CreateAdd(Now[0], Step);
      Now[1] = E.at(Now[1], Spec.TransA ? B.CreateMul(Step, Lda) : Step);
      Now[2] = E.at(Now[2], Step);
    }
  });
  for (auto [I, X] : enumerate(Chains))
    X = {State[4 * I], State[4 * I + 1], State[4 * I + 2], State[4 * I + 3]};
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
  for (unsigned G = 0; G != Groups; ++G)
    Chains.push_back({B.getInt64(0), A, E.at(BPtr, B.CreateMul(Column(G), Ldb)),
                      loadStart(Column(G), VecTy)});
  for (unsigned G = 1; G < Groups; ++G) {
    Value *Ahead = B.getInt64(uint64_t(G) * LinesApart * Line);
    emitSteps(MutableArrayRef(Chains).take_front(G), Line,
              B.CreateBinaryIntrinsic(Intrinsic::smin, Ahead, K));
  }
  if (Groups > 1)
    emitSteps(Chains, Line, K);
  for (Chain &X : Chains)
    for (unsigned Count :
         {Line, getPartLanes(Plan.VectorElems, E.getElem()), 1u})
      emitSteps(X, Count, K);
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

void RowEmitter::emit() {
  unsigned Size = getSizeInBytes(Spec.Ty);
  Ahead = B.CreateSelect(
      B.CreateICmpUGT(B.CreateMul(N, Ldb), B.getInt64(CachedBytes / Size)),
      B.getInt64(uint64_t(LinesAhead) * CacheLineBytes / Size), B.getInt64(0));
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
