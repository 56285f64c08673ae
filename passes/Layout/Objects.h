//===- Objects.h - What is not a loop over a buffer -------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_LAYOUT_OBJECTS_H
#define DLOPT_PASSES_LAYOUT_OBJECTS_H

#include "ChannelMap.h"
#include "dlopt/ModuleBuffers.h"

namespace dlopt {

/// Whether the initial value of \p B is one of elements that can change places.
bool canPermute(const ModuleBuffer &B, const llvm::DataLayout &DL);

/// Puts the initial value of \p B into the order \p M.
void permuteInitializer(const ModuleBuffer &B, const ChannelMap &M,
                        const llvm::DataLayout &DL);

/// Lets the load or store \p I find its element of \p B in the order \p M,
/// whatever the address is.
void mapAddress(llvm::Instruction &I, const ModuleBuffer &B, uint64_t Elements,
                const ChannelMap &M);

/// Replaces \p Call by a loop over elements of type \p Ty. The addresses of
/// what it loads and stores, by the operands of the call: dest, source.
llvm::SmallVector<llvm::Instruction *, 2> expandBlock(llvm::MemIntrinsic &Call,
                                                      ScalarType Ty);

/// A debugger would show the elements in the wrong order.
void forgetVariable(const ModuleBuffer &B);

/// Marks \p B as laid out, so that nobody does it again.
void markLaidOut(const ModuleBuffer &B);
bool isLaidOut(const ModuleBuffer &B);

} // namespace dlopt

#endif // DLOPT_PASSES_LAYOUT_OBJECTS_H
