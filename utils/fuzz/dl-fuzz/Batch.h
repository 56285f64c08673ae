//===- Batch.h - What one run of the fuzzer does ----------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The text that the generator (utils/fuzz/rows) writes beside a module of
/// kernels, one item a line:
///
///   config LEVEL CPU [PASSES]         O1..O3; a CPU's name, x86-64 or native;
///                                     what changes the IR before all builds
///                                     (drop-flags: no nsw, inbounds and so on)
///   variant MODE [ATTRIBUTE=VALUE...] of the last config: another build, with
///                                     these function attributes
///   kernel NAME ROW RULES ARGUMENTS   RULES, by commas: exact or bound; never
///                                     (must not run transformed code); interp;
///                                     zeros (their signs do not matter); free
///                                     (elements may be anything)
///   run MASK DATA SEED OPS SLOT... -- VALUE...   of the last kernel; MASK has
///                                     a bit per config
///
/// ARGUMENTS are name:kind by commas; kinds are p (pointer), i, u (32 bits), l
/// (64), s, t (16, t unsigned), f, d. A SLOT is memory: TYPE:BYTES:PLACE with
/// TYPE f32, f64, i8, i16, i32 or i64 and PLACE e (ends at a guard page), b
/// (begins at one), mN (N bytes behind one) or gRxN (in R parts, N bytes
/// apart); or w:PLACE:WORD,... with 64-bit words. A pointer, as VALUE or WORD,
/// is @slot+offset in bytes, or null.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_FUZZ_BATCH_H
#define DLOPT_FUZZ_BATCH_H

#include "dlopt/Kernel.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace dlfuzz {

/// A number or a pointer.
struct Word {
  int Slot = -1; ///< -1: the number itself
  int64_t Value = 0;
};

struct Slot {
  dlopt::ScalarType Ty = dlopt::ScalarType::F32;
  uint64_t Bytes = 0;
  enum PlaceKind : uint8_t { AtEnd, AtBegin, Behind, Apart } Place = AtEnd;
  uint64_t Skip = 0; ///< bytes in front, or from part to part
  uint64_t Parts = 1;
  bool IsWords = false;
  std::vector<Word> Words;
};

struct Instance {
  uint64_t Mask = 0, Seed = 0, Ops = 0;
  unsigned Data = 0;
  std::vector<Slot> Slots;
  std::vector<Word> Integers; ///< pointers and integers, in order
  std::vector<double> Floats; ///< in order
  std::string Text;
};

struct Argument {
  std::string Name;
  char Kind = 'p';
  bool isFloat() const { return Kind == 'f' || Kind == 'd'; }
};

struct KernelInfo {
  std::string Name, Row;
  bool Bound = false, Never = false, Interpret = false, EqualZeros = false,
       Free = false;
  std::vector<Argument> Arguments;
  std::vector<Instance> Instances;
};

struct Variant {
  std::string Mode;
  std::vector<std::pair<std::string, std::string>> Attributes;
  std::string text() const;
};

struct Config {
  std::string Level, CPU, Passes;
  std::vector<Variant> Variants;
  /// Functions are correctly rounded, those of the reference, too.
  bool isCorrect() const;
};

struct Batch {
  std::vector<Config> Configs;
  std::vector<KernelInfo> Kernels;
};

/// Errors read "line N: what is wrong".
llvm::Expected<Batch> parseBatch(llvm::StringRef Text);

} // namespace dlfuzz

#endif // DLOPT_FUZZ_BATCH_H
