//===- ContractionLoops.cpp - Loops and columns of a contraction ----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BlockUtils.h"
#include "ContractionEmitter.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace dlopt::contraction {

SmallVector<ColumnKind, 8> getColumnKinds(const ContractionPlan &P) {
  SmallVector<ColumnKind, 8> Kinds;
  auto Add = [&](unsigned Vectors, bool Masked) {
    Kinds.push_back({Vectors, P.VectorElems, Masked, P.Scalable});
  };
  for (unsigned V = P.TileVectors; V > 1; V = unsigned(llvm::bit_floor(V - 1)))
    Add(V, false);
  Add(1, P.MaskedLoads);
  if (!P.MaskedLoads)
    for (unsigned Lanes = P.VectorElems / 2; Lanes; Lanes /= 2)
      Kinds.push_back({1, Lanes, false});
  return Kinds;
}

void callTiles(IRBuilderBase &B, Function &Tiles, const TilesArgs &T) {
  SmallVector<Value *, 14> Args = {T.C,   T.Ldc,       T.A, T.Lda, T.B,
                                   T.Ldb, T.PanelStep, T.S, T.Srs, T.Scs,
                                   T.M,   T.N,         T.K};
  if (T.Last)
    Args.push_back(T.Last);
  Args.append(T.Operands);
  if (T.StepC)
    Args.push_back(T.StepC);
  if (T.Diagonal)
    Args.push_back(T.Diagonal);
  if (T.StepA)
    Args.push_back(T.StepA);
  if (T.Next)
    Args.append({T.Next, T.NextLd});
  B.CreateCall(&Tiles, Args);
}

TilesArgs getInPlaceA(IRBuilderBase &B, TilesArgs T) {
  T.StepA = std::exchange(T.Lda, B.getInt64(1));
  return T;
}

Value *staysA(IRBuilderBase &B, const ContractionSpec &S,
              const ContractionPlan &P, const TilesArgs &T) {
  Value *Bytes =
      B.CreateMul(B.CreateMul(T.K, T.Lda), B.getInt64(getSizeInBytes(S.Ty)));
  return B.CreateICmpULE(Bytes, B.getInt64(P.StepBytesOfA));
}

DoWhile::DoWhile(IRBuilderBase &B, ArrayRef<Value *> Init, const Twine &Name)
    : B(B) {
  BasicBlock *Entry = B.GetInsertBlock();
  Body = BasicBlock::Create(B.getContext(), Name, Entry->getParent());
  B.CreateBr(Body);
  B.SetInsertPoint(Body);
  for (Value *V : Init) {
    Phis.push_back(B.CreatePHI(V->getType(), 2));
    Phis.back()->addIncoming(V, Entry);
  }
}

void DoWhile::close(ArrayRef<Value *> Next, Value *Again) {
  BasicBlock *Latch = B.GetInsertBlock();
  for (auto [Phi, V] : zip_equal(Phis, Next))
    Phi->addIncoming(V, Latch);
  auto *Exit = BasicBlock::Create(B.getContext(), Body->getName() + ".end",
                                  Latch->getParent());
  // Unswitching multiplies the code.
  StringRef Flags[] = {"llvm.loop.unswitch.partial.disable",
                       "llvm.loop.unswitch.nontrivial.disable",
                       "llvm.loop.disable_nonforced"};
  B.CreateCondBr(Again, Body, Exit)
      ->setMetadata(LLVMContext::MD_loop,
                    getFinalLoopID(B.getContext(), Flags));
  B.SetInsertPoint(Exit);
}

void Emitter::emitWhileFits(SmallVectorImpl<Value *> &State, uint64_t Count,
                            Value *End, const Twine &Name,
                            function_ref<void(MutableArrayRef<Value *>)> Body) {
  Value *Step = B.getInt64(Count);
  auto Fits = [&](Value *First) {
    return B.CreateICmpSLE(B.CreateAdd(First, Step), End);
  };
  BasicBlock *Before = B.GetInsertBlock(), *After = nullptr;
  SmallVector<Value *, 16> Next;
  emitIf(Fits(State[0]), Name, [&] {
    DoWhile Loop(B, State, Name + ".loop");
    for (unsigned I = 0; I != State.size(); ++I)
      Next.push_back(Loop[I]);
    Body(Next);
    Next[0] = B.CreateAdd(Loop[0], Step);
    Loop.close(Next, Fits(Next[0]));
    After = B.GetInsertBlock();
  });
  for (auto [Old, New] : zip_equal(State, Next)) {
    PHINode *Phi = B.CreatePHI(Old->getType(), 2);
    Phi->addIncoming(Old, Before);
    Phi->addIncoming(New, After);
    Old = Phi;
  }
}

Value *Emitter::emitWhileFits(Value *First, uint64_t Count, Value *End,
                              const Twine &Name,
                              function_ref<void(Value *)> Body) {
  SmallVector<Value *, 1> State = {First};
  emitWhileFits(State, Count, End, Name,
                [&](MutableArrayRef<Value *> Now) { Body(Now[0]); });
  return State[0];
}

void Emitter::emitIf(Value *Cond, const Twine &Name,
                     function_ref<void()> Then) {
  Function *F = B.GetInsertBlock()->getParent();
  auto *ThenBB = BasicBlock::Create(B.getContext(), Name, F);
  auto *End = BasicBlock::Create(B.getContext(), Name + ".end", F);
  B.CreateCondBr(Cond, ThenBB, End);
  B.SetInsertPoint(ThenBB);
  Then();
  B.CreateBr(End);
  End->moveAfter(B.GetInsertBlock());
  B.SetInsertPoint(End);
}

void Emitter::forEachColumns(
    ArrayRef<ColumnKind> Kinds, Value *N,
    function_ref<void(const ColumnKind &, Value *)> Body) {
  Value *J = B.getInt64(0);
  for (const ColumnKind &Cols : Kinds) {
    Value *Width = getCount(Cols.width());
    BasicBlock *Before = B.GetInsertBlock();
    Value *Left = B.CreateSub(N, J, "columns.left");
    Value *Fits = Cols.Masked ? B.CreateICmpSGT(Left, B.getInt64(0))
                              : B.CreateICmpSGE(Left, Width);
    Value *Next = nullptr;
    emitIf(Fits, "columns", [&] {
      DoWhile Loop(B, {J, Left}, "columns.loop");
      Body(Cols, Loop[0]);
      Next = B.CreateAdd(Loop[0], Width);
      Value *NextLeft = B.CreateSub(Loop[1], Width);
      Loop.close({Next, NextLeft},
                 Cols.Masked ? B.CreateICmpSGT(NextLeft, B.getInt64(0))
                             : B.CreateICmpSGE(NextLeft, Width));
    });
    PHINode *Phi = B.CreatePHI(B.getInt64Ty(), 2, "column");
    Phi->addIncoming(J, Before);
    BasicBlock *End = B.GetInsertBlock();
    for (BasicBlock *Pred : predecessors(End))
      if (Pred != Before)
        Phi->addIncoming(Next, Pred);
    J = Phi;
  }
}

Type *Emitter::getType(const ColumnKind &Cols) const {
  return Cols.lanes().isScalar() ? Elem : VectorType::get(Elem, Cols.lanes());
}

Value *Emitter::atVector(const ColumnKind &Cols, Value *Ptr, unsigned Index) {
  if (!Cols.Scalable)
    return at(Ptr, uint64_t(Index) * Cols.Lanes);
  // By the type, which addressing modes follow.
  return Index ? B.CreateGEP(getType(Cols), Ptr, B.getInt64(Index)) : Ptr;
}

Value *Emitter::getMask(const ColumnKind &Cols, Value *Count) {
  if (!Cols.Masked)
    return nullptr;
  if (Cols.Scalable)
    return B.CreateIntrinsic(
        Intrinsic::get_active_lane_mask,
        {VectorType::get(B.getInt1Ty(), Cols.lanes()), B.getInt64Ty()},
        {B.getInt64(0), Count}, nullptr, "mask");
  // Lane numbers as wide as the elements: no conversion of the mask is needed.
  Type *Int = B.getIntNTy(Elem->getScalarSizeInBits());
  SmallVector<Constant *, 16> Lanes;
  for (unsigned L = 0; L != Cols.Lanes; ++L)
    Lanes.push_back(ConstantInt::get(Int, L));
  Value *Capped =
      B.CreateBinaryIntrinsic(Intrinsic::smin, Count, B.getInt64(Cols.Lanes));
  Value *Splat = B.CreateVectorSplat(Cols.Lanes, B.CreateTrunc(Capped, Int));
  return B.CreateICmpSGT(Splat, ConstantVector::get(Lanes), "mask");
}

Value *Emitter::getColumn(const ColumnKind &Cols, Value *Panels, Value *J,
                          Value *PanelStep) {
  Value *First = J;
  if (Cols.width() != getPanelWidth(Plan))
    First = B.CreateSub(J, B.CreateURem(J, getCount(getPanelWidth(Plan))));
  Value *Ptr = at(Panels, B.CreateMul(First, PanelStep));
  return First == J ? Ptr : at(Ptr, B.CreateSub(J, First));
}

Value *Emitter::load(const ColumnKind &Cols, Value *Ptr, Value *Mask) {
  if (Mask)
    return B.CreateMaskedLoad(getType(Cols), Ptr, getElemAlign(), Mask);
  return B.CreateAlignedLoad(getType(Cols), Ptr, getElemAlign());
}

void Emitter::prefetch(Value *Ptr) {
  prefetchLines(B, Ptr, /*Bytes=*/1, /*ForWrite=*/false);
}

Value *Emitter::isLarge(Value *Rows, Value *Ld) {
  uint64_t Most = CachedBytes / getSizeInBytes(Spec.getOperandTy());
  return B.CreateICmpUGT(B.CreateMul(Rows, Ld), B.getInt64(Most));
}

Value *Emitter::isShort(Value *Elems) {
  uint64_t Most = PageBytes / getSizeInBytes(Spec.getOperandTy());
  return B.CreateICmpULE(Elems, B.getInt64(Most));
}

void Emitter::store(Value *V, Value *Ptr) {
  B.CreateAlignedStore(V, Ptr, getElemAlign());
}

} // namespace dlopt::contraction
