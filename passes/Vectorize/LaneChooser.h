//===- LaneChooser.h - Ways to run a kernel in lanes ------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_VECTORIZE_LANECHOOSER_H
#define DLOPT_VECTORIZE_LANECHOOSER_H

#include "dlopt/Lanes.h"

namespace dlopt {

struct Options;

/// What running the iterations of an axis as lanes is like.
struct Candidate {
  llvm::SmallVector<AxisId, 2> Axes;
  /// No element is read or written but as a part of a vector, without
  /// transposing; the same of what is written.
  bool WholeLoads = true, WholeStores = true;
  bool Transposes = false;
  /// Squares of elements are transposed before they are written.
  bool WritesRows = false;
  bool HasGain = false;
  /// Loops inside are unrolled by LLVM, and vectorized around what they become.
  bool IsUnrolled = false;
  bool HasMath = false;
  /// Square roots that may set errno.
  bool HasRoots = false;
  /// All that is in lanes may run under a mask; of Splits, along the rows.
  bool Maskable = true;
  /// Lanes share the search for an element, which takes no mask.
  bool Searches = false;
  /// Of LanePlan.
  std::optional<AxisId> Blocked, LongSearch, ShortRows;
  llvm::SmallVector<LanePlan::Split, 1> Splits;
  /// Values that each lane keeps in a loop.
  unsigned State = 0;
  /// The widest element.
  unsigned Bytes = 4;
  /// What the kernel has to need, too.
  std::vector<Need> Needs;

  unsigned score() const { return 4 * HasGain + 2 * WholeLoads + WholeStores; }
};

/// Whether the next round of a loop, in or around \p Axes of lanes, reads what
/// these store or, where lanes are a row, may read what lies directly behind
/// it: a load that follows a store under a mask to the same line waits until
/// that is in the cache.
bool goesOnInMemory(const Kernel &K, llvm::ArrayRef<AxisId> Axes);

class LaneChooser {
public:
  LaneChooser(const Kernel &K, const TargetModel &Target, const LanePlan &Plan,
              bool FastFP, bool NearCalls = false)
      : K(K), Target(Target), Plan(Plan), FastFP(FastFP), NearCalls(NearCalls) {
    addSafeLoads(K, K.Root, Safe);
  }
  std::optional<Candidate> pick(const Node &N, const Node *Parent = nullptr);

private:
  std::optional<Candidate> pickInside(const Node &N);
  std::optional<Candidate> consider(const Node &N, const Node *Parent);
  std::optional<Candidate> considerRows(const Node &N);
  std::optional<Candidate> considerTurns(const Node &N);
  std::optional<Candidate> considerSearch(const Node &N);
  bool addAhead(const Node &N, unsigned Begin, unsigned Split, Candidate &C);
  bool mayRunAhead(const Node &N, unsigned Split, Candidate &C) const;
  bool addAlong(const Node &N, const Node &Child, Candidate &C);
  bool addNode(const Node &N, AxisId Lane, llvm::ArrayRef<const Node *> Inner,
               Candidate &C);
  bool addLeaf(const Leaf &L, AxisId Lane, llvm::ArrayRef<const Node *> Inner,
               Candidate &C);
  bool addLoad(const Leaf &L, const Op &O, AxisId Lane, bool Masked,
               llvm::ArrayRef<const Node *> Inner, Candidate &C);
  bool addStore(const Leaf &L, const Assign &A, AxisId Lane,
                llvm::ArrayRef<const Node *> Inner, Candidate &C);
  bool isCheap(const Op &O, bool IsInside, bool Masked) const;
  bool isCheapNarrow(const Op &O) const;
  bool mayMask(const Leaf &L, AxisId Lane, bool IsRest = false) const;
  bool isLinear(const Leaf &L, AxisId Lane) const;

  const Kernel &K;
  const TargetModel &Target;
  const LanePlan &Plan;
  bool FastFP;
  /// Loops next to these may call the library.
  bool NearCalls;
  llvm::SmallVector<AxisId, 6> Around;
  llvm::DenseSet<const Op *> Safe;
  llvm::SmallVector<BufferId, 4> Private;
};

/// The functions in the innermost loops below \p N that \p Plan computes with
/// the library's bits and that are not in lanes of \p C.
unsigned countMathOutside(const Node &N, const LanePlan &Plan,
                          const std::optional<Candidate> &C);

/// Whether \p Own, lanes of the axis \p N, is best for short rows and \p
/// Inside, a search in lanes of its own, for long ones: then \p Own says so.
bool takesSearch(const Node &N, Candidate &Own, const Candidate &Inside);

/// Says in \p Own, lanes of \p N, if all that takes time is a maximum whose
/// rows LLVM's vectors share, too, \p Inside.
void setShortRows(const Kernel &K, const Node &N, Candidate &Own,
                  const Candidate &Inside);

/// How many rows are read at once by \p C, which transposes.
void setRows(const Kernel &K, const TargetModel &Target, const Candidate &C,
             LanePlan &Plan);

/// Whether a row somewhere in \p N has a loop that keeps its order.
bool hasChainOfRow(const Kernel &K, const Node &N);

/// Gives loops of their own, which run along the row and in front of all else,
/// to what chains of rows store before they go on with it: in lanes of rows the
/// lines of many rows would be written at once. True if \p K changed.
bool storeAhead(Kernel &K, const LanePlan &Plan);

/// Whether \p K does arithmetic: plain copies are functions of the library.
bool computes(const Kernel &K);

/// Fills in what \p Plan says of outputs of \p C that are larger than the
/// caches.
void setStreams(const Kernel &K, const TargetModel &Target, const Options &O,
                const llvm::Function &F, const std::optional<Candidate> &C,
                LanePlan &Plan);

/// Every loop runs as often whatever the others do, and there are no local
/// arrays.
bool isPlain(const Kernel &K, const Node &N);

/// The same of what is inside \p N.
bool hasPlainInside(const Kernel &K, const Node &N);

bool isNarrow(ScalarType Ty);

/// Whether functions of the library are called that \p Plan computes by no
/// instructions.
bool callsLibrary(const Kernel &K, const LanePlan &Plan);
/// Whether innermost loops of \p K do so one element at a time.
bool callsByElement(const Kernel &K, const LanePlan &Plan);

} // namespace dlopt

#endif // DLOPT_VECTORIZE_LANECHOOSER_H
