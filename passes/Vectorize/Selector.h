//===- Selector.h - The kernels that a strategy takes -----------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_VECTORIZE_SELECTOR_H
#define DLOPT_VECTORIZE_SELECTOR_H

#include "ContractionStrategy.h"
#include "dlopt/Options.h"
#include "dlopt/Raise.h"
#include "dlopt/Target.h"

namespace dlopt {

class Tuning;

/// A kernel and what will be done with it.
struct Job {
  RaisedKernel RK;
  KernelChoice Choice;
  bool IsVersion = false;       ///< one of several: for some sizes, say
  const Options *Own = nullptr; ///< of this kernel alone, if not null
};

/// A nest of which nothing is made. It may be gone when that is said.
struct LeftNest {
  Verdict Why;
  llvm::DebugLoc Start, At; ///< of the nest, and what the verdict points at
  llvm::DebugLoc System;    ///< if it is in a header of the system
  const llvm::BasicBlock *Header;
  std::string Kernel; ///< as describe() has it
  LeftNest(const Verdict &V, const llvm::Loop &L, std::string Kernel = "");
};

/// \p K for the nest of \p RK.
RaisedKernel getSameNest(const RaisedKernel &RK, std::unique_ptr<Kernel> K);

/// A product of two matrices.
bool hasMatrices(const KernelChoice &Choice);

/// Finds the kernels of one function that a strategy takes.
class Selector {
public:
  /// \p IsAsked: somebody asks what there is a strategy for, and nothing is
  /// made of it. \p Tuned: scripts that come first.
  Selector(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
           const Options &O, bool IsAsked = false, Tuning *Tuned = nullptr);
  /// Appends jobs for \p RK or, where no strategy takes it, for the nests
  /// inside it. The verdict is that on \p RK.
  Verdict select(RaisedKernel RK, llvm::SmallVectorImpl<Job> &Jobs);
  /// Appends those for nests inside that of \p RK, if they are better than \p
  /// Choice for the whole. False: they are not.
  bool selectBetterInside(const RaisedKernel &RK, const KernelChoice &Choice,
                          llvm::SmallVectorImpl<Job> &Jobs);
  /// Loops that are no kernels in place.
  llvm::ArrayRef<LeftNest> leftInPlace() const { return InPlace; }
  /// Loops of one row that were looked at together, and are left alone.
  llvm::ArrayRef<LeftNest> leftOfRows() const { return OfRows; }
  Verdict choose(const RaisedKernel &RK, KernelChoice &Choice);
  /// The nest of \p RK, of which blocks of rows are made, where outputs are
  /// inputs: with kernels of the same.
  std::vector<RaisedKernel> blockInPlace(const RaisedKernel &RK);
  /// The verdict on \p RK, which is good if that on a nest inside it is.
  Verdict judge(const RaisedKernel &RK);
  /// \p V, the verdict on \p RK, in the terms of people: whether it is the
  /// order of operations that keeps it, or functions of the library.
  Verdict explain(const RaisedKernel &RK, Verdict V);
  /// Whether windows have another script where it is known what a test in the
  /// loops comes to.
  bool gainsByTest(const RaisedKernel &RK) const;
  /// Appends jobs for windows that are as most are.
  bool selectWindows(const RaisedKernel &RK, const Strategy *Whole,
                     llvm::SmallVectorImpl<Job> &Jobs);

private:
  /// Whether somebody reads remarks.
  bool explainsVerdicts() const;
  bool gainsByFlags(const RaisedKernel &RK, Reason Now,
                    llvm::function_ref<bool(const Op &)> Which);
  bool masksForLLVM(const RaisedKernel &RK) const;
  bool keepsNarrow(const RaisedKernel &RK, KernelChoice &Choice);
  bool awaitsLink(const RaisedKernel &RK, const KernelChoice &Choice);
  Verdict checkNeeds(const RaisedKernel &RK);
  void prepare(Kernel &K) const;
  std::optional<Strategy>
  findForTest(Kernel &K,
              llvm::function_ref<std::optional<Strategy>(const Kernel &,
                                                         const TargetModel &)>
                  Find) const;
  std::optional<Strategy> findScript(Kernel &K, bool IsLoops) const;
  bool isSlowForSteps(const RaisedKernel &RK, const KernelChoice &Choice) const;
  bool schedule(const RaisedKernel &RK, bool IsLoops, KernelChoice &Choice);
  bool blockRows(const RaisedKernel &RK, KernelChoice &Choice);
  bool scheduleApart(const RaisedKernel &RK, bool IsTaken,
                     KernelChoice &Choice);
  std::unique_ptr<Kernel> gather(const Kernel &K) const;
  bool chooseNarrowSums(const RaisedKernel &RK, KernelChoice &Choice) const;
  bool scheduleGathered(const RaisedKernel &RK, KernelChoice &Choice);
  void selectInside(llvm::Loop &L, llvm::SmallVectorImpl<Job> &Jobs,
                    bool Innermost = false);
  bool selectUnit(const RaisedKernel &RK, llvm::SmallVectorImpl<Job> &Jobs);
  bool chooseVariants(const RaisedKernel &RK, KernelChoice &Choice);
  bool selectNarrow(const RaisedKernel &RK, llvm::SmallVectorImpl<Job> &Jobs);
  /// The same for rows whose parts are short, which lanes of rows run faster
  /// than lanes along them, although flags permit these.
  bool selectShortParts(const RaisedKernel &RK,
                        llvm::SmallVectorImpl<Job> &Jobs);
  /// The same for rows that have places of their own where labels are in their
  /// rows, if \p Choice, which is for the nest if \p V is good, has no lanes of
  /// rows that a test can tell to be safe.
  bool selectPlacesInRows(const RaisedKernel &RK, const Verdict &V,
                          const KernelChoice &Choice,
                          llvm::SmallVectorImpl<Job> &Jobs);
  bool selectAssuming(const RaisedKernel &RK, llvm::SmallVectorImpl<Job> &Jobs,
                      llvm::function_ref<bool(Kernel &)> Assume,
                      llvm::function_ref<bool(const KernelChoice &)> IsWanted,
                      bool HasFew = false);
  void selectFew(const RaisedKernel &RK, const Strategy &Before,
                 decltype(findStrategyOfFew) Find,
                 llvm::SmallVectorImpl<Job> &Jobs);
  void selectOtherwise(const RaisedKernel &RK,
                       llvm::SmallVectorImpl<Job> &Jobs);
  void selectFewRows(const RaisedKernel &RK, KernelChoice &Choice, bool InPlace,
                     llvm::SmallVectorImpl<Job> &Jobs);
  void selectInPlace(const RaisedKernel &RK, llvm::SmallVectorImpl<Job> &Jobs);
  void separateParts(RaisedKernel &RK, KernelChoice &Choice);

  llvm::FunctionAnalysisManager &FAM;
  llvm::Function &F;
  const Options &O;
  bool IsAsked;
  Tuning *Tuned;
  uint64_t StackLimit;
  TargetModel Target;
  llvm::SmallVector<LeftNest, 1> InPlace, OfRows;
  /// There is a way for a nest of several loops that select() has looked at.
  bool HasChoice = false;
  /// Jobs were made for windows of a loop around (selectWindows).
  bool HasWindows = false;
  /// The same for short parts of rows (selectShortParts): those of a loop
  /// inside would be the same rows once more.
  bool HasShortParts = false;
  /// Loops around are such that LLVM vectorizes what is inside.
  bool InLoops = false;
};

/// Makes quotients that are rounded to the nearest integer shifts
/// (RoundedQuotients.cpp).
void roundByShifts(Node &N);

} // namespace dlopt

#endif // DLOPT_VECTORIZE_SELECTOR_H
