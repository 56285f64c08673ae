//===- Fuse.cpp - The pass dl-fuse ----------------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Fuse.h"
#include "Fusion.h"
#include "Runs.h"
#include "dlopt/LightForm.h"
#include "dlopt/Options.h"
#include "dlopt/Prepare.h"
#include "dlopt/Recognize.h"
#include "dlopt/ReplaceNest.h"
#include "dlopt/SelfCheck.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Module.h"

#define DEBUG_TYPE "dl-fuse"

using namespace llvm;
using namespace dlopt;

static constexpr ParamFlag<FuseParams> FuseFlags[] = {
    {"prepared", &FuseParams::Prepared}};

Expected<FuseParams> FuseParams::parse(StringRef Params) {
  return parseFlags<FuseParams>(Params, FuseFlags);
}

void FuseParams::print(raw_ostream &OS) const {
  printFlags<FuseParams>(OS, *this, FuseFlags);
}

/// How many loops are looked at together.
static constexpr size_t MaxLoops = 12;

static unsigned countAxes(const Node &N) {
  unsigned Count = N.K == Node::AxisNode;
  for (const auto &Child : N.Children)
    Count += countAxes(*Child);
  return Count;
}

namespace {

/// Joins loops of one function.
class FunctionFuser {
public:
  /// \p Try: finds out whether there are any, but replaces none.
  FunctionFuser(Function &F, FunctionAnalysisManager &FAM, bool Try)
      : F(F), FAM(FAM), O(getOptions(F)), Try(Try) {}
  bool run();

private:
  LoopInfo &getLoops() { return FAM.getResult<LoopAnalysis>(F); }
  void forgetAnalyses() { FAM.invalidate(F, PreservedAnalyses::none()); }
  bool isKernel(Loop &L);
  bool isInKernel(const Loop &L);
  std::optional<LoopRun> nextRun();
  void fuseRun(const LoopRun &Run);
  bool fuseWrapped(const LoopRun &Run, bool &IsKernel);
  bool fuseKernel(RaisedKernel &RK);
  bool replace(RaisedKernel &RK, const Kernel &Compact, unsigned Joined);

  Function &F;
  FunctionAnalysisManager &FAM;
  Options O;
  bool Try;
  bool Found = false;   ///< loops that can be joined
  bool Changed = false; ///< the function
  /// Headers of loops that have been the first of a run, of those that cannot
  /// be raised even alone, and of those that can, as the function is now.
  DenseSet<const BasicBlock *> Done, NoKernel, Kernels;
};

} // namespace

bool FunctionFuser::isKernel(Loop &L) {
  const BasicBlock *Header = L.getHeader();
  if (Kernels.contains(Header) || NoKernel.contains(Header))
    return Kernels.contains(Header);
  bool Is = raiseNest(L, F, FAM).has_value();
  (Is ? Kernels : NoKernel).insert(Header);
  return Is;
}

/// Whether a loop around \p L is a kernel. What can be joined inside of it is
/// joined there: a guard inside would break it.
bool FunctionFuser::isInKernel(const Loop &L) {
  for (Loop *Outer = L.getParentLoop(); Outer; Outer = Outer->getParentLoop())
    if (isKernel(*Outer))
      return true;
  return false;
}

/// The next run of loops that are kernels, or the beginning of one.
std::optional<LoopRun> FunctionFuser::nextRun() {
  for (const LoopRun &Run : findRuns(getLoops())) {
    LoopRun Part;
    if (isInKernel(*Run.front()))
      continue;
    for (Loop *L : Run) {
      if (Part.empty() && Done.contains(L->getHeader()))
        continue;
      if (!isKernel(*L)) {
        if (Part.size() > 1)
          break;
        Part.clear();
        continue;
      }
      Part.push_back(L);
      if (Part.size() == MaxLoops)
        break;
    }
    if (Part.empty())
      continue;
    Done.insert(Part.front()->getHeader());
    if (Part.size() > 1)
      return Part;
  }
  return std::nullopt;
}

bool FunctionFuser::replace(RaisedKernel &RK, const Kernel &Compact,
                            unsigned Joined) {
  Verdict Why = canReplaceNest(RK, F);
  if (!Why.ok())
    return false;
  Found = true;
  if (Try)
    return false;
  DebugLoc Loc = getUserLoc(RK.Nest->getStartLoc());
  bool IsChecked = O.Check != CheckMode::Off;
  std::string What =
      IsChecked ? describe(Compact) : describe(Compact, F, DEBUG_TYPE);
  Changed = true;
  Why = replaceNest(RK, F, FAM,
                    {O, DEBUG_TYPE " of " + StringRef(What).split(' ').first});
  OptimizationRemarkEmitter ORE(&F);
  if (!Why.ok())
    emitMissed(ORE, F, Loc, [&] {
      return missedRemark(DEBUG_TYPE, Why, Loc, F.getEntryBlock());
    });
  else
    ORE.emit([&] {
      if (!Joined)
        return passedRemark(DEBUG_TYPE, "RowsKept", Loc, F.getEntryBlock())
               << ore::NV("Kernel", What)
               << ": rows kept in those of the result";
      return passedRemark(DEBUG_TYPE, "Fused", Loc, F.getEntryBlock())
             << ore::NV("Kernel", What) << ": " << ore::NV("Loops", Joined)
             << " loops joined with others";
    });
  return Why.ok();
}

/// Joins loops of one kernel. True if its nest has been replaced.
bool FunctionFuser::fuseKernel(RaisedKernel &RK) {
  Kernel &K = *RK.K;
  unsigned Before = countAxes(K.Root);
  if (O.FastFP)
    assumeFastFP(K);
  Verdict Why;
  std::vector<bool> Used = findUsed(K);
  auto Private =
      findPrivateBuffers(RK, FAM.getResult<TargetLibraryAnalysis>(F));
  bool Joined = fuseAxes(K, Why.R);
  if (Joined)
    keepInLocals(K, Private);
  if (!keepInRows(K, Private) && !Joined) {
    // No miss: most are vectorized, as they are or together.
    if (!Why.ok() && !Try)
      OptimizationRemarkEmitter(&F).emit([&] {
        return analysisRemark(DEBUG_TYPE, getName(Why.R),
                              RK.Nest->getStartLoc(), F.getEntryBlock())
               << "not joined: " << getText(Why.R);
      });
    return false;
  }
  dropNeeds(K, Used);
  // Guards look for the axes of all loops of the source.
  Kernel Compact;
  copyKernel(K, Compact);
  if (!compact(Compact))
    return false;
  classifyKernel(Compact);
  if (Error E = verifyKernel(Compact)) {
    consumeError(std::move(E));
    return false;
  }
  return replace(RK, Compact, Before - countAxes(K.Root));
}

/// \p IsKernel: whether the loops could be raised together.
bool FunctionFuser::fuseWrapped(const LoopRun &Run, bool &IsKernel) {
  RunWrapper Round(Run);
  forgetAnalyses();
  Loop *L = getLoops().getLoopFor(Round.getHeader());
  std::optional<RaisedKernel> RK = raiseNest(*L, F, FAM);
  IsKernel = RK.has_value();
  if (IsKernel && fuseKernel(*RK)) {
    forgetAnalyses();
    Kernels.clear();
    return true;
  }
  // All is as it was.
  Round.unwrap();
  forgetAnalyses();
  return false;
}

void FunctionFuser::fuseRun(const LoopRun &Run) {
  // Loops do not outlive their analysis.
  SmallVector<const BasicBlock *, 8> Headers;
  for (Loop *L : Run)
    Headers.push_back(L->getHeader());
  for (size_t Size = Headers.size(); Size > 1; --Size) {
    LoopRun Part;
    for (const BasicBlock *Header : ArrayRef(Headers).take_front(Size))
      Part.push_back(getLoops().getLoopFor(Header));
    bool IsKernel = false;
    bool Fused = fuseWrapped(Part, IsKernel);
    if (Fused || IsKernel || Found) {
      // Those behind have been looked at.
      for (const BasicBlock *Header : ArrayRef(Headers).take_front(Size))
        Done.insert(Header);
      return;
    }
  }
}

bool FunctionFuser::run() {
  if (!O.runs(DEBUG_TYPE))
    return false;
  while (std::optional<LoopRun> Run = nextRun()) {
    fuseRun(*Run);
    if (Try && Found)
      return true;
  }
  // Guards that hold always leave loops unreachable, which would be seen as
  // part of what is around them.
  if (Changed)
    restoreLightForm(F, FAM);
  RaiseResult R = raiseFunction(F, FAM);
  for (RaisedKernel &RK : R.Kernels)
    fuseKernel(RK);
  return Try ? Found : Changed;
}

bool dlopt::hasFusion(Function &F, FunctionAnalysisManager &FAM) {
  return FunctionFuser(F, FAM, /*Try=*/true).run();
}

PreservedAnalyses FusePass::run(Module &M, ModuleAnalysisManager &AM) {
  bool Changed = false;
  if (!P.Prepared)
    Changed |= !PreparePass().run(M, AM).areAllPreserved();
  auto &FAM = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  for (Function &F : M) {
    if (F.isDeclaration() || !isLightForm(F))
      continue;
    if (FunctionFuser(F, FAM, /*Try=*/false).run()) {
      restoreLightForm(F, FAM);
      Changed = true;
    }
    if (getOptions(F).runs(DEBUG_TYPE) && joinRows(F, FAM)) {
      FAM.invalidate(F, PreservedAnalyses::none());
      Changed = true;
    }
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
