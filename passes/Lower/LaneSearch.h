//===- LaneSearch.h - What searches in lanes have in common -----*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_LOWER_LANESEARCH_H
#define DLOPT_PASSES_LOWER_LANESEARCH_H

#include "LaneLower.h"

namespace dlopt {

/// The value of \p Id, in all lanes if there are any.
llvm::Value *evaluate(LaneContext &C, const Leaf &L, OpId Id);

/// The better one of each pair of lanes; what is no number is never better.
llvm::Value *choose(llvm::IRBuilderBase &B, const LaneSearch &S,
                    llvm::Value *New, llvm::Value *Old);

/// The lanes of \p V combined, halves with each other.
llvm::Value *reduceLanes(
    llvm::IRBuilderBase &B, llvm::Value *V,
    llvm::function_ref<llvm::Value *(llvm::Value *Low, llvm::Value *High)>
        Combine);

} // namespace dlopt

#endif // DLOPT_PASSES_LOWER_LANESEARCH_H
