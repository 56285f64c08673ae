//===- ClampedLoops.cpp - Loops over a part of a window -------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Borders as bounds: `for (y = max(0, pad - i); y < min(3, h + pad - i); y++)`
/// has the rounds from the greatest of some numbers to the smallest of others.
/// A pair of them is as far apart for all points, here 0 and 3, so that the
/// loop is an axis of that length, and the other bounds are conditions on it,
/// y >= pad - i and y < h + pad - i, as if the source tested the border inside.
///
/// Rounds may also be counted, for (k = 0; k < length; k++) of a length that is
/// max(0, smallest end - greatest start). Then, and for pointers that go on
/// beside the loop, the axis has its first round where the greatest start is,
/// which is no polynomial: it stands as an unread value in what counts, and
/// cancels where that began with the window, too.
///
//===----------------------------------------------------------------------===//
#include "BoundFinder.h"
#include "dlopt/KernelEdit.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace dlopt;

/// Lets the number \p One be 1 in what is known so far. Loops that look for the
/// first row inside have as many rounds as there are rows outside.
static void assumeOne(Kernel &K, AtomId One) {
  const Atom Of = K.Atoms[One];
  auto Replace = [&](Poly &P) {
    P = substituteAtoms(K, P, [&](const Atom &A) {
      return A == Of ? std::optional<Poly>(1) : std::nullopt;
    });
  };
  for (Axis &A : K.Axes)
    for_each(A.Extents, Replace);
  for (Need &N : K.Needs)
    if (N.K == Need::InRange && N.P != Poly::atom(One))
      Replace(N.P);
}

/// Whether a window of \p Length that begins at \p Start moves on with axes.
/// One that is said to begin so much in front of its end has another one in
/// itself: the image is read backwards, and the window does not move.
static bool isMoving(const Kernel &K, const Poly &Start, const Poly &Length) {
  auto IsAxis = [&](AtomId A) { return K.Atoms[A].K == Atom::Axis; };
  bool Rises = any_of(Start.terms(), [&](const Poly::Term &T) {
    return T.second > 0 && any_of(T.first, IsAxis);
  });
  return Rises && !Length.anyAtom([&](AtomId A) { return Start.uses(A); });
}

/// Of the pairs of \p Starts and \p Ends that are as far apart everywhere the
/// one that is nearest, as far as that is known, or else that of a window.
static std::optional<std::pair<unsigned, unsigned>>
choosePair(const Kernel &K, ArrayRef<Poly> Starts, ArrayRef<Poly> Ends) {
  // A length that is not known is rather that of a window than of an image.
  constexpr int64_t Unknown = 64;
  auto Rank = [&](const Poly &Start, const Poly &Length) {
    return isMoving(K, Start, Length) ? 0 : K.isFixed(Start) ? 1 : 2;
  };
  std::optional<std::pair<unsigned, unsigned>> Best;
  std::pair<int64_t, int> BestKey;
  for (auto [I, Start] : enumerate(Starts))
    for (auto [J, End] : enumerate(Ends)) {
      Poly Length = End - Start;
      if (!K.isFixed(Length) || Length.getConstant().value_or(1) < 1)
        continue;
      std::pair<int64_t, int> Key = {Length.getConstant().value_or(Unknown),
                                     Rank(Start, Length)};
      if (!Best || Key < BestKey) {
        Best = {I, J};
        BestKey = Key;
      }
    }
  return Best;
}

/// Whether \p Rounds of a window are about as many as are left of them, which
/// other pairs of \p Starts and \p Ends tell, the size of the image. An axis
/// has all of them, and one that is far longer would take far longer than the
/// loop.
static bool requireFewRounds(NestState &S, const Poly &Rounds,
                             std::pair<unsigned, unsigned> Pair,
                             ArrayRef<Poly> Starts, ArrayRef<Poly> Ends) {
  // A window may be larger than a small image; of one whose size is in no pair
  // that is as far apart everywhere no more is known.
  constexpr int64_t MostOutside = 64, MostRounds = 4096;
  if (Rounds.getConstant().value_or(INT64_MAX) <= MostOutside)
    return true;
  Poly TooMany = Rounds - Poly(MostRounds);
  for (auto [I, Start] : enumerate(Starts))
    for (auto [J, End] : enumerate(Ends))
      if (I != Pair.first && J != Pair.second && S.K.isFixed(End - Start))
        TooMany = Rounds - (End - Start) - Poly(MostOutside);
  if (auto Number = TooMany.getConstant())
    return *Number <= 0;
  if (!getRange(S.K, TooMany, {}).within(INT64_MIN, 0))
    S.addInRange(TooMany, INT64_MIN, 0);
  return true;
}

/// Which rounds \p L has: from the greatest of some numbers on, or to the
/// smallest of others, in an axis that has as many rounds everywhere.
bool IndexBuilder::setExtentAndConditions(Loop &L, ICmpInst *C,
                                          bool ContinueIfTrue) {
  LoopControl &Control = S.Controls.find(&L)->second;
  CmpInst::Predicate Pred =
      ContinueIfTrue ? C->getPredicate() : C->getInversePredicate();
  Value *Index = C->getOperand(0), *Bound = C->getOperand(1);
  if (ICmpInst::isGT(Pred) || ICmpInst::isGE(Pred)) {
    std::swap(Index, Bound);
    Pred = CmpInst::getSwappedPredicate(Pred);
  }
  auto *Phi = dyn_cast<PHINode>(Index);
  if (&L == &S.Nest || Control.Exit != ExitKind::Header || !Phi ||
      Phi->getParent() != L.getHeader() || Phi->getNumIncomingValues() != 2 ||
      !Phi->getType()->isIntegerTy() || Control.Clamped ||
      !S.K.Axes[Control.Ax].Extents.empty())
    return false;
  // Up to and with the greatest number there is a loop would not end.
  auto *Next =
      dyn_cast<BinaryOperator>(Phi->getIncomingValueForBlock(Control.Latch));
  Value *Step = nullptr;
  if (!Next || !match(Next, m_c_Add(m_Specific(Phi), m_Value(Step))) ||
      (isa<ConstantInt>(Step) && !match(Step, m_One())))
    return false;
  if (isa<ConstantInt>(Step) && setExtentToDistance(L, Phi, Pred, Bound))
    return true;
  if (!ICmpInst::isRelational(Pred) ||
      (ICmpInst::isLE(Pred) &&
       !(ICmpInst::isSigned(Pred) ? Next->hasNoSignedWrap()
                                  : Next->hasNoUnsignedWrap())))
    return false;
  const Loop *Parent = L.getParentLoop();
  bool Signed = CmpInst::isSigned(Pred);
  Value *Start = Phi->getIncomingValueForBlock(Control.Preheader);
  SaveAndRestore<bool> Require(RequireSides, true);
  return tentatively([&] {
    Bounds Starts, Ends;
    SmallVector<AtomId, 2> Ones;
    BoundFinder Finder(*this, S, Parent, Signed, Ones);
    if (!requireOne(Step, Parent, Ones) ||
        !Finder.find(Start, /*Greatest=*/true, {}, Starts) ||
        Starts.size() < 2 || !Finder.find(Bound, /*Greatest=*/false, {}, Ends))
      return false;
    for (Poly &End : Ends)
      End += Poly(ICmpInst::isLE(Pred));
    for (AtomId One : Ones)
      for (Bounds *Of : {&Starts, &Ends})
        for (Poly &P : *Of)
          P = P.substitute(One, Poly(1));
    if (!setRounds(L, Phi, Signed, Starts, Ends))
      return false;
    for (AtomId One : Ones)
      assumeOne(S.K, One);
    // Where the loop's numbers are none with a sign, what reads the first one
    // with one counts from elsewhere: from what no value is.
    bool IsAlike = Signed || Start->getType()->isIntegerTy(64) ||
                   DLOPT_PLANTED(FirstRoundHasSign);
    Value *First = IsAlike ? Start : Control.Preheader->getTerminator();
    Control.FirstRound = Poly::atom(getUnread(First)) - Control.Start;
    return true;
  });
}

/// Rounds of a window that count from 0 up to how many there are: the axis is
/// that of the window.
bool IndexBuilder::setExtentToDistance(Loop &L, PHINode *Phi,
                                       CmpInst::Predicate Pred, Value *Bound) {
  LoopControl &Control = S.Controls.find(&L)->second;
  if (!match(Phi->getIncomingValueForBlock(Control.Preheader), m_Zero()))
    return false;
  SmallVector<Value *, 3> Lengths = {Bound};
  Value *X = nullptr;
  while (match(Lengths.back(), m_NNegZExt(m_Value(X))) ||
         match(Lengths.back(), m_SExt(m_Value(X))))
    Lengths.push_back(X);
  // Not less than none, or the comparison says so.
  bool IsLength = match(Lengths.back(), m_c_SMax(m_Value(X), m_Zero())) &&
                  all_of(Lengths, [&](Value *V) { return S.isInside(V); });
  bool FromZero = Pred == CmpInst::ICMP_SLT;
  if (!(IsLength && (Pred == CmpInst::ICMP_ULT || Pred == CmpInst::ICMP_NE)) &&
      !FromZero)
    return false;
  SaveAndRestore<bool> Require(RequireSides, true);
  return tentatively([&] {
    Bounds Starts, Ends;
    Value *From = nullptr;
    bool IsNegated = false;
    SmallVector<AtomId, 2> Ones;
    BoundFinder Finder(*this, S, L.getParentLoop(), /*Signed=*/true, Ones);
    if (!Finder.findDistance(IsLength ? X : Lengths.back(), Starts, Ends, From,
                             IsNegated) ||
        !setRounds(L, Phi, /*Signed=*/true, Starts, Ends))
      return false;
    Poly First = Poly::atom(getUnread(From));
    Control.FirstRound = (IsNegated ? Poly() - First : First) - Control.Start;
    Control.Start = Poly() - Control.FirstRound;
    Control.InBothReadings = true;
    if (IsLength) {
      AtomId Length = getUnread(Bound);
      for (Value *V : Lengths)
        Unread.try_emplace(V, Length);
      Control.Rounds = Poly::atom(Length);
    }
    return true;
  });
}

/// \p Phi counts in \p L from the greatest of \p Starts to the smallest of
/// \p Ends, which it does not reach.
bool IndexBuilder::setRounds(Loop &L, PHINode *Phi, bool Signed,
                             ArrayRef<Poly> Starts, ArrayRef<Poly> Ends) {
  auto IsUnknown = [&](const Poly &P) {
    return dependsOnLoops(P, &L) ||
           P.anyAtom([&](AtomId A) { return isPlaceholder(A); });
  };
  if (any_of(Starts, IsUnknown) || any_of(Ends, IsUnknown))
    return false;
  auto Pair = choosePair(S.K, Starts, Ends);
  if (!Pair)
    return false;
  LoopControl &C = S.Controls.find(&L)->second;
  SmallVector<AxisId, 6> Outer = S.axesOf(L.getParentLoop());
  SmallVector<AxisId, 6> Axes = S.axesOf(&L);
  auto Fits = [&](const Poly &P, ArrayRef<AxisId> Around) {
    if (!getRange(S.K, P, Around).within(INT64_MIN, INT64_MAX))
      S.addInRange(P, INT64_MIN, INT64_MAX);
  };
  const Poly &First = Starts[Pair->first];
  Poly Rounds = Ends[Pair->second] - First;
  if (!requireFewRounds(S, Rounds, *Pair, Starts, Ends))
    return false;
  Fits(Rounds, Outer);
  S.K.Axes[C.Ax].Extents.push_back(Rounds);
  Poly At = First + Poly::atom(S.K.getAxisAtom(C.Ax));
  Conditions Within;
  for (auto [I, Start] : enumerate(Starts))
    if (I != Pair->first)
      Within.push_back({At - Start, false});
  for (auto [I, End] : enumerate(Ends))
    if (I != Pair->second)
      Within.push_back({End - At - Poly(1), false});
  for (const Constraint &X : Within)
    Fits(X.P, Axes);
  // In its rounds the index is between a start and an end, in either reading if
  // one of these is on this side of where the readings part.
  Range T = getTypeRange(Phi->getType()->getIntegerBitWidth(), true);
  auto InBoth = [&](const Poly &P) {
    Range R = getRange(S.K, P, Outer);
    return Signed ? R.Lo >= 0 : R.Hi <= T.Hi;
  };
  C.Clamped = Phi;
  C.Start = First;
  C.IsSigned = Signed;
  C.InBothReadings = any_of(Signed ? Starts : Ends, InBoth);
  C.Within = std::move(Within);
  forgetForms();
  return true;
}
