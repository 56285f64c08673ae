//===- StrategyRoles.h - What axes of a kernel do ---------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_SCHEDULE_STRATEGYROLES_H
#define DLOPT_SCHEDULE_STRATEGYROLES_H

#include "dlopt/Conversion.h"
#include "dlopt/Instructions.h"
#include "dlopt/Kernel.h"

namespace dlopt {

/// What is multiplied in a sum of products of narrow numbers: an element of
/// type Ty, as it is or extended, or a conversion of one (Conversion.h), which
/// is of type Ty, of integers where all that they can be (Fits) is.
struct DotFactor {
  const Op *Load = nullptr;
  FactorType Ty;
  bool IsConverted = false;
  std::optional<ConversionRange> Fits;
  /// Of integers: what they are but for a number that is the same for all, and
  /// whether that is what is loaded, extended. nullopt: nothing of 8 bits. Of
  /// floats: bfloats, if they are these.
  std::optional<FactorType> Core;
  bool IsCoreLoaded = false;
  /// That number is loaded: it is a row's own (zero points).
  bool IsOfRow = false;
};

/// An axis of such a sum along which elements of Shared, which the lanes have
/// in common, are neighbours: some of them, and of Own, which each lane has,
/// are an instruction, or one is.
struct DotRoles {
  AxisId Depth = 0;
  ScalarType Sum = ScalarType::I32;
  DotFactor Shared, Own;
  const Access *Result = nullptr; ///< the element that is stored
  unsigned NumResults = 1;        ///< leaves that do, under other conditions
  bool MayApproximate = false;    ///< flags of the sum (Instructions.h)
};

/// A nest of parallel axes, one inside the other, each point of which is one
/// sum (or maximum, ...) and what is made of it.
struct StrategyRoles {
  /// Outermost first.
  llvm::SmallVector<AxisId, 6> Parallel, Sums;
  llvm::SmallVector<BufferId, 2> Locals; ///< of a point
  const Leaf *Sum = nullptr;             ///< the leaf inside all axes
  /// Its elements are neighbours in what is stored, and few elements apart in
  /// what is loaded if that depends on it.
  AxisId Lane = 0;
  /// What is loaded along Lane is far apart: neighbours are made by a copy.
  bool LaneIsFar = false;
  /// What is loaded along Lane is a number of elements apart that is not known.
  bool LaneIsGathered = false;
  /// What is loaded depends on this or on Lane, not on both, unless
  /// TileIsNeighbours.
  std::optional<AxisId> Tile;
  /// What is loaded depends on Tile where it depends on Lane, but neighbours
  /// along Tile share some of it.
  bool TileIsNeighbours = false;
  /// Of Lane and Tile the one that no window moves along: filters.
  bool LaneIsFilter = false;

  /// What is summed are products of narrow numbers.
  std::optional<DotRoles> Dot;
  /// The same where lanes are neighbours in one of them, and what is summed is
  /// in none (DotPlanes.cpp).
  std::optional<DotRoles> Planes;
  /// Other scripts than those for what is summed are no gain.
  bool IsLeftToLoops = false;

  bool hasTile() const { return Tile.has_value(); }
  /// Whether neighbours along Lane are more than an element apart in what is
  /// loaded.
  bool isApart(const Kernel &K) const;
  /// Whether a window moves along \p A: something is loaded at a sum of it and
  /// an axis of the sum.
  bool isWindowed(const Kernel &K, AxisId A) const;
  /// How often Sum runs, as far as that is known.
  Poly countRounds(const Kernel &K) const;
};

/// \p A / \p B as two numbers, if that is one number or one over it.
std::optional<std::pair<uint64_t, uint64_t>> getRatio(const Poly &A,
                                                      const Poly &B);

/// Whether rounds of \p Sum move \p X along \p A: a window.
bool isWindow(const Kernel &K, const Access &X, AxisId A, AxisId Sum);

/// Fills in Lane, Tile and Dot; false: \p R, the axes of which are known, is no
/// sum of products of narrow numbers.
bool findDot(const Kernel &K, const Node &Point, StrategyRoles &R);

/// Fills in Planes of \p R, whose Lane and Tile are known; false: it is no
/// such sum.
bool findPlaneDots(const Kernel &K, const Node &Point, StrategyRoles &R);

/// nullopt: \p K is no such nest, or nothing would be gained. \p HasHalf:
/// vectors of half are computed with.
std::optional<StrategyRoles> findStrategyRoles(const Kernel &K, bool HasHalf);

} // namespace dlopt

#endif // DLOPT_SCHEDULE_STRATEGYROLES_H
