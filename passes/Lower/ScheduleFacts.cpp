//===- ScheduleFacts.cpp - What is known where code is made ---------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ScheduleFacts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace dlopt {

bool hasLoads(const Kernel &K, const Poly &P) {
  return K.anyNestedAtom(P, [](const Atom &A) { return A.K == Atom::Load; });
}

/// What needs say of one parameter.
static void addParamRanges(const Kernel &K,
                           MutableArrayRef<NumberRange> Ranges) {
  for (const Need &N : K.Needs) {
    if (N.K != Need::InRange || N.P.terms().empty())
      continue;
    const Poly Own = N.P - Poly(N.P.getConstantTerm());
    std::optional<AtomId> Id = Own.getAtom();
    int64_t Least = 0;
    if (!Id || K.Atoms[*Id].K != Atom::Param ||
        SubOverflow(N.Lo, N.P.getConstantTerm(), Least))
      continue;
    if (DLOPT_PLANTED(ParamRangeOff))
      ++Least;
    std::optional<int64_t> &Known = Ranges[K.Atoms[*Id].Ref].Least;
    Known = std::max(Known.value_or(Least), Least);
  }
}

ScheduleFacts::ScheduleFacts(const Kernel &K)
    : K(K), Axes(K.Axes.size()), Sizes(K.Axes.size()), Params(K.Params.size()) {
  addParamRanges(K, Params);
  for (auto [Range, P] : zip(Params, K.Params))
    if (P.isComputed() && P.Least != INT64_MIN && P.Most != INT64_MAX)
      Range = {P.Least, P.Most};
}

Poly ScheduleFacts::fold(const Poly &P) const {
  Poly Result = P;
  P.anyAtom([&](AtomId Id) {
    NumberRange Range = getRangeOfAtom(Id);
    if (std::optional<int64_t> Number = Range.getNumber())
      Result = Result.substitute(Id, Poly(*Number));
    else if (Range.TimesVL)
      Result =
          Result.substitute(Id, K.getPoly({*Range.TimesVL, /*Scalable=*/true}));
    return false;
  });
  return Result;
}

NumberRange ScheduleFacts::getRangeOfAtom(AtomId Id) const {
  const Atom &A = K.Atoms[Id];
  switch (A.K) {
  case Atom::Axis:
    return Axes[A.Ref];
  case Atom::Size:
    return Sizes[A.Ref];
  case Atom::Param:
    return Params[A.Ref];
  case Atom::VL:
    return {LeastVL, MostVL};
  case Atom::Load:
    return {};
  case Atom::FloorDiv:
  case Atom::Mod:
    break;
  }
  std::optional<int64_t> Num = getNumber(A.Num), Den = getNumber(A.Den);
  if (!Den || *Den <= 0)
    return {};
  if (!Num)
    return A.K == Atom::Mod ? NumberRange{0, *Den - 1} : NumberRange();
  int64_t Quotient = divideFloorSigned(*Num, *Den);
  return NumberRange::of(A.K == Atom::FloorDiv ? Quotient
                                               : *Num - Quotient * *Den);
}

/// Adds \p Factor times \p X to \p Sum, which becomes unknown if that is or
/// does not fit.
static void addTimes(std::optional<int64_t> &Sum, int64_t Factor,
                     std::optional<int64_t> X) {
  int64_t Product = 0, Result = 0;
  if (!Sum || !X || MulOverflow(Factor, *X, Product) ||
      AddOverflow(*Sum, Product, Result))
    Sum.reset();
  else
    Sum = Result;
}

NumberRange ScheduleFacts::getRange(const Poly &P) const {
  Poly Folded = fold(P);
  NumberRange Sum = NumberRange::of(Folded.getConstantTerm());
  for (const auto &[Product, Factor] : Folded.terms()) {
    if (Product.empty())
      continue;
    NumberRange X;
    if (Product.size() == 1)
      X = getRangeOfAtom(Product.front());
    addTimes(Sum.Least, Factor, Factor > 0 ? X.Least : X.Most);
    addTimes(Sum.Most, Factor, Factor > 0 ? X.Most : X.Least);
  }
  return Sum;
}

NumberRange ScheduleFacts::getRangeOfMin(ArrayRef<Poly> Extents) const {
  NumberRange Result = getRange(Extents.front());
  for (const Poly &P : Extents.drop_front()) {
    NumberRange X = getRange(P);
    if (X.Most && (!Result.Most || *X.Most < *Result.Most))
      Result.Most = X.Most;
    if (!X.Least || (Result.Least && *X.Least < *Result.Least))
      Result.Least = X.Least;
  }
  return Result;
}

NumberRange ScheduleFacts::getRangeOfMax(ArrayRef<Poly> Begins) const {
  if (Begins.empty())
    return NumberRange::of(0);
  NumberRange Result = getRange(Begins.front());
  for (const Poly &P : Begins.drop_front()) {
    NumberRange X = getRange(P);
    if (X.Least && (!Result.Least || *X.Least > *Result.Least))
      Result.Least = X.Least;
    if (!X.Most || (Result.Most && *X.Most > *Result.Most))
      Result.Most = X.Most;
  }
  return Result;
}

/// Whether \p P >= 0 is known to hold.
bool ScheduleFacts::isKnown(const Poly &P) const {
  NumberRange Range = getRange(P);
  if (Range.Least && *Range.Least >= 0)
    return true;
  Poly Folded = fold(P);
  return any_of(Facts, [&](const Poly &Fact) {
    NumberRange Above = getRange(Folded - fold(Fact));
    return Above.Least && *Above.Least >= 0;
  });
}

std::optional<bool> ScheduleFacts::holds(const Constraint &C) const {
  Poly P = fold(C.P), Minus = Poly() - P;
  if (std::optional<int64_t> Number = P.getConstant())
    return C.IsEquality ? *Number == 0 : *Number >= 0;
  if (isKnown(Minus - 1) || (C.IsEquality && isKnown(P - 1)))
    return false;
  if (isKnown(P) && (!C.IsEquality || isKnown(Minus)))
    return true;
  return std::nullopt;
}

void ScheduleFacts::add(const Poly &P) {
  if (!hasLoads(K, P))
    Facts.push_back(P);
}

void ScheduleFacts::add(const Constraint &C) {
  add(C.P);
  if (C.IsEquality)
    add(Poly() - C.P);
}

} // namespace dlopt
