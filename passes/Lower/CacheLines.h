//===- CacheLines.h - What caches read at once ------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_LOWER_CACHELINES_H
#define DLOPT_PASSES_LOWER_CACHELINES_H

#include "llvm/IR/IRBuilder.h"

namespace dlopt {

/// What caches read at once; where it matters how much that is, it is worth a
/// few instructions too many on the few cores with longer lines.
constexpr unsigned CacheLineBytes = 64;

/// What is larger is not expected in the last cache when it is read again.
constexpr uint64_t CachedBytes = 8 << 20;

/// Asks for the lines of \p Bytes bytes from \p Address on, which need not be
/// memory of the program.
void prefetchLines(llvm::IRBuilderBase &B, llvm::Value *Address, uint64_t Bytes,
                   bool ForWrite);

} // namespace dlopt

#endif // DLOPT_PASSES_LOWER_CACHELINES_H
