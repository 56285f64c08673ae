//===- Invariance.cpp - What has one value in a nest ----------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Index.h"
#include "PrivateArrays.h"
#include "dlopt/Errno.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace dlopt;

bool IndexBuilder::mayBeWritten(const LoadInst *L) {
  auto [It, New] = Written.try_emplace(L, false);
  if (!New)
    return It->second;
  // Across iterations the pointer may differ; only its type and its underlying
  // object speak for all of them.
  MemoryLocation Loc = MemoryLocation::getBeforeOrAfter(
      getUnderlyingObject(L->getPointerOperand()),
      Scopes.getTagsInAllRounds(*L));
  bool Result = false;
  for (BasicBlock *BB : S.Nest.blocks())
    for (Instruction &I : *BB)
      if (!Result && !isStackMark(I) && !DLOPT_PLANTED(BoundAssumedInvariant))
        Result = mayWrite(I, Loc, S.Ctx.AA, S.Ctx.TLI);
  return Written[L] = Result;
}

/// Whether all that may write \p L are stores through other pointers and calls
/// that may set errno, which the kernel needs to be apart (NeedFinder).
/// What has one value in the nest is read in front instead (mayReadAhead).
bool IndexBuilder::isApartIfTested(LoadInst *L) {
  if (getInvariantDepth(L->getPointerOperand()))
    return false;
  const Value *Base = getUnderlyingObject(L->getPointerOperand());
  MemoryLocation Loc =
      MemoryLocation::getBeforeOrAfter(Base, Scopes.getTagsInAllRounds(*L));
  bool MeetsErrno = false;
  for (BasicBlock *BB : S.Nest.blocks())
    for (Instruction &I : *BB) {
      if (isStackMark(I) || !mayWrite(I, Loc, S.Ctx.AA, S.Ctx.TLI))
        continue;
      if (getErrnoFunction(I, S.Ctx.TLI)) {
        MeetsErrno = true;
        continue;
      }
      auto *Store = dyn_cast<StoreInst>(&I);
      if (!Store || !Store->isSimple() ||
          getUnderlyingObject(Store->getPointerOperand()) == Base)
        return false;
    }
  ApartIfTested.insert(L);
  if (MeetsErrno)
    ErrnoIfTested.insert(L);
  return true;
}

/// Whether \p L, which may be written as far as is known, is one for which a
/// test can tell. Of what calls write, but errno, nobody knows the address.
bool IndexBuilder::mayReadAhead(const LoadInst *L) {
  if (!L->getType()->isIntOrPtrTy())
    return false;
  MemoryLocation Loc = MemoryLocation::getBeforeOrAfter(
      getUnderlyingObject(L->getPointerOperand()),
      Scopes.getTagsInAllRounds(*L));
  for (BasicBlock *BB : S.Nest.blocks())
    for (Instruction &I : *BB)
      if (!isStackMark(I) && !isa<StoreInst, MemIntrinsic>(I) &&
          !getErrnoFunction(I, S.Ctx.TLI) &&
          mayWrite(I, Loc, S.Ctx.AA, S.Ctx.TLI))
        return false;
  WouldReadAhead = true;
  return S.Ctx.ReadsAhead;
}

bool IndexBuilder::mayBeErrno(const LoadInst &L) const {
  MemoryLocation Loc = MemoryLocation::getBeforeOrAfter(
      getUnderlyingObject(L.getPointerOperand()), Scopes.getTagsInAllRounds(L));
  return any_of(S.Nest.blocks(), [&](BasicBlock *BB) {
    return any_of(*BB, [&](Instruction &I) {
      return getErrnoFunction(I, S.Ctx.TLI) &&
             mayWrite(I, Loc, S.Ctx.AA, S.Ctx.TLI);
    });
  });
}

/// Whether \p L may be read in front of the nest, if that runs \p L at all,
/// before it is known that the nest does not write what leads to its address:
/// nothing does, or the source reads it before it writes anything.
bool IndexBuilder::isReadableAhead(const LoadInst &L) {
  if (DLOPT_PLANTED(ReadAheadUnchecked))
    return true;
  bool IsFirst = all_of(S.Nest.blocks(), [&](const BasicBlock *BB) {
    return all_of(*BB, [&](const Instruction &I) {
      return !I.mayWriteToMemory() || isStackMark(I) ||
             S.Ctx.DT.dominates(&L, &I);
    });
  });
  if (IsFirst)
    return true;
  SmallVector<const Value *, 8> Todo = {L.getPointerOperand()};
  while (!Todo.empty()) {
    const auto *I = dyn_cast<Instruction>(Todo.pop_back_val());
    if (!I || !S.isInside(I))
      continue;
    const auto *From = dyn_cast<LoadInst>(I);
    if (From ? mayBeWritten(From) : isa<PHINode>(I))
      return false;
    append_range(Todo, I->operand_values());
  }
  return true;
}

std::optional<IndexBuilder::InvariantLoad>
IndexBuilder::getInvariantLoad(LoadInst *L) {
  auto It = InvariantLoads.find(L);
  if (It != InvariantLoads.end())
    return It->second;
  std::optional<InvariantLoad> Result;
  // What is looked at on the way need not become part of the kernel.
  tentatively([&] {
    Result = findInvariantLoad(L);
    return false;
  });
  if (Result && mayBeWritten(L))
    ReadAhead.insert(Result->Representative);
  InvariantLoads[L] = Result;
  return Result;
}

/// How many loads of the nest, each from an address that the one before it
/// leads to, \p V comes from.
unsigned IndexBuilder::countLoadsBehind(const Value *V) {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || isa<PHINode>(I) || !S.isInside(I))
    return 0;
  auto [It, New] = LoadsBehind.try_emplace(I, 0);
  if (!New)
    return It->second;
  unsigned Most = 0;
  for (const Value *Op : I->operand_values())
    Most = std::max(Most, countLoadsBehind(Op));
  return LoadsBehind[I] = Most + isa<LoadInst>(I);
}

std::optional<IndexBuilder::InvariantLoad>
IndexBuilder::findInvariantLoad(LoadInst *L) {
  if (!L->isSimple() || !getInvariantDepth(L->getPointerOperand()))
    return std::nullopt;
  bool IsWritten = mayBeWritten(L);
  if (IsWritten && !mayReadAhead(L))
    return std::nullopt;
  // All loads of one place have one value; the outermost one that is sure to
  // run stands for them.
  // Addresses that are only equal under a need are not known to be equal: the
  // needs of this comparison are dropped.
  size_t Needs = S.K.Needs.size();
  std::optional<PointerForm> Ptr =
      buildPointer(L->getPointerOperand(), S.Ctx.LI.getLoopFor(L->getParent()));
  if (!Ptr)
    return std::nullopt;
  std::optional<InvariantLoad> Best;
  for (BasicBlock *BB : S.Nest.blocks())
    for (Instruction &I : *BB) {
      auto *O = dyn_cast<LoadInst>(&I);
      // What leads through another number of loads is another place: to ask
      // about that would lead back to this one.
      if (!O || O->getType() != L->getType() || !O->isSimple() ||
          countLoadsBehind(O) != countLoadsBehind(L))
        continue;
      std::optional<unsigned> OfPtr = getInvariantDepth(O->getPointerOperand());
      // Members of objects that are known to be there are read in any case.
      bool IsSure = S.isUnconditional(BB),
           IsThere = isSafeToSpeculativelyExecute(O);
      if (!OfPtr || (!IsSure && !IsThere))
        continue;
      const Loop *Lo = S.Ctx.LI.getLoopFor(BB);
      std::optional<PointerForm> OPtr =
          buildPointer(O->getPointerOperand(), Lo);
      if (!OPtr || OPtr->Base != Ptr->Base || OPtr->Bytes != Ptr->Bytes ||
          (S.K.Needs.size() != Needs &&
           O->getPointerOperand() != L->getPointerOperand()))
        continue;
      // A header with the test runs at least once per iteration outside.
      unsigned Depth = IsSure ? S.depthOf(Lo) : *OfPtr;
      auto C = S.Controls.find(Lo);
      if (IsSure && C != S.Controls.end() && C->second.Header == BB)
        --Depth;
      if (IsThere)
        Depth = std::min(Depth, *OfPtr);
      if (!Best || Depth < Best->Depth)
        Best = InvariantLoad{O, Depth};
    }
  if (!Best || (IsWritten && !isReadableAhead(*Best->Representative)))
    return std::nullopt;
  // It must run whenever the first point of the enclosing axes does.
  SmallVector<AxisId, 6> Axes = S.axesOf(S.loopOf(Best->Representative));
  for (AxisId A : ArrayRef(Axes).take_front(Best->Depth))
    for (const Poly &E : S.K.Axes[A].Extents)
      if (dependsOnLoops(E, &S.Nest))
        return std::nullopt;
  return Best;
}

std::optional<unsigned> IndexBuilder::getInvariantDepth(Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !S.Nest.contains(I))
    return 0;
  if (!mayLookAtMore())
    return std::nullopt;
  ++Recursion;
  std::optional<unsigned> Depth;
  if (auto *L = dyn_cast<LoadInst>(I)) {
    if (std::optional<InvariantLoad> Inv = getInvariantLoad(L))
      Depth = Inv->Depth;
  } else if (!isa<PHINode>(I) &&
             (!isa<CallBase>(I) || isa<MinMaxIntrinsic>(I)) &&
             !I->isTerminator() && isSafeToSpeculativelyExecute(I)) {
    Depth = 0;
    for (Value *Op : I->operands()) {
      std::optional<unsigned> D = getInvariantDepth(Op);
      if (!D) {
        Depth = std::nullopt;
        break;
      }
      Depth = std::max(*Depth, *D);
    }
  }
  --Recursion;
  return Depth;
}

bool IndexBuilder::dependsOnLoops(const Poly &P, const Loop *L) const {
  return P.anyAtom([&](AtomId Id) {
    if (isPlaceholder(Id))
      return any_of(Unread, [&](const auto &U) {
        return U.second == Id && L->contains(cast<Instruction>(U.first));
      });
    return S.K.anyNestedAtom(Poly::atom(Id), [&](const Atom &A) {
      return A.K == Atom::Axis && S.K.Axes[A.Ref].L &&
             L->contains(S.K.Axes[A.Ref].L);
    });
  });
}
