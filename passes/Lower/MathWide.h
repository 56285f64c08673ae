//===- MathWide.h - Instructions of AVX-512 for math functions --*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// On whole registers of 512 bits of float.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_LOWER_MATHWIDE_H
#define DLOPT_PASSES_LOWER_MATHWIDE_H

#include "MathBuilder.h"

namespace dlopt {

/// X * 2^floor(N), whatever N is: 0 or infinite even where X is NaN.
llvm::Value *scaleBy(MathBuilder &M, llvm::Value *X, llvm::Value *N);
/// The exponent as a number; of 0 minus infinity.
llvm::Value *getExponent(MathBuilder &M, llvm::Value *X);
/// The mantissa, from 3/4 on and below 3/2; 1 of 0 and infinity, NaN of
/// negative numbers.
llvm::Value *getMantissa(MathBuilder &M, llvm::Value *X);
/// Of 16 or 32 numbers.
llvm::Value *lookUpFloat(MathBuilder &M, MathPoly Table, llvm::Value *Index);

/// 1.5 * 2^19: numbers that are added to it are rounded to multiples of 1/16.
inline constexpr double MagicOf16th = 0x1.8p19;

/// |x|, no more than some limit, and the numbers that its interval has.
/// Intervals are the leading bits of a linear function. A table has the factor
/// and the summand of that, how many intervals there are, and how many bits of
/// its mantissa count; then rows of a number for each interval.
class Intervals {
public:
  Intervals(MathBuilder &M, llvm::Value *X, MathPoly Table, double Limit);
  llvm::Value *get(size_t Row) const {
    return lookUpFloat(M, Rows.slice(Row * Count, Count), Index);
  }
  /// By Horner's rule in \p X, from \p Row on to the last one.
  llvm::Value *poly(llvm::Value *X, size_t Row) const;

  llvm::Value *A;

private:
  MathBuilder &M;
  MathPoly Rows;
  size_t Count;
  llvm::Value *Index;
};

} // namespace dlopt

#endif // DLOPT_PASSES_LOWER_MATHWIDE_H
