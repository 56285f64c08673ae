//===- IndirectReads.cpp - Reads whose places no test knows ---------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `y[i] = log(sum) - x[i*n + label[i]]`: what is read at a loaded index may
/// lie anywhere, in y too. It need not be told apart from y where nothing
/// changes places with it: the nest has one store, in front of which the source
/// reads in each round what it stores, and lanes are axes inside of that round,
/// or rounds whose sums alone they compute.
///
//===----------------------------------------------------------------------===//
#include "LaneStrategy.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instruction.h"

using namespace llvm;
using namespace dlopt;

/// Whether the nest of \p RK writes to memory in one place only. Of functions
/// that set errno the kernel knows.
static bool hasOneStore(const RaisedKernel &RK) {
  unsigned Writes = 0, Calls = 0;
  for (const BasicBlock *BB : RK.Nest->blocks())
    for (const Instruction &I : *BB) {
      Writes += I.mayWriteToMemory();
      Calls += I.mayWriteToMemory() && isa<CallBase>(I);
    }
  SmallPtrSet<const Value *, 4> Known;
  forEachLeaf(RK.K->Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Op &O : L.Ops)
      if (O.K == Op::LibCall && O.WritesErrno && O.Origin)
        Known.insert(O.Origin);
  });
  return Calls == Known.size() && Writes == Calls + 1;
}

/// Whether an index is loaded from where another one says.
static bool hasNestedIndices(const Kernel &K) {
  return any_of(K.Atoms, [&](const Atom &A) {
    return A.K == Atom::Load && isIndirect(K, A.Source.offset());
  });
}

bool dlopt::readsUntested(const Kernel &K, const Leaf &L) {
  auto MayMeet = [&](BufferId Stored, BufferId Read) {
    return any_of(K.Needs, [&](const Need &N) {
      return N.K == Need::Disjoint &&
             ((N.Buf == Stored && is_contained(N.Others, Read)) ||
              (N.Buf == Read && is_contained(N.Others, Stored)));
    });
  };
  return !DLOPT_PLANTED(IndirectReadsUntested) &&
         any_of(L.Assigns, [&](const Assign &A) {
           return !K.Buffers[A.Target.Buf].IsLocal &&
                  any_of(L.Ops, [&](const Op &O) {
                    return O.K == Op::Load && isIndirect(K, O.Acc.offset()) &&
                           MayMeet(A.Target.Buf, O.Acc.Buf);
                  });
         });
}

/// The leaves below \p N that are in lanes of \p Plan, all if \p Are.
static void findInLanes(const LanePlan &Plan, const Node &N, bool Are,
                        SmallPtrSetImpl<const Leaf *> &Leaves) {
  if (N.K == Node::LeafNode && Are)
    Leaves.insert(&N.L);
  bool HasLanes = N.K == Node::AxisNode && is_contained(Plan.Axes, N.Ax);
  for (auto [Number, Child] : enumerate(N.Children))
    findInLanes(Plan, *Child,
                Are || (HasLanes && runsInLanes(Plan.Splits, N, Number)),
                Leaves);
}

bool dlopt::keepsOrder(const RaisedKernel &RK, const LanePlan &Plan) {
  if (Plan.PerThread || Plan.OnlyStreams || Plan.Blocked || Plan.LongSearch ||
      !hasOneStore(RK) || hasNestedIndices(*RK.K))
    return false;
  const Kernel &K = *RK.K;
  SmallPtrSet<const Leaf *, 8> InLanes;
  findInLanes(Plan, K.Root, /*Are=*/false, InLanes);
  bool Ok = true;
  unsigned Stores = 0;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId> Around) {
    unsigned Here = count_if(L.Assigns, [&](const Assign &A) {
      return !K.Buffers[A.Target.Buf].IsLocal;
    });
    Stores += Here;
    Ok &= !Here || !InLanes.contains(&L);
    for (const Assign &A : L.Assigns)
      Ok &= !isIndirect(K, A.Target.offset());
    // What does not change in the innermost loop may be read in front of it in
    // the source, and in each round here.
    for (const Op &O : L.Ops)
      if (O.K == Op::Load && isIndirect(K, O.Acc.offset()))
        Ok &= Here && !Around.empty() && K.dependsOn(O.Acc, Around.back());
  });
  return (Ok && Stores == 1) || DLOPT_PLANTED(IndirectReadsUntested);
}
