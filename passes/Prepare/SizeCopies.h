//===- SizeCopies.h - Copies of functions by sizes --------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_PREPARE_SIZECOPIES_H
#define DLOPT_PASSES_PREPARE_SIZECOPIES_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace dlopt {

class HelperCopies;

/// Adds to \p Copies one for each tuple of numbers that calls in \p M pass to
/// what \p Gains by them, or to what passes them on to such a function.
void addSizeCopies(llvm::Module &M, HelperCopies &Copies,
                   llvm::function_ref<bool(llvm::Function &)> Gains);

} // namespace dlopt

#endif // DLOPT_PASSES_PREPARE_SIZECOPIES_H
