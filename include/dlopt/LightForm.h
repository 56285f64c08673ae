//===- LightForm.h - Bringing functions into light form ---------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Light form: small callees inlined, SROA, EarlyCSE, InstCombine, SimplifyCFG,
/// LoopSimplify and LCSSA, and nothing that destroys what recognition needs (no
/// rotation, LICM, induction variable rewriting, unrolling).
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_LIGHTFORM_H
#define DLOPT_LIGHTFORM_H

#include "dlopt/Options.h"
#include "dlopt/Remarks.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/Alignment.h"
#include <memory>

namespace llvm {
class GlobalVariable;
} // namespace llvm

namespace dlopt {

/// Which functions are worth a clone.
enum class Prefilter {
  Arithmetic, ///< those in which strategies may find work: see mayHoldKernel
  AnyLoop     ///< all with a loop (printers, a listener to remarks)
};

/// A light-form clone of a function beside it in its module. Unless it is
/// swapped in, it disappears with this object and leaves no trace in the module
/// (names, declarations, metadata, use lists that change the object file). As
/// long as it lives it bears the name of the original, which has none.
class LightClone {
public:
  /// What is done besides, for kernels that need it.
  enum Form {
    Plain,
    /// Loops over parts of matrices are split into partial and whole rows.
    SplitShares,
    /// Functions that are loops, which may be joined, are inlined.
    Stages,
    /// Functions without loops, too.
    Straight,
    /// Operations on vectors are operations on their elements; loops that had
    /// some are marked (hadVectors).
    Scalars
  };
  /// Null if the function is not worth it (prefilter) or refused; then \p Why
  /// (if not Ok) says why.
  static std::unique_ptr<LightClone>
  create(llvm::Function &F, llvm::ModuleAnalysisManager &MAM, const Options &O,
         Verdict &Why, Prefilter Filter = Prefilter::Arithmetic,
         Form As = Plain);
  ~LightClone();
  LightClone(const LightClone &) = delete;
  LightClone &operator=(const LightClone &) = delete;
  llvm::Function &get() { return *Clone; }
  /// What is called, as long as the clone is not in its place.
  const llvm::Function &getOriginal() const { return Original; }
  /// Copies of nests for what they find mostly.
  enum Versions {
    /// Of nests over arrays of pointers to rows: for rows that are equally far
    /// apart (assumeEvenRows).
    EvenRows,
    /// Of nests that choose among loops by comparing what does not change with
    /// constants: for what is equal (assumeTests).
    Tested,
    /// Of nests that call functions of the math library with what does not
    /// change: for calls that do not set errno (callAhead).
    CalledAhead,
    /// Of nests that read pointers under conditions on their indices: for such
    /// that hold in the middle of the loops (readInMiddle).
    MiddleRead,
    /// Of nests that read memory only if something holds that does not change:
    /// for each outcome (unswitchLoads).
    Unswitched,
    /// Of nests that read pointers and bounds: for loops that all have a round,
    /// in front of which these are read (readAhead).
    ReadAhead,
    /// Of nests that find elements by loops over dimensions: for the usual
    /// numbers of these (assumeRanks).
    Ranks
  };
  /// Adds them. False if there are none: the clone is as it was.
  bool addVersions(Versions V);
  /// Moves the clone's body into the original function, keeping its linkage,
  /// comdat, personality, attributes, metadata and DISubprogram. What get()
  /// returned is gone then, its analyses too; loops and instructions that the
  /// raiser found belong to the original function from now on, but LoopInfo
  /// must be computed again.
  void swapIn();

private:
  LightClone(llvm::Function &F, llvm::FunctionAnalysisManager &FAM)
      : Original(F), FAM(FAM) {}
  void copyBody();
  void recordAlignments();
  void eraseClone();

  llvm::Function &Original;
  llvm::Function *Clone = nullptr;
  llvm::FunctionAnalysisManager &FAM;
  /// Alignments of globals before the clone was simplified, which may have
  /// raised them.
  llvm::SmallVector<std::pair<llvm::GlobalVariable *, llvm::MaybeAlign>, 4>
      Alignments;
};

/// True if \p F has a loop that, directly or through small callees, computes on
/// loaded values (floating-point arithmetic, products of integers) and does
/// nothing that no kernel contains. Cheap: no analyses.
bool mayHoldKernel(const llvm::Function &F);

/// Brings back into light form what has been rewritten: merges loads of what is
/// known, folds branches that are decided, closes loops.
void restoreLightForm(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// The mark of functions that dl-prepare has swapped, for the passes after it
/// (a function attribute: it survives until code generation, which ignores it).
bool isLightForm(const llvm::Function &F);
void markLightForm(llvm::Function &F);

} // namespace dlopt

#endif // DLOPT_LIGHTFORM_H
