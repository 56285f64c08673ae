//===- MathBuilder.h - Operations that math functions are made of -*- C++ -*-=//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Arithmetic on one floating-point type, scalar or vector, and on the integer
/// type of the same shape. No operation has flags, and none is a call on any
/// target with vectors. A selection is spelled such that it is one instruction
/// for minima and maxima on x86.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_LOWER_MATHBUILDER_H
#define DLOPT_PASSES_LOWER_MATHBUILDER_H

#include "dlopt/VectorMath.h"

namespace dlopt {

/// Coefficients, that of the lowest power first.
using MathPoly = llvm::ArrayRef<double>;

/// What depends on the element type alone.
struct MathFormat {
  unsigned Mantissa; ///< bits behind the point
  int Bias;
  /// 1.5 * 2^Mantissa: x + Magic - Magic is x rounded to an integer, whose bits
  /// are the low bits of the sum.
  double Magic;
  double MinNormal;
  /// log(2) in two parts; the product of the first one and an exponent is
  /// exact.
  double Ln2Hi, Ln2Lo, Log2E;
  /// Where exp and exp2 have become zero or infinite.
  double ExpMin, ExpMax, Exp2Min, Exp2Max;
};

/// The sum of two numbers: what it is rounded to and what that leaves out.
struct MathSum {
  llvm::Value *Hi, *Lo;
};

/// Whether the function that \p B builds has registers of 512 bits, if the
/// target has.
bool hasWideRegisters(const llvm::IRBuilderBase &B);

class MathBuilder {
public:
  /// \p Ty: float or double or vectors of them.
  MathBuilder(llvm::IRBuilderBase &B, llvm::Type *Ty, const MathTarget &T);
  /// On the type of double of the same shape.
  MathBuilder inDouble() const {
    return {B, Ty->getWithNewType(B.getDoubleTy()), Target};
  }

  llvm::Value *num(double X);
  llvm::Value *integer(int64_t X);

  llvm::Value *add(llvm::Value *X, llvm::Value *Y);
  llvm::Value *sub(llvm::Value *X, llvm::Value *Y);
  llvm::Value *mul(llvm::Value *X, llvm::Value *Y);
  llvm::Value *div(llvm::Value *X, llvm::Value *Y);
  llvm::Value *neg(llvm::Value *X);
  llvm::Value *add(llvm::Value *X, double Y) { return add(X, num(Y)); }
  llvm::Value *sub(llvm::Value *X, double Y) { return sub(X, num(Y)); }
  llvm::Value *sub(double X, llvm::Value *Y) { return sub(num(X), Y); }
  llvm::Value *mul(llvm::Value *X, double Y) { return mul(X, num(Y)); }
  /// X * Y + Z, rounded once where that is one instruction and twice elsewhere.
  llvm::Value *mulAdd(llvm::Value *X, llvm::Value *Y, llvm::Value *Z);
  llvm::Value *mulAdd(llvm::Value *X, double Y, llvm::Value *Z) {
    return mulAdd(X, num(Y), Z);
  }
  /// By Horner's rule.
  llvm::Value *poly(llvm::Value *X, MathPoly C);
  /// By Horner's rule in X^2, which \p Square is, over pairs of coefficients
  /// but the first, which is added last and rounded once: as many operations,
  /// and half as many of them wait for each other. At least three coefficients.
  llvm::Value *poly(llvm::Value *X, llvm::Value *Square, MathPoly C);

  /// X + Y exactly, where |X| >= |Y| or X = 0.
  MathSum fastTwoSum(llvm::Value *X, llvm::Value *Y);
  /// X + Y exactly.
  MathSum twoSum(llvm::Value *X, llvm::Value *Y);
  /// X * Y exactly, where there are fused operations.
  MathSum product(llvm::Value *X, llvm::Value *Y);
  /// X * Y, but for what is as small as the square of what is rounded off.
  MathSum product(MathSum X, MathSum Y);

  llvm::Value *abs(llvm::Value *X);
  /// \p X, which is not negative, with the sign of \p Y.
  llvm::Value *withSignOf(llvm::Value *X, llvm::Value *Y);
  /// The smaller one; \p X if it is NaN.
  llvm::Value *min(llvm::Value *X, double Y);
  llvm::Value *max(llvm::Value *X, double Y);
  llvm::Value *select(llvm::Value *C, llvm::Value *X, llvm::Value *Y);
  /// Ordered: false for NaN.
  llvm::Value *less(llvm::Value *X, double Y);

  llvm::Value *bits(llvm::Value *X);
  llvm::Value *fromBits(llvm::Value *X);

  /// Both of exp's factors 2^n: \p T is n + Magic + a bias.
  /// T's low bits are n + Bias: 2^n, for numbers that are normal.
  llvm::Value *pow2(llvm::Value *T);
  /// X * 2^n where T's low bits are n + 2 * Bias, in two steps, so that the
  /// result may overflow or be subnormal.
  llvm::Value *scale(llvm::Value *X, llvm::Value *T);

  /// The distance from 1 to the next number.
  double getUnit() const {
    return 1.0 / double(uint64_t(1) << Format.Mantissa);
  }
  /// Subnormal numbers are numbers of their own, not zeros.
  bool hasSubnormals() const { return Subnormals; }
  bool hasFMA() const { return FMA; }
  /// How many elements of 32 bits an instruction picks from as many, or from
  /// twice as many (AVX-512: 16) or not (AVX2: 8), where such registers make up
  /// the vector; 0: none does.
  unsigned getPermuted() const;

  llvm::IRBuilderBase &B;
  llvm::Type *Ty, *IntTy;
  const MathFormat &Format;

private:
  MathTarget Target;
  bool FMA, Subnormals;
  /// Registers of 512 bits, if the target has any.
  bool HasWideRegisters;
  /// llvm.ldexp is code for such vectors.
  bool Scales;
};

} // namespace dlopt

#endif // DLOPT_PASSES_LOWER_MATHBUILDER_H
