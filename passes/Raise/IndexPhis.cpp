//===- IndexPhis.cpp - Closed forms of header phis ------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Index.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;
using namespace dlopt;

bool IndexBuilder::isIndexPhi(PHINode *P) {
  if (!P->getType()->isIntegerTy() && !P->getType()->isPointerTy())
    return false;
  SaveAndRestore<unsigned> Inner(Recursion, Recursion + 1);
  return solvePhi(P).State == PhiForm::Closed;
}

/// \p P with products that were multiplied in front of the nest seen through,
/// where terms cancel: a pointer that walked dn steps of s bytes and returns by
/// s * dn is where it was.
Poly IndexBuilder::cancelProducts(Poly P) {
  SaveAndRestore<bool> Outside(ExpandOutside, true);
  SaveAndRestore<bool> Products(ExpandProducts, true);
  SmallVector<AtomId, 4> Atoms;
  P.anyAtom([&](AtomId Id) {
    if (!isPlaceholder(Id) && S.K.Atoms[Id].K == Atom::Param)
      Atoms.push_back(Id);
    return false;
  });
  for (AtomId Id : Atoms) {
    auto *Mul =
        dyn_cast_or_null<BinaryOperator>(S.K.Params[S.K.Atoms[Id].Ref].Bound);
    if (!Mul || Mul->getOpcode() != Instruction::Mul || S.isInside(Mul) ||
        !Mul->getType()->isIntegerTy(64))
      continue;
    tentatively([&] {
      // One that might wrap is tested, as a size_t's.
      std::optional<Poly> Product = buildExact(Mul, true, nullptr);
      if (!Product)
        return false;
      std::optional<Poly> Q = substituteWithin(P, Id, *Product);
      if (!Q || Q->terms().size() >= P.terms().size())
        return false;
      P = std::move(*Q);
      return true;
    });
  }
  return P;
}

/// Where \p Next, what a phi of \p L has in the next round, is not computed
/// from the phi: what it has in each round, if that goes for the first one,
/// which has \p First, as well.
std::optional<Poly> IndexBuilder::delay(const Poly &Next, const Poly &First,
                                        const Loop *L, const LoopControl &C) {
  AtomId Axis = S.K.getAxisAtom(C.Ax);
  auto IsOther = [&](AtomId Id) {
    if (Id != Axis && dependsOnLoops(Poly::atom(Id), L))
      return true;
    if (!isPlaceholder(Id))
      return false;
    return any_of(Unknowns, [&](const auto &U) {
      return U.second == Id && L->contains(U.first.first->getParent());
    });
  };
  if (Next.anyAtom(IsOther))
    return std::nullopt;
  Poly Form = Next.substitute(Axis, Poly::atom(Axis) - Poly(1));
  if (!cancelProducts(Form.substitute(Axis, C.FirstRound) - First).isZero() &&
      !DLOPT_PLANTED(FirstRoundUnasked))
    return std::nullopt;
  return Form;
}

AtomId IndexBuilder::getUnread(Value *V) {
  auto [It, New] = Unread.try_emplace(V, NextPlaceholder);
  NextPlaceholder += New;
  return It->second;
}

/// Finds Form = start + step * axis, where the value around the loop is the
/// phi, standing as an unknown, plus a step that does not change in the loop
/// and does not contain the unknown; or a form that has nothing to do with the
/// phi: q = b + (n - left) for a count that goes down.
bool IndexBuilder::closePhi(PHINode *P, bool Signed, PhiForm &F) {
  const Loop *L = S.loopOf(P);
  const LoopControl &C = S.Controls.find(L)->second;
  if (C.Clamped == P) {
    Poly Form = C.Start + Poly::atom(S.K.getAxisAtom(C.Ax));
    bool Exact = C.IsSigned == Signed || C.InBothReadings;
    (Signed ? F.Signed : F.Unsigned) = {std::move(Form), Exact};
    return true;
  }
  Value *Start = P->getIncomingValueForBlock(C.Preheader);
  Value *Next = P->getIncomingValueForBlock(C.Latch);
  const Loop *Parent = L == &S.Nest ? nullptr : L->getParentLoop();
  AtomId Hole = Unknowns[{P, Signed}];
  AtomId OtherHole = Unknowns[{P, !Signed}];
  Linear First, Then;
  bool GoesOn = false;
  if (P->getType()->isPointerTy()) {
    std::optional<PointerForm> A = buildPointer(Start, Parent);
    std::optional<PointerForm> B = buildPointer(Next, L);
    GoesOn = B && B->Base == P;
    if (!A || !B || (!GoesOn && B->Base != A->Base))
      return false;
    F.Base = A->Base;
    First = {A->Bytes, true};
    Then = {B->Bytes, true};
  } else {
    std::optional<Linear> A = build(Start, Signed, Parent);
    std::optional<Linear> B = build(Next, Signed, L);
    if (!A || !B)
      return false;
    First = std::move(*A);
    Then = std::move(*B);
    GoesOn = Then.P.uses(Hole);
  }
  std::optional<Poly> Form;
  if (GoesOn) {
    Poly Step = Then.P - Poly::atom(Hole);
    if (Step.uses(Hole) || Step.uses(OtherHole) || dependsOnLoops(Step, L))
      return false;
    Step = cancelProducts(std::move(Step));
    // The first round of a part of an axis is not the axis'.
    Poly Round = Poly::atom(S.K.getAxisAtom(C.Ax));
    if (!DLOPT_PLANTED(PartCountedFromAxis))
      Round -= C.FirstRound;
    std::optional<Poly> Way = multiplyWithin(Step, Round);
    if (!Way)
      return false;
    Form = First.P + *Way;
  } else {
    Form = delay(Then.P, First.P, L, C);
  }
  if (!Form)
    return false;
  (Signed ? F.Signed : F.Unsigned) = {*Form, First.Exact && Then.Exact};
  return true;
}

IndexBuilder::PhiForm &IndexBuilder::solvePhi(PHINode *P) {
  // A running index starts where the loop around it left off, and that one
  // continues where this one ends: the outer one is the unknown of both.
  const Loop *Home = S.loopOf(P);
  if (Home && Home != &S.Nest && !Phis.count(P) && Recursion < MaxRecursion)
    if (int I = P->getBasicBlockIndex(Home->getLoopPreheader()); I >= 0)
      if (auto *Q = dyn_cast<PHINode>(P->getIncomingValue(I));
          Q && Q->getNumIncomingValues() == 2 && S.isInside(Q) &&
          S.loopOf(Q)->getHeader() == Q->getParent()) {
        ++Recursion;
        solvePhi(Q);
        --Recursion;
      }
  auto [It, New] = Phis.try_emplace(P);
  if (!New) {
    // Whoever asked first may have dropped the needs since then.
    for (const Need &N : It->second.Needs)
      S.addInRange(N.P, N.Lo, N.Hi);
    return It->second;
  }
  unsigned Serial = It->second.Serial = NextSerial++;
  const Loop *L = S.loopOf(P);
  auto C = L ? S.Controls.find(L) : S.Controls.end();
  PhiForm F;
  bool Ok = C != S.Controls.end() && C->second.Header == P->getParent() &&
            P->getNumIncomingValues() == 2;
  AtomId Before = NextPlaceholder;
  Unknowns[{P, true}] = NextPlaceholder++;
  Unknowns[{P, false}] = NextPlaceholder++;
  bool IsPtr = P->getType()->isPointerTy();
  std::vector<Need> Outside = std::move(S.K.Needs);
  S.K.Needs.clear();
  SaveAndRestore<decltype(Decided)> Any(Decided, nullptr);
  Ok = Ok && (tentatively([&] {
                return closePhi(P, true, F) && (IsPtr || closePhi(P, false, F));
              }) ||
              tentatively([&] {
                return closeOdometer(P, true, F) &&
                       (IsPtr || closeOdometer(P, false, F));
              }));
  F.Needs = std::move(S.K.Needs);
  S.K.Needs = std::move(Outside);
  for (const Need &N : F.Needs)
    S.addInRange(N.P, N.Lo, N.Hi);
  // Forms of inner phis that were found on the way contain the unknown.
  auto Mentions = [&](const Poly &Q) {
    return Q.anyAtom([&](AtomId A) { return A >= Before; });
  };
  for (auto X = Phis.begin(); X != Phis.end();)
    if (X->first != P && X->second.State != PhiForm::InProgress &&
        ((X->second.State == PhiForm::None && X->second.Serial > Serial) ||
         Mentions(X->second.Signed.P) || Mentions(X->second.Unsigned.P) ||
         X->second.Base == P))
      X = Phis.erase(X);
    else
      ++X;
  F.Serial = Serial;
  F.State = Ok ? PhiForm::Closed : PhiForm::None;
  PhiForm &Slot = Phis[P];
  Slot = F;
  return Slot;
}

void IndexBuilder::forgetFailures() {
  for (auto X = Phis.begin(); X != Phis.end();)
    X = X->second.State == PhiForm::None ? Phis.erase(X) : std::next(X);
  InvariantLoads.clear();
}

std::optional<Linear> IndexBuilder::buildPhi(PHINode *P, bool Signed,
                                             const Loop *Where) {
  const Loop *L = S.loopOf(P);
  if (P->getNumIncomingValues() == 1) {
    Value *V = P->getIncomingValue(0);
    const Loop *From = S.loopOf(V);
    if (!From || From->contains(L))
      return build(V, Signed, L);
    if (!mayLeave(V, From, L))
      return std::nullopt;
    std::optional<Linear> R = build(V, Signed, From);
    std::optional<Poly> Out = R ? leaveLoop(R->P, From, L) : std::nullopt;
    if (!Out)
      return std::nullopt;
    return Linear{*Out, R->Exact};
  }
  if (!L->contains(Where))
    return std::nullopt;
  if (Value *V = findDecided(P))
    return build(V, Signed, L);
  PhiForm &F = solvePhi(P);
  if (F.State == PhiForm::InProgress)
    return Linear{Poly::atom(Unknowns[{P, Signed}]), true};
  if (F.State == PhiForm::None)
    return std::nullopt;
  return Signed ? F.Signed : F.Unsigned;
}

/// Whether the value of \p V in the last round of \p From is what \p To sees:
/// what the header of a loop computes that is left from there, anything in a
/// loop that is left from its latch.
bool IndexBuilder::mayLeave(Value *V, const Loop *From, const Loop *To) {
  const Loop *Parent = From == &S.Nest ? nullptr : From->getParentLoop();
  auto C = S.Controls.find(From);
  if (Parent != To || C == S.Controls.end())
    return false;
  auto *I = dyn_cast<Instruction>(V);
  return C->second.Exit == ExitKind::Latch ||
         (I && I->getParent() == C->second.Header);
}

std::optional<Poly> IndexBuilder::leaveLoop(Poly P, const Loop *From,
                                            const Loop *To) {
  const LoopControl &C = S.Controls.find(From)->second;
  AtomId Axis = S.K.getAxisAtom(C.Ax);
  if (!dependsOnLoops(P, From))
    return P;
  ArrayRef<Poly> Extents = S.K.Axes[C.Ax].Extents;
  // Of a part of an axis the last round is not the axis'.
  if (C.Clamped) {
    std::optional<Poly> Left =
        C.Rounds ? substituteWithin(P, Axis, C.FirstRound + *C.Rounds)
                 : std::nullopt;
    return Left && !dependsOnLoops(*Left, From) ? within(Left) : std::nullopt;
  }
  if (Extents.size() != 1)
    return std::nullopt;
  const Poly &Extent = Extents.front();
  constexpr int64_t Max = std::numeric_limits<int64_t>::max();
  // A negative number of rounds is none, so the polynomial would be wrong.
  if (getRange(S.K, Extent, S.axesOf(To)).Lo < 0)
    S.addInRange(Extent, 0, Max);
  bool Counted = C.Exit == ExitKind::Header; // once more than the rounds
  if (DLOPT_PLANTED(LeavingIndexShort))
    Counted = false;
  Poly Last = Counted ? Extent : Extent - Poly(1);
  std::optional<Poly> Left = within(substituteWithin(P, Axis, Last));
  if (!Left || dependsOnLoops(*Left, From))
    return std::nullopt;
  return Left;
}

std::optional<Linear> IndexBuilder::buildLiveOut(Value *V) {
  const Loop *From = S.loopOf(V);
  if (From != &S.Nest || !mayLeave(V, From, nullptr))
    return std::nullopt;
  std::optional<Linear> R = build(V, true, From);
  std::optional<Poly> Out = R ? leaveLoop(R->P, From, nullptr) : std::nullopt;
  if (!Out)
    return std::nullopt;
  return Linear{*Out, R->Exact};
}
