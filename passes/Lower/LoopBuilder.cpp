//===- LoopBuilder.cpp - Counted loops ------------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BlockUtils.h"
#include "dlopt/Lower.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace dlopt {

MDNode *getFinalLoopID(LLVMContext &C, ArrayRef<StringRef> Flags) {
  SmallVector<MDNode *, 10> Attributes;
  auto Flag = [&](StringRef Name) {
    Attributes.push_back(MDNode::get(C, MDString::get(C, Name)));
  };
  auto Off = [&](StringRef Name) {
    Attributes.push_back(
        MDNode::get(C, {MDString::get(C, Name),
                        ConstantAsMetadata::get(ConstantInt::getFalse(C))}));
  };
  Flag("llvm.loop.mustprogress");
  Flag("llvm.loop.unroll.disable");
  Flag("llvm.loop.unroll_and_jam.disable");
  Off("llvm.loop.vectorize.enable");
  Off("llvm.loop.distribute.enable");
  Flag("llvm.loop.licm_versioning.disable");
  for (StringRef Name : Flags)
    Flag(Name);
  return makePostTransformationMetadata(C, nullptr, {}, Attributes);
}

BasicBlock *splitAtInsertPoint(IRBuilderBase &B, const Twine &Name) {
  BasicBlock *BB = B.GetInsertBlock();
  DebugLoc Loc = B.getCurrentDebugLocation();
  BasicBlock *Tail;
  // From LLVM 23 on getTerminator() may not be asked of a block without one.
  if (!BB->empty() && BB->back().isTerminator()) {
    Tail = BB->splitBasicBlock(B.GetInsertPoint(), Name);
    BB->getTerminator()->eraseFromParent();
  } else {
    Tail = BasicBlock::Create(BB->getContext(), Name, BB->getParent(),
                              BB->getNextNode());
    Tail->splice(Tail->end(), BB, B.GetInsertPoint(), BB->end());
  }
  B.SetInsertPoint(BB);
  B.SetCurrentDebugLocation(Loc);
  return Tail;
}

static CountedLoop beginLoopAt(IRBuilderBase &B, Value *First, Value *Trip,
                               Value *Step, const Twine &Name, bool Final) {
  CountedLoop L;
  L.Exit = splitAtInsertPoint(B, Name + ".exit");
  L.Preheader = B.GetInsertBlock();
  Function *F = L.Preheader->getParent();
  auto NewBlock = [&](const char *Suffix) {
    return BasicBlock::Create(F->getContext(), Name + Suffix, F, L.Exit);
  };
  L.Header = NewBlock(".header");
  L.Body = NewBlock(".body");
  L.Latch = NewBlock(".latch");
  B.CreateBr(L.Header);

  B.SetInsertPoint(L.Header);
  L.Index = B.CreatePHI(Trip->getType(), 2, Name);
  L.Index->addIncoming(First, L.Preheader);
  B.CreateCondBr(B.CreateICmpSLT(L.Index, Trip, Name + ".more"), L.Body,
                 L.Exit);

  // Index < Trip <= INT_MAX and 0 < Step <= INT_MAX: the sum does not wrap as
  // an unsigned number; as a signed one only if Step is 1.
  B.SetInsertPoint(L.Latch);
  auto *C = dyn_cast<ConstantInt>(Step);
  Value *Next = B.CreateAdd(L.Index, Step, Name + ".next", /*HasNUW=*/true,
                            /*HasNSW=*/C && C->isOne());
  L.Index->addIncoming(Next, L.Latch);
  Instruction *Back = B.CreateBr(L.Header);
  if (Final)
    Back->setMetadata(LLVMContext::MD_loop, getFinalLoopID(F->getContext()));

  B.SetInsertPoint(L.Body);
  B.SetInsertPoint(B.CreateBr(L.Latch));
  return L;
}

CountedLoop beginLoop(IRBuilderBase &B, Value *Trip, Value *Step,
                      const Twine &Name, bool Final) {
  return beginLoopAt(B, Constant::getNullValue(Trip->getType()), Trip, Step,
                     Name, Final);
}

CountedLoop beginWholeSteps(IRBuilderBase &B, Value *First, Value *Trip,
                            uint64_t Step, const Twine &Name) {
  Value *End = Step == 1 ? Trip : B.CreateSub(Trip, B.getInt64(Step - 1));
  return beginLoopAt(B, First, End, B.getInt64(Step), Name, /*Final=*/true);
}

CountedLoop beginSteps(IRBuilderBase &B, Value *First, Value *Trip, Value *Step,
                       const Twine &Name) {
  return beginLoopAt(B, First, Trip, Step, Name, /*Final=*/true);
}

void setStep(CountedLoop &L, Value *Step) {
  auto *Next = cast<Instruction>(L.Index->getIncomingValueForBlock(L.Latch));
  Next->setOperand(1, Step);
  Next->setHasNoSignedWrap(false);
}

Value *hideSteps(IRBuilderBase &B, Value *Index) {
  const DataLayout &DL = B.GetInsertBlock()->getDataLayout();
  if (DL.getPointerSizeInBits() != Index->getType()->getIntegerBitWidth())
    return Index;
  Value *Hidden =
      B.CreateLaunderInvariantGroup(B.CreateIntToPtr(Index, B.getPtrTy()));
  return B.CreatePtrToInt(Hidden, Index->getType());
}

void endLoop(IRBuilderBase &B, CountedLoop &L) {
  DebugLoc Loc = B.getCurrentDebugLocation();
  B.SetInsertPoint(L.Exit, L.Exit->getFirstInsertionPt());
  B.SetCurrentDebugLocation(Loc);
}

PHINode *addCarried(CountedLoop &L, Value *Start, const Twine &Name) {
  PHINode *Phi = PHINode::Create(Start->getType(), 2, Name);
  Phi->insertInto(L.Header, L.Header->getFirstNonPHIIt());
  Phi->addIncoming(Start, L.Preheader);
  return Phi;
}

} // namespace dlopt
