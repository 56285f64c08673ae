//===- DeviceMath.cpp - Math functions of device code ---------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DeviceMath.h"
#include "dlopt/Remarks.h"
#include "dlopt/Target.h"
#include "dlopt/VectorMath.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

#define DEBUG_TYPE "dl-vectorize"

using namespace llvm;
using namespace dlopt;

namespace {

/// A call and what computes it.
struct MathCall {
  CallInst *Call;
  /// None: a square root, which is an instruction.
  std::optional<MathFunction> Function;
};

/// Finds calls of math functions that may be approximated. There is no errno on
/// a GPU.
class MathCallFinder {
public:
  MathCallFinder(const TargetLibraryInfo &TLI, const MathTarget &T,
                 const Options &O)
      : TLI(TLI), T(T), O(O), Accuracy(getMathAccuracy(O, T)) {}

  std::optional<MathCall> find(CallInst &C) const;

private:
  const TargetLibraryInfo &TLI;
  const MathTarget &T;
  const Options &O;
  MathAccuracy Accuracy;
};

} // namespace

/// Whether the source says that names mean nothing (-fno-builtin). LLVM itself
/// has no library for GPUs, so it is no use asking that.
static bool mayBeUsers(const CallInst &C) {
  const Function &F = *C.getFunction();
  return F.hasFnAttribute("no-builtins") ||
         F.hasFnAttribute(
             ("no-builtin-" + C.getCalledFunction()->getName()).str());
}

std::optional<MathCall> MathCallFinder::find(CallInst &C) const {
  const Function *Callee = C.getCalledFunction();
  std::optional<ScalarType> Ty = getScalarType(C.getType());
  // A function of the source that is called so is another one.
  if (!Callee || !Ty || !isFloat(*Ty) || C.isStrictFP() || C.isNoBuiltin() ||
      C.isMustTailCall() || !Callee->isDeclarationForLinker())
    return std::nullopt;
  if (!O.FastFP && !(isa<FPMathOperator>(C) && C.hasApproxFunc()))
    return std::nullopt;
  Op X;
  X.Ty = *Ty;
  LibFunc Func;
  if (const auto *II = dyn_cast<IntrinsicInst>(&C)) {
    X.K = Op::Intrinsic;
    X.Opcode = II->getIntrinsicID();
  } else if (!mayBeUsers(C) && TLI.getLibFunc(*Callee, Func)) {
    if (Func == LibFunc_sqrt || Func == LibFunc_sqrtf)
      return MathCall{&C, std::nullopt};
    X.K = Op::LibCall;
    X.Callee = Callee->getName().str();
  } else {
    return std::nullopt;
  }
  std::optional<MathFunction> F = getMathFunction(X);
  if (!F || C.arg_size() != getNumArgs(*F) ||
      !canEmitMath(*F, *Ty, Accuracy, T))
    return std::nullopt;
  return MathCall{&C, F};
}

static void replaceCall(const MathCall &X, MathAccuracy A,
                        const MathTarget &T) {
  CallInst *C = X.Call;
  IRBuilder<> B(C);
  SmallVector<Value *, 2> Args(C->args());
  C->replaceAllUsesWith(
      X.Function ? emitMath(B, *X.Function, Args, A, T)
                 : B.CreateUnaryIntrinsic(Intrinsic::sqrt, Args[0], C));
  C->eraseFromParent();
}

bool dlopt::inlineDeviceMath(Function &F, FunctionAnalysisManager &FAM,
                             const Options &O) {
  TargetModel Model = getTargetModel(F, FAM.getResult<TargetIRAnalysis>(F));
  MathTarget T = getMathTarget(F, Model);
  if (!T.IsGPU || F.hasOptNone() || !O.runs(Transformation::DeviceMath))
    return false;
  MathCallFinder Finder(FAM.getResult<TargetLibraryAnalysis>(F), T, O);
  SmallVector<MathCall, 4> Calls;
  for (Instruction &I : instructions(F))
    if (auto *C = dyn_cast<CallInst>(&I))
      if (std::optional<MathCall> Found = Finder.find(*C))
        Calls.push_back(*Found);
  if (Calls.empty())
    return false;
  DebugLoc Loc = Calls.front().Call->getDebugLoc();
  for (const MathCall &C : Calls)
    replaceCall(C, getMathAccuracy(O, T), T);
  FAM.getResult<OptimizationRemarkEmitterAnalysis>(F).emit([&] {
    return passedRemark(DEBUG_TYPE, "InlinedMath", getUserLoc(Loc),
                        F.getEntryBlock())
           << "device code: math functions approximated inline: "
           << ore::NV("Calls", Calls.size());
  });
  return true;
}
