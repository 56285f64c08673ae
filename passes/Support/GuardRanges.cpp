//===- GuardRanges.cpp - Range and disjointness tests ---------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Interval arithmetic in IR. All atoms are known to be in [0, 2^29) where the
/// fast path is taken, so a term coef * a * b * ... is smallest where its atoms
/// are, and a polynomial lies between (positive terms at their least, negative
/// at their greatest) and the converse. Where the extent of one axis depends on
/// others, which a box forgets, the last iteration is put in for that axis,
/// too. What is found may be larger than what is really touched; then the test
/// is stricter than it need be, never laxer.
///
/// An axis without iterations reaches nowhere: a row that is filled up to its
/// pitch has no padding where both are the same, and what would be the first
/// element of that is the next row, or another array. Where all of a kernel is
/// inside such an axis nothing is done, and the original loops do that, too.
///
//===----------------------------------------------------------------------===//
#include "GuardRules.h"
#include "dlopt/Guards.h"
#include "dlopt/Lower.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Uses.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace dlopt {

static constexpr unsigned MaxBits = MaxGuardBits;
static constexpr uint64_t MaxNumber = (uint64_t(1) << MaxGuardBits) - 1,
                          MaxSmall = (uint64_t(1) << SmallGuardBits) - 1;

/// \p R below 2^MaxBits, which is tested if need be.
GuardEmitter::Range GuardEmitter::limit(Range R) {
  if (R.Most <= MaxNumber)
    return R;
  addBounded(R.Hi);
  R.Most = MaxNumber;
  return R;
}

/// Exact where the conditions that it adds hold.
GuardEmitter::Range GuardEmitter::multiply(const Range &X, const Range &Y) {
  Range R;
  if (std::optional<uint64_t> Most = checkedMulUnsigned(X.Most, Y.Most)) {
    R.Hi = B.CreateMul(X.Hi, Y.Hi);
    R.Most = *Most;
  } else {
    Value *Checked =
        B.CreateBinaryIntrinsic(Intrinsic::umul_with_overflow, X.Hi, Y.Hi);
    R.Hi = B.CreateExtractValue(Checked, 0);
    addNoOverflow(B.CreateExtractValue(Checked, 1));
    R.Most = UINT64_MAX;
  }
  // The low end cannot overflow where the high end does not.
  R.Lo = X.isSingle() && Y.isSingle() ? R.Hi : B.CreateMul(X.Lo, Y.Lo);
  return limit(R);
}

/// The sum of numbers below 2^MaxBits, which it may exceed. No number is
/// negative, so that none is greater than the sum of all: this alone needs a
/// test, unless more are added than 64 bits hold.
GuardEmitter::Range GuardEmitter::add(Range X, Range Y) {
  if (!checkedAddUnsigned(X.Most, Y.Most)) {
    X = limit(X);
    Y = limit(Y);
  }
  Value *Hi = B.CreateAdd(X.Hi, Y.Hi);
  Value *Lo = X.isSingle() && Y.isSingle() ? Hi : B.CreateAdd(X.Lo, Y.Lo);
  return {Lo, Hi, X.Most + Y.Most};
}

static unsigned getBits(uint64_t C) { return 64 - countl_zero(C); }

static uint64_t getMagnitude(int64_t C) {
  return C < 0 ? 0 - uint64_t(C) : uint64_t(C);
}

bool isTestable(int64_t Coefficient) {
  return getBits(getMagnitude(Coefficient)) <= MaxBits;
}

bool isNarrow(const Kernel &K, const Atom &A) {
  return !A.Signed && getSizeInBytes(K.Buffers[A.Source.Buf].Ty) <= 2;
}

std::optional<GuardEmitter::Range> GuardEmitter::getTermRange(const Monomial &M,
                                                              int64_t Coef) {
  if (!isTestable(Coef))
    return std::nullopt;
  uint64_t Magnitude = getMagnitude(Coef);
  Value *Number = B.getInt64(Magnitude);
  Range R = {Number, Number, Magnitude};
  Monomial Product;
  for (AtomId Id : M) {
    std::optional<Range> A = getRange(Id);
    if (!A)
      return std::nullopt;
    // Terms have factors in common, which come first as often as not.
    Product.push_back(Id);
    auto [It, IsNew] = TermRanges.try_emplace({Magnitude, Product});
    if (IsNew)
      It->second = Product.size() == 1 && Magnitude == 1 ? *A : multiply(R, *A);
    R = It->second;
  }
  return R;
}

/// Whether no term of \p P is negative.
static bool isNeverNegative(const Poly &P) {
  return all_of(P.terms(), [](const auto &Term) { return Term.second > 0; });
}

/// \p P at the last iteration of each axis that has as many as others say
/// (`j < n - i`) where it grows along that, at the first one where it shrinks;
/// with \p Least the converse. No iteration has a greater (lesser) value, and
/// terms may cancel out that intervals add: i + j is less than n.
static Poly getExtremeOfAxes(const Kernel &K, Poly P, bool Least) {
  for (auto Id = static_cast<AtomId>(K.Atoms.size()); Id--;) {
    const Atom &A = K.Atoms[Id];
    if (A.K != Atom::Axis)
      continue;
    const auto &Extents = K.Axes[A.Ref].Extents;
    const auto *Extent = find_if(Extents, [&](const Poly &E) {
      return !K.isFixed(E) && !E.anyAtom([&](AtomId X) {
        return K.Atoms[X].K != Atom::Axis && K.Atoms[X].K != Atom::Param;
      });
    });
    std::optional<Poly> Step = P.coefficient(Id);
    if (Extent == Extents.end() || !Step || Step->isZero())
      continue;
    bool Grows = isNeverNegative(*Step),
         Shrinks = isNeverNegative(Poly() - *Step);
    if (Grows || Shrinks)
      P = P.substitute(Id, Grows == Least ? Poly() : *Extent - Poly(1));
  }
  return P;
}

/// The same of axes that extents of others brought in, which only speak of what
/// is around them.
static Poly getExtreme(const Kernel &K, Poly P, bool Least) {
  for (;;) {
    Poly Next = getExtremeOfAxes(K, P, Least);
    if (Next == P)
      return P;
    P = std::move(Next);
  }
}

/// A polynomial that \p Offset does not exceed (with \p Least: go below) where
/// \p Domain holds: to what a condition says is not negative, times as much as
/// takes an axis out of \p Offset. A border's rows are not in it.
static Poly getExtremeIn(const Kernel &K, Poly Offset,
                         ArrayRef<Constraint> Domain, bool Least) {
  for (const Constraint &C : Domain)
    for (bool Negated : {false, true}) {
      if (Negated && !C.IsEquality)
        continue;
      Poly NotNegative = Negated ? Poly() - C.P : C.P;
      for (auto Id = static_cast<AtomId>(K.Atoms.size()); Id--;) {
        if (K.Atoms[Id].K != Atom::Axis)
          continue;
        std::optional<Poly> Of = NotNegative.coefficient(Id),
                            Times = Offset.coefficient(Id);
        if (!Of || !Times || Times->isZero() || !isNeverNegative(*Times) ||
            !K.isFixed(*Times) || Of->getConstant() != (Least ? 1 : -1))
          continue;
        Poly Shift = *Times * NotNegative;
        Offset = Least ? Offset - Shift : Offset + Shift;
        break;
      }
    }
  return Offset;
}

/// Bounds of a polynomial, as signed numbers: its positive and its negative
/// terms are summed on their own, below 2^MaxBits each.
std::optional<GuardEmitter::Hull> GuardEmitter::getHull(const Poly &P) {
  if (auto It = PolyHulls.find(P); It != PolyHulls.end())
    return It->second;
  Range Zero = {B.getInt64(0), B.getInt64(0), 0}, Plus = Zero, Minus = Zero;
  for (const auto &[M, Coef] : P.terms()) {
    std::optional<Range> Term = getTermRange(M, Coef);
    if (!Term)
      return std::nullopt;
    Range &Side = Coef > 0 ? Plus : Minus;
    Side = Side.Most ? add(Side, *Term) : *Term;
  }
  Plus = limit(Plus);
  Minus = limit(Minus);
  Value *First = B.CreateSub(Plus.Lo, Minus.Hi);
  Value *Last = Plus.isSingle() && Minus.isSingle()
                    ? First
                    : B.CreateSub(Plus.Hi, Minus.Lo);
  return PolyHulls[P] = {First, Last};
}

/// An axis along which \p P grows or shrinks, as arguments say: `y*(w - 2)`.
static std::optional<AtomId> findTurningAxis(const Kernel &K, const Poly &P) {
  for (AtomId Id = 0; Id != K.Atoms.size(); ++Id) {
    if (K.Atoms[Id].K != Atom::Axis)
      continue;
    std::optional<Poly> Step = P.coefficient(Id);
    if (Step && K.isFixed(*Step) && !isNeverNegative(*Step) &&
        !isNeverNegative(Poly() - *Step) &&
        K.isFixed(K.Axes[K.Atoms[Id].Ref].Extents.front()))
      return Id;
  }
  return std::nullopt;
}

/// The same, and not beyond the extremes of \p P.
std::optional<GuardEmitter::Hull> GuardEmitter::getClippedHull(const Poly &P) {
  std::optional<Hull> H = getHull(P);
  if (!H)
    return std::nullopt;
  // Along an axis extremes are at its ends, whatever the others are.
  if (std::optional<AtomId> Id = findTurningAxis(K, P)) {
    const Poly &Extent = K.Axes[K.Atoms[*Id].Ref].Extents.front();
    std::optional<Hull> Begin = getClippedHull(P.substitute(*Id, Poly())),
                        End =
                            getClippedHull(P.substitute(*Id, Extent - Poly(1)));
    if (Begin && DLOPT_PLANTED(TurningAxisOneEnd))
      End = Begin;
    if (Begin && End) {
      H->First = B.CreateBinaryIntrinsic(
          Intrinsic::smax, H->First,
          B.CreateBinaryIntrinsic(Intrinsic::smin, Begin->First, End->First));
      H->Last = B.CreateBinaryIntrinsic(
          Intrinsic::smin, H->Last,
          B.CreateBinaryIntrinsic(Intrinsic::smax, Begin->Last, End->Last));
    }
  }
  for (bool Least : {true, false}) {
    Poly Extreme = getExtreme(K, P, Least);
    std::optional<Hull> E = Extreme == P ? std::nullopt : getHull(Extreme);
    if (E && Least)
      H->First = B.CreateBinaryIntrinsic(Intrinsic::smax, H->First, E->First);
    else if (E)
      H->Last = B.CreateBinaryIntrinsic(Intrinsic::smin, H->Last, E->Last);
  }
  return H;
}

/// Adds tests that there are 0 to 2^29 - 1 iterations, at least one if all of
/// the kernel is inside.
std::optional<GuardEmitter::Range> GuardEmitter::getAxisRange(AtomId Id) {
  AxisId A = K.Atoms[Id].Ref;
  Value *Rounds = nullptr;
  for (const Poly &Extent : K.Axes[A].Extents) {
    std::optional<Hull> H = getHull(Extent);
    if (!H)
      return std::nullopt;
    Rounds = Rounds ? B.CreateBinaryIntrinsic(Intrinsic::smin, Rounds, H->Last)
                    : H->Last;
  }
  if (!Rounds)
    return std::nullopt;
  Range R = {B.getInt64(0), nullptr, MaxSmall};
  if (!isa<Constant>(Rounds) && !KnownPositive.contains(Rounds) &&
      hasLeafBeside(K.Root, A)) {
    addSmall(Rounds);
    EmptyAxes[Id] = B.CreateICmpULT(
        Rounds, B.getInt64(DLOPT_PLANTED(OneRoundTakenForNone) ? 2 : 1));
    Rounds = B.CreateBinaryIntrinsic(Intrinsic::umax, Rounds, B.getInt64(1));
  }
  R.Hi = B.CreateSub(Rounds,
                     B.getInt64(DLOPT_PLANTED(AliasRangeRowShort) ? 2 : 1));
  return R;
}

/// Whether an axis that \p P uses has no iteration, so that there is no value
/// of it; null: none is known to. Ranges of its atoms have been asked for.
Value *GuardEmitter::getEmpty(const Poly &P) {
  Value *Any = nullptr;
  for (AtomId Id = 0; Id != K.Atoms.size(); ++Id)
    if (Value *Empty = P.uses(Id) ? EmptyAxes.lookup(Id) : nullptr)
      Any = Any ? B.CreateOr(Any, Empty) : Empty;
  return Any;
}

/// Values that an atom takes, from 0 to below 2^29. The tests this takes are
/// added.
std::optional<GuardEmitter::Range> GuardEmitter::getRange(AtomId Id) {
  if (auto It = AtomRanges.find(Id); It != AtomRanges.end())
    return It->second;
  const Atom &A = K.Atoms[Id];
  Range R = {B.getInt64(0), nullptr, MaxSmall};
  switch (A.K) {
  case Atom::Param:
  case Atom::VL:
    R.Lo = R.Hi = emitAtStart(Poly::atom(Id));
    break;
  case Atom::Axis: {
    std::optional<Range> Rounds = getAxisRange(Id);
    if (!Rounds)
      return std::nullopt;
    R = *Rounds;
    break;
  }
  case Atom::Mod:
  case Atom::FloorDiv: {
    bool IsConstant = A.Den.getConstant().has_value();
    bool IsFixed = K.isFixed(Poly::atom(Id));
    std::optional<Hull> Den = getHull(A.Den), Num;
    if (IsFixed || A.K == Atom::FloorDiv)
      Num = getHull(A.Num);
    if (!Den || A.Den.getConstant().value_or(1) <= 0 ||
        (!Num && A.K == Atom::FloorDiv))
      return std::nullopt;
    if (!IsConstant)
      addPositive(Den->First);
    if (Num)
      addSmall(Num->First);
    // Of what does not change there is one value.
    if (IsFixed && Num)
      R.Lo = R.Hi = emitAtStart(Poly::atom(Id));
    else if (A.K == Atom::Mod)
      R.Hi = B.CreateSub(Den->Last, B.getInt64(1));
    else
      R.Hi = B.CreateUDiv(
          Num->Last,
          B.CreateBinaryIntrinsic(Intrinsic::smax, Den->First, B.getInt64(1)));
    break;
  }
  case Atom::Size:
    return std::nullopt;
  case Atom::Load:
    if (std::optional<LoadBounds> Bounds = getLoadBounds(K, Id)) {
      R.Lo = B.getInt64(Bounds->Least);
      R.Hi = emitAtStart(Bounds->Most);
    } else if (isNarrow(K, A))
      R.Hi =
          B.getInt64(maxUIntN(8 * getSizeInBytes(K.Buffers[A.Source.Buf].Ty)));
    break;
  }
  if (!R.Hi)
    return std::nullopt;
  if (auto *C = dyn_cast<ConstantInt>(R.Hi); C && C->getValue().isNonNegative())
    R.Most = std::min(MaxSmall, C->getZExtValue());
  addSmall(R.Hi);
  AtomRanges[Id] = R;
  return R;
}

/// Of two of which one is empty, the other.
GuardEmitter::Hull GuardEmitter::joinHulls(Hull X, Hull Y) {
  Value *Empty = X.Empty && Y.Empty ? B.CreateAnd(X.Empty, Y.Empty) : nullptr;
  if (X.Empty != Y.Empty) {
    Hull OfX = X;
    auto Replace = [&](Hull &H, const Hull &Other) {
      H.First = B.CreateSelect(H.Empty, Other.First, H.First);
      H.Last = B.CreateSelect(H.Empty, Other.Last, H.Last);
    };
    if (X.Empty)
      Replace(X, Y);
    if (Y.Empty)
      Replace(Y, OfX);
  }
  return {B.CreateBinaryIntrinsic(Intrinsic::smin, X.First, Y.First),
          B.CreateBinaryIntrinsic(Intrinsic::smax, X.Last, Y.Last), Empty};
}

/// Calls \p Visit with every access of \p K to an external buffer, those inside
/// of polynomials included.
static void forEachAccess(const Kernel &K,
                          function_ref<void(const Access &)> Visit) {
  for (const Atom &A : K.Atoms)
    if (A.K == Atom::Load)
      Visit(A.Source);
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Op &O : L.Ops)
      if (O.K == Op::Load)
        Visit(O.Acc);
    for (const Assign &A : L.Assigns)
      Visit(A.Target);
  });
}

/// The conditions under which \p Buf is accessed at \p Offset, if one leaf
/// alone does so.
static ArrayRef<Constraint> getDomain(const Kernel &K, BufferId Buf,
                                      const Poly &Offset) {
  ArrayRef<Constraint> Domain;
  unsigned Leaves = 0;
  auto IsHere = [&](const Access &X) {
    return X.Buf == Buf && X.offset() == Offset;
  };
  if (any_of(K.Atoms,
             [&](const Atom &A) {
               return A.K == Atom::Load && IsHere(A.Source);
             }) ||
      any_of(K.Needs, [&](const Need &N) {
        return N.K == Need::NonZero && N.Buf == Buf && N.P == Offset;
      }))
    return {};
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    if (any_of(L.Ops,
               [&](const Op &O) { return O.K == Op::Load && IsHere(O.Acc); }) ||
        any_of(L.Assigns, [&](const Assign &A) { return IsHere(A.Target); })) {
      Domain = L.Domain;
      ++Leaves;
    }
  });
  return Leaves == 1 ? Domain : ArrayRef<Constraint>();
}

bool isIndirect(const Kernel &K, const Poly &Offset) {
  return Offset.anyAtom([&](AtomId Id) {
    return K.Atoms[Id].K == Atom::Load && !isNarrow(K, K.Atoms[Id]) &&
           !getLoadBounds(K, Id);
  });
}

SmallVector<Poly, 4> getOffsets(const Kernel &K, BufferId Buf, bool InOrder) {
  SmallVector<Poly, 4> Result;
  forEachAccess(K, [&](const Access &X) {
    if (X.Buf == Buf && !is_contained(Result, X.offset()) &&
        !(InOrder && isIndirect(K, X.offset())))
      Result.push_back(X.offset());
  });
  // What must not be zero must not become it.
  for (const Need &N : K.Needs)
    if (N.K == Need::NonZero && N.Buf == Buf && !is_contained(Result, N.P))
      Result.push_back(N.P);
  // A place that is read in front has no access.
  if (Result.empty())
    Result.push_back(Poly());
  return Result;
}

std::optional<GuardEmitter::Hull> GuardEmitter::getHull(BufferId Buf) {
  if (auto It = Hulls.find(Buf); It != Hulls.end())
    return It->second;
  std::optional<Hull> Result;
  for (const Poly &Offset : getOffsets(K, Buf, RK.KeepsOrder)) {
    std::optional<Hull> H = getClippedHull(Offset);
    if (!H)
      return std::nullopt;
    for (bool Least : {true, false}) {
      Poly Extreme = getExtremeIn(K, Offset, getDomain(K, Buf, Offset), Least);
      // Conditions may be about numbers that are not small.
      bool IsKnown = Extreme != Offset && !Extreme.anyAtom([&](AtomId Id) {
        return !AtomRanges.contains(Id);
      });
      std::optional<Hull> E = IsKnown ? getHull(Extreme) : std::nullopt;
      if (E && Least)
        H->First = B.CreateBinaryIntrinsic(Intrinsic::smax, H->First, E->First);
      else if (E)
        H->Last = B.CreateBinaryIntrinsic(Intrinsic::smin, H->Last, E->Last);
    }
    H->Empty = getEmpty(Offset);
    Result = Result ? joinHulls(*Result, *H) : H;
  }
  if (Result)
    Hulls[Buf] = *Result;
  return Result;
}

bool isNoAlias(AAResults *AA, const Value *X, const Value *Y) {
  return AA && X && Y &&
         AA->isNoAlias(MemoryLocation::getBeforeOrAfter(X),
                       MemoryLocation::getBeforeOrAfter(Y));
}

bool GuardEmitter::isDisjoint(BufferId X, BufferId Y) const {
  return isNoAlias(&AA, K.Buffers[X].Bound, K.Buffers[Y].Bound);
}

/// All that \p Buf's hull spans.
std::optional<GuardEmitter::Bytes> GuardEmitter::getBytes(BufferId Buf) {
  if (auto It = BytesOf.find(Buf); It != BytesOf.end())
    return It->second;
  Value *P = getPointer(Buf);
  std::optional<Hull> H = getHull(Buf);
  if (!P || !H)
    return std::nullopt;
  auto Scale = [&](Value *V) {
    return B.CreateMul(V, B.getInt64(getSizeInBytes(K.Buffers[Buf].Ty)));
  };
  Value *Address = B.CreatePtrToInt(P, B.getInt64Ty());
  Value *Start = B.CreateAdd(Address, Scale(H->First));
  Value *Count = B.CreateSub(H->Last, H->First);
  if (!DLOPT_PLANTED(AliasRangeElementShort))
    Count = B.CreateAdd(Count, B.getInt64(1));
  return BytesOf[Buf] = {
             Start, DLOPT_PLANTED(AliasRangeUnscaled) ? Count : Scale(Count),
             H->Empty};
}

/// Arcs on the circle of 2^64 addresses are disjoint if each starts behind the
/// end of the other; no end of an arc is computed, so none can wrap.
void GuardEmitter::addBehind(const Bytes &Later, const Bytes &Earlier) {
  Value *Gap = B.CreateSub(Later.Start, Earlier.Start);
  Value *Apart = B.CreateICmpUGE(Gap, Earlier.Count);
  for (Value *Empty : {Later.Empty, Earlier.Empty})
    if (Empty)
      Apart = B.CreateOr(Apart, Empty);
  addCondition(Apart);
}

} // namespace dlopt
