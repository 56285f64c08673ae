//===- LibraryCalls.h - Calls of libm that LLVM replaces --------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_PREPARE_LIBRARYCALLS_H
#define DLOPT_PASSES_PREPARE_LIBRARYCALLS_H

namespace llvm {
class Function;
class TargetLibraryInfo;
} // namespace llvm

namespace dlopt {

/// Makes of calls of libm in \p F what LLVM makes of them, as far as that takes
/// no other function: numbers of calls of numbers, products and quotients of
/// powers (`pow(x, 2)`). True if there were some.
bool foldLibraryCalls(llvm::Function &F, const llvm::TargetLibraryInfo &TLI);

} // namespace dlopt

#endif // DLOPT_PASSES_PREPARE_LIBRARYCALLS_H
