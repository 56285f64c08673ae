//===- PolyEmitter.cpp - Polynomials to IR --------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Index arithmetic is exact modulo 2^64, so no operation gets a no-wrap flag.
///
//===----------------------------------------------------------------------===//
#include "dlopt/Lower.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace dlopt {

using AtomCallback = function_ref<Value *(IRBuilderBase &, AtomId)>;

/// sdiv and srem round towards zero, so a negative remainder is moved up by one
/// Den; shifts and masks round down.
Value *emitDivMod(IRBuilderBase &B, Value *Num, Value *Den, bool IsMod) {
  const APInt *Power;
  if (match(Den, PatternMatch::m_Power2(Power)) && Power->isStrictlyPositive())
    return IsMod
               ? B.CreateAnd(Num, B.getInt64(Power->getZExtValue() - 1), "mod")
               : B.CreateAShr(Num, Power->logBase2(), "div");
  Value *Zero = B.getInt64(0);
  Value *Rem = B.CreateSRem(Num, Den, "rem");
  Value *IsNegative = B.CreateICmpSLT(Rem, Zero);
  if (IsMod)
    return B.CreateAdd(Rem, B.CreateSelect(IsNegative, Den, Zero), "mod");
  Value *Quot = B.CreateSDiv(Num, Den, "quot");
  return B.CreateAdd(Quot, B.CreateSExt(IsNegative, B.getInt64Ty()), "div");
}

static Value *emitAtom(IRBuilderBase &B, const Kernel &K, AtomId Id,
                       AtomCallback Values) {
  if (Value *V = Values(B, Id))
    return V;
  const Atom &A = K.Atoms[Id];
  if (A.K != Atom::FloorDiv && A.K != Atom::Mod)
    return nullptr;
  Value *Num = emitPoly(B, K, A.Num, Values);
  Value *Den = Num ? emitPoly(B, K, A.Den, Values) : nullptr;
  return Den ? emitDivMod(B, Num, Den, A.K == Atom::Mod) : nullptr;
}

Value *emitPoly(IRBuilderBase &B, const Kernel &K, const Poly &P,
                AtomCallback Values) {
  Value *Sum = nullptr;
  for (const auto &[Product, Coef] : P.terms()) {
    if (Product.empty())
      continue; // last, so that x + c folds into addresses
    Value *Term = nullptr;
    for (AtomId Id : Product) {
      Value *V = emitAtom(B, K, Id, Values);
      if (!V)
        return nullptr;
      Term = Term ? B.CreateMul(Term, V) : V;
    }
    if (Coef == -1 && Sum) {
      Sum = B.CreateSub(Sum, Term);
      continue;
    }
    if (Coef != 1)
      Term = B.CreateMul(Term, B.getInt64(Coef));
    Sum = Sum ? B.CreateAdd(Sum, Term) : Term;
  }
  Value *Constant = B.getInt64(P.getConstantTerm());
  if (!Sum)
    return Constant;
  return P.getConstantTerm() ? B.CreateAdd(Sum, Constant) : Sum;
}

} // namespace dlopt
