//===- LaneRanges.cpp - What is known of values in lanes ------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Softmax and its relatives subtract the maximum of a row before they take
/// exponentials of it, so that none is of a positive number. A maximum by fmaxf
/// that starts from a number stays one.
///
//===----------------------------------------------------------------------===//
#include "LaneLower.h"
#include "dlopt/Compat.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Target.h"
#include "dlopt/Uses.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace dlopt {

namespace {

/// State is no less than any number that Element reads along Row, and than the
/// one in front of these, if State started from that.
struct RowMaximum {
  BufferId State;
  const Op *Element;
  AxisId Row;
  const Access *Start = nullptr;
};

} // namespace

/// The new value that \p R combines with the old one, if it keeps the greater
/// one of both and ignores, or keeps, what is no number.
static std::optional<OpId> getMaximized(const LaneReduction &R) {
  const Op &O = R.L->Ops[R.Combine];
  if (R.How != LaneReduction::Choice)
    return std::nullopt;
  if (O.K == Op::Intrinsic) {
    // After a signaling NaN maxnum may start anew.
    if (O.Opcode == Intrinsic::maximum || O.Opcode == Intrinsic::maximumnum ||
        (O.Opcode == Intrinsic::maxnum && O.FMF.noNaNs()))
      return O.Args[O.Args[0] == R.Old];
    return std::nullopt;
  }
  const Op &Test = R.L->Ops[O.Args[0]];
  bool TakesValue = O.Args[2] == R.Old;
  CmpInst::Predicate Pred = Test.Pred;
  if (!TakesValue)
    Pred = CmpInst::getInversePredicate(Pred);
  if (Test.Args[0] == R.Old)
    Pred = CmpInst::getSwappedPredicate(Pred);
  if (Pred != CmpInst::FCMP_OGT && Pred != CmpInst::FCMP_OGE)
    return std::nullopt;
  return TakesValue ? O.Args[1] : O.Args[2];
}

/// What the axis \p N leaves behind.
static SmallVector<RowMaximum, 1> getMaxima(const Kernel &K, const Node &N) {
  SmallVector<RowMaximum, 1> Result;
  auto Reductions = getLaneReductions(K, N);
  if (!Reductions)
    return Result;
  for (const LaneReduction &R : *Reductions) {
    std::optional<OpId> Value = getMaximized(R);
    if (!Value || isConditional(*R.L))
      continue;
    const Op &Element = R.L->Ops[*Value];
    if (Element.K == Op::Load && !assigns(N, Element.Acc.Buf))
      Result.push_back({R.State, &Element, N.Ax, nullptr});
  }
  return Result;
}

/// Whether \p X along \p A is what \p Y is along \p B, \p Shift rounds ahead:
/// another element in each round.
static bool isSameRow(const Kernel &K, const Access &X, AxisId A,
                      const Access &Y, AxisId B, int64_t Shift = 0) {
  Poly OfX = getOffset(K, X), OfY = getOffset(K, Y);
  std::optional<Poly> Stride = getStride(K, OfX, A);
  if (X.Buf != Y.Buf || !Stride || !Stride->getConstant() || Stride->isZero() ||
      getStride(K, OfY, B) != Stride)
    return false;
  for (auto [Id, At] : enumerate(K.Atoms))
    if (At.K == Atom::Axis && (At.Ref == A || At.Ref == B)) {
      OfX = OfX.without(Id);
      OfY = OfY.without(Id);
    }
  return OfX == OfY + *Stride * Poly(Shift);
}

namespace {

/// An operation, and the leaf that it is in.
struct Place {
  const Leaf *L;
  const Op *O;
};

} // namespace

/// Where \p Arg of \p L, a leaf directly inside the axis \p N, comes from: a
/// scalar that lives for one round has one leaf that assigns it, maybe.
static Place getSource(const Node &N, const Leaf &L, OpId Arg) {
  const Op &O = L.Ops[Arg];
  if (O.K != Op::Load || !is_contained(N.Locals, O.Acc.Buf))
    return {&L, &O};
  Place Source = {&L, &O};
  unsigned Assigned = 0;
  forEachLeaf(N, [&](const Leaf &From, ArrayRef<AxisId> Around) {
    for (const Assign &A : From.Assigns)
      if (A.Target.Buf == O.Acc.Buf) {
        // In front of L, always.
        bool Is = !Assigned && &From != &L && Around.size() == 1 &&
                  !isConditional(From);
        Assigned += Is ? 1 : 2;
        Source = {&From, &From.Ops[A.Value]};
      }
  });
  return Assigned == 1 ? Source : Place{&L, &O};
}

/// Whether \p Max is one of all elements that \p X reads along \p Row.
static bool isOfRow(const Kernel &K, const RowMaximum &Max, const Access &X,
                    AxisId Row) {
  const auto &Found = K.Axes[Max.Row].Extents, &Read = K.Axes[Row].Extents;
  const Access &Element = Max.Element->Acc;
  if (Found == Read)
    return isSameRow(K, Element, Max.Row, X, Row);
  if (!Max.Start || Found.size() != 1 || Read.size() != 1 ||
      Found[0] + Poly(1) != Read[0] ||
      !isSameRow(K, Element, Max.Row, X, Row, 1))
    return false;
  Poly First = getOffset(K, X);
  for (auto [Id, At] : enumerate(K.Atoms))
    if (At.K == Atom::Axis && At.Ref == Row)
      First = First.without(Id);
  return Max.Start->Buf == X.Buf && getOffset(K, *Max.Start) == First;
}

/// What the state of \p Max is in front of the axis behind \p Before.
static const Access *getStart(ArrayRef<std::unique_ptr<Node>> Before,
                              const RowMaximum &Max) {
  const Access *Start = nullptr;
  for (const auto &Child : Before) {
    if (assigns(*Child, Max.State)) {
      Start = nullptr;
      if (Child->K == Node::LeafNode && !isConditional(Child->L) &&
          Child->L.Assigns.size() == 1) {
        const Op &O = Child->L.Ops[Child->L.Assigns.front().Value];
        Start = O.K == Op::Load ? &O.Acc : nullptr;
      }
    }
    if (assigns(*Child, Max.Element->Acc.Buf))
      Start = nullptr;
  }
  return Start;
}

/// The exponential functions in \p L, directly inside the axis \p N, of
/// elements less \p Max.
static void addFromLeaf(const Kernel &K, const Node &N, const Leaf &L,
                        const RowMaximum &Max, DenseSet<const Op *> &Ops) {
  for (const Op &O : L.Ops) {
    if (getMathFunction(O) != MathFunction::Exp)
      continue;
    Place Arg = getSource(N, L, O.Args[0]);
    if (Arg.O->K != Op::Inst || Arg.O->Opcode != Instruction::FSub)
      continue;
    const Op &X = *getSource(N, *Arg.L, Arg.O->Args[0]).O,
             &Y = Arg.L->Ops[Arg.O->Args[1]];
    if (X.K == Op::Load && Y.K == Op::Load && Y.Acc.Buf == Max.State &&
        isOfRow(K, Max, X.Acc, N.Ax))
      Ops.insert(&O);
  }
}

/// Whether all that the axis \p N assigns to the elements of \p Max is the one
/// that its round reads.
static bool assignsInPlace(const Kernel &K, const Node &N,
                           const RowMaximum &Max) {
  bool InPlace = true;
  forEachLeaf(N, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Assign &A : L.Assigns)
      InPlace &= A.Target.Buf != Max.Element->Acc.Buf ||
                 isOfRow(K, Max, A.Target, N.Ax);
  });
  return InPlace;
}

/// From the children \p Behind those that have found \p Max.
static void addFrom(const Kernel &K, ArrayRef<std::unique_ptr<Node>> Behind,
                    const RowMaximum &Max, DenseSet<const Op *> &Ops) {
  for (const auto &Child : Behind) {
    const Node &N = *Child;
    if (assigns(N, Max.State))
      return;
    if (N.K == Node::AxisNode && assignsInPlace(K, N, Max))
      for (const auto &Inner : N.Children) {
        if (Inner->K == Node::LeafNode)
          addFromLeaf(K, N, Inner->L, Max, Ops);
        if (assigns(*Inner, Max.Element->Acc.Buf))
          break;
      }
    if (assigns(N, Max.Element->Acc.Buf))
      return;
  }
}

void addExpOfNegative(const Kernel &K, const Node &N,
                      DenseSet<const Op *> &Ops) {
  for (auto [I, Child] : enumerate(N.Children)) {
    if (Child->K == Node::AxisNode)
      for (RowMaximum &Max : getMaxima(K, *Child)) {
        Max.Start = getStart(ArrayRef(N.Children).take_front(I), Max);
        addFrom(K, ArrayRef(N.Children).drop_front(I + 1), Max, Ops);
      }
    addExpOfNegative(K, *Child, Ops);
  }
}

namespace {

/// What LLVM finds out about numbers when it selects instructions.
class NumberFacts {
public:
  explicit NumberFacts(const Kernel &K) : K(K) {}
  /// Whether \p O of \p L may be no number for all that LLVM knows.
  bool mayBeNone(const Leaf &L, const Op &O);

private:
  bool mayHoldNone(BufferId Buf);
  const Kernel &K;
  SmallDenseSet<BufferId, 4> Seen;
};

} // namespace

bool NumberFacts::mayBeNone(const Leaf &L, const Op &O) {
  if (O.K == Op::Load)
    return !K.Buffers[O.Acc.Buf].IsLocal || mayHoldNone(O.Acc.Buf);
  if (O.FMF.noNaNs())
    return false;
  if (O.K == Op::Intrinsic)
    return O.Opcode == Intrinsic::fma || O.Opcode == Intrinsic::fmuladd ||
           (O.Opcode == Intrinsic::fabs && mayBeNone(L, L.Ops[O.Args[0]]));
  if (O.K != Op::Inst)
    return false;
  switch (O.Opcode) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
    return true;
  case Instruction::FNeg:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
    return mayBeNone(L, L.Ops[O.Args[0]]);
  default:
    return false;
  }
}

/// The same of all that the local \p Buf gets.
bool NumberFacts::mayHoldNone(BufferId Buf) {
  if (!Seen.insert(Buf).second)
    return false;
  bool May = true;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Assign &A : L.Assigns)
      if (A.Target.Buf == Buf)
        May = May && mayBeNone(L, L.Ops[A.Value]);
  });
  Seen.erase(Buf);
  return May;
}

/// Whether \p O is the greater or the less of a number in \p State and
/// something else, in this order.
static bool isExtremeOf(const Leaf &L, const Op &O, BufferId State) {
  if (O.K != Op::Intrinsic ||
      (O.Opcode != Intrinsic::maxnum && O.Opcode != Intrinsic::minnum))
    return false;
  const Op &Old = L.Ops[O.Args[0]];
  return Old.K == Op::Load && Old.Acc.Buf == State;
}

/// Whether LLVM's code for the extreme \p O keeps the first of two operands
/// that are equal: where the second, or both, are known to be numbers it is one
/// instruction, which keeps the second.
static bool keepsState(const Kernel &K, const Leaf &L, const Op &O) {
  if (DLOPT_PLANTED(SecondOfEqualForgotten))
    return true;
  return !O.FMF.noNaNs() && NumberFacts(K).mayBeNone(L, L.Ops[O.Args[1]]);
}

/// Whether the scalar \p State never holds what is no number: all that it gets
/// are constants and extremes of itself.
static bool isNumber(const Kernel &K, BufferId State, LLVMContext &C) {
  const Buffer &Buf = K.Buffers[State];
  if (!Buf.IsLocal || !Buf.Shape.empty())
    return false;
  const fltSemantics &Semantics = getIRType(Buf.Ty, C)->getFltSemantics();
  auto IsNumber = [&](uint64_t Bits) {
    APInt Pattern(8 * getSizeInBytes(Buf.Ty), Bits);
    return !APFloat(Semantics, Pattern).isNaN();
  };
  bool Is = true;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Assign &A : L.Assigns) {
      const Op &O = L.Ops[A.Value];
      if (A.Target.Buf == State && !DLOPT_PLANTED(StatesTakenForNumbers))
        Is &=
            isExtremeOf(L, O, State) || (O.K == Op::Const && IsNumber(O.Bits));
    }
  });
  return Is;
}

void addExtremesOfNumbers(const Kernel &K, const Function &F,
                          DenseSet<const Op *> &Ops) {
  if (!keepsFirstOfEqual(F))
    return;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Op &O : L.Ops)
      if (O.K == Op::Intrinsic && !O.Args.empty()) {
        const Op &State = L.Ops[O.Args[0]];
        if (State.K == Op::Load && isExtremeOf(L, O, State.Acc.Buf) &&
            isNumber(K, State.Acc.Buf, F.getContext()) && keepsState(K, L, O))
          Ops.insert(&O);
      }
  });
}

} // namespace dlopt
