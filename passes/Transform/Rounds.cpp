//===- Rounds.cpp - peel, version, fuse -----------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// peel x 1 first: a loop of its own for the first round, in front of the loop
/// for the others; peel x 1 end last: one for the last round, behind it.
///
/// version i few %M <= 8: one nest for where a condition on sizes holds, one
/// for where it does not.
///
/// fuse x y: two loops of the same rounds, one right behind the other, as one.
///
//===----------------------------------------------------------------------===//
#include "Step.h"
#include "dlopt/KernelText.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace dlopt;

/// Needs speak of all points of an axis, not of those of its parts.
bool Step::refuseNeedsBelow(const Node &N) {
  SmallVector<AxisId, 8> Below;
  collectAxes(N, Below);
  auto IsOf = [&](const Need &Of) {
    return Of.isOfPoints() &&
           any_of(Below, [&](AxisId A) { return K.dependsOn(Of.P, A); });
  };
  return any_of(K.Needs, IsOf) &&
         fail("a need speaks of the rounds of '" + axisOf(N).Name + "'");
}

/// The bounds of \p Count rounds of the axis at \p P, the first ones or the
/// last, and of the others, which both still have those of all.
bool Step::boundParts(const Place &P, int64_t Count, bool IsLast, Axis &Part,
                      Axis &Others) {
  Axis Whole = Others;
  if (IsLast) {
    if (Whole.Extents.size() > 1)
      return fail("'" + Whole.Name + "' has several ends");
    if (requireSmall(P.around(), Whole.Extents.front()))
      return true;
    Poly First = Whole.Extents.front() - Poly(Count);
    Others.Extents = {First};
    if (Part.Begins.empty())
      Part.Begins.push_back(Poly());
    Part.Begins.push_back(First);
    return false;
  }
  if (Whole.Begins.size() > 1)
    return fail("'" + Whole.Name + "' has several begins");
  Poly Begin = Whole.Begins.empty() ? Poly() : Whole.Begins.front();
  if (requireSmall(P.around(), Begin))
    return true;
  Poly End = Begin + Poly(Count);
  Part.Extents.push_back(End);
  Others.Begins = {End};
  return false;
}

/// A local that indices are read from has no other one in its place.
bool Step::refuseIndicesOfLocals(const Node &N) {
  SmallVector<BufferId, 8> Locals;
  collectLocals(N, Locals);
  for (const Atom &A : K.Atoms)
    if (A.K == Atom::Load && is_contained(Locals, A.Source.Buf))
      return fail("'" + K.Buffers[A.Source.Buf].Name + "' is part of an index");
  return false;
}

/// peel x 2 NAME [last]: always legal, if the bounds stay what they are.
bool Step::peel() {
  Place P;
  StringRef Name;
  int64_t Count = 0;
  if (takeAxis(P) || takeSize(Count) || takeNewName(Name))
    return true;
  bool IsLast = takeOptional("last");
  Node &N = P.node();
  if (expectEnd() || refuseBlocks(P) || refuseLanes(P) ||
      (!DLOPT_PLANTED(PeelBoundsLoaded) && refuseLoadedBounds(N)) ||
      refuseNeedsBelow(N))
    return true;
  if (refuseIndicesOfLocals(N))
    return true;
  std::unique_ptr<Node> Part = copyWithOwn(K, N);
  if (boundParts(P, Count, IsLast, axisOf(*Part), axisOf(N)))
    return true;
  axisOf(*Part).Name = Name.str();
  auto &Siblings = P.parent().Children;
  Siblings.insert(Siblings.begin() +
                      static_cast<ptrdiff_t>(P.index() + (IsLast ? 1 : 0)),
                  std::move(Part));
  return false;
}

/// version i few %M <= 8: another nest for where the condition holds, in front
/// of the one for where it does not; each can be run in its own way. Each is
/// below an axis that has a round or none, as a number says. Names of the
/// former end in the suffix. Always legal, as sizes do not change.
bool Step::version() {
  Place P;
  StringRef Name;
  if (takeAxis(P) || takeNewName(Name))
    return true;
  SmallVector<Constraint, 1> Cs;
  if (takeConstraints(P, Cs))
    return true;
  for (const Constraint &If : Cs)
    if (!K.isFixed(If.P) || !hasValue(If.P))
      return fail("'" + KernelText(K).constraint(If) +
                  "' depends on more than sizes");
  for (const Constraint &If : Cs)
    if (requireNoWrap(If.P))
      return true;
  Node &N = P.node();
  if (refuseTakenNumber(Name) || refuseIndicesOfLocals(N))
    return true;
  std::unique_ptr<Node> Own = copyWithOwn(K, N);
  SmallVector<BufferId, 8> Locals;
  SmallVector<AxisId, 8> Axes;
  collectLocals(*Own, Locals);
  collectAxes(*Own, Axes);
  for (BufferId B : Locals)
    K.Buffers[B].Name += Name;
  for (AxisId A : Axes)
    K.Axes[A].Name += Name;
  Param Holds;
  Holds.Name = Name.str();
  Holds.Cases.push_back({Cs, Poly(1)});
  Holds.Cases.push_back({{}, Poly(0)});
  Holds.Least = 0;
  Holds.Most = 1;
  K.Params.push_back(std::move(Holds));
  Poly Number =
      Poly::atom(K.getParamAtom(static_cast<ParamId>(K.Params.size() - 1)));
  Poly Else = DLOPT_PLANTED(VersionsOverlap) ? Poly(1) : Poly(1) - Number;
  auto &Siblings = P.parent().Children;
  size_t At = P.index();
  Siblings[At] =
      makeLoop(Name, Role::Sequential, Else, std::move(Siblings[At]));
  Siblings.insert(Siblings.begin() + static_cast<ptrdiff_t>(At),
                  makeLoop(Name, Role::Sequential, Number, std::move(Own)));
  return false;
}

/// Whether both axes have the same rounds, run alike.
static bool areAlike(const Axis &A, const Axis &B) {
  auto AreSame = [](ArrayRef<Poly> X, ArrayRef<Poly> Y) {
    return X.size() == Y.size() &&
           all_of(X, [&](const Poly &P) { return is_contained(Y, P); }) &&
           all_of(Y, [&](const Poly &P) { return is_contained(X, P); });
  };
  const AxisSchedule &S = A.Schedule, &T = B.Schedule;
  return AreSame(A.Extents, B.Extents) && AreSame(A.Begins, B.Begins) &&
         S.Steps == T.Steps && S.HasRest == T.HasRest &&
         S.Overlaps == T.Overlaps && S.IsUpTo == T.IsUpTo &&
         S.Limit == T.Limit && S.Once == T.Once && S.Unrolled == T.Unrolled &&
         !S.Lanes && !T.Lanes && S.Row.empty() && T.Row.empty();
}

/// fuse x y: legal if what the second does in a round does not meet what the
/// first does in a later one, which runs behind it then. It is what fission
/// asks of the loop that comes out.
bool Step::fuse() {
  StringRef First, Second;
  if (takeWord(First, "an axis") || takeWord(Second, "an axis") || expectEnd())
    return true;
  Place P;
  Node *Other = nullptr;
  auto IsIt = [&](const Node &N) {
    if (N.K != Node::AxisNode || axisOf(N).Name != First)
      return false;
    size_t At = P.index() + 1;
    Other = At < P.parent().Children.size() ? P.parent().Children[At].get()
                                            : nullptr;
    return Other && Other->K == Node::AxisNode && axisOf(*Other).Name == Second;
  };
  if (!find(IsIt, P))
    return fail("no '" + Second + "' comes right behind '" + First + "'");
  Node &N = P.node();
  if (!areAlike(axisOf(N), axisOf(*Other)))
    return fail("'" + First + "' and '" + Second +
                "' do not have the same rounds, run alike");
  if (refuseLoadedBounds(N))
    return true;
  AxisId Old = Other->Ax;
  size_t Split = N.Children.size();
  Role R = axisOf(*Other).R;
  // Needs of all points of one are needs of all points of the other.
  substituteAxis(K, *Other, Old, N.Ax);
  substituteNeeds(
      [&](const Atom &A) -> std::optional<Poly> {
        if ((A.K != Atom::Axis && A.K != Atom::Size) || A.Ref != Old)
          return std::nullopt;
        return Poly::atom(A.K == Atom::Axis ? K.getAxisAtom(N.Ax)
                                            : K.getSizeAtom(N.Ax));
      },
      [](const Need &) { return true; });
  N.Children.insert(N.Children.end(),
                    std::make_move_iterator(Other->Children.begin()),
                    std::make_move_iterator(Other->Children.end()));
  N.Locals.append(Other->Locals);
  auto &Siblings = P.parent().Children;
  Siblings.erase(Siblings.begin() + static_cast<ptrdiff_t>(P.index()) + 1);
  dropUnusedAxes(K);
  return asksFuse(P, Split, R);
}

bool Step::asksFuse(const Place &P, size_t Split, Role Second) {
  Node &N = P.node();
  Dependences D(K);
  SmallVector<Direction, 8> Where(P.around().size(), Direction::Same);
  Where.push_back(Direction::Later);
  auto IsOf = [&](const MemoryUse &U, size_t First, size_t End) {
    return any_of(ArrayRef(N.Children).slice(First, End - First),
                  [&](const auto &C) { return D.isBelow(U, *C); });
  };
  bool AreApart = axisOf(N).R == Second;
  for (const MemoryUse &A : D.uses())
    for (const MemoryUse &B : D.uses()) {
      if (!IsOf(A, Split, N.Children.size()) || !IsOf(B, 0, Split))
        continue;
      if (!DLOPT_PLANTED(FuseUnasked) &&
          mustNotMeet(D, A, B, Where, "a later round comes first"))
        return true;
      AreApart &= D.mayMeet(B, A, Where) == Dependences::Answer::No;
    }
  if (!AreApart)
    axisOf(N).R = Role::Sequential;
  return false;
}
