//===- LaneStream.cpp - Stores past the caches ----------------------------===//
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
//===----------------------------------------------------------------------===//
#include "LaneLower.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Uses.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;

namespace dlopt {

Align getStreamAlign(const LanePlan &Plan, const Type *Elem) {
  return Align(Plan.VectorElems * (Elem->getPrimitiveSizeInBits() / 8));
}

SmallVector<const Assign *, 2> getStreams(const Kernel &K, AxisId A) {
  const Node *N =
      K.Root.Children.size() == 1 ? K.Root.Children.front().get() : nullptr;
  if (!N || N->K != Node::AxisNode || N->Ax != A ||
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

uint64_t getLeastStreamed(const Kernel &K, const LanePlan &Plan,
                          ArrayRef<const Assign *> Streams) {
  ScalarType Ty = K.Buffers[Streams.front()->Target.Buf].Ty;
  return divideCeil(Plan.StreamBytes, getSizeInBytes(Ty));
}

/// Whether the outputs are large, and aligned at the same iterations.
Value *LaneLowering::canStream(AxisId A, ArrayRef<const Assign *> Streams) {
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
  uint64_t Least = getLeastStreamed(K, Plan, Streams);
  return B.CreateAnd(B.CreateICmpSGE(getTrip(A), B.getInt64(Least)),
                     B.CreateICmpEQ(Wrong, B.getInt64(0)));
}

/// Iterations in front of the first aligned vector of \p First.
Value *LaneLowering::getPeel(AxisId A, const Assign &First) {
  Type *Elem = getIRType(K.Buffers[First.Target.Buf].Ty, B.getContext());
  C.AxisValues[A] = B.getInt64(0);
  Value *Address = B.CreatePtrToInt(C.getAddress(First.Target), B.getInt64Ty());
  Value *Bytes = B.CreateAnd(
      B.CreateNeg(Address), B.getInt64(getStreamAlign(Plan, Elem).value() - 1));
  return B.CreateUDiv(Bytes, B.getInt64(Elem->getPrimitiveSizeInBits() / 8));
}

/// One by one up to an aligned vector, vectors past the caches, and what they
/// leave; where that does not pay, everything is left.
void LaneLowering::lowerStreams(const Node &N,
                                ArrayRef<const Assign *> Streams) {
  AxisId A = N.Ax;
  collectPrivate(N);
  Value *Trip = getTrip(A), *Pays = canStream(A, Streams);
  auto IfPays = [&](Value *V) {
    return B.CreateSelect(Pays, V, B.getInt64(0));
  };
  CountedLoop Peel =
      beginWholeSteps(B, B.getInt64(0), IfPays(getPeel(A, *Streams.front())), 1,
                      K.Axes[A].Name + ".peel");
  C.enterLanes(A, Peel.Index, 1);
  lowerChildren(N);
  endLoop(B, Peel);
  unsigned Count = Plan.VectorElems * Plan.Vectors;
  CountedLoop Whole =
      beginWholeSteps(B, Peel.Index, IfPays(Trip), Count,
                      K.Axes[A].Name + ".stream.x" + Twine(Count));
  C.enterLanes(A, Whole.Index, Count);
  C.Streams = Streams;
  lowerChildren(N);
  C.Streams = {};
  endLoop(B, Whole);
  C.leaveLanes();
  branch(
      Pays, [&] { B.CreateIntrinsic(Intrinsic::x86_sse_sfence, {}); }, [] {});
  Value *Rest = Whole.Index;
  if (DLOPT_PLANTED(StreamRestDropped))
    Rest = B.CreateSelect(Pays, Trip, Rest);
  lowerLanes(A, Rest, Trip, {}, [&] { lowerChildren(N); });
}

} // namespace dlopt
