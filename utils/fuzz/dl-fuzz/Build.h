//===- Build.h - Compiles a module with and without the plugin --*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_FUZZ_BUILD_H
#define DLOPT_FUZZ_BUILD_H

#include "Batch.h"
#include "llvm/ADT/StringSet.h"
#include <memory>

namespace llvm {
class Module;
class PassPlugin;
class TargetMachine;
namespace orc {
class LLJIT;
} // namespace orc
} // namespace llvm

namespace dlfuzz {

/// Machine code of a module, ready to be called.
struct Program {
  llvm::orc::LLJIT *JIT = nullptr;
  std::vector<void *> Entries; ///< by kernel; null: not in the module
  /// For kernels whose results have bounds: the same in double, on the values
  /// and on their magnitudes.
  std::vector<void *> Values, Magnitudes;
  /// Counts calls of generated functions; null in the reference.
  volatile uint64_t *Calls = nullptr;
  llvm::StringSet<> Changed; ///< functions that the plugin transformed
};

/// Faults put behind the plugin, to see whether they are found.
enum class Fault { None, Store, Trap, Hang };

class Builder {
public:
  Builder(const llvm::PassPlugin &Plugin, Fault Injected);
  ~Builder();

  /// Builds \p M (a copy of it) for \p C. \p V null: without the plugin.
  llvm::Expected<Program> build(const llvm::Module &M, const Batch &B,
                                const Config &C, const Variant *V);
  /// What print<dl-kernels> says of the functions of \p M.
  llvm::Expected<std::string> printKernels(const llvm::Module &M,
                                           const Config &C);

private:
  llvm::Error optimize(llvm::Module &M, const Config &C, const Variant *V,
                       llvm::StringSet<> &Changed);
  llvm::Expected<Program> load(llvm::Module &M, const Batch &B,
                               const Config &C);

  const llvm::PassPlugin &Plugin;
  Fault Injected;
};

/// The host's target.
std::unique_ptr<llvm::TargetMachine> createTargetMachine(unsigned Level);

} // namespace dlfuzz

#endif // DLOPT_FUZZ_BUILD_H
