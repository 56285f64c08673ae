//===- DistinctElements.cpp - Elements that differ along an axis ----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Diagonals.h"
#include "RoleFinder.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Ranges.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Argument.h"

using namespace llvm;
using namespace dlopt;

/// Whether \p P, the slack of \p Stride over what lies below it, is proved or
/// may be tested: a leading dimension usually is large enough, a small constant
/// (overlapping windows) never is meant to be.
bool RoleFinder::isAtLeastZero(const Poly &P, const Poly &Stride,
                               ArrayRef<AxisId> Axes) {
  constexpr int64_t Max = std::numeric_limits<int64_t>::max();
  Range R = getRange(K, P, Axes);
  if (R.Lo >= 0 || DLOPT_PLANTED(RowOverlapUntested))
    return true;
  if (R.Hi < 0 || Stride.getConstant().value_or(16) < 16 || !K.isFixed(P))
    return false;
  if (hasNeed([&](const Need &N) {
        return N.K == Need::InRange && N.P == P && N.Lo >= 0;
      }))
    return true;
  Need N;
  N.K = Need::InRange;
  N.P = P;
  N.Hi = Max;
  Needs.push_back(std::move(N));
  return true;
}

/// The stride of \p P along \p A, if that is the same everywhere.
std::optional<Poly> RoleFinder::getStride(const Poly &P, AxisId A) const {
  std::optional<AtomId> Id = K.findAxisAtom(A);
  return Id ? P.coefficient(*Id) : Poly();
}

Poly RoleFinder::withoutAxis(const Poly &P, AxisId A) const {
  std::optional<AtomId> Id = K.findAxisAtom(A);
  return Id ? P.without(*Id) : P;
}

/// A bound of \p X that is the same in all iterations: one that \p IsEnough, if
/// there is one, or else one that may turn out to be.
const Poly *
RoleFinder::getFixedBound(AxisId X, const Use &U,
                          function_ref<bool(const Poly &)> IsEnough) {
  const Poly *Best = nullptr;
  for (const Poly &E : K.Axes[X].Extents) {
    if (any_of(U.Axes, [&](AxisId A) { return K.dependsOn(E, A); }))
      continue;
    if (K.Axes[X].Extents.size() == 1 || IsEnough(E))
      return &E;
    if (!Best || Best->getConstant())
      Best = &E;
  }
  return Best;
}

/// The number of the argument that \p P is, if it is one.
static std::optional<unsigned> getArgument(const Kernel &K, const Poly &P) {
  std::optional<AtomId> Id = P.getAtom();
  const auto *Arg =
      Id && K.Atoms[*Id].K == Atom::Param
          ? dyn_cast_or_null<Argument>(K.Params[K.Atoms[*Id].Ref].Bound)
          : nullptr;
  return Arg ? std::optional(Arg->getArgNo()) : std::nullopt;
}

/// Whether three strides of \p U or more are arguments behind each other, as
/// those of a descriptor of an array are: the last one is the smallest.
bool RoleFinder::isDescribed(const Use &U) {
  constexpr size_t Least = 3;
  SmallVector<unsigned, 4> Arguments;
  for (AxisId A : U.Axes)
    if (std::optional<Poly> Stride = getStride(U.Offset, A))
      if (std::optional<unsigned> Number = getArgument(K, *Stride))
        Arguments.push_back(*Number);
  llvm::sort(Arguments);
  return Arguments.size() >= Least &&
         Arguments.back() - Arguments.front() == Arguments.size() - 1 &&
         std::adjacent_find(Arguments.begin(), Arguments.end()) ==
             Arguments.end();
}

/// \p Base as digits, the axes of \p U from \p X on inwards, and what is left.
/// False if that is not a sum of multiples of axes.
bool RoleFinder::findDigits(const Use &U, AxisId X, Poly &Base,
                            SmallVectorImpl<Digit> &Digits) {
  bool Inside = false;
  for (AxisId A : U.Axes) {
    Inside |= A == X;
    if (!Inside || !K.dependsOn(Base, A))
      continue;
    std::optional<Poly> Stride = getStride(Base, A);
    if (!Stride)
      return false;
    Base = withoutAxis(Base, A);
    if (K.dependsOn(Base, A))
      return false;
    for (AxisId B : U.Axes)
      if (K.dependsOn(*Stride, B))
        return false;
    Digits.push_back({A, *Stride});
  }
  return true;
}

/// Takes numbers that are loaded out of \p Base, if needs bound them: how far
/// what they say reaches from what is left.
Poly RoleFinder::takeLoads(Poly &Base) const {
  Poly Reach;
  for (auto [Id, A] : enumerate(K.Atoms)) {
    if (A.K != Atom::Load || !Base.uses(Id))
      continue;
    std::optional<LoadBounds> Bounds = getLoadBounds(K, Id);
    std::optional<Poly> Step = Base.coefficient(Id);
    if (!Bounds || !Step || Step->getConstant() != 1)
      continue;
    Base = Base.without(Id) + Poly(Bounds->Least);
    Reach += Bounds->Most - Poly(Bounds->Least);
  }
  return Reach;
}

/// Whether the element determines the value of \p X: written in a mixed radix
/// whose digits are the axes from \p X on inwards. \p Strides are those of the
/// digits above \p X's, \p Base what is left.
/// What the digits below \p X's reach begins at \p InRow.
bool RoleFinder::isDistinct(const Use &U, AxisId X,
                            SmallVectorImpl<Poly> &Strides, Poly &Base,
                            const Poly &InRow) {
  Base = U.Offset;
  SmallVector<Digit, 6> Digits;
  // From the lowest digit on: each stride exceeds what those below reach.
  Poly Reach = takeLoads(Base);
  if (!findDigits(U, X, Base, Digits) ||
      none_of(Digits, [&](const Digit &D) { return D.A == X; }))
    return false;
  std::optional<bool> Described; // once it is asked for
  bool AboveX = false;
  while (!Digits.empty()) {
    auto Slack = [&](const Digit &D) {
      Poly Least = D.Stride - Poly(1) - Reach;
      bool IsRow = (D.A == X || AboveX) && !DLOPT_PLANTED(RowBeginIgnored);
      return IsRow ? Least - InRow : Least;
    };
    auto It =
        find_if(Digits, [&](const Digit &D) { return Slack(D).isZero(); });
    auto Degree = [](const Digit &D) {
      size_t Max = 0;
      for (const auto &T : D.Stride.terms())
        Max = std::max<size_t>(Max, T.first.size());
      return Max;
    };
    // Of several that could be next, the one with the simplest stride, and
    // rather one that is known to be large enough; of those that nothing tells
    // apart the innermost, along which memory is meant to be walked, unless a
    // descriptor has them in an order of its own.
    auto IsLess = [&](const Digit &A, const Digit &B) {
      auto GetRank = [&](const Digit &D) {
        bool Known = getRange(K, Slack(D), U.Axes).Lo >= 0;
        if (!Described)
          Described = isDescribed(U);
        unsigned Place = *Described ? getArgument(K, D.Stride).value_or(0) : 0;
        return std::tuple(!Known, Degree(D), -static_cast<int64_t>(Place));
      };
      return GetRank(A) < GetRank(B);
    };
    if (It == Digits.end())
      It = std::prev(
          std::min_element(Digits.rbegin(), Digits.rend(), IsLess).base());
    if (!isAtLeastZero(Slack(*It), It->Stride, U.Axes))
      return false;
    if (AboveX)
      Strides.push_back(It->Stride);
    if (It->A == X) {
      AboveX = true;
      Strides.push_back(It->Stride);
    }
    AxisId Lower = It->A;
    Poly Stride = It->Stride;
    Digits.erase(It);
    if (Digits.empty())
      break;
    const Poly *Bound = getFixedBound(Lower, U, [&](const Poly &E) {
      Poly Last = Reach + Stride * (E - Poly(1));
      return any_of(reverse(Digits), [&](const Digit &D) {
        return getRange(K, D.Stride - Poly(1) - Last, U.Axes).Lo >= 0;
      });
    });
    if (!Bound)
      return false;
    Reach += Stride * (*Bound - Poly(1));
  }
  return true;
}

/// Whether \p U and \p V touch one element in one iteration of \p X only, as
/// parts of a triangle and of its mirror image.
bool RoleFinder::areApart(const Use &U, const Use &V, AxisId X) {
  AxisId InU = getAsked(U, X), InV = getAsked(V, X);
  const Part &OfU = getPart(U, InU), &OfV = getPart(V, InV);
  if (!OfU.Linear || !OfV.Linear)
    return false;
  auto Pair = getDiagonalPair(K, *OfU.Linear, *U.L, *OfV.Linear, *V.L);
  return Pair && Pair->meetsWithin(InU, InV) &&
         all_of(Pair->Slacks, [&](auto &P) {
           return isAtLeastZero(P, Pair->Stride, U.Axes);
         });
}

/// The elements of \p U in all rounds of \p X, where all strides are positive.
RoleFinder::Part RoleFinder::findPart(const Use &U, AxisId X) {
  Part P;
  P.Base = U.Offset;
  P.Linear = getLinear(K, P.Base, U.Axes);
  SmallVector<Digit, 6> Digits;
  if (!findDigits(U, X, P.Base, Digits))
    return P;
  P.Digits = std::move(Digits);
  Poly Reach;
  for (const Digit &D : *P.Digits) {
    const Poly *Bound =
        getFixedBound(D.A, U, [](const Poly &) { return true; });
    if (!Bound)
      return P;
    Reach += D.Stride * (*Bound - Poly(1));
  }
  P.Reach = std::move(Reach);
  return P;
}

const RoleFinder::Part &RoleFinder::getPart(const Use &U, AxisId X) {
  auto [It, IsNew] = Parts.try_emplace(&U);
  if (IsNew)
    It->second = findPart(U, X);
  return It->second;
}

/// Whether \p U and \p V touch different parts of an array, as the moments of
/// an optimizer that lie behind each other in one. Both are distinct along \p
/// X or read alike in all its rounds, so that strides are positive.
bool RoleFinder::areSeparate(const Use &U, const Use &V, AxisId X) {
  const Use *Low = &U, *High = &V;
  const Part &LowPart = getPart(*Low, getAsked(*Low, X)),
             &HighPart = getPart(*High, getAsked(*High, X));
  if (!LowPart.Reach || !HighPart.Reach)
    return false;
  Poly Distance = HighPart.Base - LowPart.Base;
  if (!K.isFixed(Distance))
    return false;
  // Which one is behind the other: what is further on by a sum, or else what
  // came later.
  auto IsBehind = [](const Poly &P) {
    return all_of(P.terms(), [](const auto &T) { return T.second > 0; });
  };
  const Poly *Reach = &*LowPart.Reach;
  Poly Back = Poly() - Distance;
  if (IsBehind(Back) || (!IsBehind(Distance) && HighPart.Base < LowPart.Base)) {
    std::swap(Low, High);
    Distance = std::move(Back);
    Reach = &*HighPart.Reach;
  }
  Poly Slack = Distance - *Reach - Poly(1);
  if (getRange(K, Slack, Low->Axes).Lo >= 0)
    return true;
  // Such parts have one shape. Whole rows further on lies another row of the
  // same.
  return !Distance.getConstant() &&
         equal(*LowPart.Digits, *HighPart.Digits,
               [](const Digit &D, const Digit &E) {
                 return D.Stride == E.Stride;
               }) &&
         none_of(*LowPart.Digits,
                 [&](const Digit &D) {
                   return D.Stride != Poly(1) &&
                          (D.Stride.terms().size() != 1 ||
                           Distance.divideExactly(D.Stride));
                 }) &&
         isAtLeastZero(Slack, Distance, Low->Axes);
}

/// Whether \p U and \p V stay inside of the same rows, one for each round of \p
/// X, though one begins further on: x[i][0] and x[i][j + 1], or the gates of a
/// cell in one row.
bool RoleFinder::areOfRows(const Use &U, const Use &V, AxisId X) {
  SmallVector<Poly, 6> OfU, OfV;
  Poly BaseU, BaseV;
  if (!isDistinct(U, getAsked(U, X), OfU, BaseU) ||
      !isDistinct(V, getAsked(V, X), OfV, BaseV) || OfU != OfV)
    return false;
  const Use *High = &V;
  Poly Distance = BaseV - BaseU;
  if (Distance.isZero())
    return false;
  // Numbers are less than what sizes make: what is left behind blocks of four
  // begins behind their second elements.
  if (Distance.terms().back().second < 0) {
    High = &U;
    Distance = Poly() - Distance;
  }
  const Poly &Stride = OfU.front();
  // A part of the row: a number, some of the Stride's, or of a known row blocks
  // of elements. Anything else may be another array further on.
  auto IsWithin = [&](const Poly::Term &T) {
    if (std::optional<int64_t> Row = Stride.getConstant())
      return T.first.empty() || (T.second > 1 && T.second % *Row != 0);
    return T.second > 0 &&
           (T.first.empty() || any_of(Stride.terms(), [&](const auto &S) {
              return S.first == T.first && T.second < S.second;
            }));
  };
  if (!K.isFixed(Distance))
    return false;
  size_t Before = Needs.size();
  // What ends with its row for certain, wherever it begins, is a part of it.
  bool IsWithinRow = all_of(Distance.terms(), IsWithin);
  if (isAtLeastZero(Distance, Stride, U.Axes)) {
    size_t Known = Needs.size();
    if (isDistinct(*High, getAsked(*High, X), OfV, BaseV, Distance) &&
        (IsWithinRow || Needs.size() == Known))
      return true;
  }
  Needs.resize(Before);
  return false;
}

/// Has \p P tested not to wrap, where nothing proves it.
void RoleFinder::requireExact(const Poly &P) {
  constexpr __int128 Most = __int128(1) << 63;
  if (getRange(K, P, {}).within(-Most, Most))
    return;
  Need N;
  N.K = Need::InRange;
  N.P = P;
  N.Lo = std::numeric_limits<int64_t>::min();
  N.Hi = std::numeric_limits<int64_t>::max();
  if (!hasNeed([&](const Need &Old) { return Old == N; }))
    Needs.push_back(std::move(N));
}

/// Has rows that are \p Distance apart tested to be so in memory. Addresses are
/// known modulo 2^64 only, and what wraps is a multiple of anything. Rounds of
/// other loops step through one array: only a step, and where they start, may
/// wrap.
void RoleFinder::requireExactRows(const Poly &Distance) {
  Poly Start;
  for (const auto &[Atoms, Factor] : Distance.terms()) {
    Monomial Step;
    copy_if(Atoms, std::back_inserter(Step),
            [&](AtomId A) { return K.isFixed(Poly::atom(A)); });
    if (Step.size() == Atoms.size())
      Start += Poly::monomial(std::move(Step), Factor);
    else
      requireExact(Poly::monomial(std::move(Step), Factor));
  }
  requireExact(Start);
}

/// Whether \p U and \p V stay in the same column of whole rows, one for each
/// round of \p X, though they are in other rows: x[k][j] and x[i][j], where i
/// is outside and k inside of j.
bool RoleFinder::areOfColumns(const Use &U, const Use &V, AxisId X) {
  const AxisId Mine = getAsked(U, X);
  const Part &OfU = getPart(U, Mine), &OfV = getPart(V, Mine);
  if (getAsked(V, X) != Mine || !OfU.Digits || !OfV.Digits)
    return false;
  const Poly Distance = OfU.Base - OfV.Base;
  auto IsLoad = [](const Atom &A) { return A.K == Atom::Load; };
  if (K.anyNestedAtom(Distance, IsLoad))
    return false;
  std::optional<int64_t> Step;
  SmallVector<Poly, 6> Others = {Distance};
  for (const Part *P : {&OfU, &OfV}) {
    auto *Own =
        find_if(*P->Digits, [&](const Digit &D) { return D.A == Mine; });
    std::optional<int64_t> Stride =
        Own == P->Digits->end() ? std::nullopt : Own->Stride.getConstant();
    if (!Stride || *Stride <= 0 || Step.value_or(*Stride) != *Stride)
      return false;
    Step = Stride;
    for (const Digit &D : *P->Digits)
      if (D.A != Mine)
        Others.push_back(D.Stride);
  }
  // The row that all else is a multiple of.
  for (const Poly &Row : drop_begin(Others)) {
    if (!DLOPT_PLANTED(ColumnsAssumed) && !all_of(Others, [&](const Poly &P) {
          return P.isZero() || P.divideExactly(Row);
        }))
      continue;
    auto GetSlack = [&](const Poly &Bound) {
      return Row - Poly(1) - Poly(*Step) * (Bound - Poly(1));
    };
    const Poly *Bound = getFixedBound(Mine, U, [&](const Poly &E) {
      return getRange(K, GetSlack(E), U.Axes).Lo >= 0;
    });
    if (!Bound || !isAtLeastZero(GetSlack(*Bound), Row, U.Axes))
      return false;
    if (!DLOPT_PLANTED(RowsMayWrap))
      requireExactRows(Distance);
    return true;
  }
  return false;
}

/// Whether \p U is read in every round of \p X alike, and elements of loops
/// inside differ: a row of states that the next row is made of.
bool RoleFinder::isReadAlike(const Use &U, AxisId X) {
  Poly Base = U.Offset;
  SmallVector<Digit, 6> Digits;
  SmallVector<Poly, 6> Strides;
  return !U.IsWrite && !K.dependsOn(*U.A, X) &&
         findDigits(U, X, Base, Digits) &&
         (Digits.empty() || isDistinct(U, Digits.front().A, Strides, Base));
}

Role RoleFinder::findForBuffer(UseRefs Uses, AxisId X) {
  bool Independent = none_of(
      Uses, [&](const Use *U) { return K.dependsOn(*U->A, getAsked(*U, X)); });
  if (Independent) {
    bool IsOne = all_of(
        Uses, [&](const Use *U) { return U->Offset == Uses.front()->Offset; });
    return IsOne ? findForState(Uses) : Role::Sequential;
  }
  size_t Before = Needs.size();
  Parts.clear();
  /// Uses whose elements differ with X, by their strides and base.
  struct Class {
    SmallVector<Poly, 6> Strides;
    Poly Base;
    SmallVector<const Use *, 4> Members;
  };
  SmallVector<Class, 2> Classes;
  auto Tries = [&](function_ref<bool()> Ask) {
    size_t Known = Needs.size();
    bool Ok = Ask();
    if (!Ok)
      Needs.erase(Needs.begin() + Known, Needs.end());
    return Ok;
  };
  auto Ok = all_of(Uses, [&](const Use *U) {
    // What is read alike has no strides of X, and a class of its own.
    SmallVector<Poly, 6> Strides;
    Poly Base;
    AxisId Mine = getAsked(*U, X);
    if (!isReadAlike(*U, Mine) && !isDistinct(*U, Mine, Strides, Base))
      return false;
    auto *Own = find_if(Classes, [&](const Class &C) {
      return C.Strides == Strides && C.Base == Base;
    });
    if (Own == Classes.end())
      Own = &Classes.emplace_back(Class{Strides, Base, {}});
    Own->Members.push_back(U);
    return all_of(Classes, [&](const Class &C) {
      return &C == Own || all_of(C.Members, [&](const Use *V) {
        return (!U->IsWrite && !V->IsWrite) || areApart(*V, *U, X) ||
               Tries([&] { return areOfRows(*V, *U, X); }) ||
               Tries([&] { return areOfColumns(*V, *U, X); }) ||
               areSeparate(*V, *U, X) ||
               (DLOPT_PLANTED(ReadAlikeUntested) &&
                (isReadAlike(*U, getAsked(*U, X)) ||
                 isReadAlike(*V, getAsked(*V, X))));
      });
    });
  });
  if (!Ok) {
    Needs.erase(Needs.begin() + Before, Needs.end());
    return Role::Sequential;
  }
  return Role::Parallel;
}
