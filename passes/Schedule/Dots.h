//===- Dots.h - Products that instructions add --------------------*- C++
//-*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_SCHEDULE_DOTS_H
#define DLOPT_SCHEDULE_DOTS_H

#include "StrategyRoles.h"
#include "dlopt/Target.h"

namespace dlopt {

/// Whether \p L is s = s + a * b, of integers of 32 bits, of halves, or of
/// floats not both of which are stored as such; \p X and \p Y: the factors. \p
/// MayBeOfRows: one may have a number that is loaded.
bool findFactors(const Kernel &K, const Leaf &L, DotFactor &X, DotFactor &Y,
                 bool MayBeOfRows = false);

/// How a sum of products of integers is cut (DotSizes.cpp), in elements.
struct DotSizes {
  uint64_t Strip = 1, Tile = 1, Block = 1;
  uint64_t Rows = 0; ///< of sums that wait on the stack
  /// Of images: rows of pixels, each of Rows, that share what is packed.
  uint64_t PixelRows = 1;
  /// Of a window, Block elements of each, that are inside of what is packed.
  uint64_t Columns = 1;
};

/// An instruction and the types that it takes.
struct DotChoice {
  InstructionRow Row;
  FactorType Shared, Own;
  /// What lanes share is of that type but for a number (`offset`).
  bool HasOffset = false;
};

/// Whether a row of Instructions.def says that vectors of \p Ty are computed
/// with.
bool hasArithmetic(const TargetModel &T, ScalarType Ty);

/// The most products at a time, and one instruction rather than two.
std::optional<DotChoice> chooseDot(const DotRoles &Dot, const TargetModel &T,
                                   bool MayHaveOffset);

/// Whether what is multiplied is a copy of what is loaded, as another type.
bool isCopied(const DotFactor &F, FactorType As, bool HasOffset);
/// The same of what lanes share.
bool isSharedCopied(const DotFactor &F, const DotChoice &Dot,
                    const TargetModel &T);

/// What is stored of a point, by \p NumResults leaves; null: not one element.
const Access *findResult(const Kernel &K, const Node &Point,
                         unsigned &NumResults);

/// Whether the offset of \p X grows by \p By along \p A.
bool isStride(const Kernel &K, const Access &X, AxisId A, int64_t By);

/// The innermost axis around the tile's, if there is one, along which what
/// lanes have is the same: rows of pixels.
std::optional<AxisId> findPixelRow(const Kernel &K, const StrategyRoles &R);

/// As many sums as there are registers beside a vector of each strip, one that
/// is shared, and a product.
DotSizes getDotSizes(const Kernel &K, const StrategyRoles &R,
                     const DotChoice &Dot, const TargetModel &T, bool HasSums);

/// The lines of \p Template for sums of products of narrow integers along rows,
/// some of which run at a time (DotRows.cpp): axes and locals of \p K get the
/// names that they speak of. None: it is another kernel. \p IsOfFew: of what
/// lanes share there are few rows, or one, whatever sizes say.
llvm::SmallVector<std::string, 24> writeDotRows(Kernel &K, const TargetModel &T,
                                                llvm::StringRef Template,
                                                bool IsOfFew);

/// The same for what a thread of a GPU runs (ThreadDots.cpp).
llvm::SmallVector<std::string, 24>
writeThreadDots(Kernel &K, const TargetModel &T, llvm::StringRef Template);

} // namespace dlopt

#endif // DLOPT_SCHEDULE_DOTS_H
