//===- Uses.cpp - Where buffers are read and assigned ---------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Uses.h"
#include "llvm/ADT/DenseSet.h"

using namespace llvm;

namespace dlopt {

bool reads(const Leaf &L, BufferId B) {
  return any_of(L.Ops,
                [&](const Op &O) { return O.K == Op::Load && O.Acc.Buf == B; });
}

bool assigns(const Leaf &L, BufferId B) {
  return any_of(L.Assigns, [&](const Assign &A) { return A.Target.Buf == B; });
}

static bool anyLeaf(const Node &N, function_ref<bool(const Leaf &)> Wanted) {
  bool Any = false;
  forEachLeaf(N,
              [&](const Leaf &L, ArrayRef<AxisId>) { Any = Any || Wanted(L); });
  return Any;
}

bool assigns(const Node &N, BufferId B) {
  return anyLeaf(N, [&](const Leaf &L) { return assigns(L, B); });
}

bool isReadBySubscripts(const Kernel &K, BufferId B) {
  return any_of(K.Atoms, [&](const Atom &A) {
    return A.K == Atom::Load && A.Source.Buf == B;
  });
}

bool isRead(const Kernel &K, BufferId B) {
  return isReadBySubscripts(K, B) ||
         anyLeaf(K.Root, [&](const Leaf &L) { return reads(L, B); });
}

bool uses(const Kernel &K, const Node &N, BufferId B) {
  return isReadBySubscripts(K, B) || anyLeaf(N, [&](const Leaf &L) {
           return reads(L, B) || assigns(L, B);
         });
}

bool hasLeafBeside(const Node &N, AxisId A) {
  if (N.K == Node::LeafNode)
    return true;
  return !(N.K == Node::AxisNode && N.Ax == A) &&
         any_of(N.Children,
                [&](const auto &Child) { return hasLeafBeside(*Child, A); });
}

bool readsAhead(const Kernel &K) {
  return any_of(K.Needs, [&](const Need &N) {
    return N.K == Need::Disjoint && any_of(N.Others, [&](BufferId B) {
             return !isRead(K, B) && !assigns(K.Root, B);
           });
  });
}

bool isComputedOf(const Leaf &L, OpId Id,
                  function_ref<bool(const Op &)> Wanted) {
  SmallVector<OpId, 16> Todo = {Id};
  SmallDenseSet<OpId, 16> Seen;
  while (!Todo.empty()) {
    Id = Todo.pop_back_val();
    if (!Seen.insert(Id).second)
      continue;
    if (Wanted(L.Ops[Id]))
      return true;
    append_range(Todo, L.Ops[Id].Args);
  }
  return false;
}

} // namespace dlopt
