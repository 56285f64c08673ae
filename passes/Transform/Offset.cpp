//===- Offset.cpp - Numbers that are added to factors ---------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Instructions multiply unsigned bytes by signed ones, and programs signed
/// ones, or such with a zero point, by signed ones. Modulo 2^n both are the
/// same but for a number that is the same for all elements, and products of it
/// are the number times a sum (Jacob et al., Quantization and Training of
/// Neural Networks for Efficient Integer-Arithmetic-Only Inference, CVPR 2018,
/// 2.3).
///
/// offset s %a u8: a factor made of an element of %a is a number of that type,
/// and another one that is added, whatever that is made of:
///
///   s = add(s, mul(sext(%a[i,k]), g))
///   ->
///   s = add(s, mul(add(add(sext(%a[i,k]), 128), -128), g))
///
//===----------------------------------------------------------------------===//
#include "OpInserter.h"
#include "Step.h"
#include "dlopt/Conversion.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instruction.h"

using namespace llvm;
using namespace dlopt;

static bool isInst(const Op &O, unsigned Opcode) {
  return O.K == Op::Inst && O.Opcode == Opcode;
}

std::optional<OpId> dlopt::findProduct(const Leaf &L, BufferId Local) {
  if (L.Assigns.size() != 1 || L.Assigns[0].Target.Buf != Local || L.Predicate)
    return std::nullopt;
  const Op &Sum = L.Ops[L.Assigns[0].Value];
  if (!isInst(Sum, Instruction::Add))
    return std::nullopt;
  for (unsigned I : {0, 1}) {
    const Op &O = L.Ops[Sum.Args[I]];
    if (O.K == Op::Load && O.Acc == L.Assigns[0].Target &&
        isInst(L.Ops[Sum.Args[1 - I]], Instruction::Mul))
      return Sum.Args[1 - I];
  }
  return std::nullopt;
}

/// What has to be added to numbers in \p R, if anything has, to be some of \p
/// Ty.
static std::optional<int64_t> findShift(const ConversionRange &R,
                                        FactorType Ty) {
  int64_t Half = int64_t(1) << (getBitWidth(Ty.Ty) - 1);
  for (int64_t Shift : {int64_t(0), Half, -Half}) {
    ConversionRange Shifted = R;
    if (!AddOverflow(R.Least, Shift, Shifted.Least) &&
        !AddOverflow(R.Most, Shift, Shifted.Most) && isIn(Shifted, Ty))
      return Shift;
  }
  return std::nullopt;
}

/// The factor \p Arg of \p Product becomes add(p, q), with p of type \p Ty.
/// True: it is no such number.
static bool addOffset(const Kernel &K, Leaf &L, OpId Product, unsigned Arg,
                      OpId Load, FactorType Ty) {
  OpId Value = L.Ops[Product].Args[Arg];
  const std::optional<ConversionOffset> Of = findOffset(L, Load, Value);
  if (!Of)
    return true;
  std::optional<ConversionRange> R =
      getRange(K, getConversion(L, Load, Of->Core));
  std::optional<int64_t> Shift = R ? findShift(*R, Ty) : std::nullopt;
  if (!Shift)
    return true;
  ScalarType Own = L.Ops[Value].Ty;
  OpInserter In(L, Product);
  OpId P = Of->Core;
  if (*Shift)
    P = In.addInst(Instruction::Add, P, In.addConstant(Own, *Shift));
  OpId Q = In.addConstant(Own, DLOPT_PLANTED(OffsetLost) ? 0 : -*Shift);
  for (auto [Added, IsSubtracted] : Of->Added)
    Q = In.addInst(IsSubtracted ? Instruction::Sub : Instruction::Add, Q,
                   Added);
  OpId Sum = In.addInst(Instruction::Add, P, Q);
  L.Ops[In.before()].Args[Arg] = Sum;
  // What the source promises of the old numbers it does not of these.
  L.Ops[In.before()].NSW = L.Ops[In.before()].NUW = false;
  dropUnusedOps(L);
  return false;
}

/// The factor of \p Product that is made of an element of \p Name.
static std::optional<std::pair<unsigned, OpId>>
findFactorOf(const Kernel &K, const Leaf &L, OpId Product, StringRef Name) {
  for (auto [Id, O] : enumerate(L.Ops)) {
    auto Load = static_cast<OpId>(Id);
    if (O.K != Op::Load || K.Buffers[O.Acc.Buf].IsLocal ||
        K.Buffers[O.Acc.Buf].Name != Name)
      continue;
    for (unsigned Arg : {0, 1})
      if (findOffset(L, Load, L.Ops[Product].Args[Arg]))
        return std::pair(Arg, Load);
  }
  return std::nullopt;
}

bool Step::offset() {
  Place Owner;
  BufferId Local = 0;
  StringRef Name, Type;
  if (takeLocal(Owner, Local) || takeWord(Name, "a buffer") ||
      takeWord(Type, "a type") || expectEnd())
    return true;
  Name.consume_front("%");
  std::optional<FactorType> Ty = parseFactorType(Type);
  if (!Ty || isFloat(Ty->Ty))
    return fail("expected a type of integers, got '" + Type + "'");
  bool Any = false, IsOther = false;
  forEachLeafNode(Owner.node(), [&](Leaf &L) {
    std::optional<OpId> Product = findProduct(L, Local);
    auto Factor = Product ? findFactorOf(K, L, *Product, Name) : std::nullopt;
    if (!Factor)
      return;
    Any = true;
    IsOther |= addOffset(K, L, *Product, Factor->first, Factor->second, *Ty);
  });
  if (!Any)
    return fail("'" + K.Buffers[Local].Name +
                "' adds no products of what is made of '" + Name + "'");
  return IsOther &&
         fail("what is made of '" + Name + "' is not certainly of type " +
              Type + " but for a number that is the same for all");
}
