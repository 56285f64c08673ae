//===- FMA.h - Multiplications fused with additions, or not -----*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// dl-fma runs last. It makes llvm.fma of what the back end would fuse, so that
/// IR says what runs, and changes recurrences that a loop waits for: LLVM fuses
/// onto them, though an addition takes fewer cycles than a fused one.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_FMA_H
#define DLOPT_FMA_H

#include "dlopt/PassParams.h"

namespace dlopt {

struct FMAParams {
  /// free: llvm.fmuladd may be computed by two instructions, too, as the
  /// language permits and LLVM does not do where one is as fast.
  bool Free = false;
  static llvm::Expected<FMAParams> parse(llvm::StringRef Params);
  void print(llvm::raw_ostream &OS) const;
};

class FMAPass : public ParamPassMixin<FMAPass, FMAParams> {
public:
  using ParamPassMixin::ParamPassMixin;
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
};

/// print<dl-fma>: a line for each recurrence of an innermost loop, with its
/// cycles as LLVM computes it and as dl-fma would, or why it stays.
class FMAPrinterPass : public ParamPassMixin<FMAPrinterPass, FMAParams> {
public:
  using ParamPassMixin::ParamPassMixin;
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
  static bool isRequired() { return true; }
};

} // namespace dlopt

#endif // DLOPT_FMA_H
