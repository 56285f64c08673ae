//===- Interpreter.h - Executes kernels -------------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The kernel model as an oracle: runs a kernel on arrays, with no code
/// generator in between, in the sequential order that Kernel.h defines.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_INTERPRETER_H
#define DLOPT_INTERPRETER_H

#include "dlopt/Kernel.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

namespace dlopt {

/// What the names of a kernel are bound to for one run.
struct Bindings {
  /// External buffers: memory and, in bytes from its start, where the buffer's
  /// pointer points (accesses may be at negative offsets).
  struct Array {
    llvm::MutableArrayRef<uint8_t> Bytes;
    size_t Origin = 0;
  };
  llvm::StringMap<Array> Arrays;
  /// Parameters: the bit pattern of a value of the parameter's type.
  llvm::StringMap<uint64_t> Scalars;
};

/// A need does not hold: the kernel must not be run on these arrays.
class NeedError : public llvm::ErrorInfo<NeedError, llvm::StringError> {
public:
  static char ID;
  explicit NeedError(const llvm::Twine &Text)
      : ErrorInfo(Text, llvm::inconvertibleErrorCode()) {}
};

struct InterpreterOptions {
  /// Whether llvm.fmuladd rounds once (targets with fast FMA) or twice.
  bool FuseMulAdd = true;
  /// What `vl` is.
  int64_t VL = LeastVL;
  /// Error after so many iterations and leaves together; 0: no limit.
  uint64_t MaxSteps = 0;
};

/// Runs \p K. Errors, with the axis values where they happened: a kernel that
/// does not verify, an unbound or ambiguous name, an access outside its array,
/// a local read before it is assigned, an undefined integer division, a Need
/// that does not hold (a NeedError). Arrays may be changed up to there.
///
/// Poison is not modelled: what LLVM leaves open (a shift by the width or more,
/// a float too large for an integer) gives some value, and flags such as nsw
/// and nnan promise nothing.
///
/// \p FinalState, if given, receives the bits of each local of rank 0 owned by
/// the root that was assigned; \p Touched, the bytes of each external buffer
/// from the first to behind the last that was read or written, if any was.
llvm::Error interpretKernel(
    const Kernel &K, const Bindings &B, const InterpreterOptions &Opts = {},
    llvm::DenseMap<BufferId, uint64_t> *FinalState = nullptr,
    llvm::DenseMap<BufferId, std::pair<size_t, size_t>> *Touched = nullptr);

} // namespace dlopt

#endif // DLOPT_INTERPRETER_H
