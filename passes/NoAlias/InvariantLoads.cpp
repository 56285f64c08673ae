//===- InvariantLoads.cpp - Loads that only stores keep in loops ----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "InvariantLoads.h"
#include "dlopt/Compat.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace dlopt;

LoadHoister::LoadHoister(NestCopy &C, NestMemory &Memory)
    : C(C), Memory(Memory), DT(C.function()), LI(DT),
      Nest(*LI.getLoopFor(C.header())) {}

bool LoadHoister::isOutside(const Value *V) const {
  const auto *I = dyn_cast<Instruction>(V);
  return !I || !Nest.contains(I);
}

//===----------------------------------------------------------------------===//
// What the source reaches first
//===----------------------------------------------------------------------===//

/// The conditions under which \p BB runs in the first iteration of the nest and
/// of the loops around it there, all known in front of the nest.
bool LoadHoister::findConditions(BasicBlock *BB,
                                 SmallVectorImpl<Condition> &Conditions) const {
  Loop *L = LI.getLoopFor(BB);
  while (BB != Nest.getHeader()) {
    // A loop that is reached runs.
    if (BB == L->getHeader())
      L = L->getParentLoop();
    // Iterations end in latches only: what dominates one runs in each.
    if (DT.dominates(BB, L->getLoopLatch())) {
      BB = L->getHeader();
      continue;
    }
    BasicBlock *From = DT.getNode(BB)->getIDom()->getBlock();
    if (Loop *Inner = LI.getLoopFor(From); Inner != L) {
      // The exit of a loop is reached if the loop is.
      L = Inner;
      BB = L->getHeader();
      continue;
    }
    auto *Branch = dyn_cast<CondBrInst>(From->getTerminator());
    if (!Branch)
      return false;
    Value *Cond = Branch->getCondition();
    auto LeadsThere = [&](unsigned Successor) {
      return DT.dominates(BasicBlockEdge(From, Branch->getSuccessor(Successor)),
                          BB);
    };
    bool IsTrue = LeadsThere(0);
    if ((!IsTrue && !LeadsThere(1)) || !isOutside(Cond) || Late.contains(Cond))
      return false;
    Conditions.push_back({Cond, IsTrue});
    BB = From;
  }
  return true;
}

/// Blocks that the first iterations of the loops around \p BB may go through in
/// front of it.
LoadHoister::BlockSet LoadHoister::getBlocksBefore(const BasicBlock *BB) const {
  BlockSet Before;
  SmallVector<const BasicBlock *, 16> Work = {BB};
  while (!Work.empty()) {
    const BasicBlock *At = Work.pop_back_val();
    const Loop *L = LI.getLoopFor(At);
    bool IsFirst = L->getHeader() == At && L->contains(BB);
    for (const BasicBlock *Pred : predecessors(At))
      if (Nest.contains(Pred) && !(IsFirst && L->contains(Pred)) &&
          Before.insert(Pred))
        Work.push_back(Pred);
  }
  return Before;
}

/// Whether the first time that \p Load is executed, what it reads may have been
/// written in the nest already.
bool LoadHoister::mayFollowWrite(const LoadInst &Load,
                                 const BlockSet &Before) const {
  auto *Read = cast<LoadInst>(C.getOriginal(&Load));
  auto MayWrite = [&](const Instruction &I) {
    const Instruction *Original = C.getOriginal(&I);
    return is_contained(Memory.writes(), Original) &&
           Memory.mayWrite(*Original, *Read);
  };
  for (const Instruction &I : *Load.getParent()) {
    if (&I == &Load)
      break;
    if (MayWrite(I))
      return true;
  }
  return any_of(Before,
                [&](const BasicBlock *BB) { return any_of(*BB, MayWrite); });
}

/// Whether loops in front of \p BB end: the source may never come to what is
/// behind one that does not.
bool LoadHoister::comesTo(const BasicBlock *BB, const BlockSet &Before) const {
  return all_of(Before, [&](const BasicBlock *At) {
    const Loop *L = LI.getLoopFor(At);
    return L->contains(BB) || isMustProgress(L);
  });
}

//===----------------------------------------------------------------------===//
// Hoisting
//===----------------------------------------------------------------------===//

/// \p I, in the guard: it may be executed where the source does not execute it,
/// with values that the source does not have, and what the guard tests is what
/// the loops use.
Value *LoadHoister::moveToGuard(Instruction &I) {
  I.moveBefore(*C.guard(), C.guard()->getTerminator()->getIterator());
  I.dropUBImplyingAttrsAndMetadata();
  I.dropPoisonGeneratingAnnotations();
  I.setMetadata(LLVMContext::MD_alias_scope, nullptr);
  I.setMetadata(LLVMContext::MD_noalias, nullptr);
  I.updateLocationAfterHoist();
  Type *Ty = I.getType();
  if ((!Ty->isIntOrIntVectorTy() && !Ty->isPtrOrPtrVectorTy()) ||
      !canCreateUndefOrPoison(cast<Operator>(&I)))
    return &I;
  auto *Frozen = new FreezeInst(&I, I.getName() + ".fr",
                                C.guard()->getTerminator()->getIterator());
  Frozen->setDebugLoc(I.getDebugLoc());
  I.replaceUsesWithIf(Frozen, [&](Use &U) { return U.getUser() != Frozen; });
  return Frozen;
}

void LoadHoister::addField(LoadInst &Load) {
  HoistedField Field;
  Field.Ptr = Load.getPointerOperand();
  Field.Size = Load.getDataLayout().getTypeStoreSize(Load.getType());
  Field.Writes.resize(Memory.writes().size());
  auto *Read = cast<LoadInst>(C.getOriginal(&Load));
  for (auto [Id, Write] : enumerate(Memory.writes()))
    if (Memory.mayWrite(*Write, *Read))
      Field.Writes.set(Id);
  if (Field.Writes.none())
    return;
  for (HoistedField &Other : Fields)
    if (Other.Ptr == Field.Ptr && Other.Size == Field.Size) {
      Other.Writes |= Field.Writes;
      return;
    }
  Fields.push_back(std::move(Field));
}

/// What \p Load reads, in the guard: null if it must not be executed there.
Value *LoadHoister::read(LoadInst &Load, const BlockSet &Before) {
  if (Value *V = Known.lookup({Load.getPointerOperand(), Load.getType()}))
    return V;
  auto *Original = cast<LoadInst>(C.getOriginal(&Load));
  Value *Available = Memory.getAvailable(*Original);
  if (Value *V = Available ? C.get(Available) : nullptr)
    return V;
  SmallVector<Condition, 4> Conditions;
  bool IsLate = Late.contains(Load.getPointerOperand());
  bool IsReached = comesTo(Load.getParent(), Before) &&
                   findConditions(Load.getParent(), Conditions);
  if ((IsLate && !DLOPT_PLANTED(LateAddressRead)) ||
      (!IsReached && !DLOPT_PLANTED(UnreachedRead))) {
    Unreached = Original;
    return nullptr;
  }
  for (Condition Cond : reverse(Conditions)) {
    if (is_contained(Tested, Cond))
      continue;
    Tested.push_back(Cond);
    BasicBlock *From = C.guard();
    IRBuilder<> B(From->getTerminator());
    C.addTest(Cond.second ? Cond.first : B.CreateNot(Cond.first));
    DT.addNewBlock(C.guard(), From);
    DT.changeImmediateDominator(C.header(), C.guard());
  }
  auto *Copy = cast<LoadInst>(Load.clone());
  Copy->insertBefore(C.guard()->getTerminator()->getIterator());
  return moveToGuard(*Copy);
}

/// Whether the nest stores to the address of \p Load: that is no invariant.
bool LoadHoister::isStored(const LoadInst &Load) const {
  return any_of(Memory.writes(), [&](Instruction *Write) {
    auto *Store = dyn_cast_or_null<StoreInst>(C.get(Write));
    return Store && Store->getPointerOperand() == Load.getPointerOperand();
  });
}

bool LoadHoister::hoistLoad(LoadInst &Load) {
  if (!isOutside(Load.getPointerOperand()) || !C.getOriginal(&Load) ||
      isa<ScalableVectorType>(Load.getType()) || isStored(Load))
    return false;
  BlockSet Before = getBlocksBefore(Load.getParent());
  Value *V = read(Load, Before);
  if (!V)
    return false;
  Known[{Load.getPointerOperand(), Load.getType()}] = V;
  addField(Load);
  Value *Read = mayFollowWrite(Load, Before) ? getLate(V) : V;
  C.forget(Load);
  Load.replaceAllUsesWith(Read);
  Load.eraseFromParent();
  return true;
}

/// \p V where the source reads it after it has stored: a value of its own until
/// all loads are where they will be.
Value *LoadHoister::getLate(Value *V) {
  if (Late.contains(V))
    return V;
  Instruction *&Copy = LateCopies[V];
  if (!Copy) {
    Copy =
        new FreezeInst(V, "dl.late", C.guard()->getTerminator()->getIterator());
    Late.insert(Copy);
  }
  return Copy;
}

/// What \p V is if nothing is written in between.
static Value *withoutLate(Value *V,
                          const DenseMap<Value *, Instruction *> &Copies) {
  auto *I = dyn_cast<FreezeInst>(V);
  return I && Copies.lookup(I->getOperand(0)) == I ? I->getOperand(0) : V;
}

/// Phis that all come from one value outside are that value. The first time,
/// one of a loop's header is what comes from in front of the loop.
bool LoadHoister::replacePhis(PHINode &Phi) {
  SmallSetVector<PHINode *, 4> Web;
  Web.insert(&Phi);
  Value *Only = nullptr;
  bool IsLate = false;
  for (unsigned N = 0; N != Web.size(); ++N)
    for (Use &U : Web[N]->incoming_values()) {
      Value *V = U.get();
      auto *Other = dyn_cast<PHINode>(V);
      if (Other && Nest.contains(Other)) {
        Web.insert(Other);
        continue;
      }
      Value *Now = withoutLate(V, LateCopies);
      if (!isOutside(V) || (Only && Only != Now))
        return false;
      Only = Now;
      const Loop *L = LI.getLoopFor(Web[N]->getParent());
      IsLate |= Now != V && !(L->getHeader() == Web[N]->getParent() &&
                              L->contains(Web[N]->getIncomingBlock(U)));
    }
  if (!Only)
    return false;
  // Behind the loop it is what a later iteration has read.
  bool HasLate = LateCopies.count(Only);
  const Loop *L = LI.getLoopFor(Phi.getParent());
  if (!IsLate && HasLate && Web.size() == 1)
    Phi.replaceUsesWithIf(Only, [&](Use &U) {
      return L->contains(cast<Instruction>(U.getUser()));
    });
  if (IsLate || HasLate)
    Only = getLate(Only);
  for (PHINode *P : Web)
    P->replaceAllUsesWith(Only);
  for (PHINode *P : Web)
    P->eraseFromParent();
  return true;
}

bool LoadHoister::hoist(Instruction &I) {
  if (auto *Phi = dyn_cast<PHINode>(&I))
    return replacePhis(*Phi);
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return hoistLoad(*Load);
  if (I.isTerminator() || I.mayReadOrWriteMemory() ||
      !isSafeToSpeculativelyExecute(&I) ||
      !all_of(I.operands(), [&](const Use &U) { return isOutside(U.get()); }))
    return false;
  bool IsLate = any_of(I.operands(),
                       [&](const Use &U) { return Late.contains(U.get()); });
  Value *V = moveToGuard(I);
  if (IsLate) {
    Late.insert(&I);
    Late.insert(V);
  }
  return true;
}

void LoadHoister::run() {
  LoopBlocksRPO Order(&Nest);
  Order.perform(&LI);
  // What is hoisted takes other instructions with it.
  SmallVector<WeakTrackingVH, 64> Instructions;
  for (BasicBlock *BB : Order)
    for (Instruction &I : *BB)
      Instructions.push_back(&I);
  bool Changed = true;
  while (Changed) {
    Changed = false;
    for (WeakTrackingVH &V : Instructions)
      if (auto *I = dyn_cast_or_null<Instruction>(V); I && Nest.contains(I))
        Changed |= hoist(*I);
  }
  for (auto [V, Copy] : LateCopies) {
    for (HoistedField &Field : Fields)
      if (Field.Ptr == Copy)
        Field.Ptr = V;
    Copy->replaceAllUsesWith(V);
    Copy->eraseFromParent();
  }
}
