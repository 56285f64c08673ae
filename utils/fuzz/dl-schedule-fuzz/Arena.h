//===- Arena.h - Memory that code runs on -----------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_FUZZ_SCHEDULE_FUZZ_ARENA_H
#define DLOPT_FUZZ_SCHEDULE_FUZZ_ARENA_H

#include "Code.h"
#include "Fuzz.h"

namespace dlopt {

/// Arrays that overlap are one region; each region ends, or begins, at memory
/// that must not be touched.
class Arena {
public:
  Arena();
  /// The memory after \p F ran on \p L as \p K takes it, or how it ended.
  llvm::Expected<std::vector<uint8_t>>
  run(CodeFunction F, const Kernel &K, const Layout &L, bool AtEnd, int &Error);

private:
  static constexpr size_t RegionSize = 1 << 15;
  std::vector<uint8_t *> Regions;
};

/// Part of a layout's memory.
struct Interval {
  size_t Begin, End;
};

/// What the arrays of \p L cover, those that overlap together.
std::vector<Interval> getClusters(const Layout &L);

} // namespace dlopt

#endif // DLOPT_FUZZ_SCHEDULE_FUZZ_ARENA_H
