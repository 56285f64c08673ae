//===- RegisterTranspose.cpp - Squares in registers -----------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RegisterTranspose.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/Analysis/VectorUtils.h"

using namespace llvm;

namespace dlopt {

unsigned getPartLanes(unsigned Lanes, const Type *Elem) {
  return std::min(Lanes, 128 / Elem->getScalarSizeInBits());
}

/// In each part of \p PartLanes lanes: the lower (or upper) halves of the parts
/// of two vectors, lane by lane in turn.
static SmallVector<int, 16> getInterleaveMask(unsigned Lanes,
                                              unsigned PartLanes, bool Upper) {
  SmallVector<int, 16> Mask;
  for (unsigned Part = 0; Part != Lanes; Part += PartLanes)
    for (unsigned I = 0; I != PartLanes / 2; ++I) {
      unsigned Lane = Part + I + (Upper ? PartLanes / 2 : 0);
      Mask.append({int(Lane), int(Lane + Lanes)});
    }
  return Mask;
}

void transposeParts(IRBuilderBase &B, MutableArrayRef<Value *> Columns) {
  unsigned Part = Columns.size();
  unsigned Lanes =
      cast<FixedVectorType>(Columns[0]->getType())->getNumElements();
  auto Lower = getInterleaveMask(Lanes, Part, false);
  auto Upper = getInterleaveMask(Lanes, Part, true);
  if (DLOPT_PLANTED(TransposedHalvesSwapped) ||
      DLOPT_PLANTED(SquareHalvesSwapped))
    std::swap(Lower, Upper);
  for (unsigned Stage = 1; Stage != Part; Stage *= 2) {
    SmallVector<Value *, 16> Old(Columns.begin(), Columns.end());
    for (unsigned I = 0; I != Part / 2; ++I) {
      Value *X = Old[I], *Y = Old[I + Part / 2];
      Columns[2 * I] = B.CreateShuffleVector(X, Y, Lower);
      Columns[2 * I + 1] = B.CreateShuffleVector(X, Y, Upper);
    }
  }
}

/// Every other part of \p X, then of \p Y, from the first or the second on.
static Value *takeParts(IRBuilderBase &B, Value *X, Value *Y, unsigned Part,
                        bool Second) {
  unsigned Lanes = cast<FixedVectorType>(X->getType())->getNumElements();
  SmallVector<int, 16> Mask;
  for (unsigned At = Second ? Part : 0; At < 2 * Lanes; At += 2 * Part)
    for (unsigned I = 0; I != Part; ++I)
      Mask.push_back(int(At + I));
  return B.CreateShuffleVector(X, Y, Mask);
}

/// Of vectors with four parts, from pairs of parts of each row.
static void loadPairs(IRBuilderBase &B, unsigned Lanes,
                      function_ref<Value *(unsigned Row)> LoadRow,
                      SmallVectorImpl<Value *> &Columns) {
  unsigned Part = Lanes / 4;
  bool Swapped = DLOPT_PLANTED(PairsSwapped);
  // The pair of row I lies beside that of row I + Part: what is transposed has
  // the columns of the first part of these rows, and of the second, in turn.
  // The rows from the middle on complete them.
  std::array<SmallVector<Value *, 4>, 2> Halves;
  for (unsigned Half : {0u, 1u}) {
    for (unsigned I = 0; I != Part; ++I) {
      unsigned Row = Half * 2 * Part + I;
      Value *Pair = LoadRow(Row);
      Halves[Half].push_back(
          concatenateVectors(B, {Pair, LoadRow(Row + Part)}));
    }
    transposeParts(B, Halves[Half]);
  }
  for (bool Second : {false, true})
    for (auto [X, Y] : zip_equal(Halves[0], Halves[1]))
      Columns.push_back(takeParts(B, X, Y, Part, Second != Swapped));
}

unsigned getPairLanes(unsigned Lanes, const Type *Elem) {
  unsigned Part = getPartLanes(Lanes, Elem);
  return Lanes == 4 * Part ? 2 * Part : Part;
}

void loadTransposed(IRBuilderBase &B, const Type *Elem, unsigned Lanes,
                    unsigned Count, function_ref<Value *(unsigned Row)> LoadRow,
                    SmallVectorImpl<Value *> &Columns) {
  Columns.clear();
  if (Count > getPartLanes(Lanes, Elem))
    return loadPairs(B, Lanes, LoadRow, Columns);
  // Row I and those Count, 2 * Count ... further on are the parts of one
  // vector.
  for (unsigned I = 0; I != Count; ++I) {
    SmallVector<Value *, 4> Parts;
    for (unsigned Row = I; Row < Lanes; Row += Count)
      Parts.push_back(LoadRow(Row));
    Columns.push_back(concatenateVectors(B, Parts));
  }
  transposeParts(B, Columns);
}

} // namespace dlopt
