//===- LaneSearchForm.cpp - What is a search ------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which updates of states along an axis search for the greatest or smallest
/// value: by one comparison, by maxnum and minnum, or by whatever test answers
/// of two numbers as a comparison does, `x > most || isnan(x)`.
///
//===----------------------------------------------------------------------===//
#include "dlopt/Lanes.h"
#include "dlopt/Uses.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace dlopt {

/// An element of memory along \p A, or what an operation without rounding makes
/// of it: it is computed again, to the same bits.
static bool isSearched(const Kernel &K, const Leaf &L, OpId Id, AxisId A) {
  const Op &O = L.Ops[Id];
  if (O.K == Op::Load)
    return K.dependsOn(O.Acc, A);
  bool IsExact =
      (O.K == Op::Inst &&
       (O.Opcode == Instruction::FNeg || O.Opcode == Instruction::FPExt ||
        O.Opcode == Instruction::SExt || O.Opcode == Instruction::ZExt)) ||
      (O.K == Op::Intrinsic && O.Opcode == Intrinsic::fabs);
  return IsExact && isSearched(K, L, O.Args[0], A);
}

/// Whether \p Id does not depend on what \p States hold.
static bool isFree(const Leaf &L, OpId Id, ArrayRef<BufferId> States) {
  return !isComputedOf(L, Id, [&](const Op &O) {
    return O.K == Op::Load && is_contained(States, O.Acc.Buf);
  });
}

/// \p A is `better(value, state) ? new : old`; the new value, and the
/// comparison with the value in front, in \p Better.
static std::optional<OpId> getChosen(const Kernel &K, const Leaf &L,
                                     const Assign &A, OpId &Test,
                                     bool &IfTrue) {
  const Op &O = L.Ops[A.Value];
  auto IsOld = [&](OpId Id) {
    const Op &X = L.Ops[Id];
    return X.K == Op::Load && X.Acc.Buf == A.Target.Buf;
  };
  if (!K.Buffers[A.Target.Buf].IsLocal ||
      !K.Buffers[A.Target.Buf].Shape.empty() || O.K != Op::Inst ||
      O.Opcode != Instruction::Select || IsOld(O.Args[1]) == IsOld(O.Args[2]))
    return std::nullopt;
  Test = O.Args[0];
  IfTrue = IsOld(O.Args[2]);
  return O.Args[IfTrue ? 1 : 2];
}

/// The leaf \p L of \p A as a search, if it is `state = maxnum(state, value)`.
static std::optional<LaneSearch> getNumberSearch(const Kernel &K, const Leaf &L,
                                                 AxisId A) {
  if (L.Assigns.size() != 1)
    return std::nullopt;
  const Assign &Only = L.Assigns.front();
  const Op &O = L.Ops[Only.Value];
  BufferId Buf = Only.Target.Buf;
  bool IsMax = O.Opcode == Intrinsic::maxnum;
  // Where there are numbers alone, LLVM's vectors are as good.
  if (O.K != Op::Intrinsic || !(IsMax || O.Opcode == Intrinsic::minnum) ||
      O.FMF.noNaNs() || !K.Buffers[Buf].IsLocal ||
      !K.Buffers[Buf].Shape.empty())
    return std::nullopt;
  for (unsigned Old : {0u, 1u}) {
    const Op &State = L.Ops[O.Args[Old]];
    OpId New = O.Args[1 - Old];
    if (State.K != Op::Load || State.Acc.Buf != Buf ||
        !isSearched(K, L, New, A) || !isFree(L, New, {Buf}))
      continue;
    LaneSearch S;
    S.L = &L;
    S.State = Buf;
    S.Value = New;
    S.Better = IsMax ? CmpInst::FCMP_OGT : CmpInst::FCMP_OLT;
    S.OfNumbers = true;
    S.KeepsLast = Old == 1;
    S.News.push_back({Buf, New});
    return S;
  }
  return std::nullopt;
}

/// Sets the comparison of \p S, a search that takes a value where \p Test
/// answers
/// \p IfTrue, if that is one comparison which is false of what is no number.
static bool setOneComparison(LaneSearch &S, OpId Test, bool IfTrue) {
  const Op &Compare = S.L->Ops[Test];
  if (Compare.K != Op::Inst || (Compare.Opcode != Instruction::FCmp &&
                                Compare.Opcode != Instruction::ICmp))
    return false;
  auto IsState = [&](OpId Id) {
    return S.L->Ops[Id].K == Op::Load && S.L->Ops[Id].Acc.Buf == S.State;
  };
  S.Better = IfTrue ? Compare.Pred : CmpInst::getInversePredicate(Compare.Pred);
  if (Compare.Args[1] == S.Value && IsState(Compare.Args[0]))
    S.Better = CmpInst::getSwappedPredicate(S.Better);
  else if (Compare.Args[0] != S.Value || !IsState(Compare.Args[1]))
    return false;
  bool IsStrict =
      is_contained({CmpInst::FCMP_OGT, CmpInst::FCMP_OLT, CmpInst::ICMP_SGT,
                    CmpInst::ICMP_SLT, CmpInst::ICMP_UGT, CmpInst::ICMP_ULT},
                   S.Better);
  S.KeepsLast =
      is_contained({CmpInst::FCMP_OGE, CmpInst::FCMP_OLE, CmpInst::ICMP_SGE,
                    CmpInst::ICMP_SLE, CmpInst::ICMP_UGE, CmpInst::ICMP_ULE},
                   S.Better);
  return IsStrict || S.KeepsLast;
}

/// What the test \p Id answers of two numbers, the value of \p S and the state,
/// if that is how they compare: FCMP_OLT, FCMP_OEQ or FCMP_OGT. nullopt if it
/// asks for something else.
static std::optional<bool> getAnswer(const LaneSearch &S, OpId Id,
                                     CmpInst::Predicate How) {
  const Op &O = S.L->Ops[Id];
  auto IsState = [&](OpId X) {
    return S.L->Ops[X].K == Op::Load && S.L->Ops[X].Acc.Buf == S.State;
  };
  auto Ask = [&](unsigned I) { return getAnswer(S, O.Args[I], How); };
  if (O.K == Op::Const && O.Ty == ScalarType::I1)
    return O.Bits & 1;
  if (O.K != Op::Inst)
    return std::nullopt;
  if (O.Opcode == Instruction::FCmp) {
    OpId X = O.Args[0], Y = O.Args[1];
    if (X == S.Value && IsState(Y))
      return (O.Pred & How) != 0;
    if (IsState(X) && Y == S.Value)
      return (CmpInst::getSwappedPredicate(O.Pred) & How) != 0;
    bool IsOne = IsState(X) || X == S.Value;
    // `x != x` is a comparison with 0 to LLVM.
    bool IsNumber = S.L->Ops[Y].K == Op::Const && !S.L->Ops[Y].Bits;
    if (IsOne && (X == Y || (IsState(X) && IsState(Y))))
      return (O.Pred & CmpInst::FCMP_OEQ) != 0;
    if (IsOne && IsNumber &&
        (O.Pred == CmpInst::FCMP_UNO || O.Pred == CmpInst::FCMP_ORD))
      return O.Pred == CmpInst::FCMP_ORD;
    return std::nullopt;
  }
  if (O.Ty != ScalarType::I1 ||
      !is_contained({unsigned(Instruction::And), unsigned(Instruction::Or),
                     unsigned(Instruction::Xor), unsigned(Instruction::Select)},
                    O.Opcode))
    return std::nullopt;
  std::optional<bool> X = Ask(0), Y = Ask(1);
  if (!X || !Y)
    return std::nullopt;
  if (O.Opcode == Instruction::And)
    return *X && *Y;
  if (O.Opcode == Instruction::Or)
    return *X || *Y;
  if (O.Opcode == Instruction::Xor)
    return *X != *Y;
  return *X ? Y : Ask(2);
}

/// Sets the comparison of \p S, a search for floating-point numbers that takes
/// a value where \p Test answers \p IfTrue, from what that answers of numbers.
static bool setComparison(LaneSearch &S, OpId Test, bool IfTrue) {
  bool Takes[3];
  for (auto [How, Take] : zip_equal(
           ArrayRef<CmpInst::Predicate>{CmpInst::FCMP_OLT, CmpInst::FCMP_OEQ,
                                        CmpInst::FCMP_OGT},
           Takes)) {
    std::optional<bool> Answer = getAnswer(S, Test, How);
    if (!Answer)
      return false;
    Take = *Answer == IfTrue;
  }
  auto [Less, Equal, Greater] = Takes;
  if (Less == Greater)
    return false;
  S.IsOfNumbersOnly = true;
  S.KeepsLast = Equal;
  S.Better = Greater ? Equal ? CmpInst::FCMP_OGE : CmpInst::FCMP_OGT
             : Equal ? CmpInst::FCMP_OLE
                     : CmpInst::FCMP_OLT;
  return true;
}

std::optional<LaneSearch> getLaneSearch(const Kernel &K, const Node &N) {
  if (N.K != Node::AxisNode || N.Children.size() != 1 || !N.Locals.empty() ||
      N.Children.front()->K != Node::LeafNode)
    return std::nullopt;
  const Leaf &L = N.Children.front()->L;
  if (!L.Domain.empty() || L.Predicate ||
      any_of(L.Ops, [](const Op &O) { return O.K == Op::LibCall; }))
    return std::nullopt;
  if (auto S = getNumberSearch(K, L, N.Ax))
    return S;
  LaneSearch S;
  S.L = &L;
  SmallVector<BufferId, 2> States;
  std::optional<OpId> Test;
  bool IfTrue = true;
  for (const Assign &A : L.Assigns) {
    OpId OwnTest = 0;
    bool OwnIfTrue = true;
    std::optional<OpId> New = getChosen(K, L, A, OwnTest, OwnIfTrue);
    if (!New || (Test && (*Test != OwnTest || IfTrue != OwnIfTrue)))
      return std::nullopt;
    Test = OwnTest;
    IfTrue = OwnIfTrue;
    States.push_back(A.Target.Buf);
    S.News.push_back({A.Target.Buf, *New});
  }
  if (!Test)
    return std::nullopt;
  bool IsSearch = any_of(S.News, [&](const auto &X) {
    std::tie(S.State, S.Value) = X;
    return isSearched(K, L, S.Value, N.Ax) &&
           (setOneComparison(S, *Test, IfTrue) ||
            (isFloat(K.Buffers[S.State].Ty) &&
             setComparison(S, *Test, IfTrue)));
  });
  if (!IsSearch || !all_of(S.News, [&](const auto &X) {
        return isFree(L, X.second, States);
      }))
    return std::nullopt;
  return S;
}

} // namespace dlopt
