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
#include "Pieces.h"
#include "Transforms.h"
#include "dlopt/Names.h"
#include "dlopt/Raise.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <map>

using namespace llvm;
using namespace dlopt;

namespace {
struct Layer {
  StringLiteral Name;
  bool IsSum;
};
} // namespace

static constexpr Layer Layers[] = {
#define DLOPT_LAYER(NAME, IS_SUM) {NAME, IS_SUM},
#include "dlopt/Programs.def"
};
static constexpr StringLiteral Epilogues[] = {
#define DLOPT_EPILOGUE(NAME) NAME,
#include "dlopt/Programs.def"
};

static Program makeProgram(StringLiteral Name, Over Axes, StringLiteral Formula,
                           bool IsStep, bool AnyNumbers) {
  const Layer *Of =
      find_if(Layers, [&](const Layer &L) { return L.Name == Name; });
  bool IsLayer = Of != std::end(Layers);
  return {Name,
          Axes,
          Formula,
          IsStep,
          AnyNumbers,
          Pattern::Outline(Formula),
          IsLayer,
          IsLayer && Of->IsSum,
          is_contained(Epilogues, Name)};
}

static ArrayRef<Program> getPrograms() {
  static const Program Programs[] = {
#define DLOPT_PROGRAM(NAME, OVER, FORMULA)                                     \
  makeProgram(NAME, Over::OVER, FORMULA, false, false),
#define DLOPT_STEP(NAME, OVER, FORMULA)                                        \
  makeProgram(NAME, Over::OVER, FORMULA, true, false),
#define DLOPT_ANY_NUMBERS(NAME, OVER, FORMULA)                                 \
  makeProgram(NAME, Over::OVER, FORMULA, false, true),
#include "dlopt/Programs.def"
  };
  return Programs;
}

static bool isLayer(const Program &P) { return P.IsLayer; }
static bool isSumLayer(const Program &P) { return P.IsSumLayer; }
static bool isEpilogue(const Program &P) { return P.IsEpilogue; }

/// Whether the name of \p P stays if what \p Behind says is done to each
/// element.
static bool keepsName(const Program &P, const Program &Behind) {
  return P.IsSumLayer || Behind.Axes == Over::Requantized ||
         Behind.Axes == Over::Quantized;
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

/// The first row that fits \p F and that \p Counts, or how many there are.
static size_t findRow(Kernel &K, Algebra &A, const Formula &F,
                      const std::set<ExprId> &Scalars,
                      function_ref<bool(const Program &)> Counts) {
  size_t Best = getPrograms().size();
  SmallVector<ExprId, 2> Values = {F.Value};
  if (ExprId Gain = withoutOld(A, F); Gain != F.Value)
    Values.push_back(Gain);
  for (auto [N, Value] : enumerate(Values)) {
    bool IsGain = N;
    Matcher M(K, A, Value, F, Scalars, {IsGain, false});
    Best = findRow(A, M, Best, [&](const Program &P) {
      return (!IsGain || !P.IsStep) && Counts(P);
    });
    A.limit(UINT_MAX / 2);
    // Gradients may be clipped, and so may weights.
    ExprId Unclipped = IsGain ? Value : A.withoutEnds(Value);
    if (Unclipped != Value && !A.hasFailed()) {
      Matcher OfUnclipped(K, A, Unclipped, F, Scalars, {false, false});
      Best = findRow(A, OfUnclipped, Best, [&](const Program &P) {
        return P.Axes == Over::Update && Counts(P);
      });
      A.limit(UINT_MAX / 2);
    }
    ExprId Inside =
        A.withoutFlags(A.withoutPadding(Value), A.load(F.Buf, F.Index));
    if (Inside == Value || (A.hasFailed() && !A.forgive()))
      continue;
    Matcher OfInside(K, A, Inside, F, Scalars, {IsGain, true});
    Best = findRow(A, OfInside, Best, [&](const Program &P) {
      return hasPadding(P.Axes) && Counts(P);
    });
  }
  return Best;
}

/// The terms of \p E that have a sum: what there is beside them is a bias, made
/// of whatever. Nothing if there is none of either.
static std::optional<ExprId> getSumAlone(Algebra &A, ExprId E) {
  ExprId Sum = A.constant(0), All = Sum;
  for (const Term &T : Terms(A.terms(E))) {
    ExprId Product = A.constant(T.Coef);
    bool HasSum = false;
    for (const Factor &F : T.Factors) {
      Product = A.mul(Product, A.pow(A.ofAtom(F.Atom), F.Power));
      A.forEachAtom(A.ofAtom(F.Atom), [&](uint32_t Id) {
        HasSum |= A.atom(Id).K == SymbolicAtom::Reduction;
      });
    }
    All = A.add(All, Product);
    if (HasSum)
      Sum = A.add(Sum, Product);
  }
  return All == E && Sum != E && !A.getConstant(Sum) ? std::optional(Sum)
                                                     : std::nullopt;
}

/// The row of the layer that \p F is, with something done to its elements, and
/// the layer.
static std::pair<size_t, ExprId>
findLayer(Kernel &K, Algebra &A, const Formula &F, const Evaluator &Eval) {
  const size_t None = getPrograms().size();
  for (const Epilogue &Way : Eval.getEpilogues(F)) {
    Formula Inner = F, Outer = F;
    Inner.Value = Way.Inner;
    Outer.Value = Way.Outer;
    size_t Row = findRow(K, A, Inner, Eval.scalars(), isLayer);
    if (std::optional<ExprId> Sum = getSumAlone(A, Way.Inner);
        Sum && Row == None) {
      Inner.Value = *Sum;
      Row = findRow(K, A, Inner, Eval.scalars(), isSumLayer);
    }
    if (Row == None)
      continue;
    size_t Behind = findRow(K, A, Outer, Eval.scalars(), isEpilogue);
    if (Behind != None && keepsName(getPrograms()[Row], getPrograms()[Behind]))
      return {Row, Way.Inner};
  }
  return {None, 0};
}

/// The name of the layer that all results are made of, element by element.
static std::string findLayer(Kernel &K, Algebra &A, ArrayRef<Formula> Results,
                             const Evaluator &Eval) {
  for (const Formula &F : Results) {
    auto [Row, Layer] = findLayer(K, A, F, Eval);
    if (Row == getPrograms().size())
      continue;
    bool All = all_of(Results, [&, Of = Layer](const Formula &Other) {
      return any_of(Eval.getEpilogues(Other),
                    [&](const Epilogue &Way) { return Way.Inner == Of; });
    });
    if (All)
      return (getPrograms()[Row].Name + " " + getName(K.Buffers[F.Buf].Ty))
          .str();
  }
  return "";
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

/// Whether each of two results is what the other one was.
static bool areExchanged(Algebra &A, ArrayRef<Formula> Results) {
  return Results.size() == 2 &&
         Results[0].Value == A.load(Results[1].Buf, Results[1].Index) &&
         Results[1].Value == A.load(Results[0].Buf, Results[0].Index);
}

/// Of more results all have to have a name.
constexpr size_t MaxResults = 4;

std::string dlopt::findProgram(Kernel &K, const ResultsToName &Which) {
  takeSizesApart(K);
  Algebra A(K);
  Evaluator Eval(K, A, Which.HasEpilogue);
  std::vector<Formula> Results = getResults(K, Eval, Which);
  if (Which.HasEpilogue)
    return findLayer(K, A, Results, Eval);
  for (Formula &F : Results)
    if (F.Deps)
      F.Value = A.withoutFlags(F.Value, A.load(F.Buf, F.Index));
  if (A.hasFailed())
    return "";
  if (StringRef Name = findPieces(K, A, Results);
      !Name.empty() && !Which.AreWindows)
    return (Name + " " + getName(K.Buffers[Results[0].Buf].Ty)).str();
  if (Which.ArePieces)
    return "";
  int Largest = 0;
  for (const Formula &F : Results)
    Largest = std::max(Largest, popcount(F.Deps));
  const size_t None = getPrograms().size();
  size_t Best = None;
  ScalarType Ty = ScalarType::F32;
  bool All = true, AreSame = true, ChangePlaces = areExchanged(A, Results);
  std::map<BufferId, StringRef> NameOfArray;
  for (const Formula &F : Results)
    if (popcount(F.Deps) == Largest) {
      size_t Row = findRow(K, A, F, Eval.scalars(), [&](const Program &P) {
        return (P.Axes != Over::Exchanged || ChangePlaces) &&
               (!Which.AreWindows || hasFilter(P.Axes));
      });
      All &= Row != None;
      if (!All && Results.size() > MaxResults)
        return "";
      // Steps of one array that differ are no step together.
      StringRef Name;
      if (Row != None)
        Name = getPrograms()[Row].Name;
      AreSame &= NameOfArray.try_emplace(F.Buf, Name).first->second == Name;
      if (Row < Best)
        Ty = K.Buffers[F.Buf].Ty;
      Best = std::min(Best, Row);
    }
  if (Best == None ||
      (getPrograms()[Best].IsStep && (!All || !AreSame || Which.isJoined())) ||
      (getPrograms()[Best].Axes == Over::Rotated && !areRotated(A, Results)))
    return "";
  return (getPrograms()[Best].Name + " " + getName(Ty)).str();
}

/// Whether roots are taken of what \p K sums up, so that it is no product.
static bool takesRoots(const Kernel &K) {
  Kernel Own;
  copyKernel(K, Own);
  Algebra A(Own);
  Evaluator Eval(Own, A);
  std::vector<Formula> Results;
  return Eval.run(Results) && any_of(Results, [&](const Formula &F) {
           return Features(A, F.Value).HasRoots;
         });
}

/// Whether there is a sum, or narrow integers are made of elements, and no more
/// than Evaluator looks at.
static bool mayBeLayer(const Kernel &K) {
  bool IsLarge = false;
  size_t NumResults = 0;
  bool May = any_of(K.Buffers, [](const Buffer &B) {
    return !B.IsLocal && !isFloat(B.Ty) && getBitWidth(B.Ty) <= 16;
  });
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId> Axes) {
    IsLarge |= L.Ops.size() > Evaluator::MaxOpsOfEpilogue;
    for (const Assign &To : L.Assigns) {
      NumResults += !K.Buffers[To.Target.Buf].IsLocal;
      AxisSet Of = 0;
      K.anyNestedAtom(To.Target.offset(), [&](const Atom &A) {
        Of |= A.K == Atom::Axis ? AxisSet(1) << A.Ref : 0;
        return false;
      });
      May |= static_cast<size_t>(llvm::popcount(Of)) < Axes.size();
    }
  });
  return May && !IsLarge && NumResults <= MaxResults;
}

/// That of a contraction by layout, which may have windows of parameters'
/// strides. Changes axes of \p K.
static std::string nameProduct(Kernel &K) {
  if (!mayHaveWindows(K))
    return K.Kind;
  ResultsToName Which;
  Which.AreWindows = true;
  std::string Name = findProgram(K, Which);
  return Name.empty() ? K.Kind : Name;
}

std::string dlopt::nameKernel(const Kernel &K) {
  StringRef Kind = StringRef(K.Kind).rsplit(' ').first;
  std::string General =
      ("reduce" + StringRef(K.Kind).drop_front(Kind.size())).str();
  if (Kind.contains("mat") && takesRoots(K))
    return General;
  // A product of a row with itself is a norm.
  bool IsDot = Kind == "dot" || Kind == "dot.batched";
  Kernel Own;
  copyKernel(K, Own);
  if (!IsDot && !is_contained({"map", "reduce", "generic"}, Kind))
    return nameProduct(Own);
  std::string Name = findProgram(Own, ResultsToName::all());
  // Quotients and remainders of one loop may be loops.
  if (Kernel Split; Name.empty() && !IsDot) {
    copyKernel(K, Split);
    takeSizesApart(Split);
    if (splitQuotients(Split))
      Name = findProgram(Split, ResultsToName::all());
  }
  if (Kernel Layer; Name.empty() && mayBeLayer(K)) {
    copyKernel(K, Layer);
    ResultsToName Which;
    Which.HasEpilogue = true;
    Name = findProgram(Layer, Which);
  }
  if (Kernel Blocks; Name.empty() && !IsDot) {
    copyKernel(K, Blocks);
    Name = findTransform(Blocks);
  }
  // Something else is computed of the sum.
  if (IsDot && Name.empty())
    return General;
  return Name.empty() || (IsDot && StringRef(Name).starts_with("dot ")) ? K.Kind
                                                                        : Name;
}
