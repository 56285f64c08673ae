//===- Find.cpp - What a step speaks of -----------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Step.h"
#include "dlopt/KernelText.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace dlopt;

size_t Step::Place::index() const {
  auto It = find_if(parent().Children,
                    [&](const auto &Child) { return Child.get() == &node(); });
  return static_cast<size_t>(It - parent().Children.begin());
}

SmallVector<const Node *, 8> Step::Place::axes() const {
  SmallVector<const Node *, 8> Result;
  for (const Node *N : Path)
    if (N->K == Node::AxisNode)
      Result.push_back(N);
  return Result;
}

SmallVector<const Node *, 8> Step::Place::around() const {
  SmallVector<const Node *, 8> Result = axes();
  if (node().K == Node::AxisNode)
    Result.pop_back();
  return Result;
}

/// The first in the order of the text; \p P is empty if there is none.
bool Step::find(function_ref<bool(const Node &)> Which, Place &P) {
  auto Visit = [&](Node &N, auto &Self) -> bool {
    P.Path.push_back(&N);
    if (Which(N))
      return true;
    for (auto &Child : N.Children)
      if (Self(*Child, Self))
        return true;
    P.Path.pop_back();
    return false;
  };
  P.Path.clear();
  return Visit(K.Root, Visit);
}

/// The first of a name; `j.2` is the third j, as plain kernels are printed.
bool Step::findAxis(StringRef Name, Place &P) {
  unsigned Left = 0;
  auto IsIt = [&](const Node &N) {
    return N.K == Node::AxisNode && axisOf(N).Name == Name && Left-- == 0;
  };
  if (find(IsIt, P))
    return false;
  auto [Base, Number] = Name.rsplit('.');
  if (!Number.empty() && !Number.getAsInteger(10, Left)) {
    std::swap(Name, Base);
    if (find(IsIt, P))
      return false;
    Name = Base;
  }
  return fail("expected an axis, got '" + Name + "'");
}

bool Step::takeAxis(Place &P) {
  StringRef Name;
  return takeWord(Name, "an axis") || findAxis(Name, P);
}

/// The first of a name; `acc.1` is the second acc, as with axes.
bool Step::takeLocal(Place &Owner, BufferId &B) {
  StringRef Name;
  if (takeWord(Name, "a local"))
    return true;
  unsigned Left = 0;
  auto IsOwner = [&](const Node &N) {
    return any_of(N.Locals, [&](BufferId Id) {
      B = Id;
      return K.Buffers[Id].Name == Name && Left-- == 0;
    });
  };
  if (find(IsOwner, Owner))
    return false;
  StringRef Whole = Name;
  auto [Base, Number] = Name.rsplit('.');
  if (!Number.empty() && !Number.getAsInteger(10, Left)) {
    Name = Base;
    if (find(IsOwner, Owner))
      return false;
  }
  return fail("expected a local, got '" + Whole + "'");
}

bool Step::refuseBlocks(const Place &P) {
  return axisOf(P.node()).Schedule.isBlocks() &&
         fail("'" + axisOf(P.node()).Name + "' runs in blocks");
}

bool Step::refuseLanes(const Place &P) {
  return axisOf(P.node()).Schedule.Lanes &&
         fail("'" + axisOf(P.node()).Name + "' runs in lanes");
}

/// Bounds that are read from memory are read when the loop is entered, which a
/// step would change.
bool Step::refuseLoadedBounds(const Node &N) {
  auto IsLoad = [](const Atom &A) { return A.K == Atom::Load; };
  auto IsLoaded = [&](const Poly &P) { return K.anyNestedAtom(P, IsLoad); };
  const Axis &A = axisOf(N);
  return (any_of(A.Extents, IsLoaded) || any_of(A.Begins, IsLoaded)) &&
         fail("the bounds of '" + A.Name + "' are loaded");
}

/// Whether \p P may be computed anywhere, at any time: it loads nothing, and
/// divides by what is at least 1 whatever the axes are.
bool Step::hasValue(const Poly &P) {
  return !K.anyNestedAtom(P, [&](const Atom &A) {
    return A.K == Atom::Load ||
           ((A.K == Atom::FloorDiv || A.K == Atom::Mod) &&
            !Dependences(K).isAtLeastZero(A.Den - Poly(1), {}));
  });
}

/// In front of conditions that may only be tested where it holds.
void Step::addCondition(Leaf &L, Constraint C) {
  auto *At =
      find_if(L.Domain, [&](const Constraint &D) { return !hasValue(D.P); });
  L.Domain.insert(At, std::move(C));
}

bool Step::refuseUnsafe(ArrayRef<Poly> Ps) {
  const auto *It = find_if(Ps, [&](const Poly &P) { return !hasValue(P); });
  return It != Ps.end() && fail("'" + KernelText(K).poly(*It) +
                                "' is loaded or divides by what may be zero");
}

AxisId Step::addAxis(Axis A) {
  K.Axes.push_back(std::move(A));
  return static_cast<AxisId>(K.Axes.size() - 1);
}

std::unique_ptr<Node> Step::makeAxisNode(AxisId A) {
  auto N = std::make_unique<Node>();
  N->K = Node::AxisNode;
  N->Ax = A;
  return N;
}

/// \p New stands for \p Old in what is below \p Below.
void Step::substituteNeeds(AtomMap Map,
                           function_ref<bool(const Need &)> Which) {
  for (Need &N : K.Needs)
    if (N.isOfPoints() && Which(N))
      N.P = substituteAtoms(K, N.P, Map);
}
