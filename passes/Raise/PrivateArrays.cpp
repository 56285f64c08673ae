//===- PrivateArrays.cpp - Arrays that only a nest sees -------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PrivateArrays.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace dlopt;

/// Whether the address \p U.get() is only used to access memory here.
static bool isPlainUse(const NestState &S, const Use &U) {
  const auto *I = cast<Instruction>(U.getUser());
  if (isa<ICmpInst>(I))
    return true;
  // What is written outside is overwritten before it is read.
  if (isa<StoreInst>(I))
    return U.getOperandNo() == StoreInst::getPointerOperandIndex();
  if (isa<LoadInst>(I))
    return S.isInside(I);
  if (const auto *M = dyn_cast<AnyMemIntrinsic>(I))
    return U.getOperandNo() == 0 || S.isInside(M);
  return I->isLifetimeStartOrEnd();
}

bool dlopt::isPrivate(const NestState &S, const AllocaInst &A) {
  SmallSetVector<const Value *, 16> Addresses;
  SmallVector<const PHINode *, 4> Phis;
  Addresses.insert(&A);
  for (size_t Next = 0; Next != Addresses.size(); ++Next)
    for (const Use &U : Addresses[Next]->uses()) {
      const User *I = U.getUser();
      if (isa<GetElementPtrInst, PHINode>(I)) {
        if (!I->getType()->isPointerTy() || Addresses.size() > 256)
          return false;
        Addresses.insert(I);
        if (const auto *P = dyn_cast<PHINode>(I))
          Phis.push_back(P);
      } else if (!isPlainUse(S, U)) {
        return false;
      }
    }
  return all_of(Phis, [&](const PHINode *P) {
    return all_of(P->incoming_values(),
                  [&](const Value *V) { return Addresses.contains(V); });
  });
}

bool dlopt::isStackMark(const Instruction &I) {
  const auto *II = dyn_cast<IntrinsicInst>(&I);
  return II && (II->getIntrinsicID() == Intrinsic::stacksave ||
                II->getIntrinsicID() == Intrinsic::stackrestore);
}

SmallVector<BufferId, 4> dlopt::findPrivateArrays(const NestState &S) {
  SmallVector<BufferId, 4> Result;
  for (auto [Id, B] : enumerate(S.K.Buffers))
    if (const auto *A = dyn_cast_or_null<AllocaInst>(B.Bound);
        A && isPrivate(S, *A))
      Result.push_back(static_cast<BufferId>(Id));
  return Result;
}
