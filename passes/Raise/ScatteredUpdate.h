//===- ScatteredUpdate.h - Updates of windows that overlap ------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_RAISE_SCATTEREDUPDATE_H
#define DLOPT_RAISE_SCATTEREDUPDATE_H

#include "dlopt/Kernel.h"

namespace dlopt {

/// A subscript of the updated element: Step*Point + Dilation*Window + ...
struct Overlap {
  AxisId Point = 0, Window = 0;
  int64_t Step = 1, Dilation = 1;
  bool PointIsOuter = false;
};

/// A nest whose only leaf updates an element by something else.
struct ScatteredUpdate {
  /// Axes that a row or column of the element is a sum of, and by how many
  /// elements of these they move, outermost first.
  using Row = llvm::SmallVector<std::pair<AxisId, int64_t>, 2>;

  llvm::SmallVector<AxisId, 8> Axes; ///< of the nest, outermost first
  Leaf Update;
  llvm::SmallVector<Row, 4> Rows;
  llvm::SmallVector<Overlap, 2> Overlaps; ///< at least one
};

/// What \p K is, if it is such a nest.
std::optional<ScatteredUpdate> findScatteredUpdate(Kernel &K);

} // namespace dlopt

#endif // DLOPT_RAISE_SCATTEREDUPDATE_H
