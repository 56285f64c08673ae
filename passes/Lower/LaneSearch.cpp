//===- LaneSearch.cpp - Greatest elements and their positions -------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The greatest (or smallest) of all values along an axis and where it is: what
/// the source finds is the first value that compares equal to the greatest one,
/// whatever the order, so lanes may share the search without any flags. Each
/// lane keeps the greatest value that it has seen, and the first element of the
/// group in which that was; values are compared in vectors twice, the group is
/// kept once for several vectors. At the end the group is searched again. What
/// takes equal values, too, finds the last one: the lanes keep the last group.
///
//===----------------------------------------------------------------------===//
#include "LaneSearch.h"
#include "BlockUtils.h"
#include "CacheLines.h"
#include "dlopt/Compat.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Signs.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace dlopt {

Value *evaluate(LaneContext &C, const Leaf &L, OpId Id) {
  const Op &O = L.Ops[Id];
  SmallVector<Value *, 3> Args;
  for (OpId Arg : O.Args)
    Args.push_back(evaluate(C, L, Arg));
  return C.getOp(O, Args);
}

static Value *getElements(IRBuilderBase &B, Value *V, unsigned First,
                          unsigned Count) {
  return B.CreateShuffleVector(V, createSequentialMask(First, Count, 0));
}

static Value *isEqual(IRBuilderBase &B, Value *X, Value *Y) {
  return X->getType()->isFPOrFPVectorTy() ? B.CreateFCmpOEQ(X, Y)
                                          : B.CreateICmpEQ(X, Y);
}

/// Whether one of the elements of \p V, an even number, is NaN.
static Value *isAnyNaN(IRBuilderBase &B, Value *V) {
  unsigned Half = cast<FixedVectorType>(V->getType())->getNumElements() / 2;
  Value *Is = B.CreateFCmpUNO(getElements(B, V, 0, Half),
                              getElements(B, V, Half, Half));
  return B.CreateIsNotNull(B.CreateBitCast(Is, B.getIntNTy(Half)));
}

Value *choose(IRBuilderBase &B, const LaneSearch &S, Value *New, Value *Old) {
  return B.CreateSelect(B.CreateCmp(S.Better, New, Old), New, Old);
}

Value *reduceLanes(IRBuilderBase &B, Value *V,
                   function_ref<Value *(Value *Low, Value *High)> Combine) {
  return B.CreateExtractElement(combineHalves(B, V, 1, Combine), uint64_t(0));
}

/// Integers as they are compared: as wide as the numbers of groups at least.
static Value *widen(IRBuilderBase &B, const LaneSearch &S, Value *V) {
  Type *Ty = V->getType();
  if (!Ty->isIntOrIntVectorTy() || Ty->getScalarSizeInBits() >= 32)
    return V;
  Type *Wide = Ty->getWithNewBitWidth(32);
  return CmpInst::isSigned(S.Better) ? B.CreateSExt(V, Wide)
                                     : B.CreateZExt(V, Wide);
}

/// The element that \p Id, which is searched, is made of.
static const Op &getSearched(const Leaf &L, OpId Id) {
  const Op &O = L.Ops[Id];
  return O.K == Op::Load ? O : getSearched(L, O.Args[0]);
}

/// What is fetched ahead while the axis \p A of \p Trip elements is searched.
LaneLowering::SearchFetch LaneLowering::getFetch(AxisId A, const LaneSearch &S,
                                                 Value *Trip) {
  SearchFetch Fetch;
  if (!Plan.FetchesAhead)
    return Fetch;
  Fetch.Searched = &getSearched(*S.L, S.Value);
  Fetch.End = Trip;
  Fetch.Ahead = B.getInt64(BytesAhead / getSizeInBytes(Fetch.Searched->Ty));
  Fetch.Gap = B.getInt64(0);
  std::optional<Poly> Apart =
      Row ? getStride(K, getOffset(K, Fetch.Searched->Acc), Row->Ax)
          : std::nullopt;
  if (!Apart || K.dependsOn(*Apart, A) || K.dependsOn(*Apart, Row->Ax))
    return Fetch;
  // Behind a row is the next one. Where that lies elsewhere, it follows at
  // once.
  Fetch.Gap = B.CreateSub(C.getPoly(*Apart), Trip);
  Fetch.Ahead = B.CreateSelect(
      B.CreateICmpEQ(Fetch.Gap, B.getInt64(0)), Fetch.Ahead,
      B.CreateBinaryIntrinsic(Intrinsic::smin, Fetch.Ahead, Trip));
  return Fetch;
}

/// Fetches as many elements as a group of \p Lanes has, which begins at
/// \p First of \p A.
void LaneLowering::fetchAhead(AxisId A, const SearchFetch &Fetch, Value *First,
                              unsigned Lanes) {
  if (!Fetch.Searched)
    return;
  Value *Next = B.CreateAdd(First, Fetch.Ahead);
  C.AxisValues[A] = B.CreateSelect(B.CreateICmpSLT(Next, Fetch.End), Next,
                                   B.CreateAdd(Next, Fetch.Gap));
  prefetchLines(B, C.getAddress(Fetch.Searched->Acc),
                uint64_t(Lanes) * getSizeInBytes(Fetch.Searched->Ty),
                /*ForWrite=*/false);
  C.AxisValues[A] = First;
}

/// All groups of \p Lanes elements, of which there is one at least; the last
/// one may have elements of the one before it: what is found first stays, and
/// what is last is in the last one that has it. Returns the greatest value and
/// the first element of that group; where equal values are taken, too, -1 if
/// none was.
LaneLowering::FoundGroup LaneLowering::searchGroups(AxisId A,
                                                    const LaneSearch &S,
                                                    Value *Trip, unsigned Lanes,
                                                    unsigned Chains) {
  Type *Elem = getIRType(K.Buffers[S.State].Ty, B.getContext());
  Value *Old = widen(B, S, B.CreateLoad(Elem, C.Locals[S.State]));
  Value *Start = B.CreateVectorSplat(Chains, Old);
  Value *IsNaN = S.IsOfNumbersOnly ? B.CreateFCmpUNO(Old, Old) : nullptr;
  // Extents are below 2^29.
  Type *GroupTy = FixedVectorType::get(
      B.getIntNTy(Start->getType()->getScalarSizeInBits()), Chains);
  Value *LastGroup = B.CreateSub(Trip, B.getInt64(Lanes));
  SearchFetch Fetch = getFetch(A, S, Trip);
  CountedLoop Loop = beginSteps(B, B.getInt64(0), Trip, B.getInt64(Lanes),
                                K.Axes[A].Name + ".x" + Twine(Lanes));
  PHINode *Best = addCarried(Loop, Start, "best");
  PHINode *HasNaN = IsNaN ? addCarried(Loop, IsNaN, "nan") : nullptr;
  Constant *None = Constant::getAllOnesValue(GroupTy);
  PHINode *Group = addCarried(
      Loop, S.KeepsLast ? None : Constant::getNullValue(GroupTy), "best.group");
  Value *First =
      B.CreateBinaryIntrinsic(Intrinsic::smin, Loop.Index, LastGroup);
  if (DLOPT_PLANTED(SearchRestDropped))
    First = Loop.Index;
  fetchAhead(A, Fetch, First, Lanes);
  C.enterLanes(A, First, Lanes);
  Value *All = widen(B, S, evaluate(C, *S.L, S.Value));
  if (HasNaN)
    HasNaN->addIncoming(DLOPT_PLANTED(NaNUnseen)
                            ? HasNaN
                            : B.CreateOr(HasNaN, isAnyNaN(B, All)),
                        Loop.Latch);
  Value *New = Best, *Taken = nullptr;
  for (unsigned I = 0; I != Lanes; I += Chains) {
    Value *Part = getElements(B, All, I, Chains);
    if (S.KeepsLast) {
      Value *Takes = B.CreateCmp(S.Better, Part, New);
      Taken = Taken ? B.CreateOr(Taken, Takes) : Takes;
    }
    New = choose(B, S, Part, New);
  }
  Value *Number = B.CreateVectorSplat(
      Chains, B.CreateTrunc(First, GroupTy->getScalarType()));
  if (!S.KeepsLast)
    Taken = B.CreateCmp(S.Better, New, Best);
  Group->addIncoming(B.CreateSelect(Taken, Number, Group), Loop.Latch);
  Best->addIncoming(New, Loop.Latch);
  endLoop(B, Loop);
  C.leaveLanes();
  Value *Greatest = reduceLanes(
      B, Best, [&](Value *X, Value *Y) { return choose(B, S, Y, X); });
  Value *Is = isEqual(B, Best, B.CreateVectorSplat(Chains, Greatest));
  Value *Groups = B.CreateSelect(Is, Group, None);
  Value *Only = reduceLanes(B, Groups, [&](Value *X, Value *Y) {
    return B.CreateBinaryIntrinsic(
        S.KeepsLast ? Intrinsic::smax : Intrinsic::umin, X, Y);
  });
  return {Greatest,
          S.KeepsLast ? B.CreateSExtOrTrunc(Only, B.getInt64Ty())
                      : B.CreateZExtOrTrunc(Only, B.getInt64Ty()),
          HasNaN};
}

/// Where a group of \p Lanes elements has \p Greatest first, or last: all
/// states get what belongs to that.
void LaneLowering::takeFound(AxisId A, const LaneSearch &S, Value *Greatest,
                             Value *Group, unsigned Lanes) {
  C.enterLanes(A, Group, Lanes);
  Value *All = widen(B, S, evaluate(C, *S.L, S.Value));
  C.leaveLanes();
  Value *Is = isEqual(B, All, B.CreateVectorSplat(Lanes, Greatest));
  Value *Bits = B.CreateBitCast(Is, B.getIntNTy(Lanes));
  bool Last = S.KeepsLast && !DLOPT_PLANTED(LastAsFirst);
  Value *Lane = B.CreateBinaryIntrinsic(
      Last ? Intrinsic::ctlz : Intrinsic::cttz, Bits, B.getTrue());
  if (Last)
    Lane = B.CreateSub(ConstantInt::get(Lane->getType(), Lanes - 1), Lane);
  C.AxisValues[A] =
      B.CreateAdd(Group, B.CreateZExtOrTrunc(Lane, B.getInt64Ty()));
  SmallVector<Value *, 2> News;
  for (auto [State, New] : S.News)
    News.push_back(evaluate(C, *S.L, New));
  for (auto [State, V] : zip_equal(S.News, News))
    B.CreateStore(V, C.Locals[State.first]);
}

/// The state, which is the greatest value, chosen once more. That changes
/// nothing, but where the CPU takes subnormal numbers for zeros, instructions
/// for maxima give zeros for them, and so does each round of the scalar loop.
void LaneLowering::keepAsChosen(const LaneSearch &S, Value *Greatest) {
  if (!Greatest->getType()->isFloatingPointTy() || DLOPT_PLANTED(SubnormalKept))
    return;
  Value *State = C.Locals[S.State];
  B.CreateStore(
      choose(B, S, Greatest, B.CreateLoad(Greatest->getType(), State)), State);
}

/// Whether all that is found is a value, and values that compare equal have the
/// same bits: it does not matter which one that is. Zeros of one sign do; where
/// subnormal numbers count as zeros only if what is taken of these is a zero,
/// as by instructions of x86 for maxima, and not if it is the last.
static bool isAnyOfEqual(const Kernel &K, const LaneSearch &S,
                         const Triple &Target) {
  return S.News.size() == 1 && !S.KeepsLast && !S.OfNumbers &&
         !S.IsOfNumbersOnly && Target.isX86() &&
         isFloat(K.Buffers[S.State].Ty) && isNeverNegative(K, *S.L, S.Value);
}

/// What belongs to the greatest element becomes the states, if that is one of
/// the elements of \p Found.
void LaneLowering::takeGroup(AxisId A, const LaneSearch &S,
                             const FoundGroup &Found, unsigned Lanes) {
  Type *Elem = getIRType(K.Buffers[S.State].Ty, B.getContext());
  Value *Start = widen(B, S, B.CreateLoad(Elem, C.Locals[S.State]));
  BasicBlock *Done = splitAtInsertPoint(B, "search.done");
  BasicBlock *Take = BasicBlock::Create(B.getContext(), "search.found",
                                        Done->getParent(), Done);
  B.CreateCondBr(S.KeepsLast ? B.CreateICmpSGE(Found.First, B.getInt64(0))
                             : B.CreateCmp(S.Better, Found.Greatest, Start),
                 Take, Done);
  B.SetInsertPoint(Take);
  takeFound(A, S, Found.Greatest, Found.First, Lanes);
  B.CreateBr(Done);
  B.SetInsertPoint(Done, Done->getFirstInsertionPt());
  // A test that has rules for NaN is no instruction for maxima.
  if (!S.KeepsLast && !S.IsOfNumbersOnly)
    keepAsChosen(S, Found.Greatest);
}

void LaneLowering::lowerSearch(const Node &N, const LaneSearch &S) {
  AxisId A = N.Ax;
  C.beginLeaf(/*BranchOnMask=*/false);
  Type *Elem = getIRType(K.Buffers[S.State].Ty, B.getContext());
  Value *Trip = getTrip(A);
  // Long rows in groups of twice the vectors, others one vector at a time. The
  // guard has asked for a vector, but maybe for one of another width.
  constexpr unsigned Vectors = 4;
  unsigned Chains = Plan.VectorElems * Vectors;
  const Triple Target = getTriple(*B.GetInsertBlock()->getModule());
  auto Search = [&](unsigned Lanes, unsigned Chains) {
    if (S.OfNumbers)
      return searchNumbers(A, S, Trip, Lanes);
    if (isAnyOfEqual(K, S, Target)) {
      Value *Start = B.CreateLoad(Elem, C.Locals[S.State]);
      return keepAsChosen(S, reduceNumbers(A, S, Trip, Lanes, Start));
    }
    FoundGroup Found = searchGroups(A, S, Trip, Lanes, Chains);
    if (!Found.HasNaN)
      return takeGroup(A, S, Found, Lanes);
    branch(
        Found.HasNaN, [&] { ScalarLowering::lowerAxis(N); },
        [&] { takeGroup(A, S, Found, Lanes); });
  };
  branch(
      B.CreateICmpSGE(Trip, B.getInt64(2 * Chains)),
      [&] { Search(2 * Chains, Chains); },
      [&] {
        branch(
            B.CreateICmpSGE(Trip, B.getInt64(Plan.VectorElems)),
            [&] { Search(Plan.VectorElems, Plan.VectorElems); },
            [&] { ScalarLowering::lowerAxis(N); });
      });
}

void LaneLowering::branch(Value *Condition, function_ref<void()> IfTrue,
                          function_ref<void()> IfFalse) {
  auto Before = C.Copies;
  DebugLoc Loc = B.getCurrentDebugLocation();
  BasicBlock *Done = splitAtInsertPoint(B, "dl.done");
  auto NewBlock = [&](const char *Name) {
    return BasicBlock::Create(B.getContext(), Name, Done->getParent(), Done);
  };
  BasicBlock *Yes = NewBlock("dl.then"), *No = NewBlock("dl.else");
  B.CreateCondBr(Condition, Yes, No);
  for (auto &[BB, Body] : {std::pair(Yes, IfTrue), std::pair(No, IfFalse)}) {
    B.SetInsertPoint(BB);
    B.SetCurrentDebugLocation(Loc);
    Body();
    B.CreateBr(Done);
    C.Copies = Before;
  }
  B.SetInsertPoint(Done, Done->getFirstInsertionPt());
  B.SetCurrentDebugLocation(Loc);
}

} // namespace dlopt
