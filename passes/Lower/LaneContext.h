//===- LaneContext.h - Leaves in the lanes of vectors ----------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_LOWER_LANECONTEXT_H
#define DLOPT_PASSES_LOWER_LANECONTEXT_H

#include "BodyLower.h"
#include "LaneModels.h"
#include "dlopt/Lanes.h"
#include "llvm/ADT/DenseSet.h"

namespace dlopt {

/// Values that are the same in all lanes are scalars, others are vectors. The
/// value of the lane axis is that in the first lane.
class LaneContext;

/// How vectors of \p Elem are aligned that are stored past the caches.
llvm::Align getStreamAlign(const LanePlan &Plan, const llvm::Type *Elem);

/// The type, \p Ty or one of as many bits, by which it is moved: halves that
/// the target has no registers for would become floats on the way, and back.
llvm::Type *getMovedType(llvm::Type *Ty);

/// A vector of \p Elements.
llvm::Value *makeVector(llvm::IRBuilderBase &B,
                        llvm::ArrayRef<llvm::Value *> Elements);

class LaneContext : public ScalarContext {
public:
  LaneContext(llvm::IRBuilderBase &B, const Kernel &K, const LanePlan &Plan)
      : ScalarContext(B, K), Models(*this, Plan), Plan(Plan) {}

  llvm::Value *getPoly(const Poly &P) override;
  llvm::Value *getOp(const Op &O, llvm::ArrayRef<llvm::Value *> Args) override;
  void assign(llvm::ArrayRef<Assign> Assigns,
              llvm::ArrayRef<llvm::Value *> Values) override;
  void restrict(llvm::Value *Condition,
                llvm::function_ref<void(llvm::Value *)> Branch) override;

  /// From here on, \p Count iterations of \p A from \p First on are lanes; with
  /// 1, none are. \p Second: where the upper half of the lanes begins, if it is
  /// not behind the lower one; both may have iterations in common, which lanes
  /// that do everything at the same time do alike.
  void enterLanes(AxisId A, llvm::Value *First, unsigned Count,
                  llvm::Value *Second = nullptr);
  void leaveLanes() {
    Lanes = 1;
    Second = nullptr;
  }
  void setLanes(unsigned Count) { Lanes = Count; }
  bool inLanes() const { return Lanes > 1; }
  AxisId getLaneAxis() const { return Lane; }
  /// Where the upper half of the lanes begins; null: behind the lower one.
  llvm::Value *getSecondHalf() const { return Second; }
  /// As many at least, if the vectors are scalable.
  unsigned getLanes() const { return Lanes; }
  llvm::ElementCount getCount() const {
    return llvm::ElementCount::get(Lanes, Plan.Scalable && inLanes());
  }
  /// Only the lanes of \p M run, until that is null. \p Whole: which are all of
  /// them, where masked accesses are slow; null: nobody asks.
  void setTail(llvm::Value *M, llvm::Value *Whole = nullptr) {
    Tail = M;
    IsWhole = Whole;
  }
  llvm::Value *getLanesBefore(llvm::Value *First, llvm::Value *Trip);
  /// The private scalar \p Buf in all lanes.
  llvm::Value *getPrivate(BufferId Buf);
  void setPrivate(BufferId Buf, llvm::Value *V);
  /// The address that \p X has in each lane.
  llvm::SmallVector<llvm::Value *, 16> getAddresses(const Access &X);
  /// All lanes run, but for a tail. \p BranchOnMask: the leaf may read scalars
  /// only if some lane runs.
  void beginLeaf(bool BranchOnMask) {
    Mask = Tail;
    Branches = BranchOnMask;
  }

  /// Functions of the library.
  LaneModels Models;
  /// Buffers that belong to one iteration of the lane axis.
  llvm::DenseSet<BufferId> Private;
  /// Conditional loads that may run always.
  llvm::DenseSet<const Op *> Safe;
  /// What is stored past the caches, to addresses that are aligned as vectors.
  llvm::ArrayRef<const Assign *> Streams;
  /// Exponential functions of what is not greater than zero.
  llvm::DenseSet<const Op *> OfNegative;
  /// Extremes of a state that is a number, their first operand.
  llvm::DenseSet<const Op *> OfNumbers;
  /// Values that wait to be written, by column.
  llvm::DenseMap<const Assign *, llvm::SmallVector<llvm::Value *, 16>> Behind;
  /// Tables in registers, by what reads them.
  struct Table {
    LaneLookup Of;
    unsigned Row = 0; ///< of Lookups.def
    llvm::SmallVector<llvm::Value *, 16> Registers;
  };
  llvm::DenseMap<const Op *, Table> Tables;
  /// Entries of \p Of that the lanes read.
  llvm::Value *getEntries(const LaneLookup &Of);
  /// Values that were read or computed ahead.
  llvm::DenseMap<const Op *, llvm::Value *> Ahead;

protected:
  llvm::Value *getAtom(AtomId Id) override;

private:
  void loadPositions(const Access &X);
  llvm::Value *getLaneValue(unsigned L);
  llvm::Value *getLaneOffsets();
  void forEachHalf(llvm::function_ref<void(unsigned Begin, unsigned Count)> Do);
  llvm::Value *getPart(llvm::Value *V, unsigned Begin, unsigned Count);
  llvm::Value *spread(llvm::Value *V);
  void spreadOperands(const Op &O, llvm::MutableArrayRef<llvm::Value *> Args);
  llvm::Type *getVectorType(ScalarType Ty);
  /// The private local \p X in all lanes.
  llvm::Value *getSlot(const Access &X);
  llvm::Value *getExtreme(const Op &O, llvm::ArrayRef<llvm::Value *> Args);
  llvm::Value *getSeparated(const Op &O, llvm::ArrayRef<llvm::Value *> Args);
  void addCalls(const Op &O, llvm::ArrayRef<llvm::Value *> Args);
  llvm::Value *callForAll(const Op &O, llvm::ArrayRef<llvm::Value *> Args);
  llvm::Value *callForLanes(const Op &O, llvm::ArrayRef<llvm::Value *> Args);
  llvm::Value *load(const Op &O);
  llvm::Value *loadLanes(const Op &O);
  llvm::Value *choose(llvm::Value *Condition, const llvm::Twine &Name,
                      llvm::function_ref<llvm::Value *()> IfTrue,
                      llvm::function_ref<llvm::Value *()> IfFalse);
  llvm::Value *loadMasked(llvm::Type *Ty, llvm::Value *Address,
                          llvm::Align ElemAlign, llvm::Value *Mask);
  void storeMasked(llvm::Value *V, llvm::Value *Address, llvm::Align ElemAlign,
                   llvm::Value *Mask);
  llvm::Value *loadNeighbours(const Op &O, llvm::Align ElemAlign,
                              llvm::Value *Mask);
  void storeNeighbours(const Access &To, llvm::Value *V, llvm::Align ElemAlign);
  llvm::Value *gatherUnlessNear(const Op &O, llvm::Value *Stride,
                                llvm::Align ElemAlign, llvm::Value *Mask);
  void store(const Assign &A, llvm::Value *V);
  llvm::Align getVectorAlign(const Access &X, llvm::Align ElemAlign) const;
  llvm::Value *emitMathInLanes(MathFunction F,
                               llvm::ArrayRef<llvm::Value *> Args);
  // LaneLookup.cpp
  llvm::Value *lookUp(const Table &T);
  // LaneScalable.cpp
  llvm::Value *getAddressVector(const Access &X);
  llvm::Value *getAllLanes(llvm::Value *Mask);
  llvm::Value *gather(const Op &O, llvm::Align ElemAlign, llvm::Value *Mask);
  void scatter(const Access &To, llvm::Value *V, llvm::Align ElemAlign);

  const LanePlan &Plan;
  AxisId Lane = 0;
  unsigned Lanes = 1;
  llvm::Value *Second = nullptr;  ///< where the upper half begins
  llvm::Value *Mask = nullptr;    ///< of the lanes that run; null: all
  llvm::Value *Tail = nullptr;    ///< of those that have iterations; null: all
  llvm::Value *IsWhole = nullptr; ///< whether Tail is all of them
  bool Branches = false;
  /// Integers that addresses are made of and that are neighbours in memory, and
  /// which of them is asked for.
  llvm::DenseMap<AtomId, llvm::Value *> Positions;
  unsigned Position = 0;
  llvm::DenseMap<std::pair<BufferId, unsigned>, llvm::AllocaInst *> Slots;
};

} // namespace dlopt

#endif // DLOPT_PASSES_LOWER_LANECONTEXT_H
