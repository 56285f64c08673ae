//===- Numbers.cpp - let --------------------------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Step.h"
#include "dlopt/Compat.h"
#include "dlopt/KernelText.h"
#include "dlopt/ParseParts.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace dlopt;

/// The most that \p P may be, of either sign, where each size is at most
/// \p MostSize; UINT64_MAX: more than numbers have.
static uint64_t getMost(const Kernel &K, const Poly &P, uint64_t MostSize) {
  uint64_t Sum = 0;
  for (const auto &[Product, Coef] : P.terms()) {
    uint64_t Most = Coef < 0 ? uint64_t(0) - uint64_t(Coef) : uint64_t(Coef);
    for (AtomId Id : Product) {
      const Atom &A = K.Atoms[Id];
      uint64_t Own = MostSize;
      if (A.K == Atom::FloorDiv || A.K == Atom::Mod)
        Own = SaturatingAdd(getMost(K, A.Num, MostSize),
                            getMost(K, A.Den, MostSize));
      else if (A.K == Atom::Param && K.Params[A.Ref].isComputed())
        Own = std::max(AbsoluteValue(K.Params[A.Ref].Least),
                       AbsoluteValue(K.Params[A.Ref].Most));
      Most = SaturatingMultiply(Most, Own);
    }
    Sum = SaturatingAdd(Sum, Most);
  }
  return Sum;
}

/// What a script compares is what sets take it for, as it does not wrap around:
/// sizes in it are small, which becomes a need.
bool Step::requireNoWrap(const Poly &P) {
  constexpr int64_t MostSize = (int64_t(1) << 29) - 1;
  if (getMost(K, P, MostSize) >= uint64_t(1) << 62)
    return fail("'" + KernelText(K).poly(P) + "' may wrap around");
  SmallVector<ParamId, 4> Sizes;
  K.anyNestedAtom(P, [&](const Atom &A) {
    if (A.K == Atom::Param && !K.Params[A.Ref].isComputed())
      Sizes.push_back(A.Ref);
    return false;
  });
  for (ParamId Id : Sizes) {
    Need Small;
    Small.K = Need::InRange;
    Small.P = Poly::atom(K.getParamAtom(Id));
    Small.Lo = -MostSize;
    Small.Hi = MostSize;
    addNeed(K, std::move(Small));
  }
  return false;
}

bool Step::refuseTakenNumber(StringRef Name) {
  bool IsTaken =
      any_of(K.Params, [&](const Param &P) { return P.Name == Name; }) ||
      any_of(K.Buffers, [&](const Buffer &B) { return B.Name == Name; });
  return IsTaken &&
         fail("expected a new name, '" + Name + "' is there already");
}

/// let kc = 8 where %M <= 2 else 256 [in 8..256]: a number that is computed
/// before the kernel runs. What it is at least and at most has to be certain.
bool Step::let() {
  StringRef Name, Sign;
  Param P;
  if (takeNewName(Name) || takeWord(Sign, "'='") ||
      (Sign != "=" && fail("expected '=', got '" + Sign + "'")))
    return true;
  P.Name = Name.str();
  if (refuseTakenNumber(Name))
    return true;
  auto [Text, Range] = Rest.rsplit(" in ");
  Rest = Text;
  Expected<SmallVector<NumberCase, 0>> Cases = parseCases(K, Rest);
  if (!Cases)
    return fail("'" + Rest + "': " + toString(Cases.takeError()));
  P.Cases = std::move(*Cases);
  Rest = "";
  P.Least = INT64_MAX;
  P.Most = INT64_MIN;
  if (!Range.empty()) {
    auto [First, Last] = Range.trim().split("..");
    if (First.getAsInteger(10, P.Least) || Last.getAsInteger(10, P.Most) ||
        P.Least > P.Most)
      return fail("expected a range such as 1..256, got '" + Range + "'");
  }
  Dependences D(K);
  for (const NumberCase &C : P.Cases) {
    SmallVector<Poly, 4> All = {C.Value};
    for (const Constraint &If : C.Where)
      All.push_back(If.P);
    if (refuseUnsafe(All) ||
        any_of(All, [&](const Poly &Each) { return requireNoWrap(Each); }))
      return true;
    std::optional<int64_t> Value = C.Value.getConstant();
    if (Range.empty() && !Value)
      return fail(
          "expected a range behind 'in', as not all values are numbers");
    if (Range.empty()) {
      P.Least = std::min(P.Least, *Value);
      P.Most = std::max(P.Most, *Value);
    } else if (!DLOPT_PLANTED(NumberRangeUnasked) &&
               (!D.isAtLeastZero(C.Value - Poly(P.Least), {}, C.Where) ||
                !D.isAtLeastZero(Poly(P.Most) - C.Value, {}, C.Where))) {
      return fail("'" + KernelText(K).poly(C.Value) + "' is not certainly " +
                  Twine(P.Least) + " to " + Twine(P.Most));
    }
  }
  K.Params.push_back(std::move(P));
  return false;
}
