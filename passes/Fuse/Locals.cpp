//===- Locals.cpp - Elements that stay in registers -----------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///   for i { T[i] = f(i); T[i] = g(T[i]); O[i] = h(T[i]); }
///
/// is, with a scalar t that lives for one iteration,
///
///   for i { t = f(i); t = g(t); O[i] = h(t); T[i] = t; }
///
/// and the last assignment goes, too, if nobody else reads T.
///
//===----------------------------------------------------------------------===//
#include "Fusion.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace dlopt;

namespace {

/// One array below one axis.
class ElementKeeper {
public:
  ElementKeeper(Kernel &K, Node &N, BufferId B) : K(K), N(N), B(B) {}

  /// Finds the one element that all below the axis use, and where it is set
  /// first.
  bool match();
  /// \p IsPrivate: nothing beside the axis reads what is written.
  void apply(bool IsPrivate);

private:
  bool visitUses(const Node &At, function_ref<bool(const Access &)> Ok) const;
  void take(Leaf &L, Access Kept);
  void takeBelow(Node &At, const Access &Kept);

  Kernel &K;
  Node &N;
  BufferId B;
  const Assign *Set = nullptr;
  size_t First = 0;
  bool ReadsBefore = false;
};

} // namespace

bool ElementKeeper::visitUses(const Node &At,
                              function_ref<bool(const Access &)> Ok) const {
  bool Result = true;
  forEachLeaf(At, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Op &O : L.Ops)
      Result &= O.K != Op::Load || O.Acc.Buf != B || Ok(O.Acc);
    for (const Assign &A : L.Assigns)
      Result &= A.Target.Buf != B || Ok(A.Target);
  });
  return Result;
}

static bool isUnconditional(const Node &N) {
  return N.K == Node::LeafNode && N.L.Domain.empty() && !N.L.Predicate;
}

bool ElementKeeper::match() {
  for (auto [I, Child] : enumerate(N.Children)) {
    if (isUnconditional(*Child))
      for (const Assign &A : Child->L.Assigns)
        if (!Set && A.Target.Buf == B) {
          Set = &A;
          First = I;
        }
    // What writes before that is not understood.
    bool Writes = false;
    forEachLeaf(*Child, [&](const Leaf &L, ArrayRef<AxisId>) {
      Writes |=
          any_of(L.Assigns, [&](const Assign &A) { return A.Target.Buf == B; });
    });
    if (Set)
      break;
    if (Writes)
      return false;
  }
  if (!Set)
    return false;
  Poly Offset = Set->Target.offset();
  // One element: no axis inside chooses it.
  SmallVector<AxisId, 4> Inside;
  bool IsOne = true, IsUsed = false;
  auto IsTheOne = [&](const Access &X) { return X.offset() == Offset; };
  auto FindAxes = [&](const Node &At, auto &Self) -> void {
    if (At.K == Node::AxisNode)
      Inside.push_back(At.Ax);
    for (const auto &Child : At.Children)
      Self(*Child, Self);
  };
  for (const auto &Child : N.Children)
    FindAxes(*Child, FindAxes);
  for (auto [I, Child] : enumerate(N.Children)) {
    IsOne &= visitUses(*Child, IsTheOne);
    if (I > First)
      IsUsed |= !visitUses(*Child, [](const Access &) { return false; });
    else
      ReadsBefore |= !visitUses(
          *Child, [&](const Access &X) { return &X == &Set->Target; });
  }
  return IsOne && IsUsed &&
         none_of(Inside, [&](AxisId A) { return K.dependsOn(Offset, A); });
}

void ElementKeeper::take(Leaf &L, Access Kept) {
  for (Op &O : L.Ops)
    if (O.K == Op::Load && O.Acc.Buf == B) {
      O.Acc = Kept;
      O.Origin = nullptr;
    }
  for (Assign &A : L.Assigns)
    if (A.Target.Buf == B) {
      A.Target = Kept;
      A.Origin = nullptr;
    }
}

void ElementKeeper::takeBelow(Node &At, const Access &Kept) {
  if (At.K == Node::LeafNode)
    take(At.L, Kept);
  for (const auto &Child : At.Children)
    takeBelow(*Child, Kept);
}

void ElementKeeper::apply(bool IsPrivate) {
  Assign Last = *Set;
  Buffer Local;
  Local.Name = "t";
  Local.Ty = K.Buffers[B].Ty;
  Local.IsLocal = true;
  Access Kept;
  Kept.Buf = static_cast<BufferId>(K.Buffers.size());
  K.Buffers.push_back(std::move(Local));
  N.Locals.push_back(Kept.Buf);
  // In the leaf that sets it, what is read is the value from before.
  for (Assign &A : N.Children[First]->L.Assigns)
    if (A.Target.Buf == B) {
      A.Target = Kept;
      A.Origin = nullptr;
    }
  for (size_t I = First + 1; I != N.Children.size(); ++I)
    takeBelow(*N.Children[I], Kept);
  if (IsPrivate && !ReadsBefore)
    return;
  auto Write = std::make_unique<Node>();
  Write->K = Node::LeafNode;
  Op Value;
  Value.K = Op::Load;
  Value.Ty = K.Buffers[B].Ty;
  Value.Acc = Kept;
  Write->L.Ops.push_back(std::move(Value));
  Last.Value = 0;
  Write->L.Assigns.push_back(std::move(Last));
  N.Children.push_back(std::move(Write));
}

bool dlopt::isUsedBeside(const Kernel &K, const Node &At, const Node &N,
                         BufferId B) {
  if (&At == &N)
    return false;
  if (At.K == Node::LeafNode)
    return any_of(At.L.Ops,
                  [&](const Op &O) {
                    return O.K == Op::Load && O.Acc.Buf == B;
                  }) ||
           any_of(At.L.Assigns,
                  [&](const Assign &A) { return A.Target.Buf == B; });
  return any_of(At.Children, [&](const auto &Child) {
    return isUsedBeside(K, *Child, N, B);
  });
}

/// Whether \p B is memory that may be errno where \p N sets that.
static bool meetsErrno(const Kernel &K, const Node &N, BufferId B) {
  bool Sets = false;
  forEachLeaf(N, [&](const Leaf &L, ArrayRef<AxisId>) {
    Sets |= any_of(L.Ops, [](const Op &O) { return O.WritesErrno; });
  });
  return Sets && !isFloat(K.Buffers[B].Ty);
}

static bool keepBelow(Kernel &K, Node &N, ArrayRef<BufferId> Private) {
  bool Changed = false;
  if (N.K == Node::AxisNode)
    for (BufferId B = 0, E = K.Buffers.size(); B != E; ++B) {
      ElementKeeper Keeper(K, N, B);
      if (K.Buffers[B].IsLocal || any_of(K.Atoms, [&](const Atom &A) {
            return A.K == Atom::Load && A.Source.Buf == B;
          }))
        continue;
      if (!Keeper.match() || meetsErrno(K, N, B))
        continue;
      Keeper.apply(
          (is_contained(Private, B) || DLOPT_PLANTED(ArrayForgotten)) &&
          !isUsedBeside(K, K.Root, N, B));
      Changed = true;
    }
  for (const auto &Child : N.Children)
    Changed |= keepBelow(K, *Child, Private);
  return Changed;
}

bool dlopt::keepInLocals(Kernel &K, ArrayRef<BufferId> Private) {
  return keepBelow(K, K.Root, Private);
}

std::vector<bool> dlopt::findUsed(const Kernel &K) {
  std::vector<bool> Used(K.Buffers.size());
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Op &O : L.Ops)
      if (O.K == Op::Load)
        Used[O.Acc.Buf] = true;
    for (const Assign &A : L.Assigns)
      Used[A.Target.Buf] = true;
  });
  for (const Atom &A : K.Atoms)
    if (A.K == Atom::Load)
      Used[A.Source.Buf] = true;
  for (const Need &N : K.Needs)
    if (N.K == Need::NonZero)
      Used[N.Buf] = true;
  return Used;
}

void dlopt::dropNeeds(Kernel &K, const std::vector<bool> &Before) {
  std::vector<bool> Used = findUsed(K);
  auto IsLost = [&](BufferId B) {
    return !Used[B] && B < Before.size() && Before[B];
  };
  for (Need &N : K.Needs)
    if (N.K == Need::Disjoint)
      erase_if(N.Others, IsLost);
  erase_if(K.Needs, [&](const Need &N) {
    return N.K == Need::Disjoint && (IsLost(N.Buf) || N.Others.empty());
  });
}
