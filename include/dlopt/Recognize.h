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
#include "llvm/ADT/StringSet.h"

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

/// "matmul.nn f32, %M x %N x %K": name, element type and the extents of the
/// axes from the outside in.
std::string describe(const Kernel &K);
/// The same if anybody wants remarks of \p Pass about \p F, else nothing: names
/// take time.
std::string describe(const Kernel &K, const llvm::Function &F,
                     llvm::StringRef Pass);

/// Where parameters and buffers come from, for tools that call the function
/// \p F: "%n=2 %x=1 %rows=[3+8:i32] %y=@out" says that n is the second
/// argument, x the first, rows an i32 in memory, 8 bytes behind where the third
/// one points to (of an address without a type), and y a global variable;
/// "%w=(4/#2)", that w is half of the fourth argument. What is computed in
/// other ways is not there.
std::string describeArguments(const Kernel &K, const llvm::Function &F);
/// The kernel as text (docs/kernel-model.md).
std::string printKernel(const Kernel &K);

/// Attaches !dl.kernel to the branch that closes the nest's outermost loop.
/// False if there is none.
bool annotate(const RaisedKernel &RK);
/// Whether that has been done to \p RK.
bool isAnnotated(const RaisedKernel &RK);

/// One verdict per source loop nest, as remarks of \p Original, from which \p R
/// was raised (perhaps through a clone). \p Called is what others call, itself
/// or what it is a clone of.
void reportRecognition(llvm::Function &Original, const RaiseResult &R,
                       llvm::OptimizationRemarkEmitter &ORE,
                       const llvm::Function &Called);

/// The functions whose verdicts dl-prepare has given already, because they stay
/// as they are: nobody else reports on them.
class ReportedFunctionsAnalysis
    : public llvm::AnalysisInfoMixin<ReportedFunctionsAnalysis> {
public:
  struct Result {
    llvm::StringSet<> Names;
    /// What has been said stays said.
    bool invalidate(llvm::Module &, const llvm::PreservedAnalyses &,
                    llvm::ModuleAnalysisManager::Invalidator &) {
      return false;
    }
  };
  Result run(llvm::Module &, llvm::ModuleAnalysisManager &) { return {}; }

private:
  friend llvm::AnalysisInfoMixin<ReportedFunctionsAnalysis>;
  static llvm::AnalysisKey Key;
};

class RecognizePass : public ParamPassMixin<RecognizePass, RecognizeParams> {
public:
  using ParamPassMixin::ParamPassMixin;
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
};

} // namespace dlopt

#endif // DLOPT_RECOGNIZE_H
