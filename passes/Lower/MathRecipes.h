//===- MathRecipes.h - How each math function is made -----------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_LOWER_MATHRECIPES_H
#define DLOPT_PASSES_LOWER_MATHRECIPES_H

#include "MathBuilder.h"

namespace dlopt {

/// Where a recipe is used: on any target, where there are fused operations,
/// there if vectors are wide, too, on any target with float computed as
/// double, which takes care of rounding, or where registers are tables.
enum class MathNeeds : uint8_t { Any, Fused, FusedWide, InDouble, Tables };

/// A row of MathRecipes.def: one function, type and accuracy. What Base, Near,
/// Far and Split are is said by the function that emits the row.
struct MathRecipe {
  MathFunction Function;
  ScalarType Ty;
  MathAccuracy Accuracy;
  MathNeeds On;
  llvm::Value *(*Emit)(MathBuilder &M, llvm::ArrayRef<llvm::Value *> Args,
                       const MathRecipe &R);
  /// Of the exponential or logarithm that all its relatives are made of.
  MathPoly Base;
  MathPoly Near, Far;
  double Split;
};

using MathArgs = llvm::ArrayRef<llvm::Value *>;

// MathNarrow.cpp: half and bfloat to float, which \p M is of, and back.
llvm::Value *widen(MathBuilder &M, llvm::Value *X, const MathTarget &T);
llvm::Value *narrow(MathBuilder &M, llvm::Value *X, llvm::Type *Ty,
                    const MathTarget &T);

// MathGPU.cpp: by instructions of a GPU; null if there are none as accurate as
// \p A.
llvm::Value *emitByGPU(llvm::IRBuilderBase &B, MathFunction F, MathArgs Args,
                       MathAccuracy A, const MathTarget &T);

// MathExp.cpp: by exp(x) = 2^n * exp(r).
llvm::Value *emitExp(MathBuilder &M, MathArgs Args, const MathRecipe &R);
llvm::Value *emitExpFused(MathBuilder &M, MathArgs Args, const MathRecipe &R);
llvm::Value *emitExpNegative(MathBuilder &M, MathArgs Args,
                             const MathRecipe &R);
llvm::Value *emitExpNegativeFused(MathBuilder &M, MathArgs Args,
                                  const MathRecipe &R);
llvm::Value *emitExp2(MathBuilder &M, MathArgs Args, const MathRecipe &R);
llvm::Value *emitExpm1(MathBuilder &M, MathArgs Args, const MathRecipe &R);
llvm::Value *emitErf(MathBuilder &M, MathArgs Args, const MathRecipe &R);
llvm::Value *emitTanh(MathBuilder &M, MathArgs Args, const MathRecipe &R);
llvm::Value *emitTanhQuotient(MathBuilder &M, MathArgs Args,
                              const MathRecipe &R);
llvm::Value *emitErfQuotient(MathBuilder &M, MathArgs Args,
                             const MathRecipe &R);

llvm::Value *emitErfc(MathBuilder &M, MathArgs Args, const MathRecipe &R);
llvm::Value *emitErfcDouble(MathBuilder &M, MathArgs Args, const MathRecipe &R);

// MathWide.cpp: of float, for vectors of whole registers of 512 bits.
llvm::Value *emitExpWide(MathBuilder &M, MathArgs Args, const MathRecipe &R);
llvm::Value *emitExp2Wide(MathBuilder &M, MathArgs Args, const MathRecipe &R);
llvm::Value *emitLogWide(MathBuilder &M, MathArgs Args, const MathRecipe &R);
llvm::Value *emitOddWide(MathBuilder &M, MathArgs Args, const MathRecipe &R);
llvm::Value *emitOddWideDirectly(MathBuilder &M, MathArgs Args,
                                 const MathRecipe &R);
/// What \p Emit makes of as many lanes as are in whole registers; of any number
/// of them, and of scalars.
llvm::Value *
emitInWholeRegisters(llvm::IRBuilderBase &B, MathArgs Args,
                     llvm::function_ref<llvm::Value *(MathArgs)> Emit);

// MathLog.cpp: by log(x) = k * log(2) + log(1 + f).

/// x = 2^K * (1 + F); N is K + the exponent's bias as an integer.
struct LogReduction {
  llvm::Value *K, *F, *N;
};
/// \p Normal: \p X is no subnormal number.
LogReduction reduceLog(MathBuilder &M, llvm::Value *X, bool Normal = false);
/// log(1 + f) = f + the tail.
llvm::Value *getLogTail(MathBuilder &M, llvm::Value *F, MathPoly Base);
/// The logarithm of X if that is not a positive number, else \p Y.
llvm::Value *withLogSpecialCases(MathBuilder &M, llvm::Value *X,
                                 llvm::Value *Y);

llvm::Value *emitLog(MathBuilder &M, MathArgs Args, const MathRecipe &R);
llvm::Value *emitLog2(MathBuilder &M, MathArgs Args, const MathRecipe &R);
llvm::Value *emitLog10(MathBuilder &M, MathArgs Args, const MathRecipe &R);
llvm::Value *emitLog1p(MathBuilder &M, MathArgs Args, const MathRecipe &R);

// MathPow.cpp, MathRoot.cpp, MathTrig.cpp.

/// Whether a number is an integer, and the sign bit if that is odd.
struct MathParity {
  llvm::Value *IsInteger, *OddSign;
};
/// Of a float, as float or as double.
MathParity getParity(MathBuilder &M, llvm::Value *Y);
/// The power of X, \p Result being that of its absolute value, \p P the parity
/// of Y.
llvm::Value *withPowSpecialCases(MathBuilder &M, llvm::Value *X, llvm::Value *Y,
                                 llvm::Value *Result, MathParity P);

/// The cube root of a normal positive number.
llvm::Value *emitCbrtNormal(MathBuilder &M, llvm::Value *X);
/// The cube root of |x| over \p Unscale, not rounded, where there are fused
/// operations and x is a number, but 0.
MathSum emitCbrtParts(MathBuilder &M, llvm::Value *X, llvm::Value *&Unscale);

/// X * 2 / pi = n + F; the low bits of N are those of n.
struct FloatTrigReduction {
  llvm::Value *N, *F;
};
/// Of a float, as double.
FloatTrigReduction reduceFloatTrig(MathBuilder &M, llvm::Value *X);

llvm::Value *emitPow(MathBuilder &M, MathArgs Args, const MathRecipe &R);
llvm::Value *emitPowDouble(MathBuilder &M, MathArgs Args, const MathRecipe &R);
llvm::Value *emitCbrt(MathBuilder &M, MathArgs Args, const MathRecipe &R);
llvm::Value *emitRsqrt(MathBuilder &M, MathArgs Args, const MathRecipe &R);
llvm::Value *emitSin(MathBuilder &M, MathArgs Args, const MathRecipe &R);
llvm::Value *emitCos(MathBuilder &M, MathArgs Args, const MathRecipe &R);

/// Of an angle in quadrant \p N + \p Quadrant, whose sine and cosine are \p Sin
/// and \p Cos in the first one: the sine.
llvm::Value *selectQuadrant(MathBuilder &M, llvm::Value *N, int Quadrant,
                            llvm::Value *Sin, llvm::Value *Cos);

// MathTrigDouble.cpp: of double, with fused operations.
llvm::Value *emitSinDouble(MathBuilder &M, MathArgs Args, const MathRecipe &R);
llvm::Value *emitCosDouble(MathBuilder &M, MathArgs Args, const MathRecipe &R);

} // namespace dlopt

#endif // DLOPT_PASSES_LOWER_MATHRECIPES_H
