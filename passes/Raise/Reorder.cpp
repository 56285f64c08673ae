//===- Reorder.cpp - Blocked and reversed loops as plain ones -------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Nest.h"
#include "Normalize.h"
#include "dlopt/PlantedBugs.h"

using namespace llvm;
using namespace dlopt;

void dlopt::requireAtLeast(Kernel &K, const Poly &P, int64_t Lo) {
  if (getRange(K, P, {}).Lo >= Lo)
    return;
  Need N;
  N.K = Need::InRange;
  N.P = P;
  N.Lo = Lo;
  N.Hi = std::numeric_limits<int64_t>::max();
  for (Need &Old : K.Needs)
    if (Old.K == N.K && Old.P == N.P && Old.Lo >= Lo && Old.Hi <= N.Hi) {
      Old.IsOfRoles = false;
      return;
    }
  K.Needs.push_back(std::move(N));
}

bool dlopt::isLinear(Kernel &K, const Poly &P, AxisId A) {
  AtomId X = K.getAxisAtom(A);
  std::optional<Poly> Step = P.coefficient(X);
  return Step && !K.dependsOn(*Step, A) && !K.dependsOn(P.without(X), A);
}

void dlopt::pinRanges(Kernel &K, AxisId A, const Poly &Rounds,
                      function_ref<bool(const Need &)> Which) {
  AtomId X = K.getAxisAtom(A);
  std::vector<Need> Ends;
  erase_if(K.Needs, [&](const Need &Old) {
    if (!Which(Old))
      return false;
    for (const Poly &Round : {Poly(0), Rounds - Poly(1)}) {
      Need End = Old;
      End.P = Old.P.substitute(X, Round);
      if (!getRange(K, End.P, {}).within(Old.Lo, Old.Hi))
        Ends.push_back(std::move(End));
      if (DLOPT_PLANTED(TileNeedCollapsed))
        break;
    }
    return true;
  });
  append_range(K.Needs, std::move(Ends));
}

bool dlopt::isScanned(const Kernel &K, AxisId A) {
  return any_of(K.Needs, [&](const Need &N) {
    return N.K == Need::NonZero && K.dependsOn(N.P, A);
  });
}

/// Follows only children, from \p N on, to the node that has leaves.
static Node *descend(Node &N, SmallVectorImpl<AxisId> *Axes) {
  Node *Bottom = &N;
  while (Bottom->Children.size() == 1 &&
         Bottom->Children.front()->K == Node::AxisNode) {
    Bottom = Bottom->Children.front().get();
    if (Axes)
      Axes->push_back(Bottom->Ax);
  }
  return all_of(Bottom->Children,
                [](const auto &C) { return C->K == Node::LeafNode; })
             ? Bottom
             : nullptr;
}

//===----------------------------------------------------------------------===//
// if (k == 0) C[i][j] = 0;
//===----------------------------------------------------------------------===//

/// Whether \p L assigns one value in the \p First round of \p X only, or in all
/// others.
static bool runsInRounds(Kernel &K, const Leaf &L, AxisId X, bool First) {
  if (L.Domain.size() != 1 || L.Predicate || L.Assigns.size() != 1)
    return false;
  const Constraint &C = L.Domain.front();
  Poly Round = Poly::atom(K.getAxisAtom(X));
  return First ? C.IsEquality && (C.P == Round || C.P == Poly() - Round)
               : !C.IsEquality && C.P == Round - Poly(1);
}

/// Whether \p Start sets what \p Update goes on with, in the first round of
/// \p X only, once for each element.
static bool isFirstRound(Kernel &K, const Leaf &Start, const Leaf &Update,
                         AxisId X, ArrayRef<AxisId> Inner) {
  if (!runsInRounds(K, Start, X, /*First=*/true) || !isPlain(Update))
    return false;
  const Access &To = Start.Assigns[0].Target;
  return !K.Buffers[To.Buf].IsLocal && To == Update.Assigns[0].Target &&
         !K.dependsOn(To, X) &&
         all_of(Inner, [&](AxisId Y) { return K.dependsOn(To, Y); }) &&
         all_of(Start.Ops, [&](const Op &O) {
           return !K.dependsOn(O.Idx, X) &&
                  (O.K != Op::Load ||
                   (O.Acc.Buf != To.Buf && !K.dependsOn(O.Acc, X)));
         });
}

/// t = f where k == 0; t = C where k > 0; C = g(t) as C = f where k == 0;
/// C = g(C).
bool dlopt::storeFirstRound(Kernel &K, Node &N) {
  if (N.K != Node::AxisNode || N.Children.size() != 3 ||
      any_of(N.Children, [](auto &C) { return C->K != Node::LeafNode; }))
    return false;
  Leaf &Start = N.Children[0]->L, &Last = N.Children[1]->L,
       &Update = N.Children[2]->L;
  if (!runsInRounds(K, Start, N.Ax, /*First=*/true) ||
      !runsInRounds(K, Last, N.Ax, /*First=*/false))
    return false;
  const Op &Value = Last.Ops[Last.Assigns[0].Value];
  const Access Kept = Start.Assigns[0].Target;
  if (!isPlain(Update) || !is_contained(N.Locals, Kept.Buf) ||
      !Kept.Subs.empty() || !(Last.Assigns[0].Target == Kept) ||
      Value.K != Op::Load || !(Value.Acc == Update.Assigns[0].Target) ||
      K.Buffers[Value.Acc.Buf].IsLocal)
    return false;
  const Access To = Value.Acc;
  for (const Leaf *L : {&Start, &Update})
    if (any_of(L->Ops, [&](const Op &O) {
          return O.K == Op::Load && O.Acc.Buf == To.Buf;
        }))
      return false;
  for (Op &O : Update.Ops)
    if (O.K == Op::Load && O.Acc == Kept)
      O.Acc = To;
  Start.Assigns[0].Target = To;
  Start.Assigns[0].Origin = Update.Assigns[0].Origin;
  N.Children.erase(N.Children.begin() + 1);
  erase(N.Locals, Kept.Buf);
  return true;
}

/// Start values in loops of their own, in front of the reduction.
bool dlopt::hoistFirstRound(Kernel &K, Node &Parent) {
  for (size_t I = 0; I != Parent.Children.size(); ++I) {
    Node &X = *Parent.Children[I];
    SmallVector<AxisId, 4> Inner;
    Node *Bottom = X.K == Node::AxisNode ? descend(X, &Inner) : nullptr;
    if (!Bottom || Bottom->Children.size() != 2 ||
        !isFirstRound(K, Bottom->Children[0]->L, Bottom->Children[1]->L, X.Ax,
                      Inner))
      continue;
    bool Fixed = all_of(Inner, [&](AxisId Y) {
      return all_of(K.Axes[Y].Extents,
                    [&](const Poly &E) { return !K.dependsOn(E, X.Ax); });
    });
    if (!Fixed)
      continue;
    std::unique_ptr<Node> Top = std::move(Bottom->Children[0]);
    Bottom->Children.erase(Bottom->Children.begin());
    Top->L.Domain.clear();
    for (AxisId Y : reverse(Inner)) {
      Axis Own = K.Axes[Y];
      Own.L = nullptr;
      AxisId New = static_cast<AxisId>(K.Axes.size());
      K.Axes.push_back(std::move(Own));
      AtomId Old = K.getAxisAtom(Y);
      Poly By = Poly::atom(K.getAxisAtom(New));
      auto N = std::make_unique<Node>();
      N->K = Node::AxisNode;
      N->Ax = New;
      N->Children.push_back(std::move(Top));
      forEachPolyBelow(K, *N, [&](Poly &P) { P = P.substitute(Old, By); });
      Top = std::move(N);
    }
    for (const Poly &E : K.Axes[X.Ax].Extents)
      requireAtLeast(K, E, 1);
    Parent.Children.insert(Parent.Children.begin() + I, std::move(Top));
    return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// s = C; for k: s = f(s); C = s as for k: C = f(C).
bool dlopt::useMemory(Kernel &K, Node &N) {
  if (N.Children.size() != 3 || N.Children[1]->K != Node::AxisNode)
    return false;
  Node *Bottom = descend(*N.Children[1], nullptr);
  for (Node *X : {N.Children[0].get(), N.Children[2].get()})
    if (X->K != Node::LeafNode || !isPlain(X->L))
      return false;
  if (!Bottom || Bottom->Children.size() != 1 ||
      !isPlain(Bottom->Children[0]->L))
    return false;
  auto GetLoad = [](const Leaf &L) -> const Access * {
    const Op &O = L.Ops[L.Assigns[0].Value];
    return O.K == Op::Load ? &O.Acc : nullptr;
  };
  const Leaf &Start = N.Children[0]->L, &Result = N.Children[2]->L;
  Leaf &Update = Bottom->Children[0]->L;
  const Access Sum = Update.Assigns[0].Target, To = Result.Assigns[0].Target;
  const Access *From = GetLoad(Start), *Last = GetLoad(Result);
  if (!From || !Last || !is_contained(N.Locals, Sum.Buf) || !Sum.Subs.empty() ||
      K.Buffers[To.Buf].IsLocal || !(*From == To) || !(*Last == Sum) ||
      !(Start.Assigns[0].Target == Sum))
    return false;
  for (Op &O : Update.Ops)
    if (O.K == Op::Load && O.Acc == Sum)
      O.Acc = To;
  Update.Assigns[0].Target = To;
  Update.Assigns[0].Origin = Result.Assigns[0].Origin;
  erase(N.Locals, Sum.Buf);
  N.Children.erase(N.Children.begin() + 2);
  N.Children.erase(N.Children.begin());
  return true;
}

namespace {

/// Axes \p O and, inside, \p I of a perfect nest as one, if they only occur as
/// T*O + I.
class TileMerger {
public:
  TileMerger(Kernel &K, AxisId O, AxisId I)
      : K(K), OuterId(O), InnerId(I), Outer(K.getAxisAtom(O)),
        Inner(K.getAxisAtom(I)) {}

  /// Finds T and the merged extents.
  bool findExtent();
  bool isTiled(const Poly &P) const;
  bool canMergeNeeds() const;
  void apply(Node &Bottom);

private:
  bool isFree(const Poly &P) const {
    return !K.dependsOn(P, OuterId) && !K.dependsOn(P, InnerId);
  }
  /// What is said of tiles, not of the one axis.
  bool isOfTiles(const Need &N) const {
    return K.dependsOn(N.P, OuterId) && !isTiled(N.P);
  }
  Kernel &K;
  AxisId OuterId, InnerId;
  AtomId Outer, Inner;
  Poly T;
  SmallVector<Poly, 2> Extents;
};

} // namespace

bool TileMerger::findExtent() {
  ArrayRef<Poly> E = K.Axes[InnerId].Extents;
  if (K.Axes[OuterId].Extents.size() != 1 || E.empty() || E.size() > 2)
    return false;
  const Poly &Tiles = K.Axes[OuterId].Extents[0];
  for (unsigned Full = 0; Full != E.size(); ++Full) {
    T = E[Full];
    if (!isFree(T) || T.getConstant().value_or(1) < 1)
      continue;
    if (E.size() == 1) {
      Extents.assign(1, T * Tiles);
      return true;
    }
    // The last tile ends at M, unless tiles end before.
    std::optional<Poly> Back = E[1 - Full].coefficient(Outer);
    Poly End = E[1 - Full].without(Outer);
    if (!Back || *Back != Poly() - T || !isFree(End))
      continue;
    Extents.assign(1, End);
    if (Tiles == divideFloor(K, End - Poly(1), T) + Poly(1))
      return true;
    if (!isFree(Tiles))
      continue;
    Extents.push_back(T * Tiles);
    return true;
  }
  return false;
}

bool TileMerger::isTiled(const Poly &P) const {
  std::optional<Poly> A = P.coefficient(Outer), B = P.coefficient(Inner);
  return A && B && *A == T * *B && isFree(*B) &&
         isFree(P.without(Outer).without(Inner));
}

void TileMerger::apply(Node &Bottom) {
  forEachPolyBelow(K, Bottom, [&](Poly &P) { P = P.without(Outer); });
  K.Axes[InnerId].Extents.assign(Extents.begin(), Extents.end());
  K.Axes[InnerId].L = K.Axes[OuterId].L;
  requireAtLeast(K, T, 1);
  // The one axis may have fewer rounds than there are tiles: those behind its
  // end are empty.
  pinRanges(K, OuterId, K.Axes[OuterId].Extents[0],
            [&](const Need &N) { return isOfTiles(N); });
  for (Need &N : K.Needs)
    N.P = N.P.without(Outer);
}

/// The one axis has all values of the inner axis. Of the outer one a need may
/// have both ends for all values; elements must be those that are read.
bool TileMerger::canMergeNeeds() const {
  return all_of(K.Needs, [&](const Need &N) {
    if (isTiled(N.P))
      return true;
    return N.K != Need::NonZero ? !isOfTiles(N) || isLinear(K, N.P, OuterId)
                                : isFree(N.P);
  });
}

/// Removes the only node of \p A below \p N, which has one child.
static bool removeAxis(Node &N, AxisId A) {
  for (std::unique_ptr<Node> &Child : N.Children) {
    if (Child->K == Node::AxisNode && Child->Ax == A) {
      std::unique_ptr<Node> Only = std::move(Child->Children.front());
      Child = std::move(Only);
      return true;
    }
    if (removeAxis(*Child, A))
      return true;
  }
  return false;
}

/// Two axes of the perfect nest that begins with the child \p I of \p Top.
static bool mergeOneTile(Kernel &K, Node &Top, size_t I) {
  if (Top.Children[I]->K != Node::AxisNode)
    return false;
  Node *Bottom = Top.Children[I].get();
  SmallVector<AxisId, 8> Axes = {Bottom->Ax};
  while (Bottom->Children.size() == 1 && Bottom->Locals.empty() &&
         Bottom->Children.front()->K == Node::AxisNode) {
    Bottom = Bottom->Children.front().get();
    Axes.push_back(Bottom->Ax);
  }
  if (Axes.size() > 12)
    return false;
  bool IsOneLeaf = Bottom->Children.size() == 1 &&
                   Bottom->Children[0]->K == Node::LeafNode &&
                   isPlain(Bottom->Children[0]->L);
  SmallVector<BufferId, 8> OfRound;
  collectLocals(*Bottom, OfRound);
  auto IsSummed = [&](AxisId A) {
    bool Summed = false;
    forEachLeaf(*Bottom, [&](const Leaf &L, ArrayRef<AxisId>) {
      for (const Assign &To : L.Assigns)
        Summed |=
            !is_contained(OfRound, To.Target.Buf) && !K.dependsOn(To.Target, A);
    });
    return Summed;
  };
  for (size_t O = 0; O != Axes.size(); ++O)
    for (size_t I = O + 1; I != Axes.size(); ++I) {
      // Sums keep their order.
      if (IsSummed(Axes[O]) != IsSummed(Axes[I]) ||
          (IsSummed(Axes[O]) &&
           (!IsOneLeaf ||
            any_of(ArrayRef(Axes).slice(O + 1, I - O - 1), IsSummed))))
        continue;
      TileMerger M(K, Axes[O], Axes[I]);
      bool Ok = M.findExtent() && M.canMergeNeeds();
      for (AxisId A : Axes)
        if (A != Axes[I])
          Ok = Ok && none_of(K.Axes[A].Extents, [&](const Poly &E) {
                 return K.dependsOn(E, Axes[O]) || K.dependsOn(E, Axes[I]);
               });
      forEachPolyBelow(K, *Bottom, [&](Poly &P) { Ok = Ok && M.isTiled(P); });
      if (!Ok)
        continue;
      M.apply(*Bottom);
      removeAxis(Top, Axes[O]);
      return true;
    }
  return false;
}

bool dlopt::mergeTilesOfSiblings(Kernel &K, Node &N) {
  bool Changed = false;
  for (size_t I = 0; N.Children.size() > 1 && I != N.Children.size(); ++I)
    while (mergeOneTile(K, N, I))
      Changed = true;
  return Changed;
}

bool dlopt::mergeTiles(Kernel &K, Node &Top) {
  bool Changed = false;
  for (size_t I = 0; I != Top.Children.size(); ++I) {
    while (mergeOneTile(K, Top, I))
      Changed = true;
    Changed |= mergeTiles(K, *Top.Children[I]);
  }
  return Changed;
}

//===----------------------------------------------------------------------===//
// Bounds for safety, loops that run backwards
//===----------------------------------------------------------------------===//

/// Of two bounds of a loop, one of which is a parameter, that one, where it is
/// the smaller one: the other is there for safety.
bool dlopt::pickBound(Kernel &K, Node &N) {
  if (N.K != Node::AxisNode || K.Axes[N.Ax].Extents.size() != 2)
    return false;
  SmallVector<Poly, 1> E = K.Axes[N.Ax].Extents;
  auto IsParam = [&](const Poly &P) {
    std::optional<AtomId> Id = P.getAtom();
    return Id && K.Atoms[*Id].K == Atom::Param;
  };
  unsigned Mine = IsParam(E[1]) ? 1 : 0;
  const Poly &Bound = E[Mine], &Other = E[1 - Mine];
  if (!IsParam(Bound) || Other.getConstant() || !K.isFixed(Other))
    return false;
  // k <= n / d is k * d <= n for positive d.
  if (std::optional<AtomId> Id = Other.getAtom();
      Id && K.Atoms[*Id].K == Atom::FloorDiv) {
    const Atom Quotient = K.Atoms[*Id];
    requireAtLeast(K, Quotient.Den, 1);
    requireAtLeast(K, Quotient.Num - Bound * Quotient.Den, 0);
    for (Need &Old : K.Needs)
      if (Old.P == Other && Old.Lo <= 0 &&
          Old.Hi == std::numeric_limits<int64_t>::max()) {
        Old.P = Quotient.Num;
        Old.Lo = 0;
      }
  } else {
    requireAtLeast(K, Other - Bound, 0);
  }
  K.Axes[N.Ax].Extents.assign(1, Bound);
  return true;
}

/// An axis along which results are stored backwards.
bool dlopt::reverse(Kernel &K, Node &N) {
  if (N.K != Node::AxisNode || K.Axes[N.Ax].Extents.size() != 1)
    return false;
  const Poly E = K.Axes[N.Ax].Extents[0];
  AtomId X = K.getAxisAtom(N.Ax);
  bool Backwards = true, Any = false, Linear = true;
  forEachLeaf(N, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Assign &A : L.Assigns) {
      if (K.Buffers[A.Target.Buf].IsLocal)
        continue;
      Any = true;
      std::optional<Poly> Step = A.Target.offset().coefficient(X);
      Backwards &= Step && !Step->isZero() &&
                   all_of(Step->terms(), [](auto &T) { return T.second < 0; });
    }
  });
  auto Check = [&](const Poly &P) {
    Linear &= !P.anyAtom([&](AtomId Id) {
      return Id != X && K.dependsOn(Poly::atom(Id), N.Ax);
    });
  };
  forEachPolyBelow(K, N, [&](Poly &P) { Check(P); });
  for (const Need &Old : K.Needs)
    Check(Old.P);
  if (!Any || !Backwards || !Linear)
    return false;
  auto Rewrite = [&](Poly &P) {
    P = P.substitute(X, E - Poly(1) - Poly::atom(X));
  };
  forEachPolyBelow(K, N, Rewrite);
  for (Need &Old : K.Needs)
    Rewrite(Old.P);
  return true;
}
