//===- Elimination.h - Linear constraints without variables -----*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_SUPPORT_ELIMINATION_H
#define DLOPT_SUPPORT_ELIMINATION_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace dlopt {

/// The sum of terms and a constant is zero, or at least that.
struct LinearRow {
  /// A variable and its coefficient.
  using Term = std::pair<unsigned, int64_t>;

  llvm::SmallVector<Term, 4> Terms;
  int64_t Constant;
  bool IsEquality;
};

/// Rows for fewer variables that have a solution in integers, for each value of
/// the first \p NumKept variables, exactly where \p Rows have one; nullopt if
/// there certainly is none.
std::optional<std::vector<LinearRow>>
eliminateVariables(std::vector<LinearRow> Rows, unsigned NumVariables,
                   unsigned NumKept);

} // namespace dlopt

#endif // DLOPT_SUPPORT_ELIMINATION_H
