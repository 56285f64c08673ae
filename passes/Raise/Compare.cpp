//===- Compare.cpp - Conditions and numbers of rounds ---------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Index.h"
#include "dlopt/Compat.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/SaveAndRestore.h"
#include <map>

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace dlopt;

static constexpr int64_t MinI64 = std::numeric_limits<int64_t>::min();
static constexpr int64_t MaxI64 = std::numeric_limits<int64_t>::max();

Poly dlopt::divideFloor(Kernel &K, const Poly &Num, const Poly &Den) {
  if (std::optional<int64_t> D = Den.getConstant(); D && *D > 0) {
    if (*D == 1)
      return Num;
    int64_t C = Num.getConstantTerm();
    int64_t Q = C / *D - (C % *D < 0);
    if (std::optional<Poly> P = (Num - Poly(C)).divideExactly(*D))
      return *P + Poly(Q);
    // (n - 4) / 4 + 1 is n / 4.
    if (int64_t Whole = C / *D)
      return Poly::atom(K.getFloorDivAtom(Num - Poly(Whole * *D), Den)) +
             Poly(Whole);
  }
  if (std::optional<Poly> P = (Num + Poly(1)).divideExactly(Den);
      P && !Den.getConstant())
    return *P - Poly(1);
  return Poly::atom(K.getFloorDivAtom(Num, Den));
}

/// Both sides of a comparison, not necessarily exact. Pointers must have one
/// base; their sides are bytes from it.
bool IndexBuilder::buildSides(Value *Left, Value *Right, bool Signed,
                              const Loop *Where, Linear &A, Linear &B) {
  if (Left->getType()->isPointerTy()) {
    std::optional<PointerForm> X = buildPointer(Left, Where);
    std::optional<PointerForm> Y = buildPointer(Right, Where);
    if (!X || !Y || X->Base != Y->Base)
      return false;
    // Addresses inside one object: differences do not wrap.
    A = {X->Bytes, true};
    B = {Y->Bytes, true};
    return true;
  }
  std::optional<Linear> X = build(Left, Signed, Where);
  std::optional<Linear> Y = build(Right, Signed, Where);
  if (!X || !Y)
    return false;
  A = *X;
  B = *Y;
  return true;
}

/// \p P such that (A Pred B) == (P >= 0), for the four orders.
static std::optional<Poly> getSlack(CmpInst::Predicate Pred, const Poly &A,
                                    const Poly &B) {
  switch (Pred) {
  case CmpInst::ICMP_SLT:
  case CmpInst::ICMP_ULT:
    return B - A - Poly(1);
  case CmpInst::ICMP_SLE:
  case CmpInst::ICMP_ULE:
    return DLOPT_PLANTED(LessOrEqualAsLess) ? B - A - Poly(1) : B - A;
  case CmpInst::ICMP_SGT:
  case CmpInst::ICMP_UGT:
    return A - B - Poly(1);
  case CmpInst::ICMP_SGE:
  case CmpInst::ICMP_UGE:
    return A - B;
  default:
    return std::nullopt;
  }
}

std::optional<SmallVector<Constraint, 2>>
IndexBuilder::buildConstraints(Value *Cond, bool Negate, const Loop *Where) {
  using Result = SmallVector<Constraint, 2>;
  Value *A = nullptr, *B = nullptr;
  if (match(Cond, m_Not(m_Value(A))))
    return buildConstraints(A, !Negate, Where);
  bool IsAnd = match(Cond, m_LogicalAnd(m_Value(A), m_Value(B)));
  bool IsOr = match(Cond, m_LogicalOr(m_Value(A), m_Value(B)));
  if ((IsAnd && !Negate) || (IsOr && Negate)) {
    auto X = buildConstraints(A, Negate, Where);
    auto Y = X ? buildConstraints(B, Negate, Where) : std::nullopt;
    if (!Y)
      return std::nullopt;
    X->append(Y->begin(), Y->end());
    return X;
  }
  auto *C = dyn_cast<ICmpInst>(Cond);
  if (!C)
    return std::nullopt;
  std::optional<Result> R;
  tentatively([&] {
    R = buildCompare(Negate ? C->getInversePredicate() : C->getPredicate(),
                     C->getOperand(0), C->getOperand(1), Where);
    return R.has_value();
  });
  return R;
}

/// Whether \p V, which \p P stands for, is known not to be negative; adds the
/// need of its range, which the kernel alone does not tell.
bool IndexBuilder::requireFromZero(Value *V, const Poly &P) {
  ConstantRange Known = getSignedRange(V, SimplifyQuery(S.Ctx.DL));
  if (!Known.isAllNonNegative() || !S.K.isFixed(P))
    return false;
  S.addInRange(P, 0, Known.getSignedMax().getSExtValue());
  return true;
}

/// Of two different numbers of which one counts: that it does not get as far as
/// the other one.
SmallVector<Constraint, 2> IndexBuilder::requireBefore(const Poly &A,
                                                       const Poly &B) {
  auto Counts = [&](const Poly &P) {
    return P.anyAtom([&](AtomId X) { return S.K.Atoms[X].K == Atom::Axis; });
  };
  if (Counts(A) == Counts(B))
    return {};
  Poly Left = (Counts(A) ? B - A : A - B) - Poly(1);
  S.addInRange(Left, MinI64, MaxI64);
  return {{Left, false}};
}

/// What is positive where \p Difference is not zero, of which it is a multiple:
/// the rounds of a loop that counts up to its end are not negative.
std::optional<Poly> IndexBuilder::getRounds(const Poly &Difference) const {
  if (DLOPT_PLANTED(DifferenceWithoutSign))
    return Difference;
  for (const Need &N : S.K.Needs) {
    if (N.K != Need::InRange || N.Lo < 0 || N.P.terms().empty())
      continue;
    int64_t Unit = N.P.terms().front().second;
    for (const auto &[Mono, Coef] : Difference.terms())
      if (Mono == N.P.terms().front().first && Unit && Coef % Unit == 0 &&
          Coef != MinI64 && N.Hi <= MaxI64 / std::abs(Coef / Unit) &&
          Difference == N.P * Poly(Coef / Unit))
        return N.P;
  }
  return std::nullopt;
}

/// Adds to \p Bounds what \p V is the smallest of. False: it is no minimum, or
/// one of too many.
static bool collectBounds(Value *V, bool Signed,
                          SmallVectorImpl<Value *> &Bounds) {
  constexpr unsigned MaxBounds = 4;
  Value *X = nullptr, *Y = nullptr;
  if (!(Signed ? match(V, m_SMin(m_Value(X), m_Value(Y)))
               : match(V, m_UMin(m_Value(X), m_Value(Y)))))
    return false;
  for (Value *Part : {X, Y})
    if (!collectBounds(Part, Signed, Bounds))
      Bounds.push_back(Part);
  return Bounds.size() <= MaxBounds;
}

/// The smallest of numbers is not zero where none of them is, as where a loop
/// that ends at the smallest one has a round.
std::optional<SmallVector<Constraint, 2>>
IndexBuilder::buildNonZero(ArrayRef<Value *> Numbers, const Loop *Where) {
  SmallVector<Constraint, 2> R;
  for (Value *V : Numbers) {
    std::optional<Poly> P = buildExact(V, /*Signed=*/false, Where);
    if (!P || P->anyAtom([&](AtomId A) { return isPlaceholder(A); }))
      return std::nullopt;
    R.push_back({*P - Poly(1), false});
  }
  return R;
}

std::optional<SmallVector<Constraint, 2>>
IndexBuilder::buildCompare(CmpInst::Predicate Pred, Value *Left, Value *Right,
                           const Loop *Where) {
  bool IsPtr = Left->getType()->isPointerTy();
  if (IsPtr && !ICmpInst::isEquality(Pred))
    return std::nullopt;
  if (SmallVector<Value *, 4> Parts;
      Pred == CmpInst::ICMP_NE && match(Right, m_Zero()) &&
      collectBounds(Left, /*Signed=*/false, Parts))
    return buildNonZero(Parts, Where);
  // InstCombine's word for x == 0 && y == 0.
  if (Value *X = nullptr, *Y = nullptr;
      Pred == CmpInst::ICMP_EQ && match(Right, m_Zero()) &&
      match(Left, m_Or(m_Value(X), m_Value(Y)))) {
    auto R = buildCompare(Pred, X, Right, Where);
    auto Other = buildCompare(Pred, Y, Right, Where);
    if (!R || !Other)
      return std::nullopt;
    R->append(*Other);
    return R;
  }
  unsigned Bits = IsPtr ? 64 : Left->getType()->getScalarSizeInBits();
  SmallVector<AxisId, 6> Axes = S.axesOf(Where);
  auto IsExact = [&](const Linear &L, bool Signed) {
    Range T = getTypeRange(Bits, Signed);
    return L.Exact || getRange(S.K, L.P, Axes).within(T.Lo, T.Hi) ||
           (RequireSides && require(L, Bits, Signed, Where));
  };
  auto Fits = [&](const Poly &P) {
    if (!getRange(S.K, P, Axes).within(MinI64, MaxI64))
      S.addInRange(P, MinI64, MaxI64);
  };
  bool Signed = !CmpInst::isUnsigned(Pred);
  Linear A, B;
  if (!buildSides(Left, Right, Signed, Where, A, B))
    return std::nullopt;
  SmallVector<Constraint, 2> R;
  if (IsExact(A, Signed) && IsExact(B, Signed)) {
    if (Pred == CmpInst::ICMP_EQ) {
      R.push_back({A.P - B.P, true});
    } else if (Pred == CmpInst::ICMP_NE) {
      // One side is a bound of the other: x != 0 for an index.
      Range D = getRange(S.K, A.P - B.P, Axes);
      // One side itself is in range by its type, whatever its axes might be.
      bool IsOfType = B.P.isZero();
      if (D.Lo >= 0 && (IsOfType || D.Hi <= MaxI64))
        R.push_back({A.P - B.P - Poly(1), false});
      else if (D.Hi <= 0 && (IsOfType || D.Lo >= MinI64))
        R.push_back({B.P - A.P - Poly(1), false});
      else if (B.P.isZero() && requireFromZero(Left, A.P))
        R.push_back({A.P - Poly(1), false});
      else if (std::optional<Poly> Rounds = getRounds(A.P - B.P))
        R.push_back({*Rounds - Poly(1), false});
      else if (RequireSides)
        R = requireBefore(A.P, B.P);
    } else if (std::optional<Poly> P = getSlack(Pred, A.P, B.P)) {
      Fits(*P);
      R.push_back({*P, false});
    }
    if (R.empty())
      return std::nullopt;
    return R;
  }
  if (Signed)
    return std::nullopt;
  // (unsigned)a < b with b >= 0 is 0 <= a && a < b.
  if (!buildSides(Left, Right, true, Where, A, B))
    return std::nullopt;
  bool Less = Pred == CmpInst::ICMP_ULT || Pred == CmpInst::ICMP_ULE;
  if (!Less)
    std::swap(A, B);
  bool OrEqual = Pred == CmpInst::ICMP_ULE || Pred == CmpInst::ICMP_UGE;
  if (!IsExact(A, true) || !B.Exact)
    return std::nullopt;
  Range T = getTypeRange(Bits, true);
  if (!getRange(S.K, B.P, Axes).within(0, T.Hi))
    S.addInRange(B.P, 0, static_cast<int64_t>(T.Hi));
  Poly Below = B.P - A.P - Poly(OrEqual ? 0 : 1);
  Fits(Below);
  R.push_back({A.P, false});
  R.push_back({Below, false});
  return R;
}

bool IndexBuilder::requireNever(Value *Cond, bool Negate, const Loop *Where) {
  if (DLOPT_PLANTED(SideExitUntested))
    return true;
  bool Ok = tentatively([&] {
    SaveAndRestore<bool> Require(RequireSides, true);
    auto Never = buildConstraints(Cond, !Negate, Where);
    if (!Never)
      return false;
    for (const Constraint &C : *Never) {
      Range R = getRange(S.K, C.P, S.axesOf(Where));
      int64_t Max = C.IsEquality ? 0 : MaxI64;
      if (R.Hi < 0 || (C.IsEquality && R.Lo > 0))
        return false;
      if (!R.within(0, Max))
        S.addInRange(C.P, 0, Max);
    }
    return true;
  });
  Ok = Ok || tentatively([&] { return requireCounted(Cond, Negate, Where); });
  // A condition on anything that does not change in the nest.
  if (Ok || !Cond->getType()->isIntegerTy(1))
    return Ok;
  std::optional<unsigned> Depth = getInvariantDepth(Cond);
  if (!Depth || isa<Constant>(Cond))
    return false;
  ParamId P = S.getParam(Cond, /*Signed=*/false, *Depth);
  S.addInRange(Poly::atom(S.K.getParamAtom(P)), Negate, Negate);
  return true;
}

/// Rounds from the first on in which \p C says so: with the axis as unknown
/// number of rounds, C is a linear inequality in it.
std::optional<Poly> IndexBuilder::countRounds(Loop &L, const Comparison &C) {
  std::optional<Poly> R;
  bool IsNE = C.Pred == CmpInst::ICMP_NE;
  auto IsWhole = [&](const Poly &P) {
    return !S.K.anyNestedAtom(P, [IsNE](const Atom &A) {
      return A.K == Atom::FloorDiv && (IsNE || !A.Den.getConstant());
    });
  };
  if (tentatively([&] {
        R = countRoundsAsIs(L, C);
        return R && IsWhole(*R);
      }) ||
      ExpandOutside)
    return R;
  // The end of a matrix, seen through, is a number of its rows.
  std::optional<Poly> Expanded;
  SaveAndRestore<bool> Expand(ExpandOutside, true);
  SaveAndRestore<bool> Products(ExpandProducts, true);
  std::map<PHINode *, PhiForm> Kept;
  std::swap(Phis, Kept);
  bool Ok = tentatively([&] {
    Expanded = countRoundsAsIs(L, C);
    return Expanded && IsWhole(*Expanded);
  });
  std::swap(Phis, Kept);
  if (Ok)
    return Expanded;
  ExpandOutside = ExpandProducts = false;
  return countRoundsAsIs(L, C);
}

std::optional<Poly> IndexBuilder::countRoundsAsIs(Loop &L,
                                                  const Comparison &C) {
  CmpInst::Predicate Pred = C.Pred;
  const LoopControl &Control = S.Controls.find(&L)->second;
  const Loop *Parent = &L == &S.Nest ? nullptr : L.getParentLoop();
  AtomId Axis = S.K.getAxisAtom(Control.Ax);
  bool IsPtr = C.A->getType()->isPointerTy();
  unsigned Bits = IsPtr ? 64 : C.A->getType()->getIntegerBitWidth();
  bool Signed = IsPtr || !CmpInst::isUnsigned(Pred);
  Linear A, B;
  if (!buildSides(C.A, C.B, Signed, &L, A, B))
    return std::nullopt;
  auto HasHole = [&](const Poly &P) {
    return P.anyAtom([&](AtomId X) { return isPlaceholder(X); });
  };
  bool IsNE = Pred == CmpInst::ICMP_NE;
  std::optional<Poly> Slack = IsNE ? B.P - A.P : getSlack(Pred, A.P, B.P);
  if (!Slack || HasHole(*Slack))
    return std::nullopt;
  std::optional<Poly> Coef = Slack->coefficient(Axis);
  if (!Coef || Coef->isZero())
    return std::nullopt;
  Poly At0 = Slack->without(Axis);
  if (dependsOnLoops(At0, &L) || dependsOnLoops(*Coef, &L))
    return std::nullopt;

  Poly Rounds, Step = Poly() - *Coef;
  if (IsNE)
    return countRoundsToEnd(std::move(At0), std::move(Step), Bits, Parent);
  Range StepRange = getRange(S.K, Step, S.axesOf(Parent));
  if (StepRange.Hi < 1)
    return std::nullopt;
  if (StepRange.Lo < 1)
    S.addInRange(Step, 1, MaxI64);
  Rounds = divideFloor(S.K, At0, Step) + Poly(1);
  for (const Poly &P : {At0 + Poly(1), Rounds})
    if (!getRange(S.K, P, S.axesOf(Parent)).within(MinI64, MaxI64))
      S.addInRange(P, MinI64, MaxI64);
  // Neither side may wrap, from the first comparison to the last.
  for (const Linear &Side : {A, B}) {
    if (Side.Exact)
      continue;
    if (!dependsOnLoops(Side.P, &L)) {
      if (!require(Side, Bits, Signed, Parent))
        return std::nullopt;
      continue;
    }
    for (const Poly &At : {Poly(), Rounds}) {
      std::optional<Poly> There = within(substituteWithin(Side.P, Axis, At));
      if (!There)
        return std::nullopt;
      if (!require({*There, false}, Bits, Signed, Parent)) {
        S.fail(Reason::MayBeInfinite, C.Origin);
        return std::nullopt;
      }
    }
  }
  return Rounds;
}

/// \p Rounds go on behind a test of \p L: with what runs in front of the first
/// one, they are an extent. False: there are none.
bool IndexBuilder::addExtent(Loop &L, Poly Rounds) {
  LoopControl &C = S.Controls.find(&L)->second;
  if (C.Exit == ExitKind::Latch) {
    // The round before the first test always happens.
    const Loop *Parent = &L == &S.Nest ? nullptr : L.getParentLoop();
    Rounds += Poly(1);
    Range R = getRange(S.K, Rounds, S.axesOf(Parent));
    if (R.Hi < 1)
      return false;
    if (!R.within(1, MaxI64))
      S.addInRange(Rounds, 1, MaxI64);
  } else {
    Rounds = withoutClamp(std::move(Rounds));
  }
  S.K.Axes[C.Ax].Extents.push_back(std::move(Rounds));
  return true;
}

/// Asks for \p Bound to be no negative number, which is another one without a
/// sign.
bool IndexBuilder::isNotNegative(Loop &L, Value *Bound) {
  std::optional<Poly> P = buildExact(Bound, /*Signed=*/true, &L);
  if (!P)
    return false;
  const Loop *Parent = &L == &S.Nest ? nullptr : L.getParentLoop();
  Range R = getRange(S.K, *P, S.axesOf(Parent));
  if (R.Hi < 0)
    return false;
  if (!R.within(0, MaxI64))
    S.addInRange(*P, 0, MaxI64);
  return true;
}

/// i < min(a, b) is i < a && i < b, and i != min(a, b) ends as early where i
/// meets each of them; where a round has run before the first
/// test, only if both leave one.
bool IndexBuilder::setExtentToMin(Loop &L, ICmpInst *C, bool ContinueIfTrue) {
  Comparison Whole = {ContinueIfTrue ? C->getPredicate()
                                     : C->getInversePredicate(),
                      C->getOperand(0), C->getOperand(1), C};
  if (ICmpInst::isGT(Whole.Pred) || ICmpInst::isGE(Whole.Pred)) {
    std::swap(Whole.A, Whole.B);
    Whole.Pred = CmpInst::getSwappedPredicate(Whole.Pred);
  }
  bool IsNE = Whole.Pred == CmpInst::ICMP_NE;
  if (IsNE && !S.isInside(Whole.B))
    std::swap(Whole.A, Whole.B);
  SmallVector<Value *, 4> Bounds;
  if ((!IsNE && !ICmpInst::isRelational(Whole.Pred)) || !S.isInside(Whole.B) ||
      !(collectBounds(Whole.B, CmpInst::isSigned(Whole.Pred), Bounds) ||
        (IsNE && collectBounds(Whole.B, true, Bounds))))
    return false;
  AxisId A = S.Controls.find(&L)->second.Ax;
  auto Before = S.K.Axes[A].Extents;
  bool Ok = tentatively([&] {
    return all_of(Bounds, [&](Value *Bound) {
      Comparison Part = Whole;
      Part.B = Bound;
      std::optional<Poly> Rounds = countRounds(L, Part);
      return Rounds && (!IsNE || isNotNegative(L, Bound)) &&
             addExtent(L, std::move(*Rounds));
    });
  });
  if (!Ok)
    S.K.Axes[A].Extents = std::move(Before);
  return Ok;
}

bool IndexBuilder::setExtent(Loop &L, Value *Cond, bool ContinueIfTrue) {
  LoopControl &C = S.Controls.find(&L)->second;
  Value *A = nullptr, *B = nullptr;
  if (match(Cond, m_Not(m_Value(A))))
    return setExtent(L, A, !ContinueIfTrue);
  bool IsBoth = ContinueIfTrue
                    ? match(Cond, m_LogicalAnd(m_Value(A), m_Value(B)))
                    : match(Cond, m_LogicalOr(m_Value(A), m_Value(B)));
  if (IsBoth && C.Exit == ExitKind::Header) {
    auto Bound = [&](Value *V) {
      return tentatively([&] { return setExtent(L, V, ContinueIfTrue); });
    };
    // A condition that is no bound must hold in every round.
    bool First = Bound(A);
    if (DLOPT_PLANTED(SecondBoundIgnored) && First)
      return true;
    if (Bound(B))
      return First || requireNever(A, ContinueIfTrue, &L) ||
             setExtent(L, A, ContinueIfTrue);
    return (First && requireNever(B, ContinueIfTrue, &L)) ||
           setExtent(L, B, ContinueIfTrue);
  }
  auto *Cmp = dyn_cast<ICmpInst>(Cond);
  if (!Cmp)
    return S.fail(Reason::UnknownTripCount, L.getHeader()->getTerminator());
  if (setExtentAndConditions(L, Cmp, ContinueIfTrue) ||
      setExtentToMin(L, Cmp, ContinueIfTrue))
    return true;
  std::optional<Poly> Rounds = countRounds(
      L, {ContinueIfTrue ? Cmp->getPredicate() : Cmp->getInversePredicate(),
          Cmp->getOperand(0), Cmp->getOperand(1), Cmp});
  if (!Rounds) {
    for (Value *V : {Cmp->getOperand(0), Cmp->getOperand(1)})
      if (auto *Ld = dyn_cast<LoadInst>(V);
          Ld && S.isInside(Ld) && getInvariantDepth(Ld->getPointerOperand()))
        return S.fail(Reason::NotInvariant, Ld);
    return S.fail(Reason::UnknownTripCount, Cmp);
  }
  return addExtent(L, std::move(*Rounds)) ||
         S.fail(Reason::UnknownTripCount, Cmp);
}

bool IndexBuilder::setExtentAlone(Loop &L, Value *Cond, bool ContinueIfTrue) {
  SaveAndRestore<const Loop *> Mode(Alone, &L);
  std::map<PHINode *, PhiForm> Kept;
  std::swap(Phis, Kept);
  bool Ok = setExtent(L, Cond, ContinueIfTrue);
  std::swap(Phis, Kept);
  if (S.Controls.find(&L)->second.Clamped)
    forgetForms();
  return Ok;
}
