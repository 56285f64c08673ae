//===- Prepare.cpp - The pass dl-prepare ----------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each function that may hold a kernel is cloned, the clone brought into light
/// form and raised. If a kernel in it can be transformed, the clone's body
/// replaces the function's; otherwise the clone is dropped, and the function
/// compiles to the same bytes as without this pass.
///
//===----------------------------------------------------------------------===//
#include "dlopt/Prepare.h"
#include "Prefilter.h"
#include "Ranks.h"
#include "SizeCopies.h"
#include "Tests.h"
#include "Vectors.h"
#include "VersionChoice.h"
#include "dlopt/ContractionView.h"
#include "dlopt/Fuse.h"
#include "dlopt/HelperCopies.h"
#include "dlopt/Layout.h"
#include "dlopt/LightForm.h"
#include "dlopt/Raise.h"
#include "dlopt/Recognize.h"
#include "dlopt/SelfCheck.h"
#include "dlopt/Vectorize.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace dlopt {

static constexpr ParamFlag<PrepareParams> PrepareFlags[] = {
    {"all", &PrepareParams::All},
    {"loops", &PrepareParams::Loops},
    {"drop", &PrepareParams::Drop},
    {"imported", &PrepareParams::Imported}};

Expected<PrepareParams> PrepareParams::parse(StringRef Params) {
  return parseFlags<PrepareParams>(Params, PrepareFlags);
}

void PrepareParams::print(raw_ostream &OS) const {
  printFlags<PrepareParams>(OS, *this, PrepareFlags);
}

/// True if someone wants to hear about kernels that are left alone.
static bool hasListener(const Module &M) {
  LLVMContext &C = M.getContext();
  return C.getLLVMRemarkStreamer() ||
         (C.getDiagHandlerPtr() &&
          (C.getDiagHandlerPtr()->isAnyRemarkEnabled("dl-recognize") ||
           C.getDiagHandlerPtr()->isAnyRemarkEnabled("dl-vectorize")));
}

/// Why the whole function was refused, as a remark at its head.
static void reportRefusal(Function &F, const Verdict &Why) {
  OptimizationRemarkEmitter ORE(&F);
  DISubprogram *SP = F.getSubprogram();
  DebugLoc Head =
      SP ? DebugLoc(DILocation::get(F.getContext(), SP->getLine(), 0, SP))
         : DebugLoc();
  DebugLoc Loc = getUserLoc(Why, Head);
  emitMissed(ORE, F, Loc, [&] {
    return missedRemark("dl-recognize", Why, Loc, F.getEntryBlock());
  });
}

static bool isProduct(const Kernel &K) {
  return K.Root.Children.size() == 1 &&
         matchContraction(K, *K.Root.Children.front());
}

/// Whether the kernel is a part of a matrix, and only works on whole rows.
static bool needsWholeRows(const RaisedKernel &RK) {
  const Kernel &K = *RK.K;
  return any_of(K.Needs, [&](const Need &N) {
    return N.P.anyAtom([&](AtomId A) {
      return K.Atoms[A].K == Atom::Mod && !K.Atoms[A].Den.getConstant() &&
             N.P == Poly::atom(A) && N.Lo == 0 && N.Hi == 0;
    });
  });
}

namespace {

/// One run over a module.
class Preparer {
public:
  Preparer(Module &M, ModuleAnalysisManager &MAM, const PrepareParams &P)
      : M(M), MAM(MAM),
        FAM(MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager()),
        P(P), Listening(hasListener(M)),
        Reported(MAM.getResult<ReportedFunctionsAnalysis>(M)) {}

  bool run() {
    bool Changed = joinCalls();
    Changed |= layOutTogether();
    Changed |= copyForSizes();
    // Fixed before anything is cloned. Functions that are only looked at for
    // the sake of remarks must not be swapped: remarks change no code.
    SmallVector<std::pair<Function *, bool>, 32> Worklist;
    for (Function &F : M)
      if (isEligible(F) || isOnlyHeard(F)) {
        bool MaySwap = !isOnlyHeard(F) && (P.All || Filter.mayHoldKernel(F));
        if (MaySwap || P.Loops || P.Drop || Listening)
          Worklist.push_back({&F, MaySwap});
      }
    FunctionChecks Checks(M, FAM);
    for (auto [F, MaySwap] : Worklist)
      if (MaySwap)
        Checks.keepSource(*F);
    // Imported helpers are inlined before they are dropped.
    for (bool Imported : {false, true})
      for (auto [F, MaySwap] : Worklist)
        if (F->hasAvailableExternallyLinkage() == Imported)
          Changed |= prepare(*F, MaySwap);
    Checks.apply(isLightForm);
    return Changed;
  }

private:
  bool isEligible(const Function &F, bool NeedsCycle = true) const {
    return !F.isDeclaration() &&
           (!F.hasAvailableExternallyLinkage() ||
            (P.Imported && !F.hasFnAttribute(Attribute::AlwaysInline))) &&
           !isLightForm(F) && !F.hasFnAttribute("dl-generated") &&
           (!NeedsCycle || hasCycle(F));
  }

  /// Whether it is the definition of another file, of which nothing is left
  /// here but what is inlined: only there are its loops, and nobody speaks of
  /// them.
  bool isOnlyHeard(const Function &F) const {
    return Listening && !P.Imported && F.hasAvailableExternallyLinkage() &&
           !F.use_empty() && !isLightForm(F) && hasCycle(F);
  }

  /// Swaps in functions that call others for the stages of what can be done in
  /// one pass over memory, with the bodies of those.
  bool joinCalls() {
    if (P.Drop)
      return false;
    SmallVector<Function *, 8> Callers;
    for (Function &F : M)
      if (!F.hasAvailableExternallyLinkage() &&
          isEligible(F, /*NeedsCycle=*/false) && Filter.mayJoinCalls(F))
        Callers.push_back(&F);
    bool Changed = false;
    for (Function *F : Callers) {
      Options O = getOptions(*F);
      Verdict Why;
      if (!O.runs("dl-prepare") || (!O.runs("dl-fuse") && !O.runs("dl-layout")))
        continue;
      auto Clone = LightClone::create(*F, MAM, O, Why, Prefilter::AnyLoop,
                                      LightClone::Stages);
      if (!Clone || (!mayLayOut(*F, Clone->get()) &&
                     !(O.runs("dl-fuse") && hasFusion(Clone->get(), FAM))))
        continue;
      SmallVector<LightClone::Versions, 2> Added;
      addAhead(*F, O, LightClone::Stages, Clone, Added);
      swapIn(*F, *Clone);
      Changed = true;
    }
    return Changed;
  }

  /// Swaps in functions that share arrays, if dl-layout changes these.
  bool layOutTogether() {
    if (P.Drop)
      return false;
    HelperCopies Copies(M);
    SmallPtrSet<Function *, 8> Swapped;
    SmallVector<std::pair<Function *, std::unique_ptr<LightClone>>, 8> Clones;
    FunctionClones Map;
    for (Function *F : findArraySharers(
             M, [&](const Function &F) { return Filter.mayHoldKernel(F); })) {
      Options O = getOptions(*F);
      Verdict Why;
      if (F->hasAvailableExternallyLinkage() ||
          !isEligible(*F, /*NeedsCycle=*/false) || !O.runs("dl-prepare") ||
          !O.runs("dl-layout"))
        continue;
      if (auto C = LightClone::create(*F, MAM, O, Why, Prefilter::AnyLoop,
                                      LightClone::Straight)) {
        Map[F] = &C->get();
        Clones.emplace_back(F, std::move(C));
      }
    }
    auto Changed = Clones.size() > 1
                       ? findLayouts(M, FAM, Map, P.DispatchIfHosted)
                       : SmallPtrSet<Function *, 8>();
    // Backwards, as each knows of the module what was there before it.
    while (!Clones.empty()) {
      auto [F, C] = Clones.pop_back_val();
      if (Changed.contains(&C->get())) {
        swapIn(*F, *C);
        Swapped.insert(F);
      }
    }
    Copies.finish([&](Function &F) { return Swapped.contains(&F); }, ".layout",
                  FAM);
    return !Swapped.empty();
  }

  /// Whether windows of \p F have sizes, steps or borders that are arguments.
  bool hasWindowArguments(Function &F) {
    if (F.arg_empty() || !isEligible(F) || !Filter.mayHoldKernel(F))
      return false;
    Verdict Why;
    auto Clone =
        LightClone::create(F, MAM, getOptions(F), Why, Prefilter::AnyLoop);
    return Clone && any_of(raiseFunction(Clone->get(), FAM).Kernels,
                           [](const RaisedKernel &RK) {
                             return hasWindowNumbers(*RK.K);
                           });
  }

  /// Whether LLVM vectorizes \p F, whose sizes are numbers, better than code
  /// for any sizes is.
  bool isLeftToLoops(Function &F) {
    Verdict Why;
    auto Clone =
        LightClone::create(F, MAM, getOptions(F), Why, Prefilter::AnyLoop);
    if (!Clone)
      return false;
    RaiseResult R = raiseFunction(Clone->get(), FAM);
    return !R.Kernels.empty() && all_of(R.Kernels, [&](const RaisedKernel &RK) {
      return isLeftToLLVM(RK, Clone->get(), FAM, P.DispatchIfHosted);
    });
  }

  /// Swaps in copies of functions that are passed numbers that say how large
  /// windows are, in place of these where nobody else calls them.
  bool copyForSizes() {
    if (P.Drop)
      return false;
    HelperCopies Copies;
    addSizeCopies(M, Copies,
                  [&](Function &F) { return hasWindowArguments(F); });
    SmallPtrSet<Function *, 8> Kept;
    SmallVector<Function *, 8> Added;
    for (Function &F : M)
      if (Copies.isCopy(F))
        Added.push_back(&F);
    for (Function *F : Added)
      if (isEligible(*F) && Filter.mayHoldKernel(*F) &&
          (prepare(*F, /*MaySwap=*/true) || isLeftToLoops(*F)))
        Kept.insert(F);
    // And what passes numbers on to one of them.
    auto CallsKept = [&](const Function &F) {
      return any_of(instructions(F), [&](const Instruction &I) {
        auto *CB = dyn_cast<CallBase>(&I);
        return CB && CB->getCalledFunction() &&
               Kept.contains(CB->getCalledFunction());
      });
    };
    for (Function *F : reverse(Added))
      if (CallsKept(*F))
        Kept.insert(F);
    Copies.finish([&](Function &F) { return Kept.contains(&F); }, ".sizes",
                  FAM);
    Filter = KernelFilter();
    return !Kept.empty();
  }

  bool mayLayOut(const Function &F, Function &Clone) {
    return getOptions(F).runs("dl-layout") &&
           hasLayout(Clone, F, FAM, P.DispatchIfHosted);
  }

  /// Whether someone wants to hear about \p F who has not yet.
  bool mustReport(const Function &F) {
    // Copies that may be dropped have no name.
    return Listening &&
           (!F.hasAvailableExternallyLinkage() || isOnlyHeard(F)) &&
           F.hasName() && Reported.Names.insert(F.getName()).second;
  }

  bool prepare(Function &F, bool MaySwap) {
    Verdict Why;
    Options O = getOptions(F);
    if (!O.runs("dl-prepare")) {
      Why.R = Reason::Denied;
      if (getGlobalOptions().runs("dl-prepare") && !isProcessed(F) &&
          mustReport(F))
        reportRefusal(F, Why);
      return false;
    }
    auto Clone = LightClone::create(F, MAM, O, Why, Prefilter::AnyLoop);
    if (!Why.ok() && mustReport(F))
      reportRefusal(F, Why);
    if (Clone && MaySwap && !P.Drop &&
        (prepareVersions(F, O, Clone) || prepareVectors(F, O, Clone)))
      return true;
    bool Uneven = false;
    bool LaysOut = Clone && MaySwap && !P.Drop && mayLayOut(F, Clone->get());
    if (!Clone || P.Drop || (!LaysOut && !isWanted(*Clone, MaySwap, Uneven)))
      return false;
    if (Uneven) {
      Clone.reset();
      Clone = LightClone::create(F, MAM, O, Why, Prefilter::AnyLoop,
                                 LightClone::SplitShares);
      if (!Clone || !isWanted(*Clone, MaySwap, Uneven))
        return false;
    }
    swapIn(F, *Clone);
    return true;
  }

  bool mayHave(Function &Clone, LightClone::Versions V) {
    return mayHaveVersions(Clone, V, FAM, P.DispatchIfHosted);
  }

  /// Nests of the clone get copies for what they find mostly, of one kind, and
  /// such that read ahead of them; whether there are any. Otherwise the clone
  /// is as it was.
  bool prepareVersions(Function &F, const Options &O,
                       std::unique_ptr<LightClone> &Clone) {
    if (prepareRanks(F, O, Clone))
      return true;
    SmallVector<LightClone::Versions, 3> Added;
    for (LightClone::Versions V :
         {LightClone::EvenRows, LightClone::Tested, LightClone::MiddleRead,
          LightClone::CalledAhead})
      if (Added.empty())
        addVersions(F, O, LightClone::Plain, Clone, V, Added);
    addAhead(F, O, LightClone::Plain, Clone, Added);
    if (!Added.empty())
      swapIn(F, *Clone);
    return !Added.empty();
  }

  /// Copies for numbers of dimensions, whose sizes are read in front of these.
  /// Otherwise the clone is as it was.
  bool prepareRanks(Function &F, const Options &O,
                    std::unique_ptr<LightClone> &Clone) {
    if (!mayHave(Clone->get(), LightClone::Ranks) ||
        !Clone->addVersions(LightClone::Ranks))
      return false;
    if (mayHave(Clone->get(), LightClone::ReadAhead))
      Clone->addVersions(LightClone::ReadAhead);
    RaiseResult R = raiseFunction(Clone->get(), FAM);
    if (any_of(R.Kernels, [&](const RaisedKernel &RK) {
          return isInTagged(*RK.Nest, RanksTag) &&
                 hasStrategyForWhole(RK, Clone->get(), FAM, P.DispatchIfHosted);
        })) {
      swapIn(F, *Clone);
      return true;
    }
    makePlain(F, O, Clone);
    return false;
  }

  /// Copies of nests that work beside all others.
  void addAhead(Function &F, const Options &O, LightClone::Form As,
                std::unique_ptr<LightClone> &Clone,
                SmallVectorImpl<LightClone::Versions> &Added) {
    for (LightClone::Versions V :
         {LightClone::Unswitched, LightClone::ReadAhead})
      addVersions(F, O, As, Clone, V, Added);
  }

  /// Whether a nest of \p Clone, in copies with \p Tag if there is one, is a
  /// kernel that is wanted if windows are as most are.
  bool hasWindows(Function &Clone, StringRef Tag) {
    RaiseResult R = raiseFunction(Clone, FAM);
    return any_of(R.Kernels, [&](const RaisedKernel &RK) {
      return (Tag.empty() || isInTagged(*RK.Nest, Tag)) &&
             hasStrategyForWindows(RK, Clone, FAM, P.DispatchIfHosted);
    });
  }

  /// Adds copies if one of them is a kernel that is wanted.
  void addVersions(Function &F, const Options &O, LightClone::Form As,
                   std::unique_ptr<LightClone> &Clone, LightClone::Versions V,
                   SmallVectorImpl<LightClone::Versions> &Added) {
    Function &C = Clone->get();
    if (!mayHave(C, V))
      return;
    // What nests inside can do they can do without.
    bool Whole = V == LightClone::Unswitched || V == LightClone::ReadAhead;
    bool HasWindows = Whole && hasWindows(C, /*Tag=*/"");
    if (!Clone->addVersions(V))
      return;
    StringRef Tag = getTag(V);
    RaiseResult R = raiseFunction(C, FAM);
    auto Has = Whole ? hasStrategyForWhole : hasStrategy;
    if (any_of(R.Kernels,
               [&](const RaisedKernel &RK) {
                 return isInTagged(*RK.Nest, Tag) &&
                        ((P.All && !Whole) ||
                         Has(RK, C, FAM, P.DispatchIfHosted));
               }) ||
        (Whole && !HasWindows && hasWindows(C, Tag))) {
      Added.push_back(V);
      return;
    }
    Verdict Why;
    Clone.reset();
    Clone = LightClone::create(F, MAM, O, Why, Prefilter::AnyLoop, As);
    for (LightClone::Versions Before : Added)
      Clone->addVersions(Before);
  }

  /// If loops of the clone compute with vectors: whether products come of all
  /// of these where the vectors are unrolled loops. Otherwise the clone is as
  /// it was.
  bool prepareVectors(Function &F, const Options &O,
                      std::unique_ptr<LightClone> &Clone) {
    unsigned Loops =
        countVectorLoops(FAM.getResult<LoopAnalysis>(Clone->get()));
    if (!Loops)
      return false;
    Verdict Why;
    Clone.reset();
    Clone = LightClone::create(F, MAM, O, Why, Prefilter::AnyLoop,
                               LightClone::Scalars);
    if (Clone && countVectorProducts(Clone->get()) == Loops) {
      swapIn(F, *Clone);
      return true;
    }
    makePlain(F, O, Clone);
    return false;
  }

  /// How many of the loops that had vectors are products with a strategy. None
  /// may be left, without its vectors; nor may one have lost its mark.
  unsigned countVectorProducts(Function &F) {
    RaiseResult R = raiseFunction(F, FAM);
    return count_if(R.Kernels, [&](const RaisedKernel &RK) {
      return hadVectors(*RK.Nest) && isProduct(*RK.K) &&
             (P.All || hasStrategy(RK, F, FAM, P.DispatchIfHosted));
    });
  }

  void swapIn(Function &F, LightClone &Clone) {
    // The copy would be inlined as it is; the definition has the kernel, too.
    if (F.hasAvailableExternallyLinkage()) {
      FAM.clear(F, F.getName());
      F.deleteBody();
      return;
    }
    Clone.swapIn();
    markLightForm(F);
  }

  void makePlain(Function &F, const Options &O,
                 std::unique_ptr<LightClone> &Clone) {
    Verdict Why;
    Clone.reset();
    Clone = LightClone::create(F, MAM, O, Why, Prefilter::AnyLoop);
  }

  /// Raises the clone. What is found in a function that stays as it is would
  /// not be heard of again, so it is reported here.
  bool isWanted(LightClone &Clone, bool MaySwap, bool &Uneven) {
    RaiseResult R = raiseFunction(Clone.get(), FAM);
    Uneven = any_of(R.Kernels, needsWholeRows);
    bool Wanted =
        P.Loops || (MaySwap && any_of(R.Kernels, [&](const RaisedKernel &RK) {
                      return P.All || hasStrategy(RK, Clone.get(), FAM,
                                                  P.DispatchIfHosted);
                    }));
    // Where only loops together are worth it.
    if (!Wanted && MaySwap && !R.Kernels.empty() && hasFusion(Clone.get(), FAM))
      return true;
    if (!Wanted && mustReport(Clone.get())) {
      // Looking for loops to join has made other ones of the kernels' loops.
      R = raiseFunction(Clone.get(), FAM);
      // The clone has the name, as long as it lives.
      OptimizationRemarkEmitter ORE(&Clone.get());
      reportRecognition(Clone.get(), R, ORE, Clone.getOriginal());
      reportNoStrategy(R.Kernels, Clone.get(), FAM, P.DispatchIfHosted, ORE);
    }
    return Wanted;
  }

  Module &M;
  ModuleAnalysisManager &MAM;
  FunctionAnalysisManager &FAM;
  const PrepareParams &P;
  bool Listening;
  ReportedFunctionsAnalysis::Result &Reported;
  KernelFilter Filter;
};

} // namespace

PreservedAnalyses PreparePass::run(Module &M, ModuleAnalysisManager &MAM) {
  return Preparer(M, MAM, P).run() ? PreservedAnalyses::none()
                                   : PreservedAnalyses::all();
}

} // namespace dlopt
