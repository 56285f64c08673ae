//===- Triangle.h - Triangular loops as rectangular ones --------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Loops whose extent is that of a row of a triangle, `j <= i` or `j = i .. n`,
/// as loops over the whole rectangle, where leaves have the bound as a
/// condition. Dependences are then those between rows and columns.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_TRIANGLE_H
#define DLOPT_TRIANGLE_H

#include "dlopt/Kernel.h"

namespace dlopt {

/// Gives fixed extents to axes whose extents change by one with an axis around,
/// and computes the roles anew. False if there are none.
bool squareTriangles(Kernel &K);

/// The converse for \p N, a child of the root: conditions of all leaves below
/// an axis become its bounds again.
void restoreTriangles(Kernel &K, Node &N);

/// Drops the first rows of \p N, a child of the root, in which no leaf does
/// anything: those of the strict lower triangle, `j < i`.
void dropEmptyRows(Kernel &K, Node &N);

/// What is stored a second time, as the mirror image of a result is, is read
/// from where it was stored first, so that the stores can have loops of their
/// own. Assumes Kernel::Needs.
void reloadResults(Kernel &K);

/// A condition between two axes: Sign * (Column - Row) + Rest >= 0, where Row
/// is the outer one.
struct DiagonalBound {
  AxisId Row = 0, Column = 0;
  int Sign = 1;
  Poly Rest;
};

/// \p C as the bound of \p Column by one of \p Rows; nullopt if it is anything
/// else.
std::optional<DiagonalBound> getDiagonalBound(const Kernel &K,
                                              const Constraint &C,
                                              AxisId Column,
                                              llvm::ArrayRef<AxisId> Rows);

/// The one axis of \p Axes that \p P depends on, as itself.
std::optional<AxisId> getOnlyAxis(const Kernel &K, const Poly &P,
                                  llvm::ArrayRef<AxisId> Axes);

} // namespace dlopt

#endif // DLOPT_TRIANGLE_H
