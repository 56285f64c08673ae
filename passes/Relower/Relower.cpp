//===- Relower.cpp - Raise and lower again, for tests ---------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Relower.h"
#include "dlopt/Lower.h"
#include "dlopt/LowerSchedule.h"
#include "dlopt/MathModels.h"
#include "dlopt/Options.h"
#include "dlopt/Raise.h"
#include "dlopt/Remarks.h"
#include "dlopt/ReplaceNest.h"
#include "dlopt/SelfCheck.h"
#include "dlopt/Target.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

#define DEBUG_TYPE "dl-relower"

using namespace llvm;

namespace dlopt {

Expected<RelowerParams> RelowerParams::parse(StringRef Params) {
  RelowerParams Result;
  if (Params.consume_front("text="))
    Result.TextFile = Params.str();
  else if (!Params.empty())
    return unknownParam(Params);
  return Result;
}

void RelowerParams::print(raw_ostream &OS) const {
  if (!TextFile.empty())
    OS << "text=" << TextFile;
}

/// Replaces the nest of \p RK, and says so. True if \p F changed.
static bool relower(RaisedKernel &RK, Function &F,
                    FunctionAnalysisManager &FAM) {
  DebugLoc Loc = RK.Nest->getStartLoc();
  BasicBlock *Header = RK.Nest->getHeader();
  OptimizationRemarkEmitter ORE(&F);
  Verdict Why = canReplaceNest(RK, F);
  // A guard that does not open may have closed values by phis.
  bool Tried = Why.ok();
  if (Tried)
    Why = replaceNest(RK, F, FAM, {getOptions(F), DEBUG_TYPE});
  if (!Why.ok()) {
    ORE.emit([&] {
      return missedRemark(DEBUG_TYPE, Why, getUserLoc(Why, Loc), *Header);
    });
    return Tried;
  }
  ORE.emit([&] {
    return passedRemark(DEBUG_TYPE, "Relowered", getUserLoc(Loc), *Header)
           << "lowered to scalar loops";
  });
  return true;
}

/// Replaces the nests of \p F.
static bool relower(Function &F, FunctionAnalysisManager &FAM) {
  RaiseResult Raised = raiseFunction(F, FAM);
  bool Changed = false;
  for (RaisedKernel &RK : Raised.Kernels)
    Changed |= relower(RK, F, FAM);
  if (Changed) {
    // Guards that hold always leave the original loops unreachable.
    for (BasicBlock &BB : F)
      ConstantFoldTerminator(&BB);
    EliminateUnreachableBlocks(F);
  }
  return Changed;
}

/// The target that the other functions of the module have, if there are any.
static void setTarget(Function &F) {
  for (const Function &Other : *F.getParent())
    for (StringRef Kind : {"target-cpu", "target-features", "tune-cpu"})
      if (!F.hasFnAttribute(Kind) && Other.hasFnAttribute(Kind))
        F.addFnAttr(Other.getFnAttribute(Kind));
}

/// A function that takes what \p K is to be bound to, and binds it.
static Function *createFunction(Module &M, Kernel &K) {
  LLVMContext &C = M.getContext();
  SmallVector<Type *, 8> Types;
  for (const Buffer &Buf : K.Buffers)
    if (!Buf.IsLocal)
      Types.push_back(PointerType::getUnqual(C));
  for (const Param &P : K.Params)
    Types.push_back(getIRType(P.Ty, C));
  auto *F =
      Function::Create(FunctionType::get(Type::getVoidTy(C), Types, false),
                       GlobalValue::ExternalLinkage, K.Function, M);
  setTarget(*F);
  auto *Arg = F->arg_begin();
  for (Buffer &Buf : K.Buffers)
    if (!Buf.IsLocal) {
      Arg->setName(Buf.Name);
      Buf.Bound = &*Arg++;
    }
  for (Param &P : K.Params) {
    Arg->setName(P.Name);
    P.Bound = &*Arg++;
  }
  return F;
}

static bool reportError(Module &M, const Twine &Text) {
  M.getContext().emitError(Text);
  return false;
}

/// How \p K computes functions in \p F, where nothing asks which library there
/// is: with its bits if it is known.
static MathPlan getPlan(const Kernel &K, Function &F,
                        FunctionAnalysisManager &FAM) {
  TargetModel Target = getTargetModel(F, FAM.getResult<TargetIRAnalysis>(F));
  MathPlan Plan = getMathPlan(F, Target, getOptions(F));
  Plan.Models &= areModelsKnown(*F.getParent(), K, Plan);
  return Plan;
}

/// As the kernel says that it is run, if it does.
static Verdict lower(IRBuilderBase &B, const Kernel &K,
                     FunctionAnalysisManager &FAM) {
  Function &F = *B.GetInsertBlock()->getParent();
  uint64_t StackBytes = getStackLimit(F, getOptions(F));
  Verdict Why;
  if (K.isScheduled()) {
    Why = canLowerSchedule(K, {StackBytes, /*StackByNumber=*/true, &F});
    if (Why.ok())
      lowerSchedule(B, K, getPlan(K, F, FAM));
  } else {
    Why = canLowerScalar(K, StackBytes);
    if (Why.ok())
      lowerScalar(B, K);
  }
  return Why;
}

static bool addTextualKernels(Module &M, StringRef FileName,
                              FunctionAnalysisManager &FAM) {
  auto Text = MemoryBuffer::getFile(FileName);
  if (!Text)
    return reportError(M, FileName + ": " + Text.getError().message());
  auto Kernels = parseKernels((*Text)->getBuffer(), FileName);
  if (!Kernels)
    return reportError(M, toString(Kernels.takeError()));
  for (auto &K : *Kernels) {
    if (Error Wrong = verifyKernel(*K))
      return reportError(M, toString(std::move(Wrong)));
    Function *F = createFunction(M, *K);
    IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", F));
    if (Verdict Why = lower(B, *K, FAM); !Why.ok())
      reportError(M, F->getName() + ": " + getText(Why.R) + ": " + Why.Detail);
    B.CreateRetVoid();
  }
  return true;
}

PreservedAnalyses RelowerPass::run(Module &M, ModuleAnalysisManager &MAM) {
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  if (!P.TextFile.empty())
    return addTextualKernels(M, P.TextFile, FAM) ? PreservedAnalyses::none()
                                                 : PreservedAnalyses::all();
  bool Changed = false;
  for (Function &F : M) {
    if (F.isDeclaration() || !relower(F, FAM))
      continue;
    FAM.invalidate(F, PreservedAnalyses::none());
    Changed = true;
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace dlopt
