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

using namespace llvm;
using namespace llvm::PatternMatch;

namespace dlopt {

namespace {

/// A lane of a register of 128 bits.
struct LaneFactor {
  Value *Register = nullptr;
  uint64_t Lane = 0;
};

} // namespace

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
  return Part && Part->getNumElements() == Whole->getMinNumElements() &&
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
      B.CreateInsertVector(Ty, PoisonValue::get(Ty), Register, uint64_t(0));
  return B.CreateIntrinsic(Intrinsic::aarch64_sve_dupq_lane, {Ty},
                           {First, B.getInt64(0)});
}

/// A product that is added to something, of vectors that have such a form.
static bool isMultiplyAdd(const Instruction &I) {
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  auto *Ty = dyn_cast<ScalableVectorType>(I.getType());
  return Call && Ty &&
         Ty->getMinNumElements() * Ty->getScalarSizeInBits() == 128 &&
         (Ty->getElementType()->isFloatTy() ||
          Ty->getElementType()->isDoubleTy()) &&
         (Call->getIntrinsicID() == Intrinsic::fmuladd ||
          Call->getIntrinsicID() == Intrinsic::fma);
}

void multiplyByLanes(Function &F) {
  if (!hasTargetFeatures(F, "sve"))
    return;
  DenseMap<Value *, Value *> Parts;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (!isMultiplyAdd(I))
      continue;
    for (unsigned At : {0, 1}) {
      std::optional<LaneFactor> Factor = findLaneFactor(I.getOperand(At));
      if (!Factor)
        continue;
      Value *&All = Parts[Factor->Register];
      if (!All)
        All = copyToParts(Factor->Register, I.getType());
      if (!All)
        continue;
      if (DLOPT_PLANTED(FactorLaneOff))
        Factor->Lane ^= 1;
      IRBuilder<> B(&I);
      I.replaceAllUsesWith(
          B.CreateIntrinsic(Intrinsic::aarch64_sve_fmla_lane, {I.getType()},
                            {I.getOperand(2), I.getOperand(1 - At), All,
                             B.getInt32(static_cast<uint32_t>(Factor->Lane))}));
      I.eraseFromParent();
      break;
    }
  }
}

} // namespace dlopt
