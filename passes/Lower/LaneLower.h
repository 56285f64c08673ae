//===- LaneLower.h - Kernels with lanes ------------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_LOWER_LANELOWER_H
#define DLOPT_PASSES_LOWER_LANELOWER_H

#include "LaneContext.h"
#include "ScalarLower.h"

namespace dlopt {

/// Drops what operations inside the reductions that lanes share promise of
/// values that come about in the order of the source alone.
void dropOrder(Kernel &K, Node &N, const LanePlan &Plan);

/// Adds to \p Ops the exponential functions below \p N of elements of a row
/// less the row's maximum.
void addExpOfNegative(const Kernel &K, const Node &N,
                      llvm::DenseSet<const Op *> &Ops);

/// Adds to \p Ops what of \p K, for a target that keeps the first of two equal
/// numbers (TargetModel), is `maxnum` or `minnum` of a state that is a number,
/// whatever the other operand is: a comparison and a choice, which is one
/// instruction.
void addExtremesOfNumbers(const Kernel &K, const llvm::Function &F,
                          llvm::DenseSet<const Op *> &Ops);

/// Lanes of what \p Count lanes at a time leave; 0: nothing is left.
unsigned getNextCount(const LanePlan &Plan, unsigned Count);

inline bool isConditional(const Leaf &L) {
  return !L.Domain.empty() || L.Predicate;
}

/// The axis \p A at \p N or below; null: there is none.
const Node *findAxis(const Node &N, AxisId A);

/// Whether there are calls for each lane, which take as long as lanes save that
/// run twice.
bool hasSlowCalls(const Kernel &K, const LanePlan &Plan);

/// Whether lanes of \p N are rows, each of which takes as long by itself as all
/// together: sums, whose terms have an order.
bool areRows(const Kernel &K, const Node &N, const LanePlan &Plan);

/// Halves of the lanes of \p V with each other, until \p Left are left.
llvm::Value *combineHalves(
    llvm::IRBuilderBase &B, llvm::Value *V, unsigned Left,
    llvm::function_ref<llvm::Value *(llvm::Value *, llvm::Value *)> Combine);

/// The leaves in Inner, below two parallel axes: Lane runs in lanes, and along
/// Row the elements of Ops lie behind each other.
struct LaneBlock {
  const Node &Inner;
  AxisId Lane, Row;
  llvm::SmallVector<const Op *, 2> Ops;
};

/// Emits a subtree in the reference order, but for lanes.
class LaneLowering : public ScalarLowering {
public:
  LaneLowering(LaneContext &C, const Node &Top, const LanePlan &Plan)
      : ScalarLowering(C, Top), C(C), Plan(Plan) {
    addSafeLoads(C.K, Top, C.Safe);
  }

private:
  void lowerAxis(const Node &N) override;
  void lowerLeaf(const Leaf &L) override;
  void lowerChildren(const Node &N) override;
  bool mustStayScalar(const Node &N) override;
  void lowerLanesOf(const Node &N);
  void prefetchRow(const Node &N);
  void prefetchWritten(const Node &N);
  void prefetchAhead(const Access &X, llvm::Value *Ahead, bool IsWrite);
  llvm::Value *getNextRow(const Access &X);
  /// Iterations \p First to \p Trip of \p A: in several vectors, in one, one
  /// by one.
  void lowerLanes(AxisId A, llvm::Value *First, llvm::Value *Trip,
                  llvm::ArrayRef<LaneReduction> Reductions,
                  llvm::function_ref<void()> Body);
  void enterShared(AxisId A, llvm::Value *First, unsigned Count, bool IsFirst,
                   llvm::ArrayRef<LaneReduction> Reductions);
  llvm::Value *lowerUpToLast(AxisId A, llvm::Value *First, llvm::Value *Trip,
                             unsigned Count, unsigned Next,
                             llvm::function_ref<void()> Body);
  void lowerRowsTwice(AxisId A, llvm::Value *Trip,
                      llvm::function_ref<void()> Body);
  void lowerInHalves(AxisId A, llvm::Value *Trip,
                     llvm::function_ref<void()> Body);
  void openReductions(llvm::ArrayRef<LaneReduction> Reductions);
  /// From here on only \p Lanes lanes have parts of the states.
  void narrowReductions(llvm::ArrayRef<LaneReduction> Reductions,
                        unsigned Lanes);
  llvm::Value *combineHalves(const LaneReduction &R, llvm::Value *V,
                             unsigned Left);
  void closeReductions(llvm::ArrayRef<LaneReduction> Reductions);
  /// The lanes of \p V, which are a number of two's power, and the state from
  /// before are the state.
  void closeReduction(const LaneReduction &R, llvm::Value *V);
  // LaneScalable.cpp: the same under masks, and for scalable vectors.
  void lowerMaskedLanes(AxisId A, llvm::Value *First, llvm::Value *Trip,
                        llvm::ArrayRef<LaneReduction> Reductions,
                        llvm::function_ref<void()> Body);
  llvm::Value *combineVectors(const LaneReduction &R, llvm::Value *V,
                              unsigned Lanes);
  void closeScalableReductions(llvm::ArrayRef<LaneReduction> Reductions);
  llvm::Value *combine(const LaneReduction &R, llvm::Value *Old,
                       llvm::Value *New);
  // LaneStream.cpp: outputs that are larger than the caches.
  void lowerStreams(const Node &N, llvm::ArrayRef<const Assign *> Streams);
  llvm::Value *getMisalignment(AxisId A,
                               llvm::ArrayRef<const Assign *> Streams);
  llvm::Value *storePast(const Node &N, llvm::ArrayRef<const Assign *> Streams,
                         llvm::Value *Pays);
  llvm::Value *storeFetched(const Node &N, llvm::Value *First,
                            llvm::Value *Pays);
  llvm::Value *getPeel(AxisId A, const Assign &First, llvm::Align To);
  // LaneLookup.cpp: tables in registers.
  void lowerLookups(
      const Node &N, llvm::ArrayRef<LaneLookup> Lookups,
      llvm::function_ref<void(llvm::Value *First, llvm::Value *End)> Lower);
  void copyEntries(AxisId A, const LaneLookup &Of, llvm::Value *First,
                   llvm::Value *End, llvm::Value *Least, llvm::Value *Most,
                   llvm::Value *Copy);
  // LaneSearch.cpp: the greatest element and its position.
  void lowerSearch(const Node &N, const LaneSearch &S);
  struct FoundGroup {
    llvm::Value *Greatest = nullptr, *First = nullptr;
    llvm::Value *HasNaN = nullptr; ///< if that matters
  };
  FoundGroup searchGroups(AxisId A, const LaneSearch &S, llvm::Value *Trip,
                          unsigned Lanes, unsigned Chains);
  void takeGroup(AxisId A, const LaneSearch &S, const FoundGroup &Found,
                 unsigned Lanes);
  // LaneNumbers.cpp: the greatest number.
  void searchNumbers(AxisId A, const LaneSearch &S, llvm::Value *Trip,
                     unsigned Lanes);
  llvm::Value *reduceNumbers(AxisId A, const LaneSearch &S, llvm::Value *Trip,
                             unsigned Lanes, llvm::Value *Seed);
  llvm::Value *findEqual(AxisId A, const LaneSearch &S, llvm::Value *Trip,
                         unsigned Lanes, llvm::Value *Greatest,
                         llvm::Value *Otherwise);
  /// What is fetched while it is searched: elements so far ahead, and where
  /// they are behind \p End so much further on; nothing without \p Searched.
  struct SearchFetch {
    const Op *Searched = nullptr;
    llvm::Value *End = nullptr, *Ahead = nullptr, *Gap = nullptr;
  };
  SearchFetch getFetch(AxisId A, const LaneSearch &S, llvm::Value *Trip);
  void fetchAhead(AxisId A, const SearchFetch &Fetch, llvm::Value *First,
                  unsigned Lanes);
  void takeFound(AxisId A, const LaneSearch &S, llvm::Value *Greatest,
                 llvm::Value *Group, unsigned Lanes);
  void keepAsChosen(const LaneSearch &S, llvm::Value *Greatest);
  void branch(llvm::Value *Condition, llvm::function_ref<void()> IfTrue,
              llvm::function_ref<void()> IfFalse);
  /// Children of an axis whose iterations are lanes: in these, or row by row.
  struct RowPart {
    unsigned From, To;
    bool ByRow;
  };
  /// All of them, and memory for what one of them leaves to another one: an
  /// element of a local for each row of a block.
  struct RowParts {
    llvm::SmallVector<RowPart, 4> Parts;
    llvm::SmallVector<std::pair<BufferId, llvm::AllocaInst *>, 4> Memory;
  };
  RowParts getParts(const Node &N, const LanePlan::Split &Rows, unsigned Most);
  void forEachShared(const Node &N, const RowParts &Parts, const RowPart &P,
                     bool Reads,
                     llvm::function_ref<void(BufferId, llvm::AllocaInst *)> Do);
  llvm::Type *getMemoryType(BufferId Buf);
  void readElement(BufferId Buf, llvm::AllocaInst *Memory, llvm::Value *Row);
  void writeElement(BufferId Buf, llvm::AllocaInst *Memory, llvm::Value *Row);
  /// Least rows in Count lanes, whose halves may have rows in common.
  struct BlockKind {
    unsigned Count, Least;
    bool InHalves;
  };
  llvm::SmallVector<BlockKind, 6> getBlockKinds(bool InHalves) const;
  /// Rows from First on, in Size lanes; Kind: its number. Second: where the
  /// upper half of these begins, if that need not be behind the lower one.
  struct RowBlock {
    llvm::Value *First, *Size, *Rows, *Kind, *Second = nullptr;
  };
  RowBlock getBlock(llvm::ArrayRef<BlockKind> Kinds, llvm::Value *First,
                    llvm::Value *Trip);
  void lowerRows(const Node &N, const RowParts &Parts, const RowPart &P,
                 const RowBlock &Block);
  llvm::SmallVector<AtomId, 2> computeQuotientsOfRow(const Node &N,
                                                     const Node &Part);
  void lowerRowsInLanes(const Node &N, const RowParts &Parts, const RowPart &P);
  void lowerRowBlocks(const Node &N, const LanePlan::Split &Rows,
                      llvm::Value *First, llvm::Value *Trip, bool InHalves);
  void forEachKind(llvm::ArrayRef<BlockKind> Kinds, const RowBlock &Block,
                   llvm::function_ref<void(const BlockKind &)> Body);
  void collectPrivate(const Node &N);
  // LaneTranspose.cpp: what reads or writes rows.
  bool lowerTransposed(const Node &N);
  void lowerColumns(const Node &N, llvm::ArrayRef<const Op *> Ops, AxisId Row,
                    llvm::Value *First, unsigned Count,
                    bool FetchesNext = false,
                    llvm::function_ref<void(unsigned I)> AddAhead = nullptr);
  void fetchNextTargets(const Node &N);
  /// Calls \p Body for pieces of \p Row, of as many elements as possible.
  void forEachPiece(AxisId Row, llvm::Value *First, llvm::Value *Trip,
                    llvm::ArrayRef<unsigned> Counts,
                    llvm::function_ref<void(llvm::Value *, unsigned)> Body);
  llvm::SmallVector<const Assign *, 2> getRowStores(const Node &N);
  void writeBehind(const Assign &A);
  unsigned getSquare(const llvm::Type *Elem) const;
  llvm::SmallVector<llvm::Value *, 16> readAhead(const Op &O, unsigned Count,
                                                 bool FetchesNext = false);
  llvm::SmallVector<const Op *, 2> getRowLoads(const Node &N, AxisId Row,
                                               AxisId Lane);
  /// Of rows that a loop reads: whether they are fetched ahead, and by how many
  /// bytes.
  struct RowFetch {
    llvm::Value *IsFar = nullptr;
    llvm::SmallVector<std::pair<const Op *, llvm::Value *>, 2> Rows;
  };
  RowFetch getFetch(const Node &N, llvm::ArrayRef<const Op *> Ops);
  void fetchAhead(const RowFetch &Fetch);
  // LaneTiles.cpp: the same with bodies that are much code.
  /// Columns of some rows, in memory.
  struct ColumnBlock {
    llvm::AllocaInst *Memory;
    llvm::Type *Column;
  };
  ColumnBlock getColumnsInMemory(ScalarType Elem, unsigned Columns,
                                 unsigned Number);
  /// Memory of the function for \p Ty, one for each \p Number.
  llvm::AllocaInst *getTileMemory(llvm::Type *Ty, llvm::Align Least,
                                  unsigned Number);
  llvm::Value *getColumn(const ColumnBlock &T, llvm::Value *At);
  void readColumns(const Op &O, const ColumnBlock &T, llvm::Value *At,
                   unsigned Count, unsigned Together);
  llvm::Align getColumnAlign(const ColumnBlock &T) const;
  void writeColumns(const Assign &A, const ColumnBlock &T, llvm::Value *At,
                    unsigned Count);
  /// A function of elements of a row.
  struct RowFunction {
    const Leaf *L = nullptr;
    OpId Id = 0;
    /// What of the leaf it is made of.
    llvm::SmallVector<bool, 16> Needed;
    /// Loads of that which read rows.
    llvm::SmallVector<const Op *, 2> Rows;
    /// Those which are the same all along a row: scalars, or memory with an
    /// element for each row.
    llvm::SmallVector<std::pair<const Op *, llvm::Value *>, 2> Fixed;
    /// What the leaves read of rows besides.
    llvm::DenseSet<const Op *> InColumns;
  };
  void computeColumns(const RowFunction &F, llvm::ArrayRef<const Op *> Ops,
                      llvm::ArrayRef<ColumnBlock> Read, const ColumnBlock &To,
                      llvm::Value *Count);
  void lowerByTiles(const Node &N, llvm::ArrayRef<const Op *> Ops,
                    llvm::ArrayRef<unsigned> Counts, const RowFetch &Fetch);
  // LaneRowFunctions.cpp: functions with lanes along each of a few rows.
  std::optional<RowFunction>
  getRowFunction(const Node &N, llvm::ArrayRef<const Op *> Ops) const;
  llvm::Value *emitFunction(const RowFunction &F);
  bool runsByRows(const RowFunction &F) const;
  llvm::Value *isLongRow(AxisId Along);
  llvm::Value *countRows();
  void readFixed(RowFunction &F);
  void readLine(const Op &O, AxisId Along, llvm::Value *Line,
                llvm::ArrayRef<unsigned> Counts, llvm::Value *Count);
  /// Where rows are, and from one to the next one, in elements.
  struct RowSource {
    llvm::Value *First, *Step;
  };
  llvm::SmallVector<RowSource, 2> getRowSources(const RowFunction &F,
                                                AxisId Along,
                                                llvm::ArrayRef<unsigned> Counts,
                                                unsigned Width,
                                                llvm::Value *Count);
  llvm::AllocaInst *getRowsInMemory(ScalarType Ty, unsigned Width,
                                    unsigned Rows, unsigned Number);
  void computeRow(const RowFunction &F, llvm::ArrayRef<RowSource> Sources,
                  llvm::Value *Row, llvm::Value *To, unsigned Width,
                  llvm::Value *Count);
  llvm::SmallVector<llvm::Value *, 16>
  getColumnsOfRows(ScalarType Ty, llvm::AllocaInst *Results, unsigned Width,
                   llvm::Value *At, unsigned Count);
  llvm::AllocaInst *computeRows(const RowFunction &F, AxisId Along,
                                llvm::ArrayRef<unsigned> Counts, unsigned Width,
                                llvm::Value *Count);
  void lowerByRows(const Node &N, llvm::ArrayRef<const Op *> Ops,
                   llvm::ArrayRef<unsigned> Counts, const RowFetch &Fetch,
                   RowFunction &F);
  // LaneBlocks.cpp: two parallel axes, one of which is for lanes.
  void lowerBlocks(const Node &Outer);
  /// Some of the columns of a block, in some of the lanes.
  struct BlockPart {
    llvm::Value *FirstRow, *RowEnd, *FirstLane, *LaneEnd;
  };
  void lowerPart(const LaneBlock &Block, const BlockPart &Part);
  void lowerDirectly(const LaneBlock &Block, const BlockPart &Part);
  void lowerStrips(const LaneBlock &Block, const BlockPart &Part);
  void lowerBands(const LaneBlock &Block, const BlockPart &Part);
  void prefetchTargets(const LaneBlock &Block, unsigned Rows, unsigned Lines);
  void lowerBuffered(const LaneBlock &Block, llvm::Value *RowEnd,
                     llvm::Value *LaneEnd);
  void fillBuffer(const LaneBlock &Block, llvm::Value *Buffer);
  void emptyBuffer(const LaneBlock &Block, llvm::Value *Buffer, unsigned Count);
  llvm::Value *haveCommonSets(const LaneBlock &Block);
  // LaneBlockStreams.cpp: the same, of outputs that are larger than the caches.
  llvm::Value *goesPastCaches(const LaneBlock &Block,
                              llvm::ArrayRef<const Assign *> Streams);
  BlockPart lowerPastCaches(const LaneBlock &Block,
                            llvm::ArrayRef<const Assign *> Streams,
                            llvm::Value *Pays);
  void storeLinesPast(const LaneBlock &Block, const BlockPart &Part,
                      llvm::ArrayRef<const Assign *> Streams, unsigned Columns);
  BlockPart lowerInBuffer(const LaneBlock &Block, llvm::Value *IsDone);
  void lowerBeside(const LaneBlock &Block, const BlockPart &Done);

  LaneContext &C;
  const LanePlan &Plan;
  bool AlongRow = false; ///< in what rows do one after the other
  /// Memory for columns and rows, by its type.
  llvm::DenseMap<std::pair<llvm::Type *, unsigned>, llvm::AllocaInst *> Tiles;
  /// Arrays of which the lanes that run have read rows.
  llvm::SmallDenseSet<BufferId, 4> Fetched;
  const Node *Row = nullptr; ///< the innermost axis that is a loop around all
  const Node *Program = nullptr; ///< the innermost one around all with parts
  const Node *AroundLanes = nullptr; ///< the same of the lanes that run
};

} // namespace dlopt

#endif // DLOPT_PASSES_LOWER_LANELOWER_H
