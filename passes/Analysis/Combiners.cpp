//===- Combiners.cpp - What goes on with an old value ---------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Combiners.h"
#include "dlopt/Compat.h"
#include "dlopt/Uses.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;
using namespace dlopt;

bool dlopt::readsElement(const Leaf &L, OpId Id, const Access &A) {
  return isComputedOf(
      L, Id, [&](const Op &O) { return O.K == Op::Load && O.Acc == A; });
}

static bool isLoadOf(const Leaf &L, OpId Id, const Access &A) {
  return L.Ops[Id].K == Op::Load && L.Ops[Id].Acc == A;
}

std::optional<Combiner> dlopt::getCombiner(const Leaf &L, const Assign &A) {
  const Op &O = L.Ops[A.Value];
  auto IsPair = [&](OpId Self, OpId Other) {
    return isLoadOf(L, Self, A.Target) && !readsElement(L, Other, A.Target);
  };
  auto IsEither = [&] {
    return IsPair(O.Args[0], O.Args[1]) || IsPair(O.Args[1], O.Args[0]);
  };
  auto Get = [&](bool Combines, unsigned Opcode) {
    return Combines ? std::optional(Combiner{O.K, Opcode}) : std::nullopt;
  };
  if (O.K == Op::Intrinsic) {
    switch (O.Opcode) {
    case Intrinsic::fma:
    case Intrinsic::fmuladd:
      if (!IsPair(O.Args[2], O.Args[0]) || readsElement(L, O.Args[1], A.Target))
        return std::nullopt;
      return Combiner{Op::Inst, Instruction::FAdd};
    case Intrinsic::minnum:
    case Intrinsic::maxnum:
    case Intrinsic::minimum:
    case Intrinsic::maximum:
    case Intrinsic::minimumnum:
    case Intrinsic::maximumnum:
    case Intrinsic::smax:
    case Intrinsic::smin:
    case Intrinsic::umax:
    case Intrinsic::umin:
      return Get(IsEither(), O.Opcode);
    default:
      return std::nullopt;
    }
  }
  if (O.K != Op::Inst)
    return std::nullopt;
  switch (O.Opcode) {
  case Instruction::FAdd:
  case Instruction::FMul:
  case Instruction::Add:
  case Instruction::Mul:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
    return Get(IsEither(), O.Opcode);
  case Instruction::FSub:
    return Get(IsPair(O.Args[0], O.Args[1]), Instruction::FAdd);
  case Instruction::Sub:
    return Get(IsPair(O.Args[0], O.Args[1]), Instruction::Add);
  case Instruction::Select: {
    // v > m ? v : m, in either order.
    const Op &C = L.Ops[O.Args[0]];
    if (C.K != Op::Inst ||
        (C.Opcode != Instruction::FCmp && C.Opcode != Instruction::ICmp))
      return std::nullopt;
    for (unsigned I : {1u, 2u}) {
      OpId Self = O.Args[I], Other = O.Args[3 - I];
      if (!IsPair(Self, Other))
        continue;
      // As a test of the old value that keeps it.
      CmpInst::Predicate Keeps =
          I == 1 ? C.Pred : CmpInst::getInversePredicate(C.Pred);
      if (isLoadOf(L, C.Args[0], A.Target) && C.Args[1] == Other)
        return Combiner{O.K, O.Opcode, Keeps};
      if (isLoadOf(L, C.Args[1], A.Target) && C.Args[0] == Other)
        return Combiner{O.K, O.Opcode, CmpInst::getSwappedPredicate(Keeps)};
    }
    return std::nullopt;
  }
  default:
    return std::nullopt;
  }
}
