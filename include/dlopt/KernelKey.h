//===- KernelKey.h - What code of a kernel depends on -----------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_KERNELKEY_H
#define DLOPT_KERNELKEY_H

#include "dlopt/Kernel.h"

namespace dlopt {

/// Names everything in \p K by its number, and drops where it comes from and
/// what it is called.
void giveNeutralNames(Kernel &K);

/// Text that is the same for kernels of which the same code is made, for
/// functions that get these inputs: the kernel with neutral names, and what is
/// known of alignment. It ends in the inputs.
std::string describeCode(llvm::LLVMContext &C, const Kernel &K,
                         llvm::ArrayRef<BufferId> Buffers,
                         llvm::ArrayRef<ParamId> Params);

/// A short name of \p Text, for attributes by which functions are found.
std::string getDigest(llvm::StringRef Text);

} // namespace dlopt

#endif // DLOPT_KERNELKEY_H
