//===- Recognize.h - Finding and naming kernels -----------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_RECOGNIZE_H
#define DLOPT_RECOGNIZE_H

#include "dlopt/PassParams.h"
#include "dlopt/Raise.h"

namespace llvm {
class OptimizationRemarkEmitter;
} // namespace llvm

namespace dlopt {

struct RecognizeParams {
  /// prepared: only functions that dl-prepare has brought into light form.
  bool Prepared = false;
  static llvm::Expected<RecognizeParams> parse(llvm::StringRef Params);
  void print(llvm::raw_ostream &OS) const;
};

/// "matmul.nn f32, %M x %N x %K": kind, element type and the extents of the
/// axes from the outside in.
std::string describe(const Kernel &K);

/// One verdict per source loop nest, as remarks of \p Original, from which \p R
/// was raised (perhaps through a clone).
void reportRecognition(llvm::Function &Original, const RaiseResult &R,
                       llvm::OptimizationRemarkEmitter &ORE);

class RecognizePass : public ParamPassMixin<RecognizePass, RecognizeParams> {
public:
  using ParamPassMixin::ParamPassMixin;
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
};

} // namespace dlopt

#endif // DLOPT_RECOGNIZE_H
