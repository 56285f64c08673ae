//===- AlgebraFunctions.cpp - Expressions: functions and cases ------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Algebra.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
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
    if (A.K != SymbolicAtom::Greater || C.K != A.K || A.Args != C.Args)
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

ExprId Algebra::positive(ExprId E) {
  if (auto R =
          splitCases(E, [&](ArrayRef<ExprId> In) { return positive(In[0]); }))
    return *R;
  if (std::optional<double> Infinite = getInfinite(E))
    return constant(*Infinite > 0 ? 1 : 0);
  if (int Sign = getSign(E))
    return constant(Sign > 0 ? 1 : 0);
  Terms Rest;
  double Constant = 0;
  for (const Term &T : terms(E))
    if (T.Factors.empty())
      Constant = T.Coef;
    else
      Rest.push_back(T);
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
  double Constant = 0;
  for (const Term &T : terms(E))
    if (T.Factors.empty())
      Constant = T.Coef;
    else
      Rest.push_back(T);
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

/// x > b ? min(x, c) : b, or x < b ? max(x, c) : b, with c behind b.
std::optional<ExprId> Algebra::selectCut(ExprId C, ExprId A, ExprId B) {
  std::optional<double> End = getConstant(B);
  if (!End)
    return std::nullopt;
  for (double Sign : {1.0, -1.0}) {
    const SymbolicAtom *Cut = getAtom(scale(A, -Sign));
    if (!Cut || Cut->K != SymbolicAtom::Max || Cut->Args.size() != 2)
      continue;
    for (unsigned I : {0, 1}) {
      std::optional<double> Other = getConstant(Cut->Args[I]);
      ExprId X = scale(Cut->Args[1 - I], -Sign);
      if (Other && -*Other >= Sign * *End &&
          C == positive(scale(sub(X, B), Sign)))
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
  return add(B, mul(C, Difference));
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

ExprId Algebra::exp(ExprId E) {
  if (auto R = splitCases(E, [&](ArrayRef<ExprId> In) { return exp(In[0]); }))
    return *R;
  ExprId R = constant(1);
  for (const Term &T : terms(E)) {
    if (T.Factors.empty()) {
      R = scale(R, std::exp(T.Coef));
      continue;
    }
    const SymbolicAtom &Only = atom(T.Factors[0].Atom);
    bool IsAtom = T.Factors.size() == 1 && T.Factors[0].Power == 1;
    if (IsAtom && Only.K == SymbolicAtom::Infinity) {
      if (T.Coef < 0)
        return constant(0);
      R = mul(R, ofAtom(T.Factors[0].Atom));
    } else if (IsAtom && Only.K == SymbolicAtom::Call && Only.Name == "log") {
      R = mul(R, pow(Only.Args[0], T.Coef));
    } else {
      SymbolicAtom A;
      A.K = SymbolicAtom::Call;
      A.Name = "exp";
      A.Args = {ofTerm(T.Factors, 1)};
      R = mul(R, ofTerm({{intern(std::move(A)), snap(T.Coef)}}, 1));
    }
  }
  return R;
}

ExprId Algebra::log(ExprId E) {
  if (auto R = splitCases(E, [&](ArrayRef<ExprId> In) { return log(In[0]); }))
    return *R;
  auto Of = [&](ExprId Arg) {
    SymbolicAtom A;
    A.K = SymbolicAtom::Call;
    A.Name = "log";
    A.Args = {Arg};
    return of(std::move(A));
  };
  if (terms(E).empty())
    return scale(infinity(), -1);
  Term Content = terms(E)[0];
  ExprId R = constant(0);
  if (terms(E).size() > 1) {
    ExprId Base = takeContent(E, Content);
    R = terms(Base).size() > 1 ? Of(Base) : log(Base);
  }
  if (Content.Coef < 0)
    return Of(E);
  R = add(R, constant(std::log(Content.Coef)));
  for (const Factor &F : Content.Factors) {
    const SymbolicAtom &A = atom(F.Atom);
    bool IsExp = A.K == SymbolicAtom::Call && A.Name == "exp";
    ExprId Base = A.K == SymbolicAtom::Sum ? A.Args[0] : ofAtom(F.Atom);
    R = add(R, scale(IsExp ? A.Args[0] : Of(Base), F.Power));
  }
  return R;
}

ExprId Algebra::sigmoid(ExprId E) {
  return pow(add(constant(1), exp(scale(E, -1))), -1);
}

ExprId Algebra::tanh(ExprId E) {
  return sub(scale(sigmoid(scale(E, 2)), 2), constant(1));
}

static bool isRounding(StringRef Name) {
  return is_contained({"round", "trunc", "floor", "ceil"}, Name);
}

ExprId Algebra::call(StringRef Name, ArrayRef<ExprId> Args) {
  enum Parity { None, Odd, Even };
  Parity P = StringSwitch<Parity>(Name)
                 .Case("erf", Odd)
                 .Case("sin", Odd)
                 .Case("tan", Odd)
                 .Case("asin", Odd)
                 .Case("atan", Odd)
                 .Case("round", Odd)
                 .Case("rint", Odd)
                 .Case("nearbyint", Odd)
                 .Case("roundeven", Odd)
                 .Case("sinh", Odd)
                 .Case("asinh", Odd)
                 .Case("atanh", Odd)
                 .Case("cbrt", Odd)
                 .Case("trunc", Odd)
                 .Case("cos", Even)
                 .Case("cosh", Even)
                 .Default(None);
  if (P != None && Args.size() == 1) {
    if (auto R = splitCases(
            Args, [&](ArrayRef<ExprId> In) { return call(Name, In); }))
      return *R;
    const Terms &T = terms(Args[0]);
    if (T.empty())
      return constant(P == Odd ? 0 : 1);
    if (T.back().Coef < 0)
      return scale(call(Name, scale(Args[0], -1)), P == Odd ? -1 : 1);
  }
  if (isRounding(Name) && isWhole(Args[0]))
    return Args[0];
  SymbolicAtom A;
  A.K = SymbolicAtom::Call;
  A.Name = Name.str();
  A.Args.append(Args.begin(), Args.end());
  return of(std::move(A));
}

bool Algebra::isWhole(ExprId E) const {
  return all_of(terms(E), [&](const Term &T) {
    return T.Coef == std::round(T.Coef) &&
           all_of(T.Factors, [&](const Factor &F) {
             const SymbolicAtom &X = atom(F.Atom);
             bool IsMax =
                 X.K == SymbolicAtom::Max &&
                 all_of(X.Args, [&](ExprId Arg) { return isWhole(Arg); });
             return F.Power > 0 &&
                    (IsMax || X.K == SymbolicAtom::Integer ||
                     X.K == SymbolicAtom::Greater ||
                     X.K == SymbolicAtom::Equal ||
                     (X.K == SymbolicAtom::Call && isRounding(X.Name)));
           });
  });
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

ExprId Algebra::count(AxisSet Axes) {
  ExprId N = constant(1);
  for (AxisId A = 0; A < K.Axes.size(); ++A)
    if (Axes >> A & 1) {
      ExprId Extent = integer(K.Axes[A].Extents[0]);
      for (const Poly &P : drop_begin(K.Axes[A].Extents))
        Extent = min(Extent, integer(P));
      N = mul(N, Extent);
    }
  return N;
}

ExprId Algebra::mean(AxisSet Axes, ExprId E) {
  ExprId Sum = constant(0);
  for (const Term &T : terms(E)) {
    Factors Fixed, Moving;
    AxisSet Over = 0;
    for (const Factor &F : T.Factors)
      if (AxisSet Deps = atom(F.Atom).Deps & Axes) {
        Moving.push_back(F);
        Over |= Deps;
      } else {
        Fixed.push_back(F);
      }
    ExprId Value = ofTerm(Fixed, T.Coef);
    // What does not move along an axis is outside of the mean over that.
    for (AxisId Ax = 0; Over >> Ax; ++Ax) {
      AxisSet Own = AxisSet(1) << Ax;
      Factors Inner;
      for (const Factor &F : Moving)
        if (atom(F.Atom).Deps & Own)
          Inner.push_back(F);
      if (!(Over & Own) || Over == Own || Inner.empty() ||
          Inner.size() == Moving.size())
        continue;
      Factors Outer;
      for (const Factor &F : Moving)
        if (!(atom(F.Atom).Deps & Own))
          Outer.push_back(F);
      ExprId Whole = mul(ofTerm(Outer, 1), mean(Own, ofTerm(Inner, 1)));
      Value = mul(Value, mean(Over & ~Own, Whole));
      Moving.clear();
      break;
    }
    if (!Moving.empty()) {
      SymbolicAtom A;
      A.K = SymbolicAtom::Reduction;
      A.How = Reduce::Mean;
      A.Axes = Over;
      A.Args = {ofTerm(Moving, 1)};
      // The mean of means.
      const SymbolicAtom *Inner = getAtom(A.Args[0]);
      bool IsMean = Inner && Inner->K == A.K && Inner->How == A.How;
      Value = mul(Value, IsMean ? mean(A.Axes | Inner->Axes, Inner->Args[0])
                                : of(std::move(A)));
    }
    Sum = add(Sum, Value);
  }
  return Sum;
}

ExprId Algebra::scan(AxisId Ax, ExprId E) {
  ExprId Sum = constant(0);
  for (const Term &T : terms(E)) {
    Factors Fixed, Moving;
    for (const Factor &F : T.Factors)
      (atom(F.Atom).Deps >> Ax & 1 ? Moving : Fixed).push_back(F);
    ExprId Each = ofTerm(Moving, 1);
    SymbolicAtom A;
    A.K = SymbolicAtom::Reduction;
    A.How = Reduce::Scan;
    A.Ref = Ax;
    A.Args = {Each};
    ExprId Rounds = add(integer(Poly::atom(K.getAxisAtom(Ax))), constant(1));
    ExprId All = Moving.empty() ? Rounds : of(std::move(A));
    Sum = add(Sum, mul(ofTerm(Fixed, T.Coef), All));
  }
  return Sum;
}

ExprId Algebra::reduce(Reduce How, AxisSet Axes, ExprId E) {
  if (How == Reduce::Mean)
    return mean(Axes, E);
  AxisSet Over = deps(E) & Axes;
  if (!Over)
    return How == Reduce::Max ? E : unknown(deps(E));
  if (How == Reduce::Max && terms(E).size() == 1 && terms(E)[0].Coef > 0 &&
      terms(E)[0].Coef != 1) {
    double Coef = terms(E)[0].Coef;
    return scale(reduce(How, Axes, scale(E, 1 / Coef)), Coef);
  }
  SymbolicAtom A;
  A.K = SymbolicAtom::Reduction;
  A.How = How;
  A.Axes = How == Reduce::Max ? Over : Axes;
  A.Args = {E};
  const SymbolicAtom *Inner = getAtom(E);
  if (How != Reduce::ArgMax && Inner && Inner->K == A.K &&
      Inner->How == A.How) {
    A.Args = Inner->Args;
    A.Axes |= Inner->Axes;
  }
  return of(std::move(A));
}
