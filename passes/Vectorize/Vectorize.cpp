//===- Vectorize.cpp - The pass dl-vectorize ------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Vectorize.h"
#include "DeviceMath.h"
#include "Dispatch.h"
#include "InPlace.h"
#include "LaneStrategy.h"
#include "Selector.h"
#include "TakenKernels.h"
#include "Tuning.h"
#include "dlopt/Cost.h"
#include "dlopt/Fuse.h"
#include "dlopt/GeneratedFunction.h"
#include "dlopt/InlinedLoops.h"
#include "dlopt/Instructions.h"
#include "dlopt/LightForm.h"
#include "dlopt/Prepare.h"
#include "dlopt/Recognize.h"
#include "dlopt/ReplaceNest.h"
#include "dlopt/SelfCheck.h"
#include "dlopt/Transform.h"
#include "dlopt/TransformPass.h"
#include "dlopt/Uses.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"

#define DEBUG_TYPE "dl-vectorize"

using namespace llvm;
using namespace dlopt;

static void missed(OptimizationRemarkEmitter &ORE, Function &F,
                   const LeftNest &N) {
  // What has a name may be what somebody asked the library for.
  bool IsOfSystem = N.System && StringRef(N.Kernel).starts_with("generic ");
  emitMissed(ORE, F, IsOfSystem ? N.System : getUserLoc(N.Why, N.At), [&] {
    OptimizationRemarkMissed R =
        missedRemark(DEBUG_TYPE, N.Why, N.At, F.getEntryBlock(), N.Kernel);
    // For tools.
    if (!N.Kernel.empty())
      R << ore::setExtraArgs() << ore::NV("Kernel", N.Kernel);
    if (IsOfSystem)
      saySystem(R);
    return R;
  });
}

/// Whether nothing like \p N, which is one of \p All, was said of its place: a
/// helper may be inlined there more than once.
static bool isNew(const LeftNest &N, ArrayRef<LeftNest> All) {
  DebugLoc User = getUserLoc(N.Why, N.At);
  if (!User || !N.Start)
    return true;
  return none_of(All.take_front(&N - All.begin()), [&](const LeftNest &Old) {
    return Old.Start && Old.Why.R == N.Why.R &&
           Old.Why.Detail == N.Why.Detail && Old.Kernel == N.Kernel &&
           getUserLoc(Old.Why, Old.At) == User &&
           Old.Start.getLine() == N.Start.getLine() &&
           Old.Start->getFilename() == N.Start->getFilename();
  });
}

namespace {

/// What the child \p Part of the root is called on its own.
std::string describePart(const Kernel &K, unsigned Part) {
  std::unique_ptr<Kernel> Own = getPart(K, Part);
  classifyKernel(*Own);
  return describe(*Own);
}

/// The factors of the largest product in \p P.
size_t getDegree(const Poly &P) {
  size_t Degree = 0;
  for (const auto &[Product, Factor] : P.terms())
    Degree = std::max<size_t>(Degree, Product.size());
  return Degree;
}

/// How often an innermost loop below \p N runs, as far as that is known in
/// front of the kernel: the one that is inside of most sizes.
Poly countInnermost(const Kernel &K, const Node &N) {
  Poly Most = 1;
  for (const auto &Child : N.Children) {
    if (Child->K != Node::AxisNode || !K.hasFixedExtents(Child->Ax) ||
        K.Axes[Child->Ax].Extents.size() != 1)
      continue;
    Poly Own = countInnermost(K, *Child) * K.Axes[Child->Ax].Extents.front();
    std::optional<int64_t> Known = Own.getConstant();
    if (getDegree(Own) > getDegree(Most) ||
        (Known && Most.getConstant().value_or(*Known) < *Known))
      Most = Own;
  }
  return Most;
}

/// That \p K, which became \p New, has points enough. Without that what is left
/// in its place would be known to be for short rows alone, which LLVM runs
/// under masks: slower than one by one.
Need getLeastPoints(const Kernel &K, const Kernel &New) {
  return getAtLeast(countPoints(New).value_or(countInnermost(K, K.Root)),
                    LeastPoints);
}

/// Whether an instruction of \p K adds products of floats.
bool addsFloats(const Kernel &K) {
  return any_of(K.Axes, [](const Axis &A) {
    return any_of(findInstructions(A.Schedule.Row),
                  [](const auto &I) { return I.isDot() && isFloat(I.Sum); });
  });
}

bool hasNests(const Loop &L) {
  return any_of(L, [](const Loop *Child) { return !Child->isInnermost(); });
}

/// Transforms the kernels of a module, numbering them as it goes.
class Vectorizer {
public:
  /// \p Measured: what the file of the parameters says, if there is one.
  Vectorizer(const VectorizeParams &P, FunctionAnalysisManager &FAM,
             std::shared_ptr<const TunedKernels> Measured)
      : P(P), FAM(FAM), Measured(std::move(Measured)) {}

  bool run(Function &F) {
    Options O = getOptions(F);
    P.applyTo(O);
    if (Measured)
      O.Tuned = Measured;
    if (!O.runs(DEBUG_TYPE))
      return false;
    Tuned.emplace(F, FAM, O);
    Left.clear();
    TakenHeaders.clear();
    TakenAt.clear();
    RaiseResult R = raiseFunction(F, FAM);
    bool Recognized = any_of(R.Kernels, isAnnotated);
    bool Splits = false;
    // Blocks of rows are split once more, and what is left by products and
    // calls apart from each other.
    constexpr unsigned MostRounds = 3;
    for (unsigned Round = 0; Round != MostRounds && splitNests(R, F, O);
         ++Round) {
      Splits = true;
      FAM.invalidate(F, PreservedAnalyses::none());
      R = raiseFunction(F, FAM);
      // The new loops are what dl-recognize would have found.
      if (Recognized)
        for (const RaisedKernel &RK : R.Kernels)
          annotate(RK);
    }
    auto &ORE = FAM.getResult<OptimizationRemarkEmitterAnalysis>(F);
    if (R.Kernels.empty()) {
      Taken.emit(F, ORE);
      return Splits;
    }
    SmallVector<Job, 2> Jobs;
    Selector S(F, FAM, O, /*IsAsked=*/false, &*Tuned);
    for (RaisedKernel &RK : R.Kernels) {
      const Options &Own = Tuned->getOptions(RK);
      if (!Own.runs(DEBUG_TYPE))
        continue;
      size_t Before = Jobs.size();
      const Loop &Nest = *RK.Nest;
      std::string Name = describe(*RK.K, F, DEBUG_TYPE);
      Verdict V = getSelector(S, O, Own, F).select(std::move(RK), Jobs);
      for (Job &J : drop_begin(Jobs, Before))
        J.Own = &Own;
      // Each loop of a row has its own verdict.
      if (Jobs.size() == Before && !isRound(Nest))
        Left.emplace_back(V, Nest, std::move(Name));
    }
    append_range(Left, S.leftOfRows());
    // A guard that turns out impossible is abandoned, but its blocks stay.
    for (Job &J : Jobs)
      transform(J, F, *J.Own);
    Taken.emit(F, ORE);
    reportLeft(S, F, ORE);
    return Splits || !Jobs.empty();
  }

private:
  /// \p S, or one for a kernel with other options than \p O, of the function.
  Selector &getSelector(Selector &S, const Options &O, const Options &Own,
                        Function &F) {
    if (&Own == &O)
      return S;
    return Other.emplace(F, FAM, Own, /*IsAsked=*/false, &*Tuned);
  }

  /// Says what nothing was made of, when that is known.
  void reportLeft(const Selector &S, Function &F,
                  OptimizationRemarkEmitter &ORE) {
    for (const LeftNest &N : Left)
      if (!is_contained(TakenHeaders, N.Header) &&
          !(N.Start && is_contained(TakenAt, N.Start)) && isNew(N, Left))
        missed(ORE, F, N);
    for (const LeftNest &N : S.leftInPlace())
      ORE.emit([&] {
        return analysisRemark(DEBUG_TYPE, "NotInPlace", N.At, F.getEntryBlock())
               << "left alone " << N.Why.Detail << ": " << getText(N.Why.R);
      });
  }

  void transform(Job &J, Function &F, const Options &O) {
    DebugLoc Loc = J.RK.Nest->getStartLoc();
    const BasicBlock *Header = J.RK.Nest->getHeader();
    const LeftNest Otherwise({Reason::LimitReached, nullptr, ""}, *J.RK.Nest,
                             describe(*J.RK.K, F, DEBUG_TYPE));
    if (O.Limit && Count >= *O.Limit) {
      Left.push_back(Otherwise);
      return;
    }
    if (J.Choice.Schedule)
      return transformBySchedule(J, F, O);
    SmallVector<PartVariants, 1> Variants;
    for (const auto &Part : J.Choice.Parts)
      Variants.push_back(Part ? getVariants(*Part, F, O) : PartVariants());
    if (J.Choice.Lanes && !planLanes(J, F, O)) {
      Left.push_back(Otherwise);
      Left.back().Why = {Reason::NoStrategy, nullptr, ""};
      return;
    }
    // Blocks of calls, or stores by themselves, say little of what is computed.
    bool AsRaised = !J.Choice.Distributed ||
                    (J.Choice.Lanes && (J.Choice.Lanes->SeparatesCalls ||
                                        !J.Choice.Lanes->Splits.empty()));
    const Kernel &Named = AsRaised ? *J.RK.K : *J.Choice.Distributed;
    std::string Name = O.Check == CheckMode::Off
                           ? describe(Named, F, DEBUG_TYPE)
                           : describe(Named);
    bool Overlaps = testsOverlap(*J.RK.K, F);
    Verdict V =
        applyKernel(J.RK, J.Choice, Variants, getSelfCheck(Name, O), F, FAM);
    if (!V.ok()) {
      Left.push_back(Otherwise);
      Left.back().Why = {V.R, nullptr, V.Detail};
      return;
    }
    ++Count;
    TakenHeaders.push_back(Header);
    TakenAt.push_back(Loc);
    for (auto [I, Part] : enumerate(J.Choice.Parts))
      if (Part)
        report(*J.RK.K, I, *Part, Variants[I], F, Loc, Overlaps);
    if (J.Choice.Lanes)
      report(Name, *J.RK.K, *J.Choice.Lanes, J.Choice.LaneVariants, F, Loc,
             Overlaps);
  }

  void transformBySchedule(Job &J, Function &F, const Options &O) {
    DebugLoc Loc = J.RK.Nest->getStartLoc();
    const BasicBlock *Header = J.RK.Nest->getHeader();
    std::string Name = O.Check == CheckMode::Off
                           ? describe(*J.RK.K, F, DEBUG_TYPE)
                           : describe(*J.RK.K);
    LeftNest Otherwise({Reason::Ok, nullptr, ""}, *J.RK.Nest, Name);
    unsigned Bits =
        getTargetModel(F, FAM.getResult<TargetIRAnalysis>(F)).VectorBits;
    SmallVector<ScheduleVariant, 2> Variants = planVariants(
        *J.Choice.Distributed, F, FAM, getDispatchMode(F, O, Bits));
    // Versions are much code: none for machines that few have.
    bool HasState =
        any_of(J.RK.LiveOuts, [](const auto &Out) { return bool(Out.Local); });
    if (J.IsVersion && !Variants.empty() && !HasState)
      Variants.back().IsSure = true;
    // One guard for all of them.
    adoptNeeds(*J.RK.K, *J.Choice.Schedule->Scheduled);
    for (const ScheduleVariant &V : Variants)
      adoptNeeds(*J.RK.K, *V.K);
    Need Pays = getAtLeast(
        importFixed(*J.RK.K, *J.Choice.Distributed, J.Choice.Schedule->Rounds),
        J.Choice.Schedule->LeastRounds.value_or(LeastRounds));
    bool Overlaps = testsOverlap(*J.RK.K, F);
    Verdict V = replaceNest(J.RK, F, FAM, getSelfCheck(Name, O), &Pays,
                            J.Choice.Schedule->Scheduled.get(), Variants);
    adoptNewLoops(F, FAM.getResult<DominatorTreeAnalysis>(F),
                  FAM.getResult<LoopAnalysis>(F));
    if (!V.ok()) {
      Otherwise.Why = {V.R, nullptr, V.Detail};
      Left.push_back(Otherwise);
      return;
    }
    ++Count;
    TakenHeaders.push_back(Header);
    TakenAt.push_back(Loc);
    report(Name, *J.Choice.Schedule, Variants, F, Loc, Overlaps);
  }

  bool testsOverlap(const Kernel &K, Function &F) {
    return dlopt::testsOverlap(K, FAM.getResult<AAManager>(F));
  }

  void report(StringRef Name, const Strategy &S,
              ArrayRef<ScheduleVariant> Variants, Function &F,
              const DebugLoc &Loc, bool Overlaps) {
    Taken.add(F, "Vectorized", Loc, Count, Overlaps, [&](auto &R) {
      R << ore::NV("Kernel", Name) << ": "
        << ore::NV("Tier", addsFloats(*S.Scheduled)
                               ? "reassociated, subnormal numbers as 0"
                               : "exact")
        << ", by the script " << ore::NV("Script", S.Name) << ", ";
      for (const ScheduleVariant &V : Variants)
        R << ore::NV("Variant", V.Name) << " at run time, ";
    });
    Taken.addScript(F, "dl-schedule", [&](auto &R) {
      R << "script " << ore::NV("Name", S.getTitle()) << ":\n"
        << ore::NV("Script", S.Script)
        << (S.Others.empty() ? "" : "not by the script ")
        << ore::NV("Others", S.Others);
      if (S.Cycles)
        R << "about " << ore::NV("Cycles", roundCycles(*S.Cycles))
          << " cycles\n";
      auto RunnerUp = min_element(S.List, [](const auto &A, const auto &B) {
        return A.Cycles < B.Cycles;
      });
      if (RunnerUp != S.List.end())
        R << "the next best: script " << ore::NV("RunnerUp", RunnerUp->Title)
          << ", about "
          << ore::NV("RunnerUpCycles", roundCycles(RunnerUp->Cycles))
          << " cycles\n";
    });
    for (const ListedScript &Other : S.List)
      Taken.addScript(F, "dl-scripts", [&](auto &R) {
        R << "not taken: script " << ore::NV("Name", Other.Title) << ":\n"
          << ore::NV("Script", Other.Script) << "about "
          << ore::NV("Cycles", roundCycles(Other.Cycles)) << " cycles\n";
      });
  }

  SelfCheck getSelfCheck(StringRef Name, const Options &O) const {
    return {O, "kernel " + Twine(Count + 1) + " " + Name.split(' ').first};
  }

  PartVariants getVariants(const ContractionChoice &Choice, Function &F,
                           const Options &O) {
    const ContractionPlan &Plan = Choice.Plan;
    unsigned Bits = Plan.VectorElems * 8 * getSizeInBytes(Choice.Spec.Ty);
    return planVariants(Choice.Spec, Plan, F, FAM, getDispatchMode(F, O, Bits),
                        getStackLimit(F, O), Choice.Overrides);
  }

  /// False: there is no code, as all is in variants, of which there are none.
  bool planLanes(Job &J, Function &F, const Options &O) {
    LanePlan &Plan = *J.Choice.Lanes;
    const Kernel &K = J.Choice.Distributed ? *J.Choice.Distributed : *J.RK.K;
    unsigned Bits =
        getTargetModel(F, FAM.getResult<TargetIRAnalysis>(F)).VectorBits;
    J.Choice.LaneVariants =
        planVariants(K, Plan, F, FAM, getDispatchMode(F, O, Bits), O);
    if (!Plan.OnlyVariants)
      return true;
    if (J.Choice.LaneVariants.empty())
      return false;
    Plan.CPUFeatures = J.Choice.LaneVariants.back().CPUFeatures;
    return true;
  }

  /// Puts loops that lanes or products are made of beside nests of which none
  /// are. False: there are no such nests.
  bool splitNests(RaiseResult &R, Function &F, const Options &O) {
    bool Any = false;
    Selector S(F, FAM, O, /*IsAsked=*/false, &*Tuned);
    for (RaisedKernel &RK : R.Kernels) {
      const Options &Own = Tuned->getOptions(RK);
      if (Own.runs(DEBUG_TYPE))
        Any |= splitNest(RK, getSelector(S, O, Own, F), F, Own);
    }
    return Any;
  }

  /// The nest of \p RK, or those inside it.
  bool splitNest(RaisedKernel &RK, Selector &S, Function &F, const Options &O) {
    if (O.Limit && Count >= *O.Limit)
      return false;
    KernelChoice Choice;
    // Lanes of the whole leave such updates in memory; a nest inside may do
    // without. And they are nothing to products inside, beside which others may
    // have to be split.
    SmallVector<Job, 2> Better;
    bool IsTaken =
        S.choose(RK, Choice).ok() &&
        (Choice.AsLoops || !Choice.Lanes ||
         (!hasScatteredUpdates(*RK.K) &&
          !(hasNests(*RK.Nest) && S.selectBetterInside(RK, Choice, Better))));
    if (!IsTaken) {
      bool Any = false;
      SmallVector<Loop *, 4> Inside(RK.Nest->begin(), RK.Nest->end());
      for (Loop *Child : Inside)
        if (!Child->isInnermost())
          if (std::optional<RaisedKernel> Own = raiseNest(*Child, F, FAM))
            Any |= splitNest(*Own, S, F, O);
      return Any;
    }
    if (!Choice.AsLoops)
      return false;
    DebugLoc Loc = RK.Nest->getStartLoc();
    std::string Name = O.Check == CheckMode::Off
                           ? describe(*RK.K, F, DEBUG_TYPE)
                           : describe(*RK.K);
    // Behind the guard of the nest, whose tests fail where they run.
    std::vector<RaisedKernel> Same;
    if (Choice.InBlocks)
      Same = S.blockInPlace(RK);
    for (auto &Other : Choice.Otherwise)
      Same.push_back(getSameNest(RK, std::move(Other)));
    Need Pays = getLeastPoints(*RK.K, *Choice.Distributed);
    RK.K = std::move(Choice.Distributed);
    if (!canReplaceNest(RK, F).ok())
      return false;
    Same.insert(Same.begin(), std::move(RK));
    for (RaisedKernel &Own : Same) {
      if (O.Limit && Count >= *O.Limit)
        break;
      bool Overlaps = testsOverlap(*Own.K, F);
      if (replaceByLoops(Own, Name, F, O, Pays)) {
        ++Count;
        // That LLVM does all that is left to do is what splitting is for.
        TakenAt.push_back(Loc);
        reportSplit(Name, Choice.How, *Own.K, F, Loc, Overlaps);
      }
    }
    return true;
  }

  bool replaceByLoops(RaisedKernel &RK, StringRef Name, Function &F,
                      const Options &O, const Need &Pays) {
    Verdict V = replaceNest(RK, F, FAM, getSelfCheck(Name.str(), O), &Pays);
    adoptNewLoops(F, FAM.getResult<DominatorTreeAnalysis>(F),
                  FAM.getResult<LoopAnalysis>(F));
    return V.ok();
  }

  void reportSplit(StringRef Name, StringRef How, const Kernel &K, Function &F,
                   const DebugLoc &Loc, bool Overlaps) {
    Taken.add(F, "Split", Loc, Count, Overlaps, [&](auto &R) {
      R << ore::NV("Kernel", Name) << ": " << ore::NV("Tier", "exact") << ", ";
      for (const Need &N : K.Needs)
        if (N.K == Need::Same)
          R << ore::NV("InPlace", describeSame(K, N.Buf, N.Others.front()))
            << ", ";
      R << "loops " << How << ", ";
    });
  }

  void report(const Kernel &K, unsigned Part, const ContractionChoice &Choice,
              ArrayRef<ContractionVariant> Variants, Function &F,
              const DebugLoc &Loc, bool Overlaps) {
    Taken.add(F, "Vectorized", Loc, Count, Overlaps, [&](auto &R) {
      const ContractionPlan &Plan = Choice.Plan;
      bool Exact = !Choice.Spec.SingleRow || !Choice.Spec.usesDots();
      R << ore::NV("Kernel", describePart(K, Part));
      if (Choice.Spec.isTriangle())
        R << ", "
          << ore::NV("Elements",
                     Choice.Spec.Elements == ContractionSpec::LowerTriangle
                         ? "lower triangle"
                         : "upper triangle");
      R << ": " << ore::NV("Tier", Exact ? "exact" : "reassociated")
        << ", tile " << ore::NV("TileRows", Plan.TileRows) << "x"
        << ore::NV("TileVectors", Plan.TileVectors) << " vectors of "
        << (Plan.Scalable ? "vscale x " : "")
        << ore::NV("VectorElems", Plan.VectorElems) << ", ";
      if (assumesUnitStrides(K))
        R << "where strides are 1, ";
      for (const ContractionVariant &V : Variants)
        R << ore::NV("Variant", V.Name) << " at run time, ";
    });
  }

  void report(StringRef Name, const Kernel &K, const LanePlan &Plan,
              ArrayRef<LaneVariant> Variants, Function &F, const DebugLoc &Loc,
              bool Overlaps) {
    Taken.add(F, "Vectorized", Loc, Count, Overlaps, [&](auto &R) {
      R << ore::NV("Kernel", Name) << ": " << ore::NV("Tier", getTier(K, Plan))
        << ", ";
      for (const Need &N : K.Needs)
        if (N.K == Need::Same)
          R << ore::NV("InPlace", describeSame(K, N.Buf, N.Others.front()))
            << ", ";
      if (assumesUnitStrides(K))
        R << "where strides are 1, ";
      if (!Plan.Axes.empty())
        R << "iterations of ";
      for (AxisId A : Plan.Axes)
        R << ore::NV("Axis", K.Axes[A].Name)
          << (A == Plan.Axes.back() ? " in " : ", ");
      if (!Plan.Axes.empty())
        R << ore::NV("Vectors", Plan.Vectors) << " vectors of "
          << (Plan.Scalable ? "vscale x " : "")
          << ore::NV("VectorElems", Plan.VectorElems) << ", ";
      if (Plan.StreamBytes)
        R << (Plan.Large == LargeStores::FetchedAhead ? "fetched ahead"
                                                      : "past the caches")
          << " from " << ore::NV("StreamBytes", Plan.StreamBytes)
          << " bytes on, ";
      if (Plan.SeparatesCalls)
        R << (Plan.Models ? "functions" : "calls") << " in blocks of "
          << ore::NV("CallBlock", CallBlock) << ", ";
      for (const LaneVariant &V : Variants)
        R << ore::NV("Variant", V.Name) << " at run time, ";
    });
  }

  const VectorizeParams &P;
  FunctionAnalysisManager &FAM;
  std::shared_ptr<const TunedKernels> Measured;
  /// Of the current function, and a selector for one of its kernels.
  std::optional<Tuning> Tuned;
  std::optional<Selector> Other;
  unsigned Count = 0;
  /// Nests of the current function of which nothing is made, as far as is known
  /// yet, and those of which something is.
  SmallVector<LeftNest, 4> Left;
  SmallVector<const BasicBlock *, 4> TakenHeaders;
  SmallVector<DebugLoc, 4> TakenAt;
  TakenKernels Taken;
};

} // namespace

bool dlopt::hasStrategyForWhole(const RaisedKernel &RK, Function &F,
                                FunctionAnalysisManager &FAM,
                                bool DispatchIfHosted) {
  Options O = getOptions(F);
  O.DispatchIfHosted = DispatchIfHosted;
  KernelChoice Choice;
  return O.runs(DEBUG_TYPE) &&
         Selector(F, FAM, O, /*IsAsked=*/true).choose(RK, Choice).ok();
}

bool dlopt::hasStrategyForWindows(const RaisedKernel &RK, Function &F,
                                  FunctionAnalysisManager &FAM,
                                  bool DispatchIfHosted) {
  Options O = getOptions(F);
  O.DispatchIfHosted = DispatchIfHosted;
  SmallVector<Job, 2> Jobs;
  return O.runs(DEBUG_TYPE) && Selector(F, FAM, O, /*IsAsked=*/true)
                                   .selectWindows(RK, /*Whole=*/nullptr, Jobs);
}

bool dlopt::gainsByTest(const RaisedKernel &RK, Function &F,
                        FunctionAnalysisManager &FAM, bool DispatchIfHosted) {
  Options O = getOptions(F);
  O.DispatchIfHosted = DispatchIfHosted;
  return O.runs(DEBUG_TYPE) &&
         Selector(F, FAM, O, /*IsAsked=*/true).gainsByTest(RK);
}

bool dlopt::hasStrategy(const RaisedKernel &RK, Function &F,
                        FunctionAnalysisManager &FAM, bool DispatchIfHosted) {
  Options O = getOptions(F);
  O.DispatchIfHosted = DispatchIfHosted;
  return O.runs(DEBUG_TYPE) &&
         Selector(F, FAM, O, /*IsAsked=*/true).judge(RK).ok();
}

bool dlopt::isLeftToLLVM(const RaisedKernel &RK, Function &F,
                         FunctionAnalysisManager &FAM, bool DispatchIfHosted) {
  Options O = getOptions(F);
  O.DispatchIfHosted = DispatchIfHosted;
  return O.runs(DEBUG_TYPE) &&
         Selector(F, FAM, O, /*IsAsked=*/true).judge(RK).R == Reason::NoGain;
}

void dlopt::reportNoStrategy(ArrayRef<RaisedKernel> Kernels, Function &F,
                             FunctionAnalysisManager &FAM,
                             bool DispatchIfHosted,
                             OptimizationRemarkEmitter &ORE) {
  Options O = getOptions(F);
  O.DispatchIfHosted = DispatchIfHosted;
  if (!O.runs(DEBUG_TYPE))
    return;
  SmallVector<LeftNest, 4> Left;
  for (const RaisedKernel &RK : Kernels) {
    Selector S(F, FAM, O, /*IsAsked=*/true);
    Verdict V = S.judge(RK);
    if (!V.ok())
      Left.emplace_back(S.explain(RK, std::move(V)), *RK.Nest,
                        describe(*RK.K, F, DEBUG_TYPE));
  }
  for (const LeftNest &N : Left)
    if (isNew(N, Left))
      missed(ORE, F, N);
}

PreservedAnalyses VectorizePass::run(Module &M, ModuleAnalysisManager &AM) {
  bool Changed = false;
  if (!P.Prepared)
    Changed |= !PreparePass().run(M, AM).areAllPreserved();
  auto &FAM = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  SmallVector<Function *, 8> Functions;
  for (Function &F : M)
    if (!F.isDeclaration() && isLightForm(F))
      Functions.push_back(&F);
  if (!P.Schedule.empty()) {
    TransformParams Script;
    Script.ScriptFile = P.Schedule;
    Changed |= runScript(M, Functions, FAM, Script);
  }
  std::shared_ptr<const TunedKernels> Measured;
  if (!P.Tuned.empty()) {
    auto Read = TunedKernels::read(P.Tuned);
    if (Read)
      Measured = std::move(*Read);
    else
      M.getContext().emitError("dl-vectorize: " +
                               Twine(toString(Read.takeError())));
  }
  Vectorizer V(P, FAM, std::move(Measured));
  for (Function *F : Functions) {
    bool HasNew = V.run(*F);
    if (HasNew)
      FAM.invalidate(*F, PreservedAnalyses::none());
    // What has been left as it was is straight code again.
    if (separateRows(*F, FAM)) {
      FAM.invalidate(*F, PreservedAnalyses::none());
      HasNew = true;
    }
    Changed |= HasNew;
  }
  for (Function &F : M)
    if (!F.isDeclaration() && inlineDeviceMath(F, FAM, getOptions(F))) {
      FAM.invalidate(F, PreservedAnalyses::none());
      Changed = true;
    }
  if (!Changed)
    return PreservedAnalyses::all();
  inlineSingleCalls(M);
  return PreservedAnalyses::none();
}
