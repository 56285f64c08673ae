//===- GuardCheck.cpp - What a guard can test -----------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Answers GuardEmitter::checkNeeds with the rules of GuardEmitter, and emits
/// nothing. It must say no wherever the emitter would.
///
//===----------------------------------------------------------------------===//
#include "GuardRules.h"
#include "dlopt/Errno.h"
#include "dlopt/Guards.h"
#include "dlopt/Rematerialize.h"
#include "dlopt/Target.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace dlopt {
namespace {

class NeedChecker {
public:
  NeedChecker(const RaisedKernel &RK, DominatorTree &DT, LoopInfo &LI,
              AAResults *AA)
      : RK(RK), K(*RK.K), DT(DT), LI(LI), AA(AA),
        Entry(RK.Nest->getLoopPreheader()) {}

  bool canTest(const Need &N) {
    if (N.K == Need::InRange) {
      std::optional<AtomId> Load = getBoundedLoad(K, N);
      return Load ? canScan(K.Atoms[*Load].Source.Buf,
                            K.Atoms[*Load].Source.offset()) &&
                        canBoundAtom(*Load)
                  : canBound(N.P);
    }
    if (N.K == Need::NoErrno)
      return isApartFromErrno(K.Buffers[N.Buf].Bound) ||
             (hasErrnoLocation(*RK.Nest->getHeader()->getModule()) &&
              canBound(N.Buf));
    if (N.K == Need::Aligned)
      return canMaterialize(K.Buffers[N.Buf].Bound);
    if (N.K == Need::Same)
      return canMaterialize(K.Buffers[N.Buf].Bound) &&
             all_of(N.Others, [&](BufferId Other) {
               return canMaterialize(K.Buffers[Other].Bound);
             });
    if (N.K == Need::NonZero)
      return canScan(N.Buf, N.P);
    return all_of(N.Others, [&](BufferId Other) {
      return isNoAlias(AA, K.Buffers[N.Buf].Bound, K.Buffers[Other].Bound) ||
             (canBound(N.Buf) && canBound(Other));
    });
  }

private:
  bool canScan(BufferId Buf, const Poly &P) {
    std::optional<ElementScan> Scan = getElementScan(K, Buf, P);
    return Scan && canMaterialize(K.Buffers[Buf].Bound) &&
           canEmitAtStart(Scan->Start) && canBound(P) &&
           all_of(Scan->Axes,
                  [&](const auto &A) { return canEmitAtStart(A.Stride); }) &&
           all_of(K.Axes, [&](const Axis &A) {
             return all_of(A.Extents,
                           [&](const Poly &P) { return canEmitAtStart(P); });
           });
  }

  bool canMaterialize(Value *V) {
    if (!V || Depth > MaxGuardNesting)
      return false;
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !RK.Nest->contains(I))
      return Entry && DT.dominates(V, Entry->getTerminator());
    auto InRegion = [&](const BasicBlock *BB) { return RK.Nest->contains(BB); };
    if (canSpeculate(V, InRegion, isUnwrittenByKernel))
      return true;
    if (!canRematerialize(V, InRegion, isUnwrittenByKernel))
      return false;
    auto Axes = getAxesRunning(*I, RK, DT, LI);
    ++Depth;
    bool Result = Axes && all_of(*Axes, [&](AxisId A) {
                    return all_of(K.Axes[A].Extents, [&](const Poly &P) {
                      return canEmitAtStart(P);
                    });
                  });
    --Depth;
    return Result;
  }

  bool canEmitAtStart(const Poly &P) {
    return !P.anyAtom([&](AtomId Id) {
      const Atom &A = K.Atoms[Id];
      switch (A.K) {
      case Atom::Axis:
        return false;
      case Atom::Param:
        return !canMaterialize(K.Params[A.Ref].Bound);
      case Atom::FloorDiv:
      case Atom::Mod:
        return !canEmitAtStart(A.Num) || !canEmitAtStart(A.Den);
      case Atom::VL:
        return !getScalableRegister(*DT.getRoot()->getParent()).Bits;
      case Atom::Load:
      case Atom::Size:
        return true;
      }
      return true;
    });
  }

  bool canBound(const Poly &P) {
    for (const auto &Term : P.terms())
      if (!isTestable(Term.second))
        return false;
    return !P.anyAtom([&](AtomId Id) { return !canBoundAtom(Id); });
  }

  bool canBoundAtom(AtomId Id) {
    const Atom &A = K.Atoms[Id];
    auto Positive = [](const Poly &P) {
      return P.getConstant().value_or(0) > 0;
    };
    switch (A.K) {
    case Atom::Param:
      return canMaterialize(K.Params[A.Ref].Bound);
    case Atom::Axis:
      return all_of(K.Axes[A.Ref].Extents,
                    [&](const Poly &P) { return canBound(P); });
    case Atom::Mod:
      return Positive(A.Den) || (!A.Den.getConstant() && canBound(A.Den));
    case Atom::FloorDiv:
      return (Positive(A.Den) || (!A.Den.getConstant() && canBound(A.Den))) &&
             canBound(A.Num);
    case Atom::Load: {
      std::optional<LoadBounds> Bounds = getLoadBounds(K, Id);
      return Bounds ? canEmitAtStart(Bounds->Most) : isNarrow(K, A);
    }
    case Atom::VL:
      return getScalableRegister(*DT.getRoot()->getParent()).Bits;
    case Atom::Size:
      return false;
    }
    return false;
  }

  bool canBound(BufferId Buf) {
    return canMaterialize(K.Buffers[Buf].Bound) &&
           all_of(getOffsets(K, Buf, RK.KeepsOrder),
                  [&](const Poly &P) { return canBound(P); });
  }

  const RaisedKernel &RK;
  const Kernel &K;
  DominatorTree &DT;
  LoopInfo &LI;
  AAResults *AA;
  /// RK.Preheader, or what the guard of a neighbouring nest made of it.
  const BasicBlock *Entry;
  unsigned Depth = 0;
};

} // namespace

Verdict GuardEmitter::checkNeeds(const RaisedKernel &RK, DominatorTree &DT,
                                 LoopInfo &LI, AAResults *AA) {
  NeedChecker Checker(RK, DT, LI, AA);
  for (const Need &N : RK.K->Needs)
    if (!Checker.canTest(N)) {
      if (N.isOfPoints())
        return {Reason::NonAffineAccess, nullptr, "range not testable"};
      return {Reason::MayAlias, nullptr, RK.K->Buffers[N.Buf].Name};
    }
  return {};
}

} // namespace dlopt
