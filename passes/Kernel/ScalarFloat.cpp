//===- ScalarFloat.cpp - Values of floating-point operations --------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// f32 and f64 are computed by the host's arithmetic and its libm, which is
/// what compiled code calls; f16 and bf16 are rounded at each step. Compiled
/// with -ffp-contract=off: nothing is fused that the kernel does not fuse.
///
//===----------------------------------------------------------------------===//

#include "Operations.h"
#include "Scalar.h"
#include "dlopt/Compat.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Intrinsics.h"
#include <cmath>
#include <math.h>

using namespace llvm;
using namespace dlopt;

// One overload for each type and number of operands.
#define DLOPT_CALL(TYPE)                                                       \
  static TYPE call(TYPE (*F)(TYPE), ArrayRef<TYPE> X) { return F(X[0]); }      \
  static TYPE call(TYPE (*F)(TYPE, TYPE), ArrayRef<TYPE> X) {                  \
    return F(X[0], X[1]);                                                      \
  }                                                                            \
  static TYPE call(TYPE (*F)(TYPE, TYPE, TYPE), ArrayRef<TYPE> X) {            \
    return F(X[0], X[1], X[2]);                                                \
  }
DLOPT_CALL(float)
DLOPT_CALL(double)
#undef DLOPT_CALL

namespace {
/// A function of libm of so many numbers: C++ has a hypot of three, too.
template <typename T, unsigned Args> struct LibMFunction;
template <typename T> struct LibMFunction<T, 1> {
  using Pointer = T (*)(T);
};
template <typename T> struct LibMFunction<T, 2> {
  using Pointer = T (*)(T, T);
};
template <typename T> struct LibMFunction<T, 3> {
  using Pointer = T (*)(T, T, T);
};
} // namespace

/// libm by name; the verifier has seen that the name is in the table.
static double callLibM(StringRef Name, ArrayRef<double> X) {
#define DLOPT_LIBM(NAME, ARGS)                                                 \
  if (Name == #NAME)                                                           \
    return call(LibMFunction<double, ARGS>::Pointer(::NAME), X);
#include "LibM.def"
  return 0;
}

static float callLibM(StringRef Name, ArrayRef<float> X) {
#define DLOPT_LIBM(NAME, ARGS)                                                 \
  if (Name == #NAME "f")                                                       \
    return call(LibMFunction<float, ARGS>::Pointer(::NAME##f), X);
#include "LibM.def"
  return 0;
}

/// x^n by repeated squaring, in the order of the run-time library.
template <typename T> static T powi(T X, int N) {
  bool Reciprocal = N < 0;
  T R = 1;
  for (;;) {
    if (N % 2)
      R *= X;
    N /= 2;
    if (N == 0)
      break;
    X *= X;
  }
  return Reciprocal ? 1 / R : R;
}

#ifdef __GLIBC__
static float computeExp10(float X) { return ::exp10f(X); }
static double computeExp10(double X) { return ::exp10(X); }
#else
template <typename T> static T computeExp10(T X) { return std::pow(T(10), X); }
#endif

template <typename T> static T evaluateUnaryMath(unsigned ID, T X) {
  switch (ID) {
  case Intrinsic::sqrt:
    return std::sqrt(X);
  case Intrinsic::floor:
    return std::floor(X);
  case Intrinsic::ceil:
    return std::ceil(X);
  case Intrinsic::trunc:
    return std::trunc(X);
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::roundeven: // The host rounds to nearest even.
    return std::nearbyint(X);
  case Intrinsic::round:
    return std::round(X);
  case Intrinsic::exp:
    return std::exp(X);
  case Intrinsic::exp2:
    return std::exp2(X);
  case Intrinsic::exp10:
    return computeExp10(X);
  case Intrinsic::log:
    return std::log(X);
  case Intrinsic::log2:
    return std::log2(X);
  case Intrinsic::log10:
    return std::log10(X);
  case Intrinsic::sin:
    return std::sin(X);
  case Intrinsic::cos:
    return std::cos(X);
  case Intrinsic::tan:
    return std::tan(X);
  case Intrinsic::asin:
    return std::asin(X);
  case Intrinsic::acos:
    return std::acos(X);
  case Intrinsic::atan:
    return std::atan(X);
  case Intrinsic::sinh:
    return std::sinh(X);
  case Intrinsic::cosh:
    return std::cosh(X);
  case Intrinsic::tanh:
    return std::tanh(X);
  default: // canonicalize
    return X * T(1);
  }
}

template <typename T> static T evaluateMath(unsigned ID, ArrayRef<T> X) {
  if (ID == Intrinsic::pow)
    return std::pow(X[0], X[1]);
  if (ID == Intrinsic::atan2)
    return std::atan2(X[0], X[1]);
  return evaluateUnaryMath(ID, X[0]);
}

template <typename T> static T evaluateArithmetic(unsigned Opcode, T A, T B) {
  switch (Opcode) {
  case Instruction::FAdd:
    return A + B;
  case Instruction::FSub:
    return A - B;
  case Instruction::FMul:
    return A * B;
  case Instruction::FDiv:
    return A / B;
  default: // frem
    return std::fmod(A, B);
  }
}

template <typename T>
static T evaluateHost(const Op &O, ArrayRef<T> X, bool FuseMulAdd) {
  if (O.K == Op::LibCall)
    return callLibM(O.Callee, X);
  if (O.K == Op::Inst)
    return evaluateArithmetic(O.Opcode, X[0], X[1]);
  if (O.Opcode == Intrinsic::fma ||
      (O.Opcode == Intrinsic::fmuladd && FuseMulAdd))
    return std::fma(X[0], X[1], X[2]);
  if (O.Opcode == Intrinsic::fmuladd)
    return evaluateArithmetic<T>(Instruction::FAdd, X[0] * X[1], X[2]);
  return evaluateMath(O.Opcode, X);
}

/// f16 and bf16: arithmetic is exact and rounded once, functions are computed
/// in f32 and rounded, as compiled code does it.
static APFloat evaluateNarrow(const Op &O, ArrayRef<APFloat> X,
                              bool FuseMulAdd) {
  constexpr auto Nearest = APFloat::rmNearestTiesToEven;
  APFloat R = X[0];
  if (O.K == Op::Inst) {
    switch (O.Opcode) {
    case Instruction::FAdd:
      R.add(X[1], Nearest);
      return R;
    case Instruction::FSub:
      R.subtract(X[1], Nearest);
      return R;
    case Instruction::FMul:
      R.multiply(X[1], Nearest);
      return R;
    case Instruction::FDiv:
      R.divide(X[1], Nearest);
      return R;
    default: // frem
      R.mod(X[1]);
      return R;
    }
  }
  if (O.Opcode == Intrinsic::fma || O.Opcode == Intrinsic::fmuladd) {
    if (O.Opcode == Intrinsic::fma || FuseMulAdd) {
      R.fusedMultiplyAdd(X[1], X[2], Nearest);
    } else {
      R.multiply(X[1], Nearest);
      R.add(X[2], Nearest);
    }
    return R;
  }
  bool Lost = false;
  SmallVector<float, 3> Wide;
  for (APFloat F : X) {
    F.convert(APFloat::IEEEsingle(), Nearest, &Lost);
    Wide.push_back(F.convertToFloat());
  }
  APFloat Result(evaluateMath<float>(O.Opcode, Wide));
  Result.convert(X[0].getSemantics(), Nearest, &Lost);
  return Result;
}

/// What only looks at bits or chooses an operand, the same for all types.
static std::optional<APFloat> evaluateChoice(const Op &O, ArrayRef<APFloat> X) {
  if (O.K == Op::Inst && O.Opcode == Instruction::FNeg)
    return neg(X[0]);
  if (O.K != Op::Intrinsic)
    return std::nullopt;
  switch (O.Opcode) {
  case Intrinsic::fabs:
    return abs(X[0]);
  case Intrinsic::copysign:
    return APFloat::copySign(X[0], X[1]);
  case Intrinsic::minnum:
    return minnum(X[0], X[1]);
  case Intrinsic::maxnum:
    return maxnum(X[0], X[1]);
  case Intrinsic::minimum:
    return minimum(X[0], X[1]);
  case Intrinsic::maximum:
    return maximum(X[0], X[1]);
  case Intrinsic::minimumnum:
    return minimumnum(X[0], X[1]);
  case Intrinsic::maximumnum:
    return maximumnum(X[0], X[1]);
  default:
    return std::nullopt;
  }
}

/// powi and ldexp.
static uint64_t evaluateWithInteger(const Op &O, Scalar X, Scalar N) {
  int64_t Wide = toAPInt(N).getSExtValue();
  int Power = static_cast<int>(std::clamp<int64_t>(Wide, INT_MIN, INT_MAX));
  if (O.Opcode == Intrinsic::ldexp)
    return toBits(scalbn(toAPFloat(X), Power, APFloat::rmNearestTiesToEven));
  if (X.Ty == ScalarType::F64)
    return bit_cast<uint64_t>(powi(bit_cast<double>(X.Bits), Power));
  bool Lost = false;
  APFloat F = toAPFloat(X);
  F.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &Lost);
  APFloat R(powi(F.convertToFloat(), Power));
  R.convert(getSemantics(X.Ty), APFloat::rmNearestTiesToEven, &Lost);
  return toBits(R);
}

uint64_t dlopt::evaluateFloat(const Op &O, ArrayRef<Scalar> Args,
                              bool FuseMulAdd) {
  if (Args.size() == 2 && !isFloat(Args[1].Ty))
    return evaluateWithInteger(O, Args[0], Args[1]);
  // Choices first: they keep the bits of a NaN.
  SmallVector<APFloat, 3> X;
  for (Scalar V : Args)
    X.push_back(toAPFloat(V));
  if (std::optional<APFloat> R = evaluateChoice(O, X))
    return toBits(*R);
  if (O.Ty == ScalarType::F32) {
    SmallVector<float, 3> Host;
    for (Scalar V : Args)
      Host.push_back(bit_cast<float>(static_cast<uint32_t>(V.Bits)));
    return bit_cast<uint32_t>(evaluateHost<float>(O, Host, FuseMulAdd));
  }
  if (O.Ty == ScalarType::F64) {
    SmallVector<double, 3> Host;
    for (Scalar V : Args)
      Host.push_back(bit_cast<double>(V.Bits));
    return bit_cast<uint64_t>(evaluateHost<double>(O, Host, FuseMulAdd));
  }
  return toBits(evaluateNarrow(O, X, FuseMulAdd));
}
