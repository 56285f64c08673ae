//===- Transform.cpp - Scripts on the kernels of a module -----------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Transform.h"
#include "dlopt/Cost.h"
#include "dlopt/Names.h"
#include "dlopt/Options.h"
#include "dlopt/Raise.h"
#include "dlopt/Remarks.h"
#include "dlopt/ReplaceNest.h"
#include "dlopt/SelfCheck.h"
#include "dlopt/Target.h"
#include "dlopt/TransformPass.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

#define DEBUG_TYPE "dl-transform"

using namespace llvm;

namespace dlopt {

Expected<TransformParams> TransformParams::parse(StringRef Params) {
  return parseFlags<TransformParams>(
      Params, {}, [](TransformParams &P, StringRef Param) {
        if (Param.consume_front("limit="))
          return !Param.getAsInteger(10, P.Limit);
        bool IsScript = Param.consume_front("script=") && !Param.empty();
        if (IsScript)
          P.ScriptFile = Param.str();
        return IsScript;
      });
}

void TransformParams::print(raw_ostream &OS) const {
  ListSeparator Sep(";");
  if (!ScriptFile.empty())
    OS << Sep << "script=" << ScriptFile;
  if (Limit != ~0u)
    OS << Sep << "limit=" << Limit;
}

namespace {

/// A script and what became of it.
class ScriptRunner {
public:
  ScriptRunner(StringRef Text, const TransformParams &P)
      : Text(Text), FileName(P.ScriptFile), Limit(P.Limit) {}
  bool run(Function &F, FunctionAnalysisManager &FAM);
  bool wasUsed() const { return WasUsed; }

private:
  bool run(RaisedKernel &RK, Function &F, FunctionAnalysisManager &FAM);

  StringRef Text, FileName;
  unsigned Limit;
  bool WasUsed = false;
};

} // namespace

/// Replaces the nest of \p RK, and says so. True if \p F changed.
bool ScriptRunner::run(RaisedKernel &RK, Function &F,
                       FunctionAnalysisManager &FAM) {
  Kernel Scheduled;
  copyKernel(*RK.K, Scheduled);
  Scheduled.Kind = nameKernel(*RK.K);
  if (!isScriptFor(Text, Scheduled))
    return false;
  WasUsed = true;
  findPrivateSizes(Scheduled, RK, FAM.getResult<TargetLibraryAnalysis>(F));
  if (Error E = applyScript(Scheduled, Text, FileName, Limit)) {
    F.getContext().emitError(toString(std::move(E)) + " (in " + F.getName() +
                             ")");
    return false;
  }
  adoptNeeds(*RK.K, Scheduled);
  // What the source reads inside the nest the guard reads in front of it, or
  // the nest stays as it is.
  for (Param &P : Scheduled.Params)
    P.Depth = 0;
  for (Buffer &B : Scheduled.Buffers)
    B.Depth = 0;
  DebugLoc Loc = RK.Nest->getStartLoc();
  BasicBlock *Header = RK.Nest->getHeader();
  OptimizationRemarkEmitter ORE(&F);
  Verdict Why = canReplaceNest(RK, F, &Scheduled);
  // A guard that does not open may have closed values by phis.
  bool Tried = Why.ok();
  if (Tried)
    Why = replaceNest(RK, F, FAM, {getOptions(F), DEBUG_TYPE}, nullptr,
                      &Scheduled);
  if (!Why.ok()) {
    ORE.emit([&] {
      return missedRemark(DEBUG_TYPE, Why, getUserLoc(Why, Loc), *Header);
    });
    return Tried;
  }
  ORE.emit([&] {
    OptimizationRemark R =
        passedRemark(DEBUG_TYPE, "Transformed", getUserLoc(Loc), *Header);
    R << "runs as " << FileName << " says";
    if (std::optional<double> Cycles = getCycles(
            Scheduled, getTargetModel(F, FAM.getResult<TargetIRAnalysis>(F))))
      R << ", about " << ore::NV("Cycles", roundCycles(*Cycles)) << " cycles";
    return R;
  });
  return true;
}

/// Replaces the nests of \p F that the script is for.
bool ScriptRunner::run(Function &F, FunctionAnalysisManager &FAM) {
  RaiseResult Raised = raiseFunction(F, FAM);
  bool Changed = false;
  for (RaisedKernel &RK : Raised.Kernels)
    Changed |= run(RK, F, FAM);
  if (Changed) {
    // Guards that hold always leave the original loops unreachable.
    for (BasicBlock &BB : F)
      ConstantFoldTerminator(&BB);
    EliminateUnreachableBlocks(F);
  }
  return Changed;
}

bool runScript(Module &M, ArrayRef<Function *> Functions,
               FunctionAnalysisManager &FAM, const TransformParams &P) {
  auto Report = [&](const Twine &Text) {
    M.getContext().emitError("dl-transform: " + Text);
    return false;
  };
  auto Text = MemoryBuffer::getFile(P.ScriptFile);
  if (!Text)
    return Report(P.ScriptFile + ": " + Text.getError().message());
  ScriptRunner Runner((*Text)->getBuffer(), P);
  bool Changed = false;
  for (Function *F : Functions)
    if (Runner.run(*F, FAM)) {
      FAM.invalidate(*F, PreservedAnalyses::none());
      Changed = true;
    }
  if (!Runner.wasUsed())
    Report(P.ScriptFile + " is for no kernel of the module");
  return Changed;
}

PreservedAnalyses TransformPass::run(Module &M, ModuleAnalysisManager &MAM) {
  if (P.ScriptFile.empty()) {
    M.getContext().emitError(
        "dl-transform: expected a script: dl-transform<script=FILE>");
    return PreservedAnalyses::all();
  }
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  // Functions are added meanwhile.
  SmallVector<Function *, 16> Functions;
  for (Function &F : M)
    if (!F.isDeclaration())
      Functions.push_back(&F);
  return runScript(M, Functions, FAM, P) ? PreservedAnalyses::none()
                                         : PreservedAnalyses::all();
}

} // namespace dlopt
