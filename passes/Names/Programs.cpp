//===- Programs.cpp - Names of kernels by what they compute ---------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Interprets the rows of Programs.def. A formula fits if for some choice of
/// what its letters stand for it is, in normal form, what the kernel computes.
///
//===----------------------------------------------------------------------===//
#include "Programs.h"
#include "Matcher.h"
#include "dlopt/Names.h"
#include "dlopt/Raise.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace llvm;
using namespace dlopt;

static const std::vector<Program> &getPrograms() {
  static const std::vector<Program> Programs = {
#define DLOPT_PROGRAM(NAME, OVER, FORMULA)                                     \
  {NAME, Over::OVER, Pattern::parse(FORMULA), false, false},
#define DLOPT_STEP(NAME, OVER, FORMULA)                                        \
  {NAME, Over::OVER, Pattern::parse(FORMULA), true, false},
#define DLOPT_ANY_NUMBERS(NAME, OVER, FORMULA)                                 \
  {NAME, Over::OVER, Pattern::parse(FORMULA), false, true},
#include "dlopt/Programs.def"
  };
  return Programs;
}

/// What an element has gained, if it is added to; else all of it.
static ExprId withoutOld(Algebra &A, const Formula &F) {
  ExprId Old = A.load(F.Buf, F.Index), Factor, Rest;
  if (A.splitLinear(F.Value, Old, Factor, Rest) && A.getConstant(Factor) == 1.0)
    return Rest;
  return F.Value;
}

/// The first row in front of \p Best that fits, or \p Best.
static size_t findRow(Algebra &A, Matcher &M, size_t Best,
                      function_ref<bool(const Program &)> Counts) {
  constexpr unsigned MaxStepsOfRow = 20000;
  for (size_t I = 0; I != Best; ++I) {
    if (!Counts(getPrograms()[I]))
      continue;
    A.limit(MaxStepsOfRow);
    bool Fits = M.fits(getPrograms()[I]);
    if (A.hasFailed() && !A.forgive())
      break;
    if (Fits)
      return I;
  }
  return Best;
}

/// The first row that fits \p F, or how many there are.
static size_t findRow(Kernel &K, Algebra &A, const Formula &F,
                      const std::set<ExprId> &Scalars) {
  size_t Best = getPrograms().size();
  SmallVector<ExprId, 2> Values = {F.Value};
  if (ExprId Gain = withoutOld(A, F); Gain != F.Value)
    Values.push_back(Gain);
  for (auto [N, Value] : enumerate(Values)) {
    bool IsGain = N;
    Matcher M(K, A, Value, F, Scalars, {IsGain, false});
    Best = findRow(A, M, Best,
                   [&](const Program &P) { return !IsGain || !P.IsStep; });
    A.limit(UINT_MAX / 2);
    ExprId Inside = A.withoutPadding(Value);
    if (Inside == Value || (A.hasFailed() && !A.forgive()))
      continue;
    Matcher OfInside(K, A, Inside, F, Scalars, {IsGain, true});
    Best = findRow(A, OfInside, Best,
                   [](const Program &P) { return hasPadding(P.Axes); });
  }
  return Best;
}

/// The results that \p Which asks for.
static std::vector<Formula> getResults(const Kernel &K, Evaluator &Eval,
                                       const ResultsToName &Which) {
  std::vector<Formula> Results;
  if (!Eval.run(Results))
    return {};
  if (Which.Scalar)
    return {Eval.getScalar(*Which.Scalar)};
  if (!Which.isJoined())
    return Results;
  std::vector<std::pair<BufferId, Poly>> Last;
  for (const auto &Child :
       ArrayRef(K.Root.Children).take_back(Which.LastChildren))
    forEachLeaf(*Child, [&](const Leaf &L, ArrayRef<AxisId>) {
      for (const Assign &To : L.Assigns)
        if (!K.Buffers[To.Target.Buf].IsLocal)
          Last.emplace_back(To.Target.Buf, To.Target.offset());
    });
  erase_if(Results, [&](const Formula &F) {
    return !is_contained(Last, std::pair(F.Buf, F.Index));
  });
  return Results;
}

/// Whether the results are pairs of coordinates turned by an angle: the sum of
/// their squares has no product of both left.
static bool areRotated(Algebra &A, ArrayRef<Formula> Results) {
  ExprId Sum = A.constant(0);
  for (const Formula &F : Results)
    Sum = A.add(Sum, A.pow(F.Value, 2));
  return all_of(A.terms(Sum), [&](const Term &T) {
    return T.Coef == 1 && all_of(T.Factors, [](const Factor &F) {
             return std::fmod(F.Power, 2) == 0;
           });
  });
}

std::string dlopt::findProgram(Kernel &K, const ResultsToName &Which) {
  Algebra A(K);
  Evaluator Eval(K, A);
  std::vector<Formula> Results = getResults(K, Eval, Which);
  int Largest = 0;
  for (const Formula &F : Results)
    Largest = std::max(Largest, popcount(F.Deps));
  const size_t None = getPrograms().size();
  size_t Best = None;
  ScalarType Ty = ScalarType::F32;
  bool All = true;
  for (const Formula &F : Results)
    if (popcount(F.Deps) == Largest) {
      size_t Row = findRow(K, A, F, Eval.scalars());
      All &= Row != None;
      if (Row < Best)
        Ty = K.Buffers[F.Buf].Ty;
      Best = std::min(Best, Row);
    }
  if (Best == None ||
      (getPrograms()[Best].IsStep && (!All || Which.isJoined())) ||
      (getPrograms()[Best].Axes == Over::Rotated && !areRotated(A, Results)))
    return "";
  return (getPrograms()[Best].Name + " " + getName(Ty)).str();
}

std::string dlopt::nameKernel(const Kernel &K) {
  StringRef Kind = StringRef(K.Kind).rsplit(' ').first;
  // A product of a row with itself is a norm.
  bool IsDot = Kind == "dot" || Kind == "dot.batched";
  if (!IsDot && !is_contained({"map", "reduce", "generic"}, Kind))
    return K.Kind;
  Kernel Own;
  copyKernel(K, Own);
  std::string Name = findProgram(Own, ResultsToName::all());
  // Quotients and remainders of one loop may be loops.
  if (Kernel Split; Name.empty() && !IsDot) {
    copyKernel(K, Split);
    if (splitQuotients(Split))
      Name = findProgram(Split, ResultsToName::all());
  }
  return Name.empty() || (IsDot && StringRef(Name).starts_with("dot ")) ? K.Kind
                                                                        : Name;
}
