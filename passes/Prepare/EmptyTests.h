//===- EmptyTests.h - Numbers that are 0 of nothing anyway ------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PREPARE_EMPTYTESTS_H
#define DLOPT_PREPARE_EMPTYTESTS_H

namespace llvm {
class DominatorTree;
class Function;
class LoopInfo;
} // namespace llvm

namespace dlopt {

/// n == 0 ? 0 : f(n) becomes f(n), which is computed in any case, where f(0) is
/// 0 and no division in it may be by 0; in front of the loops that do not
/// change it. False if nothing changed.
bool foldEmptyTests(llvm::Function &F, const llvm::DominatorTree &DT,
                    const llvm::LoopInfo &LI);

} // namespace dlopt

#endif // DLOPT_PREPARE_EMPTYTESTS_H
