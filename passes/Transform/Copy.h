//===- Copy.h - A copy of what is read --------------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_TRANSFORM_COPY_H
#define DLOPT_TRANSFORM_COPY_H

#include "Step.h"
#include "dlopt/Conversion.h"

namespace dlopt {

/// What `stage` makes. What is served speaks of the axes around it; the copy,
/// where it has an axis over the values of a sum, of that in place of one of
/// the sum's.
struct Step::Copy {
  Place P; ///< of the axis at whose start it is made
  llvm::StringRef Name;
  llvm::SmallVector<ScheduleSize, 4> Sizes;
  llvm::SmallVector<Node *, 4> Axes; ///< those of the copy, outermost first
  llvm::SmallVector<Poly, 4> Index;  ///< the element that serves, by its axes
  Access X;                          ///< what is served
  Place Served;                      ///< the first leaf that reads it
  llvm::SmallVector<Node *, 4> All;  ///< all of them
  /// Those conditions of all that read it that the copy knows.
  llvm::SmallVector<Constraint, 2> Domain;
  /// Where it is made at all: elsewhere what is served stays as it is.
  std::optional<Constraint> If;
  /// The bits that elements have for which these do not hold.
  std::optional<uint64_t> Fill;
  bool FillsOutside = false; ///< no others
  /// The type of the copy's elements, and how what is read becomes one, if it
  /// is no copy of that.
  ScalarType Ty = ScalarType::F32;
  bool IsConverted = false, IsUnsigned = false;
  Expression Conversion;

  /// `t=2*k+m`: an axis over the values of a sum.
  struct Sum {
    std::unique_ptr<Node> N;
    Poly Value;
    AxisId Of; ///< an axis of the sum, which the copy does not have
    Poly By;   ///< what stands for it
  };
  llvm::SmallVector<Sum, 1> Sums;

  /// \name The same, as the copy says it.
  /// @{
  llvm::SmallVector<Poly, 4> Places;
  Access From;
  llvm::SmallVector<Constraint, 2> Where;
  /// @}
  BufferId Local = 0;

  bool isSum(const Node *Axis) const {
    return llvm::any_of(Sums, [&](const Sum &S) { return S.N.get() == Axis; });
  }
  /// The axes around what is copied.
  llvm::SmallVector<const Node *, 8> path() const;
};

} // namespace dlopt

#endif // DLOPT_TRANSFORM_COPY_H
