//===- GeneratedFunction.cpp - Functions for fast paths -------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "GeneratedFunction.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace dlopt {

/// Marks generated functions: they are never raised.
static constexpr StringLiteral GeneratedAttr = "dl-generated";
/// What the function computes and how, to find identical ones.
static constexpr StringLiteral KeyAttr = "dl-key";

/// Attributes of \p Caller that say how code for it must be made: the target,
/// floating-point modes, stack and control-flow protection. Those about what
/// the caller is (inlining, memory effects, sections) or what was added to it
/// (instrumentation) are not.
static AttrBuilder getInheritedAttributes(const Function &Caller) {
  static constexpr Attribute::AttrKind Kinds[] = {
      Attribute::NoRedZone,       Attribute::NullPointerIsValid,
      Attribute::SafeStack,       Attribute::ShadowCallStack,
      Attribute::NoCfCheck,       Attribute::StackProtect,
      Attribute::StackProtectReq, Attribute::StackProtectStrong,
      Attribute::UWTable,         Attribute::SpeculativeLoadHardening,
      Attribute::VScaleRange,
  };
  static constexpr StringLiteral NotInherited[] = {
      "dl-",
      "min-legal-vector-width",
      "patchable-function",
      "fentry-",
      "instrument-",
      "function-instrument",
      "xray-",
      "no-builtin",
      "sample-profile",
      "profile",
      "vector-function-abi-variant",
      "wasm-",
      "implicit-section",
      "bss-section",
      "data-section",
      "rodata-section",
      "relro-section",
      "coroutine",
      "thinlto",
      "llvm.",
      "loader-replaceable",
      "alloc-family"};
  AttrBuilder Result(Caller.getContext());
  AttributeSet Attrs = Caller.getAttributes().getFnAttrs();
  for (Attribute::AttrKind K : Kinds)
    if (Attrs.hasAttribute(K))
      Result.addAttribute(Attrs.getAttribute(K));
  for (Attribute A : Attrs)
    if (A.isStringAttribute() && none_of(NotInherited, [&](StringRef Prefix) {
          return A.getKindAsString().starts_with(Prefix);
        }))
      Result.addAttribute(A);
  return Result;
}

AttrBuilder getGeneratedAttributes(const Function &Caller, StringRef Key) {
  AttrBuilder Attrs = getInheritedAttributes(Caller);
  Attrs.addAttribute(GeneratedAttr);
  Attrs.addAttribute(KeyAttr, Key);
  for (Attribute::AttrKind K :
       {Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoRecurse,
        Attribute::NoSync, Attribute::NoFree, Attribute::MustProgress})
    Attrs.addAttribute(K);
  return Attrs;
}

/// Copies for some arguments would only grow the code, and calls to memcpy in
/// place of short copies slow it down.
AttributeSet addWorkerAttributes(LLVMContext &C, AttributeSet Attrs,
                                 uint64_t Bits) {
  for (Attribute::AttrKind K : {Attribute::NoInline, Attribute::NoDuplicate})
    Attrs = Attrs.addAttribute(C, K);
  Attrs = Attrs.addAttribute(C, "no-builtins");
  Attrs = Attrs.addAttribute(C, "min-legal-vector-width", utostr(Bits));
  // A wish for narrow vectors that the target model has seen already.
  return Attrs.addAttribute(C, "prefer-vector-width", utostr(Bits));
}

void setVariant(AttrBuilder &Attrs, const CodeVariant &V) {
  Attrs.addAttribute("target-features", V.Features);
  Attrs.addAttribute("tune-cpu", V.TuneCPU);
}

BasicBlock *branchIfSupported(IRBuilderBase &B, Value *Features,
                              const CodeVariant &V) {
  Function *F = B.GetInsertBlock()->getParent();
  auto *Has = BasicBlock::Create(B.getContext(), V.Name, F);
  auto *HasNot = BasicBlock::Create(B.getContext(), "no." + V.Name, F);
  Value *Mask = B.getInt32(V.CPUSupports);
  B.CreateCondBr(B.CreateICmpEQ(B.CreateAnd(Features, Mask), Mask), Has,
                 HasNot);
  B.SetInsertPoint(Has);
  return HasNot;
}

Function *findGenerated(Module &M, AttributeSet Attrs) {
  for (Function &F : M)
    if (F.hasFnAttribute(KeyAttr) && F.getAttributes().getFnAttrs() == Attrs)
      return &F;
  return nullptr;
}

std::string getFreeName(const Module &M, StringRef Prefix) {
  std::string Name;
  for (unsigned N = 0;; ++N)
    if (!M.getNamedValue(Name = (Prefix + utostr(N)).str()))
      return Name;
}

Function *createGenerated(Module &M, const Twine &Name, ArrayRef<Type *> Params,
                          ArrayRef<StringRef> ParamNames, AttributeSet Attrs,
                          Type *Result) {
  LLVMContext &C = M.getContext();
  auto *Ty =
      FunctionType::get(Result ? Result : Type::getVoidTy(C), Params, false);
  Function *F = Function::Create(Ty, GlobalValue::InternalLinkage, Name, M);
  F->setDSOLocal(true);
  F->addFnAttrs(AttrBuilder(C, Attrs));
  for (auto [Arg, ArgName] : zip_equal(F->args(), ParamNames)) {
    Arg.setName(ArgName);
    Arg.addAttr(Attribute::NoUndef);
  }
  return F;
}

} // namespace dlopt
