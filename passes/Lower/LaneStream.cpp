//===- LaneStream.cpp - Outputs larger than the caches --------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An output that is larger than the caches is not there when it is used next,
/// but each of its lines is read before it is written. Stores past the caches
/// save that reading, if they write whole lines: of memory that nothing here
/// reads, from an aligned address on. They come into other processors' sight in
/// any order, unlike all others on x86, until a fence.
///
/// Where a core waits longer for such stores than for reading the lines, it is
/// told ahead what lines it will need, those of outputs for writing.
///
//===----------------------------------------------------------------------===//
#include "CacheLines.h"
#include "LaneLower.h"
#include "dlopt/CPUFeatures.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Uses.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;

namespace dlopt {

Align getStreamAlign(const LanePlan &Plan, const Type *Elem) {
  return Align(Plan.VectorElems * (Elem->getPrimitiveSizeInBits() / 8));
}

SmallVector<const Assign *, 2> getStreams(const Kernel &K, AxisId A,
                                          std::optional<AxisId> Blocked) {
  const Node *N = &K.Root;
  do
    N = N->Children.size() == 1 ? N->Children.front().get() : nullptr;
  while (Blocked && N && N->K == Node::AxisNode && N->Ax != A &&
         N->Ax != *Blocked);
  if (N && Blocked && N->Children.size() == 1)
    N = N->Children.front().get();
  if (!N || N->K != Node::AxisNode || (N->Ax != A && N->Ax != Blocked) ||
      any_of(N->Children, [](auto &C) { return C->K != Node::LeafNode; }))
    return {};
  SmallVector<const Assign *, 2> Result;
  unsigned Bytes = 0;
  for (const auto &Child : N->Children)
    for (const Assign &X : Child->L.Assigns) {
      const Buffer &Buf = K.Buffers[X.Target.Buf];
      if (Buf.IsLocal)
        continue;
      std::optional<Poly> Stride = getStride(K, getOffset(K, X.Target), A);
      unsigned Own = getSizeInBytes(Buf.Ty);
      // Lines that are written in part are slow.
      if (!Child->L.Domain.empty() || Child->L.Predicate || !Stride ||
          Stride->getConstant() != 1 || isRead(K, X.Target.Buf) ||
          !isFloat(Buf.Ty) || Own < 4 || (Bytes && Bytes != Own) ||
          any_of(
              Result,
              [&](const Assign *Y) { return Y->Target.Buf == X.Target.Buf; }))
        return {};
      Bytes = Own;
      Result.push_back(&X);
    }
  return Result;
}

uint64_t getLeastStreamed(const Kernel &K, uint64_t Bytes,
                          ArrayRef<const Assign *> Streams) {
  ScalarType Ty = K.Buffers[Streams.front()->Target.Buf].Ty;
  return divideCeil(Bytes, getSizeInBytes(Ty));
}

/// Zero if vectors of all outputs are aligned at the same iterations.
Value *LaneLowering::getMisalignment(AxisId A,
                                     ArrayRef<const Assign *> Streams) {
  Type *Elem =
      getIRType(K.Buffers[Streams.front()->Target.Buf].Ty, B.getContext());
  uint64_t Size = Elem->getPrimitiveSizeInBits() / 8;
  C.AxisValues[A] = B.getInt64(0);
  auto GetAddress = [&](const Assign *X) {
    return B.CreatePtrToInt(C.getAddress(X->Target), B.getInt64Ty());
  };
  Value *First = GetAddress(Streams.front());
  // Together.
  Value *Wrong = B.CreateAnd(First, B.getInt64(Size - 1));
  for (const Assign *X : Streams.drop_front())
    Wrong = B.CreateOr(
        Wrong, B.CreateAnd(B.CreateXor(First, GetAddress(X)),
                           B.getInt64(getStreamAlign(Plan, Elem).value() - 1)));
  return Wrong;
}

/// Iterations in front of the first address of \p First that is so aligned.
Value *LaneLowering::getPeel(AxisId A, const Assign &First, Align To) {
  Type *Elem = getIRType(K.Buffers[First.Target.Buf].Ty, B.getContext());
  C.AxisValues[A] = B.getInt64(0);
  Value *Address = B.CreatePtrToInt(C.getAddress(First.Target), B.getInt64Ty());
  Value *Bytes = B.CreateAnd(B.CreateNeg(Address), B.getInt64(To.value() - 1));
  return B.CreateUDiv(Bytes, B.getInt64(Elem->getPrimitiveSizeInBits() / 8));
}

/// If \p Pays, one by one up to an aligned vector, then vectors past the
/// caches. Returns the first iteration that is left.
Value *LaneLowering::storePast(const Node &N, ArrayRef<const Assign *> Streams,
                               Value *Pays) {
  AxisId A = N.Ax;
  auto IfPays = [&](Value *V) {
    return B.CreateSelect(Pays, V, B.getInt64(0));
  };
  const Assign &First = *Streams.front();
  Value *Peeled =
      getPeel(A, First,
              getStreamAlign(Plan, getIRType(K.Buffers[First.Target.Buf].Ty,
                                             B.getContext())));
  CountedLoop Peel = beginWholeSteps(B, B.getInt64(0), IfPays(Peeled), 1,
                                     K.Axes[A].Name + ".peel");
  C.enterLanes(A, Peel.Index, 1);
  lowerChildren(N);
  endLoop(B, Peel);
  unsigned Count = Plan.VectorElems * Plan.Vectors;
  CountedLoop Whole =
      beginWholeSteps(B, Peel.Index, IfPays(getTrip(A)), Count,
                      K.Axes[A].Name + ".stream.x" + Twine(Count));
  C.enterLanes(A, Whole.Index, Count);
  C.Streams = Streams;
  lowerChildren(N);
  C.Streams = {};
  endLoop(B, Whole);
  C.leaveLanes();
  branch(
      Pays,
      [&] {
        B.CreateIntrinsic(Intrinsic::x86_sse_sfence, ArrayRef<Type *>(), {});
      },
      [] {});
  return Whole.Index;
}

/// What the iterations of \p N read and write one after the other, once for
/// those that are neighbours, and whether it is written.
static SmallVector<std::pair<const Access *, bool>, 4>
getFetched(const Kernel &K, const Node &N) {
  SmallVector<std::pair<const Access *, bool>, 4> Result;
  auto Add = [&](const Access &X, bool IsWritten) {
    if (K.Buffers[X.Buf].IsLocal)
      return;
    Poly Offset = getOffset(K, X);
    std::optional<Poly> Stride = getStride(K, Offset, N.Ax);
    if (Stride && Stride->getConstant() == 1 &&
        none_of(Result, [&](const auto &Old) {
          return Old.first->Buf == X.Buf &&
                 (getOffset(K, *Old.first) - Offset).getConstant();
        }))
      Result.push_back({&X, IsWritten});
  };
  for (const auto &Child : N.Children) {
    for (const Assign &X : Child->L.Assigns)
      Add(X.Target, /*IsWritten=*/true);
    for (const Op &O : Child->L.Ops)
      if (O.K == Op::Load)
        Add(O.Acc, /*IsWritten=*/false);
  }
  return Result;
}

/// If \p Pays, vectors from \p First on, whose lines were fetched some rounds
/// before. Returns the first iteration that is left.
Value *LaneLowering::storeFetched(const Node &N, Value *First, Value *Pays) {
  AxisId A = N.Ax;
  unsigned Count = Plan.VectorElems * Plan.Vectors;
  CountedLoop Whole =
      beginWholeSteps(B, First, B.CreateSelect(Pays, getTrip(A), B.getInt64(0)),
                      Count, K.Axes[A].Name + ".ahead.x" + Twine(Count));
  for (const auto &[X, IsWritten] : getFetched(K, N)) {
    uint64_t Size = getSizeInBytes(K.Buffers[X->Buf].Ty);
    C.AxisValues[A] = B.CreateAdd(Whole.Index, B.getInt64(BytesAhead / Size));
    prefetchLines(B, C.getAddress(*X), Count * Size, IsWritten);
  }
  C.enterLanes(A, Whole.Index, Count);
  lowerChildren(N);
  endLoop(B, Whole);
  C.leaveLanes();
  return Whole.Index;
}

/// Large outputs as the plan says, and what that leaves like any others.
void LaneLowering::lowerStreams(const Node &N,
                                ArrayRef<const Assign *> Streams) {
  AxisId A = N.Ax;
  collectPrivate(N);
  Value *Trip = getTrip(A), *Past = nullptr, *Rest = B.getInt64(0);
  if (Plan.Large != LargeStores::FetchedAhead)
    Past = getMisalignment(A, Streams);
  auto HasBytes = [&](uint64_t Bytes) {
    return B.CreateICmpSGE(Trip,
                           B.getInt64(getLeastStreamed(K, Bytes, Streams)));
  };
  Value *IsLarge = HasBytes(Plan.StreamBytes), *IsAMD = B.getFalse();
  if (Past)
    Past = B.CreateICmpEQ(Past, B.getInt64(0));
  if (Plan.Large == LargeStores::ByVendor) {
    IsAMD = isFromAMD(B);
    Past = B.CreateAnd(Past, IsAMD);
  }
  if (Past)
    Rest = storePast(N, Streams, B.CreateAnd(IsLarge, Past));
  if (Plan.Large != LargeStores::PastCaches)
    Rest = storeFetched(
        N, Rest, B.CreateAnd(HasBytes(Plan.FetchBytes), B.CreateNot(IsAMD)));
  if (DLOPT_PLANTED(StreamRestDropped))
    Rest = B.CreateSelect(IsLarge, Trip, Rest);
  lowerLanes(A, Rest, Trip, {}, [&] { lowerChildren(N); });
}

} // namespace dlopt
