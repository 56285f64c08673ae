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

/// The product of the extents of \p G, or what it does not exceed: of two
/// bounds, the constant one.
static std::optional<uint64_t> getExtent(const Kernel &K, const AxisGroup &G) {
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

bool dlopt::isVectorizedByLLVM(const Kernel &K, const Node &Subtree,
                               const ContractionChoice &Choice) {
  // Elements further apart cost more shuffles than their products are worth.
  constexpr int64_t MaxLoadStep = 6, MaxStoreStep = 4;
  // Vectors of products below which a call takes longer.
  constexpr uint64_t LeastVectors = 32;
  const Node *Loop = getLoopLeft(K, Subtree);
  if (!Loop ||
      !(is_contained(Choice.M, Loop->Ax) || is_contained(Choice.N, Loop->Ax)) ||
      !hasNearElements(K, *Loop, MaxLoadStep, MaxStoreStep))
    return false;
  // What is summed up in memory stays there as far as LLVM can tell.
  bool InMemory = false;
  forEachLeaf(*Loop, [&](const Leaf &L, ArrayRef<AxisId> Around) {
    bool IsSummed =
        any_of(Around, [&](AxisId A) { return is_contained(Choice.K, A); });
    InMemory |= IsSummed && any_of(L.Assigns, [&](const Assign &A) {
                  return !K.Buffers[A.Target.Buf].IsLocal;
                });
  });
  std::optional<uint64_t> Rounds = getRounds(K, *Loop);
  unsigned Elems = Choice.Plan.VectorElems;
  if (InMemory || (Rounds && *Rounds % Elems))
    return false;
  // Narrow matrices fill few lanes of vectors along their rows.
  if (!hasNearElements(K, *Loop, 1, 1))
    return true;
  std::optional<uint64_t> Work = getWork(K, Choice);
  return Work && *Work / Elems <= LeastVectors;
}
