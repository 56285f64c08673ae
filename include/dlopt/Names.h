//===- Names.h - What kernels are called ------------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_NAMES_H
#define DLOPT_NAMES_H

#include "dlopt/Kernel.h"

namespace dlopt {

/// The name of the first row of Programs.def that \p K computes, and the type
/// of what it writes; Kernel::Kind where none fits. For people only, and
/// scripts that they write: no transformation asks for it.
std::string nameKernel(const Kernel &K);

} // namespace dlopt

#endif // DLOPT_NAMES_H
