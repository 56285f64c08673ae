//===- Blocks.cpp - memset and memcpy as loops over elements --------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Leaves.h"
#include "Normalize.h"
#include "dlopt/Compat.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace dlopt;

/// The type of all elements of the object \p Base that \p F loads and stores.
static std::optional<ScalarType> getTypeAround(const Function &F,
                                               const Value *Base) {
  const Value *Object = getUnderlyingObject(Base);
  std::optional<ScalarType> Result;
  for (const Instruction &I : instructions(F)) {
    const Value *Ptr = getLoadStorePointerOperand(&I);
    if (!Ptr || getUnderlyingObject(Ptr) != Object)
      continue;
    std::optional<ScalarType> T = getScalarType(getLoadStoreType(&I));
    if (!T || *T == ScalarType::I1 || (Result && *Result != *T))
      return std::nullopt;
    Result = T;
  }
  return Result;
}

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
  if (!Result && S.Ctx.LooksAround)
    return getTypeAround(S.Ctx.F, Base);
  return Result;
}

static uint64_t repeatByte(uint64_t Byte, unsigned Size) {
  uint64_t Bits = 0;
  for (unsigned I = 0; I != Size; ++I)
    Bits = Bits << 8 | (Byte & 0xff);
  return Bits;
}

/// Whether \p P is not negative because of where one of \p Axes ends: x <
/// floor(n / d) + 1 says that n - d * x is not.
static bool isBounded(Kernel &K, const Poly &P, ArrayRef<AxisId> Axes) {
  for (AxisId A : Axes) {
    AtomId X = K.getAxisAtom(A);
    std::optional<Poly> Step = P.coefficient(X);
    std::optional<int64_t> By = Step ? Step->getConstant() : std::nullopt;
    for (const Poly &E : K.Axes[A].Extents)
      for (AtomId Id = 0; By && *By < 0 && Id != K.Atoms.size(); ++Id) {
        const Atom &At = K.Atoms[Id];
        std::optional<int64_t> Den =
            At.K == Atom::FloorDiv ? At.Den.getConstant() : std::nullopt;
        if (!Den || *Den <= 0 || *By % *Den != 0 ||
            E != Poly::atom(Id) + Poly(1))
          continue;
        Poly Left = At.Num - Poly::atom(X) * At.Den;
        if (getRange(K, P + Left * Poly(*By / *Den), {}).Lo >= 0)
          return true;
      }
  }
  return false;
}

/// What \p V is the smallest of, where that is no polynomial: (min(a, b) - c) *
/// 4 is the smaller one of (a - c) * 4 and (b - c) * 4, if nothing wraps.
static SmallVector<Poly, 2> buildSmallest(IndexBuilder &IB, Value *V,
                                          const Loop *Where) {
  Value *X, *Y;
  if (!V->getType()->isIntegerTy(64))
    return {};
  if (match(V, m_SMin(m_Value(X), m_Value(Y)))) {
    std::optional<Poly> A = IB.buildExact(X, true, Where),
                        B = IB.buildExact(Y, true, Where);
    return A && B ? SmallVector<Poly, 2>{*A, *B} : SmallVector<Poly, 2>();
  }
  const APInt *By;
  if (match(V, m_Shl(m_Value(X), m_APInt(By))) && By->ult(8)) {
    SmallVector<Poly, 2> All = buildSmallest(IB, X, Where);
    for (Poly &P : All)
      P = P * Poly(int64_t(1) << By->getZExtValue());
    return All;
  }
  if (!match(V, m_Sub(m_Value(X), m_Value(Y))))
    return {};
  SmallVector<Poly, 2> All = buildSmallest(IB, X, Where);
  std::optional<Poly> Less =
      All.empty() ? std::nullopt : IB.buildExact(Y, true, Where);
  if (!Less)
    return {};
  for (Poly &P : All)
    P = P - *Less;
  return All;
}

/// An axis over the elements, and below it one assignment.
bool TreeBuilder::buildBlock(const Root &R, Node &N) {
  auto No = [&] {
    return S.fail(
        Reason::UnsupportedOperation, R.Call,
        describeCallee(*R.Call) +
            " of a block whose elements, place or size are not known");
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
  SmallVector<Poly, 2> Counts;
  if (std::optional<Poly> Bytes = IB.buildExact(R.Call->getLength(), true, R.L))
    Counts.push_back(std::move(*Bytes));
  else
    Counts = buildSmallest(IB, R.Call->getLength(), R.L);
  std::optional<Access> Target = IB.buildAccess(R.Call->getDest(), T, R.L);
  if (Counts.empty() || !Target)
    return No();
  constexpr int64_t Max = std::numeric_limits<int64_t>::max();
  for (Poly &Count : Counts) {
    const Poly Bytes = Count;
    std::optional<Poly> Elements = Count.divideExactly(getSizeInBytes(*Ty));
    if (!Elements)
      return No();
    Count = std::move(*Elements);
    // Of several, no number of bytes may wrap.
    const Poly &Known = Counts.size() > 1 ? Bytes : Count;
    SmallVector<AxisId, 6> Axes = S.axesOf(R.L);
    if (!getRange(S.K, Known, Axes).within(0, Max))
      S.addInRange(Known, isBounded(S.K, Known, Axes) ? -Max - 1 : 0, Max);
  }

  auto Child = std::make_unique<Node>();
  Child->K = Node::LeafNode;
  LeafState LS(Child->L, R);
  if (!addGuard(R, Child->L, LS))
    return false;
  Child->L.Loc = getUserLoc(R.Call->getDebugLoc());
  Axis A;
  A.Name = getAxisName(S.depthOf(R.L));
  A.Extents.append(Counts.begin(), Counts.end());
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
