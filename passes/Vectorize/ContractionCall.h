//===- ContractionCall.h - Calls of the generated function -----*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One call for each iteration of the axes around a product. Of a product with
/// a triangle (trmm in BLAS: row m of A has elements from its start to the
/// diagonal, or from there on) blocks of rows have steps in common, and are
/// products of rectangles with these; what is left of the rows of a block
/// starts from, or ends in, what is in C then.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_VECTORIZE_CONTRACTIONCALL_H
#define DLOPT_VECTORIZE_CONTRACTIONCALL_H

#include "ContractionStrategy.h"
#include "llvm/IR/IRBuilder.h"
#include <array>

namespace dlopt {

/// The arguments of the generated function, as values of the guard.
struct ContractionArguments {
  /// C, A, B, S, then the matrices of the epilogue.
  llvm::SmallVector<llvm::Value *, 6> Ptr, Ld;
  /// Of the elements behind them.
  llvm::SmallVector<uint64_t, 6> Sizes;
  /// Of the epilogue: a scalar, or which of Ptr and (or null) whether it is
  /// there; with a type, a scalar that lies at that of Ptr.
  struct Extra {
    llvm::Value *Scalar = nullptr;
    unsigned Matrix = 0;
    llvm::Value *Condition = nullptr;
    llvm::Type *Loaded = nullptr;
    llvm::Value *Step = nullptr;
  };
  llvm::SmallVector<Extra, 4> Extras;
  llvm::Value *StartColumns = nullptr;
  /// To be stored to memory for S to point to: always or, with a condition, if
  /// that does not hold.
  llvm::Value *StartValue = nullptr, *StartCondition = nullptr;
  llvm::Value *M = nullptr, *N = nullptr, *K = nullptr;
  /// Of A, B and C, and whether they are arguments.
  std::array<llvm::Value *, 3> ColumnSteps = {};
  std::array<bool, 3> HasColumnStep = {};
  /// Of the outer axes, and for each the steps of the four pointers.
  llvm::SmallVector<llvm::Value *, 2> Extents;
  llvm::SmallVector<llvm::SmallVector<llvm::Value *, 4>, 2> Steps;

  /// Triangular steps of k: what is added to the row, or the end of all rows;
  /// M and K are those of the whole.
  llvm::Value *StepsRest = nullptr;
  /// What steps end at in any case; null: nothing.
  llvm::Value *StepsMost = nullptr;

  bool complete() const;
};

/// Calls \p Callee, which computes the products of \p Choice.
void emitContractionCalls(llvm::IRBuilder<> &B, const ContractionChoice &Choice,
                          const ContractionArguments &Args,
                          llvm::Function &Callee);

} // namespace dlopt

#endif // DLOPT_VECTORIZE_CONTRACTIONCALL_H
