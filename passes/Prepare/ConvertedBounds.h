//===- ConvertedBounds.h - Bounds by fmin and fmax --------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PREPARE_CONVERTEDBOUNDS_H
#define DLOPT_PREPARE_CONVERTEDBOUNDS_H

namespace llvm {
class Function;
} // namespace llvm

namespace dlopt {

/// The smaller and the greater one of integers that are converted to numbers,
/// where that becomes an integer again, are found among the integers. False if
/// nothing changed.
bool foldConvertedBounds(llvm::Function &F);

} // namespace dlopt

#endif // DLOPT_PREPARE_CONVERTEDBOUNDS_H
