//===- LinkTime.cpp - What only the link knows ----------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/LinkTime.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace dlopt;

static constexpr StringLiteral AwaitsLinkTag = "dl.awaits-link";

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
