//===- SourceNames.cpp - What the source calls values ---------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SourceNames.h"
#include "llvm/IR/Argument.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

/// The variable of the function itself, not of one that was inlined, of which
/// \p V is the value or, as arguments of Fortran are, the address.
static StringRef getVariable(const Value &V) {
  if (!V.isUsedByMetadata())
    return "";
  auto *Local = LocalAsMetadata::getIfExists(const_cast<Value *>(&V));
  if (!Local)
    return "";
  for (const DbgVariableRecord *R : Local->getAllDbgVariableRecordUsers()) {
    const DILocation *Loc = R->getDebugLoc();
    if (Loc && !Loc->getInlinedAt() && !R->getExpression()->getNumElements() &&
        (!isa<Argument>(V) || R->getVariable()->getArg()))
      return R->getVariable()->getName();
  }
  return "";
}

std::string dlopt::getShownName(const Value &V) {
  if (V.hasName())
    return "";
  StringRef Name = getVariable(V);
  // Scalars of Fortran are behind pointers.
  if (const auto *L = dyn_cast<LoadInst>(&V); L && Name.empty())
    if (const auto *A = dyn_cast<Argument>(L->getPointerOperand()))
      Name = getVariable(*A);
  if (!Name.empty())
    return ("%" + Name).str();
  const auto *A = dyn_cast<Argument>(&V);
  return A ? "argument " + std::to_string(A->getArgNo() + 1) : "";
}
