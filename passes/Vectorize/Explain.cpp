//===- Explain.cpp - Why no strategy takes a kernel -----------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// That there is no schedule is what the choosers find; people want to know
/// what they could change. What the kernel would be with other flags is tried,
/// so that an answer is true by itself. Only where somebody reads remarks.
///
//===----------------------------------------------------------------------===//
#include "Selector.h"
#include "TakenKernels.h"
#include "dlopt/Expression.h"
#include "dlopt/Instructions.h"
#include "dlopt/Lanes.h"
#include "dlopt/VectorMath.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace dlopt;

/// A math function that is called as it is: no flag permits another one.
static bool isExactCall(const Op &O) {
  bool IsCall =
      O.K == Op::LibCall ? !isRoot(O) : getMathFunction(O).has_value();
  return IsCall && !O.FMF.approxFunc();
}

/// The functions of the library that \p K calls, and how often each does.
static SmallVector<StringRef, 2> getCalls(const Kernel &K) {
  SmallVector<StringRef, 2> Names;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Op &O : L.Ops) {
      if (!isExactCall(O))
        continue;
      StringRef Name = O.K == Op::LibCall
                           ? StringRef(O.Callee)
                           : Intrinsic::getBaseName(O.Opcode).drop_front(5);
      if (!is_contained(Names, Name))
        Names.push_back(Name);
    }
  });
  return Names;
}

/// Whether \p K has axes around leaves that \p Is holds for.
static bool anyAxis(const Kernel &K, function_ref<bool(Role)> Is) {
  bool Any = false;
  forEachLeaf(K.Root, [&](const Leaf &, ArrayRef<AxisId> Around) {
    Any |= any_of(Around, [&](AxisId A) {
      return !K.Axes[A].isCondition() && Is(K.Axes[A].R);
    });
  });
  return Any;
}

/// How often leaves of \p K run, if constants say so.
static std::optional<uint64_t> countKnownPoints(const Kernel &K) {
  std::optional<uint64_t> Points = 0;
  forEachLeaf(K.Root, [&](const Leaf &, ArrayRef<AxisId> Around) {
    uint64_t Own = 1;
    for (AxisId A : Around) {
      std::optional<uint64_t> Rounds = getRounds(K, A);
      if (!Rounds)
        Points = std::nullopt;
      Own = SaturatingMultiply(Own, Rounds.value_or(0));
    }
    if (Points)
      Points = SaturatingAdd(*Points, Own);
  });
  return Points;
}

bool Selector::explainsVerdicts() const {
  return OptimizationRemarkEmitter::allowExtraAnalysis(F, "dl-vectorize");
}

/// \p RK with a kernel of its own, to try something.
static RaisedKernel copyNest(const RaisedKernel &RK) {
  auto K = std::make_unique<Kernel>();
  copyKernel(*RK.K, *K);
  return {std::move(K), RK.Nest,    RK.Preheader, RK.Exiting,
          RK.Exit,      RK.Implied, RK.Clamped,   RK.LiveOuts};
}

/// Whether the operations that \p Which picks would need flags, and no more,
/// for \p RK to be worth something to anybody.
bool Selector::gainsByFlags(const RaisedKernel &RK, Reason Now,
                            function_ref<bool(const Op &)> Which) {
  RaisedKernel Own = copyNest(RK);
  assumeFastFP(*Own.K, Which);
  KernelChoice Choice;
  Verdict V = chooseKernel(Own, Target, O, StackLimit, Choice);
  return V.ok() || (Now == Reason::NoStrategy && V.R == Reason::NoGain);
}

/// Whether LLVM vectorizes \p RK with stores under masks, which it makes where
/// there are any: nothing generated has them where masks are no registers of
/// their own, as such stores are slow.
bool Selector::masksForLLVM(const RaisedKernel &RK) const {
  if (!Target.HasMaskedLoads || Target.HasMaskedMemory)
    return false;
  TargetModel Masked = Target;
  Masked.HasMaskedMemory = true;
  RaisedKernel Own = copyNest(RK);
  KernelChoice Choice;
  return chooseKernel(Own, Masked, O, StackLimit, Choice).R == Reason::NoGain;
}

/// Whether \p K adds products of bytes.
static bool addsProductsOfBytes(const Kernel &K) {
  bool Any = false;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    auto IsByte = [&](const Op &O) {
      return O.K == Op::Load && O.Ty == ScalarType::I8;
    };
    for (const Assign &A : L.Assigns)
      Any |= !findProduct(L, L.Ops[A.Value], A.Target).empty() &&
             any_of(L.Ops, IsByte);
  });
  return Any;
}

static bool hasDotOfBytes(const TargetModel &Target) {
  ArrayRef<InstructionRow> Dots = getDots();
  for (size_t I = 0; I != Dots.size(); ++I)
    if (Target.Dots >> I & 1 && Dots[I].A.Ty == ScalarType::I8)
      return true;
  return false;
}

/// What makes \p K faster in \p F, which LLVM vectorizes as well: what code
/// here would have that LLVM's has not.
static std::string helpBesideLLVM(const Kernel &K, const Function &F,
                                  const TargetModel &Target) {
  SmallVector<std::string, 3> Ways;
  if (Triple(F.getParent()->getTargetTriple()).isX86() &&
      !hasTargetFeatures(F, "avx2"))
    Ways.push_back("-march=native, for wider vectors");
  bool IsOneSum = !anyAxis(K, [](Role R) { return R == Role::Parallel; });
  if (IsOneSum && addsProductsOfBytes(K) && !hasDotOfBytes(Target))
    Ways.push_back(
        "-march= of a CPU that adds products of bytes in one instruction");
  Ways.push_back(IsOneSum ? "more sums at a time: a loop over rows around it, "
                            "in the same function"
                          : getHelp(Reason::NoGain).str());
  return join(Ways, "; ");
}

Verdict Selector::explain(const RaisedKernel &RK, Verdict V) {
  if (V.R != Reason::NoStrategy && V.R != Reason::NoGain)
    return V;
  const Kernel &K = *RK.K;
  SmallVector<StringRef, 2> Calls = getCalls(K);
  bool HasChains = anyAxis(K, [](Role R) { return R != Role::Parallel; });
  if (!Calls.empty() && (gainsByFlags(RK, V.R, isExactCall) ||
                         (HasChains && gainsByFlags(RK, V.R, nullptr)))) {
    V.R = Reason::LibraryCalls;
    V.Detail = "calls of '" + join(Calls, "', '") + "'";
    return V;
  }
  if (HasChains && gainsByFlags(RK, V.R, std::not_fn(isExactCall))) {
    V.R = Reason::SumOrder;
    return V;
  }
  if (V.R == Reason::NoStrategy && masksForLLVM(RK))
    V.R = Reason::NoGain;
  if (V.R == Reason::NoGain) {
    if (testsOverlap(K, FAM.getResult<AAManager>(F)))
      V.Detail = "where arrays do not overlap, which it tests";
    V.Help = helpBesideLLVM(K, F, Target);
    return V;
  }
  if (countKnownPoints(K).value_or(LeastPoints) < LeastPoints)
    V.R = Reason::TooSmall;
  else if (anyAxis(K, [](Role R) { return R == Role::Sequential; }) &&
           !anyAxis(K, [](Role R) { return R == Role::Parallel; }))
    V.R = Reason::IterationOrder;
  return V;
}
