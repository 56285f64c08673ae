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
/// and which therefore stay there only for what is stored, if an address or
/// the end of the loop depends on them. LLVM's loop vectorizer does not know
/// the number of iterations of such a loop, or where its accesses are. (Where a
/// load is only an operand, it tests by itself.)
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_NOALIAS_NESTMEMORY_H
#define DLOPT_NOALIAS_NESTMEMORY_H

#include "dlopt/AliasScopes.h"
#include "dlopt/Remarks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/AliasAnalysis.h"

namespace llvm {
class LoadInst;
class LoopInfo;
} // namespace llvm

namespace dlopt {

class NestMemory {
public:
  NestMemory(llvm::Loop &Nest, llvm::LoopInfo &LI, llvm::AAResults &AA);

  /// Whether the nest can be copied and what it does to memory is known.
  Verdict check();
  /// Whether a load as described above is in the nest: cheap.
  bool hasGain();

  /// Stores, and blocks that are set or copied.
  llvm::ArrayRef<llvm::Instruction *> writes() const { return Writes; }
  /// Whether \p Write, one of writes(), may write what \p Load reads, in
  /// whichever iterations.
  bool mayWrite(const llvm::Instruction &Write, const llvm::LoadInst &Load);
  /// What \p Load of the nest reads if nothing in the nest writes it, where
  /// that is known in front of the nest; else null.
  llvm::Value *getAvailable(const llvm::LoadInst &Load);

  llvm::Loop &nest() const { return Nest; }

private:
  Verdict checkLoops() const;
  Verdict checkInstruction(llvm::Instruction &I);
  const llvm::Value *getKnownAddress(const llvm::Value *Ptr);
  bool isGain(const llvm::LoadInst &Load, const llvm::Loop &Inner) const;

  llvm::Loop &Nest;
  llvm::LoopInfo &LI;
  llvm::BatchAAResults AA;
  RoundScopes Scopes;
  llvm::SmallVector<llvm::Instruction *, 8> Writes;
  llvm::DenseMap<const llvm::LoadInst *, llvm::Value *> Available;
};

} // namespace dlopt

#endif // DLOPT_NOALIAS_NESTMEMORY_H
