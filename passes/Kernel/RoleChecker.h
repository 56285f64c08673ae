//===- RoleChecker.h - Roles against accesses -------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_KERNEL_ROLECHECKER_H
#define DLOPT_KERNEL_ROLECHECKER_H

#include "dlopt/Kernel.h"

namespace dlopt {

/// What contradicts the role of an axis, or empty. Only what is certain counts:
/// that roles are right is for whoever sets them to prove. \p K is otherwise
/// valid.
std::string checkRoles(const Kernel &K);

} // namespace dlopt

#endif // DLOPT_KERNEL_ROLECHECKER_H
