//===- DoubleModels.cpp - Functions of float, computed in double ----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Values of functions of float that have been extended to double, within 2^-38
/// of the exact ones or of a library's approximation. Where a library's result
/// might be another one than these, rounded, is up to the model's window.
///
//===----------------------------------------------------------------------===//
#include "MathFormulas.h"

using namespace llvm;

namespace dlopt {

/// exp(r) up to |r| = log(2) / 2, within 2^-39.7 (a minimax polynomial by
/// Remez' algorithm, its coefficients rounded).
static constexpr double ExpPoly[] = {0x1p+0,
                                     0x1.ffffffffc4a22p-1,
                                     0x1.ffffffff9520ep-2,
                                     0x1.555555b50668ep-3,
                                     0x1.55555661fc311p-5,
                                     0x1.11106aa75d915p-7,
                                     0x1.6c14240fdb937p-10,
                                     0x1.a1c756ce69a0dp-13,
                                     0x1.a4275ab098e78p-16};

Value *emitSmallExpInDouble(MathBuilder &M, Value *X) {
  return M.poly(X, M.mul(X, X), ExpPoly);
}

/// exp of a float, within 2^-39 of itself. n * log(2) is less than 2^7: one
/// part of log(2) leaves out 2^-47.
Value *emitExpInDouble(MathBuilder &M, Value *X) {
  const MathFormat &F = M.Format;
  double Magic = F.Magic + F.Bias;
  Value *T = M.mulAdd(X, F.Log2E, M.num(Magic));
  Value *R = M.mulAdd(M.sub(T, Magic), -0x1.62e42fefa39efp-1, X);
  return M.mul(emitSmallExpInDouble(M, R), M.pow2(T));
}

/// exp2 of a float, by the same polynomial.
Value *emitExp2InDouble(MathBuilder &M, Value *X) {
  double Magic = M.Format.Magic + M.Format.Bias;
  Value *T = M.add(X, Magic);
  Value *R = M.mul(M.sub(X, M.sub(T, Magic)), 0x1.62e42fefa39efp-1);
  return M.mul(emitSmallExpInDouble(M, R), M.pow2(T));
}

} // namespace dlopt
