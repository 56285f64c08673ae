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

/// By operation: whether \p Roots are computed of it; \p AndCalls: so are all
/// calls that may set errno.
llvm::SmallVector<bool, 16>
findNeeded(const Leaf &L, llvm::ArrayRef<OpId> Roots, bool AndCalls);

/// What leaves and extents are made of: atoms, addresses, operations.
class ScalarContext {
public:
  ScalarContext(llvm::IRBuilderBase &B, const Kernel &K);
  virtual ~ScalarContext() = default;

  /// The address of the element that \p X accesses.
  llvm::Value *getAddress(const Access &X);
  virtual llvm::Value *getPoly(const Poly &P);
  llvm::Value *getParam(ParamId P);
  /// The value of \p O, whose operands are \p Args.
  virtual llvm::Value *getOp(const Op &O, llvm::ArrayRef<llvm::Value *> Args);
  /// Makes all \p Assigns of \p Values at once.
  virtual void assign(llvm::ArrayRef<Assign> Assigns,
                      llvm::ArrayRef<llvm::Value *> Values);
  /// What comes next in a leaf happens only if \p Condition holds, which is a
  /// scalar for \p Branch to test or else becomes a mask of lanes.
  virtual void restrict(llvm::Value *Condition,
                        llvm::function_ref<void(llvm::Value *)> Branch) {
    Branch(Condition);
  }

  llvm::IRBuilderBase &B;
  const Kernel &K;
  llvm::SmallVector<llvm::Value *, 8> AxisValues;
  llvm::DenseMap<BufferId, llvm::AllocaInst *> Locals;
  llvm::SmallVector<llvm::AllocaInst *, 8> AllLocals;
  /// Memory for \p Buf at the entry of \p F, with elements of type \p Elem.
  llvm::AllocaInst *createLocal(llvm::Function &F, BufferId Buf,
                                llvm::Type *Elem);
  /// Values of quotients and remainders that are the same everywhere.
  llvm::DenseMap<AtomId, llvm::Value *> Quotients;
  /// Copies of values from inside the region that are valid here.
  llvm::DenseMap<const llvm::Value *, llvm::Value *> Copies;

protected:
  virtual llvm::Value *getAtom(AtomId Id);
  /// The pointer that all offsets are relative to.
  llvm::Value *getBase(BufferId Buf);
};

/// The alignment of single elements of type \p Elem that are accessed as
/// \p Origin, a load or store, does: which may be known to be at even
/// positions.
llvm::Align getElementAlign(const llvm::Value *Origin, const llvm::Type *Elem);

/// Emits one leaf: domain, predicate, operations, assignments.
void lowerLeaf(ScalarContext &C, const Leaf &L);

/// Elements of a local buffer; nullopt: not a constant.
std::optional<uint64_t> getNumElements(const Buffer &Buf);

/// The row-major offset of \p X in the local buffer it accesses.
Poly getLocalOffset(const Kernel &K, const Access &X);

} // namespace dlopt

#endif // DLOPT_PASSES_LOWER_BODYLOWER_H
