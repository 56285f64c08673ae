//===- Ranges.h - What polynomials can be -----------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_RANGES_H
#define DLOPT_RANGES_H

#include "dlopt/Kernel.h"

namespace dlopt {

/// Saturating interval of integers; wide enough for products of two i64.
struct Range {
  __int128 Lo, Hi;
  bool within(__int128 L, __int128 H) const { return Lo >= L && Hi <= H; }
};
Range getTypeRange(unsigned Bits, bool Signed);

/// What \p P can be, as an exact integer, where the axes \p Enclosing run (each
/// has at least one iteration there).
/// \p Params: what parameters can be, by number, if more is known of them than
/// their types.
Range getRange(const Kernel &K, const Poly &P, llvm::ArrayRef<AxisId> Enclosing,
               llvm::ArrayRef<Range> Params = {});

} // namespace dlopt

#endif // DLOPT_RANGES_H
