//===- Vectorize.h - Kernels to register-tiled SIMD code --------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_VECTORIZE_H
#define DLOPT_VECTORIZE_H

#include "dlopt/Options.h"
#include "dlopt/PassParams.h"
#include "dlopt/Raise.h"
#include "dlopt/Target.h"
#include <optional>

namespace llvm {
class OptimizationRemarkEmitter;
} // namespace llvm

namespace dlopt {

/// Parameters of dl-vectorize; what is not given comes from the options of the
/// function.
struct VectorizeParams {
  /// prepared: only functions that dl-prepare has brought into light form;
  /// otherwise the others are brought into it first, by the same code.
  bool Prepared = false;
  /// tile=RxV: register tile, rows by vectors (0: not given).
  unsigned TileRows = 0, TileVectors = 0;
  /// no-pack: operands are read where they are.
  bool NoPack = false;
  /// stack=N[k|m]: bytes of stack a generated function may use.
  std::optional<uint64_t> Stack;
  /// dispatch=0|1|fma: also code for wider vectors, chosen at run time.
  std::optional<DispatchMode> Dispatch;
  /// scalable, no-scalable: whether vectors of the machine's length are used
  /// where there are any.
  std::optional<bool> Scalable;
  /// check, check=report|count|ABS:REL: programs check their kernels, or count.
  std::string Check;
  /// schedule=FILE: kernels that lines of the script are for run as it says
  /// (Transform.h), the others as is best.
  std::string Schedule;
  /// tuned=FILE: what is fastest for some kernels on some CPU (TunedKernels.h).
  std::string Tuned;
  /// Part of a default pipeline that may grow code (not a parameter): dispatch
  /// where nothing else is said and the symbol it needs is sure to link.
  bool DispatchIfHosted = false;

  static llvm::Expected<VectorizeParams> parse(llvm::StringRef Params);
  void print(llvm::raw_ostream &OS) const;
  /// Overrides what is given in \p O.
  void applyTo(Options &O) const;
};

/// dl-vectorize: lowers kernels to register-tiled SIMD code for the target.
class VectorizePass : public ParamPassMixin<VectorizePass, VectorizeParams> {
public:
  using ParamPassMixin::ParamPassMixin;
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
};

/// True if dl-vectorize, with \p DispatchIfHosted or without, would transform
/// \p RK, raised from \p F (or a clone of it), or a nest inside it.
bool hasStrategy(const RaisedKernel &RK, llvm::Function &F,
                 llvm::FunctionAnalysisManager &FAM, bool DispatchIfHosted);

/// The same of all of it, not of a nest inside it alone.
bool hasStrategyForWhole(const RaisedKernel &RK, llvm::Function &F,
                         llvm::FunctionAnalysisManager &FAM,
                         bool DispatchIfHosted);

/// The same where windows move by the steps that most do, or have such sizes.
bool hasStrategyForWindows(const RaisedKernel &RK, llvm::Function &F,
                           llvm::FunctionAnalysisManager &FAM,
                           bool DispatchIfHosted);

/// Whether there is another one for windows where it is known what a test in
/// the loops comes to that is the same for all of them.
bool gainsByTest(const RaisedKernel &RK, llvm::Function &F,
                 llvm::FunctionAnalysisManager &FAM, bool DispatchIfHosted);

/// Whether there is no strategy for \p RK or a nest inside it as LLVM's own
/// loop vectorizer does the same.
bool isLeftToLLVM(const RaisedKernel &RK, llvm::Function &F,
                  llvm::FunctionAnalysisManager &FAM, bool DispatchIfHosted);

/// The target of the code that most machines run of kernels of \p F: where code
/// asks the CPU, what the narrowest variant is for.
TargetModel getLikelyTarget(llvm::Function &F,
                            llvm::FunctionAnalysisManager &FAM,
                            bool DispatchIfHosted);

/// What is done to \p K in front of findStrategy() (Strategies.h): sums are in
/// registers, and what is made of one is one expression.
void prepareForScript(Kernel &K);

/// Says in remarks of which of \p Kernels, those of \p F, hasStrategy() is
/// false, and why; nothing if dl-vectorize does not run on \p F.
void reportNoStrategy(llvm::ArrayRef<RaisedKernel> Kernels, llvm::Function &F,
                      llvm::FunctionAnalysisManager &FAM, bool DispatchIfHosted,
                      llvm::OptimizationRemarkEmitter &ORE);

} // namespace dlopt

#endif // DLOPT_VECTORIZE_H
