//===- Overlap.cpp - Last blocks that end with the loop -------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// split x X 64 16 over: what is left of x is run with elements in front of it,
/// as a block of 16 that ends with the last element:
///
///   par x[%N]  f(x)
///   ->
///   par X[%N] step 64 16 over par x[size(X)]  f(X + x)
///
/// No vector is in part and none is a scalar, but up to 15 elements run twice,
/// the second time behind all that ran before. They do what they did if they
/// read what they read: nothing that they or later ones write, but what they
/// have written themselves in that very round. Of what is only written the last
/// value is that of the same round as before.
///
/// The loop needs as many elements as a block: as a need of the kernel, or by
/// the condition of a version of the nest (version x few %N < 16), which steps
/// do not take it out of.
///
//===----------------------------------------------------------------------===//
#include "Step.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace dlopt;

/// What holds where \p A has its only round: it is of a version of a nest.
/// Empty: it is another axis.
static SmallVector<Constraint, 1> getConditions(const Kernel &K,
                                                const Axis &A) {
  if (!A.Begins.empty() || A.Extents.size() != 1)
    return {};
  std::optional<AtomId> Id;
  A.Extents.front().anyAtom([&](AtomId Of) {
    Id = Of;
    return K.Atoms[Of].K == Atom::Param;
  });
  if (!Id || K.Atoms[*Id].K != Atom::Param)
    return {};
  const auto &Cases = K.Params[K.Atoms[*Id].Ref].Cases;
  if (Cases.size() != 2 || Cases[0].Value != Poly(1) ||
      Cases[1].Value != Poly(0))
    return {};
  const auto &Where = Cases.front().Where;
  if (A.Extents.front() == Poly::atom(*Id))
    return {Where.begin(), Where.end()};
  if (A.Extents.front() == Poly(1) - Poly::atom(*Id) && Where.size() == 1 &&
      !Where.front().IsEquality)
    return {{Poly(-1) - Where.front().P, /*IsEquality=*/false}};
  return {};
}

/// Whether a version around \p P says that \p Number is not negative.
bool Step::isOfVersion(const Place &P, const Poly &Number) const {
  return any_of(P.around(), [&](const Node *N) {
    return any_of(getConditions(K, K.Axes[N->Ax]), [&](const Constraint &C) {
      return (Number - C.P).getConstant().value_or(-1) >= 0;
    });
  });
}

/// Blocks that overlap stay in the version that has enough elements for them.
bool Step::refuseOutOfVersion(ArrayRef<Node *> Chain, ArrayRef<unsigned> New) {
  for (auto [At, Old] : enumerate(New))
    for (unsigned Around : New.drop_front(At + 1))
      if (Around < Old && axisOf(*Chain[Old]).Schedule.Overlaps &&
          !getConditions(K, axisOf(*Chain[Around])).empty() &&
          !DLOPT_PLANTED(OverlapShort))
        return fail("'" + axisOf(*Chain[Around]).Name + "' says whether '" +
                    axisOf(*Chain[Old]).Name + "' has a block");
  return false;
}

/// The loop at \p P has \p Block elements, wherever it is: steps may move it.
/// It is over blocks that are as large, or a need or a version is.
bool Step::requireBlock(const Place &P, const ScheduleSize &Block) {
  if (DLOPT_PLANTED(OverlapShort))
    return false;
  const Axis &A = axisOf(P.node());
  Dependences D(K);
  SmallVector<Poly, 2> Begins(A.Begins.begin(), A.Begins.end());
  if (Begins.empty())
    Begins.push_back(Poly());
  for (const Poly &End : A.Extents)
    for (const Poly &Begin : Begins) {
      Poly Rounds = End - Begin, Over = Rounds - K.getPoly(Block);
      std::optional<AtomId> Size = Rounds.getAtom();
      if (Size && K.Atoms[*Size].K == Atom::Size) {
        const AxisSchedule &S = K.Axes[K.Atoms[*Size].Ref].Schedule;
        if (!S.HasRest && !S.IsUpTo && !S.Once &&
            !S.Steps.back().isBelow(Block))
          continue;
      }
      if (!K.isFixed(Over) || !hasValue(Over))
        return fail("'" + A.Name + "' may have fewer elements than a block");
      if (D.isAtLeastZero(Over, {}) || isOfVersion(P, Over))
        continue;
      Need Enough;
      Enough.K = Need::InRange;
      Enough.P = Block.Scalable ? Over : Rounds;
      Enough.Lo = Block.Scalable ? 0 : Block.N;
      Enough.Hi = INT64_MAX;
      addNeed(K, std::move(Enough));
    }
  return false;
}

/// Whatever a round reads that is still there in later ones is written neither
/// by it nor by these.
bool Step::asksTwice(const Place &P) {
  if (DLOPT_PLANTED(OverlapUnasked))
    return false;
  const Node &N = P.node();
  Dependences D(K);
  SmallVector<BufferId, 8> OfRound;
  collectLocals(N, OfRound);
  SmallVector<Direction, 8> Where(P.around().size(), Direction::Same);
  const auto NumShared = static_cast<unsigned>(Where.size() + 1);
  auto IsBelow = [&](const MemoryUse &U) { return is_contained(U.Path, &N); };
  for (const MemoryUse &Read : D.uses()) {
    if (Read.writes() || !IsBelow(Read) || is_contained(OfRound, Read.X->Buf) ||
        D.isWrittenBefore(Read, NumShared))
      continue;
    for (const MemoryUse &W : D.uses())
      for (Direction To : {Direction::Same, Direction::Later}) {
        Where.push_back(To);
        if (W.writes() && IsBelow(W) &&
            mustNotMeet(D, Read, W, Where, "a round cannot run twice"))
          return true;
        Where.pop_back();
      }
  }
  return false;
}

bool Step::asksOverlap(const Place &P, const ScheduleSize &Block) {
  return requireBlock(P, Block) || asksTwice(P);
}
