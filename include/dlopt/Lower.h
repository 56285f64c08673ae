//===- Lower.h - Kernels to IR ----------------------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The only code that builds loops.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_LOWER_H
#define DLOPT_LOWER_H

#include "dlopt/Kernel.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"

namespace dlopt {

/// A counted loop under construction: Body runs for Index = 0, Step, ... while
/// Index < Trip (no iteration if Trip <= 0, signed).
struct CountedLoop {
  llvm::BasicBlock *Header = nullptr, *Latch = nullptr, *Exit = nullptr;
  llvm::PHINode *Index = nullptr;
};

/// Splits the block at \p B's insertion point and builds an empty loop there;
/// \p B is left at the start of the body, which falls through to the latch.
/// The loop carries metadata that keeps later loop passes from undoing it
/// (unroll, vectorize, distribute, LICM versioning) if \p Final.
CountedLoop beginLoop(llvm::IRBuilderBase &B, llvm::Value *Trip,
                      llvm::Value *Step, const llvm::Twine &Name, bool Final);
/// Moves \p B behind the loop.
void endLoop(llvm::IRBuilderBase &B, CountedLoop &L);

/// Emits \p P as i64 given values for the atoms.
llvm::Value *
emitPoly(llvm::IRBuilderBase &B, const Kernel &K, const Poly &P,
         llvm::function_ref<llvm::Value *(llvm::IRBuilderBase &, AtomId)> Atom);

/// Emits the whole kernel as scalar loops at \p B's insertion point, in the
/// reference order; parameters and buffers come from their Bound values (those
/// inside the region are rematerialized behind the trip tests that guard them).
/// Returns, for each local of rank 0 owned by the root, its final value.
llvm::DenseMap<BufferId, llvm::Value *> lowerScalar(llvm::IRBuilderBase &B,
                                                    const Kernel &K);

} // namespace dlopt

#endif // DLOPT_LOWER_H
