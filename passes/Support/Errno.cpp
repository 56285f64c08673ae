//===- Errno.cpp - What functions of the math library write ---------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Errno.h"
#include "dlopt/Kernel.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace dlopt {

std::optional<LibFunc> getErrnoFunction(const Instruction &I,
                                        const TargetLibraryInfo &TLI) {
  const auto *C = dyn_cast<CallBase>(&I);
  const Function *Callee = C ? C->getCalledFunction() : nullptr;
  LibFunc Func;
  // A function of the source that is called so is another one.
  if (!Callee || !Callee->isDeclarationForLinker() || C->isStrictFP() ||
      C->hasOperandBundles() || !C->mayWriteToMemory() ||
      !C->getType()->isFloatingPointTy() ||
      !isModelLibFunction(Callee->getName()) || !TLI.getLibFunc(*C, Func) ||
      !TLI.has(Func))
    return std::nullopt;
  return Func;
}

bool isMember(const MemoryLocation &Loc) {
  const MDNode *Tag = Loc.AATags.TBAA;
  return Tag && Tag->getNumOperands() >= 3 && isa<MDNode>(Tag->getOperand(0)) &&
         Tag->getOperand(0) != Tag->getOperand(1);
}

bool mayWrite(const Instruction &I, const MemoryLocation &Loc, AAResults &AA,
              const TargetLibraryInfo &TLI) {
  return I.mayWriteToMemory() && isModSet(AA.getModRefInfo(&I, Loc)) &&
         !(isMember(Loc) && getErrnoFunction(I, TLI));
}

} // namespace dlopt
