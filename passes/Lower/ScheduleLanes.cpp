//===- ScheduleLanes.cpp - Scheduled kernels to IR: lanes -----------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An axis in lanes is a few vectors where the most elements that it may have
/// are known, each with a mask where it may not be full; else it is a loop over
/// whole vectors, and behind it a vector of what is left.
///
/// A mask is made of the bits of a number, (1 << n) - 1: a comparison would be
/// made again in each round of the loops around it.
///
//===----------------------------------------------------------------------===//
#include "ScheduleEmitter.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Target.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace dlopt {

/// Vectors up to this many lanes have masks from a number.
static constexpr unsigned MostBits = 64;

/// The same, times `vl`; the end is that of a whole vector.
static std::optional<std::pair<int64_t, int64_t>>
getScalableElements(const ScheduleFacts &Facts, const Axis &A) {
  if (Facts.getRangeOfMax(A.Begins).getNumber() != 0)
    return std::nullopt;
  auto IsEnd = [&](int64_t Vectors) {
    return any_of(A.Extents, [&](const Poly &P) {
      return Facts.isAtMost(P, {Vectors * A.Schedule.Lanes.N, true});
    });
  };
  for (int64_t Vectors = 0; Vectors <= MostLaneVectors; ++Vectors)
    if (IsEnd(Vectors))
      return std::pair<int64_t, int64_t>(0, Vectors * A.Schedule.Lanes.N);
  return std::nullopt;
}

std::optional<std::pair<int64_t, int64_t>>
getLaneElements(const ScheduleFacts &Facts, const Axis &A) {
  std::optional<int64_t> Begin = Facts.getRangeOfMax(A.Begins).getNumber(),
                         End = Facts.getRangeOfMin(A.Extents).Most;
  if (A.Schedule.Lanes.Scalable)
    return getScalableElements(Facts, A);
  int64_t Elements = 0;
  if (!Begin || !End || SubOverflow(*End, *Begin, Elements) ||
      Elements > MostLaneVectors * A.Schedule.Lanes.N)
    return std::nullopt;
  return std::pair(*Begin, *End);
}

void ScheduleEmitter::emitLanes(const Node &N, const AxisBounds &Bounds) {
  const Axis &A = K.Axes[N.Ax];
  auto Elements = getLaneElements(Facts, A);
  if (!Elements)
    return emitLaneLoop(N, Bounds);
  auto [Begin, End] = *Elements;
  ScheduleSize Lanes = A.Schedule.Lanes;
  for (int64_t Done = 0, Count = End - Begin; Done < Count; Done += Lanes.N) {
    ScheduleSize At{Begin + Done, Lanes.Scalable};
    Value *First = DLOPT_PLANTED(VectorStartFixed) ? B.getInt64(At.getLeast())
                                                   : getValue(At);
    emitVector(N, First, At.N, Bounds);
  }
}

/// Whether leaves access bytes.
static bool touchesBytes(const Kernel &K, const Node &N) {
  auto IsByte = [&](const Access &X) {
    return getSizeInBytes(K.Buffers[X.Buf].Ty) == 1;
  };
  return any_of(N.Children, [&](const auto &Child) {
    const Leaf &L = Child->L;
    return any_of(L.Assigns,
                  [&](const Assign &A) { return IsByte(A.Target); }) ||
           any_of(L.Ops, [&](const Op &O) {
             return O.K == Op::Load && IsByte(O.Acc);
           });
  });
}

/// Whether masks of \p Width lanes may be the bits of a number. Where AVX-512
/// has bytes under a mask of 8 bits it needs one of 16: LLVM 22 clears the
/// others in a copy that it drops when the mask is spilled, and what a number
/// has there reads behind the end.
static bool mayBeBits(const Kernel &K, const Node &N, unsigned Width,
                      const DataLayout &DL) {
  return Width <= MostBits && DL.isLittleEndian() &&
         !(Width == 8 && touchesBytes(K, N));
}

/// Whether no pass behind may know which lanes of a known mask run.
///
/// A choice by such a mask becomes a shuffle: LLVM 22 makes two or three
/// instructions of it, where a multiply-add under a mask is one. Masks of fewer
/// lanes are in no register of their own.
bool ScheduleEmitter::hidesKnownMasks() const {
  constexpr unsigned LeastLanes = 8;
  return Lanes.Width >= LeastLanes &&
         hasTargetFeatures(*B.GetInsertBlock()->getParent(), "avx512vl");
}

/// Whether no pass behind may know which lanes run under a condition.
///
/// Lanes are in several registers, for all of one of which it may be known that
/// they do not run while it is not for others: LLVM 22 reads what they would
/// (AVX2: their part of the mask becomes the number 1, and that all lanes to a
/// load).
bool ScheduleEmitter::hidesParts() const {
  unsigned Bits = 0;
  for (const Buffer &Buf : K.Buffers)
    Bits = std::max(Bits, 8 * getSizeInBytes(Buf.Ty));
  // Where there are no vectors elements are masked one by one.
  return !Lanes.Scalable &&
         Lanes.Width * Bits > std::max(Math.Math.VectorBits, 128u) &&
         !DLOPT_PLANTED(MaskPartsKnown);
}

/// \p Mask, of no lane of which a pass behind knows anything.
Value *ScheduleEmitter::hideLanes(Value *Mask) {
  Type *Ty = FixedVectorType::get(B.getInt32Ty(), Lanes.Width);
  Value *Zero = B.CreateVectorSplat(Lanes.Width, hideNumber(B.getInt32(0)));
  return B.CreateICmpNE(B.CreateZExt(Mask, Ty), Zero);
}

/// \p Number, of which no pass behind knows what it is.
Value *ScheduleEmitter::hideNumber(Value *Number) {
  Type *Ty = Number->getType();
  CallInst *Same =
      B.CreateCall(InlineAsm::get(FunctionType::get(Ty, {Ty}, false), "",
                                  "=r,0", /*hasSideEffects=*/false),
                   {Number});
  Same->setDoesNotAccessMemory();
  Same->setDoesNotThrow();
  Same->addFnAttr(Attribute::WillReturn);
  return Same;
}

/// \p Mask, the bits \p Number, of which no pass behind knows what they are.
Value *ScheduleEmitter::hideMask(Value *Mask, Value *Number) {
  Value *Hidden = B.CreateBitCast(hideNumber(Number), Mask->getType());
  KnownMasks[Hidden] = Mask;
  return Hidden;
}

/// The mask that \p Mask hides, if one does.
Value *ScheduleEmitter::getKnownMask(Value *Mask) const {
  Value *Known = KnownMasks.lookup(Mask);
  return Known ? Known : Mask;
}

/// Whether the mask at hand is known, hidden or not, and has a lane.
bool ScheduleEmitter::isSomeLaneKnown() const {
  auto *Known = dyn_cast<Constant>(getKnownMask(Lanes.Mask));
  return Known && !Lanes.Scalable && any_of(seq(Lanes.Width), [&](unsigned I) {
           auto *Lane =
               dyn_cast_or_null<ConstantInt>(Known->getAggregateElement(I));
           return Lane && Lane->isOne();
         });
}

/// The lanes whose bits are set in \p Bits; of a number a vector of constants:
/// of another constant passes of LLVM 22 do not see the lanes, or end.
static Value *makeMask(IRBuilderBase &B, Value *Bits) {
  unsigned Width = Bits->getType()->getIntegerBitWidth();
  auto *Number = dyn_cast<ConstantInt>(Bits);
  if (!Number)
    return B.CreateBitCast(Bits, FixedVectorType::get(B.getInt1Ty(), Width));
  SmallVector<Constant *, 64> Lanes;
  for (unsigned I = 0; I != Width; ++I)
    Lanes.push_back(B.getInt1(Number->getValue()[I]));
  return ConstantVector::get(Lanes);
}

/// The lanes of \p Count elements, which is 0 to the number of lanes.
Value *ScheduleEmitter::createMask(Value *Count) {
  if (Lanes.MayBeBits) {
    // One behind the last bit, in two halves: all 64 of them are none.
    Value *Half = B.getInt64(0);
    if (Lanes.Width == MostBits && !DLOPT_PLANTED(LaneBitsShifted)) {
      Half = B.CreateLShr(Count, 1);
      Count = B.CreateSub(Count, Half);
    }
    Value *Behind = B.CreateShl(B.CreateShl(B.getInt64(1), Half), Count);
    Value *Bits = B.CreateSub(Behind, B.getInt64(1));
    Bits = B.CreateTrunc(Bits, B.getIntNTy(Lanes.Width));
    Value *Mask = makeMask(B, Bits);
    auto *Known = dyn_cast<Constant>(Mask);
    if (Known && (Known->isAllOnesValue() || Known->isNullValue()))
      return Mask;
    return Known && hidesKnownMasks() ? hideMask(Mask, Bits) : Mask;
  }
  if (Lanes.Scalable) {
    Value *End = B.CreateTrunc(Count, B.getInt32Ty());
    return B.CreateIntrinsic(Intrinsic::get_active_lane_mask,
                             {getVectorType(B.getInt1Ty()), End->getType()},
                             {B.getInt32(0), End});
  }
  Type *Ty = FixedVectorType::get(B.getInt32Ty(), Lanes.Width);
  return B.CreateICmpSLT(
      B.CreateStepVector(Ty),
      B.CreateVectorSplat(Lanes.Width, B.CreateTrunc(Count, B.getInt32Ty())));
}

/// The lanes where \p P, which is \p Stride more in each, is not negative: all
/// up to one of them, or all from one on.
Value *ScheduleEmitter::emitInLaneRange(const Poly &P, int64_t Stride) {
  Value *Rounds = inLane(0, [&] { return getPoly(P); });
  if (unsigned Shift = Log2_64(std::abs(Stride)))
    Rounds = B.CreateAShr(Rounds, Shift);
  // It is -Rounds lanes to the first, or Rounds to the last.
  Value *Count =
      Stride > 0 ? B.CreateNeg(Rounds) : B.CreateAdd(Rounds, B.getInt64(1));
  if (DLOPT_PLANTED(LaneRangeOff))
    Count = B.CreateAdd(Count, B.getInt64(1));
  // Nobody else makes a number of this in time to know the mask.
  if (auto *Known = dyn_cast<ConstantInt>(Count); Known && !Lanes.Scalable)
    Count =
        B.getInt64(std::clamp<int64_t>(Known->getSExtValue(), 0, Lanes.Width));
  else
    Count = B.CreateBinaryIntrinsic(
        Intrinsic::smin,
        B.CreateBinaryIntrinsic(Intrinsic::smax, Count, B.getInt64(0)),
        B.CreateElementCount(B.getInt64Ty(), Lanes.getCount()));
  Value *UpTo = createMask(Count);
  if (Stride < 0)
    return UpTo;
  Value *From = B.CreateNot(UpTo);
  if (Value *Known = getKnownMask(UpTo); Known != UpTo)
    KnownMasks[From] = B.CreateNot(Known);
  return From;
}

/// The vector at the number \p At.
void ScheduleEmitter::emitVector(const Node &N, Value *First, int64_t At,
                                 const AxisBounds &Bounds) {
  const Axis &A = K.Axes[N.Ax];
  ScheduleSize Lanes = A.Schedule.Lanes;
  auto Size = [&](int64_t Count) {
    return ScheduleSize{Count, Lanes.Scalable};
  };
  if (std::optional<int64_t> End = Bounds.EndRange.getNumber(Lanes.Scalable)) {
    int64_t Width = std::min(Lanes.N, *End - At);
    // A part of a register of sums would have to be put back in each round.
    bool IsOfRegisters =
        Row && Row->Row->isDot() && isInRegisters(K.Buffers[Row->target().Buf]);
    // Scalable vectors have one length.
    if (Width == Lanes.N ||
        (!Lanes.Scalable && isPowerOf2_64(Width) && !IsOfRegisters))
      return emitInLanes(N, First, At, Size(Width), nullptr);
    // Another number of lanes is not safe to mask: see canLowerSchedule.
    return emitInLanes(N, First, At, Lanes, getValue(Size(Width)));
  }
  auto HasMore = [&](const Poly &Elements) {
    return all_of(A.Extents, [&](const Poly &P) {
      return Facts.holds({P - K.getPoly(Size(At)) - Elements, false}) == true;
    });
  };
  if (HasMore(K.getPoly(Lanes)))
    return emitInLanes(N, First, At, Lanes, nullptr);
  auto Emit = [&](bool IsSomeInRange) {
    Value *End = Bounds.End;
    if (!IsSomeInRange)
      End = B.CreateBinaryIntrinsic(Intrinsic::smax, End, First);
    Value *Count = B.CreateBinaryIntrinsic(
        Intrinsic::smin, B.CreateSub(End, First), getValue(Lanes));
    this->Lanes.IsSomeInRange = IsSomeInRange;
    if (DLOPT_PLANTED(LaneTooMany))
      Count = B.CreateAdd(Count, B.getInt64(1));
    emitInLanes(N, First, At, Lanes, Count);
    this->Lanes.IsSomeInRange = true;
  };
  // Junk is moved where there is room for it, which is beside some element.
  bool IsSome = HasMore(Poly(1)), IsMove = Row && Row->Row->isMove();
  if (IsSome || (!IsMove && canRunForNone(N)))
    return Emit(IsSome);
  branch(B.CreateICmpSLT(First, Bounds.End), [&] { Emit(true); });
}

/// Whether the leaves may run where no lane has an element: nothing is read
/// that all lanes share, and registers that change are not met by others.
bool ScheduleEmitter::canRunForNone(const Node &N) {
  return all_of(N.Children, [&](const auto &Child) {
    return !readsForAllLanes(Child->L, N.Ax) &&
           all_of(Child->L.Assigns, [&](const Assign &A) {
             return !isInRegisters(K.Buffers[A.Target.Buf]) ||
                    isOfBlockAlone(A.Target.Buf);
           });
  });
}

/// Whole vectors, and a vector of what is left.
void ScheduleEmitter::emitLaneLoop(const Node &N, const AxisBounds &Bounds) {
  ScheduleSize Lanes = K.Axes[N.Ax].Schedule.Lanes;
  auto Before = Copies;
  Value *WholeEnd = B.CreateBinaryIntrinsic(
      Intrinsic::ssub_sat, Bounds.End, getPoly(K.getPoly(Lanes) - Poly(1)));
  CountedLoop L = beginAxis(Bounds, WholeEnd, getValue(Lanes),
                            K.Axes[N.Ax].Name + ".x" + getText(Lanes));
  emitInLanes(N, L.Index, std::nullopt, Lanes, nullptr);
  endAxis(L);
  Copies = std::move(Before);
  branch(B.CreateICmpSLT(L.Index, Bounds.End), [&] {
    emitInLanes(N, L.Index, std::nullopt, Lanes,
                B.CreateSub(Bounds.End, L.Index));
  });
}

/// The leaves for \p Width elements from \p First on, which is \p Number if
/// that is known, of which \p Left are left, if not all are.
void ScheduleEmitter::emitInLanes(const Node &N, Value *First,
                                  std::optional<int64_t> Number,
                                  const ScheduleSize &Width, Value *Left) {
  ScheduleFacts::Scope Inside(Facts, N.Ax);
  const Module &M = *B.GetInsertBlock()->getModule();
  Lanes.Axis = N.Ax;
  Lanes.Width = Width.N * (Width.Scalable ? LeastLanes : 1);
  Lanes.Scalable = Width.Scalable;
  NumberRange Range;
  if (Number) {
    ScheduleSize Behind{*Number + Width.N, Width.Scalable};
    Lanes.Start = {*Number, Width.Scalable};
    Range = {Lanes.Start->getLeast(), Behind.getMost() - 1};
  }
  Lanes.MayBeBits =
      !Width.Scalable && mayBeBits(K, N, Width.N, M.getDataLayout());
  Lanes.Range = Left ? createMask(Left) : nullptr;
  Lanes.Left = Left;
  emitRound(N, First, Range);
  Lanes.Axis.reset();
  Lanes.Start.reset();
  Lanes.Width = 1;
  Lanes.Scalable = false;
  Lanes.Range = Lanes.Left = nullptr;
}

} // namespace dlopt
