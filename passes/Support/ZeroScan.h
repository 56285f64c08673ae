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

/// The elements that Need::NonZero speaks of: a box.
struct ZeroScan {
  struct Dim {
    AxisId Ax;
    Poly Stride; ///< in elements
  };
  Poly Start; ///< the first element
  /// One whose elements lie behind each other comes last.
  llvm::SmallVector<Dim, 3> Axes;
};

/// The offsets \p P of \p Buf as such; nullopt: they are not, or have more than
/// ZeroScanDims dimensions.
std::optional<ZeroScan> getZeroScan(const Kernel &K, BufferId Buf,
                                    const Poly &P);

constexpr unsigned ZeroScanDims = 3;

/// i1 (ptr first, {i64 count, i64 stride} of each dimension, the innermost one
/// last): no element is zero. Counts are at least 1.
llvm::Function *getNoZerosFunction(llvm::Module &M, ScalarType Ty);

} // namespace dlopt

#endif // DLOPT_PASSES_SUPPORT_ZEROSCAN_H
