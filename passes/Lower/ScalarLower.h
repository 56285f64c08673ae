//===- ScalarLower.h - Kernels to loops ------------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_LOWER_SCALARLOWER_H
#define DLOPT_PASSES_LOWER_SCALARLOWER_H

#include "BodyLower.h"

namespace dlopt {

/// Everything in \p K is bound to values that can be computed where it is used,
/// and calls have the operands that the model has.
Verdict checkBindings(const Kernel &K);

/// Turns those of \p Slots that can be into SSA values, in a function whose
/// last block \p B may be at, without a terminator.
void promoteSlots(llvm::IRBuilderBase &B,
                  llvm::ArrayRef<llvm::AllocaInst *> Slots);

/// Emits a subtree in the reference order: one loop per axis, children in
/// order, state in stack slots that become SSA values at the end.
class ScalarLowering {
public:
  ScalarLowering(ScalarContext &C, const Node &Top);
  virtual ~ScalarLowering() = default;
  /// The final values of the locals of rank 0 that Top owns.
  llvm::DenseMap<BufferId, llvm::Value *> run();

protected:
  virtual void lowerAxis(const Node &N);
  virtual void lowerLeaf(const Leaf &L);
  virtual void lowerChildren(const Node &N);
  /// Whether LLVM's vectors would not compute what the loop of \p N does.
  virtual bool mustStayScalar(const Node &) { return false; }
  void lower(const Node &N);
  llvm::Value *getTrip(AxisId A);

  llvm::IRBuilderBase &B;
  const Kernel &K;
  const Node &Top;

private:
  void createLocals(llvm::Function &F);
  void placeArray(llvm::AllocaInst &Array);
  void computeQuotients();
  void computeQuotients(const Poly &P);
  llvm::DenseMap<BufferId, llvm::Value *> promote();

  ScalarContext &C;
  llvm::Value *Stack = nullptr; ///< what it was before arrays
};

} // namespace dlopt

#endif // DLOPT_PASSES_LOWER_SCALARLOWER_H
