//===- ScalarLoops.h - What stays scalar beside a nest ---------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_VECTORIZE_SCALARLOOPS_H
#define DLOPT_VECTORIZE_SCALARLOOPS_H

namespace llvm {
class Loop;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace dlopt {

/// Whether a loop directly beside \p Nest, inside the same loop if any, stays
/// scalar and takes long: it adds or multiplies floating-point numbers one
/// after the other, in the order of the source, or calls functions. The same of
/// a function that is called there and seems to sum.
///
/// Cores that lower their clock where wide vectors are multiplied do so for
/// about a millisecond, and a round of such a loop takes as long as several of
/// one that LLVM vectorizes: what the one gains by width is less than what the
/// other loses.
bool isBesideScalarLoop(const llvm::Loop &Nest, const llvm::LoopInfo &LI,
                        llvm::ScalarEvolution &SE);

/// Whether \p L goes on by ones where another loop ended that had made several
/// steps at once, as code does that has been unrolled or vectorized by hand: it
/// has a few rounds.
bool isLeftOver(const llvm::Loop &L);

} // namespace dlopt

#endif // DLOPT_VECTORIZE_SCALARLOOPS_H
