//===- Points.cpp - Other axes over the same points -----------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// skew x q-1 t: the axis t = x + q - 1 in place of x, around q. What three
/// rounds of x read in rounds of q one apart is read in one round of t (Wolf
/// and Lam, A loop transformation theory and an algorithm to maximize
/// parallelism, IEEE TPDS 1991).
///
/// collapse y,x z: one axis over the points of a perfect nest, in their order,
/// where no index and no condition needs the axes apart.
///
//===----------------------------------------------------------------------===//
#include "Step.h"
#include "dlopt/KernelText.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace dlopt;

bool Step::refuseLanesBelow(const Node &N) {
  if (N.K == Node::AxisNode && axisOf(N).Schedule.Lanes)
    return fail("'" + axisOf(N).Name + "' runs in lanes");
  return any_of(N.Children,
                [&](const auto &C) { return refuseLanesBelow(*C); });
}

/// What is below \p N may be entered where it was not, with conditions on its
/// leaves.
bool Step::refuseMoreRounds(const Node &N) {
  if (runsOnce(N))
    return fail("loops below '" + axisOf(N).Name + "' would run more often");
  if (refuseUnsafeBoundsBelow(N))
    return true;
  SmallVector<AxisId, 8> Below;
  collectAxes(N, Below);
  if (any_of(Below, [&](AxisId A) { return K.Axes[A].Schedule.Overlaps; }))
    return fail("blocks below '" + axisOf(N).Name + "' may have no element");
  return any_of(K.Needs,
                [&](const Need &Of) {
                  return Of.isOfPoints() && any_of(Below, [&](AxisId A) {
                           return K.dependsOn(Of.P, A);
                         });
                }) &&
         fail("a need speaks of the rounds of '" + axisOf(N).Name + "'");
}

struct Step::Skew {
  Place P;
  Node *Inner = nullptr;
  Poly By;
  int64_t Least = 0, Most = 0; ///< of By
  StringRef Name;
};

/// Whether \p Name is a word of \p Text.
static bool names(StringRef Text, StringRef Name) {
  while (!Text.empty()) {
    Text = Text.drop_until(isBareNameStart);
    StringRef Word = Text.take_while(isBareNameChar);
    if (Word == Name && !Word.empty())
      return true;
    Text = Text.drop_front(Word.size());
  }
  return false;
}

bool Step::findSkew(Skew &S) {
  StringRef Outer, By;
  if (takeWord(Outer, "an axis") || takeWord(By, "a distance") ||
      takeNewName(S.Name) || expectEnd())
    return true;
  // The one that is right around what the distance speaks of.
  auto IsIt = [&](const Node &N) {
    return N.K == Node::AxisNode && axisOf(N).Name == Outer &&
           N.Children.size() == 1 && N.Locals.empty() &&
           N.Children.front()->K == Node::AxisNode &&
           names(By, axisOf(*N.Children.front()).Name);
  };
  if (!find(IsIt, S.P))
    return fail("no '" + Outer + "' is right around an axis of '" + By + "'");
  if (refuseBlocks(S.P) || refuseLanesBelow(S.P.node()))
    return true;
  S.Inner = S.P.node().Children.front().get();
  const Axis &Q = axisOf(*S.Inner);
  SmallVector<Node *, 8> Path(S.P.Path);
  Path.push_back(S.Inner);
  SmallVector<Poly, 1> Ps;
  Rest = By;
  if (takePolys(Path, Ps))
    return true;
  std::optional<int64_t> Factor, Rounds;
  if (Ps.size() == 1)
    if (auto Coef = Ps.front().coefficient(K.getAxisAtom(S.Inner->Ax)))
      Factor = Coef->getConstant();
  if (Q.Begins.empty() && Q.Extents.size() == 1 && !Q.Schedule.isBlocks())
    Rounds = Q.Extents.front().getConstant();
  // No window is as long; the ends below do not overflow.
  constexpr int64_t Limit = 1 << 20;
  if (!Factor || *Factor < 1 || *Factor > Limit || !Rounds || *Rounds < 1 ||
      *Rounds > Limit)
    return fail("expected a positive multiple of '" + Q.Name +
                "', of a known number of rounds");
  S.By = Ps.front();
  std::optional<int64_t> First =
      S.By.without(K.getAxisAtom(S.Inner->Ax)).getConstant();
  if (!First || *First < -Limit || *First > Limit)
    return fail("'" + By + "' speaks of more than '" + Q.Name + "'");
  S.Least = *First;
  S.Most = *First + *Factor * (*Rounds - 1);
  return false;
}

/// Instances of one round of x stay in order, as the distance grows with the
/// inner axis; those of others must not meet.
bool Step::asksSkew(const Skew &S) {
  if (DLOPT_PLANTED(SkewUnasked))
    return false;
  Dependences D(K);
  SmallVector<Direction, 8> Where(S.P.around().size(), Direction::Same);
  Where.push_back(Direction::Later);
  for (const MemoryUse &A : D.uses())
    for (const MemoryUse &B : D.uses())
      if (D.isBelow(A, *S.Inner) && D.isBelow(B, *S.Inner) &&
          mustNotMeet(D, A, B, Where, "their order may turn around"))
        return true;
  return false;
}

/// Rounds that there were not have no local of a size of theirs.
bool Step::refuseSizesOf(const Node &N) {
  SmallVector<BufferId, 8> Locals;
  collectLocals(N, Locals);
  for (BufferId B : Locals)
    if (any_of(K.Buffers[B].Shape,
               [&](const Poly &P) { return K.dependsOn(P, N.Ax); }))
      return fail("'" + K.Buffers[B].Name + "' is as long as '" +
                  axisOf(N).Name + "' says");
  return false;
}

bool Step::skew() {
  Skew S;
  if (findSkew(S) || refuseLoadedBounds(S.P.node()) ||
      refuseMoreRounds(S.P.node()) || refuseSizesOf(S.P.node()) || asksSkew(S))
    return true;
  Node &N = S.P.node();
  AxisId Old = N.Ax;
  Axis T = axisOf(N);
  T.Name = S.Name.str();
  T.L = nullptr;
  Role Inner = axisOf(*S.Inner).R;
  if (T.R != Role::Sequential && Inner != Role::Parallel)
    T.R = Inner == Role::Sequential ? Role::Sequential : Role::Reduction;
  AxisId New = addAxis(T);
  Poly X = Poly::atom(K.getAxisAtom(New)) - S.By;
  SmallVector<Poly, 4> Inside;
  if (T.Begins.empty())
    Inside.push_back(X);
  for (const Poly &Begin : T.Begins)
    Inside.push_back(X - Begin);
  for (const Poly &End : T.Extents)
    Inside.push_back(End - X - Poly(1));
  substituteBelow(K, N, [&](const Atom &A) -> std::optional<Poly> {
    if (A.K == Atom::Axis && A.Ref == Old)
      return X;
    return std::nullopt;
  });
  if (!DLOPT_PLANTED(SkewOutside))
    for (const Poly &P : Inside)
      forEachLeafNode(N, [&](Leaf &L) { addCondition(L, {P, false}); });
  Axis &Of = K.Axes[New];
  if (Of.Begins.empty())
    Of.Begins.push_back(Poly());
  for (Poly &Begin : Of.Begins)
    Begin += Poly(S.Least);
  for (Poly &End : Of.Extents)
    End += Poly(S.Most);
  N.Ax = New;
  dropUnusedAxes(K);
  return false;
}

/// The number of the point of \p Chain, and how many there are. Blocks and,
/// right below, their elements are one digit.
bool Step::numberPoints(ArrayRef<Node *> Chain, Poly &Number, Poly &Count) {
  SmallVector<const Node *, 8> Around;
  Place P;
  find([&](const Node &N) { return &N == Chain.front(); }, P);
  Around = P.around();
  Count = Poly(1);
  for (size_t I = 0; I < Chain.size(); ++I) {
    const Axis &A = axisOf(*Chain[I]);
    Poly Value = Poly::atom(K.getAxisAtom(Chain[I]->Ax));
    if (!A.Begins.empty() || A.Extents.size() != 1 || A.Schedule.Once ||
        A.Schedule.Overlaps || refuseUnsafe(A.Extents))
      return fail("'" + A.Name + "' does not run from 0 to a number");
    if (A.Schedule.isBlocks()) {
      const Axis *Elements = ++I < Chain.size() ? &axisOf(*Chain[I]) : nullptr;
      Poly Size = Poly::atom(K.getSizeAtom(Chain[I - 1]->Ax));
      if (!Elements || !Elements->Begins.empty() ||
          Elements->Extents.size() != 1 || Elements->Extents[0] != Size)
        return fail("blocks of '" + A.Name + "' without their elements");
      Value += Poly::atom(K.getAxisAtom(Chain[I]->Ax));
    }
    const Poly &End = A.Extents.front();
    if (!Dependences(K).isAtLeastZero(End, Around) &&
        !DLOPT_PLANTED(PointsNegative))
      return fail("'" + KernelText(K).poly(End) + "' may be negative");
    if (any_of(Chain, [&](Node *N) { return K.dependsOn(End, N->Ax); }))
      return fail("the bounds of '" + A.Name + "' are not those of a box");
    Number = Number * End + Value;
    Count = Count * End;
  }
  return false;
}

/// Whether everything below \p N is said without the axes \p Ids.
bool Step::isWithout(Node &N, ArrayRef<AxisId> Ids) {
  bool Any = false;
  auto Visit = [&](Poly &P) {
    Any |= K.anyNestedAtom(P, [&](const Atom &A) {
      return (A.K == Atom::Axis || A.K == Atom::Size) &&
             is_contained(Ids, A.Ref);
    });
  };
  forEachPolyBelow(K, N, Visit);
  SmallVector<BufferId, 8> Locals;
  collectLocals(N, Locals);
  for (BufferId B : Locals)
    for_each(K.Buffers[B].Shape, Visit);
  return !Any;
}

void Step::collapseAccess(Access &X, ArrayRef<AxisId> Ids, AtomMap Map) {
  bool IsOf = any_of(Ids, [&](AxisId A) { return K.dependsOn(X, A); });
  if (K.Buffers[X.Buf].IsLocal || !IsOf) {
    for (Poly &P : X.Subs)
      P = substituteAtoms(K, P, Map);
    return;
  }
  Poly Offset = substituteAtoms(K, X.offset(), Map);
  X.Subs = {Offset};
  X.Strides = {Poly(1)};
  delinearize(K, X);
}

bool Step::collapse() {
  SmallVector<StringRef, 4> Names;
  StringRef Name;
  SmallVector<Node *, 8> Chain;
  unsigned Depth = 0;
  Poly Number, Count;
  if (takeNames(Names) || takeNewName(Name) || expectEnd() ||
      findChain(Names, Chain, Depth) || refuseLanesBelow(*Chain.front()) ||
      numberPoints(Chain, Number, Count))
    return true;
  SmallVector<AxisId, 8> Ids;
  for (Node *N : Chain)
    Ids.push_back(N->Ax);
  for (const Need &Of : K.Needs)
    if (Of.isOfPoints() &&
        any_of(Ids, [&](AxisId A) { return K.dependsOn(Of.P, A); }))
      return fail("a need speaks of these axes");
  Axis New;
  New.Name = Name.str();
  New.R = axisOf(*Chain.front()).R;
  if (any_of(Chain, [&](Node *N) { return axisOf(*N).R != New.R; }))
    New.R = Role::Sequential;
  New.Extents = {Count};
  AxisId Z = addAxis(std::move(New));
  AtomId Last = K.getAxisAtom(Ids.back());
  Poly By = Poly::atom(K.getAxisAtom(Z)) - Number.without(Last);
  auto Map = [&](const Atom &A) -> std::optional<Poly> {
    if (A.K == Atom::Axis && A.Ref == Ids.back())
      return By;
    return std::nullopt;
  };
  Node &Top = *Chain.front(), &Body = *Chain.back();
  Top.Ax = Z;
  if (&Top != &Body) {
    std::vector<std::unique_ptr<Node>> Children = std::move(Body.Children);
    Top.Locals = Body.Locals;
    Top.Children = std::move(Children);
  }
  forEachLeafNode(Top, [&](Leaf &L) {
    for (Op &O : L.Ops)
      if (O.K == Op::Load)
        collapseAccess(O.Acc, Ids, Map);
    for (Assign &A : L.Assigns)
      collapseAccess(A.Target, Ids, Map);
  });
  forEachPolyBelow(K, Top, [&](Poly &P) { P = substituteAtoms(K, P, Map); });
  if (!isWithout(Top, Ids))
    return fail("an index, a bound or a condition needs the axes apart");
  dropUnusedAxes(K);
  return false;
}
