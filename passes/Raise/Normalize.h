//===- Normalize.h - One kernel for many spellings -------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_RAISE_NORMALIZE_H
#define DLOPT_RAISE_NORMALIZE_H

#include "dlopt/KernelEdit.h"

namespace dlopt {

/// Rewrites a kernel in which a matrix product is spelled by unrolled,
/// split, blocked, flattened or reversed loops, or is started inside its
/// reduction, to plain loops. Kernels that do not become a matrix product stay
/// as they are. Roles need not be known; offsets are still linear. \p Private:
/// arrays that nothing outside the nest reads.
void normalizeKernel(Kernel &K, llvm::ArrayRef<BufferId> Private);

/// How axes with so many axes around them are called.
std::string getAxisName(unsigned Depth);

/// Leaves of the kernel that read or write \p B, which nothing else may.
unsigned countLeaves(const Kernel &K, BufferId B);

/// One unconditional assignment.
bool isPlain(const Leaf &L);

/// A leaf in a perfect nest, and the axes of that, outermost first.
struct LeafNest {
  llvm::SmallVector<AxisId, 4> Axes;
  Leaf *L = nullptr;
};

/// \p N as a perfect nest of one leaf.
std::optional<LeafNest> getLeafNest(Node &N);

/// Copies the expression \p Id of \p From; equal operations get equal numbers
/// in equal expressions, and values with several uses are copied once.
OpId copyExpression(const Leaf &From, OpId Id, Leaf &To,
                    llvm::function_ref<bool(OpId, Op &)> Replace);

/// Whether \p Other is \p Base with its polynomials as \p Map says; locals may
/// differ as \p Locals (from those of \p Base) says or comes to say.
bool isSameLeaf(const Leaf &Base, const Leaf &Other, const Kernel &K,
                llvm::function_ref<std::optional<Poly>(const Poly &)> Map,
                llvm::SmallVectorImpl<std::pair<BufferId, BufferId>> &Locals);

/// Adds the need that \p P is at least \p Lo, if that is not known.
void requireAtLeast(Kernel &K, const Poly &P, int64_t Lo);

/// Whether \p P is a linear function of \p A.
bool isLinear(Kernel &K, const Poly &P, AxisId A);

/// States the ranges of \p Which, linear functions of \p A, for the first and
/// the last of its \p Rounds: for all that it had, whatever becomes of it.
void pinRanges(Kernel &K, AxisId A, const Poly &Rounds,
               llvm::function_ref<bool(const Need &)> Which);

/// Whether elements are looked at for zeros along \p A: those that the rounds
/// of the source read, and no others.
bool isScanned(const Kernel &K, AxisId A);

/// Whether rows end with the others or with the array; and that all are as
/// long, as a need.
bool hasShorterRows(const Kernel &K);
void assumeWholeRows(Kernel &K);

/// \name Steps. Each answers whether it changed something.
/// @{
bool forwardStores(Kernel &K, Node &N);
bool splitLeaves(Kernel &K, Node &N);
bool reroll(Kernel &K, Node &N);
bool roundExtent(Kernel &K, Node &N);
bool roll(Kernel &K, Node &N, llvm::ArrayRef<BufferId> Private);
bool mergeSiblings(Kernel &K, Node &N);
bool mergeLastRound(Kernel &K, Node &N);
bool storeAsComputed(Kernel &K, Node &N, llvm::ArrayRef<BufferId> Private);
bool boundByConditions(Kernel &K, Node &N);
bool forwardCopies(Kernel &K, Node &N, llvm::ArrayRef<BufferId> Private);
bool contractArrays(Kernel &K, Node &N, llvm::ArrayRef<BufferId> Private);
bool storeFirstRound(Kernel &K, Node &N);
bool hoistFirstRound(Kernel &K, Node &Parent);
bool useMemory(Kernel &K, Node &N);
bool mergeTiles(Kernel &K, Node &Top);
/// The same in nests that others stand beside, which may go on with them.
bool mergeTilesOfSiblings(Kernel &K, Node &N);
bool pickBound(Kernel &K, Node &N);
bool joinFlat(Kernel &K, Node &Top);
bool splitFlat(Kernel &K, Node &N);
bool dropZeroTests(Kernel &K);
bool reverse(Kernel &K, Node &N);
/// @}

} // namespace dlopt

#endif // DLOPT_RAISE_NORMALIZE_H
