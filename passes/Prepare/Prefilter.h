//===- Prefilter.h - Which functions may hold a kernel ----------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A kernel has a loop that computes on elements of arrays. Most functions of
/// most programs have none, and cloning them would cost far more than this
/// test, which is one walk over the instructions and needs no analysis manager.
/// It works on raw frontend output (every variable an alloca) as on SSA form,
/// and looks through calls that inlining into the light form removes.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_PREPARE_PREFILTER_H
#define DLOPT_PASSES_PREPARE_PREFILTER_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace llvm {
class BasicBlock;
class CallBase;
class Function;
class Instruction;
class Loop;
class LoopInfo;
class Value;
} // namespace llvm

namespace dlopt {

/// What a piece of code does.
struct Traits {
  bool Computes = false;  ///< floating-point arithmetic, products of elements
  bool Loads = false;     ///< reads elements of arrays
  bool Functions = false; ///< calls functions of numbers
  bool Gathers = false;   ///< integers: sums of elements, extrema of them
  bool Compares = false;  ///< integers: elements with each other
  bool Copies = false;    ///< stores elements as they are
  bool Divides = false;   ///< integers: indices to find rows and columns
  bool Opaque = false;    ///< does what no kernel contains (unknown calls, ...)
  unsigned Size = 0;      ///< of a whole function: instructions
  unsigned Assumes = 0;   ///< of a whole function
  unsigned LoopDepth = 0; ///< of a whole function, its helpers included
  /// Of a whole function: instructions with those of its helpers, once for each
  /// call, and of theirs.
  uint64_t InlinedSize = 0;

  void merge(const Traits &T) {
    Computes |= T.Computes;
    Functions |= T.Functions;
    Gathers |= T.Gathers;
    Compares |= T.Compares;
    Loads |= T.Loads;
    Copies |= T.Copies;
    Divides |= T.Divides;
    Opaque |= T.Opaque;
    LoopDepth = std::max(LoopDepth, T.LoopDepth);
    InlinedSize = llvm::SaturatingAdd(InlinedSize, T.InlinedSize);
  }
};

/// Whether a function with the traits \p T may be nothing but loops that are
/// kernels.
bool isStage(const Traits &T);

/// Remembers the traits of functions; valid while the module does not change.
class KernelFilter {
public:
  /// True if \p F has a loop in which kernels may be.
  bool mayHoldKernel(const llvm::Function &F);
  /// True if \p F calls functions that are loops, outside of its own ones:
  /// several of them, or beside a loop that may be a kernel's.
  bool mayJoinCalls(const llvm::Function &F);
  /// What a call to \p F amounts to.
  Traits getTraits(const llvm::Function &F);

private:
  Traits getBlockTraits(const llvm::BasicBlock &BB);
  bool isData(const llvm::Value &Bit, const llvm::Loop &L);
  bool isLeftByData(const llvm::Loop &L);
  void addLoops(const llvm::Function &F, Traits &T);
  bool hasLoop(const llvm::LoopInfo &LI, bool MustWork);
  void addInstruction(const llvm::Instruction &I, Traits &T);
  void addCall(const llvm::CallBase &CB, Traits &T);

  llvm::DenseMap<const llvm::Function *, Traits> Memo;
};

/// True if the control flow graph of \p F has a cycle.
bool hasCycle(const llvm::Function &F);

} // namespace dlopt

#endif // DLOPT_PASSES_PREPARE_PREFILTER_H
