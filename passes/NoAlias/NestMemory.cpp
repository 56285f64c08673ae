//===- NestMemory.cpp - What a loop nest does to memory -------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "NestMemory.h"
#include "dlopt/Compat.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Raise.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/Loads.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace dlopt;

NestMemory::NestMemory(Loop &Nest, LoopInfo &LI, const DominatorTree &DT,
                       AAResults &AA)
    : Nest(Nest), LI(LI), DT(DT), AA(AA), Scopes(Nest) {
  // Addresses are compared with those of other iterations.
  this->AA.enableCrossIterationMode();
  for (BasicBlock *BB : Nest.blocks())
    for (Instruction &I : *BB)
      if (I.mayWriteToMemory() && !isAssumeLikeIntrinsic(&I))
        Writes.push_back(&I);
      else if (I.isLifetimeStartOrEnd())
        Writes.push_back(&I);
}

Verdict NestMemory::checkLoops() const {
  Instruction *Start = Nest.getHeader()->getTerminator();
  for (const BasicBlock *BB : Nest.blocks())
    if (BB->isEHPad())
      return {Reason::UnusualControlFlow, BB->getTerminator(), ""};
  for (const Loop *L : Nest.getLoopsInPreorder()) {
    const BasicBlock *Latch = L->getLoopLatch();
    if (!Latch || !isa<UncondBrInst, CondBrInst>(Latch->getTerminator()))
      return {Reason::NotRotatable, L->getHeader()->getTerminator(), ""};
    if (L->getExitingBlock() != Latch)
      return {Reason::MultipleExits, L->getHeader()->getTerminator(), ""};
    if (isSwitchedOff(*L))
      return {Reason::Denied, L->getHeader()->getTerminator(), ""};
  }
  LoopBlocksRPO Order(&Nest);
  Order.perform(&LI);
  if (containsIrreducibleCFG<const BasicBlock *>(Order, LI))
    return {Reason::UnusualControlFlow, Start, ""};
  return {};
}

Verdict NestMemory::checkInstruction(Instruction &I) {
  if (I.isVolatile())
    return {Reason::Volatile, &I, ""};
  if (I.isAtomic() || isa<FenceInst>(I))
    return {Reason::Atomic, &I, ""};
  if (I.getType()->isTokenTy() || isa<AllocaInst>(I))
    return {Reason::UnsupportedOperation, &I, ""};
  if (I.isTerminator() && !isa<UncondBrInst, CondBrInst, SwitchInst>(I))
    return {Reason::UnusualControlFlow, &I, ""};
  if (const Value *Ptr = getLoadStorePointerOperand(&I))
    if (Ptr->getType()->getPointerAddressSpace() != 0)
      return {Reason::AddressSpace, &I, ""};
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || isAssumeLikeIntrinsic(Call) || Call->isLifetimeStartOrEnd())
    return {};
  auto Name = [&] { return describeCallee(*Call); };
  if (Call->isConvergent())
    return {Reason::Convergent, Call, Name()};
  if (Call->hasOperandBundles() || Call->isMustTailCall() ||
      Call->cannotDuplicate())
    return {Reason::UnknownCall, Call, Name()};
  if (auto *Block = dyn_cast<MemIntrinsic>(Call))
    return Verdict{Block->getDestAddressSpace() == 0 ? Reason::Ok
                                                     : Reason::AddressSpace,
                   Call, Name()};
  if (!Call->doesNotThrow() || !Call->willReturn())
    return {Reason::MayThrow, Call, Name()};
  if (!Call->onlyReadsMemory())
    return {Reason::UnknownCall, Call, Name()};
  return {};
}

Verdict NestMemory::check() {
  if (Verdict V = checkLoops(); !V.ok())
    return V;
  for (BasicBlock *BB : Nest.blocks())
    for (Instruction &I : *BB)
      if (Verdict V = checkInstruction(I); !V.ok())
        return V;
  return {};
}

/// Whether an address in \p Inner, or whether it goes on, depends on \p Load.
bool NestMemory::isGain(const LoadInst &Load, const Loop &Inner) const {
  constexpr unsigned MaxUsers = 64;
  SmallSetVector<const Instruction *, 8> Users;
  Users.insert(&Load);
  for (unsigned N = 0; N != Users.size() && N != MaxUsers; ++N)
    for (const Use &U : Users[N]->uses()) {
      auto *User = cast<Instruction>(U.getUser());
      if (!Inner.contains(User))
        continue;
      if (User == Inner.getLoopLatch()->getTerminator() ||
          getLoadStorePointerOperand(User) == U.get())
        return true;
      // What is read there is another value, and so is a call's result.
      if (!User->mayReadOrWriteMemory() && !isa<CallBase>(User) &&
          !User->isTerminator())
        Users.insert(User);
    }
  return false;
}

/// Whether \p A is stored in each iteration, and in a register but for other
/// accesses of the loop, all of which can be told apart from it.
bool NestMemory::isAccumulator(const Accumulator &A) {
  bool Loads = false, Stores = false, Conflicts = false;
  for (Instruction *I : A.Accesses) {
    if (getLoadStoreType(I) != getLoadStoreType(A.Accesses.front()))
      return false;
    Loads |= isa<LoadInst>(I);
    Stores |= isa<StoreInst>(I) &&
              (DT.dominates(I->getParent(), A.Inner->getLoopLatch()) ||
               DLOPT_PLANTED(SumStoredUnasked));
  }
  if (!Loads || !Stores)
    return false;
  for (BasicBlock *BB : A.Inner->blocks())
    for (Instruction &I : *BB) {
      if (!I.mayReadOrWriteMemory() || isAssumeLikeIntrinsic(&I) ||
          is_contained(A.Accesses, &I))
        continue;
      if (!isa<LoadInst, StoreInst>(I))
        return false;
      Conflicts |= mayConflict(I, *A.Accesses.front()) ||
                   mayConflict(I, *A.Accesses.back());
    }
  return Conflicts;
}

void NestMemory::findAccumulators(Loop &Inner) {
  MapVector<Value *, Accumulator> ByAddress;
  for (BasicBlock *BB : Inner.blocks())
    for (Instruction &I : *BB)
      if (Value *Ptr = getLoadStorePointerOperand(&I);
          Ptr && Inner.isLoopInvariant(Ptr)) {
        Accumulator &A = ByAddress[Ptr];
        A.Inner = &Inner;
        A.Ptr = Ptr;
        A.Accesses.push_back(&I);
      }
  for (auto &[Ptr, A] : ByAddress)
    if (isAccumulator(A))
      Accumulators.push_back(std::move(A));
}

bool NestMemory::hasGain() {
  for (Loop *Inner : Nest.getLoopsInPreorder()) {
    if (!Inner->isInnermost() || !Inner->getLoopLatch())
      continue;
    findAccumulators(*Inner);
    for (BasicBlock *BB : Inner->blocks())
      for (Instruction &I : *BB) {
        auto *Load = dyn_cast<LoadInst>(&I);
        ReadsBounds |=
            Load && Inner->isLoopInvariant(Load->getPointerOperand()) &&
            isGain(*Load, *Inner) && any_of(Writes, [&](Instruction *W) {
              return Inner->contains(W) && mayWrite(*W, *Load);
            });
      }
  }
  return ReadsBounds || !Accumulators.empty();
}

MemoryLocation NestMemory::getLocation(const Instruction &I) const {
  MemoryLocation Loc = MemoryLocation::get(&I);
  Loc.AATags = Scopes.getTagsInAllRounds(I);
  return Loc;
}

bool NestMemory::mayWrite(const Instruction &Write, const LoadInst &Load) {
  MemoryLocation Read = getLocation(Load);
  if (!isa<StoreInst>(Write))
    return isModSet(AA.getModRefInfo(&Write, Read));
  return AA.alias(getLocation(Write), Read) != AliasResult::NoAlias;
}

bool NestMemory::mayConflict(const Instruction &X, const Instruction &Y) {
  return (isa<StoreInst>(X) || isa<StoreInst>(Y)) &&
         AA.alias(getLocation(X), getLocation(Y)) != AliasResult::NoAlias;
}

/// An address in front of the nest that \p Ptr is, too, if nothing in the nest
/// writes what it is computed from; null if there is none.
const Value *NestMemory::getKnownAddress(const Value *Ptr) {
  if (Nest.isLoopInvariant(Ptr))
    return Ptr;
  if (auto *Load = dyn_cast<LoadInst>(Ptr))
    return getAvailable(*Load);
  auto *GEP = dyn_cast<GetElementPtrInst>(Ptr);
  APInt Offset(64, 0), Other(64, 0);
  const DataLayout &DL = Nest.getHeader()->getDataLayout();
  if (!GEP || !GEP->accumulateConstantOffset(DL, Offset))
    return nullptr;
  // The same member of what is known.
  const Value *Base = getKnownAddress(GEP->getPointerOperand());
  if (!Base || isa<Constant>(Base))
    return nullptr;
  constexpr unsigned MaxUsers = 32;
  unsigned Scanned = 0;
  for (const User *U : Base->users()) {
    if (Scanned++ == MaxUsers)
      break;
    if (auto *Known = dyn_cast<GetElementPtrInst>(U);
        Known && !Nest.contains(Known) && Known->getPointerOperand() == Base &&
        Known->accumulateConstantOffset(DL, Other = APInt(64, 0)) &&
        Other == Offset)
      return Known;
  }
  return nullptr;
}

/// Looks for a load or store of the same address on the way to the nest. Where
/// the address is read in the nest, too, it may be what is known of that.
Value *NestMemory::getAvailable(const LoadInst &Load) {
  constexpr unsigned MaxScan = 64;
  if (auto It = Available.find(&Load); It != Available.end())
    return It->second;
  Available[&Load] = nullptr;
  const Value *Ptr = getKnownAddress(Load.getPointerOperand());
  BasicBlock *BB = Ptr ? Nest.getLoopPredecessor() : nullptr;
  const Loop *Around = Nest.getParentLoop();
  unsigned Scanned = 0;
  // In a loop, only what is there in this round of it.
  while (BB && Scanned < MaxScan && LI.getLoopFor(BB) == Around) {
    BasicBlock::iterator From = BB->end();
    bool IsLoad = false;
    unsigned InBlock = 0;
    Value *V = findAvailablePtrLoadStore(
        MemoryLocation::get(&Load).getWithNewPtr(Ptr), Load.getType(),
        /*AtLeastAtomic=*/false, BB, From, MaxScan - Scanned, &AA, &IsLoad,
        &InBlock);
    auto *I = dyn_cast_or_null<Instruction>(V);
    if (V && V->getType() == Load.getType() &&
        // Metadata may have made poison of what is in memory.
        !(IsLoad && I && I->hasPoisonGeneratingMetadata()) &&
        (!I || !LI.getLoopFor(I->getParent()) ||
         LI.getLoopFor(I->getParent())->contains(BB)))
      return Available[&Load] = V;
    // It has met what it was looking for, or what may write there.
    if (V || From != BB->begin())
      break;
    Scanned += InBlock + 1;
    // What enters a loop comes from outside of it and from its latch.
    BB = BB->getSinglePredecessor();
  }
  return nullptr;
}
