//===- DoubleDouble.h - Arithmetic on sums of two doubles -------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Numbers with 106 bits: sums of two doubles that do not overlap (Dekker, A
/// floating-point technique for extending the available precision, 1971; the
/// algorithms and their bounds as in Joldes, Muller and Popescu, Tight and
/// rigorous error bounds for basic building blocks of double-word arithmetic,
/// 2017). Every operation errs by less than 2^-100 of its result, with and
/// without fused operations, on every target: products are fenced, as some back
/// ends fuse them with sums whatever the flags of both allow.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_LOWER_DOUBLEDOUBLE_H
#define DLOPT_PASSES_LOWER_DOUBLEDOUBLE_H

#include "MathBuilder.h"

namespace dlopt {

/// A constant.
struct DoubleDouble {
  double Hi, Lo;
};

class DoubleDoubleBuilder {
public:
  /// \p M: on double; product, with fused operations, on any type.
  explicit DoubleDoubleBuilder(MathBuilder &M) : M(M) {}

  MathSum num(DoubleDouble X) { return {M.num(X.Hi), M.num(X.Lo)}; }
  MathSum num(double X) { return num({X, 0}); }
  MathSum widen(llvm::Value *X) { return {X, M.num(0)}; }

  MathSum add(MathSum X, MathSum Y);
  MathSum add(MathSum X, llvm::Value *Y);
  MathSum sub(MathSum X, MathSum Y) { return add(X, neg(Y)); }
  MathSum neg(MathSum X) { return {M.neg(X.Hi), M.neg(X.Lo)}; }
  MathSum mul(MathSum X, MathSum Y);
  MathSum mul(MathSum X, llvm::Value *Y);
  /// X * Y exactly.
  MathSum product(llvm::Value *X, llvm::Value *Y);
  MathSum div(MathSum X, MathSum Y);
  MathSum div(MathSum X, llvm::Value *Y);
  /// Of what is positive.
  MathSum sqrt(MathSum X);
  /// By a power of two, or where there is nothing to be rounded.
  MathSum scale(MathSum X, llvm::Value *Y) {
    return {mulDouble(X.Hi, Y), mulDouble(X.Lo, Y)};
  }
  MathSum scale(MathSum X, double Y) { return scale(X, M.num(Y)); }
  MathSum select(llvm::Value *C, MathSum X, MathSum Y) {
    return {M.select(C, X.Hi, Y.Hi), M.select(C, X.Lo, Y.Lo)};
  }
  /// \p X, which is not negative, with the sign of \p Y.
  MathSum withSignOf(MathSum X, llvm::Value *Y);

  /// By Horner's rule: first \p Rest, whose terms are small enough for double,
  /// then \p C; both begin with the lowest power.
  MathSum poly(MathSum X, llvm::ArrayRef<DoubleDouble> C, MathPoly Rest);

  /// A double that is rounded to what \p X is rounded to, to any format with
  /// two bits less or more than that: its last bit says that something has been
  /// left out (Boldo and Melquiond, Emulation of FMA and correctly rounded
  /// sums: proved algorithms using rounding to odd, 2008).
  llvm::Value *roundToOdd(MathSum X);

  /// Rounded, and never fused with a sum.
  llvm::Value *mulDouble(llvm::Value *X, llvm::Value *Y);

  MathBuilder &M;
};

} // namespace dlopt

#endif // DLOPT_PASSES_LOWER_DOUBLEDOUBLE_H
