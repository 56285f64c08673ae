//===- LeafEvaluator.h - Leaves as expressions ------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_RAISE_LEAFEVALUATOR_H
#define DLOPT_PASSES_RAISE_LEAFEVALUATOR_H

#include "dlopt/ContractionView.h"
#include "llvm/ADT/DenseMap.h"

namespace dlopt {

bool isSameElement(const Access &X, const Access &Y);

/// Evaluates leaves in front of and behind a sum symbolically: which expression
/// over the sum, elements and parameters ends up in a local, or in the one
/// element of memory that they store.
class LeafEvaluator {
public:
  /// \p Fresh: locals that have no value before the first leaf. What is read of
  /// these has been assigned, so of two assignments under conditions the later
  /// one decides.
  LeafEvaluator(const Kernel &K, llvm::ArrayRef<BufferId> Fresh)
      : K(K), Fresh(Fresh) {}

  /// False if \p L does something that expressions do not, or might do what it
  /// does only under a condition.
  bool add(const Leaf &L);
  /// From now on \p X holds the end of a chain of updates.
  void setSum(const Access &X, ScalarType Ty);

  /// What is stored; where that depends on a condition, nothing.
  const std::optional<Access> &getOutput() const { return C; }
  /// The value of a local or, where \p X is external, of the output; nullopt if
  /// it has none, or not always.
  std::optional<OpId> getValue(const Access &X) const;
  /// \p Id is the same for all elements: it depends on parameters alone.
  bool isUniform(OpId Id) const;
  /// X is !Y or the converse.
  bool areOpposite(OpId X, OpId Y) const;

  const Op &operator[](OpId Id) const { return E.Ops[Id]; }
  /// The operand that is operation \p Id, or null.
  const ResultOperand *getOperand(OpId Id) const;
  /// Under which condition that operand is read, if not always.
  std::optional<OpId> getCondition(OpId Id) const;
  /// What \p Id is made of.
  Expression extract(OpId Id,
                     llvm::SmallVectorImpl<ResultOperand> &Operands) const;
  /// The same for what is uniform.
  ScalarExpression extractScalar(OpId Id) const;

private:
  /// When a leaf does something: always, if an operation is true, or (opaque)
  /// under a condition that no operation expresses.
  struct When {
    std::optional<OpId> Condition;
    bool IsOpaque = false;
    bool isAlways() const { return !Condition && !IsOpaque; }
  };
  /// Of a local or of the output, which has no value otherwise.
  struct Known {
    OpId Value = 0;
    When Assigned;
  };
  struct Operand {
    ResultOperand From;
    std::optional<OpId> Condition;
  };
  using Translated = llvm::DenseMap<OpId, OpId>;
  std::optional<OpId> translate(const Leaf &L, OpId Id, Translated &Done);
  std::optional<OpId> translateLoad(const Op &O);
  std::optional<OpId> findOperand(const ResultOperand &O,
                                  std::optional<OpId> Condition);
  OpId addOperand(ResultOperand O,
                  std::optional<OpId> Condition = std::nullopt);
  bool assign(Known &To, bool IsKnown, OpId Value, bool IsFresh);

  const Kernel &K;
  llvm::ArrayRef<BufferId> Fresh;
  Expression E;
  llvm::SmallVector<Operand, 4> Operands;
  llvm::DenseMap<BufferId, Known> Locals;
  std::optional<Access> C;
  Known Output;
  /// The leaf at hand is executed.
  When Now;
};

} // namespace dlopt

#endif // DLOPT_PASSES_RAISE_LEAFEVALUATOR_H
