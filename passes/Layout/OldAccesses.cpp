//===- OldAccesses.cpp - What is left of the old loops --------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OldAccesses.h"
#include "Objects.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace dlopt;

void OldAccesses::add(Instruction &I, const Tensor &T) {
  if (Seen.insert({&I, T.B}).second)
    All.push_back({&I, &T});
}

void OldAccesses::addNest(const Loop &Nest, const Tensor &T) {
  for (BasicBlock *BB : Nest.blocks())
    for (Instruction &I : *BB) {
      auto *Block = dyn_cast<MemIntrinsic>(&I);
      if (T.B->Pointers.contains(getLoadStorePointerOperand(&I)) ||
          (Block && any_of(Block->args(), [&](const Use &U) {
             return T.B->Pointers.contains(U.get());
           })))
        add(I, T);
    }
}

static void mapOld(Instruction &I, const Tensor &T) {
  mapAddress(I, *T.B, T.Elements, *T.Map);
}

void OldAccesses::mapBlock(MemIntrinsic &Block, ArrayRef<const Tensor *> Ts) {
  Value *To = Block.getRawDest();
  auto *Copy = dyn_cast<MemTransferInst>(&Block);
  Value *From = Copy ? Copy->getRawSource() : nullptr;
  SmallVector<Instruction *, 2> New = expandBlock(Block, Ts.front()->B->Ty);
  for (const Tensor *T : Ts) {
    if (T->B->Pointers.contains(To))
      mapOld(*New[0], *T);
    if (From && T->B->Pointers.contains(From))
      mapOld(*New[1], *T);
  }
}

void OldAccesses::map() {
  MapVector<MemIntrinsic *, SmallVector<const Tensor *, 2>> Blocks;
  for (auto &[I, T] : All)
    if (!I)
      continue;
    else if (auto *Block = dyn_cast<MemIntrinsic>(I))
      Blocks[Block].push_back(T);
    else
      mapOld(*cast<Instruction>(I), *T);
  for (auto &[Block, Ts] : Blocks)
    mapBlock(*Block, Ts);
}
