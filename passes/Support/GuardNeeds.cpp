//===- GuardNeeds.cpp - Tests of what a kernel needs ----------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Errno.h"
#include "dlopt/Guards.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace dlopt {

bool GuardEmitter::addDisjoint(BufferId X, BufferId Y) {
  if (isDisjoint(X, Y) || DLOPT_PLANTED(AliasGuardDropped))
    return true;
  // Pointers first, as they may need a block of their own.
  if (!getPointer(X) || !getPointer(Y))
    return false;
  std::optional<Bytes> BX = getBytes(X), BY = getBytes(Y);
  if (!BX || !BY)
    return false;
  addBehind(*BX, *BY);
  if (!DLOPT_PLANTED(AliasTestOneWay))
    addBehind(*BY, *BX);
  return true;
}

bool GuardEmitter::addNoErrno(BufferId Buf) {
  if (isApartFromErrno(K.Buffers[Buf].Bound) || DLOPT_PLANTED(ErrnoUntested))
    return true;
  Module &M = *Region.Guard->getModule();
  if (!getPointer(Buf) || !hasErrnoLocation(M))
    return false;
  std::optional<Bytes> Touched = getBytes(Buf);
  if (!Touched)
    return false;
  Value *Errno =
      B.CreatePtrToInt(B.CreateCall(getErrnoLocation(M)), B.getInt64Ty());
  addBehind(*Touched, {Errno, B.getInt64(sizeof(int))});
  addBehind({Errno, B.getInt64(sizeof(int))}, *Touched);
  return true;
}

bool GuardEmitter::addAligned(BufferId Buf, int64_t Bytes) {
  Value *P = getPointer(Buf);
  if (!P)
    return false;
  Value *Address = B.CreatePtrToInt(P, B.getInt64Ty());
  if (!DLOPT_PLANTED(AlignedUntested))
    addCondition(
        B.CreateICmpEQ(B.CreateAnd(Address, Bytes - 1), B.getInt64(0)));
  return true;
}

/// Whether \p P is a few parameters of 32 bits, times small numbers: it has no
/// more than 64 bits, whatever they are.
static bool isShortSum(const Kernel &K, const Poly &P) {
  constexpr size_t MostTerms = 16;
  return P.terms().size() <= MostTerms &&
         all_of(P.terms(), [&](const auto &Term) {
           const Monomial &Product = Term.first;
           if (!isInt<16>(Term.second) &&
               !(Product.empty() && isInt<48>(Term.second)))
             return false;
           return all_of(Product, [&](AtomId Id) {
             const Atom &A = K.Atoms[Id];
             return Product.size() == 1 && A.K == Atom::Param &&
                    getBitWidth(K.Params[A.Ref].Ty) <= 32;
           });
         });
}

bool GuardEmitter::addInRange(const Poly &P, int64_t Lo, int64_t Hi) {
  if (DLOPT_PLANTED(WrapTestDropped))
    return true;
  std::optional<Hull> H;
  // Zero points may be negative.
  if (isShortSum(K, P)) {
    Value *V = emitAtStart(P);
    H = V ? std::optional<Hull>({V, V}) : std::nullopt;
  } else {
    H = getHull(P);
  }
  if (!H)
    return false;
  if (Lo == Hi && H->First == H->Last) {
    addCondition(B.CreateICmpEQ(H->First, B.getInt64(Lo)));
    return true;
  }
  addCondition(B.CreateICmpSGE(H->First, B.getInt64(Lo)));
  addCondition(B.CreateICmpSLE(H->Last, B.getInt64(Hi)));
  return true;
}

bool GuardEmitter::addSame() {
  if (std::exchange(HasSame, true))
    return true;
  for (const Need &N : K.Needs) {
    if (N.K != Need::Same)
      continue;
    for (BufferId Other : N.Others) {
      Value *P = getPointer(N.Buf), *Q = getPointer(Other);
      if (!P || !Q)
        return false;
      if (!DLOPT_PLANTED(SameUntested))
        addCondition(B.CreateICmpEQ(P, Q));
    }
  }
  return true;
}

bool GuardEmitter::addNeeds() {
  if (!addSame())
    return false;
  for (const Need &N : K.Needs) {
    if (N.K == Need::InRange && !getBoundedLoad(K, N) &&
        !addInRange(N.P, N.Lo, N.Hi))
      return false;
    if (N.K == Need::NoErrno && !addNoErrno(N.Buf))
      return false;
    if (N.K == Need::Aligned && !addAligned(N.Buf, N.Lo))
      return false;
    if (N.K == Need::Disjoint)
      for (BufferId Other : N.Others)
        if (!addDisjoint(N.Buf, Other))
          return false;
  }
  // What takes time comes last.
  for (AtomId Id = 0; Id != K.Atoms.size(); ++Id)
    if (getLoadBounds(K, Id) && !addLoadInRange(Id))
      return false;
  return all_of(K.Needs, [&](const Need &N) {
    return N.K != Need::NonZero || addNonZero(N.Buf, N.P);
  });
}

} // namespace dlopt
