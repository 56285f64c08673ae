//===- Layout.cpp - The pass dl-layout ------------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///   static float t[64][56][56];       static float t[56][56][64];
///   for (m, j, k)                     for (j, k)
///     t[m][j][k] = conv(m, j, k);  ->   for (m) t[j][k][m] = conv(m, j, k);
///   for (c, j, k)                     for (j, k)
///     y[c][j][k] = f(t[c][j][k]);       for (c) y[c][j][k] = f(t[j][k][c]);
///
/// Legal where every use of the array is known: each goes through one map of
/// elements. The order of loops changes in the same step, since one without the
/// other makes them slower. Nothing is copied: what others see keeps its order.
///
/// What it costs is counted, and what it saves: statements that LLVM's loop
/// vectorizer can make vectors of count by the lanes of these, and what
/// dl-vectorize has a script for by the cycles of that (Cost.h).
///
//===----------------------------------------------------------------------===//
#include "dlopt/Layout.h"
#include "AxisOrder.h"
#include "Copies.h"
#include "Objects.h"
#include "OldAccesses.h"
#include "ScriptCycles.h"
#include "Tensors.h"
#include "dlopt/ContractionView.h"
#include "dlopt/Guards.h"
#include "dlopt/LightForm.h"
#include "dlopt/Lower.h"
#include "dlopt/Options.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Prepare.h"
#include "dlopt/ReplaceNest.h"
#include "dlopt/SelfCheck.h"
#include "dlopt/Target.h"
#include "dlopt/Vectorize.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

#define DEBUG_TYPE "dl-layout"

using namespace llvm;
using namespace dlopt;

namespace {

class ModuleLayout {
public:
  ModuleLayout(Module &M, FunctionAnalysisManager &FAM, const LayoutParams &P,
               ModuleBuffers MB)
      : M(M), FAM(FAM), P(P), MB(std::move(MB)) {}
  bool run();
  /// The functions that use what it would change.
  SmallPtrSet<Function *, 8> findChanged();

private:
  void plan();
  void checkKernels();
  void checkTensors();
  double getTotal(ArrayRef<unsigned> Kernels);
  double countCost(const Kernel &K, unsigned Index);
  std::optional<double> tryKernel(unsigned Index, Kernel &Trial);
  std::vector<SmallVector<unsigned, 8>> findClasses() const;
  void choose(ArrayRef<unsigned> Class);
  bool takesChange();
  void applyLimit();
  bool isMapped(unsigned Index) const;
  bool isKept(unsigned Index) const;
  bool rewrite();
  void rewriteFunction(Function &F, ArrayRef<unsigned> Kernels);
  void report() const;

  Module &M;
  FunctionAnalysisManager &FAM;
  const LayoutParams &P;
  ModuleBuffers MB;
  std::vector<Tensor> Tensors;
  /// By kernel: why it cannot be lowered in another order; what it costs as it
  /// is; the vectors of its function.
  std::vector<Verdict> Refusals;
  std::vector<double> Costs;
  std::vector<VectorUnit> Units;
  std::vector<TargetModel> Targets;
  std::vector<bool> HasScripts;
  ScriptCycles Scripts;
  /// By kernel: its share of the stack.
  std::vector<uint64_t> StackBytes;
};

} // namespace

/// Drops what is known of buffers that nothing else leads to.
static void dropKnownNeeds(const ModuleBuffers &MB, unsigned Index) {
  Kernel &K = *MB.Kernels[Index].RK.K;
  for (Need &N : K.Needs)
    if (N.K == Need::Disjoint)
      erase_if(N.Others,
               [&](BufferId B) { return MB.areApart(Index, N.Buf, B); });
  erase_if(K.Needs, [](const Need &N) {
    return N.K == Need::Disjoint && N.Others.empty();
  });
}

void ModuleLayout::checkKernels() {
  for (unsigned Index = 0; Index != MB.Kernels.size(); ++Index) {
    ModuleKernel &MK = MB.Kernels[Index];
    Kernel &K = *MK.RK.K;
    auto &TTI = FAM.getResult<TargetIRAnalysis>(*MK.F);
    TargetModel T = getTargetModel(*MK.F, TTI);
    dropKnownNeeds(MB, Index);
    Verdict Why;
    if (!T.NoSIMD.empty())
      Why.R = Reason::NoTargetSupport;
    else if (Why = MK.Call ? canLowerScalar(
                                 K, getStackLimit(*MK.F, getOptions(*MK.F)))
                           : canReplaceNest(MK.RK, *MK.F);
             !Why.ok())
      ;
    else if (!K.Needs.empty())
      Why.R = Reason::BufferGuard;
    if (!Why.ok() && !Why.Culprit)
      Why.Culprit = MK.getPlace();
    Refusals.push_back(Why);
    size_t InFunction = count_if(MB.Kernels, [&](const ModuleKernel &Other) {
      return Other.F == MK.F && !Other.Call;
    });
    InFunction = std::max<size_t>(InFunction, 1);
    StackBytes.push_back(getStackLimit(*MK.F, getOptions(*MK.F)) / InFunction);
    Units.push_back({std::max(T.PlainBits, 1u), T.HasMaskedLoads});
    Targets.push_back(getLikelyTarget(*MK.F, FAM, P.DispatchIfHosted));
    HasScripts.push_back(P.KeepProducts && T.NoSIMD.empty() &&
                         getOptions(*MK.F).runs(Transformation::Schedules));
    Costs.push_back(countCost(K, Index));
  }
}

void ModuleLayout::checkTensors() {
  for (Tensor &T : Tensors) {
    for (const auto &U : T.Uses)
      if (T.Why.ok())
        T.Why = Refusals[U.Kernel];
    if (T.Why.ok() && isLaidOut(*T.B))
      T.Why.R = Reason::BufferNoGain;
    // Never below one vector of channels.
    if (T.Why.ok() && P.To == LayoutParams::Auto)
      erase_if(T.Candidates, [&](const ChannelMap &Map) {
        return any_of(T.Uses, [&](const auto &U) {
          return Map.Channels * 8 * getSizeInBytes(T.B->Ty) <
                 Units[U.Kernel].Bits;
        });
      });
    if (T.Why.ok() && T.Candidates.empty())
      T.Why.R = Reason::BufferNoGain;
    if (T.Why.ok() && T.IsAll && !canPermute(*T.B, M.getDataLayout()))
      T.Why.R = Reason::BufferInitializer;
  }
}

/// Whether some part of \p N is a product of matrices.
static bool hasProduct(const Kernel &K, const Node &N) {
  if (N.K == Node::LeafNode)
    return false;
  if (N.K == Node::AxisNode)
    if (std::optional<ContractionView> V = matchContraction(K, N);
        V && !V->M.empty() && !V->N.empty())
      return true;
  return any_of(N.Children, [&](const auto &C) { return hasProduct(K, *C); });
}

/// Whether \p K reduces something, but nothing over a window.
static bool reducesRows(const Kernel &K) {
  constexpr uint64_t LargestWindow = 16;
  bool Reduces = false, HasWindow = false;
  for (AxisId A = 0; A != K.Axes.size(); ++A) {
    if (K.Axes[A].R == Role::Parallel || K.Axes[A].isCondition())
      continue;
    Reduces = true;
    HasWindow |= getRounds(K, A).value_or(UINT64_MAX) <= LargestWindow;
  }
  return Reduces && !HasWindow;
}

/// What \p K, an order of the kernel \p Index, costs as it is: a statement is
/// about a cycle.
double ModuleLayout::countCost(const Kernel &K, unsigned Index) {
  double Cost = getCost(K, Units[Index]);
  if (!HasScripts[Index])
    return Cost;
  return std::min(Cost, Scripts.get(K, Targets[Index]).value_or(Cost));
}

/// The kernel \p Index after the maps, in the order that suits it best, and
/// what that costs.
std::optional<double> ModuleLayout::tryKernel(unsigned Index, Kernel &Trial) {
  copyKernel(*MB.Kernels[Index].RK.K, Trial);
  if (!mapKernel(Trial, Index, Tensors))
    return std::nullopt;
  if (isKept(Index))
    return Costs[Index];
  // Products are packed whatever the order is.
  if (P.KeepProducts && hasProduct(Trial, Trial.Root))
    return Costs[Index];
  const Kernel &K = *MB.Kernels[Index].RK.K;
  if (P.KeepProducts && (hasProduct(K, K.Root) || reducesRows(K)))
    return std::nullopt;
  double Cost = countCost(Trial, Index);
  Cost = improveOrder(Trial, Units[Index], Cost).value_or(Cost);
  // Guards look for the axes of all loops of the source, so the kernel itself
  // keeps those that have no node any more.
  Kernel Compact;
  copyKernel(Trial, Compact);
  if (!compact(Compact) || !canLowerScalar(Trial, StackBytes[Index]).ok())
    return std::nullopt;
  if (Error E = verifyKernel(Compact)) {
    consumeError(std::move(E));
    return std::nullopt;
  }
  return Cost;
}

bool ModuleLayout::isMapped(unsigned Index) const {
  return any_of(Tensors, [&](const Tensor &T) {
    return T.Map && any_of(T.Uses, [&](auto &U) { return U.Kernel == Index; });
  });
}

/// Whether the kernel \p Index is a call that stays one.
bool ModuleLayout::isKept(unsigned Index) const {
  const ModuleKernel &MK = MB.Kernels[Index];
  return MK.Call && isSameCopy(MK, Index, Tensors);
}

double ModuleLayout::getTotal(ArrayRef<unsigned> Kernels) {
  double Total = 0;
  for (unsigned Index : Kernels) {
    Kernel Trial;
    Total += isMapped(Index)
                 ? tryKernel(Index, Trial)
                       .value_or(std::numeric_limits<double>::infinity())
                 : Costs[Index];
  }
  return Total;
}

/// Tensors that kernels have in common.
std::vector<SmallVector<unsigned, 8>> ModuleLayout::findClasses() const {
  std::vector<SmallVector<unsigned, 8>> Classes;
  std::vector<bool> Done(Tensors.size());
  for (unsigned First = 0; First != Tensors.size(); ++First) {
    if (Done[First] || !Tensors[First].Why.ok())
      continue;
    SmallVector<unsigned, 8> Class = {First};
    Done[First] = true;
    for (size_t Next = 0; Next != Class.size(); ++Next)
      for (unsigned Other = 0; Other != Tensors.size(); ++Other) {
        if (Done[Other] || !Tensors[Other].Why.ok())
          continue;
        auto Shares = [&](const auto &U) {
          return any_of(Tensors[Class[Next]].Uses,
                        [&](const auto &V) { return U.Kernel == V.Kernel; });
        };
        if (any_of(Tensors[Other].Uses, Shares)) {
          Done[Other] = true;
          Class.push_back(Other);
        }
      }
    Classes.push_back(std::move(Class));
  }
  return Classes;
}

/// Chooses the orders of the tensors in \p Class: all as the largest dimension
/// says first, then each by itself as long as that saves anything.
void ModuleLayout::choose(ArrayRef<unsigned> Class) {
  auto KernelsOf = [&](ArrayRef<unsigned> Which) {
    SmallSetVector<unsigned, 8> Kernels;
    for (unsigned T : Which)
      for (const auto &U : Tensors[T].Uses)
        Kernels.insert(U.Kernel);
    return SmallVector<unsigned, 8>(Kernels.begin(), Kernels.end());
  };
  SmallVector<unsigned, 8> All = KernelsOf(Class);
  double Before = 0;
  for (unsigned Index : All)
    Before += Costs[Index];
  for (unsigned T : Class)
    Tensors[T].Map = Tensors[T].Candidates.front();
  constexpr unsigned MaxSteps = 4;
  bool Again = true;
  for (unsigned Step = 0; Again && Step != MaxSteps; ++Step) {
    Again = false;
    for (unsigned T : Class) {
      SmallVector<unsigned, 8> Own = KernelsOf(T);
      std::optional<ChannelMap> Best = Tensors[T].Map;
      double Least = getTotal(Own);
      auto Try = [&](std::optional<ChannelMap> Map, bool IfEqual) {
        Tensors[T].Map = Map;
        double Cost = getTotal(Own);
        if (Cost > Least || (Cost == Least && !IfEqual))
          return;
        Again |= Best != Map;
        Best = Map;
        Least = Cost;
      };
      for (const ChannelMap &Map : Tensors[T].Candidates)
        Try(Map, false);
      if (P.To == LayoutParams::Auto || Tensors[T].IsFree)
        Try(std::nullopt, true);
      Tensors[T].Map = Best;
    }
  }
  double After = getTotal(All);
  // A count is no measurement.
  constexpr double Margin = 0.9;
  bool Takes = P.To == LayoutParams::Auto
                   ? After < Margin * Before
                   : After != std::numeric_limits<double>::infinity();
  for (unsigned T : Class) {
    if (!Takes)
      Tensors[T].Map = std::nullopt;
    if (!Tensors[T].Map)
      Tensors[T].Why.R = Reason::BufferNoGain;
  }
}

/// Changes are counted in the module.
bool ModuleLayout::takesChange() {
  const Options &O = getGlobalOptions();
  if (!O.Limit)
    return true;
  NamedMDNode *Count = M.getOrInsertNamedMetadata("dl.layout.count");
  if (Count->getNumOperands() >= *O.Limit)
    return false;
  Count->addOperand(MDNode::get(M.getContext(), {}));
  return true;
}

void ModuleLayout::applyLimit() {
  for (Tensor &T : Tensors)
    if (T.Map && !takesChange()) {
      T.Map = std::nullopt;
      T.Why.R = Reason::LimitReached;
    }
}

/// Puts the kernels of \p F into their new order, and what is left of the old
/// loops, if anything, finds its elements one by one.
void ModuleLayout::rewriteFunction(Function &F, ArrayRef<unsigned> Kernels) {
  OldAccesses Old;
  for (const Tensor &T : Tensors) {
    if (!T.Map)
      continue;
    for (const auto &U : T.Uses)
      if (const ModuleKernel &MK = MB.Kernels[U.Kernel]; MK.F == &F && !MK.Call)
        Old.addNest(*MK.RK.Nest, T);
    for (Instruction *I : T.B->Accesses)
      if (I->getFunction() == &F && T.IsAll)
        Old.add(*I, T);
  }
  Options O = getOptions(F);
  // Calls last: nests have blocks in front and behind.
  SmallVector<ModuleKernel *, 4> Calls;
  for (unsigned Index : Kernels) {
    RaisedKernel &RK = MB.Kernels[Index].RK;
    Kernel New;
    if (isKept(Index) || !tryKernel(Index, New))
      continue;
    *RK.K = std::move(New);
    if (MB.Kernels[Index].Call)
      Calls.push_back(&MB.Kernels[Index]);
    else
      (void)replaceNest(RK, F, FAM, {O, DEBUG_TYPE " of " + RK.K->Kind}).ok();
  }
  for (ModuleKernel *MK : Calls)
    replaceCopy(*MK);
  for (BasicBlock &BB : F)
    ConstantFoldTerminator(&BB);
  EliminateUnreachableBlocks(F);
  Old.map();
}

bool ModuleLayout::rewrite() {
  MapVector<Function *, SmallVector<unsigned, 8>> Functions;
  for (unsigned Index = 0; Index != MB.Kernels.size(); ++Index)
    if (isMapped(Index))
      Functions[MB.Kernels[Index].F].push_back(Index);
  for (const Tensor &T : Tensors)
    if (T.Map && T.IsAll)
      for (Instruction *I : T.B->Accesses)
        Functions[I->getFunction()];
  if (Functions.empty())
    return false;
  for (auto &[F, Kernels] : Functions)
    rewriteFunction(*F, Kernels);
  for (const Tensor &T : Tensors) {
    if (!T.Map)
      continue;
    if (T.IsAll)
      permuteInitializer(*T.B, *T.Map, M.getDataLayout());
    forgetVariable(*T.B);
    markLaidOut(*T.B);
  }
  for (auto &[F, Kernels] : Functions) {
    FAM.invalidate(*F, PreservedAnalyses::none());
    restoreLightForm(*F, FAM);
    FAM.invalidate(*F, PreservedAnalyses::none());
  }
  return true;
}

void ModuleLayout::report() const {
  for (const Tensor &T : Tensors) {
    if (!T.Map && !T.HasDimensions)
      continue;
    const ModuleKernel &MK = MB.Kernels[T.Uses.front().Kernel];
    const BasicBlock &At = *MK.getPlace()->getParent();
    DebugLoc Loc = getUserLoc(MK.getLoc());
    OptimizationRemarkEmitter ORE(MK.F);
    if (T.Map)
      ORE.emit([&] {
        bool IsFirst = P.To == LayoutParams::NCHW;
        uint64_t Blocks = T.Elements / T.Map->getBlock();
        auto R = passedRemark(DEBUG_TYPE, "Layout", Loc, At);
        R << ore::NV("Buffer", T.B->getName()) << ": "
          << ore::NV("Channels", IsFirst ? T.Map->Pixels : T.Map->Channels)
          << " channels " << (IsFirst ? "outermost" : "innermost") << ", "
          << ore::NV("Pixels", IsFirst ? T.Map->Channels : T.Map->Pixels)
          << " elements each";
        if (Blocks > 1)
          R << ", in " << ore::NV("Blocks", Blocks) << " blocks";
        return R;
      });
    else
      ORE.emit([&] {
        Verdict Why = T.Why;
        Why.Detail =
            T.B->getName() + (Why.Detail.empty() ? "" : ": " + Why.Detail);
        const BasicBlock &Where = Why.Culprit ? *Why.Culprit->getParent() : At;
        return missedRemark(DEBUG_TYPE, Why, getUserLoc(Why, Loc), Where);
      });
  }
}

void ModuleLayout::plan() {
  if (MB.Buffers.empty())
    return;
  checkKernels();
  Tensors = findTensors(MB, FAM, {P.To, Units});
  checkTensors();
  for (const auto &Class : findClasses())
    choose(Class);
}

SmallPtrSet<Function *, 8> ModuleLayout::findChanged() {
  plan();
  SmallPtrSet<Function *, 8> Changed;
  for (const Tensor &T : Tensors)
    if (T.Map)
      for (Value *Ptr : T.B->Pointers)
        for (User *U : Ptr->users())
          if (auto *I = dyn_cast<Instruction>(U))
            Changed.insert(I->getFunction());
  return Changed;
}

bool ModuleLayout::run() {
  plan();
  applyLimit();
  report();
  return rewrite();
}

bool dlopt::hasLayout(Function &Clone, const Function &Original,
                      FunctionAnalysisManager &FAM, bool DispatchIfHosted) {
  if (!usesArrays(Clone, /*Private=*/true))
    return false;
  Module &M = *Clone.getParent();
  LayoutParams P = LayoutParams::inPipeline(DispatchIfHosted);
  return !ModuleLayout(M, FAM, P,
                       findModuleBuffers(M, FAM, {{&Original, &Clone}}))
              .findChanged()
              .empty();
}

SmallPtrSet<Function *, 8> dlopt::findLayouts(Module &M,
                                              FunctionAnalysisManager &FAM,
                                              const FunctionClones &Clones,
                                              bool DispatchIfHosted) {
  LayoutParams P = LayoutParams::inPipeline(DispatchIfHosted);
  return ModuleLayout(M, FAM, P, findModuleBuffers(M, FAM, Clones))
      .findChanged();
}

PreservedAnalyses LayoutPass::run(Module &M, ModuleAnalysisManager &AM) {
  bool Changed = !P.Prepared && !PreparePass().run(M, AM).areAllPreserved();
  auto &FAM = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  Changed |= ModuleLayout(M, FAM, P, findModuleBuffers(M, FAM)).run();
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
