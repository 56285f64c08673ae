//===- DotFactors.cpp - What sums of products of narrow numbers multiply --===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Dots.h"
#include "dlopt/Uses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instruction.h"

using namespace llvm;
using namespace dlopt;

/// The integers that zero points leave are of that type, more or less.
static constexpr ScalarType Shifted = ScalarType::I16;

/// What \p F, which is made of \p Load, is but for an offset.
static void findCore(const Kernel &K, const Leaf &L, OpId Load, OpId Value,
                     DotFactor &F) {
  OpId Core = findOffset(L, Load, Value)->Core;
  const Op &O = L.Ops[Core];
  F.IsCoreLoaded =
      O.K == Op::Inst && O.Args.front() == Load &&
      (O.Opcode == Instruction::ZExt || O.Opcode == Instruction::SExt);
  std::optional<ConversionRange> R = getRange(K, getConversion(L, Load, Core));
  for (bool Signed : {false, true})
    if (R && isIn(*R, {ScalarType::I8, Signed}))
      F.Core = {ScalarType::I8, Signed};
}

/// A number but for another one that is loaded and is the same for all terms:
/// that is for who knows which axes are of the sum.
static std::optional<DotFactor> findFactorOfRow(const Kernel &K, const Leaf &L,
                                                OpId Id) {
  std::optional<DotFactor> Best;
  auto CountAxes = [&](const Op *Load) {
    return count_if(seq<AxisId>(0, K.Axes.size()),
                    [&](AxisId A) { return K.dependsOn(Load->Acc, A); });
  };
  isComputedOf(L, Id, [&](const Op &O) {
    if (O.K != Op::Load || K.Buffers[O.Acc.Buf].IsLocal)
      return false;
    auto Load = static_cast<OpId>(&O - L.Ops.data());
    DotFactor F{&O, {O.Ty, true}, true, {}, {}, false};
    if (!findOffset(L, Load, Id) ||
        (Best && CountAxes(Best->Load) > CountAxes(&O)))
      return false;
    findCore(K, L, Load, Id, F);
    F.IsOfRow = true;
    if (!F.Core || !F.IsCoreLoaded)
      return false;
    F.Ty = *F.Core;
    Best = std::move(F);
    return false;
  });
  return Best;
}

/// What is stored as another type than it is multiplied as.
static std::optional<DotFactor> findFactor(const Kernel &K, const Leaf &L,
                                           OpId Id) {
  std::optional<OpId> Load;
  bool IsConversion = isComputedOf(L, Id, [&](const Op &O) {
    if (O.K != Op::Load)
      return false;
    bool Others = Load.has_value();
    Load = static_cast<OpId>(&O - L.Ops.data());
    return Others;
  });
  if (IsConversion && !isFloat(L.Ops[Id].Ty))
    return findFactorOfRow(K, L, Id);
  if (IsConversion || !Load || K.Buffers[L.Ops[*Load].Acc.Buf].IsLocal ||
      !is_contained(findConversions(L, *Load), Id))
    return std::nullopt;
  const Op &Of = L.Ops[*Load], &Value = L.Ops[Id];
  DotFactor F{&Of, {Of.Ty, true}, Of.Ty != Value.Ty, {}, {}, false};
  if (isFloat(Value.Ty)) {
    F.Ty.Ty = Value.Ty;
    if (isBFloat(getConversion(L, *Load, Id)))
      F.Core = {ScalarType::BF16, true};
    return F;
  }
  findCore(K, L, *Load, Id, F);
  if (Value.K == Op::Inst && Value.Args.front() == *Load &&
      (Value.Opcode == Instruction::ZExt ||
       Value.Opcode == Instruction::SExt)) {
    F.Ty.Signed = Value.Opcode == Instruction::SExt;
    F.IsConverted = false;
    return F;
  }
  F.Fits = getRange(K, getConversion(L, *Load, Id));
  F.Ty.Ty = Shifted;
  F.IsConverted = true;
  return F.Fits ? std::optional(F) : std::nullopt;
}

bool dlopt::findFactors(const Kernel &K, const Leaf &L, DotFactor &X,
                        DotFactor &Y, bool MayBeOfRows) {
  if (L.Predicate || L.Assigns.size() != 1)
    return false;
  const Assign &A = L.Assigns.front();
  const Op &Sum = L.Ops[A.Value];
  if (!K.Buffers[A.Target.Buf].IsLocal ||
      !is_contained(
          {ScalarType::I32, ScalarType::F16, ScalarType::F32, ScalarType::F64},
          Sum.Ty))
    return false;
  SmallVector<OpId, 2> Factors = findProduct(L, Sum, A.Target);
  if (Factors.empty())
    return false;
  std::optional<DotFactor> First = findFactor(K, L, Factors[0]),
                           Second = findFactor(K, L, Factors[1]);
  if (!MayBeOfRows &&
      ((First && First->IsOfRow) || (Second && Second->IsOfRow)))
    return false;
  // Other products of floats have tiles of their own.
  bool HasTiles = Sum.Ty == ScalarType::F32 || Sum.Ty == ScalarType::F64;
  if (!First || !Second ||
      (HasTiles && !First->IsConverted && !Second->IsConverted))
    return false;
  X = std::move(*First);
  Y = std::move(*Second);
  return true;
}
