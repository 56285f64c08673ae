//===- Selector.h - The kernels that a strategy takes -----------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_VECTORIZE_SELECTOR_H
#define DLOPT_VECTORIZE_SELECTOR_H

#include "ContractionStrategy.h"
#include "dlopt/Options.h"
#include "dlopt/Raise.h"
#include "dlopt/Target.h"

namespace dlopt {

/// A kernel and what will be done with it.
struct Job {
  RaisedKernel RK;
  KernelChoice Choice;
};

/// Finds the kernels of one function that a strategy takes.
class Selector {
public:
  Selector(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
           const Options &O);
  /// Appends jobs for \p RK or, where no strategy takes it, for the nests
  /// inside it. The verdict is that on \p RK.
  Verdict select(RaisedKernel RK, llvm::SmallVectorImpl<Job> &Jobs);
  /// What was not taken in place, and where.
  llvm::ArrayRef<std::pair<Verdict, llvm::DebugLoc>> refused() const {
    return Refused;
  }
  Verdict choose(const RaisedKernel &RK, KernelChoice &Choice);
  /// The verdict on \p RK, which is good if that on a nest inside it is.
  Verdict judge(const RaisedKernel &RK);

private:
  bool keepsNarrow(const RaisedKernel &RK, KernelChoice &Choice);
  bool awaitsLink(const RaisedKernel &RK, const KernelChoice &Choice);
  Verdict checkNeeds(const RaisedKernel &RK);
  void selectInside(llvm::Loop &L, llvm::SmallVectorImpl<Job> &Jobs,
                    bool Innermost = false);
  bool hasChoiceInside(llvm::Loop &L);
  bool selectUnit(const RaisedKernel &RK, llvm::SmallVectorImpl<Job> &Jobs);
  void selectInPlace(const RaisedKernel &RK, llvm::SmallVectorImpl<Job> &Jobs);

  llvm::FunctionAnalysisManager &FAM;
  llvm::Function &F;
  const Options &O;
  uint64_t StackLimit;
  TargetModel Target;
  llvm::SmallVector<std::pair<Verdict, llvm::DebugLoc>, 1> Refused;
};

} // namespace dlopt

#endif // DLOPT_VECTORIZE_SELECTOR_H
