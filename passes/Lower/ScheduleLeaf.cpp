//===- ScheduleLeaf.cpp - Scheduled kernels to IR: leaves -----------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A leaf out of lanes, or for all lanes of a vector: conditions that lanes
/// share are branches, others become masks. What is computed where the source
/// computes nothing (lanes that do not run, junk) has no effect and no
/// undefined behaviour: nothing divides by zero, nothing is called, no branch
/// is on what may be poison.
///
//===----------------------------------------------------------------------===//
#include "BlockUtils.h"
#include "CacheLines.h"
#include "ExpressionLower.h"
#include "ScheduleEmitter.h"
#include "dlopt/Compat.h"
#include "dlopt/Expression.h"
#include "dlopt/Lanes.h"
#include "dlopt/MathModels.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace dlopt {

bool ScheduleEmitter::readsForAllLanes(const Leaf &L, AxisId Lane) const {
  // Subscripts that differ may come to one offset.
  auto Varies = [&](const Access &X) {
    return DLOPT_PLANTED(OneOffsetUnseen)
               ? K.dependsOn(X, Lane)
               : K.dependsOn(Facts.fold(getOffset(X)), Lane);
  };
  auto IsRead = [&](const Op &O) {
    if (O.K == Op::LibCall)
      return true;
    return O.K == Op::Load && !isInRegisters(K.Buffers[O.Acc.Buf]) &&
           !Varies(O.Acc);
  };
  auto IsLoad = [](const Atom &A) { return A.K == Atom::Load; };
  return any_of(L.Ops,
                [&](const Op &O) {
                  return IsRead(O) || hasLoads(K, O.Idx) ||
                         K.anyNestedAtom(O.Acc, IsLoad);
                }) ||
         any_of(L.Assigns,
                [&](const Assign &A) {
                  return K.anyNestedAtom(A.Target, IsLoad);
                }) ||
         any_of(L.Domain,
                [&](const Constraint &C) { return hasLoads(K, C.P); });
}

namespace {

class ScheduledLeaf {
public:
  ScheduledLeaf(ScheduleEmitter &E, const Leaf &L)
      : E(E), B(E.B), L(L), Values(L.Ops.size(), nullptr) {}

  void run() {
    auto Before = E.Copies;
    E.Lanes.Mask = E.Lanes.Range;
    E.Lanes.IsGuarded = false;
    findJunk();
    if (enterDomain()) {
      enterPredicate();
      if (L.Prefetch)
        prefetchLines(B, E.locateAhead(*L.Prefetch), /*Bytes=*/1,
                      E.isStored(L.Prefetch->Buf), L.PrefetchLocality);
      if (L.IsFence)
        E.emitFence();
      assign();
    }
    leave();
    E.Copies = std::move(Before);
    E.Lanes.Mask = nullptr;
  }

private:
  bool enterDomain();
  void enter(const Constraint &C);
  void enterPredicate();
  void assign();
  void guard();
  void enterIf(Value *Condition);
  void leave();
  void findJunk();
  void evaluate(ArrayRef<OpId> Roots, bool AndCalls);
  Value *emit(OpId Id);
  Value *emitInVector(const Op &O, MutableArrayRef<Value *> Args);
  Value *emitFunction(const Op &O, ArrayRef<Value *> Args, bool IsVector);
  Value *callInLanes(const Op &O, ArrayRef<Value *> Args);
  void makeSafe(const Op &O, MutableArrayRef<Value *> Args);
  Value *getIndex(const Op &O);

  ScheduleEmitter &E;
  IRBuilderBase &B;
  const Leaf &L;
  SmallVector<Value *, 16> Values; ///< by operation; null: not evaluated
  SmallVector<bool, 16> MayBeJunk; ///< by operation
  BasicBlock *Done = nullptr;      ///< behind the conditions, if there are any
};

} // namespace

void emitScheduledLeaf(ScheduleEmitter &E, const Leaf &L) {
  ScheduledLeaf(E, L).run();
}

void ScheduledLeaf::enterIf(Value *Condition) {
  if (!Done)
    Done = splitAtInsertPoint(B, "dl.done");
  BasicBlock *Then =
      BasicBlock::Create(B.getContext(), "dl.if", Done->getParent(), Done);
  B.CreateCondBr(Condition, Then, Done);
  DebugLoc Loc = B.getCurrentDebugLocation();
  B.SetInsertPoint(Then);
  B.SetCurrentDebugLocation(Loc);
}

void ScheduledLeaf::leave() {
  if (!Done)
    return;
  B.CreateBr(Done);
  DebugLoc Loc = B.getCurrentDebugLocation();
  B.SetInsertPoint(Done, Done->getFirstInsertionPt());
  B.SetCurrentDebugLocation(Loc);
}

/// What lanes share is read only if some lane runs.
void ScheduledLeaf::guard() {
  if (DLOPT_PLANTED(SharedReadUnguarded) || !E.Lanes.isVector() ||
      E.isSomeLaneSure() || E.Lanes.IsGuarded ||
      !E.readsForAllLanes(L, *E.Lanes.Axis))
    return;
  if (!E.isSomeLaneKnown())
    enterIf(B.CreateOrReduce(E.Lanes.Mask));
  E.Lanes.IsGuarded = true;
}

void ScheduledLeaf::enter(const Constraint &C) {
  if (hasLoads(E.K, C.P))
    guard();
  Value *Condition = E.emitConstraint(C);
  if (Condition->getType()->isVectorTy())
    E.addToMask(Condition);
  else
    enterIf(Condition);
}

/// False: it holds nowhere. What loads is tested behind what does not, as it
/// may be behind what that guards.
bool ScheduledLeaf::enterDomain() {
  SmallVector<const Constraint *, 4> Left;
  for (const Constraint &C : L.Domain) {
    std::optional<bool> Holds = E.holds(C);
    if (Holds == false)
      return false;
    if (!Holds)
      Left.push_back(&C);
  }
  auto GetTurn = [&](const Constraint &C) {
    return hasLoads(E.K, C.P) ? 2 : E.isVarying(C.P) ? 1 : 0;
  };
  for (int Turn : {0, 1, 2})
    for (const Constraint *C : Left)
      if (GetTurn(*C) == Turn)
        enter(*C);
  return true;
}

/// In lanes a condition may be junk, of what is kept where junk may be, or of
/// what was never assigned where no lane runs: either way is right then.
void ScheduledLeaf::enterPredicate() {
  if (!L.Predicate)
    return;
  guard();
  evaluate({*L.Predicate}, /*AndCalls=*/false);
  Value *Condition = Values[*L.Predicate];
  bool IsForAll = E.Lanes.isVector() && !Condition->getType()->isVectorTy();
  bool MayRunForNone = IsForAll && !E.isSomeLaneSure() && !E.Lanes.IsGuarded;
  if (E.Lanes.Axis && (MayBeJunk[*L.Predicate] || MayRunForNone))
    Condition = B.CreateFreeze(Condition);
  if (Condition->getType()->isVectorTy())
    E.addToMask(Condition);
  else
    enterIf(Condition);
}

/// All values and places are computed before the first store.
void ScheduledLeaf::assign() {
  guard();
  SmallVector<OpId, 2> Results;
  for (const Assign &A : L.Assigns)
    Results.push_back(A.Value);
  evaluate(Results, /*AndCalls=*/true);
  SmallVector<ScheduleEmitter::Place, 2> Places;
  for (const Assign &A : L.Assigns)
    Places.push_back(E.locate(A.Target));
  for (auto [A, To] : zip_equal(L.Assigns, Places)) {
    if (DLOPT_PLANTED(PlacesBetweenStores))
      To = E.locate(A.Target);
    E.store(A, To, Values[A.Value]);
  }
}

void ScheduledLeaf::findJunk() {
  for (const Op &O : L.Ops)
    MayBeJunk.push_back(
        O.K == Op::Load
            ? E.K.Buffers[O.Acc.Buf].Where != Buffer::AnyPlace
            : any_of(O.Args, [&](OpId Arg) { return MayBeJunk[Arg]; }));
}

/// Evaluates what \p Roots need, in the order of the source; \p AndCalls: and
/// all calls that may set errno.
void ScheduledLeaf::evaluate(ArrayRef<OpId> Roots, bool AndCalls) {
  SmallVector<bool, 16> Needed = findNeeded(L, Roots, AndCalls);
  DebugLoc LeafLoc = B.getCurrentDebugLocation();
  for (auto [Id, O] : enumerate(L.Ops)) {
    if (!Needed[Id] || Values[Id])
      continue;
    auto *Origin = dyn_cast_or_null<Instruction>(O.Origin);
    if (Origin && Origin->getDebugLoc())
      B.SetCurrentDebugLocation(Origin->getDebugLoc());
    Values[Id] = emit(Id);
    B.SetCurrentDebugLocation(LeafLoc);
  }
}

Value *ScheduledLeaf::getIndex(const Op &O) {
  Value *V = E.isVarying(O.Idx) ? E.getLanePoly(O.Idx) : E.getPoly(O.Idx);
  return B.CreateTrunc(
      V, V->getType()->getWithNewType(getIRType(O.Ty, B.getContext())));
}

static bool isDivision(const Op &O) {
  if (O.K != Op::Inst)
    return false;
  switch (O.Opcode) {
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return true;
  default:
    return false;
  }
}

/// Whether the divisor is a number that divides everything.
static bool isSafeDivisor(const Value *V) {
  auto *Number = dyn_cast<ConstantInt>(V);
  return Number && !Number->isZero() && !Number->isMinusOne();
}

/// Divides by 1 what must not be divided: where the leaf runs, that is not.
void ScheduledLeaf::makeSafe(const Op &O, MutableArrayRef<Value *> Args) {
  bool IsSigned =
      O.Opcode == Instruction::SDiv || O.Opcode == Instruction::SRem;
  Args[0] = B.CreateFreeze(Args[0]);
  Args[1] = B.CreateFreeze(Args[1]);
  Type *Ty = Args[1]->getType();
  Value *IsBad = B.CreateICmpEQ(Args[1], Constant::getNullValue(Ty));
  if (IsSigned) {
    Constant *Least = ConstantInt::get(
        Ty, APInt::getSignedMinValue(Ty->getScalarSizeInBits()));
    Value *Wraps =
        B.CreateAnd(B.CreateICmpEQ(Args[0], Least),
                    B.CreateICmpEQ(Args[1], Constant::getAllOnesValue(Ty)));
    IsBad = B.CreateOr(IsBad, Wraps);
  }
  Args[1] = B.CreateSelect(IsBad, ConstantInt::get(Ty, 1), Args[1]);
}

/// A vector divided by another one, of numbers of 32 bits: x86 divides these
/// one by one. The quotient of two such numbers is not as near to a whole
/// number, if it is none, as that of doubles is to it. Null: LLVM does it as
/// well.
static Value *divideAsDoubles(IRBuilderBase &B, const Op &O,
                              ArrayRef<Value *> Args) {
  auto *Ty = dyn_cast<VectorType>(Args[0]->getType());
  const Function &F = *B.GetInsertBlock()->getParent();
  if (O.Opcode != Instruction::SDiv || !Ty ||
      !Ty->getElementType()->isIntegerTy(32) || isa<Constant>(Args[1]) ||
      !getTriple(*F.getParent()).isX86() ||
      F.hasFnAttribute(Attribute::StrictFP))
    return nullptr;
  IRBuilderBase::FastMathFlagGuard Guard(B);
  B.clearFastMathFlags();
  Type *Wide = Ty->getWithNewType(B.getDoubleTy());
  Value *Num = B.CreateSIToFP(Args[0], Wide),
        *Den = B.CreateSIToFP(Args[1], Wide);
  return B.CreateFPToSI(B.CreateFDiv(Num, Den), Ty);
}

/// \p O as vectors compute it, or scalars that may be approximated; null: it is
/// called.
Value *ScheduledLeaf::emitFunction(const Op &O, ArrayRef<Value *> Args,
                                   bool IsVector) {
  if (std::optional<MathFunction> F = getInlineMath(O, E.Math))
    return emitMath(B, *F, Args, E.Math.Accuracy, E.Math.Math);
  if (!IsVector)
    return nullptr;
  if (isRoot(O))
    return E.Models.getRoots(O, Args.front(), E.Lanes.Mask);
  return E.Models.compute(O, *getMathModel(O, E.Math), Args, E.Lanes.Mask);
}

/// The call for each lane that runs, in order.
Value *ScheduledLeaf::callInLanes(const Op &O, ArrayRef<Value *> Args) {
  Type *Elem = getIRType(O.Ty, B.getContext());
  auto Call = [&](unsigned Lane) {
    SmallVector<Value *, 2> Own;
    for (Value *V : Args)
      Own.push_back(V->getType()->isVectorTy() ? B.CreateExtractElement(V, Lane)
                                               : V);
    return E.ScalarContext::getOp(O, Own);
  };
  if (!E.Lanes.Mask)
    return E.createVector(Elem, Call);
  Value *Result = PoisonValue::get(FixedVectorType::get(Elem, E.Lanes.Width));
  for (unsigned Lane = 0; Lane != E.Lanes.Width; ++Lane) {
    Value *Called = nullptr;
    auto [Run, Skipped] =
        E.branch(B.CreateExtractElement(E.Lanes.Mask, Lane), [&] {
          Called = B.CreateInsertElement(Result, Call(Lane), Lane);
        });
    PHINode *Behind = B.CreatePHI(Result->getType(), 2);
    Behind->addIncoming(Called, Run);
    Behind->addIncoming(Result, Skipped);
    Result = Behind;
  }
  return Result;
}

/// Operands of an operation on vectors are vectors, but for a condition that
/// chooses for all lanes and for what intrinsics take as a scalar.
Value *ScheduledLeaf::emitInVector(const Op &O, MutableArrayRef<Value *> Args) {
  bool IsSelect = O.K == Op::Inst && O.Opcode == Instruction::Select;
  auto IsScalar = [&](unsigned I) {
    return O.K == Op::Intrinsic && takesScalar(O.Opcode, I);
  };
  for (auto [I, V] : enumerate(Args)) {
    if (IsScalar(I) && V->getType()->isVectorTy()) {
      Type *Elem = getIRType(O.Ty, B.getContext());
      return E.createVector(Elem, [&](unsigned Lane) {
        SmallVector<Value *, 3> Own;
        for (Value *Arg : Args)
          Own.push_back(Arg->getType()->isVectorTy()
                            ? B.CreateExtractElement(Arg, Lane)
                            : Arg);
        return emitOperation(B, O, Own);
      });
    }
    if (!(IsSelect && I == 0) && !IsScalar(I))
      V = E.spread(V);
  }
  return emitOperation(B, O, Args);
}

Value *ScheduledLeaf::emit(OpId Id) {
  const Op &O = L.Ops[Id];
  SmallVector<Value *, 3> Args;
  for (OpId Arg : O.Args)
    Args.push_back(Values[Arg]);
  bool IsVector =
      any_of(Args, [](Value *V) { return V->getType()->isVectorTy(); });
  if (isDivision(O)) {
    bool IsSafe = isSafeDivisor(Args[1]);
    if (IsVector)
      for (Value *&V : Args)
        V = E.spread(V);
    if (!IsSafe && (E.Lanes.Axis || MayBeJunk[Id]) &&
        !DLOPT_PLANTED(DividedInAllLanes))
      makeSafe(O, Args);
    if (Value *V = divideAsDoubles(B, O, Args))
      return V;
  }
  if (isMathInLanes(O, E.Math) || isRoot(O)) {
    if (IsVector)
      for (Value *&V : Args)
        V = E.spread(V);
    if (Value *V = emitFunction(O, Args, IsVector))
      return V;
  }
  if (isRoundedToBFloat(O) && L.Ops[O.Args[0]].Ty == ScalarType::F32)
    return emitRoundToBFloat(B, Args[0], E.Math.Math);
  switch (O.K) {
  case Op::Load:
    return E.load(O.Acc, O.Origin);
  case Op::Index:
    return getIndex(O);
  case Op::Const:
  case Op::Inst:
  case Op::Intrinsic:
    return IsVector ? emitInVector(O, Args) : emitOperation(B, O, Args);
  case Op::Param:
    return E.getParam(O.Ref);
  case Op::LibCall:
    // Attributes of a call may say that it is called with values alone.
    for (auto [Arg, V] : zip_equal(O.Args, Args))
      if (MayBeJunk[Arg])
        V = B.CreateFreeze(V);
    return IsVector ? callInLanes(O, Args) : E.ScalarContext::getOp(O, Args);
  case Op::View:
    llvm_unreachable("views have become loads");
  }
  llvm_unreachable("all operation kinds are listed");
}

} // namespace dlopt
