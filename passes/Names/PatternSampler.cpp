//===- PatternSampler.cpp - Values of formulas at random points -----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PatternEvaluator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace llvm;
using namespace dlopt;

namespace {

/// Values in all rounds of the axes that a formula reduces over.
class SampleDomain {
public:
  using Value = SmallVector<double, 8>;
  /// Letters that are \p Equal are elements of one array; these are \p Full.
  SampleDomain(Sampler &S, AxisSet Axes, unsigned Number, LetterSet Equal,
               LetterSet Full)
      : S(S), All(Axes), Equal(Equal), Full(Full) {
    const unsigned NumRounds = 1u << llvm::popcount(All);
    for (unsigned I = 0; I != NumRounds; ++I)
      Rounds.push_back({Number, spread(I)});
  }

  Value constant(double V) { return Value(Rounds.size(), V); }
  Value infinity() { return constant(HUGE_VAL); }
  Value letter(char C, std::optional<ExprId> E) {
    if (getLetter(C) & Equal)
      return each(
          [&](size_t I) { return S.getEqual(Rounds[I], getLetter(C) & Full); });
    return E ? each([&](size_t I) { return S.getValue(*E, Rounds[I]); })
             : constant(0);
  }
  Value count(AxisSet Axes) {
    return each([&](size_t I) { return S.getCount(Axes, Rounds[I]); });
  }

  Value add(const Value &X, const Value &Y) {
    return each([&](size_t I) { return X[I] + Y[I]; });
  }
  Value mul(const Value &X, const Value &Y) {
    return each([&](size_t I) { return X[I] * Y[I]; });
  }
  Value scale(const Value &X, double By) {
    return each([&](size_t I) { return X[I] * By; });
  }
  Value pow(const Value &X, double By) {
    return each([&](size_t I) { return Sampler::pow(X[I], By); });
  }
  Value max(const Value &X, const Value &Y) {
    return each([&](size_t I) { return std::max(X[I], Y[I]); });
  }
  Value positive(const Value &X) {
    return each([&](size_t I) { return X[I] > 0; });
  }
  Value isZero(const Value &X) {
    return each([&](size_t I) { return Sampler::areNear(X[I], 0); });
  }
  Value select(const Value &If, const Value &X, const Value &Y) {
    return each([&](size_t I) { return If[I] * X[I] + (1 - If[I]) * Y[I]; });
  }
  Value exp(const Value &X) {
    return each([&](size_t I) { return std::exp(X[I]); });
  }
  Value log(const Value &X) {
    return each([&](size_t I) { return std::log(X[I]); });
  }
  Value abs(const Value &X) {
    return each([&](size_t I) { return std::fabs(X[I]); });
  }
  Value tanh(const Value &X) {
    return each([&](size_t I) { return std::tanh(X[I]); });
  }
  Value sigmoid(const Value &X) {
    return each([&](size_t I) { return 1 / (1 + std::exp(-X[I])); });
  }
  Value call(StringRef Name, ArrayRef<Value> X) {
    return each([&](size_t I) {
      SmallVector<double, 3> Args;
      for (const Value &V : X)
        Args.push_back(V[I]);
      return Sampler::call(Name, Args);
    });
  }

  Value mean(AxisSet Axes, const Value &X) {
    return reduce(Reduce::Mean, Axes, X);
  }
  Value reduce(Reduce How, AxisSet Axes, const Value &X) {
    Value V(Rounds.size());
    for (auto [I, At] : enumerate(Rounds))
      V[I] = At.Coordinates & Axes
                 ? V[collect(At.Coordinates & ~Axes)]
                 : Sampler::reduce(How, Axes, At, [&](SamplePoint Round) {
                     return X[collect(Round.Coordinates)];
                   });
    return V;
  }
  Value scan(AxisSet Row, const Value &X) {
    return each([&](size_t I) {
      return Row ? Sampler::scan(countr_zero(Row), Rounds[I],
                                 [&](SamplePoint Round) {
                                   return X[collect(Round.Coordinates)];
                                 })
                 : 0;
    });
  }

private:
  template <class Function> Value each(Function F) {
    Value V(Rounds.size());
    for (size_t I = 0; I != V.size(); ++I)
      V[I] = F(I);
    return V;
  }
  /// The bits of \p I at the places of the axes, and back.
  AxisSet spread(size_t I) const {
    AxisSet Coordinates = 0;
    for (AxisSet Left = All; Left; Left &= Left - 1, I >>= 1)
      Coordinates |= I & 1 ? Left & -Left : 0;
    return Coordinates;
  }
  size_t collect(AxisSet Coordinates) const {
    size_t I = 0, Bit = 1;
    for (AxisSet Left = All; Left; Left &= Left - 1, Bit <<= 1)
      I |= Coordinates & Left & -Left ? Bit : 0;
    return I;
  }

  Sampler &S;
  AxisSet All;
  LetterSet Equal, Full;
  SmallVector<SamplePoint, 8> Rounds;
};

} // namespace

bool Pattern::agrees(ExprId E, Sampler &S, const Binding &B, LetterSet Equal,
                     LetterSet Full) const {
  // Each axis doubles the work.
  constexpr int MostAxes = 7;
  AxisSet Axes = B.Row | (Called & 1u << Batch ? B.Outside : 0);
  if (llvm::popcount(Axes) > MostAxes)
    return true;
  for (unsigned Number = 0; Number != Sampler::NumSamples; ++Number) {
    SampleDomain D(S, Axes, Number, Equal, Full);
    double Own = PatternEvaluator<SampleDomain>(*this, D, B).evaluate()[0];
    if (!Sampler::areNear(S.getValue(E, {Number, 0}), Own))
      return false;
  }
  return true;
}

bool Pattern::mayBe(ExprId E, Sampler &S, const Binding &B) const {
  return agrees(E, S, B, 0, 0);
}

bool Pattern::mayBeOfEqual(ExprId E, Sampler &S, const Binding &B,
                           bool AreAllFull) const {
  return agrees(E, S, B, ArrayLetters, AreAllFull ? ArrayLetters : FullLetters);
}
