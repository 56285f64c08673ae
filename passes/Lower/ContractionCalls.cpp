//===- ContractionCalls.cpp - Calls of tiles ------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ContractionEmitter.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace dlopt::contraction {

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

Value *getPowerOfTwo(IRBuilderBase &B, Value *Bytes) {
  return B.CreateAnd(Bytes, B.CreateNeg(Bytes));
}

Value *fitsSets(IRBuilderBase &B, Value *Rows, Value *RowBytes,
                uint64_t Bytes) {
  return B.CreateICmpULE(B.CreateMul(Rows, getPowerOfTwo(B, RowBytes)),
                         B.getInt64(Bytes));
}

Value *staysA(IRBuilderBase &B, const ContractionSpec &S,
              const ContractionPlan &P, const TilesArgs &T) {
  Value *RowBytes = B.CreateMul(T.Lda, B.getInt64(getSizeInBytes(S.Ty)));
  Value *Stays =
      B.CreateICmpULE(B.CreateMul(T.K, RowBytes), B.getInt64(P.StepBytesOfA));
  if (P.SetBytesOfA)
    Stays = B.CreateAnd(Stays, fitsSets(B, T.K, RowBytes, P.SetBytesOfA));
  return Stays;
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

Value *Emitter::isLarge(Value *Rows, Value *Ld) {
  uint64_t Most = CachedBytes / getSizeInBytes(Spec.getOperandTy());
  return B.CreateICmpUGT(B.CreateMul(Rows, Ld), B.getInt64(Most));
}

Value *Emitter::isShort(Value *Elems) {
  uint64_t Most = PageBytes / getSizeInBytes(Spec.getOperandTy());
  return B.CreateICmpULE(Elems, B.getInt64(Most));
}

} // namespace dlopt::contraction
