//===- InvariantLoads.h - Loads that only stores keep in loops --*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// for (i = 0; i < p->n; i++) p->y[i] += p->x[i];   // int8_t *x, *y
/// ->  n = p->n, x = p->x, y = p->y;  for (i = 0; i < n; i++) y[i] += x[i];
///
/// in the copy of a nest, where stores miss what is read: that is for who calls
/// to test (fields()). In front of that test, a load
///
/// * is executed only if the source is sure to execute it: it dominates the
///   latches of the loops around it, or what stands between are conditions that
///   do not change in the nest, which are tested in front of it;
/// * has an address, and conditions, that follow from what the source reads
///   before it stores: what it reads afterwards (a bound, in the latch) may be
///   another value if the stores do not miss it.
///
/// A load that the source executes after stores is hoisted all the same where
/// its own address is known: if the stores miss it, it reads the same value,
/// and if they do not the test fails, whatever was read.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_NOALIAS_INVARIANTLOADS_H
#define DLOPT_NOALIAS_INVARIANTLOADS_H

#include "NestCopy.h"
#include "NestMemory.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

namespace dlopt {

/// What was read in front of the nest though some of its writes may change it.
struct HoistedField {
  llvm::Value *Ptr = nullptr; ///< available in the guard
  uint64_t Size = 0;
  llvm::BitVector Writes; ///< which of NestMemory::writes()
};

class LoadHoister {
public:
  LoadHoister(NestCopy &C, NestMemory &Memory);

  /// Hoists what it can, and what depends on it.
  void run();
  llvm::ArrayRef<HoistedField> fields() const { return Fields; }
  /// Loads that stayed because the source may not reach them.
  const llvm::Instruction *getUnreached() const { return Unreached; }

private:
  /// What leads to a block: a condition, and the value that it has.
  using Condition = std::pair<llvm::Value *, bool>;

  using BlockSet = llvm::SmallSetVector<const llvm::BasicBlock *, 16>;

  bool isOutside(const llvm::Value *V) const;
  bool hoist(llvm::Instruction &I);
  bool isStored(const llvm::LoadInst &Load) const;
  bool hoistLoad(llvm::LoadInst &Load);
  llvm::Value *getLate(llvm::Value *V);
  bool replacePhis(llvm::PHINode &Phi);
  llvm::Value *read(llvm::LoadInst &Load, const BlockSet &Before);
  llvm::Value *moveToGuard(llvm::Instruction &I);
  bool findConditions(llvm::BasicBlock *BB,
                      llvm::SmallVectorImpl<Condition> &Conditions) const;
  BlockSet getBlocksBefore(const llvm::BasicBlock *BB) const;
  bool mayFollowWrite(const llvm::LoadInst &Load, const BlockSet &Before) const;
  bool comesTo(const llvm::BasicBlock *BB, const BlockSet &Before) const;
  void addField(llvm::LoadInst &Load);

  NestCopy &C;
  NestMemory &Memory;
  llvm::DominatorTree DT;
  llvm::LoopInfo LI;
  llvm::Loop &Nest;
  llvm::SmallVector<HoistedField, 8> Fields;
  /// What follows from values that the source reads after it has stored.
  llvm::SmallPtrSet<const llvm::Value *, 8> Late;
  /// What stands for values that are known in front, where they are read late.
  llvm::DenseMap<llvm::Value *, llvm::Instruction *> LateCopies;
  llvm::DenseMap<std::pair<llvm::Value *, llvm::Type *>, llvm::Value *> Known;
  llvm::SmallVector<Condition, 4> Tested;
  const llvm::Instruction *Unreached = nullptr;
};

} // namespace dlopt

#endif // DLOPT_NOALIAS_INVARIANTLOADS_H
