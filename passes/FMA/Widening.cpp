//===- Widening.cpp - Products of halves added to floats ------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// s += (float)a[i] * (float)b[i] of half precision, vectorized:
///
///   fcvtl  v2.4s, v0.4h      fcvtl2 v3.4s, v0.8h
///   fcvtl  v4.4s, v1.4h      fcvtl2 v5.4s, v1.8h       fmlal  v6.4s, v0.4h,
///   v1.4h fmla   v6.4s, v2.4s, v4.4s                         fmlal2 v7.4s,
///   v0.4h, v1.4h fmla   v7.4s, v3.4s, v5.4s
///
/// for which LLVM has instructions and intrinsics (FEAT_FHM, "fp16fml"), but no
/// pattern. The product of two halves has 22 bits and an exponent of at least
/// -48: it is exact in float, so that one rounding is the same as two, and no
/// flag has to permit it. FPCR.FZ16, which flushes operands of fmlal and not
/// those of conversions, is off where denormal numbers are IEEE's.
///
//===----------------------------------------------------------------------===//
#include "Widening.h"
#include "dlopt/Compat.h"
#include "dlopt/Target.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsAArch64.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace dlopt;

/// Elements of one instruction, and of a register of halves.
static constexpr unsigned Floats = 4, Halves = 8;

static bool hasInstructions(const Function &F, const TargetModel &T) {
  if (!T.NoSIMD.empty() || !getTriple(*F.getParent()).isAArch64() ||
      F.getDenormalMode(APFloat::IEEEhalf()) != DenormalMode::getIEEE())
    return false;
  SmallVector<StringRef, 64> Features;
  F.getFnAttribute("target-features").getValueAsString().split(Features, ',');
  return is_contained(Features, "+fp16fml") &&
         !is_contained(Features, "-fp16fml") &&
         !is_contained(Features, "-neon");
}

/// \p V is fpext(\p From), which only \p User uses.
static bool matchExtension(Value *V, const Instruction &User, Value *&From) {
  auto *Ty = dyn_cast<FixedVectorType>(V->getType());
  return Ty && Ty->getElementType()->isFloatTy() &&
         Ty->getNumElements() % Floats == 0 &&
         match(V, m_FPExt(m_Value(From))) &&
         From->getType()->getScalarType()->isHalfTy() &&
         all_of(V->users(), [&](const auto *U) { return U == &User; });
}

/// V is X * Y of extensions that nothing else uses.
static bool matchProduct(Value *V, WideningMulAdd &W) {
  auto *Product = dyn_cast<Instruction>(V);
  Value *X, *Y;
  return Product && Product->hasOneUse() &&
         match(Product, m_FMul(m_Value(X), m_Value(Y))) &&
         matchExtension(X, *Product, W.A) && matchExtension(Y, *Product, W.B);
}

static bool matchMulAdd(Instruction &I, WideningMulAdd &W) {
  W.I = &I;
  Value *X, *Y, *Acc;
  if (match(&I, m_CombineOr(m_Intrinsic<Intrinsic::fma>(m_Value(X), m_Value(Y),
                                                        m_Value(Acc)),
                            m_Intrinsic<Intrinsic::fmuladd>(
                                m_Value(X), m_Value(Y), m_Value(Acc))))) {
    W.Acc = Acc;
    Value *Plain;
    if (match(X, m_FNeg(m_Value(Plain))) && X->hasOneUse()) {
      W.Negated = true;
      return matchExtension(Plain, cast<Instruction>(*X), W.A) &&
             matchExtension(Y, I, W.B);
    }
    return matchExtension(X, I, W.A) && matchExtension(Y, I, W.B);
  }
  if (I.getOpcode() == Instruction::FSub) {
    W.Negated = true;
    W.Acc = I.getOperand(0);
    return matchProduct(I.getOperand(1), W);
  }
  if (I.getOpcode() != Instruction::FAdd)
    return false;
  for (unsigned Operand : {1u, 0u}) {
    W.Acc = I.getOperand(1 - Operand);
    if (matchProduct(I.getOperand(Operand), W))
      return true;
  }
  return false;
}

SmallVector<WideningMulAdd, 8>
dlopt::findWideningMulAdds(Function &F, const TargetModel &T) {
  SmallVector<WideningMulAdd, 8> Found;
  if (!hasInstructions(F, T))
    return Found;
  for (Instruction &I : instructions(F))
    if (WideningMulAdd W; I.getType()->isVectorTy() && matchMulAdd(I, W))
      Found.push_back(W);
  return Found;
}

/// \p Count elements of \p V from \p First on; what is beyond its end is
/// poison.
static Value *getPart(IRBuilderBase &B, Value *V, unsigned First,
                      unsigned Count) {
  unsigned Size = cast<FixedVectorType>(V->getType())->getNumElements();
  if (First == 0 && Count == Size)
    return V;
  SmallVector<int, Halves> Mask;
  for (unsigned I = First; I != First + Count; ++I)
    Mask.push_back(I < Size ? int(I) : PoisonMaskElem);
  return B.CreateShuffleVector(V, Mask);
}

void dlopt::applyWidening(const WideningMulAdd &W) {
  IRBuilder<> B(W.I);
  unsigned Size = cast<FixedVectorType>(W.I->getType())->getNumElements();
  // For the upper half of the registers it is another instruction.
  const Intrinsic::ID Ids[] = {W.Negated ? Intrinsic::aarch64_neon_fmlsl
                                         : Intrinsic::aarch64_neon_fmlal,
                               W.Negated ? Intrinsic::aarch64_neon_fmlsl2
                                         : Intrinsic::aarch64_neon_fmlal2};
  SmallVector<Value *, 4> Sums;
  for (unsigned At = 0; At != Size; At += Floats) {
    unsigned Register = At / Halves * Halves;
    bool IsUpper = At % Halves != 0;
    Value *Acc = getPart(B, W.Acc, At, Floats);
    Value *X = getPart(B, W.A, Register, Halves),
          *Y = W.A == W.B ? X : getPart(B, W.B, Register, Halves);
    Sums.push_back(B.CreateIntrinsic(
        Ids[IsUpper], {Acc->getType(), X->getType()}, {Acc, X, Y}));
  }
  Value *New = concatenateVectors(B, Sums);
  New->takeName(W.I);
  W.I->replaceAllUsesWith(New);
  RecursivelyDeleteTriviallyDeadInstructions(W.I);
}
