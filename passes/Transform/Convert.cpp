//===- Convert.cpp - Copies of what is made of elements -------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// stage %A i row 64 k = k as f32: the copy has what is made of each element of
/// %A, wherever it is read: the last of its conversions (Conversion.h) that is
/// of that type, or one to wider integers that certainly are of that type, too,
/// as signed ones or, as u8, as unsigned ones.
///
//===----------------------------------------------------------------------===//
#include "Copy.h"
#include "OpInserter.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instruction.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace dlopt;

/// The operation of \p L that the copy has, and what that is; nullopt: none is
/// of the type.
std::optional<OpId> Step::findConverted(const Copy &C, const Leaf &L, OpId Load,
                                        Expression &As) {
  SmallVector<OpId, 4> Values = findConversions(L, Load);
  Dependences D(K);
  for (OpId Id : reverse(ArrayRef(Values).drop_front())) {
    ScalarType Ty = L.Ops[Id].Ty;
    As = getConversion(L, Load, Id);
    if (Ty == C.Ty && !C.IsUnsigned)
      return Id;
    if (isFloat(Ty) || isFloat(C.Ty) || getBitWidth(Ty) < getBitWidth(C.Ty))
      continue;
    std::optional<ConversionRange> R = getRange(K, As);
    if (C.IsUnsigned) {
      if (!R || !isIn(*R, {C.Ty, /*Signed=*/false}))
        continue;
      As = narrowConversion(As, C.Ty);
      return Id;
    }
    if (!R || !all_of(getFits(K, *R, C.Ty), [&](const Constraint &Fits) {
          return D.isAtLeastZero(Fits.P, C.P.axes()) ||
                 DLOPT_PLANTED(CopyRangeUnasked);
        }))
      continue;
    As = narrowConversion(As, C.Ty);
    return Id;
  }
  return std::nullopt;
}

static std::string print(const Expression &X) {
  std::string Text;
  raw_string_ostream OS(Text);
  X.print(OS);
  return Text;
}

/// Where the copy has conversions, all that read it make the same of it.
bool Step::findConversion(Copy &C) {
  if (!C.IsConverted)
    return false;
  for (const Node *N : C.All)
    for (auto [Id, O] : enumerate(N->L.Ops)) {
      if (O.K != Op::Load || !(O.Acc == C.X))
        continue;
      Expression As;
      std::optional<OpId> Value =
          findConverted(C, N->L, static_cast<OpId>(Id), As);
      if (!Value)
        return fail("what is made of " + text(C.X) +
                    " is not certainly a number of type " + getName(C.Ty));
      if (!C.Conversion.empty() && print(As) != print(C.Conversion) &&
          !DLOPT_PLANTED(CopyConvertedUnasked))
        return fail("not the same is made of " + text(C.X) +
                    " wherever it is read");
      C.Conversion = std::move(As);
    }
  return false;
}

/// What uses the load \p Load reads the copy, \p Slot, where \p If holds.
static void viewCopy(const Constraint &If, const Op &Slot, Leaf &L, OpId Load) {
  Op Memory = L.Ops[Load];
  L.Ops[Load] = Op();
  L.Ops[Load].K = Op::View;
  L.Ops[Load].Ty = Memory.Ty;
  L.Ops[Load].Idx = If.P;
  OpInserter In(L, Load);
  OpId First = In.add(Slot), Second = In.add(std::move(Memory));
  L.Ops[In.before()].Args = {First, Second};
}

/// \p L reads the copy, which may have what is made of each element: then
/// nothing needs what that was made of.
void Step::redirect(const Copy &C, Leaf &L) {
  Op Slot;
  Slot.K = Op::Load;
  Slot.Ty = C.Ty;
  Slot.Acc.Buf = C.Local;
  Slot.Acc.Subs.assign(C.Index.begin(), C.Index.end());
  for (OpId Load = 0; Load != L.Ops.size(); ++Load) {
    if (L.Ops[Load].K != Op::Load || !(L.Ops[Load].Acc == C.X))
      continue;
    Expression As;
    OpId Value = C.IsConverted ? *findConverted(C, L, Load, As) : Load;
    for (OpId Id : findConversions(L, Load)) {
      if (Id == Value)
        break;
      ScalarType Own = L.Ops[Id].Ty;
      L.Ops[Id] = Op();
      L.Ops[Id].Ty = Own;
    }
    if (C.If) {
      viewCopy(*C.If, Slot, L, Load);
      Load += 2;
      continue;
    }
    ScalarType Ty = L.Ops[Value].Ty;
    if (Ty == C.Ty) {
      L.Ops[Value] = Slot;
      continue;
    }
    L.Ops[Load] = Slot;
    Op Wide;
    Wide.K = Op::Inst;
    Wide.Opcode = C.IsUnsigned ? Instruction::ZExt : Instruction::SExt;
    Wide.Ty = Ty;
    Wide.Args = {Load};
    L.Ops[Value] = std::move(Wide);
  }
}
