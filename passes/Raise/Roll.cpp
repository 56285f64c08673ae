//===- Roll.cpp - Statements for single elements as loops -----------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///   c[0] += f(0); c[1] += f(1); c[2] += f(2);
///
/// as a loop over the elements of a local array c. The order stays.
///
//===----------------------------------------------------------------------===//
#include "Normalize.h"

using namespace llvm;
using namespace dlopt;

static SmallVector<Poly *, 8> getPolys(Leaf &L) {
  SmallVector<Poly *, 8> Result;
  forEachPoly(L, [&](Poly &P) { Result.push_back(&P); });
  return Result;
}

/// How far the polynomials of \p Other are from those of \p Base, if that is
/// all that they differ in.
static std::optional<SmallVector<Poly, 8>>
getSteps(Kernel &K, const LeafNest &Base, const LeafNest &Other) {
  if (Base.Axes.size() != Other.Axes.size() ||
      Base.L->Ops.size() != Other.L->Ops.size())
    return std::nullopt;
  Leaf Copy = *Other.L;
  for (auto [A, B] : zip(Base.Axes, Other.Axes)) {
    if (K.Axes[A].Extents != K.Axes[B].Extents)
      return std::nullopt;
    AtomId From = K.getAxisAtom(B);
    Poly To = Poly::atom(K.getAxisAtom(A));
    forEachPoly(Copy, [&](Poly &P) { P = P.substitute(From, To); });
  }
  SmallVector<Poly *, 8> Old = getPolys(*Base.L), New = getPolys(Copy);
  if (Old.size() != New.size())
    return std::nullopt;
  SmallVector<Poly, 8> Steps;
  for (auto [P, Q] : zip(Old, New)) {
    Steps.push_back(*Q - *P);
    if (K.anyNestedAtom(Steps.back(),
                        [](const Atom &A) { return A.K != Atom::Param; }))
      return std::nullopt;
    *Q = *P;
  }
  SmallVector<std::pair<BufferId, BufferId>, 4> Locals;
  auto Same = [](const Poly &P) { return P; };
  if (!isSameLeaf(*Base.L, Copy, K, Same, Locals) ||
      any_of(Locals, [](const auto &P) { return P.first != P.second; }))
    return std::nullopt;
  return Steps;
}

static bool touches(const Leaf &L, ArrayRef<BufferId> Buffers) {
  return any_of(L.Assigns,
                [&](const Assign &A) {
                  return is_contained(Buffers, A.Target.Buf);
                }) ||
         any_of(L.Ops, [&](const Op &O) {
           return O.K == Op::Load && is_contained(Buffers, O.Acc.Buf);
         });
}

/// Makes the children from \p First on that are copies of one one loop.
static bool rollFrom(Kernel &K, Node &N, size_t First,
                     ArrayRef<BufferId> Private) {
  std::optional<LeafNest> Base = getLeafNest(*N.Children[First]);
  if (!Base || !touches(*Base->L, Private))
    return false;
  SmallVector<Poly, 8> Step;
  size_t Count = 1;
  for (; First + Count != N.Children.size(); ++Count) {
    std::optional<LeafNest> Other = getLeafNest(*N.Children[First + Count]);
    auto Steps = Other ? getSteps(K, *Base, *Other) : std::nullopt;
    if (!Steps)
      break;
    if (Count == 1)
      Step = *Steps;
    else if (!all_of(zip(Step, *Steps), [&](auto Pair) {
               return std::get<0>(Pair) * Poly(Count) == std::get<1>(Pair);
             }))
      break;
  }
  if (Count < 2 || all_of(Step, [](const Poly &P) { return P.isZero(); }))
    return false;
  Axis New;
  New.Extents.push_back(Poly(static_cast<int64_t>(Count)));
  auto A = static_cast<AxisId>(K.Axes.size());
  K.Axes.push_back(std::move(New));
  Poly Index = Poly::atom(K.getAxisAtom(A));
  for (auto [P, D] : zip(getPolys(*Base->L), Step))
    *P += D * Index;
  auto Loop = std::make_unique<Node>();
  Loop->K = Node::AxisNode;
  Loop->Ax = A;
  Loop->Children.push_back(std::move(N.Children[First]));
  N.Children[First] = std::move(Loop);
  N.Children.erase(N.Children.begin() + First + 1,
                   N.Children.begin() + First + Count);
  return true;
}

bool dlopt::roll(Kernel &K, Node &N, ArrayRef<BufferId> Private) {
  bool Changed = false;
  // Rows of elements, then rows of rows.
  for (bool Again = !Private.empty(); Again;) {
    Again = false;
    for (size_t I = 0; I < N.Children.size(); ++I)
      Again |= rollFrom(K, N, I, Private);
    Changed |= Again;
  }
  return Changed;
}
