//===- LoopProfit.h - What LLVM's own loops are like ------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A schedule gains where LLVM leaves loops scalar. It vectorizes innermost
/// loops, and unrolls those of a few rounds before: then the loop around them
/// is the innermost one.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_VECTORIZE_LOOPPROFIT_H
#define DLOPT_VECTORIZE_LOOPPROFIT_H

#include "dlopt/Kernel.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Function.h"

namespace dlopt {

/// Whether LLVM leaves the reduction \p Loop scalar, or makes it slow.
bool staysScalar(const Kernel &K, const Node &Loop);

/// Whether \p Loop, which is innermost, combines values by maxima or minima
/// alone that are the same in any order: LLVM vectorizes these without any
/// flags.
bool choosesInAnyOrder(const Kernel &K, const Node &Loop);

/// Whether an innermost loop below \p N that is none of \p Lanes, nor inside
/// one, stays scalar by that, and has more than a few rounds.
bool hasScalarLoop(const Kernel &K, const Node &N,
                   llvm::ArrayRef<AxisId> Lanes);

/// Whether iterations of \p Loop read elements that are at most \p MaxLoadStep
/// apart, and write such that are \p MaxStoreStep apart: neighbours, or groups
/// that LLVM takes apart by shuffles. A distance that is an argument counts as
/// \p ArgumentStep; 1 for loops that LLVM vectorizes for that.
bool hasNearElements(const Kernel &K, const Node &Loop, int64_t MaxLoadStep,
                     int64_t MaxStoreStep, int64_t ArgumentStep = INT64_MAX);

/// Whether the last of \p Axes, each inside the one before, are unrolled, and
/// LLVM vectorizes the loop around them: the first one, or a parallel one
/// inside it. What is unrolled of that becomes vectors, too, if it fills one.
bool isVectorizedAround(const Kernel &K, llvm::ArrayRef<const Node *> Axes);

/// The innermost loop of \p Nest when those of a few rounds are unrolled; null:
/// none, or there is more than one innermost loop.
const Node *getLoopLeft(const Kernel &K, const Node &Nest);

/// Whether loops of \p F, or of a function that calls it, call math functions
/// of the library. Those of kernels are not told apart.
bool callsLibraryBeside(const llvm::Function &F);

/// Whether anything in \p M calls such functions.
bool usesLibrary(const llvm::Module &M);

/// Whether \p K is loops over one row, none of which has another one inside.
bool isRowOnly(const Kernel &K);

} // namespace dlopt

#endif // DLOPT_VECTORIZE_LOOPPROFIT_H
