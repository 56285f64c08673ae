//===- AlgebraDeciding.cpp - Expressions without their flags and ends -----===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Algebra.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;
using namespace dlopt;

bool Algebra::isNumber(ExprId E) const {
  bool Only = !deps(E);
  forEachAtom(E, [&](uint32_t Id) {
    SymbolicAtom::Kind Is = atom(Id).K;
    Only &= Is != SymbolicAtom::Load && Is != SymbolicAtom::Reduction &&
            Is != SymbolicAtom::Unknown && Is != SymbolicAtom::Carried;
  });
  return Only;
}

std::optional<ExprId> Algebra::withoutEnd(ExprId E, uint32_t Id,
                                          double Farthest) {
  const SymbolicAtom X = atom(Id);
  if (X.K == SymbolicAtom::Max && !X.Carries) {
    std::optional<ExprId> Inner;
    for (ExprId Arg : X.Args)
      if (!isNumber(Arg)) {
        if (Inner)
          return std::nullopt;
        Inner = Arg;
      }
    return Inner && !Farthest ? std::optional(replace(E, Id, *Inner))
                              : std::nullopt;
  }
  if (X.K != SymbolicAtom::Greater || X.Carries || std::abs(X.Bound) < Farthest)
    return std::nullopt;
  // Both ways are one number there, where other ends are decided.
  ExprId There = E;
  forEachAtom(E, [&](uint32_t Other) {
    const SymbolicAtom &Y = atom(Other);
    if (Other != Id && Y.K == X.K && Y.Args == X.Args)
      There = assume(There, Other, Y.Bound < X.Bound);
  });
  ExprId Above = assume(There, Id, true), Below = assume(There, Id, false);
  std::optional<ExprId> Inner = decideByLoads(E, Id, std::nullopt);
  std::optional<uint32_t> Element;
  forEachAtom(X.Args[0], [&](uint32_t Of) {
    if (atom(Of).K == SymbolicAtom::Load)
      Element = Of;
  });
  ExprId Factor, Rest;
  if (!Inner || !Element ||
      !splitLinear(sub(X.Args[0], constant(X.Bound)), ofAtom(*Element), Factor,
                   Rest))
    return std::nullopt;
  ExprId End = scale(div(Rest, Factor), -1);
  return replace(Above, *Element, End) == replace(Below, *Element, End)
             ? Inner
             : std::nullopt;
}

ExprId Algebra::withoutEnds(ExprId E, double Farthest) {
  constexpr unsigned MaxEnds = 8;
  for (unsigned I = 0; I != MaxEnds && !Failed; ++I) {
    std::vector<uint32_t> Atoms;
    forEachAtom(E, [&](uint32_t Id) { Atoms.push_back(Id); });
    std::optional<ExprId> Inner;
    for (uint32_t Id : Atoms)
      if (!Inner)
        Inner = withoutEnd(E, Id, Farthest);
    if (!Inner)
      break;
    E = *Inner;
  }
  return E;
}

std::set<uint32_t> Algebra::getLoads(ExprId E,
                                     std::optional<ExprId> But) const {
  std::set<uint32_t> Loads;
  forEachAtom(E, [&](uint32_t Id) {
    bool IsOther = !But || terms(*But)[0].Factors[0].Atom != Id;
    if (atom(Id).K == SymbolicAtom::Load && IsOther)
      Loads.insert(Id);
  });
  return Loads;
}

std::optional<ExprId> Algebra::decideNumber(ExprId X, ExprId Y) {
  if (!getLoads(X, {}).empty() || !getLoads(Y, {}).empty())
    return std::nullopt;
  if (getConstant(X) || getConstant(Y))
    return getConstant(X) && getConstant(Y) ? std::nullopt
           : getConstant(X)                 ? std::optional(Y)
                                            : std::optional(X);
  auto IsOfSizes = [&](ExprId E) { return isOfIndices(E) || isNumber(E); };
  if (!IsOfSizes(X) || !IsOfSizes(Y))
    return std::nullopt;
  for (bool ByEnds : {false, true})
    for (bool OtherByEnds : {false, true})
      if (replaceClamps(X, ByEnds) == replaceClamps(Y, OtherByEnds))
        return X;
  return std::nullopt;
}

std::optional<ExprId> Algebra::decideByMore(ExprId X, ExprId Y,
                                            std::optional<ExprId> Old) {
  std::set<uint32_t> Loads = getLoads(X, Old);
  if (Loads.empty() || Loads != getLoads(Y, Old))
    return std::nullopt;
  if (countAtoms(X) < countAtoms(Y))
    std::swap(X, Y);
  // Added to what is there, or stored.
  if (Old && sub(X, Y) == *Old)
    return Y;
  if ((Old && sub(Y, X) == *Old) || withoutEnds(X) == withoutEnds(Y))
    return X;
  // A number of times the other one: what a mean is of a sum.
  for (const Term &T : Terms(terms(X)))
    if (ExprId Ratio = div(ofTerm(T.Factors, T.Coef),
                           ofTerm(terms(Y)[0].Factors, terms(Y)[0].Coef));
        !getConstant(Ratio) && isNumber(Ratio))
      return mul(Y, Ratio) == X ? std::optional(X) : std::nullopt;
  return std::nullopt;
}

ExprId Algebra::decideAlike(ExprId E, uint32_t Condition, ExprId Old) {
  std::vector<uint32_t> Others;
  forEachAtom(E, [&](uint32_t Id) {
    SymbolicAtom::Kind Is = atom(Id).K;
    if ((Is == SymbolicAtom::Greater || Is == SymbolicAtom::Equal) &&
        atom(Id).Args == atom(Condition).Args && Id != Condition)
      Others.push_back(Id);
  });
  for (uint32_t Id : Others)
    E = decideByLoads(E, Id, Old).value_or(E);
  return E;
}

std::optional<ExprId> Algebra::decideByLoads(ExprId E, uint32_t Condition,
                                             std::optional<ExprId> Old) {
  ExprId More = assume(E, Condition, true), Less = assume(E, Condition, false);
  std::set<uint32_t> OfMore = getLoads(More, Old), OfLess = getLoads(Less, Old);
  if (OfMore.size() < OfLess.size()) {
    std::swap(More, Less);
    std::swap(OfMore, OfLess);
  }
  if (OfMore == OfLess)
    return Old ? decideByMore(decideAlike(More, Condition, *Old),
                              decideAlike(Less, Condition, *Old), Old)
               : std::nullopt;
  // Each side may load something of its own: these are two formulas.
  if (!llvm::all_of(OfLess, [&](uint32_t Id) { return OfMore.count(Id); }))
    return std::nullopt;
  return More;
}

/// Whether the condition holds in all rounds of the axes that it is about.
bool Algebra::holdsInAllRounds(const SymbolicAtom &C) {
  ExprId Least = C.Args[0];
  for (AxisId Ax = 0; deps(Least) >> Ax; ++Ax) {
    if (!(deps(Least) >> Ax & 1) || K.Axes[Ax].Extents.size() != 1)
      continue;
    ExprId First = substitute(Least, Ax, Poly());
    ExprId Step = sub(substitute(Least, Ax, Poly(1)), First);
    std::optional<double> By = getConstant(Step);
    if (!By ||
        add(First, scale(integer(Poly::atom(K.getAxisAtom(Ax))), *By)) != Least)
      return false;
    Least = *By > 0 ? First
                    : substitute(Least, Ax, K.Axes[Ax].Extents[0] - Poly(1));
  }
  std::optional<double> V = getConstant(Least);
  return V && *V > C.Bound;
}

std::set<uint32_t> Algebra::getPlaces(ExprId E, ExprId Old) {
  std::set<uint32_t> Loads, Places;
  for (ExprId Of : {E, Old})
    forEachAtom(Of, [&](uint32_t Id) {
      if (atom(Id).K == SymbolicAtom::Load)
        Loads.insert(Id);
    });
  // What a loop stores may be of another round.
  const SymbolicAtom *Target = getAtom(Old);
  auto IsOther = [&](uint32_t Of) {
    return !Target || atom(Of).Ref != Target->Ref || ofAtom(Of) == Old;
  };
  for (uint32_t Place : Loads)
    for (uint32_t Of : make_filter_range(Loads, IsOther))
      if (K.anyNestedAtom(atom(Of).Index, [&](const Atom &X) {
            return X.K == Atom::Load && X.Source.Buf == atom(Place).Ref &&
                   X.Source.offset() == atom(Place).Index;
          }))
        Places.insert(Place);
  return Places;
}

ExprId Algebra::withoutFlags(ExprId E, ExprId Old) {
  std::vector<uint32_t> Conditions;
  std::set<uint32_t> Places = getPlaces(E, Old), OfPlaces;
  forEachAtom(E, [&](uint32_t Id) {
    const SymbolicAtom &X = atom(Id);
    if (X.K != SymbolicAtom::Greater && X.K != SymbolicAtom::Equal)
      return;
    bool IsOfNumbers = true, HasPlace = false;
    forEachAtom(X.Args[0], [&](uint32_t Inner) {
      HasPlace |= Places.count(Inner);
      IsOfNumbers &= atom(Inner).K == SymbolicAtom::Integer ||
                     atom(Inner).K == SymbolicAtom::Param ||
                     Places.count(Inner);
    });
    if (!IsOfNumbers)
      return;
    Conditions.push_back(Id);
    if (HasPlace)
      OfPlaces.insert(Id);
  });
  constexpr size_t MaxConditions = 8;
  if (Conditions.size() > MaxConditions)
    return E;
  for (uint32_t Id : Conditions) {
    if (Failed)
      break;
    const SymbolicAtom C = atom(Id);
    if (C.Deps == 0 || OfPlaces.count(Id))
      E = decideByLoads(E, Id, Old).value_or(E);
    else if (C.K == SymbolicAtom::Greater && holdsInAllRounds(C))
      E = assume(E, Id, true);
  }
  return E;
}
