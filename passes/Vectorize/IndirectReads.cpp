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
/// reads in each round what it stores, and lanes are axes inside of that round.
///
//===----------------------------------------------------------------------===//
#include "LaneStrategy.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instruction.h"

using namespace llvm;
using namespace dlopt;

/// Whether the nest of \p RK writes to memory in one place only.
static bool hasOneStore(const RaisedKernel &RK) {
  unsigned Writes = 0;
  for (const BasicBlock *BB : RK.Nest->blocks())
    Writes += count_if(
        *BB, [](const Instruction &I) { return I.mayWriteToMemory(); });
  return Writes == 1;
}

/// Whether an index is loaded from where another one says.
static bool hasNestedIndices(const Kernel &K) {
  return any_of(K.Atoms, [&](const Atom &A) {
    return A.K == Atom::Load && isIndirect(K, A.Source.offset());
  });
}

bool dlopt::keepsOrder(const RaisedKernel &RK, const LanePlan &Plan) {
  if (Plan.PerThread || Plan.OnlyStreams || Plan.Blocked || Plan.LongSearch ||
      !Plan.Splits.empty() || !hasOneStore(RK) || hasNestedIndices(*RK.K))
    return false;
  const Kernel &K = *RK.K;
  bool Ok = true;
  unsigned Stores = 0;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId> Around) {
    bool InLanes =
        any_of(Around, [&](AxisId A) { return is_contained(Plan.Axes, A); });
    unsigned Here = count_if(L.Assigns, [&](const Assign &A) {
      return !K.Buffers[A.Target.Buf].IsLocal;
    });
    Stores += Here;
    Ok &= !Here || !InLanes;
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
