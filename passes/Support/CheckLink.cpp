//===- CheckLink.cpp - The run-time functions of self-checks --------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// CheckRuntime.c is compiled for x86-64 when the plugin is built, without
/// anything in it that is of that target, so that it becomes part of any module
/// with pointers of 64 bits.
///
//===----------------------------------------------------------------------===//
#include "dlopt/Compat.h"
#include "dlopt/SelfCheck.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace dlopt;

static constexpr unsigned char Bitcode[] = {
#include "CheckRuntime.inc"
};

/// The name in the module: none that a source could give to a function.
static std::string getCheckName(StringRef Name) {
  return ("dl.check." + Name).str();
}

/// Keeps nothing of a declaration that names a processor: back ends look for
/// that one, which another target does not have.
static void adaptDeclaration(Function &F) {
  AttributeMask OfTarget;
  for (Attribute A : F.getAttributes().getFnAttrs())
    if (A.isStringAttribute())
      OfTarget.addAttribute(A.getKindAsString());
  F.removeFnAttrs(OfTarget);
}

/// Keeps nothing that says how the functions were compiled.
static void adapt(Function &F) {
  AttrBuilder Attrs(F.getContext());
  Attrs.addAttribute("dl-generated");
  Attrs.addAttribute(Attribute::NoUnwind);
  F.setAttributes(
      AttributeList::get(F.getContext(), AttributeList::FunctionIndex, Attrs));
  for (BasicBlock &BB : F)
    for (Instruction &I : BB)
      if (auto *Call = dyn_cast<CallBase>(&I))
        Call->setAttributes(AttributeList());
}

static std::unique_ptr<Module> readRuntime(Module &M) {
  MemoryBufferRef Buffer(
      StringRef(reinterpret_cast<const char *>(Bitcode), sizeof(Bitcode)),
      "CheckRuntime");
  std::unique_ptr<Module> Runtime =
      cantFail(parseBitcodeFile(Buffer, M.getContext()));
  Runtime->setTargetTriple(M.getTargetTriple());
  Runtime->setDataLayout(M.getDataLayout());
  for (NamedMDNode &N : make_early_inc_range(Runtime->named_metadata()))
    Runtime->eraseNamedMetadata(&N);
  // Only some C libraries have it, and only some formats weak declarations.
  if (!getTriple(M).isOSBinFormatELF())
    if (GlobalVariable *V = Runtime->getNamedGlobal("__libc_single_threaded")) {
      V->replaceAllUsesWith(ConstantPointerNull::get(V->getType()));
      V->eraseFromParent();
    }
  for (Function &F : *Runtime) {
    if (F.isIntrinsic())
      continue;
    if (F.isDeclaration()) {
      adaptDeclaration(F);
      continue;
    }
    adapt(F);
    StringRef Name = F.getName();
    Name.consume_front("dl_check_");
    F.setName(getCheckName(Name));
  }
  return Runtime;
}

Function &dlopt::getCheckFunction(Module &M, StringRef Name) {
  Function *F = M.getFunction(getCheckName(Name));
  if (F && isGenerated(*F))
    return *F;
  std::unique_ptr<Module> Runtime = readRuntime(M);
  SmallVector<std::string, 16> Names;
  for (const Function &New : *Runtime)
    if (!New.isDeclaration() && !New.hasLocalLinkage())
      Names.push_back(New.getName().str());
  if (Linker::linkModules(M, std::move(Runtime)))
    report_fatal_error("DLOpt: the functions for check cannot be linked");
  for (const std::string &New : Names)
    M.getFunction(New)->setLinkage(GlobalValue::InternalLinkage);
  return *M.getFunction(getCheckName(Name));
}
