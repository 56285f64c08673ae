//===- Footprint.h - What parts of kernels use ------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_FOOTPRINT_H
#define DLOPT_FOOTPRINT_H

#include "dlopt/Kernel.h"
#include "llvm/ADT/STLExtras.h"

namespace dlopt {

/// What a subtree reads and writes.
struct Footprint {
  llvm::SmallVector<BufferId, 4> Reads, Writes;
  bool WritesErrno = false;
  /// Memory that may be errno is read or written.
  bool MayBeErrno = false;

  Footprint(const Kernel &K, const Node &N);
  bool uses(BufferId B) const {
    return llvm::is_contained(Reads, B) || llvm::is_contained(Writes, B);
  }
};

/// One sets errno, the other does, too, or uses memory that may be errno.
bool meetInErrno(const Footprint &A, const Footprint &B);

/// One of the two writes what the other uses: they cannot change places.
bool conflict(const Footprint &A, const Footprint &B);

} // namespace dlopt

#endif // DLOPT_FOOTPRINT_H
