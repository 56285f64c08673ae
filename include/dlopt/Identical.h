//===- Identical.h - Generated functions that a module has ------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_IDENTICAL_H
#define DLOPT_IDENTICAL_H

namespace llvm {
class Function;
} // namespace llvm

namespace dlopt {

/// The generated function of the module that is the same as \p New, which is
/// erased then, else \p New. What has the name alone may have been optimized
/// for the calls that the module had, before it came to the link.
llvm::Function *reuseIdentical(llvm::Function *New);

} // namespace dlopt

#endif // DLOPT_IDENTICAL_H
