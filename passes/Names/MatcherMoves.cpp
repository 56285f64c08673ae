//===- MatcherMoves.cpp - Where elements are moved to ---------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Matcher.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

using namespace llvm;
using namespace dlopt;

/// Whether the index is a number of a byte that is loaded, or that and an
/// offset.
bool Matcher::isLookedUp(const SymbolicAtom &X) const {
  constexpr unsigned BitsOfByte = 8;
  Poly Loaded = X.Index - Poly(X.Index.getConstantTerm());
  std::optional<AtomId> Id = Loaded.getAtom();
  return Id && K.Atoms[*Id].K == Atom::Load &&
         getBitWidth(K.Buffers[K.Atoms[*Id].Source.Buf].Ty) == BitsOfByte;
}

Poly dlopt::getFirst(const Kernel &K, Poly Index) {
  for (const auto &[Id, Of] : enumerate(K.Atoms))
    if (Of.K == Atom::Axis)
      Index = Index.substitute(Id, Poly());
  return Index;
}

/// Whether \p Index moves along \p At by as much as all of \p In.
bool Matcher::isTile(const Poly &Index, AxisId At, AxisId In) const {
  std::optional<Poly> Long = Index.coefficient(K.getAxisAtom(At)),
                      Short = Index.coefficient(K.getAxisAtom(In));
  return At != In && Long && Short && !Short->isZero() &&
         K.Axes[In].Extents.size() == 1 &&
         *Long == K.Axes[In].Extents[0] * *Short;
}

/// If both arrays are cut into the same tiles along all of their axes, these
/// are the axes.
void Matcher::joinTiles(const SymbolicAtom &X, SmallVectorImpl<AxisId> &From,
                        SmallVectorImpl<AxisId> &To) const {
  SmallVector<AxisId, 4> Inside;
  for (size_t I = 0; I + 1 < From.size(); I += 2)
    if (isTile(X.Index, From[I], From[I + 1]) &&
        isTile(Target.Index, From[I], From[I + 1]))
      Inside.push_back(From[I + 1]);
  if (2 * Inside.size() != From.size())
    return;
  auto IsInside = [&](AxisId Ax) { return is_contained(Inside, Ax); };
  erase_if(From, IsInside);
  erase_if(To, IsInside);
}

/// Whether rows and columns of one array are cut into tiles of one size that
/// the other one has elsewhere: the result's in Shuffled, those of \p X in
/// Unshuffled.
bool Matcher::isShuffled(const SymbolicAtom &X, Over Axes) const {
  if (!hasOrderOfAxes(X, Over::Swapped) && !hasOrderOfAxes(X, Over::Permuted))
    return false;
  bool IsResult = Axes == Over::Shuffled;
  const Poly &Cut = IsResult ? Target.Index : X.Index;
  const Poly &Other = IsResult ? X.Index : Target.Index;
  SmallVector<AxisId, 4> Order = getOrder(Cut);
  for (AxisId First : Order) {
    const auto &Size = K.Axes[First].Extents;
    unsigned Tiles = 0;
    bool IsCut = false;
    for (size_t I = 0; I + 1 < Order.size(); ++I)
      if (K.Axes[Order[I + 1]].Extents == Size &&
          isTile(Cut, Order[I], Order[I + 1]) &&
          !isTile(Other, Order[I], Order[I + 1])) {
        ++Tiles;
        IsCut |= K.Axes[Order[I]].Extents != Size;
        ++I;
      }
    if (Tiles > 1 && IsCut)
      return true;
  }
  return false;
}

/// Whether \p X is a part of an array and the result all of another one: only
/// x begins later, has longer steps in its rows, or rows with a rest.
bool Matcher::isPart(const SymbolicAtom &X) const {
  if (X.Ref == Target.Buf || !hasOrderOfAxes(X, Over::Same) ||
      !getFirst(K, Target.Index).isZero())
    return false;
  if (!getFirst(K, X.Index).isZero())
    return true;
  SmallVector<AxisId, 4> Order = getOrder(X.Index);
  if (Order.empty())
    return false;
  auto GetStep = [&](const Poly &Index, AxisId Ax) {
    return Index.coefficient(K.getAxisAtom(Ax)).value_or(Poly());
  };
  Poly Step = GetStep(Target.Index, Order.back());
  if (Step != Poly(1))
    return false;
  if (Step != GetStep(X.Index, Order.back()))
    return true;
  for (auto [Outer, Inner] : zip(drop_end(Order), drop_begin(Order))) {
    if (K.Axes[Inner].Extents.size() != 1)
      return false;
    const Poly &Length = K.Axes[Inner].Extents[0];
    auto IsDense = [&, Of = Outer, In = Inner](const Poly &Index) {
      return GetStep(Index, Of) == Length * GetStep(Index, In);
    };
    if (!IsDense(Target.Index))
      return false;
    if (!IsDense(X.Index))
      return true;
  }
  return false;
}

/// Whether rows of \p X begin anew at their end, from another place than the
/// first: all of them have the length of the result's rows, or none has.
bool Matcher::isWrapped(const SymbolicAtom &X, bool IsWhole) const {
  bool Any = false;
  for (const auto &[Factors, Coef] : X.Index.terms())
    for (AtomId Id : Factors) {
      const Atom &Of = K.Atoms[Id];
      if (Of.K == Atom::FloorDiv)
        return false;
      if (Of.K != Atom::Mod)
        continue;
      AxisSet Deps = A.depsOf(Of.Num);
      if (!isPowerOf2_64(Deps) || A.depsOf(Of.Den))
        return false;
      AxisId Ax = countr_zero(Deps);
      Poly Start = Of.Num - Poly::atom(K.getAxisAtom(Ax));
      if (A.depsOf(Start) || Start.isZero() || Start == Of.Den ||
          K.Axes[Ax].Extents.size() != 1 ||
          (K.Axes[Ax].Extents[0] == Of.Den) != IsWhole)
        return false;
      Any = true;
    }
  return Any && getOrder(X.Index).size() == getOrder(Target.Index).size();
}

/// Whether the place in a plane of the result is loaded for each element: what
/// is stored there was the maximum of a window, what is added its gradient.
/// Without planes with rows and columns it is any scattering.
bool Matcher::isUnpooled() const {
  constexpr int LeastAxes = 3;
  const SymbolicAtom *X = getArray('x');
  if (!X || popcount(X->Deps) < LeastAxes || (Target.Deps & ~X->Deps))
    return false;
  AxisSet Planes = 0;
  bool IsOfEach = false;
  for (const auto &[Factors, Coef] : Target.Index.terms())
    for (AtomId Id : Factors) {
      const Atom &Of = K.Atoms[Id];
      if (Of.K == Atom::Axis)
        Planes |= AxisSet(1) << Of.Ref;
      else if (Of.K == Atom::Load)
        IsOfEach = A.depsOf(Of.Source.offset()) == X->Deps;
    }
  return IsOfEach && popcount(X->Deps & ~Planes) > 1;
}

/// Whether neighbours in one array are loaded from a place that is loaded, and
/// weighted along each axis, or for each element.
bool Matcher::isSampled(Over Axes) const {
  const SymbolicAtom *X = getArray('x'), *Y = getArray('y'), *Z = getArray('z'),
                     *D = getArray('d'), *G = getArray('g'), *B = getArray('b');
  bool IsLoaded = X && K.anyNestedAtom(X->Index, [](const Atom &Of) {
    return Of.K == Atom::Load;
  });
  if (!IsLoaded || !haveOneArray() || !Y || !G)
    return false;
  Poly Step = Y->Index - X->Index;
  if (!Z)
    return Axes == Over::Sampled && !A.depsOf(Step);
  bool IsOfEach = B && G->Deps == B->Deps;
  return D && D->Index - Z->Index == Step && Z->Index - X->Index != Step &&
         IsOfEach == (Axes == Over::SampledEach);
}

/// Whether the function of indices is the difference of the two innermost ones,
/// or of one and a number, that elements in their place are added to.
bool Matcher::isDistance() const {
  std::optional<ExprId> At = B.Letters.get('a');
  const SymbolicAtom *X = getArray('x'), *G = getArray('g');
  if (!At || !X || !hasOrderOfAxes(*X, Over::Same))
    return false;
  const Terms &Of = A.terms(*At);
  bool IsDifference =
      Of.size() == 2 && Of[0].Coef == -Of[1].Coef &&
      all_of(Of, [&](const Term &T) {
        return T.Factors.size() == 1 && T.Factors[0].Power == 1 &&
               A.atom(T.Factors[0].Atom).K == SymbolicAtom::Integer;
      });
  AxisSet Deps = A.deps(*At), Innermost = 0;
  for (AxisId Ax : ArrayRef(getOrder(Target.Index)).take_back(popcount(Deps)))
    Innermost |= AxisSet(1) << Ax;
  return IsDifference && Deps == Innermost && !(G && (G->Deps & Deps));
}
