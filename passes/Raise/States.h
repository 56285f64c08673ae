//===- States.h - Scalars that live in registers, as state -----*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What becomes of SSA values. Phis that are no polynomials become local
/// buffers that the incoming edges assign (out of SSA); phis of one chain share
/// a buffer if no value is read after another member overwrote it. Every other
/// value is recomputed where a leaf needs it, unless something that it reads
/// may have changed by then, or it is costly and needed more than once: then it
/// gets a buffer that is assigned where the value is computed.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_RAISE_STATES_H
#define DLOPT_RAISE_STATES_H

#include "Index.h"
#include "Skeleton.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IntrinsicInst.h"

namespace dlopt {

/// Where something is assigned: a store, a call that sets or copies a block of
/// memory, an edge into phis, or the place of an instruction whose value is
/// kept.
struct Root {
  unsigned Pos = 0, Order = 0;
  llvm::Loop *L = nullptr; ///< loop around it; null in front of the nest
  llvm::BasicBlock *Block = nullptr;
  GuardId G = 0;
  llvm::StoreInst *Store = nullptr;
  llvm::MemIntrinsic *Call = nullptr;
  llvm::Instruction *Kept = nullptr;
  /// Edge: phi and the value that it gets.
  llvm::SmallVector<std::pair<llvm::PHINode *, llvm::Value *>, 2> Copies;
};

class States {
public:
  States(NestState &S, IndexBuilder &IB, Skeleton &Sk) : S(S), IB(IB), Sk(Sk) {}

  /// Decides what is state and what is recomputed.
  bool run(llvm::ArrayRef<llvm::Value *> LiveOuts);

  /// What \p V stands for: a state that is read, or a value.
  struct Source {
    llvm::Value *V = nullptr;
    llvm::PHINode *State = nullptr;
    const llvm::Loop *LeftFrom = nullptr; ///< outermost loop that was left
  };
  /// The state whose final value \p V has behind the nest, or null.
  llvm::PHINode *getFinalState(llvm::Value *V) const;
  /// nullopt (and a failure) for what is not known behind its loop.
  std::optional<Source> resolve(llvm::Value *V);
  /// The integer \p V as a polynomial without loaded values, if it is one at
  /// once.
  std::optional<Poly> getIndex(llvm::Value *V, const llvm::Loop *Where);
  bool isKept(const llvm::Value *V) const { return Kept.contains(V); }

  /// All roots in the order of the nest.
  llvm::ArrayRef<Root> roots() const { return Roots; }
  /// The phi that stands for all that share its buffer.
  llvm::PHINode *leader(llvm::PHINode *P) const;
  llvm::ArrayRef<llvm::PHINode *> states() const {
    return Needed.getArrayRef();
  }
  const llvm::SetVector<llvm::Instruction *> &kept() const { return KeptOrder; }
  /// The innermost loop that holds all uses of \p P's buffer; null for the
  /// nest's surroundings.
  llvm::Loop *getOwner(llvm::PHINode *Leader) const;

private:
  struct Read {
    llvm::PHINode *State;
    unsigned From; ///< from here on the state must not change ...
    unsigned Pos;  ///< ... until here, where it is read
    const llvm::Loop *L;
    llvm::PHINode *CopiedTo;
  };
  struct Write {
    unsigned Pos;
    llvm::PHINode *State;    ///< or ...
    const llvm::Value *Base; ///< ... memory
    llvm::PHINode *CopiedFrom;
    const llvm::Loop *L;
  };
  /// What one walk over the expressions of all roots finds.
  struct Visit {
    llvm::SmallSetVector<llvm::PHINode *, 8> States;
    std::vector<Read> Reads;
    struct LoadUse {
      llvm::LoadInst *L;
      unsigned RootId;
    };
    std::vector<LoadUse> Loads;
    struct StateUse {
      llvm::PHINode *State;
      llvm::Instruction *User;
      unsigned RootId;
    };
    std::vector<StateUse> StateUses;
    /// Operations by the roots that need them.
    llvm::MapVector<llvm::Instruction *, llvm::SmallSetVector<unsigned, 2>>
        Uses;
    llvm::DenseSet<std::pair<llvm::Value *, unsigned>> Seen;
  };
  bool isBehindErrno(const Visit &V, const Visit::LoadUse &Use) const;
  bool collectRoots(bool WithKept);
  bool addCopies(llvm::PHINode *P);
  bool walk(llvm::Value *V, const Root &R, unsigned RootId, unsigned UserPos,
            const llvm::Loop *UserLoop, llvm::PHINode *CopiedTo, Visit &Out);
  bool walkRoots(Visit &Out);
  bool findStates();
  void coalesce();
  bool interferes(llvm::PHINode *A, llvm::PHINode *B) const;
  bool collectWrites();
  bool keepSome(bool &Changed);
  bool shouldKeep(llvm::Instruction *I, llvm::ArrayRef<unsigned> Users);
  bool isPartOfKept(
      llvm::Instruction *I, llvm::ArrayRef<unsigned> Users,
      const llvm::SmallSetVector<llvm::Instruction *, 8> &Wanted) const;
  bool isClobbered(unsigned From, const llvm::Loop *FromLoop, const Root &R,
                   llvm::function_ref<bool(const Write &)> Matters) const;
  unsigned getEnd(const llvm::Loop *FromLoop, unsigned Pos,
                  const llvm::Loop *L) const;
  bool keep(llvm::Instruction *I) {
    KeptOrder.insert(I);
    return Kept.insert(I).second;
  }

  NestState &S;
  IndexBuilder &IB;
  Skeleton &Sk;
  llvm::SmallVector<llvm::Value *, 2> LiveOuts;
  llvm::SetVector<llvm::PHINode *> Needed;
  llvm::SmallPtrSet<const llvm::Value *, 8> Kept;
  llvm::SetVector<llvm::Instruction *> KeptOrder;
  std::vector<Root> Roots;
  std::vector<Read> Reads;
  std::vector<Write> Writes;
  llvm::DenseMap<llvm::PHINode *, llvm::PHINode *> Leaders;
  /// Instructions that some root needs.
  llvm::SmallPtrSet<const llvm::Instruction *, 32> Seen;
  unsigned Steps = 0, ErrnoCalls = 0;
};

/// Whether recomputing costs nothing worth a buffer.
bool isCheap(const llvm::Instruction *I);

} // namespace dlopt

#endif // DLOPT_RAISE_STATES_H
