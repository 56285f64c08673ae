//===- ScheduleEmitter.h - Scheduled kernels to IR --------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// ScheduleTree.cpp walks the tree (axes, cases, locals), ScheduleBlocks.cpp
/// makes the codes of an axis in blocks, ScheduleRows.cpp loops that are an
/// instruction, ScheduleLeaf.cpp leaves, out of lanes and in lanes alike,
/// ScheduleMemory.cpp what they read and write there, at places that
/// ScheduleAddress.cpp finds, and ScheduleRegisters.cpp the same for registers.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_LOWER_SCHEDULEEMITTER_H
#define DLOPT_PASSES_LOWER_SCHEDULEEMITTER_H

#include "LaneModels.h"
#include "ScheduleFacts.h"
#include "ScheduleViews.h"
#include "dlopt/Instructions.h"
#include "dlopt/LowerSchedule.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <map>

namespace dlopt {

/// The lanes that leaves run in; out of lanes there is one.
struct LaneState {
  std::optional<AxisId> Axis;
  /// How many there are; of a scalable vector, where vscale is 1.
  unsigned Width = 1;
  bool Scalable = false;
  /// Of a scalable vector: how many lanes are in front of it, if that is known.
  std::optional<ScheduleSize> Start;
  /// Those with an element, and those for which the leaf runs, too; null: all.
  llvm::Value *Range = nullptr, *Mask = nullptr;
  llvm::Value *Left = nullptr; ///< how many have one, if not all do
  /// Masks may be the bits of numbers.
  bool MayBeBits = false;
  /// Some lane has an element.
  bool IsSomeInRange = true;
  /// Some lane runs, as the code has been branched to.
  bool IsGuarded = false;
  /// The one lane that code is made for now.
  std::optional<unsigned> Current;

  bool isVector() const { return Width > 1 && !Current; }
  llvm::ElementCount getCount() const {
    return llvm::ElementCount::get(Width, Scalable);
  }
};

/// The bounds of an axis.
struct AxisBounds {
  llvm::Value *Begin = nullptr, *End = nullptr;
  NumberRange BeginRange, EndRange;
  std::optional<int64_t> getBegin() const { return BeginRange.getNumber(); }
  std::optional<int64_t> getEnd() const { return EndRange.getNumber(); }
};

/// Vectors of an axis in lanes that are not a loop.
constexpr unsigned MostLaneVectors = 16;

/// The first element of an axis in lanes and the first behind it that it may
/// have, where code is made for each vector; nullopt: these are a loop. Of
/// scalable lanes both are times `vl`.
std::optional<std::pair<int64_t, int64_t>>
getLaneElements(const ScheduleFacts &Facts, const Axis &A);

/// Whether \p Buf is kept in registers: a place, or no dimension.
bool isInRegisters(const Buffer &Buf);
/// Whether nothing in \p P is read, or is a quotient, in which facts are that
/// hold under conditions alone.
bool isPlain(const Kernel &K, const Poly &P);

/// The alignment of locals on the stack: a cache line, the longest vector.
constexpr uint64_t StackAlign = 64;

/// What the local \p B takes of the stack; nullopt: nothing, or a number that
/// is known at run time only.
std::optional<uint64_t> getStackBytes(const Kernel &K, BufferId B);

/// Elements behind the end of the local \p B that lanes past the end may touch.
uint64_t getRoom(const Kernel &K, BufferId B);
/// More of these, times `vl`.
int64_t getScalableRoom(const Kernel &K);
/// Whether \p Buf has a dimension of a scalable size.
bool isScalable(const Kernel &K, const Buffer &Buf);

/// The row of \p Name with the fewest lanes, \p Lanes at least, that the target
/// of \p F has; null: none.
const InstructionRow *findInstruction(const llvm::Function &F,
                                      llvm::StringRef Name, unsigned Lanes);

class ScheduleEmitter : public ScalarContext {
public:
  ScheduleEmitter(llvm::IRBuilderBase &B, const Kernel &K,
                  const MathPlan &Math);
  /// \p Views: what has made the kernel.
  llvm::DenseMap<BufferId, llvm::Value *> run(ViewResolver &Views);

  /// The value of \p P: the same for all lanes, or that in the current lane.
  llvm::Value *getPoly(const Poly &P) override;
  /// As many values as lanes.
  llvm::Value *getLanePoly(const Poly &P);
  bool isVarying(const Poly &P) const;
  bool isVarying(const Access &X) const;
  /// What is known of \p C for all lanes.
  std::optional<bool> holds(const Constraint &C);
  llvm::Value *emitConstraint(const Constraint &C);
  /// Whether \p L, in lanes of \p Lane, may read what all lanes share or call a
  /// function: that must not happen where no lane runs.
  bool readsForAllLanes(const Leaf &L, AxisId Lane) const;

  /// Where an access is; what has to be computed before the first store.
  struct Place {
    llvm::Value *Address = nullptr; ///< or addresses, by lane
    bool AreNeighbours = false;
  };
  Place locate(const Access &X);
  /// Where the last subscript, which says how far ahead it is, is added to the
  /// row that others access, too.
  llvm::Value *locateAhead(const Access &X);
  /// Whether some leaf stores to \p Buf.
  bool isStored(BufferId Buf) const;
  /// A scalar, or a vector where the places of lanes differ.
  llvm::Value *load(const Access &X, llvm::Value *Origin);
  void store(const Assign &A, const Place &To, llvm::Value *V);
  void emitFence();

  /// \p V in all lanes.
  llvm::Value *spread(llvm::Value *V);
  llvm::Value *createVector(llvm::Type *Elem,
                            llvm::function_ref<llvm::Value *(unsigned)> Get);
  /// Lanes for which \p Condition does not hold do not run from here on.
  void addToMask(llvm::Value *Condition);
  /// All lanes run but for those past the end, and not all are.
  bool isSomeLaneSure() const {
    return Lanes.IsSomeInRange && Lanes.Mask == Lanes.Range;
  }
  bool isSomeLaneKnown() const;
  /// Runs \p Then where \p Condition holds, else \p Else; see there.
  std::pair<llvm::BasicBlock *, llvm::BasicBlock *>
  branch(llvm::Value *Condition, llvm::function_ref<void()> Then,
         llvm::function_ref<void()> Else = nullptr);

  const MathPlan &Math;
  LaneModels Models;
  ScheduleFacts Facts;
  LaneState Lanes;

protected:
  llvm::Value *getAtom(AtomId Id) override;

private:
  // ScheduleTree.cpp
  llvm::Value *createStackLocals();
  void emitNumbers(ViewResolver &Views); // ScheduleViews.cpp
  void enterLocals(const Node &N);
  void emitChildren(const Node &N);
  void emitNode(const Node &N);
  void emitCases(const Node &N, llvm::ArrayRef<Constraint> Left);
  void emitAllOrNot(const Node &N);
  void emitAxis(const Node &N);
  void emitAxisUnder(const Node &N, llvm::ArrayRef<const Constraint *> Left);
  AxisBounds getBounds(AxisId A);
  void addFacts(AxisId A, const Poly &Elements);
  std::optional<AtomId> findAtom(Atom::Kind Kind, AxisId A) const;
  /// \p S as a value, `vl` being what the machine says.
  llvm::Value *getValue(const ScheduleSize &S);
  llvm::VectorType *getVectorType(llvm::Type *Elem) const;
  llvm::Value *getAllLanes();
  void emitRound(const Node &N, llvm::Value *At, NumberRange Range);
  /// A loop that code is made for now, and what is made in front of it.
  struct LoopFrame {
    llvm::BasicBlock *Preheader;
    unsigned Depth;
    /// Where a round begins: behind an instruction, or null: at the beginning.
    llvm::BasicBlock *Begin = nullptr;
    llvm::Instruction *BeginsBehind = nullptr;
    std::map<std::pair<BufferId, Poly>, llvm::Value *> Cursors;
    std::map<Poly, llvm::Value *> Values; ///< what is computed there
    /// Pointers to rows of copies, as they are computed and as they are used:
    /// in front of the loop, or at the beginning of a round for loops inside.
    struct RowCursor {
      BufferId Buf;
      Poly Offset;
      llvm::Value *Computed, *Used;
    };
    llvm::SmallVector<RowCursor, 0> Rows, InnerRows;
    /// How far rows of moves are behind the first one, at the beginning of a
    /// round for loops inside.
    struct RowOffset {
      Poly Stride, Rows;
      int64_t At;
      llvm::Value *Offset;
    };
    llvm::SmallVector<RowOffset, 0> RowOffsets;
  };
  void setBegin(LoopFrame &L);
  void setInsertPointAtBegin(const LoopFrame &L);
  CountedLoop beginAxis(const AxisBounds &Bounds, llvm::Value *End,
                        llvm::Value *Step, const llvm::Twine &Name);
  void endAxis(CountedLoop &L);
  void emitLoop(const Node &N, const AxisBounds &Bounds);
  void emitUnrolled(const Node &N);
  void emitCopy(const Node &N, int64_t At, llvm::ArrayRef<Poly> Begins,
                llvm::ArrayRef<Poly> Extents);
  // ScheduleBlocks.cpp
  void emitBlock(const Node &N, llvm::Value *At, NumberRange Range,
                 llvm::Value *Size, NumberRange SizeRange);
  void emitBlocks(const Node &N, AxisBounds Bounds);
  void emitEmptyBlock(const Node &N, const AxisBounds &Bounds);
  void emitStep(const Node &N, AxisBounds &Bounds, const ScheduleSize &Size,
                std::optional<ScheduleSize> Before);
  void addSizeFact(AxisId A, const Poly &Most);
  void emitRest(const Node &N, const AxisBounds &Bounds);
  void emitOverlap(const Node &N, const AxisBounds &Bounds, NumberRange First);
  void emitUpTo(const Node &N, const AxisBounds &Bounds);
  // ScheduleRows.cpp
  void emitRow(const Node &N);
  bool areNumbersApart(const Access &X);
  bool isOfNeighbours(const Access &X, int64_t Apart) const;
  bool canFillUp() const;
  bool isWholeRow();
  void inElementAt(llvm::Value *At, NumberRange Range,
                   llvm::function_ref<void()> Emit);
  void inElement(int64_t At, llvm::function_ref<void()> Emit);
  llvm::Value *ifElement(int64_t At, llvm::Value *Before,
                         llvm::function_ref<llvm::Value *()> Then);
  llvm::Value *getForElements(llvm::Constant *Each);
  llvm::Value *loadShared(const Op &Load, llvm::Type *Whole);
  llvm::Value *loadFactor(const Op &Load);
  using Operands = llvm::SmallVector<llvm::Value *, 3>;
  /// Elements of an axis that are one instruction: what each has, and then the
  /// sums that each stores.
  struct DotsTogether {
    llvm::SmallVector<Operands, 4> Args;
    llvm::SmallVector<llvm::Value *, 4> Results;
    size_t Stored = 0;
  };
  Operands getOperands(const InstructionRow &I, const Assign &A);
  llvm::Value *createDot(const InstructionRow &I, Operands Args);
  void emitDot(const InstructionRow &I, const Assign &A);
  unsigned countTogether(const Node &N, int64_t Rounds,
                         const InstructionRow *&I);
  void emitTogether(const Node &N, int64_t Begin, unsigned Count,
                    const InstructionRow &I);
  bool maskLanesOfMove(const Leaf &L);
  void emitRowLeaf(const Leaf &L);
  // ScheduleMoves.cpp
  void storeNumbers(const Access &X, llvm::Value *V);
  void storeTransposed(const Access &X, llvm::ArrayRef<llvm::Value *> Vs);
  bool isMoveOfNumbers() const;
  bool canAddTree();
  void emitTree(const Assign &A);
  bool canMove() const;
  void emitMove();
  llvm::Value *convertMoved(llvm::Value *V);
  llvm::Value *emitConversion(const Expression &X, llvm::Value *V);
  bool isTransposed() const;
  std::optional<Poly> getNumberOfRows() const;
  llvm::Value *getRowOffset(int64_t At, const Poly &Stride, const Poly &Rows);
  llvm::SmallVector<llvm::Value *, 16> getRowsOfMove(const Op &Load);
  bool emitTransposed();
  // ScheduleLanes.cpp
  void emitLanes(const Node &N, const AxisBounds &Bounds);
  void emitVector(const Node &N, llvm::Value *First, int64_t At,
                  const AxisBounds &Bounds);
  bool canRunForNone(const Node &N);
  void emitLaneLoop(const Node &N, const AxisBounds &Bounds);
  void emitInLanes(const Node &N, llvm::Value *First,
                   std::optional<int64_t> Number, const ScheduleSize &Width,
                   llvm::Value *Left);
  llvm::Value *createMask(llvm::Value *Count);
  bool hidesKnownMasks() const;
  bool hidesParts() const;
  llvm::Value *hideLanes(llvm::Value *Mask);
  llvm::Value *hideNumber(llvm::Value *Number);
  llvm::Value *hideMask(llvm::Value *Mask, llvm::Value *Number);
  llvm::Value *getKnownMask(llvm::Value *Mask) const;
  llvm::Value *emitInLaneRange(const Poly &P, int64_t Stride);
  // ScheduleAddress.cpp
  unsigned getDepth(AtomId Id) const;
  std::map<unsigned, Poly> splitByDepth(const Poly &P) const;
  bool isOfLane(const Poly &P) const;
  llvm::Value *getPart(const Poly &Part, unsigned Of);
  bool isInRowsOfCopies(const Poly &Offset) const;
  LoopFrame *findOwner(unsigned Of);
  llvm::Value *createRow(llvm::ArrayRef<LoopFrame::RowCursor> Rows,
                         BufferId Buf, const Poly &Offset,
                         llvm::ArrayRef<Poly> Parts);
  llvm::Value *getRow(LoopFrame *Owner, BufferId Buf, const Poly &Offset,
                      llvm::ArrayRef<Poly> Parts);
  llvm::Value *getCursor(BufferId Buf, const Poly &Offset,
                         std::map<unsigned, Poly> &Parts, int64_t &Constant);
  llvm::Value *getAddress(BufferId Buf, const Poly &Offset);
  // ScheduleMemory.cpp
  llvm::Type *getMemoryType(ScalarType Ty) const;
  llvm::Type *getRegisterType(ScalarType Ty) const;
  llvm::Value *fromMemory(llvm::Value *V, ScalarType Ty);
  llvm::Value *toMemory(llvm::Value *V, ScalarType Ty);
  llvm::Value *fromRegister(llvm::Value *V, ScalarType Ty);
  llvm::Value *toRegister(llvm::Value *V, ScalarType Ty);
  llvm::Align getElementAlign(BufferId Buf, llvm::Value *Origin) const;
  llvm::Align getAlign(const Access &X, llvm::Align Elem) const;
  llvm::Value *inLane(unsigned L, llvm::function_ref<llvm::Value *()> Emit);
  llvm::Value *inLaneOrLast(unsigned L,
                            llvm::function_ref<llvm::Value *()> Emit);
  llvm::Value *getLaneAtom(AtomId Id);
  Poly getOffset(const Access &X) const;
  llvm::Value *getMask(BufferId Buf) const;
  // ScheduleApart.cpp
  std::optional<int64_t> getShuffledStride(const Poly &Offset) const;
  bool hasMaskedLoads(BufferId Buf) const;
  llvm::Value *spreadMask(ScalarType Ty, unsigned At, int64_t Stride);
  llvm::Value *loadApart(const Access &X, const Poly &Offset, int64_t Stride,
                         llvm::Align ElemAlign);
  llvm::SmallVector<std::pair<llvm::Value *, int64_t>, 8>
  getLoadedNear(const llvm::Value *First, llvm::Type *Ty) const;
  bool mayWriteElements(const llvm::Instruction &I) const;
  llvm::Value *loadElements(llvm::Value *First, llvm::FixedVectorType *Ty,
                            llvm::ArrayRef<int64_t> Of, llvm::Align ElemAlign);

  // ScheduleRegisters.cpp
  /// A register local: rows along the last dimension, in vectors.
  struct RegisterArray {
    unsigned Width = 1, VectorsInRow = 1;
    /// The last dimension, and lanes, are times `vl`.
    bool Scalable = false;
    llvm::SmallVector<int64_t, 2> Shape;
    llvm::SmallVector<llvm::AllocaInst *, 8> Slots;
  };
  struct Element {
    unsigned Slot = 0, Lane = 0;
  };
  /// By lane; none where it is outside of its array.
  using Elements = llvm::SmallVector<std::optional<Element>, 16>;
  unsigned getRegisterWidth(BufferId Buf, const Node &Owner);
  std::optional<unsigned> findScalable(const Access &X);
  void createRegisters(BufferId Id, const Node &Owner);
  std::optional<Element> findElement(const Access &X);
  Elements findElements(const Access &X);
  static bool isWholeVector(const RegisterArray &R, const Elements &Of);
  llvm::Value *loadSlot(const RegisterArray &R, unsigned Slot);
  llvm::Value *loadElement(const RegisterArray &R, Element At);
  llvm::Value *loadRegisters(const Access &X);
  llvm::Value *shuffleRegisters(const RegisterArray &R, const Elements &Of);
  llvm::Value *
  shuffleVectors(llvm::ArrayRef<llvm::Value *> Vs,
                 llvm::ArrayRef<std::pair<unsigned, unsigned>> Parts);
  void storeRegisters(const Access &X, llvm::Value *V);
  void storeVector(const RegisterArray &R, unsigned Slot, llvm::Value *V);
  void storeElements(const RegisterArray &R, const Elements &Of,
                     llvm::Value *V);
  bool isOfBlockAlone(BufferId Buf);

  /// What `vl` is where vscale is 1.
  unsigned LeastLanes;
  llvm::SmallVector<llvm::Value *, 8> SizeValues;
  llvm::SmallVector<unsigned, 8> AxisDepths;
  unsigned Depth = 0;
  llvm::SmallVector<LoopFrame, 4> Loops;
  llvm::DenseMap<BufferId, RegisterArray> Registers;
  /// By those that hide them (hideMask).
  llvm::DenseMap<llvm::Value *, llvm::Value *> KnownMasks;
  /// Slots of registers, by width and number, which are used again.
  std::map<std::tuple<BufferId, unsigned, unsigned>, llvm::AllocaInst *> Slots;
  /// The same as a set: what is stored to them changes no array.
  llvm::SmallPtrSet<const llvm::Value *, 16> AllSlots;
  /// Vectors that nothing but shuffles of lanes that are apart reads.
  llvm::SmallPtrSet<const llvm::Value *, 16> ShuffledOnly;
  llvm::DenseMap<BufferId, bool> OfBlockAlone;
  /// The instruction that code is made for, and its axis; null: none.
  const InstructionUse *Row = nullptr;
  AxisId RowAxis = 0;
  DotsTogether *Together = nullptr;
  /// Code is made for the elements of an instruction's axis, one by one.
  bool IsOneByOne = false;
};

/// Loads scalars that lanes share as vectors where an operation takes an
/// element of a register for all lanes (AArch64).
void joinBroadcasts(llvm::Function &F);

/// Multiplies scalable vectors by elements of registers where an instruction
/// does (SVE).
void multiplyByLanes(llvm::Function &F);

/// Emits one leaf.
void emitScheduledLeaf(ScheduleEmitter &E, const Leaf &L);

} // namespace dlopt

#endif // DLOPT_PASSES_LOWER_SCHEDULEEMITTER_H
