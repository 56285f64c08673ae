//===- Widening.h - Products of halves added to floats ----------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_FMA_WIDENING_H
#define DLOPT_PASSES_FMA_WIDENING_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/ValueHandle.h"

namespace llvm {
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace dlopt {

struct TargetModel;

/// Acc + fpext(A) * fpext(B), of vectors of whole registers.
struct WideningMulAdd {
  llvm::Instruction *I = nullptr;
  llvm::Value *A = nullptr, *B = nullptr; ///< <N x half>, N a multiple of 4
  /// <N x float>; it may be what another one is replaced by.
  llvm::WeakTrackingVH Acc;
  bool Negated = false; ///< Acc - fpext(A) * fpext(B)
};

/// Those of \p F that its target has instructions for (FEAT_FHM of AArch64).
llvm::SmallVector<WideningMulAdd, 8> findWideningMulAdds(llvm::Function &F,
                                                         const TargetModel &T);

void applyWidening(const WideningMulAdd &W);

} // namespace dlopt

#endif // DLOPT_PASSES_FMA_WIDENING_H
