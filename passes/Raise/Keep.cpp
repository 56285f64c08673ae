//===- Keep.cpp - Values that are kept instead of recomputed --------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "States.h"
#include "dlopt/PlantedBugs.h"

using namespace llvm;
using namespace dlopt;

/// Whether a write that matters lies between the place \p From in \p FromLoop
/// and the root \p R.
bool States::isClobbered(unsigned From, const Loop *FromLoop, const Root &R,
                         function_ref<bool(const Write &)> Matters) const {
  unsigned End = getEnd(FromLoop, R.Pos, R.L);
  return any_of(Writes, [&](const Write &W) {
    return W.Pos > From && (W.Pos < R.Pos || (End != R.Pos && W.Pos < End)) &&
           Matters(W);
  });
}

/// Whether the load \p Use, of what may be errno, is a part of a root behind
/// calls of another one that set it.
bool States::isBehindErrno(const Visit &V, const Visit::LoadUse &Use) const {
  // Types tell numbers from errno (Roles.cpp asks for others).
  if (Use.L->getType()->isFloatingPointTy() || !ErrnoCalls ||
      DLOPT_PLANTED(ErrnoReadLate))
    return false;
  const Root &R = Roots[Use.RootId];
  unsigned From = Sk.getPosition(Use.L),
           End = getEnd(S.loopOf(Use.L), R.Pos, R.L);
  return any_of(V.Uses, [&](const auto &Of) {
    auto *Call = dyn_cast<CallBase>(Of.first);
    return Call && Call->mayWriteToMemory() &&
           any_of(Of.second, [&](unsigned Id) {
             unsigned At = Roots[Id].Pos;
             return Id != Use.RootId && At > From &&
                    (At < R.Pos || (End != R.Pos && At < End));
           });
  });
}

bool States::collectWrites() {
  Writes.clear();
  for (const Root &R : Roots) {
    if (R.Store || R.Call) {
      Value *Ptr = R.Store ? R.Store->getPointerOperand() : R.Call->getDest();
      std::optional<PointerForm> P = IB.buildPointer(Ptr, R.L);
      if (!P)
        return R.Store ? IB.failAccess(R.Store)
                       : S.fail(Reason::NonAffineAccess, R.Call);
      Writes.push_back({R.Pos, nullptr, P->Base, nullptr, R.L});
    }
    for (auto &[P, V] : R.Copies) {
      PHINode *From = nullptr;
      if (S.isInside(V) && !getIndex(V, R.L))
        if (std::optional<Source> Src = resolve(V))
          From = Src->State;
      if (!From || leader(From) != leader(P))
        Writes.push_back({R.Pos, leader(P), nullptr, nullptr, R.L});
    }
  }
  return true;
}

static bool setsErrno(const Instruction &I) {
  return isa<CallBase>(I) && I.mayWriteToMemory();
}

/// Whether \p I, which the roots \p Users need, is costly and needed by several
/// of them, or elsewhere than where it is computed.
bool States::shouldKeep(Instruction *I, ArrayRef<unsigned> Users) {
  if (isa<PHINode>(I))
    return false;
  const Loop *Home = S.loopOf(I);
  bool IsErrno = setsErrno(*I);
  bool Moves = any_of(Users, [&](unsigned Id) {
    // errno has an order, and a call happens where the source makes it.
    return Roots[Id].L != Home ||
           (IsErrno && (Roots[Id].Block != I->getParent() || ErrnoCalls > 1));
  });
  return (Users.size() > 1 || Moves) && !isCheap(I);
}

/// Whether no call that may set errno lies between \p I and \p By, where \p I
/// is computed if it is a part of that.
static bool isRightBefore(const Instruction &I, const Instruction &By) {
  if (!setsErrno(I) || DLOPT_PLANTED(PartOfKeptMoved))
    return true;
  return I.getParent() == By.getParent() &&
         none_of(make_range(std::next(I.getIterator()), By.getIterator()),
                 setsErrno);
}

/// Whether \p I, which the roots \p Users need, is but a part of what is kept,
/// or going to be, as are \p Wanted.
bool States::isPartOfKept(
    Instruction *I, ArrayRef<unsigned> Users,
    const SmallSetVector<Instruction *, 8> &Wanted) const {
  return all_of(I->users(), [&](User *U) {
    auto *By = dyn_cast<Instruction>(U);
    return By &&
           (Wanted.contains(By) ||
            (isKept(By) &&
             (Users.size() == 1 || DLOPT_PLANTED(PartOfKeptRepeated)))) &&
           isRightBefore(*I, *By);
  });
}

/// Keeps what a root would read too late, and what is costly and needed by
/// several roots or in a deeper loop.
bool States::keepSome(bool &Changed) {
  Visit V;
  if (!walkRoots(V))
    return false;
  SmallSetVector<Instruction *, 8> Wanted;
  for (const auto &Use : V.Uses)
    if (!isKept(Use.first) && shouldKeep(Use.first, Use.second.getArrayRef()))
      Wanted.insert(Use.first);
  for (const auto &Use : V.Uses)
    if (Wanted.contains(Use.first) &&
        !isPartOfKept(Use.first, Use.second.getArrayRef(), Wanted))
      Changed |= keep(Use.first);
  // What is kept now is read earlier; look again before keeping more.
  if (Changed)
    return true;
  for (const Visit::LoadUse &Use : V.Loads) {
    LoadInst *L = Use.L;
    std::optional<PointerForm> P = IB.buildPointer(
        L->getPointerOperand(), S.Ctx.LI.getLoopFor(L->getParent()));
    if (!P)
      return IB.failAccess(L);
    if (isBehindErrno(V, Use) ||
        isClobbered(Sk.getPosition(L), S.loopOf(L), Roots[Use.RootId],
                    [&](const Write &W) { return W.Base == P->Base; }))
      Changed |= keep(L);
  }
  for (const Visit::StateUse &Use : V.StateUses) {
    Instruction *User = Use.User;
    PHINode *Leader = leader(Use.State);
    if (isClobbered(Sk.getPosition(User), S.loopOf(User), Roots[Use.RootId],
                    [&](const Write &W) { return W.State == Leader; })) {
      if (User->isTerminator())
        return S.fail(Reason::NonAffineCondition, User);
      Changed |= keep(User);
    }
  }
  return true;
}

bool States::run(ArrayRef<Value *> Outs) {
  LiveOuts.assign(Outs.begin(), Outs.end());
  for (BasicBlock *BB : S.Nest.blocks())
    for (Instruction &I : *BB)
      if (auto *C = dyn_cast<CallBase>(&I))
        if (isMathCall(S, *C) && I.mayWriteToMemory()) {
          ++ErrnoCalls;
          if (I.use_empty())
            return S.fail(Reason::UnknownCall, &I);
        }
  for (Value *V : LiveOuts) {
    if (PHINode *P = getFinalState(V))
      Needed.insert(P);
    else
      return S.fail(Reason::LiveOut, V);
  }
  if (!findStates() || !collectRoots(true))
    return false;
  coalesce();
  for (bool Changed = true; Changed;) {
    Changed = false;
    if (!collectRoots(true) || !collectWrites() || !keepSome(Changed))
      return false;
  }
  // A call that may set errno and that no root needs would be lost.
  for (BasicBlock *BB : S.Nest.blocks())
    for (Instruction &I : *BB)
      if (auto *C = dyn_cast<CallBase>(&I);
          C && isMathCall(S, *C) && I.mayWriteToMemory() && !Seen.contains(&I))
        return S.fail(Reason::UnknownCall, &I);
  return true;
}

/// The state whose final value \p V, a value of the nest, has behind it.
PHINode *States::getFinalState(Value *V) const {
  const LoopControl &C = S.Controls.find(&S.Nest)->second;
  if (C.Exit == ExitKind::Header) {
    auto *P = dyn_cast<PHINode>(V);
    return P && P->getParent() == C.Header ? P : nullptr;
  }
  for (PHINode &Q : C.Header->phis())
    if (Q.getIncomingValueForBlock(C.Latch) == V)
      return &Q;
  return nullptr;
}

Loop *States::getOwner(PHINode *Leader) const {
  // The surroundings see the final values.
  for (Value *V : LiveOuts)
    if (PHINode *P = getFinalState(V); P && leader(P) == Leader)
      return nullptr;
  Loop *Owner = nullptr;
  bool First = true;
  auto Join = [&](Loop *L) {
    if (L && !S.Nest.contains(L))
      L = nullptr;
    if (First) {
      Owner = L;
      First = false;
      return;
    }
    while (Owner && !(L && Owner->contains(L)))
      Owner = Owner == &S.Nest ? nullptr : Owner->getParentLoop();
  };
  for (const Root &R : Roots)
    for (auto &[P, V] : R.Copies)
      if (leader(P) == Leader)
        Join(R.L);
  for (const Read &R : Reads)
    if (leader(R.State) == Leader)
      Join(const_cast<Loop *>(R.L));
  return Owner;
}
