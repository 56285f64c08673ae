//===- Memory.h - The buffers of a run ---------------------------*- C++
//-*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_FUZZ_MEMORY_H
#define DLOPT_FUZZ_MEMORY_H

#include "Batch.h"
#include <string>
#include <vector>

namespace dlfuzz {

/// The memory of the slots of one instance, each between guard pages, with
/// margins that nobody may write where there is no guard page.
class Memory {
public:
  static constexpr unsigned MaxSlots = 8;
  static constexpr uint64_t Capacity = 8 << 20, Margin = 128;
  /// Of the one slot whose parts lie far apart: all that 32 bits can count.
  static constexpr uint64_t FarCapacity = 17ULL << 30;

  Memory();
  /// Lays out the slots and computes their contents; with \p Wide, elements of
  /// f32 slots are doubles. False if it does not fit.
  bool prepare(const Instance &I, bool Wide = false, bool Magnitudes = false);
  /// Writes the contents.
  void reset();
  /// What the memory holds now.
  void save(std::vector<uint8_t> &Into) const;
  /// Empty, or where the memory differs from \p Expected. NaNs are equal, with
  /// \p EqualZeros zeros too, with \p IsFree all elements.
  std::string compare(const std::vector<uint8_t> &Expected, bool EqualZeros,
                      bool IsFree = false) const;
  uint64_t address(const Word &W) const;
  uint8_t *slotBegin(unsigned S) const { return Begin[S]; }
  uint64_t slotBytes(unsigned S) const { return Bytes[S]; }
  /// Offset of the slot's first byte in what save() gives.
  uint64_t savedAt(unsigned S) const;

private:
  bool getFar();
  /// Copies the parts of a slot to or from where they lie together.
  void copyParts(unsigned S, uint8_t *Together, bool Gather) const;
  void fill(unsigned S, const Instance &I, bool Magnitudes);
  bool isEqual(const uint8_t *X, const uint8_t *Y, unsigned S,
               bool EqualZeros) const;

  uint8_t *Regions[MaxSlots], *Far = nullptr;
  uint64_t Parts[MaxSlots] = {}, Distance[MaxSlots] = {};
  uint8_t *Begin[MaxSlots] = {};
  uint64_t Bytes[MaxSlots] = {}, Before[MaxSlots] = {}, After[MaxSlots] = {};
  dlopt::ScalarType Types[MaxSlots] = {};
  unsigned Scale[MaxSlots] = {};
  unsigned NumSlots = 0;
  std::vector<uint8_t> Contents[MaxSlots];
};

} // namespace dlfuzz

#endif // DLOPT_FUZZ_MEMORY_H
