//===- Recognize.cpp - The pass dl-recognize ------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Recognize.h"
#include "dlopt/InlinedLoops.h"
#include "dlopt/KernelText.h"
#include "dlopt/LightForm.h"
#include "dlopt/Names.h"
#include "dlopt/Remarks.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Module.h"

#define DEBUG_TYPE "dl-recognize"

using namespace llvm;
using namespace dlopt;

static constexpr ParamFlag<RecognizeParams> RecognizeFlags[] = {
    {"prepared", &RecognizeParams::Prepared}};

Expected<RecognizeParams> RecognizeParams::parse(StringRef Params) {
  return parseFlags<RecognizeParams>(Params, RecognizeFlags);
}

void RecognizeParams::print(raw_ostream &OS) const {
  printFlags<RecognizeParams>(OS, *this, RecognizeFlags);
}

/// \p Text with what people call parameters in place of their names.
static std::string showNames(StringRef Text, const Kernel &K,
                             const KernelText &Names) {
  std::string Result;
  while (!Text.empty()) {
    size_t Length =
        Text.starts_with("%") && Text.size() > 1
            ? std::min(Text.size(), Text.find_if_not(isSigilNameChar, 1))
            : 1;
    StringRef Word = Text.take_front(Length);
    Text = Text.drop_front(Length);
    size_t Id = 0;
    while (Id != K.Params.size() &&
           (K.Params[Id].Shown.empty() || Names.param(Id) != Word))
      ++Id;
    Result += Id == K.Params.size() ? Word.str() : K.Params[Id].Shown;
  }
  return Result;
}

static std::string describeAs(const Kernel &K, std::string Result) {
  KernelText Text(K);
  SmallVector<AxisId, 4> Axes;
  collectAxes(K.Root, Axes);
  erase_if(Axes, [&](AxisId A) { return K.Axes[A].isCondition(); });
  for (auto [I, A] : enumerate(Axes)) {
    const Axis &Ax = K.Axes[A];
    std::string Extent = showNames(Text.polys(Ax.Extents), K, Text);
    if (Ax.Extents.size() > 1)
      Extent = "min(" + Extent + ")";
    Result += (I ? " x " : ", ") + Extent;
  }
  return Result;
}

std::string dlopt::describe(const Kernel &K) {
  return describeAs(K, nameKernel(K));
}

std::string dlopt::describe(const Kernel &K, const Function &F,
                            StringRef Pass) {
  const LLVMContext &C = F.getContext();
  return C.getLLVMRemarkStreamer() ||
                 C.getDiagHandlerPtr()->isAnyRemarkEnabled(Pass)
             ? describe(K)
             : "";
}

/// What remarks call each kernel: what it is of, if that has a name.
static std::vector<std::string> describeAll(ArrayRef<RaisedKernel> Kernels) {
  std::vector<std::string> Own;
  for (const RaisedKernel &RK : Kernels)
    Own.push_back(nameKernel(*RK.K));
  std::vector<std::string> Names = Own;
  for (const KernelGroup &Group : nameGroups(Kernels, Own))
    for (auto [N, Member] : enumerate(Group.Members)) {
      Names[Member] = Group.Name;
      if (Group.Members.size() > 1)
        Names[Member] +=
            (", loop " + Twine(N + 1) + " of " + Twine(Group.Members.size()) +
             " (" + StringRef(Own[Member]).rsplit(' ').first + ")")
                .str();
    }
  for (auto [Name, RK] : zip(Names, Kernels))
    Name = describeAs(*RK.K, Name);
  return Names;
}

/// The loop inside of \p L that \p I is in, or null.
static const Loop *getInner(const Loop &L, const Instruction *I) {
  const Loop *Inner = nullptr;
  for (const Loop *Of : L.getLoopsInPreorder())
    if (I && Of != &L && Of->contains(I))
      Inner = Of;
  return Inner;
}

/// Why \p Missed is no kernel. What keeps it from being one may be part of a
/// kernel inside; the remark does not point there, where it would be wrong.
static Verdict withoutInner(const MissedNest &Missed,
                            ArrayRef<RaisedKernel> Kernels) {
  Verdict Why = Missed.Why;
  // Seen from the loop around it, that is another loop's number.
  const Loop *Inner = getInner(*Missed.L, Why.Culprit);
  if (DebugLoc Loc = Inner ? getUserLoc(Inner->getStartLoc()) : DebugLoc();
      Loc && Why.R == Reason::UnknownTripCount && Why.Detail.empty())
    Why.Detail = ("that of the loop in line " + Twine(Loc.getLine())).str();
  if (Why.Culprit && any_of(Kernels, [&](const RaisedKernel &RK) {
        return RK.Nest != Missed.L && Missed.L->contains(RK.Nest) &&
               RK.Nest->contains(Why.Culprit);
      }))
    Why.Culprit = nullptr;
  return Why;
}

void dlopt::reportRecognition(Function &Original, const RaiseResult &R,
                              OptimizationRemarkEmitter &ORE,
                              const Function &Called) {
  const BasicBlock &Region = Original.getEntryBlock();
  std::vector<std::string> Texts;
  for (size_t I = 0; I != R.Kernels.size(); ++I)
    ORE.emit([&] {
      const RaisedKernel &RK = R.Kernels[I];
      // Where somebody reads them.
      if (Texts.empty())
        Texts = describeAll(R.Kernels);
      DebugLoc Loc = getLocOfUse(RK.Nest->getStartLoc(), Called);
      OptimizationRemarkAnalysis Remark =
          analysisRemark(DEBUG_TYPE, "Kernel", Loc, Region);
      Remark << "kernel: " << ore::NV("Kernel", Texts[I]) << ", tier "
             << ore::NV("Tier", "exact");
      sayInlined(Remark, Loc);
      // For tools.
      Remark << ore::setExtraArgs()
             << ore::NV("Arguments", describeArguments(*RK.K, Original))
             << ore::NV("Text", printKernel(*RK.K));
      return Remark;
    });
  for (const MissedNest &Missed : R.Missed) {
    DebugLoc Loc = Missed.L->getStartLoc();
    DebugLoc System = getSystemLoc(*Missed.L, Missed.Why.Culprit);
    emitMissed(ORE, *Region.getParent(), System ? System : Loc, [&] {
      OptimizationRemarkMissed Remark = missedRemark(
          DEBUG_TYPE, withoutInner(Missed, R.Kernels), Loc, Region);
      // That loop itself computes little. The number is for tools.
      size_t Inside = count_if(R.Kernels, [&](const RaisedKernel &RK) {
        return Missed.L->contains(RK.Nest);
      });
      if (Inside)
        Remark << ore::NV("Inside", "; loops inside are kernels")
               << ore::setExtraArgs() << ore::NV("KernelsInside", Inside);
      if (System)
        saySystem(Remark);
      return Remark;
    });
  }
}

static constexpr StringLiteral KernelMark = "dl.kernel";

bool dlopt::isAnnotated(const RaisedKernel &RK) {
  const BasicBlock *Latch = RK.Nest->getLoopLatch();
  return Latch && Latch->getTerminator()->hasMetadata(KernelMark);
}

bool dlopt::annotate(const RaisedKernel &RK) {
  BasicBlock *Latch = RK.Nest->getLoopLatch();
  if (!Latch)
    return false;
  LLVMContext &C = Latch->getContext();
  Latch->getTerminator()->setMetadata(
      KernelMark, MDNode::get(C, MDString::get(C, RK.K->Kind)));
  return true;
}

AnalysisKey ReportedFunctionsAnalysis::Key;

static bool isReported(Function &F, FunctionAnalysisManager &AM) {
  const auto *Reported =
      AM.getResult<ModuleAnalysisManagerFunctionProxy>(F)
          .getCachedResult<ReportedFunctionsAnalysis>(*F.getParent());
  return Reported && !isLightForm(F) && Reported->Names.contains(F.getName());
}

PreservedAnalyses RecognizePass::run(Function &F, FunctionAnalysisManager &AM) {
  if (P.Prepared && !isLightForm(F))
    return PreservedAnalyses::all();
  RaiseResult R = raiseFunction(F, AM);
  if (!isReported(F, AM))
    reportRecognition(F, R, AM.getResult<OptimizationRemarkEmitterAnalysis>(F),
                      F);
  bool Changed = false;
  for (const RaisedKernel &RK : R.Kernels)
    Changed |= annotate(RK);
  if (!Changed)
    return PreservedAnalyses::all();
  // Metadata only: no analysis reads it.
  PreservedAnalyses PA = PreservedAnalyses::all();
  return PA;
}
