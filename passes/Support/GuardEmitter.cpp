//===- GuardEmitter.cpp - Values and tests in front of a nest -------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The guard is a chain of blocks. A block of the chain ends where something
/// must be read that the source reads inside the nest (`p->K`): its branch
/// tests that the enclosing axes run, so that the source is sure to read it
/// too. The last branch tests all the rest.
///
//===----------------------------------------------------------------------===//
#include "GuardRules.h"
#include "dlopt/Compat.h"
#include "dlopt/Guards.h"
#include "dlopt/Lower.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Rematerialize.h"
#include "dlopt/Target.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace dlopt {

GuardEmitter::GuardEmitter(RaisedKernel &RK, GuardedRegion &Region, Function &F,
                           FunctionAnalysisManager &FAM)
    : RK(RK), K(*RK.K), Region(Region),
      DT(FAM.getResult<DominatorTreeAnalysis>(F)),
      LI(FAM.getResult<LoopAnalysis>(F)), AA(FAM.getResult<AAManager>(F)),
      B(Region.Guard->getContext(),
        InstSimplifyFolder(Region.Guard->getDataLayout())),
      Runs(K.Axes.size(), false) {
  B.SetInsertPoint(Region.Guard->getTerminator());
}

bool GuardEmitter::inRegion(const BasicBlock *BB) const {
  return RK.Nest->contains(BB);
}

std::optional<SmallVector<AxisId, 4>> getAxesRunning(const Instruction &I,
                                                     const RaisedKernel &RK,
                                                     const DominatorTree &DT,
                                                     const LoopInfo &LI) {
  SmallVector<AxisId, 4> Result; // innermost first
  const BasicBlock *BB = I.getParent();
  for (const Loop *L = LI.getLoopFor(BB);; L = L->getParentLoop()) {
    // What dominates the latch runs in every iteration.
    if (!L || !L->getLoopLatch() || !DT.dominates(BB, L->getLoopLatch()))
      return std::nullopt;
    // ... unless a branch in front of it leaves the nest.
    if (RK.Nest->getExitingBlock() != RK.Exiting &&
        any_of(L->blocks(), [&](const BasicBlock *From) {
          return From != RK.Exiting && RK.Nest->isLoopExiting(From) &&
                 !DT.dominates(BB, From);
        }))
      return std::nullopt;
    // What is in the header runs even if the loop has no iteration.
    if (BB != L->getHeader()) {
      if (RK.Clamped.contains(L))
        return std::nullopt;
      size_t Before = Result.size();
      for (auto [Id, Ax] : enumerate(RK.K->Axes))
        if (Ax.L == L)
          Result.push_back(Id);
      if (Result.size() == Before)
        return std::nullopt;
    }
    if (L == RK.Nest)
      break;
    bool HasRound = BB != L->getHeader();
    BB = L->getHeader();
    // What the conditions of the preheader say is said by the round.
    if (HasRound && RK.Implied.contains(L->getLoopPreheader()))
      BB = L->getParentLoop()->getLoopLatch();
  }
  std::reverse(Result.begin(), Result.end());
  return Result;
}

bool GuardEmitter::testEnclosingAxes(const Instruction &I) {
  auto Axes = getAxesRunning(I, RK, DT, LI);
  return Axes && all_of(*Axes, [&](AxisId A) { return testRuns(A); });
}

/// A quotient or remainder, and the test that its divisor is positive: which
/// has not been tested yet where this is computed.
Value *GuardEmitter::emitQuotient(AtomId Id) {
  if (Value *Known = Quotients.lookup(Id))
    return Known;
  const Atom &A = K.Atoms[Id];
  Value *Num = emitAtStart(A.Num), *Den = Num ? emitAtStart(A.Den) : nullptr;
  if (!Den)
    return nullptr;
  if (!A.Den.getConstant()) {
    addPositive(Den);
    Den = B.CreateBinaryIntrinsic(Intrinsic::smax, Den, B.getInt64(1));
  }
  return Quotients[Id] = emitDivMod(B, Num, Den, A.K == Atom::Mod);
}

/// \p P where all axes are 0: the first iteration.
Value *GuardEmitter::emitAtStart(const Poly &P) {
  return emitPoly(B, K, P, [&](IRBuilderBase &, AtomId Id) -> Value * {
    const Atom &A = K.Atoms[Id];
    if (A.K == Atom::Axis)
      return B.getInt64(0);
    if (A.K == Atom::FloorDiv || A.K == Atom::Mod)
      return emitQuotient(Id);
    if (A.K == Atom::VL)
      return emitVL(B);
    if (A.K != Atom::Param)
      return nullptr;
    Value *V = getParam(A.Ref);
    return V ? B.CreateIntCast(V, B.getInt64Ty(), K.Params[A.Ref].Signed)
             : nullptr;
  });
}

/// Adds the test that \p A has a first iteration in the first iteration of the
/// axes around it.
bool GuardEmitter::testRuns(AxisId A) {
  if (Runs[A])
    return true;
  if (Nesting >= MaxGuardNesting)
    return false;
  ++Nesting;
  bool Done = true;
  for (const Poly &Extent : K.Axes[A].Extents) {
    Value *V = emitAtStart(Extent);
    if (!V) {
      Done = false;
      break;
    }
    addPositive(V);
  }
  --Nesting;
  return Runs[A] = Done;
}

/// Whether \p V is neither undefined nor poison. LLVM's own answer looks at few
/// operations; those of a guard are many, but begin with frozen values.
bool GuardEmitter::isDefined(const Value *V, unsigned Depth) {
  constexpr unsigned MaxDepth = 256;
  if (auto It = Defined.find(V); It != Defined.end())
    return It->second;
  const auto *I = dyn_cast<Instruction>(V);
  bool Result = I && !isa<PHINode>(I) && Depth < MaxDepth &&
                (isa<FreezeInst>(I) ||
                 (!canCreateUndefOrPoison(cast<Operator>(I)) &&
                  all_of(
                      I->operands(),
                      [&](const Use &U) { return isDefined(U, Depth + 1); })));
  Result = Result || isGuaranteedNotToBeUndefOrPoison(
                         V, nullptr, &*B.GetInsertPoint(), &DT);
  return Defined[V] = Result;
}

Value *GuardEmitter::freeze(Value *V) {
  return isDefined(V) ? V : B.CreateFreeze(V, V->getName() + ".fr");
}

Value *GuardEmitter::materialize(Value *V) {
  if (!V)
    return nullptr;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !inRegion(I->getParent()))
    return DT.dominates(V, Region.Guard->getTerminator()) ? freeze(V) : nullptr;
  auto InRegion = [&](const BasicBlock *BB) { return inRegion(BB); };
  if (!canSpeculate(V, InRegion, isUnwrittenByKernel) &&
      !DLOPT_PLANTED(ReadBeforeTripTest)) {
    if (!canRematerialize(V, InRegion, isUnwrittenByKernel) ||
        !testEnclosingAxes(*I))
      return nullptr;
    startBlock();
  }
  Value *Copy = rematerialize(B, V, InRegion, Copies);
  return Copy ? freeze(Copy) : nullptr;
}

Value *GuardEmitter::getParam(ParamId P) {
  if (Value *Known = ParamValues.lookup(P))
    return Known;
  Value *V = materialize(K.Params[P].Bound);
  if (V)
    ParamValues[P] = V;
  return V;
}

Value *GuardEmitter::getPointer(BufferId Buf) {
  if (Value *Known = Pointers.lookup(Buf))
    return Known;
  Value *V = materialize(K.Buffers[Buf].Bound);
  if (V)
    Pointers[Buf] = V;
  return V;
}

Value *GuardEmitter::getValue(const Poly &P) {
  return K.isFixed(P) ? emitAtStart(P) : nullptr;
}

Value *GuardEmitter::getExtent(AxisId A) {
  Value *Min = nullptr;
  for (const Poly &Extent : K.Axes[A].Extents) {
    Value *V = getValue(Extent);
    if (!V)
      return nullptr;
    Min = Min ? B.CreateBinaryIntrinsic(Intrinsic::smin, Min, V) : V;
  }
  return Min;
}

void GuardEmitter::addCondition(Value *V) {
  if (auto *C = dyn_cast<ConstantInt>(V)) {
    if (C->isOne())
      return;
    KnownToFail = true;
  }
  if (KnownConditions.insert(V).second)
    Conditions.push_back(freeze(V));
}

/// \p V (i64) is 1 or greater, as a signed number.
void GuardEmitter::addPositive(Value *V) {
  if (KnownPositive.insert(V).second)
    addCondition(B.CreateICmpSGT(V, B.getInt64(0)));
}

void GuardEmitter::addSmall(Value *V) {
  if (auto *C = dyn_cast<ConstantInt>(V))
    return addCondition(B.getInt1(C->getValue().isIntN(SmallGuardBits)));
  if (KnownSmall.insert(V).second)
    Small.push_back(freeze(V));
}

/// \p V (i64) is in [0, 2^59).
void GuardEmitter::addBounded(Value *V) {
  if (auto *C = dyn_cast<ConstantInt>(V))
    return addCondition(B.getInt1(C->getValue().isIntN(MaxGuardBits)));
  if (KnownBounded.insert(V).second)
    Bounded.push_back(freeze(V));
}

void GuardEmitter::addNoOverflow(Value *Flag) {
  if (isa<Constant>(Flag))
    return addCondition(B.CreateNot(Flag));
  Overflows.push_back(freeze(Flag));
}

static Value *orAll(IRBuilderBase &B, SmallVectorImpl<Value *> &Values) {
  Value *Or = nullptr;
  for (Value *V : Values)
    Or = Or ? B.CreateOr(Or, V) : V;
  Values.clear();
  return Or;
}

/// The conjunction of all conditions so far. Numbers below a power of 2 are
/// numbers whose bitwise or is: one comparison, whatever their number is.
Value *GuardEmitter::takeCondition() {
  if (Value *Or = orAll(B, Overflows))
    addCondition(B.CreateNot(Or));
  if (Value *Or = orAll(B, Bounded))
    addCondition(B.CreateICmpULT(Or, B.getInt64(1ULL << MaxGuardBits)));
  if (Value *Or = orAll(B, Small))
    addCondition(
        B.CreateICmpULT(Or, B.getInt64(1ULL << SmallGuardBits), "dl.small"));
  Value *All = B.getTrue();
  for (Value *V : Conditions)
    All = B.CreateAnd(All, V);
  Conditions.clear();
  return All;
}

void GuardEmitter::setCondition(CondBrInst &Branch, Value *Condition) const {
  Branch.setCondition(Condition);
  if (ExpectsOriginal)
    Branch.setMetadata(
        LLVMContext::MD_prof,
        MDBuilder(Branch.getContext()).createUnlikelyBranchWeights());
}

/// Goes on in a block that is entered only if all conditions so far hold.
void GuardEmitter::startBlock() {
  if (Conditions.empty() && Small.empty() && Bounded.empty() &&
      Overflows.empty())
    return;
  Value *Condition = takeCondition();
  BasicBlock *Block = B.GetInsertBlock();
  auto *Branch = cast<CondBrInst>(Block->getTerminator());
  BasicBlock *Next = BasicBlock::Create(Block->getContext(), "dl.guard",
                                        Block->getParent(), Region.Fast);
  CondBrInst *Last = CondBrInst::Create(ConstantInt::getFalse(B.getContext()),
                                        Region.Fast, Region.Original, Next);
  Last->setDebugLoc(Branch->getDebugLoc());
  Branch->setSuccessor(0, Next);
  setCondition(*Branch, Condition);
  DT.addNewBlock(Next, Block);
  DT.changeImmediateDominator(Region.Fast, Next);
  if (Loop *Parent = LI.getLoopFor(Block))
    Parent->addBasicBlockToLoop(Next, LI);
  DebugLoc Loc = B.getCurrentDebugLocation();
  B.SetInsertPoint(Last);
  B.SetCurrentDebugLocation(Loc);
}

void GuardEmitter::bindValues() {
  for (auto [Id, V] : ParamValues) {
    K.Params[Id].Bound = V;
    K.Params[Id].Depth = 0;
  }
  for (auto [Id, V] : Pointers) {
    K.Buffers[Id].Bound = V;
    K.Buffers[Id].Depth = 0;
  }
}

bool GuardEmitter::finish() {
  Value *Condition = takeCondition();
  auto *Branch = cast<CondBrInst>(B.GetInsertBlock()->getTerminator());
  setCondition(*Branch, Condition);
  LLVMContext &C = B.getContext();
  Branch->setMetadata(GuardTag, MDNode::get(C, {}));
  bindValues();
  return !KnownToFail && !match(Condition, PatternMatch::m_Zero());
}

void GuardEmitter::abandon() {
  Conditions.assign(1, B.getFalse());
  Small.clear();
  Bounded.clear();
  Overflows.clear();
  auto *Branch = cast<CondBrInst>(B.GetInsertBlock()->getTerminator());
  Branch->setCondition(takeCondition());
}

} // namespace dlopt
