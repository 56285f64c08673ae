//===- SelectRows.cpp - Kernels of rows -----------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Rows in blocks, and what stands behind the guard of rows in lanes: the same
/// for few rows, and in place. (For short parts of rows: SelectAssuming.cpp.)
///
//===----------------------------------------------------------------------===//
#include "InPlace.h"
#include "LaneStrategy.h"
#include "Selector.h"
#include "dlopt/KernelEdit.h"
#include "dlopt/ReplaceNest.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace dlopt;

/// Whether rows that have arrays or scalars for themselves are more in blocks.
bool Selector::blockRows(const RaisedKernel &RK, KernelChoice &Choice) {
  if (!O.runs(Transformation::RowBlocks) ||
      any_of(RK.LiveOuts, [](const auto &Out) { return bool(Out.Local); }))
    return false;
  // There are none in a block.
  const Loop *Around = RK.Nest->getParentLoop();
  if (Around && findOptionMDForLoop(Around, BlockLoopTag))
    return false;
  auto Own = std::make_unique<Kernel>();
  copyKernel(*RK.K, *Own);
  if (O.FastFP)
    assumeFastFP(*Own);
  const auto &TLI = FAM.getResult<TargetLibraryAnalysis>(F);
  findPrivateSizes(*Own, RK, TLI);
  return chooseRowBlocks(*Own, findPrivateBuffers(RK, TLI), Target,
                         getMathPlan(F, Target, O), O, StackLimit, Choice);
}

std::vector<RaisedKernel> Selector::blockInPlace(const RaisedKernel &RK) {
  std::vector<RaisedKernel> Same;
  if (!O.runs(Transformation::InPlace))
    return Same;
  for (const InPlacePair &Pair : getInPlacePairs(*RK.K)) {
    std::optional<RaisedKernel> Own =
        raiseNest(*RK.Nest, F, FAM, &Pair.Pointers);
    KernelChoice Choice;
    if (!Own || !blockRows(*Own, Choice))
      continue;
    Own->K = std::move(Choice.Distributed);
    if (canReplaceNest(*Own, F).ok() && checkNeeds(*Own).ok())
      Same.push_back(std::move(*Own));
  }
  return Same;
}

/// Whether \p Choice has lanes for more than vectors that are wider than
/// LLVM's.
static bool hasOwnLanes(const KernelChoice &Choice) {
  return Choice.Lanes && !Choice.AsLoops && !Choice.Lanes->OnlyWider &&
         !Choice.Lanes->OnlyVectors && !Choice.Lanes->OnlyStreams;
}

/// Appends the job for the nest of \p RK where \p Choice, rows in lanes, has
/// too few: there are lanes along each row then. Where the whole has none,
/// loops inside that compute functions have; where these have none, either,
/// lanes of rows take two of them.
void Selector::selectFewRows(const RaisedKernel &RK, KernelChoice &Choice,
                             bool InPlace, SmallVectorImpl<Job> &Jobs) {
  const size_t Before = Jobs.size();
  const Kernel &Chosen = Choice.Distributed ? *Choice.Distributed : *RK.K;
  // Searches of few rows have lanes along these anyway.
  if (!Choice.Lanes || Choice.Lanes->RowByRow || Choice.Lanes->LongSearch ||
      !mayBeFewRows(Chosen, *Choice.Lanes))
    return;
  Options Along = O;
  Along.disable(Transformation::RowLanes);
  auto K = std::make_unique<Kernel>();
  copyKernel(*RK.K, *K);
  RaisedKernel Own = getSameNest(RK, std::move(K));
  KernelChoice OfFew;
  Verdict V = InPlace ? chooseInPlace(Own, Target, Along, OfFew)
                      : chooseKernel(Own, Target, Along, StackLimit, OfFew);
  if (V.ok() && hasOwnLanes(OfFew) && OfFew.Lanes->Axes != Choice.Lanes->Axes &&
      checkNeeds(Own).ok()) {
    Jobs.push_back({std::move(Own), std::move(OfFew)});
    return;
  }
  SmallVector<Job, 2> Inside;
  if (!InPlace && Choice.Lanes->Models)
    selectInside(*RK.Nest, Inside, /*Innermost=*/true);
  const bool Computes = any_of(Inside, [](const Job &J) {
    return hasOwnLanes(J.Choice) && J.Choice.Lanes->Models;
  });
  for (Job &J : Inside)
    if (Computes && hasOwnLanes(J.Choice))
      Jobs.push_back(std::move(J));
  Choice.Lanes->TakesFewRows = Jobs.size() == Before;
}

/// Makes arrays of their own of parts of an array, as they are in place, where
/// an array is written that has another part behind it: code for two arrays is
/// that for one then. \p Choice: of \p RK, lanes, and of what that becomes.
void Selector::separateParts(RaisedKernel &RK, KernelChoice &Choice) {
  if (!O.runs(Transformation::InPlace) ||
      RK.Parts != RaisedKernel::Parts::Joined)
    return;
  auto AreApart = [&](const InPlacePair &Pair) {
    auto Own = raiseNest(*RK.Nest, F, FAM, &Pair.Pointers);
    return Own && Own->Parts == RaisedKernel::Parts::Apart;
  };
  std::optional<RaisedKernel> Own;
  if (any_of(getInPlacePairs(*RK.K), AreApart))
    Own = raiseNest(*RK.Nest, F, FAM, /*Same=*/nullptr, /*PartsApart=*/true);
  KernelChoice Other;
  if (!Own || !choose(*Own, Other).ok() || !Other.Lanes ||
      Other.Lanes->Axes != Choice.Lanes->Axes || !checkNeeds(*Own).ok())
    return;
  Own->K->Id = RK.K->Id;
  Own->KeepsOrder = Other.KeepsOrder;
  RK = std::move(*Own);
  Choice = std::move(Other);
}

/// Appends jobs for the nest of \p RK where it is called in place.
void Selector::selectInPlace(const RaisedKernel &RK,
                             SmallVectorImpl<Job> &Jobs) {
  if (!O.runs(Transformation::InPlace))
    return;
  for (const InPlacePair &Pair : getInPlacePairs(*RK.K)) {
    std::optional<RaisedKernel> Own =
        raiseNest(*RK.Nest, F, FAM, &Pair.Pointers,
                  RK.Parts == RaisedKernel::Parts::Apart);
    KernelChoice Choice;
    Verdict V = {Reason::NoStrategy, nullptr, ""};
    if (Own)
      V = chooseInPlace(*Own, Target, O, Choice);
    if (V.ok()) {
      keepsNarrow(*Own, Choice);
      V = checkNeeds(*Own);
    }
    if (V.ok()) {
      SmallVector<Job, 1> Few;
      selectFewRows(*Own, Choice, /*InPlace=*/true, Few);
      Jobs.push_back({std::move(*Own), std::move(Choice)});
      Jobs.append(std::make_move_iterator(Few.begin()),
                  std::make_move_iterator(Few.end()));
      continue;
    }
    if (Own && explainsVerdicts())
      V = explain(*Own, std::move(V));
    V.Detail = Pair.Name;
    InPlace.emplace_back(V, *RK.Nest);
  }
}
