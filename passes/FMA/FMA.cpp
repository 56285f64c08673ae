//===- FMA.cpp - The pass dl-fma ------------------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The pass and its printer; what sums are and may be is in Sums.cpp, what
/// loops wait for in Recurrences.cpp.
///
//===----------------------------------------------------------------------===//
#include "dlopt/FMA.h"
#include "Rewrite.h"
#include "Widening.h"
#include "dlopt/Guards.h"
#include "dlopt/Options.h"
#include "dlopt/Raise.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#define DEBUG_TYPE "dl-fma"

using namespace llvm;
using namespace dlopt;

static constexpr ParamFlag<FMAParams> FMAFlags[] = {{"free", &FMAParams::Free}};

Expected<FMAParams> FMAParams::parse(StringRef Params) {
  return parseFlags<FMAParams>(Params, FMAFlags);
}

void FMAParams::print(raw_ostream &OS) const {
  printFlags<FMAParams>(OS, *this, FMAFlags);
}

namespace {

class FunctionFMA {
public:
  FunctionFMA(Function &F, FunctionAnalysisManager &FAM, const Options &O,
              bool Free)
      : F(F), O(O), LI(FAM.getResult<LoopAnalysis>(F)),
        TTI(FAM.getResult<TargetIRAnalysis>(F)), T(getTargetModel(F, TTI)),
        Finder(TTI, LI, T.HasVectorFMA, Free || O.FreeFMA) {}

  bool run();
  void print(raw_ostream &OS);

private:
  bool mayImprove(const Loop &L) const;
  bool takesChange();
  bool improveLoop(Loop &L);
  bool form();
  bool widen();
  void report(const RecurrencePlan &P, const Loop &L);

  Function &F;
  const Options &O;
  LoopInfo &LI;
  TargetTransformInfo &TTI;
  TargetModel T;
  SumFinder Finder;
};

} // namespace

/// Whether \p L is or is in a nest that generated code runs in the stead of.
static bool isOriginal(const Loop *L) {
  for (; L; L = L->getParentLoop())
    if (findOptionMDForLoop(L, OriginalLoopTag))
      return true;
  return false;
}

/// Code that checks itself compares what is computed in one way, and loops have
/// the bits of what runs in their stead.
bool FunctionFMA::mayImprove(const Loop &L) const {
  return O.Check == CheckMode::Off && T.HasVectorFMA && !F.hasOptSize() &&
         L.isInnermost() && L.getLoopLatch() && !isSwitchedOff(L) &&
         !isOriginal(&L);
}

/// The next change is below the limit, if there is one. Changes are counted in
/// the module.
bool FunctionFMA::takesChange() {
  if (!O.Limit)
    return true;
  NamedMDNode *Count = F.getParent()->getOrInsertNamedMetadata("dl.fma.count");
  if (Count->getNumOperands() >= *O.Limit)
    return false;
  Count->addOperand(MDNode::get(F.getContext(), {}));
  return true;
}

static std::string describePlan(const RecurrencePlan &P) {
  std::string Text;
  raw_string_ostream OS(Text);
  ListSeparator Sep;
  size_t Apart = count_if(
      P.Forms, [](const auto &F) { return F.second == SumForm::Apart; });
  if (!P.Chain.empty())
    OS << Sep << P.Chain.size() << " addends added up first";
  if (!P.Decays.empty())
    OS << Sep << P.Decays.size() << " of the form (1 - a)*h + a*x";
  if (Apart)
    OS << Sep << Apart << " sums apart from their products";
  if (size_t Fused = P.Forms.size() - Apart)
    OS << Sep << Fused << " fused with the product of the recurrence";
  return Text;
}

void FunctionFMA::report(const RecurrencePlan &P, const Loop &L) {
  OptimizationRemarkEmitter ORE(&F);
  DebugLoc Loc = getUserLoc(L.getStartLoc());
  if (P.Why == Reason::Ok)
    ORE.emit([&] {
      return passedRemark(DEBUG_TYPE, "Recurrence", Loc, *L.getHeader())
             << "recurrence of " << ore::NV("Before", P.Before)
             << " cycles takes " << ore::NV("After", P.After) << ": "
             << describePlan(P);
    });
  else if (P.Why == Reason::FusedByDefault)
    ORE.emit([&] {
      // No kernel is missed.
      return analysisRemark(DEBUG_TYPE, getName(P.Why), Loc, *L.getHeader())
             << "recurrence of " << ore::NV("Before", P.Before)
             << " cycles stays: " << getText(P.Why);
    });
}

/// True if a recurrence of \p L is computed in another way.
bool FunctionFMA::improveLoop(Loop &L) {
  SmallVector<RecurrencePlan, 4> Plans =
      LoopRecurrences(L, LI, Finder, T, TTI).plan();
  // What two recurrences go through is changed for one of them.
  SmallPtrSet<const Instruction *, 16> Taken;
  bool Changed = false;
  for (const RecurrencePlan &P : Plans) {
    SmallVector<const Instruction *, 16> Sums(P.Chain.begin(), P.Chain.end());
    append_range(Sums, make_first_range(P.Forms));
    append_range(Sums, make_first_range(P.Decays));
    if (P.Why != Reason::Ok ||
        any_of(Sums, [&](auto *I) { return Taken.contains(I); }) ||
        !takesChange())
      continue;
    report(P, L);
    Taken.insert(Sums.begin(), Sums.end());
    applyPlan(P, Finder, L);
    Changed = true;
  }
  if (!Changed)
    for (const RecurrencePlan &P : Plans)
      if (P.Why != Reason::Ok)
        report(P, L);
  return Changed;
}

/// Makes instructions of what the back end fuses, and keeps it from what it
/// must not.
bool FunctionFMA::form() {
  // What a sum is made of goes with it, and may come behind it where nothing
  // leads to.
  SmallVector<WeakTrackingVH, 32> Sums;
  for (Instruction &I : instructions(F))
    if (Finder.get(I))
      Sums.push_back(&I);
  bool Changed = false;
  for (WeakTrackingVH &V : Sums) {
    auto *I = dyn_cast_or_null<Instruction>(V);
    std::optional<Sum> S = I ? Finder.get(*I) : std::nullopt;
    Loop *L = I ? LI.getLoopFor(I->getParent()) : nullptr;
    if (!S || (L && isSwitchedOff(*L)))
      continue;
    // AArch64's asks the addition alone.
    bool Misleads = S->Default == SumForm::Apart && I->hasAllowContract() &&
                    any_of(S->Addends, [](const Addend &A) {
                      return A.Product && !A.Product->hasAllowContract();
                    });
    if (S->Default == SumForm::Apart && !Misleads)
      continue;
    if (!Changed && !takesChange())
      return false;
    if (Misleads)
      I->setHasAllowContract(false);
    else
      applyForm(*S, S->Default);
    Changed = true;
  }
  return Changed;
}

/// Leaves conversions to instructions that do both.
bool FunctionFMA::widen() {
  bool Changed = false;
  for (const WideningMulAdd &W : findWideningMulAdds(F, T)) {
    Loop *L = LI.getLoopFor(W.I->getParent());
    if (L && isSwitchedOff(*L))
      continue;
    if (!Changed && !takesChange())
      return false;
    applyWidening(W);
    Changed = true;
  }
  return Changed;
}

bool FunctionFMA::run() {
  if (!T.HasVectorFMA)
    return false;
  bool Changed = false;
  for (Loop *L : LI.getLoopsInPreorder())
    // Each round leaves fewer sums that may take another form.
    while (mayImprove(*L) && improveLoop(*L))
      Changed = true;
  Changed |= form();
  return widen() || Changed;
}

void FunctionFMA::print(raw_ostream &OS) {
  for (Loop *L : LI.getLoopsInPreorder()) {
    if (!mayImprove(*L))
      continue;
    LoopRecurrences Recurrences(*L, LI, Finder, T, TTI);
    for (const RecurrencePlan &P : Recurrences.plan()) {
      OS << "recurrence @" << F.getName();
      if (DebugLoc Loc = getUserLoc(L->getStartLoc()))
        OS << " line " << Loc.getLine();
      OS << ' ';
      P.Phi->printAsOperand(OS, /*PrintType=*/false);
      OS << ": ";
      if (P.Why != Reason::UnknownLatencies)
        OS << P.Before << " cycles, ";
      if (P.Why == Reason::Ok)
        OS << P.After << " with " << describePlan(P) << '\n';
      else
        OS << getName(P.Why) << ": " << getText(P.Why) << '\n';
    }
  }
}

/// Whether \p F adds products at all: most functions need no model of the
/// target.
static bool hasSums(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    const auto *Call = dyn_cast<IntrinsicInst>(&I);
    return I.getOpcode() == Instruction::FAdd ||
           I.getOpcode() == Instruction::FSub ||
           (Call && (Call->getIntrinsicID() == Intrinsic::fmuladd ||
                     Call->getIntrinsicID() == Intrinsic::fma));
  });
}

/// \p O: of \p F, also where it was left to the link or is done with.
static bool mayChange(const Function &F, const Options &O) {
  return O.runs(DEBUG_TYPE) && !F.hasOptNone() && !isGenerated(F) &&
         !F.hasFnAttribute(Attribute::StrictFP);
}

PreservedAnalyses FMAPass::run(Function &F, FunctionAnalysisManager &AM) {
  if (!hasSums(F))
    return PreservedAnalyses::all();
  Options O = getOptions(F, /*EvenIfProcessed=*/true);
  if (!mayChange(F, O) || !FunctionFMA(F, AM, O, P.Free).run())
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}

PreservedAnalyses FMAPrinterPass::run(Function &F,
                                      FunctionAnalysisManager &AM) {
  Options O = getOptions(F, /*EvenIfProcessed=*/true);
  if (mayChange(F, O))
    FunctionFMA(F, AM, O, P.Free).print(outs());
  return PreservedAnalyses::all();
}
