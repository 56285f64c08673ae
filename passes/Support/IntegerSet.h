//===- IntegerSet.h - Points of linear constraints --------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The one place that speaks to isl (Verdoolaege, isl: An Integer Set Library
/// for the Polyhedral Model, ICMS 2010).
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_SUPPORT_INTEGERSET_H
#define DLOPT_SUPPORT_INTEGERSET_H

#include "Elimination.h"
#include "llvm/ADT/ArrayRef.h"

struct isl_basic_set;
struct isl_ctx;

namespace dlopt {

/// Integer points for which a conjunction of linear constraints holds.
class IntegerSet {
public:
  using Term = LinearRow::Term;

  unsigned addVariable() { return NumVariables++; }
  /// The sum of \p Terms and \p Constant is at least zero.
  void addInequality(llvm::ArrayRef<Term> Terms, int64_t Constant) {
    add(Terms, Constant, /*IsEquality=*/false);
  }
  void addEquality(llvm::ArrayRef<Term> Terms, int64_t Constant) {
    add(Terms, Constant, /*IsEquality=*/true);
  }
  /// Whether there is certainly no point. What takes too long is not certain.
  bool isEmpty() const;
  /// Whether the first \p NumShared coordinates of each point certainly are
  /// those of a point of \p Other.
  bool isCoveredBy(const IntegerSet &Other, unsigned NumShared) const;

private:
  void add(llvm::ArrayRef<Term> Terms, int64_t Constant, bool IsEquality) {
    Rows.push_back({llvm::SmallVector<Term, 4>(Terms), Constant, IsEquality});
  }

  bool findEmpty() const;
  void addKey(llvm::SmallVectorImpl<int64_t> &Key) const;
  IntegerSet withoutLargeNumbers() const;
  std::optional<IntegerSet> withFewerVariables(unsigned NumKept) const;
  isl_basic_set *make(isl_ctx *Ctx) const;

  unsigned NumVariables = 0;
  std::vector<LinearRow> Rows;
};

} // namespace dlopt

#endif // DLOPT_SUPPORT_INTEGERSET_H
