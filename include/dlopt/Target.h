//===- Target.h - What a strategy asks of the target ------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Numbers that schedules depend on, from TargetTransformInfo and, where TTI
/// does not say, one row per CPU family of Targets.def. No strategy looks at
/// the triple.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_TARGET_H
#define DLOPT_TARGET_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace llvm {
class Function;
class IRBuilderBase;
class TargetTransformInfo;
class Value;
} // namespace llvm

namespace dlopt {

/// How an output is written that is larger than the caches.
enum class LargeStores : uint8_t {
  Plain,        ///< like any other
  PastCaches,   ///< past them, which saves reading its lines
  FetchedAhead, ///< its lines, and those it is computed from, are fetched ahead
  ByVendor,     ///< past them on AMD's CPUs, fetched ahead on others
};

struct TargetModel {
  /// Row of Targets.def, e.g. "znver4", "x86-64-v3", "neoverse", "generic".
  llvm::StringRef Family;
  /// Why there are no SIMD schedules for this function, or empty (a GPU target,
  /// no vector registers, FP vectors that do not follow IEEE).
  llvm::StringRef NoSIMD;
  /// Preferred fixed vector width and number of architectural vector registers.
  unsigned VectorBits = 0;
  unsigned NumVectorRegs = 0;
  /// The width that LLVM's own code has: less than VectorBits where wider
  /// instructions lower the core's clock, for what runs beside them, too.
  unsigned PlainBits = 0;
  /// Scalable vectors: bits times vscale (0: none) and registers of that size;
  /// the most that vscale may be, and what it is where this code will run.
  unsigned ScalableBits = 0, NumScalableRegs = 0;
  unsigned MaxVScale = 1, TuneVScale = 1;
  /// They are better than vectors of fixed width.
  bool PrefersScalable = false;
  /// llvm.fmuladd of f32 becomes one instruction.
  bool HasFMA = false;
  /// llvm.fma of vectors does: HasFMA goes by what a vector of VectorBits costs
  /// in this function, which is more where its CPU prefers narrower ones.
  bool HasVectorFMA = false;
  /// llvm.maxnum and llvm.minnum (without nnan) are made of a comparison and a
  /// choice, so that of operands that compare equal, zeros, they are the first,
  /// unless the second is known to be a number.
  bool KeepsFirstOfEqual = false;
  /// Vectors of half are converted to float and back by instructions.
  bool ConvertsHalf = false;
  /// Vectors of float are rounded to bfloat by an instruction.
  bool RoundsBFloat = false;
  /// Rounds vectors of floats to integers (floor, rint, ...).
  bool RoundsToIntegers = false;
  /// A GPU of NVIDIA's; it has an instruction for tanh.
  bool IsNVPTX = false, HasTanh = false;
  /// Masked loads, and masked loads and stores, are legal and cheap (AVX2 has
  /// the first, AVX-512 both).
  bool HasMaskedLoads = false, HasMaskedMemory = false;
  /// Such loads are of elements that have at least so many bits.
  unsigned LeastMaskedBits = 32;
  /// So are loads of elements that lie apart. Without masks of their own (AVX2)
  /// they take longer than branches.
  bool HasMaskedGathers = false;
  /// Aligned vectors can be stored past the caches, and sfence makes such
  /// stores visible in order (x86).
  bool StoresPastCaches = false;
  /// What is best for outputs that are larger than the caches.
  LargeStores Large = LargeStores::Plain;
  /// A scalar operand can be broadcast from memory inside an arithmetic
  /// instruction (AVX-512), or a lane used as multiplier (NEON by-element).
  bool FoldsBroadcast = false;
  /// Vectors of 512 bits are multiplied by powers of two by an instruction.
  bool HasScaling = false;
  /// An instruction picks eight elements of 32 bits from a register of 256 by
  /// indices of their own, another four from each half (AVX2).
  bool HasPermutations = false;
  bool HasLaneFMA = false;
  /// Elements of a group that the loop vectorizer reads whole vectors of and
  /// takes apart as fast as squares are transposed: any two vectors' lanes in
  /// one instruction (AVX-512) make larger ones cheap.
  unsigned CheapGroup = 3;
  /// Fused multiply-adds: latency in cycles, instructions per cycle.
  unsigned FMALatency = 4, FMAPerCycle = 2;
  /// Cycles from the addend of one to its result, those of an addition and of a
  /// multiplication. 0: not known.
  unsigned ChainLatency = 0, AddLatency = 0, MulLatency = 0;
  /// Which DOTs of Instructions.def it has: a bit for each, the first one
  /// lowest.
  uint64_t Dots = 0;
  /// Which rows of Lookups.def it has in vectors of that width: a bit for each,
  /// the first one lowest.
  uint32_t Lookups = 0;
  /// Operations that the core works on at a time.
  unsigned InFlight = 64;
  /// Vectors of the family's width that are loaded, stored and shuffled in a
  /// cycle, and instructions that begin.
  double LoadsPerCycle = 1, StoresPerCycle = 1, ShufflesPerCycle = 1,
         IssueWidth = 2;
  /// Bytes that come from the second and third level and from memory in a
  /// cycle, while other cores rest.
  double L2Bytes = 16, L3Bytes = 8, MemoryBytes = 4;
  /// Data caches in bytes (0: none).
  uint64_t L1 = 0, L2 = 0, L3 = 0;

  /// Whether other operations of vectors run beside as many multiply-adds as
  /// there can be: a core that shuffles as many vectors as it multiplies has
  /// units that do not multiply.
  bool hasFreeALUs() const { return ShufflesPerCycle >= FMAPerCycle; }
};

/// Code that not every machine can run: it is chosen at run time.
struct CodeVariant {
  std::string Name;         ///< "avx2": in names of functions and remarks
  std::string Features;     ///< target-features of its code
  std::string TuneCPU;      ///< tune-cpu of its code
  uint64_t CPUFeatures = 0; ///< what it needs, as getCPUFeatures() has it
};

/// Whether code in \p F may use what \p Features names: a comma between those
/// that are needed, a bar between lists of which one will do.
bool hasTargetFeatures(const llvm::Function &F, llvm::StringRef Features);

/// TargetModel::KeepsFirstOfEqual of code in \p F.
bool keepsFirstOfEqual(const llvm::Function &F);

/// A scalable register: bits times vscale (0: there is none), and the most that
/// vscale may be. TargetTransformInfo speaks of groups of some of them
/// (RISC-V).
struct ScalableRegister {
  unsigned Bits = 0, MostVScale = 1;
  /// What `vl` is where vscale is 1, and the most that it may be.
  unsigned getLanes() const { return Bits / 32; }
  uint64_t getMostVL() const { return uint64_t(getLanes()) * MostVScale; }
};
ScalableRegister getScalableRegister(const llvm::Function &F);
/// What `vl` is where this code runs.
llvm::Value *emitVL(llvm::IRBuilderBase &B);

/// The model for code in \p F (its target-cpu, target-features,
/// prefer-vector-width).
TargetModel getTargetModel(const llvm::Function &F,
                           const llvm::TargetTransformInfo &TTI);

} // namespace dlopt

#endif // DLOPT_TARGET_H
