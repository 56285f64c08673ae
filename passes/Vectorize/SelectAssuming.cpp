//===- SelectAssuming.cpp - Jobs where more is true at run time -----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Versions of a nest whose guards ask for more than the nest needs: strides of
/// one element, steps and sizes of windows. What does not fulfil them goes on
/// to the next guard.
///
//===----------------------------------------------------------------------===//
#include "LaneChooser.h"
#include "LaneStrategy.h"
#include "NarrowSums.h"
#include "Selector.h"
#include "dlopt/Lower.h"
#include "dlopt/SingleFilters.h"
#include "dlopt/Transform.h"

using namespace llvm;
using namespace dlopt;

/// Appends a job for \p RK where elements of its rows are neighbours. Loops
/// that LLVM vectorizes are left to it: it asks for that, too.
bool Selector::selectUnit(const RaisedKernel &RK, SmallVectorImpl<Job> &Jobs) {
  // Threads of a GPU that have one column among them are rare.
  auto IsWanted = [&](const KernelChoice &Choice) {
    if (Choice.Schedule && Target.IsNVPTX)
      return false;
    return !Choice.Lanes ||
           !(Choice.Lanes->OnlyWider || Choice.Lanes->OnlyVectors ||
             Choice.Lanes->OnlyStreams);
  };
  return O.runs(Transformation::UnitStrides) &&
         selectAssuming(RK, Jobs, assumeUnitStrides, IsWanted);
}

/// The same where places of elements fit in as many bits as these have.
bool Selector::selectNarrow(const RaisedKernel &RK,
                            SmallVectorImpl<Job> &Jobs) {
  return O.runs(Transformation::UnitStrides) && !HasWindows &&
         selectAssuming(RK, Jobs, narrowPlaces, [](const KernelChoice &Choice) {
           return Choice.Schedule.has_value();
         });
}

/// What is summed up below \p N keeps its order, whatever its flags permit.
static void keepOrder(Node &N) {
  for (Op &O : N.L.Ops)
    if (isFloat(O.Ty) && O.K != Op::LibCall)
      O.FMF.setAllowReassoc(false);
  for (auto &Child : N.Children)
    keepOrder(*Child);
}

namespace {

/// The innermost axis of a sum over several, and the bytes of what it adds.
struct SumPart {
  AxisId Axis;
  unsigned Bytes;
};

} // namespace

/// Adds those of sums in any order below \p N.
static void addParts(const Kernel &K, const Node &N,
                     SmallVectorImpl<SumPart> &Parts) {
  auto IsSum = [&](const Node &X) {
    return X.K == Node::AxisNode && K.Axes[X.Ax].R != Role::Parallel;
  };
  if (IsSum(N) && N.Locals.empty() && N.Children.size() == 1 &&
      IsSum(*N.Children.front())) {
    const Node &Part = *N.Children.front();
    unsigned Bytes = 0;
    for (const auto &Child : Part.Children)
      if (Child->K == Node::LeafNode)
        for (const Op &O : Child->L.Ops)
          if (isFloat(O.Ty) && O.FMF.allowReassoc())
            Bytes = std::max(Bytes, getSizeInBytes(O.Ty));
    if (Bytes)
      Parts.push_back({Part.Ax, Bytes});
  }
  for (const auto &Child : N.Children)
    addParts(K, *Child, Parts);
}

/// Assumes that rows whose sums, of any order, are of several parts each have
/// short parts: with vectors of \p Bits along these most of the time goes into
/// what they leave. In lanes of rows there is nothing left, and sums have their
/// order.
static bool assumeShortParts(Kernel &K, unsigned Bits) {
  // LLVM's loops have as many vectors in a round; two rounds pay.
  constexpr unsigned Vectors = 4, Rounds = 2;
  SmallVector<SumPart, 4> Parts;
  addParts(K, K.Root, Parts);
  for (auto [A, Bytes] : Parts) {
    const int64_t MostElements = Rounds * Vectors * Bits / (8 * Bytes) - 1;
    if (!K.hasFixedExtents(A))
      return false;
    for (const Poly &Extent : K.Axes[A].Extents) {
      std::optional<int64_t> Known = Extent.getConstant();
      if (Known && *Known > MostElements)
        return false;
      if (!Known)
        K.Needs.push_back(getAtLeast(Poly(MostElements) - Extent, 0));
    }
  }
  keepOrder(K.Root);
  return !Parts.empty();
}

/// Whether \p Choice is rows in lanes, of vectors that run along a row besides.
static bool hasLanesOfRows(const KernelChoice &Choice) {
  return Choice.Lanes && Choice.Lanes->AlongVectors > 1;
}

bool Selector::selectShortParts(const RaisedKernel &RK,
                                SmallVectorImpl<Job> &Jobs) {
  auto Assume = [&](Kernel &K) {
    return Target.PlainBits && assumeShortParts(K, Target.PlainBits);
  };
  if (!O.runs(Transformation::RowLanes) || HasShortParts ||
      !selectAssuming(RK, Jobs, Assume, hasLanesOfRows))
    return false;
  // Fewer take as long as these, which vectors along each row do not.
  constexpr unsigned LeastRows = 8;
  Job &Last = Jobs.back();
  LanePlan &Plan = *Last.Choice.Lanes;
  Plan.LeastRows = std::max(Plan.LeastRows, LeastRows);
  if (!areTooShort(Last.Choice.Distributed ? *Last.Choice.Distributed
                                           : *Last.RK.K,
                   Plan))
    return true;
  Jobs.pop_back();
  return false;
}

bool Selector::selectPlacesInRows(const RaisedKernel &RK, const Verdict &V,
                                  const KernelChoice &Choice,
                                  SmallVectorImpl<Job> &Jobs) {
  if (!O.runs(Transformation::RowLanes) || !RK.Clamped.empty() ||
      (V.ok() && hasLanesOfRows(Choice) && checkNeeds(RK).ok()))
    return false;
  // Loops inside have lanes along rows for functions.
  auto IsWanted = [&](const KernelChoice &Choice) {
    return hasLanesOfRows(Choice) &&
           !callsByElement(Choice.Distributed ? *Choice.Distributed : *RK.K,
                           *Choice.Lanes);
  };
  return selectAssuming(RK, Jobs, assumePlacesInRows, IsWanted);
}

bool Selector::gainsByTest(const RaisedKernel &RK) const {
  if (!O.runs(Transformation::Schedules))
    return false;
  Kernel Own, Known;
  copyKernel(*RK.K, Own);
  assumeWindowSteps(Own, 1);
  prepare(Own);
  copyKernel(Own, Known);
  if (!assumeTest(Known, Known.Root))
    return false;
  std::optional<Strategy> Now = findStrategy(Own, Target, /*IsAsked=*/true);
  if (!Now || !Now->IsOfWindows || Now->IsOfDots)
    return false;
  std::optional<Strategy> Then = findStrategy(Known, Target, /*IsAsked=*/true);
  return Then && Then->Name != Now->Name;
}

/// The same of windows that move by so many elements, and are so large, for
/// scripts and products alone. \p Whole: the script for any size, if there is
/// one.
bool Selector::selectWindows(const RaisedKernel &RK, const Strategy *Whole,
                             SmallVectorImpl<Job> &Jobs) {
  if (!O.runs(Transformation::UnitStrides) || HasWindows)
    return false;
  // What most windows are, and whatever they are.
  constexpr int64_t Any = 0;
  SmallVector<Job, 4> OfAny, Small;
  // What copies pixels one by one is as fast for any step.
  auto AssumeNeighbours = [](Kernel &K) {
    bool IsOfNeighbours = assumeNeighbours(K);
    return IsOfNeighbours && (narrowPlaces(K), true);
  };
  const bool HasSteps =
      !Whole && selectAssuming(RK, OfAny, AssumeNeighbours,
                               [](const KernelChoice &Choice) {
                                 return Choice.Schedule &&
                                        Choice.Schedule->IsOfDots;
                               });
  auto Select = [&](int64_t Size, SmallVectorImpl<Job> &To) {
    for (int64_t Step : {1, 2}) {
      bool IsStep = false, IsOfSingles = true;
      auto Assume = [&](Kernel &K) {
        IsStep = assumeWindowSteps(K, Step);
        if (IsStep && (Whole || HasSteps))
          return false;
        if (Size == Any ? !IsStep : !assumeWindowSizes(K, Size))
          return false;
        if (IsOfSingles && !assumeSingleFilters(K))
          return false;
        narrowPlaces(K);
        return true;
      };
      auto IsWanted = [&](const KernelChoice &Choice) {
        return Size == 1 ? hasMatrices(Choice) : Choice.Schedule.has_value();
      };
      selectAssuming(RK, To, Assume, IsWanted);
      IsOfSingles = false;
      // It is much code, so that there is one for few filters.
      selectAssuming(RK, To, Assume, IsWanted,
                     /*HasFew=*/Size == Any && Step == 1);
      if (!IsStep)
        break;
    }
  };
  Select(Any, OfAny);
  // With room for large windows small ones are hardly slower, and those that
  // blocks are not cut along are as fast.
  bool HasRoom =
      (Whole && Whole->isForAnyWindow()) || any_of(OfAny, [](const Job &J) {
        return J.Choice.Schedule && J.Choice.Schedule->isForAnyWindow();
      });
  if (!HasRoom)
    Select(3, Small);
  Select(1, Small);
  const bool HasJobs = !Small.empty() || !OfAny.empty();
  Jobs.append(std::make_move_iterator(Small.begin()),
              std::make_move_iterator(Small.end()));
  Jobs.append(std::make_move_iterator(OfAny.begin()),
              std::make_move_iterator(OfAny.end()));
  return HasJobs;
}

/// Appends a job for the nest of \p RK where what \p Assume adds is true, if it
/// \p IsWanted, and, if \p HasFew, one for too few points for that.
bool Selector::selectAssuming(const RaisedKernel &RK,
                              SmallVectorImpl<Job> &Jobs,
                              function_ref<bool(Kernel &)> Assume,
                              function_ref<bool(const KernelChoice &)> IsWanted,
                              bool HasFew) {
  auto K = std::make_unique<Kernel>();
  copyKernel(*RK.K, *K);
  if (!Assume(*K))
    return false;
  RaisedKernel Own = getSameNest(RK, std::move(K));
  KernelChoice Choice;
  if (!choose(Own, Choice).ok() || Choice.AsLoops || !IsWanted(Choice))
    return false;
  SmallVector<Job, 1> Same;
  if (Choice.Schedule) {
    if (HasFew && (Choice.Schedule->MayBeFew || Choice.Schedule->MayBeLarge))
      selectFew(Own, *Choice.Schedule, findStrategyWithoutCopies, Same);
    adoptNeeds(*Own.K, *Choice.Schedule->Scheduled);
  }
  if (!checkNeeds(Own).ok())
    return false;
  Jobs.push_back({std::move(Own), std::move(Choice), /*IsVersion=*/true});
  Jobs.append(std::make_move_iterator(Same.begin()),
              std::make_move_iterator(Same.end()));
  return true;
}

/// Whether sums of 64 bits are faster as sums of 32, of which kernels are made.
bool Selector::chooseNarrowSums(const RaisedKernel &RK,
                                KernelChoice &Choice) const {
  if (!O.runs(Transformation::Schedules))
    return false;
  std::vector<std::unique_ptr<Kernel>> Versions;
  for (bool AsWhole : {true, false}) {
    auto Own = std::make_unique<Kernel>();
    copyKernel(*RK.K, *Own);
    if (narrowSums(*Own, AsWhole) && canLowerScalar(*Own, StackLimit).ok())
      Versions.push_back(std::move(Own));
  }
  if (Versions.empty())
    return false;
  Choice = KernelChoice();
  Choice.AsLoops = true;
  Choice.How = "by sums of 32 bits";
  Choice.Distributed = std::move(Versions.front());
  Choice.Otherwise.assign(std::make_move_iterator(Versions.begin() + 1),
                          std::make_move_iterator(Versions.end()));
  return true;
}
