//===- Rewrite.h - Recurrences by plan --------------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_FMA_REWRITE_H
#define DLOPT_PASSES_FMA_REWRITE_H

#include "Recurrences.h"

namespace dlopt {

/// Computes a recurrence of \p L by \p P. What this replaces is deleted.
void applyPlan(const RecurrencePlan &P, const SumFinder &Finder, llvm::Loop &L);

} // namespace dlopt

#endif // DLOPT_PASSES_FMA_REWRITE_H
