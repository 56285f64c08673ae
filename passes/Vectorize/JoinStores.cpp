//===- JoinStores.cpp - Stores under opposite conditions ------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `if (x > 0) y = x; else y = 0;` writes y always: what is written is chosen
/// under the conditions, and stored behind them without any.
///
//===----------------------------------------------------------------------===//
#include "LaneStrategy.h"
#include "dlopt/Lanes.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Uses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace dlopt;

/// Whether the children \p First and \p Second of \p N store to one element, of
/// which nothing between them knows.
static bool storeToOne(const Kernel &K, const Node &N, size_t First,
                       size_t Second) {
  const Node &X = *N.Children[First], &Y = *N.Children[Second];
  if (X.K != Node::LeafNode || Y.K != Node::LeafNode ||
      X.L.Assigns.size() != 1 || Y.L.Assigns.size() != 1)
    return false;
  const Access &To = X.L.Assigns[0].Target, &Other = Y.L.Assigns[0].Target;
  bool HasLoad =
      K.anyNestedAtom(To, [](const Atom &A) { return A.K == Atom::Load; });
  return To.Buf == Other.Buf && !K.Buffers[To.Buf].IsLocal && !HasLoad &&
         getOffset(K, To) == getOffset(K, Other) &&
         (areOpposite(K, N, First, Second) || DLOPT_PLANTED(StoresJoined)) &&
         none_of(ArrayRef(N.Children).slice(First + 1, Second - First - 1),
                 [&](const auto &C) { return uses(K, *C, To.Buf); });
}

/// What is known of the alignment of both stores.
static Value *getCommonOrigin(const Assign &X, const Assign &Y) {
  auto *S = dyn_cast_or_null<StoreInst>(X.Origin);
  auto *T = dyn_cast_or_null<StoreInst>(Y.Origin);
  return S && T ? (S->getAlign() < T->getAlign() ? S : T) : nullptr;
}

static void join(Kernel &K, Node &N, size_t First, size_t Second) {
  Assign &X = N.Children[First]->L.Assigns[0],
         &Y = N.Children[Second]->L.Assigns[0];
  auto Store = std::make_unique<Node>();
  Store->K = Node::LeafNode;
  Store->L.Loc = N.Children[Second]->L.Loc;
  Assign A = X;
  A.Origin = getCommonOrigin(X, Y);
  A.Value = 0;
  Buffer Local;
  Local.Name = "t";
  Local.Ty = K.Buffers[A.Target.Buf].Ty;
  Local.IsLocal = true;
  Op Load;
  Load.K = Op::Load;
  Load.Ty = Local.Ty;
  Load.Acc.Buf = static_cast<BufferId>(K.Buffers.size());
  N.Locals.push_back(Load.Acc.Buf);
  K.Buffers.push_back(std::move(Local));
  for (Assign *Old : {&X, &Y}) {
    Old->Target = Load.Acc;
    Old->Origin = nullptr;
  }
  Store->L.Ops.push_back(std::move(Load));
  Store->L.Assigns.push_back(std::move(A));
  N.Children.insert(N.Children.begin() + Second + 1, std::move(Store));
}

bool dlopt::joinStores(Kernel &K, Node &N) {
  bool Any = false;
  for (const auto &Child : N.Children)
    Any |= joinStores(K, *Child);
  if (N.K != Node::AxisNode)
    return Any;
  for (size_t Second = 1; Second < N.Children.size(); ++Second)
    for (size_t First = 0; First != Second; ++First)
      if (storeToOne(K, N, First, Second)) {
        join(K, N, First, Second);
        Any = true;
        break;
      }
  return Any;
}
