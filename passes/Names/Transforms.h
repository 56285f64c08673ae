//===- Transforms.h - Linear functions of small blocks ---------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_NAMES_TRANSFORMS_H
#define DLOPT_NAMES_TRANSFORMS_H

#include "dlopt/Kernel.h"

namespace dlopt {

/// The name of the row of DLOPT_TRANSFORM in Programs.def whose matrix \p K
/// multiplies blocks by, along one axis or both, and the type of the results;
/// empty: none. Changes \p K.
std::string findTransform(Kernel &K);

} // namespace dlopt

#endif // DLOPT_NAMES_TRANSFORMS_H
