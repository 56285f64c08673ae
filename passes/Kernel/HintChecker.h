//===- HintChecker.h - What a schedule says last ----------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_KERNEL_HINTCHECKER_H
#define DLOPT_KERNEL_HINTCHECKER_H

#include "dlopt/Kernel.h"

namespace dlopt {

/// The first rule of aligned addresses and of stores past the caches that
/// \p K, all of whose references are valid, breaks; empty: none.
std::string checkHints(const Kernel &K);

} // namespace dlopt

#endif // DLOPT_KERNEL_HINTCHECKER_H
