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
#include "dlopt/LightForm.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace dlopt {

Expected<PrepareParams> PrepareParams::parse(StringRef Params) {
  PrepareParams P;
  while (!Params.empty()) {
    StringRef Param;
    std::tie(Param, Params) = Params.split(';');
    if (Param == "all")
      P.All = true;
    else if (Param == "loops")
      P.Loops = true;
    else if (Param == "drop")
      P.Drop = true;
    else
      return unknownParam(Param);
  }
  return P;
}

void PrepareParams::print(raw_ostream &OS) const {
  ListSeparator Sep(";");
  if (All)
    OS << Sep << "all";
  if (Loops)
    OS << Sep << "loops";
  if (Drop)
    OS << Sep << "drop";
}

/// True if someone wants to hear about kernels that are left alone.
static bool hasListener(const Module &M) {
  LLVMContext &C = M.getContext();
  return C.getLLVMRemarkStreamer() ||
         (C.getDiagHandlerPtr() &&
          C.getDiagHandlerPtr()->isAnyRemarkEnabled("dl-recognize"));
}

/// Why the whole function was refused, as a remark at its head.
static void reportRefusal(Function &F, const Verdict &Why) {
  OptimizationRemarkEmitter ORE(&F);
  ORE.emit([&] {
    DISubprogram *SP = F.getSubprogram();
    DebugLoc Head =
        SP ? DebugLoc(DILocation::get(F.getContext(), SP->getLine(), 0, SP))
           : DebugLoc();
    return missedRemark("dl-recognize", Why, getUserLoc(Why, Head),
                        F.getEntryBlock());
  });
}

namespace {

/// One run over a module.
class Preparer {
public:
  Preparer(Module &M, ModuleAnalysisManager &MAM, const PrepareParams &P)
      : M(M), MAM(MAM), P(P), Listening(hasListener(M)) {}

  bool run() {
    // Fixed before anything is cloned.
    SmallVector<Function *, 32> Worklist;
    for (Function &F : M)
      if (isEligible(F))
        Worklist.push_back(&F);
    bool Changed = false;
    for (Function *F : Worklist)
      Changed |= prepare(*F);
    return Changed;
  }

private:
  bool isEligible(const Function &F) {
    if (F.isDeclaration() || F.hasAvailableExternallyLinkage() ||
        isLightForm(F) || F.hasFnAttribute("dl-generated") || !hasCycle(F))
      return false;
    return P.All || P.Loops || P.Drop || Listening || Filter.mayHoldKernel(F);
  }

  bool prepare(Function &F) {
    Verdict Why;
    Options O = getOptions(F);
    if (!O.runs("dl-prepare")) {
      Why.R = Reason::Denied;
      if (Listening && getGlobalOptions().runs("dl-prepare") && !isProcessed(F))
        reportRefusal(F, Why);
      return false;
    }
    auto Clone = LightClone::create(F, MAM, O, Why, Prefilter::AnyLoop);
    if (!Why.ok() && Listening)
      reportRefusal(F, Why);
    if (!Clone || P.Drop || !isWanted(F, *Clone))
      return false;
    Clone->swapIn();
    markLightForm(F);
    return true;
  }

  bool isWanted(Function &, LightClone &) { return P.Loops; }

  Module &M;
  ModuleAnalysisManager &MAM;
  const PrepareParams &P;
  bool Listening;
  KernelFilter Filter;
};

} // namespace

PreservedAnalyses PreparePass::run(Module &M, ModuleAnalysisManager &MAM) {
  return Preparer(M, MAM, P).run() ? PreservedAnalyses::none()
                                   : PreservedAnalyses::all();
}

} // namespace dlopt
