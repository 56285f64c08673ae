//===- Stack.h - What generated code may take from the stack ----*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_STACK_H
#define DLOPT_STACK_H

#include <cstdint>

namespace dlopt {

/// What all frames of a call may take together, where getStackLimit() is not
/// less, whatever they gain: threads may have stacks of 64 KiB. More only where
/// that is known to pay for the extents at hand.
constexpr uint64_t CheapStackBytes = 24 << 10;

} // namespace dlopt

#endif // DLOPT_STACK_H
