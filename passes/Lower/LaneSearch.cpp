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
#include "dlopt/Uses.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace dlopt {

/// An element of memory along \p A, or what an operation without rounding makes
/// of it: it is computed again, to the same bits.
static bool isSearched(const Kernel &K, const Leaf &L, OpId Id, AxisId A) {
  const Op &O = L.Ops[Id];
  if (O.K == Op::Load)
    return K.dependsOn(O.Acc, A);
  bool IsExact =
      (O.K == Op::Inst &&
       (O.Opcode == Instruction::FNeg || O.Opcode == Instruction::FPExt ||
        O.Opcode == Instruction::SExt || O.Opcode == Instruction::ZExt)) ||
      (O.K == Op::Intrinsic && O.Opcode == Intrinsic::fabs);
  return IsExact && isSearched(K, L, O.Args[0], A);
}

/// Whether \p Id does not depend on what \p States hold.
static bool isFree(const Leaf &L, OpId Id, ArrayRef<BufferId> States) {
  return !isComputedOf(L, Id, [&](const Op &O) {
    return O.K == Op::Load && is_contained(States, O.Acc.Buf);
  });
}

/// \p A is `better(value, state) ? new : old`; the new value, and the
/// comparison with the value in front, in \p Better.
static std::optional<OpId> getChosen(const Kernel &K, const Leaf &L,
                                     const Assign &A, OpId &Test,
                                     bool &IfTrue) {
  const Op &O = L.Ops[A.Value];
  auto IsOld = [&](OpId Id) {
    const Op &X = L.Ops[Id];
    return X.K == Op::Load && X.Acc.Buf == A.Target.Buf;
  };
  if (!K.Buffers[A.Target.Buf].IsLocal ||
      !K.Buffers[A.Target.Buf].Shape.empty() || O.K != Op::Inst ||
      O.Opcode != Instruction::Select || IsOld(O.Args[1]) == IsOld(O.Args[2]))
    return std::nullopt;
  Test = O.Args[0];
  IfTrue = IsOld(O.Args[2]);
  return O.Args[IfTrue ? 1 : 2];
}

/// The leaf \p L of \p A as a search, if it is `state = maxnum(state, value)`.
static std::optional<LaneSearch> getNumberSearch(const Kernel &K, const Leaf &L,
                                                 AxisId A) {
  if (L.Assigns.size() != 1)
    return std::nullopt;
  const Assign &Only = L.Assigns.front();
  const Op &O = L.Ops[Only.Value];
  BufferId Buf = Only.Target.Buf;
  bool IsMax = O.Opcode == Intrinsic::maxnum;
  // Where there are numbers alone, LLVM's vectors are as good.
  if (O.K != Op::Intrinsic || !(IsMax || O.Opcode == Intrinsic::minnum) ||
      O.FMF.noNaNs() || !K.Buffers[Buf].IsLocal ||
      !K.Buffers[Buf].Shape.empty())
    return std::nullopt;
  for (unsigned Old : {0u, 1u}) {
    const Op &State = L.Ops[O.Args[Old]];
    OpId New = O.Args[1 - Old];
    if (State.K != Op::Load || State.Acc.Buf != Buf ||
        !isSearched(K, L, New, A) || !isFree(L, New, {Buf}))
      continue;
    LaneSearch S;
    S.L = &L;
    S.State = Buf;
    S.Value = New;
    S.Better = IsMax ? CmpInst::FCMP_OGT : CmpInst::FCMP_OLT;
    S.OfNumbers = true;
    S.KeepsLast = Old == 1;
    S.News.push_back({Buf, New});
    return S;
  }
  return std::nullopt;
}

std::optional<LaneSearch> getLaneSearch(const Kernel &K, const Node &N) {
  if (N.K != Node::AxisNode || N.Children.size() != 1 || !N.Locals.empty() ||
      N.Children.front()->K != Node::LeafNode)
    return std::nullopt;
  const Leaf &L = N.Children.front()->L;
  if (!L.Domain.empty() || L.Predicate ||
      any_of(L.Ops, [](const Op &O) { return O.K == Op::LibCall; }))
    return std::nullopt;
  if (auto S = getNumberSearch(K, L, N.Ax))
    return S;
  LaneSearch S;
  S.L = &L;
  SmallVector<BufferId, 2> States;
  std::optional<OpId> Test;
  bool IfTrue = true, HasState = false;
  for (const Assign &A : L.Assigns) {
    OpId OwnTest = 0;
    bool OwnIfTrue = true;
    std::optional<OpId> New = getChosen(K, L, A, OwnTest, OwnIfTrue);
    if (!New || (Test && (*Test != OwnTest || IfTrue != OwnIfTrue)))
      return std::nullopt;
    Test = OwnTest;
    IfTrue = OwnIfTrue;
    States.push_back(A.Target.Buf);
    S.News.push_back({A.Target.Buf, *New});
  }
  if (!Test)
    return std::nullopt;
  const Op &Compare = L.Ops[*Test];
  if (Compare.K != Op::Inst || (Compare.Opcode != Instruction::FCmp &&
                                Compare.Opcode != Instruction::ICmp))
    return std::nullopt;
  S.Better = IfTrue ? Compare.Pred : CmpInst::getInversePredicate(Compare.Pred);
  for (auto [State, New] : S.News) {
    auto IsState = [&, State = State](OpId Id) {
      return L.Ops[Id].K == Op::Load && L.Ops[Id].Acc.Buf == State;
    };
    bool First = Compare.Args[0] == New && IsState(Compare.Args[1]),
         Second = Compare.Args[1] == New && IsState(Compare.Args[0]);
    if (!First && !Second)
      continue;
    if (Second)
      S.Better = CmpInst::getSwappedPredicate(S.Better);
    S.State = State;
    S.Value = New;
    HasState = true;
  }
  bool IsStrict =
      is_contained({CmpInst::FCMP_OGT, CmpInst::FCMP_OLT, CmpInst::ICMP_SGT,
                    CmpInst::ICMP_SLT, CmpInst::ICMP_UGT, CmpInst::ICMP_ULT},
                   S.Better);
  S.KeepsLast =
      is_contained({CmpInst::FCMP_OGE, CmpInst::FCMP_OLE, CmpInst::ICMP_SGE,
                    CmpInst::ICMP_SLE, CmpInst::ICMP_UGE, CmpInst::ICMP_ULE},
                   S.Better);
  if (!HasState || !(IsStrict || S.KeepsLast) ||
      !isSearched(K, L, S.Value, N.Ax) || !all_of(S.News, [&](const auto &X) {
        return isFree(L, X.second, States);
      }))
    return std::nullopt;
  return S;
}

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
std::pair<Value *, Value *>
LaneLowering::searchGroups(AxisId A, const LaneSearch &S, Value *Trip,
                           unsigned Lanes, unsigned Chains) {
  Type *Elem = getIRType(K.Buffers[S.State].Ty, B.getContext());
  Value *Start = B.CreateVectorSplat(
      Chains, widen(B, S, B.CreateLoad(Elem, C.Locals[S.State])));
  // Extents are below 2^29.
  Type *GroupTy = FixedVectorType::get(
      B.getIntNTy(Start->getType()->getScalarSizeInBits()), Chains);
  Value *LastGroup = B.CreateSub(Trip, B.getInt64(Lanes));
  SearchFetch Fetch = getFetch(A, S, Trip);
  CountedLoop Loop = beginSteps(B, B.getInt64(0), Trip, B.getInt64(Lanes),
                                K.Axes[A].Name + ".x" + Twine(Lanes));
  PHINode *Best = addCarried(Loop, Start, "best");
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
  return {Greatest, S.KeepsLast ? B.CreateSExtOrTrunc(Only, B.getInt64Ty())
                                : B.CreateZExtOrTrunc(Only, B.getInt64Ty())};
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
  return S.News.size() == 1 && !S.KeepsLast && !S.OfNumbers && Target.isX86() &&
         isFloat(K.Buffers[S.State].Ty) && isNeverNegative(K, *S.L, S.Value);
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
    auto [Greatest, Group] = searchGroups(A, S, Trip, Lanes, Chains);
    Value *Start = widen(B, S, B.CreateLoad(Elem, C.Locals[S.State]));
    BasicBlock *Done = splitAtInsertPoint(B, "search.done");
    BasicBlock *Found = BasicBlock::Create(B.getContext(), "search.found",
                                           Done->getParent(), Done);
    B.CreateCondBr(S.KeepsLast ? B.CreateICmpSGE(Group, B.getInt64(0))
                               : B.CreateCmp(S.Better, Greatest, Start),
                   Found, Done);
    B.SetInsertPoint(Found);
    takeFound(A, S, Greatest, Group, Lanes);
    B.CreateBr(Done);
    B.SetInsertPoint(Done, Done->getFirstInsertionPt());
    if (!S.KeepsLast)
      keepAsChosen(S, Greatest);
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
