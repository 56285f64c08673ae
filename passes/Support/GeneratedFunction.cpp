//===- GeneratedFunction.cpp - Functions for fast paths -------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Inherited is what is not left out here for a reason, so that attributes of
/// later versions of LLVM and of other frontends are.
///
//===----------------------------------------------------------------------===//
#include "dlopt/GeneratedFunction.h"
#include "dlopt/Compat.h"
#include "dlopt/Target.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace dlopt {

/// Marks generated functions: they are never raised.
static constexpr StringLiteral GeneratedAttr = "dl-generated";
/// What the function computes and how, to find identical ones.
static constexpr StringLiteral KeyAttr = "dl-key";

/// Marks those that are inlined if they have a single call in the end.
static constexpr StringLiteral SharedAttr = "dl-shared";

void markShared(AttrBuilder &Attrs) { Attrs.addAttribute(SharedAttr); }

bool keepsRegisters(const Function &F) {
  switch (F.getCallingConv()) {
  case CallingConv::X86_INTR:
  case CallingConv::PreserveAll:
    return true;
  default:
    return F.hasFnAttribute("interrupt") || F.hasFnAttribute("signal") ||
           F.hasFnAttribute("no_caller_saved_registers");
  }
}

bool isSanitized(const Function &F) {
  // By name: older versions of LLVM do not know all of them.
  static constexpr StringLiteral Names[] = {"sanitize_address",
                                            "sanitize_hwaddress",
                                            "sanitize_memory",
                                            "sanitize_memtag",
                                            "sanitize_thread",
                                            "sanitize_type",
                                            "sanitize_realtime",
                                            "sanitize_realtime_blocking",
                                            "sanitize_numerical_stability"};
  // Counters of gcov are put in behind this plugin, where lines of loops that
  // run as something else would be counted as never run.
  if (F.getParent()->getNamedMetadata("llvm.gcov") && F.getSubprogram())
    return true;
  return any_of(Names, [&](StringRef Name) {
    Attribute::AttrKind K = Attribute::getAttrKindFromName(Name);
    return K != Attribute::None && F.hasFnAttribute(K);
  });
}

/// Whether \p K says what the function itself does, or is to others. So do all
/// that LLVM may drop where two calls become one: cold, willreturn, memory.
static bool isAboutFunction(Attribute::AttrKind K) {
  // Of coroutines, too, but older versions of LLVM do not know it.
  if (K == Attribute::getAttrKindFromName("coro_elide_safe"))
    return true;
  if (!mustPreserve(K))
    return true;
  switch (K) {
  // Where copies of it may be.
  case Attribute::AlwaysInline:
  case Attribute::NoInline:
  case Attribute::NoDuplicate:
  case Attribute::NoMerge:
  case Attribute::Convergent:
  // What callers take it for, and how they reach it.
  case Attribute::AllocKind:
  case Attribute::AllocSize:
  case Attribute::Builtin:
  case Attribute::NoBuiltin:
  case Attribute::Preallocated:
  case Attribute::ReturnsTwice:
  case Attribute::JumpTable:
  case Attribute::HybridPatchable:
  // Coroutines.
  case Attribute::PresplitCoroutine:
  case Attribute::CoroDestroyOnlyWhenComplete:
    return true;
  default:
    return false;
  }
}

static bool isAboutFunction(StringRef Name) {
  static constexpr StringLiteral Prefixes[] = {
      "dl-",                    // options for it, and marks of the plugin
      "min-legal-vector-width", // its arguments and intrinsics
      // What callers take it for.
      "vector-function-abi-variant", "alloc-", "llvm.assume", "thunk",
      "loader-replaceable", "wasm-import-", "wasm-export-",
      // How often it runs: the profile has no other functions.
      "use-sample-profile", "profile-sample-accurate", "sample-profile-",
      // Calls that count or trace the functions of the source.
      "fentry-", "instrument-", "function-instrument", "xray-"};
  return any_of(Prefixes, [&](StringRef P) { return Name.starts_with(P); });
}

AttrBuilder getGeneratedAttributes(const Function &Served) {
  AttrBuilder Attrs(Served.getContext());
  for (Attribute A : Served.getAttributes().getFnAttrs())
    if (A.isStringAttribute() ? !isAboutFunction(A.getKindAsString())
                              : !isAboutFunction(A.getKindAsEnum()))
      Attrs.addAttribute(A);
  Attrs.addAttribute(GeneratedAttr);
  for (Attribute::AttrKind K :
       {Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoRecurse,
        Attribute::NoSync, Attribute::NoFree, Attribute::MustProgress})
    Attrs.addAttribute(K);
  return Attrs;
}

AttrBuilder getGeneratedAttributes(const Function &Served, StringRef Key) {
  AttrBuilder Attrs = getGeneratedAttributes(Served);
  Attrs.addAttribute(KeyAttr, Key);
  return Attrs;
}

/// Copies for some arguments would only grow the code, and calls to memcpy in
/// place of short copies slow it down.
void dropKey(AttrBuilder &Attrs) { Attrs.removeAttribute(KeyAttr); }

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

/// Sections are where code may be (in memory that is fast, that is there early,
/// that is mapped), and alignments what patches it.
static void placeBeside(Function &F, const Function &Served) {
  F.setSection(Served.getSection());
  if (MaybeAlign Wanted = Served.getAlign();
      Wanted && *Wanted > F.getAlign().valueOrOne())
    F.setAlignment(Wanted);
}

Function *findGenerated(const Function &Served, AttributeSet Attrs) {
  // Those of a module are served by others, too.
  Module &M = *const_cast<Module *>(Served.getParent());
  for (Function &F : M)
    if (F.hasFnAttribute(KeyAttr) && F.getAttributes().getFnAttrs() == Attrs &&
        F.getSection() == Served.getSection()) {
      placeBeside(F, Served);
      return &F;
    }
  return nullptr;
}

void inlineSingleCalls(Module &M) {
  for (Function &F : make_early_inc_range(M)) {
    // Of others there may be calls elsewhere.
    if (!F.hasFnAttribute(SharedAttr) || !F.hasLocalLinkage() ||
        F.hasNUsesOrMore(2))
      continue;
    auto *Call = F.use_empty() ? nullptr : dyn_cast<CallBase>(F.user_back());
    InlineFunctionInfo Info;
    if (F.use_empty() || (Call && Call->getCalledFunction() == &F &&
                          InlineFunction(*Call, Info).isSuccess()))
      F.eraseFromParent();
  }
}

std::string getFreeName(const Module &M, StringRef Prefix) {
  std::string Name;
  for (unsigned N = 0;; ++N)
    if (!M.getNamedValue(Name = (Prefix + utostr(N)).str()))
      return Name;
}

static Function *create(const Function &Served, const Twine &Name,
                        FunctionType *Ty, const AttrBuilder &Attrs) {
  Module &M = *const_cast<Module *>(Served.getParent());
  Function *F = Function::Create(Ty, GlobalValue::InternalLinkage, Name, M);
  F->setDSOLocal(true);
  F->addFnAttrs(Attrs);
  placeBeside(*F, Served);
  return F;
}

Function *createGenerated(const Function &Served, const Twine &Name,
                          ArrayRef<Type *> Params,
                          ArrayRef<StringRef> ParamNames, AttributeSet Attrs,
                          Type *Result) {
  LLVMContext &C = Served.getContext();
  auto *Ty =
      FunctionType::get(Result ? Result : Type::getVoidTy(C), Params, false);
  Function *F = create(Served, Name, Ty, AttrBuilder(C, Attrs));
  for (auto [Arg, ArgName] : zip_equal(F->args(), ParamNames)) {
    Arg.setName(ArgName);
    Arg.addAttr(Attribute::NoUndef);
  }
  return F;
}

Function *createGeneratedTest(const Function &Served, const Twine &Name,
                              FunctionType *Ty) {
  AttrBuilder Attrs = getGeneratedAttributes(Served);
  Attrs.addAttribute(Attribute::NoInline);
  return create(Served, Name, Ty, Attrs);
}

Function *createShared(const Function &Served, const Twine &Name,
                       FunctionType *Ty) {
  Module &M = *const_cast<Module *>(Served.getParent());
  Function *F = Function::createWithDefaultAttr(
      Ty, GlobalValue::InternalLinkage,
      M.getDataLayout().getProgramAddressSpace(), Name, &M);
  F->setDSOLocal(true);
  for (StringRef Kind :
       {"target-cpu", "target-features", "tune-cpu", "use-soft-float"}) {
    F->removeFnAttr(Kind);
    if (Attribute A = Served.getFnAttribute(Kind); A.isValid())
      F->addFnAttr(A);
  }
  F->addFnAttr(GeneratedAttr);
  for (Attribute::AttrKind K :
       {Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoRecurse,
        Attribute::NoSync, Attribute::NoFree, Attribute::MustProgress,
        Attribute::NoInline})
    F->addFnAttr(K);
  if (Served.hasFnAttribute(Attribute::NoImplicitFloat))
    F->addFnAttr(Attribute::NoImplicitFloat);
  F->setSection(Served.getSection());
  return F;
}

} // namespace dlopt
