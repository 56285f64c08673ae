//===- BodyLower.h - Leaves to scalar IR ------------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_LOWER_BODYLOWER_H
#define DLOPT_PASSES_LOWER_BODYLOWER_H

#include "dlopt/Lower.h"

namespace dlopt {

/// What leaves and extents are made of: atoms, addresses, operations.
class ScalarContext {
public:
  ScalarContext(llvm::IRBuilderBase &B, const Kernel &K);

  /// The element number \p X accesses, and its address.
  llvm::Value *getAddress(const Access &X);
  llvm::Value *getPoly(const Poly &P);
  llvm::Value *getParam(ParamId P);
  /// The value of \p O, whose operands are \p Args.
  llvm::Value *getOp(const Op &O, llvm::ArrayRef<llvm::Value *> Args);

  llvm::IRBuilderBase &B;
  const Kernel &K;
  llvm::SmallVector<llvm::Value *, 8> AxisValues;
  llvm::DenseMap<BufferId, llvm::AllocaInst *> Locals;
  /// Copies of values from inside the region that are valid here.
  llvm::DenseMap<const llvm::Value *, llvm::Value *> Copies;

private:
  llvm::Value *getBase(BufferId Buf);
  llvm::Value *getAtom(AtomId Id);
};

/// Emits one leaf: domain, predicate, operations, assignments.
void lowerLeaf(ScalarContext &C, const Leaf &L);

/// The row-major offset of \p X in the local buffer it accesses.
Poly getLocalOffset(const Kernel &K, const Access &X);

} // namespace dlopt

#endif // DLOPT_PASSES_LOWER_BODYLOWER_H
