//===- LightForm.h - Bringing functions into light form ---------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Light form: small callees inlined, SROA, EarlyCSE, InstCombine, SimplifyCFG,
/// LoopSimplify and LCSSA, and nothing that destroys what recognition needs (no
/// rotation, LICM, induction variable rewriting, unrolling).
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_LIGHTFORM_H
#define DLOPT_LIGHTFORM_H

#include "dlopt/Options.h"
#include "dlopt/Remarks.h"
#include "llvm/IR/PassManager.h"

namespace dlopt {

/// A light-form clone of a function beside it in its module. Unless it is
/// swapped in, it disappears with this object and leaves no trace in the module
/// (names, declarations, metadata, use lists that change the object file).
class LightClone {
public:
  /// Null if the function is not worth it (prefilter) or refused; then \p Why
  /// (if not Ok) says why.
  static std::unique_ptr<LightClone> create(llvm::Function &F,
                                            llvm::ModuleAnalysisManager &MAM,
                                            const Options &O, Verdict &Why);
  ~LightClone();
  llvm::Function &get() { return *Clone; }
  /// Moves the clone's body into the original function, keeping its linkage,
  /// comdat, personality, attributes, metadata and DISubprogram.
  void swapIn();

private:
  LightClone(llvm::Function &Original, llvm::Function *Clone,
             llvm::ModuleAnalysisManager &MAM)
      : Original(Original), Clone(Clone), MAM(MAM) {}
  llvm::Function &Original;
  llvm::Function *Clone;
  llvm::ModuleAnalysisManager &MAM;
};

/// True if \p F has a loop that, directly or through small callees, computes on
/// loaded values and stores or reduces.
bool mayHoldKernel(const llvm::Function &F);

} // namespace dlopt

#endif // DLOPT_LIGHTFORM_H
