//===- NullTests.h - Tests of pointers that are never null ------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PREPARE_NULLTESTS_H
#define DLOPT_PREPARE_NULLTESTS_H

namespace llvm {
class Function;
} // namespace llvm

namespace dlopt {

/// Tests for null of pointers that move through arrays, and of choices between
/// those and null, become what decides them. False if nothing changed.
bool foldNullTests(llvm::Function &F);

} // namespace dlopt

#endif // DLOPT_PREPARE_NULLTESTS_H
