//===- ZeroScan.h - Whether an operand has elements of zero -----*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_SUPPORT_ZEROSCAN_H
#define DLOPT_PASSES_SUPPORT_ZEROSCAN_H

#include "dlopt/Kernel.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace dlopt {

/// i1 (ptr first, {i64 count, i64 stride} of each dimension, the innermost one
/// last): no element is zero. Counts are at least 1.
llvm::Function *getNoZerosFunction(const llvm::Function &Served, ScalarType Ty);

} // namespace dlopt

#endif // DLOPT_PASSES_SUPPORT_ZEROSCAN_H
