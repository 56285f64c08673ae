//===- Nest.h - State shared while one loop nest is raised -----*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_RAISE_NEST_H
#define DLOPT_RAISE_NEST_H

#include "dlopt/Raise.h"
#include "dlopt/Ranges.h"
#include "dlopt/Remarks.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

namespace llvm {
class AAResults;
class DataLayout;
class DominatorTree;
class PostDominatorTree;
class TargetLibraryInfo;
} // namespace llvm

namespace dlopt {

/// Analyses of the function.
struct RaiseContext {
  llvm::Function &F;
  llvm::LoopInfo &LI;
  llvm::DominatorTree &DT;
  llvm::PostDominatorTree &PDT;
  llvm::AAResults &AA;
  const llvm::TargetLibraryInfo &TLI;
  const llvm::DataLayout &DL;
  /// Pointers that are taken to be one, if any.
  const PointerPair *Same = nullptr;
  /// Numbers and pointers that the nest may overwrite, as far as is known, are
  /// read once, in front: the kernel needs that it does not write them.
  bool ReadsAhead = false;
  /// Places in an array that are computed in front of the nest are arrays of
  /// their own: the kernel needs that these are disjoint.
  bool PartsApart = false;
  /// What is set or copied as a block may have the type that it has elsewhere.
  bool LooksAround = false;
};

/// How a loop is left.
enum class ExitKind { Header, Latch };

/// Control of one loop.
struct LoopControl {
  ExitKind Exit = ExitKind::Header;
  llvm::BasicBlock *Preheader = nullptr, *Header = nullptr, *Latch = nullptr,
                   *ExitBlock = nullptr;
  /// The block that tests it: Header or Latch.
  llvm::BasicBlock *Exiting = nullptr;
  /// First block of the body behind the test (Header unless Exit is Header).
  llvm::BasicBlock *BodyEntry = nullptr;
  AxisId Ax = 0;
  /// Of a loop that is a part of its axis: what counts, from where on it does
  /// in the axis, and the rounds that the loop has (ClampedLoops.cpp).
  llvm::PHINode *Clamped = nullptr;
  Poly Start;
  bool IsSigned = false, InBothReadings = false;
  /// Where in the axis the first round is, and how many there are if a value
  /// says so, of values that are no polynomials.
  Poly FirstRound;
  std::optional<Poly> Rounds;
  llvm::SmallVector<Constraint, 4> Within;
  /// Positions of the loop in the linear order of the nest: [Begin, End).
  unsigned Begin = 0, End = 0;
};

/// The nest that is being raised and the kernel that it becomes. Components
/// answer false or nullopt after fail(); the first failure is the verdict.
struct NestState {
  NestState(RaiseContext &Ctx, llvm::Loop &Nest, Kernel &K)
      : Ctx(Ctx), Nest(Nest), K(K) {}

  RaiseContext &Ctx;
  llvm::Loop &Nest;
  Kernel &K;
  llvm::DenseMap<const llvm::Loop *, LoopControl> Controls;
  Verdict Failure;
  /// Preheaders behind conditions that hold where their loops have a round.
  llvm::SmallPtrSet<const llvm::BasicBlock *, 4> Implied;

  bool fail(Reason R, const llvm::Value *Culprit = nullptr,
            llvm::StringRef Detail = "");
  bool failed() const { return !Failure.ok(); }
  /// The loop of the nest that holds \p V; null outside.
  llvm::Loop *loopOf(const llvm::Value *V) const;
  bool isInside(const llvm::Value *V) const { return loopOf(V) != nullptr; }
  /// Axes that enclose \p L, itself included, outermost first.
  llvm::SmallVector<AxisId, 6> axesOf(const llvm::Loop *L) const;
  unsigned depthOf(const llvm::Loop *L) const;

  ParamId getParam(llvm::Value *V, bool Signed, unsigned Depth = 0);
  void addInRange(Poly P, int64_t Lo, int64_t Hi);
  /// What is generated of the kernel grows with what its leaves compute and
  /// ask: each lane may ask for itself. Too much fails.
  bool checkSize();
  /// What reordering is legal is found out from all pairs of accesses to an
  /// array that is written. Too many fail.
  bool checkAccesses();
  /// Whether \p BB runs in each iteration of the loops of the nest around it
  /// (where these have one).
  bool isUnconditional(const llvm::BasicBlock *BB) const;
};

/// Whether the load or store \p I is aligned as its type: code that is
/// generated assumes that.
bool isAligned(const NestState &S, const llvm::Instruction &I);

/// floor(Num / Den) for positive \p Den, written without a quotient where it is
/// exact.
Poly divideFloor(Kernel &K, const Poly &Num, const Poly &Den);
/// Whether \p P is larger than indices of programs are. The time of every walk
/// over it is in proportion to its size, quotients and bounds of axes included,
/// which repeated products and quotients make grow exponentially.
bool isTooLarge(const Kernel &K, const Poly &P);
/// \p P with \p By for each \p A; nullopt if that may be too large.
std::optional<Poly> substituteWithin(const Poly &P, AtomId A, const Poly &By);
/// The product; nullopt if that may be too large.
std::optional<Poly> multiplyWithin(const Poly &A, const Poly &B);
/// True if \p C follows from one of \p Axes having a round.
bool isImplied(const Kernel &K, const Constraint &C,
               llvm::ArrayRef<AxisId> Axes);

} // namespace dlopt

#endif // DLOPT_RAISE_NEST_H
