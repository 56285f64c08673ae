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

using namespace llvm;
using namespace dlopt;

namespace {

/// More rounds of straight code are not looked at one by one.
constexpr int64_t MostInstances = 4096;
/// Instructions' worth of ports of operations that have units of their own, and
/// of functions by polynomials.
constexpr double DivisionCost = 8, FunctionCost = 20;
/// What spreads a mask over a vector of which not all elements are asked for.
constexpr double MaskShuffles = 2;
/// Elements so far apart are shuffled out of whole vectors.
constexpr double MostShuffled = 4;

} // namespace

static double getOpCost(const Op &O, const TargetModel &T) {
  switch (O.K) {
  case Op::Const:
  case Op::Load:
  case Op::Index:
  case Op::Param:
  case Op::View:
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

CostModel::Straight CostModel::findStraight(ArrayRef<const Node *> Axes,
                                            CostPoint &At) const {
  Straight S;
  for (const Node *N : Axes) {
    const AxisSchedule &Schedule = K.Axes[N->Ax].Schedule;
    At.Axes[N->Ax] = getBegin(K.Axes[N->Ax], At);
    if (!Schedule.Row.empty()) {
      ArrayRef<InstructionRow> Found = findInstructions(Schedule.Row);
      S.Row = Found.empty() ? nullptr : Found.data();
      continue;
    }
    if (Schedule.Lanes) {
      S.Lanes = N;
      S.Width = Schedule.Lanes.getLeast();
    }
    S.Loops.push_back(N);
  }
  return S;
}

/// Whether some lane of \p S has work in \p L: if the first or the last has, as
/// conditions are linear.
bool CostModel::mayRun(const Leaf &L, const Straight &S, CostPoint &At) const {
  return all_of(L.Domain, [&](const Constraint &C) {
    std::optional<int64_t> First = getValue(C.P, At), Last = First;
    if (S.Lanes) {
      At.Axes[S.Lanes->Ax] += S.Width - 1;
      Last = getValue(C.P, At);
      At.Axes[S.Lanes->Ax] -= S.Width - 1;
    }
    if (!First || !Last)
      return true;
    return std::max(*First, *Last) >= 0 &&
           (!C.IsEquality || *First != *Last || *First == 0);
  });
}

/// What runs of \p P: as often as some lane has work.
CostModel::Instances CostModel::findInstances(const Place &P, const Straight &S,
                                              CostPoint At, bool IsSum) const {
  Instances All;
  All.Places.resize(P.Touches.size());
  std::set<int64_t> Sums;
  int64_t Seen = 0;
  auto Visit = [&](size_t Which, auto &Self) -> void {
    if (Which != S.Loops.size()) {
      const Axis &A = K.Axes[S.Loops[Which]->Ax];
      bool IsLanes = S.Loops[Which] == S.Lanes;
      int64_t Begin = getBegin(A, At), End = getEnd(A, At);
      for (int64_t X = Begin; X < End && Seen <= MostInstances;
           X += IsLanes ? S.Width : 1) {
        At.Axes[S.Loops[Which]->Ax] = X;
        Self(Which + 1, Self);
      }
      return;
    }
    ++Seen;
    if (!mayRun(*P.L, S, At))
      return;
    ++All.Number;
    for (auto [X, Own] : zip(P.Touches, All.Places))
      if (std::optional<int64_t> Where = getValue(X.Offset, At))
        Own.insert(*Where);
    if (!IsSum)
      return;
    int64_t Where = 0;
    for (const Poly &Sub : P.L->Assigns.front().Target.Subs)
      Where = Where * MostInstances + getValue(Sub, At).value_or(0);
    Sums.insert(Where);
  };
  Visit(0, Visit);
  All.Sums = static_cast<double>(Sums.size());
  return All;
}

/// Adds what \p X takes, of which there are \p Distinct elements or vectors.
/// \p IsMasked: lanes have a mask. Returns the instructions.
double CostModel::addTouch(const Touch &X, const Straight &S, double Distinct,
                           bool IsMasked, CostWork &W) const {
  double Stride = S.Lanes ? getStride(X, *S.Lanes).value_or(LineBytes) : 0;
  bool IsVector = S.Width > 1 && Stride != 0;
  double Bytes = IsVector ? S.Width * X.Bytes : X.Bytes;
  double Parts = std::max(1.0, Bytes * 8 / std::max(T.VectorBits, 8U));
  // Of vectors some cross lines; the stack is aligned.
  bool MayCross = IsVector && !K.Buffers[X.Buf].IsLocal;
  double Crossing = MayCross ? (Bytes / Parts - X.Bytes) / LineBytes : 0;
  bool IsMove = S.Row && S.Row->isMove();
  double Number =
      Distinct * (IsMove ? S.Row->Depth : 1) * Parts * (1 + Crossing);
  if (IsVector && Stride > 1 && !IsMove) {
    if (Stride <= MostShuffled) {
      Number *= Stride;
      W.Shuffles += Distinct * Stride * (IsMasked ? 1 + MaskShuffles : 1);
    } else {
      Number = Distinct * S.Width;
      W.Shuffles += Distinct * S.Width;
    }
  }
  (X.IsStore ? W.Stores : W.Loads) += Number;
  return Number;
}

bool CostModel::isMasked(const Leaf &L, const Straight &S,
                         const CostPoint &At) const {
  if (!S.Lanes)
    return false;
  const Axis &A = K.Axes[S.Lanes->Ax];
  return (getEnd(A, At) - getBegin(A, At)) % S.Width != 0 ||
         any_of(L.Domain, [&](const Constraint &C) {
           return K.dependsOn(C.P, S.Lanes->Ax);
         });
}

/// How many loads what lanes share takes, \p Places of elements, where one load
/// may have \p Width of them.
static double countVectors(const std::set<int64_t> &Places, uint64_t Width) {
  double Number = 0;
  uint64_t Run = 0;
  std::optional<int64_t> Before;
  for (int64_t X : Places) {
    Run = Before && X == *Before + 1 ? Run + 1 : 1;
    Before = X;
    ++Number;
    if (Run == Width) {
      Number -= static_cast<double>(Width - 1);
      Run = 0;
      Before.reset();
    }
  }
  return Number;
}

CostWork CostModel::countWork(const Place &P, ArrayRef<const Node *> Axes,
                              CostPoint At) const {
  Straight S = findStraight(Axes, At);
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
  bool IsMasked = isMasked(*P.L, S, At);
  Instances All = findInstances(P, S, At, IsSum);
  CostWork W;
  if (All.Number == 0)
    return W;
  W.Arithmetic = W.Issued = All.Number * PerInstance;
  if (S.Row)
    W.Shuffles += All.Number * countShuffles(*S.Row);
  for (auto [X, Places] : zip(P.Touches, All.Places)) {
    bool IsShared = T.HasLaneFMA && S.Lanes && !X.IsStore && X.Bytes &&
                    getStride(X, *S.Lanes) == 0;
    double Distinct = std::max<double>(
        IsShared ? countVectors(Places, T.VectorBits / 8 / X.Bytes)
                 : static_cast<double>(Places.size()),
        1);
    double Number = addTouch(X, S, Distinct, IsMasked, W);
    // A load for each operation is a part of it.
    if (X.IsStore || Distinct < All.Number || PerInstance == 0)
      W.Issued += Number;
  }
  W.Issued += W.Shuffles;
  if (All.Sums != 0)
    W.Chain = All.Number / All.Sums;
  return W;
}
