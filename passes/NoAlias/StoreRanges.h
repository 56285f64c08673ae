//===- StoreRanges.h - Tests that stores miss what was read -----*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a load or store accesses in all iterations of a nest, as one range of
/// bytes:
///
///   for (i = 0; i <= m; i++) for (j = 0; j <= n; j++) *(T *)(p + i*s + j*t)
///   ->  [p + min(m*s, 0) + min(n*t, 0), ... + m*|s| + n*|t| + sizeof(T))
///
/// Addresses are exact modulo 2^64; lengths are not, so each product and sum is
/// tested for overflow. Rows of triangles are as long as the longest one. x and
/// y are disjoint if
///
///   start(x) - start(y) >= length(y)  and  start(y) - start(x) >= length(x).
///
/// What is stored is tested against what was read in front of the nest, and in
/// loops with sums in memory each access against each other that it may
/// conflict with: then scoped noalias metadata says so.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_NOALIAS_STORERANGES_H
#define DLOPT_NOALIAS_STORERANGES_H

#include "InvariantLoads.h"
#include "llvm/Analysis/InstSimplifyFolder.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

namespace dlopt {

class StoreRanges {
public:
  StoreRanges(NestCopy &C, NestMemory &Memory,
              llvm::ArrayRef<HoistedField> Fields,
              llvm::FunctionAnalysisManager &FAM);

  /// Whether all ranges that have to be tested are known in front of the nest.
  Verdict check();
  /// Freezes what tests depend on, as far as it may be undefined: the loops use
  /// the same values. \p At: where the nest begins. What check() found is gone.
  void freezeInputs(const llvm::Instruction &At, llvm::AssumptionCache &AC,
                    const llvm::DominatorTree &DT);
  /// Emits the tests, as the last ones of the guard. False: one is known to
  /// fail.
  bool emit();
  /// Says with metadata what the tests have shown.
  void annotate();

private:
  struct Step {
    const llvm::SCEV *Bytes;
    const llvm::Loop *L;
    bool operator==(const Step &O) const {
      return Bytes == O.Bytes && L == O.L;
    }
  };
  /// What the first iteration writes, and how that moves.
  struct Range {
    const llvm::SCEV *Start, *Size;
    llvm::SmallVector<Step, 3> Steps;
    llvm::BitVector Fields; ///< that it must miss
    llvm::SmallVector<llvm::Instruction *, 4> Accesses;
  };
  struct Bytes {
    llvm::Value *Start, *Count;
  };

  /// How often a loop goes back: the same in all iterations of the nest's other
  /// loops, or one more, or one less, in each of one of them.
  struct Backedges {
    const llvm::SCEV *First = nullptr; ///< nullptr: not known
    const llvm::SCEV *Last = nullptr;  ///< nullptr: as the first
    bool IsUp = false;
  };

  Backedges getBackedges(const llvm::Loop &L) const;
  llvm::Value *emitBackedges(const llvm::Loop &L, llvm::APInt &Most);
  Verdict addAccess(llvm::Instruction &I, const llvm::BitVector &Hit);
  Verdict addWrites();
  Verdict addConflicts(const llvm::Loop &Inner);
  bool join(const Range &R);
  Bytes emitRange(const Range &R);
  llvm::Value *emitLength(const Step &S, llvm::Value *&Start,
                          llvm::APInt &Most);
  llvm::Value *emitAddress(const llvm::SCEV *S);
  llvm::Value *expand(const llvm::SCEV *S);
  llvm::Value *emitChecked(bool IsProduct, llvm::Value *X, llvm::Value *Y,
                           const llvm::APInt &Most);
  void emitFieldTests(const Range &R, const Bytes &Mine);
  void testDisjoint(const Bytes &X, const Bytes &Y);

  NestCopy &C;
  NestMemory &Memory;
  llvm::SmallVector<HoistedField, 8> Fields;
  llvm::FunctionAnalysisManager &FAM;
  llvm::ScalarEvolution *SE = nullptr;
  llvm::Loop *Nest = nullptr;
  llvm::SmallVector<Range, 4> Ranges;
  /// Which of them must not overlap.
  llvm::SmallSetVector<std::pair<unsigned, unsigned>, 8> Pairs;
  llvm::IRBuilder<llvm::InstSimplifyFolder> B;
  std::unique_ptr<llvm::SCEVExpander> Expander;
  llvm::Value *Holds = nullptr, *Overflow = nullptr;
};

} // namespace dlopt

#endif // DLOPT_NOALIAS_STORERANGES_H
