//===- Scalar.h - Values of single operations -------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_KERNEL_SCALAR_H
#define DLOPT_KERNEL_SCALAR_H

#include "dlopt/Kernel.h"
#include "llvm/ADT/APFloat.h"

namespace dlopt {

/// A value: its type and, in the low bits, its bit pattern.
struct Scalar {
  ScalarType Ty = ScalarType::I64;
  uint64_t Bits = 0;
  /// No value: see Buffer::Where. Nothing is computed from it.
  bool IsJunk = false;
};

llvm::APFloat toAPFloat(Scalar V);
llvm::APInt toAPInt(Scalar V);
uint64_t toBits(const llvm::APFloat &F);

/// Computes Op::Inst, Op::Intrinsic and Op::LibCall of a kernel that verifies.
/// Returns what is undefined about it (a division by zero, the larger one of 0
/// and -0 by maxnum), or empty.
std::string evaluate(const Op &O, llvm::ArrayRef<Scalar> Args, bool FuseMulAdd,
                     uint64_t &Result);

// The parts of the above.
std::string evaluateInteger(const Op &O, llvm::ArrayRef<Scalar> Args,
                            uint64_t &Result);
uint64_t evaluateCast(const Op &O, Scalar Arg);
uint64_t evaluateFloat(const Op &O, llvm::ArrayRef<Scalar> Args,
                       bool FuseMulAdd);

} // namespace dlopt

#endif // DLOPT_KERNEL_SCALAR_H
