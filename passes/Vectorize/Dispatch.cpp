//===- Dispatch.cpp - Code for wider vectors than asked for ---------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Dispatch.h"
#include "LaneStrategy.h"
#include "dlopt/CPUFeatures.h"
#include "dlopt/Compat.h"
#include "dlopt/GeneratedFunction.h"
#include "dlopt/MathModels.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Raise.h"
#include "dlopt/Strategies.h"
#include "dlopt/Vectorize.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"

using namespace llvm;
using namespace dlopt;

namespace {

struct Row {
  StringLiteral Name, Arch;
  unsigned Bits;
  StringLiteral Features, Tune;
};

constexpr Row Rows[] = {
#define DLOPT_TARGET(...)
#define DLOPT_VARIANT(NAME, ARCH, BITS, FEATURES, TUNE)                        \
  {NAME, ARCH, BITS, FEATURES, TUNE},
#include "dlopt/Targets.def"
};

/// Whether this compiler makes machine code of inline assembly, by which a
/// program asks (Plugin.cpp sets that up where it can).
bool takesAssembly(Triple T) {
  std::string Error;
  const llvm::Target *Found = TargetRegistry::lookupTarget("", T, Error);
  return !Found || Found->hasMCAsmParser();
}

/// Whether \p F is part of a program that asks the CPU when it starts:
/// freestanding code and kernels do not.
bool mayTestCPU(const Function &F) {
  const Module &M = *F.getParent();
  const Triple T = getTriple(M);
  return T.getArch() == Triple::x86_64 &&
         (T.isOSLinux() || T.isOSDarwin() || T.isOSFreeBSD()) &&
         !F.hasFnAttribute("no-builtins") &&
         M.getCodeModel() != CodeModel::Kernel && takesAssembly(T);
}

/// The target model of the code of \p V for \p F, from a declaration in a
/// module of its own: \p F stays as it is.
TargetModel getModel(const CodeVariant &V, const Function &F,
                     FunctionAnalysisManager &FAM) {
  Module Probe("variant", F.getContext());
  Probe.setTargetTriple(F.getParent()->getTargetTriple());
  Probe.setDataLayout(F.getDataLayout());
  Function *G = Function::Create(F.getFunctionType(),
                                 GlobalValue::ExternalLinkage, "f", Probe);
  AttrBuilder Attrs = getGeneratedAttributes(F);
  setVariant(Attrs, V);
  G->addFnAttrs(Attrs);
  TargetModel T = getTargetModel(*G, FAM.getResult<TargetIRAnalysis>(*G));
  FAM.clear(*G, G->getName());
  return T;
}

/// Whether \p R, which needs the features \p Needed, is for wider vectors than
/// \p BaseBits. What is switched off stays off, whatever the machine has.
bool isFor(const Row &R, const Function &F, unsigned BaseBits,
           ArrayRef<StringRef> Needed) {
  SmallVector<StringRef, 16> Given;
  F.getFnAttribute("target-features").getValueAsString().split(Given, ',');
  return Triple::getArchTypePrefix(getTriple(*F.getParent()).getArch())
             .starts_with(R.Arch) &&
         R.Bits > BaseBits && none_of(Needed, [&](StringRef Feature) {
           return is_contained(Given, "-" + Feature.str());
         });
}

/// Calls \p Add for the rows that are for wider vectors than \p BaseBits, with
/// what they need beside \p Extra and the model of their target.
void forEachVariant(
    Function &F, FunctionAnalysisManager &FAM, unsigned BaseBits,
    ArrayRef<StringRef> Extra,
    function_ref<void(CodeVariant &, const TargetModel &)> Add) {
  StringRef Own = F.getFnAttribute("target-features").getValueAsString();
  StringRef Tune = F.getFnAttribute("tune-cpu").getValueAsString();
  for (const Row &R : Rows) {
    SmallVector<StringRef, 5> Needed;
    R.Features.split(Needed, ' ');
    Needed.append(Extra.begin(), Extra.end());
    std::optional<uint64_t> Bits = getCPUFeatures(Needed);
    if (!Bits || !isFor(R, F, BaseBits, Needed))
      continue;
    CodeVariant V;
    V.Name = R.Name.str();
    V.TuneCPU = Tune.empty() || Tune == "generic" ? R.Tune.str() : Tune.str();
    V.CPUFeatures = *Bits;
    V.Features = Own.str();
    for (StringRef Feature : Needed)
      V.Features += (V.Features.empty() ? "+" : ",+") + Feature.str();
    TargetModel T = getModel(V, F, FAM);
    // The CPU it is scheduled for is one of many.
    if (V.TuneCPU == R.Tune && T.Large != LargeStores::Plain)
      T.Large = LargeStores::ByVendor;
    if (T.VectorBits == R.Bits)
      Add(V, T);
  }
}

} // namespace

bool dlopt::mayAskVendor(const Function &F, const Options &O) {
  return mayTestCPU(F) && !F.hasOptSize() && O.Dispatch != DispatchMode::Off;
}

DispatchMode dlopt::getDispatchMode(const Function &F, const Options &O,
                                    unsigned Bits) {
  if (!mayTestCPU(F) || F.hasOptSize())
    return DispatchMode::Off;
  if (O.Dispatch)
    return *O.Dispatch;
  // Who names a CPU with wide vectors has said where the program will run.
  return O.DispatchIfHosted && Bits == 128 ? DispatchMode::On
                                           : DispatchMode::Off;
}

bool dlopt::mayWiden(const Function &F, const Options &O, unsigned Bits) {
  return getDispatchMode(F, O, Bits) != DispatchMode::Off &&
         any_of(Rows, [&](const Row &R) {
           SmallVector<StringRef, 5> Needed;
           R.Features.split(Needed, ' ');
           return isFor(R, F, Bits, Needed);
         });
}

SmallVector<TargetModel, 2>
dlopt::getVariantModels(Function &F, FunctionAnalysisManager &FAM,
                        const Options &O, unsigned Bits) {
  SmallVector<TargetModel, 2> Models;
  if (getDispatchMode(F, O, Bits) != DispatchMode::Off)
    forEachVariant(F, FAM, Bits, {}, [&](CodeVariant &, const TargetModel &T) {
      Models.push_back(T);
    });
  std::reverse(Models.begin(), Models.end());
  return Models;
}

TargetModel dlopt::getLikelyTarget(Function &F, FunctionAnalysisManager &FAM,
                                   bool DispatchIfHosted) {
  Options O = getOptions(F);
  O.DispatchIfHosted = DispatchIfHosted;
  TargetModel Own = getTargetModel(F, FAM.getResult<TargetIRAnalysis>(F));
  SmallVector<TargetModel, 2> Wider =
      getVariantModels(F, FAM, O, Own.VectorBits);
  return Wider.empty() ? Own : Wider.front();
}

SmallVector<ContractionVariant, 2>
dlopt::planVariants(const ContractionSpec &Base,
                    const ContractionPlan &BasePlan, Function &F,
                    FunctionAnalysisManager &FAM, DispatchMode Mode,
                    uint64_t StackLimit, const ContractionOverrides &O) {
  SmallVector<ContractionVariant, 2> Variants;
  if (Mode == DispatchMode::Off)
    return Variants;
  const TargetModel Own = getTargetModel(F, FAM.getResult<TargetIRAnalysis>(F));
  // A short row has narrower vectors than there are.
  unsigned BaseBits =
      std::max(BasePlan.VectorElems * unsigned(getSizeInBytes(Base.Ty)) * 8,
               Own.VectorBits);
  bool BaseHasFMA = Own.HasFMA;
  bool Fuse = BasePlan.Fused || (Mode == DispatchMode::FMA &&
                                 Base.Comb == ContractionSpec::FMulAdd);
  SmallVector<StringRef, 1> Extra;
  if (Fuse)
    Extra.push_back("fma");
  forEachVariant(
      F, FAM, BaseBits, Extra, [&](CodeVariant &Code, const TargetModel &T) {
        ContractionVariant V;
        static_cast<CodeVariant &>(V) = std::move(Code);
        V.Spec = Base;
        if (!BaseHasFMA && !Fuse)
          V.Spec.Epilogue.Value = separateProducts(Base.Epilogue.Value);
        if (!Fuse) {
          // Where the code of F rounds the product, so must this.
          if (Base.Comb == ContractionSpec::FMulAdd)
            V.Spec.MulFlags = Base.AddFlags;
          V.Spec.Comb = ContractionSpec::MulAdd;
          V.Spec.MulFlags.setAllowContract(false);
          V.Spec.AddFlags.setAllowContract(false);
        }
        if (auto Plan = planContraction(V.Spec, T, StackLimit, O);
            Plan && Plan->Fused == Fuse) {
          V.Plan = *Plan;
          Variants.push_back(std::move(V));
        }
      });
  return Variants;
}

/// About how many operations an iteration of all loops of \p K is.
static unsigned getCodeSize(const Kernel &K, const LanePlan &Plan) {
  constexpr unsigned MathSize = 25;
  unsigned Size = 0;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Op &O : L.Ops)
      Size += isMathInLanes(O, Plan) ? MathSize : 1;
    Size += L.Assigns.size();
  });
  return Size;
}

/// Whether an axis of \p N reads tables in registers by \p Rows alone, not by
/// \p Base, whose guard has not asked for iterations enough.
static bool looksUpMore(const Kernel &K, const Node &N, uint32_t Rows,
                        uint32_t Base) {
  return (N.K == Node::AxisNode && !getLookups(K, N, Rows).empty() &&
          getLookups(K, N, Base).empty()) ||
         any_of(N.Children, [&](const auto &Child) {
           return looksUpMore(K, *Child, Rows, Base);
         });
}

SmallVector<LaneVariant, 2>
dlopt::planVariants(const Kernel &K, const LanePlan &BasePlan, Function &F,
                    FunctionAnalysisManager &FAM, DispatchMode Mode,
                    const Options &O) {
  constexpr unsigned MaxCodeSize = 400;
  SmallVector<LaneVariant, 2> Variants;
  unsigned Size = getCodeSize(K, BasePlan);
  // Without lanes there is nothing that is wider.
  if (Mode == DispatchMode::Off || Size > MaxCodeSize ||
      BasePlan.Axes.empty() || BasePlan.OnlyStreams || BasePlan.StaysNarrow)
    return Variants;
  TargetModel Base = getTargetModel(F, FAM.getResult<TargetIRAnalysis>(F));
  // Inline functions are approximations, which may differ between machines, or
  // the same numbers on each.
  bool HasMath = false;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    HasMath |=
        any_of(L.Ops, [&](const Op &O) { return isMathInLanes(O, BasePlan); });
  });
  bool Fuse = Base.HasFMA || Mode == DispatchMode::FMA;
  SmallVector<StringRef, 1> Extra;
  if (Fuse || HasMath)
    Extra.push_back("fma");
  forEachVariant(
      F, FAM, Base.VectorBits, Extra,
      [&](CodeVariant &Code, const TargetModel &T) {
        LaneVariant V;
        static_cast<CodeVariant &>(V) = std::move(Code);
        Kernel Own;
        copyKernel(K, Own);
        V.Plan.OnlyWider = BasePlan.OnlyWider;
        V.Plan.ScalarOtherwise = BasePlan.ScalarOtherwise;
        V.Plan.RowByRow = BasePlan.RowByRow;
        // K has the blocks. Calls that stay keep all vectors narrow.
        V.Plan.SeparatesCalls = BasePlan.SeparatesCalls && BasePlan.Models;
        if (!chooseLanes(Own, T, O, F, V.Plan).ok() ||
            V.Plan.Axes != BasePlan.Axes || V.Plan.Splits != BasePlan.Splits ||
            V.Plan.Blocked != BasePlan.Blocked ||
            V.Plan.LongSearch != BasePlan.LongSearch)
          return;
        // The guard has tested what K needs, and K is what is lowered.
        if ((V.Plan.SeparatesCalls && !BasePlan.Models) ||
            Own.Needs.size() != K.Needs.size())
          return;
        if (looksUpMore(K, K.Root, V.Plan.Lookups, BasePlan.Lookups))
          V.Plan.Lookups = 0;
        V.Plan.SeparateProducts = !Fuse && !DLOPT_PLANTED(LaneProductsFused);
        if (!V.Plan.MaskedRest && V.Plan.VectorElems > BasePlan.VectorElems)
          V.Plan.RestElems = BasePlan.VectorElems;
        Variants.push_back(std::move(V));
      });
  return Variants;
}

SmallVector<ScheduleVariant, 2>
dlopt::planVariants(const Kernel &K, Function &F, FunctionAnalysisManager &FAM,
                    DispatchMode Mode) {
  SmallVector<ScheduleVariant, 2> Variants;
  if (Mode == DispatchMode::Off)
    return Variants;
  TargetModel Base = getTargetModel(F, FAM.getResult<TargetIRAnalysis>(F));
  bool Fuse = Base.HasFMA || Mode == DispatchMode::FMA;
  Kernel Own;
  copyKernel(K, Own);
  if (!Fuse && !DLOPT_PLANTED(ScheduledProductsFused))
    separateProducts(Own);
  SmallVector<StringRef, 1> Extra;
  if (Fuse)
    Extra.push_back("fma");
  ScheduleLimits Limits;
  Limits.StackBytes = getStackLimit(F, getOptions(F));
  forEachVariant(F, FAM, Base.VectorBits, Extra,
                 [&](CodeVariant &Code, const TargetModel &T) {
                   std::optional<Strategy> Found = findStrategy(Own, T);
                   if (!Found ||
                       !canLowerSchedule(*Found->Scheduled, Limits).ok())
                     return;
                   ScheduleVariant V;
                   static_cast<CodeVariant &>(V) = std::move(Code);
                   V.K = std::move(Found->Scheduled);
                   V.Math = getMathPlan(F, T, getOptions(F));
                   Variants.push_back(std::move(V));
                 });
  return Variants;
}
