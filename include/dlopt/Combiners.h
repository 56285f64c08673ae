//===- Combiners.h - What goes on with an old value -------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_COMBINERS_H
#define DLOPT_COMBINERS_H

#include "dlopt/Kernel.h"
#include <optional>

namespace dlopt {

/// What combines an old value with another one: an operation, of which those
/// that may change places are one, and the order that a choice asks for. Only
/// with one and the same is a sequence of updates a reduction.
struct Combiner {
  Op::Kind K;
  unsigned Opcode;
  llvm::CmpInst::Predicate Pred = llvm::CmpInst::BAD_ICMP_PREDICATE;
  bool operator==(const Combiner &O) const {
    return K == O.K && Opcode == O.Opcode && Pred == O.Pred;
  }
};

/// How assignment \p A of \p L combines the old value of its target with
/// something that does not read it (sum, product, maximum, ...), if it does.
std::optional<Combiner> getCombiner(const Leaf &L, const Assign &A);

/// Whether \p Id needs the value at \p A.
bool readsElement(const Leaf &L, OpId Id, const Access &A);

} // namespace dlopt

#endif // DLOPT_COMBINERS_H
