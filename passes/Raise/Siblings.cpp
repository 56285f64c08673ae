//===- Siblings.cpp - Loops that go on with what is in front of them ------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What remains behind an unrolled loop is a loop, or a single round under a
/// condition; with either, it is one loop. Rows of results that are computed in
/// one loop and stored in the next one are stored as they are computed.
///
//===----------------------------------------------------------------------===//
#include "Nest.h"
#include "Normalize.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Uses.h"

using namespace llvm;
using namespace dlopt;

/// Whether \p Second does for the axis of \p Second what \p First does for its
/// own, \p Start rounds later. \p Axes: those of \p First and of \p Second.
static bool continues(Kernel &K, const Node &First, const Node &Second,
                      SmallVectorImpl<std::pair<AtomId, Poly>> &Axes,
                      SmallVectorImpl<std::pair<BufferId, BufferId>> &Locals) {
  auto Map = [&](const Poly &P) -> std::optional<Poly> {
    Poly Q = P;
    for (auto &[From, To] : Axes)
      Q = Q.substitute(From, To);
    for (const auto &Pair : Axes)
      if (K.dependsOn(Q, K.Atoms[Pair.first].Ref))
        return std::nullopt;
    return Q;
  };
  if (First.Children.size() != Second.Children.size())
    return false;
  for (auto [A, B] : zip(First.Children, Second.Children)) {
    if (A->K != B->K)
      return false;
    if (A->K == Node::LeafNode) {
      if (!isSameLeaf(A->L, B->L, K, Map, Locals))
        return false;
      continue;
    }
    if (A->K != Node::AxisNode)
      return false;
    ArrayRef<Poly> E = K.Axes[A->Ax].Extents, F = K.Axes[B->Ax].Extents;
    if (E.size() != F.size())
      return false;
    for (auto [P, Q] : zip(E, F))
      if (Map(P) != Q)
        return false;
    Axes.push_back({K.getAxisAtom(A->Ax), Poly::atom(K.getAxisAtom(B->Ax))});
    if (!continues(K, *A, *B, Axes, Locals))
      return false;
  }
  return true;
}

/// Whether locals that differ, each \p First's and \p Second's in turn, are
/// those of a round.
static bool haveOwn(const Node &First, const Node &Second,
                    ArrayRef<std::pair<BufferId, BufferId>> Locals) {
  SmallVector<BufferId, 8> Mine, Theirs;
  collectLocals(First, Mine);
  collectLocals(Second, Theirs);
  return all_of(Locals, [&](auto &Pair) {
    return Pair.first == Pair.second || (is_contained(Mine, Pair.first) &&
                                         is_contained(Theirs, Pair.second));
  });
}

/// Rounds of \p First, fixed in the kernel, at which it reads what \p Second
/// reads in its first one, by one access or another.
static SmallVector<Poly, 4> findStarts(Kernel &K, const Node &First,
                                       const Node &Second) {
  SmallVector<std::pair<BufferId, Poly>, 8> Begin, GoOn;
  auto Collect = [&](const Node &N, auto &Reads) {
    forEachLeaf(N, [&](const Leaf &L, ArrayRef<AxisId> Axes) {
      for (const Op &O : L.Ops) {
        if (O.K != Op::Load)
          continue;
        // In the first round of the loops inside.
        Poly At = O.Acc.offset();
        for (AxisId A : Axes)
          if (A != First.Ax)
            At = At.substitute(K.getAxisAtom(A), Poly());
        Reads.emplace_back(O.Acc.Buf, std::move(At));
      }
    });
  };
  Collect(First, Begin);
  Collect(Second, GoOn);
  AtomId X = K.getAxisAtom(First.Ax);
  SmallVector<Poly, 4> Starts;
  for (const auto &[Buf, At] : Begin)
    for (const auto &[Other, Then] : GoOn) {
      std::optional<Poly> Step = At.coefficient(X);
      if (Buf != Other || !Step || Step->isZero() || Starts.size() == 4)
        continue;
      std::optional<Poly> Start = (Then - At.without(X)).divideExactly(*Step);
      if (Start && K.isFixed(*Start) && !is_contained(Starts, *Start))
        Starts.push_back(*Start);
    }
  return Starts;
}

/// Whether \p P has a quotient: the rounds of an unrolled loop, which are all
/// there are if what is behind it goes on where they end.
static bool hasQuotient(const Kernel &K, const Poly &P) {
  return P.anyAtom([&](AtomId A) { return K.Atoms[A].K == Atom::FloorDiv; });
}

/// Where \p Second goes on with what \p First does, which runs \p Rounds of
/// it: there, or, under a need, where it says. Then what continues() finds.
static std::optional<Poly>
findStart(Kernel &K, const Node &First, const Node &Second, const Poly &Rounds,
          function_ref<Poly(const Poly &)> At,
          function_ref<bool(const Poly &)> IsLikely,
          SmallVectorImpl<std::pair<AtomId, Poly>> &Axes,
          SmallVectorImpl<std::pair<BufferId, BufferId>> &Locals) {
  auto Fits = [&](const Poly &Start) {
    Axes.assign(1, {K.getAxisAtom(First.Ax), At(Start)});
    Locals.clear();
    return continues(K, First, Second, Axes, Locals) &&
           haveOwn(First, Second, Locals);
  };
  if (Fits(Rounds))
    return Rounds;
  for (const Poly &Start : findStarts(K, First, Second))
    if (Start != Rounds && IsLikely(Start) && Fits(Start))
      return Start;
  return std::nullopt;
}

static void requireEqual(Kernel &K, const Poly &P, const Poly &Q) {
  if (P == Q || DLOPT_PLANTED(StartUnasked))
    return;
  Need N;
  N.K = Need::InRange;
  N.P = P - Q;
  K.Needs.push_back(std::move(N));
}

/// Needs of the axes that are no more, for those that they are now.
static void renameNeeds(Kernel &K, ArrayRef<std::pair<AtomId, Poly>> Axes) {
  for (Need &Old : K.Needs)
    for (const auto &[Mine, Theirs] : Axes)
      Old.P = Old.P.substitute(Theirs.terms().begin()->first.front(),
                               Poly::atom(Mine));
}

/// Loops that follow each other and go on where the one before ended.
bool dlopt::mergeSiblings(Kernel &K, Node &N) {
  bool Changed = false;
  for (size_t I = 0; I + 1 < N.Children.size();) {
    Node &First = *N.Children[I], &Second = *N.Children[I + 1];
    auto IsAxis = [&](const Node &X) {
      return X.K == Node::AxisNode && K.Axes[X.Ax].Extents.size() == 1;
    };
    if (!IsAxis(First) || !IsAxis(Second) || isScanned(K, First.Ax) ||
        isScanned(K, Second.Ax)) {
      ++I;
      continue;
    }
    Poly E = K.Axes[First.Ax].Extents[0], F = K.Axes[Second.Ax].Extents[0];
    AtomId Y = K.getAxisAtom(Second.Ax);
    SmallVector<std::pair<AtomId, Poly>, 4> Axes;
    SmallVector<std::pair<BufferId, BufferId>, 4> Locals;
    std::optional<Poly> Start = findStart(
        K, First, Second, E, [&](const Poly &S) { return Poly::atom(Y) + S; },
        [&](const Poly &S) {
          return hasQuotient(K, E) && !(S - E).getConstant();
        },
        Axes, Locals);
    if (!Start) {
      ++I;
      continue;
    }
    requireEqual(K, E, *Start);
    requireAtLeast(K, *Start, 0);
    requireAtLeast(K, F, 0);
    // The values of the second axis are among those that the first one has now.
    Axes[0].second = Poly::atom(Y);
    renameNeeds(K, Axes);
    K.Axes[First.Ax].Extents[0] = *Start + F;
    // No loop of the source is this axis.
    K.Axes[First.Ax].L = nullptr;
    N.Children.erase(N.Children.begin() + I + 1);
    Changed = true;
  }
  return Changed;
}

//===----------------------------------------------------------------------===//
// if (k < n) s += f(k);
//===----------------------------------------------------------------------===//

/// The only condition of all leaves below \p N, if that is \p Only.
static bool haveCondition(const Node &N, std::optional<Constraint> &Only) {
  bool Same = true;
  forEachLeaf(N, [&](const Leaf &L, ArrayRef<AxisId>) {
    Same &=
        L.Domain.size() == 1 && !L.Predicate && (!Only || *Only == L.Domain[0]);
    if (Same)
      Only = L.Domain[0];
  });
  return Same;
}

static void dropConditions(Node &N) {
  N.L.Domain.clear();
  for (std::unique_ptr<Node> &Child : N.Children)
    dropConditions(*Child);
}

/// Whether \p P is 0 or 1: a remainder by 2, as what an unrolled loop leaves.
static bool isBit(Kernel &K, const Poly &P) {
  for (AtomId Id = 0; Id != K.Atoms.size(); ++Id) {
    const Atom &A = K.Atoms[Id];
    if (A.K == Atom::FloorDiv && A.Den == Poly(2) &&
        P == A.Num - Poly::atom(Id) * Poly(2))
      return true;
  }
  return getRange(K, P, {}).within(0, 1) || any_of(K.Needs, [&](const Need &N) {
           return N.K == Need::InRange && N.P == P && N.Lo >= 0 && N.Hi <= 1;
         });
}

/// The children of \p N from \p Begin on, \p Count of them, without their
/// conditions, as a round of \p X.
static Node makeRound(const Kernel &K, const Node &N, size_t Begin,
                      size_t Count, AxisId X) {
  Node Round;
  Round.K = Node::AxisNode;
  Round.Ax = X;
  for (size_t I = Begin; I != Begin + Count; ++I) {
    Round.Children.push_back(std::make_unique<Node>());
    copyNode(*N.Children[I], *Round.Children.back());
  }
  dropConditions(Round);
  // Locals that only these use are as good as their own.
  for (BufferId B : N.Locals) {
    bool Elsewhere = false;
    for (size_t I = 0; I != N.Children.size(); ++I)
      Elsewhere |=
          (I < Begin || I >= Begin + Count) && uses(K, *N.Children[I], B);
    if (!Elsewhere)
      Round.Locals.push_back(B);
  }
  return Round;
}

/// One round more of the loop in front, if a condition holds: for k < n / 2 *
/// 2, and once more where n / 2 * 2 < n.
bool dlopt::mergeLastRound(Kernel &K, Node &N) {
  for (size_t I = 0; I + 1 < N.Children.size(); ++I) {
    Node &First = *N.Children[I];
    size_t Count = First.Children.size();
    if (First.K != Node::AxisNode || !Count || I + Count >= N.Children.size() ||
        K.Axes[First.Ax].Extents.size() != 1 || isScanned(K, First.Ax))
      continue;
    std::optional<Constraint> C;
    bool Same = true;
    for (size_t J = 0; J != Count; ++J)
      Same = Same && haveCondition(*N.Children[I + 1 + J], C);
    if (!Same || !C || C->IsEquality)
      continue;
    const Poly E = K.Axes[First.Ax].Extents[0], Rounds = C->P + Poly(1);
    if (!K.isFixed(Rounds) ||
        !(isBit(K, Rounds) || DLOPT_PLANTED(LastRoundUnasked)))
      continue;
    Node Last = makeRound(K, N, I + 1, Count, First.Ax);
    SmallVector<std::pair<AtomId, Poly>, 4> Axes;
    SmallVector<std::pair<BufferId, BufferId>, 4> Locals;
    std::optional<Poly> Start = findStart(
        K, First, Last, E, [](const Poly &S) { return S; },
        [](const Poly &) { return true; }, Axes, Locals);
    if (!Start)
      continue;
    // Without the last round the loop ends where it would be.
    if (*Start != E)
      requireEqual(K, E + Rounds, *Start + Poly(1));
    requireAtLeast(K, E, 0);
    renameNeeds(K, ArrayRef(Axes).drop_front());
    K.Axes[First.Ax].Extents[0] = *Start == E ? E + Rounds : *Start + Poly(1);
    // No loop of the source is this axis.
    K.Axes[First.Ax].L = nullptr;
    for (auto &Pair : Locals)
      if (Pair.first != Pair.second)
        erase(N.Locals, Pair.second);
    N.Children.erase(N.Children.begin() + I + 1,
                     N.Children.begin() + I + 1 + Count);
    return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// for x: { ...; t[x] = s; } for x: C[x] = t[x];
//===----------------------------------------------------------------------===//

static bool haveSameRounds(const Axis &A, const Axis &B) {
  return A.Extents.size() == B.Extents.size() &&
         all_of(A.Extents,
                [&](const Poly &E) { return is_contained(B.Extents, E); });
}

/// Whether the one leaf of \p Second reads what the last one of \p First, and
/// nothing else, writes of \p B, in the same round.
static bool passesOn(Kernel &K, const Node &First, const Node &Second,
                     BufferId B) {
  if (First.K != Node::AxisNode || Second.K != Node::AxisNode ||
      First.Children.empty() || Second.Children.size() != 1 ||
      !Second.Locals.empty() ||
      !haveSameRounds(K.Axes[First.Ax], K.Axes[Second.Ax]))
    return false;
  const Node &Set = *First.Children.back(), &Get = *Second.Children.front();
  if (Set.K != Node::LeafNode || Get.K != Node::LeafNode || !isPlain(Set.L) ||
      !isPlain(Get.L) || Set.L.Assigns[0].Target.Buf != B ||
      Get.L.Assigns[0].Target.Buf == B)
    return false;
  AtomId X = K.getAxisAtom(First.Ax), Y = K.getAxisAtom(Second.Ax);
  const Poly At = Set.L.Assigns[0].Target.offset();
  std::optional<Poly> Step = At.coefficient(X);
  if (!Step || !Step->getConstant() || Step->isZero() ||
      K.dependsOn(At.without(X), First.Ax) ||
      any_of(ArrayRef(First.Children).drop_back(),
             [&](const auto &C) { return uses(K, *C, B); }) ||
      reads(Set.L, B))
    return false;
  return all_of(Get.L.Ops, [&](const Op &O) {
    return O.K != Op::Load || O.Acc.Buf != B ||
           O.Acc.offset() == At.substitute(X, Poly::atom(Y)) ||
           DLOPT_PLANTED(RowMirrored);
  });
}

bool dlopt::storeAsComputed(Kernel &K, Node &N, ArrayRef<BufferId> Private) {
  for (size_t I = 0; I + 1 < N.Children.size(); ++I)
    for (BufferId B : Private) {
      Node &First = *N.Children[I], &Second = *N.Children[I + 1];
      if (K.Buffers[B].IsLocal || !passesOn(K, First, Second, B) ||
          countLeaves(K, B) != 2)
        continue;
      Buffer Value;
      Value.Name = "value";
      Value.Ty = K.Buffers[B].Ty;
      Value.IsLocal = true;
      // No node has it, so that it goes.
      K.Buffers[B].IsLocal = true;
      Access Scalar;
      Scalar.Buf = static_cast<BufferId>(K.Buffers.size());
      K.Buffers.push_back(std::move(Value));
      First.Locals.push_back(Scalar.Buf);
      Assign &Set = First.Children.back()->L.Assigns[0];
      Set.Target = Scalar;
      Set.Origin = nullptr;
      Leaf &Get = Second.Children.front()->L;
      for (Op &O : Get.Ops)
        if (O.K == Op::Load && O.Acc.Buf == B)
          O.Acc = Scalar;
      AtomId Old = K.getAxisAtom(Second.Ax);
      Poly By = Poly::atom(K.getAxisAtom(First.Ax));
      forEachPoly(Get, [&](Poly &P) { P = P.substitute(Old, By); });
      for (Need &Need : K.Needs)
        Need.P = Need.P.substitute(Old, By);
      First.Children.push_back(std::move(Second.Children.front()));
      N.Children.erase(N.Children.begin() + I + 1);
      forwardStores(K, First);
      return true;
    }
  return false;
}

//===----------------------------------------------------------------------===//
// for (x < T) if (o * T + x < n)
//===----------------------------------------------------------------------===//

static bool dependsOnAxesBelow(const Kernel &K, const Poly &P, const Node &N) {
  if (N.K == Node::AxisNode && K.dependsOn(P, N.Ax))
    return true;
  return any_of(N.Children, [&](const auto &Child) {
    return dependsOnAxesBelow(K, P, *Child);
  });
}

/// Conditions under which all that is in a loop runs, up to a round of it, are
/// bounds of the loop.
bool dlopt::boundByConditions(Kernel &K, Node &N) {
  if (N.K != Node::AxisNode)
    return false;
  AtomId X = K.getAxisAtom(N.Ax);
  SmallVector<Constraint, 2> Common;
  bool First = true;
  forEachLeaf(N, [&](const Leaf &L, ArrayRef<AxisId>) {
    if (First || DLOPT_PLANTED(BoundForAll))
      Common = L.Domain;
    else
      erase_if(Common,
               [&](const Constraint &C) { return !is_contained(L.Domain, C); });
    First = false;
  });
  erase_if(Common, [&](const Constraint &C) {
    return C.IsEquality || C.P.coefficient(X) != Poly(-1) ||
           dependsOnAxesBelow(K, C.P.without(X), N);
  });
  auto IsOfAll = [&](const Need &Old) {
    return Old.K == Need::InRange && K.dependsOn(Old.P, N.Ax);
  };
  if (Common.empty() || !all_of(K.Needs, [&](const Need &Old) {
        return !IsOfAll(Old) || isLinear(K, Old.P, N.Ax);
      }))
    return false;
  // The conditions are computed, and must be right, in all rounds that there
  // are.
  pinRanges(K, N.Ax, K.Axes[N.Ax].Extents[0], IsOfAll);
  for (const Constraint &C : Common)
    K.Axes[N.Ax].Extents.push_back(C.P.without(X) + Poly(1));
  auto Drop = [&](Node &Below, auto &Self) -> void {
    if (Below.K == Node::LeafNode)
      erase_if(Below.L.Domain,
               [&](const Constraint &D) { return is_contained(Common, D); });
    for (std::unique_ptr<Node> &Child : Below.Children)
      Self(*Child, Self);
  };
  Drop(N, Drop);
  return true;
}
