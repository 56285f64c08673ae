//===- ContractionStrategy.h - Matrix products to calls ---------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// find -> legal? -> worth it? -> rewrite, for contractions: binds the view of
/// a kernel (ContractionView.h) to the arguments of the generated function
/// (Contraction.h).
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_VECTORIZE_CONTRACTIONSTRATEGY_H
#define DLOPT_VECTORIZE_CONTRACTIONSTRATEGY_H

#include "dlopt/Contraction.h"
#include "dlopt/ContractionView.h"
#include "dlopt/Guards.h"
#include "dlopt/Lanes.h"
#include "dlopt/Options.h"
#include "dlopt/Remarks.h"
#include "dlopt/Strategies.h"

namespace dlopt {

/// A matrix operand: element (r, c) is at Base + r * Ld + c * ColumnStep
/// elements, in iteration (i0, i1, ...) of the outer axes i0 * Steps[0] + i1 *
/// Steps[1] + ... further on.
struct MatrixOperand {
  BufferId Buf = 0;
  Poly Base, Ld, ColumnStep = 1;
  llvm::SmallVector<Poly, 2> Steps;
};

/// Axes that are one axis of a matrix, outermost first: the stride of each is
/// the stride of the next times its extent. None: an extent of 1.
using AxisGroup = llvm::SmallVector<AxisId, 2>;

/// A contraction that the strategy takes, with all that was decided.
struct ContractionChoice {
  AxisGroup M, N, K;
  /// Of a triangle: see ContractionSpec::Elements.
  int64_t Diagonal = 0;
  /// Of a product with a triangle; not known to the generated function.
  std::optional<TriangularSteps> Steps;
  /// Axes around, with one product in each iteration.
  llvm::SmallVector<AxisId, 2> Outer;
  /// Whether outer axes of sums may be among these: the sums go on in C.
  bool SplitsSums = false;
  MatrixOperand A, B, C;
  /// Start values: a matrix (or, with StartColumns false, one value per row),
  /// if StartCondition is empty or holds, or else StartValue.
  std::optional<MatrixOperand> Start;
  bool StartColumns = true;
  ScalarExpression StartCondition, StartValue;
  /// Of the epilogue, by number: where they come from.
  struct EpilogueOperand {
    MatrixOperand X; ///< PerRow, PerElement, Scalar if IsLoaded
    ParamId P = 0;   ///< Scalar
    bool IsLoaded = false;
    /// PerRow, PerElement: there only if this is empty or holds.
    ScalarExpression Condition;
  };
  llvm::SmallVector<EpilogueOperand, 4> Operands;
  ContractionSpec Spec;
  ContractionPlan Plan;
  /// Of Plan, for schedules of other targets.
  ContractionOverrides Overrides;

  /// Always from what C holds.
  bool startsFromOutput() const {
    return Start && Start->Buf == C.Buf && StartCondition.empty();
  }
};

/// The product of the extents of \p G, or what it does not exceed: of two
/// bounds, the constant one.
std::optional<uint64_t> getExtent(const Kernel &K, const AxisGroup &G);

/// Where extents are constant, the guard's profitability tests are decided
/// here, by ContractionPlan::MinKnownWork.
bool isKnownTooSmall(const Kernel &K, const ContractionChoice &Choice);

/// Whether LLVM, which unrolls the inner loops of \p Subtree, vectorizes what
/// is left as well or better.
bool isVectorizedByLLVM(const Kernel &K, const Node &Subtree,
                        const ContractionChoice &Choice);

/// Cycles that \p Choice takes at least: multiplications in whole vectors, of
/// single rows of a narrow result, too, and copies of elements with steps
/// between them; nullopt: a size is not known.
std::optional<double> getLeastCycles(const Kernel &K,
                                     const ContractionChoice &Choice,
                                     const TargetModel &Target);

/// Rows of results from which on a copied matrix is used often enough: where
/// LLVM's loop goes along its rows and reads it as often as there are results'
/// rows. Measured on Cascade Lake with a matrix of 1000x1000: one row runs 1.4
/// to 7 times as fast by that loop, two 0.9, and 1.2 times if A is transposed.
uint64_t getLeastRows(const Kernel &K, const Node &Subtree,
                      const ContractionChoice &Choice);

/// For fewer points than that tests take longer than divisions.
constexpr int64_t LeastPoints = 64;

/// For fewer rounds than that a script's blocks take longer to begin.
constexpr int64_t LeastRounds = 256;

/// What becomes of a kernel.
struct KernelChoice {
  /// The kernel with loops of their own for what its loops do; null: it stays
  /// one part as it is.
  std::unique_ptr<Kernel> Distributed;
  /// The children of the root, in order; scalar loops where there is none.
  llvm::SmallVector<std::optional<ContractionChoice>, 1> Parts;
  /// The whole kernel in lanes; then there are no parts.
  std::optional<LanePlan> Lanes;
  /// Distributed becomes loops, of which kernels are made again; what is
  /// special about them (for remarks).
  bool AsLoops = false;
  llvm::StringRef How;
  /// The same where what Distributed needs is not so.
  std::vector<std::unique_ptr<Kernel>> Otherwise;
  /// These are blocks of rows (RowBlocks.h).
  bool InBlocks = false;
  /// RaisedKernel::KeepsOrder.
  bool KeepsOrder = false;
  /// Lanes: the same for other machines.
  llvm::SmallVector<LaneVariant, 2> LaneVariants;
  /// The whole kernel by a script that was written for Distributed, in place of
  /// lanes.
  std::optional<Strategy> Schedule;
};

/// Ok and \p Choice for \p Subtree of \p K, or why it is left alone.
Verdict chooseContraction(const Kernel &K, const Node &Subtree,
                          const TargetModel &Target, const Options &O,
                          uint64_t StackLimit, ContractionChoice &Choice);

/// Ok and \p Choice with at least one contraction, or why the kernel is left
/// alone.
Verdict chooseKernel(const RaisedKernel &RK, const TargetModel &Target,
                     const Options &O, uint64_t StackLimit,
                     KernelChoice &Choice);

/// The parts of \p K, whose root has one child, if there are products among
/// them.
void chooseParts(const Kernel &K, const TargetModel &Target, const Options &O,
                 uint64_t StackLimit, KernelChoice &Choice);

/// True and \p Choice, loops, if blocks of rows (RowBlocks.h) have more
/// products of matrices than \p K, or calls and sums each loops of their own.
bool chooseRowBlocks(const Kernel &K, llvm::ArrayRef<BufferId> Hidden,
                     const TargetModel &Target, const MathPlan &Math,
                     const Options &O, uint64_t StackLimit,
                     KernelChoice &Choice);

/// The same for a kernel that was raised with two pointers as one, which is
/// taken in lanes or not at all.
Verdict chooseInPlace(const RaisedKernel &RK, const TargetModel &Target,
                      const Options &O, KernelChoice &Choice);

/// The child \p Part of the root of \p K as a kernel.
std::unique_ptr<Kernel> getPart(const Kernel &K, unsigned Part);

/// What waits where the results of sums go, besides sums to which another loop
/// adds.
struct SumStores {
  bool Starts;  ///< Start values.
  bool Results; ///< Sums, even if only one statement makes something of them.
};

/// Lets start values and sums below \p N that take statements of their own wait
/// where the results go. False if there are none. Assumes Kernel::Needs.
bool storeSums(Kernel &K, Node &N, SumStores How);

/// By part: the schedules for other machines.
using PartVariants = llvm::SmallVector<ContractionVariant, 2>;

/// Guards the nest of \p RK and calls the generated functions on the fast path.
/// If the verdict is not Ok, the original loops are what runs, perhaps behind a
/// guard that always takes them.
Verdict applyKernel(RaisedKernel &RK, KernelChoice &Choice,
                    llvm::ArrayRef<PartVariants> Variants,
                    const SelfCheck &Check, llvm::Function &F,
                    llvm::FunctionAnalysisManager &FAM);

} // namespace dlopt

#endif // DLOPT_VECTORIZE_CONTRACTIONSTRATEGY_H
