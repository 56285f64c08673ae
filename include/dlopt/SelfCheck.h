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

/// Whether there is what checks of \p F call.
bool canSelfCheck(const SelfCheck &C, const llvm::Function &F);

/// Completes a region whose fast path and live-outs are done. The dominator
/// tree and the loops are kept up to date.
void addSelfCheck(RaisedKernel &RK, GuardedRegion &Region, const SelfCheck &C,
                  llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Checks of whole functions, as far as they do nothing but to compute and to
/// store: what dl-prepare rewrites in front of all guards is checked, too.
///
///   T f(...) { log = dl.check.begin(f), source(..., log), swap(log),
///              f.checked(...), dl.check.end(log) }
///
/// source is f as the source has it, and what it calls, with dl.check.note in
/// front of each store; f.checked is what the passes go on with.
class FunctionChecks {
public:
  FunctionChecks(llvm::Module &M, llvm::FunctionAnalysisManager &FAM)
      : M(M), FAM(FAM) {}
  /// Keeps a copy of \p F, if its options ask for checks and it can be checked.
  void keepSource(llvm::Function &F);
  /// Puts checks around those functions that \p HasChanged, and drops the other
  /// copies.
  void apply(llvm::function_ref<bool(const llvm::Function &)> HasChanged);

private:
  struct Source {
    llvm::Function *F = nullptr;
    /// The copy of F, with a parameter for the log behind its own, and of what
    /// it calls.
    llvm::SmallVector<llvm::Function *, 2> Copies;
    llvm::GlobalVariable *Kernel = nullptr;
    /// Of each output, what its offset counts from; -1: nothing.
    llvm::SmallVector<int, 4> Arguments;
  };
  void wrap(const Source &S);

  llvm::Module &M;
  llvm::FunctionAnalysisManager &FAM;
  std::vector<Source> Sources;
};

/// The functions of CheckRuntime.c in \p M; they are linked into it by the
/// first call. \p Name: "begin", "note", ...
llvm::Function &getCheckFunction(llvm::Module &M, llvm::StringRef Name);

} // namespace dlopt

#endif // DLOPT_SELFCHECK_H
