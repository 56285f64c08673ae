//===- GeneratedDebugInfo.h - What debuggers see of fast paths --*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A generated function has a subprogram of its own, which is artificial and
/// called by what it computes for whom, "matmul.nt of linear, mlp.c:38". Its
/// instructions are at the lines of the operations that they stand for, those
/// that stand for none (loops, addresses, copies) at the line of the kernel.
/// Frames of what was inlined into the source's loops stay. Nothing of this
/// changes code.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_GENERATEDDEBUGINFO_H
#define DLOPT_GENERATEDDEBUGINFO_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DebugLoc.h"

namespace llvm {
class Function;
} // namespace llvm

namespace dlopt {

/// Where the source has what functions are generated for.
struct SourceSite {
  const llvm::Function &Served;
  /// Of the kernel, "matmul.nt f32": its first word is what people see.
  llvm::StringRef Kind;
  /// Of the kernel, in Served, as its remark says; there may be none.
  llvm::DebugLoc Loc;
  /// Of what instructions stand for that have no location; none: of the kernel.
  llvm::DebugLoc Default = {};
};

/// Describes the new functions \p Name and \p Name + ".PART" of the module.
/// Their instructions have locations of Site.Served so far, or none. All are
/// dropped where that has no debug information.
void addDebugInfo(llvm::StringRef Name, const SourceSite &Site);

/// The old function \p F, and its parts, serve \p Site, too: their names say so
/// if it is another one than they were made for.
void addSite(const llvm::Function &F, const SourceSite &Site);

/// The same, with what the function \p Other serves, which is to be erased.
void addSite(const llvm::Function &F, const llvm::Function &Other);

/// \p Loc or, if that is none and \p F has debug information, no line of it: a
/// call without a location cannot be inlined in a function that has any.
llvm::DebugLoc getCallLoc(const llvm::Function &F, const llvm::DebugLoc &Loc);

} // namespace dlopt

#endif // DLOPT_GENERATEDDEBUGINFO_H
