//===- Relower.h - Raise and lower again, for tests -------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_RELOWER_H
#define DLOPT_RELOWER_H

#include "dlopt/PassParams.h"

namespace dlopt {

/// Parameters of dl-relower.
struct RelowerParams {
  /// text=FILE: instead of raising, adds a function for each textual kernel of
  /// FILE. Its arguments are the external buffers and then the parameters.
  std::string TextFile;
  static llvm::Expected<RelowerParams> parse(llvm::StringRef Params);
  void print(llvm::raw_ostream &OS) const;
};

/// dl-relower, a testing pass: raises every kernel of functions in light form
/// and replaces its loops by what lowerScalar makes of the kernel. Where the
/// kernel has needs that cannot be proved, the new loops stand behind a guard.
/// The result must compute the same bits.
class RelowerPass : public ParamPassMixin<RelowerPass, RelowerParams> {
public:
  using ParamPassMixin::ParamPassMixin;
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
};

} // namespace dlopt

#endif // DLOPT_RELOWER_H
