//===- RowBlockChoice.cpp - Whether rows are more in blocks ---------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ContractionStrategy.h"
#include "LaneStrategy.h"
#include "RowBlocks.h"
#include "dlopt/Dependences.h"
#include "dlopt/MathModels.h"
#include "dlopt/Raise.h"
#include "dlopt/Triangle.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace dlopt;

static unsigned countMatrices(const KernelChoice &Choice) {
  return count_if(Choice.Parts, [](const auto &P) {
    return P && !P->M.empty() && !P->N.empty();
  });
}

/// Rows of loops that call, where others sum, are long enough for lanes along
/// them; in shorter ones lanes of rows are as fast.
static constexpr int64_t ShortestCalls = 8;

static bool isModelled(const Op &O, const MathPlan &Math) {
  return !O.FMF.approxFunc() && getMathModel(O, Math);
}

/// Whether loops below \p Depth axes call what has a model, and others sum:
/// lanes of both at once are slow, as calls want lanes along a row, and sums in
/// order rows.
static bool callsBesideSums(const Kernel &K, size_t Depth,
                            const MathPlan &Math) {
  bool Calls = false, Sums = false;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId> Around) {
    if (Around.size() <= Depth)
      return;
    Sums |= any_of(Around.drop_front(Depth),
                   [&](AxisId A) { return K.Axes[A].R != Role::Parallel; });
    auto IsCall = [&](const Op &O) { return isModelled(O, Math); };
    Calls |= any_of(L.Ops, IsCall) &&
             getRounds(K, Around.back()).value_or(ShortestCalls) >=
                 uint64_t(ShortestCalls);
  });
  return Calls && Sums;
}

/// Whether all that rounds of the innermost of \p Depth axes read and write are
/// neighbours: in its lanes calls and sums are both fast.
static bool areNeighbours(const Kernel &K, size_t Depth) {
  bool Are = true, Any = false;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId> Around) {
    if (Around.size() < Depth || !Depth) {
      Are = false;
      return;
    }
    AxisId Lane = Around[Depth - 1];
    auto Visit = [&](const Access &X) {
      if (K.Buffers[X.Buf].IsLocal || !K.dependsOn(X.offset(), Lane))
        return;
      std::optional<Poly> Stride = getStride(K, X.offset(), Lane);
      Are &= Stride && Stride->getConstant() == 1;
      Any = true;
    };
    for (const Op &O : L.Ops)
      if (O.K == Op::Load)
        Visit(O.Acc);
    for (const Assign &A : L.Assigns)
      Visit(A.Target);
  });
  return Are && Any;
}

/// Whether a loop below \p N still calls and sums.
static bool callsInSums(const Kernel &K, const Node &N, const MathPlan &Math) {
  auto IsCall = [&](const Op &O) { return isModelled(O, Math); };
  bool Calls = any_of(N.Children, [&](const auto &C) {
    return C->K == Node::LeafNode && any_of(C->L.Ops, IsCall);
  });
  bool Sums = any_of(N.Children, [&](const auto &C) {
    return any_of(C->L.Assigns, [&](const Assign &A) {
      return K.Buffers[A.Target.Buf].Where == Buffer::Stack &&
             none_of(A.Target.Subs,
                     [&](const Poly &P) { return K.dependsOn(P, N.Ax); });
    });
  });
  return (N.K == Node::AxisNode && Calls && Sums) ||
         any_of(N.Children,
                [&](const auto &C) { return callsInSums(K, *C, Math); });
}

/// Needs loops that call to be long, where that is known in front of \p K.
static void needLongCalls(Kernel &K, const MathPlan &Math) {
  std::vector<Need> Needs;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId> Around) {
    auto IsCall = [&](const Op &O) { return isModelled(O, Math); };
    if (Around.empty() || none_of(L.Ops, IsCall))
      return;
    const Poly &Rounds = K.Axes[Around.back()].Extents.front();
    if (!K.isFixed(Rounds) || Rounds.getConstant())
      return;
    Needs.push_back(getAtLeast(Rounds, ShortestCalls));
  });
  adoptNeeds(K, std::move(Needs));
}

/// The axes that are right inside of each other, around all of the first nest.
static size_t countAxesAround(const Kernel &K) {
  size_t Axes = 0;
  for (const Node *N = K.Root.Children.front().get(); N->K == Node::AxisNode;
       N = N->Children.front().get()) {
    ++Axes;
    if (N->Children.size() != 1)
      break;
  }
  return Axes;
}

bool dlopt::chooseRowBlocks(const Kernel &K, ArrayRef<BufferId> Hidden,
                            const TargetModel &Target, const MathPlan &Math,
                            const Options &O, uint64_t StackLimit,
                            KernelChoice &Choice) {
  RowBlocks Blocks(K, Hidden, StackLimit);
  if (!Blocks)
    return false;
  KernelChoice Whole, Separate;
  chooseParts(K, Target, O, StackLimit, Whole);
  chooseParts(*Blocks.separate(), Target, O, StackLimit, Separate);
  bool HasMore = countMatrices(Separate) > countMatrices(Whole);
  bool HasCalls = Whole.Parts.empty() &&
                  callsBesideSums(K, Blocks.getDepth(), Math) &&
                  !areNeighbours(K, Blocks.getDepth());
  if (!HasMore && !HasCalls)
    return false;
  // What functions make of rows passes through a cache from loop to loop.
  constexpr uint64_t RowsOfCalls = 16;
  std::unique_ptr<Kernel> Rows =
      Blocks.block(HasMore ? UINT64_MAX : RowsOfCalls);
  if (HasCalls) {
    reloadResults(*Rows);
    // A block of rows passes from loop to loop while a cache holds it.
    distribute(*Rows, 0, Distribution::Full, HasMore ? 0 : Blocks.getDepth());
    needLongCalls(*Rows, Math);
    // Else a row still is one loop around all that it does.
    bool AreApart = countAxesAround(*Rows) == Blocks.getDepth();
    if (!HasMore && (!AreApart || callsInSums(*Rows, Rows->Root, Math)))
      return false;
  }
  Choice = KernelChoice();
  Choice.AsLoops = true;
  Choice.How = "by blocks of rows";
  Choice.InBlocks = true;
  Choice.Distributed = std::move(Rows);
  return true;
}
