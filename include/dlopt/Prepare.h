//===- Prepare.h - Bringing functions into light form -----------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PREPARE_H
#define DLOPT_PREPARE_H

#include "dlopt/PassParams.h"

namespace dlopt {

/// Parameters of dl-prepare.
struct PrepareParams {
  /// all: swap in every function that holds any kernel, not only those with one
  /// that can be transformed.
  bool All = false;
  /// loops: swap in every function with a loop, kernel or not (tests of what
  /// reads light form).
  bool Loops = false;
  /// drop: clone every function with a loop and swap in none (tests that this
  /// leaves no trace).
  bool Drop = false;
  /// imported: drop the bodies of functions that other modules of the link
  /// define, if they hold kernels: there these are transformed.
  bool Imported = false;
  /// Part of a default pipeline that may grow code (not a parameter).
  bool DispatchIfHosted = false;
  static llvm::Expected<PrepareParams> parse(llvm::StringRef Params);
  void print(llvm::raw_ostream &OS) const;
};

/// dl-prepare: swaps functions that hold kernels for their light form.
class PreparePass : public ParamPassMixin<PreparePass, PrepareParams> {
public:
  using ParamPassMixin::ParamPassMixin;
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
};

} // namespace dlopt

#endif // DLOPT_PREPARE_H
