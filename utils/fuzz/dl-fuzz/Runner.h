//===- Runner.h - Runs instances and compares -------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_FUZZ_RUNNER_H
#define DLOPT_FUZZ_RUNNER_H

#include "Build.h"
#include "Oracle.h"

namespace dlfuzz {

/// What one process says to the one that watches it, in shared memory.
struct Progress {
  enum StageKind : uint32_t { Setup, Reference, Plugin, Interpreter };
  volatile uint32_t Kernel, Instance, Stage, Variant;
};

/// Of one kernel in one build, in shared memory.
struct Tally {
  uint64_t Instances, Transformed, Mismatches, Crashes;
};

/// Of one kernel in one configuration: runs of the interpreter.
struct OracleTally {
  uint64_t Agreed, Refused, Differed;
};

struct Selection {
  std::string Kernel;
  int Instance = -1;
  bool covers(const KernelInfo &K, unsigned I) const {
    return (Kernel.empty() || K.Name == Kernel) &&
           (Instance < 0 || static_cast<unsigned>(Instance) == I);
  }
};

/// Says on standard output that something is wrong, in one line.
void reportFinding(llvm::StringRef Type, const KernelInfo *K, unsigned Instance,
                   const Config &C, const Variant *V, llvm::StringRef What);

/// Everything that runs in one configuration.
struct RunPlan {
  const Batch &B;
  unsigned ConfigNumber;
  const Selection &Only;
  const Program &Reference;
  const std::vector<Program> &Variants;
  const Oracle &Interpreter;
  Progress &Where;
  Tally *Tallies; ///< by variant, then kernel
  OracleTally *OracleTallies;
  unsigned SecondsPerRun;
  const Config &config() const { return B.Configs[ConfigNumber]; }
  Tally &tally(unsigned V, unsigned K) const {
    return Tallies[V * B.Kernels.size() + K];
  }
};

/// Ends this process by SIGPROF after so many seconds of computing (0: never).
void limitTime(unsigned Seconds);

/// Runs all instances from (\p Kernel, \p Instance) on.
void runInstances(const RunPlan &P, unsigned Kernel, unsigned Instance);

} // namespace dlfuzz

#endif // DLOPT_FUZZ_RUNNER_H
