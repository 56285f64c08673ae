//===- ContractionMatcher.h - Finds the parts of a product ------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_RAISE_CONTRACTIONMATCHER_H
#define DLOPT_RAISE_CONTRACTIONMATCHER_H

#include "LeafEvaluator.h"
#include "dlopt/ContractionView.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/STLExtras.h"
#include <list>

namespace dlopt {

/// Matches one subtree. Every step narrows what the leaves may be and gives up
/// at the first that is something else.
class ContractionMatcher {
public:
  ContractionMatcher(const Kernel &K, bool Triangular,
                     llvm::function_ref<bool(AxisId)> IsParallel)
      : K(K), Triangular(Triangular), IsParallel(IsParallel) {}
  std::optional<ContractionView> match(const Node &Subtree);

private:
  using Axes = llvm::SmallVector<AxisId, 4>;

  /// A leaf and the axes of the subtree around it, outermost first.
  struct Stage {
    const Leaf *L = nullptr;
    Axes Around;
    bool isPlain() const {
      return L->Domain.empty() &&
             (!L->Predicate || DLOPT_PLANTED(PredicateIgnored));
    }
  };

  bool collect(const Node &N, Axes &Around);
  void takeTriangle();
  bool isOneTriangle() const;
  bool findUpdate();
  bool matchUpdate(const Stage &S);
  bool matchOperand(const Leaf &L, OpId Id, Access &X);
  std::optional<ResultOperand> matchScalar(const Leaf &L, OpId Id) const;
  bool matchScale(const Leaf &L, OpId (&Factors)[2]);
  OpId stripNegation(const Leaf &L, OpId Id);
  bool matchFactor(const Leaf &L, OpId Id, Access &X, Expression &Factor);
  bool resolveCopy(Access &X, Expression &Factor);
  bool classifyAxes();
  std::optional<TriangularSteps> getSteps(const Poly &Extent) const;
  bool takeSteps(AxisId A);
  bool matchLocalAccumulator();
  bool matchMemoryAccumulator();
  bool evaluateStart(llvm::ArrayRef<unsigned> Before, const Axes &Around,
                     LeafEvaluator &E) const;
  llvm::SmallVector<BufferId, 4> getLocalsOf(const Axes &Around) const;
  bool matchStart(const LeafEvaluator &E, OpId Value);
  bool matchConditionalStart(const LeafEvaluator &E, OpId Select);
  bool matchResult(LeafEvaluator &E, llvm::ArrayRef<unsigned> After);
  bool matchSeparateStart(llvm::ArrayRef<unsigned> Before);
  bool renameAxes(const Stage &S, Access &X) const;

  const Op &op(const Leaf &L, OpId Id) const { return L.Ops[Id]; }
  bool isLocalScalar(const Access &X) const {
    return K.Buffers[X.Buf].IsLocal && K.Buffers[X.Buf].Shape.empty();
  }
  bool isExternal(const Access &X) const { return !K.Buffers[X.Buf].IsLocal; }
  std::optional<AtomId> axisAtom(AxisId A) const {
    for (auto [Id, At] : llvm::enumerate(K.Atoms))
      if (At.K == Atom::Axis && At.Ref == A)
        return Id;
    return std::nullopt;
  }

  const Kernel &K;
  const bool Triangular;
  llvm::function_ref<bool(AxisId)> IsParallel;
  llvm::SmallVector<Stage, 4> Stages;
  /// Leaves without the condition of the triangle.
  std::list<Leaf> Freed;
  /// Axes, and the locals that live for one iteration of them.
  llvm::SmallVector<std::pair<AxisId, BufferId>, 4> Owners;
  std::optional<unsigned> Update;
  /// Stages that copy an operand to a local.
  llvm::SmallVector<unsigned, 2> Copies;
  /// The accumulator.
  Access Target;
  ContractionView V;
};

} // namespace dlopt

#endif // DLOPT_RAISE_CONTRACTIONMATCHER_H
