//===- TransformPass.h - Scripts on the kernels of a module -----*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_TRANSFORMPASS_H
#define DLOPT_TRANSFORMPASS_H

#include "dlopt/PassParams.h"

namespace dlopt {

/// Parameters of dl-transform.
struct TransformParams {
  /// script=FILE: what is applied to the kernels that its lines are for.
  std::string ScriptFile;
  /// limit=N: no more than so many lines for each kernel, to find the one that
  /// is to blame.
  unsigned Limit = ~0u;
  static llvm::Expected<TransformParams> parse(llvm::StringRef Params);
  void print(llvm::raw_ostream &OS) const;
};

/// dl-transform<script=FILE>: raises every kernel of functions in light form,
/// applies the lines of FILE that are for it, and puts what comes out in the
/// place of its loops, behind a guard where it needs something that cannot be
/// proved. A line that is refused is an error, of which the message says the
/// line and why.
class TransformPass : public ParamPassMixin<TransformPass, TransformParams> {
public:
  using ParamPassMixin::ParamPassMixin;
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
};

/// The same for \p Functions of \p M, which are in light form. True if
/// something changed; what is wrong is reported.
bool runScript(llvm::Module &M, llvm::ArrayRef<llvm::Function *> Functions,
               llvm::FunctionAnalysisManager &FAM, const TransformParams &P);

} // namespace dlopt

#endif // DLOPT_TRANSFORMPASS_H
