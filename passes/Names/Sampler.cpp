//===- Sampler.cpp - Values of expressions at random points ---------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Sampler.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace llvm;
using namespace dlopt;

/// Between 0 and 1, the same for the same arguments in all runs.
static double getRandom(uint64_t Id, SamplePoint At) {
  uint64_t X = Id * 0x9e3779b97f4a7c15 + At.Coordinates * 0xbf58476d1ce4e5b9 +
               At.Number * 0x94d049bb133111eb + 1;
  for (int Round = 0; Round != 2; ++Round) {
    X = (X ^ (X >> 30)) * 0xbf58476d1ce4e5b9;
    X = (X ^ (X >> 27)) * 0x94d049bb133111eb;
    X ^= X >> 31;
  }
  return static_cast<double>(X >> 11) * 0x1p-53;
}

void Sampler::forEachRound(AxisSet Axes, SamplePoint At,
                           function_ref<void(SamplePoint)> Visit) {
  AxisSet Rest = At.Coordinates & ~Axes;
  AxisSet Some = Axes;
  while (true) {
    Visit({At.Number, Rest | Some});
    if (!Some)
      return;
    Some = (Some - 1) & Axes;
  }
}

double Sampler::reduce(Reduce How, AxisSet Axes, SamplePoint At,
                       function_ref<double(SamplePoint)> Each) {
  double Sum = 0, Product = 1, Greatest = -HUGE_VAL;
  unsigned Count = 0, Best = 0;
  forEachRound(Axes, At, [&](SamplePoint Round) {
    double V = Each(Round);
    ++Count;
    Sum += V;
    Product *= V;
    if (V > Greatest) {
      Greatest = V;
      Best = Count;
    }
  });
  switch (How) {
  case Reduce::Mean:
    return Sum / Count;
  case Reduce::Product:
    return Product;
  case Reduce::Max:
    return std::isnan(Sum) ? Sum : Greatest;
  case Reduce::ArgMax:
    return Best;
  case Reduce::Scan:
    break;
  }
  return 0;
}

double Sampler::scan(AxisId Ax, SamplePoint At,
                     function_ref<double(SamplePoint)> Each) {
  AxisSet Own = AxisSet(1) << Ax;
  double First = Each({At.Number, At.Coordinates & ~Own});
  return At.Coordinates & Own ? First + Each(At) : First;
}

double Sampler::call(StringRef Name, ArrayRef<double> Args) {
  double X = Args[0];
  using Function = double (*)(double);
  if (Function F = StringSwitch<Function>(Name)
                       .Case("exp", std::exp)
                       .Case("log", std::log)
                       .Case("erf", std::erf)
                       .Case("sin", std::sin)
                       .Case("cos", std::cos)
                       .Case("tan", std::tan)
                       .Case("asin", std::asin)
                       .Case("atan", std::atan)
                       .Case("sinh", std::sinh)
                       .Case("asinh", std::asinh)
                       .Case("atanh", std::atanh)
                       .Case("cosh", std::cosh)
                       .Case("cbrt", std::cbrt)
                       .Case("round", std::round)
                       .Case("rint", std::round)
                       .Case("nearbyint", std::round)
                       .Case("roundeven", std::round)
                       .Case("trunc", std::trunc)
                       .Case("floor", std::floor)
                       .Case("ceil", std::ceil)
                       .Default(nullptr))
    return F(X);
  if (Name == "pow")
    return std::pow(X, Args[1]);
  // Any function of the arguments will do.
  double Phase = static_cast<double>(Name.size());
  for (auto [I, Arg] : enumerate(Args))
    Phase += Arg * (1.3 + 0.7 * static_cast<double>(I));
  return 1.5 + std::sin(Phase);
}

double Sampler::pow(double X, double By) {
  return By == 1     ? X
         : By == 2   ? X * X
         : By == -1  ? 1 / X
         : By == 0.5 ? std::sqrt(X)
                     : std::pow(X, By);
}

/// Probabilities, and numbers of both signs.
static double getElement(uint64_t Id, SamplePoint At) {
  double Random = getRandom(Id, At);
  return At.Number ? 6 * Random - 3 : 0.1 + 0.8 * Random;
}

double Sampler::getEqual(SamplePoint At, bool IsFull) const {
  constexpr uint64_t OfFull = uint64_t(1) << 40, OfOthers = OfFull + 1;
  bool Varies = IsFull && Equal == EqualElements::InRound;
  return getElement(Varies ? OfFull : OfOthers,
                    {At.Number, Varies ? At.Coordinates & Full : 0});
}

double Sampler::getValueOfAtom(uint32_t Id, SamplePoint At) {
  const SymbolicAtom &X = A.atom(Id);
  SamplePoint Own = {At.Number, At.Coordinates & X.Deps};
  auto Argument = [&](unsigned I) { return getValue(X.Args[I], At); };
  switch (X.K) {
  case SymbolicAtom::Integer:
    return 2 + std::floor(8 * getRandom(Id, Own));
  case SymbolicAtom::Infinity:
    return HUGE_VAL;
  case SymbolicAtom::Sum:
    return Argument(0);
  case SymbolicAtom::Greater:
    return Argument(0) > X.Bound;
  case SymbolicAtom::Equal:
    return areNear(Argument(0), X.Bound);
  case SymbolicAtom::Call: {
    SmallVector<double, 2> Args;
    for (ExprId Arg : X.Args)
      Args.push_back(getValue(Arg, At));
    return call(X.Name, Args);
  }
  case SymbolicAtom::Max: {
    double Greatest = Argument(0);
    for (ExprId Arg : drop_begin(X.Args))
      Greatest = std::max(Greatest, getValue(Arg, At));
    return Greatest;
  }
  case SymbolicAtom::Reduction:
    if (X.How == Reduce::Scan)
      return scan(X.Ref, At, [&](SamplePoint Round) {
        return getValue(X.Args[0], Round);
      });
    return reduce(X.How, X.Axes, At, [&](SamplePoint Round) {
      return getValue(X.Args[0], Round);
    });
  case SymbolicAtom::Param:
    return 0.1 + 0.8 * getRandom(Id, Own);
  case SymbolicAtom::Load:
    if (Equal != EqualElements::None && X.Deps)
      return getEqual(At, X.Deps == Full);
    break;
  case SymbolicAtom::Carried:
  case SymbolicAtom::Unknown:
    break;
  }
  return getElement(Id, Own);
}

double Sampler::getValue(ExprId E, SamplePoint At) {
  auto [Known, IsNew] =
      this->Known.try_emplace({E, At.Number, At.Coordinates & A.deps(E)}, 0.0);
  if (!IsNew)
    return Known->second;
  double Sum = 0;
  for (const Term &T : A.terms(E)) {
    double Product = T.Coef;
    for (const Factor &F : T.Factors) {
      double V = getValueOfAtom(F.Atom, At);
      Product *= pow(V, F.Power);
    }
    Sum += Product;
  }
  // References to other elements stay valid.
  return Known->second = Sum;
}

double Sampler::getCount(AxisSet Axes, SamplePoint At) {
  auto [Count, IsNew] = Counts.try_emplace(Axes);
  if (IsNew)
    Count->second = A.count(Axes);
  return getValue(Count->second, At);
}

bool Sampler::areNear(double X, double Y) {
  if (!std::isfinite(X) || !std::isfinite(Y))
    return true;
  return std::fabs(X - Y) <= 1e-3 + 1e-2 * (std::fabs(X) + std::fabs(Y));
}
