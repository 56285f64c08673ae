//===- Remembered.h - What loops remember of their rounds -------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_PREPARE_REMEMBERED_H
#define DLOPT_PASSES_PREPARE_REMEMBERED_H

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/PassManager.h"
#include <optional>

namespace llvm {
class BasicBlock;
class DominatorTree;
class Instruction;
class Loop;
class LoopInfo;
class PHINode;
class Use;
class Value;
} // namespace llvm

namespace dlopt {

/// A value that a loop either keeps or replaces in each round: a phi of its
/// header, and the selects and phis by which it is chosen what the next round
/// has.
struct Remembered {
  llvm::PHINode *Phi = nullptr;
  /// Phi first.
  llvm::SmallSetVector<llvm::Instruction *, 4> Choices;
  /// Where choices take what is none and not Phi.
  llvm::SmallVector<llvm::Use *, 4> Taken;

  static std::optional<Remembered> get(llvm::PHINode &Phi, const llvm::Loop &L,
                                       const llvm::LoopInfo &LI);
  llvm::Value *getStart(const llvm::Loop &L) const;
};

/// Where the choice that has \p U takes it.
llvm::Instruction *getPlaceOf(const llvm::Use &U);

/// Blocks that surely run behind a loop, one after the other. A branch in front
/// of it may go around the loop and the first ones.
struct Sequel {
  llvm::SmallVector<llvm::BasicBlock *, 4> Blocks;
  llvm::BasicBlock *Fork = nullptr; ///< leads to the loop and to Join, if any
  llvm::BasicBlock *Join = nullptr; ///< among Blocks
};
/// \p L is left by one block only.
Sequel getSequel(const llvm::Loop &L);

/// Pointers that loops remember, as std::max_element does, become numbers of
/// elements behind the pointer that they start from, where what they may be is
/// a known number of steps away from it. Loops are in simplified form, with
/// phis behind them. True if something changed.
bool countRememberedPointers(const llvm::LoopInfo &LI,
                             const llvm::DominatorTree &DT);

/// Loops that remember where an element is, and read it there, remember the
/// element as well:
///
///   for (...)                        for (...)
///     if (a[i] > a[best])              if (a[i] > value)
///       best = i;                        best = i, value = a[i];
///
/// It starts with the element where the search does, which is read in front
/// where the loop has a round that reads it. True if something changed;
/// analyses are out of date then.
bool rememberElements(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace dlopt

#endif // DLOPT_PASSES_PREPARE_REMEMBERED_H
