//===- Signs.cpp - Numbers that are never negative ------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Signs.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace dlopt {

namespace {

class SignFinder {
public:
  explicit SignFinder(const Kernel &K) : K(K) {}
  bool isClear(const Leaf &L, OpId Id);

private:
  bool isClearLocal(BufferId Buf);

  const Kernel &K;
  /// What is never negative if nothing that is found later is: by induction
  /// over the order in which values come about. One that may be negative
  /// decides, so nothing is taken back.
  DenseSet<BufferId> Locals;
  DenseSet<std::pair<const Leaf *, OpId>> Values;
};

} // namespace

/// The logarithm of what is below zero is an error, and zero over -0 is below
/// zero: so -0 does not count as a number that is never negative.
static bool isPositiveFunction(const Op &O) {
  if (O.K == Op::Intrinsic)
    return O.Opcode == Intrinsic::exp || O.Opcode == Intrinsic::exp2 ||
           O.Opcode == Intrinsic::fabs;
  StringRef Name = O.Callee;
  Name.consume_back("f");
  return O.K == Op::LibCall &&
         (Name == "exp" || Name == "exp2" || Name == "fabs");
}

static bool isMulAdd(const Op &O) {
  return O.K == Op::Intrinsic &&
         (O.Opcode == Intrinsic::fma || O.Opcode == Intrinsic::fmuladd);
}

bool SignFinder::isClearLocal(BufferId Buf) {
  if (!K.Buffers[Buf].IsLocal || !K.Buffers[Buf].Shape.empty())
    return false;
  if (!Locals.insert(Buf).second)
    return true;
  bool Clear = true;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Assign &A : L.Assigns)
      if (A.Target.Buf == Buf)
        Clear = Clear && isClear(L, A.Value);
  });
  return Clear;
}

bool SignFinder::isClear(const Leaf &L, OpId Id) {
  if (!Values.insert({&L, Id}).second)
    return true;
  const Op &O = L.Ops[Id];
  auto AreClear = [&](ArrayRef<OpId> Args) {
    return all_of(Args, [&](OpId Arg) { return isClear(L, Arg); });
  };
  if (!isFloat(O.Ty))
    return false;
  if (O.K == Op::Const)
    return !(O.Bits >> (8 * getSizeInBytes(O.Ty) - 1) & 1);
  if (O.K == Op::Load)
    return isClearLocal(O.Acc.Buf);
  if (isPositiveFunction(O))
    return true;
  if (O.FMF.noSignedZeros())
    return false;
  if (O.K == Op::Intrinsic && O.Opcode == Intrinsic::sqrt)
    return AreClear(O.Args);
  if (isMulAdd(O))
    return (O.Args[0] == O.Args[1] ||
            AreClear(ArrayRef(O.Args).take_front(2))) &&
           isClear(L, O.Args[2]);
  if (O.K != Op::Inst)
    return false;
  switch (O.Opcode) {
  case Instruction::FMul:
    return O.Args[0] == O.Args[1] || AreClear(O.Args);
  case Instruction::FAdd:
  case Instruction::FDiv:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
    return AreClear(O.Args);
  case Instruction::UIToFP:
    return true;
  case Instruction::Select:
    return AreClear(ArrayRef(O.Args).drop_front());
  default:
    return false;
  }
}

bool isNeverNegative(const Kernel &K, const Leaf &L, OpId Id) {
  return SignFinder(K).isClear(L, Id);
}

} // namespace dlopt
