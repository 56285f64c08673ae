//===- Tuning.h - What was measured of kernels of a function ----*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_VECTORIZE_TUNING_H
#define DLOPT_VECTORIZE_TUNING_H

#include "dlopt/Options.h"
#include "dlopt/Raise.h"
#include "dlopt/Strategies.h"
#include "dlopt/Target.h"
#include "dlopt/TunedKernels.h"
#include "llvm/ADT/StringSet.h"
#include <map>

namespace dlopt {

/// What the file tuned= says of the kernels of one function. Remarks of dl-tune
/// have the keys of these, and what could be tried, as entries of that file.
class Tuning {
public:
  Tuning(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
         const Options &O);
  /// The options for the nest of \p RK: those of the function, or what the file
  /// makes of them.
  const Options &getOptions(const RaisedKernel &RK);
  /// The script that the file has for \p K, which is prepared for scripts.
  std::optional<Strategy> findScript(const Kernel &K,
                                     const TargetModel &Target);

private:
  bool isAsked() const { return O.Tuned || Listens; }
  TuningKey getKey(const Kernel &K, const TargetModel &Target) const;
  void list(const Kernel &K, const TuningKey &Key, const ListedScript *Script);
  void report(const TunedKernel &Entry, const Kernel &K, llvm::StringRef Stale);

  llvm::Function &F;
  llvm::FunctionAnalysisManager &FAM;
  const Options &O;
  bool Listens;                       ///< somebody reads what could be tried
  std::map<std::string, Options> Own; ///< by kernel
  llvm::StringSet<> Said;
};

} // namespace dlopt

#endif // DLOPT_VECTORIZE_TUNING_H
