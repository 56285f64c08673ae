//===- PrivateArrays.h - Arrays that only a nest sees ----------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_RAISE_PRIVATEARRAYS_H
#define DLOPT_RAISE_PRIVATEARRAYS_H

#include "Nest.h"

namespace dlopt {

/// Whether \p A may be allocated inside of a nest: only loads, stores and
/// comparisons use its address, all of them in the nest.
bool isPrivate(const NestState &S, const llvm::AllocaInst &A);

/// Whether \p I is where the scope of arrays of variable size starts or ends.
bool isStackMark(const llvm::Instruction &I);

/// Buffers of the kernel that are such arrays.
llvm::SmallVector<BufferId, 4> findPrivateArrays(const NestState &S);

} // namespace dlopt

#endif // DLOPT_RAISE_PRIVATEARRAYS_H
