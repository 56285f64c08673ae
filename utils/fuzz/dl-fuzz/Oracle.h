//===- Oracle.h - The interpreter on what was raised ------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_FUZZ_ORACLE_H
#define DLOPT_FUZZ_ORACLE_H

#include "Batch.h"
#include "Memory.h"
#include "llvm/ADT/StringMap.h"
#include <memory>

namespace dlfuzz {

/// Runs the kernels of a function in place of the function. Only where they
/// are all that it does, which the generator knows (the rule "interp").
class Oracle {
public:
  /// Reads the output of print<dl-kernels>: functions of which a nest was
  /// missed are left out. \p FuseMulAdd: as the target does.
  llvm::Error read(llvm::StringRef Text, bool FuseMulAdd);

  enum Result { Ran, Refused, Failed };
  /// Refused: not raised, or a need does not hold, or too long to run.
  Result run(const KernelInfo &K, const Instance &I, const Memory &Mem,
             std::string &Wrong) const;

private:
  llvm::StringMap<std::vector<std::unique_ptr<dlopt::Kernel>>> Kernels;
  bool FuseMulAdd = false;
};

} // namespace dlfuzz

#endif // DLOPT_FUZZ_ORACLE_H
