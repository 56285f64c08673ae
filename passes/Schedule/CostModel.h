//===- CostModel.h - What cycles are counted with ---------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_SCHEDULE_COSTMODEL_H
#define DLOPT_SCHEDULE_COSTMODEL_H

#include "dlopt/Cost.h"
#include "dlopt/Kernel.h"
#include "dlopt/Target.h"
#include "llvm/ADT/MapVector.h"
#include <array>
#include <map>
#include <set>

namespace dlopt {

struct InstructionRow;

constexpr double LineBytes = 64; ///< of a cache line

/// Where a loop is: the values of axes, and sizes of blocks. Axes inside of it
/// have some value of theirs.
struct CostPoint {
  llvm::SmallVector<int64_t, 16> Axes, Sizes;
};

/// What straight code takes.
struct CostWork {
  double Arithmetic = 0; ///< instructions on the ports of multiply-adds
  double Loads = 0;      ///< with another one for what crosses a line
  double Stores = 0;
  double Shuffles = 0;
  double Issued = 0;
  double Chain = 0; ///< additions behind each other
  double Other = 0; ///< cycles in which nothing else runs

  void add(const CostWork &W, double Times);
};

/// Lines of 64 bytes that come from the second level, from the third, and from
/// memory.
using CostLines = std::array<double, 3>;

/// The straight code of one loop, all rounds of it together.
struct CostRegion {
  CostWork Work;
  llvm::SmallMapVector<BufferId, CostLines, 4> Lines;
};

class CostModel {
public:
  CostModel(const Kernel &K, const TargetModel &T) : K(K), T(T) {}
  std::optional<double> run();

private:
  using Regions = llvm::SmallMapVector<const Node *, CostRegion, 8>;

  /// An access that is no register's.
  struct Touch {
    BufferId Buf = 0;
    Poly Offset;
    unsigned Bytes = 1;
    bool IsStore = false;
  };
  /// A leaf, the axes around it, outermost first, and what it touches.
  struct Place {
    const Leaf *L = nullptr;
    llvm::SmallVector<const Node *, 12> Path;
    llvm::SmallVector<Touch, 4> Touches;
  };
  /// Of an axis where nothing is known but the middle of what is around it.
  struct Typical {
    double Rounds = 1;
    int64_t Step = 1;
  };
  /// Lines by buffer, and all of them.
  struct Footprint {
    llvm::SmallMapVector<BufferId, double, 4> Lines;
    double All = 0;
  };
  /// Blocks or elements that run alike.
  struct Rounds {
    int64_t First = 0, Size = 1, Count = 0;
  };

  /// An axis of which the value, or the size of its block, decides what runs
  /// inside of a node.
  using Mattering = std::pair<AxisId, bool>;
  using MatteringList = llvm::SmallVector<Mattering, 8>;

  // Cost.cpp: loops.
  const MatteringList &findMattering(const Node &N);
  static llvm::SmallVector<int64_t, 8> getKey(llvm::ArrayRef<Mattering> List,
                                              const CostPoint &At);
  bool enter(const Node &N, llvm::SmallVectorImpl<const Node *> &Path);
  std::optional<int64_t> getValue(const Poly &P, const CostPoint &At) const;
  int64_t getBegin(const Axis &A, const CostPoint &At) const;
  int64_t getEnd(const Axis &A, const CostPoint &At) const;
  static bool isLoop(const Axis &A);
  llvm::SmallVector<Rounds, 6> getRounds(const Axis &A,
                                         const CostPoint &At) const;
  void runLoop(const Node &N, CostPoint &At, Regions &Out);
  void runOnce(const Node &N, CostPoint &At, bool IsRepeated, Regions &Out);
  void walk(const Node &N, const Node &Around,
            llvm::SmallVectorImpl<const Node *> &Straight, CostPoint &At,
            Regions &Out);
  double getOverlap(const Place &P, size_t NumStraight,
                    const CostWork &W) const;
  void keepLines(const Node &N, Regions &Out);
  const Footprint &getFootprint(const Node &N, bool WithOwn);
  double getLines(const Touch &X, llvm::ArrayRef<const Node *> Axes) const;
  std::optional<double> getStride(const Touch &X, const Node &N) const;
  double getCycles(const CostRegion &R) const;
  static void merge(Regions &To, const Regions &From, double Times);

  // CostCode.cpp: straight code.
  /// Axes of straight code: the one in lanes, the one that is an instruction.
  struct Straight {
    llvm::SmallVector<const Node *, 6> Loops;
    const Node *Lanes = nullptr;
    unsigned Width = 1;
    const InstructionRow *Row = nullptr;
  };
  /// How often something runs, of how many sums, and the offsets of each touch.
  struct Instances {
    double Number = 0, Sums = 0;
    std::vector<std::set<int64_t>> Places;
  };
  Straight findStraight(llvm::ArrayRef<const Node *> Axes, CostPoint &At) const;
  bool mayRun(const Leaf &L, const Straight &S, CostPoint &At) const;
  Instances findInstances(const Place &P, const Straight &S, CostPoint At,
                          bool IsSum) const;
  bool isMasked(const Leaf &L, const Straight &S, const CostPoint &At) const;
  double addTouch(const Touch &X, const Straight &S, double Distinct,
                  bool IsMasked, CostWork &W) const;
  const CostWork &getWork(const Place &P, llvm::ArrayRef<const Node *> Axes,
                          const CostPoint &At);
  CostWork countWork(const Place &P, llvm::ArrayRef<const Node *> Axes,
                     CostPoint At) const;

  const Kernel &K;
  const TargetModel &T;
  std::map<const Leaf *, Place> Places;
  std::map<const Node *, Typical> Typicals;
  CostPoint Middle;
  std::map<const Node *, MatteringList> Matters;
  std::map<std::pair<const Node *, bool>, Footprint> Footprints;
  std::map<std::pair<const Node *, llvm::SmallVector<int64_t, 8>>, Regions>
      Known;
  std::map<std::pair<const Leaf *, llvm::SmallVector<int64_t, 8>>, CostWork>
      Works;
};

} // namespace dlopt

#endif // DLOPT_SCHEDULE_COSTMODEL_H
