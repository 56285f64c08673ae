//===- Selector.cpp - The kernels that a strategy takes -------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Selector.h"
#include "Dispatch.h"
#include "InPlace.h"
#include "LaneChooser.h"
#include "LaneStrategy.h"
#include "LoopProfit.h"
#include "ScalarLoops.h"
#include "Tuning.h"
#include "dlopt/Cost.h"
#include "dlopt/Dependences.h"
#include "dlopt/Guards.h"
#include "dlopt/InlinedLoops.h"
#include "dlopt/LinkTime.h"
#include "dlopt/Lower.h"
#include "dlopt/Quotients.h"
#include "dlopt/Recognize.h"
#include "dlopt/ReplaceNest.h"
#include "dlopt/Transform.h"
#include "dlopt/Uses.h"
#include "dlopt/Vectorize.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Support/SaveAndRestore.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace dlopt;

bool dlopt::hasMatrices(const KernelChoice &Choice) {
  return any_of(Choice.Parts, [](const auto &P) {
    return P && !P->M.empty() && !P->N.empty();
  });
}

LeftNest::LeftNest(const Verdict &V, const Loop &L, std::string Kernel)
    : Why{V.R, nullptr, V.Detail, V.Help}, Start(L.getStartLoc()), At(Start),
      System(getSystemLoc(L, V.Culprit)), Header(L.getHeader()),
      Kernel(std::move(Kernel)) {
  if (V.Culprit && L.contains(V.Culprit) && V.Culprit->getDebugLoc() &&
      V.Culprit->getDebugLoc().getLine())
    At = V.Culprit->getDebugLoc();
}

Selector::Selector(Function &F, FunctionAnalysisManager &FAM, const Options &O,
                   bool IsAsked, Tuning *Tuned)
    : FAM(FAM), F(F), O(O), IsAsked(IsAsked), Tuned(Tuned),
      StackLimit(getStackLimit(F, O)),
      Target(getTargetModel(F, FAM.getResult<TargetIRAnalysis>(F))) {}

/// Whether there are loops behind each other.
static bool hasLoopsBeside(const Node &N) {
  return count_if(N.Children,
                  [](const auto &C) { return C->K != Node::LeafNode; }) > 1 ||
         any_of(N.Children, [](const auto &C) { return hasLoopsBeside(*C); });
}

static bool hasProduct(const KernelChoice &Choice) {
  return any_of(Choice.Parts, [](const auto &P) { return P.has_value(); });
}

/// The same, with all of its sum in one call.
static bool hasWholeProduct(const KernelChoice &Choice) {
  return hasMatrices(Choice) && none_of(Choice.Parts, [](const auto &P) {
           return P && P->SplitsSums;
         });
}

/// Tiles of products inside are better than lanes of the whole, and so are
/// scripts for windows beside other loops, and functions in lanes where the
/// whole has none for these. False: there are none.
bool Selector::selectBetterInside(const RaisedKernel &RK,
                                  const KernelChoice &Choice,
                                  SmallVectorImpl<Job> &Jobs) {
  if (hasProduct(Choice) || Choice.Schedule)
    return false;
  // Functions one by one take longer than all else.
  const bool CallsByElement =
      Choice.Lanes &&
      callsByElement(Choice.Distributed ? *Choice.Distributed : *RK.K,
                     *Choice.Lanes);
  SmallVector<Job, 2> Inside;
  selectInside(*RK.Nest, Inside, /*Innermost=*/CallsByElement);
  const bool IsNarrow = Choice.Lanes && Choice.Lanes->Vectors == 1;
  const bool AreSeveral = hasLoopsBeside(RK.K->Root);
  if (none_of(Inside, [&](const Job &J) {
        const std::optional<Strategy> &S = J.Choice.Schedule;
        return (IsNarrow ? hasProduct(J.Choice) : hasMatrices(J.Choice)) ||
               (AreSeveral && S && S->IsOfWindows) ||
               (CallsByElement && J.Choice.Lanes && J.Choice.Lanes->Models);
      }))
    return false;
  Jobs.append(std::make_move_iterator(Inside.begin()),
              std::make_move_iterator(Inside.end()));
  return true;
}

Verdict Selector::select(RaisedKernel RK, SmallVectorImpl<Job> &Jobs) {
  KernelChoice Choice;
  Verdict V = choose(RK, Choice);
  HasChoice |= V.ok() && !RK.Nest->isInnermost();
  // What could not be split is left alone.
  if (Choice.AsLoops)
    V.R = Reason::NoStrategy;
  // In front of the others, which run where strides and steps are others.
  const Strategy *Whole = Choice.Schedule && !Choice.Schedule->IsGathered
                              ? &*Choice.Schedule
                              : nullptr;
  bool AreWindows =
      (!Whole && selectNarrow(RK, Jobs)) ||
      ((!Whole || Whole->MayBeLarge) && selectWindows(RK, Whole, Jobs));
  const bool AreShort = !AreWindows && selectShortParts(RK, Jobs);
  RK.KeepsOrder = Choice.KeepsOrder;
  bool HasUnit = AreWindows || AreShort ||
                 selectPlacesInRows(RK, V, Choice, Jobs) ||
                 (V.R != Reason::NoGain &&
                  !(V.ok() && hasWholeProduct(Choice)) && selectUnit(RK, Jobs));
  SmallVector<Job, 2> Same;
  if (Choice.Schedule) {
    const Strategy &S = *Choice.Schedule;
    if (S.MayBeLarge)
      selectFew(RK, S, findStrategyWithoutCopies, Same);
    else if (S.MayBeFew)
      selectFew(RK, S, findStrategyOfFew, Same);
    if (S.MayBeLarge || S.MayBeFew)
      selectOtherwise(RK, Same);
    adoptNeeds(*RK.K, *Choice.Schedule->Scheduled);
  }
  // Where no test can tell that all of it is safe, loops inside may be.
  bool IsUnsafe = V.ok() && !(V = checkNeeds(RK)).ok();
  // Where the windows of the whole are none, those of a part are none.
  SaveAndRestore Windows(HasWindows, HasWindows || AreWindows);
  SaveAndRestore Short(HasShortParts, HasShortParts || AreShort);
  if (!V.ok()) {
    SaveAndRestore Loops(InLoops, InLoops || V.R == Reason::NoGain);
    selectInside(*RK.Nest, Jobs,
                 /*Innermost=*/IsUnsafe || isRound(*RK.Nest));
    if (HasUnit)
      return {};
    return explainsVerdicts() ? explain(RK, std::move(V)) : V;
  }
  if (selectBetterInside(RK, Choice, Jobs))
    return V;
  if (Choice.Lanes) {
    separateParts(RK, Choice);
    selectFewRows(RK, Choice, /*InPlace=*/false, Same);
    selectInPlace(RK, Same);
  }
  Jobs.push_back({std::move(RK), std::move(Choice)});
  // Behind the guard of that, whose tests fail where they run.
  Jobs.append(std::make_move_iterator(Same.begin()),
              std::make_move_iterator(Same.end()));
  return V;
}

/// What is a parameter is called one: steps ask less of polynomials.
static void nameParams(const Kernel &K, Node &N) {
  for (Op &O : N.L.Ops) {
    std::optional<AtomId> Id =
        O.K == Op::Index ? O.Idx.getAtom() : std::nullopt;
    if (!Id || K.Atoms[*Id].K != Atom::Param ||
        K.Params[K.Atoms[*Id].Ref].Ty != O.Ty)
      continue;
    O.K = Op::Param;
    O.Ref = K.Atoms[*Id].Ref;
    O.Idx = Poly();
  }
  for (auto &Child : N.Children)
    nameParams(K, *Child);
}

void dlopt::prepareForScript(Kernel &K) {
  nameParams(K, K.Root);
  roundByShifts(K.Root);
  moveSumsInside(K);
  keepElements(K);
  joinStores(K, K.Root);
  joinLeaves(K, K.Root);
  fuseProducts(K);
  fixOrder(K);
}

/// The same, and channels that are divided to find their group are groups and
/// the channels of each.
void Selector::prepare(Kernel &K) const {
  prepareForScript(K);
  if (!O.runs(Transformation::Quotients) || !hasGroups(K))
    return;
  Kernel Split;
  copyKernel(K, Split);
  if (splitGroups(Split, /*KeepsBuffers=*/true))
    K = std::move(Split);
}

/// What copies what it reads has no work on sums in these loops, so that it may
/// be there with a test and without.
std::optional<Strategy> Selector::findForTest(
    Kernel &K,
    function_ref<std::optional<Strategy>(const Kernel &, const TargetModel &)>
        Find) const {
  Kernel Split;
  copyKernel(K, Split);
  if (!splitTest(Split, Split.Root))
    return std::nullopt;
  std::optional<Strategy> Found = Find(Split, Target);
  if (Found)
    K = std::move(Split);
  return Found;
}

/// A script for \p K, prepared then, that is worth it.
std::optional<Strategy> Selector::findScript(Kernel &K, bool IsLoops) const {
  prepare(K);
  auto FindDots = [&](const Kernel &K, const TargetModel &T) {
    std::optional<Strategy> Found = findStrategy(K, T, IsAsked);
    return Found && Found->IsOfDots ? std::move(Found) : std::nullopt;
  };
  auto FindTuned = [&](const Kernel &K, const TargetModel &T) {
    return Tuned ? Tuned->findScript(K, T) : std::nullopt;
  };
  std::optional<Strategy> Found = findForTest(K, FindTuned);
  if (!Found)
    Found = FindTuned(K, Target);
  const bool IsMeasured = Found.has_value();
  if (!Found)
    Found = findForTest(K, FindDots);
  if (!Found)
    Found = findStrategy(K, Target, IsAsked);
  if (!Found || (IsLoops && !Found->BeatsLoops && !IsMeasured) ||
      Found->Rounds.getConstant().value_or(LeastRounds) <
          Found->LeastRounds.value_or(LeastRounds))
    return std::nullopt;
  return Found;
}

/// Whether \p Choice is a product of elements with steps between them that a
/// script certainly runs faster: it reads them where they are.
bool Selector::isSlowForSteps(const RaisedKernel &RK,
                              const KernelChoice &Choice) const {
  if (Choice.Parts.size() != 1 || !Choice.Parts.front()->Spec.hasSteps() ||
      !O.runs(Transformation::Schedules))
    return false;
  std::optional<double> Product =
      getLeastCycles(Choice.Distributed ? *Choice.Distributed : *RK.K,
                     *Choice.Parts.front(), Target);
  if (!Product)
    return false;
  Kernel Own;
  copyKernel(*RK.K, Own);
  if (O.FastFP)
    assumeFastFP(Own);
  std::optional<Strategy> Found = findScript(Own, /*IsLoops=*/false);
  std::optional<double> Script =
      Found ? getCycles(*Found->Scheduled, Target) : std::nullopt;
  return Script && *Script < CertainlyFaster * *Product;
}

/// Whether a script runs the kernel, which is \p Choice then. \p IsLoops: LLVM
/// vectorizes it.
bool Selector::schedule(const RaisedKernel &RK, bool IsLoops,
                        KernelChoice &Choice) {
  if (!O.runs(Transformation::Schedules))
    return false;
  auto Own = std::make_unique<Kernel>();
  copyKernel(*RK.K, *Own);
  if (O.FastFP)
    assumeFastFP(*Own);
  std::optional<Strategy> Found = findScript(*Own, IsLoops);
  if (!Found)
    return false;
  if (!canReplaceNest(RK, F, Found->Scheduled.get()).ok())
    return false;
  Choice = KernelChoice();
  Choice.Schedule = std::move(Found);
  Choice.Distributed = std::move(Own);
  return true;
}

/// The same for what is left in loops of its own, such as start values that
/// were joined with a sum in memory. \p IsTaken: the whole is a kernel, which
/// is slow for sums whose terms are scattered alone.
bool Selector::scheduleApart(const RaisedKernel &RK, bool IsTaken,
                             KernelChoice &Choice) {
  if (!O.runs(Transformation::Schedules) || !O.runs(Transformation::Apart) ||
      RK.K->Root.Children.size() != 1 ||
      (IsTaken && !hasScatteredUpdates(*RK.K)))
    return false;
  auto Apart = std::make_unique<Kernel>();
  copyKernel(*RK.K, *Apart);
  if (!distribute(*Apart, 0, Distribution::Full) ||
      !canLowerScalar(*Apart, StackLimit).ok() ||
      none_of(seq(Apart->Root.Children.size()), [&](unsigned Part) {
        std::unique_ptr<Kernel> Own = getPart(*Apart, Part);
        return gather(*Own) || (!IsTaken && findScript(*Own, /*IsLoops=*/true));
      }))
    return false;
  Choice = KernelChoice();
  Choice.AsLoops = true;
  Choice.How = "apart from convolutions";
  Choice.Distributed = std::move(Apart);
  return true;
}

/// \p K by element of its result, where a part of that is for a script or a
/// product; null: its terms are not scattered, or nobody gains by that.
std::unique_ptr<Kernel> Selector::gather(const Kernel &K) const {
  if (!O.runs(Transformation::Gather) || !hasScatteredUpdates(K))
    return nullptr;
  auto Own = std::make_unique<Kernel>();
  copyKernel(K, *Own);
  if (!gatherUpdates(*Own) || !canLowerScalar(*Own, StackLimit).ok())
    return nullptr;
  bool Gains = false;
  for (unsigned Part : seq(Own->Root.Children.size())) {
    std::unique_ptr<Kernel> K = getPart(*Own, Part);
    if (std::optional<Strategy> Found = findScript(*K, /*IsLoops=*/false)) {
      // Where the guards of these fail, loops by element are slower than those
      // that there were.
      adoptNeeds(*Own, *Found->Scheduled);
      if (!Found->Rounds.getConstant())
        adoptNeeds(*Own,
                   std::vector<Need>{getAtLeast(Found->Rounds, LeastRounds)});
      Gains = true;
      continue;
    }
    ContractionChoice Product;
    Gains |= chooseContraction(*Own, *Own->Root.Children[Part], Target, O,
                               StackLimit, Product)
                 .ok();
  }
  return Gains ? std::move(Own) : nullptr;
}

/// The same for sums whose terms are scattered: transposed convolutions.
bool Selector::scheduleGathered(const RaisedKernel &RK, KernelChoice &Choice) {
  if (!O.runs(Transformation::Schedules))
    return false;
  std::vector<std::unique_ptr<Kernel>> Gathered;
  if (auto K = gather(*RK.K))
    Gathered.push_back(std::move(K));
  // Most move by two elements.
  for (int64_t Step : {2, 1}) {
    Kernel Own;
    copyKernel(*RK.K, Own);
    if (!O.runs(Transformation::UnitStrides) || !assumeWindowSteps(Own, Step))
      break;
    if (auto K = gather(Own))
      Gathered.push_back(std::move(K));
  }
  if (Gathered.empty())
    return false;
  Choice = KernelChoice();
  Choice.AsLoops = true;
  Choice.How = "by element of the result";
  Choice.Distributed = std::move(Gathered.front());
  Choice.Otherwise.assign(std::make_move_iterator(Gathered.begin() + 1),
                          std::make_move_iterator(Gathered.end()));
  return true;
}

/// Whether variants for wider vectors run the kernel, which has no code for the
/// vectors of \p F, as without masks or rounding.
bool Selector::chooseVariants(const RaisedKernel &RK, KernelChoice &Choice) {
  if (O.FastFP || !O.runs(Transformation::Widening))
    return false;
  for (const TargetModel &T : getVariantModels(F, FAM, O, Target.VectorBits)) {
    KernelChoice Own;
    if (!chooseInPlace(RK, T, O, Own).ok())
      continue;
    if (!Own.Lanes || Own.Lanes->Axes.empty() || Own.Lanes->SeparatesCalls ||
        keepsNarrow(RK, Own))
      return false;
    Own.Lanes->OnlyVariants = true;
    Choice = std::move(Own);
    return true;
  }
  return false;
}

Verdict Selector::choose(const RaisedKernel &RK, KernelChoice &Choice) {
  Verdict V = chooseKernel(RK, Target, O, StackLimit, Choice);
  if (blockRows(RK, Choice))
    return {};
  if (!V.ok() && chooseNarrowSums(RK, Choice))
    return {};
  bool HasOnlyPieces =
      all_of(Choice.Parts, [](const auto &P) { return !P || P->SplitsSums; });
  if ((HasOnlyPieces || isSlowForSteps(RK, Choice)) &&
      schedule(RK, /*IsLoops=*/InLoops || V.R == Reason::NoGain, Choice))
    return {};
  if (HasOnlyPieces && scheduleGathered(RK, Choice))
    return {};
  if ((!V.ok() || HasOnlyPieces) &&
      scheduleApart(RK, /*IsTaken=*/V.ok(), Choice))
    return {};
  if (V.R == Reason::NoStrategy && chooseVariants(RK, Choice))
    V = {};
  if (V.ok() && awaitsLink(RK, Choice))
    V.R = Reason::AwaitsLink;
  if (!V.ok() || !keepsNarrow(RK, Choice) || !Choice.Lanes->OnlyWider)
    return V;
  Options Narrow = O;
  Narrow.disable(Transformation::Widening);
  Choice = KernelChoice();
  return chooseKernel(RK, Target, Narrow, StackLimit, Choice);
}

Verdict Selector::judge(const RaisedKernel &RK) {
  KernelChoice Choice;
  Verdict V = choose(RK, Choice);
  if (V.ok())
    return V;
  SmallVector<Job, 1> Jobs;
  if ((V.R != Reason::NoGain && selectUnit(RK, Jobs)) ||
      selectNarrow(RK, Jobs) || selectWindows(RK, /*Whole=*/nullptr, Jobs) ||
      selectShortParts(RK, Jobs))
    return Verdict();
  HasChoice = false;
  SaveAndRestore Loops(InLoops, InLoops || V.R == Reason::NoGain);
  selectInside(*RK.Nest, Jobs);
  // What becomes loops of which kernels are made gives no job yet.
  return !Jobs.empty() || HasChoice ? Verdict() : V;
}

/// Whether loops that LLVM vectorizes as well get no wider vectors, because
/// of scalar loops among them or beside them.
bool Selector::keepsNarrow(const RaisedKernel &RK, KernelChoice &Choice) {
  if (!Choice.Lanes || O.FastFP || !O.runs(Transformation::Narrowing) ||
      !(Choice.Lanes->OnlyWider || Choice.Lanes->OnlyVectors))
    return false;
  const Kernel &K = Choice.Distributed ? *Choice.Distributed : *RK.K;
  Choice.Lanes->StaysNarrow =
      isLeftOver(*RK.Nest) || hasScalarLoop(K, K.Root, Choice.Lanes->Axes) ||
      isBesideScalarLoop(*RK.Nest, FAM.getResult<LoopAnalysis>(F),
                         FAM.getResult<ScalarEvolutionAnalysis>(F));
  return Choice.Lanes->StaysNarrow;
}
/// Whether what LLVM does nearly as well may become a part of more at link
/// time, which it could not if it were a call then.
bool Selector::awaitsLink(const RaisedKernel &RK, const KernelChoice &Choice) {
  if (!dlopt::awaitsLink(*F.getParent()) || !Choice.Lanes ||
      !(Choice.Lanes->OnlyWider || Choice.Lanes->OnlyVectors ||
        Choice.Lanes->OnlyStreams))
    return false;
  const Loop *Around = RK.Nest->getOutermostLoop();
  return Around != RK.Nest &&
         callsUnknown(*Around, FAM.getResult<TargetLibraryAnalysis>(F));
}

Verdict Selector::checkNeeds(const RaisedKernel &RK) {
  return GuardEmitter::checkNeeds(RK, FAM.getResult<DominatorTreeAnalysis>(F),
                                  FAM.getResult<LoopAnalysis>(F),
                                  &FAM.getResult<AAManager>(F));
}

/// A matrix product has at least three loops: without \p Innermost, loops
/// that have none inside are not looked at.
void Selector::selectInside(Loop &L, SmallVectorImpl<Job> &Jobs,
                            bool Innermost) {
  for (Loop *Child : L)
    if (Innermost || !Child->isInnermost())
      if (std::optional<RaisedKernel> RK = raiseNest(*Child, F, FAM)) {
        size_t Before = Jobs.size();
        std::string Kernel;
        if (isRound(L))
          Kernel = describe(*RK->K, F, "dl-vectorize");
        Verdict V = select(std::move(*RK), Jobs);
        if (isRound(L) && Jobs.size() == Before)
          OfRows.emplace_back(V, *Child, std::move(Kernel));
      }
}

RaisedKernel dlopt::getSameNest(const RaisedKernel &RK,
                                std::unique_ptr<Kernel> K) {
  return {std::move(K), RK.Nest,    RK.Preheader, RK.Exiting,
          RK.Exit,      RK.Implied, RK.Clamped,   RK.LiveOuts};
}

/// Appends the job for the nest of \p RK where \p Before, its strategy, is for
/// more points: what \p Find finds.
void Selector::selectFew(const RaisedKernel &RK, const Strategy &Before,
                         decltype(findStrategyOfFew) Find,
                         SmallVectorImpl<Job> &Jobs) {
  auto Plain = std::make_unique<Kernel>(), K = std::make_unique<Kernel>();
  copyKernel(*RK.K, *Plain);
  copyKernel(*RK.K, *K);
  prepare(*Plain);
  KernelChoice Choice;
  Choice.Schedule = findForTest(*Plain, Find);
  if (!Choice.Schedule)
    Choice.Schedule = Find(*Plain, Target);
  if (!Choice.Schedule || Choice.Schedule->Name == Before.Name)
    return;
  RaisedKernel Own = getSameNest(RK, std::move(K));
  adoptNeeds(*Own.K, *Choice.Schedule->Scheduled);
  if (!canReplaceNest(Own, F, Choice.Schedule->Scheduled.get()).ok() ||
      !checkNeeds(Own).ok())
    return;
  Choice.Distributed = std::move(Plain);
  Jobs.push_back({std::move(Own), std::move(Choice)});
}

/// Appends the job for the nest of \p RK where a script is no gain.
void Selector::selectOtherwise(const RaisedKernel &RK,
                               SmallVectorImpl<Job> &Jobs) {
  auto K = std::make_unique<Kernel>();
  copyKernel(*RK.K, *K);
  RaisedKernel Own = getSameNest(RK, std::move(K));
  KernelChoice Choice;
  if (chooseKernel(Own, Target, O, StackLimit, Choice).ok() &&
      !Choice.AsLoops && checkNeeds(Own).ok())
    Jobs.push_back({std::move(Own), std::move(Choice)});
}
