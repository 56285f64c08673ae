//===- Identical.cpp - Generated functions that a module has --------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Identical.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/FunctionComparator.h"

using namespace llvm;

Function *dlopt::reuseIdentical(Function *New) {
  GlobalNumberState Numbers;
  for (Function &F : *New->getParent())
    if (&F != New && !F.isDeclaration() && F.hasFnAttribute("dl-generated") &&
        F.hasLocalLinkage() &&
        FunctionComparator(&F, New, &Numbers).compare() == 0) {
      New->eraseFromParent();
      return &F;
    }
  return New;
}
