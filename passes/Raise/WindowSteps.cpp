//===- WindowSteps.cpp - Windows that move by 1 or 2 ----------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Interpreters of nets have the steps of windows in structs, and hardly any
/// convolution has other steps than 1 or 2, or leaves out pixels:
///
///   for (y) for (r) { h = y * step + r * dilation - pad; if (h >= 0) ... }
///
///   for (y) for (r) { h = y + r - pad; ... }     needs step == dilation == 1
///
/// So have transposed convolutions, for (y) for (r) out[y * step + r - pad],
/// whose loops are no sums: there it is the outer one that a step is of.
///
//===----------------------------------------------------------------------===//
#include "Normalize.h"
#include "dlopt/Dependences.h"
#include "dlopt/KernelEdit.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Raise.h"
#include "dlopt/SingleFilters.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace llvm;
using namespace dlopt;

namespace {
/// Parameters that are factors of axes where two of these are added.
struct WindowSteps {
  SmallSetVector<AtomId, 4> Steps;     ///< of parallel axes
  SmallSetVector<AtomId, 4> Dilations; ///< of others
  bool empty() const { return Steps.empty() && Dilations.empty(); }
};
} // namespace

/// Whether \p A is a number of the whole nest that is no bound of a loop.
static bool mayBeStep(const Kernel &K, AtomId A) {
  const Atom &Of = K.Atoms[A];
  if (Of.K != Atom::Param || K.Params[Of.Ref].Depth)
    return false;
  return none_of(K.Axes, [&](const Axis &X) {
    return any_of(X.Extents, [&](const Poly &P) {
      return K.anyNestedAtom(P, [&](const Atom &Y) { return Y == Of; });
    });
  });
}

/// Adds the factors of axes in \p P, an index of a window's row or column;
/// \p Around: all axes, outermost first.
static void addSteps(const Kernel &K, const Poly &P, ArrayRef<AxisId> Around,
                     WindowSteps &S) {
  SmallSetVector<AxisId, 4> Axes;
  SmallVector<std::pair<AxisId, AtomId>, 2> Factors;
  for (const auto &[Product, Coef] : P.terms()) {
    std::optional<AxisId> Axis;
    std::optional<AtomId> Step;
    for (AtomId A : Product)
      if (K.Atoms[A].K == Atom::Axis)
        Axis = K.Atoms[A].Ref;
      else
        Step = A;
    if (!Axis)
      continue;
    Axes.insert(*Axis);
    if (Product.size() == 1)
      continue;
    if (Product.size() != 2 || !Step || !mayBeStep(K, *Step))
      return;
    Factors.push_back({*Axis, *Step});
  }
  if (Axes.size() != 2)
    return;
  auto IsSum = [&](AxisId A) {
    return K.Axes[A].R == Role::Reduction || K.Axes[A].R == Role::Window;
  };
  bool HasSum = any_of(Axes, IsSum);
  AxisId Outer = *find_if(Around, [&](AxisId A) { return Axes.contains(A); });
  for (auto [A, Step] : Factors)
    (HasSum ? !IsSum(A) : A == Outer) ? S.Steps.insert(Step)
                                      : S.Dilations.insert(Step);
}

/// The axis of points, innermost first, that moves the window along \p Sum in a
/// buffer, at \p Place, by a whole number of its elements.
static std::optional<std::pair<AxisId, Poly>>
findMover(Kernel &K, const Poly &Place, ArrayRef<AxisId> Around, AxisId Sum) {
  std::optional<Poly> Along = Place.coefficient(K.getAxisAtom(Sum));
  if (!Along || Along->isZero())
    return std::nullopt;
  for (AxisId A : reverse(Around)) {
    if (K.Axes[A].R != Role::Parallel)
      continue;
    std::optional<Poly> By = Place.coefficient(K.getAxisAtom(A));
    std::optional<Poly> Step =
        By && !By->isZero() ? By->divideExactly(*Along) : std::nullopt;
    if (!Step)
      continue;
    std::optional<AtomId> Of = Step->getAtom();
    if (Step->getConstant() || (Of && mayBeStep(K, *Of)))
      return std::make_pair(A, *Step);
  }
  return std::nullopt;
}

/// Adds the steps of windows in rows and columns that no border cuts: what is
/// read at \p Place, where two axes move with two others.
static void addStepsOfPlace(Kernel &K, const Poly &Place,
                            ArrayRef<AxisId> Around, WindowSteps &S) {
  SmallSetVector<AxisId, 4> Points;
  SmallSetVector<AtomId, 2> Steps;
  for (AxisId Sum : Around) {
    if (K.Axes[Sum].R == Role::Parallel)
      continue;
    auto Mover = findMover(K, Place, Around, Sum);
    if (!Mover || !Points.insert(Mover->first))
      continue;
    if (std::optional<AtomId> Step = Mover->second.getAtom())
      Steps.insert(*Step);
  }
  if (Points.size() == 2)
    S.Steps.insert(Steps.begin(), Steps.end());
}

/// Which is a row or column if it is tested against the borders.
static WindowSteps findSteps(Kernel &K) {
  WindowSteps S;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId> Around) {
    for (const Constraint &C : L.Domain)
      addSteps(K, C.P, Around, S);
  });
  if (S.empty())
    forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId> Around) {
      for (const Op &O : L.Ops)
        if (O.K == Op::Load && !K.Buffers[O.Acc.Buf].IsLocal)
          addStepsOfPlace(K, O.Acc.offset(), Around, S);
    });
  S.Dilations.remove_if([&](AtomId A) { return S.Steps.contains(A); });
  return S;
}

static void substitute(Kernel &K, AtomId A, const Poly &By) {
  const Atom Old = K.Atoms[A];
  auto Replace = [&](Poly &P) {
    P = substituteAtoms(K, P, [&](const Atom &X) {
      return X == Old ? std::optional(By) : std::nullopt;
    });
  };
  forEachPolyBelow(K, K.Root, Replace);
  for (Need &N : K.Needs)
    Replace(N.P);
}

static void addEqual(Kernel &K, const Poly &P, int64_t Number) {
  Need N;
  N.K = Need::InRange;
  N.P = P;
  N.Lo = N.Hi = Number;
  K.Needs.push_back(std::move(N));
}

/// Lets the parameter \p A be \p Number, which becomes a need if \p IsAsked.
static void assumeNumber(Kernel &K, AtomId A, int64_t Number, bool IsAsked) {
  substitute(K, A, Poly(Number));
  if (IsAsked)
    addEqual(K, Poly::atom(A), Number);
}

void dlopt::delinearizeAnew(const Kernel &K, Access &X) {
  if (K.Buffers[X.Buf].IsLocal)
    return;
  X.Subs = {X.offset()};
  X.Strides = {Poly(1)};
  delinearize(K, X);
}

/// Rows and columns show again where numbers stand for what was not known.
static void updateWindows(Kernel &K) {
  forEachAccess(K.Root, [&](Access &X) { delinearizeAnew(K, X); });
  computeRoles(K);
}

bool dlopt::assumeWindowSteps(Kernel &K, int64_t Step) {
  WindowSteps S = findSteps(K);
  if (S.Steps.empty() && (S.Dilations.empty() || Step != 1))
    return false;
  dropNeedsOfRoles(K);
  bool IsAsked = !DLOPT_PLANTED(WindowStepAssumed);
  for (AtomId A : S.Steps)
    assumeNumber(K, A, Step, IsAsked);
  for (AtomId A : S.Dilations)
    assumeNumber(K, A, 1, IsAsked);
  updateWindows(K);
  return true;
}

bool dlopt::assumeNeighbours(Kernel &K) {
  WindowSteps S = findSteps(K);
  if (S.Dilations.empty())
    return false;
  dropNeedsOfRoles(K);
  for (AtomId A : S.Dilations)
    assumeNumber(K, A, 1, !DLOPT_PLANTED(WindowStepAssumed));
  updateWindows(K);
  return true;
}

/// The number that is all there is in the extent of \p X; nullopt: it is not.
static std::optional<AtomId> getSizeParam(const Kernel &K, const Axis &X) {
  if (X.Extents.size() != 1 || !X.Begins.empty())
    return std::nullopt;
  std::optional<AtomId> A = X.Extents.front().getAtom();
  if (!A || K.Atoms[*A].K != Atom::Param || K.Params[K.Atoms[*A].Ref].Depth)
    return std::nullopt;
  return A;
}

/// Whether something is read of which elements of \p Channels are neighbours,
/// and which is the same for all of \p Filters.
static bool isReadByChannel(const Kernel &K, AxisId Channels, AxisId Filters) {
  bool Any = false;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    Any |= any_of(L.Ops, [&](const Op &O) {
      return O.K == Op::Load && !K.Buffers[O.Acc.Buf].IsLocal &&
             !K.dependsOn(O.Acc, Filters) &&
             getStride(K, O.Acc.offset(), Channels) == Poly(1);
    });
  });
  return Any;
}

/// A parallel axis whose elements are neighbours in what \p L stores, and which
/// has as many rounds as those of another one are apart there: the filters of a
/// channel.
static std::optional<AxisId> findMultiplier(const Kernel &K, const Leaf &L,
                                            ArrayRef<AxisId> Around) {
  for (const Assign &X : L.Assigns) {
    if (K.Buffers[X.Target.Buf].IsLocal)
      continue;
    Poly Offset = X.Target.offset();
    for (AxisId A : Around) {
      std::optional<AtomId> Rounds = getSizeParam(K, K.Axes[A]);
      if (Rounds && K.Axes[A].R == Role::Parallel &&
          getStride(K, Offset, A) == Poly(1) && any_of(Around, [&](AxisId B) {
            return B != A && K.Axes[B].R == Role::Parallel &&
                   getStride(K, Offset, B) == Poly::atom(*Rounds) &&
                   isReadByChannel(K, B, A);
          }))
        return A;
    }
  }
  return std::nullopt;
}

/// Puts what is in the axis \p A below \p N in its place.
static void takeOut(Node &N, AxisId A) {
  std::vector<std::unique_ptr<Node>> Children;
  for (std::unique_ptr<Node> &Child : N.Children) {
    takeOut(*Child, A);
    if (Child->K != Node::AxisNode || Child->Ax != A) {
      Children.push_back(std::move(Child));
      continue;
    }
    N.Locals.append(Child->Locals.begin(), Child->Locals.end());
    std::move(Child->Children.begin(), Child->Children.end(),
              std::back_inserter(Children));
  }
  N.Children = std::move(Children);
}

bool dlopt::assumeSingleFilters(Kernel &K) {
  std::optional<AxisId> Filters;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId> Around) {
    if (!Filters)
      Filters = findMultiplier(K, L, Around);
  });
  // What is read in the loop that is taken out is read if it has a round.
  auto IsInside = [](const auto &X) { return X.Depth != 0; };
  if (!Filters || any_of(K.Params, IsInside) || any_of(K.Buffers, IsInside))
    return false;
  dropNeedsOfRoles(K);
  assumeNumber(K, *getSizeParam(K, K.Axes[*Filters]), 1,
               !DLOPT_PLANTED(WindowStepAssumed));
  substitute(K, K.getAxisAtom(*Filters), Poly());
  takeOut(K.Root, *Filters);
  updateWindows(K);
  return true;
}

/// Adds the axis of a sum that \p P, an index, adds to that of a point.
static void addWindow(const Kernel &K, const Poly &P,
                      SmallSetVector<AxisId, 4> &Windows) {
  bool HasPoint = false;
  SmallVector<AxisId, 2> Sums;
  for (const auto &[Product, Coef] : P.terms()) {
    if (Product.size() != 1 || K.Atoms[Product[0]].K != Atom::Axis)
      continue;
    AxisId A = K.Atoms[Product[0]].Ref;
    if (K.Axes[A].R == Role::Parallel)
      HasPoint = true;
    else if (K.Axes[A].R == Role::Reduction || K.Axes[A].R == Role::Window)
      Sums.push_back(A);
  }
  if (HasPoint && Sums.size() == 1)
    Windows.insert(Sums[0]);
}

/// The least that \p P, a sum of axes and numbers, is; nullopt: that is not
/// known.
static std::optional<Poly> getLeast(const Kernel &K, const Poly &P) {
  Poly Least;
  for (const auto &[Product, Coef] : P.terms()) {
    Poly Term = Poly::monomial(Product, Coef);
    if (K.isFixed(Term)) {
      Least += Term;
      continue;
    }
    if (Product.size() != 1 || K.Atoms[Product[0]].K != Atom::Axis)
      return std::nullopt;
    const Axis &X = K.Axes[K.Atoms[Product[0]].Ref];
    if (X.Extents.size() != 1 || !X.Begins.empty() ||
        !K.isFixed(X.Extents.front()))
      return std::nullopt;
    if (Coef < 0)
      Least += (X.Extents.front() - Poly(1)) * Poly(Coef);
  }
  return Least;
}

/// Lets \p P be at least 0: where it is the difference of two numbers of the
/// nest, rows of the image and of what is made of it, they are the same one.
static void assumeNotNegative(Kernel &K, const Poly &P, bool IsAsked) {
  auto IsParam = [&](size_t I, int64_t Coef) {
    const auto &[Product, Of] = P.terms()[I];
    return Of == Coef && Product.size() == 1 &&
           K.Atoms[Product[0]].K == Atom::Param &&
           !K.Params[K.Atoms[Product[0]].Ref].Depth;
  };
  if (P.terms().size() == 2)
    for (size_t I : {0, 1})
      if (IsParam(I, -1) && IsParam(1 - I, 1)) {
        AtomId Less = P.terms()[I].first[0];
        substitute(K, Less, P + Poly::atom(Less));
        if (IsAsked)
          addEqual(K, P, 0);
        return;
      }
  if (IsAsked)
    requireAtLeast(K, P, 0);
}

/// Puts what loops of one round have in their places.
static void dropSingleRounds(Kernel &K, Node &N) {
  for (size_t I = 0; I != N.Children.size();) {
    Node &Child = *N.Children[I];
    dropSingleRounds(K, Child);
    if (Child.K != Node::AxisNode ||
        K.Axes[Child.Ax].Extents != ArrayRef(Poly(1)) ||
        !K.Axes[Child.Ax].Begins.empty()) {
      ++I;
      continue;
    }
    substitute(K, K.getAxisAtom(Child.Ax), Poly(0));
    std::unique_ptr<Node> Round = std::move(N.Children[I]);
    append_range(N.Locals, Round->Locals);
    N.Children.erase(N.Children.begin() + I);
    I += Round->Children.size();
    N.Children.insert(N.Children.begin() + (I - Round->Children.size()),
                      std::make_move_iterator(Round->Children.begin()),
                      std::make_move_iterator(Round->Children.end()));
  }
}

/// Lets the conditions that speak of borders hold, as they do where a window is
/// one element: there is no border then.
static void assumeNoBorders(Kernel &K) {
  SmallSetVector<AtomId, 2> Borders;
  auto AddBorder = [&](const Poly &P) {
    std::optional<AtomId> Border;
    for (const auto &[Product, Coef] : P.terms()) {
      bool IsParam = Product.size() == 1 &&
                     K.Atoms[Product[0]].K == Atom::Param &&
                     !K.Params[K.Atoms[Product[0]].Ref].Depth;
      if (IsParam && Coef == -1 && !Border)
        Border = Product[0];
      else if (Product.size() != 1 || Coef < 1 ||
               K.Atoms[Product[0]].K != Atom::Axis)
        return;
    }
    if (Border)
      Borders.insert(*Border);
  };
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Constraint &C : L.Domain)
      AddBorder(C.P);
  });
  for (AtomId A : Borders)
    assumeNumber(K, A, 0, !DLOPT_PLANTED(BorderAssumedAway));
  SmallVector<Poly, 4> Least;
  forEachLeafBelow(K.Root, [&](Leaf &L) {
    erase_if(L.Domain, [&](const Constraint &C) {
      std::optional<Poly> P = C.IsEquality ? std::nullopt : getLeast(K, C.P);
      if (P)
        Least.push_back(*P);
      return P.has_value();
    });
  });
  for (const Poly &P : Least)
    assumeNotNegative(K, P, !DLOPT_PLANTED(BorderAssumedAway));
}

/// Axes of sums that indices add to those of points.
static SmallSetVector<AxisId, 4> findWindows(const Kernel &K) {
  SmallSetVector<AxisId, 4> Windows;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Constraint &C : L.Domain)
      addWindow(K, C.P, Windows);
    for (const Op &O : L.Ops)
      if (O.K == Op::Load)
        for (const Poly &P : O.Acc.Subs)
          addWindow(K, P, Windows);
  });
  return Windows;
}

bool dlopt::assumeWindowSizes(Kernel &K, int64_t Size) {
  SmallSetVector<AxisId, 4> Windows = findWindows(K);
  // Sums along one axis are long, or of any number.
  if (Windows.size() < 2)
    return false;
  SmallSetVector<AtomId, 2> Sizes;
  for (AxisId A : Windows)
    if (std::optional<AtomId> Of = getSizeParam(K, K.Axes[A]))
      Sizes.insert(*Of);
  if (Sizes.empty())
    return false;
  dropNeedsOfRoles(K);
  for (AtomId A : Sizes)
    assumeNumber(K, A, Size, !DLOPT_PLANTED(WindowSizeAssumed));
  if (Size == 1) {
    assumeNoBorders(K);
    dropSingleRounds(K, K.Root);
    dropUnusedAxes(K);
  }
  updateWindows(K);
  return true;
}

bool dlopt::hasWindowNumbers(const Kernel &K) {
  Kernel Own;
  copyKernel(K, Own);
  bool HasSteps = assumeWindowSteps(Own, 1);
  return HasSteps || (findWindows(Own).size() >= 2 && !K.Params.empty());
}
