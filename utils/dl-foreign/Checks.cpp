//===- Checks.cpp - What must hold when passes run over any IR ------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Checks.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/StandardInstrumentations.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"

using namespace llvm;

namespace foreign {

//===----------------------------------------------------------------------===//
// The checks
//===----------------------------------------------------------------------===//

/// dl-noalias alone annotates functions whether or not they hold a kernel, and
/// the parameters that are there for tests swap in functions without one.
/// dl-fma knows nothing of kernels.
static Check::Mode getMode(StringRef Name, StringRef Param) {
  if (Name == "dl-relower")
    return Check::Repeated;
  if (Param == "all" || Param == "loops")
    return Check::Rewriting;
  if ((Name == "dl-noalias" && Param != "prepared") || Name == "dl-fma")
    return Check::Rewriting;
  return Check::Alone;
}

/// \p Name alone if it can do without parameters, and with each one that needs
/// no value of its own.
static void addPass(std::vector<Check> &Checks, StringRef Name,
                    StringRef Grammar) {
  // The pipeline as a pass needs its level.
  if (Name != "dl")
    Checks.push_back({getMode(Name, ""), Name.str()});
  SmallVector<StringRef, 4> Params;
  Grammar.split(Params, ';', -1, /*KeepEmpty=*/false);
  for (StringRef Param : Params)
    if (!Param.contains('='))
      Checks.push_back(
          {getMode(Name, Param), (Name + "<" + Param + ">").str()});
}

std::vector<Check> getChecks() {
  std::vector<Check> Checks;
  // What light form is made with: where LLVM's passes fail by themselves, the
  // plugin's are not to blame.
  Checks.push_back(
      {Check::Baseline,
       "function(sroa<modify-cfg>,early-cse<memssa>,instcombine,simplifycfg,"
       "sroa<modify-cfg>,early-cse<memssa>,simplifycfg,loop-simplify,lcssa)"});
#define DLOPT_MODULE_PASS(NAME, CLASS, PARAMS) addPass(Checks, NAME, PARAMS);
#define DLOPT_FUNCTION_PASS(NAME, CLASS, PARAMS) addPass(Checks, NAME, PARAMS);
#define DLOPT_FUNCTION_ANALYSIS(NAME, CLASS)                                   \
  Checks.push_back({Check::Alone, "function(require<" NAME ">)"});
#include "dlopt/PassRegistry.def"
  Checks.push_back({Check::Repeated, "dl-prepare<loops>,dl-relower"});
  Checks.push_back({Check::Rewriting, "dl-prepare<all>,print<dl-kernels>"});
  Checks.push_back({Check::Rewriting,
                    "dl-prepare<all>,dl-recognize,dl-noalias<guards>,"
                    "dl-vectorize<prepared>"});
  Checks.push_back({Check::Remarks, "dl<O2>"});
  Checks.push_back({Check::Hooked, "default<O1>"});
  Checks.push_back({Check::Hooked, "default<O2>"});
  Checks.push_back({Check::Hooked, "default<O3>"});
  return Checks;
}

//===----------------------------------------------------------------------===//
// One run
//===----------------------------------------------------------------------===//

namespace {

/// Counts what dl-vectorize transforms, and is a listener if it is told to.
struct Listener : DiagnosticHandler {
  Listener(unsigned &Kernels, bool Listens)
      : Kernels(Kernels), Listens(Listens) {}
  bool handleDiagnostics(const DiagnosticInfo &DI) override {
    if (const auto *R = dyn_cast<DiagnosticInfoOptimizationBase>(&DI))
      Kernels += R->getPassName() == StringRef("dl-vectorize") && R->isPassed();
    return true;
  }
  bool isAnalysisRemarkEnabled(StringRef) const override { return Listens; }
  bool isMissedOptRemarkEnabled(StringRef) const override { return Listens; }
  bool isPassedOptRemarkEnabled(StringRef) const override { return Listens; }
  bool isAnyRemarkEnabled() const override { return Listens; }

  unsigned &Kernels;
  bool Listens;
};

/// A module in a context of its own, and what is needed to run passes over it.
class Workpiece {
public:
  /// Null module if it cannot be read; then \p Why says why.
  Workpiece(MemoryBufferRef Buffer, std::string &Why, bool Listens = false) {
    Context.setDiagnosticHandler(std::make_unique<Listener>(Kernels, Listens));
    SMDiagnostic Err;
    M = parseIR(Buffer, Err, Context);
    if (!M) {
      Why = Err.getMessage().str();
      return;
    }
    raw_string_ostream OS(Why);
    if (verifyModule(*M, &OS)) {
      M = nullptr;
      return;
    }
    createTarget();
  }

  /// Runs \p Pipeline with everything verified after each pass. \returns false
  /// if it does not parse.
  bool run(StringRef Pipeline, PassPlugin *Plugin, bool &AllPreserved) {
    LoopAnalysisManager LAM;
    FunctionAnalysisManager FAM;
    CGSCCAnalysisManager CGAM;
    ModuleAnalysisManager MAM;
    PassInstrumentationCallbacks PIC;
    StandardInstrumentations SI(Context, /*DebugLogging=*/false,
                                /*VerifyEach=*/true);
    SI.registerCallbacks(PIC, &MAM);
    PassBuilder PB(TM.get(), PipelineTuningOptions(), std::nullopt, &PIC);
    if (Plugin)
      Plugin->registerPassBuilderCallbacks(PB);
    PB.registerModuleAnalyses(MAM);
    PB.registerCGSCCAnalyses(CGAM);
    PB.registerFunctionAnalyses(FAM);
    PB.registerLoopAnalyses(LAM);
    PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
    ModulePassManager MPM;
    if (Error E = PB.parsePassPipeline(MPM, Pipeline)) {
      consumeError(std::move(E));
      return false;
    }
    AllPreserved = MPM.run(*M, MAM).areAllPreserved();
    return true;
  }

  std::string print() const {
    std::string Text;
    raw_string_ostream OS(Text);
    M->print(OS, nullptr);
    return Text;
  }

  /// True if a function has been taken for one that holds a kernel.
  bool isClaimed() const {
    if (M->getNamedMetadata("dl.processed"))
      return true;
    unsigned Kernel = Context.getMDKindID("dl.kernel");
    unsigned Guard = Context.getMDKindID("dl.guard");
    unsigned Processed = Context.getMDKindID("dl.processed");
    for (const Function &F : *M) {
      if (F.hasFnAttribute("dl-light") || F.hasMetadata(Processed))
        return true;
      for (const BasicBlock &BB : F)
        for (const Instruction &I : BB)
          if (I.hasMetadata(Kernel) || I.hasMetadata(Guard))
            return true;
    }
    return false;
  }

  Module *get() { return M.get(); }
  unsigned kernels() const { return Kernels; }

private:
  /// True if a test was written for a target that only its command line names.
  bool hasTargetAttributes() const {
    return any_of(*M, [](const Function &F) {
      return F.hasFnAttribute("target-cpu") ||
             F.hasFnAttribute("target-features");
    });
  }

  /// Costs are asked of a real target: the module's own if it has one.
  void createTarget() {
    if (dlopt::getTriple(*M).str().empty() && M->getDataLayoutStr().empty() &&
        !hasTargetAttributes())
      dlopt::setTriple(*M, Triple("x86_64-unknown-linux-gnu"));
    Triple T = dlopt::getTriple(*M);
    std::string Ignored;
    const Target *Found = TargetRegistry::lookupTarget("", T, Ignored);
    if (!Found)
      return;
    TM.reset(dlopt::createTargetMachine(*Found, T, T.isX86() ? "haswell" : "",
                                        "", TargetOptions(), std::nullopt));
    if (TM && M->getDataLayoutStr().empty())
      M->setDataLayout(TM->createDataLayout());
  }

  mutable LLVMContext Context;
  unsigned Kernels = 0;
  std::unique_ptr<Module> M;
  std::unique_ptr<TargetMachine> TM;
};

} // namespace

/// What differs first in the printed modules.
static std::string firstDifference(StringRef Old, StringRef New) {
  while (!Old.empty() || !New.empty()) {
    StringRef A, B;
    std::tie(A, Old) = Old.split('\n');
    std::tie(B, New) = New.split('\n');
    if (A != B)
      return ("'" + A + "' has become '" + B + "'").str();
  }
  return "";
}

/// Runs \p C once and again.
static Outcome checkAlone(const Check &C, Workpiece &W, PassPlugin *Plugin) {
  std::string Before = W.print();
  bool AllPreserved = false, Ignored = false;
  if (!W.run(C.Pipeline, Plugin, AllPreserved))
    return {"pipeline", "does not parse"};
  std::string After = W.print();
  if (C.M == Check::Baseline)
    return {};
  if (Before != After && C.M == Check::Alone && !W.isClaimed())
    return {"changed", firstDifference(Before, After)};
  // Metadata alone is no change to an analysis.
  bool IsMetadata = StringRef(C.Pipeline).contains("dl-recognize") ||
                    StringRef(C.Pipeline).starts_with("dl-mark");
  if (Before != After && AllPreserved && !IsMetadata)
    return {"unreported", firstDifference(Before, After)};
  W.run(C.Pipeline, Plugin, Ignored);
  std::string Again = W.print();
  if (Again != After && C.M != Check::Repeated)
    return {"not-idempotent", firstDifference(After, Again)};
  return {};
}

/// Compares two runs that must end alike.
static Outcome checkPair(const Check &C, MemoryBufferRef Buffer,
                         PassPlugin &Plugin,
                         function_ref<void()> OwnPassesDone) {
  std::string Why;
  bool Ignored = false, IsHooked = C.M == Check::Hooked;
  Workpiece Left(Buffer, Why), Right(Buffer, Why, /*Listens=*/!IsHooked);
  // BPF's passes keep what they made for one module for the next one.
  if (IsHooked && dlopt::getTriple(*Left.get()).isBPF())
    return {};
  if (IsHooked)
    Left.run(C.Pipeline, nullptr, Ignored);
  OwnPassesDone();
  // The last pass asks for no kernel.
  Left.run(IsHooked ? "dl-fma" : C.Pipeline, &Plugin, Ignored);
  if (!Right.run(C.Pipeline, &Plugin, Ignored))
    return {"pipeline", "does not parse"};
  Outcome O;
  O.Kernels = Right.kernels();
  if (IsHooked && Right.isClaimed())
    return O;
  if (std::string A = Left.print(), B = Right.print(); A != B) {
    O.Finding = IsHooked ? "changed" : "remarks";
    O.Detail = firstDifference(A, B);
  }
  return O;
}

Outcome readModule(MemoryBufferRef Buffer) {
  std::string Why;
  Workpiece W(Buffer, Why);
  if (!W.get())
    return {"unreadable", Why};
  return {};
}

Outcome runCheck(const Check &C, MemoryBufferRef Buffer, PassPlugin &Plugin,
                 function_ref<void()> OwnPassesDone) {
  if (C.M == Check::Remarks || C.M == Check::Hooked)
    return checkPair(C, Buffer, Plugin, OwnPassesDone);
  if (C.M != Check::Baseline)
    OwnPassesDone();
  std::string Why;
  Workpiece W(Buffer, Why);
  return checkAlone(C, W, C.M == Check::Baseline ? nullptr : &Plugin);
}

} // namespace foreign
