//===- Fusion.h - Loops of a kernel that become one -------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_FUSE_FUSION_H
#define DLOPT_PASSES_FUSE_FUSION_H

#include "dlopt/Kernel.h"
#include "dlopt/Remarks.h"

namespace dlopt {

/// Joins axes that go over the same memory, as far as that is legal and does
/// not take from any loop what makes it fast: what can be shared between lanes
/// stays so, matrix products stay such. True if \p K changed. Axes that are no
/// longer in the tree stay in Kernel::Axes.
///
/// Legal: what one iteration uses of what the other loop writes, the same
/// iteration of that writes.
///
/// \p Why: where loops over the same memory stay apart, the first reason.
bool fuseAxes(Kernel &K, Reason &Why);

/// Puts what an axis writes to an element and reads again in the same iteration
/// into a local scalar, and drops the writes that nobody can see: those that
/// the same iteration overwrites, and those to \p Private arrays of which
/// nothing else is read. True if \p K changed.
bool keepInLocals(Kernel &K, llvm::ArrayRef<BufferId> Private);

/// Puts rows of results in place of \p Private arrays that hold a row at a
/// time, where the rows have nothing in common then and sums of several can run
/// at once. True if \p K changed.
bool keepInRows(Kernel &K, llvm::ArrayRef<BufferId> Private);

/// Whether anything below \p At but what is below \p N uses \p B.
bool isUsedBeside(const Kernel &K, const Node &At, const Node &N, BufferId B);

/// Whether the axes \p A and \p B go over one buffer.
bool meet(const Kernel &K, const Node &A, const Node &B);

/// By number: the buffers that something in the tree uses.
std::vector<bool> findUsed(const Kernel &K);

/// Drops needs that speak of buffers that nothing in the tree uses any more.
/// \p Before: findUsed() when something still did.
void dropNeeds(Kernel &K, const std::vector<bool> &Before);

} // namespace dlopt

#endif // DLOPT_PASSES_FUSE_FUSION_H
