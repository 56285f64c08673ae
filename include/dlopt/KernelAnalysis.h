//===- KernelAnalysis.h - The kernels of a function ------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_KERNELANALYSIS_H
#define DLOPT_KERNELANALYSIS_H

#include "dlopt/PassParams.h"
#include "dlopt/Raise.h"

namespace dlopt {

/// The kernels of a function in light form. Changes nothing.
class DLKernelAnalysis : public llvm::AnalysisInfoMixin<DLKernelAnalysis> {
public:
  class Result {
  public:
    explicit Result(RaiseResult R) : R(std::move(R)) {}
    const RaiseResult &get() const { return R; }
    bool invalidate(llvm::Function &F, const llvm::PreservedAnalyses &PA,
                    llvm::FunctionAnalysisManager::Invalidator &Inv);

  private:
    RaiseResult R;
  };
  Result run(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

private:
  friend llvm::AnalysisInfoMixin<DLKernelAnalysis>;
  static llvm::AnalysisKey Key;
};

/// Kernels as text and, for each nest that is none, one line
/// "missed @fn line N: Reason: text".
void printKernels(const llvm::Function &F, const RaiseResult &R,
                  llvm::raw_ostream &OS);

/// print<dl-kernels>: the kernels of the function as it is.
class KernelPrinterPass : public ParamPassMixin<KernelPrinterPass, NoParams> {
public:
  using ParamPassMixin::ParamPassMixin;
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
  static bool isRequired() { return true; }
};

} // namespace dlopt

#endif // DLOPT_KERNELANALYSIS_H
