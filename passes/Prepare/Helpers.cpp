//===- Helpers.cpp - Inlining of small callees into a clone ---------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Helpers.h"
#include "Prefilter.h"
#include "dlopt/Options.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace dlopt {

/// The function that \p CB calls, by an alias maybe: clang makes constructors
/// that do the same one function, rustc any.
static Function *getCallee(const CallBase &CB) {
  Value *Callee = CB.getCalledOperand();
  while (auto *Alias = dyn_cast<GlobalAlias>(Callee)) {
    if (Alias->isInterposable())
      return nullptr;
    Callee = Alias->getAliasee();
  }
  auto *F = dyn_cast<Function>(Callee);
  return F && F->getFunctionType() == CB.getFunctionType() ? F : nullptr;
}

namespace {

/// A call to look at, and the chain of inlined functions it came through.
struct Site {
  CallBase *Call;
  int History; ///< index into the inline history, -1 for the function's own
  bool InLoop;
};

/// LLVM's simplifications look at every assumption for every comparison.
constexpr unsigned MaxAssumes = 128;

/// Bytes that \p F has on the stack for what is no number or pointer, from its
/// entry on: inlined, it is there as long as the caller's frame.
uint64_t getStackBytes(const Function &F) {
  uint64_t Bytes = 0;
  for (const Instruction &I : F.getEntryBlock())
    if (auto *AI = dyn_cast<AllocaInst>(&I);
        AI && AI->isStaticAlloca() &&
        (AI->getAllocatedType()->isAggregateType() || AI->isArrayAllocation()))
      if (auto Size = AI->getAllocationSize(F.getDataLayout()))
        Bytes = SaturatingAdd<uint64_t>(Bytes, Size->getKnownMinValue());
  return Bytes;
}

/// Whether \p F is called by what it calls in this module.
bool callsItself(const Function &F) {
  SetVector<const Function *> Reached;
  auto AddCallees = [&](const Function &Caller) {
    for (const Instruction &I : instructions(Caller))
      if (auto *CB = dyn_cast<CallBase>(&I))
        if (const Function *Callee = getCallee(*CB))
          Reached.insert(Callee);
  };
  AddCallees(F);
  for (size_t I = 0; I != Reached.size() && !Reached.contains(&F); ++I)
    AddCallees(*Reached[I]);
  return Reached.contains(&F);
}

class HelperInliner {
public:
  HelperInliner(Function &F, const Function &Original,
                FunctionAnalysisManager &FAM, unsigned Budget,
                uint64_t StackLimit, bool Stages)
      : F(F), Original(Original), FAM(FAM), Budget(Budget),
        StackLimit(std::max(StackLimit, MaxRecursiveStack)), Stages(Stages) {}

  void run() {
    collectSites();
    Size = F.getInstructionCount();
    // The list grows while it is walked.
    for (size_t I = 0; I < Sites.size() && Size < Budget; ++I)
      inlineSite(Sites[I]);
  }

private:
  void collectSites() {
    DominatorTree DT(F);
    LoopInfo LI(DT);
    for (BasicBlock &BB : F)
      if (DT.isReachableFromEntry(&BB))
        for (Instruction &I : BB)
          if (auto *CB = dyn_cast<CallBase>(&I))
            if (getHelper(*CB))
              Sites.push_back({CB, -1, LI.getLoopFor(&BB) != nullptr});
  }

  /// True if \p Callee is already on the chain of \p S (mutual recursion).
  bool isRecursive(const Site &S, const Function *Callee) const {
    for (int H = S.History; H >= 0; H = History[H].second)
      if (History[H].first == Callee)
        return true;
    return Callee == &F;
  }

  /// Whether \p Callee may be transformed, and says nothing else than its
  /// caller of how it is computed.
  bool hasSameOptions(const Function &Callee) {
    if (!Own)
      Own = getOptions(Original);
    Options Other = getOptions(Callee, /*EvenIfProcessed=*/true);
    auto Says = [&](StringRef Name) { return Callee.hasFnAttribute(Name); };
    return Other.runs("dl-prepare") &&
           (Other.FastFP == Own->FastFP || !Says("dl-fp")) &&
           (Other.Math == Own->Math || !Says("dl-math"));
  }

  /// Whether the ordinary inliner could inline this call at all.
  bool isLegal(CallBase &CB, Function &Callee) {
    auto GetTLI = [this](Function &Fn) -> const TargetLibraryInfo & {
      return FAM.getResult<TargetLibraryAnalysis>(Fn);
    };
    TargetTransformInfo &TTI = FAM.getResult<TargetIRAnalysis>(Callee);
    if (DLOPT_PLANTED(InterposableInlined) && Callee.isInterposable())
      return isInlineViable(Callee).isSuccess();
    if (std::optional<InlineResult> R =
            getAttributeBasedInliningDecision(CB, &Callee, TTI, GetTLI))
      return R->isSuccess();
    return isInlineViable(Callee).isSuccess();
  }

  /// Whether there is room for what \p Bytes more make of the frame.
  bool fits(uint64_t Bytes) {
    Bytes += Stack;
    if (Bytes > MaxRecursiveStack && !IsRecursive)
      IsRecursive = callsItself(Original);
    return Bytes <=
           (IsRecursive.value_or(false) ? MaxRecursiveStack : StackLimit);
  }

  void inlineSite(Site S) {
    Function *Callee = getHelper(*S.Call);
    if (!Callee || isRecursive(S, Callee))
      return;
    const Traits T = Filter.getTraits(*Callee);
    bool IsHelper = T.Size <= (S.InLoop ? MaxHelperSize : MaxAccessorSize) &&
                    T.LoopDepth <= (S.InLoop ? MaxHelperDepth : 0u);
    bool IsStage = Stages && !S.InLoop && isStage(T);
    // What cannot be inlined whole is a call in the end.
    if ((!IsHelper && !IsStage) || T.InlinedSize > Budget ||
        Assumes + T.Assumes > MaxAssumes || !isLegal(*S.Call, *Callee) ||
        !hasSameOptions(*Callee))
      return;
    uint64_t Bytes = getStackBytes(*Callee);
    if (Bytes && !fits(Bytes))
      return;
    InlineFunctionInfo IFI;
    S.Call->setCalledFunction(Callee);
    if (!InlineFunction(*S.Call, IFI, /*MergeAttributes=*/true).isSuccess())
      return;
    Size += T.Size;
    Stack += Bytes;
    Assumes += T.Assumes;
    History.push_back({Callee, S.History});
    for (CallBase *New : IFI.InlinedCallSites)
      if (getHelper(*New))
        Sites.push_back({New, int(History.size()) - 1, S.InLoop});
  }

  Function &F;
  const Function &Original;
  FunctionAnalysisManager &FAM;
  unsigned Budget;
  uint64_t StackLimit;
  bool Stages;
  KernelFilter Filter;
  SmallVector<Site, 32> Sites;
  SmallVector<std::pair<const Function *, int>, 32> History;
  unsigned Size = 0;
  unsigned Assumes = 0; ///< inlined ones
  uint64_t Stack = 0;   ///< bytes of inlined arrays
  std::optional<bool> IsRecursive;
  std::optional<Options> Own;
};

} // namespace

Function *getHelper(const CallBase &CB) {
  Function *Callee = getCallee(CB);
  if (!Callee || Callee->isDeclaration() ||
      (Callee->isInterposable() && !DLOPT_PLANTED(InterposableInlined)) ||
      Callee->isPresplitCoroutine() || Callee->hasOptNone() ||
      Callee->hasFnAttribute(Attribute::NoInline) || CB.isNoInline() ||
      CB.isMustTailCall())
    return nullptr;
  return Callee;
}

void inlineHelpers(Function &F, const Function &Original,
                   FunctionAnalysisManager &FAM, unsigned Budget,
                   uint64_t StackLimit, bool Stages) {
  HelperInliner(F, Original, FAM, Budget, StackLimit, Stages).run();
}

} // namespace dlopt
