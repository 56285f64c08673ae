//===- LoopProfit.cpp - What LLVM's own loops are like --------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LoopProfit.h"
#include "dlopt/Lanes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace dlopt;

/// Whether \p O chooses the greater or the lesser one of what it compares,
/// where no flag says that there are NaNs or that the signs of zeros matter.
static bool isChoice(const Leaf &L, const Op &O) {
  if (O.K != Op::Inst || O.Opcode != Instruction::Select)
    return false;
  const Op &Test = L.Ops[O.Args[0]];
  return Test.K == Op::Inst && Test.Opcode == Instruction::FCmp &&
         CmpInst::isRelational(Test.Pred) && Test.FMF.noNaNs() &&
         (Test.FMF.noSignedZeros() || O.FMF.noSignedZeros()) &&
         is_contained(Test.Args, O.Args[1]) &&
         is_contained(Test.Args, O.Args[2]);
}

/// Whether all that \p Loop carries from round to round are extremes that are
/// one operation, which LLVM vectorizes without any flags, as of zeros of both
/// signs either may be the result, or choices that flags make as free.
static bool findsExtremes(const Kernel &K, const Node &Loop) {
  bool Any = false, Others = false;
  forEachLeaf(Loop, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Assign &A : L.Assigns) {
      if (!K.Buffers[A.Target.Buf].IsLocal ||
          is_contained(Loop.Locals, A.Target.Buf))
        continue;
      const Op &O = L.Ops[A.Value];
      auto IsState = [&](const Op &X) {
        return X.K == Op::Load && X.Acc.Buf == A.Target.Buf;
      };
      bool IsExtreme =
          ((O.K == Op::Intrinsic &&
            (O.Opcode == Intrinsic::maxnum || O.Opcode == Intrinsic::minnum)) ||
           isChoice(L, O)) &&
          count_if(L.Ops, IsState) == 1 &&
          count_if(O.Args, [&](OpId Id) { return IsState(L.Ops[Id]); }) == 1;
      Any |= IsExtreme;
      Others |= !IsExtreme;
    }
  });
  return Any && !Others;
}

bool dlopt::staysScalar(const Kernel &K, const Node &Loop) {
  bool Result = getLaneSearch(K, Loop) && !getLaneReductions(K, Loop);
  bool InAnyOrder = findsExtremes(K, Loop);
  forEachLeaf(Loop, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Op &O : L.Ops) {
      // In the order of the source, or a choice between values. A cast has no
      // order.
      bool IsCast = O.K == Op::Inst && Instruction::isCast(O.Opcode);
      bool InOrder = !InAnyOrder && isFloat(O.Ty) && O.K != Op::Load &&
                     O.K != Op::Param && O.K != Op::Const && !IsCast &&
                     !O.FMF.allowReassoc();
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

bool dlopt::choosesInAnyOrder(const Kernel &K, const Node &Loop) {
  auto Reductions = getLaneReductions(K, Loop);
  return Reductions && !Reductions->empty() &&
         all_of(*Reductions, [](const LaneReduction &R) {
           const Op &O = R.L->Ops[R.Combine];
           return R.How == LaneReduction::Choice && O.K == Op::Intrinsic;
         });
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
           getRounds(K, N.Ax).value_or(UINT64_MAX) > FewRounds;
  return any_of(N.Children, [&](const auto &Child) {
    return hasScalarLoop(K, *Child, Lanes);
  });
}

bool dlopt::hasNearElements(const Kernel &K, const Node &Loop,
                            int64_t MaxLoadStep, int64_t MaxStoreStep,
                            int64_t ArgumentStep) {
  auto IsNear = [&](const Access &A, int64_t MaxStep) {
    if (K.Buffers[A.Buf].IsLocal)
      return true;
    std::optional<Poly> Step = getStride(K, getOffset(K, A), Loop.Ax);
    return Step &&
           std::abs(Step->getConstant().value_or(ArgumentStep)) <= MaxStep;
  };
  bool Near = true;
  forEachLeaf(Loop, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Op &O : L.Ops)
      Near &=
          O.K != Op::LibCall && (O.K != Op::Load || IsNear(O.Acc, MaxLoadStep));
    for (const Assign &A : L.Assigns)
      Near &= IsNear(A.Target, MaxStoreStep);
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
    // A condition that is the same for all lanes.
    uint64_t Own = K.Axes[Last.Ax].isCondition()
                       ? 1
                       : getRounds(K, Last.Ax).value_or(UINT64_MAX);
    Rounds = SaturatingMultiply(Rounds, Own);
    if (K.Axes[Last.Ax].R == Role::Parallel && Own >= LeastVector &&
        hasNearElements(K, Last, MaxStep, /*MaxStoreStep=*/1))
      return true;
    if (Rounds > MaxUnrolled)
      return false;
  }
  // Elements further apart LLVM gathers one by one.
  return hasNearElements(K, *Axes.front(), MaxStep, MaxStep);
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
