//===- FirstRounds.h - What tells how long rows are -------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A nest that reads how long each row is, for the test of a loop or to leave
/// where an index is too large:
///
///   for (i...) for (j...) { if (j >= len[i]) exit(); ... a[i][j] ... }
///
/// Where all rows are as long as the first one, the first round of each loop
/// tells of all others. What it reads is read in front of the nest in its
/// order, and so are the rows behind it, each when the nest is known to come to
/// it.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PREPARE_FIRSTROUNDS_H
#define DLOPT_PREPARE_FIRSTROUNDS_H

#include "Versions.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstrTypes.h"

namespace llvm {
class CondBrInst;
class SCEVAddRecExpr;
class StoreInst;
} // namespace llvm

namespace dlopt {

/// Elements of an array of rows that a loop in the nest reads one after the
/// other: a row's address, its length. Without a loop, one place.
struct RowTable {
  llvm::Value *Base = nullptr; ///< does not change in the nest
  int64_t Offset = 0, Step = 0;
  const llvm::Loop *Rounds = nullptr;
  int64_t Size = 0;
};

class FirstRounds : protected NestVersioner {
public:
  using NestVersioner::NestVersioner;

protected:
  /// Finds in which order the nest tests what; false if it cannot be known in
  /// front.
  bool walk();
  /// Whether \p BB is run in every round of the loops around it, unless the
  /// nest is left.
  bool isOnWay(const llvm::BasicBlock *BB) const { return Way.contains(BB); }
  /// Whether \p I only tells how long rows are.
  bool isLength(const llvm::Instruction *I) const;
  /// Whether that is found out by \p I.
  bool isMeasure(const llvm::Instruction *I) const {
    return Measures.contains(I);
  }
  bool isFixed(llvm::Value *V) const;
  /// Whether \p V is known in front where rows are alike.
  bool isKnown(llvm::Value *V, unsigned Depth = 0);
  /// Whether what \p Load reads is never written in the nest; as far as that is
  /// not known, it is tested that it is not.
  bool addTable(const llvm::LoadInst &Load, const RowTable &T);
  /// Whether \p Load reads one element more than \p X, which goes over them,
  /// has rounds.
  static bool readsBehind(const llvm::LoadInst &Load, const llvm::Loop &X) {
    return X.getHeader() == Load.getParent();
  }
  /// Finds which of \p Rows, the loops whose rounds go over them from index 0
  /// on, stores write that cannot be told from the tables. False if it is none.
  bool addWrites(const llvm::SmallMapVector<llvm::LoadInst *,
                                            const llvm::Loop *, 4> &Rows);
  /// The table that \p Load reads, if it is one, and its index.
  bool matchTable(const llvm::LoadInst &Load, RowTable &T,
                  llvm::Value *&Index) const;
  /// Goes to \p Test from \p Entry if all loops run, the nest is not left on
  /// the way and all rows are alike, else to \p Main.
  void emit(llvm::BasicBlock *Entry, llvm::BasicBlock *Test,
            llvm::BasicBlock *Main);
  /// What is known, in the first round.
  llvm::Value *emitCopy(llvm::IRBuilder<> &B, llvm::Value *V);
  /// In the copy all rows are as long as the first one.
  void replaceLengths(llvm::ValueToValueMapTy &Map);

private:
  /// A value that is the same for all rows, if the copy runs.
  struct Length {
    llvm::Instruction *V;
    const llvm::Loop *Rounds; ///< null: it has one value anyway
    llvm::Value *First = nullptr;
  };
  /// What is written behind an address of a row, from its start on.
  struct Write {
    llvm::StoreInst *Store;
    llvm::LoadInst *Row;
    const llvm::Loop *Rounds;  ///< one for each row
    const llvm::Loop *Columns; ///< null: one element
    int64_t Size;
  };
  struct Event {
    enum Kind { Enter, Check, Write, Leave } K;
    const llvm::Loop *X = nullptr;               ///< Enter, Leave
    llvm::CondBrInst *Br = nullptr;              ///< Check
    llvm::StoreInst *Store = nullptr;            ///< Write
    llvm::SmallVector<unsigned, 2> Lengths = {}; ///< first read here
  };

  bool walkLoop(const llvm::Loop &X);
  bool walkBlock(llvm::BasicBlock *BB, const llvm::Loop &X);
  bool isComplete() const;
  bool addCount(const llvm::Loop &X);
  bool addCheck(llvm::Value *Cond, bool Leaves);
  bool followsIndex(llvm::Value *V, const llvm::Loop &X) const;
  bool isWritten(const llvm::LoadInst &Load, const llvm::Value *Array,
                 const llvm::Instruction &By) const;

  llvm::Value *emitCheck(llvm::IRBuilder<> &B, llvm::Value *Cond, bool Leaves);
  llvm::Value *emitApart(llvm::IRBuilder<> &B, const Write &W,
                         llvm::Value *Row);
  void enterLoop(const llvm::Loop &X);
  void emitEnter(llvm::IRBuilder<> &B, const llvm::Loop &X,
                 llvm::BasicBlock *Main);
  void require(llvm::IRBuilder<> &B, llvm::Value *Bit);
  void emitRows(llvm::IRBuilder<> &B, const llvm::Loop &X,
                llvm::BasicBlock *Main);
  void emitBranch(llvm::IRBuilder<> &B, llvm::BasicBlock *Main,
                  const char *Name);

  bool comesBefore(const llvm::Instruction &A,
                   const llvm::Instruction &B) const;

  /// Blocks that each round runs, in their order.
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> Way;
  llvm::SmallPtrSet<const llvm::Instruction *, 16> Measures;
  llvm::SmallVector<Event, 16> Events;
  llvm::SmallVector<Length, 4> Lengths;
  /// Those that may be written, as far as is known.
  llvm::SmallVector<RowTable, 4> Tables;
  llvm::SmallSetVector<llvm::StoreInst *, 2> Writers; ///< of those
  llvm::SmallVector<Write, 2> Writes;
  llvm::BasicBlock *Place = nullptr; ///< new blocks come in front of it
  llvm::Value *Pending = nullptr;    ///< what was tested since the last branch
  llvm::DenseMap<const llvm::Value *, llvm::Value *> Copies;
};

} // namespace dlopt

#endif // DLOPT_PREPARE_FIRSTROUNDS_H
