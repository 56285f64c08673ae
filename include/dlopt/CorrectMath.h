//===- CorrectMath.h - Correctly rounded functions of float -----*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// math=correct: functions of float return the float next to the exact value,
/// so that results have the same bits on every machine, for vectors of every
/// length, with any C library. errno is not set.
///
/// Values are computed in double. Where those are too near to the middle
/// between two floats to tell on which side of it the exact value lies, they
/// are computed again in double-double (Ziv, Fast evaluation of elementary
/// mathematical functions with correctly rounded last bit, 1991). Vectors do
/// the first; for lanes that need the second they call a function of the
/// module, which is also what calls of scalars become:
///
///   float dl.correct.expf(float)
///
/// docs/math.md says how it has been verified.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_CORRECTMATH_H
#define DLOPT_CORRECTMATH_H

#include "dlopt/MathModels.h"
#include "dlopt/PassParams.h"

namespace dlopt {

/// How vectors compute \p F of float: Window is how far the value in double may
/// be from the exact one, and lanes that are nearer to the middle than that, or
/// out of range, call. Null if there is no such function.
const MathModel *getCorrectMath(MathFunction F);

/// The function of \p Served's module that computes \p F of floats.
llvm::Function *getCorrectFunction(const llvm::Function &Served, MathFunction F,
                                   const MathTarget &T);

/// Parameters of dl-math.
struct MathParams {
  /// mark: calls have no effects and no flags from here on; nothing is replaced
  /// yet, so that passes behind it find calls of math functions.
  bool Mark = false;
  static llvm::Expected<MathParams> parse(llvm::StringRef Params);
  void print(llvm::raw_ostream &OS) const;
};

/// dl-math: in functions with math=correct, calls of math functions of float
/// become calls of correctly rounded ones.
class MathPass : public ParamPassMixin<MathPass, MathParams> {
public:
  using ParamPassMixin::ParamPassMixin;
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
};

} // namespace dlopt

#endif // DLOPT_CORRECTMATH_H
