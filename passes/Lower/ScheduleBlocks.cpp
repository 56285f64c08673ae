//===- ScheduleBlocks.cpp - Scheduled kernels to IR: blocks ---------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `par I[%M] step 6 4 1 rest` has a code for each size:
///
///   for (; I + 6 <= M; I += 6) ... ; size(I) is 6
///   if (I + 4 <= M) ..., I += 4    ; 4; at most once, as fewer than 6 are left
///   for (; I + 1 <= M; I += 1) ... ; 1
///   if (I < M) ...                 ; M - I
///
/// With `over` in place of `rest` the last line is
///
///   if (I < M) ..., I = M - 1      ; 1, the smallest size
///
//===----------------------------------------------------------------------===//
#include "ScheduleEmitter.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace dlopt {

/// The children, for the block at \p At. Facts are the caller's, in a scope.
void ScheduleEmitter::emitBlock(const Node &N, Value *At, NumberRange Range,
                                Value *Size, NumberRange SizeRange) {
  Value *Before = SizeValues[N.Ax];
  SizeValues[N.Ax] = Size;
  Facts.Sizes[N.Ax] = SizeRange;
  emitRound(N, At, Range);
  SizeValues[N.Ax] = Before;
}

void ScheduleEmitter::emitBlocks(const Node &N, AxisBounds Bounds) {
  const AxisSchedule &S = K.Axes[N.Ax].Schedule;
  if (S.IsUpTo)
    return emitUpTo(N, Bounds);
  if (S.Once && !DLOPT_PLANTED(EmptyBlockLost))
    emitEmptyBlock(N, Bounds);
  NumberRange First = Bounds.BeginRange;
  std::optional<ScheduleSize> Before;
  for (const ScheduleSize &Size : S.Steps) {
    emitStep(N, Bounds, Size, Before);
    Before = Size;
  }
  if (S.HasRest)
    emitRest(N, Bounds);
  else if (S.Overlaps)
    emitOverlap(N, Bounds, First);
}

/// The block of size 0 of an axis without elements.
void ScheduleEmitter::emitEmptyBlock(const Node &N, const AxisBounds &Bounds) {
  auto Emit = [&] {
    ScheduleFacts::Scope Inside(Facts, N.Ax);
    emitBlock(N, Bounds.Begin, Bounds.BeginRange, B.getInt64(0),
              NumberRange::of(0));
  };
  if (!Bounds.getBegin() || !Bounds.getEnd())
    branch(B.CreateICmpSLE(Bounds.End, Bounds.Begin), Emit);
  else if (*Bounds.getEnd() <= *Bounds.getBegin())
    Emit();
}

/// The elements that are left, if that is a number.
static std::optional<int64_t> getLeft(const AxisBounds &Bounds) {
  std::optional<int64_t> Begin = Bounds.getBegin(), End = Bounds.getEnd();
  int64_t Left = 0;
  if (!Begin || !End || SubOverflow(*End, *Begin, Left))
    return std::nullopt;
  return std::max<int64_t>(Left, 0);
}

/// Whether two blocks of \p Size elements may be in fewer than \p Before.
static bool mayRepeat(const ScheduleSize &Size, const ScheduleSize &Before) {
  return Size.Scalable == Before.Scalable
             ? Before.N > 2 * Size.N
             : Before.getMost() > 2 * Size.getLeast();
}

/// Blocks of \p Size elements, as many as there are, of what blocks of
/// \p Before elements have left: \p Bounds begins behind them then.
void ScheduleEmitter::emitStep(const Node &N, AxisBounds &Bounds,
                               const ScheduleSize &Size,
                               std::optional<ScheduleSize> Before) {
  std::optional<int64_t> Left = getLeft(Bounds);
  if (Left && *Left < Size.getLeast())
    return;
  // How many blocks of a scalable size are in it nobody knows.
  if (Size.Scalable)
    Left.reset();
  ScheduleFacts::Scope Inside(Facts, N.Ax);
  NumberRange SizeRange = NumberRange::of(Size);
  if (Left && *Left < 2 * Size.N) {
    emitBlock(N, Bounds.Begin, Bounds.BeginRange, getValue(Size), SizeRange);
    Bounds.BeginRange = NumberRange::of(*Bounds.getBegin() + Size.N);
    Bounds.Begin = B.getInt64(*Bounds.getBegin());
    return;
  }
  addFacts(N.Ax, K.getPoly(Size));
  // Bounds are far from the ends of 64 bits, or nothing is left.
  Value *End = Bounds.End;
  if (Size.getLeast() > 1) {
    Value *Others = getPoly(K.getPoly(Size) - Poly(1));
    End = Bounds.EndRange.Least.value_or(INT64_MIN) >= 0
              ? B.CreateNSWSub(End, Others)
              : B.CreateBinaryIntrinsic(Intrinsic::ssub_sat, End, Others);
  }
  NumberRange Range{Bounds.BeginRange.Least, std::nullopt};
  if (Bounds.EndRange.Most && *Bounds.EndRange.Most > 0)
    Range.Most = *Bounds.EndRange.Most - Size.getLeast();
  auto CopiesBefore = Copies;
  if (!Before ||
      (mayRepeat(Size, *Before) && !DLOPT_PLANTED(SecondBlockLost))) {
    CountedLoop L = beginAxis(Bounds, End, getValue(Size),
                              K.Axes[N.Ax].Name + ".x" + getText(Size));
    emitBlock(N, L.Index, Range, getValue(Size), SizeRange);
    endAxis(L);
    Bounds.Begin = L.Index;
  } else {
    Value *Next = B.CreateAdd(Bounds.Begin, getValue(Size));
    auto [Run, Skipped] = branch(B.CreateICmpSLT(Bounds.Begin, End), [&] {
      emitBlock(N, Bounds.Begin, Range, getValue(Size), SizeRange);
    });
    PHINode *Behind = B.CreatePHI(Next->getType(), 2, K.Axes[N.Ax].Name);
    Behind->addIncoming(Next, Run);
    Behind->addIncoming(Bounds.Begin, Skipped);
    Bounds.Begin = Behind;
  }
  Copies = std::move(CopiesBefore);
  Bounds.BeginRange = {Bounds.BeginRange.Least, std::nullopt};
  if (Left) {
    Bounds.BeginRange = NumberRange::of(*Bounds.getEnd() - *Left % Size.N);
    Bounds.Begin = B.getInt64(*Bounds.getBegin());
  }
}

/// Blocks of a size that is no number have \p Most elements at most.
void ScheduleEmitter::addSizeFact(AxisId A, const Poly &Most) {
  if (std::optional<AtomId> Size = findAtom(Atom::Size, A);
      Size && !Most.getConstant())
    Facts.add(Most - Poly::atom(*Size));
}

/// The last block, of what is left.
void ScheduleEmitter::emitRest(const Node &N, const AxisBounds &Bounds) {
  ScheduleFacts::Scope Inside(Facts, N.Ax);
  ScheduleSize Smallest = K.Axes[N.Ax].Schedule.Steps.back();
  if (std::optional<int64_t> Left = getLeft(Bounds)) {
    if (*Left > 0)
      emitBlock(N, Bounds.Begin, Bounds.BeginRange, B.getInt64(*Left),
                NumberRange::of(*Left));
    return;
  }
  if (Smallest.getMost() == 1)
    return;
  if (std::optional<AtomId> Size = findAtom(Atom::Size, N.Ax))
    addFacts(N.Ax, Poly::atom(*Size));
  addFacts(N.Ax, Poly(1));
  addSizeFact(N.Ax, K.getPoly(Smallest) - Poly(1));
  branch(B.CreateICmpSLT(Bounds.Begin, Bounds.End), [&] {
    NumberRange Range{Bounds.BeginRange.Least, std::nullopt};
    emitBlock(N, Bounds.Begin, Range, B.CreateSub(Bounds.End, Bounds.Begin),
              {1, Smallest.getMost() - 1});
  });
}

/// The last block, of what is left and elements in front of it: from \p First,
/// where the axis begins, on there are as many.
void ScheduleEmitter::emitOverlap(const Node &N, const AxisBounds &Bounds,
                                  NumberRange First) {
  ScheduleFacts::Scope Inside(Facts, N.Ax);
  ScheduleSize Size = K.Axes[N.Ax].Schedule.Steps.back();
  std::optional<int64_t> Left = getLeft(Bounds);
  if (Left == 0 || Size.getMost() == 1)
    return;
  Value *At = DLOPT_PLANTED(OverlapPastEnd)
                  ? Bounds.Begin
                  : B.CreateSub(Bounds.End, getValue(Size));
  if (Left && !Size.Scalable)
    return emitBlock(N, At, NumberRange::of(*Bounds.getEnd() - Size.N),
                     getValue(Size), NumberRange::of(Size));
  addFacts(N.Ax, K.getPoly(Size));
  branch(B.CreateICmpSLT(Bounds.Begin, Bounds.End), [&] {
    emitBlock(N, At, {First.Least, std::nullopt}, getValue(Size),
              NumberRange::of(Size));
  });
}

/// Blocks of at most so many elements. With `once` the loop counts elements, as
/// a begin may be any number, and has one round at least.
void ScheduleEmitter::emitUpTo(const Node &N, const AxisBounds &Bounds) {
  const AxisSchedule &S = K.Axes[N.Ax].Schedule;
  ScheduleSize Most = S.Steps.front();
  Value *Limit = S.Limit ? getParam(*S.Limit) : getValue(Most);
  int64_t Always = S.Limit && !DLOPT_PLANTED(LimitTakenForMost)
                       ? K.Params[*S.Limit].Least
                       : Most.getLeast();
  ScheduleFacts::Scope Inside(Facts, N.Ax);
  if (std::optional<int64_t> Left = getLeft(Bounds); Left && *Left <= Always) {
    if (*Left > 0 || S.Once)
      emitBlock(N, Bounds.Begin, Bounds.BeginRange, B.getInt64(*Left),
                NumberRange::of(*Left));
    return;
  }
  AxisBounds Counted = Bounds;
  Value *Trip = Bounds.End;
  if (S.Once) {
    Counted.Begin = B.getInt64(0);
    Counted.BeginRange = NumberRange::of(0);
    if (Bounds.getBegin() != 0)
      Counted.End = B.CreateBinaryIntrinsic(Intrinsic::ssub_sat, Bounds.End,
                                            Bounds.Begin);
    auto AtLeast = [&](int64_t Least) {
      return B.CreateBinaryIntrinsic(Intrinsic::smax, Counted.End,
                                     B.getInt64(Least));
    };
    Trip = AtLeast(1);
    Counted.End = AtLeast(0);
  } else {
    if (std::optional<AtomId> Size = findAtom(Atom::Size, N.Ax))
      addFacts(N.Ax, Poly::atom(*Size));
    addFacts(N.Ax, Poly(1));
  }
  addSizeFact(N.Ax, K.getPoly(Most));
  auto Before = Copies;
  CountedLoop L = beginAxis(Counted, Trip, Limit, K.Axes[N.Ax].Name + ".upto");
  Value *Size = B.CreateBinaryIntrinsic(
      Intrinsic::smin, B.CreateSub(Counted.End, L.Index), Limit);
  Value *At = L.Index;
  if (S.Once && Bounds.getBegin() != 0)
    At = B.CreateAdd(Bounds.Begin, At);
  emitBlock(N, At, {Bounds.BeginRange.Least, std::nullopt}, Size,
            {S.Once ? 0 : 1, Most.getMost()});
  endAxis(L);
  Copies = std::move(Before);
}

} // namespace dlopt
