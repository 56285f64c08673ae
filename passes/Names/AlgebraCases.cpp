//===- AlgebraCases.cpp - Conditions, maxima and choices ------------------===//
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

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

std::optional<uint32_t> Algebra::findCondition(ExprId E) const {
  for (const Term &T : terms(E))
    for (const Factor &F : T.Factors)
      if (const SymbolicAtom &A = atom(F.Atom);
          !A.Carries &&
          (A.K == SymbolicAtom::Greater || A.K == SymbolicAtom::Equal))
        return F.Atom;
  return std::nullopt;
}

/// \p E where \p Condition holds, or where it does not.
ExprId Algebra::decide(ExprId E, uint32_t Condition, bool Holds) {
  const SymbolicAtom &C = atom(Condition);
  auto Implied = [&](uint32_t Id) -> std::optional<bool> {
    const SymbolicAtom &A = atom(Id);
    if (Id == Condition)
      return Holds;
    if (A.Args != C.Args)
      return std::nullopt;
    if (C.K == SymbolicAtom::Equal && Holds)
      return A.K == SymbolicAtom::Greater ? std::optional(C.Bound > A.Bound)
             : A.K == SymbolicAtom::Equal ? std::optional(false)
                                          : std::nullopt;
    if (A.K != SymbolicAtom::Greater || C.K != A.K)
      return std::nullopt;
    if (Holds && A.Bound <= C.Bound)
      return true;
    if (!Holds && A.Bound >= C.Bound)
      return false;
    return std::nullopt;
  };
  Terms R;
  for (Term T : terms(E)) {
    bool Vanishes = false;
    erase_if(T.Factors, [&](const Factor &F) {
      std::optional<bool> Is = Implied(F.Atom);
      Vanishes |= Is && !*Is;
      return Is.has_value();
    });
    if (!Vanishes)
      R.push_back(std::move(T));
  }
  return intern(std::move(R));
}

std::optional<ExprId>
Algebra::splitCases(ArrayRef<ExprId> Args,
                    function_ref<ExprId(ArrayRef<ExprId>)> F) {
  for (ExprId E : Args)
    if (carries(E))
      return std::nullopt;
  for (ExprId E : Args) {
    std::optional<uint32_t> C = findCondition(E);
    if (!C)
      continue;
    SmallVector<ExprId, 2> If, Else;
    for (ExprId Arg : Args) {
      If.push_back(decide(Arg, *C, true));
      Else.push_back(decide(Arg, *C, false));
    }
    constexpr unsigned MaxDepth = 60;
    if (Failed || Depth > MaxDepth)
      return fail();
    ++Depth;
    ExprId A = F(If), B = F(Else);
    --Depth;
    return add(B, mul(ofAtom(*C), sub(A, B)));
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Conditions and maxima
//===----------------------------------------------------------------------===//

std::optional<double> Algebra::getInfinite(ExprId E) const {
  std::optional<double> Coef;
  for (const Term &T : terms(E))
    for (const Factor &F : T.Factors)
      if (atom(F.Atom).K == SymbolicAtom::Infinity) {
        if (Coef || T.Factors.size() > 1)
          return std::nullopt;
        Coef = T.Coef;
      }
  return Coef;
}

/// The constant of the sum \p Of, whose other terms are added to \p Rest.
static double takeConstant(const Terms &Of, Terms &Rest) {
  double Constant = 0;
  for (const Term &T : Of)
    if (T.Factors.empty())
      Constant = T.Coef;
    else
      Rest.push_back(T);
  return Constant;
}

ExprId Algebra::positive(ExprId E) {
  if (auto R =
          splitCases(E, [&](ArrayRef<ExprId> In) { return positive(In[0]); }))
    return *R;
  if (std::optional<double> Infinite = getInfinite(E))
    return constant(*Infinite > 0 ? 1 : 0);
  if (int Sign = getSign(E))
    return constant(Sign > 0 ? 1 : 0);
  Terms Rest;
  double Constant = takeConstant(terms(E), Rest);
  if (Rest.empty())
    return constant(0);
  double Lead = Rest.back().Coef;
  for (Term &T : Rest)
    T.Coef /= Lead;
  double Bound = snap(-Constant / Lead);
  ExprId Of = intern(std::move(Rest));
  // exp(x) > b is x > log(b).
  const Terms &T = terms(Of);
  if (T.size() == 1 && T[0].Factors.size() == 1 && T[0].Factors[0].Power == 1)
    if (const SymbolicAtom &A = atom(T[0].Factors[0].Atom);
        A.K == SymbolicAtom::Call && A.Name == "exp") {
      ExprId Above = Bound <= 0
                         ? constant(1)
                         : positive(sub(A.Args[0], constant(std::log(Bound))));
      return Lead > 0 ? Above : negate(Above);
    }
  SymbolicAtom A;
  A.K = SymbolicAtom::Greater;
  A.Args = {Of};
  A.Bound = Bound;
  ExprId Above = of(std::move(A));
  return Lead > 0 ? Above : negate(Above);
}

ExprId Algebra::isZero(ExprId E) {
  Terms Rest;
  double Constant = takeConstant(terms(E), Rest);
  if (Rest.empty())
    return constant(Constant == 0);
  double Lead = Rest.back().Coef;
  for (Term &T : Rest)
    T.Coef /= Lead;
  SymbolicAtom A;
  A.K = SymbolicAtom::Equal;
  A.Args = {intern(std::move(Rest))};
  A.Bound = -Constant / Lead;
  return of(std::move(A));
}

ExprId Algebra::max(ExprId A, ExprId B) {
  if (A == B)
    return A;
  if (B == scale(A, -1) && !carries(A))
    return abs(A);
  if (auto R = splitCases(
          {A, B}, [&](ArrayRef<ExprId> In) { return max(In[0], In[1]); }))
    return *R;
  ExprId Difference = sub(A, B);
  if (int Sign = getSignOfVariance(Difference))
    return Sign > 0 ? A : B;
  // One term and a constant: two pieces. Indices are cut off there.
  if (!carries(Difference) && !isOfIndices(Difference)) {
    const Terms &T = terms(Difference);
    bool TwoPieces = T.size() < 2 || (T.size() == 2 && T[0].Factors.empty()) ||
                     getInfinite(Difference);
    if (TwoPieces)
      return add(B, mul(positive(Difference), Difference));
  }
  SymbolicAtom M;
  M.K = SymbolicAtom::Max;
  for (ExprId E : {A, B}) {
    const SymbolicAtom *Inner = getAtom(E);
    if (Inner && Inner->K == SymbolicAtom::Max)
      append_range(M.Args, Inner->Args);
    else
      M.Args.push_back(E);
  }
  llvm::sort(M.Args);
  M.Args.erase(llvm::unique(M.Args), M.Args.end());
  return of(std::move(M));
}

ExprId Algebra::min(ExprId A, ExprId B) {
  return scale(max(scale(A, -1), scale(B, -1)), -1);
}

ExprId Algebra::abs(ExprId A) {
  return mul(A, sub(scale(positive(A), 2), constant(1)));
}

/// x > b ? min(x, c) : b, or x < b ? max(x, c) : b, with c behind b. Of
/// parameters nobody would have it otherwise.
std::optional<ExprId> Algebra::selectCut(ExprId C, ExprId A, ExprId B) {
  if (!isNumber(B))
    return std::nullopt;
  std::optional<double> End = getConstant(B);
  for (double Sign : {1.0, -1.0}) {
    const SymbolicAtom *Cut = getAtom(scale(A, -Sign));
    if (!Cut || Cut->K != SymbolicAtom::Max || Cut->Args.size() != 2)
      continue;
    for (unsigned I : {0, 1}) {
      std::optional<double> Other = getConstant(Cut->Args[I]);
      ExprId X = scale(Cut->Args[1 - I], -Sign);
      bool IsBehind = End && Other ? -*Other >= Sign * *End
                                   : !End && isNumber(Cut->Args[I]);
      if (IsBehind && !isNumber(X) && C == positive(scale(sub(X, B), Sign)))
        return Sign > 0 ? max(A, B) : min(A, B);
    }
  }
  return std::nullopt;
}

/// a > b ? a : b, also behind another condition, and the other way round.
std::optional<ExprId> Algebra::selectExtremum(ExprId C, ExprId A, ExprId B) {
  ExprId Difference = sub(A, B);
  ExprId IsGreater = positive(Difference),
         IsLess = positive(scale(Difference, -1));
  if (C == IsGreater)
    return max(A, B);
  if (C == IsLess)
    return min(A, B);
  for (ExprId Is : {IsGreater, IsLess}) {
    std::optional<uint32_t> Condition = findCondition(Is);
    if (!Condition)
      continue;
    bool Holds = Is == ofAtom(*Condition);
    if (!Holds && Is != negate(ofAtom(*Condition)))
      continue;
    // Both conditions hold, or what is chosen is b.
    ExprId Other = decide(C, *Condition, Holds);
    if (Other != C && getConstant(decide(C, *Condition, !Holds)) == 0.0)
      return add(B,
                 mul(Other, sub(Is == IsGreater ? max(A, B) : min(A, B), B)));
  }
  return std::nullopt;
}

ExprId Algebra::select(ExprId C, ExprId A, ExprId B) {
  // Each of them may have been chosen by the same condition.
  if (std::optional<uint32_t> Of = findCondition(C)) {
    bool Holds = C == ofAtom(*Of);
    if (Holds || C == negate(ofAtom(*Of))) {
      A = decide(A, *Of, Holds);
      B = decide(B, *Of, !Holds);
    }
  }
  if (A == B)
    return A;
  ExprId Difference = sub(A, B);
  if (getConstant(Difference) || getConstant(C))
    return add(B, mul(C, Difference));
  if (std::optional<ExprId> Extremum = selectExtremum(C, A, B))
    return *Extremum;
  if (std::optional<ExprId> Cut = selectCut(C, A, B))
    return *Cut;
  if (std::optional<ExprId> Cut = selectCut(negate(C), B, A))
    return *Cut;
  ExprId R = add(B, mul(C, Difference));
  return carries(R) ? R : selectAgain(R, C);
}

/// \p R by one condition of \p Of behind the other: a chain of choices whose
/// conditions say that no other one holds.
ExprId Algebra::selectAgain(ExprId R, ExprId Of) {
  SmallVector<uint32_t, 2> Conditions;
  for (const Term &T : terms(Of))
    for (const Factor &F : T.Factors)
      if (!is_contained(Conditions, F.Atom))
        Conditions.push_back(F.Atom);
  if (Conditions.size() != 2)
    return R;
  for (unsigned I : {0, 1}) {
    uint32_t First = Conditions[I], Second = Conditions[1 - I];
    auto Choose = [&](ExprId In) {
      return select(ofAtom(Second), decide(In, Second, true),
                    decide(In, Second, false));
    };
    ExprId Again = select(ofAtom(First), Choose(decide(R, First, true)),
                          Choose(decide(R, First, false)));
    if (terms(Again).size() < terms(R).size())
      return Again;
  }
  return R;
}
