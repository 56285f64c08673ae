//===- TextStrides.cpp - Which strides a declaration shows ----------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/KernelText.h"
#include <map>

using namespace llvm;
using namespace dlopt;

std::vector<unsigned> KernelText::countUses(const Leaf &L) {
  std::vector<unsigned> Uses(L.Ops.size(), 0);
  auto Use = [&](OpId Id) {
    if (Id < Uses.size())
      ++Uses[Id];
  };
  if (L.Predicate)
    Use(*L.Predicate);
  for (const Assign &A : L.Assigns)
    Use(A.Value);
  // Operands come before their users, so one pass from the end sees all uses
  // of an operation before the operation.
  for (size_t I = L.Ops.size(); I-- > 0;)
    if (Uses[I])
      for (OpId Arg : L.Ops[I].Args)
        if (Arg < I)
          Use(Arg);
  return Uses;
}

/// Walks everything that is printed and counts, per buffer, how often which
/// strides occur.
class KernelText::StrideCounter {
public:
  explicit StrideCounter(const KernelText &Text)
      : Text(Text), Counts(Text.K.Buffers.size()),
        Seen(Text.K.Atoms.size(), false) {}

  void visit(const Node &N) {
    for (BufferId B : N.Locals)
      if (B < Counts.size())
        visit(Text.K.Buffers[B].Shape);
    if (N.K == Node::AxisNode && N.Ax < Text.K.Axes.size())
      visit(Text.K.Axes[N.Ax].Begins), visit(Text.K.Axes[N.Ax].Extents);
    for (const Constraint &C : N.Cases)
      visit(C.P);
    if (N.K == Node::LeafNode)
      visit(N.L);
    for (const auto &Child : N.Children)
      visit(*Child);
  }

  void visit(const Leaf &L) {
    for (const Constraint &C : L.Domain)
      visit(C.P);
    for (const Assign &A : L.Assigns)
      visit(A.Target);
    if (L.Prefetch)
      visit(*L.Prefetch);
    std::vector<unsigned> Uses = countUses(L);
    for (size_t I = 0; I < L.Ops.size(); ++I) {
      if (!Uses[I])
        continue;
      if (L.Ops[I].K == Op::Load)
        visit(L.Ops[I].Acc);
      if (L.Ops[I].K == Op::Index)
        visit(L.Ops[I].Idx);
    }
  }

  void visit(ArrayRef<Poly> Ps) {
    for (const Poly &P : Ps)
      visit(P);
  }

  void visit(const Poly &P) {
    P.anyAtom([&](AtomId Id) {
      if (Id >= Seen.size() || Seen[Id])
        return false;
      Seen[Id] = true;
      const Atom &A = Text.K.Atoms[Id];
      visit(A.Num);
      visit(A.Den);
      if (A.K == Atom::Load)
        visit(A.Source);
      return false;
    });
  }

  void visit(const Access &X) {
    visit(X.Subs);
    visit(X.Strides);
    if (X.Buf < Counts.size() && !X.Subs.empty())
      ++Counts[X.Buf][Text.strides(X.Strides)];
  }

  /// The most frequent; of several, the first in alphabetic order.
  std::string getBest(BufferId B) const {
    std::string Best = "(1)";
    unsigned BestCount = 0;
    for (const auto &[Strides, Count] : Counts[B])
      if (Count > BestCount) {
        Best = Strides;
        BestCount = Count;
      }
    return Best;
  }

private:
  const KernelText &Text;
  std::vector<std::map<std::string, unsigned>> Counts;
  std::vector<bool> Seen;
};

void KernelText::countStrides() {
  StrideCounter Counter(*this);
  Counter.visit(K.Root);
  for (const Need &N : K.Needs)
    Counter.visit(N.P);
  std::vector<std::string> Best;
  for (BufferId B = 0; B < K.Buffers.size(); ++B)
    Best.push_back(Counter.getBest(B));
  DeclaredStrides = std::move(Best);
}
