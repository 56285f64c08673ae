//===- Chunks.cpp - Loops over what rows leave of an array ----------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Rust's chunks() goes on with what a row of n elements, or of what is there,
/// leaves of an array until nothing is left:
///
///   while (left != 0) { row = min(n, left); ...; left -= row; }
///
/// Where the array has whole rows, each has n elements, and left is t - i * n.
///
//===----------------------------------------------------------------------===//
#include "Index.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace dlopt;

std::optional<Linear> IndexBuilder::buildChunk(Instruction *Row) {
  Value *X, *Y;
  if (!Row->getType()->isIntegerTy(64) || !S.isInside(Row) ||
      !match(Row, m_UMin(m_Value(X), m_Value(Y))))
    return std::nullopt;
  for (auto [Length, Rest] : {std::pair(X, Y), std::pair(Y, X)}) {
    auto *Left = dyn_cast<PHINode>(Rest);
    const Loop *L = Left ? S.loopOf(Left) : nullptr;
    if (!L || L->getHeader() != Left->getParent())
      continue;
    auto It = S.Controls.find(L);
    if (It == S.Controls.end() ||
        !match(Left->getIncomingValueForBlock(It->second.Latch),
               m_Sub(m_Specific(Left), m_Specific(Row))))
      continue;
    const Loop *Parent = L == &S.Nest ? nullptr : L->getParentLoop();
    std::optional<Poly> Whole = buildExact(
        Left->getIncomingValueForBlock(It->second.Preheader), true, Parent);
    std::optional<Poly> N = buildExact(Length, true, Parent);
    auto IsHole = [&](AtomId A) { return isPlaceholder(A); };
    if (!Whole || !N || Whole->anyAtom(IsHole) || N->anyAtom(IsHole) ||
        dependsOnLoops(*N, L) || dependsOnLoops(*Whole, L))
      return std::nullopt;
    // No row has less, the last one included.
    constexpr int64_t Max = std::numeric_limits<int64_t>::max();
    Poly Axis = Poly::atom(S.K.getAxisAtom(It->second.Ax));
    S.addInRange(*N, 1, Max);
    if (!DLOPT_PLANTED(ShorterRowTaken))
      S.addInRange(*Whole - *N * Axis - *N, 0, Max);
    return Linear{*N, true};
  }
  return std::nullopt;
}
