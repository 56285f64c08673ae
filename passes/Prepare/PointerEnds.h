//===- PointerEnds.h - Loops that end at a pointer --------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_PREPARE_POINTERENDS_H
#define DLOPT_PASSES_PREPARE_POINTERENDS_H

namespace llvm {
class LoopInfo;
} // namespace llvm

namespace dlopt {

/// Loops from one iterator to another, p != end or p < end, count their rounds
/// where the end has nothing to do with the start: a pointer that somebody
/// passed or stored, as those of containers are. Iterators that are used behind
/// all loops are computed there of the number of rounds. Loops are in
/// simplified form, with phis behind them. True if something changed.
bool countToPointerEnds(const llvm::LoopInfo &LI);

} // namespace dlopt

#endif // DLOPT_PASSES_PREPARE_POINTERENDS_H
