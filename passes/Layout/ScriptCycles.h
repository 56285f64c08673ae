//===- ScriptCycles.h - What scripts take in an order -----------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_LAYOUT_SCRIPTCYCLES_H
#define DLOPT_LAYOUT_SCRIPTCYCLES_H

#include "dlopt/Kernel.h"
#include "llvm/ADT/StringMap.h"
#include <optional>

namespace dlopt {

struct TargetModel;

/// Kernels are asked for again and again while orders are tried.
class ScriptCycles {
public:
  /// Cycles of \p K by the script (Strategies.h) that dl-vectorize runs it
  /// with; nullopt: it has none, or nobody knows.
  std::optional<double> get(const Kernel &K, const TargetModel &T);

private:
  /// By the kernel's text.
  llvm::StringMap<std::optional<double>> Known;
};

} // namespace dlopt

#endif // DLOPT_LAYOUT_SCRIPTCYCLES_H
