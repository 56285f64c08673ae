//===- Conversion.cpp - What is made of one element -----------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Conversion.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Instruction.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace dlopt {

/// Whether \p O has a value whatever its operands are, and is as well a vector
/// operation.
static bool isPure(const Op &O) {
  if (O.K != Op::Inst || O.Ty == ScalarType::I1)
    return false;
  // Vectors are rounded to bfloat in other ways.
  if (O.Opcode == Instruction::FPTrunc)
    return O.Ty == ScalarType::F32;
  return Instruction::isCast(O.Opcode) || O.Opcode == Instruction::FNeg ||
         (Instruction::isBinaryOp(O.Opcode) &&
          !Instruction::isIntDivRem(O.Opcode));
}

/// Whether \p Id is the same for all elements.
static bool isFixed(const Leaf &L, OpId Id) {
  const Op &O = L.Ops[Id];
  return O.K == Op::Const || O.K == Op::Param ||
         (isPure(O) &&
          all_of(O.Args, [&](OpId Arg) { return isFixed(L, Arg); }));
}

/// Whether a product that is fused with a sum is no product of its own.
static bool mayBeFused(const Op &O) {
  return O.Opcode == Instruction::FMul && O.FMF.allowContract() &&
         !O.FMF.allowReassoc();
}

SmallVector<OpId, 4> findConversions(const Leaf &L, OpId Load) {
  SmallVector<OpId, 4> Result = {Load};
  for (;;) {
    OpId Last = Result.back();
    if (L.Predicate == Last ||
        any_of(L.Assigns, [&](const Assign &A) { return A.Value == Last; }))
      return Result;
    std::optional<OpId> User;
    unsigned NumUses = 0;
    for (auto [Id, O] : enumerate(L.Ops))
      if (auto Uses = static_cast<unsigned>(count(O.Args, Last))) {
        NumUses += Uses;
        User = static_cast<OpId>(Id);
      }
    if (NumUses != 1)
      return Result;
    const Op &O = L.Ops[*User];
    if (!isPure(O) || mayBeFused(O) || !all_of(O.Args, [&](OpId Arg) {
          return Arg == Last || isFixed(L, Arg);
        }))
      return Result;
    Result.push_back(*User);
  }
}

static OpId addTo(Expression &X, const Leaf &L, OpId Load, OpId Id) {
  const Op &O = L.Ops[Id];
  if (Id == Load)
    return X.addOperand(0, O.Ty);
  if (O.K == Op::Param)
    return X.addOperand(1 + O.Ref, O.Ty);
  Op Own;
  Own.K = O.K;
  Own.Ty = O.Ty;
  Own.Opcode = O.Opcode;
  Own.Bits = O.Bits;
  for (OpId Arg : O.Args)
    Own.Args.push_back(addTo(X, L, Load, Arg));
  return X.add(std::move(Own));
}

Expression getConversion(const Leaf &L, OpId Load, OpId Value) {
  Expression X;
  X.Result = addTo(X, L, Load, Value);
  return X;
}

OpId addConversion(Leaf &L, const Expression &X, OpId Element) {
  SmallVector<OpId, 8> Ids;
  for (const Op &O : X.Ops) {
    if (O.K == Op::Param && O.Ref == 0) {
      Ids.push_back(Element);
      continue;
    }
    Op Own = O;
    if (O.K == Op::Param)
      --Own.Ref;
    for (OpId &Arg : Own.Args)
      Arg = Ids[Arg];
    Ids.push_back(static_cast<OpId>(L.Ops.size()));
    L.Ops.push_back(std::move(Own));
  }
  return Ids[X.Result];
}

/// \p Id of \p X as an operation of \p To, modulo 2^n.
static OpId narrow(Expression &To, const Expression &X, OpId Id,
                   ScalarType Ty) {
  Op O = X.Ops[Id];
  unsigned Bits = getBitWidth(Ty);
  bool IsExtension = O.K == Op::Inst && (O.Opcode == Instruction::ZExt ||
                                         O.Opcode == Instruction::SExt);
  bool IsSum = O.K == Op::Inst &&
               (O.Opcode == Instruction::Add || O.Opcode == Instruction::Sub);
  if (O.K == Op::Const) {
    O.Ty = Ty;
    O.Bits &= maskTrailingOnes<uint64_t>(Bits);
    return To.add(std::move(O));
  }
  if (IsExtension && getBitWidth(X.Ops[O.Args[0]].Ty) < Bits) {
    O.Ty = Ty;
    O.Args[0] = narrow(To, X, O.Args[0], X.Ops[O.Args[0]].Ty);
    return To.add(std::move(O));
  }
  if (IsExtension)
    return narrow(To, X, O.Args[0], Ty);
  if (IsSum) {
    for (OpId &Arg : O.Args)
      Arg = narrow(To, X, Arg, Ty);
    O.Ty = Ty;
    return To.add(std::move(O));
  }
  ScalarType Own = O.Ty;
  for (OpId &Arg : O.Args)
    Arg = narrow(To, X, Arg, X.Ops[Arg].Ty);
  OpId Same = To.add(std::move(O));
  return Own == Ty ? Same : To.addInst(Instruction::Trunc, Ty, {Same});
}

Expression narrowConversion(const Expression &X, ScalarType To) {
  Expression Result;
  Result.Result = narrow(Result, X, X.Result, To);
  return Result;
}

namespace {
/// A number: one of Numbers, and parameters added to it, modulo 2^n.
struct Sum {
  ConstantRange Numbers;
  SmallVector<std::pair<ParamId, int>, 1> Params;
};
} // namespace

static std::optional<Sum> findSum(const Kernel &K, const Expression &X,
                                  OpId Id) {
  const Op &O = X.Ops[Id];
  unsigned Bits = getBitWidth(O.Ty);
  if (isFloat(O.Ty))
    return std::nullopt;
  if (O.K == Op::Const)
    return Sum{ConstantRange(APInt(Bits, O.Bits)), {}};
  if (O.K == Op::Param && O.Ref == 0)
    return Sum{ConstantRange::getFull(Bits), {}};
  // In a polynomial it is what is added here, modulo 2^n.
  if (O.K == Op::Param)
    return Sum{ConstantRange(APInt(Bits, 0)), {{O.Ref - 1, 1}}};
  SmallVector<Sum, 2> Args;
  for (OpId Arg : O.Args) {
    std::optional<Sum> S = findSum(K, X, Arg);
    if (!S)
      return std::nullopt;
    Args.push_back(std::move(*S));
  }
  // A parameter that is extended as a polynomial extends it.
  if (const Op &Arg = X.Ops[O.Args[0]];
      Arg.K == Op::Param && Arg.Ref &&
      (O.Opcode == Instruction::Trunc ||
       O.Opcode == (K.Params[Arg.Ref - 1].Signed ? Instruction::SExt
                                                 : Instruction::ZExt)))
    return Sum{ConstantRange(APInt(Bits, 0)), {{Arg.Ref - 1, 1}}};
  bool IsSum = O.Opcode == Instruction::Add || O.Opcode == Instruction::Sub;
  if (!IsSum && any_of(Args, [](const Sum &S) { return !S.Params.empty(); }))
    return std::nullopt;
  if (Instruction::isCast(O.Opcode)) {
    if (O.Opcode == Instruction::BitCast)
      return std::nullopt;
    return Sum{Args[0].Numbers.castOp(
                   static_cast<Instruction::CastOps>(O.Opcode), Bits),
               {}};
  }
  if (Args.size() != 2)
    return std::nullopt;
  Sum Result{
      Args[0].Numbers.binaryOp(static_cast<Instruction::BinaryOps>(O.Opcode),
                               Args[1].Numbers),
      std::move(Args[0].Params)};
  int Sign = O.Opcode == Instruction::Sub ? -1 : 1;
  for (auto [P, Times] : Args[1].Params)
    Result.Params.push_back({P, Sign * Times});
  return Result;
}

std::optional<ConversionRange> getRange(const Kernel &K, const Expression &X) {
  std::optional<Sum> S = findSum(K, X, X.Result);
  if (!S || S->Numbers.isEmptySet())
    return std::nullopt;
  return ConversionRange{S->Numbers.getSignedMin().getSExtValue(),
                         S->Numbers.getSignedMax().getSExtValue(),
                         std::move(S->Params)};
}

SmallVector<Constraint, 2> getFits(Kernel &K, const ConversionRange &R,
                                   ScalarType Ty) {
  int64_t Most = maskTrailingOnes<uint64_t>(getBitWidth(Ty) - 1);
  int64_t Below = 0, Above = 0;
  // Wider types hold all numbers that have a sign, so what is here has none.
  if (AddOverflow(R.Least, Most, Below) || SubOverflow(Most, R.Most, Above))
    return {{Poly(-1), /*IsEquality=*/false}};
  Poly Params;
  for (auto [P, Times] : R.Params)
    Params = Params + Poly::atom(K.getParamAtom(P)) * Poly(Times);
  return {{Poly(Below) + Poly(1) + Params, /*IsEquality=*/false},
          {Poly(Above) - Params, /*IsEquality=*/false}};
}

} // namespace dlopt
