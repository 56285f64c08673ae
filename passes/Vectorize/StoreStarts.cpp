//===- StoreStarts.cpp - Start values of sums in their results ------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `s = start; for k: s += ...; C = f(s)`, where the start or what is done to
/// the sum takes statements of its own: each is stored to C and read from
/// there, so that distribution gives it loops of its own and leaves a sum that
/// starts and ends in C.
///
//===----------------------------------------------------------------------===//
#include "ContractionStrategy.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Uses.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace dlopt;

static bool isPlainLeaf(const Node &N) {
  return N.K == Node::LeafNode && N.L.Domain.empty() && !N.L.Predicate &&
         N.L.Assigns.size() == 1;
}

/// The local of \p N that the loop \p Sum, and nothing else there, assigns to.
static std::optional<BufferId> getSum(const Node &N, const Node &Sum) {
  SmallVector<BufferId, 2> Assigned;
  forEachLeaf(Sum, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Assign &A : L.Assigns)
      if (!is_contained(Assigned, A.Target.Buf))
        Assigned.push_back(A.Target.Buf);
  });
  if (Assigned.size() != 1 || !is_contained(N.Locals, Assigned[0]))
    return std::nullopt;
  return Assigned[0];
}

/// Whether nothing in \p N but the store \p Last knows of what that writes, and
/// it has the type of \p Sum.
static bool canHold(const Kernel &K, const Node &N, const Node &Last,
                    BufferId Sum) {
  const Access &To = Last.L.Assigns[0].Target;
  const Buffer &Result = K.Buffers[To.Buf];
  bool IsRead = reads(Last.L, To.Buf) && !DLOPT_PLANTED(StartOverResult);
  return !Result.IsLocal && Result.Ty == K.Buffers[Sum].Ty && !IsRead &&
         !K.anyNestedAtom(To,
                          [](const Atom &A) { return A.K == Atom::Load; }) &&
         none_of(ArrayRef(N.Children).drop_back(),
                 [&](const auto &C) { return uses(K, *C, To.Buf); });
}

static void rename(Node &N, BufferId From, BufferId To) {
  for (Op &O : N.L.Ops)
    if (O.K == Op::Load && O.Acc.Buf == From)
      O.Acc.Buf = To;
  for (Assign &A : N.L.Assigns)
    if (A.Target.Buf == From)
      A.Target.Buf = To;
  for (const auto &Child : N.Children)
    rename(*Child, From, To);
}

static std::unique_ptr<Node> makeCopy(const Access &To, const Access &From,
                                      ScalarType Ty) {
  auto Copy = std::make_unique<Node>();
  Copy->K = Node::LeafNode;
  Op Load;
  Load.K = Op::Load;
  Load.Ty = Ty;
  Load.Acc = From;
  Copy->L.Ops.push_back(std::move(Load));
  Assign A;
  A.Target = To;
  Copy->L.Assigns.push_back(std::move(A));
  return Copy;
}

/// Passes the local \p From on through the element \p Result to a local of its
/// own for the children of \p N from \p Begin on; that local.
static BufferId passOn(Kernel &K, Node &N, size_t Begin, BufferId From,
                       const Access &Result) {
  Access Old, New;
  Old.Buf = From;
  New.Buf = static_cast<BufferId>(K.Buffers.size());
  K.Buffers.push_back(Buffer(K.Buffers[From]));
  N.Locals.push_back(New.Buf);
  for (const auto &Child : drop_begin(N.Children, Begin))
    rename(*Child, From, New.Buf);
  ScalarType Ty = K.Buffers[From].Ty;
  auto At =
      N.Children.insert(N.Children.begin() + Begin, makeCopy(New, Result, Ty));
  N.Children.insert(At, makeCopy(Result, Old, Ty));
  return New.Buf;
}

/// The same for the only loop in \p N, and for what is done to its sum.
static bool storeStart(Kernel &K, Node &N) {
  auto IsLoop = [](const auto &C) { return C->K == Node::AxisNode; };
  auto Loop = find_if(N.Children, IsLoop);
  if (N.K != Node::AxisNode || count_if(N.Children, IsLoop) != 1 ||
      !isPlainLeaf(*N.Children.back()))
    return false;
  const Node &Last = *N.Children.back();
  std::optional<BufferId> Sum = getSum(N, **Loop);
  if (!Sum || !canHold(K, N, Last, *Sum))
    return false;
  Access Result = Last.L.Assigns[0].Target;
  size_t At = Loop - N.Children.begin(), Behind = N.Children.size() - At - 1;
  if (At)
    Sum = passOn(K, N, At, *Sum, Result);
  if (Behind > 1)
    passOn(K, N, N.Children.size() - Behind, *Sum, Result);
  return At || Behind > 1;
}

bool dlopt::storeStarts(Kernel &K, Node &N) {
  bool Any = storeStart(K, N);
  for (const auto &Child : N.Children)
    Any |= storeStarts(K, *Child);
  return Any;
}
