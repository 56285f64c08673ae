//===- Copies.h - Calls that set or copy elements ---------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///   memcpy(y, x, sizeof y);          for (c, p)
///                              ->      y[p * C + c] = x[c * P + p];
///
/// A call that sets or copies a known number of elements is a kernel of one
/// loop. Where both arrays have one order, or none, and whole blocks of it are
/// copied, it stays a call; so does one that sets whole blocks.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_LAYOUT_COPIES_H
#define DLOPT_PASSES_LAYOUT_COPIES_H

#include "Tensors.h"

namespace dlopt {

/// Adds the calls of the functions \p Fs to the kernels of \p MB, which are all
/// that say of what type elements are.
void addCopies(ModuleBuffers &MB, llvm::ArrayRef<llvm::Function *> Fs);

/// Whether the call of kernel \p Index does the same after the maps of
/// \p Tensors.
bool isSameCopy(const ModuleKernel &MK, unsigned Index,
                llvm::ArrayRef<Tensor> Tensors);

/// Puts loops in place of the call of \p MK, whose kernel is in its new order.
void replaceCopy(ModuleKernel &MK);

} // namespace dlopt

#endif // DLOPT_PASSES_LAYOUT_COPIES_H
