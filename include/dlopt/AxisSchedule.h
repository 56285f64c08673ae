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
/// whatever is left; with `upto` a block has at most so many elements, a number
/// or one that is computed first (`upto %kc`). `once`: where there is no
/// element, one block of size 0 runs.
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

#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <string>

namespace dlopt {

struct AxisSchedule {
  /// Sizes of blocks, descending; empty: the axis runs over elements.
  llvm::SmallVector<int64_t, 4> Steps;
  /// The last block may have any smaller size.
  bool HasRest = false;
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
  unsigned Lanes = 0;
  /// The instruction that the loop is; empty: none.
  std::string Row;

  bool isBlocks() const { return !Steps.empty(); }
  bool isPlain() const {
    return !isBlocks() && !Once && !Unrolled && !Lanes && Row.empty();
  }
  /// The size of the block at the start of \p Left > 0 elements; nullopt: no
  /// size fits.
  std::optional<int64_t> getBlock(int64_t Left) const;
};

} // namespace dlopt

#endif // DLOPT_AXISSCHEDULE_H
