//===- Accumulators.h - Sums in memory, in registers ------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// for (j = 0; j < n; j++) y[i] += a[i][j];
/// ->  s = y[i];  for (j = 0; j < n; j++) s += a[i][j];  y[i] = s;
///
/// in the copy of a nest, where nothing else in the inner loop accesses y[i]:
/// that has been tested in front of the nest. The loop stores in each iteration
/// and is left in its latch only, so that the source stores, too, wherever this
/// does. Loads whose address does not change in the loop go in front of it.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_NOALIAS_ACCUMULATORS_H
#define DLOPT_NOALIAS_ACCUMULATORS_H

#include "NestCopy.h"
#include "NestMemory.h"

namespace dlopt {

void promoteAccumulators(NestCopy &C, NestMemory &Memory,
                         llvm::FunctionAnalysisManager &FAM);

} // namespace dlopt

#endif // DLOPT_NOALIAS_ACCUMULATORS_H
