//===- Sums.cpp - Copies over the values of sums --------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// stage %in l row 48 t=2*k+m = t: what a window of three reads by twos for 16
/// results is a row of 33 elements. The copy runs over these; everything that
/// it says, it says without m, which is t - 2*k, and k has to vanish with it.
///
//===----------------------------------------------------------------------===//
#include "Copy.h"
#include "dlopt/KernelText.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace dlopt;

/// Combinations of the bounds of a sum's axes.
static constexpr size_t MostBounds = 16;

/// Adds \p Factor times each of \p Terms to each of \p Sums.
static void addEach(SmallVectorImpl<Poly> &Sums, int64_t Factor,
                    ArrayRef<Poly> Terms) {
  SmallVector<Poly, 4> Before(Sums.begin(), Sums.end());
  Sums.clear();
  for (const Poly &Sum : Before)
    for (const Poly &Term : Terms)
      Sums.push_back(Sum + Poly(Factor) * Term);
}

/// From the least to the greatest value that \p Sum has where the axes \p Of
/// run, of which it is linear.
bool Step::boundSum(const Copy &C, const Poly &Sum, ArrayRef<Node *> Of,
                    Axis &New) {
  constexpr int64_t MostFactor = 1 << 20;
  Poly Others = Sum;
  for (Node *N : Of)
    Others = Others.without(K.getAxisAtom(N->Ax));
  SmallVector<Poly, 4> Least{Others}, Most{Others};
  for (Node *N : Of) {
    const Axis &A = axisOf(*N);
    std::optional<Poly> Coef = Sum.coefficient(K.getAxisAtom(N->Ax));
    std::optional<int64_t> Factor = Coef ? Coef->getConstant() : std::nullopt;
    if (!Factor || *Factor < -MostFactor || *Factor > MostFactor ||
        K.dependsOn(Others, N->Ax))
      return fail("'" + KernelText(K).poly(Sum) + "' is no sum of axes");
    if (A.Schedule.isBlocks())
      return fail("'" + A.Name + "' runs in blocks");
    if (refuseLoadedBounds(*N) || refuseUnsafe(A.Begins) ||
        refuseUnsafe(A.Extents))
      return true;
    auto IsLarge = [&](const Poly &P) { return requireSmall(C.path(), P); };
    if (any_of(A.Begins, IsLarge) || any_of(A.Extents, IsLarge))
      return true;
    SmallVector<Poly, 2> First(A.Begins.begin(), A.Begins.end()), Last;
    if (First.empty())
      First.push_back(Poly());
    for (const Poly &End : A.Extents)
      Last.push_back(End - Poly(1));
    addEach(Least, *Factor, *Factor > 0 ? First : Last);
    addEach(Most, *Factor, *Factor > 0 ? Last : First);
    if (Least.size() > MostBounds || Most.size() > MostBounds)
      return fail("'" + KernelText(K).poly(Sum) + "' has too many bounds");
  }
  if (Least.size() != 1 || !Least.front().isZero())
    New.Begins.assign(Least.begin(), Least.end());
  for (const Poly &P : Most)
    New.Extents.push_back(P + Poly(DLOPT_PLANTED(CopySumShort) ? 0 : 1));
  return false;
}

/// One axis of a copy, NAME=SUM.
bool Step::takeSum(Copy &C, StringRef Name, StringRef Text) {
  StringRef Left = std::exchange(Rest, Name);
  if (takeNewName(Name) || expectEnd())
    return true;
  Rest = Text;
  SmallVector<Poly, 1> Ps;
  if (takePolys(C.Served.Path, Ps))
    return true;
  Rest = Left;
  if (Ps.size() != 1)
    return fail("expected one sum, got '" + Text + "'");
  Copy::Sum S;
  S.Value = Ps.front();
  Poly Own = inCopy(C, S.Value);
  // Of these the copy knows nothing.
  SmallVector<Node *, 4> Of;
  for (Node *N : ArrayRef(C.Served.Path).drop_front(C.P.Path.size()))
    if (N->K == Node::AxisNode && !is_contained(C.Axes, N) &&
        K.dependsOn(Own, N->Ax))
      Of.push_back(N);
  Axis New;
  New.Name = Name.str();
  New.R = Role::Parallel;
  if (boundSum(C, Own, Of, New))
    return true;
  auto IsOne = [&](Node *N) {
    int64_t Factor = *Own.coefficient(K.getAxisAtom(N->Ax))->getConstant();
    return Factor == 1 || Factor == -1;
  };
  auto It = find_if(Of, IsOne);
  if (It == Of.end())
    return fail("'" + Text + "' has no axis that is not multiplied");
  AtomId One = K.getAxisAtom((*It)->Ax);
  int64_t Factor = *Own.coefficient(One)->getConstant();
  AxisId Id = addAxis(std::move(New));
  S.N = makeAxisNode(Id);
  S.Of = (*It)->Ax;
  S.By = Poly(Factor) * (Poly::atom(K.getAxisAtom(Id)) - Own.without(One));
  C.Axes.push_back(S.N.get());
  C.Sums.push_back(std::move(S));
  return false;
}

/// \p P of what is served, with the sums' axes.
Poly Step::inCopy(const Copy &C, Poly P) {
  for (const Copy::Sum &S : C.Sums)
    P = substituteAtoms(K, P, [&](const Atom &A) -> std::optional<Poly> {
      if (A.K == Atom::Axis && A.Ref == S.Of)
        return S.By;
      return std::nullopt;
    });
  return P;
}

/// \p P of the copy, without the sums' axes.
Poly Step::inServed(const Copy &C, Poly P) {
  for (const Copy::Sum &S : C.Sums)
    P = substituteAtoms(K, P, [&](const Atom &A) -> std::optional<Poly> {
      if (A.K == Atom::Axis && A.Ref == S.N->Ax)
        return S.Value;
      return std::nullopt;
    });
  return P;
}
