//===- Blocks.cpp - memset and memcpy as loops over elements --------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Leaves.h"
#include "Normalize.h"
#include "llvm/IR/DataLayout.h"

using namespace llvm;
using namespace dlopt;

/// As what the nest reads and writes elements behind \p Base; nullopt if it
/// does not, or as several types.
std::optional<ScalarType> TreeBuilder::getElementType(const Value *Base) {
  std::optional<ScalarType> Result;
  for (BasicBlock *BB : S.Nest.blocks())
    for (Instruction &I : *BB) {
      Value *Ptr = getLoadStorePointerOperand(&I);
      if (!Ptr)
        continue;
      std::optional<PointerForm> F;
      IB.tentatively([&] {
        F = IB.buildPointer(Ptr, S.loopOf(&I));
        return false;
      });
      if (!F || F->Base != Base)
        continue;
      std::optional<ScalarType> T = getScalarType(getLoadStoreType(&I));
      if (!T || *T == ScalarType::I1 || (Result && *Result != *T))
        return std::nullopt;
      Result = T;
    }
  return Result;
}

static uint64_t repeatByte(uint64_t Byte, unsigned Size) {
  uint64_t Bits = 0;
  for (unsigned I = 0; I != Size; ++I)
    Bits = Bits << 8 | (Byte & 0xff);
  return Bits;
}

/// An axis over the elements, and below it one assignment.
bool TreeBuilder::buildBlock(const Root &R, Node &N) {
  auto No = [&] {
    return S.fail(Reason::UnknownCall, R.Call,
                  ("'" + R.Call->getCalledFunction()->getName() + "'").str());
  };
  auto *Copy = dyn_cast<MemTransferInst>(R.Call);
  std::optional<PointerForm> To = IB.buildPointer(R.Call->getDest(), R.L), From;
  if (Copy)
    From = IB.buildPointer(Copy->getSource(), R.L);
  if (!To || (Copy && (!From || From->Base == To->Base)))
    return No();
  std::optional<ScalarType> Ty = getElementType(To->Base);
  if (!Ty && Copy)
    Ty = getElementType(From->Base);
  if (!Ty)
    return No();
  LLVMContext &C = R.Call->getContext();
  Type *T = getIRType(*Ty, C);
  Align Least = S.Ctx.DL.getABITypeAlign(T);
  if (R.Call->getDestAlign().valueOrOne() < Least ||
      (Copy && Copy->getSourceAlign().valueOrOne() < Least))
    return No();
  std::optional<Poly> Bytes = IB.buildExact(R.Call->getLength(), true, R.L);
  std::optional<Poly> Count =
      Bytes ? Bytes->divideExactly(getSizeInBytes(*Ty)) : std::nullopt;
  std::optional<Access> Target = IB.buildAccess(R.Call->getDest(), T, R.L);
  if (!Count || !Target)
    return No();
  constexpr int64_t Max = std::numeric_limits<int64_t>::max();
  if (!getRange(S.K, *Count, S.axesOf(R.L)).within(0, Max))
    S.addInRange(*Count, 0, Max);

  auto Child = std::make_unique<Node>();
  Child->K = Node::LeafNode;
  LeafState LS(Child->L, R);
  if (!addGuard(R, Child->L, LS))
    return false;
  Child->L.Loc = getUserLoc(R.Call->getDebugLoc());
  Axis A;
  A.Name = getAxisName(S.depthOf(R.L));
  A.Extents.push_back(std::move(*Count));
  A.Loc = Child->L.Loc;
  auto Ax = static_cast<AxisId>(S.K.Axes.size());
  S.K.Axes.push_back(std::move(A));
  Poly Index = Poly::atom(S.K.getAxisAtom(Ax));
  Op Value;
  Value.Ty = *Ty;
  if (Copy) {
    std::optional<Access> Source = IB.buildAccess(Copy->getSource(), T, R.L);
    if (!Source)
      return No();
    Value.K = Op::Load;
    Value.Acc = std::move(*Source);
    Value.Acc.Subs[0] += Index;
  } else {
    Value.K = Op::Const;
    Value.Bits = repeatByte(
        cast<ConstantInt>(cast<MemSetInst>(R.Call)->getValue())->getZExtValue(),
        getSizeInBytes(*Ty));
  }
  Target->Subs[0] += Index;
  Child->L.Assigns.push_back({std::move(*Target), add(std::move(Value), LS)});
  auto Loop = std::make_unique<Node>();
  Loop->K = Node::AxisNode;
  Loop->Ax = Ax;
  Loop->Children.push_back(std::move(Child));
  N.Children.push_back(std::move(Loop));
  return true;
}
