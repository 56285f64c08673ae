//===- Counters.cpp - Exits of nests where nothing was counted ------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An average of what a border leaves of a window counts its elements, and
/// gives up where there are none:
///
///   count = 0; for (y = y0; y < y1; y++) for (x = x0; x < x1; x++) count++;
///   if (count == 0) return false;
///
/// It is never 0 where each of the loops has a round at all points around it,
/// which bounds say without the counter.
///
/// Counters that go down to 0 begin with a number of rounds that frontends have
/// clamped to what is not negative.
///
//===----------------------------------------------------------------------===//
#include "Index.h"
#include "dlopt/Compat.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace dlopt;

/// What \p V is where it comes from one block.
static Value *skipSingle(Value *V) {
  while (auto *P = dyn_cast<PHINode>(V)) {
    if (P->getNumIncomingValues() != 1)
      break;
    V = P->getIncomingValue(0);
  }
  return V;
}

/// Appends the loops in whose rounds, and nowhere else, \p V has grown by 1
/// from
/// \p Start: a loop, and at most one inside of each. False: it counts other
/// things.
static bool findCounted(const LoopInfo &LI, Value *V, const Value *Start,
                        SmallVectorImpl<const Loop *> &Loops) {
  auto *Phi = dyn_cast<PHINode>(skipSingle(V));
  const Loop *L = Phi ? LI.getLoopFor(Phi->getParent()) : nullptr;
  if (!L || L->getHeader() != Phi->getParent() ||
      Phi->getNumIncomingValues() != 2 || !L->getLoopPreheader() ||
      !L->getLoopLatch() || L->getExitingBlock() != L->getHeader() ||
      skipSingle(Phi->getIncomingValueForBlock(L->getLoopPreheader())) != Start)
    return false;
  Loops.push_back(L);
  Value *Next = Phi->getIncomingValueForBlock(L->getLoopLatch());
  // It must not come back to where it began.
  auto *Sum = dyn_cast<OverflowingBinaryOperator>(Next);
  bool CountsUp = match(Next, m_c_Add(m_Specific(Phi), m_One())) &&
                  (Sum->hasNoSignedWrap() || Sum->hasNoUnsignedWrap());
  return CountsUp || findCounted(LI, Next, Phi, Loops);
}

/// The number that \p V is where that is positive, and 0 otherwise, and null of
/// all other values. Frontends that count down to 0 clamp so what they begin
/// with.
static Value *getClamped(Value *V) {
  Value *X = nullptr, *Chosen = nullptr, *Other = nullptr, *Of = nullptr;
  if (match(V, m_c_SMax(m_Value(X), m_Zero())))
    return X;
  CmpPredicate Pred;
  const APInt *Number = nullptr;
  if (!match(V, m_Select(m_ICmp(Pred, m_Value(Of), m_APInt(Number)),
                         m_Value(Chosen), m_Value(Other))))
    return nullptr;
  ConstantRange Where = ConstantRange::makeExactICmpRegion(Pred, *Number);
  if (match(Chosen, m_Zero())) {
    std::swap(Chosen, Other);
    Where = Where.inverse();
  }
  bool Clamps = Chosen == Of && match(Other, m_Zero()) &&
                (DLOPT_PLANTED(OthersTakenForClamped) ||
                 (Where.isAllNonNegative() &&
                  !Where.inverse().getSignedMax().isStrictlyPositive()));
  return Clamps ? Of : nullptr;
}

/// \p Rounds, or what they are clamped from: a negative number is none, too.
Poly IndexBuilder::withoutClamp(Poly Rounds) {
  std::optional<AtomId> A = Rounds.getAtom();
  if (!A || isPlaceholder(*A) || S.K.Atoms[*A].K != Atom::Param)
    return Rounds;
  const Param &P = S.K.Params[S.K.Atoms[*A].Ref];
  Value *X = P.Depth || !P.Bound ? nullptr : getClamped(P.Bound);
  if (!X || !getScalarType(X->getType()))
    return Rounds;
  tentatively([&] {
    std::optional<Poly> Clamped = buildExact(X, /*Signed=*/true, nullptr);
    if (Clamped)
      Rounds = std::move(*Clamped);
    return Clamped.has_value();
  });
  return Rounds;
}

/// The loop \p L has a round wherever it is come to; a need if that is not
/// certain.
bool IndexBuilder::requireRound(const Loop &L) {
  auto It = S.Controls.find(&L);
  if (It == S.Controls.end())
    return false;
  const LoopControl &C = It->second;
  const Axis &A = S.K.Axes[C.Ax];
  if (A.Extents.empty() || (!C.Clamped && !C.Within.empty()))
    return false;
  AtomId Index = S.K.getAxisAtom(C.Ax);
  SmallVector<Poly, 4> Starts = {Poly()},
                       Ends(A.Extents.begin(), A.Extents.end());
  for (const Constraint &X : C.Within) {
    std::optional<Poly> Factor = X.P.coefficient(Index);
    std::optional<int64_t> Way = Factor ? Factor->getConstant() : std::nullopt;
    if (X.IsEquality || !Way || std::abs(*Way) != 1)
      return false;
    Poly At = Poly::atom(Index);
    if (*Way > 0)
      Starts.push_back(At - X.P);
    else
      Ends.push_back(X.P + At + Poly(1));
  }
  SmallVector<AxisId, 6> Around = S.axesOf(L.getParentLoop());
  for (const Poly &Start : Starts)
    for (const Poly &End : Ends) {
      Poly More = End - Start - Poly(1);
      if (S.K.dependsOn(More, C.Ax))
        return false;
      Range R = getRange(S.K, More, Around);
      if (R.Hi < 0)
        return false;
      if (!R.within(0, std::numeric_limits<int64_t>::max()) &&
          !DLOPT_PLANTED(CounterUntested))
        S.addInRange(More, 0, std::numeric_limits<int64_t>::max());
    }
  return true;
}

/// \p Cond is true, or not if \p Negate, where a counter is zero, and that is
/// never so.
bool IndexBuilder::requireCounted(Value *Cond, bool Negate, const Loop *Where) {
  CmpPredicate Pred;
  Value *Count = nullptr;
  if (!match(Cond, m_ICmp(Pred, m_Value(Count), m_Zero())) ||
      Pred != (Negate ? ICmpInst::ICMP_NE : ICmpInst::ICMP_EQ))
    return false;
  SmallVector<const Loop *, 4> Loops;
  Value *Zero = Constant::getNullValue(Count->getType());
  if (!findCounted(S.Ctx.LI, Count, Zero, Loops) ||
      Loops.front()->getParentLoop() != Where)
    return false;
  const Loop *Outer = Where;
  for (const Loop *L : Loops)
    if (std::exchange(Outer, L) != L->getParentLoop() || !requireRound(*L))
      return false;
  return true;
}
