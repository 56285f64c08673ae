//===- ExpressionLower.h - Operations to IR ---------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_LOWER_EXPRESSIONLOWER_H
#define DLOPT_PASSES_LOWER_EXPRESSIONLOWER_H

#include "dlopt/Lower.h"

namespace dlopt {

/// The value of a constant, an instruction or an intrinsic, whose operands are
/// \p Args: all scalars, or vectors of as many lanes (but for the condition of
/// a select, which may be a scalar).
llvm::Value *emitOperation(llvm::IRBuilderBase &B, const Op &O,
                           llvm::ArrayRef<llvm::Value *> Args);

} // namespace dlopt

#endif // DLOPT_PASSES_LOWER_EXPRESSIONLOWER_H
