//===- CheckOutputs.h - What self-checks compare ----------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_SUPPORT_CHECKOUTPUTS_H
#define DLOPT_PASSES_SUPPORT_CHECKOUTPUTS_H

#include "CheckKernel.h"
#include "dlopt/Raise.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"

namespace llvm {
class DominatorTree;
class LoopInfo;
class TargetLibraryInfo;
} // namespace llvm

namespace dlopt {

/// The arrays that the loops of a kernel store to, and with which type.
class CheckOutputs {
public:
  struct Output : CheckOutput {
    std::optional<BufferId> Buf; ///< nullopt: the kernel has no name for it
    /// In elements, of the subscripts by which the kernel names an element.
    llvm::SmallVector<Poly, 2> Strides;
  };

  CheckOutputs() = default;
  CheckOutputs(const RaisedKernel &RK, llvm::LoopInfo &LI,
               const llvm::TargetLibraryInfo &TLI);
  llvm::SmallVector<CheckOutput, 2> describe() const;
  /// The number of the output that \p I stores to, from 1 on. 0: it is no
  /// store, or one to memory that nothing else than the loops reads.
  unsigned find(const llvm::Instruction &I) const { return Stores.lookup(&I); }
  /// Memory with where each output begins, and its strides.
  llvm::Value *emitPlaces(llvm::IRBuilderBase &B, llvm::DominatorTree &DT);

private:
  std::optional<BufferId> findBuffer(const llvm::Instruction &Store,
                                     const llvm::Value *Ptr) const;
  bool isPrivate(const llvm::Value *Ptr, llvm::LoopInfo &LI,
                 const llvm::TargetLibraryInfo &TLI) const;
  unsigned getOutput(std::optional<BufferId> Buf, unsigned Class,
                     unsigned Bytes);

  const RaisedKernel *RK = nullptr;
  llvm::SmallVector<Output, 2> Outputs;
  llvm::DenseMap<const llvm::Instruction *, unsigned> Stores;
};

} // namespace dlopt

#endif // DLOPT_PASSES_SUPPORT_CHECKOUTPUTS_H
