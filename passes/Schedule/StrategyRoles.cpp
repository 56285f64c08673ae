//===- StrategyRoles.cpp - What axes of a kernel do -----------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "StrategyRoles.h"
#include "dlopt/Compat.h"
#include "dlopt/Dependences.h"
#include "dlopt/KernelEdit.h"
#include "dlopt/Strategies.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instruction.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace dlopt;

/// The only axis among the children of \p N.
static const Node *getOnlyAxis(const Node &N) {
  const Node *Found = nullptr;
  for (const auto &Child : N.Children)
    if (Child->K == Node::AxisNode) {
      if (Found)
        return nullptr;
      Found = Child.get();
    } else if (Child->K != Node::LeafNode) {
      return nullptr;
    }
  return Found;
}

/// By how much the offset of \p X grows along \p A; nullopt: not by a number.
static std::optional<int64_t> getNumber(const Kernel &K, const Access &X,
                                        AxisId A) {
  std::optional<Poly> Stride = getStride(K, X.offset(), A);
  return Stride ? Stride->getConstant() : std::nullopt;
}

static bool hasFloats(const Leaf &L) {
  return any_of(L.Ops, [](const Op &O) { return isFloat(O.Ty); });
}

/// Whether all that \p L computes is of one type with vectors of its own, or of
/// integers that are not wider (what is inside is counted), or compares such
/// numbers.
static bool isOfOneType(const Leaf &L, bool HasHalf) {
  auto IsComparison = [](const Op &O) {
    return O.K == Op::Inst &&
           (O.Opcode == Instruction::FCmp || O.Opcode == Instruction::ICmp);
  };
  std::optional<ScalarType> Own;
  for (const Op &O : L.Ops)
    if (isFloat(O.Ty) && !Own)
      Own = O.Ty;
  if ((Own == ScalarType::F16 && !HasHalf) || Own == ScalarType::BF16)
    return false;
  unsigned Bits = Own ? getBitWidth(*Own) : 0;
  for (const Op &O : L.Ops)
    if (!Own && !IsComparison(O))
      Bits = std::max(Bits, getBitWidth(O.Ty));
  if (Bits > 32 && !Own)
    return false;
  return all_of(L.Ops, [&](const Op &O) {
    bool Fits = !isFloat(O.Ty) && getBitWidth(O.Ty) <= Bits;
    return O.Ty == Own || Fits || IsComparison(O);
  });
}

/// What \p L reads of arrays.
static SmallVector<const Access *, 2> getLoads(const Kernel &K, const Leaf &L) {
  SmallVector<const Access *, 2> Loads;
  for (const Op &O : L.Ops)
    if (O.K == Op::Load && !K.Buffers[O.Acc.Buf].IsLocal)
      Loads.push_back(&O.Acc);
  return Loads;
}

/// How far lanes may be apart, which are shuffled out of whole vectors: a step
/// of windows.
static constexpr int64_t MostApart = 4;

/// Fills in the axes, from the outermost inwards. False: it is another nest.
static bool findAxes(const Kernel &K, StrategyRoles &R, const Node *&Point) {
  const Node *N = &K.Root;
  if (!N->Locals.empty())
    return false;
  while (N->Children.size() == 1 && N->Children[0]->K == Node::AxisNode &&
         K.Axes[N->Children[0]->Ax].R == Role::Parallel && N->Locals.empty()) {
    N = N->Children[0].get();
    R.Parallel.push_back(N->Ax);
  }
  Point = N;
  R.Locals = N->Locals;
  N = getOnlyAxis(*N);
  while (N && N->Locals.empty()) {
    // Scripts keep the order of a sum, as that of what else goes on from round
    // to round.
    if (K.Axes[N->Ax].R == Role::Parallel)
      return false;
    R.Sums.push_back(N->Ax);
    if (N->Children.size() != 1)
      return false;
    N = N->Children[0].get();
    if (N->K == Node::LeafNode) {
      R.Sum = &N->L;
      return !R.Parallel.empty() && !R.Locals.empty();
    }
    if (N->K != Node::AxisNode)
      return false;
  }
  return false;
}

/// Whether elements of \p A are at most \p Most apart wherever one is stored.
static bool storesNear(const Kernel &K, const Node &Point, AxisId A,
                       int64_t Most) {
  bool Stores = false;
  for (const auto &Child : Point.Children) {
    if (Child->K != Node::LeafNode)
      continue;
    for (const Assign &X : Child->L.Assigns) {
      if (K.Buffers[X.Target.Buf].IsLocal)
        continue;
      Stores = true;
      std::optional<int64_t> Stride = getNumber(K, X.Target, A);
      if (!Stride || *Stride < 1 || *Stride > Most)
        return false;
    }
  }
  return Stores;
}

/// Whether elements of \p A may be lanes: near each other wherever one
/// is stored, and no more than \p Most elements apart where one is loaded.
static bool mayBeLanes(const Kernel &K, const StrategyRoles &R,
                       const Node &Point, AxisId A, int64_t Most) {
  bool Varies = false;
  for (const Access *X : getLoads(K, *R.Sum)) {
    std::optional<int64_t> Stride = getNumber(K, *X, A);
    if (!Stride || *Stride < 0 || *Stride > Most)
      return false;
    Varies |= *Stride != 0;
  }
  return Varies && storesNear(K, Point, A, Most);
}

/// Whether a border that cuts windows along \p A is asked for.
static bool hasBorder(const Kernel &K, const StrategyRoles &R, AxisId A) {
  return any_of(R.Sum->Domain, [&](const Constraint &C) {
    return K.dependsOn(C.P, A) &&
           any_of(R.Sums, [&](AxisId S) { return K.dependsOn(C.P, S); });
  });
}

/// Whether elements of \p A may be lanes that are gathered one by one, or
/// broadcast: windows with a border that move by a number of the run.
static bool mayBeGathered(const Kernel &K, const StrategyRoles &R,
                          const Node &Point, AxisId A) {
  bool Varies = false;
  for (const Access *X : getLoads(K, *R.Sum)) {
    std::optional<Poly> Stride = getStride(K, X->offset(), A);
    if (!Stride)
      return false;
    Varies |= !Stride->isZero();
  }
  return Varies && hasBorder(K, R, A) && storesNear(K, Point, A, 1);
}

/// Whether elements of \p A may be lanes by a copy of what is loaded: filters,
/// whose weights are far apart.
static bool mayBeCopied(const Kernel &K, const StrategyRoles &R,
                        const Node &Point, AxisId A) {
  bool Varies = false;
  for (const Access *X : getLoads(K, *R.Sum)) {
    Varies |= K.dependsOn(*X, A);
    if (any_of(R.Sums, [&](AxisId S) { return isWindow(K, *X, A, S); }))
      return false;
  }
  return Varies && storesNear(K, Point, A, MostApart);
}

/// Whether what is loaded depends on \p A where it does not depend on lanes,
/// and there alone.
static bool mayBeTile(const Kernel &K, const StrategyRoles &R, AxisId A) {
  bool Any = false;
  for (const Access *X : getLoads(K, *R.Sum)) {
    bool InLanes = K.dependsOn(*X, R.Lane), InTile = K.dependsOn(*X, A);
    if (InLanes && InTile)
      return false;
    Any |= InTile;
  }
  return Any && getRounds(K, A).value_or(2) > 1;
}

std::optional<std::pair<uint64_t, uint64_t>> dlopt::getRatio(const Poly &A,
                                                             const Poly &B) {
  auto Divide = [](const Poly &P, const Poly &By) -> std::optional<uint64_t> {
    const Poly::Term &Like = By.terms().front();
    int64_t Coef = Like.second;
    const auto *It = find_if(
        P.terms(), [&](const Poly::Term &T) { return T.first == Like.first; });
    // The least number has no quotient by -1.
    if (It == P.terms().end() || It->second == INT64_MIN ||
        It->second % Coef != 0 || P != By * Poly(It->second / Coef))
      return std::nullopt;
    return AbsoluteValue(It->second / Coef);
  };
  if (std::optional<uint64_t> Times = Divide(A, B))
    return std::pair(*Times, uint64_t(1));
  if (std::optional<uint64_t> Times = Divide(B, A))
    return std::pair(uint64_t(1), *Times);
  return std::nullopt;
}

/// Windows overlap, and do not reach another row of points. Where numbers of
/// rounds are not known a subscript says which axes belong together.
bool dlopt::isWindow(const Kernel &K, const Access &X, AxisId A, AxisId Sum) {
  std::optional<Poly> Of = getStride(K, X.offset(), A),
                      By = getStride(K, X.offset(), Sum);
  if (!Of || !By || Of->isZero() || By->isZero())
    return false;
  auto Ratio = getRatio(*Of, *By);
  if (!Ratio)
    return false;
  uint64_t Step = Ratio->first, Along = Ratio->second;
  std::optional<uint64_t> Rounds =
      Along < Step ? getRounds(K, Sum) : getRounds(K, A);
  if (!Rounds)
    return Along == Step || any_of(X.Subs, [&](const Poly &P) {
             return K.dependsOn(P, A) && K.dependsOn(P, Sum);
           });
  uint64_t Reach = SaturatingMultiply(std::min(Along, Step),
                                      std::max<uint64_t>(*Rounds, 1) - 1);
  return std::max(Along, Step) <= Reach;
}

bool dlopt::hasWindows(const Kernel &K, const Node &N) {
  auto IsPoint = [&](AxisId A) { return K.Axes[A].R == Role::Parallel; };
  bool Found = false;
  forEachLeaf(N, [&](const Leaf &L, ArrayRef<AxisId> Around) {
    for (const Access *X : getLoads(K, L))
      for (AxisId A : make_filter_range(Around, IsPoint))
        Found |= any_of(Around, [&](AxisId S) {
          return !IsPoint(S) && isWindow(K, *X, A, S);
        });
  });
  return Found;
}

bool StrategyRoles::isApart(const Kernel &K) const {
  return any_of(getLoads(K, *Sum), [&](const Access *X) {
    return getNumber(K, *X, Lane).value_or(0) > 1;
  });
}

bool StrategyRoles::isWindowed(const Kernel &K, AxisId A) const {
  // Windows that do not overlap.
  return (A == Lane && !LaneIsFar && isApart(K)) ||
         any_of(getLoads(K, *Sum),
                [&](const Access *X) {
                  return any_of(
                      Sums, [&](AxisId S) { return isWindow(K, *X, A, S); });
                }) ||
         (LaneIsGathered && hasBorder(K, *this, A));
}

Poly StrategyRoles::countRounds(const Kernel &K) const {
  Poly Rounds = 1;
  for (AxisId A : concat<const AxisId>(Parallel, Sums))
    if (K.hasFixedExtents(A))
      Rounds = Rounds * K.Axes[A].Extents.front();
  return Rounds;
}

/// Whether half of the columns \p Sum of \p X, if they may be straight code,
/// are the next window's along \p A. Less is not worth that what is read is no
/// longer in the order of memory.
static bool sharesHalf(const Kernel &K, const Access &X, AxisId A, AxisId Sum) {
  std::optional<uint64_t> Columns = getRounds(K, Sum);
  if (!Columns || !isWindow(K, X, A, Sum))
    return false;
  auto Ratio =
      getRatio(*getStride(K, X.offset(), A), *getStride(K, X.offset(), Sum));
  return Ratio->second == 1 && 2 * Ratio->first <= *Columns;
}

/// Whether neighbours along \p A have something in common that lanes load:
/// weights, or columns of their windows.
static bool sharesLoads(const Kernel &K, const StrategyRoles &R, AxisId A) {
  return R.isWindowed(K, A) &&
         any_of(getLoads(K, *R.Sum), [&](const Access *X) {
           bool InTile = K.dependsOn(*X, A);
           return (K.dependsOn(*X, R.Lane) && !InTile) ||
                  any_of(R.Sums,
                         [&](AxisId S) { return sharesHalf(K, *X, A, S); });
         });
}

/// Makes the innermost axis whose neighbours share what lanes load the tile.
static void findNeighbours(const Kernel &K, StrategyRoles &R) {
  if (R.isWindowed(K, R.Lane))
    return;
  for (AxisId A : reverse(R.Parallel))
    if (A != R.Lane && getRounds(K, A).value_or(2) > 1 &&
        sharesLoads(K, R, A)) {
      R.Tile = A;
      R.TileIsNeighbours = true;
      return;
    }
}

/// Whether of what lanes load one array alone is far apart, the weights, which
/// neighbours along the tile share: a copy for all of them is worth it.
static bool isFarInWeights(const Kernel &K, const StrategyRoles &R) {
  size_t Far = 0;
  for (const Access *X : getLoads(K, *R.Sum)) {
    std::optional<int64_t> Stride = getNumber(K, *X, R.Lane);
    if (Stride && *Stride >= 0 && *Stride <= 1)
      continue;
    ++Far;
    if (any_of(R.Parallel, [&](AxisId A) {
          return R.isWindowed(K, A) && K.dependsOn(*X, A);
        }))
      return false;
  }
  return Far == 1;
}

/// Whether \p L adds products to a sum.
static bool isOfProducts(const Leaf &L) {
  const Assign &A = L.Assigns.front();
  return !findProduct(L, L.Ops[A.Value], A.Target).empty();
}

/// Whether what a point makes of its sum are more than a few operations.
static bool isRounded(const Node &Point, const Leaf &Sum) {
  constexpr size_t Few = 8;
  size_t Number = 0;
  for (const auto &Child : Point.Children)
    if (Child->K == Node::LeafNode && &Child->L != &Sum)
      Number +=
          count_if(Child->L.Ops, [](const Op &O) { return O.K == Op::Inst; });
  return Number > Few;
}

std::optional<StrategyRoles> dlopt::findStrategyRoles(const Kernel &K,
                                                      bool HasHalf) {
  StrategyRoles R;
  const Node *Point = nullptr;
  if (!findAxes(K, R, Point))
    return std::nullopt;
  // With axes that depend on others blocks would have no size.
  if (!all_of(concat<const AxisId>(R.Parallel, R.Sums), [&](AxisId A) {
        return K.hasFixedExtents(A) && !K.Axes[A].isCondition();
      }))
    return std::nullopt;
  if (findDot(K, *Point, R))
    return R;
  if (!isOfOneType(*R.Sum, HasHalf))
    return std::nullopt;
  auto FindLane = [&](int64_t Most) {
    return find_if(R.Parallel,
                   [&](AxisId A) { return mayBeLanes(K, R, *Point, A, Most); });
  };
  auto Lane = FindLane(1);
  if (Lane == R.Parallel.end())
    Lane = FindLane(MostApart);
  if (Lane == R.Parallel.end())
    Lane = find_if(R.Parallel, [&](AxisId A) {
      return R.LaneIsGathered = mayBeGathered(K, R, *Point, A);
    });
  if (Lane == R.Parallel.end()) {
    R.LaneIsFar = true;
    Lane = find_if(R.Parallel,
                   [&](AxisId A) { return mayBeCopied(K, R, *Point, A); });
  }
  if (Lane == R.Parallel.end())
    return std::nullopt;
  R.Lane = *Lane;
  // Products without a window have tiles of their own.
  if (!any_of(R.Parallel, [&](AxisId A) { return R.isWindowed(K, A); }))
    return std::nullopt;
  for (AxisId A : reverse(R.Parallel))
    if (A != R.Lane && mayBeTile(K, R, A)) {
      R.Tile = A;
      break;
    }
  if (!R.Tile && !R.LaneIsGathered && (!R.LaneIsFar || isFarInWeights(K, R)))
    findNeighbours(K, R);
  // What is taken one by one has to serve several sums.
  if ((R.LaneIsFar || R.LaneIsGathered) && !R.Tile)
    return std::nullopt;
  R.LaneIsFilter = R.Tile && !R.isWindowed(K, R.Lane);
  if (!R.LaneIsFilter && !R.LaneIsFar && !R.LaneIsGathered)
    findPlaneDots(K, *Point, R);
  // LLVM vectorizes windows of integers, but for those that are tested against
  // borders. It loads and extends a pixel for each product that it is a factor
  // of, and plain x86-64 has few vectors for what is made of sums.
  bool Gains =
      isOfProducts(*R.Sum) && (R.TileIsNeighbours || isRounded(*Point, *R.Sum));
  R.IsLeftToLoops = !hasFloats(*R.Sum) && R.Sum->Domain.empty() && !Gains;
  return R.IsLeftToLoops && !R.Planes ? std::nullopt : std::optional(R);
}
