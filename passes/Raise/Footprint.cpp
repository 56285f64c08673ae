//===- Footprint.cpp - What parts of kernels use --------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Footprint.h"

using namespace llvm;
using namespace dlopt;

Footprint::Footprint(const Kernel &K, const Node &N) {
  auto Use = [](SmallVectorImpl<BufferId> &List, BufferId B) {
    if (!is_contained(List, B))
      List.push_back(B);
  };
  // What indices and extents are loaded from, nothing in a kernel writes.
  forEachLeaf(N, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Op &O : L.Ops) {
      if (O.K == Op::Load)
        Use(Reads, O.Acc.Buf);
      WritesErrno |= O.WritesErrno;
    }
    for (const Assign &A : L.Assigns)
      Use(Writes, A.Target.Buf);
  });
  auto IsInteger = [&](BufferId B) {
    return !K.Buffers[B].IsLocal && !isFloat(K.Buffers[B].Ty);
  };
  MayBeErrno = any_of(Reads, IsInteger) || any_of(Writes, IsInteger) ||
               any_of(K.Atoms, [&](const Atom &A) {
                 return A.K == Atom::Load && IsInteger(A.Source.Buf);
               });
}

static bool intersect(ArrayRef<BufferId> A, ArrayRef<BufferId> B) {
  return any_of(A, [&](BufferId X) { return is_contained(B, X); });
}

bool dlopt::meetInErrno(const Footprint &A, const Footprint &B) {
  return (A.WritesErrno && (B.WritesErrno || B.MayBeErrno)) ||
         (B.WritesErrno && A.MayBeErrno);
}

bool dlopt::conflict(const Footprint &A, const Footprint &B) {
  return intersect(A.Writes, B.Writes) || intersect(A.Writes, B.Reads) ||
         intersect(A.Reads, B.Writes) || meetInErrno(A, B);
}
