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

/// What a recipe needs of the target: fused operations, or nothing.
enum class MathNeeds : uint8_t { Any, Fused };

/// A row of MathRecipes.def: one function, type and accuracy. What Near, Far
/// and Split are is said by the function that emits the row.
struct MathRecipe {
  MathFunction Function;
  ScalarType Ty;
  MathAccuracy Accuracy;
  MathNeeds On;
  llvm::Value *(*Emit)(MathBuilder &M, llvm::ArrayRef<llvm::Value *> Args,
                       const MathRecipe &R);
  MathPoly Near, Far;
  double Split;
};

using MathArgs = llvm::ArrayRef<llvm::Value *>;

// MathExp.cpp: by exp(x) = 2^n * exp(r).
llvm::Value *emitExp(MathBuilder &M, MathArgs Args, const MathRecipe &R);
llvm::Value *emitExpShort(MathBuilder &M, MathArgs Args, const MathRecipe &R);
llvm::Value *emitExp2(MathBuilder &M, MathArgs Args, const MathRecipe &R);
llvm::Value *emitTanh(MathBuilder &M, MathArgs Args, const MathRecipe &R);

// MathLog.cpp: by log(x) = k * log(2) + log(1 + f).
llvm::Value *emitLog(MathBuilder &M, MathArgs Args, const MathRecipe &R);

} // namespace dlopt

#endif // DLOPT_PASSES_LOWER_MATHRECIPES_H
