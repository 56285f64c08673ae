//===- SplitAxes.cpp - Axes whose index is divided ------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where subscripts are made of quotients and remainders of an index, its axis
/// becomes an axis for each of them, and subscripts become linear:
///
///   par i[N*C*S]  y[i] = x[i] + b[i / S % C]
///   ->
///   par n[N] par c[C] par s[S]  y[(n*C + c)*S + s] = x[...] + b[c]
///
/// So do output channels that find their group by division.
///
//===----------------------------------------------------------------------===//
#include "Normalize.h"
#include "dlopt/Dependences.h"
#include "dlopt/KernelEdit.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Quotients.h"
#include "dlopt/Raise.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace llvm;
using namespace dlopt;

static bool isInnermost(const Node &N) {
  return N.K == Node::AxisNode && all_of(N.Children, [](const auto &C) {
           return C->K == Node::LeafNode;
         });
}

static bool isDivided(const Kernel &K, const Poly &P, AxisId A) {
  return P.anyAtom([&](AtomId Id) {
    return (K.Atoms[Id].K == Atom::FloorDiv || K.Atoms[Id].K == Atom::Mod) &&
           K.dependsOn(Poly::atom(Id), A);
  });
}

/// Calls \p Visit for the offsets of what \p L reads and writes outside.
static void forEachOffset(const Kernel &K, const Leaf &L,
                          function_ref<void(const Poly &)> Visit) {
  auto Use = [&](const Access &X) {
    if (!K.Buffers[X.Buf].IsLocal)
      Visit(X.offset());
  };
  for (const Op &O : L.Ops)
    if (O.K == Op::Load)
      Use(O.Acc);
  for (const Assign &A : L.Assigns)
    Use(A.Target);
}

/// Whether an innermost axis below \p N is divided in an offset.
static bool hasDividedOffsets(const Kernel &K, const Node &N) {
  bool Any = false;
  if (isInnermost(N))
    for (const auto &Child : N.Children)
      forEachOffset(K, Child->L,
                    [&](const Poly &P) { Any |= isDivided(K, P, N.Ax); });
  return Any || any_of(N.Children, [&](const auto &Child) {
           return hasDividedOffsets(K, *Child);
         });
}

/// Whether a parallel axis around sums, below \p N, is divided in an offset of
/// these.
static bool hasDividedGroups(const Kernel &K, const Node &N) {
  bool Any = false;
  auto IsChain = [&](AxisId A) {
    return K.Axes[A].R != Role::Parallel && !K.Axes[A].isCondition();
  };
  if (N.K == Node::AxisNode && K.Axes[N.Ax].R == Role::Parallel)
    forEachLeaf(N, [&](const Leaf &L, ArrayRef<AxisId> Around) {
      if (any_of(Around, IsChain))
        forEachOffset(K, L,
                      [&](const Poly &P) { Any |= isDivided(K, P, N.Ax); });
    });
  return Any || any_of(N.Children, [&](const auto &Child) {
           return hasDividedGroups(K, *Child);
         });
}

/// Replaces atoms in all of \p K by others: \p To has the one for each.
static void replaceAtoms(Kernel &K, MutableArrayRef<AtomId> To) {
  auto Rewrite = [&](Poly &P) {
    for (AtomId Id = 0; Id != To.size(); ++Id)
      if (To[Id] != Id)
        P = P.substitute(Id, Poly::atom(To[Id]));
  };
  // What is made of equal atoms is equal, too.
  for (AtomId Id = 0; Id != K.Atoms.size(); ++Id) {
    Atom &A = K.Atoms[Id];
    Rewrite(A.Num);
    Rewrite(A.Den);
    for (Poly &P : A.Source.Subs)
      Rewrite(P);
    for (Poly &P : A.Source.Strides)
      Rewrite(P);
    auto Before = ArrayRef(K.Atoms).take_front(Id);
    if (To[Id] == Id)
      To[Id] = static_cast<AtomId>(find(Before, A) - Before.begin());
  }
  forEachPolyBelow(K, K.Root, Rewrite);
  for (Need &N : K.Needs)
    Rewrite(N.P);
}

/// Where a number is read as signed and as unsigned, it is not negative.
static void joinReadings(Kernel &K) {
  SmallVector<AtomId, 16> To(K.Atoms.size());
  std::iota(To.begin(), To.end(), 0);
  SmallVector<Poly, 2> Signed;
  for (auto [Id, A] : enumerate(K.Atoms))
    for (auto [Earlier, Other] : enumerate(ArrayRef(K.Atoms).take_front(Id))) {
      if (A.K != Atom::Param || Other.K != Atom::Param)
        continue;
      const Param &P = K.Params[A.Ref], &Q = K.Params[Other.Ref];
      if (P.Bound && P.Bound == Q.Bound && P.Ty == Q.Ty &&
          P.Signed != Q.Signed) {
        To[Id] = static_cast<AtomId>(Earlier);
        Signed.push_back(
            Poly::atom(static_cast<AtomId>(P.Signed ? Id : Earlier)));
      }
    }
  if (Signed.empty())
    return;
  replaceAtoms(K, To);
  for (const Poly &P : Signed)
    requireAtLeast(K, P, 0);
}

static bool splitAxes(Kernel &K, Node &N) {
  bool Any = false;
  while (splitFlat(K, N))
    Any = true;
  for (const auto &Child : N.Children)
    Any |= splitAxes(K, *Child);
  return Any;
}

/// Offsets that are neighbours, or the same, in the next round of \p A.
static unsigned countNear(const Kernel &K, const Node &N, AxisId A) {
  unsigned Count = 0;
  for (const auto &Child : N.Children)
    forEachOffset(K, Child->L, [&](const Poly &P) {
      std::optional<Poly> Stride = getStride(K, P, A);
      std::optional<int64_t> Step =
          Stride ? Stride->getConstant() : std::nullopt;
      Count += Step == 0 || Step == 1;
    });
  return Count;
}

/// The innermost of two parallel axes is the better one. Of equal ones it is
/// rather not that whose number of rounds is a divisor, which may be small.
static void orderAxes(Kernel &K, Node &N) {
  Node *Inner = N.Children.size() == 1 ? N.Children.front().get() : nullptr;
  for (const auto &Child : N.Children)
    orderAxes(K, *Child);
  auto IsParallel = [&](AxisId A) {
    return K.Axes[A].R == Role::Parallel && K.hasFixedExtents(A);
  };
  if (!Inner || N.K != Node::AxisNode || !isInnermost(*Inner) ||
      !N.Locals.empty() || !Inner->Locals.empty() || K.Axes[Inner->Ax].L ||
      K.Axes[Inner->Ax].Extents.front().getConstant() || !IsParallel(N.Ax) ||
      !IsParallel(Inner->Ax))
    return;
  if (countNear(K, *Inner, N.Ax) >= countNear(K, *Inner, Inner->Ax))
    std::swap(N.Ax, Inner->Ax);
}

std::optional<Poly> dlopt::countPoints(const Kernel &K) {
  Poly Points = 1;
  for (const Node *N = &K.Root; N->Children.size() == 1;) {
    N = N->Children.front().get();
    if (N->K != Node::AxisNode)
      return Points;
    if (!K.hasFixedExtents(N->Ax))
      return std::nullopt;
    Points = Points * K.Axes[N->Ax].Extents.front();
  }
  return std::nullopt;
}

/// Groups and the channels of each are two dimensions of what is only read, so
/// that integer sets know its elements. Of what is stored needs say that rows
/// are apart.
static void separateGroups(Kernel &K) {
  SmallDenseSet<BufferId> Stored;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Assign &A : L.Assigns)
      Stored.insert(A.Target.Buf);
  });
  forEachAccess(K.Root, [&](Access &X) {
    if (!Stored.contains(X.Buf))
      delinearizeAnew(K, X);
  });
}

/// Splits what \p IsDivided finds, if nothing of that is left then.
static bool splitAll(Kernel &K,
                     function_ref<bool(const Kernel &, const Node &)> IsDivided,
                     bool KeepsBuffers = false) {
  if (!IsDivided(K, K.Root))
    return false;
  joinReadings(K);
  if (!splitAxes(K, K.Root) || IsDivided(K, K.Root))
    return false;
  if (KeepsBuffers ? needsLostAxes(K) : !compact(K))
    return false;
  if (KeepsBuffers)
    separateGroups(K);
  computeRoles(K);
  return true;
}

bool dlopt::hasQuotients(const Kernel &K) {
  return hasDividedOffsets(K, K.Root);
}

bool dlopt::hasGroups(const Kernel &K) { return hasDividedGroups(K, K.Root); }

bool dlopt::splitQuotients(Kernel &K) {
  if (!splitAll(K, hasDividedOffsets))
    return false;
  orderAxes(K, K.Root);
  return true;
}

bool dlopt::splitGroups(Kernel &K, bool KeepsBuffers) {
  size_t Before = K.Needs.size();
  if (!splitAll(K, hasDividedGroups, KeepsBuffers))
    return false;
  if (DLOPT_PLANTED(GroupsAssumedWhole))
    K.Needs.resize(Before);
  return true;
}
