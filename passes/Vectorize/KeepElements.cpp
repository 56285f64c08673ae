//===- KeepElements.cpp - Elements that loops go on with ------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `*o = *x; for (..) if (*o < x[..]) *o = x[..];` stores an element in any
/// case, and loops read and write it again and again, behind that or in front.
/// They get a local, which is stored once, behind them: in lanes that is a
/// register, where loads would wait for stores under a mask. So do elements
/// that loops alone store, `for (..) *o += x[..];`, if each of them runs.
///
//===----------------------------------------------------------------------===//
#include "LaneStrategy.h"
#include "dlopt/Dependences.h"
#include "dlopt/Lanes.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Raise.h"
#include "dlopt/Uses.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace dlopt;

/// Whether the leaf \p N stores one element of memory where its bounds let it
/// run, and does so always.
static bool storesInside(const Kernel &K, const Node &N) {
  return N.K == Node::LeafNode && N.L.Assigns.size() == 1 &&
         (!N.L.Predicate || DLOPT_PLANTED(ElementMayBeUnset)) &&
         !K.Buffers[N.L.Assigns[0].Target.Buf].IsLocal;
}

/// The same, wherever it is.
static bool storesAlways(const Kernel &K, const Node &N) {
  return storesInside(K, N) && N.L.Domain.empty();
}

static const Access &getStored(const Leaf &L) { return L.Assigns[0].Target; }

/// Whether all that \p N reads and writes of the buffer of \p X is \p X.
static bool usesOnly(const Kernel &K, const Node &N, const Access &X) {
  Poly Offset = getOffset(K, X);
  auto IsSame = [&](const Access &Y) {
    return Y.Buf != X.Buf || getOffset(K, Y) == Offset;
  };
  bool Only = true;
  forEachLeaf(N, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Op &O : L.Ops)
      Only &= O.K != Op::Load || IsSame(O.Acc);
    for (const Assign &A : L.Assigns)
      Only &= IsSame(A.Target);
  });
  return Only;
}

namespace {
/// The children of a node that know of an element.
struct Users {
  size_t First = 0, Last = 0;
};
} // namespace

/// The leaf that stores an element in each round of the loops \p N, which are
/// inside each other, if that is always the same one; \p Inside: these loops.
static const Leaf *getLeafOfLoops(const Kernel &K, const Node &N,
                                  SmallVectorImpl<AxisId> &Inside) {
  if (N.K != Node::AxisNode)
    return nullptr;
  const Node *Inner = &N;
  for (; Inner->K == Node::AxisNode; Inner = Inner->Children.front().get()) {
    if (Inner->Children.size() != 1 || !K.hasFixedExtents(Inner->Ax))
      return nullptr;
    Inside.push_back(Inner->Ax);
  }
  if (!storesInside(K, *Inner) || !reads(Inner->L, getStored(Inner->L).Buf) ||
      any_of(Inside, [&](AxisId A) {
        return K.dependsOn(getOffset(K, getStored(Inner->L)), A);
      }))
    return nullptr;
  return &Inner->L;
}

/// Those of \p N that use what the one at \p Stored stores, by \p L, if that
/// can be a local for them, and a loop among them stores it, too.
static std::optional<Users> getUsers(const Kernel &K, const Node &N,
                                     size_t Stored, const Leaf &L) {
  const Access &X = getStored(L);
  auto IsLoad = [](const Atom &A) { return A.K == Atom::Load; };
  if (K.anyNestedAtom(X, IsLoad) || any_of(K.Atoms, [&](const Atom &A) {
        return IsLoad(A) && A.Source.Buf == X.Buf;
      }))
    return std::nullopt;
  Users U{Stored, Stored};
  bool InLoop = false;
  for (size_t I = 0; I != N.Children.size(); ++I) {
    const Node &C = *N.Children[I];
    if (!uses(K, C, X.Buf))
      continue;
    if (!usesOnly(K, C, X))
      return std::nullopt;
    InLoop |= C.K == Node::AxisNode && assigns(C, X.Buf);
    U.First = std::min(U.First, I);
    U.Last = std::max(U.Last, I);
  }
  return InLoop ? std::optional(U) : std::nullopt;
}

static void rename(Node &N, BufferId From, const Access &To) {
  for (Op &O : N.L.Ops)
    if (O.K == Op::Load && O.Acc.Buf == From) {
      O.Acc = To;
      O.Origin = nullptr;
    }
  for (Assign &A : N.L.Assigns)
    if (A.Target.Buf == From) {
      A.Target = To;
      A.Origin = nullptr;
    }
  for (const auto &Child : N.Children)
    rename(*Child, From, To);
}

/// A leaf that assigns \p From to the target of \p To, and that alone.
static std::unique_ptr<Node> makeCopy(Assign To, Op From, const DebugLoc &Loc) {
  auto Copy = std::make_unique<Node>();
  Copy->K = Node::LeafNode;
  Copy->L.Loc = Loc;
  Copy->L.Ops.push_back(std::move(From));
  To.Value = 0;
  Copy->L.Assigns.push_back(std::move(To));
  return Copy;
}

static void keep(Kernel &K, Node &N, size_t Stored, const Leaf &L, Users U) {
  DebugLoc Loc = L.Loc;
  Assign Store = L.Assigns[0];
  bool IsSet = U.First == Stored && !reads(L, Store.Target.Buf);
  Op Element, Kept;
  Element.K = Kept.K = Op::Load;
  Element.Ty = Kept.Ty = K.Buffers[Store.Target.Buf].Ty;
  Element.Acc = Store.Target;
  Kept.Acc.Buf = static_cast<BufferId>(K.Buffers.size());
  Buffer Local;
  Local.Name = "t";
  Local.Ty = Kept.Ty;
  Local.IsLocal = true;
  N.Locals.push_back(Kept.Acc.Buf);
  K.Buffers.push_back(std::move(Local));
  for (size_t I = U.First; I <= U.Last; ++I)
    rename(*N.Children[I], Store.Target.Buf, Kept.Acc);
  Assign Start;
  Start.Target = Kept.Acc;
  auto Begin = N.Children.begin();
  N.Children.insert(Begin + U.Last + 1,
                    makeCopy(std::move(Store), std::move(Kept), Loc));
  if (!IsSet)
    N.Children.insert(N.Children.begin() + U.First,
                      makeCopy(std::move(Start), std::move(Element), Loc));
}

/// What \p P is at least, wherever the axes other than \p Loops are.
static std::optional<Poly> getLeast(const Kernel &K, Poly P,
                                    ArrayRef<AxisId> Loops) {
  for (AxisId A = 0; A != K.Axes.size(); ++A) {
    if (is_contained(Loops, A))
      continue;
    std::optional<Poly> End = getEnd(K, P, A, /*Most=*/false);
    if (!End || (*End != P && !K.hasFixedExtents(A)))
      return std::nullopt;
    P = *End;
  }
  return P;
}

Need dlopt::getAtLeast(const Poly &P, int64_t Least) {
  Need N;
  N.K = Need::InRange;
  N.P = P;
  N.Lo = Least;
  N.Hi = INT64_MAX;
  return N;
}

/// What of its round on the axis \p A each of \p Limits asks, and that there is
/// such a round: the least and the greatest ones leave one between them, for
/// which the steps of both make room (Pugh, The Omega Test, 1991).
static bool addRounds(const Kernel &K, ArrayRef<AxisId> Loops, AxisId A,
                      ArrayRef<Poly> Limits, std::vector<Need> &Needed) {
  AtomId Atom = *K.findAxisAtom(A);
  SmallVector<std::pair<int64_t, Poly>, 4> Lower, Upper;
  for (const Poly &P : Limits) {
    int64_t By = *getStride(K, P, A)->getConstant();
    (By > 0 ? Lower : Upper).emplace_back(std::abs(By), P.without(Atom));
  }
  for (const auto &[ByLow, Low] : Lower)
    for (const auto &[ByHigh, High] : Upper) {
      std::optional<Poly> Room =
          getLeast(K, High * Poly(ByLow) + Low * Poly(ByHigh), Loops);
      if (!Room)
        return false;
      Needed.push_back(getAtLeast(*Room, (ByLow - 1) * (ByHigh - 1)));
    }
  return true;
}

/// What \p Loops need to have a round in which \p L stores, wherever the axes
/// around them are; nullopt: they may have none, as far as that is known.
static std::optional<std::vector<Need>>
findRounds(const Kernel &K, const Leaf &L, ArrayRef<AxisId> Loops) {
  std::vector<Need> Needed;
  SmallVector<SmallVector<Poly, 4>, 4> Limits(Loops.size());
  constexpr int64_t MostApart = 1 << 15;
  for (const Constraint &C : L.Domain) {
    // One that speaks of two loops ties their rounds together.
    std::optional<size_t> Of;
    for (auto [I, A] : enumerate(Loops))
      if (K.dependsOn(C.P, A)) {
        if (Of)
          return std::nullopt;
        Of = I;
      }
    if (C.IsEquality || !Of)
      return std::nullopt;
    std::optional<Poly> Step = getStride(K, C.P, Loops[*Of]);
    std::optional<int64_t> By = Step ? Step->getConstant() : std::nullopt;
    if (!By || std::abs(*By) > MostApart ||
        K.anyNestedAtom(C.P, [](const Atom &A) { return A.K == Atom::Load; }))
      return std::nullopt;
    Limits[*Of].push_back(C.P);
  }
  for (auto [A, Own] : zip_equal(Loops, Limits)) {
    for (const Poly &Extent : K.Axes[A].Extents) {
      Needed.push_back(getAtLeast(Extent, 1));
      if (!Own.empty())
        Own.push_back(Extent - 1 - Poly::atom(*K.findAxisAtom(A)));
    }
    if (Own.empty())
      continue;
    Own.push_back(Poly::atom(*K.findAxisAtom(A)));
    if (!addRounds(K, Loops, A, Own, Needed))
      return std::nullopt;
  }
  auto Fails = [](const Need &N) {
    return N.P.getConstant().value_or(N.Lo) < N.Lo;
  };
  if (any_of(Needed, Fails) && !DLOPT_PLANTED(ElementMayBeUnset))
    return std::nullopt;
  erase_if(Needed, [](const Need &N) {
    return N.P.getConstant() || DLOPT_PLANTED(ElementMayBeUnset);
  });
  return Needed;
}

/// From the outside in: an element is kept as long as it can be.
static bool keepBelow(Kernel &K, Node &N) {
  bool Any = false;
  for (size_t I = 0; N.K == Node::AxisNode && I != N.Children.size(); ++I) {
    const Node &C = *N.Children[I];
    SmallVector<AxisId, 4> Inside;
    const Leaf *L = storesAlways(K, C) ? &C.L : getLeafOfLoops(K, C, Inside);
    std::optional<Users> U;
    std::optional<std::vector<Need>> Rounds;
    if (!L || !(U = getUsers(K, N, I, *L)) ||
        !(Rounds = findRounds(K, *L, Inside)))
      continue;
    keep(K, N, I, *L, *U);
    // What no round stores stays as it is.
    append_range(K.Needs, std::move(*Rounds));
    Any = true;
  }
  for (const auto &Child : N.Children)
    Any |= keepBelow(K, *Child);
  return Any;
}

bool dlopt::keepElements(Kernel &K) {
  bool Any = keepBelow(K, K.Root);
  if (Any)
    computeRoles(K);
  return Any;
}
