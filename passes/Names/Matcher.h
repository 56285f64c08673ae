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
#include "llvm/ADT/DenseMap.h"

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
  Products,
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
  Distance,
  Sampled,
  SampledEach,
  AddedTo,
  ScatteredTo,
  Pooled,
  Unpooled,
  Causal,
  Neighbours,
  Shuffled,
  Unshuffled,
  // The types of x and of the result.
  Quantized,
  Dequantized,
  Requantized,
  Converted,
  Narrow,
  // Of maps that move elements, by the index of x.
  Same,
  Exchanged,
  Reversed,
  Swapped,
  Permuted,
  Gathered,
  LookedUp,
  Part,
  Rolled,
  Wrapped,
  Stretched,
  Repeated
};

/// Whether \p Axes is about reductions over windows, whose conditions on
/// indices say where there is padding.
bool hasPadding(Over Axes);
/// Whether \p Axes is about products with windows.
bool hasFilter(Over Axes);
/// Whether arrays of \p K may have windows that move: two axes have the same
/// step, or one a small multiple of it; or there are two axes for two others.
bool mayHaveWindows(Kernel &K);

struct Program {
  llvm::StringLiteral Name;
  Over Axes;
  llvm::StringLiteral Formula;
  bool IsStep;
  bool AnyNumbers;
  Pattern::Outline Has;
  /// As Programs.def says of its name.
  bool IsLayer, IsSumLayer, IsEpilogue;
};

/// What a letter may stand for: an array, or an expression of some.
struct LetterCandidate {
  enum Kind : uint8_t { Array, Composed, Condition, Indices } K;
  ExprId Value;
  uint64_t Loads;        ///< a bit for each of the kernel's
  AxisSet Deps = 0;      ///< of an array
  bool IsTarget = false; ///< an array: what the result takes the place of
};

/// What an expression is of what an element has in the end.
struct ValueKind {
  bool IsGain;     ///< what has been added to what was there
  bool HasBorders; ///< conditions on indices have been taken off
};

/// The axes of \p Index, longest steps first.
llvm::SmallVector<AxisId, 4> getOrderOfAxes(const Kernel &K, const Algebra &A,
                                            const Poly &Index);
/// \p Index in the first round of all axes.
Poly getFirst(const Kernel &K, Poly Index);

/// Tries formulas on one expression.
class Matcher {
public:
  Matcher(Kernel &K, Algebra &A, ExprId E, const Formula &Target,
          const std::set<ExprId> &Scalars, ValueKind Is);
  bool fits(const Program &P);

private:
  /// Axes that a condition on indices, which was taken off, bounds together,
  /// and how far each goes there.
  struct Border {
    llvm::SmallVector<AxisId, 2> Axes;
    llvm::SmallVector<Poly, 2> Steps;
  };
  llvm::ArrayRef<const Pattern *> getFormulas(llvm::StringRef Text);
  bool fits(const Pattern &F);
  bool fitsRow(const Pattern &F);
  using NumberChoice = llvm::SmallVector<ExprId, 4>;
  bool bindArrays(const Pattern &F, size_t Next, uint64_t Left);
  void chooseNumbers(const Pattern &F, llvm::StringRef Letters,
                     std::vector<NumberChoice> &Choices);
  llvm::ArrayRef<NumberChoice> getNumberChoices(const Pattern &F);
  bool mayYieldWithNumbers(const Pattern &F);
  void addArray(uint32_t Id);
  void addIndices();
  void addFactors();
  void addUniform();
  void findMoments();
  void findBorders();
  std::optional<Border> getBorder(const SymbolicAtom &Condition) const;
  bool hasBorder(const Poly &Index, AxisId X, AxisId Y) const;
  bool yields(const Pattern &F);
  bool mayStandFor(char Letter, const LetterCandidate &C) const;
  bool hasAxes(Over Axes) const;
  bool hasStatistics(Over Axes) const;
  bool hasOrder(Over Axes) const;
  bool hasOrderOfAxes(const SymbolicAtom &X, Over Axes) const;
  bool isRepeated(const SymbolicAtom &X) const;
  bool isStretched(const SymbolicAtom &X) const;
  bool isLookedUp(const SymbolicAtom &X) const;
  bool isPart(const SymbolicAtom &X) const;
  bool isWrapped(const SymbolicAtom &X, bool IsWhole) const;
  bool isUnpooled() const;
  bool isSampled(Over Axes) const;
  bool isDistance() const;
  bool hasInterleavedRow(llvm::ArrayRef<AxisId> Order) const;
  unsigned countWindows(const Poly &Index, AxisSet Positions,
                        AxisSet Inside) const;
  bool hasBlocks(const SymbolicAtom &X) const;
  bool isTile(const Poly &Index, AxisId At, AxisId In) const;
  void joinTiles(const SymbolicAtom &X, llvm::SmallVectorImpl<AxisId> &From,
                 llvm::SmallVectorImpl<AxisId> &To) const;
  bool isShuffled(const SymbolicAtom &X, Over Axes) const;
  bool hasWindows(Over Axes) const;
  bool isScattered(Over Axes) const;
  bool isShare(AxisSet Inside) const;
  bool isFolded() const;
  bool isSpread() const;
  bool findOverwrites() const;
  bool isProduct(Over Axes) const;
  bool isOuter() const;
  bool hasTypes(Over Axes) const;
  bool isIndexed() const;
  bool isLinear() const;
  bool isOfRow(const SymbolicAtom &X, const SymbolicAtom &Row) const;
  bool isCausal() const;
  bool isDropped() const;
  bool haveOneArray() const;
  bool areNeighbours() const;
  bool haveParts() const;
  bool isUpdate() const;
  uint64_t getLoads(ExprId In) const;
  std::optional<ExprId> getSummand(uint32_t Id);
  void findComposed();
  void addCondition(ExprId Condition);
  bool isOfPower(ExprId Exponent) const;
  bool isFarther(const Poly &Index, AxisId X, AxisId Y) const;
  llvm::SmallVector<AxisId, 4> getOrder(const Poly &Index) const {
    return getOrderOfAxes(K, A, Index);
  }
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
  std::vector<uint32_t> Loads; ///< atoms with axes
  unsigned NumFull = 0;        ///< loads with all axes
  bool HasComposed = false;
  std::set<BufferId> Moments; ///< beside the result
  bool Scatters;              ///< where an element is stored is loaded for each
  bool Overwrites; ///< an element is stored several times, the last one counts
  std::vector<Border> Borders;
  AxisSet AllDeps = 0;
  std::set<AxisSet> Rows; ///< what reductions run over
  AxisSet AllRows = 0;
  std::vector<ExprId> Numbers;
  Features Has;
  Over Axes = Over::Any;
  bool AnyNumbers = false;
  ValueKind Is;
  /// Letters for arrays are many permutations. What numbers fit is found
  /// without them: all of these arrays are equal.
  Sampler Samples;
  std::optional<Sampler> EqualSamples, ConstantSamples;
  std::map<std::tuple<unsigned, AxisSet, unsigned>, std::vector<NumberChoice>>
      KnownNumbers; ///< by the formula, the row and the root
  /// By where the text stands.
  llvm::DenseMap<const char *, std::vector<const Pattern *>> KnownFormulas;
  Binding B;
};

} // namespace dlopt

#endif // DLOPT_NAMES_MATCHER_H
