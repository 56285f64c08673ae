//===- Modes.cpp - mode, case, bounds, guard, assume ----------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Step.h"
#include "dlopt/Instructions.h"
#include "dlopt/KernelText.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace dlopt;

/// In lanes each leaf runs for a vector of elements, which it loads before it
/// stores, then the next leaf. So of two elements of a vector that meet, what
/// the later leaf does in the earlier element goes behind what the earlier leaf
/// does in the later one; and a leaf does not see what it has just stored.
bool Step::checkLanesOf(const Dependences &D, const Place &P,
                        ScheduleSize Lanes) {
  if (DLOPT_PLANTED(LanesUnasked))
    return false;
  SmallVector<Direction, 8> Where(P.around().size(), Direction::Same);
  Where.push_back(Direction::Later);
  for (const MemoryUse &A : D.uses())
    for (const MemoryUse &B : D.uses()) {
      if (!D.isBelow(A, P.node()) || !D.isBelow(B, P.node()))
        continue;
      bool IsSameLeaf = A.N == B.N;
      if (A.Position < B.Position)
        continue; // the order stays
      // Loads come first; an assignment, and a call, go in the order of lanes.
      if (IsSameLeaf && (A.K == MemoryUse::Read || &A == &B))
        continue;
      if (mustNotMeet(D, A, B, Where, "a lane needs another one",
                      K.getPoly(Lanes) - Poly(1)))
        return true;
    }
  return false;
}

/// Lanes past the end hold junk, which must take no place of an element that a
/// leaf reads or writes, and has to have a place.
bool Step::checkJunkOf(const Dependences &D, const Place &P, ScheduleSize Lanes,
                       const MemoryUse &W) {
  const Buffer &B = K.Buffers[W.X->Buf];
  if (B.Where == Buffer::AnyPlace)
    return fail("lanes past the end would be assigned to '" + B.Name +
                "', which has no place");
  if (refuseUnsafe(W.X->Subs))
    return true;
  if (!D.isJunkInside(W, P.axes(), Lanes))
    return fail("lanes past the end are outside of '" + B.Name + "'");
  for (const MemoryUse &U : D.uses())
    if (U.X && U.X->Buf == W.X->Buf && D.mayJunkMeet(W, U, P.axes(), Lanes))
      return fail("lanes past the end take the place of " + text(*U.X));
  return false;
}

bool Step::checkJunk(const Dependences &D, const Place &P, ScheduleSize Lanes) {
  if (DLOPT_PLANTED(JunkUnasked) || !D.hasJunk(P.axes(), Lanes))
    return false;
  // Conditions are tested there, too, but for those that are loaded.
  auto IsLoad = [](const Atom &A) { return A.K == Atom::Load; };
  for (const auto &Child : P.node().Children)
    for (const Constraint &C : Child->L.Domain)
      if (!K.anyNestedAtom(C.P, IsLoad) && refuseUnsafe(C.P))
        return true;
  for (const MemoryUse &W : D.uses())
    if (W.K == MemoryUse::Write && D.isBelow(W, P.node()) &&
        K.Buffers[W.X->Buf].IsLocal && checkJunkOf(D, P, Lanes, W))
      return true;
  return false;
}

bool Step::checkLanes(const Place &P, ScheduleSize Lanes) {
  const Node &N = P.node();
  if (any_of(N.Children,
             [](const auto &C) { return C->K != Node::LeafNode; }) ||
      !N.Locals.empty())
    return fail("'" + axisOf(N).Name + "' is around more than leaves");
  Dependences D(K);
  return checkLanesOf(D, P, Lanes) || checkJunk(D, P, Lanes);
}

/// The nest is what the instruction computes. Lanes past the end are junk in
/// both, and elements past the end of a block are not run as an instruction.
bool Step::checkRow(const Place &P, StringRef Row) {
  InstructionUse Use;
  std::string Wrong = matchInstruction(K, P.node(), Row, Use);
  return !Wrong.empty() && fail(Wrong);
}

/// mode i,j loop | unroll | lanes 16 | row vpdpbusd: every axis of these names.
bool Step::mode() {
  SmallVector<StringRef, 4> Names;
  StringRef How, Row;
  AxisSchedule New;
  if (takeNames(Names) || takeWord(How, "loop, unroll, lanes or row") ||
      (How == "lanes" && takeSize(New.Lanes)) ||
      (How == "row" && takeWord(Row, "the name of an instruction")) ||
      expectEnd())
    return true;
  if (!is_contained({"loop", "unroll", "lanes", "row"}, How))
    return fail("expected loop, unroll, lanes or row, got '" + How + "'");
  if (How == "lanes" && !New.hasFewLanes())
    return fail("expected 2 to 1024 lanes");
  for (StringRef Name : Names) {
    // All axes of the name, or one that a number tells.
    SmallVector<Place, 4> Found;
    Place P;
    find(
        [&](const Node &N) {
          if (N.K == Node::AxisNode && axisOf(N).Name == Name)
            Found.push_back(P);
          return false;
        },
        P);
    if (Found.empty() && findAxis(Name, Found.emplace_back()))
      return true;
    for (const Place &Each : Found) {
      AxisSchedule &S = axisOf(Each.node()).Schedule;
      if ((How != "loop" && refuseBlocks(Each)) ||
          (New.Lanes && checkLanes(Each, New.Lanes)) ||
          (How == "row" && checkRow(Each, Row)))
        return true;
      S.Unrolled = How == "unroll";
      S.Lanes = New.Lanes;
      S.Row = Row.str();
    }
  }
  return false;
}

/// case d X >= 1, ...: the axis and all below is made once for each truth of
/// the conditions; case d all X >= 1, ...: once for where all hold, and once
/// for where not. Always legal.
bool Step::makeCases() {
  Place P;
  if (takeAxis(P))
    return true;
  Place Around = P;
  Around.Path.pop_back();
  auto Cases = std::make_unique<Node>();
  Cases->CasesAreOne = takeOptional("all");
  SmallVector<Constraint, 4> Cs;
  if (takeConstraints(Around, Cs))
    return true;
  for (const Constraint &C : Cs)
    if (refuseUnsafe(C.P))
      return true;
  Cases->Cases.assign(Cs.begin(), Cs.end());
  std::unique_ptr<Node> &Slot = P.parent().Children[P.index()];
  Cases->Children.push_back(std::move(Slot));
  Slot = std::move(Cases);
  return false;
}

void dlopt::forEachLeafNode(Node &N, function_ref<void(Leaf &)> Visit) {
  if (N.K == Node::LeafNode)
    Visit(N.L);
  for (auto &Child : N.Children)
    forEachLeafNode(*Child, Visit);
}

static bool hasCondition(const Leaf &L, const Constraint &C) {
  return is_contained(L.Domain, C);
}

/// bounds r: conditions that all leaves below have, and that speak of r and of
/// what is known around it, become its bounds. Always legal: where they do not
/// hold nothing runs.
bool Step::bounds() {
  Place P;
  if (takeAxis(P) || expectEnd() || refuseBlocks(P) || refuseLanes(P))
    return true;
  Node &N = P.node();
  SmallVector<AxisId, 8> Below;
  collectAxes(N, Below);
  AtomId Own = K.getAxisAtom(N.Ax);
  SmallVector<Leaf *, 8> Leaves;
  forEachLeafNode(N, [&](Leaf &L) { Leaves.push_back(&L); });
  bool Any = false;
  for (const Constraint &C :
       SmallVector<Constraint, 4>(Leaves.empty() ? SmallVector<Constraint, 2>()
                                                 : Leaves.front()->Domain)) {
    std::optional<Poly> Coef = C.P.coefficient(Own);
    int64_t Sign = Coef ? Coef->getConstant().value_or(0) : 0;
    Poly Other = C.P.without(Own);
    int64_t Constant = Other.getConstantTerm();
    bool Fits = Constant != INT64_MAX && Constant != INT64_MIN;
    bool IsKnown =
        hasValue(Other) && Fits && !K.anyNestedAtom(Other, [&](const Atom &A) {
          return (A.K == Atom::Axis || A.K == Atom::Size) &&
                 is_contained(Below, A.Ref);
        });
    if (C.IsEquality || (Sign != 1 && Sign != -1) || !IsKnown ||
        !all_of(Leaves, [&](Leaf *L) { return hasCondition(*L, C); }))
      continue;
    Axis &A = axisOf(N);
    if (Sign == 1) {
      if (A.Begins.empty())
        A.Begins.push_back(Poly());
      A.Begins.push_back(Poly() - Other);
    } else {
      A.Extents.push_back(Other + Poly(1));
    }
    for (Leaf *L : Leaves)
      llvm::erase(L->Domain, C);
    Any = true;
  }
  return !Any && fail("no condition of all leaves speaks of '" +
                      axisOf(N).Name + "' alone");
}

/// Whether a block of no elements runs below.
bool Step::runsOnce(const Node &N) {
  return any_of(N.Children, [&](const auto &C) {
    return (C->K == Node::AxisNode && axisOf(*C).Schedule.Once) || runsOnce(*C);
  });
}

/// What is computed where a loop is entered must have a value in rounds that
/// there were not before.
bool Step::refuseUnsafeBoundsBelow(const Node &N) {
  if (N.K == Node::AxisNode &&
      (refuseUnsafe(axisOf(N).Extents) || refuseUnsafe(axisOf(N).Begins)))
    return true;
  return any_of(N.Locals,
                [&](BufferId B) { return refuseUnsafe(K.Buffers[B].Shape); }) ||
         any_of(N.Children,
                [&](const auto &C) { return refuseUnsafeBoundsBelow(*C); });
}

/// guard p 16: an axis with so many rounds, and conditions on its leaves in
/// place of its bounds. Legal if it never had more.
bool Step::guard() {
  SmallVector<StringRef, 4> Names;
  int64_t Size = 0;
  if (takeNames(Names) || takeSize(Size) || expectEnd())
    return true;
  for (StringRef Name : Names) {
    Place P;
    if (findAxis(Name, P) || refuseBlocks(P) || refuseLanes(P))
      return true;
    Node &N = P.node();
    if (refuseMoreRounds(N))
      return true;
    Poly X = Poly::atom(K.getAxisAtom(N.Ax));
    // It holds for the rounds that there are.
    if (!Dependences(K).isAtLeastZero(Poly(Size - 1) - X, P.axes()) &&
        !DLOPT_PLANTED(GuardUnasked))
      return fail("'" + Name + "' may have more than " + Twine(Size) +
                  " rounds");
    for (const Poly &E : axisOf(N).Extents)
      forEachLeafNode(
          N, [&](Leaf &L) { addCondition(L, {E - X - Poly(1), false}); });
    axisOf(N).Extents = {Poly(Size)};
  }
  return false;
}

/// assume %W <= 64: a need about sizes, which is tested before anything runs.
bool Step::assume() {
  Place Root;
  find([](const Node &) { return true; }, Root);
  SmallVector<Constraint, 2> Cs;
  if (takeConstraints(Root, Cs))
    return true;
  for (const Constraint &C : Cs) {
    if (!K.isFixed(C.P))
      return fail("'" + KernelText(K).constraint(C) +
                  "' speaks of more than sizes");
    // It is computed whatever they are.
    if (refuseUnsafe(C.P))
      return true;
    Need N;
    N.K = Need::InRange;
    N.P = C.P;
    N.Lo = 0;
    N.Hi = C.IsEquality ? 0 : INT64_MAX;
    addNeed(K, std::move(N));
  }
  return false;
}
