//===- Pipeline.h - The pass pipeline and its hooks -------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PIPELINE_H
#define DLOPT_PIPELINE_H

#include "dlopt/PassParams.h"
#include "llvm/Passes/OptimizationLevel.h"
#include <memory>

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace dlopt {

/// Parameters of the pipeline.
struct PipelineParams {
  llvm::OptimizationLevel Level = llvm::OptimizationLevel::O2;
  /// Part of a default pipeline (not a parameter): runs once per module, until
  /// dl-mark.
  bool Hooked = false;
  /// Of such a pipeline: whether another one will run at link time, which is
  /// known when all of it has been built.
  std::shared_ptr<bool> AwaitsLink;
  /// Of one at link time: modules have copies of what others define.
  bool Imported = false;
  static llvm::Expected<PipelineParams> parse(llvm::StringRef Params);
  void print(llvm::raw_ostream &OS) const;
};

/// dl<O1>, dl<O2>, dl<O3>: all passes in order. Reports bad options first.
class PipelinePass : public ParamPassMixin<PipelinePass, PipelineParams> {
public:
  using ParamPassMixin::ParamPassMixin;
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
};

/// Parameters of dl-mark.
struct MarkParams {
  /// prelink: another pipeline will run at link time.
  bool PreLink = false;
  /// It is so if the module says so, as callbacks of LLVM 19 are not told (not
  /// a parameter).
  bool AsksModule = false;
  /// defer: only keeps loops as they are until that.
  bool Defer = false;
  static llvm::Expected<MarkParams> parse(llvm::StringRef Params);
  void print(llvm::raw_ostream &OS) const;
};

/// dl-mark: ends a compilation's use of the pipeline. Before a link-time
/// pipeline every function is marked as processed, one by one, since a link may
/// bring together modules that were and were not.
class MarkPass : public ParamPassMixin<MarkPass, MarkParams> {
public:
  using ParamPassMixin::ParamPassMixin;
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
};

/// Hooks the pipeline into the default ones by their level: at the start of a
/// compilation, and at link time for functions that were not processed before.
void registerPipelineHooks(llvm::PassBuilder &PB);

} // namespace dlopt

#endif // DLOPT_PIPELINE_H
