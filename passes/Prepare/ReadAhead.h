//===- ReadAhead.h - Pointers and bounds that nests read --------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PREPARE_READAHEAD_H
#define DLOPT_PREPARE_READAHEAD_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

namespace dlopt {

struct MissedNest;
struct RaisedKernel;

/// Loop metadata (a flag) on loops whose pointers and bounds are read in front.
inline constexpr llvm::StringLiteral ReadAheadTag = "dl.read.ahead";

/// Gives nests that read pointers and numbers which nothing in them changes a
/// copy in which they are read in front, for the case that all loops around
/// these reads have a round. Loops must be in simplified form, and \p Close
/// brings them there again. True if something changed.
bool readAhead(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
               llvm::function_ref<void()> Close);

/// Whether \p N is no kernel as it asks whether a pointer that it reads is
/// null.
bool asksPointers(const MissedNest &N);

/// Whether parameters of the kernel are read inside its loops, which are more
/// than one, or one whose index is divided.
bool mayReadAhead(const RaisedKernel &RK);

} // namespace dlopt

#endif // DLOPT_PREPARE_READAHEAD_H
