//===- ConditionalLoads.h - Pointers that a condition leads to --*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_PREPARE_CONDITIONALLOADS_H
#define DLOPT_PASSES_PREPARE_CONDITIONALLOADS_H

#include "llvm/IR/PassManager.h"

namespace dlopt {

/// Reads pointers that loops read again and again under conditions that do not
/// change in them (`if (l->bias) y[i] += l->bias->data[i]`) once in front,
/// under the same conditions; of one block. Loops have preheaders. True if
/// there were some: the analyses of loops and dominators are out of date.
bool readConditionalPointers(llvm::Function &F,
                             llvm::FunctionAnalysisManager &FAM);

} // namespace dlopt

#endif // DLOPT_PASSES_PREPARE_CONDITIONALLOADS_H
