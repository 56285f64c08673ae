//===- Errno.cpp - What functions of the math library write ---------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Errno.h"
#include "dlopt/Compat.h"
#include "dlopt/Kernel.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

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

bool isApartFromErrno(const Value *Pointer) {
  const Value *Object = Pointer ? getUnderlyingObject(Pointer) : nullptr;
  const auto *Global = dyn_cast_or_null<GlobalVariable>(Object);
  return Object && isIdentifiedObject(Object) &&
         !(Global && Global->isThreadLocal());
}

/// Its name is part of the ABI of each system.
static StringRef getErrnoFunctionName(const Triple &T) {
  if (T.isAndroid())
    return "__errno";
  if (T.isOSLinux())
    return "__errno_location";
  return T.isOSDarwin() || T.isOSFreeBSD() ? "__error" : "";
}

bool hasErrnoLocation(const Module &M) {
  return !getErrnoFunctionName(getTriple(M)).empty();
}

FunctionCallee getErrnoLocation(Module &M) {
  LLVMContext &C = M.getContext();
  AttrBuilder Attrs(C);
  Attrs.addAttribute(Attribute::NoUnwind)
      .addAttribute(Attribute::WillReturn)
      .addAttribute(Attribute::NoCallback)
      .addMemoryAttr(MemoryEffects::none());
  return M.getOrInsertFunction(
      getErrnoFunctionName(getTriple(M)),
      AttributeList::get(C, AttributeList::FunctionIndex, Attrs),
      PointerType::getUnqual(C));
}

} // namespace dlopt
