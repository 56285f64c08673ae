//===- CostCode.cpp - Cycles that a schedule takes: straight code ---------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A leaf below axes that are unrolled or in lanes is as many instructions as
/// there are rounds of the former and vectors of the latter, but for those of
/// which no lane has work. What several of them load is loaded once.
///
//===----------------------------------------------------------------------===//
#include "CostModel.h"
#include "dlopt/Instructions.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/Support/MathExtras.h"
#include <set>

using namespace llvm;
using namespace dlopt;

namespace {

constexpr double LineBytes = 64;
/// More rounds of straight code are not looked at one by one.
constexpr int64_t MostInstances = 4096;
/// Instructions' worth of ports of operations that have units of their own, and
/// of functions by polynomials.
constexpr double DivisionCost = 8, FunctionCost = 20;
/// What spreads a mask over a vector of which not all elements are asked for.
constexpr double MaskShuffles = 2;

} // namespace

/// Axes of straight code: the one in lanes, those that are one instruction.
struct CostModel::Straight {
  SmallVector<const Node *, 6> Loops;
  const Node *Lanes = nullptr;
  unsigned Width = 1;
  const InstructionRow *Row = nullptr;
};

static double getOpCost(const Op &O, const TargetModel &T) {
  switch (O.K) {
  case Op::Const:
  case Op::Load:
  case Op::Index:
  case Op::Param:
    return 0;
  case Op::Inst:
    switch (O.Opcode) {
    case Instruction::FDiv:
    case Instruction::FRem:
    case Instruction::SDiv:
    case Instruction::UDiv:
    case Instruction::SRem:
    case Instruction::URem:
      return DivisionCost;
    default:
      return 1;
    }
  case Op::Intrinsic:
    switch (O.Opcode) {
    case Intrinsic::fmuladd:
      return T.HasVectorFMA ? 1 : 2;
    case Intrinsic::sqrt:
      return DivisionCost;
    case Intrinsic::fabs:
    case Intrinsic::maxnum:
    case Intrinsic::minnum:
    case Intrinsic::maximum:
    case Intrinsic::minimum:
    case Intrinsic::smax:
    case Intrinsic::smin:
    case Intrinsic::umax:
    case Intrinsic::umin:
    case Intrinsic::fma:
      return 1;
    default:
      return FunctionCost;
    }
  case Op::LibCall:
    return FunctionCost;
  }
  return 1;
}

const CostWork &CostModel::getWork(const Place &P, ArrayRef<const Node *> Axes,
                                   const CostPoint &At) {
  SmallVector<int64_t, 8> Key;
  if (Axes.empty())
    Key.assign(At.Axes.begin(), At.Axes.end());
  else
    Key = getKey(Matters[Axes.front()], At);
  auto [It, IsNew] = Works.try_emplace({P.L, Key});
  if (IsNew)
    It->second = countWork(P, Axes, At);
  return It->second;
}

/// What moves the elements of a row of \p Depth between registers.
static double countShuffles(const InstructionRow &Row) {
  if (Row.isMove())
    return Row.Depth * Log2_32(Row.Depth);
  return Row.isTree() ? 2.0 * (Row.Depth - 1) : 0;
}

CostWork CostModel::countWork(const Place &P, ArrayRef<const Node *> Axes,
                              CostPoint At) const {
  Straight S;
  for (const Node *N : Axes) {
    const AxisSchedule &Schedule = K.Axes[N->Ax].Schedule;
    At.Axes[N->Ax] = getBegin(K.Axes[N->Ax], At);
    if (!Schedule.Row.empty()) {
      ArrayRef<InstructionRow> Found = findInstructions(Schedule.Row);
      S.Row = Found.empty() ? nullptr : Found.data();
    } else if (Schedule.Lanes) {
      S.Lanes = N;
      S.Width = Schedule.Lanes;
      S.Loops.push_back(N);
    } else {
      S.Loops.push_back(N);
    }
  }
  struct Kind {
    double Instructions, Stride;
    std::set<int64_t> Places;
  };
  SmallVector<Kind, 4> Kinds;
  unsigned Bits = T.VectorBits;
  for (const Touch &X : P.Touches) {
    double Stride = S.Lanes ? getStride(X, *S.Lanes).value_or(LineBytes) : 0;
    bool IsVector = S.Width > 1 && Stride != 0;
    double Bytes = IsVector ? S.Width * X.Bytes : X.Bytes;
    double Parts = std::max(1.0, Bytes * 8 / std::max(Bits, 8u));
    // Of vectors some cross lines; the stack is aligned.
    bool MayCross = IsVector && !K.Buffers[X.Buf].IsLocal;
    double Crossing = MayCross ? (Bytes / Parts - X.Bytes) / LineBytes : 0;
    Kinds.push_back({Parts * (1 + Crossing), IsVector ? Stride : 0, {}});
  }
  CostWork W;
  bool IsMasked = S.Lanes && any_of(P.L->Domain, [&](const Constraint &C) {
                    return K.dependsOn(C.P, S.Lanes->Ax);
                  });
  if (S.Lanes) {
    const Axis &A = K.Axes[S.Lanes->Ax];
    IsMasked |= (getEnd(A, At) - getBegin(A, At)) % S.Width != 0;
  }
  double PerInstance = 0;
  bool IsSum = false;
  for (const Op &O : P.L->Ops) {
    PerInstance += getOpCost(O, T);
    IsSum |= O.K == Op::Load && any_of(P.L->Assigns, [&](const Assign &A) {
               return A.Target == O.Acc;
             });
  }
  // An instruction of several products is one.
  if (S.Row && S.Row->isDot())
    PerInstance = 1;
  std::set<int64_t> Sums;
  double Active = 0;
  int64_t Seen = 0;
  auto Visit = [&](size_t Which, auto &Self) -> void {
    if (Seen > MostInstances)
      return;
    if (Which != S.Loops.size()) {
      const Axis &A = K.Axes[S.Loops[Which]->Ax];
      bool IsLanes = S.Loops[Which] == S.Lanes;
      int64_t Begin = getBegin(A, At), End = getEnd(A, At);
      for (int64_t X = Begin; X < End; X += IsLanes ? S.Width : 1) {
        At.Axes[S.Loops[Which]->Ax] = X;
        Self(Which + 1, Self);
      }
      return;
    }
    ++Seen;
    // Some lane has work if the first or the last has: conditions are linear.
    for (const Constraint &C : P.L->Domain) {
      std::optional<int64_t> First = getValue(C.P, At), Last = First;
      if (S.Lanes) {
        At.Axes[S.Lanes->Ax] += S.Width - 1;
        Last = getValue(C.P, At);
        At.Axes[S.Lanes->Ax] -= S.Width - 1;
      }
      if (First && Last && std::max(*First, *Last) < 0)
        return;
      if (First && Last && C.IsEquality && *First == *Last && *First != 0)
        return;
    }
    ++Active;
    for (auto [X, Own] : zip(P.Touches, Kinds))
      if (std::optional<int64_t> Where = getValue(X.Offset, At))
        Own.Places.insert(*Where);
    if (IsSum && !P.L->Assigns.empty()) {
      const Access &Target = P.L->Assigns.front().Target;
      int64_t Where = 0;
      for (const Poly &Sub : Target.Subs)
        Where = Where * MostInstances + getValue(Sub, At).value_or(0);
      Sums.insert(Where);
    }
  };
  Visit(0, Visit);
  if (Active == 0)
    return W;
  double Many = S.Row && S.Row->isMove() ? S.Row->Depth : 1;
  W.Arithmetic = Active * PerInstance;
  W.Issued = W.Arithmetic;
  if (S.Row)
    W.Shuffles += Active * countShuffles(*S.Row);
  for (auto [X, Own] : zip(P.Touches, Kinds)) {
    double Distinct =
        std::max<double>(static_cast<double>(Own.Places.size()), 1);
    bool IsApart = Own.Stride > 1 && !(S.Row && S.Row->isMove());
    double Number = Distinct * Many * Own.Instructions;
    if (IsApart && Own.Stride <= 4) {
      Number *= Own.Stride;
      W.Shuffles += Distinct * Own.Stride * (IsMasked ? 1 + MaskShuffles : 1);
    } else if (IsApart) {
      Number = Distinct * S.Width;
      W.Shuffles += Distinct * S.Width;
    }
    (X.IsStore ? W.Stores : W.Loads) += Number;
    // A load for each operation is a part of it.
    if (X.IsStore || Distinct < Active || PerInstance == 0)
      W.Issued += Number;
  }
  W.Issued += W.Shuffles;
  if (IsSum && !Sums.empty())
    W.Chain = Active / static_cast<double>(Sums.size());
  return W;
}
