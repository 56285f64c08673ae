//===- Skeleton.h - Control flow of a nest ---------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_RAISE_SKELETON_H
#define DLOPT_RAISE_SKELETON_H

#include "Nest.h"
#include "llvm/ADT/SetVector.h"

namespace llvm {
class CondBrInst;
class MemIntrinsic;
} // namespace llvm

namespace dlopt {

/// Index of a condition in Skeleton; True holds always.
using GuardId = uint32_t;

/// A condition under which a block runs, built from branch conditions.
struct Guard {
  enum Kind : uint8_t { True, Literal, And, Or } K = True;
  llvm::Value *Cond = nullptr;       ///< Literal
  bool Negated = false;              ///< Literal
  llvm::BasicBlock *Block = nullptr; ///< Literal: where it is tested
  GuardId A = 0, B = 0;              ///< And, Or
};

/// Loops, the linear order of their instructions, and the condition of each
/// block. In the order each loop is contiguous and definitions come before
/// uses, so what happens between two instructions lies between their positions.
class Skeleton {
public:
  explicit Skeleton(NestState &S) : S(S) { Guards.emplace_back(); }

  /// Finds the control of each loop; refuses what no kernel contains.
  bool checkShape();
  bool checkInstructions();
  /// Positions and conditions.
  bool layOut();

  unsigned getPosition(const llvm::Instruction *I) const {
    auto It = Positions.find(I);
    return It == Positions.end() ? 0 : It->second;
  }
  /// Within one round of the loop around it.
  GuardId getGuard(const llvm::BasicBlock *BB) const {
    return BlockGuards.lookup(BB);
  }
  GuardId getEdgeGuard(llvm::BasicBlock *From, const llvm::BasicBlock *To);
  const Guard &operator[](GuardId G) const { return Guards[G]; }
  /// Branches that leave the whole nest beside the tests of the loops; what
  /// they ask must never be true where the kernel runs.
  llvm::ArrayRef<llvm::CondBrInst *> sideExits() const {
    return SideExits.getArrayRef();
  }
  /// Conjuncts of \p BB's guard and of those of the loops around it.
  void collectConjuncts(GuardId G, const llvm::Loop *L,
                        llvm::SmallVectorImpl<GuardId> &Out) const;

private:
  bool checkLoop(llvm::Loop &L);
  bool checkSideExits(llvm::Loop &L, const llvm::BasicBlock *Exiting);
  bool checkInstruction(llvm::Instruction &I);
  bool checkCall(const llvm::CallBase &C);
  bool checkBlock(const llvm::MemIntrinsic &M);
  void layOut(llvm::Loop &L);
  void orderBlocks(llvm::Loop &L, llvm::BasicBlock *BB,
                   llvm::DenseMap<llvm::BasicBlock *, bool> &Seen,
                   llvm::SmallVectorImpl<llvm::BasicBlock *> &PostOrder);
  llvm::Loop *getChildLoop(const llvm::Loop &L,
                           const llvm::BasicBlock *BB) const;
  GuardId computeGuard(llvm::Loop &L, llvm::BasicBlock *BB);
  GuardId getAnd(GuardId A, GuardId B);
  GuardId add(Guard G);

  NestState &S;
  llvm::DenseMap<const llvm::Instruction *, unsigned> Positions;
  llvm::DenseMap<const llvm::BasicBlock *, GuardId> BlockGuards;
  std::vector<Guard> Guards;
  llvm::SmallSetVector<llvm::CondBrInst *, 4> SideExits;
  unsigned Next = 1;
};

/// Whether \p C is a libm function of the model that the loop may call.
bool isMathCall(const NestState &S, const llvm::CallBase &C);

} // namespace dlopt

#endif // DLOPT_RAISE_SKELETON_H
