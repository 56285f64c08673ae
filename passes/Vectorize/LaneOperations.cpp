//===- LaneOperations.cpp - What lanes may do -----------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LaneChooser.h"
#include "dlopt/Expression.h"
#include "dlopt/MathModels.h"
#include "dlopt/Target.h"
#include "dlopt/Uses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;
using namespace dlopt;

bool dlopt::isNarrow(ScalarType Ty) {
  return Ty == ScalarType::F16 || Ty == ScalarType::BF16;
}

/// Numbers of 16 bits are read, to be extended, and rounded to: bfloat becomes
/// float by a shift, and float bfloat by a few operations on integers.
bool LaneChooser::isCheapNarrow(const Op &O) const {
  // Threads of a GPU compute with scalars of half.
  if (Target.IsNVPTX && O.Ty == ScalarType::F16)
    return true;
  if (Plan.Scalable || (O.Ty == ScalarType::F16 && !Target.ConvertsHalf))
    return false;
  return O.K == Op::Load ||
         (O.K == Op::Inst && O.Opcode == Instruction::FPTrunc);
}

/// Operations that are one or a few instructions on vectors.
bool LaneChooser::isCheap(const Op &O, bool IsInside, bool Masked) const {
  if (Plan.Scalable && !isMathInLanes(O, Plan) && !hasScalableForm(O))
    return false;
  if (isNarrow(O.Ty))
    return isCheapNarrow(O);
  if (isMathInLanes(O, Plan))
    return true;
  // Once a row, calls are cheap.
  if (O.K == Op::LibCall)
    return isRoot(O) || (!IsInside && !Masked);
  if (O.K != Op::Intrinsic)
    return true;
  switch (O.Opcode) {
  case Intrinsic::smax:
  case Intrinsic::smin:
  case Intrinsic::umax:
  case Intrinsic::umin:
  case Intrinsic::abs:
    return true;
  case Intrinsic::ceil:
  case Intrinsic::floor:
  case Intrinsic::nearbyint:
  case Intrinsic::rint:
  case Intrinsic::round:
  case Intrinsic::roundeven:
  case Intrinsic::trunc:
    return Target.RoundsToIntegers;
  default:
    return isVectorizableIntrinsic(O.Opcode);
  }
}

/// Under a mask nothing may trap or be read that the source does not read. What
/// is left behind whole vectors is written once, so that masked stores may be
/// slow.
bool LaneChooser::mayMask(const Leaf &L, AxisId Lane, bool IsRest) const {
  auto HasLoad = [&](const Poly &P) {
    return K.anyNestedAtom(P, [](const Atom &A) { return A.K == Atom::Load; });
  };
  if (any_of(L.Domain, [&](const Constraint &C) { return HasLoad(C.P); }))
    return false;
  for (const Op &O : L.Ops) {
    bool Divides =
        O.K == Op::Inst &&
        (O.Opcode == Instruction::UDiv || O.Opcode == Instruction::SDiv ||
         O.Opcode == Instruction::URem || O.Opcode == Instruction::SRem);
    bool IsMemory = O.K == Op::Load && !is_contained(Private, O.Acc.Buf) &&
                    !Safe.contains(&O);
    if (Divides || (O.K == Op::Index && HasLoad(O.Idx)) ||
        (IsMemory && (HasLoad(getOffset(K, O.Acc)) ||
                      ((!Target.HasMaskedLoads || getSizeInBytes(O.Ty) < 4) &&
                       K.dependsOn(getOffset(K, O.Acc), Lane)))))
      return false;
  }
  return all_of(L.Assigns, [&](const Assign &A) {
    return is_contained(Private, A.Target.Buf) ||
           ((Target.HasMaskedMemory || (IsRest && Target.HasMaskedLoads)) &&
            !HasLoad(getOffset(K, A.Target)) &&
            getSizeInBytes(K.Buffers[A.Target.Buf].Ty) >= 4);
  });
}

/// Whether all that depends on the lane grows by the same from lane to lane.
bool LaneChooser::isLinear(const Leaf &L, AxisId Lane) const {
  auto Is = [&](const Poly &P) {
    return !K.dependsOn(P, Lane) || getStride(K, P, Lane);
  };
  return all_of(L.Domain, [&](const Constraint &C) { return Is(C.P); }) &&
         all_of(L.Ops,
                [&](const Op &O) {
                  if (O.K == Op::Load)
                    return Is(getOffset(K, O.Acc));
                  return O.K != Op::Index || Is(O.Idx);
                }) &&
         all_of(L.Assigns,
                [&](const Assign &A) { return Is(getOffset(K, A.Target)); });
}

bool dlopt::goesOnInMemory(const Kernel &K, ArrayRef<AxisId> Axes) {
  bool GoesOn = false;
  SmallVector<AxisId, 2> HaveLoops;
  forEachLeaf(K.Root, [&](const Leaf &, ArrayRef<AxisId> Around) {
    if (!Around.empty())
      append_range(HaveLoops, Around.drop_back());
  });
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId> Around) {
    if (none_of(Around, [&](AxisId A) { return is_contained(Axes, A); }))
      return;
    bool IsRow = Around.size() > 1 && is_contained(Axes, Around.back()) &&
                 !is_contained(HaveLoops, Around.back());
    for (const Assign &A : L.Assigns)
      GoesOn |= !K.Buffers[A.Target.Buf].IsLocal && isRead(K, A.Target.Buf) &&
                (IsRow || any_of(Around, [&](AxisId X) {
                   return !K.dependsOn(getOffset(K, A.Target), X);
                 }));
  });
  return GoesOn;
}
