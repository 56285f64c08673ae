//===- ContractionView.h - A kernel as a tensor contraction -----*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Sees a subtree as C[batch,m,n] = combine over k of A[batch,m,k],
/// B[batch,k,n], whatever its loop order, and whether the accumulator is a
/// local or C itself.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_CONTRACTIONVIEW_H
#define DLOPT_CONTRACTIONVIEW_H

#include "dlopt/Expression.h"

namespace dlopt {

/// An expression whose operands are parameters: it can be computed in front of
/// the loops.
struct ScalarExpression {
  Expression Value;
  llvm::SmallVector<ParamId, 2> Params;
  bool empty() const { return Value.empty(); }
};

/// An operand of what is stored.
struct ResultOperand {
  enum Kind : uint8_t {
    Sum,     ///< the accumulator behind its last update
    Element, ///< X, from before the store
    Scalar   ///< the parameter P
  } K = Sum;
  ScalarType Ty = ScalarType::F32;
  Access X;
  ParamId P = 0;
  /// Element: read only if this holds (empty: always). Without it the operand's
  /// value does not matter.
  ScalarExpression Condition;
};

/// Row r of a matrix has the elements [0, r + Rest), but at most any of Most,
/// or, FromDiagonal, those of [r, Rest).
struct TriangularSteps {
  AxisId Row = 0;
  Poly Rest;
  bool FromDiagonal = false;
  llvm::SmallVector<Poly, 1> Most = {};
};

/// All axes and accesses are those of the update leaf: where start values or
/// results are moved in loops of their own, those axes are renamed.
struct ContractionView {
  /// Axes of the update in execution order: those that C and only A (M), only B
  /// (N), or both (Batch) use, and those that only A and B use (K). For each
  /// element of C, the K axes run in ascending lexicographic order.
  llvm::SmallVector<AxisId, 2> M, N, K, Batch;
  /// External elements.
  Access A, B, C;
  /// The steps of the only axis of K; it counts from 0 in A and B.
  std::optional<TriangularSteps> Steps;
  /// Of the accumulator, and of A and B, whose elements may be extended.
  ScalarType Ty = ScalarType::F32, OperandTy = ScalarType::F32;
  /// What is extended and multiplied: over the element (operand 0) and Operands
  /// (1 + number), which are scalars, all of OperandTy; empty: the element.
  Expression FactorA, FactorB;
  enum Combiner : uint8_t {
    FMulAdd, ///< llvm.fmuladd(a, b, acc)
    FMA,     ///< llvm.fma(a, b, acc)
    MulAdd   ///< acc + a * b
  } Comb = FMulAdd;
  /// The product is taken off: it is -a * b, or acc - a * b.
  bool Subtracts = false;
  /// Of the operations; for FMulAdd and FMA only AddFlags.
  llvm::FastMathFlags MulFlags, AddFlags;
  /// The product of a and b is rounded, by ScaleFlags, and that times this
  /// scalar of Operands is added up: b is the scalar in the above then.
  std::optional<unsigned> Scale;
  llvm::FastMathFlags ScaleFlags;
  /// The value the accumulator starts from: an element (if StartCondition is
  /// not empty, where that holds; otherwise StartValue), a value that is the
  /// same for all, or (neither) what C holds.
  std::optional<Access> StartAccess;
  ScalarExpression StartCondition, StartValue;
  /// Elements of C are there only if this holds.
  std::optional<Constraint> Triangle;
  /// What is stored to C, over the operands by number; empty: the accumulator.
  /// Some of them may be of factors only.
  Expression Result;
  llvm::SmallVector<ResultOperand, 4> Operands;
  /// The result is made from what C holds, too.
  bool readsOutput() const;
};

/// nullopt if \p Subtree is anything but one contraction: every leaf of it is
/// the start, the update, a copy of an operand, or work on the result.
/// \p Triangular: the sums of a row of C may be as long as a row of a triangle.
/// \p IsParallel: whether axes are, if their roles are not known yet; asked of
/// what looks like a contraction otherwise.
std::optional<ContractionView>
matchContraction(const Kernel &K, const Node &Subtree, bool Triangular = false,
                 llvm::function_ref<bool(AxisId)> IsParallel = nullptr);

} // namespace dlopt

#endif // DLOPT_CONTRACTIONVIEW_H
