//===- Prefilter.cpp - Which functions may hold a kernel ------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Prefilter.h"
#include "Helpers.h"
#include "dlopt/LightForm.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace dlopt {

/// True for an address of an array element, as opposed to a variable on the
/// stack or a member of a struct.
static bool isElementAddress(const Value *Ptr) {
  bool IsMember = false;
  while (const auto *GEP = dyn_cast<GEPOperator>(Ptr)) {
    if (!GEP->hasAllConstantIndices())
      return true;
    // Constant offsets: members, unless it is p[1] with p moving, or p[0].
    Type *T = GEP->getSourceElementType();
    IsMember |=
        T->isStructTy() || (T->isIntegerTy(8) && !GEP->hasAllZeroIndices());
    Ptr = GEP->getPointerOperand();
  }
  return !IsMember && !isa<AllocaInst>(Ptr);
}

static bool isElementLoad(const Value *V) {
  const auto *LI = dyn_cast<LoadInst>(V);
  return LI && !LI->getType()->isPointerTy() &&
         isElementAddress(LI->getPointerOperand());
}

/// A product that reads an array element directly, apart from casts: integer
/// products of anything else are index arithmetic.
static bool isElementProduct(const Instruction &I) {
  return any_of(I.operands(), [](const Value *Op) {
    while (const auto *C = dyn_cast<CastInst>(Op))
      Op = C->getOperand(0);
    return isElementLoad(Op);
  });
}

static bool isVolatile(const Instruction &I) {
  return I.isVolatile() && !DLOPT_PLANTED(VolatileIgnored);
}

bool hasCycle(const Function &F) {
  // A cycle has, whatever the numbering, an edge that does not go upwards.
  for (const BasicBlock &BB : F)
    for (const BasicBlock *Succ : successors(&BB))
      if (Succ->getNumber() <= BB.getNumber())
        return true;
  return false;
}

void KernelFilter::addCall(const CallBase &CB, Traits &T) {
  if (isa<IntrinsicInst>(CB)) {
    T.Computes |= CB.getType()->isFPOrFPVectorTy();
    T.Opaque |= CB.isConvergent();
    return;
  }
  if (const Function *Helper = getHelper(CB)) {
    const Traits H = getTraits(*Helper);
    T.merge(H);
    T.Opaque |= H.Size > MaxHelperSize || H.LoopDepth > MaxHelperDepth;
    return;
  }
  // Functions of the math library compute on numbers and give a number.
  const Function *Callee = CB.getCalledFunction();
  if (Callee && CB.getType()->isFloatingPointTy() &&
      all_of(CB.args(),
             [](const Value *A) { return !A->getType()->isPointerTy(); }))
    T.Computes = true;
  else
    T.Opaque |= !CB.doesNotAccessMemory();
}

void KernelFilter::addInstruction(const Instruction &I, Traits &T) {
  switch (I.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
  case Instruction::FNeg:
  case Instruction::FCmp:
    T.Computes = true;
    return;
  case Instruction::Mul:
    T.Computes |= isElementProduct(I);
    return;
  case Instruction::Load:
    T.Loads |= isElementLoad(&I);
    T.Opaque |= isVolatile(I) || I.isAtomic();
    return;
  case Instruction::Store:
    T.Copies |= I.getOperand(0)->getType()->isFloatingPointTy() &&
                isElementLoad(I.getOperand(0)) &&
                isElementAddress(I.getOperand(1));
    T.Opaque |= isVolatile(I) || I.isAtomic();
    return;
  case Instruction::Call:
  case Instruction::Invoke:
    return addCall(cast<CallBase>(I), T);
  case Instruction::AtomicCmpXchg:
  case Instruction::AtomicRMW:
  case Instruction::Fence:
  case Instruction::CallBr:
  case Instruction::IndirectBr:
    T.Opaque = true;
    return;
  default:
    return;
  }
}

Traits KernelFilter::getBlockTraits(const BasicBlock &BB) {
  Traits T;
  for (const Instruction &I : BB)
    addInstruction(I, T);
  return T;
}

/// Blocks from which every path ends in a trap or an exception: they are on no
/// path through a kernel.
static SmallPtrSet<const BasicBlock *, 8> findFatalBlocks(const Function &F) {
  SmallPtrSet<const BasicBlock *, 8> Fatal;
  if (none_of(F, [](const BasicBlock &BB) {
        return isa<UnreachableInst, ResumeInst>(BB.getTerminator());
      }))
    return Fatal;
  for (const BasicBlock *BB : post_order(&F))
    if (isa<UnreachableInst, ResumeInst>(BB->getTerminator()) ||
        (!succ_empty(BB) && all_of(successors(BB), [&](const BasicBlock *To) {
          return Fatal.contains(To);
        })))
      Fatal.insert(BB);
  return Fatal;
}

Traits KernelFilter::getTraits(const Function &F) {
  // Seen from a callee, a function whose walk is under way is recursive.
  Traits Recursive;
  Recursive.Opaque = true;
  if (auto [It, IsNew] = Memo.try_emplace(&F, Recursive); !IsNew)
    return It->second;
  Traits T;
  for (const BasicBlock &BB : F)
    if ((T.Size += BB.size()) > MaxStageSize)
      break;
  if (T.Size > MaxStageSize) {
    T.Opaque = true;
    return Memo[&F] = T;
  }
  auto Fatal = findFatalBlocks(F);
  for (const BasicBlock &BB : F) {
    if (!Fatal.contains(&BB))
      T.merge(getBlockTraits(BB));
    T.Assumes +=
        count_if(BB, [](const Instruction &I) { return isa<AssumeInst>(I); });
  }
  if (hasCycle(F)) {
    DominatorTree DT(const_cast<Function &>(F));
    LoopInfo LI(DT);
    unsigned Depth = 0;
    for (const BasicBlock &BB : F)
      Depth = std::max(Depth, LI.getLoopDepth(&BB));
    T.LoopDepth += Depth;
  }
  return Memo[&F] = T;
}

bool KernelFilter::mayHoldKernel(const Function &F) {
  if (!hasCycle(F))
    return false;
  DominatorTree DT(const_cast<Function &>(F));
  LoopInfo LI(DT);
  DenseMap<const Loop *, Traits> OfLoop;
  for (const BasicBlock &BB : F)
    if (const Loop *L = LI.getLoopFor(&BB))
      OfLoop[L].merge(getBlockTraits(BB));
  // What spoils a loop spoils those around it.
  SmallVector<Loop *, 8> Loops = LI.getLoopsInPreorder();
  for (const Loop *L : reverse(Loops)) {
    const Traits &T = OfLoop[L];
    // A transpose takes two loops.
    bool Works = T.Computes || (T.Copies && L->getLoopDepth() > 1);
    if (!T.Opaque && Works && T.Loads)
      return true;
    if (const Loop *Parent = L->getParentLoop())
      if (T.Opaque)
        OfLoop[Parent].Opaque = true;
  }
  return false;
}

bool isStage(const Traits &T) {
  return !T.Opaque && T.LoopDepth && T.Size <= MaxStageSize &&
         (T.Computes || T.Copies) && T.Loads;
}

bool KernelFilter::mayJoinCalls(const Function &F) {
  unsigned Calls = 0;
  for (const BasicBlock &BB : F)
    for (const Instruction &I : BB)
      if (const auto *CB = dyn_cast<CallBase>(&I);
          CB && !isa<IntrinsicInst>(CB))
        if (const Function *Callee = getHelper(*CB); Callee && Callee != &F)
          Calls += isStage(getTraits(*Callee));
  return Calls > 1 || (Calls && hasCycle(F));
}

bool mayHoldKernel(const Function &F) {
  return KernelFilter().mayHoldKernel(F);
}

} // namespace dlopt
