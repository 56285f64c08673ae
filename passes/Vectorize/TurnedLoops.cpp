//===- TurnedLoops.cpp - Both sides of a permutation together -------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///   for (c) for (h) for (w) y[h][w][c] = x[c][h][w];
///
/// has neighbours of y in the outermost loop and those of x in the innermost
/// one. Squares of both are turned in registers where the two are around each
/// other:
///
///   for (h) for (w) for (c) y[h][w][c] = x[c][h][w];
///
//===----------------------------------------------------------------------===//
#include "LaneStrategy.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace dlopt;

/// Loops of \p K around each other and nothing else, in any order; empty: there
/// is more, or functions, of whose errors the last one is seen.
static SmallVector<Node *, 4> getAnyOrder(Kernel &K) {
  SmallVector<Node *, 4> Loops;
  Node *N = &K.Root;
  auto IsLoop = [](const auto &C) { return C->K == Node::AxisNode; };
  // What is read inside of a loop is read in front of those inside of it.
  if (!N->Locals.empty() ||
      any_of(K.Params, [](const Param &P) { return P.Depth != 0; }) ||
      any_of(K.Buffers, [](const Buffer &B) { return B.Depth != 0; }))
    return {};
  while (N->Children.size() == 1 && IsLoop(N->Children.front())) {
    N = N->Children.front().get();
    if (K.Axes[N->Ax].R != Role::Parallel || !K.hasFixedExtents(N->Ax) ||
        !N->Locals.empty())
      return {};
    Loops.push_back(N);
  }
  bool HasMore = any_of(N->Children, [&](const auto &C) {
    return IsLoop(C) ||
           any_of(C->L.Ops, [](const Op &O) { return O.WritesErrno; });
  });
  return HasMore ? SmallVector<Node *, 4>() : Loops;
}

/// The axis of \p Loops along which elements of \p X are neighbours.
static std::optional<AxisId>
getNeighbours(const Kernel &K, ArrayRef<Node *> Loops, const Access &X) {
  for (const Node *N : reverse(Loops)) {
    std::optional<Poly> Step = getStride(K, X.offset(), N->Ax);
    if (Step && Step->getConstant() == 1)
      return N->Ax;
  }
  return std::nullopt;
}

bool dlopt::turnLoops(Kernel &K) {
  SmallVector<Node *, 4> Loops = getAnyOrder(K);
  if (Loops.size() < 3)
    return false;
  std::optional<AxisId> Read, Written;
  bool AreTwo = true;
  auto Add = [&](std::optional<AxisId> Of, std::optional<AxisId> &Side) {
    AreTwo &= Of && Side.value_or(*Of) == *Of;
    Side = Of;
  };
  for (const auto &Leaf : Loops.back()->Children)
    for (const Assign &A : Leaf->L.Assigns)
      Add(getNeighbours(K, Loops, A.Target), Written);
  for (const auto &Leaf : Loops.back()->Children)
    for (const Op &O : Leaf->L.Ops)
      if (O.K == Op::Load)
        if (auto Of = getNeighbours(K, Loops, O.Acc); Of && Of != Written)
          Add(Of, Read);
  const size_t Before = Loops.size() - 2;
  auto IsSide = [&](AxisId A) { return A == Read || A == Written; };
  if (!AreTwo || !Read || !Written ||
      all_of(drop_begin(Loops, Before),
             [&](const Node *N) { return IsSide(N->Ax); }))
    return false;
  SmallVector<AxisId, 4> Order;
  for (const Node *N : Loops)
    if (!IsSide(N->Ax))
      Order.push_back(N->Ax);
  Order.append({*Read, *Written});
  for (auto [N, A] : zip_equal(Loops, Order))
    N->Ax = A;
  return true;
}
