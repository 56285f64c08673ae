//===- LoopProfit.cpp - What LLVM's own loops are like --------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LoopProfit.h"
#include "dlopt/Lanes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace dlopt;

bool dlopt::staysScalar(const Kernel &K, const Node &Loop) {
  bool Result = false;
  forEachLeaf(Loop, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Op &O : L.Ops) {
      // In the order of the source, or a choice between values.
      bool InOrder = isFloat(O.Ty) && O.K != Op::Load && O.K != Op::Param &&
                     O.K != Op::Const && !O.FMF.allowReassoc();
      bool Strided = O.K == Op::Load && !K.Buffers[O.Acc.Buf].IsLocal &&
                     K.dependsOn(O.Acc, Loop.Ax);
      if (Strided) {
        std::optional<Poly> Step = getStride(K, getOffset(K, O.Acc), Loop.Ax);
        Strided = !Step || (Step->getConstant() != 1 && !Step->isZero());
      }
      Result |= InOrder || Strided;
    }
  });
  return Result;
}

std::optional<uint64_t> dlopt::getRounds(const Kernel &K, const Node &N) {
  std::optional<uint64_t> Rounds;
  for (const Poly &Extent : K.Axes[N.Ax].Extents) {
    std::optional<int64_t> C = Extent.getConstant();
    if (!C)
      return std::nullopt;
    Rounds = std::min<uint64_t>(Rounds.value_or(UINT64_MAX),
                                std::max<int64_t>(*C, 0));
  }
  return Rounds;
}

bool dlopt::hasScalarLoop(const Kernel &K, const Node &N,
                          ArrayRef<AxisId> Lanes) {
  constexpr uint64_t FewRounds = 16;
  bool IsAxis = N.K == Node::AxisNode;
  if (IsAxis && is_contained(Lanes, N.Ax))
    return false;
  bool IsInnermost = none_of(
      N.Children, [](const auto &Child) { return Child->K == Node::AxisNode; });
  if (IsAxis && IsInnermost)
    return K.Axes[N.Ax].R != Role::Parallel && staysScalar(K, N) &&
           getRounds(K, N).value_or(UINT64_MAX) > FewRounds;
  return any_of(N.Children, [&](const auto &Child) {
    return hasScalarLoop(K, *Child, Lanes);
  });
}

bool dlopt::hasNearElements(const Kernel &K, const Node &Loop,
                            int64_t MaxLoadStep, int64_t MaxStoreStep) {
  auto IsNear = [&](const Poly &P, int64_t MaxStep) {
    std::optional<Poly> Step = getStride(K, P, Loop.Ax);
    std::optional<int64_t> C = Step ? Step->getConstant() : std::nullopt;
    return C && std::abs(*C) <= MaxStep;
  };
  bool Near = true;
  forEachLeaf(Loop, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Op &O : L.Ops)
      Near &= O.K != Op::LibCall &&
              (O.K != Op::Load || K.Buffers[O.Acc.Buf].IsLocal ||
               IsNear(getOffset(K, O.Acc), MaxLoadStep));
    for (const Assign &A : L.Assigns)
      Near &= K.Buffers[A.Target.Buf].IsLocal ||
              IsNear(getOffset(K, A.Target), MaxStoreStep);
  });
  return Near;
}

/// Rounds of loops inside each other that LLVM unrolls.
static constexpr uint64_t MaxUnrolled = 64;

bool dlopt::isVectorizedAround(const Kernel &K, ArrayRef<const Node *> Axes) {
  constexpr uint64_t LeastVector = 4;
  // As many as the loop vectorizer's groups of interleaved accesses have.
  constexpr int64_t MaxStep = 8;
  uint64_t Rounds = 1;
  for (; Axes.size() > 1; Axes = Axes.drop_back()) {
    const Node &Last = *Axes.back();
    uint64_t Own = getRounds(K, Last).value_or(UINT64_MAX);
    Rounds = SaturatingMultiply(Rounds, Own);
    if (K.Axes[Last.Ax].R == Role::Parallel && Own >= LeastVector &&
        hasNearElements(K, Last, MaxStep, /*MaxStoreStep=*/1))
      return true;
    if (Rounds > MaxUnrolled)
      return false;
  }
  return true;
}

/// Rounds of all loops in \p N together, each inside the ones around it.
static uint64_t getAllRounds(const Kernel &K, const Node &N) {
  uint64_t Inside = 0;
  for (const auto &Child : N.Children)
    if (Child->K != Node::LeafNode)
      Inside = SaturatingAdd(Inside, getAllRounds(K, *Child));
  Inside = std::max<uint64_t>(Inside, 1);
  return N.K == Node::AxisNode
             ? SaturatingMultiply(Inside, getRounds(K, N).value_or(UINT64_MAX))
             : Inside;
}

const Node *dlopt::getLoopLeft(const Kernel &K, const Node &Nest) {
  const Node *Left = nullptr;
  for (const Node *N = &Nest; N;) {
    if (N->K == Node::AxisNode)
      Left = N;
    const Node *Next = nullptr;
    for (const auto &Child : N->Children) {
      if (Child->K == Node::LeafNode || getAllRounds(K, *Child) <= MaxUnrolled)
        continue;
      if (Next)
        return nullptr;
      Next = Child.get();
    }
    N = Next;
  }
  return Left && getAllRounds(K, *Left) > MaxUnrolled ? Left : nullptr;
}
