//===- AlgebraFunctions.cpp - Expressions: functions and reductions -------===//
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
