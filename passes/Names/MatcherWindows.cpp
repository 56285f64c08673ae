//===- MatcherWindows.cpp - Windows and products of matrices --------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Matcher.h"
#include "dlopt/Raise.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace llvm;
using namespace dlopt;

namespace {

/// A position of a window and an axis inside it.
struct WindowPair {
  AxisId Position, Inside;
  Poly Ratio;     ///< of the longer step to the other
  bool IsDilated; ///< the axis inside has the longer step
  bool IsSure;    ///< windows overlap whatever else there is
};

} // namespace

bool dlopt::hasPadding(Over Axes) {
  return Axes >= Over::Unfolded && Axes <= Over::Padded;
}

static bool hasAxis(AxisSet Set, AxisId Ax) { return Set >> Ax & 1; }

static SmallVector<AxisId, 6> getAxes(AxisSet Set) {
  SmallVector<AxisId, 6> Axes;
  for (AxisId Ax = 0; Set >> Ax; ++Ax)
    if (hasAxis(Set, Ax))
      Axes.push_back(Ax);
  return Axes;
}

/// What \p By is times to be \p P, if that is one term.
static std::optional<Poly> getRatio(const Poly &P, const Poly &By) {
  if (By.terms().size() == 1)
    return P.divideExactly(By);
  const auto &[Product, Coef] = By.terms().front();
  Poly First = Poly::monomial(Product, Coef);
  for (const auto &[Atoms, Factor] : P.terms())
    if (std::optional<Poly> R =
            Poly::monomial(Atoms, Factor).divideExactly(First);
        R && *R * By == P)
      return R;
  return std::nullopt;
}

/// How \p Index moves along a position and inside a window of it, if one step
/// is a multiple of the other.
static std::optional<WindowPair> getPair(Kernel &K, const Poly &Index,
                                         AxisId Position, AxisId Inside) {
  constexpr int64_t MostStride = 8;
  std::optional<Poly> P = Index.coefficient(K.getAxisAtom(Position));
  std::optional<Poly> I = Index.coefficient(K.getAxisAtom(Inside));
  if (Position == Inside || !P || !I || P->isZero() || I->isZero())
    return std::nullopt;
  if (*P == *I || *P == Poly(-1) * *I)
    return WindowPair{Position, Inside, Poly(1), false, true};
  if (std::optional<Poly> R = getRatio(*P, *I)) {
    std::optional<int64_t> By = R->getConstant();
    std::optional<uint64_t> Size = getRounds(K, Inside);
    bool Overlaps = By && *By > 0 && *By <= MostStride &&
                    (!Size || *Size > static_cast<uint64_t>(*By));
    return WindowPair{Position, Inside, *R, false, Overlaps};
  }
  if (std::optional<Poly> R = getRatio(*I, *P))
    return WindowPair{Position, Inside, *R, true, false};
  return std::nullopt;
}

bool dlopt::hasFilter(Over Axes) {
  return Axes >= Over::Windows1 && Axes <= Over::Scattered3;
}

bool dlopt::mayHaveWindows(Kernel &K) {
  // What is left of a row behind an element is no window.
  for (AxisId Ax = 0; Ax < K.Axes.size(); ++Ax)
    if (!K.hasFixedExtents(Ax))
      return false;
  auto Moves = [&](const Poly &Index) {
    SmallVector<AxisId, 6> Of;
    for (AxisId Ax = 0; Ax < K.Axes.size(); ++Ax)
      if (Index.uses(K.getAxisAtom(Ax)))
        Of.push_back(Ax);
    return Of.size() > 3 || any_of(Of, [&](AxisId At) {
             return any_of(Of, [&](AxisId In) {
               std::optional<WindowPair> Pair = getPair(K, Index, At, In);
               return Pair && Pair->IsSure;
             });
           });
  };
  bool May = false;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Op &O : L.Ops)
      May = May || (O.K == Op::Load && Moves(O.Acc.offset()));
    for (const Assign &To : L.Assigns)
      May = May || Moves(To.Target.offset());
  });
  return May;
}

/// What a condition that a sum of two axes' steps is in bounds says.
std::optional<Matcher::Border>
Matcher::getBorder(const SymbolicAtom &Condition) const {
  Border Result;
  std::optional<double> Unit; // conditions are scaled
  for (const Term &T : A.terms(Condition.Args[0])) {
    Poly Step(1);
    std::optional<AxisId> Ax;
    for (const Factor &F : T.Factors) {
      const SymbolicAtom &X = A.atom(F.Atom);
      if (X.K != SymbolicAtom::Integer || F.Power != 1)
        return std::nullopt;
      if (!X.Deps)
        Step = Step * X.Index;
      else if (Ax || !isPowerOf2_64(X.Deps) ||
               X.Index != Poly::atom(K.getAxisAtom(countr_zero(X.Deps))))
        return std::nullopt;
      else
        Ax = countr_zero(X.Deps);
    }
    if (!Ax)
      continue;
    Unit = Unit.value_or(std::abs(T.Coef));
    double By = T.Coef / *Unit;
    if (By != std::round(By))
      return std::nullopt;
    Result.Axes.push_back(*Ax);
    Result.Steps.push_back(Poly(static_cast<int64_t>(By)) * Step);
  }
  return Result.Axes.size() == 2 ? std::optional(std::move(Result))
                                 : std::nullopt;
}

void Matcher::findBorders() {
  A.forEachAtom(Target.Value, [&](uint32_t Id) {
    if (A.atom(Id).K == SymbolicAtom::Greater)
      if (std::optional<Border> B = getBorder(A.atom(Id)))
        Borders.push_back(std::move(*B));
  });
}

/// Whether the axes move \p Index together up to a border: one is a position of
/// a window and the other one is inside, whatever their steps are.
bool Matcher::hasBorder(const Poly &Index, AxisId X, AxisId Y) const {
  return any_of(Borders, [&](const Border &B) {
    if (!is_contained(B.Axes, X) || !is_contained(B.Axes, Y) || X == Y)
      return false;
    std::optional<Poly> First = Index.coefficient(K.getAxisAtom(B.Axes[0]));
    std::optional<Poly> Second = Index.coefficient(K.getAxisAtom(B.Axes[1]));
    return First && Second && !First->isZero() &&
           *First * B.Steps[1] == *Second * B.Steps[0];
  });
}

/// Whether positions are a parameter's number of elements apart (or those of
/// windows with holes), which is not how long rows are.
static bool hasStride(const Kernel &K, const WindowPair &P) {
  std::optional<AtomId> Stride = P.Ratio.getAtom();
  const Axis &Inner = K.Axes[P.IsDilated ? P.Position : P.Inside];
  return Stride && K.Atoms[*Stride].K == Atom::Param &&
         !is_contained(Inner.Extents, P.Ratio);
}

/// How many axes the windows have that \p Index moves in along \p Inside, at
/// positions along \p Positions: an axis of each of both has the same step, or
/// one a small multiple of it; or both are in one border; or two or more have
/// the same ratio of steps, or strides that are parameters, and lie one inside
/// the other.
unsigned Matcher::countWindows(const Poly &Index, AxisSet Positions,
                               AxisSet Inside) const {
  SmallVector<WindowPair, 8> Sure, Others;
  AxisSet Used = 0;
  for (AxisId In : getAxes(Inside))
    for (AxisId At : getAxes(Positions)) {
      std::optional<WindowPair> Pair = getPair(K, Index, At, In);
      if (hasBorder(Index, At, In))
        Pair = WindowPair{At, In, Poly(1), false, true};
      if (!Pair)
        continue;
      if (!Pair->IsSure)
        Others.push_back(*Pair);
      else if (!hasAxis(Used, At) && !hasAxis(Used, In)) {
        Used |= AxisSet(1) << At | AxisSet(1) << In;
        Sure.push_back(*Pair);
      }
    }
  size_t Most = Sure.size();
  for (const WindowPair &First : Others) {
    WindowPair Last = First;
    size_t Length = 1;
    Used = AxisSet(1) << First.Position | AxisSet(1) << First.Inside;
    for (const WindowPair &Next : Others) {
      AxisSet Own = AxisSet(1) << Next.Position | AxisSet(1) << Next.Inside;
      AxisId Inner = Last.IsDilated ? Last.Position : Last.Inside;
      AxisId Outer = Next.IsDilated ? Next.Inside : Next.Position;
      bool AreStrides = Next.Ratio == First.Ratio ||
                        (hasStride(K, First) && hasStride(K, Next));
      if (Next.IsDilated != First.IsDilated || !AreStrides || (Own & Used) ||
          isFarther(Index, Outer, Inner))
        continue;
      Used |= Own;
      Last = Next;
      ++Length;
    }
    if (Length > 1)
      Most = std::max(Most, Length);
  }
  return Most;
}

/// Whether an axis of the row lies between two others in memory, as those of
/// windows that do not overlap do.
bool Matcher::hasInterleavedRow(ArrayRef<AxisId> Order) const {
  unsigned Changes = 0;
  bool Before = false;
  for (AxisId Ax : Order) {
    bool InRow = hasAxis(B.Row, Ax);
    Changes += InRow && !Before;
    Before = InRow;
  }
  return Changes > 1 && !hasAxis(B.Row, Order[0]);
}

/// Whether two axes or more are cut into blocks of the extents of axes of the
/// row: these are windows that do not overlap.
bool Matcher::hasBlocks(const SymbolicAtom &X) const {
  unsigned Blocks = 0;
  AxisSet Used = 0;
  for (AxisId In : getAxes(X.Deps & B.Row))
    for (AxisId At : getAxes(X.Deps & ~B.Row)) {
      std::optional<WindowPair> Pair = getPair(K, X.Index, At, In);
      if (!Pair || Pair->IsDilated || hasAxis(Used, At) || hasAxis(Used, In) ||
          K.Axes[In].Extents.size() != 1 ||
          !(Pair->Ratio == K.Axes[In].Extents[0]))
        continue;
      Used |= AxisSet(1) << At | AxisSet(1) << In;
      ++Blocks;
    }
  return Blocks > 1;
}

/// Sums and maxima over windows of x, or of m.
bool Matcher::hasWindows(Over Axes) const {
  const SymbolicAtom *X = getMoved();
  if (!X)
    return false;
  unsigned Dims = countWindows(X->Index, X->Deps & ~B.Row, X->Deps & B.Row);
  if (Axes == Over::Windows) {
    SmallVector<AxisId, 4> Order = getOrder(X->Index);
    bool IsFlagged = any_of(getAxes(B.Row & X->Deps), [&](AxisId Ax) {
      return K.Axes[Ax].R == Role::Window;
    });
    return Dims || IsFlagged || hasBlocks(*X) ||
           (!Order.empty() && hasInterleavedRow(Order));
  }
  const SymbolicAtom *G = getArray('g');
  if (!G || !Dims)
    return false;
  auto IsOf = [&](Over First) {
    return static_cast<unsigned>(Axes) ==
           static_cast<unsigned>(First) + Dims - 1;
  };
  bool Shares = X->Deps & G->Deps & ~B.Row;
  // A number for all of a window is no filter.
  if (X->Deps & ~G->Deps & B.Row)
    return false;
  bool OnlyWindows = getAxes(B.Row).size() == Dims;
  if (Shares)
    return IsOf(OnlyWindows ? Over::Depthwise1 : Over::Grouped1);
  return IsOf(Over::Windows1);
}

/// Whether a constant that E is scaled by is the share of each element of a
/// window along \p Inside.
bool Matcher::isShare(AxisSet Inside) const {
  double Size = 1;
  for (AxisId Ax : getAxes(Inside)) {
    std::optional<uint64_t> Rounds = getRounds(K, Ax);
    if (!Rounds)
      return true;
    Size *= *Rounds;
  }
  const Terms &Of = A.terms(E);
  return Of.size() != 1 || Of[0].Factors.size() != 1 ||
         std::abs(Of[0].Coef * Size - 1) < 1e-3;
}

/// What is added to elements of windows that overlap, or stored in elements of
/// windows that do not.
bool Matcher::isScattered(Over Axes) const {
  const SymbolicAtom *X = getMoved();
  if (!X)
    return false;
  AxisSet Inside = Target.Deps & ~X->Deps;
  if (const SymbolicAtom *G = getArray('g'))
    Inside &= G->Deps;
  else if (!isShare(Inside))
    return false;
  unsigned Dims = countWindows(Target.Index, Target.Deps & X->Deps, Inside);
  return static_cast<unsigned>(Axes) ==
         static_cast<unsigned>(Over::Scattered1) + Dims - 1;
}

/// What is added to windows that overlap has an element of its own for each
/// place in each of them.
bool Matcher::isFolded() const {
  const SymbolicAtom *X = getArray('x');
  return Is.IsGain && X && !(Target.Deps & ~X->Deps) &&
         countWindows(Target.Index, Target.Deps, Target.Deps);
}

/// Whether each element is added to a plane of its own, in equal shares.
bool Matcher::isSpread() const {
  const SymbolicAtom *X = getMoved();
  SmallVector<AxisId, 4> Order = getOrder(Target.Index);
  if (!Is.IsGain || !X || X->Deps == Target.Deps || (X->Deps & ~Target.Deps))
    return false;
  size_t Outer = popcount(X->Deps);
  ExprId Element = *B.Letters.get(getArray('x') ? 'x' : 'm');
  return Outer && E == A.div(Element, A.count(Target.Deps & ~X->Deps)) &&
         all_of(ArrayRef(Order).take_front(Outer),
                [&](AxisId Ax) { return hasAxis(X->Deps, Ax); });
}

/// Whether rounds of \p Ax may begin anew at the same elements of \p Index:
/// what is left of it behind a division is all that there is of it, and that is
/// not by how many rounds there are.
static bool isOnlyRemainder(Kernel &K, const Algebra &A, const Poly &Index,
                            AxisId Ax) {
  AxisSet Own = AxisSet(1) << Ax;
  bool HasRemainder = false, HasOther = Index.uses(K.getAxisAtom(Ax));
  for (const auto &[Factors, Coef] : Index.terms())
    for (AtomId Id : Factors) {
      const Atom &Of = K.Atoms[Id];
      bool Is = Of.K == Atom::Mod && (A.depsOf(Of.Num) & Own) &&
                Of.Den != K.Axes[Ax].Extents[0];
      HasRemainder |= Is;
      HasOther |= !Is && Of.K != Atom::Axis && (A.depsOf(Poly::atom(Id)) & Own);
    }
  return HasRemainder && !HasOther;
}

/// Whether an element is stored several times, so that the last one counts.
bool Matcher::findOverwrites() const {
  SmallVector<AxisId, 6> Stored = getAxes(Target.Deps);
  if (any_of(Stored, [&](AxisId Ax) {
        return isOnlyRemainder(K, A, Target.Index, Ax);
      }))
    return true;
  return any_of(Stored, [&](AxisId At) {
    return any_of(Stored, [&](AxisId In) {
      std::optional<WindowPair> Pair = getPair(K, Target.Index, At, In);
      return Pair && Pair->IsSure &&
             (Pair->Ratio == Poly(1) || getRounds(K, In));
    });
  });
}

/// m and v are factors of a sum over the row.
bool Matcher::isProduct(Over Axes) const {
  const SymbolicAtom *X = getMoved(), *Y = getArray('v');
  for (char Letter : StringRef("yg"))
    Y = Y ? Y : getArray(Letter);
  if (!X || !Y || !(X->Deps & Y->Deps & B.Row) ||
      ((X->Deps | Y->Deps) & B.Row) != B.Row)
    return false;
  if (Axes == Over::Vectors)
    return !countWindows(X->Index, X->Deps & ~B.Row, X->Deps & B.Row);
  bool Left = X->Deps & ~Y->Deps & ~B.Row, Right = Y->Deps & ~X->Deps & ~B.Row;
  if (Axes == Over::Products)
    return Left || Right;
  return Axes == Over::Matrices ? Left && Right : Left != Right;
}

/// m and v are vectors along different axes of the result.
bool Matcher::isOuter() const {
  const SymbolicAtom *X = getArray('m'), *Y = getArray('v');
  return X && Y && X->Deps && Y->Deps && !(X->Deps & Y->Deps) &&
         (X->Deps | Y->Deps) == Target.Deps;
}
