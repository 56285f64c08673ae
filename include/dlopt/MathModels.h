//===- MathModels.h - Math functions with the library's bits ----*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// y[i] = expf(x[i]) in vectors, bit for bit what the C library that the
/// program meets returns, without a call but for one lane in some hundred.
///
/// A library that errs by less than 0.5 + Window units in the last place
/// returns the number next to the exact value, unless that lies within Window
/// of the middle between two numbers (the argument of Ziv, Fast evaluation of
/// elementary mathematical functions with correctly rounded last bit, 1991,
/// turned around). So vectors compute the exact value in double, round it, and
/// call the library where it is that near to the middle, and where errno may be
/// set, or the result is none of the normal numbers, or NaN.
///
/// That the library is that good is tested when the program runs, once a module
/// and function: at inputs whose exact values lie just outside of Window
/// (MathModels.def). docs/math.md says what such a test cannot see.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_MATHMODELS_H
#define DLOPT_MATHMODELS_H

#include "dlopt/VectorMath.h"

namespace dlopt {

class MathBuilder;
struct LanePlan;

/// An input, and the bits of the float that is next to the exact result.
struct MathProbe {
  float X;
  uint32_t Result;
};

/// A function of float and how far libraries that have its bits may err.
struct MathModel {
  MathFunction Function;
  /// Units in the last place beyond one half.
  double Window;
  /// Results are normal numbers where |x| is not greater.
  double Limit;
  /// The result of a float that has been extended to double, within 2^-38 of
  /// itself.
  llvm::Value *(*Emit)(MathBuilder &M, llvm::Value *X);
  llvm::ArrayRef<MathProbe> Probes;
};

/// The model of \p F for float, or null.
const MathModel *getMathModel(MathFunction F);

/// That of \p O, if \p Plan has models and O is not approximated.
const MathModel *getMathModel(const Op &O, const LanePlan &Plan);

/// Whether vectors compute \p O by arithmetic, exactly or not.
bool isMathInLanes(const Op &O, const LanePlan &Plan);

/// The result of all lanes of \p X, a fixed vector of float, and in which lanes
/// the library has to be asked.
struct ModelledMath {
  llvm::Value *Result, *Calls;
};
ModelledMath emitModel(llvm::IRBuilderBase &B, const MathModel &Model,
                       llvm::Value *X, const MathTarget &T);

/// i1 (): the library of the running program has the bits of \p Model for what
/// \p O calls. The answer is kept.
llvm::Function *getLibraryTest(const llvm::Function &Served,
                               const MathModel &Model, const Op &O);

} // namespace dlopt

#endif // DLOPT_MATHMODELS_H
