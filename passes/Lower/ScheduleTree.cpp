//===- ScheduleTree.cpp - Scheduled kernels to IR: the tree ---------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///   par i[2] unroll par j[size(J)] lanes 4    ; size(J) is 8 here, or 1 to 3
///     acc[i,j] = %x[I + i,J + j]
///
/// is code for (i, j) = (0, 0), (0, 4), (1, 0), (1, 4) where the size is a
/// number; else for (0, 0) and (1, 0), under the mask of the lanes below the
/// size. What all leaves below an axis have as a condition is tested in front
/// of it, once.
///
//===----------------------------------------------------------------------===//
#include "BlockUtils.h"
#include "ScalarLower.h"
#include "ScheduleEmitter.h"
#include "dlopt/GeneratedDebugInfo.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ValueHandle.h"

using namespace llvm;

namespace dlopt {

ScheduleEmitter::ScheduleEmitter(IRBuilderBase &B, const Kernel &K,
                                 const MathPlan &Math)
    : ScalarContext(B, K), Math(Math), Models(*this, Math), Facts(K),
      LeastLanes(
          getScalableRegister(*B.GetInsertBlock()->getParent()).getLanes()),
      SizeValues(K.Axes.size(), nullptr), AxisDepths(K.Axes.size(), 0) {}

DenseMap<BufferId, Value *> lowerSchedule(IRBuilderBase &B, const Kernel &K,
                                          const MathPlan &Math) {
  ViewResolver Views(K);
  return ScheduleEmitter(B, Views.K, Math).run(Views);
}

DenseMap<BufferId, Value *> ScheduleEmitter::run(ViewResolver &Views) {
  Function *F = B.GetInsertBlock()->getParent();
  DebugLoc Before = B.getCurrentDebugLocation();
  B.SetCurrentDebugLocation(getCallLoc(*F, Before));
  Models.readNumbers();
  Value *Stack = createStackLocals();
  emitNumbers(Views);
  enterLocals(K.Root);
  emitChildren(K.Root);
  if (Stack)
    B.CreateStackRestore(Stack);
  B.SetCurrentDebugLocation(Before);
  SmallVector<std::pair<BufferId, WeakTrackingVH>, 2> Finals;
  for (BufferId Buf : K.Root.Locals)
    if (K.Buffers[Buf].Shape.empty())
      Finals.push_back(
          {Buf, fromRegister(loadSlot(Registers[Buf], 0), K.Buffers[Buf].Ty)});
  promoteSlots(B, AllLocals);
  if (getScalableRoom(K))
    multiplyByLanes(*F);
  DenseMap<BufferId, Value *> Result;
  for (auto &[Buf, V] : Finals)
    Result[Buf] = V;
  return Result;
}

/// Memory for all locals that are no registers. What has a number of elements
/// that is known at run time only is freed at the end: the state of the stack
/// to go back to.
Value *ScheduleEmitter::createStackLocals() {
  Function &F = *B.GetInsertBlock()->getParent();
  unsigned AddressSpace = F.getDataLayout().getAllocaAddrSpace();
  Value *Stack = nullptr;
  for (auto [Id, Buf] : enumerate(K.Buffers)) {
    // What is bound has its memory.
    if (!Buf.IsLocal || isInRegisters(Buf) || Buf.Bound)
      continue;
    uint64_t Room = getRoom(K, static_cast<BufferId>(Id));
    Type *Elem = getMemoryType(Buf.Ty);
    std::optional<uint64_t> Elements = getNumElements(Buf);
    if (Elements && !getScalableRoom(K)) {
      Locals[Id] = new AllocaInst(
          ArrayType::get(Elem, *Elements + Room), AddressSpace, nullptr,
          Align(StackAlign), Buf.Name, F.getEntryBlock().getFirstInsertionPt());
      continue;
    }
    if (!Stack)
      Stack = B.CreateStackSave();
    Value *Count = B.getInt64(1);
    for (const Poly &Extent : Buf.Shape)
      Count = B.CreateMul(Count, B.CreateBinaryIntrinsic(Intrinsic::smax,
                                                         getPoly(Extent),
                                                         B.getInt64(0)));
    if (isScalable(K, Buf) && DLOPT_PLANTED(StackOfLeast))
      Count = B.CreateUDiv(
          Count,
          B.CreateElementCount(B.getInt64Ty(), ElementCount::getScalable(1)));
    Count = B.CreateAdd(Count, B.getInt64(Room));
    if (int64_t More = getScalableRoom(K))
      Count = B.CreateAdd(Count, getValue({More, /*Scalable=*/true}));
    AllocaInst *Rows = B.CreateAlloca(Elem, AddressSpace, Count, Buf.Name);
    Rows->setAlignment(Align(StackAlign));
    Locals[Id] = Rows;
  }
  return Stack;
}

void ScheduleEmitter::enterLocals(const Node &N) {
  for (BufferId Buf : N.Locals)
    if (isInRegisters(K.Buffers[Buf]))
      createRegisters(Buf, N);
}

void ScheduleEmitter::emitChildren(const Node &N) {
  for (const auto &Child : N.Children)
    emitNode(*Child);
}

void ScheduleEmitter::emitNode(const Node &N) {
  DebugLoc Loc = B.getCurrentDebugLocation();
  switch (N.K) {
  case Node::LeafNode:
    if (N.L.Prefetch && Together && !Together->Results.empty())
      break; // it was before sums were made
    if (N.L.Loc)
      B.SetCurrentDebugLocation(N.L.Loc);
    if (Row)
      emitRowLeaf(N.L);
    else
      emitScheduledLeaf(*this, N.L);
    break;
  case Node::AxisNode:
    if (DebugLoc Own = K.Axes[N.Ax].Loc)
      B.SetCurrentDebugLocation(Own);
    emitAxis(N);
    break;
  case Node::Sequence:
    if (N.CasesAreOne)
      emitAllOrNot(N);
    else
      emitCases(N, N.Cases);
    break;
  }
  B.SetCurrentDebugLocation(Loc);
}

/// Runs \p Then where \p Condition holds, else \p Else. The blocks that end
/// these, in front of the one that \p B is left in.
std::pair<BasicBlock *, BasicBlock *>
ScheduleEmitter::branch(Value *Condition, function_ref<void()> Then,
                        function_ref<void()> Else) {
  auto Before = Copies;
  BasicBlock *From = B.GetInsertBlock();
  BasicBlock *Done = splitAtInsertPoint(B, "dl.done");
  auto NewBlock = [&](const char *Name) {
    return BasicBlock::Create(B.getContext(), Name, Done->getParent(), Done);
  };
  BasicBlock *If = NewBlock("dl.if"), *Or = Else ? NewBlock("dl.else") : Done;
  DebugLoc Loc = B.getCurrentDebugLocation();
  B.CreateCondBr(Condition, If, Or);
  auto Emit = [&](BasicBlock *BB, function_ref<void()> Arm) {
    B.SetInsertPoint(BB);
    B.SetInsertPoint(B.CreateBr(Done));
    B.SetCurrentDebugLocation(Loc);
    Arm();
    Copies = Before;
    return B.GetInsertBlock();
  };
  BasicBlock *EndOfIf = Emit(If, Then);
  BasicBlock *EndOfElse = Else ? Emit(Or, Else) : From;
  B.SetInsertPoint(Done, Done->getFirstInsertionPt());
  B.SetCurrentDebugLocation(Loc);
  return {EndOfIf, EndOfElse};
}

/// One code for each truth of \p Left. What a condition loads is no fact.
void ScheduleEmitter::emitCases(const Node &N, ArrayRef<Constraint> Left) {
  if (Left.empty()) {
    enterLocals(N);
    return emitChildren(N);
  }
  const Constraint &C = Left.front();
  Left = Left.drop_front();
  if (hasLoads(K, C.P) || Facts.holds(C))
    return emitCases(N, Left);
  branch(
      emitConstraint(C),
      [&] {
        ScheduleFacts::Scope Inside(Facts);
        Facts.add(C);
        emitCases(N, Left);
      },
      [&] {
        ScheduleFacts::Scope Inside(Facts);
        if (!C.IsEquality || DLOPT_PLANTED(UnequalTakenForLess))
          Facts.add(Poly() - C.P - 1);
        emitCases(N, Left);
      });
}

/// One code for where all cases of \p N hold, and one for where not.
void ScheduleEmitter::emitAllOrNot(const Node &N) {
  auto EmitIn = [&](bool All) {
    ScheduleFacts::Scope Inside(Facts);
    if (All || DLOPT_PLANTED(SomeTakenForAll))
      for (const Constraint &C : N.Cases)
        Facts.add(C);
    emitCases(N, {});
  };
  Value *All = nullptr;
  for (const Constraint &C : N.Cases) {
    std::optional<bool> Holds = Facts.holds(C);
    if (Holds == false)
      return EmitIn(false);
    if (Holds || hasLoads(K, C.P))
      continue;
    Value *Own = emitConstraint(C);
    All = All ? B.CreateAnd(All, Own) : Own;
  }
  if (!All)
    return EmitIn(true);
  branch(All, [&] { EmitIn(true); }, [&] { EmitIn(false); });
}

/// The conditions that all leaves below \p N have, and that have one value for
/// all of them.
static SmallVector<const Constraint *, 2> findCommon(const Kernel &K,
                                                     const Node &N) {
  SmallVector<AxisId, 4> Inside;
  auto AddAxes = [&](const Node &Of, auto &Self) -> void {
    if (Of.K == Node::AxisNode)
      Inside.push_back(Of.Ax);
    for (const auto &Child : Of.Children)
      Self(*Child, Self);
  };
  AddAxes(N, AddAxes);
  const Leaf *First = nullptr;
  SmallVector<const Constraint *, 2> Result;
  forEachLeaf(N, [&](const Leaf &L, ArrayRef<AxisId>) {
    if (!First) {
      First = &L;
      for (const Constraint &C : L.Domain)
        if (!hasLoads(K, C.P) &&
            none_of(Inside, [&](AxisId A) { return K.dependsOn(C.P, A); }))
          Result.push_back(&C);
      return;
    }
    erase_if(Result, [&](const Constraint *C) {
      return none_of(L.Domain, [&](const Constraint &Other) {
        return Other.P == C->P && (Other.IsEquality == C->IsEquality ||
                                   DLOPT_PLANTED(CommonConditionMixed));
      });
    });
  });
  return Result;
}

void ScheduleEmitter::emitAxis(const Node &N) {
  emitAxisUnder(N, findCommon(K, N));
}

void ScheduleEmitter::emitAxisUnder(const Node &N,
                                    ArrayRef<const Constraint *> Left) {
  if (!Left.empty()) {
    const Constraint &C = *Left.front();
    std::optional<bool> Holds = Facts.holds(C);
    if (Holds == false)
      return;
    if (Holds)
      return emitAxisUnder(N, Left.drop_front());
    branch(emitConstraint(C), [&] {
      ScheduleFacts::Scope Inside(Facts);
      Facts.add(C);
      emitAxisUnder(N, Left.drop_front());
    });
    return;
  }
  const AxisSchedule &S = K.Axes[N.Ax].Schedule;
  if (S.Unrolled)
    return emitUnrolled(N);
  if (!S.Row.empty())
    return emitRow(N);
  AxisBounds Bounds = getBounds(N.Ax);
  if (S.isBlocks())
    emitBlocks(N, Bounds);
  else if (S.Lanes)
    emitLanes(N, Bounds);
  else
    emitLoop(N, Bounds);
}

AxisBounds ScheduleEmitter::getBounds(AxisId A) {
  auto Combine = [&](ArrayRef<Poly> Ps, Intrinsic::ID Which,
                     NumberRange Range) {
    if (std::optional<int64_t> Number = Range.getNumber())
      return static_cast<Value *>(B.getInt64(*Number));
    Value *Result = nullptr;
    for (const Poly &P : Ps) {
      Value *V = getPoly(P);
      Result = Result ? B.CreateBinaryIntrinsic(Which, Result, V) : V;
    }
    return Result;
  };
  const Axis &Ax = K.Axes[A];
  AxisBounds Result;
  Result.BeginRange = Facts.getRangeOfMax(Ax.Begins);
  Result.EndRange = Facts.getRangeOfMin(Ax.Extents);
  Result.Begin = Combine(Ax.Begins, Intrinsic::smax, Result.BeginRange);
  Result.End = Combine(Ax.Extents, Intrinsic::smin, Result.EndRange);
  return Result;
}

/// The axis \p A is not below its begins, and \p Elements from it on are not
/// past its end.
void ScheduleEmitter::addFacts(AxisId A, const Poly &Elements) {
  std::optional<AtomId> Id = findAtom(Atom::Axis, A);
  if (!Id)
    return;
  Poly At = Poly::atom(*Id);
  for (const Poly &Begin : K.Axes[A].Begins)
    Facts.add(At - Begin);
  if (K.Axes[A].Begins.empty())
    Facts.add(At);
  for (const Poly &Extent : K.Axes[A].Extents)
    Facts.add(Extent - At - Elements);
}

std::optional<AtomId> ScheduleEmitter::findAtom(Atom::Kind Kind,
                                                AxisId A) const {
  for (auto [Id, At] : enumerate(K.Atoms))
    if (At.K == Kind && At.Ref == A)
      return Id;
  return std::nullopt;
}

/// The children, at \p At. Facts about the axis are the caller's, in a scope.
void ScheduleEmitter::emitRound(const Node &N, Value *At, NumberRange Range) {
  Value *Before = AxisValues[N.Ax];
  AxisValues[N.Ax] = At;
  Facts.Axes[N.Ax] = Range;
  AxisDepths[N.Ax] = ++Depth;
  if (!Loops.empty() && Loops.back().Depth == Depth)
    setBegin(Loops.back());
  enterLocals(N);
  emitChildren(N);
  --Depth;
  AxisValues[N.Ax] = Before;
}

/// The largest element of an axis that ends at \p End.
static NumberRange getElementRange(const AxisBounds &Bounds) {
  NumberRange Result{Bounds.BeginRange.Least, Bounds.EndRange.Most};
  if (Result.Most)
    *Result.Most -= *Result.Most != INT64_MIN;
  return Result;
}

/// A loop from \p Bounds.Begin on. The sums of beginSteps() are of numbers that
/// are not negative.
CountedLoop ScheduleEmitter::beginAxis(const AxisBounds &Bounds, Value *End,
                                       Value *Step, const Twine &Name) {
  CountedLoop L = beginSteps(B, Bounds.Begin, End, Step, Name);
  std::optional<int64_t> Least = Bounds.BeginRange.Least;
  if (!Least || *Least < 0)
    cast<Instruction>(L.Index->getIncomingValueForBlock(L.Latch))
        ->setHasNoUnsignedWrap(false);
  LoopFrame &Frame = Loops.emplace_back();
  Frame.Preheader = L.Preheader;
  Frame.Depth = Depth + 1;
  return L;
}

/// A round of \p L begins here.
void ScheduleEmitter::setBegin(LoopFrame &L) {
  L.Begin = B.GetInsertBlock();
  bool IsEmpty = B.GetInsertPoint() == L.Begin->begin();
  L.BeginsBehind = IsEmpty ? nullptr : &*std::prev(B.GetInsertPoint());
}

void ScheduleEmitter::endAxis(CountedLoop &L) {
  Loops.pop_back();
  endLoop(B, L);
}

void ScheduleEmitter::emitLoop(const Node &N, const AxisBounds &Bounds) {
  std::optional<int64_t> Begin = Bounds.getBegin(), End = Bounds.getEnd();
  if (Begin && End && *Begin >= *End)
    return;
  ScheduleFacts::Scope Inside(Facts, N.Ax);
  if (Begin && End && *End == *Begin + 1)
    return emitRound(N, Bounds.Begin, NumberRange::of(*Begin));
  // One round or none.
  if (std::optional<int64_t> Most = Bounds.EndRange.Most;
      Begin && Most && *Most <= *Begin + 1) {
    branch(B.CreateICmpSGT(Bounds.End, Bounds.Begin), [&] {
      addFacts(N.Ax, Poly(1));
      emitRound(N, Bounds.Begin, NumberRange::of(*Begin));
    });
    return;
  }
  auto Before = Copies;
  CountedLoop L =
      beginAxis(Bounds, Bounds.End, B.getInt64(1), K.Axes[N.Ax].Name);
  addFacts(N.Ax, Poly(1));
  emitRound(N, L.Index, getElementRange(Bounds));
  endAxis(L);
  Copies = std::move(Before);
}

/// A copy for each element that the axis may have. Whether it has those whose
/// number does not say so is tested.
void ScheduleEmitter::emitUnrolled(const Node &N) {
  const Axis &A = K.Axes[N.Ax];
  int64_t Begin = *Facts.getRangeOfMax(A.Begins).Least,
          End = *Facts.getRangeOfMin(A.Extents).Most;
  const InstructionRow *Wide = nullptr;
  bool HasAll = A.Begins.empty() && Facts.getRangeOfMin(A.Extents).getNumber();
  unsigned Count = HasAll ? countTogether(N, End, Wide) : 0;
  for (int64_t At = Begin; At < End; ++At) {
    if (Count && At + Count <= End) {
      emitTogether(N, At, Count, *Wide);
      At += Count - 1;
      continue;
    }
    ScheduleFacts::Scope Inside(Facts, N.Ax);
    emitCopy(N, At, A.Begins, A.Extents);
  }
}

/// The copy for the element \p At, if that is not in front of \p Begins and not
/// behind \p Extents.
void ScheduleEmitter::emitCopy(const Node &N, int64_t At, ArrayRef<Poly> Begins,
                               ArrayRef<Poly> Extents) {
  if (Begins.empty() && Extents.empty())
    return emitRound(N, B.getInt64(At), NumberRange::of(At));
  bool IsBegin = !Begins.empty();
  Poly Bound = IsBegin ? Begins.front() : Extents.front();
  Constraint Test{IsBegin ? Poly(At) - Bound : Bound - 1 - Poly(At), false};
  (IsBegin ? Begins : Extents) = (IsBegin ? Begins : Extents).drop_front();
  std::optional<bool> Holds = Facts.holds(Test);
  if (!Holds && IsBegin && DLOPT_PLANTED(CopyInFrontRuns))
    Holds = true;
  if (Holds == false)
    return;
  if (Holds)
    return emitCopy(N, At, Begins, Extents);
  // Bounds are compared, not subtracted: they may be any number.
  Value *Number = B.getInt64(At), *Own = getPoly(Bound);
  branch(IsBegin ? B.CreateICmpSLE(Own, Number) : B.CreateICmpSGT(Own, Number),
         [&] {
           ScheduleFacts::Scope Inside(Facts);
           Facts.add(Test);
           emitCopy(N, At, Begins, Extents);
         });
}

} // namespace dlopt
