//===- TakenKernels.h - What is said of transformed kernels -----*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_VECTORIZE_TAKENKERNELS_H
#define DLOPT_VECTORIZE_TAKENKERNELS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/DiagnosticInfo.h"
#include <utility>
#include <vector>

namespace llvm {
class AAResults;
class Function;
class OptimizationRemarkEmitter;
} // namespace llvm

namespace dlopt {

class Kernel;

/// Whether \p K is what its nest is only where some arrays do not overlap,
/// which \p AA does not know. Of kernels whose nest is still there.
bool testsOverlap(const Kernel &K, llvm::AAResults &AA);

/// The kernels of one function that something was made of. A loop of the source
/// may be several, its parts and its versions for arrays that are one: it has
/// one remark, with all numbers, and the others are analysis remarks. Which
/// ones there are is known when the function is done.
class TakenKernels {
public:
  /// For what is inlined, \p Say appends all but the number, the place and
  /// what becomes of arrays that overlap.
  void
  add(const llvm::Function &F, const char *Tag, const llvm::DebugLoc &Loc,
      unsigned Number, bool TestsOverlap,
      llvm::function_ref<void(llvm::DiagnosticInfoOptimizationBase &)> Say);
  /// An analysis remark of \p Pass on what was added last, behind its own.
  void addScript(
      const llvm::Function &F, const char *Pass,
      llvm::function_ref<void(llvm::DiagnosticInfoOptimizationBase &)> Say);
  /// Says all, and forgets it.
  void emit(const llvm::Function &F, llvm::OptimizationRemarkEmitter &ORE);

private:
  using Arguments =
      llvm::SmallVector<llvm::DiagnosticInfoOptimizationBase::Argument, 12>;
  struct Entry {
    const char *Tag;
    llvm::DebugLoc Loc;
    unsigned Number;
    bool TestsOverlap;
    Arguments Args;
    std::vector<std::pair<const char *, Arguments>> Scripts; ///< by pass
  };
  /// The first is the one that the loop is called by.
  using Group = std::vector<Entry>;

  static bool saySame(const Group &A, const Group &B);
  void joinEqual();
  static void setTier(Group &G);
  static llvm::StringRef describeOverlap(const Group &G);
  static void emitScripts(const Entry &E, const llvm::Function &F,
                          llvm::OptimizationRemarkEmitter &ORE);
  std::vector<Group> Groups;
  Group *Last = nullptr; ///< has what was added last
};

} // namespace dlopt

#endif // DLOPT_VECTORIZE_TAKENKERNELS_H
