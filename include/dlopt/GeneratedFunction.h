//===- GeneratedFunction.h - Functions for fast paths ----------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What all generated functions have in common: they are internal, their code
/// is made and placed as that of the function that they serve, and all
/// functions that need the same share them.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_GENERATEDFUNCTION_H
#define DLOPT_GENERATEDFUNCTION_H

#include "llvm/IR/Attributes.h"
#include "llvm/IR/Function.h"

namespace dlopt {

struct CodeVariant;

/// Whether \p F leaves its caller registers as they were that other functions
/// change, as far as its own instructions reach: generated code may use more.
bool keepsRegisters(const llvm::Function &F);

/// Whether a sanitizer is to see what \p F does.
bool isSanitized(const llvm::Function &F);

/// Attributes of a function that is generated for \p Served: all of those that
/// are not about what \p Served itself does, or is to others. They mark it: it
/// is never raised.
llvm::AttrBuilder getGeneratedAttributes(const llvm::Function &Served);

/// The same, for a function that does what \p Key says, by which findGenerated
/// knows it.
llvm::AttrBuilder getGeneratedAttributes(const llvm::Function &Served,
                                         llvm::StringRef Key);

/// Makes them those of a function that is not found by what it does.
void dropKey(llvm::AttrBuilder &Attrs);

/// Adds what a function with vectors of \p Bits bits needs: its registers,
/// frame and vector width must not reach the caller.
llvm::AttributeSet addWorkerAttributes(llvm::LLVMContext &C,
                                       llvm::AttributeSet Attrs, uint64_t Bits);

/// The attributes of code that is \p V rather than what its caller is.
void setVariant(llvm::AttrBuilder &Attrs, const CodeVariant &V);

/// A generated function with these attributes that may serve \p Served, too, or
/// null.
llvm::Function *findGenerated(const llvm::Function &Served,
                              llvm::AttributeSet Attrs);

/// Marks a function that several loops call because it is long: with a single
/// call it is better part of its caller.
void markShared(llvm::AttrBuilder &Attrs);

/// Makes functions that are marked so, and have a single call, parts of their
/// callers, and drops those that have none.
void inlineSingleCalls(llvm::Module &M);

/// The first of \p Prefix + "0", "1", ... that nothing in \p M is called.
std::string getFreeName(const llvm::Module &M, llvm::StringRef Prefix);

/// An internal function beside \p Served, where code for it has to be. It
/// returns \p Result or, if that is null, nothing.
llvm::Function *createGenerated(const llvm::Function &Served,
                                const llvm::Twine &Name,
                                llvm::ArrayRef<llvm::Type *> Params,
                                llvm::ArrayRef<llvm::StringRef> ParamNames,
                                llvm::AttributeSet Attrs,
                                llvm::Type *Result = nullptr);

/// One for tests in front of loops, whose arguments may be undefined. Others
/// like it are found by reuseIdentical().
llvm::Function *createGeneratedTest(const llvm::Function &Served,
                                    const llvm::Twine &Name,
                                    llvm::FunctionType *Ty);

/// An internal function that any function of the module may call whose target
/// features include those of \p Served: it has these and nothing else of it.
llvm::Function *createShared(const llvm::Function &Served,
                             const llvm::Twine &Name, llvm::FunctionType *Ty);

} // namespace dlopt

#endif // DLOPT_GENERATEDFUNCTION_H
