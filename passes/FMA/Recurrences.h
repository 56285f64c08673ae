//===- Recurrences.h - What a loop waits for --------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_FMA_RECURRENCES_H
#define DLOPT_PASSES_FMA_RECURRENCES_H

#include "Sums.h"
#include "dlopt/Remarks.h"
#include "dlopt/Target.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/ValueHandle.h"

namespace llvm {
class Loop;
class PHINode;
} // namespace llvm

namespace dlopt {

/// h + a*(x - h), which is (1 - a)*h + a*x where the flags permit that: one
/// operation of h in place of three.
struct Decay {
  /// Follow what replaces them: H may be a sum of the same plan.
  llvm::WeakTrackingVH H, A, X;
};

/// How a recurrence of a loop could be computed.
struct RecurrencePlan {
  llvm::PHINode *Phi = nullptr;
  /// Cycles of one round as LLVM computes it, and by this plan.
  unsigned Before = 0, After = 0;
  /// Sums that are computed in another form than LLVM's.
  llvm::MapVector<llvm::Instruction *, SumForm> Forms;
  llvm::MapVector<llvm::Instruction *, Decay> Decays;
  /// Not empty: the sums that Phi goes through in a round, and nothing else
  /// does. What they add is added up first.
  llvm::SmallVector<llvm::Instruction *, 8> Chain;
  /// Ok, or why the recurrence stays as it is.
  Reason Why = Reason::Ok;
};

/// The recurrences of an innermost loop with a latch, through one header phi
/// each. Latencies are those of Targets.def for arithmetic and the target's for
/// the rest; memory is not followed.
class LoopRecurrences {
public:
  LoopRecurrences(llvm::Loop &L, const llvm::LoopInfo &LI,
                  const SumFinder &Finder, const TargetModel &T,
                  const llvm::TargetTransformInfo &TTI);

  /// Those of floating-point numbers, each with the best plan.
  llvm::SmallVector<RecurrencePlan, 4> plan() const;
  /// Of an instruction of the loop, null if it is none.
  const Sum *getSum(const llvm::Instruction *I) const;

private:
  using Cycles = std::optional<unsigned>; ///< nullopt: does not depend on Phi
  using Arrivals = llvm::DenseMap<const llvm::Value *, unsigned>;

  unsigned getBusy(const RecurrencePlan &P) const;
  Cycles getProduct(const Arrivals &At, const Addend &A,
                    unsigned Latency) const;
  Cycles getFinish(const Arrivals &At, const Sum &S, SumForm Form) const;
  Cycles getFinish(const Arrivals &At, const llvm::Instruction &I) const;
  std::optional<Decay> findDecay(const Arrivals &At, const Sum &S) const;
  Cycles improve(const Arrivals &At, const Sum &S, bool AnyApart,
                 RecurrencePlan &P) const;
  Cycles getCycle(llvm::PHINode &Phi, RecurrencePlan *P, bool AnyApart) const;
  void findChain(RecurrencePlan &P) const;
  void choose(RecurrencePlan &P) const;

  llvm::Loop &L;
  const TargetModel &T;
  const llvm::TargetTransformInfo &TTI;
  llvm::SmallVector<llvm::Instruction *, 64> Order; ///< of execution
  llvm::DenseMap<const llvm::Instruction *, Sum> Sums;
  /// Products that LLVM makes part of a sum.
  llvm::SmallPtrSet<const llvm::Instruction *, 16> Fused;
};

} // namespace dlopt

#endif // DLOPT_PASSES_FMA_RECURRENCES_H
