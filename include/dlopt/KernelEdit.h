//===- KernelEdit.h - Walks over kernels and copies of them -----*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What everything that changes kernels is made of. Nothing here asks whether
/// a change is legal.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_KERNELEDIT_H
#define DLOPT_KERNELEDIT_H

#include "dlopt/Kernel.h"

namespace dlopt {

void copyNode(const Node &From, Node &To);
/// The same kernel again.
void copyKernel(const Kernel &From, Kernel &To);

void forEachLeafBelow(Node &N, llvm::function_ref<void(Leaf &)> Visit);

/// All polynomials of a leaf.
void forEachPoly(Leaf &L, llvm::function_ref<void(Poly &)> Visit);

/// All polynomials of the leaves below \p N, and the bounds and cases there.
void forEachPolyBelow(Kernel &K, Node &N,
                      llvm::function_ref<void(Poly &)> Visit);

/// Takes operations out of a leaf that nothing is made of.
void dropUnusedOps(Leaf &L);

/// Whether \p A and \p B are the same but for what they refer to: operands,
/// accesses, polynomials.
bool isSameOperation(const Op &A, const Op &B);

/// Computes once what several operations of \p L compute. Calls stay as many.
void mergeSameOps(Leaf &L);

/// All that the leaves of \p N and below load and assign, but not what their
/// subscripts load.
void forEachAccess(Node &N, llvm::function_ref<void(Access &)> Visit);

/// \p To in the place of \p From in all of these.
void renameBuffer(Node &N, BufferId From, BufferId To);

/// The locals of \p N and of what is below.
void collectLocals(const Node &N, llvm::SmallVectorImpl<BufferId> &Out);

/// The axes of \p N and of what is below.
void collectAxes(const Node &N, llvm::SmallVectorImpl<AxisId> &Out);

/// Takes axes out of the kernel that have no node any more.
void dropUnusedAxes(Kernel &K);

/// What stands for an atom, if anything does.
using AtomMap = llvm::function_ref<std::optional<Poly>(const Atom &)>;

/// \p P with other polynomials for its atoms, inside quotients, remainders and
/// loaded elements, too.
Poly substituteAtoms(Kernel &K, const Poly &P, AtomMap Map);

/// The same in all of \p N, shapes of locals too, but the bounds of its own
/// axis.
void substituteBelow(Kernel &K, Node &N, AtomMap Map);

/// The axis \p New in the place of \p Old, sizes of its blocks too.
void substituteAxis(Kernel &K, Node &N, AxisId Old, AxisId New);

/// \p N again, with axes and locals of its own.
std::unique_ptr<Node> copyWithOwn(Kernel &K, const Node &N);

} // namespace dlopt

#endif // DLOPT_KERNELEDIT_H
