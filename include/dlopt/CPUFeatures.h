//===- CPUFeatures.h - What the CPU supports, at run time -------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_CPUFEATURES_H
#define DLOPT_CPUFEATURES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IRBuilder.h"
#include <optional>

namespace dlopt {

struct CodeVariant;

/// The bits of what loadCPUFeatures() returns that stand for the target
/// features \p Names, or nullopt if one of them is not looked for.
std::optional<uint64_t> getCPUFeatures(llvm::ArrayRef<llvm::StringRef> Names);

/// The features of the CPU that the program runs on, in a word. It is 0 until
/// constructors without a priority run, and where none do.
llvm::Value *loadCPUFeatures(llvm::IRBuilderBase &B);

/// Whether the CPU has all that \p Features, of getCPUFeatures(), stand for.
llvm::Value *hasCPUFeatures(llvm::IRBuilderBase &B, uint64_t Features);

/// Whether the CPU is one of AMD's. False where loadCPUFeatures() is 0.
llvm::Value *isFromAMD(llvm::IRBuilderBase &B);

/// Moves \p B to where the CPU, whose \p Features are these, supports \p V;
/// returns where it does not.
llvm::BasicBlock *branchIfSupported(llvm::IRBuilderBase &B,
                                    llvm::Value *Features,
                                    const CodeVariant &V);

} // namespace dlopt

#endif // DLOPT_CPUFEATURES_H
