//===- Expression.h - Scalar expressions over operands ----------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A part of a kernel's bodies on its own: what is computed from numbered
/// operands, wherever these come from.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_EXPRESSION_H
#define DLOPT_EXPRESSION_H

#include "dlopt/Kernel.h"

namespace dlopt {

/// Operations without accesses: constants, instructions, intrinsics, and
/// Op::Param, whose Ref is the number of an operand. All of them can be done
/// for a vector of values at once, without a call.
struct Expression {
  /// Operands come before their users; no two are equal.
  std::vector<Op> Ops;
  OpId Result = 0;

  bool empty() const { return Ops.empty(); }
  /// Equal operations get equal ids.
  OpId add(Op O);
  OpId addOperand(uint32_t Number, ScalarType Ty);
  OpId addInst(unsigned Opcode, ScalarType Ty, llvm::ArrayRef<OpId> Args,
               llvm::FastMathFlags FMF = {});
  /// Some operation is the intrinsic \p ID.
  bool uses(unsigned ID) const;
  /// Equal expressions, and only these, print the same.
  void print(llvm::raw_ostream &OS) const;
};

/// The floating-point intrinsic \p ID is a few instructions for a vector, too.
bool isVectorizableIntrinsic(unsigned ID);

/// Whether \p O calls the library's square root, which is an instruction but
/// for errno: that becomes EDOM where an operand is below zero.
bool isRoot(const Op &O);

/// What LLVM has instructions for on scalable vectors: nothing can be done lane
/// by lane there, and lanes under a mask must not trap.
bool hasScalableForm(const Op &O);

/// What the call \p O in \p L sets errno to, if there is but one error that the
/// function may report there (C23 7.12).
std::optional<int> getOnlyErrno(const Kernel &K, const Leaf &L, const Op &O);

/// An expression may have it, with operands \p Args in \p Ops.
bool isVectorizable(const Op &O, llvm::ArrayRef<Op> Ops);

/// Rounds each product where it stands: `fmuladd` becomes a multiplication and
/// an addition, and nothing may be fused later.
Expression separateProducts(const Expression &X);

} // namespace dlopt

#endif // DLOPT_EXPRESSION_H
