//===- Runs.cpp - Nests that run one after another ------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Runs.h"
#include "dlopt/Compat.h"
#include "dlopt/Kernel.h"
#include "dlopt/Raise.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace dlopt;

/// Whether \p BB can lie between two loops of a run: the raiser decides on all
/// but what it would refuse anyway.
static bool isPlain(const BasicBlock &BB) {
  return none_of(BB, [](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || !Call->mayWriteToMemory() || isa<IntrinsicInst>(I))
      return false;
    const Function *Callee = Call->getCalledFunction();
    return !Callee || !isModelLibFunction(Callee->getName());
  });
}

/// The preheader that straight code behind \p L leads to; null if there is
/// none.
static BasicBlock *getNextPreheader(const Loop &L, const LoopInfo &LI) {
  BasicBlock *BB = L.getExitBlock();
  if (!BB || BB->getUniquePredecessor() != L.getExitingBlock())
    return nullptr;
  // Light form has merged what is straight.
  constexpr unsigned MaxBlocks = 8;
  for (unsigned I = 0; I != MaxBlocks; ++I) {
    BasicBlock *Next = BB->getUniqueSuccessor();
    if (!Next || !isPlain(*BB) || LI.getLoopFor(BB) != L.getParentLoop())
      return nullptr;
    if (LI.isLoopHeader(Next))
      return BB;
    if (Next->getUniquePredecessor() != BB)
      return nullptr;
    BB = Next;
  }
  return nullptr;
}

static bool isOriginal(const Loop *L) {
  return findOptionMDForLoop(L, "dl.original");
}

static void findRuns(const LoopInfo &LI, ArrayRef<Loop *> Siblings,
                     SmallVectorImpl<LoopRun> &Runs) {
  DenseMap<const BasicBlock *, Loop *> ByPreheader;
  for (Loop *L : Siblings)
    if (BasicBlock *Preheader = L->getLoopPreheader();
        Preheader && L->getExitBlock() && !isOriginal(L))
      ByPreheader[Preheader] = L;
  DenseMap<Loop *, Loop *> Behind;
  SmallPtrSet<Loop *, 8> HasOneAhead;
  for (Loop *L : Siblings)
    if (BasicBlock *Next = getNextPreheader(*L, LI); Next && !isOriginal(L))
      if (Loop *Other = ByPreheader.lookup(Next)) {
        Behind[L] = Other;
        HasOneAhead.insert(Other);
      }
  for (Loop *L : Siblings) {
    if (HasOneAhead.contains(L) || !L->getLoopPreheader())
      continue;
    LoopRun Run = {L};
    while (Loop *Next = Behind.lookup(Run.back()))
      Run.push_back(Next);
    if (Run.size() > 1)
      Runs.push_back(std::move(Run));
  }
}

SmallVector<LoopRun, 4> dlopt::findRuns(const LoopInfo &LI) {
  SmallVector<LoopRun, 4> Runs;
  ::findRuns(LI, LI.getTopLevelLoops(), Runs);
  for (Loop *L : LI.getLoopsInPreorder())
    if (!isOriginal(L))
      ::findRuns(LI, L->getSubLoops(), Runs);
  return Runs;
}

/// Phis in \p Exit for values of \p Blocks that are used outside. Returns those
/// values.
static SmallVector<Instruction *, 4>
closeValues(const SmallSetVector<BasicBlock *, 16> &Blocks, BasicBlock *Latch,
            BasicBlock *Exit) {
  SmallVector<Instruction *, 4> Result;
  for (BasicBlock *BB : Blocks)
    for (Instruction &I : *BB) {
      PHINode *Closed = nullptr;
      for (Use &U : make_early_inc_range(I.uses())) {
        auto *User = cast<Instruction>(U.getUser());
        BasicBlock *At = User->getParent();
        if (auto *Phi = dyn_cast<PHINode>(User))
          At = Phi->getIncomingBlock(U);
        if (Blocks.contains(At))
          continue;
        if (!Closed) {
          Closed = PHINode::Create(I.getType(), 1, I.getName() + ".lcssa");
          Closed->insertBefore(Exit->begin());
          Closed->addIncoming(&I, Latch);
          Result.push_back(&I);
        }
        U.set(Closed);
      }
    }
  return Result;
}

void RunWrapper::carry(Instruction &V) {
  auto *Phi = PHINode::Create(V.getType(), 2, V.getName() + ".round");
  Phi->insertBefore(Header->begin());
  for (BasicBlock *Pred : predecessors(Header))
    Phi->addIncoming(Pred == Latch ? static_cast<Value *>(&V)
                                   : Constant::getNullValue(V.getType()),
                     Pred);
  Carried.push_back(Phi);
}

/// Where the round begins: what the first loop starts from goes with it, if
/// that is an element that is read right in front of it.
static Instruction *getFirst(const Loop &L, BasicBlock &Preheader) {
  Instruction *First = Preheader.getTerminator();
  SmallVector<Instruction *, 2> Starts;
  for (Instruction &I : reverse(Preheader)) {
    if (I.mayWriteToMemory())
      break;
    auto *Start = dyn_cast<LoadInst>(&I);
    if (Start && Start->isSimple() && Start->hasOneUse() &&
        Start->getType()->isFloatingPointTy() &&
        isa<PHINode>(Start->user_back()) &&
        cast<PHINode>(Start->user_back())->getParent() == L.getHeader())
      Starts.push_back(Start);
  }
  for (Instruction *Start : Starts) {
    Start->moveBefore(*First->getParent(), First->getIterator());
    First = Start;
  }
  return First;
}

/// Marks the loop that \p Branch closes.
static void tagRound(Instruction &Branch) {
  LLVMContext &C = Branch.getContext();
  MDNode *ID = MDNode::getDistinct(
      C, {nullptr, MDNode::get(C, MDString::get(C, RoundTag))});
  ID->replaceOperandWith(0, ID); // a loop ID names itself first
  Branch.setMetadata(LLVMContext::MD_loop, ID);
}

RunWrapper::RunWrapper(const LoopRun &Run) {
  BasicBlock *Preheader = Run.front()->getLoopPreheader();
  const DebugLoc Loc = Preheader->getTerminator()->getDebugLoc();
  Header = SplitBlock(Preheader, getFirst(*Run.front(), *Preheader));
  Preheader->getTerminator()->setDebugLoc(Loc);
  Header->setName("dl.run");
  Latch = Run.back()->getExitBlock();
  Exit = SplitBlock(Latch, Latch->getFirstNonPHIIt());
  Exit->setName("dl.run.exit");
  // What lies between the header and the latch.
  SmallSetVector<BasicBlock *, 16> Blocks;
  Blocks.insert(Latch);
  Blocks.insert(Header);
  for (size_t I = 0; I != Blocks.size(); ++I)
    if (Blocks[I] != Header)
      Blocks.insert(pred_begin(Blocks[I]), pred_end(Blocks[I]));
  SmallVector<Instruction *, 4> Outs = closeValues(Blocks, Latch, Exit);

  Instruction *Enter = Latch->getTerminator();
  IRBuilder<> B(Enter);
  Type *Ty = B.getInt64Ty();
  Round = PHINode::Create(Ty, 2, "dl.round");
  Round->insertBefore(Header->begin());
  Value *Next = B.CreateNUWAdd(Round, B.getInt64(1), "dl.round.next");
  Value *Again = B.CreateICmpULT(Next, B.getInt64(1));
  Round->addIncoming(B.getInt64(0), Preheader);
  Round->addIncoming(Next, Latch);
  Instruction *Close = B.CreateCondBr(Again, Header, Exit);
  Close->setDebugLoc(Enter->getDebugLoc());
  tagRound(*Close);
  Enter->eraseFromParent();
  for (Instruction *V : Outs)
    if (V->getType()->isFloatingPointTy())
      carry(*V);
}

void RunWrapper::unwrap() {
  for (PHINode *Phi : Carried)
    Phi->eraseFromParent();
  auto *Branch = cast<CondBrInst>(Latch->getTerminator());
  auto *Again = cast<Instruction>(Branch->getCondition());
  auto *Next = cast<Instruction>(Round->getIncomingValueForBlock(Latch));
  UncondBrInst::Create(Exit, Branch->getIterator())
      ->setDebugLoc(Branch->getDebugLoc());
  Branch->eraseFromParent();
  Again->eraseFromParent();
  Round->replaceAllUsesWith(ConstantInt::get(Round->getType(), 0));
  Round->eraseFromParent();
  Next->eraseFromParent();
  FoldSingleEntryPHINodes(Exit);
  MergeBlockIntoPredecessor(Exit);
  MergeBlockIntoPredecessor(Header);
}
