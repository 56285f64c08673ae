//===- Rematerialize.h - Computing invariants again elsewhere ---*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A parameter or base pointer of a kernel may be computed inside the nest (the
/// load of a struct member, which is invariant there). New code in front of the
/// nest, or in its place, computes it again from what is available outside.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_REMATERIALIZE_H
#define DLOPT_REMATERIALIZE_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"

namespace dlopt {

/// True for blocks of the nest that is to be replaced.
using InRegionFn = llvm::function_ref<bool(const llvm::BasicBlock *)>;

/// Whether nothing in the region writes what a load in it reads. That a place
/// may be read does not say that it keeps its value, so that who asks for the
/// one has to say how the other is known.
using IsUnwrittenFn = llvm::function_ref<bool(const llvm::LoadInst &)>;

/// Of bounds and pointers of a kernel: the raiser has asked, or a need does.
inline bool isUnwrittenByKernel(const llvm::LoadInst &) { return true; }

/// True if \p V is available outside the region, or follows by arithmetic and
/// simple loads that are \p IsUnwritten from values that are: it has one value
/// in the region.
bool canRematerialize(const llvm::Value *V, InRegionFn InRegion,
                      IsUnwrittenFn IsUnwritten);

/// True if \p V canRematerialize, and that has no undefined behaviour anywhere
/// (arithmetic, no loads and divisions that might trap).
bool canSpeculate(const llvm::Value *V, InRegionFn InRegion,
                  IsUnwrittenFn IsUnwritten);

/// \p V itself if it is available outside the region, else a copy of its
/// computation at \p B's insertion point. \p Copies are reused and added to.
/// Null if it cannot be copied. The copy may load and divide: it belongs only
/// where the source is known to compute \p V too, and the value is that of the
/// region only if it canRematerialize.
llvm::Value *
rematerialize(llvm::IRBuilderBase &B, llvm::Value *V, InRegionFn InRegion,
              llvm::DenseMap<const llvm::Value *, llvm::Value *> &Copies);

/// What a phi in the region is where the copy runs.
using PhiFn = llvm::function_ref<llvm::Value *(llvm::PHINode &)>;

/// The same of what the first round of loops computes, with \p GetFirst instead
/// of phis. The caller knows that everything can be copied.
llvm::Value *
copyFirstRound(llvm::IRBuilderBase &B, llvm::Value *V, InRegionFn InRegion,
               PhiFn GetFirst,
               llvm::DenseMap<const llvm::Value *, llvm::Value *> &Copies);

} // namespace dlopt

#endif // DLOPT_REMATERIALIZE_H
