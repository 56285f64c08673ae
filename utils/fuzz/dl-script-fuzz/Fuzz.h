//===- Fuzz.h - Random kernels, scripts and arrays --------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_FUZZ_SCRIPT_FUZZ_FUZZ_H
#define DLOPT_FUZZ_SCRIPT_FUZZ_FUZZ_H

#include "dlopt/Interpreter.h"
#include "dlopt/Kernel.h"
#include <random>

namespace dlopt {

class Random {
public:
  explicit Random(uint64_t Seed) : Engine(Seed) {}
  /// 0 to N-1.
  unsigned below(unsigned N) { return static_cast<unsigned>(Engine() % N); }
  bool percent(unsigned P) { return below(100) < P; }
  template <typename T> const T &pick(llvm::ArrayRef<T> From) {
    return From[below(static_cast<unsigned>(From.size()))];
  }

private:
  std::mt19937_64 Engine;
};

/// The text of a plain kernel with parameters %M, %N, %K, %S and %P (of both
/// signs) and buffers %A to %E and %I:
/// nests, sums, rows, tuples, triangles, conditions, tests, needs, indices and
/// bounds that are loaded and overwritten.
std::string makeKernel(Random &R);

/// A line of a script that may apply to \p K. Names are those of its axes and
/// locals; nobody has asked whether it is legal. \p Scalable: sizes and lanes
/// may be times `vl`.
std::string makeLine(Random &R, const Kernel &K, unsigned Number,
                     bool Scalable = false);

/// Addresses of arrays are what they are modulo so many bytes, wherever a
/// layout is put.
constexpr size_t LineBytes = 64;

/// Sizes, and arrays that end at what the plain kernel touches and may overlap.
class Layout {
public:
  struct Place {
    std::string Name;
    ScalarType Ty;
    size_t Begin = 0, Size = 0;
    /// From the first byte, which may be in front of the memory.
    ptrdiff_t Origin = 0;
  };

  /// nullopt: the kernel cannot be run on what was drawn.
  static std::optional<Layout> make(Random &R, const Kernel &Plain);

  /// Whether arrays overlap that \p K needs to be disjoint.
  bool overlaps(const Kernel &K) const;
  /// The memory after a run of \p K.
  llvm::Expected<std::vector<uint8_t>> run(const Kernel &K) const;
  /// Empty, or where \p A and \p B, of this layout, differ; NaNs are equal.
  std::string compare(llvm::ArrayRef<uint8_t> A,
                      llvm::ArrayRef<uint8_t> B) const;
  void print(llvm::raw_ostream &OS) const;

  /// Whether products are fused with sums where that is allowed.
  void setFuse(bool Value) { Fuse = Value; }
  /// What `vl` is.
  void setVL(int64_t Value) { VL = Value; }
  llvm::ArrayRef<Place> getPlaces() const { return Places; }
  llvm::ArrayRef<uint8_t> getMemory() const { return Memory; }
  uint64_t getScalar(llvm::StringRef Name) const {
    return Scalars.lookup(Name);
  }

private:
  void overlap(Random &R);

  std::vector<Place> Places;
  std::vector<uint8_t> Memory;
  llvm::StringMap<uint64_t> Scalars;
  bool Fuse = true;
  int64_t VL = LeastVL;
};

/// What is said of random linear constraints.
struct SetCounts {
  /// Whether nothing wrong is.
  bool compare(uint64_t Seed);
  void print() const;

  unsigned Sets = 0, Empty = 0, Covered = 0, Unknown = 0, Failures = 0;
};

} // namespace dlopt

#endif // DLOPT_FUZZ_SCRIPT_FUZZ_FUZZ_H
