//===- Programs.h - The first row that fits --------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_NAMES_PROGRAMS_H
#define DLOPT_NAMES_PROGRAMS_H

#include "dlopt/Kernel.h"

namespace dlopt {

/// Which results of a kernel are named.
struct ResultsToName {
  /// All that is stored; what is left if nothing is.
  static ResultsToName all() { return {}; }
  /// What so many children of the root at its end store, or if there is one
  /// this local of the root. Rows that are steps name none of these.
  size_t LastChildren = 0;
  std::optional<BufferId> Scalar;
  /// A layer may have an activation behind it, which is not in the name.
  bool HasEpilogue = false;
  /// Only rows that all of them are pieces of.
  bool ArePieces = false;
  /// Only rows of sums over windows.
  bool AreWindows = false;
  bool isJoined() const { return LastChildren || Scalar; }
};

/// Puts what parameters are computed of in their places, if \p K has all of it.
void takeSizesApart(Kernel &K);

/// The name of the first row of Programs.def that fits one of the largest of
/// these results, and that one's type; empty: none. Changes axes of \p K.
std::string findProgram(Kernel &K, const ResultsToName &Which);

} // namespace dlopt

#endif // DLOPT_NAMES_PROGRAMS_H
