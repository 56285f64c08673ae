//===- Decide.h - Conditions that the needs decide -------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_RAISE_DECIDE_H
#define DLOPT_RAISE_DECIDE_H

#include "dlopt/Raise.h"

namespace dlopt {

/// Drops the conditions of leaves that hold wherever Kernel::Needs do, the
/// leaves that never run there, and the locals that nothing reads then. Answers
/// whether it changed something.
bool decideByNeeds(RaisedKernel &R);

} // namespace dlopt

#endif // DLOPT_RAISE_DECIDE_H
