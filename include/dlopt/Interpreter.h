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
#include "llvm/ADT/StringMap.h"

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

struct InterpreterOptions {
  /// Whether llvm.fmuladd rounds once (targets with fast FMA) or twice.
  bool FuseMulAdd = true;
};

/// Runs \p K. Errors: an unbound name, an access outside its array, a division
/// by zero, a Need that does not hold.
llvm::Error interpretKernel(const Kernel &K, const Bindings &B,
                            const InterpreterOptions &Opts = {});

} // namespace dlopt

#endif // DLOPT_INTERPRETER_H
