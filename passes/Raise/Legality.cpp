//===- Legality.cpp - What no kernel contains -----------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PrivateArrays.h"
#include "Skeleton.h"
#include "dlopt/Compat.h"
#include "dlopt/CorrectCalls.h"
#include "dlopt/GeneratedFunction.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Raise.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace dlopt;

/// A function of the math library that LLVM has no name for (erfc), declared as
/// what only computes: the caller's wish and the types are ours to look at.
static bool isPureMathCall(const NestState &S, const CallBase &C) {
  const Function &Callee = *C.getCalledFunction();
  StringRef Name = Callee.getName();
  LibFunc Func;
  if (S.Ctx.TLI.getLibFunc(Name, Func) || !S.Ctx.TLI.has(LibFunc_erf) ||
      C.getCaller()->hasFnAttribute("no-builtins") ||
      C.getCaller()->hasFnAttribute(("no-builtin-" + Name).str()))
    return false;
  Type *Ty = C.getType();
  return C.doesNotAccessMemory() && C.hasFnAttr(Attribute::WillReturn) &&
         (Name.ends_with("f") ? Ty->isFloatTy() : Ty->isDoubleTy()) &&
         all_of(C.args(), [&](const Use &A) { return A->getType() == Ty; });
}

/// Powers that LLVM computes by another function, without flags: `exp2`,
/// `exp10` and `sqrt` may round otherwise. Numbers of both are folded by then.
static bool isOtherFunction(const NestState &S, const CallBase &C) {
  LibFunc Func;
  if (!S.Ctx.TLI.getLibFunc(C, Func) ||
      (Func != LibFunc_pow && Func != LibFunc_powf))
    return false;
  const Value *X = C.getArgOperand(0), *Y = C.getArgOperand(1);
  const APFloat *Number;
  if (match(Y, m_APFloat(Number)))
    return Number->isExactlyValue(0.5) &&
           (C.doesNotAccessMemory() || C.hasNoInfs() ||
            isNeverInfinite(X, SimplifyQuery(S.Ctx.DL, &C)));
  return match(X, m_APFloat(Number)) &&
         (Number->getExactLog2Abs() != INT_MIN || Number->isExactlyValue(10.0));
}

bool dlopt::isMathCall(const NestState &S, const CallBase &C) {
  const Function *Callee = C.getCalledFunction();
  LibFunc Func;
  if (Callee && !getCorrectMark(C).empty() &&
      isModelLibFunction(Callee->getName()))
    return true;
  // A function of the source that is called so is another one.
  return Callee && Callee->isDeclarationForLinker() && !C.isNoBuiltin() &&
         !C.isStrictFP() && isModelLibFunction(Callee->getName()) &&
         ((S.Ctx.TLI.getLibFunc(C, Func) && S.Ctx.TLI.has(Func)) ||
          isPureMathCall(S, C)) &&
         !isOtherFunction(S, C);
}

/// Pointers in address space 0, and global memory of NVPTX.
static bool isPlainAddressSpace(const NestState &S, unsigned AS) {
  return AS == 0 || (AS == 1 && getTriple(*S.Ctx.F.getParent()).isNVPTX());
}

bool dlopt::isAligned(const NestState &S, const Instruction &I) {
  Type *Ty = getLoadStoreType(&I);
  return !getScalarType(Ty) ||
         getLoadStoreAlignment(&I) >= S.Ctx.DL.getABITypeAlign(Ty);
}

bool Skeleton::checkInstructions() {
  for (BasicBlock *BB : S.Nest.blocks())
    for (Instruction &I : *BB)
      if (!checkInstruction(I))
        return false;
  return true;
}

bool Skeleton::checkInstruction(Instruction &I) {
  if (I.isAtomic())
    return S.fail(Reason::Atomic, &I);
  if (I.isVolatile() && !DLOPT_PLANTED(VolatileIgnored))
    return S.fail(Reason::Volatile, &I);
  if (const auto *C = dyn_cast<CallBase>(&I))
    return checkCall(*C);
  if (I.isTerminator()) {
    if (isa<UncondBrInst, CondBrInst>(I))
      return true;
    return S.fail(isa<SwitchInst>(I) ? Reason::NonAffineCondition
                                     : Reason::UnusualControlFlow,
                  &I);
  }
  if (I.isEHPad())
    return S.fail(Reason::UnusualControlFlow, &I);
  if (I.getType()->isVectorTy())
    return S.fail(Reason::UnsupportedType, &I);
  if (const auto *A = dyn_cast<AllocaInst>(&I); A && !isPrivate(S, *A))
    return S.fail(Reason::UnsupportedOperation, &I, "a stack allocation");
  if (!isa<LoadInst>(I) && !isa<StoreInst>(I))
    return I.mayReadOrWriteMemory() ? S.fail(Reason::UnsupportedOperation, &I)
                                    : true;
  const Value *Ptr = getLoadStorePointerOperand(&I);
  if (!isPlainAddressSpace(S, Ptr->getType()->getPointerAddressSpace()))
    return S.fail(Reason::AddressSpace, &I);
  Type *Ty = getLoadStoreType(&I);
  if (isa<StoreInst>(I)) {
    if (Ty->isPtrOrPtrVectorTy())
      return S.fail(Reason::PointerStored, &I);
    if (!getScalarType(Ty) || Ty->isIntegerTy(1))
      return S.fail(Reason::UnsupportedType, &I);
  }
  // What is loaded need not become an access of the model.
  return isa<LoadInst>(I) || isAligned(S, I) ||
         S.fail(Reason::UnsupportedType, &I, "an under-aligned access");
}

/// Sets or copies a block of elements.
bool Skeleton::checkBlock(const MemIntrinsic &M) {
  if (M.isVolatile())
    return S.fail(Reason::Volatile, &M);
  const auto *Set = dyn_cast<MemSetInst>(&M);
  if (Set && !isa<ConstantInt>(Set->getValue()))
    return S.fail(Reason::UnsupportedOperation, &M, "a block that is set");
  bool Plain = isPlainAddressSpace(S, M.getDestAddressSpace());
  if (const auto *Copy = dyn_cast<MemTransferInst>(&M))
    Plain &= isPlainAddressSpace(S, Copy->getSourceAddressSpace());
  return Plain || S.fail(Reason::AddressSpace, &M);
}

bool Skeleton::checkCall(const CallBase &C) {
  auto Name = [&] { return describeCallee(C); };
  if (isa<InvokeInst>(C) || isa<CallBrInst>(C))
    return S.fail(Reason::MayThrow, &C, Name());
  if (C.isMustTailCall() || C.hasOperandBundles())
    return S.fail(Reason::UnknownCall, &C, Name());
  if (isAssumeLikeIntrinsic(dyn_cast<Instruction>(&C)) || isStackMark(C))
    return true;
  if (C.isConvergent())
    return S.fail(Reason::Convergent, &C, Name());
  if (isa<InstrProfInstBase>(C))
    return S.fail(Reason::Instrumented, &C, Name());
  if (const auto *M = dyn_cast<MemIntrinsic>(&C))
    return checkBlock(*M);
  if (const auto *II = dyn_cast<IntrinsicInst>(&C)) {
    if (II->getType()->isVectorTy())
      return S.fail(Reason::UnsupportedType, &C);
    if (isModelIntrinsic(II->getIntrinsicID()))
      return true;
    if (!II->mayReadOrWriteMemory() && !II->mayThrow() && II->willReturn())
      return S.fail(Reason::UnsupportedOperation, &C, Name());
  } else if (isMathCall(S, C)) {
    return C.doesNotThrow() ? true : S.fail(Reason::MayThrow, &C, Name());
  }
  // What comes back and changes nothing is an operation; for what does not come
  // back its effects are not the obstacle.
  bool Returns = C.hasFnAttr(Attribute::WillReturn);
  if (!C.doesNotThrow() || C.doesNotReturn() ||
      (!Returns && C.onlyReadsMemory()))
    return S.fail(Reason::MayThrow, &C, Name());
  return S.fail(Returns && C.doesNotAccessMemory()
                    ? Reason::UnsupportedOperation
                    : Reason::UnknownCall,
                &C, Name());
}

/// What the attributes of \p F rule out.
static Reason checkAttributes(const Function &F) {
  if (F.hasOptNone())
    return Reason::OptNone;
  if (F.hasOptSize() || F.hasMinSize())
    return Reason::OptSize;
  if (F.hasFnAttribute(Attribute::NoImplicitFloat) ||
      F.hasFnAttribute(Attribute::Naked))
    return Reason::NoImplicitFloat;
  if (keepsRegisters(F))
    return Reason::NoImplicitFloat;
  if (F.hasFnAttribute(Attribute::StrictFP))
    return Reason::StrictFP;
  if (isSanitized(F))
    return Reason::Instrumented;
  if (F.isPresplitCoroutine() || F.callsFunctionThatReturnsTwice())
    return Reason::UnusualControlFlow;
  // Subscripts are polynomials of 64 bits, exact modulo the address space.
  if (F.getDataLayout().getIndexSizeInBits(0) != 64)
    return Reason::NarrowAddresses;
  return Reason::Ok;
}

Verdict dlopt::checkFunction(const Function &F) {
  Verdict V;
  V.R = checkAttributes(F);
  if (!V.ok())
    return V;
  auto Refuse = [&](Reason R, const Instruction *At) {
    V.R = R;
    V.Culprit = At;
    return V;
  };
  for (const BasicBlock &BB : F) {
    if (BB.hasAddressTaken())
      return Refuse(Reason::UnusualControlFlow, BB.getTerminator());
    for (const Instruction &I : BB) {
      if (isa<IndirectBrInst>(I) || isa<CallBrInst>(I))
        return Refuse(Reason::UnusualControlFlow, &I);
      if (isa<InstrProfInstBase>(I))
        return Refuse(Reason::Instrumented, &I);
      if (isa<ConstrainedFPIntrinsic>(I))
        return Refuse(Reason::StrictFP, &I);
    }
  }
  return V;
}
