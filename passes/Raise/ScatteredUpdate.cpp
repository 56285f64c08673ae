//===- ScatteredUpdate.cpp - Updates of windows that overlap --------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which axes of a nest go through the points that are added, and which through
/// the windows of each (Gather.cpp).
///
//===----------------------------------------------------------------------===//
#include "ScatteredUpdate.h"
#include "Normalize.h"
#include "dlopt/Raise.h"
#include "dlopt/Uses.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace dlopt;

namespace {

class UpdateFinder : public ScatteredUpdate {
public:
  explicit UpdateFinder(Kernel &K) : K(K) {}
  bool run();

private:
  bool findUpdate();
  bool addRow(const Poly &P);
  bool addRowsByStrides(const Poly &Offset);
  bool findRows();
  bool isWindow(AxisId A, AxisId Outer) const;
  bool findOverlap(const Row &R);

  Kernel &K;
};

} // namespace

static bool isLoaded(const Atom &A) { return A.K == Atom::Load; }

/// Each round of the nest updates one element by something else.
bool UpdateFinder::findUpdate() {
  if (K.Root.Children.size() != 1 || !K.Root.Locals.empty())
    return false;
  std::optional<LeafNest> Nest = getLeafNest(*K.Root.Children.front());
  if (!Nest || Nest->L->Assigns.size() != 1 || Nest->L->Predicate)
    return false;
  Axes.assign(Nest->Axes.begin(), Nest->Axes.end());
  Update = *Nest->L;
  const Access &To = Update.Assigns.front().Target;
  if (K.Buffers[To.Buf].IsLocal || any_of(Axes, [&](AxisId A) {
        return !K.hasFixedExtents(A) || !K.Axes[A].Begins.empty();
      }))
    return false;
  if (!reads(Update, To.Buf) || any_of(Update.Ops, [&](const Op &O) {
        return O.K == Op::Load && O.Acc.Buf == To.Buf &&
               O.Acc.offset() != To.offset();
      }))
    return false;
  bool Loads = false;
  forEachPoly(Update, [&](Poly &P) { Loads |= K.anyNestedAtom(P, isLoaded); });
  return !Loads &&
         none_of(K.Needs, [&](const Need &N) { return N.K == Need::NonZero; });
}

/// The number of times that \p Of makes \p P; nullopt: there is none.
static std::optional<int64_t> getMultiple(const Poly &P, const Poly &Of) {
  const Poly::Term &Like = Of.terms().front();
  const auto *It = find_if(
      P.terms(), [&](const Poly::Term &T) { return T.first == Like.first; });
  if (It == P.terms().end() || It->second == INT64_MIN ||
      It->second % Like.second != 0)
    return std::nullopt;
  int64_t Number = It->second / Like.second;
  return P == Of * Poly(Number) ? std::optional(Number) : std::nullopt;
}

/// The axes of the subscript \p P with their steps. False: it is another sum.
bool UpdateFinder::addRow(const Poly &P) {
  Row Own;
  for (AxisId A : Axes) {
    if (!K.dependsOn(P, A))
      continue;
    std::optional<Poly> Stride = getStride(K, P, A);
    std::optional<int64_t> Number =
        Stride ? Stride->getConstant() : std::nullopt;
    if (!Number || *Number < 1)
      return false;
    Own.push_back({A, *Number});
  }
  if (!Own.empty())
    Rows.push_back(std::move(Own));
  return true;
}

/// The same where rows are as long as a sum says, such as 2 * n + 1, which
/// subscripts do not tell: of axes whose strides are multiples of one.
bool UpdateFinder::addRowsByStrides(const Poly &Offset) {
  SmallVector<Poly, 4> Units;
  for (AxisId A : Axes) {
    std::optional<Poly> Stride = getStride(K, Offset, A);
    if (!Stride || !K.isFixed(*Stride))
      return false;
    if (Stride->isZero())
      continue;
    bool IsKnown = false;
    for (auto [R, Unit] : zip_equal(Rows, Units)) {
      if (std::optional<int64_t> Times = getMultiple(*Stride, Unit)) {
        R.push_back({A, *Times});
      } else if (std::optional<int64_t> Parts = getMultiple(Unit, *Stride)) {
        for (auto &[Other, Step] : R)
          Step *= *Parts;
        R.push_back({A, 1});
        Unit = *Stride;
      } else {
        continue;
      }
      IsKnown = true;
      break;
    }
    if (!IsKnown) {
      Rows.push_back({{A, 1}});
      Units.push_back(*Stride);
    }
  }
  return all_of(Rows, [](const Row &R) {
    return all_of(R, [](const auto &Of) { return Of.second > 0; });
  });
}

bool UpdateFinder::findRows() {
  const Access &To = Update.Assigns.front().Target;
  bool IsApart = all_of(Axes, [&](AxisId A) {
    return count_if(To.Subs, [&](const Poly &P) { return K.dependsOn(P, A); }) <
               2 &&
           none_of(
               To.Strides, [&](const Poly &P) { return K.dependsOn(P, A); });
  });
  return IsApart ? all_of(To.Subs, [&](const Poly &P) { return addRow(P); })
                 : addRowsByStrides(To.offset());
}

/// Whether the axis \p A, the inner one of two, goes through a window, rather
/// than through the points that these belong to. Windows are short. Where that
/// is not known it is weights that have them, which filters have of their own.
bool UpdateFinder::isWindow(AxisId A, AxisId Outer) const {
  std::optional<uint64_t> Mine = getRounds(K, A), Others = getRounds(K, Outer);
  constexpr uint64_t Short = 16;
  if (Mine && Others)
    return *Mine <= *Others;
  if (Mine || Others)
    return Mine ? *Mine <= Short : *Others > Short;
  auto CountOwn = [&](AxisId Of, AxisId Not) {
    const Access &To = Update.Assigns.front().Target;
    return count_if(Axes, [&](AxisId Filter) {
      auto Uses = [&](AxisId Along) {
        return any_of(Update.Ops, [&](const Op &O) {
          return O.K == Op::Load && O.Acc.Buf != To.Buf &&
                 K.dependsOn(O.Acc, Along) && K.dependsOn(O.Acc, Filter);
        });
      };
      return Filter != Of && Filter != Not && K.dependsOn(To, Filter) &&
             none_of(Rows,
                     [&](const Row &R) {
                       return R.size() > 1 &&
                              is_contained(make_first_range(R), Filter);
                     }) &&
             Uses(Of) && !Uses(Not);
    });
  };
  return CountOwn(A, Outer) >= CountOwn(Outer, A);
}

/// False if \p R is made of axes in a way that nothing is known about.
bool UpdateFinder::findOverlap(const Row &R) {
  if (R.size() < 2)
    return true;
  if (R.size() > 2 || any_of(R, [&](const auto &Of) {
        return K.Axes[Of.first].Extents.size() != 1;
      }))
    return false;
  auto [Point, Step] = R[0];
  auto [Window, Dilation] = R[1];
  bool PointIsOuter = isWindow(Window, Point);
  if (!PointIsOuter) {
    std::swap(Point, Window);
    std::swap(Step, Dilation);
  }
  std::optional<uint64_t> Rounds = getRounds(K, Window);
  // Those that do not overlap are elements as they are.
  if (Rounds && *Rounds <= static_cast<uint64_t>(Step) && Dilation == 1)
    return true;
  Overlaps.push_back({Point, Window, Step, Dilation, PointIsOuter});
  constexpr int64_t MostStep = 4, MostDilation = 1 << 10;
  return Step <= MostStep && Dilation <= MostDilation &&
         (Step == 1 || Dilation == 1);
}

bool UpdateFinder::run() {
  return findUpdate() && findRows() &&
         all_of(Rows, [&](const Row &R) { return findOverlap(R); }) &&
         !Overlaps.empty();
}

std::optional<ScatteredUpdate> dlopt::findScatteredUpdate(Kernel &K) {
  UpdateFinder Found(K);
  return Found.run() ? std::optional<ScatteredUpdate>(std::move(Found))
                     : std::nullopt;
}

bool dlopt::hasScatteredUpdates(const Kernel &K) {
  bool Any = false;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId> Around) {
    if (L.Assigns.size() != 1)
      return;
    const Access &To = L.Assigns.front().Target;
    Any |= !K.Buffers[To.Buf].IsLocal && reads(L, To.Buf) &&
           any_of(To.Subs, [&](const Poly &P) {
             return count_if(Around,
                             [&](AxisId A) { return K.dependsOn(P, A); }) > 1;
           });
  });
  return Any;
}
