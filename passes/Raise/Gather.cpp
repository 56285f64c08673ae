//===- Gather.cpp - Scattered updates by element --------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A transposed convolution, and the gradient of a convolution's input, adds
/// each of its inputs to the elements of a window of the result:
///
///   for (i) for (r) y[2 * i + r] += x[i] * w[r];
///
/// Windows overlap, so that loops over i and r carry the sums from round to
/// round. Here each element gets a nest over what is added to it, in the same
/// order, and so its sum can stay in a register:
///
///   for (j) for (q) y[2 * j + 0] += x[j - R0 + 1 + q] * w[2 * (R0 - 1 - q)];
///   for (j) for (q) y[2 * j + 1] += ...
///
/// with conditions on what is left of x. Elements that are a step apart are a
/// nest; the sums of one have as many rounds. The order of an element's sum is
/// that of the outermost one of i and r: where this is i, r runs backwards
/// (skewing and interchange, Wolf and Lam, A loop transformation theory and an
/// algorithm to maximize parallelism, IEEE TPDS 1991; for steps: Shi et al.,
/// Is the deconvolution layer the same as a convolutional layer?, 2016).
///
//===----------------------------------------------------------------------===//
#include "Nest.h"
#include "Normalize.h"
#include "ScatteredUpdate.h"
#include "dlopt/Dependences.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Raise.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace dlopt;

namespace {

/// The elements of an overlap whose terms are those of every Step'th round of
/// the window, from Number on.
struct Phase {
  const Overlap *Of = nullptr;
  int64_t Number = 0;
  AxisId Element = 0;
  std::optional<AxisId> Term; ///< unless a sum has but one
  Poly Rounds;                ///< of the sum
  Poly Index;                 ///< of the window's round, of these
  Poly First;                 ///< that conditions leave of the elements
};

/// What axes of the old nest are in a new one.
using AxisMapping = SmallVector<std::pair<AxisId, Poly>, 8>;

/// Makes nests over elements of a nest over what is added to them.
class Gatherer {
public:
  Gatherer(Kernel &K, const ScatteredUpdate &S) : K(K), S(S) {}
  bool run();

private:
  AxisId addAxis(AxisId Like, Poly Extent);
  bool startPhase(Phase &P);
  bool addNest(ArrayRef<int64_t> Numbers);
  bool boundElements(Leaf &L, Phase &P);
  void placeAxes(ArrayRef<Phase> Phases, AxisMapping &Map,
                 SmallVectorImpl<AxisId> &Order);
  Poly replaceAxes(const Poly &P, const AxisMapping &Map);
  std::optional<Poly> getEndOfAll(Poly P, bool Most) const;
  void requireRows();
  bool moveNeeds();
  bool mayReorder();

  Kernel &K;
  const ScatteredUpdate &S;        ///< what it was
  SmallVector<AxisId, 8> Elements; ///< the new axes that are in no sum
  std::vector<std::unique_ptr<Node>> Nests;
};

} // namespace

static bool isLoaded(const Atom &A) { return A.K == Atom::Load; }

/// An axis of other rounds, for what \p Like was for.
AxisId Gatherer::addAxis(AxisId Like, Poly Extent) {
  Axis New;
  New.Name = K.Axes[Like].Name;
  New.Loc = K.Axes[Like].Loc;
  New.Extents.push_back(std::move(Extent));
  K.Axes.push_back(std::move(New));
  return static_cast<AxisId>(K.Axes.size() - 1);
}

/// Its axes; false if the window has no such rounds.
bool Gatherer::startPhase(Phase &P) {
  const Overlap &O = *P.Of;
  const Poly &Window = K.Axes[O.Window].Extents.front();
  P.Rounds = divideFloor(K, Window - Poly(P.Number + 1), Poly(O.Step)) + 1;
  std::optional<int64_t> Known = P.Rounds.getConstant();
  if (Known && *Known < 1)
    return false;
  P.Element = addAxis(O.Point, K.Axes[O.Point].Extents.front() +
                                   Poly(O.Dilation) * (P.Rounds - 1));
  if (Known == 1)
    return true;
  P.Term = addAxis(O.Window, P.Rounds);
  P.Index = Poly::atom(K.getAxisAtom(*P.Term));
  if (O.PointIsOuter && !DLOPT_PLANTED(GatheredForwards))
    P.Index = P.Rounds - 1 - P.Index;
  return true;
}

/// Makes conditions of \p L that are about the elements of \p P alone bounds of
/// these, and adds those of the point whose term it is. False: they are bounded
/// in too many ways.
bool Gatherer::boundElements(Leaf &L, Phase &P) {
  const Overlap &O = *P.Of;
  AtomId Element = K.getAxisAtom(P.Element);
  SmallVector<Poly, 2> Firsts, Ends;
  for (size_t I = L.Domain.size(); I--;) {
    const Constraint &C = L.Domain[I];
    if (C.IsEquality || !C.P.uses(Element))
      continue;
    std::optional<Poly> Stride = getStride(K, C.P, P.Element);
    std::optional<int64_t> By = Stride ? Stride->getConstant() : std::nullopt;
    Poly Rest = C.P.without(Element);
    if (!By || !K.isFixed(Rest))
      continue;
    if (*By > 0)
      // Of numbers that are not negative, which guards can divide.
      Firsts.push_back(divideFloor(K, Poly(*By - 1) - Rest, Poly(*By)));
    else
      Ends.push_back(divideFloor(K, Rest, Poly(-*By)) + 1);
    L.Domain.erase(L.Domain.begin() + static_cast<std::ptrdiff_t>(I));
  }
  Poly &First = P.First;
  for (const Poly &F : Firsts)
    if (std::optional<int64_t> Number = F.getConstant(); Number && *Number > 0)
      First = std::max(*Number, First.getConstantTerm());
  for (const Poly &F : Firsts) {
    if (F.getConstant())
      continue;
    if (!First.isZero())
      return false;
    requireAtLeast(K, F, 0);
    First = F;
  }
  Poly Point = Poly::atom(Element) + First - Poly(O.Dilation) * P.Index;
  // In quotients and remainders, too.
  const AxisMapping Shift = {{P.Element, Poly::atom(Element) + First}};
  forEachPoly(L, [&](Poly &Of) {
    Of = DLOPT_PLANTED(GatheredQuotientsStay)
             ? Of.substitute(Element, Poly::atom(Element) + First)
             : replaceAxes(Of, Shift);
  });
  Poly &Extent = K.Axes[P.Element].Extents.front();
  Extent -= First;
  for (const Poly &End : Ends) {
    Poly Other = End - First;
    std::optional<int64_t> Less = (Extent - Other).getConstant();
    // The elements that points reach may be fewer only where that is known.
    if (!Less)
      requireAtLeast(K, Extent - Other, 0);
    if (Less.value_or(0) >= 0)
      Extent = Other;
  }
  // Elements of one term are the points themselves, of which there are as many.
  if (P.Term) {
    L.Domain.push_back({Point, /*IsEquality=*/false});
    L.Domain.push_back({K.Axes[O.Point].Extents.front() - 1 - Point,
                        /*IsEquality=*/false});
  }
  return true;
}

/// The axes of a new nest: elements in the order of memory, sums in that of the
/// old nest, a window's where the first of its two axes was.
void Gatherer::placeAxes(ArrayRef<Phase> Phases, AxisMapping &Map,
                         SmallVectorImpl<AxisId> &Order) {
  auto IsMapped = [&](AxisId A) {
    return any_of(Map, [&](const auto &Of) { return Of.first == A; });
  };
  auto GetPhase = [&](AxisId A) {
    return find_if(Phases, [&](const Phase &P) {
      return P.Of->Point == A || P.Of->Window == A;
    });
  };
  auto Copy = [&](AxisId A) {
    AxisId New = addAxis(A, Poly());
    K.Axes[New].Extents = K.Axes[A].Extents;
    Map.push_back({A, Poly::atom(K.getAxisAtom(New))});
    return New;
  };
  for (const ScatteredUpdate::Row &R : S.Rows)
    for (auto [A, By] : R) {
      if (IsMapped(A))
        continue;
      const auto *P = GetPhase(A);
      Order.push_back(P == Phases.end() ? Copy(A) : P->Element);
      Elements.push_back(Order.back());
      if (P == Phases.end())
        continue;
      const Overlap &O = *P->Of;
      Map.push_back({O.Point, Poly::atom(K.getAxisAtom(P->Element)) -
                                  Poly(O.Dilation) * P->Index});
      Map.push_back({O.Window, Poly(O.Step) * P->Index + Poly(P->Number)});
    }
  for (AxisId A : S.Axes) {
    const auto *P = GetPhase(A);
    if (P == Phases.end() && !IsMapped(A))
      Order.push_back(Copy(A));
    if (P != Phases.end() && P->Term &&
        A == (P->Of->PointIsOuter ? P->Of->Point : P->Of->Window))
      Order.push_back(*P->Term);
  }
}

Poly Gatherer::replaceAxes(const Poly &P, const AxisMapping &Map) {
  return substituteAtoms(K, P, [&](const Atom &A) -> std::optional<Poly> {
    if (A.K == Atom::Axis)
      for (const auto &[Old, New] : Map)
        if (Old == A.Ref)
          return New;
    return std::nullopt;
  });
}

/// The nest of the elements with these numbers, if there are any.
bool Gatherer::addNest(ArrayRef<int64_t> Numbers) {
  SmallVector<Phase, 2> Phases;
  for (auto [O, Number] : zip_equal(S.Overlaps, Numbers)) {
    Phases.emplace_back();
    Phases.back().Of = &O;
    Phases.back().Number = Number;
    if (!startPhase(Phases.back()))
      return true;
  }
  AxisMapping Map;
  SmallVector<AxisId, 8> Order;
  placeAxes(Phases, Map, Order);
  auto N = std::make_unique<Node>();
  N->K = Node::LeafNode;
  N->L = S.Update;
  forEachPoly(N->L, [&](Poly &P) { P = replaceAxes(P, Map); });
  for (Phase &P : Phases)
    if (!boundElements(N->L, P))
      return false;
  for (AxisId A : reverse(Order)) {
    auto Around = std::make_unique<Node>();
    Around->K = Node::AxisNode;
    Around->Ax = A;
    Around->Children.push_back(std::move(N));
    N = std::move(Around);
  }
  Nests.push_back(std::move(N));
  return true;
}

/// \p P at the points of the old nest where it is greatest, or least.
std::optional<Poly> Gatherer::getEndOfAll(Poly P, bool Most) const {
  for (AxisId A : S.Axes) {
    std::optional<Poly> Stride = getStride(K, P, A);
    if (!Stride || K.Axes[A].Extents.size() != 1)
      return std::nullopt;
    if (Stride->isZero())
      continue;
    Range R = getRange(K, *Stride, S.Axes);
    if (R.Lo < 0 && R.Hi > 0)
      return std::nullopt;
    Poly Last = K.Axes[A].Extents.front() - 1;
    P = P.without(*K.findAxisAtom(A)) +
        *Stride * ((R.Lo >= 0) == Most ? Last : Poly(0));
  }
  return P;
}

/// Rows of elements end before the next one begins, if conditions do not say
/// so already, which is needed then.
void Gatherer::requireRows() {
  const Access &To = S.Update.Assigns.front().Target;
  SmallVector<const Node *, 8> Path;
  for (const Node *N = &K.Root; Path.size() != S.Axes.size();) {
    N = N->Children.front().get();
    Path.push_back(N);
  }
  Dependences D(K);
  std::vector<Poly> Slacks;
  for (size_t I = 1; I < To.Subs.size(); ++I) {
    std::optional<Poly> Length = To.Strides[I - 1].divideExactly(To.Strides[I]);
    std::optional<Poly> Last = getEndOfAll(To.Subs[I], /*Most=*/true);
    if (Length && Last && !K.anyNestedAtom(*Length, isLoaded) &&
        !D.isAtLeastZero(*Length - To.Subs[I] - 1, Path, S.Update.Domain))
      Slacks.push_back(*Length - *Last - 1);
  }
  for (const Poly &P : Slacks)
    requireAtLeast(K, P, 0);
}

/// States what is needed of points of the old axes for the ends of these: also
/// of points that conditions leave out, as they are about the same numbers.
bool Gatherer::moveNeeds() {
  std::vector<Need> Ends;
  for (const Need &Of : K.Needs) {
    if (!Of.isOfPoints() ||
        none_of(S.Axes, [&](AxisId A) { return K.dependsOn(Of.P, A); }))
      continue;
    for (bool Most : {false, true}) {
      Need End = Of;
      std::optional<Poly> P = getEndOfAll(Of.P, Most);
      if (!P)
        return false;
      End.P = *P;
      if (std::optional<int64_t> Number = End.P.getConstant();
          Number && (*Number < End.Lo || *Number > End.Hi))
        return false;
      Ends.push_back(std::move(End));
    }
  }
  erase_if(K.Needs, [&](const Need &N) {
    return N.isOfPoints() &&
           any_of(S.Axes, [&](AxisId A) { return K.dependsOn(N.P, A); });
  });
  adoptNeeds(K, std::move(Ends));
  return true;
}

/// Whether elements are apart: no two rounds of the axes that are in no sum,
/// and no two nests, touch the same one.
bool Gatherer::mayReorder() {
  computeRoles(K);
  if (any_of(Elements, [&](AxisId A) { return K.Axes[A].R != Role::Parallel; }))
    return false;
  Dependences D(K);
  std::vector<Need> Needed;
  for (const MemoryUse &A : D.uses())
    for (const MemoryUse &B : D.uses()) {
      if (A.Path.front() == B.Path.front() || !A.writes())
        continue;
      switch (D.mayMeet(A, B, {})) {
      case Dependences::Answer::Yes:
        if (DLOPT_PLANTED(GatheredNestsMeet))
          break;
        return false;
      case Dependences::Answer::IfAliased:
        Needed.push_back(D.getDisjointNeed(A, B));
        break;
      case Dependences::Answer::No:
        break;
      }
    }
  adoptNeeds(K, std::move(Needed));
  return true;
}

bool Gatherer::run() {
  // Each is code of its own.
  constexpr int64_t MostNests = 9;
  int64_t Count = 1;
  for (const Overlap &O : S.Overlaps)
    Count *= O.Step;
  if (Count > MostNests)
    return false;
  dropNeedsOfRoles(K);
  // With the two the other way round there would be more terms, of nothing.
  for (const Overlap &O : S.Overlaps)
    requireAtLeast(
        K, K.Axes[O.Point].Extents.front() - K.Axes[O.Window].Extents.front(),
        0);
  if (Count > 1 && !DLOPT_PLANTED(GatheredNestsMeet))
    requireRows();
  for (int64_t I = 0; I != Count; ++I) {
    SmallVector<int64_t, 2> Numbers;
    int64_t Left = I;
    for (const Overlap &O : reverse(S.Overlaps)) {
      Numbers.insert(Numbers.begin(), Left % O.Step);
      Left /= O.Step;
    }
    if (!addNest(Numbers))
      return false;
  }
  K.Root.Children = std::move(Nests);
  return !K.Root.Children.empty() && moveNeeds() && mayReorder() && compact(K);
}

bool dlopt::gatherUpdates(Kernel &K) {
  std::optional<ScatteredUpdate> S = findScatteredUpdate(K);
  return S && Gatherer(K, *S).run();
}
