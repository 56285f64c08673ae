//===- PrivateArrays.cpp - Arrays that only a nest sees -------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PrivateArrays.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Raise.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace dlopt;

bool dlopt::isNewObject(const Value &V, const TargetLibraryInfo &TLI) {
  LibFunc F;
  const auto *Call = dyn_cast<CallBase>(&V);
  return isa<AllocaInst>(V) || isNoAliasCall(&V) ||
         (Call && TLI.getLibFunc(*Call, F) &&
          (F == LibFunc_malloc || F == LibFunc_calloc));
}

static bool isFree(const CallBase &Call, const TargetLibraryInfo &TLI) {
  LibFunc F;
  return TLI.getLibFunc(Call, F) && F == LibFunc_free;
}

/// Whether \p I reads nothing that \p Nest has left: it is inside, or on
/// another way through the function, such as that of another version of the
/// nest.
static bool readsNothingLeft(const Loop &Nest, const Instruction &I) {
  if (Nest.contains(&I) || DLOPT_PLANTED(ArrayLeftUnseen))
    return true;
  SmallVector<BasicBlock *, 4> Exits;
  Nest.getExitBlocks(Exits);
  auto *To = const_cast<BasicBlock *>(I.getParent());
  return !is_contained(Exits, To) &&
         !isPotentiallyReachableFromMany(Exits, To, /*ExclusionSet=*/nullptr);
}

/// Whether the address \p U.get() is only used to access memory here.
static bool isPlainUse(const Loop &Nest, const Use &U,
                       const TargetLibraryInfo &TLI) {
  const auto *I = cast<Instruction>(U.getUser());
  if (isa<ICmpInst>(I))
    return true;
  // What is written outside is overwritten before it is read.
  if (isa<StoreInst>(I))
    return U.getOperandNo() == StoreInst::getPointerOperandIndex();
  if (isa<LoadInst>(I))
    return readsNothingLeft(Nest, *I);
  if (const auto *M = dyn_cast<AnyMemIntrinsic>(I))
    return U.getOperandNo() == 0 || readsNothingLeft(Nest, *M);
  if (const auto *Call = dyn_cast<CallBase>(I);
      Call && (getFreedOperand(Call, &TLI) == U.get() || isFree(*Call, TLI)))
    return true;
  return I->isLifetimeStartOrEnd();
}

/// Whether only loads, stores and comparisons use the address \p A, all that
/// reads in \p Nest, and there as the base of one of \p Buffers only.
static bool isPrivate(const Loop &Nest, const Instruction &A,
                      const TargetLibraryInfo &TLI,
                      ArrayRef<Buffer> Buffers = {}) {
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
      } else if (!isPlainUse(Nest, U, TLI)) {
        return false;
      }
    }
  // A pointer that moves through the array is a buffer of its own.
  if (any_of(Buffers, [&](const Buffer &B) {
        return B.Bound && B.Bound != &A && Addresses.contains(B.Bound);
      }))
    return false;
  return all_of(Phis, [&](const PHINode *P) {
    return all_of(P->incoming_values(),
                  [&](const Value *V) { return Addresses.contains(V); });
  });
}

bool dlopt::isPrivate(const NestState &S, const AllocaInst &A) {
  return ::isPrivate(S.Nest, A, S.Ctx.TLI);
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
        A && ::isPrivate(S.Nest, *A, S.Ctx.TLI, S.K.Buffers))
      Result.push_back(static_cast<BufferId>(Id));
  return Result;
}

SmallVector<BufferId, 4>
dlopt::findPrivateBuffers(const RaisedKernel &RK,
                          const TargetLibraryInfo &TLI) {
  SmallVector<BufferId, 4> Result;
  for (auto [Id, B] : enumerate(RK.K->Buffers)) {
    const auto *I = dyn_cast_or_null<Instruction>(B.Bound);
    if (I && isNewObject(*I, TLI) &&
        ::isPrivate(*RK.Nest, *I, TLI, RK.K->Buffers))
      Result.push_back(static_cast<BufferId>(Id));
  }
  return Result;
}

void dlopt::findPrivateSizes(Kernel &K, const RaisedKernel &RK,
                             const TargetLibraryInfo &TLI) {
  for (BufferId Id : findPrivateBuffers(RK, TLI)) {
    Buffer &B = K.Buffers[Id];
    const auto *Array = dyn_cast<AllocaInst>(B.Bound);
    const DataLayout &DL = RK.Nest->getHeader()->getDataLayout();
    std::optional<TypeSize> Size =
        Array ? Array->getAllocationSize(DL) : std::nullopt;
    if (Size && Size->isFixed())
      B.Private = Size->getFixedValue() / getSizeInBytes(B.Ty);
  }
}
