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
class Function;
class Instruction;
class Loop;
} // namespace llvm

namespace dlopt {

/// Appends to \p R, as its argument Inlined, the innermost function and line of
/// \p DL if that was inlined: " (in 'softmax', ops.h:7)".
void sayInlined(llvm::DiagnosticInfoOptimizationBase &R,
                const llvm::DebugLoc &DL);

/// Where \p L stands in a header of the system, whoever that was inlined into,
/// if its frontend says that it stands there: its users cannot change it, and a
/// missed remark at that place goes to files alone. None, if \p Culprit is in
/// what they wrote, such as a lambda, or calls that. Iterators of Rust say
/// nothing of the kind: loops over them are their users'.
llvm::DebugLoc getSystemLoc(const llvm::Loop &L,
                            const llvm::Instruction *Culprit);
/// \p DL, of a loop in \p F, as if \p F were inlined: if it stands in a header
/// of the system, into the first line of users that leads there, by calls of
/// functions of such headers.
llvm::DebugLoc getLocOfUse(const llvm::DebugLoc &DL, const llvm::Function &F);
/// For tools: \p R is on such a loop.
void saySystem(llvm::DiagnosticInfoOptimizationBase &R);

} // namespace dlopt

#endif // DLOPT_INLINEDLOOPS_H
