//===- Memory.h - Arrays and locals of a run --------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_KERNEL_MEMORY_H
#define DLOPT_KERNEL_MEMORY_H

#include "dlopt/Interpreter.h"

namespace dlopt {

/// What one buffer is during a run: an array of the caller or, for a local, the
/// values of the current iteration. Functions that can fail return an empty
/// string or what is wrong.
class BufferState {
public:
  void bind(ScalarType NewTy, const Bindings::Array &NewArray) {
    Ty = NewTy;
    Array = NewArray;
  }
  /// A new local, with nothing assigned.
  std::string allocate(ScalarType NewTy, llvm::ArrayRef<int64_t> Shape);

  /// The byte in the array of the element at \p Offset.
  std::string locate(int64_t Offset, size_t &Byte) const;
  /// The element of a local at \p Subs.
  std::string locate(llvm::ArrayRef<int64_t> Subs, size_t &Element) const;

  uint64_t load(size_t Byte);
  void store(size_t Byte, uint64_t Bits);
  std::string loadLocal(size_t Element, uint64_t &Bits) const;
  void storeLocal(size_t Element, uint64_t Bits);
  /// The element of a local is as if never assigned.
  void forget(size_t Element) { Assigned[Element] = false; }

  /// The addresses touched so far, as a half-open range.
  bool overlaps(const BufferState &O) const {
    return TouchedBegin < O.TouchedEnd && O.TouchedBegin < TouchedEnd;
  }
  /// The same in bytes from the start of the array; nullopt: nothing was.
  std::optional<std::pair<size_t, size_t>> getTouched() const {
    auto Start = reinterpret_cast<uintptr_t>(Array.Bytes.data());
    if (TouchedBegin >= TouchedEnd)
      return std::nullopt;
    return std::pair(TouchedBegin - Start, TouchedEnd - Start);
  }
  /// Whether the pointers of both point to one place.
  bool beginsWith(const BufferState &O) const {
    return Array.Bytes.data() + Array.Origin ==
           O.Array.Bytes.data() + O.Array.Origin;
  }
  /// Whether the address of a byte of the array is a multiple of \p Bytes.
  bool isAligned(size_t Byte, uint64_t Bytes) const {
    return (reinterpret_cast<uintptr_t>(Array.Bytes.data()) + Byte) % Bytes ==
           0;
  }
  bool isAligned(uint64_t Bytes) const {
    return isAligned(Array.Origin, Bytes);
  }
  bool isAssigned(size_t Element) const {
    return Element < Assigned.size() && Assigned[Element];
  }

private:
  void touch(size_t Byte);

  ScalarType Ty = ScalarType::F32;
  Bindings::Array Array;
  uintptr_t TouchedBegin = UINTPTR_MAX, TouchedEnd = 0;
  llvm::SmallVector<int64_t, 2> Shape;
  std::vector<uint64_t> Values;
  std::vector<bool> Assigned;
};

} // namespace dlopt

#endif // DLOPT_KERNEL_MEMORY_H
