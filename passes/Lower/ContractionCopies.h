//===- ContractionCopies.h - Copies of operands -----------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_LOWER_CONTRACTIONCOPIES_H
#define DLOPT_LOWER_CONTRACTIONCOPIES_H

#include "dlopt/Contraction.h"
#include "llvm/IR/IRBuilder.h"

namespace dlopt::contraction {

/// What is copied: Rows rows, Ld elements apart, of Width elements, Step apart,
/// of which the first is From. Neither is 0.
struct CopiedBlock {
  llvm::Value *From, *Ld, *Rows, *Width;
  /// Between neighbours; a constant if that is known.
  llvm::Value *Step;
  /// If not null: on which condition rows that are transposed are fetched
  /// ahead, if their elements are neighbours.
  llvm::Value *IsFar = nullptr;
};

/// Copies a block of B into panels: element (k, j) to j' * \p Steps + k * w + j
/// - j', where w is how wide a panel is, and j' where that of j begins. There
/// is room for whole vectors. \p Operands: arguments for those of the epilogue,
/// some of which factors are made with.
void emitCopyOfB(llvm::IRBuilderBase &B, const ContractionSpec &S,
                 const ContractionPlan &P,
                 llvm::ArrayRef<llvm::Value *> Operands,
                 const CopiedBlock &Block, llvm::Value *Panels,
                 llvm::Value *Steps);

/// Copies a block of A: element (i, k) to i * \p Ld + k, or where as many rows
/// as a tile has are a group (ContractionPlan::GroupedA), to i' * \p Ld + k * h
/// + i - i', where h is how high a tile is, and i' where the group begins. A
/// row has room for whole vectors.
void emitCopyOfA(llvm::IRBuilderBase &B, const ContractionSpec &S,
                 const ContractionPlan &P,
                 llvm::ArrayRef<llvm::Value *> Operands,
                 const CopiedBlock &Block, llvm::Value *To, llvm::Value *Ld);

} // namespace dlopt::contraction

#endif // DLOPT_LOWER_CONTRACTIONCOPIES_H
