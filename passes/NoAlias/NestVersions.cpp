//===- NestVersions.cpp - Nests behind a guard of their own ---------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// loops  ->  if (what is stored misses what is read again and again)
///              loops that read it once, with sums in registers
///            else
///              loops as they were
///
/// for nests that are no kernels, where LLVM's loop vectorizer finds no number
/// of iterations or no arrays because a store may change a bound or a pointer,
/// or where sums are in memory (NestMemory.h). Each nest is one guard, around
/// the outermost loop for which everything is known in front of it: what is
/// read (InvariantLoads.h) and what is written (StoreRanges.h). Costs a copy of
/// the loops, and a few comparisons each time the nest is entered.
///
//===----------------------------------------------------------------------===//
#include "Accumulators.h"
#include "InvariantLoads.h"
#include "NoAliasImpl.h"
#include "StoreRanges.h"
#include "VersionGain.h"
#include "dlopt/Guards.h"
#include "dlopt/Options.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Module.h"

#define DEBUG_TYPE "dl-noalias"

using namespace llvm;
using namespace dlopt;

namespace {

class NestVersioner {
public:
  /// \p Why: what speaks against all nests of \p F.
  NestVersioner(Function &F, FunctionAnalysisManager &FAM, const Options &O,
                const Verdict &Why)
      : F(F), FAM(FAM), O(O), Why(Why), LI(FAM.getResult<LoopAnalysis>(F)),
        DT(FAM.getResult<DominatorTreeAnalysis>(F)) {}

  bool run();

private:
  /// A copy that will be taken over, and what is said then.
  struct Version {
    std::unique_ptr<NestCopy> Copy;
    DebugLoc Loc;
    size_t Fields, Sums;
  };

  bool takesChange();
  void visit(Loop &Nest, const Verdict *Outer = nullptr);
  Verdict plan(Loop &Nest, NestMemory &Memory);
  void refuse(const Verdict &V, const Loop &Nest);

  Function &F;
  FunctionAnalysisManager &FAM;
  const Options &O;
  const Verdict &Why;
  LoopInfo &LI;
  DominatorTree &DT;
  SmallVector<Version, 2> Versions;
};

} // namespace

/// The next change is below the limit, if there is one. Changes are counted in
/// the module.
bool NestVersioner::takesChange() {
  if (!O.Limit)
    return true;
  NamedMDNode *Count =
      F.getParent()->getOrInsertNamedMetadata("dl.noalias.count");
  if (Count->getNumOperands() >= *O.Limit)
    return false;
  Count->addOperand(MDNode::get(F.getContext(), {}));
  return true;
}

void NestVersioner::refuse(const Verdict &V, const Loop &Nest) {
  OptimizationRemarkEmitter ORE(&F);
  DebugLoc Loc = getUserLoc(Nest.getStartLoc());
  emitMissed(ORE, F, getUserLoc(V, Loc), [&] {
    return missedRemark(DEBUG_TYPE, V, Loc, *Nest.getHeader());
  });
}

Verdict NestVersioner::plan(Loop &Nest, NestMemory &Memory) {
  SmallVector<Value *, 8> Available;
  for (BasicBlock *BB : Nest.blocks())
    for (Instruction &I : *BB)
      if (auto *Load = dyn_cast<LoadInst>(&I))
        if (Value *V = Memory.getAvailable(*Load))
          Available.push_back(V);
  auto Copy = std::make_unique<NestCopy>(Nest, Available, FAM);
  LoadHoister Hoister(*Copy, Memory);
  Hoister.run();
  if (Hoister.fields().empty() && Memory.accumulators().empty())
    return {Hoister.getUnreached() ? Reason::NotReached : Reason::NotInvariant,
            Hoister.getUnreached(), ""};
  StoreRanges Ranges(*Copy, Memory, Hoister.fields(), FAM);
  if (Verdict V = Ranges.check(); !V.ok()) {
    if (const Instruction *I = Hoister.getUnreached())
      return {Reason::NotReached, I, ""};
    return V;
  }
  BasicBlock *From = Nest.getLoopPredecessor();
  Ranges.freezeInputs(From ? *From->getTerminator()
                           : *Nest.getHeader()->begin(),
                      FAM.getResult<AssumptionAnalysis>(F), DT);
  if (Verdict V = Ranges.check(); !V.ok())
    return V;
  if (!gainsFromVersion(*Copy, Memory, FAM))
    return {Reason::StaysScalar, Nest.getHeader()->getTerminator(), ""};
  if (!Ranges.emit())
    return {Reason::GuardFails, Nest.getHeader()->getTerminator(), ""};
  if (!takesChange())
    return {Reason::LimitReached, Nest.getHeader()->getTerminator(), ""};
  Ranges.annotate();
  promoteAccumulators(*Copy, Memory, FAM);
  Versions.push_back({std::move(Copy), Nest.getStartLoc(),
                      Hoister.fields().size(), Memory.accumulators().size()});
  return {};
}

/// Other code runs in the stead of these, or they are what is left of that.
static bool isVersioned(const Loop &L) {
  return findOptionMDForLoop(&L, VersionedLoopTag) ||
         findOptionMDForLoop(&L, OriginalLoopTag) ||
         findOptionMDForLoop(&L, ScopedLoopTag);
}

/// Larger nests do so much in a round that what is read again does not count.
static bool isLarge(const Loop &Nest) {
  constexpr size_t MaxInstructions = 2000;
  size_t Size = 0;
  for (const BasicBlock *BB : Nest.blocks())
    Size += BB->size();
  return Size > MaxInstructions;
}

/// \p Outer: why the loop around \p Nest is left alone, if it was looked at.
void NestVersioner::visit(Loop &Nest, const Verdict *Outer) {
  if (isVersioned(Nest))
    return;
  auto VisitInner = [&](const Verdict *Why = nullptr) {
    for (Loop *L : Nest)
      visit(*L, Why);
  };
  if (isLarge(Nest) || any_of(Nest.getLoopsInPreorder(),
                              [](const Loop *L) { return isVersioned(*L); }))
    return VisitInner();
  NestMemory Memory(Nest, LI, DT, FAM.getResult<AAManager>(F));
  if (!Memory.hasGain())
    return;
  // For sums alone a test for each row is too much.
  if (!Memory.readsBounds() && Nest.isInnermost() && Nest.getParentLoop())
    return refuse(Outer ? *Outer : Verdict{Reason::TooSmall, nullptr, ""},
                  Nest);
  Verdict V = Why.ok() ? Memory.check() : Why;
  if (V.ok())
    V = plan(Nest, Memory);
  if (V.ok())
    return;
  if (Nest.isInnermost() || !Why.ok())
    return refuse(V, Nest);
  VisitInner(&V);
}

bool NestVersioner::run() {
  for (Loop *L : LI)
    visit(*L);
  if (Versions.empty())
    return false;
  erase_if(Versions, [&](Version &V) { return !V.Copy->close(DT, LI); });
  for (Version &V : Versions) {
    OptimizationRemarkEmitter(&F).emit([&] {
      return passedRemark(DEBUG_TYPE, "Versioned", V.Loc, F.getEntryBlock())
             << "loops that read " << ore::NV("Fields", V.Fields)
             << " bounds and pointers once and keep " << ore::NV("Sums", V.Sums)
             << " sums in registers, behind a test that what they store "
                "overlaps none of these";
    });
    V.Copy->takeOver();
  }
  // Closed loops are other loops, too.
  return true;
}

bool dlopt::versionNests(Function &F, FunctionAnalysisManager &FAM) {
  // Also of what was left to the link, or is done with.
  Options O = getOptions(F, /*EvenIfProcessed=*/true);
  // Nobody vectorizes what threads of a GPU do.
  if (!O.runs(DEBUG_TYPE) || isGenerated(F) || F.hasOptNone() ||
      FAM.getResult<LoopAnalysis>(F).empty() ||
      FAM.getResult<TargetIRAnalysis>(F).hasBranchDivergence(&F))
    return false;
  if (!NestVersioner(F, FAM, O, checkFunction(F)).run())
    return false;
  FAM.invalidate(F, PreservedAnalyses::none());
  return true;
}
