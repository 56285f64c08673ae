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
#include "llvm/Analysis/VectorUtils.h"

using namespace llvm;

namespace dlopt {

/// Of each \p Window lanes of \p X, then of \p Y, every other \p Unit, added to
/// those between them.
static Value *addHalves(IRBuilderBase &B, Value *X, Value *Y, unsigned Unit,
                        unsigned Window) {
  unsigned Size = cast<FixedVectorType>(X->getType())->getNumElements();
  std::array<SmallVector<int, 16>, 2> Numbers;
  for (unsigned Base = 0; Base != Size; Base += Window)
    for (unsigned From : {0u, Size})
      for (unsigned At = 0; At < Window; At += 2 * Unit)
        for (unsigned I = 0; I != 2 * Unit; ++I)
          Numbers[I / Unit].push_back(static_cast<int>(From + Base + At + I));
  if (DLOPT_PLANTED(TreeHalvesSwapped))
    std::swap(X, Y);
  return B.CreateAdd(B.CreateShuffleVector(X, Y, Numbers[0]),
                     B.CreateShuffleVector(X, Y, Numbers[1]));
}

/// The sum of each of \p Rows in a lane; as many as a row has lanes.
static Value *addTree(IRBuilderBase &B, SmallVector<Value *, 16> Rows) {
  auto Size = static_cast<unsigned>(Rows.size());
  unsigned Bits = Rows.front()->getType()->getScalarSizeInBits();
  // First in parts of 128 bits, which most shuffles stay in, then such parts.
  unsigned Part = std::min(Size, 128 / Bits);
  while (Rows.size() > 1) {
    bool IsInPart = Size / Rows.size() < Part;
    for (size_t I = 0; 2 * I != Rows.size(); ++I)
      Rows[I] = addHalves(B, Rows[2 * I], Rows[2 * I + 1], IsInPart ? 1 : Part,
                          IsInPart ? Part : Size);
    Rows.truncate(Rows.size() / 2);
  }
  return Rows.front();
}

/// A register for each row, each as long as the tree. Of more rows there are
/// several trees.
bool ScheduleEmitter::canAddTree() {
  const RegisterArray &R = Registers[Row->A->Acc.Buf];
  return R.Width == Row->Row->Depth;
}

void ScheduleEmitter::emitTree(const Assign &A) {
  const RegisterArray &R = Registers[Row->A->Acc.Buf];
  SmallVector<Value *, 16> Rows;
  for (unsigned Lane = 0; Lane != Lanes.Width; ++Lane)
    inLane(Lane, [&] {
      std::optional<Element> At;
      inElement(0, [&] { At = findElement(Row->A->Acc); });
      Type *Ty = R.Slots.front()->getAllocatedType();
      Rows.push_back(At ? loadSlot(R, At->Slot) : PoisonValue::get(Ty));
      return nullptr;
    });
  SmallVector<Value *, 4> Trees;
  size_t Depth = Row->Row->Depth;
  // What is behind the last row is nobody's.
  Rows.resize(alignTo(Rows.size(), Depth), Rows.back());
  for (size_t First = 0; First != Rows.size(); First += Depth)
    Trees.push_back(addTree(
        B, SmallVector<Value *, 16>(ArrayRef(Rows).slice(First, Depth))));
  Value *Sums =
      Trees.size() == 1 ? Trees.front() : concatenateVectors(B, Trees);
  SmallVector<int, 16> Own;
  for (unsigned Lane = 0; Lane != Lanes.Width; ++Lane)
    Own.push_back(static_cast<int>(Lane));
  Sums = B.CreateShuffleVector(Sums, Own);
  Value *Before = spread(load(A.Target, nullptr));
  store(A, locate(A.Target), B.CreateAdd(Before, Sums));
}

} // namespace dlopt
