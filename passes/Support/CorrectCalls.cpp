//===- CorrectCalls.cpp - Calls whose results are exact -------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/CorrectCalls.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace dlopt {

static constexpr StringLiteral MarkAttr = "dl-correct";

void markCorrect(CallBase &Call, StringRef Name) {
  Call.setMemoryEffects(MemoryEffects::none());
  for (Attribute::AttrKind K :
       {Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoBuiltin})
    Call.addFnAttr(K);
  Call.addFnAttr(Attribute::get(Call.getContext(), MarkAttr, Name));
  FastMathFlags Flags = Call.getFastMathFlags();
  Flags.setApproxFunc(false);
  Call.copyFastMathFlags(Flags);
}

StringRef getCorrectMark(const CallBase &Call) {
  return Call.getFnAttr(MarkAttr).getValueAsString();
}

void replaceMarked(CallBase &Call, Function &Correct) {
  Call.setCalledFunction(&Correct);
  Call.setCallingConv(Correct.getCallingConv());
  // How arguments are passed, and what is known of them, is another matter.
  LLVMContext &C = Call.getContext();
  AttrBuilder Attrs(C, Call.getAttributes().getFnAttrs());
  Attrs.removeAttribute(MarkAttr).removeAttribute(Attribute::NoBuiltin);
  Call.setAttributes(
      AttributeList::get(C, AttributeList::FunctionIndex, Attrs));
}

} // namespace dlopt
