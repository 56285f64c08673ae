//===- ContractionUpdate.cpp - Products that are added up -----------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ContractionMatcher.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;
using namespace dlopt;

/// A load of an external element or of a local scalar.
bool ContractionMatcher::matchOperand(const Leaf &L, OpId Id, Access &X) {
  const Op &O = op(L, Id);
  if (O.K != Op::Load || O.Ty != K.Buffers[O.Acc.Buf].Ty)
    return false;
  X = O.Acc;
  return isExternal(X) || isLocalScalar(X);
}

/// A parameter, or an element that is the same for the whole kernel.
std::optional<ResultOperand> ContractionMatcher::matchScalar(const Leaf &L,
                                                             OpId Id) const {
  const Op &O = op(L, Id);
  ResultOperand X;
  X.Ty = O.Ty;
  if (O.K == Op::Param) {
    X.K = ResultOperand::Scalar;
    X.P = O.Ref;
    return X;
  }
  if (O.K != Op::Load || !isExternal(O.Acc) || !K.isFixed(O.Acc.offset()) ||
      O.Ty != K.Buffers[O.Acc.Buf].Ty)
    return std::nullopt;
  X.K = ResultOperand::Element;
  X.X = O.Acc;
  return X;
}

/// What \p Id is, or is the negative of: then V subtracts, or no longer does.
OpId ContractionMatcher::stripNegation(const Leaf &L, OpId Id) {
  for (; op(L, Id).K == Op::Inst && op(L, Id).Opcode == Instruction::FNeg;
       Id = op(L, Id).Args[0])
    V.Subtracts = !V.Subtracts;
  return Id;
}

/// An operand, or its product with a scalar, or the negative of these.
bool ContractionMatcher::matchFactor(const Leaf &L, OpId Id, Access &X,
                                     Expression &Factor) {
  Id = stripNegation(L, Id);
  if (matchOperand(L, Id, X))
    return true;
  const Op &O = op(L, Id);
  if (O.K != Op::Inst || O.Opcode != Instruction::FMul || !Factor.empty())
    return false;
  for (unsigned I : {0u, 1u}) {
    std::optional<ResultOperand> Scalar = matchScalar(L, O.Args[I]);
    const bool Subtracts = V.Subtracts;
    if (!Scalar || !matchOperand(L, stripNegation(L, O.Args[1 - I]), X)) {
      V.Subtracts = Subtracts;
      continue;
    }
    OpId Args[2];
    Args[1 - I] = Factor.addOperand(0, O.Ty);
    Args[I] = Factor.addOperand(1 + V.Operands.size(), O.Ty);
    Factor.Result = Factor.addInst(Instruction::FMul, O.Ty, Args, O.FMF);
    V.Operands.push_back(std::move(*Scalar));
    return true;
  }
  return false;
}

/// a * b * s, of which a * b is rounded: the factors are a and b then.
bool ContractionMatcher::matchScale(const Leaf &L, OpId (&Factors)[2]) {
  for (unsigned I : {0u, 1u}) {
    const Op &Mul = op(L, Factors[1 - I]);
    std::optional<ResultOperand> Scalar = matchScalar(L, Factors[I]);
    if (!Scalar || Mul.K != Op::Inst || Mul.Opcode != Instruction::FMul ||
        any_of(Mul.Args, [&](OpId Id) { return matchScalar(L, Id); }))
      continue;
    V.Scale = V.Operands.size();
    V.ScaleFlags = Mul.FMF;
    V.Operands.push_back(std::move(*Scalar));
    Factors[0] = Mul.Args[0];
    Factors[1] = Mul.Args[1];
    return true;
  }
  return false;
}

/// acc = fmuladd(a, b, acc), fma(a, b, acc), acc + a * b, a * b + acc, and with
/// -a or -b, and acc - a * b.
bool ContractionMatcher::matchUpdate(const Stage &S) {
  const Leaf &L = *S.L;
  const Assign &To = L.Assigns[0];
  const Op &O = op(L, To.Value);
  auto IsTarget = [&](OpId Id) {
    Access X;
    return matchOperand(L, Id, X) && isSameElement(X, To.Target);
  };
  OpId Factors[2];
  if (O.K == Op::Intrinsic &&
      (O.Opcode == Intrinsic::fmuladd || O.Opcode == Intrinsic::fma)) {
    if (!IsTarget(O.Args[2]))
      return false;
    V.Comb = O.Opcode == Intrinsic::fma ? ContractionView::FMA
                                        : ContractionView::FMulAdd;
    Factors[0] = O.Args[0];
    Factors[1] = O.Args[1];
  } else if (O.K == Op::Inst &&
             (O.Opcode == Instruction::FAdd || O.Opcode == Instruction::FSub)) {
    bool Subtracts = O.Opcode == Instruction::FSub;
    unsigned Product = Subtracts || IsTarget(O.Args[0]) ? 1 : 0;
    if (!IsTarget(O.Args[1 - Product]))
      return false;
    V.Subtracts = Subtracts && !DLOPT_PLANTED(SubtractionAsAddition);
    const Op &Mul = op(L, stripNegation(L, O.Args[Product]));
    if (Mul.K != Op::Inst || Mul.Opcode != Instruction::FMul)
      return false;
    V.Comb = ContractionView::MulAdd;
    V.MulFlags = Mul.FMF;
    Factors[0] = Mul.Args[0];
    Factors[1] = Mul.Args[1];
  } else {
    return false;
  }
  V.AddFlags = O.FMF;
  V.Ty = O.Ty;
  Target = To.Target;
  for (OpId &Factor : Factors)
    Factor = stripNegation(L, Factor);
  matchScale(L, Factors);
  // Both factors may be extended.
  auto IsExtended = [&](OpId Id) {
    return op(L, Id).K == Op::Inst && op(L, Id).Opcode == Instruction::FPExt;
  };
  if (IsExtended(Factors[0]) && IsExtended(Factors[1]))
    for (OpId &Factor : Factors)
      Factor = op(L, Factor).Args[0];
  if (!matchFactor(L, Factors[0], V.A, V.FactorA) ||
      !matchFactor(L, Factors[1], V.B, V.FactorB))
    return false;
  V.OperandTy = K.Buffers[V.A.Buf].Ty;
  return K.Buffers[V.B.Buf].Ty == V.OperandTy &&
         K.Buffers[Target.Buf].Ty == V.Ty;
}

bool ContractionMatcher::findUpdate() {
  for (unsigned I = 0; I != Stages.size(); ++I) {
    ContractionView Saved = V;
    Access Before = Target;
    if (Stages[I].isPlain() && matchUpdate(Stages[I])) {
      if (Update)
        return false;
      Update = I;
    } else {
      V = Saved;
      Target = Before;
    }
  }
  return Update.has_value();
}

/// `a = A[i,k]` in front of the update, in loops around it: the operand is the
/// element itself. The local has this one assignment, so its value in the
/// update is that of the latest iteration of the enclosing axes, which are the
/// element's own.
bool ContractionMatcher::resolveCopy(Access &X, Expression &Factor) {
  if (isExternal(X))
    return true;
  if (X.Buf == Target.Buf)
    return false;
  std::optional<unsigned> Source;
  for (unsigned I = 0; I != Stages.size(); ++I) {
    if (Stages[I].L->Assigns[0].Target.Buf != X.Buf)
      continue;
    if (Source || I > *Update)
      return false;
    Source = I;
  }
  if (!Source)
    return false;
  const Stage &S = Stages[*Source];
  if (!S.isPlain())
    return false;
  const Axes &Inner = Stages[*Update].Around;
  if (S.Around.size() > Inner.size() ||
      !std::equal(S.Around.begin(), S.Around.end(), Inner.begin()))
    return false;
  Access From;
  if (!matchFactor(*S.L, S.L->Assigns[0].Value, From, Factor) ||
      !isExternal(From))
    return false;
  X = From;
  if (!is_contained(Copies, *Source))
    Copies.push_back(*Source);
  return true;
}
