//===- Lanes.h - Iterations of an axis in the lanes of vectors --*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A parallel axis may run many of its iterations at once, one in each lane of
/// vectors, with all that is inside: loops (sums over rows or columns, each
/// lane keeping the order of its own), several leaves, conditions. Every lane
/// computes what the scalar loop computes, with the same operations, so results
/// are exact.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_LANES_H
#define DLOPT_LANES_H

#include "dlopt/Kernel.h"
#include "dlopt/Target.h"
#include "dlopt/VectorMath.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"

namespace dlopt {

/// Two tiles of a permutation.
constexpr uint64_t LaneBufferBytes = 20 << 10;

/// A second-level cache from this size on holds the lines of a strip, also
/// where they are a multiple of a page apart: as many lines as it has pages.
constexpr uint64_t LeastStripCache = 1 << 20;

/// Rounds of a search from which on it is worth its own lanes.
constexpr unsigned LongRow = 64;

/// Rounds of a maximum up to which lanes of rows are faster than sharing each.
constexpr unsigned MostShared = 256;

/// How a subtree is run.
struct LanePlan : MathPlan {
  /// The axes whose iterations are lanes; none is inside another but in what
  /// runs row by row.
  llvm::SmallVector<AxisId, 2> Axes;
  /// Of an axis in lanes, whose children run in turns: those up to the first
  /// end for one iteration of a group after the other, each row by itself (none
  /// if that is 0), those up to the second in lanes, and so on; the children
  /// behind the last end, whose number is even, row by row.
  struct Split {
    AxisId Rows;
    llvm::SmallVector<unsigned, 4> Ends;
    /// Rows are run by themselves before something is in lanes.
    bool beginsByRows() const { return Ends.front() || Ends.size() > 2; }
    bool operator==(const Split &S) const {
      return Rows == S.Rows && Ends == S.Ends;
    }
  };
  llvm::SmallVector<Split, 1> Splits;
  /// Vectors that are computed together along a row.
  unsigned AlongVectors = 1;
  /// Rows are too few to be lanes: each runs by itself, with lanes along it.
  bool RowByRow = false;
  /// Loops of calls and sums have become blocks, also where no axis has lanes.
  bool SeparatesCalls = false;
  /// Lanes of one vector, and vectors that are computed together.
  unsigned VectorElems = 1, Vectors = 1;
  /// A vector has VectorElems times vscale lanes, and what whole vectors leave
  /// is one vector under a mask.
  bool Scalable = false;
  /// A parallel axis directly around an axis of lanes or inside it, with
  /// nothing else between them: run in blocks of a cache line around the lanes.
  std::optional<AxisId> Blocked;
  /// Lanes are strips of so many cache lines, if any, whose rows run from end
  /// to end, and the lines to be written next are asked for ahead.
  unsigned StripLines = 0;
  /// Lanes are a cache line of what is written, and run from end to end beside
  /// a band of a few lines of each row that is read.
  bool InBands = false;
  /// Where rows have common sets in caches, tiles of those two axes go through
  /// a buffer of LaneBufferBytes on the stack.
  bool Buffered = false;
  /// Rows from which on lanes pay, if that is not a vector of them.
  unsigned LeastRows = 0;
  /// Fewer rows are lanes, too, if they are long: there is nothing else for
  /// them.
  bool TakesFewRows = false;
  /// Rows that loops in lanes read, each lane its own, are fetched ahead where
  /// no cache holds them, and so is what is searched.
  bool FetchesAhead = false;
  /// Then to the first-level cache, which has room for lines of rows that lie a
  /// page apart beside those that are read; else to the second one.
  bool FetchesToL1 = false;
  /// A search (see LaneSearch) directly inside an axis of lanes, whose rows
  /// have lanes of their own where they are not shorter than LongRow.
  std::optional<AxisId> LongSearch;
  /// An axis inside that of lanes whose rounds LLVM's vectors share, and well
  /// if there are more than MostShared of them: these loops stay as they are.
  std::optional<AxisId> ShortRows;
  /// Outputs that have so many bytes at least are written as Large says; 0:
  /// none are. See getStreams(). By vendor: past the caches; from FetchBytes on
  /// they are fetched ahead.
  uint64_t StreamBytes = 0, FetchBytes = 0;
  LargeStores Large = LargeStores::Plain;
  /// That is all there is to gain.
  bool OnlyStreams = false;
  /// All there is to gain is what variants for wider vectors gain.
  bool OnlyWider = false;
  /// All there is to gain are vectors, as LLVM's loops would have them if they
  /// were not scalar (ScalarOtherwise).
  bool OnlyVectors = false;
  /// There is code for variants alone: loops stay as they are where the machine
  /// has not CPUFeatures (getCPUFeatures), of the least of these.
  bool OnlyVariants = false;
  uint64_t CPUFeatures = 0;
  /// What runs beside this would lose more by variants for wider vectors than
  /// these gain.
  bool StaysNarrow = false;
  /// LLVM's loops are scalar where this runs: their tests that pointers are
  /// apart fail, or bounds may change as far as it knows.
  bool ScalarOtherwise = false;
  /// Products are rounded before they are added, although one instruction could
  /// do both: the code this stands in for has none.
  bool SeparateProducts = false;
  /// What whole vectors leave is done in vectors of so many lanes, and then one
  /// by one; 0: one by one at once.
  unsigned RestElems = 0;
  /// One vector at a time runs under a mask, until nothing is left.
  bool MaskedRest = false;
  /// Instructions that read tables in registers (TargetModel::Lookups).
  uint32_t Lookups = 0;
  /// A thread of a GPU computes with scalars, but reads and writes whole
  /// vectors, which are aligned (getVectorStart()); what runs the kernel
  /// becomes a part of the function that calls it.
  bool PerThread = false;

  const Split *getSplit(AxisId A) const {
    auto *It =
        llvm::find_if(Splits, [&](const Split &S) { return S.Rows == A; });
    return It == Splits.end() ? nullptr : It;
  }
  /// Whether the lanes of \p A share what it carries from round to round.
  bool isShared(const Kernel &K, AxisId A) const {
    return llvm::is_contained(Axes, A) && K.Axes[A].R != Role::Parallel &&
           !getSplit(A);
  }
};

/// The same subtree by a plan that not every machine can run.
struct LaneVariant : CodeVariant {
  LanePlan Plan;
};

/// A conversion to bfloat, which LLVM makes a call of on most targets.
bool isRoundedToBFloat(const Op &O);

/// The math function that \p O computes, if it is computed inline: its flags
/// allow an approximation, and nobody asks for errno.
std::optional<MathFunction> getInlineMath(const Op &O, const MathPlan &Plan);

/// A scalar state that a reduction axis carries, and of which each lane may
/// have a part.
struct LaneReduction {
  enum Kind : uint8_t {
    FAdd,
    FMul,
    Add,
    Choice ///< maximum or minimum: of the state and itself, that is the state
  };
  BufferId State = 0;
  Kind How = FAdd;
  const Leaf *L = nullptr; ///< where it is updated
  OpId Combine = 0;        ///< the new state
  OpId Old = 0;            ///< the load of the old one
};

/// What the innermost axis \p N carries; nullopt: lanes cannot share it, or
/// flags do not allow another order.
std::optional<llvm::SmallVector<LaneReduction, 2>>
getLaneReductions(const Kernel &K, const Node &N);

/// A search for the first or the last of the greatest (or smallest) values
/// along an axis: all states change together where a value is better.
struct LaneSearch {
  const Leaf *L = nullptr;
  BufferId State = 0; ///< the best value so far
  OpId Value = 0;
  /// Of a value and the state: greater or less, or equal as well where the last
  /// one is searched; false for what is no number.
  llvm::CmpInst::Predicate Better = llvm::CmpInst::FCMP_OGT;
  /// The state is `maxnum` or `minnum` of itself and the value: the first
  /// number takes the place of a state that is none. Of values that compare
  /// equal the state is the first one or, with KeepsLast, the last one, as in
  /// scalar code where KeepsFirstOfEqual holds.
  bool OfNumbers = false, KeepsLast = false;
  /// Better is what is asked of numbers. What happens where a value or the
  /// state is none is asked as well, and is what the loop does one by one.
  bool IsOfNumbersOnly = false;
  /// All states, and what they get where a value is better.
  llvm::SmallVector<std::pair<BufferId, OpId>, 2> News;
};

/// Whether the axis \p N is nothing but such a search. Lanes may share it
/// without any flags: the order does not matter. A maximum that flags make a
/// reduction (getLaneReductions) is not searched.
std::optional<LaneSearch> getLaneSearch(const Kernel &K, const Node &N);

/// What may be stored past the caches, or fetched ahead as a whole, if \p K is
/// nothing but the parallel axis \p A in lanes: each element of an output that
/// nothing reads, once, in order. With \p Blocked, directly around \p A or
/// inside it, there may be loops around both.
llvm::SmallVector<const Assign *, 2>
getStreams(const Kernel &K, AxisId A,
           std::optional<AxisId> Blocked = std::nullopt);

/// Iterations from which on \p Streams have \p Bytes bytes.
uint64_t getLeastStreamed(const Kernel &K, uint64_t Bytes,
                          llvm::ArrayRef<const Assign *> Streams);

/// The offset of an access in elements: of a local, row-major.
Poly getOffset(const Kernel &K, const Access &X);

/// Where vectors of neighbours along an axis begin.
struct VectorStart {
  Poly First; ///< the element at the start of all axes
  /// How much further on others begin.
  llvm::SmallVector<Poly, 2> Steps;
};

/// Of \p X along \p Lane, if a test in front of the kernel can tell whether
/// vectors of \p Elems elements are all aligned, and nothing says that they are
/// not. nullopt also where elements are no neighbours.
std::optional<VectorStart> getVectorStart(const Kernel &K, const Access &X,
                                          AxisId Lane, unsigned Elems);

/// Whether \p O reads elements that lie behind each other along \p Inner, an
/// axis inside the lanes of \p Lane, and apart along \p Lane: squares of them
/// are then read in vectors and transposed in registers.
bool isTransposed(const Kernel &K, const Op &O, AxisId Inner, AxisId Lane);

/// Whether the leaf \p L, directly inside the axis \p Inner, may read ahead
/// along that: nothing inside it writes what it reads, and it runs always.
bool mayReadAhead(const Node &Inner, const Leaf &L, const Op &O);

/// Whether \p A, in the leaf \p L directly inside the axis \p Inner, writes
/// such squares, and nothing else inside that touches what it writes: it may
/// wait until a square is full.
bool mayWriteBehind(const Kernel &K, const Node &Inner, const Leaf &L,
                    const Assign &A, AxisId Lane);

/// Whether of the children \p First and \p Second of \p N one runs: under a bit
/// and under its opposite.
bool areOpposite(const Kernel &K, const Node &N, size_t First, size_t Second);

/// Adds to \p Loads the conditional loads below \p N of what is read in the
/// same round whatever the condition says: they need no mask.
void addSafeLoads(const Kernel &K, const Node &N,
                  llvm::DenseSet<const Op *> &Loads);

/// An element of a table at an index that is made of a byte, which is read of
/// neighbours along an axis of lanes.
struct LaneLookup {
  const Op *Load = nullptr;
  AtomId Byte = 0;
  /// byte >> Shift & Most is the entry.
  unsigned Shift = 0, Most = 0;
  Poly First; ///< where entry 0 is, the same in all lanes
};

/// Iterations from which on it pays to bring a table into registers.
constexpr unsigned LeastLookups = 256;

/// What the parallel axis \p N does with its elements, if it does nothing else,
/// reads of tables that some row of Lookups.def, of those in \p Rows, holds.
/// Nothing writes these.
llvm::SmallVector<LaneLookup, 2> getLookups(const Kernel &K, const Node &N,
                                            uint32_t Rows);

/// Whether rows, the iterations of \p A in lanes, that fill no vector are in
/// both of its halves: from half a vector on they take as long as a whole one.
bool runsInHalves(const Kernel &K, AxisId A, const LanePlan &Plan);

/// What a kernel needs of the world: all parameters and external buffers that
/// occur in its loops, in ascending order.
struct LaneInputs {
  llvm::SmallVector<ParamId, 8> Params;
  llvm::SmallVector<BufferId, 4> Buffers;
};
LaneInputs getLaneInputs(const Kernel &K);

/// The scalar locals of the root, whose final values may be wanted.
llvm::SmallVector<BufferId, 2> getLaneResults(const Kernel &K);

/// A function that runs \p K as \p Plan says, for code of \p Caller. Its
/// arguments are the pointers of the buffers and the values of the parameters
/// in getLaneInputs(), in this order. It returns a struct of the final values
/// of getLaneResults(), or nothing if there are none. It uses the first of
/// \p Variants that the machine supports, \p Plan if there is none. \p Loc:
/// where the source has the kernel.
llvm::Function *getOrCreateLanes(const Kernel &K, const LanePlan &Plan,
                                 const llvm::Function &Caller,
                                 llvm::ArrayRef<LaneVariant> Variants,
                                 const llvm::DebugLoc &Loc);

} // namespace dlopt

#endif // DLOPT_LANES_H
