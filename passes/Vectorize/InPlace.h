//===- InPlace.h - Inputs that may be outputs -------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_VECTORIZE_INPLACE_H
#define DLOPT_VECTORIZE_INPLACE_H

#include "dlopt/Raise.h"

namespace dlopt {

/// An output of a kernel and an input that people may call it with in place:
/// what needs to be disjoint otherwise.
struct InPlacePair {
  PointerPair Pointers;
  std::string Name; ///< "where %x is %y"
};

llvm::SmallVector<InPlacePair, 2> getInPlacePairs(const Kernel &K);

std::string describeSame(const Kernel &K, BufferId Output, BufferId Input);

} // namespace dlopt

#endif // DLOPT_VECTORIZE_INPLACE_H
