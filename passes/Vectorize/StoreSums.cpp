//===- StoreSums.cpp - Starts and sums wait in results --------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `s = start; for k: s += ...; C = f(s)`, where the start or what is done to
/// the sum takes statements of its own, or is no part of a product (calls):
/// each is stored to C and read from there, so that distribution gives it loops
/// of its own and leaves a sum that starts and ends in C. So do several sums in
/// one local: each starts in C where the one before it ended.
///
//===----------------------------------------------------------------------===//
#include "ContractionStrategy.h"
#include "dlopt/KernelEdit.h"
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

/// With the alignment and the types for alias analysis that \p Store has.
static std::unique_ptr<Node> makeCopy(const Access &To, const Access &From,
                                      ScalarType Ty, const Assign &Store) {
  auto Copy = std::make_unique<Node>();
  Copy->K = Node::LeafNode;
  Op Load;
  Load.K = Op::Load;
  Load.Ty = Ty;
  Load.Acc = From;
  Load.Origin = Store.Origin;
  Copy->L.Ops.push_back(std::move(Load));
  Assign A;
  A.Target = To;
  A.Origin = Store.Origin;
  Copy->L.Assigns.push_back(std::move(A));
  return Copy;
}

/// Passes the local \p From on through the element that \p Store writes to a
/// local of its own for the children of \p N from \p Begin on; that local.
static BufferId passOn(Kernel &K, Node &N, size_t Begin, BufferId From,
                       const Assign &Store) {
  Access Old, New;
  Old.Buf = From;
  New.Buf = static_cast<BufferId>(K.Buffers.size());
  K.Buffers.push_back(Buffer(K.Buffers[From]));
  N.Locals.push_back(New.Buf);
  for (const auto &Child : drop_begin(N.Children, Begin))
    renameBuffer(*Child, From, New.Buf);
  ScalarType Ty = K.Buffers[From].Ty;
  auto At = N.Children.insert(N.Children.begin() + Begin,
                              makeCopy(New, Store.Target, Ty, Store));
  N.Children.insert(At, makeCopy(Store.Target, Old, Ty, Store));
  return New.Buf;
}

/// The same for the loops in \p N, which all add to one sum, and for what is
/// done to it.
static bool storeSum(Kernel &K, Node &N, SumStores How) {
  if (N.K != Node::AxisNode || N.Children.empty() ||
      !isPlainLeaf(*N.Children.back()))
    return false;
  const Node &Last = *N.Children.back();
  std::optional<BufferId> Sum;
  SmallVector<size_t, 4> Cuts;
  for (auto [At, Child] : enumerate(N.Children)) {
    if (Child->K != Node::AxisNode)
      continue;
    std::optional<BufferId> Its = getSum(N, *Child);
    if (!Its || (Sum && *Sum != *Its))
      return false;
    Sum = Its;
    if (At && (!Cuts.empty() || How.Starts) && !is_contained(Cuts, At))
      Cuts.push_back(At);
    Cuts.push_back(At + 1);
  }
  if (!Sum || !canHold(K, N, Last, *Sum))
    return false;
  // One statement may be a part of the product.
  if (Cuts.back() + 1 == N.Children.size() && !How.Results)
    Cuts.pop_back();
  const Assign Store = Last.L.Assigns[0];
  for (auto [Nodes, At] : enumerate(Cuts))
    Sum = passOn(K, N, At + 2 * Nodes, *Sum, Store);
  return !Cuts.empty();
}

bool dlopt::storeSums(Kernel &K, Node &N, SumStores How) {
  bool Any = storeSum(K, N, How);
  for (const auto &Child : N.Children)
    Any |= storeSums(K, *Child, How);
  return Any;
}
