//===- LightForm.cpp - Bringing functions into light form -----------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How a dropped clone leaves no trace:
///
/// * names: the clone borrows the original's name; no new name enters the
///   module's symbol table, whose counter of unique suffixes would move;
/// * declarations: those behind the clone in the function list that nothing
///   uses any more are erased with it; library calls are not simplified where
///   that would add declarations, strings and attributes;
/// * use lists: the clone's uses are the newest of each list, and go first;
/// * metadata: the clone shares the original's locations and scopes and has no
///   DISubprogram, so no distinct node is made but for assignment markers;
/// * globals: raised alignments are taken back;
/// * analyses: asked for the clone only, and cleared with it.
///
//===----------------------------------------------------------------------===//
#include "dlopt/LightForm.h"
#include "Choices.h"
#include "ConditionalLoads.h"
#include "ConvertedBounds.h"
#include "Coordinates.h"
#include "EmptyTests.h"
#include "Helpers.h"
#include "InclusiveRanges.h"
#include "InvariantCalls.h"
#include "LibraryCalls.h"
#include "MiddleRounds.h"
#include "NullTests.h"
#include "PointerEnds.h"
#include "Prefilter.h"
#include "Ranks.h"
#include "ReadAhead.h"
#include "Remembered.h"
#include "RotatedLoops.h"
#include "Rows.h"
#include "Shares.h"
#include "SingleRounds.h"
#include "Tests.h"
#include "Unswitch.h"
#include "Vectors.h"
#include "dlopt/Compat.h"
#include "dlopt/GeneratedFunction.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/JumpThreading.h"
#include "llvm/Transforms/Scalar/LowerExpectIntrinsic.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"

using namespace llvm;

namespace dlopt {

bool isLightForm(const Function &F) { return F.hasFnAttribute("dl-light"); }

void markLightForm(Function &F) { F.addFnAttr("dl-light"); }

/// Whether the body of \p F can be moved and rewritten at all.
static Verdict checkAttributes(const Function &F) {
  if (F.hasOptNone())
    return {Reason::OptNone, nullptr, ""};
  if (F.hasFnAttribute(Attribute::StrictFP))
    return {Reason::StrictFP, nullptr, ""};
  if (F.hasFnAttribute(Attribute::Naked) ||
      F.hasFnAttribute(Attribute::NoImplicitFloat))
    return {Reason::NoImplicitFloat, nullptr, ""};
  if (keepsRegisters(F))
    return {Reason::NoImplicitFloat, nullptr, ""};
  if (isSanitized(F))
    return {Reason::Instrumented, nullptr, ""};
  if (F.isPresplitCoroutine() || F.callsFunctionThatReturnsTwice())
    return {Reason::UnusualControlFlow, nullptr, ""};
  if (F.getDataLayout().getIndexSizeInBits(0) != 64)
    return {Reason::NarrowAddresses, nullptr, ""};
  return {};
}

/// A profile or coverage counter of clang, gcov or SanitizerCoverage.
static bool isCounter(const Value *Ptr) {
  const auto *GV = dyn_cast<GlobalVariable>(Ptr->stripInBoundsOffsets());
  return GV && (GV->getName().starts_with("__profc_") ||
                GV->getName().starts_with("__llvm_gcov_ctr") ||
                GV->getName().starts_with("__sancov_gen_"));
}

static Verdict checkBody(const Function &F) {
  for (const BasicBlock &BB : F) {
    if (BB.hasAddressTaken() ||
        isa<IndirectBrInst, CallBrInst>(BB.getTerminator()))
      return {Reason::UnusualControlFlow, BB.getTerminator(), ""};
    for (const Instruction &I : BB) {
      // Any increment, cover, timestamp, value profile.
      if (isa<InstrProfInstBase>(I))
        return {Reason::Instrumented, &I, ""};
      if (const auto *SI = dyn_cast<StoreInst>(&I))
        if (isCounter(SI->getPointerOperand()))
          return {Reason::Instrumented, &I, ""};
      if (const auto *RMW = dyn_cast<AtomicRMWInst>(&I))
        if (isCounter(RMW->getPointerOperand()))
          return {Reason::Instrumented, &I, ""};
    }
  }
  return {};
}

/// Runs one pass without pass instrumentation: what happens to a clone that may
/// be dropped is nobody's business (bisection, printers, timers).
template <typename PassT>
static void runPass(PassT &&P, Function &F, FunctionAnalysisManager &FAM) {
  PreservedAnalyses PA = P.run(F, FAM);
  FAM.invalidate(F, PA);
}

/// Gives the test of each loop an exit block of its own, apart from where
/// `break` and `return` lead to.
static bool separateExits(Function &F, FunctionAnalysisManager &FAM) {
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  bool Changed = false;
  for (Loop *L : LI.getLoopsInPreorder()) {
    BasicBlock *Test = L->getHeader();
    if (!L->isLoopExiting(Test))
      Test = L->getLoopLatch();
    if (!Test || !isa<CondBrInst>(Test->getTerminator()))
      continue;
    for (BasicBlock *Exit : successors(Test))
      if (!L->contains(Exit) && !Exit->isEHPad() &&
          Exit->getUniquePredecessor() != Test) {
        SplitBlockPredecessors(Exit, {Test}, ".test", &DT, &LI, nullptr,
                               /*PreserveLCSSA=*/true);
        Changed = true;
        break;
      }
  }
  if (Changed)
    FAM.invalidate(F, PreservedAnalyses::none());
  return Changed;
}

/// Preheaders, latches, exits and phis behind loops as the raiser wants them.
static void closeLoops(Function &F, FunctionAnalysisManager &FAM) {
  auto Close = [&] {
    runPass(LoopSimplifyPass(), F, FAM);
    runPass(LCSSAPass(), F, FAM);
  };
  Close();
  if (separateExits(F, FAM))
    Close();
}

/// Vectors of the source, which stand for unrolled loops.
static void scalarizeVectors(Function &F, FunctionAnalysisManager &FAM) {
  // Locals that hold vectors first: of a vector in memory nothing is known.
  runPass(SROAPass(SROAOptions::ModifyCFG), F, FAM);
  if (!canTakeApart(F))
    return;
  markVectorLoops(FAM.getResult<LoopAnalysis>(F));
  ScalarizerPassOptions Elements;
  Elements.ScalarizeLoadStore = true;
  runPass(ScalarizerPass(Elements), F, FAM);
}

namespace {

/// While it lives calls of the library are calls like any other: simplifying
/// them would touch the module. What does not is done by foldLibraryCalls.
class WithoutBuiltins {
public:
  WithoutBuiltins(Function &F, FunctionAnalysisManager &FAM)
      : F(F), FAM(FAM), Had(F.hasFnAttribute("no-builtins")) {
    if (!Had)
      F.addFnAttr("no-builtins");
    FAM.clear(F, F.getName());
  }
  ~WithoutBuiltins() {
    if (!Had)
      F.removeFnAttr("no-builtins");
    FAM.clear(F, F.getName());
  }
  WithoutBuiltins(const WithoutBuiltins &) = delete;
  WithoutBuiltins &operator=(const WithoutBuiltins &) = delete;

private:
  Function &F;
  FunctionAnalysisManager &FAM;
  bool Had;
};

} // namespace

/// Positions of elements that loops remember are numbers, and the elements are
/// remembered beside them.
static void rememberSearches(Function &F, FunctionAnalysisManager &FAM) {
  bool Counts = countRememberedPointers(
      FAM.getResult<LoopAnalysis>(F), FAM.getResult<DominatorTreeAnalysis>(F));
  if (Counts)
    FAM.invalidate(F, PreservedAnalyses::none());
  // Addresses that nothing reads any more are gone before they are merged with
  // those behind the loop.
  if (rememberElements(F, FAM) || Counts)
    restoreLightForm(F, FAM);
}

/// Where an iterator in a loop starts with what the one around it gave, the
/// pointer of the inner one is known not to be null when the outer one's is not
/// tested any more.
static void threadJumps(Function &F, FunctionAnalysisManager &FAM) {
  constexpr unsigned MostLevels = 4;
  for (unsigned N = 0; N <= MostLevels; ++N) {
    if (foldNullTests(F))
      FAM.invalidate(F, PreservedAnalyses::none());
    else if (N)
      return;
    runPass(JumpThreadingPass(), F, FAM);
  }
}

/// Loops over dimensions that compute where an element is are an expression,
/// and arrays of coordinates are numbers.
static void expandCoordinates(Function &F, FunctionAnalysisManager &FAM) {
  bool Changed = unrollCoordinates(F, FAM);
  if (Changed) {
    FAM.invalidate(F, PreservedAnalyses::none());
    runPass(SimplifyCFGPass(), F, FAM);
    runPass(EarlyCSEPass(/*UseMemorySSA=*/true), F, FAM);
  }
  if (!spreadIndices(F, FAM.getResult<LoopAnalysis>(F)) && !Changed)
    return;
  FAM.invalidate(F, PreservedAnalyses::none());
  runPass(SROAPass(SROAOptions::ModifyCFG), F, FAM);
  runPass(EarlyCSEPass(/*UseMemorySSA=*/true), F, FAM);
  runPass(InstCombinePass(), F, FAM);
  restoreLightForm(F, FAM);
}

/// Nothing here rotates, unrolls values, hoists or rewrites induction
/// variables.
static void simplify(Function &F, FunctionAnalysisManager &FAM,
                     LightClone::Form As) {
  const TargetLibraryInfo Builtins = FAM.getResult<TargetLibraryAnalysis>(F);
  WithoutBuiltins Scope(F, FAM);
  auto FoldCalls = [&] {
    if (foldLibraryCalls(F, Builtins))
      FAM.invalidate(F, PreservedAnalyses::none());
  };
  // What branches are likely says nothing about what they compute.
  runPass(LowerExpectIntrinsicPass(), F, FAM);
  if (As == LightClone::Scalars)
    scalarizeVectors(F, FAM);
  runPass(SROAPass(SROAOptions::ModifyCFG), F, FAM);
  runPass(EarlyCSEPass(/*UseMemorySSA=*/true), F, FAM);
  FoldCalls();
  if (foldChoices(F, FAM.getResult<LoopAnalysis>(F),
                  FAM.getResult<TargetIRAnalysis>(F)))
    FAM.invalidate(F, PreservedAnalyses::none());
  runPass(InstCombinePass(), F, FAM);
  // Where an iterator or a clean-up says which way to go, and the next branch
  // asks it: no selects before the two are one.
  runPass(SimplifyCFGPass(SimplifyCFGOptions().speculateBlocks(false)), F, FAM);
  threadJumps(F, FAM);
  runPass(SimplifyCFGPass(), F, FAM);
  if (foldConvertedBounds(F))
    FAM.invalidate(F, PreservedAnalyses::none());
  runPass(SROAPass(SROAOptions::ModifyCFG), F, FAM);
  runPass(EarlyCSEPass(/*UseMemorySSA=*/true), F, FAM);
  runPass(SimplifyCFGPass(), F, FAM);
  if (foldEmptyTests(F, FAM.getResult<DominatorTreeAnalysis>(F),
                     FAM.getResult<LoopAnalysis>(F))) {
    FAM.invalidate(F, PreservedAnalyses::none());
    runPass(SimplifyCFGPass(), F, FAM);
  }
  // Numbers that only then are known to be such.
  FoldCalls();
  // Conditions are comparisons.
  runPass(LowerSwitchPass(), F, FAM);
  // Variables of a clean-up live on as phis of each other.
  runPass(ADCEPass(), F, FAM);
  closeLoops(F, FAM);
  auto GetSE = [&]() -> ScalarEvolution & {
    return FAM.getResult<ScalarEvolutionAnalysis>(F);
  };
  if (removeSingleRounds(FAM.getResult<LoopAnalysis>(F), F.getDataLayout(),
                         GetSE))
    restoreLightForm(F, FAM);
  expandCoordinates(F, FAM);
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  bool Counts = countToPointerEnds(LI);
  if (countInclusiveRanges(LI) || Counts) {
    FAM.invalidate(F, PreservedAnalyses::none());
    runPass(ADCEPass(), F, FAM);
    runPass(EarlyCSEPass(/*UseMemorySSA=*/true), F, FAM);
    closeLoops(F, FAM);
  }
  rememberSearches(F, FAM);
  constexpr unsigned MostBlocks = 8;
  for (unsigned N = 0; N < MostBlocks && readConditionalPointers(F, FAM); ++N) {
    FAM.invalidate(F, PreservedAnalyses::none());
    closeLoops(F, FAM);
  }
  if (As == LightClone::SplitShares &&
      splitShares(F, FAM.getResult<LoopAnalysis>(F),
                  FAM.getResult<DominatorTreeAnalysis>(F))) {
    FAM.invalidate(F, PreservedAnalyses::none());
    runPass(LoopSimplifyPass(), F, FAM);
    runPass(LCSSAPass(), F, FAM);
  }
}

void restoreLightForm(Function &F, FunctionAnalysisManager &FAM) {
  FAM.invalidate(F, PreservedAnalyses::none());
  runPass(EarlyCSEPass(/*UseMemorySSA=*/true), F, FAM);
  runPass(SimplifyCFGPass(), F, FAM);
  runPass(ADCEPass(), F, FAM);
  closeLoops(F, FAM);
}

void LightClone::copyBody() {
  Clone =
      Function::Create(Original.getFunctionType(), GlobalValue::InternalLinkage,
                       Original.getAddressSpace(), "", Original.getParent());
  ValueToValueMapTy Map;
  for (auto [From, To] : zip(Original.args(), Clone->args())) {
    To.setName(From.getName());
    Map[&From] = &To;
  }
  Clone->copyAttributesFrom(&Original);
  // Local linkage allows no other visibility; none of this outlives the clone.
  Clone->setVisibility(GlobalValue::DefaultVisibility);
  Clone->setDLLStorageClass(GlobalValue::DefaultStorageClass);
  Clone->setDSOLocal(true);
  // Metadata is shared with the original, subprogram and locations included:
  // so not by CloneFunction, which gives each function its own.
  for (const BasicBlock &BB : Original) {
    BasicBlock *Copy = CloneBasicBlock(&BB, Map, "", Clone);
    Map[&BB] = Copy;
    if (BB.hasAddressTaken())
      Map[BlockAddress::get(&Original, const_cast<BasicBlock *>(&BB))] =
          BlockAddress::get(Clone, Copy);
  }
  for (Instruction &I : instructions(*Clone)) {
    RemapInstruction(&I, Map, RF_NoModuleLevelChanges);
    RemapDbgRecordRange(Clone->getParent(), I.getDbgRecordRange(), Map,
                        RF_NoModuleLevelChanges);
  }
  // Except for the links between stores and variables: they are looked up by
  // use, so that changes to the clone would reach the original's records.
  DenseMap<DIAssignID *, DIAssignID *> NewIDs;
  for (Instruction &I : instructions(*Clone))
    at::remapAssignID(NewIDs, I);
  Clone->takeName(&Original);
}

void LightClone::recordAlignments() {
  SmallPtrSet<GlobalVariable *, 8> Seen;
  for (Instruction &I : instructions(*Clone))
    for (Value *Op : I.operands())
      if (auto *GV = dyn_cast<GlobalVariable>(Op->stripInBoundsOffsets()))
        if (Seen.insert(GV).second)
          Alignments.push_back({GV, GV->getAlign()});
}

std::unique_ptr<LightClone> LightClone::create(Function &F,
                                               ModuleAnalysisManager &MAM,
                                               const Options &O, Verdict &Why,
                                               Prefilter Filter, Form As) {
  Why = {};
  if (F.isDeclaration() || (!hasCycle(F) && As != Stages && As != Straight))
    return nullptr;
  if (Filter == Prefilter::Arithmetic && !mayHoldKernel(F))
    return nullptr;
  Why = checkAttributes(F);
  if (Why.ok())
    Why = checkBody(F);
  if (Why.ok() && F.getInstructionCount() > O.Budget)
    Why = {Reason::OverBudget, nullptr, ""};
  if (!Why.ok())
    return nullptr;

  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(*F.getParent())
                  .getManager();
  std::unique_ptr<LightClone> C(new LightClone(F, FAM));
  C->copyBody();
  inlineHelpers(*C->Clone, F, FAM, O.Budget, getStackLimit(F, O), As == Stages);
  C->recordAlignments();
  simplify(*C->Clone, FAM, As);
  return C;
}

bool LightClone::addVersions(Versions V) {
  if (V == CalledAhead && !callAhead(*Clone, FAM))
    return false;
  if (V == Tested || V == Unswitched || V == ReadAhead || V == Ranks) {
    auto Change = V == Tested       ? assumeTests
                  : V == Unswitched ? unswitchLoads
                  : V == Ranks      ? assumeRanks
                                    : readAhead;
    if (!Change(*Clone, FAM, [&] { closeLoops(*Clone, FAM); }))
      return false;
    WithoutBuiltins Scope(*Clone, FAM);
    if (V == Ranks)
      expandCoordinates(*Clone, FAM);
    restoreLightForm(*Clone, FAM);
    return true;
  }
  WithoutBuiltins Scope(*Clone, FAM);
  if (V == MiddleRead && !readInMiddle(*Clone, FAM))
    return false;
  if (V == EvenRows) {
    if (testRoundsAhead(*Clone, FAM))
      restoreLightForm(*Clone, FAM);
    if (!assumeEvenRows(*Clone, FAM))
      return false;
  }
  FAM.invalidate(*Clone, PreservedAnalyses::none());
  closeLoops(*Clone, FAM);
  return true;
}

void LightClone::eraseClone() {
  FAM.clear(*Clone, Clone->getName());
  Original.takeName(Clone);
  // Declarations made since are behind the clone in the list.
  Module &M = *Clone->getParent();
  for (Function &D : make_early_inc_range(
           make_range(std::next(Clone->getIterator()), M.end())))
    if ((D.isIntrinsic() || D.hasFnAttribute("dl-generated")) && D.use_empty())
      D.eraseFromParent();
  Clone->eraseFromParent();
  Clone = nullptr;
}

LightClone::~LightClone() {
  if (!Clone)
    return;
  FAM.clear(*Clone, Clone->getName());
  Clone->dropAllReferences();
  for (auto [GV, A] : Alignments)
    GV->setAlignment(A);
  eraseClone();
}

void LightClone::swapIn() {
  // Function::deleteBody would reset the linkage and drop the metadata.
  for (BasicBlock &BB : Original)
    BB.dropAllReferences();
  while (!Original.empty())
    Original.begin()->eraseFromParent();
  // Inlining merged attributes in, and may have needed a personality or GC.
  Original.setAttributes(Clone->getAttributes());
  if (Clone->hasPersonalityFn())
    Original.setPersonalityFn(Clone->getPersonalityFn());
  if (Clone->hasGC())
    Original.setGC(Clone->getGC());
  for (auto [From, To] : zip(Clone->args(), Original.args()))
    From.replaceAllUsesWith(&To);
  Original.splice(Original.begin(), Clone);
  FAM.clear(Original, Original.getName());
  eraseClone();
}

} // namespace dlopt
