//===- Recognize.h - Finding and naming kernels -----------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_RECOGNIZE_H
#define DLOPT_RECOGNIZE_H

#include "dlopt/PassParams.h"

namespace dlopt {

/// dl-recognize: finds kernels in light form, names them, attaches !dl.kernel
/// and says what was found and missed in remarks.
class RecognizePass : public ParamPassMixin<RecognizePass, NoParams> {
public:
  using ParamPassMixin::ParamPassMixin;
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
};

} // namespace dlopt

#endif // DLOPT_RECOGNIZE_H
