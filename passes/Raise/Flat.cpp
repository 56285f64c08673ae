//===- Flat.cpp - Rows and columns in one loop ----------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One loop over all elements, or over a share of them that a thread gets,
/// whose index is divided to find the row and the column.
///
//===----------------------------------------------------------------------===//
#include "Normalize.h"
#include "dlopt/PlantedBugs.h"

using namespace llvm;
using namespace dlopt;

static void requireZero(Kernel &K, Poly P) {
  Need N;
  N.K = Need::InRange;
  N.P = std::move(P);
  K.Needs.push_back(std::move(N));
}

/// The quotient of \p P by \p D, which must be whole: a need, if it is not
/// known.
static Poly divideWhole(Kernel &K, const Poly &P, const Poly &D) {
  if (std::optional<Poly> Q = P.divideExactly(D))
    return *Q;
  if (!DLOPT_PLANTED(WholeRowsAssumed))
    requireZero(K, Poly::atom(K.getModAtom(P, D)));
  return Poly::atom(K.getFloorDivAtom(P, D));
}

/// d * (x / d) + x % d is x, where that is all that becomes of the two.
bool dlopt::joinFlat(Kernel &K, Node &Top) {
  bool Changed = false;
  for (AtomId Id = 0; Id != K.Atoms.size(); ++Id) {
    const Atom A = K.Atoms[Id];
    if (A.K != Atom::Mod || K.isFixed(A.Num))
      continue;
    AtomId Row = K.getFloorDivAtom(A.Num, A.Den);
    Poly Mod = A.Num - A.Den * Poly::atom(Row);
    bool Any = false, Ok = true;
    auto Check = [&](Poly &P) {
      Poly New = P.substitute(Id, Mod);
      Any |= New != P;
      Ok &= !New.uses(Id) && !New.uses(Row);
    };
    forEachPolyBelow(K, Top, Check);
    if (!Any || !Ok)
      continue;
    forEachPolyBelow(K, Top, [&](Poly &P) { P = P.substitute(Id, Mod); });
    Changed = true;
  }
  return Changed;
}

namespace {

/// x in [0, M*D) with (x0 + x) / D and (x0 + x) % D as i in [0, M) and j in
/// [0, D), where x0 is a multiple of D. Quotients and remainders by multiples
/// of D are those of the row.
class FlatAxis {
public:
  FlatAxis(Kernel &K, AxisId X) : K(K), X(X), Flat(K.getAxisAtom(X)) {}
  bool match(Node &N);
  void rewrite(Poly &P) const;

  Kernel &K;
  AxisId X;
  AtomId Flat;
  Poly D, Start;
  Poly FirstRow, Row, Column;

private:
  bool matchAtom(AtomId Id);
  bool isDirect(const Atom &A) const {
    return (A.K == Atom::FloorDiv || A.K == Atom::Mod) &&
           K.isFixed(A.Num - Poly::atom(Flat)) && K.isFixed(A.Den);
  }
  Poly getNew(const Atom &A) const;

  /// The atoms in which the axis hides, each behind those that it is made of.
  SmallVector<AtomId, 4> Parts;
};

} // namespace

/// The part \p Id, and those that it is made of.
bool FlatAxis::matchAtom(AtomId Id) {
  if (Id == Flat || is_contained(Parts, Id) || !K.dependsOn(Poly::atom(Id), X))
    return true;
  const Atom &A = K.Atoms[Id];
  if (isDirect(A)) {
    Poly Before = A.Num - Poly::atom(Flat);
    bool First = D.isZero();
    if (!First && Start != Before)
      return false;
    // The smallest divisor is that of the columns.
    if (First || D.divideExactly(A.Den))
      D = A.Den;
    else if (!A.Den.divideExactly(D))
      return false;
    Start = Before;
  } else if ((A.K != Atom::FloorDiv && A.K != Atom::Mod) || !K.isFixed(A.Den) ||
             A.Num.uses(Flat) ||
             A.Num.anyAtom([&](AtomId Part) { return !matchAtom(Part); })) {
    return false;
  }
  Parts.push_back(Id);
  return true;
}

bool FlatAxis::match(Node &N) {
  bool Ok = true;
  auto Visit = [&](Poly &P) {
    Ok = Ok && !P.anyAtom([&](AtomId Id) { return !matchAtom(Id); });
  };
  forEachPolyBelow(K, N, Visit);
  bool IsUsed = !Parts.empty();
  for (Need &Old : K.Needs)
    Visit(Old.P);
  return Ok && IsUsed;
}

/// What \p A, one of the parts, is of the row and the column.
Poly FlatAxis::getNew(const Atom &A) const {
  bool IsDiv = A.K == Atom::FloorDiv;
  Poly Num = A.Num, Den = A.Den;
  Poly R = FirstRow + Row;
  if (!isDirect(A)) {
    rewrite(Num);
    return Poly::atom(IsDiv ? K.getFloorDivAtom(Num, Den)
                            : K.getModAtom(Num, Den));
  }
  if (Den == D)
    return IsDiv ? R : Column;
  Poly Rows = *Den.divideExactly(D);
  return IsDiv ? Poly::atom(K.getFloorDivAtom(R, Rows))
               : D * Poly::atom(K.getModAtom(R, Rows)) + Column;
}

void FlatAxis::rewrite(Poly &P) const {
  P = P.substitute(Flat, D * (FirstRow + Row) + Column - Start);
  for (AtomId Id : Parts)
    if (P.uses(Id)) {
      const Atom A = K.Atoms[Id];
      P = P.substitute(Id, getNew(A));
    }
}

bool dlopt::splitFlat(Kernel &K, Node &N) {
  if (N.K != Node::AxisNode || K.Axes[N.Ax].Extents.size() != 1)
    return false;
  AxisId X = N.Ax;
  const Poly Extent = K.Axes[X].Extents[0];
  FlatAxis F(K, X);
  if (!F.match(N) || !K.isFixed(Extent))
    return false;
  F.FirstRow = divideWhole(K, F.Start, F.D);
  Poly Rows = divideWhole(K, Extent, F.D);
  if (!F.Start.isZero())
    requireAtLeast(K, F.Start, 0);
  if (!Extent.divideExactly(F.D))
    requireAtLeast(K, Extent, 0);
  // Both axes are new: a quotient of rows would be taken for one of the flat
  // index if they had its atom.
  auto AddAxis = [&](const Poly &E, Loop *L) {
    Axis New = K.Axes[X];
    New.Extents.assign(1, E);
    New.L = L;
    K.Axes.push_back(std::move(New));
    return static_cast<AxisId>(K.Axes.size() - 1);
  };
  AxisId I = AddAxis(Rows, K.Axes[X].L), J = AddAxis(F.D, nullptr);
  F.Row = Poly::atom(K.getAxisAtom(I));
  F.Column = Poly::atom(K.getAxisAtom(J));
  auto Rewrite = [&](Poly &P) { F.rewrite(P); };
  forEachPolyBelow(K, N, Rewrite);
  for (Need &Old : K.Needs)
    Rewrite(Old.P);
  requireAtLeast(K, F.D, 1);
  auto Below = std::make_unique<Node>();
  Below->K = Node::AxisNode;
  Below->Ax = J;
  Below->Locals = std::move(N.Locals);
  Below->Children = std::move(N.Children);
  N.Ax = I;
  N.Locals.clear();
  N.Children.clear();
  N.Children.push_back(std::move(Below));
  return true;
}
