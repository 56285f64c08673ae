//===- LaneModels.cpp - Lanes with the bits of the C library --------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// y[i] = expf(x[i]):
///
///   number = what dl.has.exp() has found ; in front of all loops
///   y, ask = arithmetic on all lanes     ; MathModels.h, of the model of that
///                                        ; number, if there are several
///   if (any of ask)                      ; one vector in some twenty
///     for each lane of ask: y = expf(x)  ; in order, as errno may be set
///
//===----------------------------------------------------------------------===//
#include "BlockUtils.h"
#include "LaneContext.h"
#include "dlopt/CorrectMath.h"
#include "dlopt/MathModels.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace dlopt {

/// \p Result with what the library returns for \p X in \p Lanes, in order.
Value *LaneContext::callIn(const Op &O, ArrayRef<Value *> X, Value *Result,
                           Value *Lanes) {
  Function &F = *B.GetInsertBlock()->getParent();
  auto *Ty = cast<FixedVectorType>(Result->getType());
  auto CreateSlot = [&](Value *V, const Twine &Name) {
    auto *Slot = new AllocaInst(Ty, F.getDataLayout().getAllocaAddrSpace(),
                                Name, F.getEntryBlock().getFirstInsertionPt());
    B.CreateStore(V, Slot);
    return Slot;
  };
  SmallVector<Value *, 2> From;
  for (Value *V : X)
    From.push_back(CreateSlot(V, "asked"));
  AllocaInst *To = CreateSlot(Result, "answers");
  Type *Elem = Ty->getElementType();
  unsigned Count = Ty->getNumElements();
  Value *Bits =
      B.CreateZExt(B.CreateBitCast(Lanes, B.getIntNTy(Count)), B.getInt64Ty());
  BasicBlock *Before = B.GetInsertBlock(),
             *Done = splitAtInsertPoint(B, "asked"),
             *Loop = BasicBlock::Create(B.getContext(), "ask", &F, Done);
  DebugLoc Loc = B.getCurrentDebugLocation();
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  B.SetCurrentDebugLocation(Loc);
  PHINode *Left = B.CreatePHI(Bits->getType(), 2);
  Left->addIncoming(Bits, Before);
  Value *Lane = B.CreateBinaryIntrinsic(Intrinsic::cttz, Left, B.getTrue());
  SmallVector<Value *, 2> Args;
  for (Value *Slot : From)
    Args.push_back(B.CreateLoad(Elem, B.CreateGEP(Elem, Slot, Lane)));
  B.CreateStore(ScalarContext::getOp(O, Args), B.CreateGEP(Elem, To, Lane));
  Value *Next = B.CreateAnd(Left, B.CreateSub(Left, B.getInt64(1)));
  Left->addIncoming(Next, B.GetInsertBlock());
  B.CreateCondBr(B.CreateICmpNE(Next, B.getInt64(0)), Loop, Done)
      ->setMetadata(LLVMContext::MD_loop, getFinalLoopID(B.getContext()));
  B.SetInsertPoint(Done, Done->getFirstInsertionPt());
  B.SetCurrentDebugLocation(Loc);
  return B.CreateLoad(Ty, To);
}

/// Which model the library has: what the guard has found out.
Value *LaneContext::getModelNumber(MathFunction Of) {
  Value *&Number = ModelNumbers[static_cast<unsigned>(Of)];
  if (!Number) {
    BasicBlock &Entry = B.GetInsertBlock()->getParent()->getEntryBlock();
    IRBuilder<> Front(&Entry, Entry.getFirstInsertionPt());
    Number = emitKnownModel(Front, Of);
  }
  return Number;
}

/// By the one of several models that the library has; the guard has seen that
/// it has one.
ModelledMath LaneContext::emitModels(MathFunction Of, ArrayRef<Value *> X) {
  ArrayRef<MathModel> Models = Plan.Accuracy == MathAccuracy::Correct
                                   ? ArrayRef(*getCorrectMath(Of))
                                   : getMathModels(Of);
  if (Models.size() == 1)
    return emitModel(B, Models.front(), X, Plan.Math);
  if (unsigned Known =
          getKnownModel(*B.GetInsertBlock()->getModule(), Of, Plan))
    return emitModel(B, Models[Known - 1], X, Plan.Math);
  Value *Number = getModelNumber(Of);
  DebugLoc Loc = B.getCurrentDebugLocation();
  BasicBlock *Done = splitAtInsertPoint(B, "modelled");
  IRBuilder<> AtDone(Done, Done->begin());
  auto *Lanes = cast<VectorType>(X[0]->getType());
  auto CreateBlock = [&](const Twine &Name) {
    return BasicBlock::Create(B.getContext(), Name, Done->getParent(), Done);
  };
  auto Start = [&](BasicBlock *Block) {
    B.SetInsertPoint(Block);
    B.SetCurrentDebugLocation(Loc);
  };
  PHINode *Result = AtDone.CreatePHI(Lanes, 2);
  PHINode *Calls = AtDone.CreatePHI(Lanes->getWithNewType(B.getInt1Ty()), 2);
  auto Emit = [&](const MathModel &Model) {
    ModelledMath Y = emitModel(B, Model, X, Plan.Math);
    if (!Y.Calls)
      Y.Calls = Constant::getNullValue(Calls->getType());
    Result->addIncoming(Y.Result, B.GetInsertBlock());
    Calls->addIncoming(Y.Calls, B.GetInsertBlock());
    B.CreateBr(Done);
  };
  for (auto [I, Model] : enumerate(Models.drop_back())) {
    BasicBlock *Own = CreateBlock("model"), *Next = CreateBlock("other");
    unsigned Mine = DLOPT_PLANTED(WrongModelNumber) ? I + 2 : I + 1;
    B.CreateCondBr(B.CreateICmpEQ(Number, B.getInt8(Mine)), Own, Next);
    Start(Own);
    Emit(Model);
    Start(Next);
  }
  Emit(Models.back());
  B.SetInsertPoint(Done, Done->getFirstInsertionPt());
  B.SetCurrentDebugLocation(Loc);
  return {Result, Calls};
}

/// The function of all lanes by arithmetic, but for few of them.
Value *LaneContext::computeByModel(const Op &O, const MathModel &Model,
                                   ArrayRef<Value *> X) {
  ModelledMath Y = emitModels(Model.Function, X);
  if (!Y.Calls)
    return Y.Result;
  // Lanes that do not run must not call.
  if (Mask)
    Y.Calls = B.CreateLogicalAnd(Mask, Y.Calls);
  BasicBlock *Before = B.GetInsertBlock(),
             *Done = splitAtInsertPoint(B, "known"),
             *Calls = BasicBlock::Create(B.getContext(), "calls",
                                         Done->getParent(), Done);
  DebugLoc Loc = B.getCurrentDebugLocation();
  MDBuilder MD(B.getContext());
  B.CreateCondBr(B.CreateOrReduce(Y.Calls), Calls, Done,
                 MD.createUnlikelyBranchWeights());
  B.SetInsertPoint(BranchInst::Create(Done, Calls));
  B.SetCurrentDebugLocation(Loc);
  Value *Called = callIn(O, X, Y.Result, Y.Calls);
  Calls = B.GetInsertBlock();
  B.SetInsertPoint(Done, Done->getFirstInsertionPt());
  B.SetCurrentDebugLocation(Loc);
  PHINode *Result = B.CreatePHI(Y.Result->getType(), 2);
  Result->addIncoming(Y.Result, Before);
  Result->addIncoming(Called, Calls);
  return Result;
}

} // namespace dlopt
