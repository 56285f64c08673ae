//===- Triangle.cpp - Triangular loops as rectangular ones ----------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Triangle.h"
#include "Normalize.h"
#include "dlopt/Dependences.h"
#include "dlopt/KernelEdit.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace dlopt;

/// No div, mod or loaded value below \p N or in a need has \p A inside.
static bool isPlainBelow(Kernel &K, Node &N, AxisId A) {
  bool Ok = true;
  auto Check = [&](const Poly &P) {
    Ok &= !P.anyAtom([&](AtomId Id) {
      return K.Atoms[Id].K != Atom::Axis && K.dependsOn(Poly::atom(Id), A);
    });
  };
  forEachPolyBelow(K, N, [&](Poly &P) { Check(P); });
  for (const Need &Old : K.Needs)
    Check(Old.P);
  return Ok;
}

/// j < i + D becomes j < M - 1 + D where j <= i + D - 1; j < E - i becomes
/// j < E where j >= i, and what was j is j - i.
static bool squareAxis(Kernel &K, Node &N, ArrayRef<AxisId> Around) {
  if (K.Axes[N.Ax].Extents.size() != 1)
    return false;
  const Poly Extent = K.Axes[N.Ax].Extents[0];
  std::optional<AxisId> Row = getOnlyAxis(K, Extent, Around);
  if (!Row || K.Axes[*Row].Extents.size() != 1 ||
      !K.isFixed(K.Axes[*Row].Extents[0]) || !isPlainBelow(K, N, N.Ax))
    return false;
  AtomId I = K.getAxisAtom(*Row), J = K.getAxisAtom(N.Ax);
  Poly Rows = K.Axes[*Row].Extents[0], Rest = Extent.without(I);
  std::optional<int64_t> Slope = Extent.coefficient(I)->getConstant();
  if (Slope != 1 && Slope != -1)
    return false;
  Constraint Bound;
  if (*Slope == 1) {
    Bound.P = Extent - Poly(1) - Poly::atom(J);
    K.Axes[N.Ax].Extents[0] = Rows - Poly(1) + Rest;
  } else {
    Poly Old = Poly::atom(J) - Poly::atom(I);
    auto Rewrite = [&](Poly &P) { P = P.substitute(J, Old); };
    forEachPolyBelow(K, N, Rewrite);
    for (Need &X : K.Needs)
      Rewrite(X.P);
    Bound.P = Old;
    K.Axes[N.Ax].Extents[0] = Rest;
  }
  forEachLeafBelow(N, [&](Leaf &L) { L.Domain.push_back(Bound); });
  return true;
}

static bool squareBelow(Kernel &K, Node &N, SmallVectorImpl<AxisId> &Around) {
  bool Changed = false;
  if (N.K == Node::AxisNode) {
    Changed = squareAxis(K, N, Around);
    Around.push_back(N.Ax);
  }
  for (std::unique_ptr<Node> &Child : N.Children)
    Changed |= squareBelow(K, *Child, Around);
  if (N.K == Node::AxisNode)
    Around.pop_back();
  return Changed;
}

bool dlopt::squareTriangles(Kernel &K) {
  SmallVector<AxisId, 6> Around;
  if (!squareBelow(K, K.Root, Around))
    return false;
  auto Delinearize = [&](Leaf &L) {
    for (Op &O : L.Ops)
      if (O.K == Op::Load)
        delinearize(K, O.Acc);
    for (Assign &A : L.Assigns)
      delinearize(K, A.Target);
  };
  forEachLeafBelow(K.Root, Delinearize);
  computeRoles(K);
  return true;
}

/// The axis \p N by another name, whose extents may be set: needs speak of the
/// old one.
static AxisId renameAxis(Kernel &K, Node &N, const Poly &Offset) {
  AxisId New = static_cast<AxisId>(K.Axes.size());
  K.Axes.push_back(Axis(K.Axes[N.Ax]));
  K.Axes.back().L = nullptr;
  AtomId From = K.getAxisAtom(N.Ax);
  Poly To = Poly::atom(K.getAxisAtom(New)) + Offset;
  forEachPolyBelow(K, N, [&](Poly &P) { P = P.substitute(From, To); });
  return N.Ax = New;
}

static bool haveAll(Node &N, const Constraint &C) {
  bool All = true;
  forEachLeafBelow(N, [&](Leaf &L) { All &= is_contained(L.Domain, C); });
  return All;
}

/// Ends \p Column at its row, and at nothing that all rows end in front of.
static void addBound(Kernel &K, AxisId Column, const DiagonalBound &Bound) {
  SmallVectorImpl<Poly> &Extents = K.Axes[Column].Extents;
  erase_if(Extents, [&](const Poly &E) {
    return any_of(K.Axes[Bound.Row].Extents, [&](const Poly &Rows) {
      return (E - Rows - Bound.Rest).getConstant().value_or(-1) >= 0;
    });
  });
  Extents.push_back(Poly::atom(K.getAxisAtom(Bound.Row)) + Bound.Rest +
                    Poly(1));
}

static void restoreAxis(Kernel &K, Node &N, ArrayRef<AxisId> Around) {
  const Leaf *First = nullptr;
  forEachLeaf(
      N, [&](const Leaf &L, ArrayRef<AxisId>) { First = First ? First : &L; });
  if (!First || !isPlainBelow(K, N, N.Ax))
    return;
  SmallVector<Constraint, 2> Domain = First->Domain;
  for (const Constraint &C : Domain) {
    std::optional<DiagonalBound> Bound = getDiagonalBound(K, C, N.Ax, Around);
    if (!Bound || !haveAll(N, C) ||
        (Bound->Sign > 0 && Bound->Rest.getConstant().value_or(1) > 0))
      continue;
    forEachLeafBelow(N, [&](Leaf &L) { llvm::erase(L.Domain, C); });
    Poly Row = Poly::atom(K.getAxisAtom(Bound->Row));
    // Column >= Row - Rest, or Column <= Row + Rest.
    Poly Lowest = Bound->Sign > 0 ? Row - Bound->Rest : Poly();
    AxisId New = renameAxis(K, N, Lowest);
    for (Poly &Extent : K.Axes[New].Extents)
      Extent -= Lowest;
    if (Bound->Sign < 0)
      addBound(K, New, *Bound);
    return;
  }
}

static void restoreBelow(Kernel &K, Node &N, SmallVectorImpl<AxisId> &Around) {
  if (N.K == Node::AxisNode) {
    restoreAxis(K, N, Around);
    Around.push_back(N.Ax);
  }
  for (std::unique_ptr<Node> &Child : N.Children)
    restoreBelow(K, *Child, Around);
  if (N.K == Node::AxisNode)
    Around.pop_back();
}

void dlopt::restoreTriangles(Kernel &K, Node &N) {
  SmallVector<AxisId, 6> Around;
  restoreBelow(K, N, Around);
}

void dlopt::dropEmptyRows(Kernel &K, Node &N) {
  if (N.K != Node::AxisNode || K.Axes[N.Ax].Extents.size() != 1 ||
      !isPlainBelow(K, N, N.Ax))
    return;
  // The first column of a row i is there from i = Empty on.
  std::optional<int64_t> Empty;
  forEachLeaf(N, [&](const Leaf &L, ArrayRef<AxisId> Axes) {
    int64_t Mine = 0;
    for (const Constraint &C : L.Domain)
      for (AxisId A : Axes)
        if (auto B = getDiagonalBound(K, C, A, {N.Ax}); B && B->Sign < 0)
          Mine = std::max(Mine, -B->Rest.getConstant().value_or(0));
    Empty = std::min(Empty.value_or(Mine), Mine);
  });
  if (Empty.value_or(0) < 1)
    return;
  AxisId New = renameAxis(K, N, Poly(*Empty));
  K.Axes[New].Extents[0] -= Poly(*Empty);
}

/// Reads of \p Local in the leaves of \p N behind its child \p From are of the
/// element that \p Store writes, as long as that holds it.
static void reloadBehind(Kernel &K, Node &N, unsigned From, BufferId Local,
                         const Assign &Store) {
  const Access &Stored = Store.Target;
  auto IsLocal = [&](const Leaf &L, OpId Id) {
    return L.Ops[Id].K == Op::Load && L.Ops[Id].Acc.Buf == Local;
  };
  for (const auto &Child : drop_begin(N.Children, From + 1)) {
    if (Child->K != Node::LeafNode || !isPlain(Child->L))
      return;
    Leaf &L = Child->L;
    const Assign &To = L.Assigns[0];
    const Buffer &Buf = K.Buffers[To.Target.Buf];
    if (To.Target.Buf == Local)
      return;
    bool IsCopy = IsLocal(L, To.Value);
    // What goes to a local of the same iteration is seen when that is stored.
    if (!is_contained(N.Locals, To.Target.Buf))
      for (Op &O : L.Ops)
        if (O.K == Op::Load && O.Acc.Buf == Local) {
          O.Acc = Stored;
          O.Origin = Store.Origin;
        }
    // The same value may go anywhere.
    if (!IsCopy && !Buf.IsLocal &&
        (To.Target.Buf == Stored.Buf ||
         Buf.Bound == K.Buffers[Stored.Buf].Bound))
      return;
  }
}

static void reloadBelow(Kernel &K, Node &N) {
  for (auto [I, Child] : enumerate(N.Children)) {
    reloadBelow(K, *Child);
    if (Child->K != Node::LeafNode || !isPlain(Child->L))
      continue;
    const Assign &A = Child->L.Assigns[0];
    const Op &O = Child->L.Ops[A.Value];
    if (!K.Buffers[A.Target.Buf].IsLocal && O.K == Op::Load &&
        K.Buffers[O.Acc.Buf].IsLocal && O.Acc.Subs.empty())
      reloadBehind(K, N, I, O.Acc.Buf, A);
  }
}

void dlopt::reloadResults(Kernel &K) { reloadBelow(K, K.Root); }
