//===- Versions.h - Nests with a copy for what holds mostly -----*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PREPARE_VERSIONS_H
#define DLOPT_PREPARE_VERSIONS_H

#include "dlopt/AliasScopes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <optional>

namespace llvm {
class AAResults;
class DominatorTree;
class Loop;
class LoopInfo;
class SCEV;
class ScalarEvolution;
class TargetLibraryInfo;
} // namespace llvm

namespace dlopt {

/// How often a loop runs: an expression of values in front of the nest, or a
/// bound that is read in it (and below 0, if Signed, is none).
struct RoundCount {
  const llvm::SCEV *Known = nullptr;
  llvm::Value *Bound = nullptr;
  bool Signed = false;
  llvm::Value *V = nullptr; ///< i64
};

/// What tests in front of a nest may read, and where: what the nest reads in
/// every round, and nothing in it writes, where all loops around have a round.
class NestVersioner {
public:
  NestVersioner(llvm::Loop &L, llvm::Function &F,
                llvm::FunctionAnalysisManager &FAM);

protected:
  /// Whether the nest can have a copy, and what it reads in every round may be
  /// read in front: nothing in it ends the program or is left by an exception.
  bool canVersion() const;
  /// Whether nothing in the nest writes what \p Load reads.
  bool isUnchanged(const llvm::LoadInst &Load);
  /// Whether \p V has one value in the nest, which can be computed in front: if
  /// that reads memory, the nest must read it too.
  bool isInvariant(llvm::Value *V,
                   llvm::function_ref<bool(const llvm::LoadInst &)> IsRead);
  bool isInvariant(llvm::Value *V) {
    return isInvariant(V, [&](const llvm::LoadInst &I) { return isRead(I); });
  }
  /// How often \p X runs by the test in its header, if that is known or \p
  /// IsKnown says so of its bound.
  std::optional<RoundCount>
  getCount(const llvm::Loop &X,
           llvm::function_ref<bool(llvm::Value *)> IsKnown);
  /// Whether \p BB is run in every round of all loops around it in the nest,
  /// and how often these run is known in front of it.
  bool countRounds(const llvm::BasicBlock *BB);
  /// Whether how often they run can be computed at the end of \p Entry.
  bool canCount(const llvm::BasicBlock *Entry);
  /// Computes it there, as far as nothing has to be read.
  void emitCounts(llvm::BasicBlock *Entry);
  /// Goes to \p Test from \p Entry if all loops run, and to \p Main if one
  /// does not. What a loop reads to know how often it runs is read where those
  /// around it run.
  void emitRuns(llvm::BasicBlock *Entry, llvm::BasicBlock *Test,
                llvm::BasicBlock *Main);
  /// A copy, whose preheader nothing leads to yet. It goes where the nest goes.
  llvm::Loop *copyNest(llvm::BasicBlock *Entry, llvm::BasicBlock *Main,
                       llvm::ValueToValueMapTy &Map, const char *Suffix);
  llvm::Value *copy(llvm::IRBuilderBase &B, llvm::Value *V);

  llvm::Loop &L;
  llvm::Function &F;
  llvm::LoopInfo &LI;
  llvm::DominatorTree &DT;
  llvm::ScalarEvolution &SE;
  llvm::AAResults &AA;
  const llvm::TargetLibraryInfo &TLI;
  const RoundScopes Scopes; ///< of the nest
  /// Of all loops around what was asked for.
  llvm::SmallMapVector<const llvm::Loop *, RoundCount, 4> Counts;

private:
  bool isRead(const llvm::LoadInst &I);

  /// What is computed again in front of the nest.
  llvm::DenseMap<const llvm::Value *, llvm::Value *> Copies;
};

} // namespace dlopt

#endif // DLOPT_PREPARE_VERSIONS_H
