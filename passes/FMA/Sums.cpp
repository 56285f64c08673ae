//===- Sums.cpp - Additions that may be fused with a product --------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Sums.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace dlopt;

/// Half, and vectors that are widened, are left to the back ends.
bool SumFinder::isFusable(const Type *Ty) const {
  Type *Elem = Ty->getScalarType();
  if (const auto *V = dyn_cast<FixedVectorType>(Ty);
      V && !isPowerOf2_32(V->getNumElements()))
    return false;
  return HasFMA && (Elem->isFloatTy() || Elem->isDoubleTy()) &&
         TTI.isTypeLegal(Elem);
}

/// Products by these are no multiplications in the end.
static bool isTrivialFactor(const Value *V) {
  const APFloat *C;
  if (!match(V, m_APFloat(C)))
    return false;
  APFloat Size = abs(*C);
  return Size.isZero() || Size.isExactlyValue(1.0) || Size.isExactlyValue(2.0);
}

Addend SumFinder::getAddend(Instruction &I, unsigned Operand,
                            bool Negated) const {
  Addend A;
  A.V = I.getOperand(Operand);
  A.Negated = Negated;
  Value *Inner;
  auto *Product = dyn_cast<Instruction>(A.V);
  if (Product && Product->hasOneUse() && match(Product, m_FNeg(m_Value(Inner))))
    Product = dyn_cast<Instruction>(Inner);
  else
    Inner = nullptr;
  if (!Product || Product->getOpcode() != Instruction::FMul)
    return A;
  if (Inner) {
    A.Negated = !A.Negated;
    A.V = Product;
  }
  A.X = Product->getOperand(0);
  A.Y = Product->getOperand(1);
  A.Product = Product;
  bool Permitted = I.hasAllowContract() && Product->hasAllowContract();
  if (DLOPT_PLANTED(ContractOnOneSide))
    Permitted = I.hasAllowContract();
  // A product with other uses would be computed twice, and one from outside of
  // the loop once in each round.
  A.CanFuse =
      Permitted && Product->hasOneUse() &&
      LI.getLoopFor(Product->getParent()) == LI.getLoopFor(I.getParent()) &&
      !isTrivialFactor(A.X) && !isTrivialFactor(A.Y);
  return A;
}

std::optional<Sum> SumFinder::get(Instruction &I) const {
  Sum S;
  S.I = &I;
  if (!isFusable(I.getType()))
    return std::nullopt;
  if (auto *Call = dyn_cast<IntrinsicInst>(&I);
      Call && Call->getIntrinsicID() == Intrinsic::fmuladd) {
    S.Addends[0].X = Call->getArgOperand(0);
    S.Addends[0].Y = Call->getArgOperand(1);
    S.Addends[0].CanFuse = true;
    S.Addends[1] = getAddend(I, 2, /*Negated=*/false);
    S.Default = SumForm::FusesFirst;
    S.CanBeApart = Free || I.hasAllowContract();
    if (DLOPT_PLANTED(MulAddApart))
      S.CanBeApart = true;
    return S;
  }
  if (I.getOpcode() != Instruction::FAdd && I.getOpcode() != Instruction::FSub)
    return std::nullopt;
  S.Addends[0] = getAddend(I, 0, /*Negated=*/false);
  S.Addends[1] =
      getAddend(I, 1, /*Negated=*/I.getOpcode() == Instruction::FSub);
  // As the back ends choose (DAGCombiner::visitFADDForFMACombine).
  S.Default = S.Addends[0].CanFuse   ? SumForm::FusesFirst
              : S.Addends[1].CanFuse ? SumForm::FusesSecond
                                     : SumForm::Apart;
  S.CanBeApart = true;
  return S;
}

bool dlopt::mayReassociate(const Instruction &I) {
  return isa<FPMathOperator>(I) && I.hasAllowReassoc() && I.hasNoSignedZeros();
}

FastMathFlags dlopt::withoutPromises(FastMathFlags FMF) {
  FMF.setNoNaNs(false);
  FMF.setNoInfs(false);
  return FMF;
}

/// Back ends fuse whatever they see if they are told to (-ffp-contract=fast),
/// whether the flags permit it or not.
static Value *keepApart(IRBuilderBase &B, Value *Product) {
  return B.CreateIntrinsic(Intrinsic::arithmetic_fence, {Product->getType()},
                           {Product});
}

static Value *negate(IRBuilderBase &B, Value *V, bool Negated) {
  return Negated ? B.CreateFNeg(V) : V;
}

/// What \p S is in \p Form, in front of it.
static Value *emitSum(const Sum &S, SumForm Form) {
  IRBuilder<> B(S.I);
  FastMathFlags FMF = S.I->getFastMathFlags();
  const Addend &First = S.Addends[0], &Second = S.Addends[1];
  if (Form == SumForm::Apart) {
    B.setFastMathFlags(withoutPromises(FMF));
    Value *Product = B.CreateFMul(First.X, First.Y);
    FMF.setAllowContract(false);
    B.setFastMathFlags(withoutPromises(FMF));
    bool Negated = Second.Negated && !DLOPT_PLANTED(AddendSignLost);
    return B.CreateFAdd(keepApart(B, Product), negate(B, Second.V, Negated));
  }
  const Addend &Fused = Form == SumForm::FusesFirst ? First : Second;
  const Addend &Other = Form == SumForm::FusesFirst ? Second : First;
  // As the back ends have it, what the sum says of values is said of the whole;
  // but one rounding may overflow where two do not.
  if (Fused.Product) {
    FastMathFlags Both = FMF & Fused.Product->getFastMathFlags();
    Both.setNoNaNs(FMF.noNaNs());
    Both.setNoSignedZeros(FMF.noSignedZeros());
    Both.setNoInfs(false);
    FMF = Both;
  }
  // The product of an llvm.fmuladd that fuses another one.
  B.setFastMathFlags(withoutPromises(FMF));
  Value *Addend = Other.V ? Other.V : B.CreateFMul(Other.X, Other.Y);
  if (Form != S.Default)
    FMF = withoutPromises(FMF);
  B.setFastMathFlags(FMF);
  return B.CreateIntrinsic(Intrinsic::fma, {S.I->getType()},
                           {negate(B, Fused.X, Fused.Negated), Fused.Y,
                            negate(B, Addend, Other.Negated)});
}

void dlopt::applyForm(const Sum &S, SumForm Form) {
  if (Form == SumForm::Apart && !S.isMulAdd()) {
    IRBuilder<> B(S.I);
    for (unsigned Operand : {0u, 1u})
      if (S.Addends[Operand].Product)
        S.I->setOperand(Operand, keepApart(B, S.I->getOperand(Operand)));
    S.I->setHasAllowContract(false);
    return;
  }
  Value *New = emitSum(S, Form);
  New->takeName(S.I);
  S.I->replaceAllUsesWith(New);
  RecursivelyDeleteTriviallyDeadInstructions(S.I);
}
