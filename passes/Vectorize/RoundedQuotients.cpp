//===- RoundedQuotients.cpp - Quotients that are rounded ------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// gemmlowp's and TensorFlow Lite's high half of a product, in what is made of
/// sums of bytes, is a quotient that is rounded to the nearest integer:
///
///   (x + (x >= 0 ? 2^30 : 1 - 2^30)) / 2^31   ->   (x + 2^30) >> 31
///
/// Below 0 the division rounds up where the shift rounds down, by one less than
/// the divisor, which is what the other addend lacks.
///
//===----------------------------------------------------------------------===//
#include "Selector.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/IR/Instruction.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace dlopt;

static bool isInst(const Op &O, unsigned Opcode) {
  return O.K == Op::Inst && O.Opcode == Opcode;
}

static std::optional<int64_t> getNumber(const Leaf &L, OpId Id) {
  const Op &O = L.Ops[Id];
  if (O.K != Op::Const || isFloat(O.Ty))
    return std::nullopt;
  return SignExtend64(O.Bits, getBitWidth(O.Ty));
}

static bool isUsedOnce(const Leaf &L, OpId Id) {
  int64_t Uses = L.Predicate == Id;
  for (const Op &O : L.Ops)
    Uses += count(O.Args, Id);
  return Uses + count_if(L.Assigns,
                         [&](const Assign &A) { return A.Value == Id; }) ==
         1;
}

/// Whether half of the divisor can be added to \p X without a wrap: it is a
/// product of numbers of half its bits.
static bool isOfHalves(const Leaf &L, OpId X) {
  const Op &O = L.Ops[X];
  return isInst(O, Instruction::Mul) && all_of(O.Args, [&](OpId Arg) {
           return isInst(L.Ops[Arg], Instruction::SExt) &&
                  2 * getBitWidth(L.Ops[L.Ops[Arg].Args[0]].Ty) <=
                      getBitWidth(O.Ty);
         });
}

/// The operation that \p Choice takes where \p X is not negative, if it takes
/// \p Half there and 1 - \p Half elsewhere.
static std::optional<OpId> findHalf(const Leaf &L, OpId Choice, OpId X,
                                    int64_t Half) {
  const Op &O = L.Ops[Choice];
  if (!isInst(O, Instruction::Select) ||
      !isInst(L.Ops[O.Args[0]], Instruction::ICmp))
    return std::nullopt;
  const Op &Test = L.Ops[O.Args[0]];
  std::optional<int64_t> Bound = getNumber(L, Test.Args[1]);
  bool IsAbove = (Test.Pred == CmpInst::ICMP_SGT && Bound == -1) ||
                 (Test.Pred == CmpInst::ICMP_SGE && Bound == 0);
  bool IsBelow = (Test.Pred == CmpInst::ICMP_SLT && Bound == 0) ||
                 (Test.Pred == CmpInst::ICMP_SLE && Bound == -1);
  if (Test.Args[0] != X || (!IsAbove && !IsBelow))
    return std::nullopt;
  OpId Above = O.Args[IsAbove ? 1 : 2], Below = O.Args[IsAbove ? 2 : 1];
  if (getNumber(L, Above) != Half ||
      (getNumber(L, Below) != 1 - Half && !DLOPT_PLANTED(HalfUnasked)))
    return std::nullopt;
  return Above;
}

static void shift(Leaf &L, Op &Quotient) {
  std::optional<int64_t> Divisor = getNumber(L, Quotient.Args[1]);
  OpId Dividend = Quotient.Args[0];
  Op &Sum = L.Ops[Dividend];
  if (!Divisor || *Divisor < 2 || !isPowerOf2_64(*Divisor) ||
      !isInst(Sum, Instruction::Add) || !isUsedOnce(L, Dividend) ||
      !isUsedOnce(L, Quotient.Args[1]))
    return;
  for (unsigned I : {0, 1}) {
    OpId X = Sum.Args[I];
    std::optional<OpId> Half = findHalf(L, Sum.Args[1 - I], X, *Divisor / 2);
    // A sum that does not wrap for the source does not do so here: numbers
    // below 0 only come nearer to it, or beyond.
    if (!Half || !(Sum.NSW || isOfHalves(L, X)))
      continue;
    Sum.Args = {X, *Half};
    Sum.NSW = true;
    Sum.NUW = false;
    Quotient.Opcode = Instruction::AShr;
    Quotient.Exact = false;
    L.Ops[Quotient.Args[1]].Bits = Log2_64(*Divisor);
    return;
  }
}

void dlopt::roundByShifts(Node &N) {
  for (Op &O : N.L.Ops)
    if (isInst(O, Instruction::SDiv))
      shift(N.L, O);
  for (auto &Child : N.Children)
    roundByShifts(*Child);
}
