//===- Pieces.h - Rows that are put together -------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_NAMES_PIECES_H
#define DLOPT_NAMES_PIECES_H

#include "Evaluator.h"

namespace dlopt {

/// The row of DLOPT_PIECES in Programs.def whose pieces \p Results are, all of
/// them in one array; empty: none.
llvm::StringRef findPieces(const Kernel &K, Algebra &A,
                           llvm::ArrayRef<Formula> Results);

} // namespace dlopt

#endif // DLOPT_NAMES_PIECES_H
