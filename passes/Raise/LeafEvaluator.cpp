//===- LeafEvaluator.cpp - Leaves as expressions --------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LeafEvaluator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instruction.h"

using namespace llvm;

namespace dlopt {

bool isSameElement(const Access &X, const Access &Y) {
  return X.Buf == Y.Buf && X.offset() == Y.offset();
}

void LeafEvaluator::setSum(const Access &X, ScalarType Ty) {
  ResultOperand O;
  O.Ty = Ty;
  Locals[X.Buf] = {addOperand(std::move(O)), {}};
}

std::optional<OpId> LeafEvaluator::getValue(const Access &X) const {
  if (!K.Buffers[X.Buf].IsLocal) {
    if (!C || !isSameElement(*C, X) || !Output.Assigned.isAlways())
      return std::nullopt;
    return Output.Value;
  }
  auto It = Locals.find(X.Buf);
  if (!X.Subs.empty() || It == Locals.end() || !It->second.Assigned.isAlways())
    return std::nullopt;
  return It->second.Value;
}

const ResultOperand *LeafEvaluator::getOperand(OpId Id) const {
  const Op &O = E.Ops[Id];
  return O.K == Op::Param ? &Operands[O.Ref].From : nullptr;
}

std::optional<OpId> LeafEvaluator::getCondition(OpId Id) const {
  const Op &O = E.Ops[Id];
  return O.K == Op::Param ? Operands[O.Ref].Condition : std::nullopt;
}

bool LeafEvaluator::isUniform(OpId Id) const {
  if (const ResultOperand *O = getOperand(Id))
    return O->K == ResultOperand::Scalar;
  return all_of(E.Ops[Id].Args, [&](OpId Arg) { return isUniform(Arg); });
}

bool LeafEvaluator::areOpposite(OpId X, OpId Y) const {
  auto IsNot = [&](OpId A, OpId B) {
    const Op &O = E.Ops[A];
    if (O.K != Op::Inst || O.Opcode != Instruction::Xor)
      return false;
    const Op &True = E.Ops[O.Args[1]];
    return O.Args[0] == B && True.K == Op::Const && (True.Bits & 1);
  };
  return IsNot(X, Y) || IsNot(Y, X);
}

//===----------------------------------------------------------------------===//
// From leaves.
//===----------------------------------------------------------------------===//

std::optional<OpId> LeafEvaluator::findOperand(const ResultOperand &O,
                                               std::optional<OpId> Under) {
  auto IsSame = [&](const ResultOperand &Old) {
    if (Old.K != O.K)
      return false;
    return O.K == ResultOperand::Scalar    ? Old.P == O.P
           : O.K == ResultOperand::Element ? isSameElement(Old.X, O.X)
                                           : true;
  };
  for (auto [Number, Old] : enumerate(Operands))
    if (IsSame(Old.From) && Old.Condition == Under)
      return E.addOperand(Number, O.Ty);
  return std::nullopt;
}

OpId LeafEvaluator::addOperand(ResultOperand O, std::optional<OpId> Under) {
  if (std::optional<OpId> Old = findOperand(O, Under))
    return *Old;
  ScalarType Ty = O.Ty;
  Operands.push_back({std::move(O), Under});
  return E.addOperand(Operands.size() - 1, Ty);
}

std::optional<OpId> LeafEvaluator::translateLoad(const Op &O) {
  const Buffer &Buf = K.Buffers[O.Acc.Buf];
  if (O.Ty != Buf.Ty)
    return std::nullopt;
  if (Buf.IsLocal || (C && C->Buf == O.Acc.Buf))
    return getValue(O.Acc);
  ResultOperand X;
  X.K = ResultOperand::Element;
  X.Ty = O.Ty;
  X.X = O.Acc;
  // What is read anyway may be read ahead of a condition on it. Otherwise only
  // a condition that is known in front of the loops can be kept.
  std::optional<OpId> Known = findOperand(X, std::nullopt);
  if (Known)
    return Known;
  if (Now.IsOpaque || (Now.Condition && !isUniform(*Now.Condition)))
    return std::nullopt;
  return addOperand(std::move(X), Now.Condition);
}

std::optional<OpId> LeafEvaluator::translate(const Leaf &L, OpId Id,
                                             Translated &Done) {
  if (auto It = Done.find(Id); It != Done.end())
    return It->second;
  const Op &O = L.Ops[Id];
  std::optional<OpId> Result;
  if (O.K == Op::Load) {
    Result = translateLoad(O);
  } else if (O.K == Op::Param) {
    ResultOperand X;
    X.K = ResultOperand::Scalar;
    X.Ty = O.Ty;
    X.P = O.Ref;
    Result = addOperand(std::move(X));
  } else if (isVectorizable(O, L.Ops)) {
    Op Copy = O;
    for (OpId &Arg : Copy.Args) {
      std::optional<OpId> New = translate(L, Arg, Done);
      if (!New)
        return std::nullopt;
      Arg = *New;
    }
    Result = E.add(std::move(Copy));
  }
  if (Result)
    Done[Id] = *Result;
  return Result;
}

bool LeafEvaluator::assign(Known &To, bool IsKnown, OpId Value, bool IsFresh) {
  if (Now.isAlways() || !IsKnown) {
    To = {Value, Now};
    return true;
  }
  if (Now.IsOpaque)
    return false;
  OpId Arms[2] = {Value, To.Value};
  OpId Test = *Now.Condition;
  bool Opposite = To.Assigned.Condition && !To.Assigned.IsOpaque &&
                  areOpposite(*To.Assigned.Condition, Test);
  if (!To.Assigned.isAlways() && !Opposite && !IsFresh)
    return false;
  // Of two opposite conditions the one without a negation.
  if (Opposite && E.Ops[Test].K == Op::Inst &&
      E.Ops[Test].Opcode == Instruction::Xor) {
    Test = *To.Assigned.Condition;
    std::swap(Arms[0], Arms[1]);
  }
  To = {
      E.addInst(Instruction::Select, E.Ops[Value].Ty, {Test, Arms[0], Arms[1]}),
      {}};
  return true;
}

bool LeafEvaluator::add(const Leaf &L) {
  Translated Done;
  Now = {std::nullopt, !L.Domain.empty()};
  if (L.Predicate && !(Now.Condition = translate(L, *L.Predicate, Done)))
    return false;
  const Assign &A = L.Assigns[0];
  const Buffer &To = K.Buffers[A.Target.Buf];
  std::optional<OpId> Value = translate(L, A.Value, Done);
  if (!Value || (*this)[*Value].Ty != To.Ty)
    return false;
  if (To.IsLocal) {
    bool IsKnown = Locals.contains(A.Target.Buf);
    return To.Shape.empty() && assign(Locals[A.Target.Buf], IsKnown, *Value,
                                      is_contained(Fresh, A.Target.Buf));
  }
  bool IsKnown = C.has_value();
  if (IsKnown && !isSameElement(*C, A.Target))
    return false;
  C = A.Target;
  return assign(Output, IsKnown, *Value, /*IsFresh=*/false);
}

//===----------------------------------------------------------------------===//
// To expressions.
//===----------------------------------------------------------------------===//

Expression LeafEvaluator::extract(OpId Root,
                                  SmallVectorImpl<ResultOperand> &Used) const {
  std::vector<bool> Needed(E.Ops.size(), false);
  Needed[Root] = true;
  for (OpId Id = E.Ops.size(); Id-- > 0;)
    if (Needed[Id])
      for (OpId Arg : E.Ops[Id].Args)
        Needed[Arg] = true;
  Expression New;
  SmallVector<OpId, 8> Ids(E.Ops.size());
  for (auto [Id, Old] : enumerate(E.Ops)) {
    if (!Needed[Id])
      continue;
    Op O = Old;
    for (OpId &Arg : O.Args)
      Arg = Ids[Arg];
    // Sums and products in either order are one: they differ in payloads of NaN
    // alone. Where the backend may fuse, the order says which product.
    if (O.K == Op::Inst && Instruction::isCommutative(O.Opcode) &&
        !O.FMF.allowContract())
      sort(O.Args);
    if (O.K == Op::Param) {
      const Operand &X = Operands[O.Ref];
      O.Ref = Used.size();
      Used.push_back(X.From);
      if (X.Condition)
        Used.back().Condition = extractScalar(*X.Condition);
    }
    Ids[Id] = New.add(std::move(O));
  }
  New.Result = Ids[Root];
  return New;
}

ScalarExpression LeafEvaluator::extractScalar(OpId Id) const {
  SmallVector<ResultOperand, 2> Used;
  ScalarExpression Result;
  Result.Value = extract(Id, Used);
  for (const ResultOperand &O : Used)
    Result.Params.push_back(O.P);
  return Result;
}

} // namespace dlopt
