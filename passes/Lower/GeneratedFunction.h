//===- GeneratedFunction.h - Functions for fast paths ----------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What all generated functions have in common: they are internal, carry the
/// attributes of their caller that say how code must be made, and are shared by
/// all callers that need the same.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_LOWER_GENERATEDFUNCTION_H
#define DLOPT_PASSES_LOWER_GENERATEDFUNCTION_H

#include "dlopt/Target.h"
#include "llvm/IR/Attributes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"

namespace dlopt {

/// Attributes of a function that is generated for \p Caller and does what
/// \p Key says. They mark it: it is never raised.
llvm::AttrBuilder getGeneratedAttributes(const llvm::Function &Caller,
                                         llvm::StringRef Key);

/// Adds what a function with vectors of \p Bits bits needs: its registers,
/// frame and vector width must not reach the caller.
llvm::AttributeSet addWorkerAttributes(llvm::LLVMContext &C,
                                       llvm::AttributeSet Attrs, uint64_t Bits);

/// The attributes of code that is \p V rather than what its caller is.
void setVariant(llvm::AttrBuilder &Attrs, const CodeVariant &V);

/// The features of the CPU that the program runs on, for branchIfSupported:
/// bits as in __cpu_model.__cpu_features[0] of libgcc and compiler-rt. 0 until
/// constructors without a priority run.
llvm::Value *loadCPUFeatures(llvm::IRBuilderBase &B, llvm::Module &M);

/// Whether the CPU that the program runs on is one of AMD's, where \p M
/// knowsVendor(). False until constructors without a priority run.
llvm::Value *isFromAMD(llvm::IRBuilderBase &B, llvm::Module &M);

/// Moves \p B to where the CPU, whose \p Features are these, supports \p V;
/// returns where it does not.
llvm::BasicBlock *branchIfSupported(llvm::IRBuilderBase &B,
                                    llvm::Value *Features,
                                    const CodeVariant &V);

/// A generated function of \p M with these attributes, or null.
llvm::Function *findGenerated(llvm::Module &M, llvm::AttributeSet Attrs);

/// The first of \p Prefix + "0", "1", ... that nothing in \p M is called.
std::string getFreeName(const llvm::Module &M, llvm::StringRef Prefix);

/// An internal function; it returns \p Result or, if that is null, nothing.
llvm::Function *createGenerated(llvm::Module &M, const llvm::Twine &Name,
                                llvm::ArrayRef<llvm::Type *> Params,
                                llvm::ArrayRef<llvm::StringRef> ParamNames,
                                llvm::AttributeSet Attrs,
                                llvm::Type *Result = nullptr);

} // namespace dlopt

#endif // DLOPT_PASSES_LOWER_GENERATEDFUNCTION_H
