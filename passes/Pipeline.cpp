//===- Pipeline.cpp - The pass pipeline and its hooks ---------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where the pipeline stands in clang, flang, rustc and lld:
///
///   compilation     PipelineStart (before anything is unrolled or rotated)
///   full LTO link   FullLinkTimeOptimizationEarly
///   ThinLTO link    PipelineEarlySimplification of the back ends
///
/// A compiler may load the plugin twice, or build a pipeline twice, so within
/// one compilation the module itself says that it has been processed (named
/// metadata, erased again by dl-mark). For link time each function says so
/// (a metadata attachment, which survives linking and cannot change code).
///
//===----------------------------------------------------------------------===//
#include "dlopt/Pipeline.h"
#include "dlopt/Compat.h"
#include "dlopt/Contracts.h"
#include "dlopt/CorrectMath.h"
#include "dlopt/FMA.h"
#include "dlopt/Fuse.h"
#include "dlopt/Layout.h"
#include "dlopt/LinkTime.h"
#include "dlopt/NoAlias.h"
#include "dlopt/Options.h"
#include "dlopt/Prepare.h"
#include "dlopt/Recognize.h"
#include "dlopt/Vectorize.h"
#include "dlopt/Verdicts.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;
using namespace dlopt;

static constexpr StringLiteral ProcessedModule = "dl.processed";

using Callbacks = PhaseCallbacks<PassBuilder>;

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

Expected<PipelineParams> PipelineParams::parse(StringRef Params) {
  PipelineParams P;
  if (Params == "O1")
    P.Level = OptimizationLevel::O1;
  else if (Params == "O2")
    P.Level = OptimizationLevel::O2;
  else if (Params == "O3")
    P.Level = OptimizationLevel::O3;
  else if (Params.empty())
    return createStringError("a level is missing");
  else
    return unknownParam(Params);
  return P;
}

/// "O2"
static std::string getLevelName(OptimizationLevel Level) {
  if (unsigned Size = getSizeLevel(Level))
    return Size == 1 ? "Os" : "Oz";
  return "O" + std::to_string(getSpeedupLevel(Level));
}

void PipelineParams::print(raw_ostream &OS) const { OS << getLevelName(Level); }

static constexpr ParamFlag<MarkParams> MarkFlags[] = {
    {"prelink", &MarkParams::PreLink}, {"defer", &MarkParams::Defer}};

Expected<MarkParams> MarkParams::parse(StringRef Params) {
  return parseFlags<MarkParams>(Params, MarkFlags);
}

void MarkParams::print(raw_ostream &OS) const {
  printFlags<MarkParams>(OS, *this, MarkFlags);
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

template <typename PassT>
static void addUnlessDisabled(ModulePassManager &MPM, StringRef Name,
                              PassT Pass) {
  if (!getGlobalOptions().isDisabled(Name))
    MPM.addPass(std::move(Pass));
}

/// dl-prepare brings the functions into light form that the others work on.
static ModulePassManager buildPipeline(OptimizationLevel Level, bool Imported) {
  RecognizeParams Recognize;
  NoAliasParams NoAlias;
  FuseParams Fuse;
  VectorizeParams Vectorize;
  Recognize.Prepared = NoAlias.Prepared = Fuse.Prepared = Vectorize.Prepared =
      true;
  PrepareParams Prepare;
  Prepare.DispatchIfHosted = Vectorize.DispatchIfHosted =
      Level == OptimizationLevel::O3;
  Prepare.Imported = Imported;
  MathParams Mark;
  Mark.Mark = true;
  ModulePassManager MPM;
  addUnlessDisabled(MPM, "dl-math", MathPass(Mark));
  addUnlessDisabled(MPM, "dl-prepare", PreparePass(Prepare));
  addUnlessDisabled(
      MPM, "dl-recognize",
      createModuleToFunctionPassAdaptor(RecognizePass(Recognize)));
  // In front of what puts loops behind guards: it must know of all uses.
  addUnlessDisabled(
      MPM, "dl-layout",
      LayoutPass(LayoutParams::inPipeline(Vectorize.DispatchIfHosted)));
  addUnlessDisabled(MPM, "dl-noalias", NoAliasPass(NoAlias));
  addUnlessDisabled(MPM, "dl-fuse", FusePass(Fuse));
  addUnlessDisabled(MPM, "dl-vectorize", VectorizePass(Vectorize));
  addUnlessDisabled(MPM, "dl-math", MathPass());
  return MPM;
}

/// Whether the link may tell what loops of \p F call. What has been transformed
/// of them stays as it is: loops behind guards say so.
static bool mayLearnAtLink(Function &F, const TargetLibraryInfo &TLI) {
  if (isGenerated(F))
    return false;
  DominatorTree DT(F);
  LoopInfo LI(DT);
  return any_of(LI, [&](const Loop *L) { return callsUnknown(*L, TLI); });
}

/// Runs \p MPM, and says what is to be said of all that it does.
static PreservedAnalyses runAndConclude(ModulePassManager MPM, Module &M,
                                        ModuleAnalysisManager &AM,
                                        bool AwaitsLink) {
  bool HasContracts = hasContracts(M), WantsSummary = wantsSummary(M);
  if (!HasContracts && !WantsSummary)
    return MPM.run(M, AM);
  std::optional<RemarkListener> Listener(M.getContext());
  PreservedAnalyses PA = MPM.run(M, AM);
  std::vector<LoopRemark> Remarks = Listener->remarks().vec();
  Listener.reset();
  if (WantsSummary)
    reportSummary(M, Remarks);
  auto &FAM = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  auto LearnsAtLink = [&](Function &F) {
    return mayLearnAtLink(F, FAM.getResult<TargetLibraryAnalysis>(F));
  };
  if (HasContracts && AwaitsLink)
    checkContracts(M, Remarks, LearnsAtLink);
  else if (HasContracts)
    checkContracts(M, Remarks, nullptr);
  return PA;
}

/// What the source and files say of functions becomes attributes of these.
static bool applyWishes(Module &M) {
  const Options &O = getGlobalOptions();
  if (!O.Enable)
    return false;
  bool Changed = applyAnnotations(M);
  if (O.Contracts)
    O.Contracts->apply(M);
  return Changed;
}

PreservedAnalyses PipelinePass::run(Module &M, ModuleAnalysisManager &AM) {
  resumeLoops(M);
  if (P.Hooked && M.getNamedMetadata(ProcessedModule))
    return PreservedAnalyses::all();
  bool Changed = applyWishes(M);
  if (reportBadOptions(M) || !getGlobalOptions().Enable)
    return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  bool AwaitsLink = P.AwaitsLink &&
                    (*P.AwaitsLink || (!Callbacks::AreTold && isBeforeLink(M)));
  if (AwaitsLink)
    setAwaitsLink(M);
  PreservedAnalyses PA =
      runAndConclude(buildPipeline(P.Level, P.Imported), M, AM, AwaitsLink);
  if (P.Hooked)
    M.getOrInsertNamedMetadata(ProcessedModule);
  if (Changed)
    PA.intersect(PreservedAnalyses::none());
  return PA;
}

/// What has been processed is not looked at again at the link: LLVM may do with
/// it what it does before full LTO.
static void deferNests(Module &M, FunctionAnalysisManager &FAM) {
  if (isLinkedByCompiler(M) && M.getNamedMetadata(ProcessedModule))
    for (Function &F : M)
      if (!F.isDeclaration() && !isGenerated(F))
        deferLoops(FAM.getResult<LoopAnalysis>(F),
                   FAM.getResult<TargetLibraryAnalysis>(F));
}

PreservedAnalyses MarkPass::run(Module &M, ModuleAnalysisManager &AM) {
  if (P.Defer) {
    deferNests(
        M, AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager());
    return PreservedAnalyses::all();
  }
  clearAwaitsLink(M);
  NamedMDNode *Processed = M.getNamedMetadata(ProcessedModule);
  if (!Processed)
    return PreservedAnalyses::all();
  M.eraseNamedMetadata(Processed);
  auto &FAM = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  if (P.PreLink || (P.AsksModule && isBeforeLink(M)))
    for (Function &F : M)
      // What is defined elsewhere already is no copy of a link.
      if (!F.isDeclaration() &&
          (F.hasAvailableExternallyLinkage() ||
           !mayLearnAtLink(F, FAM.getResult<TargetLibraryAnalysis>(F))))
        markProcessed(F);
  return PreservedAnalyses::all();
}

//===----------------------------------------------------------------------===//
// Hooks
//===----------------------------------------------------------------------===//

/// Everything the pipeline does grows code: nothing at Os and Oz, as at O0.
static bool runsAt(OptimizationLevel Level) {
  return getSpeedupLevel(Level) > 0 && !getSizeLevel(Level);
}

namespace {
/// Who asks for a summary where nothing is done learns why there is none.
struct NoSummaryPass : RequiredPassInfoMixin<NoSummaryPass> {
  std::string Level;
  explicit NoSummaryPass(std::string Level) : Level(std::move(Level)) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    reportNoSummary(M, Level);
    return PreservedAnalyses::all();
  }
};
} // namespace

static void addPipeline(ModulePassManager &MPM, OptimizationLevel Level,
                        std::shared_ptr<bool> AwaitsLink = nullptr,
                        bool Imported = false) {
  if (!runsAt(Level))
    return;
  PipelineParams P;
  P.Level = Level;
  P.Hooked = true;
  P.AwaitsLink = std::move(AwaitsLink);
  P.Imported = Imported;
  MPM.addPass(PipelinePass(P));
}

static void addMark(ModulePassManager &MPM, OptimizationLevel Level,
                    bool PreLink, bool AsksModule = false) {
  if (!runsAt(Level))
    return;
  MarkParams P;
  P.PreLink = PreLink;
  P.AsksModule = AsksModule;
  MPM.addPass(MarkPass(P));
}

namespace {
/// Passes for where nothing but the back end follows, if that is only known of
/// a module.
struct UnlessBeforeLinkPass : OptionalPassInfoMixin<UnlessBeforeLinkPass> {
  ModulePassManager Passes;
  explicit UnlessBeforeLinkPass(ModulePassManager Passes)
      : Passes(std::move(Passes)) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &AM) {
    return isBeforeLink(M) ? PreservedAnalyses::all() : Passes.run(M, AM);
  }
  /// As the passes alone, so that what is printed can be parsed.
  void printPipeline(raw_ostream &OS,
                     function_ref<StringRef(StringRef)> MapName) {
    Passes.printPipeline(OS, MapName);
  }
};
} // namespace

/// Where nothing but the back end follows.
static void addFMA(ModulePassManager &MPM, OptimizationLevel Level,
                   bool AsksModule = false) {
  if (!runsAt(Level))
    return;
  ModulePassManager Own;
  addUnlessDisabled(Own, "dl-fma",
                    createModuleToFunctionPassAdaptor(FMAPass()));
  if (AsksModule)
    MPM.addPass(UnlessBeforeLinkPass(std::move(Own)));
  else
    MPM.addPass(std::move(Own));
}

/// Calls of math functions that inlining has found: no loop is to become
/// vectors by LLVM's means that calls another function than scalars do.
static void addMath(ModulePassManager &MPM, OptimizationLevel Level) {
  if (runsAt(Level))
    addUnlessDisabled(MPM, "dl-math", MathPass());
}

/// Guards that inlining has made provable. \p Nests: the loop vectorizer is to
/// come, and loads have been merged.
static void addGuardFolding(ModulePassManager &MPM, OptimizationLevel Level,
                            bool Nests) {
  if (!runsAt(Level))
    return;
  NoAliasParams P;
  P.Prepared = true;
  P.Nests = Nests && getSpeedupLevel(Level) > 1;
  addUnlessDisabled(MPM, "dl-noalias", NoAliasPass(P));
}

/// Before full LTO.
static void addDeferral(ModulePassManager &MPM, OptimizationLevel Level) {
  if (!runsAt(Level))
    return;
  MarkParams P;
  P.Defer = true;
  MPM.addPass(MarkPass(P));
}

static bool isPreLink(ThinOrFullLTOPhase Phase) {
  return Phase == ThinOrFullLTOPhase::ThinLTOPreLink ||
         Phase == ThinOrFullLTOPhase::FullLTOPreLink;
}

void dlopt::registerPipelineHooks(PassBuilder &PB) {
  // The start of a pipeline is not told which one it is; what comes next is.
  auto AwaitsLink = std::make_shared<std::shared_ptr<bool>>();
  Callbacks Told(PB);
  PB.registerPipelineStartEPCallback(
      [AwaitsLink](ModulePassManager &MPM, OptimizationLevel Level) {
        *AwaitsLink = std::make_shared<bool>(false);
        addPipeline(MPM, Level, *AwaitsLink);
        const Options &O = getGlobalOptions();
        if (!runsAt(Level) && O.Enable && O.Summary)
          MPM.addPass(NoSummaryPass(getLevelName(Level)));
      });
  Told.addEarlySimplification([AwaitsLink](ModulePassManager &MPM,
                                           OptimizationLevel Level,
                                           ThinOrFullLTOPhase Phase) {
    if (*AwaitsLink)
      **AwaitsLink = isPreLink(Phase);
    if (Phase == ThinOrFullLTOPhase::ThinLTOPostLink)
      addPipeline(MPM, Level, nullptr, /*Imported=*/true);
  });
  PB.registerFullLinkTimeOptimizationEarlyEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level) {
        addPipeline(MPM, Level);
      });
  Told.addOptimizerEarly([](ModulePassManager &MPM, OptimizationLevel Level,
                            ThinOrFullLTOPhase Phase) {
    addMath(MPM, Level);
    addGuardFolding(MPM, Level, /*Nests=*/true);
    if (Phase == ThinOrFullLTOPhase::FullLTOPreLink)
      addDeferral(MPM, Level);
  });
  Told.addOptimizerLast([](ModulePassManager &MPM, OptimizationLevel Level,
                           ThinOrFullLTOPhase Phase) {
    bool AsksModule = !Callbacks::AreTold && Phase == ThinOrFullLTOPhase::None;
    if (!isPreLink(Phase))
      addFMA(MPM, Level, AsksModule);
    addMark(MPM, Level, isPreLink(Phase), AsksModule);
  });
  PB.registerFullLinkTimeOptimizationLastEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level) {
        addMath(MPM, Level);
        addGuardFolding(MPM, Level, /*Nests=*/false);
        addFMA(MPM, Level);
        addMark(MPM, Level, false);
      });
}
