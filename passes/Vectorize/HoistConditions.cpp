//===- HoistConditions.cpp - Conditions in front of loops -----------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A loop whose leaves all have a condition that nothing in the loop changes
/// runs as a whole or not at all. The condition becomes an axis of one round or
/// none around it, so that the leaves run in every round of the loop:
///
///   red c[%C]  acc = fmuladd(%in[y + f, c], %w[f, c], acc)  where y + f < %H
///   ->
///   red when[min(1, %H - y - f)]
///     red c[%C]  acc = fmuladd(%in[y + f, c], %w[f, c], acc)
///
//===----------------------------------------------------------------------===//
#include "LaneStrategy.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace dlopt;

/// Whether \p C is the same in all rounds of the loop \p N and of those inside.
static bool isInvariant(const Kernel &K, const Constraint &C, const Node &N) {
  if (N.K == Node::AxisNode && K.dependsOn(C.P, N.Ax))
    return false;
  return all_of(N.Children,
                [&](const auto &Child) { return isInvariant(K, C, *Child); });
}

/// An inequality that arithmetic on small numbers decides.
static bool isMovable(const Kernel &K, const Constraint &C) {
  return !C.IsEquality && !K.anyNestedAtom(C.P, [](const Atom &A) {
    return A.K != Atom::Axis && A.K != Atom::Param;
  });
}

/// The conditions that all leaves below \p N have in common.
static SmallVector<Constraint, 4> getCommon(const Kernel &K, const Node &N) {
  std::optional<SmallVector<Constraint, 4>> Common;
  forEachLeaf(N, [&](const Leaf &L, ArrayRef<AxisId>) {
    if (!Common) {
      Common.emplace();
      copy_if(L.Domain, std::back_inserter(*Common), [&](const Constraint &C) {
        return isMovable(K, C) && isInvariant(K, C, N);
      });
    }
    erase_if(*Common, [&](const Constraint &C) {
      return none_of(L.Domain, [&](const Constraint &Other) {
        return !Other.IsEquality && Other.P == C.P;
      });
    });
  });
  return Common.value_or(SmallVector<Constraint, 4>());
}

static void removeConditions(Node &N, ArrayRef<Constraint> Conditions) {
  erase_if(N.L.Domain, [&](const Constraint &C) {
    return !C.IsEquality && any_of(Conditions, [&](const Constraint &Other) {
      return Other.P == C.P;
    });
  });
  for (const auto &Child : N.Children)
    removeConditions(*Child, Conditions);
}

/// An axis around \p N that runs if all of \p Conditions hold.
static std::unique_ptr<Node> wrap(Kernel &K, std::unique_ptr<Node> N,
                                  ArrayRef<Constraint> Conditions) {
  Axis When;
  When.Name = "when";
  When.R = K.Axes[N->Ax].R;
  When.Loc = K.Axes[N->Ax].Loc;
  When.Extents.push_back(1);
  if (DLOPT_PLANTED(LastConditionLost))
    Conditions = Conditions.drop_back();
  for (const Constraint &C : Conditions)
    When.Extents.push_back(C.P + 1);
  auto Result = std::make_unique<Node>();
  Result->K = Node::AxisNode;
  Result->Ax = static_cast<AxisId>(K.Axes.size());
  K.Axes.push_back(std::move(When));
  Result->Children.push_back(std::move(N));
  return Result;
}

static bool hoistBelow(Kernel &K, Node &N) {
  bool Any = false;
  for (auto &Child : N.Children) {
    if (Child->K == Node::LeafNode)
      continue;
    // Of parallel loops those in lanes have masks.
    bool IsChain =
        Child->K == Node::AxisNode && K.Axes[Child->Ax].R != Role::Parallel;
    SmallVector<Constraint, 4> Common;
    if (IsChain)
      Common = getCommon(K, *Child);
    Node &Loop = *Child;
    if (!Common.empty()) {
      Any = true;
      removeConditions(Loop, Common);
      Child = wrap(K, std::move(Child), Common);
    }
    Any |= hoistBelow(K, Loop);
  }
  return Any;
}

bool dlopt::hoistConditions(Kernel &K) { return hoistBelow(K, K.Root); }
