//===- LibraryCalls.cpp - Calls of libm that LLVM replaces ----------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// InstCombine turns `pow(x, 2)` into `x * x` without any flag: the product is
/// rounded once, which the library's result is not always. Light form is made
/// without the simplification of library calls, and generated functions keep
/// the calls they have; so what plain LLVM would compute is computed here.
///
//===----------------------------------------------------------------------===//
#include "LibraryCalls.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace dlopt {

static Value *foldPow(CallInst &Call) {
  Value *Base = Call.getArgOperand(0);
  const APFloat *Power;
  if (!match(Call.getArgOperand(1), m_APFloat(Power)) ||
      DLOPT_PLANTED(PowerLeft))
    return nullptr;
  IRBuilder<> B(&Call);
  B.setFastMathFlags(Call.getFastMathFlags());
  if (Power->isExactlyValue(2.0))
    return B.CreateFMul(Base, Base);
  if (Power->isExactlyValue(-1.0))
    return B.CreateFDiv(ConstantFP::get(Call.getType(), 1.0), Base);
  if (Power->isExactlyValue(1.0))
    return Base;
  return Power->isZero() ? ConstantFP::get(Call.getType(), 1.0) : nullptr;
}

static Value *foldCall(CallInst &Call, const TargetLibraryInfo &TLI) {
  Function *Callee = Call.getCalledFunction();
  LibFunc Func;
  if (!Callee || !Callee->isDeclarationForLinker() || Call.isNoBuiltin() ||
      Call.isStrictFP() || Call.isMustTailCall() ||
      !TLI.getLibFunc(Call, Func) || !TLI.has(Func) ||
      !Call.getType()->isFloatingPointTy())
    return nullptr;
  SmallVector<Constant *, 2> Numbers;
  for (Value *Arg : Call.args())
    if (auto *C = dyn_cast<ConstantFP>(Arg))
      Numbers.push_back(C);
  if (Numbers.size() == Call.arg_size())
    return canConstantFoldCallTo(&Call, Callee)
               ? ConstantFoldCall(&Call, Callee, Numbers, &TLI)
               : nullptr;
  return Func == LibFunc_pow || Func == LibFunc_powf ? foldPow(Call) : nullptr;
}

bool foldLibraryCalls(Function &F, const TargetLibraryInfo &TLI) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *Call = dyn_cast<CallInst>(&I))
      if (Value *V = foldCall(*Call, TLI)) {
        Call->replaceAllUsesWith(V);
        Call->eraseFromParent();
        Changed = true;
      }
  return Changed;
}

} // namespace dlopt
