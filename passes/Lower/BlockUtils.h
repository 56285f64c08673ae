//===- BlockUtils.h - Splitting blocks under a builder ----------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_LOWER_BLOCKUTILS_H
#define DLOPT_PASSES_LOWER_BLOCKUTILS_H

#include "llvm/IR/IRBuilder.h"

namespace dlopt {

/// The part of \p B's block from its insertion point on, as a block of its own;
/// \p B is left at the end of the first part, which has no terminator.
llvm::BasicBlock *splitAtInsertPoint(llvm::IRBuilderBase &B,
                                     const llvm::Twine &Name);

/// Metadata of a loop that is as it should be: later loop passes would undo the
/// schedule (unrolling spills, versioning multiplies the code). \p Flags: what
/// is said besides.
llvm::MDNode *getFinalLoopID(llvm::LLVMContext &C,
                             llvm::ArrayRef<llvm::StringRef> Flags = {});

} // namespace dlopt

#endif // DLOPT_PASSES_LOWER_BLOCKUTILS_H
