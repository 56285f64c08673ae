//===- OldAccesses.h - What is left of the old loops ------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Loops are replaced as a whole. If one of the source should stay beside what
/// takes its place, each of its accesses finds its element by itself.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_LAYOUT_OLDACCESSES_H
#define DLOPT_PASSES_LAYOUT_OLDACCESSES_H

#include "Tensors.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/ValueHandle.h"

namespace dlopt {

class OldAccesses {
public:
  /// \p I, a load or store of an element of \p T, or a call that sets or copies
  /// such.
  void add(llvm::Instruction &I, const Tensor &T);
  /// All of the nest that lead to \p T.
  void addNest(const llvm::Loop &Nest, const Tensor &T);
  /// Maps what is still there.
  void map();

private:
  void mapBlock(llvm::MemIntrinsic &Block, llvm::ArrayRef<const Tensor *> Ts);

  // What is not there any more has no place; values that take its place in what
  // is not there either do not count.
  llvm::SmallVector<std::pair<llvm::WeakVH, const Tensor *>, 32> All;
  llvm::DenseSet<std::pair<const llvm::Instruction *, const ModuleBuffer *>>
      Seen;
};

} // namespace dlopt

#endif // DLOPT_PASSES_LAYOUT_OLDACCESSES_H
