//===- LaneNumbers.cpp - Greatest numbers, by fmax ------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `m = fmax(m, x[i])` without flags: the greatest number of all, in any order,
/// if there is one. Two things depend on the order, and both are looked up
/// afterwards where they matter: of zeros of both signs which one is the result
/// (that which the scalar code has kept), and whether what is no number, from
/// the start on, met the least number there is or none.
///
//===----------------------------------------------------------------------===//
#include "BlockUtils.h"
#include "LaneSearch.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace dlopt {

/// The greatest number of \p Seed, which is one, and all values along \p A, in
/// groups of \p Lanes, of which there is one at least.
Value *LaneLowering::reduceNumbers(AxisId A, const LaneSearch &S, Value *Trip,
                                   unsigned Lanes, Value *Seed) {
  Value *LastGroup = B.CreateSub(Trip, B.getInt64(Lanes));
  Value *Start = B.CreateVectorSplat(Lanes, Seed);
  SearchFetch Fetch = getFetch(A, S, Trip);
  CountedLoop Loop = beginSteps(B, B.getInt64(0), Trip, B.getInt64(Lanes),
                                K.Axes[A].Name + ".x" + Twine(Lanes));
  PHINode *Best = addCarried(Loop, Start, "best");
  Value *First =
      B.CreateBinaryIntrinsic(Intrinsic::smin, Loop.Index, LastGroup);
  if (DLOPT_PLANTED(SearchRestDropped))
    First = Loop.Index;
  fetchAhead(A, Fetch, First, Lanes);
  C.enterLanes(A, First, Lanes);
  Best->addIncoming(choose(B, S, evaluate(C, *S.L, S.Value), Best), Loop.Latch);
  endLoop(B, Loop);
  C.leaveLanes();
  return reduceLanes(B, Best,
                     [&](Value *X, Value *Y) { return choose(B, S, Y, X); });
}

/// The first value along \p A that compares equal to \p Greatest, or the last
/// one where \p S keeps that; \p Otherwise if there is none.
Value *LaneLowering::findEqual(AxisId A, const LaneSearch &S, Value *Trip,
                               unsigned Lanes, Value *Greatest,
                               Value *Otherwise) {
  Value *LastGroup = B.CreateSub(Trip, B.getInt64(Lanes));
  BasicBlock *Before = B.GetInsertBlock();
  BasicBlock *Done = splitAtInsertPoint(B, "equal.done");
  auto NewBlock = [&](const char *Name) {
    return BasicBlock::Create(B.getContext(), Name, Done->getParent(), Done);
  };
  BasicBlock *Body = NewBlock("equal.group"), *Next = NewBlock("equal.next"),
             *Found = NewBlock("equal.found");
  B.CreateBr(Body);
  B.SetInsertPoint(Body);
  PHINode *At = B.CreatePHI(B.getInt64Ty(), 2, "equal");
  At->addIncoming(S.KeepsLast ? LastGroup : B.getInt64(0), Before);
  Value *First =
      S.KeepsLast ? B.CreateBinaryIntrinsic(Intrinsic::smax, At, B.getInt64(0))
                  : B.CreateBinaryIntrinsic(Intrinsic::smin, At, LastGroup);
  C.enterLanes(A, First, Lanes);
  Value *All = evaluate(C, *S.L, S.Value);
  C.leaveLanes();
  Value *Is = B.CreateFCmpOEQ(All, B.CreateVectorSplat(Lanes, Greatest));
  Value *Bits = B.CreateBitCast(Is, B.getIntNTy(Lanes));
  B.CreateCondBr(B.CreateIsNotNull(Bits), Found, Next);
  B.SetInsertPoint(Next);
  Value *Step = B.CreateAdd(
      At, ConstantInt::getSigned(B.getInt64Ty(), S.KeepsLast ? -int64_t(Lanes)
                                                             : int64_t(Lanes)));
  At->addIncoming(Step, Next);
  Value *More =
      S.KeepsLast ? B.CreateICmpSGT(Step, ConstantInt::getSigned(
                                              B.getInt64Ty(), -int64_t(Lanes)))
                  : B.CreateICmpSLT(Step, Trip);
  B.CreateCondBr(More, Body, Done);
  B.SetInsertPoint(Found);
  Value *Lane = B.CreateZExtOrTrunc(
      B.CreateBinaryIntrinsic(S.KeepsLast ? Intrinsic::ctlz : Intrinsic::cttz,
                              Bits, B.getTrue()),
      B.getInt64Ty());
  if (S.KeepsLast)
    Lane = B.CreateSub(B.getInt64(Lanes - 1), Lane);
  C.AxisValues[A] = B.CreateAdd(First, Lane);
  Value *Equal = evaluate(C, *S.L, S.Value);
  B.CreateBr(Done);
  B.SetInsertPoint(Done, Done->getFirstInsertionPt());
  PHINode *Result = PHINode::Create(Equal->getType(), 2, "equal.value");
  Result->insertInto(Done, Done->begin());
  Result->addIncoming(Equal, Found);
  Result->addIncoming(Otherwise, Next);
  return Result;
}

/// LLVM's vectorizer takes any zero for the greatest one.
bool LaneLowering::mustStayScalar(const Node &N) {
  if (C.inLanes() ||
      (Plan.LongSearch != N.Ax && !is_contained(Plan.Axes, N.Ax)))
    return false;
  std::optional<LaneSearch> S = getLaneSearch(K, N);
  return S && S->OfNumbers;
}

void LaneLowering::searchNumbers(AxisId A, const LaneSearch &S, Value *Trip,
                                 unsigned Lanes) {
  Value *State = C.Locals[S.State];
  Type *Elem = getIRType(K.Buffers[S.State].Ty, B.getContext());
  bool IsMax = S.Better == CmpInst::FCMP_OGT;
  Constant *Least = ConstantFP::getInfinity(Elem, /*Negative=*/IsMax);
  Value *Start = B.CreateLoad(Elem, State);
  Value *IsNumber = B.CreateFCmpORD(Start, Start);
  if (DLOPT_PLANTED(StartAssumedNumber))
    IsNumber = B.getTrue();
  Value *Greatest =
      reduceNumbers(A, S, Trip, Lanes, B.CreateSelect(IsNumber, Start, Least));
  B.CreateStore(Greatest, State);
  Value *IsZero = B.CreateFCmpOEQ(Greatest, ConstantFP::getZero(Elem));
  Value *IsLeast =
      B.CreateAnd(B.CreateNot(IsNumber), B.CreateFCmpOEQ(Greatest, Least));
  if (DLOPT_PLANTED(SignOfZeroFree))
    IsZero = B.getFalse();
  branch(
      B.CreateOr(IsZero, IsLeast),
      [&] {
        Value *Equal = findEqual(A, S, Trip, Lanes, Greatest, Start);
        // What was there before everything else.
        if (!S.KeepsLast)
          Equal =
              B.CreateSelect(B.CreateFCmpOEQ(Start, Greatest), Start, Equal);
        B.CreateStore(Equal, State);
        keepAsChosen(S, Greatest);
      },
      [] {});
}

} // namespace dlopt
