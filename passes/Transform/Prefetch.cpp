//===- Prefetch.cpp - What is read soon -----------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// prefetch %w r i 16 [where ...]: each round of r fetches what is read below
/// it of %w 16 rounds of i later (Halide's prefetch: func, at, from, offset),
/// the first element of each access:
///
///   seq r[16] red u[2] par l[16]  f(%w[i + r,2*l + u])
///   ->
///   seq r[16]
///     prefetch %w[i + 16 + r,0]
///     red u[2] par l[16]  f(%w[i + r,2*l + u])
///
/// Nothing is read, so nothing of it need exist; but what is computed for the
/// address and for the conditions must have a value.
///
//===----------------------------------------------------------------------===//
#include "Step.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace dlopt;

/// What is loaded of \p Name below \p N, each element once.
static SmallVector<Access, 4> findLoads(const Kernel &K, Node &N,
                                        StringRef Name) {
  SmallVector<Access, 4> Found;
  forEachLeafNode(N, [&](Leaf &L) {
    for (const Op &O : L.Ops)
      if (O.K == Op::Load && !K.Buffers[O.Acc.Buf].IsLocal &&
          K.Buffers[O.Acc.Buf].Name == Name && !is_contained(Found, O.Acc))
        Found.push_back(O.Acc);
  });
  return Found;
}

bool Step::prefetch() {
  StringRef Name, From;
  Place P;
  int64_t Count = 0;
  SmallVector<Constraint, 2> Where;
  if (takeWord(Name, "a buffer") || takeAxis(P) || takeWord(From, "an axis") ||
      takeSize(Count) ||
      (takeOptional("where") ? takeConstraints(P, Where) : expectEnd()) ||
      refuseLanes(P))
    return true;
  for (const Constraint &C : Where)
    if (refuseUnsafe(C.P))
      return true;
  Name.consume_front("%");
  Node &At = P.node();
  const auto Around = P.axes();
  const auto *Ahead =
      find_if(Around, [&](const Node *N) { return axisOf(*N).Name == From; });
  if (Ahead == Around.end())
    return fail("'" + From + "' is not around '" + axisOf(At).Name + "'");
  SmallVector<AxisId, 4> Below;
  for (const auto &Child : At.Children)
    collectAxes(*Child, Below);
  auto Map = [&](const Atom &A) -> std::optional<Poly> {
    if (A.K == Atom::Axis && A.Ref == (*Ahead)->Ax)
      return Poly::atom(K.getAxisAtom(A.Ref)) + Poly(Count);
    return A.K == Atom::Axis && is_contained(Below, A.Ref)
               ? std::optional(Poly())
               : std::nullopt;
  };
  SmallVector<Access, 4> Fetched;
  for (Access &X : findLoads(K, At, Name)) {
    for (Poly &S : X.Subs)
      S = substituteAtoms(K, S, Map);
    if (refuseUnsafe(X.Subs))
      return true;
    if (!X.Subs.empty() && !is_contained(Fetched, X))
      Fetched.push_back(std::move(X));
  }
  if (Fetched.empty())
    return fail("'" + Name + "' is not read below '" + axisOf(At).Name + "'");
  for (auto [I, X] : enumerate(Fetched)) {
    auto N = std::make_unique<Node>();
    N->K = Node::LeafNode;
    N->L.Prefetch = std::move(X);
    N->L.Domain.assign(Where.begin(), Where.end());
    At.Children.insert(At.Children.begin() + static_cast<ptrdiff_t>(I),
                       std::move(N));
  }
  return false;
}
