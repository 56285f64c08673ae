//===- RoundCounter.h - The number of a loop's round ------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_PREPARE_ROUNDCOUNTER_H
#define DLOPT_PASSES_PREPARE_ROUNDCOUNTER_H

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"

namespace dlopt {

/// Rounds of a loop that have been, as 64-bit integers in its header: at the
/// beginning of a round, and at its end.
struct RoundCounter {
  llvm::PHINode *Count = nullptr;
  llvm::Value *Next = nullptr;
};

/// \p L is in simplified form.
inline RoundCounter addRoundCounter(const llvm::Loop &L) {
  llvm::BasicBlock *Header = L.getHeader();
  llvm::IRBuilder<> B(Header, Header->begin());
  RoundCounter R;
  R.Count = B.CreatePHI(B.getInt64Ty(), 2, "round");
  B.SetInsertPoint(Header->getFirstNonPHIIt());
  R.Next = B.CreateNUWAdd(R.Count, B.getInt64(1));
  R.Count->addIncoming(B.getInt64(0), L.getLoopPreheader());
  R.Count->addIncoming(R.Next, L.getLoopLatch());
  return R;
}

} // namespace dlopt

#endif // DLOPT_PASSES_PREPARE_ROUNDCOUNTER_H
