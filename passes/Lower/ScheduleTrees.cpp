//===- ScheduleTrees.cpp - Scheduled kernels to IR: sums of lanes ---------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///   red u[16] row tree16 par j[16] lanes 16
///     s[j] = add(s[j], t[j,u])
///
/// with t in registers, one for each j, adds pairs of registers, half of the
/// lanes of both to the other half: 15 additions and 30 shuffles for 16 sums,
/// which are in order at the end.
///
//===----------------------------------------------------------------------===//
#include "ScheduleEmitter.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Analysis/VectorUtils.h"

using namespace llvm;

namespace dlopt {

namespace {

/// A vector of partial sums, and which row each lane has one of.
struct PartialSums {
  Value *V = nullptr;
  SmallVector<int, 16> Rows;
  unsigned getSize() const { return static_cast<unsigned>(Rows.size()); }
};

} // namespace

/// Of each \p Window lanes of \p X, then of \p Y, every other \p Unit, added to
/// those between them.
static PartialSums addHalves(IRBuilderBase &B, PartialSums X, PartialSums Y,
                             unsigned Unit, unsigned Window) {
  unsigned Size = X.getSize();
  std::array<SmallVector<int, 16>, 2> Numbers;
  PartialSums Result;
  for (unsigned Base = 0; Base != Size; Base += Window)
    for (unsigned From : {0u, Size})
      for (unsigned At = 0; At < Window; At += 2 * Unit)
        for (unsigned I = 0; I != 2 * Unit; ++I) {
          Numbers[I / Unit].push_back(static_cast<int>(From + Base + At + I));
          if (I < Unit)
            Result.Rows.push_back((From ? Y : X).Rows[Base + At + I]);
        }
  if (DLOPT_PLANTED(TreeHalvesSwapped))
    std::swap(X, Y);
  Result.V = B.CreateAdd(B.CreateShuffleVector(X.V, Y.V, Numbers[0]),
                         B.CreateShuffleVector(X.V, Y.V, Numbers[1]));
  return Result;
}

static PartialSums concatenate(IRBuilderBase &B, ArrayRef<PartialSums> Parts) {
  PartialSums Result;
  SmallVector<Value *, 4> Vs;
  for (const PartialSums &Part : Parts) {
    Vs.push_back(Part.V);
    Result.Rows.append(Part.Rows);
  }
  Result.V = concatenateVectors(B, Vs);
  return Result;
}

/// Adds the lanes of each of \p Rows: in the result there are as many rows as
/// one has lanes. Where registers of \p MostLanes have room, neighbours are
/// added side by side to others, as they have often been made together
/// (emitTogether); else pairs of neighbours, which leaves rows in order.
static PartialSums addTrees(IRBuilderBase &B, SmallVector<PartialSums, 16> Rows,
                            unsigned MostLanes) {
  unsigned Size = Rows.front().getSize();
  unsigned Bits = Rows.front().V->getType()->getScalarSizeInBits();
  // First in parts of 128 bits, which most shuffles stay in, then such parts.
  unsigned Part = std::min(Size, 128 / Bits);
  for (unsigned Done = 1; Done != Size; Done *= 2) {
    unsigned Pairs = Rows.size() / 2;
    unsigned Beside = std::min(bit_floor(std::max(MostLanes / Size, 1U)),
                               1U << countr_zero(Pairs));
    SmallVector<PartialSums, 16> Sums;
    for (unsigned First = 0; First != Pairs; First += Beside) {
      bool IsBeside = Beside > 1;
      unsigned X = IsBeside ? First : 2 * First,
               Y = IsBeside ? First + Pairs : X + 1;
      PartialSums Sum =
          addHalves(B, concatenate(B, ArrayRef(Rows).slice(X, Beside)),
                    concatenate(B, ArrayRef(Rows).slice(Y, Beside)),
                    Done < Part ? 1 : Part, Done < Part ? Part : Size);
      for (unsigned I = 0; I != Beside; ++I)
        Sums.push_back({B.CreateShuffleVector(
                            Sum.V, createSequentialMask(I * Size, Size, 0)),
                        SmallVector<int, 16>(
                            ArrayRef(Sum.Rows).slice(size_t(I) * Size, Size))});
    }
    Rows = std::move(Sums);
  }
  return concatenate(B, Rows);
}

/// A register for each row, each as long as the tree. Of more rows there are
/// several trees.
bool ScheduleEmitter::canAddTree() {
  const RegisterArray &R = Registers[Row->A->Acc.Buf];
  return R.Width == Row->Row->Depth;
}

void ScheduleEmitter::emitTree(const Assign &A) {
  const RegisterArray &R = Registers[Row->A->Acc.Buf];
  SmallVector<PartialSums, 16> Rows;
  for (unsigned Lane = 0; Lane != Lanes.Width; ++Lane)
    inLane(Lane, [&] {
      std::optional<Element> At;
      inElement(0, [&] { At = findElement(Row->A->Acc); });
      Type *Ty = R.Slots.front()->getAllocatedType();
      Value *V = At ? loadSlot(R, At->Slot) : PoisonValue::get(Ty);
      Rows.push_back(
          {V, SmallVector<int, 16>(R.Width, static_cast<int>(Lane))});
      return nullptr;
    });
  // What is behind the last row is nobody's.
  PartialSums Last = Rows.back();
  Last.Rows.assign(R.Width, -1);
  Rows.resize(alignTo(Rows.size(), Row->Row->Depth), Last);
  unsigned Bits = Last.V->getType()->getScalarSizeInBits();
  bool MayBeBeside = R.Width * Bits <= MostBitsTogether;
  PartialSums All = addTrees(
      B, std::move(Rows), MayBeBeside ? Math.Math.VectorBits / Bits : R.Width);
  SmallVector<int, 16> Own;
  for (int Lane = 0; Lane != static_cast<int>(Lanes.Width); ++Lane)
    Own.push_back(static_cast<int>(find(All.Rows, Lane) - All.Rows.begin()));
  Value *Sums = B.CreateShuffleVector(All.V, Own);
  Value *Before = spread(load(A.Target, nullptr));
  store(A, locate(A.Target), B.CreateAdd(Before, Sums));
}

} // namespace dlopt
