//===- ScheduleFactors.cpp - Scalable vectors times a lane ----------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// SVE multiplies by any element of a part of 128 bits, in all parts by that of
/// the part itself. There is no plain IR that becomes such an instruction: an
/// element of a register of 128 bits, which a schedule has loaded (`local
/// a:f32[5,4] reg`) and multiplies scalable vectors by, is copied into all of
/// their lanes, which takes the place of a multiplication on some cores. So the
/// register is copied into all parts instead, once for all of its elements.
///
//===----------------------------------------------------------------------===//
#include "ScheduleEmitter.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAArch64.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace dlopt {

namespace {

/// A lane of a register of 128 bits.
struct LaneFactor {
  Value *Register = nullptr;
  uint64_t Lane = 0;
};

/// What becomes a product by lanes: \p I is \p X times \p Factor, or minus
/// that, added to \p Addend if there is one.
struct LaneProduct {
  Instruction *I = nullptr;
  Value *X = nullptr, *Addend = nullptr;
  LaneFactor Factor;
  bool Subtracts = false;
};

} // namespace

/// The elements of \p Ty in 128 bits.
static unsigned getPartElements(const ScalableVectorType &Ty) {
  return 128 / Ty.getScalarSizeInBits();
}

/// What \p V has in all lanes, if that is an element of a part of its own size.
static std::optional<LaneFactor> findLaneFactor(const Value *V) {
  LaneFactor Result;
  Value *Element = nullptr;
  if (!match(V, m_Shuffle(m_InsertElt(m_Undef(), m_Value(Element), m_ZeroInt()),
                          m_Value(), m_ZeroMask())) ||
      !match(Element, m_ExtractElt(m_Value(Result.Register),
                                   m_ConstantInt(Result.Lane))))
    return std::nullopt;
  auto *Part = dyn_cast<FixedVectorType>(Result.Register->getType());
  auto *Whole = cast<ScalableVectorType>(V->getType());
  return Part && getPartElements(*Whole) == Part->getNumElements() &&
                 Result.Lane < Part->getNumElements()
             ? std::optional(Result)
             : std::nullopt;
}

/// \p Register in all parts of a vector of type \p Ty: a load that nothing else
/// needs becomes one of that kind.
static Value *copyToParts(Value *Register, Type *Ty) {
  // An argument, or what ends its block, has no place behind it.
  auto *I = dyn_cast<Instruction>(Register);
  std::optional<BasicBlock::iterator> Behind =
      I ? I->getInsertionPointAfterDef() : std::nullopt;
  if (!Behind)
    return nullptr;
  IRBuilder<> B(&**Behind);
  if (auto *Load = dyn_cast<LoadInst>(I); Load && Load->isSimple()) {
    Value *All = B.CreateVectorSplat(cast<VectorType>(Ty)->getElementCount(),
                                     B.getTrue());
    return B.CreateIntrinsic(Intrinsic::aarch64_sve_ld1rq, {Ty},
                             {All, Load->getPointerOperand()});
  }
  Value *First =
      B.CreateInsertVector(Ty, PoisonValue::get(Ty), Register, B.getInt64(0));
  return B.CreateIntrinsic(Intrinsic::aarch64_sve_dupq_lane, {Ty},
                           {First, B.getInt64(0)});
}

/// Vectors of float or double, of whole registers.
static bool haveLaneForms(const Type *Of) {
  auto *Ty = dyn_cast<ScalableVectorType>(Of);
  return Ty &&
         (Ty->getElementType()->isFloatTy() ||
          Ty->getElementType()->isDoubleTy()) &&
         Ty->getMinNumElements() % getPartElements(*Ty) == 0;
}

/// The addition that LLVM would make one operation with the product \p I.
static Instruction *findContracted(Instruction &I) {
  auto *Add = I.hasOneUse() ? dyn_cast<Instruction>(I.user_back()) : nullptr;
  return Add && Add->getOpcode() == Instruction::FAdd && I.hasAllowContract() &&
                 Add->hasAllowContract()
             ? Add
             : nullptr;
}

/// \p I as a product by lanes.
static std::optional<LaneProduct> findLaneProduct(Instruction &I) {
  if (!haveLaneForms(I.getType()))
    return std::nullopt;
  LaneProduct P;
  P.I = &I;
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (Call && (Call->getIntrinsicID() == Intrinsic::fmuladd ||
               Call->getIntrinsicID() == Intrinsic::fma)) {
    P.Addend = I.getOperand(2);
  } else if (I.getOpcode() != Instruction::FMul) {
    return std::nullopt;
  } else if (Instruction *Add = findContracted(I)) {
    P.I = Add;
    P.Addend = Add->getOperand(Add->getOperand(0) == &I ? 1 : 0);
  }
  for (unsigned At : {0, 1}) {
    std::optional<LaneFactor> Factor = findLaneFactor(I.getOperand(At));
    if (!Factor)
      continue;
    P.Factor = *Factor;
    P.X = I.getOperand(1 - At);
    P.Subtracts = P.Addend && match(P.X, m_FNeg(m_Value(P.X)));
    return P;
  }
  return std::nullopt;
}

/// \p P of the registers that \p X and \p Addend have; \p All: the factors in
/// all parts.
static Value *multiply(IRBuilderBase &B, const LaneProduct &P, Value *X,
                       Value *Addend, Value *All) {
  Value *Lane = B.getInt32(static_cast<uint32_t>(P.Factor.Lane));
  if (!Addend)
    return B.CreateIntrinsic(Intrinsic::aarch64_sve_fmul_lane, {X->getType()},
                             {X, All, Lane});
  return B.CreateIntrinsic(P.Subtracts ? Intrinsic::aarch64_sve_fmls_lane
                                       : Intrinsic::aarch64_sve_fmla_lane,
                           {X->getType()}, {Addend, X, All, Lane});
}

/// The same of vectors of several registers, which instructions for all lanes
/// would be made of later.
static Value *multiplyParts(IRBuilderBase &B, const LaneProduct &P,
                            Value *All) {
  auto *Ty = cast<ScalableVectorType>(P.X->getType());
  Type *Part = All->getType();
  if (Ty == Part)
    return multiply(B, P, P.X, P.Addend, All);
  Value *Result = PoisonValue::get(Ty);
  unsigned Elements = getPartElements(*Ty);
  for (unsigned At = 0; At != Ty->getMinNumElements(); At += Elements) {
    auto Get = [&](Value *V) {
      return V ? B.CreateExtractVector(Part, V, B.getInt64(At)) : nullptr;
    };
    Result = B.CreateInsertVector(Ty, Result,
                                  multiply(B, P, Get(P.X), Get(P.Addend), All),
                                  B.getInt64(At));
  }
  return Result;
}

void multiplyByLanes(Function &F) {
  if (!hasTargetFeatures(F, "sve"))
    return;
  DenseMap<Value *, Value *> Parts;
  SmallVector<WeakTrackingVH, 32> Dead;
  for (Instruction &I : instructions(F)) {
    std::optional<LaneProduct> P = findLaneProduct(I);
    if (!P)
      continue;
    auto *Ty = cast<ScalableVectorType>(P->X->getType());
    Value *&All = Parts[P->Factor.Register];
    if (!All)
      All = copyToParts(
          P->Factor.Register,
          ScalableVectorType::get(Ty->getElementType(), getPartElements(*Ty)));
    if (!All)
      continue;
    if (DLOPT_PLANTED(FactorLaneOff))
      P->Factor.Lane ^= 1;
    IRBuilder<> B(P->I);
    P->I->replaceAllUsesWith(multiplyParts(B, *P, All));
    Dead.push_back(P->I);
  }
  RecursivelyDeleteTriviallyDeadInstructions(Dead);
}

} // namespace dlopt
