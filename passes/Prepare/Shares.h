//===- Shares.h - Shares of flat loops as whole and partial rows *- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PREPARE_SHARES_H
#define DLOPT_PREPARE_SHARES_H

namespace llvm {
class DominatorTree;
class Function;
class LoopInfo;
} // namespace llvm

namespace dlopt {

/// Splits loops over a part [S, E) of all elements, whose index is divided by
/// the length D of a row, into three: up to the first multiple of D, over whole
/// rows, and from the last multiple of D on. In the first and the last one the
/// row does not change. Loops must be in simplified form, with exit blocks of
/// their own. True if something changed; analyses are not kept up to date.
bool splitShares(llvm::Function &F, llvm::LoopInfo &LI,
                 llvm::DominatorTree &DT);

} // namespace dlopt

#endif // DLOPT_PREPARE_SHARES_H
