//===- Wrappers.cpp - noalias results of allocation wrappers --------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// static void *alloc(size_t n) {
///   void *p = NULL;
///   if (posix_memalign(&p, 64, n)) exit(1);
///   return p;
/// }
/// ->  static void *noalias alloc(size_t n)
///
/// LLVM infers this where the result is malloc's; an out-parameter is memory
/// for it. All that is ever in that variable must be null or what the library
/// has put there, and what is read from it goes nowhere but back to the caller.
///
//===----------------------------------------------------------------------===//
#include "NoAliasImpl.h"
#include "dlopt/Compat.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace dlopt;

/// Whether \p U is where posix_memalign is to put what it allocates.
static bool isFilled(const Use &U, const TargetLibraryInfo &TLI) {
  const auto *Call = dyn_cast<CallBase>(U.getUser());
  LibFunc Func = NotLibFunc;
  return Call && TLI.getLibFunc(*Call, Func) &&
         Func == LibFunc_posix_memalign && TLI.has(Func) &&
         Call->isArgOperand(&U) && Call->getArgOperandNo(&U) == 0;
}

/// Whether \p Variable holds null or fresh memory, which nobody else knows.
static bool holdsFreshMemory(const AllocaInst &Variable,
                             const TargetLibraryInfo &TLI) {
  for (const Use &U : Variable.uses()) {
    const auto *I = cast<Instruction>(U.getUser());
    if (I->isLifetimeStartOrEnd() || isFilled(U, TLI))
      continue;
    if (const auto *Load = dyn_cast<LoadInst>(I)) {
      if (Load->isSimple() && Load->getType()->isPointerTy() &&
          !mayEscape(Load, /*Returns=*/false))
        continue;
      return false;
    }
    const auto *Store = dyn_cast<StoreInst>(I);
    if (!Store || !Store->isSimple() ||
        Store->getPointerOperand() != &Variable ||
        !isa<ConstantPointerNull>(Store->getValueOperand()))
      return false;
  }
  return true;
}

bool dlopt::annotateResult(Function &F, const TargetLibraryInfo &TLI) {
  if (!F.hasExactDefinition() || !F.getReturnType()->isPointerTy() ||
      F.hasRetAttribute(Attribute::NoAlias))
    return false;
  SmallSetVector<const Value *, 8> Results;
  for (const BasicBlock &BB : F)
    if (const auto *Return = dyn_cast<ReturnInst>(BB.getTerminator()))
      Results.insert(Return->getReturnValue());
  bool Any = false;
  for (unsigned N = 0; N != Results.size(); ++N) {
    const Value *V = Results[N];
    if (isa<ConstantPointerNull>(V))
      continue;
    if (const auto *Phi = dyn_cast<PHINode>(V)) {
      Results.insert(Phi->value_op_begin(), Phi->value_op_end());
      continue;
    }
    const auto *Load = dyn_cast<LoadInst>(V);
    const auto *Variable =
        Load ? dyn_cast<AllocaInst>(Load->getPointerOperand()) : nullptr;
    if (Variable ? !holdsFreshMemory(*Variable, TLI)
                 : !isNoAliasCall(V) || mayEscape(V, /*Returns=*/false))
      return false;
    Any = true;
  }
  if (Any)
    F.addRetAttr(Attribute::NoAlias);
  return Any;
}
