//===- Checks.h - What must hold when passes run over any IR ----*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_FOREIGN_CHECKS_H
#define DLOPT_FOREIGN_CHECKS_H

#include "dlopt/Compat.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <string>
#include <vector>

namespace foreign {

/// One pipeline and what is asked of it.
struct Check {
  enum Mode {
    Baseline,  ///< LLVM's own passes that the plugin calls: nothing is asked
    Alone,     ///< changes nothing unless it claims a kernel; idempotent
    Rewriting, ///< may change functions without kernels; idempotent
    Repeated,  ///< as Rewriting, but raises what it has lowered once more
    Remarks,   ///< the same result with and without a listener to remarks
    Hooked     ///< with the plugin as without it, unless a kernel is claimed
  };
  Mode M;
  std::string Pipeline;
};

/// All checks: every pass of the table, alone, with each of its parameters and
/// in the combinations that are in use.
std::vector<Check> getChecks();

/// What came out, as one word for the counts and a detail for people.
struct Outcome {
  /// Empty if all is well; else "unreadable", "verifier", "changed",
  /// "not-idempotent", "unreported", "remarks", "pipeline".
  std::string Finding;
  std::string Detail;
  unsigned Kernels = 0; ///< that were transformed
};

/// Runs \p C on a fresh copy of the module in \p Buffer. May crash or hang:
/// before it calls \p OwnPassesDone, by LLVM's own passes.
Outcome runCheck(const Check &C, llvm::MemoryBufferRef Buffer,
                 llvm::PassPlugin &Plugin,
                 llvm::function_ref<void()> OwnPassesDone);

/// Reads and verifies the module, without any pass.
Outcome readModule(llvm::MemoryBufferRef Buffer);

} // namespace foreign

#endif // DLOPT_FOREIGN_CHECKS_H
