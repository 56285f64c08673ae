//===- NestMemory.h - What a loop nest does to memory -----------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which nests can have another version at all, what they write, and what is
/// worth it: loads of an innermost loop whose address does not change in it,
/// and which therefore stay there only for what is stored, if
///
/// * an address or the end of the loop depends on them: LLVM's loop vectorizer
///   does not know the number of iterations of such a loop, or where its
///   accesses are (where a load is only an operand, it tests by itself); or
/// * the loop stores to the same address in each iteration: each waits for the
///   one before to come back from memory.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_NOALIAS_NESTMEMORY_H
#define DLOPT_NOALIAS_NESTMEMORY_H

#include "dlopt/AliasScopes.h"
#include "dlopt/Remarks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/AliasAnalysis.h"

namespace llvm {
class DominatorTree;
class LoadInst;
class LoopInfo;
} // namespace llvm

namespace dlopt {

/// What an innermost loop reads and stores in each iteration, at one address.
struct Accumulator {
  llvm::Loop *Inner = nullptr;
  llvm::Value *Ptr = nullptr;
  llvm::SmallVector<llvm::Instruction *, 4> Accesses; ///< all with that address
};

class NestMemory {
public:
  NestMemory(llvm::Loop &Nest, llvm::LoopInfo &LI,
             const llvm::DominatorTree &DT, llvm::AAResults &AA);

  /// Whether the nest can be copied and what it does to memory is known.
  Verdict check();
  /// Whether a load as described above is in the nest: cheap.
  bool hasGain();
  /// Whether addresses or the ends of loops depend on such loads; hasGain()
  /// finds out.
  bool readsBounds() const { return ReadsBounds; }
  /// Sums in memory; hasGain() finds them.
  llvm::ArrayRef<Accumulator> accumulators() const { return Accumulators; }

  /// Stores, and blocks that are set or copied.
  llvm::ArrayRef<llvm::Instruction *> writes() const { return Writes; }
  /// Whether \p Write, one of writes(), may write what \p Load reads, in
  /// whichever iterations.
  bool mayWrite(const llvm::Instruction &Write, const llvm::LoadInst &Load);
  /// Whether \p X and \p Y, loads or stores, may access the same byte, in
  /// whichever iterations, and one writes.
  bool mayConflict(const llvm::Instruction &X, const llvm::Instruction &Y);
  /// What \p Load of the nest reads if nothing in the nest writes it, where
  /// that is known in front of the nest; else null.
  llvm::Value *getAvailable(const llvm::LoadInst &Load);

  llvm::Loop &nest() const { return Nest; }

private:
  Verdict checkLoops() const;
  Verdict checkInstruction(llvm::Instruction &I);
  const llvm::Value *getKnownAddress(const llvm::Value *Ptr);
  void findAccumulators(llvm::Loop &Inner);
  bool isAccumulator(const Accumulator &A);
  llvm::MemoryLocation getLocation(const llvm::Instruction &I) const;
  bool isGain(const llvm::LoadInst &Load, const llvm::Loop &Inner) const;

  llvm::Loop &Nest;
  llvm::LoopInfo &LI;
  const llvm::DominatorTree &DT;
  llvm::BatchAAResults AA;
  RoundScopes Scopes;
  llvm::SmallVector<llvm::Instruction *, 8> Writes;
  llvm::SmallVector<Accumulator, 2> Accumulators;
  bool ReadsBounds = false;
  llvm::DenseMap<const llvm::LoadInst *, llvm::Value *> Available;
};

} // namespace dlopt

#endif // DLOPT_NOALIAS_NESTMEMORY_H
