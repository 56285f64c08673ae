//===- Rewrite.cpp - Recurrences by plan ----------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Rewrite.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace dlopt;

/// What is added to each other before a sum of its own is begun: the first one
/// is ready when the last begins, and few are held in registers.
static constexpr size_t AddendsOfSum = 4;

static void replace(Instruction &Old, Value *New) {
  New->takeName(&Old);
  Old.replaceAllUsesWith(New);
  RecursivelyDeleteTriviallyDeadInstructions(&Old);
}

/// \p A added to \p Sum (null: nothing yet). \p CanFuse: as part of the chain.
static Value *emitAddend(IRBuilderBase &B, const Addend &A, Value *Sum) {
  auto Negate = [&](Value *V) { return A.Negated ? B.CreateFNeg(V) : V; };
  if (!Sum || !A.CanFuse) {
    Value *V = A.V ? A.V : B.CreateFMul(A.X, A.Y);
    if (!Sum)
      return Negate(V);
    return A.Negated ? B.CreateFSub(Sum, V) : B.CreateFAdd(Sum, V);
  }
  return B.CreateIntrinsic(Intrinsic::fma, {A.X->getType()},
                           {Negate(A.X), A.Y, Sum});
}

/// Phi + (all that the chain adds).
static void applyChain(const RecurrencePlan &P, const SumFinder &Finder) {
  Instruction &Last = *P.Chain.back();
  IRBuilder<> B(&Last);
  FastMathFlags FMF = Last.getFastMathFlags();
  SmallVector<Addend, 8> Addends;
  const Value *Before = P.Phi;
  for (Instruction *I : P.Chain) {
    Sum S = *Finder.get(*I);
    const Addend &Added = S.Addends[S.Addends[0].V == Before];
    Addends.push_back(Added);
    FMF &= I->getFastMathFlags();
    if (Added.Product)
      FMF &= Added.Product->getFastMathFlags();
    Before = I;
  }
  if (DLOPT_PLANTED(ChainLosesAddend) && Addends.size() > 2)
    Addends.pop_back();
  FMF = withoutPromises(FMF);
  B.setFastMathFlags(FMF);
  SmallVector<Value *, 4> Sums;
  for (size_t I = 0; I < Addends.size(); I += AddendsOfSum) {
    Value *Sum = nullptr;
    for (const Addend &A : ArrayRef(Addends).slice(I).take_front(AddendsOfSum))
      Sum = emitAddend(B, A, Sum);
    Sums.push_back(Sum);
  }
  // Back ends must not make one chain of it again.
  FMF.setAllowContract(false);
  FMF.setAllowReassoc(false);
  B.setFastMathFlags(FMF);
  while (Sums.size() > 1) {
    SmallVector<Value *, 4> Pairs;
    for (size_t I = 0; I + 1 < Sums.size(); I += 2)
      Pairs.push_back(B.CreateFAdd(Sums[I], Sums[I + 1]));
    if (Sums.size() % 2)
      Pairs.push_back(Sums.back());
    Sums = std::move(Pairs);
  }
  replace(Last, B.CreateFAdd(P.Phi, Sums.front()));
}

/// (1 - A)*H + A*X.
static void applyDecay(Instruction &I, const Decay &D, Loop &L) {
  IRBuilder<> B(&I);
  B.setFastMathFlags(withoutPromises(I.getFastMathFlags()));
  Constant *One = ConstantFP::get(I.getType(), 1.0);
  Value *Rest;
  // Many loops have lost their preheader by now; the back end hoists, too.
  if (BasicBlock *Ahead = L.getLoopPreheader();
      Ahead && L.isLoopInvariant(D.A)) {
    IRBuilderBase::InsertPointGuard Guard(B);
    B.SetInsertPoint(Ahead->getTerminator());
    B.SetCurrentDebugLocation(I.getDebugLoc());
    Rest = B.CreateFSub(One, D.A);
  } else {
    Rest = B.CreateFSub(One, D.A);
  }
  Value *Product = B.CreateFMul(D.A, D.X);
  replace(I, B.CreateIntrinsic(Intrinsic::fma, {I.getType()},
                               {Rest, D.H, Product}));
}

void dlopt::applyPlan(const RecurrencePlan &P, const SumFinder &Finder,
                      Loop &L) {
  if (!P.Chain.empty()) {
    applyChain(P, Finder);
    return;
  }
  // Sums are looked at again, as what they add may have been replaced.
  for (const auto &[I, Form] : P.Forms)
    applyForm(*Finder.get(*I), Form);
  for (const auto &[I, D] : P.Decays)
    applyDecay(*I, D, L);
}
