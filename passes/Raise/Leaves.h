//===- Leaves.h - Expressions as bodies of leaves --------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_RAISE_LEAVES_H
#define DLOPT_RAISE_LEAVES_H

#include "States.h"

namespace dlopt {

/// Builds the schedule tree once it is decided what is state.
class TreeBuilder {
public:
  TreeBuilder(NestState &S, IndexBuilder &IB, Skeleton &Sk, States &St)
      : S(S), IB(IB), Sk(Sk), St(St) {}
  bool run();
  /// The buffer of a state; nullopt if it has none.
  std::optional<BufferId> getBuffer(llvm::PHINode *P) const;

private:
  void makeLocals();
  BufferId makeLocal(llvm::Value *V, llvm::StringRef Default,
                     llvm::Loop *Owner);
  Node &nodeOf(const llvm::Loop *L);
  bool buildLoop(llvm::Loop *L, unsigned &NextRoot, Node &N);
  bool buildLeaf(const Root &R, Node &N);
  bool buildBlock(const Root &R, Node &N);
  std::optional<ScalarType> getElementType(const llvm::Value *Base);
  bool isSafeTogether(GuardId Id, llvm::ArrayRef<GuardId> Conjuncts,
                      llvm::ArrayRef<GuardId> Rest);

  /// The leaf that is being built.
  struct LeafState {
    LeafState(Leaf &L, const Root &R) : L(L), R(R) {}
    Leaf &L;
    const Root &R;
    llvm::DenseMap<const llvm::Value *, OpId> Ops;
  };
  bool addGuard(const Root &R, Leaf &L, LeafState &LS);
  std::optional<OpId> emit(llvm::Value *V, const llvm::Loop *Where,
                           LeafState &LS);
  std::optional<OpId> emitInst(llvm::Instruction *I, LeafState &LS);
  bool fillInst(llvm::Instruction *I, Op &O);
  bool fillCall(llvm::CallBase *C, Op &O);
  std::optional<OpId> emitGuard(GuardId G, LeafState &LS);
  OpId emitBoth(bool IsAnd, OpId A, OpId B, LeafState &LS);
  std::optional<OpId> emitConstant(llvm::Constant *C, LeafState &LS);
  std::optional<OpId> emitParam(llvm::Value *V, unsigned Depth, LeafState &LS);
  OpId emitLocal(BufferId B, LeafState &LS);
  OpId add(Op O, LeafState &LS);

  NestState &S;
  IndexBuilder &IB;
  Skeleton &Sk;
  States &St;
  llvm::DenseMap<const llvm::Value *, BufferId> Locals;
  llvm::DenseMap<const llvm::Loop *, Node *> Nodes;
  llvm::DenseMap<const llvm::Loop *, std::unique_ptr<Node>> Owned;
};

} // namespace dlopt

#endif // DLOPT_RAISE_LEAVES_H
