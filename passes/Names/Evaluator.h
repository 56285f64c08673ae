//===- Evaluator.h - The formulas of a kernel ------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_NAMES_EVALUATOR_H
#define DLOPT_NAMES_EVALUATOR_H

#include "Algebra.h"
#include <map>

namespace dlopt {

/// What an element has in the end.
struct Formula {
  BufferId Buf = 0;
  Poly Index;
  ExprId Value = 0;
  AxisSet Deps = 0; ///< of the element
};

/// What is computed of a number inside of a leaf, such as an activation of a
/// sum.
struct Epilogue {
  ExprId Inner; ///< the number
  ExprId Outer; ///< what becomes of it: an element of an array stands for it
};

/// Evaluates a kernel with formulas for numbers. Loops over the same range are
/// one axis, loads of what has been stored are what was stored, and loops that
/// carry values are the sums, maxima, ... that they compute.
class Evaluator {
public:
  /// In larger leaves nothing is looked for.
  static constexpr size_t MaxOpsOfEpilogue = 40;
  /// Such as a whole transform of a block: there is no name for what one body
  /// of so many operations computes, but those of matrices.
  static constexpr size_t MaxOpsOfBody = 80;
  /// Changes axes of \p K.
  Evaluator(Kernel &K, Algebra &A, bool FindsEpilogues = false)
      : K(K), A(A), FindsEpilogues(FindsEpilogues) {}
  /// What is written to memory; scalars that outlive the nest if that is
  /// nothing. False: too large, such as a body of more than \p MaxOps, or too
  /// strange.
  bool run(std::vector<Formula> &Results, size_t MaxOps = MaxOpsOfBody);
  /// What a local of the root without subscripts has then.
  Formula getScalar(BufferId Local);
  /// Ways to see what \p F is as something of something else, the most that is
  /// inside first.
  llvm::ArrayRef<Epilogue> getEpilogues(const Formula &F) const;
  /// Numbers of the source.
  const std::set<ExprId> &scalars() const { return Scalars; }

private:
  /// So many fit into an AxisSet.
  static constexpr size_t MaxAxes = 60;
  struct Cell {
    BufferId Buf;
    llvm::SmallVector<Poly, 2> Index;
    friend bool operator==(const Cell &X, const Cell &Y) {
      return X.Buf == Y.Buf && X.Index == Y.Index;
    }
    friend bool operator<(const Cell &X, const Cell &Y) {
      return std::tie(X.Buf, X.Index) < std::tie(Y.Buf, Y.Index);
    }
  };
  struct State {
    Cell At;
    Cell To;            ///< where a round leaves it for the next one
    ExprId Start = 0;   ///< in front of the loop
    ExprId Carried = 0; ///< at the start of a round
    ExprId Next = 0;    ///< at its end
  };

  void shareAxes(Node &N, llvm::SmallVectorImpl<AxisId> &Around);
  void lengthenAxes(Node &N);
  bool dependsOnAxes(AxisId Ax) const;
  Cell getCell(const Access &X) const;
  ExprId load(const Cell &C);
  ExprId loadElement(const Cell &C);
  bool isOfOtherRound(const Cell &C) const;
  void evaluate(const Node &N);
  void evaluateLoop(const Node &N);
  void evaluate(const Leaf &L);
  std::vector<ExprId> evaluateOps(const Leaf &L, ExprId From, ExprId To);
  ExprId getAssigned(const Leaf &L, const Assign &To,
                     llvm::ArrayRef<ExprId> Known, ExprId Old);
  void findEpilogues(const Leaf &L, const Assign &To,
                     llvm::ArrayRef<ExprId> Known);
  bool mayBeInner(ExprId E) const;
  ExprId getElementFor(const Op &O);
  std::optional<ParamId> getNumberInMemory(const Op &O);
  ExprId evaluate(const Op &O, llvm::ArrayRef<ExprId> Known);
  ExprId evaluateInst(const Op &O, llvm::ArrayRef<ExprId> Args);
  ExprId evaluateFunction(llvm::StringRef Name, llvm::ArrayRef<ExprId> Args);
  bool isOfElement(ExprId D) const;
  ExprId choose(ExprId If, ExprId X, ExprId Y);
  std::optional<ExprId> getSigned(const Op &O,
                                  llvm::ArrayRef<ExprId> Args) const;
  ExprId compare(const Op &O, llvm::ArrayRef<ExprId> Args);
  bool findsFirst(ExprId At, const State &Extreme, double Sign, ExprId Each,
                  AxisId Ax, const Poly &FirstRound);
  ExprId getConstant(const Op &O) const;
  void collectStates(const Node &N, AxisId Ax, std::vector<State> &States);
  void collectNeighbours(const Node &N, std::vector<State> &States) const;
  ExprId getSoFar(ExprId Value, AxisId Ax, llvm::ArrayRef<State> States,
                  uint32_t First);
  ExprId close(const State &S, AxisId Ax, llvm::ArrayRef<State> States,
               uint32_t First);
  std::optional<ExprId> closeSum(const State &S, AxisId Ax, uint32_t First);
  std::optional<ExprId> closeMax(const State &S, AxisId Ax, uint32_t First);
  std::optional<ExprId> closeSearch(const State &S, AxisId Ax,
                                    llvm::ArrayRef<State> States,
                                    uint32_t First);
  std::optional<ExprId> closeScaled(const State &S, AxisId Ax,
                                    llvm::ArrayRef<State> States,
                                    uint32_t First);
  std::optional<ExprId> getRunningMean(const State &S, AxisId Ax,
                                       uint32_t First);
  std::optional<ExprId> closeWelford(const State &S, AxisId Ax,
                                     llvm::ArrayRef<State> States,
                                     uint32_t First);
  std::optional<ExprId> getMaximand(const State &S, double Sign,
                                    uint32_t First);
  ExprId reduceFrom(Reduce How, ExprId Start, ExprId Each, AxisId Ax);
  AxisId getLonger(AxisId Ax);
  AxisSet open() const;

  Kernel &K;
  Algebra &A;
  bool FindsEpilogues;
  const Leaf *Now = nullptr;
  std::map<Cell, ExprId> Values;
  std::vector<Cell> Neighbours; ///< those of Values that another round stored
  llvm::SmallVector<AxisId, 6> Open;
  std::vector<Cell> Targets; ///< elements of memory that any leaf assigns
  std::set<ExprId> Scalars;
  /// Numbers in memory that are parameters, and which buffers have no others.
  llvm::SmallVector<std::pair<BufferId, Poly>, 4> Numbers;
  llvm::SmallDenseMap<BufferId, bool, 4> HasNumbers;
  /// By what is assigned in the end.
  std::map<ExprId, llvm::SmallVector<Epilogue, 4>> Epilogues;
  std::map<const Node *, llvm::SmallVector<Poly, 1>> Shortened;
  llvm::SmallVector<ExprId, 2> Restrictions; ///< of loops that are shortened
  llvm::SmallVector<AxisId, 8> Shared; ///< axes that stand for others, too
};

} // namespace dlopt

#endif // DLOPT_NAMES_EVALUATOR_H
