//===- Matcher.h - Formulas of a kernel against those of rows --*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_NAMES_MATCHER_H
#define DLOPT_NAMES_MATCHER_H

#include "Evaluator.h"
#include "Pattern.h"

namespace dlopt {

/// Which axes a row of Programs.def is about; what each means stands there.
enum class Over : uint8_t {
  Any,
  Rows,
  Batch,
  Groups,
  Instances,
  // Conditions on indices are borders.
  Unfolded,
  Windows,
  Windows1,
  Windows2,
  Windows3,
  Depthwise1,
  Depthwise2,
  Depthwise3,
  Grouped1,
  Grouped2,
  Grouped3,
  Scattered1,
  Scattered2,
  Scattered3,
  Spread,
  Folded,
  Padded,
  // Others.
  Matrices,
  MatrixVector,
  Vectors,
  Outer,
  Channels,
  Centred,
  Normalized,
  Update,
  Rotated,
  Dropped,
  Indexed,
  Linear,
  AddedTo,
  ScatteredTo,
  Causal,
  Neighbours,
  Shuffled,
  // The types of x and of the result.
  Quantized,
  Dequantized,
  Requantized,
  Converted,
  // Of maps that move elements, by the index of x.
  Same,
  Reversed,
  Swapped,
  Permuted,
  Gathered,
  Stretched,
  Repeated
};

/// Whether \p Axes is about reductions over windows, whose conditions on
/// indices say where there is padding.
bool hasPadding(Over Axes);

struct Program {
  llvm::StringLiteral Name;
  Over Axes;
  std::vector<Pattern> Formulas;
  bool IsStep;
  bool AnyNumbers;
};

/// What a letter may stand for: an array, or an expression of some.
struct LetterCandidate {
  enum Kind : uint8_t { Array, Composed, Condition, Indices } K;
  ExprId Value;
  std::set<uint32_t> Loads; ///< atoms
};

/// What an expression is of what an element has in the end.
struct ValueKind {
  bool IsGain;     ///< what has been added to what was there
  bool HasBorders; ///< conditions on indices have been taken off
};

/// Tries formulas on one expression.
class Matcher {
public:
  Matcher(Kernel &K, Algebra &A, ExprId E, const Formula &Target,
          const std::set<ExprId> &Scalars, ValueKind Is);
  bool fits(const Program &P);

private:
  bool fits(const Pattern &F);
  bool bindArrays(const Pattern &F, size_t Next, std::set<uint32_t> &Left);
  bool bindNumbers(const Pattern &F, size_t Next);
  bool yields(const Pattern &F);
  bool mayStandFor(char Letter, const LetterCandidate &C) const;
  bool hasAxes(Over Axes) const;
  bool hasStatistics(Over Axes) const;
  bool hasOrder(Over Axes) const;
  bool hasOrderOfAxes(const SymbolicAtom &X, Over Axes) const;
  bool isRepeated(const SymbolicAtom &X) const;
  bool isStretched(const SymbolicAtom &X) const;
  bool hasInterleavedRow(llvm::ArrayRef<AxisId> Order) const;
  unsigned countWindows(const Poly &Index, AxisSet Positions,
                        AxisSet Inside) const;
  bool hasWindows(Over Axes) const;
  bool isScattered(Over Axes) const;
  bool isShare(AxisSet Inside) const;
  bool isFolded() const;
  bool isSpread() const;
  bool overwrites() const;
  bool isProduct(Over Axes) const;
  bool isOuter() const;
  bool hasTypes(Over Axes) const;
  bool isIndexed() const;
  bool isLinear() const;
  bool isOfRow(const SymbolicAtom &X, const SymbolicAtom &Row) const;
  bool isCausal() const;
  bool isDropped() const;
  bool haveOneArray() const;
  std::set<uint32_t> getLoads(ExprId In) const;
  std::optional<ExprId> getSummand(uint32_t Id);
  void findComposed();
  void addCondition(ExprId Condition);
  bool isOfPower(ExprId Exponent) const;
  bool isFarther(const Poly &Index, AxisId X, AxisId Y) const;
  llvm::SmallVector<AxisId, 4> getOrder(const Poly &Index) const;
  const SymbolicAtom *getArray(char Letter) const;
  /// What elements come from: x, or m.
  const SymbolicAtom *getMoved() const {
    const SymbolicAtom *X = getArray('x');
    return X ? X : getArray('m');
  }

  Kernel &K;
  Algebra &A;
  ExprId E;
  const Formula &Target;
  std::vector<LetterCandidate> Candidates;
  std::set<uint32_t> Loads;
  AxisSet AllDeps = 0;
  std::set<AxisSet> Rows; ///< what reductions run over
  AxisSet AllRows = 0;
  std::vector<ExprId> Numbers;
  Features Has;
  Over Axes = Over::Any;
  bool AnyNumbers = false;
  ValueKind Is;
  Sampler Samples;
  Binding B;
};

} // namespace dlopt

#endif // DLOPT_NAMES_MATCHER_H
