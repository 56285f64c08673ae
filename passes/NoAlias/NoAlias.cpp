//===- NoAlias.cpp - The pass dl-noalias ----------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The pass; arguments are in Arguments.cpp, guarded clones of kernels in
/// ScopedClone.cpp, of other nests in NestVersions.cpp.
///
//===----------------------------------------------------------------------===//
#include "dlopt/NoAlias.h"
#include "NoAliasImpl.h"
#include "dlopt/LightForm.h"
#include "dlopt/Options.h"
#include "dlopt/Prepare.h"
#include "dlopt/Recognize.h"
#include "dlopt/SelfCheck.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Module.h"

#define DEBUG_TYPE "dl-noalias"

using namespace llvm;
using namespace dlopt;

static constexpr ParamFlag<NoAliasParams> NoAliasFlags[] = {
    {"guards", &NoAliasParams::Guards},
    {"nests", &NoAliasParams::Nests},
    {"prepared", &NoAliasParams::Prepared}};

Expected<NoAliasParams> NoAliasParams::parse(StringRef Params) {
  return parseFlags<NoAliasParams>(Params, NoAliasFlags);
}

void NoAliasParams::print(raw_ostream &OS) const {
  printFlags<NoAliasParams>(OS, *this, NoAliasFlags);
}

/// Whether a leaf reads what \p N, a Need::NonZero, speaks of.
static bool isRead(const Kernel &K, const Need &N) {
  bool Any = false;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    Any |= any_of(L.Ops, [&](const Op &O) {
      return O.K == Op::Load && O.Acc.Buf == N.Buf && O.Acc.offset() == N.P;
    });
  });
  return Any;
}

/// Guards every kernel of \p F that needs it.
static bool guardKernels(Function &F, FunctionAnalysisManager &FAM) {
  RaiseResult R = raiseFunction(F, FAM);
  bool Changed = false;
  for (RaisedKernel &RK : R.Kernels) {
    if (none_of(RK.K->Needs,
                [](const Need &N) { return N.K == Need::Disjoint; }) ||
        findOptionMDForLoop(RK.Nest, ScopedLoopTag))
      continue;
    // The loops that are guarded leave out factors of zero themselves; what
    // only their tests read, the guard would not know of.
    if (any_of(RK.K->Needs, [&](const Need &N) {
          return N.K == Need::NonZero && !isRead(*RK.K, N);
        }))
      continue;
    erase_if(RK.K->Needs, [](const Need &N) { return N.K == Need::NonZero; });
    auto &ORE = FAM.getResult<OptimizationRemarkEmitterAnalysis>(F);
    DebugLoc Loc = getUserLoc(RK.Nest->getStartLoc());
    std::string What = describe(*RK.K, F, DEBUG_TYPE);
    Verdict V = addScopedClone(RK, F, FAM,
                               {getOptions(F), DEBUG_TYPE " of " + RK.K->Kind});
    // A guard that turns out impossible is abandoned, but its blocks stay.
    Changed = true;
    if (!V.ok()) {
      emitMissed(ORE, F, Loc, [&] {
        return missedRemark(DEBUG_TYPE, V, Loc, F.getEntryBlock());
      });
      continue;
    }
    ORE.emit([&] {
      return passedRemark(DEBUG_TYPE, "Guarded", Loc, F.getEntryBlock())
             << ore::NV("Kernel", What)
             << ": loops behind a test that output and inputs are disjoint";
    });
  }
  return Changed;
}

static bool guardModule(Module &M, ModuleAnalysisManager &AM, bool Prepared) {
  PrepareParams All;
  All.All = true;
  bool Changed = !Prepared && !PreparePass(All).run(M, AM).areAllPreserved();
  auto &FAM = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  for (Function &F : M) {
    if (F.isDeclaration() || !isLightForm(F) || !getOptions(F).runs(DEBUG_TYPE))
      continue;
    if (guardKernels(F, FAM)) {
      FAM.invalidate(F, PreservedAnalyses::none());
      Changed = true;
    }
  }
  return Changed;
}

/// Says what was not proved of arguments, for functions in which that counts.
static void reportArguments(Function &F, FunctionAnalysisManager &FAM) {
  auto &ORE = FAM.getResult<OptimizationRemarkEmitterAnalysis>(F);
  const auto &LI = FAM.getResult<LoopAnalysis>(F);
  if (!ORE.allowExtraAnalysis(DEBUG_TYPE) || LI.empty())
    return;
  if (std::string Text = countUnproved(F); !Text.empty())
    ORE.emit([&] {
      return analysisRemark(DEBUG_TYPE, "Arguments",
                            (*LI.rbegin())->getStartLoc(), F.getEntryBlock())
             << "pointer arguments that are not noalias: " << Text;
    });
}

/// Whether \p F, or what calls it, is in light form.
static bool servesLightForm(const Function &F) {
  return isLightForm(F) || any_of(F.users(), [](const User *U) {
           const auto *Call = dyn_cast<CallBase>(U);
           return Call && isLightForm(*Call->getFunction());
         });
}

/// Annotates until nothing follows any more: what a function gets may be what
/// another one, its caller or callee, was waiting for.
static bool annotateModule(Module &M, FunctionAnalysisManager &FAM,
                           bool Prepared) {
  SmallVector<Function *, 16> Functions;
  for (Function &F : M)
    if (F.hasLocalLinkage() && !F.isDeclaration() &&
        (!Prepared || isLightForm(F)) && getOptions(F).runs(DEBUG_TYPE))
      Functions.push_back(&F);
  bool Changed = false, Again = true;
  // Wrappers around wrappers come behind these, as a rule.
  for (Function &F : M)
    if (F.hasLocalLinkage() && !F.isDeclaration() &&
        (!Prepared || servesLightForm(F)) && getOptions(F).runs(DEBUG_TYPE) &&
        !F.hasOptNone())
      Changed |= annotateResult(F, FAM.getResult<TargetLibraryAnalysis>(F));
  while (Again) {
    Again = false;
    for (Function *F : Functions)
      Again |= annotateArguments(*F);
    Changed |= Again;
  }
  return Changed;
}

PreservedAnalyses NoAliasPass::run(Module &M, ModuleAnalysisManager &AM) {
  auto &FAM = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  bool Changed = annotateModule(M, FAM, P.Prepared);
  // Once in a compilation, as late as this comes.
  if (!P.Prepared || P.Nests)
    for (Function &F : M)
      if (!F.isDeclaration() && getOptions(F).runs(DEBUG_TYPE))
        reportArguments(F, FAM);
  // Guards are this plugin's own, also in functions that it is done with.
  if (getGlobalOptions().runs(DEBUG_TYPE))
    for (Function &F : M)
      if (!F.isDeclaration())
        Changed |= foldGuards(F);
  if (P.Nests)
    // Copies of nests are functions for a while.
    for (Function &F : make_early_inc_range(M))
      if (!F.isDeclaration())
        Changed |= versionNests(F, FAM);
  if (P.Guards)
    Changed |= guardModule(M, AM, P.Prepared);
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
