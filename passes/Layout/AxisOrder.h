//===- AxisOrder.h - Which axis of a kernel is innermost --------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_LAYOUT_AXISORDER_H
#define DLOPT_PASSES_LAYOUT_AXISORDER_H

#include "dlopt/Kernel.h"

namespace dlopt {

/// Makes the parallel axis \p A the innermost one of all that is below it: its
/// iterations are independent, so only the order within each must stay. What
/// one of them keeps in a local scalar becomes a row. False: \p K is of no use
/// any more.
bool sinkAxis(Kernel &K, AxisId A);

/// Makes two axes of \p A, the inner one of \p Count rounds: a loop over all
/// elements becomes loops over rows and what is in them, in the same order.
/// Stays as it is where that leaves a rest.
void splitAxis(Kernel &K, AxisId A, uint64_t Count);

/// What LLVM's loop vectorizer has for a function.
struct VectorUnit {
  unsigned Bits = 1;
  bool HasMaskedLoads = false;
};

/// Iterations of innermost statements, less as many times as there are lanes
/// where LLVM's loop vectorizer makes vectors of them: of loops with
/// independent iterations over neighbours.
double getCost(const Kernel &K, const VectorUnit &Unit);

/// Makes another order of the axes of \p K, if that costs less than \p Limit.
/// Returns the cost then.
std::optional<double> improveOrder(Kernel &K, const VectorUnit &Unit,
                                   double Limit);

} // namespace dlopt

#endif // DLOPT_PASSES_LAYOUT_AXISORDER_H
