//===- Addition.h - Integers that are added to a sum ------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_TRANSFORM_ADDITION_H
#define DLOPT_TRANSFORM_ADDITION_H

#include "dlopt/Kernel.h"

namespace dlopt {

/// Whether \p L adds an integer to an element of the local \p Sum, which it
/// does not read for anything else: two of these may change places.
bool isAddition(const Kernel &K, const Leaf &L, BufferId Sum);

} // namespace dlopt

#endif // DLOPT_TRANSFORM_ADDITION_H
