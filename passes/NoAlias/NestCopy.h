//===- NestCopy.h - A loop nest in a function of its own --------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a nest would be if a fact held can be asked only of loops that are
/// there: scalar evolution has no "if". A nest is therefore copied into a
/// function of its own, whose arguments are what the nest uses from outside,
/// and changed there. Either the copy becomes the other side of a guard, or it
/// is dropped and has left no trace:
///
///   Entry (guard): tests, hoisted loads ; perhaps several blocks
///     |         \                       ; each may leave for Fallback
///   Header      Fallback                ; the nest as it was
///     |  loops     |
///     \            /
///          Exit
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_NOALIAS_NESTCOPY_H
#define DLOPT_NOALIAS_NESTCOPY_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace llvm {
class Argument;
class DominatorTree;
class GetElementPtrInst;
class Loop;
class LoopInfo;
class PHINode;
} // namespace llvm

namespace dlopt {

/// Loop metadata (a flag) on both sides: they are not versioned again.
inline constexpr llvm::StringLiteral VersionedLoopTag = "dl.versioned";

class NestCopy {
public:
  /// \p Nest: loops that are left in their latches only. \p More: values
  /// available in front of it that the copy will use, too.
  NestCopy(llvm::Loop &Nest, llvm::ArrayRef<llvm::Value *> More,
           llvm::FunctionAnalysisManager &FAM);
  ~NestCopy();
  NestCopy(const NestCopy &) = delete;
  NestCopy &operator=(const NestCopy &) = delete;

  llvm::Function &function() { return *Copy; }
  llvm::BasicBlock *header() const { return Header; }
  /// Where tests and hoisted instructions go: in front of its terminator.
  llvm::BasicBlock *guard() const { return Guard; }
  /// Leaves for the original nest unless \p Condition holds, and goes on in a
  /// new block.
  void addTest(llvm::Value *Condition);

  /// The instruction that \p I is a copy of, if any.
  const llvm::Instruction *getOriginal(const llvm::Instruction *I) const {
    return Originals.lookup(I);
  }
  /// \p I will be gone.
  void forget(const llvm::Instruction &I) { Originals.erase(&I); }
  /// What stands in the copy for \p V: null if nothing does.
  llvm::Value *get(llvm::Value *V) const;
  /// The value that argument \p A stands for; null for the start of a phi that
  /// has several.
  llvm::Value *getActual(const llvm::Argument *A) const;
  llvm::DebugLoc getLoc() const { return Loc; }

  /// Gives the nest what takeOver needs: preheader, an exit of its own, phis
  /// for what is used outside.
  bool close(llvm::DominatorTree &DT, llvm::LoopInfo &LI);
  /// Moves the copy into the function, behind its guard. No analysis of the
  /// function holds afterwards.
  void takeOver();

private:
  /// What an argument stands for. Closing other loops may put a phi in the
  /// place of a value: what counts is what its user, or the preheader's phi,
  /// has when the copy is taken over.
  struct Input {
    llvm::Value *V = nullptr;
    llvm::Use *User = nullptr;
    llvm::PHINode *Start = nullptr;
  };
  bool addMember(llvm::Value *V);
  void addInput(llvm::Value *V, llvm::Use *User, llvm::PHINode *Start);
  void collectInputs(llvm::ArrayRef<llvm::Value *> More);
  void createFunction();
  void cloneBlocks();
  void connectPhis();
  llvm::Value *getCopy(llvm::Value *V) const;

  llvm::Loop &Nest;
  llvm::Function &F;
  llvm::FunctionAnalysisManager &FAM;
  llvm::LoopInfo &LI;
  llvm::DebugLoc Loc;
  llvm::Function *Copy = nullptr;
  llvm::BasicBlock *Entry = nullptr, *Guard = nullptr, *Header = nullptr;
  llvm::BasicBlock *Exit = nullptr, *Fallback = nullptr;
  llvm::BasicBlock *OriginalHeader, *OriginalExit, *Preheader = nullptr;
  llvm::BasicBlock *Entering; ///< null if there are several
  llvm::BasicBlock *Exiting;
  llvm::SmallVector<Input, 16> Inputs; ///< by argument
  /// Computed again: each from an input or a member in front of it.
  llvm::SmallVector<llvm::GetElementPtrInst *, 4> Members;
  llvm::ValueToValueMapTy Map;
  llvm::DenseMap<const llvm::Instruction *, const llvm::Instruction *>
      Originals;
};

} // namespace dlopt

#endif // DLOPT_NOALIAS_NESTCOPY_H
