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

class RowEmitter {
public:
  RowEmitter(Function &F, const ContractionSpec &S, const ContractionPlan &P)
      : B(BasicBlock::Create(F.getContext(), "entry", &F)), E(B, S, P), Spec(S),
        Plan(P), C(F.getArg(0)), A(F.getArg(2)), Lda(F.getArg(3)),
        BPtr(F.getArg(4)), Ldb(F.getArg(5)), S(F.getArg(6)), Scs(F.getArg(8)),
        N(F.getArg(10)), K(F.getArg(11)) {}
  void emit();

private:
  using Values = SmallVector<Value *, 8>;
  /// Columns of \p Groups groups at a time from \p J on, if \p Cond; the first
  /// left over.
  Value *emitColumns(unsigned Groups, Value *J, Value *Cond);
  void emitChains(unsigned Groups, Value *J);
  /// Steps of k, \p Count at a time, from where \p State stands: the step, the
  /// pointers to A and to the groups of B, the chains.
  void emitSteps(unsigned Groups, unsigned Count, Values &State);
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
  Values RowOffsets;
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

void RowEmitter::emitSteps(unsigned Groups, unsigned Count, Values &State) {
  BasicBlock *Before = B.GetInsertBlock(), *After = nullptr;
  Value *Step = B.getInt64(Count);
  auto Fits = [&](Value *K0) {
    return B.CreateICmpSLE(B.CreateAdd(K0, Step), K);
  };
  Values Next;
  E.emitIf(Fits(State[0]), "k", [&] {
    DoWhile Loop(B, State, "k.loop");
    for (unsigned I = 0; I != State.size(); ++I)
      Next.push_back(Loop[I]);
    MutableArrayRef<Value *> Chains(Next.end() - Groups, Next.end());
    // One group after the other: rows may be apart by a multiple of what a way
    // of the cache holds, so all that is wanted of a line is read at once.
    for (unsigned G = 0; G != Groups; ++G)
      for (unsigned I = 0; I != Count;) {
        Values Columns;
        if (Count == 1)
          Columns = {loadColumns(Loop[2 + G])};
        else
          loadTransposed(B, E, E.at(Loop[2 + G], I), RowOffsets, Columns);
        for (Value *Column : Columns) {
          Value *X = B.CreateVectorSplat(Plan.VectorElems, loadA(Loop[1], I++));
          Chains[G] = E.multiplyAdd(X, Column, Chains[G]);
        }
      }
    Next[0] = B.CreateAdd(Loop[0], Step);
    Next[1] = E.at(Loop[1], Spec.TransA ? B.CreateMul(Step, Lda) : Step);
    for (unsigned G = 0; G != Groups; ++G)
      Next[2 + G] = E.at(Loop[2 + G], Step);
    Loop.close(Next, Fits(Next[0]));
    After = B.GetInsertBlock();
  });
  for (unsigned I = 0; I != State.size(); ++I) {
    PHINode *Phi = B.CreatePHI(State[I]->getType(), 2);
    Phi->addIncoming(State[I], Before);
    Phi->addIncoming(Next[I], After);
    State[I] = Phi;
  }
}

void RowEmitter::emitChains(unsigned Groups, Value *J) {
  Type *VecTy = FixedVectorType::get(E.getElem(), Plan.VectorElems);
  auto Column = [&](unsigned G) {
    return B.CreateAdd(J, B.getInt64(uint64_t(G) * Plan.VectorElems));
  };
  Values State = {B.getInt64(0), A};
  for (unsigned G = 0; G != Groups; ++G)
    State.push_back(E.at(BPtr, B.CreateMul(Column(G), Ldb)));
  for (unsigned G = 0; G != Groups; ++G)
    State.push_back(loadStart(Column(G), VecTy));
  unsigned Part = getPartLanes(Plan.VectorElems, E.getElem());
  constexpr unsigned LineBytes = 64;
  emitSteps(Groups, LineBytes / getSizeInBytes(Spec.Ty), State);
  emitSteps(Groups, Part, State);
  emitSteps(Groups, 1, State);
  for (unsigned G = 0; G != Groups; ++G) {
    Value *To = E.at(C, Column(G)), *Sum = State[2 + Groups + G];
    if (Spec.PostAdd)
      Sum = B.CreateFAddFMF(B.CreateAlignedLoad(VecTy, To, E.getElemAlign()),
                            Sum, Spec.AddFlags);
    E.store(Sum, To);
  }
}

Value *RowEmitter::emitColumns(unsigned Groups, Value *J, Value *Cond) {
  BasicBlock *Before = B.GetInsertBlock(), *After = nullptr;
  Value *Step = B.getInt64(uint64_t(Groups) * Plan.VectorElems);
  Value *Next = nullptr;
  auto Fits = [&](Value *First) {
    return B.CreateICmpSLE(B.CreateAdd(First, Step), N);
  };
  E.emitIf(B.CreateAnd(Cond, Fits(J)), "columns", [&] {
    DoWhile Loop(B, {J}, "columns.loop");
    emitChains(Groups, Loop[0]);
    Next = B.CreateAdd(Loop[0], Step);
    Loop.close({Next}, Fits(Next));
    After = B.GetInsertBlock();
  });
  PHINode *Phi = B.CreatePHI(B.getInt64Ty(), 2);
  Phi->addIncoming(J, Before);
  Phi->addIncoming(Next, After);
  return Phi;
}

void RowEmitter::emit() {
  for (unsigned Lane = 0; Lane != Plan.VectorElems; ++Lane)
    RowOffsets.push_back(B.CreateMul(Ldb, B.getInt64(Lane)));
  // Rows that are a multiple of 2 KiB apart share few sets of the first-level
  // cache, which hold one group.
  Value *Distance = B.CreateMul(Ldb, B.getInt64(getSizeInBytes(Spec.Ty)));
  Value *Spread =
      B.CreateICmpNE(B.CreateAnd(Distance, B.getInt64(2047)), B.getInt64(0));
  Value *J = emitColumns(Plan.RowGroups, B.getInt64(0), Spread);
  if (Plan.RowGroups > 1)
    emitColumns(1, J, B.getTrue());
  B.CreateRetVoid();
}

} // namespace

void emitRow(Function &F, const ContractionSpec &S, const ContractionPlan &P) {
  RowEmitter(F, S, P).emit();
}

} // namespace dlopt::contraction
