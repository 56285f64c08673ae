//===- StartRounds.cpp - What runs in the first round alone ---------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Compilers of tensors write where a sum begins into the loops of the sum:
///
///   for l for m for n {
///     if (l == 0 && m == 0 && n == 0) c[i][j] = 0;
///     c[i][j] += a[i][l][m][n] * b[j][l][m][n];
///   }
///
/// What comes first in the first round of loops with nothing between them comes
/// in front of them, in the same order, where there is such a round.
///
//===----------------------------------------------------------------------===//
#include "StartRounds.h"
#include "Nest.h"
#include "dlopt/KernelEdit.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Ranges.h"
#include "dlopt/Uses.h"

using namespace llvm;
using namespace dlopt;

/// Whether \p C is that the axis \p A is in its first round.
static bool isFirst(Kernel &K, const Constraint &C, AxisId A) {
  Poly Round = Poly::atom(K.getAxisAtom(A));
  return C.IsEquality && (C.P == Round || C.P == Poly() - Round);
}

/// The loops from \p Top on that have nothing but each other in them, up to the
/// first one that has more.
static SmallVector<Node *, 4> getChain(Node &Top) {
  SmallVector<Node *, 4> Chain;
  for (Node *N = &Top; N->K == Node::AxisNode; N = N->Children.front().get()) {
    Chain.push_back(N);
    if (N->Children.size() != 1)
      break;
  }
  return Chain;
}

/// Makes \p L run in front of \p Loops, in whose first rounds alone it runs,
/// and which are inside of \p Around. False, and \p L is no use any more: it
/// can't.
static bool moveInFront(Kernel &K, Leaf &L, ArrayRef<Node *> Loops,
                        ArrayRef<AxisId> Around) {
  auto IsOfLoops = [&](const Poly &P) {
    return any_of(Loops, [&](const Node *N) { return K.dependsOn(P, N->Ax); });
  };
  for (const Node *N : Loops)
    erase_if(L.Domain,
             [&](const Constraint &C) { return isFirst(K, C, N->Ax); });
  bool Depends = false;
  forEachPoly(L, [&](Poly &P) { Depends |= IsOfLoops(P); });
  if (Depends)
    return false;
  for (const Node *N : Loops) {
    if (!K.Axes[N->Ax].Begins.empty())
      return false;
    for (Poly Rounds : K.Axes[N->Ax].Extents) {
      for (const Node *Other : Loops)
        Rounds = Rounds.substitute(K.getAxisAtom(Other->Ax), Poly());
      Range R = getRange(K, Rounds, Around);
      if (R.Hi < 1 || IsOfLoops(Rounds) ||
          K.anyNestedAtom(
              Rounds, [](const Atom &A) { return A.K == Atom::Load; }))
        return false;
      if (R.Lo < 1 && !DLOPT_PLANTED(FirstRoundAssumed))
        L.Domain.push_back({Rounds - Poly(1), false});
    }
  }
  return true;
}

/// The same for what comes first in the loops of child \p I of \p Parent.
static bool hoistFrom(Kernel &K, Node &Parent, size_t I,
                      SmallVectorImpl<AxisId> &Around) {
  SmallVector<Node *, 4> Chain = getChain(*Parent.Children[I]);
  if (Chain.empty() || Chain.back()->Children.size() < 2 ||
      Chain.back()->Children.front()->K != Node::LeafNode)
    return false;
  std::unique_ptr<Node> &Start = Chain.back()->Children.front();
  size_t Outer = Chain.size();
  while (Outer && any_of(Start->L.Domain, [&](const Constraint &C) {
           return isFirst(K, C, Chain[Outer - 1]->Ax);
         }))
    --Outer;
  ArrayRef<Node *> Loops = ArrayRef(Chain).drop_front(Outer);
  if (Loops.empty() || any_of(Loops, [&](const Node *N) {
        return any_of(N->Locals,
                      [&](BufferId B) { return uses(K, *Start, B); });
      }))
    return false;
  size_t Before = Around.size();
  for (const Node *N : ArrayRef(Chain).take_front(Outer))
    Around.push_back(N->Ax);
  auto Moved = std::make_unique<Node>();
  Moved->K = Node::LeafNode;
  Moved->L = Start->L;
  bool Moves = moveInFront(K, Moved->L, Loops, Around);
  Around.truncate(Before);
  if (!Moves)
    return false;
  Chain.back()->Children.erase(Chain.back()->Children.begin());
  Node &Place = Outer ? *Chain[Outer - 1] : Parent;
  Place.Children.insert(Place.Children.begin() + (Outer ? 0 : I),
                        std::move(Moved));
  return true;
}

static bool hoistBelow(Kernel &K, Node &N, SmallVectorImpl<AxisId> &Around) {
  bool Changed = false;
  if (N.K == Node::AxisNode)
    Around.push_back(N.Ax);
  for (size_t I = 0; I != N.Children.size(); ++I) {
    while (hoistFrom(K, N, I, Around)) {
      Changed = true;
      // The loop itself is behind what was put in front of it.
      I += N.Children[I]->K == Node::LeafNode;
    }
    Changed |= hoistBelow(K, *N.Children[I], Around);
  }
  if (N.K == Node::AxisNode)
    Around.pop_back();
  return Changed;
}

bool dlopt::hoistFirstRounds(Kernel &K) {
  SmallVector<AxisId, 6> Around;
  return hoistBelow(K, K.Root, Around);
}
