//===- Needs.cpp - What must not overlap ----------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Needs.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace dlopt;

/// What scopes say of other accesses, whatever the addresses are: in all
/// rounds.
static MemoryLocation getAnywhere(const Instruction &I,
                                  const RoundScopes &Rounds) {
  AAMDNodes Tags = Rounds.getTagsInAllRounds(I);
  AAMDNodes Scopes;
  Scopes.Scope = Tags.Scope;
  Scopes.NoAlias = Tags.NoAlias;
  return MemoryLocation::getBeforeOrAfter(getLoadStorePointerOperand(&I),
                                          Scopes);
}

/// The accesses by their bases: those of copies of a loop's body, too, which
/// may have other metadata.
void NeedFinder::findScoped() {
  const RoundScopes Rounds(S.Nest);
  SmallPtrSet<const Value *, 8> Unknown;
  auto Use = [&](BufferId Id, const Value *Origin) {
    const Value *Bound = Spelled.Buffers[Id].Bound;
    const auto *I = dyn_cast_or_null<Instruction>(Origin);
    if (I && isa<LoadInst, StoreInst>(I))
      Scoped[Bound].push_back(getAnywhere(*I, Rounds));
    else
      Unknown.insert(Bound);
  };
  forEachLeaf(Spelled.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Op &O : L.Ops)
      if (O.K == Op::Load)
        Use(O.Acc.Buf, O.Origin);
    for (const Assign &To : L.Assigns)
      Use(To.Target.Buf, To.Origin);
  });
  for (const Atom &X : Spelled.Atoms)
    if (X.K == Atom::Load)
      Unknown.insert(Spelled.Buffers[X.Source.Buf].Bound);
  for (const Value *Bound : Unknown)
    Scoped.erase(Bound);
}

/// Whether metadata keeps all accesses to \p A apart from all those to \p B.
bool NeedFinder::areScoped(const Value *A, const Value *B) {
  auto OfA = Scoped.find(A), OfB = Scoped.find(B);
  return OfA != Scoped.end() && OfB != Scoped.end() &&
         all_of(OfA->second,
                [](const MemoryLocation &X) {
                  return X.AATags.Scope || X.AATags.NoAlias;
                }) &&
         all_of(OfA->second, [&](const MemoryLocation &X) {
           return all_of(OfB->second, [&](const MemoryLocation &Y) {
             return S.Ctx.AA.isNoAlias(X, Y);
           });
         });
}

bool NeedFinder::findPlaces() {
  for (size_t I = 0; I != IB.readAhead().size(); ++I) {
    LoadInst *L = IB.readAhead()[I];
    std::optional<PointerForm> P = IB.buildPointer(
        L->getPointerOperand(), S.Ctx.LI.getLoopFor(L->getParent()));
    uint64_t Bits =
        S.Ctx.DL.getTypeStoreSizeInBits(L->getType()).getFixedValue();
    std::optional<ScalarType> Ty =
        getScalarType(IntegerType::get(L->getContext(), Bits));
    if (!P || !Ty)
      return S.fail(Reason::NotInvariant, L);
    Places.push_back({L, *Ty, P->Base});
  }
  for (size_t I = 0; I != IB.apartIfTested().size(); ++I) {
    LoadInst *L = IB.apartIfTested()[I];
    std::optional<PointerForm> P = IB.buildPointer(
        L->getPointerOperand(), S.Ctx.LI.getLoopFor(L->getParent()));
    if (!P)
      return S.fail(Reason::NotInvariant, L);
    Indices.push_back({L, P->Base});
  }
  return true;
}

/// Buffers without accesses, each for a place that is read in front of the
/// kernel, which must not write there.
void NeedFinder::addPlaces() {
  for (Place &P : Places)
    P.Buf = IB.addBuffer(P.L->getPointerOperand(), P.Ty);
}

void NeedFinder::findUses() {
  Used.resize(S.K.Buffers.size());
  Written.resize(S.K.Buffers.size());
  auto UsePoly = [&](const Poly &P) {
    S.K.anyNestedAtom(P, [&](const Atom &A) {
      if (A.K == Atom::Load)
        Used[A.Source.Buf] = true;
      return false;
    });
  };
  auto UseAccess = [&](const Access &A) {
    Used[A.Buf] = true;
    for (const Poly &P : A.Subs)
      UsePoly(P);
  };
  for (const Axis &A : S.K.Axes)
    for (const Poly &E : A.Extents)
      UsePoly(E);
  forEachLeaf(S.K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Assign &A : L.Assigns) {
      UseAccess(A.Target);
      Written[A.Target.Buf] = true;
    }
    for (const Op &O : L.Ops) {
      if (O.K == Op::Load)
        UseAccess(O.Acc);
      UsePoly(O.Idx);
    }
    for (const Constraint &C : L.Domain)
      UsePoly(C.P);
  });
  // What tests for zero read, whether or not anything else does.
  for (const Need &N : S.K.Needs)
    if (N.K == Need::NonZero)
      Used[N.Buf] = true;
  for (const Place &P : Places)
    Used[P.Buf] = !DLOPT_PLANTED(PlaceUntested);
}

/// Whether nothing tells that all accesses of the one are apart from all those
/// of the other.
bool NeedFinder::mayMeet(BufferId Output, BufferId Other) {
  const Value *W = S.K.Buffers[Output].Bound, *O = S.K.Buffers[Other].Bound;
  if (DLOPT_PLANTED(PartsTakenApart) && S.Ctx.PartsApart)
    return false;
  if (S.Ctx.AA.isNoAlias(MemoryLocation::getBeforeOrAfter(W),
                         MemoryLocation::getBeforeOrAfter(O)))
    return false;
  // Accesses of the source that are no accesses of the kernel.
  bool IsPlace = any_of(Places, [&](const Place &P) { return P.Buf == Other; });
  return IsPlace || !areScoped(W, O);
}

bool NeedFinder::addDisjointNeeds() {
  // Each is a test in front of the kernel.
  constexpr size_t MaxPairs = 512;
  size_t Pairs = 0;
  for (auto [Id, W] : enumerate(S.K.Buffers)) {
    if (!Written[Id] || W.IsLocal)
      continue;
    // No test tells the elements of one array apart.
    for (const Place &P : Places)
      if (P.Base == W.Bound)
        return S.fail(Reason::NotInvariant, P.L);
    for (auto [L, Base] : Indices)
      if (Base == W.Bound)
        return S.fail(Reason::NonAffineAccess, L);
    Need N;
    N.Buf = static_cast<BufferId>(Id);
    for (auto [Other, O] : enumerate(S.K.Buffers)) {
      if (Other == Id || O.IsLocal || !Used[Other] || O.Bound == W.Bound)
        continue;
      if (Written[Other] && Other < Id)
        continue; // stated the other way round
      if (DLOPT_PLANTED(AliasSecondInputDropped) && !N.Others.empty())
        continue;
      if (mayMeet(Id, Other))
        N.Others.push_back(static_cast<BufferId>(Other));
    }
    Pairs += N.Others.size();
    if (Pairs > MaxPairs)
      return S.fail(Reason::OverBudget, S.Nest.getHeader()->getTerminator());
    if (!N.Others.empty())
      S.K.Needs.insert(S.K.Needs.begin(), std::move(N));
  }
  return true;
}

/// The input of the pair gets a buffer that nothing accesses, for its pointer.
bool NeedFinder::addSameNeed() {
  const PointerPair *Same = S.Ctx.Same;
  if (!Same)
    return true;
  auto It = find_if(S.K.Buffers,
                    [&](const Buffer &B) { return B.Bound == Same->Output; });
  if (It == S.K.Buffers.end())
    return S.fail(Reason::UnsupportedOperation,
                  S.Nest.getHeader()->getTerminator());
  Need N;
  N.K = Need::Same;
  N.Buf = static_cast<BufferId>(It - S.K.Buffers.begin());
  N.Others.push_back(IB.getBuffer(Same->Input, It->Ty));
  S.K.Needs.insert(S.K.Needs.begin(), std::move(N));
  return true;
}

/// What calls of the nest would change if it were errno: indices, and what is
/// read in front.
void NeedFinder::addErrnoNeeds() {
  for (const Place &P : Places)
    if (IB.mayBeErrno(*P.L) && !DLOPT_PLANTED(ErrnoOfPlacesUnasked)) {
      Need N;
      N.K = Need::NoErrno;
      N.Buf = P.Buf;
      S.K.Needs.push_back(std::move(N));
    }
  if (DLOPT_PLANTED(ErrnoOfIndicesUnasked))
    return;
  for (auto [L, Base] : Indices)
    for (auto [Id, Buf] : enumerate(S.K.Buffers)) {
      Need N;
      N.K = Need::NoErrno;
      N.Buf = static_cast<BufferId>(Id);
      if (IB.isErrnoIfTested(L) && Buf.Bound == Base && Used[Id] &&
          !is_contained(S.K.Needs, N))
        S.K.Needs.push_back(std::move(N));
    }
}

bool NeedFinder::run() {
  addPlaces();
  findUses();
  findScoped();
  addErrnoNeeds();
  return addDisjointNeeds() && addSameNeed();
}
