//===- ContractionResult.cpp - What is done to a sum ----------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ContractionResult.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instruction.h"

using namespace llvm;
using namespace dlopt;

static bool isSameElement(const Access &X, const Access &Y) {
  return X.Buf == Y.Buf && X.offset() == Y.offset();
}

bool ContractionView::readsOutput() const {
  return any_of(Operands, [&](const ResultOperand &O) {
    return O.K == ResultOperand::Element && isSameElement(O.X, C);
  });
}

ResultEvaluator::ResultEvaluator(const Kernel &K, const Access &Sum,
                                 ScalarType Ty)
    : K(K) {
  ResultOperand O;
  O.Ty = Ty;
  Locals[Sum.Buf] = {addOperand(std::move(O)), std::nullopt};
}

OpId ResultEvaluator::addOperand(ResultOperand O) {
  auto *It = find_if(Operands, [&](const ResultOperand &Old) {
    return Old.K == O.K &&
           (O.K == ResultOperand::Scalar    ? Old.P == O.P
            : O.K == ResultOperand::Element ? isSameElement(Old.X, O.X)
                                            : true);
  });
  unsigned Number = It - Operands.begin();
  ScalarType Ty = O.Ty;
  if (It == Operands.end())
    Operands.push_back(std::move(O));
  return E.addOperand(Number, Ty);
}

std::optional<OpId> ResultEvaluator::translateLoad(const Op &O) {
  const Buffer &Buf = K.Buffers[O.Acc.Buf];
  if (O.Ty != Buf.Ty)
    return std::nullopt;
  if (Buf.IsLocal) {
    auto It = Locals.find(O.Acc.Buf);
    if (!Buf.Shape.empty() || It == Locals.end() || It->second.Condition)
      return std::nullopt;
    return It->second.Value;
  }
  if (C && C->Buf == O.Acc.Buf) {
    if (!isSameElement(*C, O.Acc) || Output.Condition)
      return std::nullopt;
    return Output.Value;
  }
  ResultOperand X;
  X.K = ResultOperand::Element;
  X.Ty = O.Ty;
  X.X = O.Acc;
  size_t Before = Operands.size();
  OpId Result = addOperand(std::move(X));
  if (IsConditional && Operands.size() != Before)
    return std::nullopt;
  return Result;
}

std::optional<OpId> ResultEvaluator::translate(const Leaf &L, OpId Id,
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

/// X is !Y or the converse.
bool ResultEvaluator::areOpposite(OpId X, OpId Y) const {
  auto IsNot = [&](OpId A, OpId B) {
    const Op &O = E.Ops[A];
    if (O.K != Op::Inst || O.Opcode != Instruction::Xor)
      return false;
    const Op &True = E.Ops[O.Args[1]];
    return O.Args[0] == B && True.K == Op::Const && (True.Bits & 1);
  };
  return IsNot(X, Y) || IsNot(Y, X);
}

bool ResultEvaluator::assign(Known &To, bool IsKnown, OpId Value,
                             std::optional<OpId> Condition) {
  if (!Condition || !IsKnown) {
    To = {Value, Condition};
    return true;
  }
  if (To.Condition && !areOpposite(*To.Condition, *Condition))
    return false;
  // Of two opposite conditions the one without a negation.
  OpId Arms[2] = {Value, To.Value};
  OpId Test = *Condition;
  if (To.Condition && E.Ops[Test].K == Op::Inst &&
      E.Ops[Test].Opcode == Instruction::Xor) {
    Test = *To.Condition;
    std::swap(Arms[0], Arms[1]);
  }
  To = {
      E.addInst(Instruction::Select, E.Ops[Value].Ty, {Test, Arms[0], Arms[1]}),
      std::nullopt};
  return true;
}

bool ResultEvaluator::add(const Leaf &L) {
  Translated Done;
  std::optional<OpId> Condition;
  IsConditional = false;
  if (L.Predicate && !(Condition = translate(L, *L.Predicate, Done)))
    return false;
  IsConditional = Condition.has_value();
  const Assign &A = L.Assigns[0];
  std::optional<OpId> Value = translate(L, A.Value, Done);
  if (!Value)
    return false;
  if (K.Buffers[A.Target.Buf].IsLocal) {
    if (!K.Buffers[A.Target.Buf].Shape.empty())
      return false;
    bool IsKnown = Locals.contains(A.Target.Buf);
    return assign(Locals[A.Target.Buf], IsKnown, *Value, Condition);
  }
  bool IsKnown = C.has_value();
  if (IsKnown && !isSameElement(*C, A.Target))
    return false;
  C = A.Target;
  return assign(Output, IsKnown, *Value, Condition);
}

/// The operations and operands that \p Root needs, numbered anew.
static void keepNeeded(OpId Root, Expression &E,
                       SmallVectorImpl<ResultOperand> &Operands) {
  std::vector<bool> Needed(E.Ops.size(), false);
  Needed[Root] = true;
  for (OpId Id = E.Ops.size(); Id-- > 0;)
    if (Needed[Id])
      for (OpId Arg : E.Ops[Id].Args)
        Needed[Arg] = true;
  Expression New;
  SmallVector<ResultOperand, 4> Used;
  SmallVector<OpId, 8> Ids(E.Ops.size());
  for (auto [Id, Old] : enumerate(E.Ops)) {
    if (!Needed[Id])
      continue;
    Op O = Old;
    for (OpId &Arg : O.Args)
      Arg = Ids[Arg];
    if (O.K == Op::Param) {
      Used.push_back(Operands[O.Ref]);
      O.Ref = Used.size() - 1;
    }
    Ids[Id] = New.add(std::move(O));
  }
  New.Result = Ids[Root];
  E = std::move(New);
  Operands.assign(Used.begin(), Used.end());
}

bool ResultEvaluator::finish(ContractionView &V) {
  if (!C || Output.Condition)
    return false;
  keepNeeded(Output.Value, E, Operands);
  // Another element of C may have its result already. What does not depend on
  // the sum is no contraction.
  bool UsesSum = false;
  for (const ResultOperand &O : Operands) {
    UsesSum |= O.K == ResultOperand::Sum;
    if (O.K == ResultOperand::Element && O.X.Buf == C->Buf &&
        !isSameElement(O.X, *C))
      return false;
  }
  V.C = *C;
  V.Operands = Operands;
  bool IsSum = E.Ops[E.Result].K == Op::Param;
  V.Result = IsSum ? Expression() : E;
  return UsesSum;
}
