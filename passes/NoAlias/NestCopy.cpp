//===- NestCopy.cpp - A loop nest in a function of its own ----------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "NestCopy.h"
#include "dlopt/Compat.h"
#include "dlopt/Guards.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace dlopt;

/// Whether \p V is an argument of the copy.
static bool isInput(const Value *V, const Loop &Nest) {
  if (const auto *I = dyn_cast<Instruction>(V))
    return !Nest.contains(I);
  return isa<Argument>(V);
}

/// Members of an object are known as such: \p V is computed again from its
/// address.
bool NestCopy::addMember(Value *V) {
  auto *GEP = dyn_cast<GetElementPtrInst>(V);
  if (!GEP || !GEP->hasAllConstantIndices() || GEP->getType()->isVectorTy())
    return false;
  // Not of another loop, which may get two versions.
  Loop *L = LI.getLoopFor(GEP->getParent());
  if (L && !L->contains(&Nest))
    return false;
  addInput(GEP->getPointerOperand(), &GEP->getOperandUse(0), nullptr);
  Members.push_back(GEP);
  return true;
}

void NestCopy::addInput(Value *V, Use *User, PHINode *Start) {
  if (!isInput(V, Nest) || Map.count(V))
    return;
  if (addMember(V))
    Map[V] = nullptr;
  else if (Map.insert({V, nullptr}).second)
    Inputs.push_back({V, User, Start});
}

/// Each phi of the header starts from what enters the loop, or where that are
/// several values, from what the preheader will have of them.
void NestCopy::collectInputs(ArrayRef<Value *> More) {
  for (PHINode &Phi : OriginalHeader->phis()) {
    if (Entering)
      addInput(Phi.getIncomingValueForBlock(Entering), nullptr, &Phi);
    else
      Inputs.push_back({nullptr, nullptr, &Phi});
  }
  for (BasicBlock *BB : Nest.blocks())
    for (Instruction &I : *BB) {
      auto *Phi = dyn_cast<PHINode>(&I);
      for (Use &U : I.operands())
        if (!Phi || BB != OriginalHeader ||
            Nest.contains(Phi->getIncomingBlock(U)))
          addInput(U.get(), &U, nullptr);
    }
  for (Value *V : More)
    addInput(V, nullptr, nullptr);
}

void NestCopy::createFunction() {
  SmallVector<Type *, 16> Types;
  for (const Input &In : Inputs)
    Types.push_back(In.V ? In.V->getType() : In.Start->getType());
  LLVMContext &C = F.getContext();
  Copy = Function::Create(FunctionType::get(Type::getVoidTy(C), Types, false),
                          GlobalValue::InternalLinkage, "", F.getParent());
  // Loops end that must make progress; parameters are others.
  Copy->setAttributes(AttributeList::get(C, F.getAttributes().getFnAttrs(),
                                         AttributeSet(), {}));
  for (auto [In, A] : zip(Inputs, Copy->args())) {
    if (In.V)
      Map[In.V] = &A;
    if (auto *Arg = dyn_cast_or_null<Argument>(In.V)) {
      AttrBuilder Attributes(C,
                             F.getAttributes().getParamAttrs(Arg->getArgNo()));
      A.addAttrs(Attributes);
    }
  }
  Entry = Guard = BasicBlock::Create(C, "dl.nest.guard", Copy);
  // Without flags: the source may not use these addresses.
  IRBuilder<> B(Entry);
  B.SetCurrentDebugLocation(Loc);
  for (GetElementPtrInst *GEP : Members) {
    APInt Offset(64, 0);
    [[maybe_unused]] bool IsConstant =
        GEP->accumulateConstantOffset(F.getDataLayout(), Offset);
    assert(IsConstant && "addMember has asked");
    Map[GEP] = B.CreatePtrAdd(get(GEP->getPointerOperand()), B.getInt(Offset));
  }
  Fallback = BasicBlock::Create(C, "dl.fallback", Copy);
  Exit = BasicBlock::Create(C, "dl.exit", Copy);
  for (BasicBlock *BB : {Fallback, Exit})
    ReturnInst::Create(C, BB);
}

void NestCopy::cloneBlocks() {
  SmallVector<BasicBlock *, 16> Blocks;
  Map[OriginalExit] = Exit;
  for (BasicBlock *BB : Nest.blocks()) {
    BasicBlock *New = CloneBasicBlock(BB, Map, ".versioned", Copy);
    Map[BB] = New;
    Blocks.push_back(New);
    for (auto [Old, Made] : zip(*BB, *New))
      Originals[&Made] = &Old;
  }
  Header = cast<BasicBlock>(Map[OriginalHeader]);
  UncondBrInst::Create(Header, Guard)->setDebugLoc(Loc);
  connectPhis();
  remapInstructionsInBlocks(Blocks, Map);
  SmallVector<MDNode *, 2> Scopes;
  identifyNoAliasScopesToClone(Nest.getBlocks(), Scopes);
  cloneAndAdaptNoAliasScopes(Scopes, Blocks, F.getContext(), "versioned");
}

/// What enters the nest comes from the guard.
void NestCopy::connectPhis() {
  for (PHINode &Phi : OriginalHeader->phis()) {
    auto *New = cast<PHINode>(Map[&Phi]);
    Value *V = Entering ? Phi.getIncomingValueForBlock(Entering) : nullptr;
    if (!V)
      for (auto [In, A] : zip(Inputs, Copy->args()))
        if (In.Start == &Phi)
          V = &A;
    for (BasicBlock *Pred : Phi.blocks())
      if (!Nest.contains(Pred))
        New->removeIncomingValue(Pred, /*DeletePHIIfEmpty=*/false);
    // The value of the function: what follows maps it.
    New->addIncoming(V, Guard);
  }
  // Blocks and arguments that are of the copy stand for themselves.
  Map[Guard] = Guard;
  for (Argument &A : Copy->args())
    Map[&A] = &A;
}

NestCopy::NestCopy(Loop &Nest, ArrayRef<Value *> More,
                   FunctionAnalysisManager &FAM)
    : Nest(Nest), F(*Nest.getHeader()->getParent()), FAM(FAM),
      LI(FAM.getResult<LoopAnalysis>(F)), Loc(Nest.getStartLoc()),
      OriginalHeader(Nest.getHeader()), OriginalExit(Nest.getExitBlock()),
      Entering(Nest.getLoopPredecessor()), Exiting(Nest.getLoopLatch()) {
  collectInputs(More);
  createFunction();
  cloneBlocks();
}

NestCopy::~NestCopy() {
  if (!Copy)
    return;
  FAM.clear(*Copy, Copy->getName());
  Copy->eraseFromParent();
}

void NestCopy::addTest(Value *Condition) {
  BasicBlock *Next =
      BasicBlock::Create(F.getContext(), "dl.nest.guard", Copy, Fallback);
  Instruction *Old = Guard->getTerminator();
  UncondBrInst::Create(Header, Next)->setDebugLoc(Loc);
  CondBrInst::Create(Condition, Next, Fallback, Guard)->setDebugLoc(Loc);
  Old->eraseFromParent();
  Header->replacePhiUsesWith(Guard, Next);
  Guard = Next;
}

Value *NestCopy::get(Value *V) const {
  return isa<Constant>(V) ? V : static_cast<Value *>(Map.lookup(V));
}

Value *NestCopy::getActual(const Argument *A) const {
  return Inputs[A->getArgNo()].V;
}

//===----------------------------------------------------------------------===//
// In the function
//===----------------------------------------------------------------------===//

bool NestCopy::close(DominatorTree &DT, LoopInfo &LI) {
  Preheader = Nest.getLoopPreheader();
  if (!Preheader)
    Preheader = InsertPreheaderForLoop(&Nest, &DT, &LI, nullptr, false);
  if (!Preheader)
    return false;
  formDedicatedExitBlocks(&Nest, &DT, &LI, nullptr, false);
  formLCSSARecursively(Nest, DT, &LI, nullptr);
  OriginalExit = Nest.getUniqueExitBlock();
  return OriginalExit && OriginalExit->getUniquePredecessor() == Exiting;
}

/// The loop that \p Latch closes gets an identity of its own, marked.
static void markLoop(Instruction &Latch) {
  LLVMContext &C = Latch.getContext();
  SmallVector<Metadata *, 4> Ops = {nullptr};
  if (MDNode *Old = Latch.getMetadata(LLVMContext::MD_loop))
    Ops.append(Old->op_begin() + 1, Old->op_end());
  Ops.push_back(MDNode::get(C, MDString::get(C, VersionedLoopTag)));
  MDNode *ID = MDNode::getDistinct(C, Ops);
  ID->replaceOperandWith(0, ID);
  Latch.setMetadata(LLVMContext::MD_loop, ID);
}

/// What \p V, a value that is used behind the nest, is in the copy. Closing
/// loops may have put phis of one value into the nest.
Value *NestCopy::getCopy(Value *V) const {
  for (auto *I = dyn_cast<Instruction>(V); I && Nest.contains(I);
       I = dyn_cast<Instruction>(V)) {
    if (Value *Copied = Map.lookup(I))
      return Copied;
    V = cast<PHINode>(I)->getIncomingValue(0);
  }
  return V;
}

void NestCopy::takeOver() {
  // Whatever has been asked of the copy holds pointers into it.
  FAM.clear(*Copy, Copy->getName());
  SmallVector<Instruction *, 4> Latches;
  for (const Loop *L : Nest.getLoopsInPreorder()) {
    Instruction *Latch = L->getLoopLatch()->getTerminator();
    Latches.append({Latch, cast<Instruction>(Map[Latch])});
  }
  for_each(Latches, [](Instruction *Latch) { markLoop(*Latch); });

  for (auto [In, A] : zip(Inputs, Copy->args())) {
    Value *V = In.Start  ? In.Start->getIncomingValueForBlock(Preheader)
               : In.User ? In.User->get()
                         : In.V;
    A.replaceAllUsesWith(V);
  }

  // The original nest is entered from a block of its own.
  BasicBlock *Original = BasicBlock::Create(F.getContext(), "dl.nest.original",
                                            &F, OriginalHeader);
  UncondBrInst::Create(OriginalHeader, Original)->setDebugLoc(Loc);
  OriginalHeader->replacePhiUsesWith(Preheader, Original);
  Preheader->getTerminator()->replaceSuccessorWith(OriginalHeader, Entry);
  Fallback->replaceAllUsesWith(Original);
  Fallback->eraseFromParent();
  // What a loop leaves behind may be there already.
  Exit->getTerminator()->eraseFromParent();
  UncondBrInst::Create(OriginalExit, Exit)->setDebugLoc(Loc);
  for (PHINode &Phi : OriginalExit->phis()) {
    Phi.addIncoming(getCopy(Phi.getIncomingValueForBlock(Exiting)), Exit);
  }
  F.splice(Original->getIterator(), Copy);
  Copy->eraseFromParent();
  Copy = nullptr;
}
