//===- Rows.cpp - Matrices whose rows are an array of pointers ------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// In `float **A` and `std::vector<std::vector<float>>` each row is an array of
/// its own. Where rows are allocated one after the other they are equally far
/// apart in memory, nearly always, and then A[i][k] is A[0] + i * d + k:
///
///   if (all loops run && even(A, M) && even(B, K) && even(C, M))
///     the nest with offsets for addresses of rows, a kernel like any other
///   else
///     the nest
///
/// The copy has no access to the arrays of pointers, so nothing in the nest may
/// write to them: alias analysis must know (by the types, mostly). Whether rows
/// overlap is asked by the guard of the kernel.
///
/// even() is a function that is never inlined: where the rows come from
/// separate allocations, whoever knows that a row is one of them must not take
/// an offset of it for that allocation alone.
///
//===----------------------------------------------------------------------===//
#include "Rows.h"
#include "FirstRounds.h"
#include "dlopt/Compat.h"
#include "dlopt/Guards.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Rematerialize.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace dlopt {
namespace {

/// A load of the address of a row.
struct RowLoad {
  LoadInst *Load = nullptr;
  /// The address of pointer 0, distance of pointers in bytes, and the index,
  /// which starts with Start and goes up by one with the rounds of L.
  Value *Table = nullptr;
  int64_t Offset = 0, Step = 0;
  Value *Index = nullptr;
  const SCEVAddRecExpr *Rounds = nullptr;
  /// Of what is in the row.
  Type *ElemTy = nullptr;
  /// In front of the nest: Start as a value; in the copy: the row of index 0,
  /// and the distance of rows in elements.
  Value *Start = nullptr, *Base = nullptr, *Distance = nullptr;

  bool isSameTable(const RowLoad &O) const {
    return Table == O.Table && Offset == O.Offset && Step == O.Step &&
           Rounds == O.Rounds && ElemTy == O.ElemTy;
  }
};

/// A copy of one nest.
class RowVersioner : FirstRounds {
public:
  using FirstRounds::FirstRounds;
  /// Finds the rows; false if there are none or something is in the way.
  bool find();
  /// False if nothing changed.
  bool apply();

private:
  bool matchLoad(LoadInst &Load);
  bool matchElements(RowLoad &R);
  bool readsRows(const Loop &X) const {
    return any_of(Rows, [&](const RowLoad &R) { return X.contains(R.Load); });
  }
  void markOriginal(Loop &X);
  Value *emitEven(IRBuilder<> &B, RowLoad &R);

  SmallVector<RowLoad, 4> Rows;
};

} // namespace

/// Whether the row is only read and written as elements of one type.
bool RowVersioner::matchElements(RowLoad &R) {
  SmallVector<Value *, 8> Todo = {R.Load};
  SmallPtrSet<Value *, 8> Seen;
  while (!Todo.empty()) {
    Value *V = Todo.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    for (User *U : V->users()) {
      auto *I = cast<Instruction>(U);
      if (!L.contains(I) || Seen.size() > 32)
        return false;
      if (isa<GetElementPtrInst, PHINode>(I)) {
        Todo.push_back(I);
        continue;
      }
      if (isMeasure(I))
        continue;
      auto *S = dyn_cast<StoreInst>(I);
      if (!isa<LoadInst>(I) && (!S || S->getValueOperand() == V))
        return false;
      Type *Ty = getLoadStoreType(I);
      if (!Ty->isFloatTy() && !Ty->isDoubleTy())
        return false;
      if (R.ElemTy && R.ElemTy != Ty)
        return false;
      R.ElemTy = Ty;
    }
  }
  return R.ElemTy;
}

/// False if \p Load is in the way.
bool RowVersioner::matchLoad(LoadInst &Load) {
  RowLoad R;
  R.Load = &Load;
  RowTable T;
  if (!Load.isSimple() || Load.getAlign() < Align(8) ||
      !matchTable(Load, T, R.Index))
    return false;
  R.Table = T.Base;
  R.Offset = T.Offset;
  R.Step = T.Step;
  // One round of a loop in the nest is one row.
  R.Rounds = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(R.Index));
  if (!R.Rounds || !R.Rounds->isAffine() ||
      !R.Rounds->getStepRecurrence(SE)->isOne() ||
      !L.contains(R.Rounds->getLoop()) ||
      !R.Rounds->getLoop()->contains(&Load) ||
      !SE.isLoopInvariant(R.Rounds->getStart(), &L))
    return false;
  if (!isOnWay(Load.getParent()) || readsBehind(Load, *R.Rounds->getLoop()) ||
      !Counts.contains(R.Rounds->getLoop()) || !addTable(Load, T) ||
      !isFixed(R.Table) || !isKnown(R.Table) || !matchElements(R))
    return false;
  Rows.push_back(R);
  return true;
}

static bool multiplies(const Loop &L) {
  return any_of(L.blocks(), [](const BasicBlock *BB) {
    return any_of(*BB, [](const Instruction &I) {
      return I.getOpcode() == Instruction::FMul ||
             match(&I, m_Intrinsic<Intrinsic::fmuladd>()) ||
             match(&I, m_Intrinsic<Intrinsic::fma>());
    });
  });
}

static bool isRowLoad(const Instruction &I) {
  auto *Load = dyn_cast<LoadInst>(&I);
  return Load && Load->getType()->isPointerTy() &&
         Load->getType()->getPointerAddressSpace() == 0 && !Load->use_empty();
}

bool RowVersioner::find() {
  if (L.isInnermost() || !multiplies(L) || !canVersion() || !walk())
    return false;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB)
      if (isRowLoad(I) && !isLength(&I) &&
          !isInvariant(&I, [](const LoadInst &) { return true; }) &&
          !(isFixed(&I) ? isKnown(&I) : matchLoad(cast<LoadInst>(I))))
        return false;
  SmallMapVector<LoadInst *, const Loop *, 4> FromZero;
  for (const RowLoad &R : Rows)
    if (R.Rounds->getStart()->isZero())
      FromZero[R.Load] = R.Rounds->getLoop();
  return !Rows.empty() && addWrites(FromZero);
}

/// What reads rows is not raised again, unlike nests beside it.
void RowVersioner::markOriginal(Loop &X) {
  if (all_of(X, [&](Loop *Inner) { return readsRows(*Inner); }))
    addLoopFlag(X, OriginalLoopTag);
  for (Loop *Inner : X)
    if (readsRows(*Inner))
      markOriginal(*Inner);
}

/// Whether the rows of \p R are equally far apart.
Value *RowVersioner::emitEven(IRBuilder<> &B, RowLoad &R) {
  Value *Offset = B.CreateAdd(B.CreateMul(R.Start, B.getInt64(R.Step)),
                              B.getInt64(R.Offset));
  CallInst *Even =
      B.CreateCall(getEvenRowsFunction(F),
                   {B.CreatePtrAdd(emitCopy(B, R.Table), Offset),
                    B.getInt64(R.Step), Counts[R.Rounds->getLoop()].V});
  uint64_t Size = F.getDataLayout().getTypeStoreSize(R.ElemTy);
  Value *Bytes = B.CreateExtractValue(Even, 1);
  R.Distance = B.CreateSDiv(Bytes, B.getInt64(Size));
  R.Base = B.CreateGEP(R.ElemTy, B.CreateExtractValue(Even, 0),
                       B.CreateNeg(B.CreateMul(R.Start, R.Distance)));
  return B.CreateAnd(
      B.CreateExtractValue(Even, 2),
      B.CreateICmpEQ(B.CreateAnd(Bytes, B.getInt64(Size - 1)), B.getInt64(0)));
}

bool RowVersioner::apply() {
  BasicBlock *Entry = L.getLoopPreheader();
  auto Expander = makeExpander<SCEVExpander>(SE, "rows");
  if (!canCount(Entry) || !all_of(Rows, [&](RowLoad &R) {
        return Expander->isSafeToExpandAt(R.Rounds->getStart(),
                                          Entry->getTerminator());
      }))
    return false;
  emitCounts(Entry);
  IRBuilder<> B(Entry->getTerminator());
  for (RowLoad &R : Rows) {
    const SCEV *Start = R.Rounds->getStart();
    R.Start = B.CreateZExt(Expander->expandCodeFor(Start, Start->getType(),
                                                   Entry->getTerminator()),
                           B.getInt64Ty());
  }
  // The copies get the preheader's instructions, too: it has none.
  BasicBlock *Main = SplitBlock(Entry, Entry->getTerminator(), &DT, &LI);
  BasicBlock *Test = SplitBlock(Entry, Entry->getTerminator(), &DT, &LI);
  ValueToValueMapTy Map;
  Loop *Fast = copyNest(Test, Main, Map, ".even");
  markOriginal(L);
  addLoopFlag(*Fast, EvenRowsTag);
  emit(Entry, Test, Main);

  Instruction *Old = Test->getTerminator();
  B.SetInsertPoint(Old);
  Value *Even = B.getTrue();
  for (unsigned I = 0; I != Rows.size(); ++I) {
    auto *Same = find_if(ArrayRef(Rows).take_front(I), [&](const RowLoad &O) {
      return O.isSameTable(Rows[I]);
    });
    if (Same != Rows.begin() + I) {
      Rows[I].Base = Same->Base;
      Rows[I].Distance = Same->Distance;
      continue;
    }
    Even = B.CreateAnd(Even, emitEven(B, Rows[I]));
  }
  B.CreateCondBr(Even, Fast->getLoopPreheader(), Main);
  Old->eraseFromParent();

  replaceLengths(Map);
  for (RowLoad &R : Rows) {
    auto *Copy = cast<Instruction>(Map[R.Load]);
    Value *Index = Map.lookup(R.Index);
    IRBuilder<> At(Copy);
    Value *Offset = At.CreateMul(Index ? Index : R.Index, R.Distance);
    Copy->replaceAllUsesWith(At.CreateGEP(R.ElemTy, R.Base, Offset));
    Copy->eraseFromParent();
  }
  return true;
}

bool assumeEvenRows(Function &F, FunctionAnalysisManager &FAM) {
  bool Changed = false;
  if (F.getDataLayout().getIndexSizeInBits(0) != 64)
    return false;
  SmallVector<Loop *, 8> Todo;
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  for (Loop *L : LI)
    Todo.push_back(L);
  while (!Todo.empty()) {
    Loop *L = Todo.pop_back_val();
    RowVersioner V(*L, F, FAM);
    if (!V.find() || !V.apply()) {
      append_range(Todo, *L);
      continue;
    }
    Changed = true;
    FAM.getResult<DominatorTreeAnalysis>(F).recalculate(F);
    FAM.getResult<ScalarEvolutionAnalysis>(F).forgetAllLoops();
  }
  return Changed;
}

bool loadsRows(Function &F, FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  return any_of(LI, [&](const Loop *L) {
    return !L->isInnermost() && multiplies(*L) &&
           any_of(L->blocks(), [&](const BasicBlock *BB) {
             return any_of(*BB, [&](const Instruction &I) {
               return isRowLoad(I) &&
                      !L->isLoopInvariant(
                          cast<LoadInst>(I).getPointerOperand());
             });
           });
  });
}

} // namespace dlopt
