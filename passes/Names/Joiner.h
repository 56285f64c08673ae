//===- Joiner.h - Kernels that follow each other as one --------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_NAMES_JOINER_H
#define DLOPT_NAMES_JOINER_H

#include "dlopt/Raise.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

namespace llvm {
class Instruction;
class LoadInst;
} // namespace llvm

namespace dlopt {

/// Makes one kernel of kernels that run one after the other and of the scalar
/// code between and behind them. For names only: that pointers which differ do
/// not meet is taken for granted, and so is that what is loaded twice from one
/// place is the same.
class Joiner {
public:
  explicit Joiner(Kernel &To) : To(To) {}

  /// Puts \p RK behind what there is. False: it cannot be said in this model.
  bool append(const RaisedKernel &RK);
  /// Whether \p V is computed of what kernels here leave behind.
  bool isComputed(const llvm::Value *V, unsigned Depth = 0) const;
  /// The local that has the scalar \p V; nullopt: it has operations that the
  /// model does not have.
  std::optional<BufferId> compute(llvm::Value *V);
  /// How many children of the root the last kernel is.
  size_t countLast() const { return NumLast; }
  /// Whether something of each kernel but the last one is read behind it.
  bool isChain() const;
  /// Whether all kernels store in one array, and nothing else.
  bool storesInOneArray() const;
  /// Whether numbers of kernels have been computed.
  bool hasComputed() const { return HasComputed; }

private:
  struct Maps {
    explicit Maps(const Kernel &From) : From(From) {}
    const Kernel &From;
    llvm::SmallVector<ParamId, 8> Params;
    llvm::DenseMap<ParamId, BufferId> Computed;
    llvm::SmallVector<BufferId, 8> Buffers;
    llvm::SmallVector<AxisId, 8> Axes;
  };
  const llvm::Value *getSource(const llvm::Value *V, unsigned Depth = 0);
  ParamId getParam(const Param &P);
  BufferId getBuffer(const Buffer &B);
  BufferId addLocal(ScalarType Ty);
  Poly map(const Maps &M, const Poly &P);
  AtomId mapAtom(const Maps &M, const Atom &A);
  Access map(const Maps &M, const Access &X);
  void mapNode(const Maps &M, Node &N);
  void mapOp(const Maps &M, Op &O);
  std::optional<OpId> emit(llvm::Value *V, Leaf &L);
  std::optional<OpId> emitInst(llvm::Instruction &I, Leaf &L);
  std::optional<Op> loadElement(const llvm::LoadInst &I);
  void noteUses(const Node &N);

  Kernel &To;
  bool Failed = false, HasComputed = false;
  /// Integers of any width are one parameter.
  std::map<std::pair<const llvm::Value *, bool>, ParamId> Params;
  /// The first load from each address, a pointer and an offset.
  std::map<std::pair<const llvm::Value *, int64_t>, const llvm::Value *> Loads;
  std::map<std::pair<const llvm::Value *, ScalarType>, BufferId> Buffers;
  /// Values of IR that locals have.
  llvm::DenseMap<const llvm::Value *, BufferId> Scalars;
  size_t NumLast = 0;
  /// What each kernel leaves behind, and what is read behind others.
  llvm::SmallVector<llvm::SmallVector<BufferId, 4>, 4> Outputs;
  llvm::SmallVector<bool, 4> IsUsed;
};

} // namespace dlopt

#endif // DLOPT_NAMES_JOINER_H
