//===- InterpreterImpl.h - A run of a kernel --------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Interpreter.cpp has what a run is bound to, indices and needs;
/// InterpreterTree.cpp runs the tree.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_KERNEL_INTERPRETERIMPL_H
#define DLOPT_KERNEL_INTERPRETERIMPL_H

#include "Memory.h"
#include "Scalar.h"
#include "dlopt/Interpreter.h"
#include "llvm/ADT/Twine.h"
#include <map>

namespace dlopt {

/// Which operations of a leaf are needed when, in the order of evaluation.
struct Demand {
  std::vector<OpId> ForPredicate, ForValues;
};

/// Functions return true, with Message set, at the first error.
class Interpreter {
public:
  Interpreter(const Kernel &K, const InterpreterOptions &Opts)
      : K(K), Opts(Opts), AxisValues(K.Axes.size(), 0),
        AxisSizes(K.Axes.size(), 0), Buffers(K.Buffers.size()) {}
  llvm::Error run(const Bindings &B,
                  llvm::DenseMap<BufferId, uint64_t> *FinalState);
  void getTouched(
      llvm::DenseMap<BufferId, std::pair<size_t, size_t>> &Touched) const;

private:
  bool fail(const llvm::Twine &Text);
  bool failNeed(const llvm::Twine &Text) {
    IsNeed = true;
    return fail(Text);
  }
  bool bind(const Bindings &B);
  bool countStep();
  // Indices.
  bool evaluatePoly(const Poly &P, int64_t &Value);
  bool evaluateAtom(AtomId Id, int64_t &Value);
  bool evaluateAll(llvm::ArrayRef<Poly> Ps,
                   llvm::SmallVectorImpl<int64_t> &Values);
  bool locate(const Access &X, size_t &Place);
  bool load(const Access &X, Scalar &V);
  // The tree.
  bool runChildren(const Node &N);
  bool runAxis(const Node &N);
  bool runRound(const Node &N, int64_t At, int64_t Size);
  bool runBlocks(const Node &N, int64_t Begin, int64_t End);
  bool runLanes(const Node &N, int64_t Begin, int64_t End);
  bool runLeaf(const Leaf &L);
  bool evaluateLeaf(const Leaf &L, bool InLanes);
  bool evaluateJunk(const Leaf &L);
  bool addWrite(const Access &Target, Scalar Value);
  void applyWrites();
  bool runOps(const Leaf &L, llvm::ArrayRef<OpId> Ids,
              std::vector<Scalar> &Values);
  bool enterLocals(const Node &N);
  bool holds(llvm::ArrayRef<Constraint> Cs, bool &Result);
  bool computeNumber(const Param &P);
  bool checkRanges(std::optional<AxisId> Innermost);
  bool checkNonZero(const Need &N, int64_t Offset);
  bool checkSame();
  bool checkAligned();
  bool checkDisjoint();
  void placeRanges(const Node &N);
  const Demand &getDemand(const Leaf &L);

  const Kernel &K;
  const InterpreterOptions &Opts;
  std::string Message;
  bool IsNeed = false; ///< Message is of a need
  uint64_t Steps = 0;
  /// Out of lanes each is.
  bool IsFirstLane = true;
  std::vector<int64_t> AxisValues, AxisSizes;
  llvm::SmallVector<AxisId, 8> Path;
  std::vector<uint64_t> ParamBits;
  std::vector<BufferState> Buffers;
  std::map<const Leaf *, Demand> Demands;
  /// What the leaf that is evaluated assigns, once all its lanes are.
  struct Write {
    BufferId Buf;
    size_t Place;
    Scalar Value;
  };
  llvm::SmallVector<Write, 16> Writes;
  /// InRange and NonZero needs by the innermost axis they use, if any.
  std::map<std::optional<AxisId>, llvm::SmallVector<const Need *, 2>> Ranges;
};

} // namespace dlopt

#endif // DLOPT_KERNEL_INTERPRETERIMPL_H
