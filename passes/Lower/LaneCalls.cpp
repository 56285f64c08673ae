//===- LaneCalls.cpp - Calls of several functions in lanes ----------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which calls of the library in a round keep their order among lanes
/// (docs/decisions/0080-errors-of-several-functions.md); LaneModels.h has how.
///
//===----------------------------------------------------------------------===//
#include "LaneLower.h"
#include "dlopt/Expression.h"

using namespace llvm;

namespace dlopt {

/// Calls in the round of a loop whose errors, of which the last one counts, are
/// not the same ones; none, if all others are.
static SmallVector<const Op *, 4> getOrderedCalls(const Kernel &K,
                                                  const Node &N) {
  SmallVector<const Op *, 4> Calls;
  SmallVector<std::optional<int>, 4> Errors;
  for (const auto &Child : N.Children) {
    if (Child->K != Node::LeafNode)
      continue;
    for (const Op &O : Child->L.Ops)
      if (O.WritesErrno) {
        Calls.push_back(&O);
        Errors.push_back(getOnlyErrno(K, Child->L, O));
      }
  }
  if (Calls.size() < 2 || (Errors.front() && all_equal(Errors)))
    Calls.clear();
  return Calls;
}

void LaneLowering::lowerChildren(const Node &N) {
  SmallVector<const Op *, 4> Calls;
  if (C.inLanes() && N.K == Node::AxisNode && N.Ax == C.getLaneAxis())
    Calls = getOrderedCalls(K, N);
  if (Calls.empty())
    return ScalarLowering::lowerChildren(N);
  C.Models.beginCalls(Calls, C.getCount());
  ScalarLowering::lowerChildren(N);
  C.Models.endCalls();
}

} // namespace dlopt
