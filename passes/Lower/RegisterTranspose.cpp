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

void loadTransposed(IRBuilderBase &B, unsigned Lanes, unsigned Part,
                    function_ref<Value *(unsigned Row)> LoadPart,
                    SmallVectorImpl<Value *> &Columns) {
  // Row I and those Part, 2 * Part ... further on are the parts of one vector.
  Columns.clear();
  for (unsigned I = 0; I != Part; ++I) {
    SmallVector<Value *, 4> Parts;
    for (unsigned Row = I; Row < Lanes; Row += Part)
      Parts.push_back(LoadPart(Row));
    Columns.push_back(concatenateVectors(B, Parts));
  }
  transposeParts(B, Columns);
}

} // namespace dlopt
