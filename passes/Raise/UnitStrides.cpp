//===- UnitStrides.cpp - Strides that are 1 where arguments say so --------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Descriptors of arrays (NumPy, PyTorch, MLIR's memrefs) have a stride for
/// each dimension, and that of the last one is 1 in nearly all arrays:
///
///   for (i) for (j) s[i] += a[i * rows + j * columns];
///
///   for (i) for (j) s[i] += a[i * rows + j];         needs columns == 1
///
/// Not of products, whose generated functions ask that themselves.
///
//===----------------------------------------------------------------------===//
#include "Normalize.h"
#include "dlopt/Dependences.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Raise.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Argument.h"

using namespace llvm;
using namespace dlopt;

namespace {
/// What is known of the strides of a buffer.
struct Strides {
  /// The one of neighbours: the last argument or, of what is none, that of the
  /// innermost loop.
  std::optional<ParamId> Last;
  unsigned Place = 0;
  bool HasNeighbours = false;
};
} // namespace

/// The parameter of the whole nest that \p P is.
static std::optional<ParamId> getParam(const Kernel &K, const Poly &P) {
  std::optional<AtomId> Id = P.getAtom();
  if (!Id || K.Atoms[*Id].K != Atom::Param || K.Params[K.Atoms[*Id].Ref].Depth)
    return std::nullopt;
  return K.Atoms[*Id].Ref;
}

/// Whether \p P is a bound of a loop, too: such a distance is no element's.
static bool isBound(const Kernel &K, ParamId P) {
  return any_of(K.Axes, [&](const Axis &A) {
    return any_of(A.Extents, [&](const Poly &E) {
      return K.anyNestedAtom(
          E, [&](const Atom &X) { return X.K == Atom::Param && X.Ref == P; });
    });
  });
}

static void addStrides(const Kernel &K, const Access &X,
                       ArrayRef<AxisId> Around, Strides &S) {
  Poly Offset = X.offset();
  for (auto [Depth, A] : enumerate(Around)) {
    std::optional<Poly> Stride = getStride(K, Offset, A);
    // What is no linear function of its axes is no array of rows.
    S.HasNeighbours |= !Stride;
    if (!Stride || Stride->isZero())
      continue;
    if (std::optional<int64_t> Number = Stride->getConstant()) {
      S.HasNeighbours |= *Number == 1 || *Number == -1;
      continue;
    }
    std::optional<ParamId> P = getParam(K, *Stride);
    if (!P)
      continue;
    const auto *Arg = dyn_cast_or_null<Argument>(K.Params[*P].Bound);
    unsigned Place = Arg ? Arg->getArgNo() : static_cast<unsigned>(Depth);
    if (!S.Last || Place >= S.Place) {
      S.Last = P;
      S.Place = Place;
    }
  }
}

static Need needOne(const Poly &P) {
  Need N;
  N.K = Need::InRange;
  N.P = P;
  N.Lo = N.Hi = 1;
  return N;
}

bool dlopt::assumesUnitStrides(const Kernel &K) {
  return any_of(K.Needs, [&](const Need &N) {
    return N.K == Need::InRange && N.Lo == 1 && N.Hi == 1 && getParam(K, N.P);
  });
}

bool dlopt::assumeUnitStrides(Kernel &K) {
  MapVector<BufferId, Strides> Known;
  auto Add = [&](const Access &X, ArrayRef<AxisId> Around) {
    if (!K.Buffers[X.Buf].IsLocal)
      addStrides(K, X, Around, Known[X.Buf]);
  };
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId> Around) {
    for (const Op &O : L.Ops)
      if (O.K == Op::Load)
        Add(O.Acc, Around);
    for (const Assign &A : L.Assigns)
      Add(A.Target, Around);
  });
  SmallVector<AtomId, 4> Ones;
  for (const auto &[Buf, S] : Known)
    if (!S.HasNeighbours && S.Last && !isBound(K, *S.Last))
      if (AtomId Id = K.getParamAtom(*S.Last); !is_contained(Ones, Id))
        Ones.push_back(Id);
  for (AtomId One : Ones) {
    auto Replace = [&](Poly &P) { P = P.substitute(One, Poly(1)); };
    forEachPolyBelow(K, K.Root, Replace);
    for (Need &N : K.Needs)
      Replace(N.P);
    if (!DLOPT_PLANTED(StrideAssumedOne))
      K.Needs.push_back(needOne(Poly::atom(One)));
  }
  if (!Ones.empty())
    computeRoles(K);
  return !Ones.empty();
}
