//===- OpInserter.h - Operations in front of others -------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_TRANSFORM_OPINSERTER_H
#define DLOPT_TRANSFORM_OPINSERTER_H

#include "dlopt/Kernel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace dlopt {

/// Operations in front of one of a leaf.
class OpInserter {
public:
  OpInserter(Leaf &L, OpId Before) : L(L), At(Before) {}
  OpId add(Op O) {
    L.Ops.insert(L.Ops.begin() + At, std::move(O));
    auto Move = [&](OpId &Id) { Id += Id >= At; };
    for (Op &Later : llvm::drop_begin(L.Ops, At + 1))
      llvm::for_each(Later.Args, Move);
    for (Assign &A : L.Assigns)
      Move(A.Value);
    if (L.Predicate)
      Move(*L.Predicate);
    return At++;
  }
  OpId addConstant(ScalarType Ty, int64_t Number) {
    Op O;
    O.K = Op::Const;
    O.Ty = Ty;
    O.Bits = static_cast<uint64_t>(Number) &
             llvm::maskTrailingOnes<uint64_t>(getBitWidth(Ty));
    return add(std::move(O));
  }
  OpId addInst(unsigned Opcode, OpId X, OpId Y) {
    Op O;
    O.K = Op::Inst;
    O.Ty = L.Ops[X].Ty;
    O.Opcode = Opcode;
    O.Args = {X, Y};
    return add(std::move(O));
  }
  /// Where the operation is now.
  OpId before() const { return At; }

private:
  Leaf &L;
  OpId At;
};

} // namespace dlopt

#endif // DLOPT_TRANSFORM_OPINSERTER_H
