//===- PatternSampler.cpp - Values of formulas at random points -----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Pattern.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace llvm;
using namespace dlopt;

namespace dlopt {

class PatternSampler {
public:
  PatternSampler(const Pattern &P, Algebra &A, Sampler &S, const Binding &B)
      : P(P), A(A), S(S), B(B) {}
  double getValue(SamplePoint At) { return getValue(P.Nodes.back(), At); }

private:
  double getValue(const Pattern::Node &N, SamplePoint At);
  double getReduction(const Pattern::Node &N, SamplePoint At);
  double getFunction(StringRef Name, ArrayRef<double> X, SamplePoint At);
  double getInverseRoot(double V, SamplePoint At);
  double getLetter(char Letter, SamplePoint At) {
    auto Found = B.Letters.find(Letter);
    return Found == B.Letters.end() ? 0 : S.getValue(Found->second, At);
  }

  const Pattern &P;
  Algebra &A;
  Sampler &S;
  const Binding &B;
};

} // namespace dlopt

/// As the forms that Pattern gives it.
double PatternSampler::getInverseRoot(double V, SamplePoint At) {
  double E = getLetter('e', At);
  switch (B.Root) {
  case 0:
    return 1 / std::sqrt(V + E);
  case 1:
    return 1 / std::sqrt(V);
  case 2:
    return 1 / (std::sqrt(V) + E);
  case 3:
    return 1 / std::sqrt(std::max(V, E));
  default:
    return 1 / std::max(std::sqrt(V), E);
  }
}

double PatternSampler::getReduction(const Pattern::Node &N, SamplePoint At) {
  double Sign = N.Name == "bottom" || N.Name == "argmin" ? -1 : 1;
  Reduce How = StringSwitch<Reduce>(N.Name)
                   .Case("top", Reduce::Max)
                   .Case("bottom", Reduce::Max)
                   .Case("argmax", Reduce::ArgMax)
                   .Case("argmin", Reduce::ArgMax)
                   .Case("product", Reduce::Product)
                   .Default(Reduce::Mean);
  AxisSet Axes = N.Name == "batch" ? B.Outside : B.Row;
  const Pattern::Node &Arg = P.Nodes[N.Args[0]];
  if (N.Name == "cumsum")
    return Axes ? Sampler::scan(
                      countr_zero(Axes), At,
                      [&](SamplePoint Round) { return getValue(Arg, Round); })
                : 0;
  double Mean = 0;
  if (N.Name == "var")
    Mean = Sampler::reduce(
        How, Axes, At, [&](SamplePoint Round) { return getValue(Arg, Round); });
  double V = Sampler::reduce(How, Axes, At, [&](SamplePoint Round) {
    double Each = Sign * getValue(Arg, Round) - Mean;
    return N.Name == "var" ? Each * Each : Each;
  });
  if (N.Name == "sum")
    return V * S.getValue(A.count(B.Row), At);
  return N.Name == "bottom" ? -V : V;
}

double PatternSampler::getFunction(StringRef Name, ArrayRef<double> X,
                                   SamplePoint At) {
  if (Name == "count" || Name == "rows")
    return S.getValue(A.count(Name == "count" ? B.Row : B.Outside), At);
  if (Name == "infinity")
    return HUGE_VAL;
  if (Name == "invroot")
    return getInverseRoot(X[0], At);
  if (Name == "select")
    return X[0] * X[1] + (1 - X[0]) * X[2];
  if (Name == "max" || Name == "min")
    return Name == "max" ? std::max(X[0], X[1]) : std::min(X[0], X[1]);
  using Function = double (*)(double);
  Function F =
      StringSwitch<Function>(Name)
          .Case("sqrt", std::sqrt)
          .Case("abs", std::fabs)
          .Case("tanh", std::tanh)
          .Case("sigmoid", [](double V) { return 1 / (1 + std::exp(-V)); })
          .Default(nullptr);
  return F ? F(X[0]) : Sampler::call(Name, X);
}

double PatternSampler::getValue(const Pattern::Node &N, SamplePoint At) {
  if (N.Op == 'f' &&
      is_contained({"sum", "mean", "var", "top", "bottom", "product", "argmax",
                    "argmin", "batch", "cumsum"},
                   N.Name))
    return getReduction(N, At);
  SmallVector<double, 3> X;
  for (unsigned Arg : N.Args)
    X.push_back(getValue(P.Nodes[Arg], At));
  switch (N.Op) {
  case 'n':
    return N.Value;
  case 'l':
    return getLetter(N.Name[0], At);
  case '+':
    return X[0] + X[1];
  case '*':
    return X[0] * X[1];
  case '^':
    return std::pow(X[0], N.Value);
  case '>':
    return X[0] > X[1];
  case '=':
    return Sampler::areNear(X[0], X[1]);
  default:
    return getFunction(N.Name, X, At);
  }
}

bool Pattern::mayBe(ExprId E, Algebra &A, Sampler &S, const Binding &B) const {
  // Each axis doubles the work.
  constexpr int MostAxes = 5;
  if (popcount(B.Row) > MostAxes || popcount(B.Outside) > MostAxes)
    return true;
  PatternSampler Of(*this, A, S, B);
  for (unsigned Number = 0; Number != Sampler::NumSamples; ++Number) {
    SamplePoint At = {Number, 0};
    if (!Sampler::areNear(S.getValue(E, At), Of.getValue(At)))
      return false;
  }
  return true;
}
