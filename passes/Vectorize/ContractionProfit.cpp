//===- ContractionProfit.cpp - Products that LLVM does as well ------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ContractionStrategy.h"
#include "LoopProfit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace dlopt;

std::optional<uint64_t> dlopt::getExtent(const Kernel &K, const AxisGroup &G) {
  uint64_t Product = 1;
  for (AxisId A : G) {
    std::optional<int64_t> C;
    for (const Poly &Bound : K.Axes[A].Extents)
      if (std::optional<int64_t> Value = Bound.getConstant())
        C = std::min(C.value_or(*Value), *Value);
    if (!C)
      return std::nullopt;
    Product = SaturatingMultiply<uint64_t>(Product, std::max<int64_t>(*C, 0));
  }
  return Product;
}

/// The multiplications of one product, if that is known.
static std::optional<uint64_t> getWork(const Kernel &K,
                                       const ContractionChoice &Choice) {
  uint64_t Work = 1;
  for (const AxisGroup *G : {&Choice.M, &Choice.N, &Choice.K}) {
    std::optional<uint64_t> Extent = getExtent(K, *G);
    if (!Extent)
      return std::nullopt;
    Work = SaturatingMultiply(Work, *Extent);
  }
  return Work;
}

bool dlopt::isKnownTooSmall(const Kernel &K, const ContractionChoice &Choice) {
  std::optional<uint64_t> M = getExtent(K, Choice.M),
                          N = getExtent(K, Choice.N),
                          Depth = getExtent(K, Choice.K);
  const ContractionPlan &Plan = Choice.Plan;
  if (M == 0 || N == 0 || Depth == 0 || (Depth && *Depth < Plan.MinK))
    return true;
  if (!M || !N)
    return false;
  uint64_t Outputs = SaturatingMultiply(*M, *N);
  return Outputs < Plan.MinOutputs ||
         (Depth && SaturatingMultiply(Outputs, *Depth) < Plan.MinKnownWork);
}

/// Whether \p Loop goes along the rows of a matrix, as it lies in memory, that
/// the product copies: that of all columns, or of all rows where there is one
/// column. Distances that are arguments LLVM asks to be 1.
static bool runsAlongCopied(const Kernel &K, const Node &Loop,
                            const ContractionChoice &Choice) {
  const ContractionSpec &S = Choice.Spec;
  const AxisGroup &Columns = Choice.N.empty() ? Choice.M : Choice.N;
  bool AlongRows = Choice.N.empty() ? S.TransA && std::abs(S.StepA) == 1
                                    : !S.TransB && std::abs(S.StepB) == 1;
  if (!AlongRows || !S.copiesB() || Columns.back() != Loop.Ax)
    return false;
  return hasNearElements(K, Loop, 1, 1, /*ArgumentStep=*/1);
}

std::optional<double> dlopt::getLeastCycles(const Kernel &K,
                                            const ContractionChoice &Choice,
                                            const TargetModel &Target) {
  // A load and an insertion.
  constexpr double CyclesPerCopy = 2;
  std::optional<uint64_t> M = getExtent(K, Choice.M),
                          N = getExtent(K, Choice.N),
                          Sum = getExtent(K, Choice.K);
  if (!M || !N || !Sum)
    return std::nullopt;
  double Products = 1;
  for (AxisId A : Choice.Outer) {
    std::optional<uint64_t> Rounds = getRounds(K, A);
    if (!Rounds)
      return std::nullopt;
    Products *= static_cast<double>(*Rounds);
  }
  auto Multiply = [](uint64_t X, uint64_t Y) {
    return static_cast<double>(X) * static_cast<double>(Y);
  };
  double Vectors =
      static_cast<double>(divideCeil(*N, Choice.Plan.VectorElems)) *
      Multiply(*M, *Sum) * (Target.HasVectorFMA ? 1 : 2);
  double Copies = (std::abs(Choice.Spec.StepA) == 1 ? 0 : Multiply(*M, *Sum)) +
                  (std::abs(Choice.Spec.StepB) == 1 ? 0 : Multiply(*Sum, *N));
  return Products * (Vectors / Target.FMAPerCycle + CyclesPerCopy * Copies);
}

uint64_t dlopt::getLeastRows(const Kernel &K, const Node &Subtree,
                             const ContractionChoice &Choice) {
  const Node *Loop = getLoopLeft(K, Subtree);
  if (!Loop || !runsAlongCopied(K, *Loop, Choice))
    return 1;
  return Choice.Spec.TransA ? 3 : 2;
}

/// Whether sums of \p Choice below \p N are added up in memory.
static bool sumsInMemory(const Kernel &K, const Node &N,
                         const ContractionChoice &Choice) {
  bool InMemory = false;
  forEachLeaf(N, [&](const Leaf &L, ArrayRef<AxisId> Around) {
    bool IsSummed =
        any_of(Around, [&](AxisId A) { return is_contained(Choice.K, A); });
    InMemory |= IsSummed && any_of(L.Assigns, [&](const Assign &A) {
                  return !K.Buffers[A.Target.Buf].IsLocal;
                });
  });
  return InMemory;
}

/// Whether LLVM unrolls and vectorizes \p Loop, although it leaves sums in
/// memory: few ones, or the loop over an output's row is the innermost, so that
/// what is stored is read only a while later.
static bool unrollsInMemory(const Kernel &K, const Node &Loop, bool IsWide,
                            const ContractionChoice &Choice) {
  constexpr uint64_t FewRounds = 4;
  constexpr int64_t MaxStep = 4;
  uint64_t Rounds = 1;
  bool IsChain = false;
  forEachLeaf(Loop, [&](const Leaf &, ArrayRef<AxisId> Around) {
    IsChain |= !Around.empty() && is_contained(Choice.K, Around.back());
  });
  for (const AxisGroup *G : {&Choice.M, &Choice.N, &Choice.K})
    if (!is_contained(*G, Loop.Ax))
      Rounds =
          SaturatingMultiply(Rounds, getExtent(K, *G).value_or(UINT64_MAX));
  return hasNearElements(K, Loop, MaxStep, MaxStep) &&
         (Rounds <= FewRounds || (IsWide && !IsChain));
}

bool dlopt::isVectorizedByLLVM(const Kernel &K, const Node &Subtree,
                               const ContractionChoice &Choice) {
  unsigned Elems = Choice.Plan.VectorElems;
  bool IsWide = Elems * getSizeInBytes(Choice.Spec.getOperandTy()) > 16;
  // Elements further apart cost more shuffles than their products are worth.
  const int64_t MaxLoadStep = 6, MaxStoreStep = IsWide ? 8 : 4;
  // Vectors of products below which a call takes longer.
  constexpr uint64_t LeastVectors = 32;
  // The rounds that fill no vector are scalar: one of so many.
  constexpr uint64_t ScalarShare = 8;
  const Node *Loop = getLoopLeft(K, Subtree);
  // A row of sums in any order, of numbers that would be converted first: along
  // their rows, as LLVM has them, is how they are read.
  const ContractionSpec &S = Choice.Spec;
  if (S.AddFlags.allowReassoc() && S.SingleRow && S.TransB && !S.TransA &&
      !S.usesDots() && S.makesFactors())
    return true;
  if (!Loop ||
      !(is_contained(Choice.M, Loop->Ax) || is_contained(Choice.N, Loop->Ax)))
    return false;
  if ((Choice.M.empty() || Choice.N.empty()) &&
      runsAlongCopied(K, *Loop, Choice))
    return true;
  if (!hasNearElements(K, *Loop, MaxLoadStep, MaxStoreStep))
    return false;
  if (sumsInMemory(K, *Loop, Choice) &&
      !unrollsInMemory(K, *Loop, IsWide, Choice))
    return false;
  std::optional<uint64_t> Rounds = getRounds(K, Loop->Ax);
  if (Rounds && *Rounds % Elems > *Rounds / ScalarShare)
    return false;
  // Narrow matrices fill few lanes of vectors along their rows.
  if (!hasNearElements(K, *Loop, 1, 1))
    return true;
  std::optional<uint64_t> Work = getWork(K, Choice);
  return Work && *Work / Elems <= LeastVectors;
}
