//===- ContractionResult.h - What is done to a sum --------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_RAISE_CONTRACTIONRESULT_H
#define DLOPT_PASSES_RAISE_CONTRACTIONRESULT_H

#include "dlopt/ContractionView.h"
#include "llvm/ADT/DenseMap.h"

namespace dlopt {

/// Evaluates the leaves behind a sum symbolically: which expression over the
/// sum, elements and parameters ends up in the one element that they store.
class ResultEvaluator {
public:
  /// \p Sum: the accumulator, of type \p Ty.
  ResultEvaluator(const Kernel &K, const Access &Sum, ScalarType Ty);

  /// False if \p L does something else, or what may not be done ahead of its
  /// condition.
  bool add(const Leaf &L);
  /// Sets C, Result and Operands of \p V. False if nothing is stored, or not
  /// always.
  bool finish(ContractionView &V);

private:
  /// Of a local or of C. Under a condition it has no value otherwise.
  struct Known {
    OpId Value = 0;
    std::optional<OpId> Condition;
  };
  using Translated = llvm::DenseMap<OpId, OpId>;
  std::optional<OpId> translate(const Leaf &L, OpId Id, Translated &Done);
  std::optional<OpId> translateLoad(const Op &O);
  OpId addOperand(ResultOperand O);
  bool assign(Known &To, bool IsKnown, OpId Value,
              std::optional<OpId> Condition);
  bool areOpposite(OpId X, OpId Y) const;

  const Kernel &K;
  Expression E;
  llvm::SmallVector<ResultOperand, 4> Operands;
  llvm::DenseMap<BufferId, Known> Locals;
  std::optional<Access> C;
  Known Output;
  /// The leaf at hand is executed under a condition: it may not load what is
  /// not loaded anyway.
  bool IsConditional = false;
};

} // namespace dlopt

#endif // DLOPT_PASSES_RAISE_CONTRACTIONRESULT_H
