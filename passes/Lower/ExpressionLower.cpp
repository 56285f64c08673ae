//===- ExpressionLower.cpp - Operations to IR -----------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Operations are created as the instructions they were: nothing is folded here
/// (constants fold unfused where the machine fuses), and flags are kept.
///
//===----------------------------------------------------------------------===//
#include "ExpressionLower.h"
#include "dlopt/Compat.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace dlopt {

static Constant *getConstant(const Op &O, Type *Ty) {
  unsigned Bits = Ty->getScalarSizeInBits();
  APInt Value = getLowBits(Bits, O.Bits);
  if (Ty->isIntegerTy())
    return ConstantInt::get(Ty, Value);
  return ConstantFP::get(Ty->getContext(),
                         APFloat(Ty->getFltSemantics(), Value));
}

static void setFlags(Instruction *I, const Op &O) {
  if (isa<FPMathOperator>(I))
    I->setFastMathFlags(O.FMF);
  if (isa<OverflowingBinaryOperator, TruncInst>(I)) {
    I->setHasNoUnsignedWrap(O.NUW);
    I->setHasNoSignedWrap(O.NSW);
  }
  if (isa<PossiblyExactOperator>(I))
    I->setIsExact(O.Exact);
  if (auto *Or = dyn_cast<PossiblyDisjointInst>(I))
    Or->setIsDisjoint(O.Disjoint);
  if (isa<PossiblyNonNegInst>(I))
    I->setNonNeg(O.NNeg);
}

static Value *emitInst(IRBuilderBase &B, const Op &O, ArrayRef<Value *> Args,
                       Type *Ty) {
  unsigned Opcode = O.Opcode;
  Instruction *I = nullptr;
  if (Instruction::isUnaryOp(Opcode))
    I = UnaryOperator::Create(Instruction::UnaryOps(Opcode), Args[0]);
  else if (Instruction::isBinaryOp(Opcode))
    I = BinaryOperator::Create(Instruction::BinaryOps(Opcode), Args[0],
                               Args[1]);
  else if (Instruction::isCast(Opcode))
    I = CastInst::Create(Instruction::CastOps(Opcode), Args[0], Ty);
  else if (Opcode == Instruction::ICmp || Opcode == Instruction::FCmp)
    I = CmpInst::Create(Instruction::OtherOps(Opcode), O.Pred, Args[0],
                        Args[1]);
  else if (Opcode == Instruction::Select)
    I = SelectInst::Create(Args[0], Args[1], Args[2]);
  else
    I = new FreezeInst(Args[0]);
  B.Insert(I);
  setFlags(I, O);
  auto *Origin = dyn_cast_or_null<Instruction>(O.Origin);
  if (Origin && Origin->getOpcode() == Opcode)
    I->copyMetadata(*Origin, {LLVMContext::MD_fpmath, LLVMContext::MD_prof,
                              LLVMContext::MD_unpredictable});
  return I;
}

Value *emitOperation(IRBuilderBase &B, const Op &O, ArrayRef<Value *> Args) {
  Type *Ty = getIRType(O.Ty, B.getContext());
  if (O.K == Op::Const)
    return getConstant(O, Ty);
  auto *Vector =
      find_if(Args, [](Value *V) { return V->getType()->isVectorTy(); });
  if (Vector != Args.end())
    Ty = VectorType::get(Ty, cast<VectorType>((*Vector)->getType()));
  if (O.K == Op::Intrinsic) {
    IRBuilderBase::FastMathFlagGuard Guard(B);
    B.setFastMathFlags(O.FMF);
    return B.CreateIntrinsic(Ty, O.Opcode, Args);
  }
  return emitInst(B, O, Args, Ty);
}

Value *emitExpression(IRBuilderBase &B, const Expression &X,
                      ArrayRef<Value *> Operands) {
  SmallVector<Value *, 16> Values;
  for (const Op &O : X.Ops) {
    if (O.K == Op::Param) {
      Values.push_back(Operands[O.Ref]);
      continue;
    }
    ElementCount Lanes = ElementCount::getFixed(1);
    for (OpId Id : O.Args)
      if (auto *Ty = dyn_cast<VectorType>(Values[Id]->getType()))
        Lanes = Ty->getElementCount();
    SmallVector<Value *, 3> Args;
    for (OpId Id : O.Args) {
      bool IsTest =
          O.K == Op::Inst && O.Opcode == Instruction::Select && Args.empty();
      bool Spread =
          !Lanes.isScalar() && !IsTest && !Values[Id]->getType()->isVectorTy();
      Args.push_back(Spread ? B.CreateVectorSplat(Lanes, Values[Id])
                            : Values[Id]);
    }
    Values.push_back(emitOperation(B, O, Args));
  }
  return Values[X.Result];
}

} // namespace dlopt
