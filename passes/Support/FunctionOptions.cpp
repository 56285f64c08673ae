//===- FunctionOptions.cpp - What functions say of themselves -------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Compat.h"
#include "dlopt/Options.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace dlopt;

void dlopt::markProcessed(Function &F) {
  F.setMetadata("dl.processed", MDNode::get(F.getContext(), {}));
}

bool dlopt::isProcessed(const Function &F) {
  return F.hasMetadata("dl.processed");
}

/// Functions that passes made: their attributes are not the user's.
bool dlopt::isGenerated(const Function &F) {
  return F.hasFnAttribute("dl-generated");
}

uint64_t dlopt::getStackLimit(const Function &F, const Options &O) {
  if (O.Stack)
    return *O.Stack;
  // Kernels and the like: their stacks are a page or two.
  if (F.hasFnAttribute(Attribute::NoRedZone))
    return 0;
  const Triple T = getTriple(*F.getParent());
  uint64_t Limit = 16 << 10;
  if (T.isOSUnknown())
    Limit = 4 << 10;
  else if (T.isOSLinux() && T.isGNUEnvironment())
    Limit = 128 << 10;
  else if (T.isOSDarwin() || T.isOSWindows())
    Limit = 64 << 10;
  // The user asked to be warned of larger frames.
  uint64_t Warn;
  if (Attribute A = F.getFnAttribute("warn-stack-size");
      A.isValid() && to_integer(A.getValueAsString(), Warn, 10))
    Limit = std::min(Limit, Warn);
  return Limit;
}
