//===- Cost.h - Cycles that a schedule takes --------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How long a core runs a scheduled kernel, by what its tree says: loops that
/// run, straight code in them, lines of the caches that they touch. Straight
/// code takes as long as the busiest of the core's resources (ports of
/// arithmetic, loads, stores and shuffles, instructions issued, additions
/// behind each other, lines from each level of memory); what is in one loop
/// overlaps, one loop behind another does not. The resources are columns
/// of Targets.def.
///
/// It says which of two schedules of one kernel is faster, and by how much,
/// not how long either takes.
///
/// The model of the resources is that of a roofline for each level of memory
/// (Stengel et al., Quantifying Performance Bottlenecks of Stencil Computations
/// Using the Execution-Cache-Memory Model, ICS 2015), with the largest of them
/// in the place of their sum, and a little more where several are nearly so.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_COST_H
#define DLOPT_COST_H

#include <algorithm>
#include <cstdint>
#include <optional>

namespace dlopt {

class Kernel;
struct TargetModel;

/// By less than that cycles are wrong.
constexpr double CertainlyFaster = 0.94;

/// Cycles of a call of the scheduled kernel \p K, whose arrays are in the
/// caches that have room for them; nullopt: a number of rounds is not known.
std::optional<double> getCycles(const Kernel &K, const TargetModel &T);

/// For people: extents may be so large that \p Cycles is no integer.
inline uint64_t roundCycles(double Cycles) {
  constexpr double Most = 1e18;
  return static_cast<uint64_t>(std::min(Cycles, Most));
}

} // namespace dlopt

#endif // DLOPT_COST_H
