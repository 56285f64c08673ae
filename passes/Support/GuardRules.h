//===- GuardRules.h - Rules shared by guard emission and check --*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_SUPPORT_GUARDRULES_H
#define DLOPT_PASSES_SUPPORT_GUARDRULES_H

#include "dlopt/Raise.h"

namespace llvm {
class AAResults;
class DominatorTree;
class Instruction;
class LoopInfo;
} // namespace llvm

namespace dlopt {

/// Values read inside axes whose extents are read inside axes ...: how often.
inline constexpr unsigned MaxGuardNesting = 16;

/// Axes, parameters and strides are tested to be below 2^SmallGuardBits first.
inline constexpr unsigned SmallGuardBits = 29;
/// Numbers in range tests stay below 2^MaxGuardBits, so that the span between
/// two sums, times an element size, is exact. A sum of two products of small
/// numbers stays below it untested.
inline constexpr unsigned MaxGuardBits = 59;

/// The axes that must run at least once for \p I to be executed, outermost
/// first; nullopt if that is not sure even then.
std::optional<llvm::SmallVector<AxisId, 4>>
getAxesRunning(const llvm::Instruction &I, const RaisedKernel &RK,
               const llvm::DominatorTree &DT, const llvm::LoopInfo &LI);

/// The coefficient is small enough for range tests.
bool isTestable(int64_t Coefficient);

/// The loaded number of atom \p A is never negative and small by its type.
bool isNarrow(const Kernel &K, const Atom &A);

/// The distinct offsets of all accesses to \p Buf, those inside of polynomials
/// included; 0 if there are none. Without those at loaded indices if these are
/// \p InOrder (RaisedKernel::KeepsOrder).
llvm::SmallVector<Poly, 4> getOffsets(const Kernel &K, BufferId Buf,
                                      bool InOrder);

bool isNoAlias(llvm::AAResults *AA, const llvm::Value *X, const llvm::Value *Y);

} // namespace dlopt

#endif // DLOPT_PASSES_SUPPORT_GUARDRULES_H
