//===- LaneStrategy.h - Which axes become lanes ----------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_VECTORIZE_LANESTRATEGY_H
#define DLOPT_VECTORIZE_LANESTRATEGY_H

#include "dlopt/Guards.h"
#include "dlopt/Lanes.h"
#include "dlopt/Remarks.h"

namespace dlopt {

struct Options;
struct TargetModel;

/// Ok and \p Plan for \p K, which may get more needs, or why it is left alone.
/// Taken is what LLVM's vectorizers leave scalar or slow: loops around sums in
/// their order, around strided reductions, transposes.
Verdict chooseLanes(Kernel &K, const TargetModel &Target, const Options &O,
                    const llvm::Function &F, LanePlan &Plan);

/// The same for a thread of a GPU of NVIDIA's: axes along which it reads or
/// writes vectors.
Verdict chooseThreadVectors(Kernel &K, const TargetModel &Target,
                            const Options &O, const llvm::Function &F,
                            LanePlan &Plan);

/// Whether loops of lanes never have the iterations that are worth a call, as
/// what a loop in steps of four leaves.
bool areTooShort(const Kernel &K, const LanePlan &Plan);

/// Whether axes of lanes that are rows may have fewer than are worth a call.
bool mayBeFewRows(const Kernel &K, const LanePlan &Plan);

/// What \p Plan keeps of the results: "exact", "approximated", "reassociated".
llvm::StringRef getTier(const Kernel &K, const LanePlan &Plan);

/// Whether child number \p Child of \p N is in lanes of that axis, if these are
/// any, and does not run row by row.
bool runsInLanes(llvm::ArrayRef<LanePlan::Split> Splits, const Node &N,
                 unsigned Child);

/// Whether \p L reads, at a loaded index, what no test tells apart from what it
/// stores.
bool readsUntested(const Kernel &K, const Leaf &L);

/// Whether \p Plan leaves reads of \p RK at loaded indices where they are, as
/// seen from the only store.
bool keepsOrder(const RaisedKernel &RK, const LanePlan &Plan);

/// Adds the tests that these vectors are aligned. False: there are none.
bool addAlignmentTests(GuardEmitter &E, const Kernel &K, const LanePlan &Plan);

/// Makes stores below \p N to one element, one of which happens, a single one
/// that always happens. False if there are none.
bool joinStores(Kernel &K, Node &N);

/// Makes leaves below \p N that choose and compute scalars for each other one
/// leaf. False if there are none.
bool joinLeaves(Kernel &K, Node &N);

/// Makes two leaves of one below \p N that reads what is computed under a
/// condition that is a number of the run: with that and without.
bool splitTest(Kernel &K, Node &N);

/// Lets the condition hold of a leaf below \p N that reads something under one
/// that is a number of the run. False if there is none.
bool assumeTest(Kernel &K, Node &N);

/// Whether \p O has a model in double: the library evaluates that, too, for one
/// number so fast that a vector of a few is none of a gain.
bool isFastFunction(const Op &O, const LanePlan &Plan);
constexpr uint64_t LeastOfFastFunctions = 6;
/// Whether \p K has such functions.
bool callsFastFunctions(const Kernel &K, const LanePlan &Plan);

/// \p P is \p Least at least.
Need getAtLeast(const Poly &P, int64_t Least);

/// Makes one axis of parallel rows with sums and the loops around them
/// (JoinRows.cpp), which it returns.
std::optional<AxisId> joinRows(Kernel &K);

/// Makes elements that are always stored, and that loops go on with, locals
/// that are stored at the end; of elements that loops alone store, needs say
/// that these run. False if there are none.
bool keepElements(Kernel &K);

/// Makes places of 64 bits beside narrower values places of 32 bits, under
/// needs. False if there are none.
bool narrowPlaces(Kernel &K);

/// Makes conditions of leaves that nothing changes in the reduction around them
/// conditions of that. False if there are none.
bool hoistConditions(Kernel &K);

/// Changes the order of parallel loops so that those along which elements are
/// neighbours, on either side of a permutation, are the innermost two. False:
/// they are, or there is no such order.
bool turnLoops(Kernel &K);

/// All tests for a kernel in lanes, and the arguments of its function. Not Ok
/// if they cannot be made or are known to fail.
Verdict emitLaneTests(GuardEmitter &E, const Kernel &K, const LanePlan &Plan,
                      llvm::SmallVectorImpl<llvm::Value *> &Inputs);

/// Fills the fast path with a call of what runs \p K in lanes.
llvm::CallInst *emitLanes(GuardedRegion &Region, const Kernel &K,
                          const LanePlan &Plan,
                          llvm::ArrayRef<LaneVariant> Variants,
                          llvm::ArrayRef<llvm::Value *> Inputs,
                          llvm::Function &F, const llvm::DebugLoc &Loc);

} // namespace dlopt

#endif // DLOPT_VECTORIZE_LANESTRATEGY_H
