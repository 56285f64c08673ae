//===- LaneProfit.cpp - What LLVM's own loops are like --------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Lanes gain where LLVM leaves loops scalar. It vectorizes innermost loops,
/// and unrolls those of a few rounds before: then the loop around them is the
/// innermost one.
///
//===----------------------------------------------------------------------===//
#include "LaneChooser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace dlopt;

/// Whether LLVM leaves the reduction \p Loop scalar, or makes it slow.
bool LaneChooser::staysScalar(const Node &Loop) const {
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

/// The rounds of \p N, if all of its bounds are constants.
static std::optional<uint64_t> getRounds(const Kernel &K, const Node &N) {
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

/// Whether iterations of \p Loop, with all inside it in a row, read and write
/// neighbours or groups of them that LLVM takes apart by shuffles.
bool LaneChooser::hasNearElements(const Node &Loop) const {
  // As many as the loop vectorizer's groups of interleaved accesses have.
  constexpr int64_t MaxStep = 8;
  auto IsNear = [&](const Poly &P, bool IsStore) {
    std::optional<Poly> Step = getStride(K, P, Loop.Ax);
    std::optional<int64_t> C = Step ? Step->getConstant() : std::nullopt;
    return C && std::abs(*C) <= (IsStore ? 1 : MaxStep);
  };
  bool Near = true;
  forEachLeaf(Loop, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Op &O : L.Ops)
      Near &= O.K != Op::LibCall &&
              (O.K != Op::Load || K.Buffers[O.Acc.Buf].IsLocal ||
               IsNear(getOffset(K, O.Acc), /*IsStore=*/false));
    for (const Assign &A : L.Assigns)
      Near &= K.Buffers[A.Target.Buf].IsLocal ||
              IsNear(getOffset(K, A.Target), /*IsStore=*/true);
  });
  return Near;
}

/// Whether the last of \p Axes, each inside the one before, are unrolled, and
/// LLVM vectorizes the loop around them: the axis of lanes itself, which is the
/// first one, or a parallel one inside it. What is unrolled of that becomes
/// vectors, too, if it fills one.
bool LaneChooser::isVectorizedAround(ArrayRef<const Node *> Axes) const {
  constexpr uint64_t MaxRounds = 64, LeastVector = 4;
  uint64_t Rounds = 1;
  for (; Axes.size() > 1; Axes = Axes.drop_back()) {
    const Node &Last = *Axes.back();
    uint64_t Own = getRounds(K, Last).value_or(UINT64_MAX);
    Rounds = SaturatingMultiply(Rounds, Own);
    if (K.Axes[Last.Ax].R == Role::Parallel && Own >= LeastVector &&
        hasNearElements(Last))
      return true;
    if (Rounds > MaxRounds)
      return false;
  }
  return true;
}
