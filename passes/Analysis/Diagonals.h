//===- Diagonals.h - Elements on two sides of a diagonal --------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_RAISE_DIAGONALS_H
#define DLOPT_RAISE_DIAGONALS_H

#include "dlopt/Kernel.h"

namespace dlopt {

/// An access to the element (RowAxis + Row, ColumnAxis + Column) of a matrix,
/// with Low <= column - row <= High.
struct DiagonalUse {
  AxisId RowAxis = 0, ColumnAxis = 0;
  int64_t Row = 0, Column = 0;
  std::optional<int64_t> Low, High;
};

/// Two accesses as those of one matrix, whose elements they determine if
/// \p Slacks are at least 0.
struct DiagonalPair {
  DiagonalUse A, B;
  llvm::SmallVector<Poly, 4> Slacks;
  Poly Stride; ///< of the rows

  /// Where both touch an element, the axis \p InA of the first and \p InB of
  /// the second have one value, if anything.
  bool meetsWithin(AxisId InA, AxisId InB) const;
};

/// Axes that an offset is linear in, and what is left of it.
struct LinearOffset {
  llvm::SmallVector<std::pair<AxisId, Poly>, 2> Axes;
  Poly Base;
};

/// The offset \p X, which is accessed below the axes \p Around, as such.
std::optional<LinearOffset> getLinear(const Kernel &K, const Poly &X,
                                      llvm::ArrayRef<AxisId> Around);

/// \p A and \p B, in the leaves \p LeafA and \p LeafB; nullopt if they are no
/// such accesses.
std::optional<DiagonalPair>
getDiagonalPair(const Kernel &K, const LinearOffset &A, const Leaf &LeafA,
                const LinearOffset &B, const Leaf &LeafB);

} // namespace dlopt

#endif // DLOPT_RAISE_DIAGONALS_H
