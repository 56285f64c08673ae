//===- BufferWalker.h - All uses of one object ------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_LAYOUT_BUFFERWALKER_H
#define DLOPT_PASSES_LAYOUT_BUFFERWALKER_H

#include "KnownCalls.h"

namespace llvm {
class LoadInst;
} // namespace llvm

namespace dlopt {

/// An object with all that uses it.
struct BufferUses {
  /// The object as one array: what is true of all its parts.
  ModuleBuffer Whole;
  uint64_t Bytes = 0;
  /// Loads, stores and calls that set or copy, but for those of kernels.
  llvm::SmallSetVector<llvm::Instruction *, 8> Singles;
  llvm::SmallSetVector<unsigned, 4> Kernels; ///< in ModuleBuffers::Kernels
};

/// Whether functions may be changed at all, as far as that has been asked.
using UserVerdicts = llvm::DenseMap<const llvm::Function *, Verdict>;

/// Follows the address of \p Object, a global variable or an array on the
/// stack, to all of its uses.
BufferUses findBufferUses(ModuleBuffers &MB, llvm::Value *Object,
                          const llvm::DataLayout &DL, UserVerdicts &Users);

/// Loads through \p Pointers inside of the nest that a number or pointer is
/// computed from which the kernel takes as given.
llvm::SmallVector<const llvm::LoadInst *, 2>
findGivenLoads(const RaisedKernel &RK,
               const llvm::SmallSetVector<llvm::Value *, 16> &Pointers);

/// The arrays that the object is made of, as far as kernels use them.
///
///   struct { float a[16][28][28]; float b[32][14][14]; int n; } net;
///
/// is three, if each access is proved to stay in one of them: what the fields
/// are declared as says only where to look.
std::vector<ModuleBuffer> findBufferParts(ModuleBuffers &MB,
                                          const BufferUses &Uses,
                                          llvm::FunctionAnalysisManager &FAM,
                                          const llvm::DataLayout &DL);

} // namespace dlopt

#endif // DLOPT_PASSES_LAYOUT_BUFFERWALKER_H
