//===- Contraction.h - Plans and code for matrix products -------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The contraction strategy: the shape of one generated function
///
///   for m in [0, M), n in [0, N):
///     acc = start(m, n)
///     for k in [0, K) in ascending order: acc = A(m, k) * B(k, n) + acc
///     C[m*ldc + n] = epilogue(acc)     (acc itself, or an expression of it)
///
/// with A(m, k) = A[m*lda + k*StepA], or A[k*lda + m*StepA] if A is transposed,
/// B(k, n) = B[k*ldb + n*StepB], or B[n*ldb + k*StepB] if B is transposed, and
/// start(m, n) = S[m*srs + n] or, if the `scs` argument is 0, S[m*srs].
/// Start value 0 or a constant: S points to it, srs = scs = 0. C itself: S = C,
/// srs = ldc, scs = 1. Bias per column: srs = 0, scs = 1; per row: srs = 1,
/// scs = 0. All strides are in elements; those of A and B may be negative.
///
/// The epilogue is done to the register tile in front of its last store. If it
/// reads the old element of C, partial sums cannot go through C.
///
/// The function is exact, or for a single row what AddFlags allow: every
/// element of C gets exactly the roundings of the loop above. Preconditions,
/// guarded by the caller: M, N, K >= 1; all numbers below 2^30; C disjoint from
/// A, B and the operands of the epilogue, and from S unless S is C itself. The
/// schedule (register tile, k blocking through C, packing of B) follows Goto
/// and van de Geijn, Anatomy of High-Performance Matrix Multiplication, TOMS
/// 34(3), 2008, with the k loop of the tile innermost and in order.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_CONTRACTION_H
#define DLOPT_CONTRACTION_H

#include "dlopt/Expression.h"
#include "dlopt/Target.h"
#include <memory>
#include <string>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace dlopt {

/// What is stored to C, from a sum and other operands.
struct ContractionEpilogue {
  enum OperandKind : uint8_t {
    Sum,        ///< the end of the chain
    Output,     ///< C[m*ldc + n], as it was
    PerRow,     ///< P[m*rs]; arguments: ptr P, i64 rs
    PerElement, ///< P[m*rs + n]; arguments: ptr P, i64 rs
    Scalar      ///< one value; argument: that
  };
  struct Operand {
    OperandKind K;
    ScalarType Ty;
    /// PerRow, PerElement: a third argument, i1, says whether it may be read;
    /// otherwise its value does not matter.
    bool Conditional = false;
    /// PerElement: P[m*rs + n*cs]; a third argument (a condition is the fourth)
    /// is i64 cs.
    bool Stepped = false;
  };
  /// Over the operands by number; empty: the sum.
  Expression Value;
  llvm::SmallVector<Operand, 4> Operands;

  bool isTrivial() const { return Value.empty(); }
  bool readsOutput() const;
  void print(llvm::raw_ostream &OS) const;
};

/// C + the sum.
ContractionEpilogue getAddition(ScalarType Ty, llvm::FastMathFlags FMF);

/// What is computed.
struct ContractionSpec {
  ScalarType Ty = ScalarType::F32; ///< of the sums and their start values
  /// Of A and B, whose elements are extended, and of C, if these differ.
  std::optional<ScalarType> OperandTy, OutputTy;
  ScalarType getOperandTy() const { return OperandTy.value_or(Ty); }
  ScalarType getOutputTy() const { return OutputTy.value_or(Ty); }
  enum Combiner : uint8_t {
    FMulAdd, ///< llvm.fmuladd: fused where the scalar code would be
    FMA,     ///< llvm.fma: always fused
    MulAdd   ///< fmul, fadd: separate (fused only if both flags contract)
  } Comb = FMulAdd;
  /// Products are subtracted: -(a * b) is added by Comb.
  bool Subtracts = false;
  llvm::FastMathFlags MulFlags, AddFlags; ///< FMulAdd, FMA: AddFlags
  ContractionEpilogue Epilogue;
  /// What A(m, k) and B(k, n) are, before they are extended: over the element
  /// of the matrix (operand 0) and scalars of the epilogue (operand 1 +
  /// number), all of its type. Empty: the element.
  Expression FactorA, FactorB;
  /// What is added up is the product of A(m, k) and B(k, n), rounded by
  /// ScaleFlags, times this scalar of the epilogue.
  std::optional<unsigned> Scale;
  llvm::FastMathFlags ScaleFlags;
  /// The matrix lies in memory as its transpose.
  bool TransA = false, TransB = false;
  /// Elements from one column of the matrix, as it lies in memory, to the next,
  /// at most MaxStep forwards or backwards; AnyStep: an argument says it.
  int64_t StepA = 1, StepB = 1;
  static constexpr int64_t AnyStep = 0, MaxStep = 4;
  /// The same of C: 1, or AnyStep; and whether the `scs` argument may be
  /// anything, so that start(m, n) = S[m*srs + n*scs].
  int64_t StepC = 1;
  bool StepsOfStart = false;
  /// C, start values or operands of the epilogue are not read as vectors.
  bool hasResultSteps() const;
  /// The same product with all steps that are arguments equal to 1 (scs: 0 or
  /// 1), which has no such arguments; nullopt if there are none.
  std::optional<ContractionSpec> getUnitSteps() const;
  /// Which elements of C there are: all, or those left of a diagonal, n - m <
  /// an argument, or those right of it, n - m >= the argument. Each row and
  /// each column has one at least, so A and B can be read throughout; so can
  /// what lies between the elements of C, of S and of the epilogue's operands.
  enum Region : uint8_t { Rectangle, LowerTriangle, UpperTriangle };
  Region Elements = Rectangle;
  bool isTriangle() const { return Elements != Rectangle; }
  /// M is 1: a vector times a matrix.
  bool SingleRow = false;
  /// Where the source sums up, reads start values and stores results, for
  /// debuggers. They are no part of what is computed, and may be none.
  llvm::DebugLoc SumLoc, StartLoc, ResultLoc;
  /// There is code for single rows of a transposed B, which is not copied.
  bool hasRowKernel() const;
  /// Single rows are sums over lanes: not exact, but what the flags allow.
  bool usesDots() const;
  bool isTransposed() const { return TransA || TransB; }
  /// A or B is not multiplied as it lies in memory.
  bool makesFactors() const {
    return getOperandTy() != Ty || !FactorA.empty() || !FactorB.empty();
  }
  bool hasSteps() const { return StepA != 1 || StepB != 1; }
  bool convertsOutput() const { return getOutputTy() != Ty; }
  /// A (B) is copied, whatever the sizes.
  bool copiesA() const {
    return TransA || getOperandTy() != Ty || !FactorA.empty() ||
           StepA == AnyStep;
  }
  bool copiesB() const {
    return isTransposed() || makesFactors() || StepA == AnyStep || StepB != 1;
  }
  /// Elements from one step of k to the next where tiles read A.
  int64_t getTileStepA() const { return copiesA() ? 1 : StepA; }
  /// Partial sums need a buffer of their own.
  bool keepsSums() const { return Epilogue.readsOutput() || storesApart(); }
  /// Results are stored in another way than sums.
  bool storesApart() const { return convertsOutput() || StepC != 1; }
  /// The end of the chains is something else than one more sum.
  bool hasResults() const { return !Epilogue.isTrivial() || StepC != 1; }

  /// "matmul.nt.f32"
  std::string getName() const;
};

/// Blocks of the operands that are copied, and the buffer that holds them.
struct PackedBlocks {
  /// Block of B that is packed (elements). With long vectors NC is the width of
  /// a panel, if that is more, and KC what then fits.
  uint64_t KC = 0, NC = 0;
  /// Sums that are kept need no room where KC steps are all there are. Else
  /// blocks of SumKC steps and SumNC columns share the memory of KC by NC
  /// elements with SumRows rows of sums.
  uint64_t SumKC = 0, SumNC = 0, SumRows = 0;
  uint64_t RowsOfA = 0;    ///< rows of packed A
  uint64_t PackedLda = 0;  ///< distance of the rows of packed A
  uint64_t NarrowKC = 0;   ///< KC of a panel that one tile of rows uses
  uint64_t StackBytes = 0; ///< of all of them together
};

/// How: the numbers of the schedule, all derived from the target model.
struct ContractionPlan : PackedBlocks {
  unsigned VectorElems = 0; ///< lanes per vector, if Scalable times vscale
  unsigned TileRows = 0;    ///< register tile: rows of C ...
  unsigned TileVectors = 0; ///< ... by vectors of columns
  bool Fused = false;       ///< multiply-add is one instruction
  /// Vectors as long as the machine's, which is TuneVScale times VectorElems on
  /// the one that the code is tuned for. Blocks keep their size in bytes: see
  /// KC and NC.
  bool Scalable = false;
  unsigned TuneVScale = 1;
  /// What takes the place of the blocks where M * N * K is LargeWork at least,
  /// if that is not 0.
  PackedBlocks Large;
  uint64_t LargeWork = 0;
  /// Rows of packed A lie together in groups of TileRows: (i, k) is element
  /// (i / TileRows * PackedLda + k) * TileRows + i % TileRows. For a transposed
  /// A, of which a group has neighbours in each step.
  bool GroupedA = false;
  /// A transposed A of no more than StepBytesOfA is used in place: tiles take
  /// neighbours of each step, which lie lda apart. Its steps find sets for them
  /// in a cache of SetBytesOfA, if that is not 0.
  bool MayStayA = false;
  uint64_t StepBytesOfA = 0, SetBytesOfA = 0;
  /// Tiles ask for the lines of B that are copied next: a step of theirs has
  /// room for that.
  bool FetchesNext = false;
  uint64_t FetchedBytes = 0; ///< the part of the cache that is for these
  /// Then B is used in place for fewer rows of C than that, panel by panel, if
  /// its rows start at lines of the cache and a block of a panel stays in the
  /// first-level cache, of NearBytes.
  uint64_t NearRows = 0, NearBytes = 0;
  /// There is code for A and B in place.
  bool MayStay = true;
  unsigned MinChains = 1; ///< independent sums that keep the multipliers busy
  unsigned RowGroups = 1; ///< vectors of sums for one row of a transposed B
  /// Of a larger B one vector at a time, where a vector is a line of the cache.
  uint64_t PairBytes = 0;
  /// Sums over lanes: rows that are read together, vectors of each.
  static constexpr unsigned DotRows = 4;
  unsigned DotVectors = 1;
  unsigned UnrollK = 1; ///< steps of k per iteration of the tile loop
  /// The unrolled steps take lanes of vectors of A rather than elements: as
  /// many as a 128-bit vector has (AArch64 multiplies by a lane).
  bool LanesOfA = false;
  /// Columns beyond whole vectors: lanes switched off in loads, in stores;
  /// otherwise by parts of vectors.
  bool MaskedLoads = false, MaskedStores = false;
  /// B is used in place, unless both it and the rows of C exceed these: bytes
  /// of B whose rows start at lines of the cache, and of any other.
  uint64_t AlignedBytes = 0, UnalignedBytes = 0, PackRows = 0;
  /// Rows of C below which these may be exceeded, up to DirectBytes.
  uint64_t AlignedRows = 0, UnalignedRows = 0;
  /// How much of B few rows of C use in place at a time.
  uint64_t DirectBytes = 0;
  /// Rows of B in place, as wide as a tile, that the first-level cache holds
  /// until the next rows of A want them.
  uint64_t DirectRows = 0;
  /// Calls pay from these on: M * N * K, M * N, K.
  uint64_t MinWork = 0, MinOutputs = 0, MinK = 0;
  /// MinWork where all extents are constants: LLVM unrolls what is smaller.
  uint64_t MinKnownWork = 0;
  /// M * K for a single column, which has no vectors of sums: a power of two.
  uint64_t MinColumnWork = 1;
  /// The least N, if not 0; MinColumnWork does not matter then.
  uint64_t MinColumns = 0;
  /// Rows from which on a call pays.
  uint64_t MinRows = 1;
  /// How ContractionSpec::getUnitSteps is computed, which is looked for at run
  /// time: what takes any step often gets a step of 1.
  std::shared_ptr<const ContractionPlan> UnitSteps;
};

/// User overrides (dl-vectorize<tile=RxV;no-pack;stack=N;scalable>, block=,
/// in-place=); 0, true and nullopt mean "as the target says".
struct ContractionOverrides {
  unsigned TileRows = 0, TileVectors = 0;
  bool Pack = true;
  unsigned BlockSteps = 0, BlockColumns = 0;
  std::optional<uint64_t> InPlaceBytes;
  uint64_t StackBytes = 0;
  std::optional<bool> Scalable;
};

/// Steps of k that a block has at least.
constexpr uint64_t MinBlockSteps = 16;

/// nullopt: no schedule pays on this target.
std::optional<ContractionPlan> planContraction(const ContractionSpec &S,
                                               const TargetModel &T,
                                               uint64_t StackLimit,
                                               const ContractionOverrides &O);

/// The same product by a schedule that not every machine can run.
struct ContractionVariant : CodeVariant {
  ContractionSpec Spec;
  ContractionPlan Plan;
};

/// The internal noinline function that computes \p S by \p P for code in
/// \p Caller (whose target, FP and denormal attributes it takes over); an
/// identical one that the module already has is returned again. It uses the
/// first of \p Variants that the machine supports, \p P if there is none.
/// \p Loc: where the source has the product.
///
/// Signature: void (ptr C, i64 ldc, ptr A, i64 lda, ptr B, i64 ldb,
///                  ptr S, i64 srs, i64 scs, i64 M, i64 N, i64 K,
///                  arguments of the operands of the epilogue, in order,
///                  i64 step of A if that is any, i64 step of B likewise,
///                  of C, i64 diagonal of a triangle)
llvm::Function *
getOrCreateContraction(const ContractionSpec &S, const ContractionPlan &P,
                       const llvm::Function &Caller,
                       llvm::ArrayRef<ContractionVariant> Variants = {},
                       const llvm::DebugLoc &Loc = {});

} // namespace dlopt

#endif // DLOPT_CONTRACTION_H
