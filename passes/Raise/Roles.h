//===- Roles.h - What reordering of an axis is legal -----------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_RAISE_ROLES_H
#define DLOPT_RAISE_ROLES_H

#include "dlopt/Kernel.h"

namespace dlopt {

/// Sets the role of each axis of \p K from its accesses, assuming its needs;
/// adds needs that rows do not overlap where that cannot be proved.
void computeRoles(Kernel &K);

/// Whether no iteration of the axis \p N, with the axes \p Around around and
/// including it, uses an element of \p Buf that another one writes. May add
/// needs that rows do not overlap.
bool meetsWithinIterations(Kernel &K, Node &N, llvm::ArrayRef<AxisId> Around,
                           BufferId Buf);

/// Whether assignment \p A of \p L combines the old value of its target with
/// something that does not read it (sum, product, maximum, ...).
bool isCombiner(const Leaf &L, const Assign &A);

} // namespace dlopt

#endif // DLOPT_RAISE_ROLES_H
