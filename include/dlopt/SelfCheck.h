//===- SelfCheck.h - Programs that check kernels as they run ----*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The option check: where the guard of a kernel would take the fast path, both
/// sides run, and what they stored, returned and left in errno is compared. The
/// results of the original loops are what stays.
///
///   Guard:   tests
///     |        \                   ; for the original loops, as without check
///   log = dl.check.begin(kernel)
///   the loops, cloned, with dl.check.note(log, where, ...) before each store
///   dl.check.swap(log)             ; memory is as it was before
///   Fast
///   dl.check.value(log, ...), dl.check.end(log, ...)
///     |
///   Join
///
/// The clone finds what is stored, element by element: nothing has to be known
/// of the ranges that a kernel writes, and nothing else is saved and restored.
/// The functions dl.check.* are CheckRuntime.c, which each module gets a copy
/// of.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_SELFCHECK_H
#define DLOPT_SELFCHECK_H

#include "dlopt/Guards.h"
#include "dlopt/Options.h"

namespace dlopt {

/// What a program says of one kernel, and how it is checked.
struct SelfCheck {
  CheckMode Mode = CheckMode::Off;
  /// Absolute and relative: of results that need not have the same bits.
  std::optional<std::pair<double, double>> Tolerance;
  /// The flags of the source are not all that may change results.
  bool IsApproximate = false;
  std::string Name; ///< "kernel 3 matmul.nn"

  SelfCheck(const Options &O, const llvm::Twine &Name);
};

/// Ok, or why the kernel of \p RK cannot be checked: then it is left alone.
Verdict canSelfCheck(const RaisedKernel &RK, const SelfCheck &C,
                     const llvm::Function &F,
                     const llvm::TargetLibraryInfo &TLI);

/// Completes a region whose fast path and live-outs are done. The dominator
/// tree and the loops are kept up to date.
void addSelfCheck(RaisedKernel &RK, GuardedRegion &Region, const SelfCheck &C,
                  llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// The functions of CheckRuntime.c in \p M; they are linked into it by the
/// first call. \p Name: "begin", "note", ...
llvm::Function &getCheckFunction(llvm::Module &M, llvm::StringRef Name);

} // namespace dlopt

#endif // DLOPT_SELFCHECK_H
