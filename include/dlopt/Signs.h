//===- Signs.h - Numbers that are never negative ----------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_SIGNS_H
#define DLOPT_SIGNS_H

#include "dlopt/Kernel.h"

namespace dlopt {

/// Whether the value of \p Id in \p L, a leaf of \p K, is NaN or has its sign
/// bit clear, whatever memory and parameters are: results of exponential
/// functions and what is made of them by sums, products and quotients, also
/// where a loop carries it.
bool isNeverNegative(const Kernel &K, const Leaf &L, OpId Id);

} // namespace dlopt

#endif // DLOPT_SIGNS_H
