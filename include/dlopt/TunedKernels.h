//===- TunedKernels.h - What was fastest for some kernels -------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The file that utils/tune/tune.py writes (docs/tuning.md): a line with its
/// version, and entries that begin with `kernel` and have a line for each
/// property. What an entry says is as if a person had written it: nobody
/// believes that it is legal.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_TUNEDKERNELS_H
#define DLOPT_TUNEDKERNELS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace dlopt {

/// What a kernel is found by.
struct TuningKey {
  std::string Kernel; ///< digest of its text
  std::string CPU;    ///< that code is tuned for, as LLVM calls it
  std::string Target; ///< what strategies know of its instructions
  bool operator==(const TuningKey &O) const {
    return Kernel == O.Kernel && CPU == O.CPU && Target == O.Target;
  }
};

struct TunedKernel {
  TuningKey Key;
  unsigned Line = 0;   ///< of the file
  std::string Options; ///< "tile=6x4;no-pack"; empty: those that there are
  std::string Script;  ///< steps, a line each; empty: none
};

class TunedKernels {
public:
  /// The error is one line: there is no such file, or it is another one.
  static llvm::Expected<std::shared_ptr<const TunedKernels>>
  read(llvm::StringRef FileName);
  /// The last one of \p Key, with a script or with options; null: there is
  /// none.
  const TunedKernel *find(const TuningKey &Key, bool HasScript) const;
  llvm::StringRef getFileName() const { return FileName; }

private:
  llvm::Error parse(llvm::StringRef Text);

  std::string FileName;
  std::vector<TunedKernel> Entries;
};

} // namespace dlopt

#endif // DLOPT_TUNEDKERNELS_H
