//===- InlinedLoops.h - Remarks on loops that were inlined ------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Remarks point at the user's line (Remarks.h), so all loops of what is called
/// there share it: the text says which one is meant.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_INLINEDLOOPS_H
#define DLOPT_INLINEDLOOPS_H

namespace llvm {
class DebugLoc;
class DiagnosticInfoOptimizationBase;
} // namespace llvm

namespace dlopt {

/// Appends to \p R, as its argument Inlined, the innermost function and line of
/// \p DL if that was inlined: " (in 'softmax', ops.h:7)".
void sayInlined(llvm::DiagnosticInfoOptimizationBase &R,
                const llvm::DebugLoc &DL);

} // namespace dlopt

#endif // DLOPT_INLINEDLOOPS_H
