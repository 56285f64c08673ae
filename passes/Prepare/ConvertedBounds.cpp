//===- ConvertedBounds.cpp - Bounds by fmin and fmax ----------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// C has no min of integers, but fmin:
///
///   long end = fminf(start + size, width);
///   ->
///   long end = (float)min(start + size, width);
///
/// A greater integer never becomes a smaller number, so that the smaller one of
/// two numbers is what the smaller integer becomes, whatever is rounded. No
/// integer becomes a NaN or -0. What is left, a number that becomes an integer
/// again, is for the raiser to see through (WholeNumbers.cpp).
///
//===----------------------------------------------------------------------===//
#include "ConvertedBounds.h"
#include "dlopt/Compat.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace dlopt {

namespace {

/// The smaller or the greater one of two numbers.
struct Extreme {
  Value *Of[2];
  bool IsMax;
};

/// What becomes a number: an integer, or a constant that is one.
struct Integer {
  Value *Of = nullptr; ///< null: Number
  int64_t Number = 0;
  bool Signed = true;
  unsigned Bits = 1; ///< that it takes as a signed integer
};

} // namespace

static std::optional<Extreme> getExtreme(Instruction &I) {
  if (!I.getType()->isFloatingPointTy())
    return std::nullopt;
  Value *X = nullptr, *Y = nullptr;
  if (auto *II = dyn_cast<IntrinsicInst>(&I))
    switch (II->getIntrinsicID()) {
    case Intrinsic::minnum:
    case Intrinsic::minimum:
    case Intrinsic::minimumnum:
      return Extreme{{II->getArgOperand(0), II->getArgOperand(1)}, false};
    case Intrinsic::maxnum:
    case Intrinsic::maximum:
    case Intrinsic::maximumnum:
      return Extreme{{II->getArgOperand(0), II->getArgOperand(1)}, true};
    default:
      return std::nullopt;
    }
  if (match(&I, m_OrdFMin(m_Value(X), m_Value(Y))) ||
      match(&I, m_UnordFMin(m_Value(X), m_Value(Y))))
    return Extreme{{X, Y}, false};
  if (match(&I, m_OrdFMax(m_Value(X), m_Value(Y))) ||
      match(&I, m_UnordFMax(m_Value(X), m_Value(Y))))
    return Extreme{{X, Y}, true};
  return std::nullopt;
}

static std::optional<Integer> getInteger(Value *V) {
  Integer N;
  const APFloat *C = nullptr;
  if (match(V, m_APFloat(C))) {
    APSInt Whole(64, /*isUnsigned=*/false);
    bool IsExact = false;
    if (C->isNegZero() ||
        C->convertToInteger(Whole, APFloat::rmTowardZero, &IsExact) !=
            APFloat::opOK ||
        !IsExact)
      return std::nullopt;
    N.Number = Whole.getSExtValue();
    N.Bits = Whole.getSignificantBits();
    return N;
  }
  auto *Cast = dyn_cast<CastInst>(V);
  if (!Cast || !isa<SIToFPInst, UIToFPInst>(Cast) ||
      !Cast->getSrcTy()->isIntegerTy())
    return std::nullopt;
  N.Of = Cast->getOperand(0);
  const auto *NonNeg = dyn_cast<PossiblyNonNegInst>(Cast);
  N.Signed = isa<SIToFPInst>(Cast) || (NonNeg && NonNeg->hasNonNeg());
  N.Bits = Cast->getSrcTy()->getIntegerBitWidth() + !N.Signed;
  return N;
}

/// The bits of the type of one or both, if the other one is of that type.
static std::optional<unsigned> getCommonBits(const Integer &X,
                                             const Integer &Y) {
  const Integer &A = X.Of ? X : Y, &B = X.Of ? Y : X;
  const unsigned Bits = A.Of->getType()->getIntegerBitWidth();
  const bool IsSame =
      B.Of ? B.Of->getType() == A.Of->getType() && B.Signed == A.Signed
           : B.Bits <= A.Bits && (A.Signed || B.Number >= 0);
  return IsSame ? std::optional(Bits) : std::nullopt;
}

/// \p N as an integer of \p Ty.
static Value *getOfType(const Integer &N, Type *Ty, IRBuilder<> &B) {
  if (!N.Of)
    return ConstantInt::getSigned(Ty, N.Number);
  return N.Signed ? B.CreateSExt(N.Of, Ty) : B.CreateZExt(N.Of, Ty);
}

/// Whether only integers are made of \p I, directly or by way of other bounds.
static bool isBound(Instruction &I) {
  return !I.use_empty() && all_of(I.users(), [](User *U) {
    auto *By = cast<Instruction>(U);
    return isa<FPToSIInst, FPToUIInst>(By) || getExtreme(*By);
  });
}

/// The number that \p I is, of an integer; null if it is none.
static Value *foldExtreme(Instruction &I) {
  std::optional<Extreme> E = getExtreme(I);
  if (!E)
    return nullptr;
  std::optional<Integer> X = getInteger(E->Of[0]), Y = getInteger(E->Of[1]);
  if (!X || !Y || (!X->Of && !Y->Of) || !isBound(I))
    return nullptr;
  constexpr unsigned Widest = 64;
  auto IsUnsigned = [](const Integer &N) {
    return N.Of ? !N.Signed : N.Number >= 0;
  };
  const bool Signed = X->Bits <= Widest && Y->Bits <= Widest;
  if (!Signed && (!IsUnsigned(*X) || !IsUnsigned(*Y) ||
                  std::max(X->Bits, Y->Bits) > Widest + 1))
    return nullptr;
  IRBuilder<> B(&I);
  const unsigned Bits = getCommonBits(*X, *Y).value_or(Widest);
  const bool OfSigned =
      Signed && (Bits == Widest || (X->Of ? X->Signed : Y->Signed));
  Type *Ty = B.getIntNTy(Bits);
  Value *A = getOfType(*X, Ty, B), *C = getOfType(*Y, Ty, B);
  Intrinsic::ID Id = OfSigned ? (E->IsMax ? Intrinsic::smax : Intrinsic::smin)
                              : (E->IsMax ? Intrinsic::umax : Intrinsic::umin);
  Value *Found = B.CreateBinaryIntrinsic(Id, A, C);
  return OfSigned ? B.CreateSIToFP(Found, I.getType())
                  : B.CreateUIToFP(Found, I.getType());
}

bool foldConvertedBounds(Function &F) {
  bool Changed = false;
  // What a bound is found of comes first.
  for (BasicBlock *BB : ReversePostOrderTraversal<Function *>(&F))
    for (Instruction &I : make_early_inc_range(*BB))
      if (Value *V = foldExtreme(I)) {
        I.replaceAllUsesWith(V);
        I.eraseFromParent();
        Changed = true;
      }
  return Changed;
}

} // namespace dlopt
