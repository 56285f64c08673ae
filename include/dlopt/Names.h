//===- Names.h - What kernels are called ------------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_NAMES_H
#define DLOPT_NAMES_H

#include "dlopt/Kernel.h"

namespace dlopt {

/// The name of the first row of Programs.def that \p K computes, and the type
/// of what it writes; Kernel::Kind where none fits. For people only, and
/// scripts that they write: no transformation asks for it.
std::string nameKernel(const Kernel &K);

struct RaisedKernel;

/// Kernels that follow each other in one function and compute something that
/// has a name together, or one and the scalar code behind it.
struct KernelGroup {
  llvm::SmallVector<size_t, 4> Members; ///< in their order
  std::string Name;                     ///< as nameKernel() has it
};

/// The groups among the kernels of a function, none of which has a kernel of
/// another one. For people only. \p Own: what each is called by itself.
std::vector<KernelGroup> nameGroups(llvm::ArrayRef<RaisedKernel> Kernels,
                                    llvm::ArrayRef<std::string> Own);

} // namespace dlopt

#endif // DLOPT_NAMES_H
