//===- LinkTime.cpp - What only the link knows ----------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/LinkTime.h"
#include "dlopt/Guards.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace dlopt;

static constexpr StringLiteral AwaitsLinkTag = "dl.awaits-link";
static constexpr StringLiteral DeferredTag = "dl.deferred";
/// LLVM leaves such loops as they are, unless they say otherwise.
static constexpr StringLiteral LeftAlone = "llvm.loop.disable_nonforced";

void dlopt::setAwaitsLink(Module &M) {
  M.getOrInsertNamedMetadata(AwaitsLinkTag);
}

bool dlopt::awaitsLink(const Module &M) {
  return M.getNamedMetadata(AwaitsLinkTag);
}

void dlopt::clearAwaitsLink(Module &M) {
  if (NamedMDNode *N = M.getNamedMetadata(AwaitsLinkTag))
    M.eraseNamedMetadata(N);
}

bool dlopt::callsUnknown(const Loop &L, const TargetLibraryInfo &TLI) {
  auto IsUnknown = [&](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    LibFunc Known;
    return Callee && Callee->isDeclaration() && !Callee->isIntrinsic() &&
           !Call->doesNotReturn() && !TLI.getLibFunc(*Callee, Known);
  };
  return any_of(L.blocks(),
                [&](const BasicBlock *BB) { return any_of(*BB, IsUnknown); });
}

bool dlopt::isLinkedByCompiler(const Module &M) {
  const NamedMDNode *Idents = M.getNamedMetadata("llvm.ident");
  return Idents && any_of(Idents->operands(), [](const MDNode *N) {
           auto *Text = dyn_cast_or_null<MDString>(
               N->getNumOperands() ? N->getOperand(0).get() : nullptr);
           return Text && Text->getString().starts_with("rustc version");
         });
}

void dlopt::deferLoops(const LoopInfo &LI, const TargetLibraryInfo &TLI) {
  for (Loop *Nest : LI)
    if (callsUnknown(*Nest, TLI))
      for (Loop *L : Nest->getLoopsInPreorder())
        if (!findOptionMDForLoop(L, OriginalLoopTag) &&
            !findOptionMDForLoop(L, LeftAlone)) {
          addLoopFlag(*L, DeferredTag);
          addLoopFlag(*L, LeftAlone);
        }
}

void dlopt::resumeLoops(Module &M) {
  DenseMap<MDNode *, MDNode *> Resumed;
  for (Function &F : M)
    for (BasicBlock &BB : F) {
      Instruction *End = BB.getTerminator();
      MDNode *ID = End ? End->getMetadata(LLVMContext::MD_loop) : nullptr;
      if (!ID || !findOptionMDForLoopID(ID, DeferredTag))
        continue;
      MDNode *&New = Resumed[ID];
      if (!New)
        New = makePostTransformationMetadata(M.getContext(), ID,
                                             {DeferredTag, LeftAlone}, {});
      End->setMetadata(LLVMContext::MD_loop, New);
    }
}
