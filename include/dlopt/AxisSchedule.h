//===- AxisSchedule.h - How an axis of a kernel is run ----------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A schedule is said in the kernel itself: what an axis has here tells how it
/// is run, and nothing of what the kernel computes. An axis that says nothing
/// is a loop over its elements.
///
/// Blocks (`step 6 4 2 1`, `step 64 16 rest`, `upto 256`): the children run
/// once for each block; inside, the axis has the value of the block's first
/// element and `size(axis)` is the number of its elements. With `step` a block
/// has the largest of the sizes that still fits, `rest` adds a last block of
/// whatever is left; with `over` that has the smallest size instead and ends
/// with the last element, so that elements in front of it run twice: there are
/// as many as the smallest size, or none. With `upto` a block has at most so
/// many elements, a number or one that is computed first (`upto %kc`). `once`:
/// where there is no element, one block of size 0 runs.
///
/// Sizes and lanes may be times `vl` (`step 4vl vl rest`, `lanes vl`), the
/// number of 32-bit lanes of a scalable vector register: a power of two that is
/// known when the code runs.
///
/// Elements: `unroll` makes a copy of the children for each; `lanes 16` runs
/// 16 elements at a time, each leaf for all lanes before the next leaf. The
/// lanes past the end are junk (Kernel.h, Buffer::Where). `row vpdpbusd`,
/// around one leaf in lanes, says that this loop is an instruction
/// (Instructions.h).
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_AXISSCHEDULE_H
#define DLOPT_AXISSCHEDULE_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace dlopt {

/// The values of `vl` are the powers of two from the least to the most: SVE's
/// registers have 128 to 2048 bits, those of RISC-V's V at most 65536.
constexpr int64_t LeastVL = 4, MostVL = 2048;

/// A number of elements: N, or N times `vl`.
struct ScheduleSize {
  int64_t N = 0;
  bool Scalable = false;

  int64_t at(int64_t VL) const { return Scalable ? N * VL : N; }
  int64_t getLeast() const { return at(LeastVL); }
  int64_t getMost() const { return at(MostVL); }
  /// Fewer than \p S, whatever `vl` is.
  bool isBelow(const ScheduleSize &S) const {
    return Scalable == S.Scalable ? N < S.N : getMost() < S.getLeast();
  }
  /// \p S elements are a number of these, whatever `vl` is.
  bool divides(const ScheduleSize &S) const {
    return Scalable == S.Scalable ? S.N % N == 0
                                  : !Scalable && S.getLeast() % N == 0;
  }
  explicit operator bool() const { return N != 0; }
  bool operator==(const ScheduleSize &S) const {
    return N == S.N && Scalable == S.Scalable;
  }
};

/// "16", "vl", "4vl".
std::string getText(const ScheduleSize &S);
/// nullopt: it is none, or not 1 to \p Most.
std::optional<ScheduleSize> parseScheduleSize(llvm::StringRef Text,
                                              int64_t Most = INT32_MAX);

struct AxisSchedule {
  /// Sizes of blocks, descending; empty: the axis runs over elements.
  llvm::SmallVector<ScheduleSize, 4> Steps;
  /// The last block may have any smaller size.
  bool HasRest = false;
  /// What is left is run with elements in front of it, as the smallest size.
  bool Overlaps = false;
  /// Steps is the one largest size, and blocks may be smaller.
  bool IsUpTo = false;
  /// With IsUpTo: the parameter that says how large they are, a number that is
  /// computed, whose largest value Steps has.
  std::optional<uint32_t> Limit;
  /// One block of size 0 where there is no element.
  bool Once = false;
  /// A copy of the children for each element.
  bool Unrolled = false;
  /// Elements that run together; 0: one after the other.
  ScheduleSize Lanes;
  /// The instruction that the loop is; empty: none.
  std::string Row;

  bool isBlocks() const { return !Steps.empty(); }
  bool isPlain() const {
    return !isBlocks() && !Once && !Unrolled && !Lanes && Row.empty();
  }
  /// The size of the block at the start of \p Left > 0 elements, where `vl` is
  /// \p VL; nullopt: no size fits.
  std::optional<int64_t> getBlock(int64_t Left, int64_t VL) const;
  /// Lanes are as many as may be: 2 to 1024, vl to 8vl.
  bool hasFewLanes() const {
    return Lanes.Scalable ? Lanes.N >= 1 && Lanes.N <= 8
                          : Lanes.N >= 2 && Lanes.N <= 1024;
  }
  /// Whether a size is a number of times `vl`.
  bool isScalable() const {
    return Lanes.Scalable || llvm::any_of(Steps, [](const ScheduleSize &S) {
             return S.Scalable;
           });
  }
};

} // namespace dlopt

#endif // DLOPT_AXISSCHEDULE_H
