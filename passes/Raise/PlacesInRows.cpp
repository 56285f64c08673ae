//===- PlacesInRows.cpp - Labels that are places in their rows ------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The gradient of a cross-entropy is changed where the label of a row says:
///
///   for (i) { .. d[i * n + label[i]] -= 1; }
///
/// Any number could be loaded there, and then the element is of another row, or
/// of another array. Labels are from 0 to n - 1 as a rule, which a test of all
/// of them tells in the time of a column: then rows are apart from each other,
/// and what the arrays span is known.
///
//===----------------------------------------------------------------------===//
#include "dlopt/Dependences.h"
#include "dlopt/Guards.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Raise.h"

using namespace llvm;
using namespace dlopt;

/// The number that is loaded for \p Sub, if all else is numbers that take it
/// back to 0.
static std::optional<AtomId> getLoad(const Kernel &K, const Poly &Sub) {
  std::optional<AtomId> Load = (Sub - Poly(Sub.getConstantTerm())).getAtom();
  bool Is =
      Load && K.Atoms[*Load].K == Atom::Load && Sub.getConstantTerm() <= 0;
  return Is ? Load : std::nullopt;
}

/// Has what \p X is entered by be in the row that it is in.
static bool assumePlaces(Kernel &K, const Access &X) {
  bool Any = false;
  for (size_t I = 1; I < X.Subs.size(); ++I) {
    std::optional<AtomId> Load = getLoad(K, X.Subs[I]);
    std::optional<Poly> Row = X.Strides[I - 1].divideExactly(X.Strides[I]);
    if (!Load || !Row || !K.isFixed(*Row) || getLoadBounds(K, *Load))
      continue;
    const Access &Source = K.Atoms[*Load].Source;
    if (!getElementScan(K, Source.Buf, Source.offset()))
      continue;
    const int64_t Least = -X.Subs[I].getConstantTerm();
    Poly Most = *Row + Poly(Least - 1);
    needLoadBounds(K, *Load, {Least, std::move(Most)});
    Any = true;
  }
  return Any;
}

/// Whether a need speaks of numbers that are loaded. The source may test them
/// itself, and leave the loops where one is no place: what is behind that need
/// not exist.
static bool mayEndByLoads(const Kernel &K) {
  return any_of(K.Needs, [&](const Need &N) {
    return N.K == Need::InRange && K.anyNestedAtom(N.P, [](const Atom &A) {
      return A.K == Atom::Load;
    });
  });
}

bool dlopt::assumePlacesInRows(Kernel &K) {
  if (mayEndByLoads(K) && !DLOPT_PLANTED(PlacesReadUnreached))
    return false;
  bool Any = false;
  SmallVector<Access, 4> Entered;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId> Around) {
    // The test reads all of them, as the loops have to.
    if (!L.Domain.empty() || L.Predicate ||
        !all_of(Around, [&](AxisId A) { return K.hasFixedExtents(A); }))
      return;
    for (const Op &O : L.Ops)
      if (O.K == Op::Load && !K.Buffers[O.Acc.Buf].IsLocal)
        Entered.push_back(O.Acc);
    for (const Assign &A : L.Assigns)
      if (!K.Buffers[A.Target.Buf].IsLocal)
        Entered.push_back(A.Target);
  });
  for (const Access &X : Entered)
    Any |= assumePlaces(K, X);
  if (Any)
    computeRoles(K);
  return Any;
}
