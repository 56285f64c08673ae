//===- Roles.h - What reordering of an axis is legal -----------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_RAISE_ROLES_H
#define DLOPT_RAISE_ROLES_H

#include "dlopt/Raise.h"

namespace dlopt {

/// Whether assignment \p A of \p L combines the old value of its target with
/// something that does not read it (sum, product, maximum, ...).
bool isCombiner(const Leaf &L, const Assign &A);

} // namespace dlopt

#endif // DLOPT_RAISE_ROLES_H
