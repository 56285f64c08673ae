//===- InPlace.cpp - Inputs that may be outputs ---------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// void relu(float *y, const float *x, int n) is called as relu(x, x, n), too.
/// Whether that is safe in lanes is for the raiser to say, for which both
/// pointers are one then; here is only what is worth asking.
///
//===----------------------------------------------------------------------===//
#include "InPlace.h"
#include "dlopt/Uses.h"

using namespace llvm;
using namespace dlopt;

/// Whether what is in \p Buf before \p K runs is of no use: what is updated is
/// no place for something else.
static bool isOnlyOutput(const Kernel &K, BufferId Buf) {
  bool IsSet = false, IsRead = false;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    IsRead |= !IsSet && reads(L, Buf);
    IsSet |= assigns(L, Buf);
  });
  return IsSet && !IsRead;
}

/// Whether there is an element of both buffers with one offset, in an innermost
/// loop: what is added to a sum once is no input of all loops.
static bool haveCommonOffset(const Kernel &K, BufferId Output, BufferId Input) {
  SmallVector<Poly, 4> Outputs;
  size_t Depth = 0;
  forEachLeaf(K.Root, [&](const Leaf &, ArrayRef<AxisId> Around) {
    Depth = std::max(Depth, Around.size());
  });
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId> Around) {
    for (const Assign &A : L.Assigns)
      if (A.Target.Buf == Output && Around.size() == Depth)
        Outputs.push_back(A.Target.offset());
  });
  bool Any = false;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    Any |= any_of(L.Ops, [&](const Op &O) {
      return O.K == Op::Load && O.Acc.Buf == Input &&
             is_contained(Outputs, O.Acc.offset());
    });
  });
  return Any;
}

std::string dlopt::describeSame(const Kernel &K, BufferId Output,
                                BufferId Input) {
  auto Show = [&](BufferId Id) {
    const Buffer &B = K.Buffers[Id];
    return B.Shown.empty() ? "%" + B.Name : B.Shown;
  };
  return "where " + Show(Input) + " is " + Show(Output);
}

SmallVector<InPlacePair, 2> dlopt::getInPlacePairs(const Kernel &K) {
  constexpr size_t MaxPairs = 2;
  SmallVector<InPlacePair, 2> Pairs;
  for (const Need &N : K.Needs) {
    if (N.K != Need::Disjoint || !isOnlyOutput(K, N.Buf))
      continue;
    const Buffer &Output = K.Buffers[N.Buf];
    for (BufferId Id : N.Others) {
      const Buffer &Input = K.Buffers[Id];
      if (Pairs.size() != MaxPairs && Input.Ty == Output.Ty &&
          !assigns(K.Root, Id) && haveCommonOffset(K, N.Buf, Id))
        Pairs.push_back(
            {{Output.Bound, Input.Bound}, describeSame(K, N.Buf, Id)});
    }
  }
  return Pairs;
}
