//===- DeviceMath.h - Math functions of device code ------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_VECTORIZE_DEVICEMATH_H
#define DLOPT_VECTORIZE_DEVICEMATH_H

#include "dlopt/Options.h"
#include "llvm/IR/PassManager.h"

namespace dlopt {

/// On a GPU a thread is a lane: computes the math functions that \p F calls,
/// and that may be approximated, inline, in loops or not. There is no library
/// to call, nor code for all of LLVM's intrinsics.
bool inlineDeviceMath(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                      const Options &O);

} // namespace dlopt

#endif // DLOPT_VECTORIZE_DEVICEMATH_H
