//===- Numbers.cpp - let --------------------------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Step.h"
#include "dlopt/KernelText.h"
#include "dlopt/ParseParts.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace dlopt;

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
    if (refuseUnsafe(All))
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
