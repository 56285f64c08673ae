//===- Code.h - Kernels as code that runs here ------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_FUZZ_SCHEDULE_FUZZ_CODE_H
#define DLOPT_FUZZ_SCHEDULE_FUZZ_CODE_H

#include "dlopt/Kernel.h"
#include "dlopt/Remarks.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"

namespace llvm {
class TargetMachine;
namespace orc {
class LLJIT;
}
} // namespace llvm

namespace dlopt {

/// What code is made for.
struct CodeTarget {
  llvm::StringRef Name, CPU, Features;
  bool HasFMA;
  /// Scalable vectors as vectors of so many times their least length, which
  /// this machine has; 0: there are none.
  unsigned VScale = 0;
};

/// Those that this machine can run, the simplest first.
llvm::ArrayRef<CodeTarget> getTargets();
/// Those with scalable vectors.
llvm::ArrayRef<CodeTarget> getScalableTargets();

/// Takes pointers to all external buffers, and the bits of all parameters.
using CodeFunction = void (*)(void **Pointers, uint64_t *Scalars);

/// Functions that are compiled together.
class CodeBatch {
public:
  /// \p TripleName: empty for this machine.
  CodeBatch(unsigned Level, llvm::StringRef TripleName = "");
  ~CodeBatch();
  /// Adds \p K as a function \p Name of its own; a function that it calls, too,
  /// if \p IsCalled. Not what has more code than \p MostInstructions. \p
  /// Models: lanes compute functions with the bits of this machine's library,
  /// if it is known.
  Verdict add(const Kernel &K, llvm::StringRef Name, const CodeTarget &T,
              bool IsCalled, bool Models, unsigned MostInstructions);
  llvm::Error optimize();
  llvm::Expected<llvm::SmallVector<char, 0>> emitObject();
  /// Makes the functions ready to be run.
  llvm::Error load();
  llvm::Expected<CodeFunction> find(llvm::StringRef Name);
  const llvm::Module &getModule() const { return *M; }

private:
  Verdict add(llvm::Module &Into, const Kernel &K, llvm::StringRef Name,
              const CodeTarget &T, bool IsCalled, bool Models);

  unsigned Level;
  llvm::LLVMContext Context;
  std::unique_ptr<llvm::TargetMachine> TM;
  std::unique_ptr<llvm::Module> M;
  std::unique_ptr<llvm::orc::LLJIT> JIT;
};

} // namespace dlopt

#endif // DLOPT_FUZZ_SCHEDULE_FUZZ_CODE_H
