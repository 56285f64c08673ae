//===- Helpers.h - Inlining of small callees into a clone -------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Index helpers, activation functions, operator[], iterators: calls that the
/// inliner could inline too, and which hide a kernel while they are calls.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_PREPARE_HELPERS_H
#define DLOPT_PASSES_PREPARE_HELPERS_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class CallBase;
class Function;
} // namespace llvm

namespace dlopt {

/// A helper called inside a loop may have this many instructions, as the
/// frontend leaves them, apart from variables and from ways to an exception.
constexpr unsigned MaxHelperSize = 150;
/// Loops in each other: a product of blocks has three.
constexpr unsigned MaxHelperDepth = 3;
/// The same for a call outside of loops: accessors of one or two members.
constexpr unsigned MaxAccessorSize = 40;

/// A function with loops of its own that may be joined with those of its caller
/// or of other such functions may have this many.
constexpr unsigned MaxStageSize = 400;

/// The function that \p CB calls, if its body may stand in for the call;
/// a cheap test that does not look at the body.
llvm::Function *getHelper(const llvm::CallBase &CB);

/// Arrays and structures of helpers may take this many bytes of stack in a
/// function that calls itself, which may have many frames.
constexpr uint64_t MaxRecursiveStack = 1024;

/// Inlines helpers into \p F, a clone of \p Original, until none is left or \p
/// F has \p Budget instructions. Inside loops all of MaxHelperSize, elsewhere
/// accessors and, with \p Stages, functions that are loops. Their arrays take
/// up to \p StackLimit bytes together.
void inlineHelpers(llvm::Function &F, const llvm::Function &Original,
                   llvm::FunctionAnalysisManager &FAM, unsigned Budget,
                   uint64_t StackLimit, bool Stages);

} // namespace dlopt

#endif // DLOPT_PASSES_PREPARE_HELPERS_H
