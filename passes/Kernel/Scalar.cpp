//===- Scalar.cpp - Values of single operations ---------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Scalar.h"
#include "Operations.h"
#include "dlopt/Compat.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;
using namespace dlopt;

APInt dlopt::toAPInt(Scalar V) { return getLowBits(getBitWidth(V.Ty), V.Bits); }

APFloat dlopt::toAPFloat(Scalar V) {
  return APFloat(getSemantics(V.Ty), toAPInt(V));
}

uint64_t dlopt::toBits(const APFloat &F) {
  return F.bitcastToAPInt().getZExtValue();
}

static bool compareFloats(CmpInst::Predicate P, const APFloat &A,
                          const APFloat &B) {
  // The predicates are sets of outcomes: bit 0 equal, 1 greater, 2 less,
  // 3 unordered.
  unsigned Outcome = 0;
  switch (A.compare(B)) {
  case APFloat::cmpEqual:
    Outcome = 1;
    break;
  case APFloat::cmpGreaterThan:
    Outcome = 2;
    break;
  case APFloat::cmpLessThan:
    Outcome = 4;
    break;
  case APFloat::cmpUnordered:
    Outcome = 8;
    break;
  }
  return P & Outcome;
}

uint64_t dlopt::evaluateCast(const Op &O, Scalar Arg) {
  unsigned Width = getBitWidth(O.Ty);
  bool Lost = false;
  switch (O.Opcode) {
  case Instruction::Trunc:
    return toAPInt(Arg).trunc(Width).getZExtValue();
  case Instruction::ZExt:
    return Arg.Bits;
  case Instruction::SExt:
    return toAPInt(Arg).sext(Width).getZExtValue();
  case Instruction::FPTrunc:
  case Instruction::FPExt: {
    APFloat F = toAPFloat(Arg);
    F.convert(getSemantics(O.Ty), APFloat::rmNearestTiesToEven, &Lost);
    return toBits(F);
  }
  case Instruction::FPToUI:
  case Instruction::FPToSI: {
    APSInt I(Width, O.Opcode == Instruction::FPToUI);
    toAPFloat(Arg).convertToInteger(I, APFloat::rmTowardZero, &Lost);
    return I.getZExtValue();
  }
  case Instruction::UIToFP:
  case Instruction::SIToFP: {
    APFloat F(getSemantics(O.Ty));
    F.convertFromAPInt(toAPInt(Arg), O.Opcode == Instruction::SIToFP,
                       APFloat::rmNearestTiesToEven);
    return toBits(F);
  }
  default: // bitcast
    return Arg.Bits;
  }
}

static std::string evaluateBinary(unsigned Opcode, const APInt &A,
                                  const APInt &B, APInt &R) {
  bool IsShift = Instruction::isShift(Opcode);
  if (IsShift && B.uge(B.getBitWidth())) {
    R = APInt::getZero(A.getBitWidth());
    return "";
  }
  bool IsDivision = Instruction::isIntDivRem(Opcode);
  if (IsDivision && B.isZero())
    return "division by zero";
  bool IsSigned = Opcode == Instruction::SDiv || Opcode == Instruction::SRem;
  if (IsSigned && A.isMinSignedValue() && B.isAllOnes())
    return "overflow in a division";
  switch (Opcode) {
  case Instruction::Add:
    R = A + B;
    break;
  case Instruction::Sub:
    R = A - B;
    break;
  case Instruction::Mul:
    R = A * B;
    break;
  case Instruction::UDiv:
    R = A.udiv(B);
    break;
  case Instruction::SDiv:
    R = A.sdiv(B);
    break;
  case Instruction::URem:
    R = A.urem(B);
    break;
  case Instruction::SRem:
    R = A.srem(B);
    break;
  case Instruction::Shl:
    R = A.shl(B);
    break;
  case Instruction::LShr:
    R = A.lshr(B);
    break;
  case Instruction::AShr:
    R = A.ashr(B);
    break;
  case Instruction::And:
    R = A & B;
    break;
  case Instruction::Or:
    R = A | B;
    break;
  case Instruction::Xor:
    R = A ^ B;
    break;
  default:
    return "an operation that the interpreter does not have";
  }
  return "";
}

/// A funnel shift: \p Left takes the upper half of A:B, else the lower.
static APInt funnelShift(const APInt &A, const APInt &B, const APInt &C,
                         bool Left) {
  unsigned Width = A.getBitWidth();
  unsigned Amount = C.urem(Width);
  if (Amount == 0)
    return Left ? A : B;
  return Left ? A.shl(Amount) | B.lshr(Width - Amount)
              : A.shl(Width - Amount) | B.lshr(Amount);
}

static std::string evaluateIntIntrinsic(unsigned ID, ArrayRef<APInt> X,
                                        APInt &R) {
  switch (ID) {
  case Intrinsic::smax:
    R = APIntOps::smax(X[0], X[1]);
    break;
  case Intrinsic::smin:
    R = APIntOps::smin(X[0], X[1]);
    break;
  case Intrinsic::umax:
    R = APIntOps::umax(X[0], X[1]);
    break;
  case Intrinsic::umin:
    R = APIntOps::umin(X[0], X[1]);
    break;
  case Intrinsic::sadd_sat:
    R = X[0].sadd_sat(X[1]);
    break;
  case Intrinsic::uadd_sat:
    R = X[0].uadd_sat(X[1]);
    break;
  case Intrinsic::ssub_sat:
    R = X[0].ssub_sat(X[1]);
    break;
  case Intrinsic::usub_sat:
    R = X[0].usub_sat(X[1]);
    break;
  case Intrinsic::sshl_sat:
    R = X[0].sshl_sat(X[1]);
    break;
  case Intrinsic::ushl_sat:
    R = X[0].ushl_sat(X[1]);
    break;
  case Intrinsic::fshl:
  case Intrinsic::fshr:
    R = funnelShift(X[0], X[1], X[2], ID == Intrinsic::fshl);
    break;
  case Intrinsic::ctpop:
    R = getLowBits(X[0].getBitWidth(), X[0].popcount());
    break;
  case Intrinsic::bitreverse:
    R = X[0].reverseBits();
    break;
  case Intrinsic::bswap:
    R = X[0].byteSwap();
    break;
  case Intrinsic::abs:
    R = X[0].abs();
    break;
  case Intrinsic::ctlz:
    R = getLowBits(X[0].getBitWidth(), X[0].countl_zero());
    break;
  case Intrinsic::cttz:
    R = getLowBits(X[0].getBitWidth(), X[0].countr_zero());
    break;
  default:
    return "an intrinsic that the interpreter does not have";
  }
  return "";
}

std::string dlopt::evaluateInteger(const Op &O, ArrayRef<Scalar> Args,
                                   uint64_t &Result) {
  SmallVector<APInt, 3> X;
  for (Scalar V : Args)
    X.push_back(toAPInt(V));
  APInt R = X[0];
  std::string Wrong;
  if (O.K == Op::Intrinsic)
    Wrong = evaluateIntIntrinsic(O.Opcode, X, R);
  else
    Wrong = evaluateBinary(O.Opcode, X[0], X[1], R);
  Result = R.getZExtValue();
  return Wrong;
}

static uint64_t convertSaturating(const Op &O, Scalar Arg) {
  APFloat F = toAPFloat(Arg);
  // NaN becomes zero; convertToInteger saturates.
  if (F.isNaN())
    return 0;
  APSInt I(getBitWidth(O.Ty), O.Opcode == Intrinsic::fptoui_sat);
  bool Exact = false;
  F.convertToInteger(I, APFloat::rmTowardZero, &Exact);
  return I.getZExtValue();
}

/// maxnum and minnum may return either of two zeros (LangRef, "llvm.maxnum").
static bool mayReturnEitherZero(const Op &O, ArrayRef<Scalar> Args) {
  if (O.K != Op::Intrinsic || O.FMF.noSignedZeros() ||
      (O.Opcode != Intrinsic::maxnum && O.Opcode != Intrinsic::minnum))
    return false;
  APFloat X = toAPFloat(Args[0]), Y = toAPFloat(Args[1]);
  return X.isZero() && Y.isZero() && X.isNegative() != Y.isNegative();
}

std::string dlopt::evaluate(const Op &O, ArrayRef<Scalar> Args, bool FuseMulAdd,
                            uint64_t &Result) {
  bool IsInst = O.K == Op::Inst;
  if (IsInst && isCastOpcode(O.Opcode)) {
    Result = evaluateCast(O, Args[0]);
    return "";
  }
  if (IsInst && O.Opcode == Instruction::FCmp) {
    Result = compareFloats(O.Pred, toAPFloat(Args[0]), toAPFloat(Args[1]));
    return "";
  }
  if (IsInst && O.Opcode == Instruction::ICmp) {
    Result = ICmpInst::compare(toAPInt(Args[0]), toAPInt(Args[1]),
                               static_cast<ICmpInst::Predicate>(O.Pred));
    return "";
  }
  if (IsInst && O.Opcode == Instruction::Select) {
    Result = Args[0].Bits & 1 ? Args[1].Bits : Args[2].Bits;
    return "";
  }
  if (IsInst && O.Opcode == Instruction::Freeze) {
    Result = Args[0].Bits;
    return "";
  }
  if (O.K == Op::Intrinsic && O.Opcode == Intrinsic::is_fpclass) {
    Result = (toAPFloat(Args[0]).classify() & Args[1].Bits) != 0;
    return "";
  }
  if (O.K == Op::Intrinsic && (O.Opcode == Intrinsic::fptosi_sat ||
                               O.Opcode == Intrinsic::fptoui_sat)) {
    Result = convertSaturating(O, Args[0]);
    return "";
  }
  if (!isFloat(O.Ty))
    return evaluateInteger(O, Args, Result);
  if (mayReturnEitherZero(O, Args))
    return "zeros of both signs have no maximum or minimum";
  Result = evaluateFloat(O, Args, FuseMulAdd);
  return "";
}
