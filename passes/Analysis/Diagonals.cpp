//===- Diagonals.cpp - Elements on two sides of a diagonal ----------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A triangle and its mirror image, `C[i][j]` and `C[j][i]` where j > i, have
/// no element in common, and with j >= i those of the diagonal alone, which one
/// iteration of both axes touches.
///
//===----------------------------------------------------------------------===//
#include "Diagonals.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Triangle.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace dlopt;

std::optional<AxisId> dlopt::getOnlyAxis(const Kernel &K, const Poly &P,
                                         ArrayRef<AxisId> Axes) {
  std::optional<AxisId> Only;
  for (AxisId A : Axes)
    if (K.dependsOn(P, A)) {
      if (Only)
        return std::nullopt;
      Only = A;
    }
  if (!Only)
    return std::nullopt;
  std::optional<AtomId> Id = K.findAxisAtom(*Only);
  return Id && K.isFixed(P.without(*Id)) ? Only : std::nullopt;
}

std::optional<DiagonalBound> dlopt::getDiagonalBound(const Kernel &K,
                                                     const Constraint &C,
                                                     AxisId Column,
                                                     ArrayRef<AxisId> Rows) {
  std::optional<AtomId> Mine = K.findAxisAtom(Column);
  if (C.IsEquality || !Mine)
    return std::nullopt;
  std::optional<Poly> Coef = C.P.coefficient(*Mine);
  int64_t Sign = Coef ? Coef->getConstant().value_or(0) : 0;
  if (Sign != 1 && Sign != -1)
    return std::nullopt;
  Poly Rest = C.P.without(*Mine);
  std::optional<AxisId> Row = getOnlyAxis(K, Rest, Rows);
  if (!Row)
    return std::nullopt;
  AtomId Other = *K.findAxisAtom(*Row);
  std::optional<Poly> Across = Rest.coefficient(Other);
  if (!Across || Across->getConstant() != -Sign)
    return std::nullopt;
  return DiagonalBound{*Row, Column, int(Sign), Rest.without(Other)};
}

std::optional<LinearOffset> dlopt::getLinear(const Kernel &K, const Poly &X,
                                             ArrayRef<AxisId> Around) {
  LinearOffset L;
  L.Base = X;
  for (AxisId A : Around) {
    if (!K.dependsOn(L.Base, A))
      continue;
    std::optional<AtomId> Id = K.findAxisAtom(A);
    std::optional<Poly> Stride = Id ? L.Base.coefficient(*Id) : Poly();
    if (Id)
      L.Base = L.Base.without(*Id);
    if (!Stride || !K.isFixed(*Stride) || K.dependsOn(L.Base, A))
      return std::nullopt;
    L.Axes.push_back({A, *Stride});
  }
  return L;
}

/// The stride of rows, if \p L is one of an element with one of columns.
static std::optional<Poly> getRowStride(const LinearOffset &L) {
  if (L.Axes.size() == 2)
    for (unsigned I : {0u, 1u})
      if (L.Axes[1 - I].second == Poly(1))
        return L.Axes[I].second;
  return std::nullopt;
}

static std::optional<DiagonalUse> getUse(const LinearOffset &L,
                                         const Poly &Stride) {
  DiagonalUse U;
  if (L.Axes.size() == 1) {
    // The diagonal.
    if (L.Axes[0].second != Stride + Poly(1))
      return std::nullopt;
    U.RowAxis = U.ColumnAxis = L.Axes[0].first;
    return U;
  }
  if (getRowStride(L) != Stride)
    return std::nullopt;
  bool Swapped = L.Axes[0].second == Poly(1) && Stride != Poly(1);
  U.RowAxis = L.Axes[Swapped].first;
  U.ColumnAxis = L.Axes[!Swapped].first;
  return U;
}

/// What the domain says of column - row.
static void setRange(const Kernel &K, const Leaf &L, DiagonalUse &U) {
  int64_t Offset = U.Column - U.Row;
  if (U.RowAxis == U.ColumnAxis) {
    U.Low = U.High = Offset;
    return;
  }
  for (const Constraint &C : L.Domain) {
    auto B = getDiagonalBound(K, C, U.ColumnAxis, {U.RowAxis});
    std::optional<int64_t> Rest = B ? B->Rest.getConstant() : std::nullopt;
    if (!Rest || *Rest > INT32_MAX || *Rest < -INT32_MAX)
      continue;
    // Sign * (column - row) >= -Rest, of the axes.
    if (B->Sign > 0)
      U.Low = std::max(U.Low.value_or(INT64_MIN), Offset - *Rest);
    else
      U.High = std::min(U.High.value_or(INT64_MAX), Offset + *Rest);
  }
}

/// \p P as Rows * Stride + Columns, few of both.
static bool splitBase(const Poly &P, const Poly &Stride, DiagonalUse &U) {
  for (int64_t Rows : {0, 1, -1, 2, -2}) {
    std::optional<int64_t> C = (P - Poly(Rows) * Stride).getConstant();
    if (!C || *C > 8 || *C < -8)
      continue;
    U.Row = Rows;
    U.Column = *C;
    return true;
  }
  return false;
}

std::optional<DiagonalPair> dlopt::getDiagonalPair(const Kernel &K,
                                                   const LinearOffset &A,
                                                   const Leaf &LeafA,
                                                   const LinearOffset &B,
                                                   const Leaf &LeafB) {
  DiagonalPair Pair;
  std::optional<Poly> Stride = getRowStride(A);
  if (!Stride)
    Stride = getRowStride(B);
  if (!Stride || Stride->getConstant().value_or(64) < 64)
    return std::nullopt;
  Pair.Stride = *Stride;
  std::optional<DiagonalUse> UA = getUse(A, *Stride), UB = getUse(B, *Stride);
  // Rows and columns are counted from the first element of A.
  if (!UA || !UB || !splitBase(B.Base - A.Base, *Stride, *UB))
    return std::nullopt;
  setRange(K, LeafA, *UA);
  setRange(K, LeafB, *UB);
  int64_t First = std::min<int64_t>(0, UB->Column);
  for (const DiagonalUse *U : {&*UA, &*UB})
    for (const Poly &Extent : K.Axes[U->ColumnAxis].Extents) {
      if (!K.isFixed(Extent))
        return std::nullopt;
      Pair.Slacks.push_back(*Stride - Extent - Poly(U->Column - First));
    }
  Pair.A = *UA;
  Pair.B = *UB;
  return Pair;
}

bool DiagonalPair::meetsWithin(AxisId InA, AxisId InB) const {
  if (DLOPT_PLANTED(DiagonalCrossed))
    return true;
  auto IsBelow = [&](const DiagonalUse &U, const DiagonalUse &V, bool OrAt) {
    return U.High && V.Low && (*U.High < *V.Low || (OrAt && *U.High == *V.Low));
  };
  if (IsBelow(A, B, false) || IsBelow(B, A, false))
    return true;
  if (!IsBelow(A, B, true) && !IsBelow(B, A, true))
    return false;
  // On the diagonal both axes follow from the row, r: each is r plus this.
  int64_t At = IsBelow(A, B, true) ? *A.High : *A.Low;
  auto GetOffset = [&](const DiagonalUse &U,
                       AxisId X) -> std::optional<int64_t> {
    if (U.RowAxis == X)
      return -U.Row;
    if (U.ColumnAxis == X)
      return At - U.Column;
    return std::nullopt;
  };
  std::optional<int64_t> OfA = GetOffset(A, InA), OfB = GetOffset(B, InB);
  return OfA && OfB && *OfA == *OfB;
}
