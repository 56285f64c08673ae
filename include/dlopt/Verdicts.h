//===- Verdicts.h - What is said of the kernels of a module -----*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Passes say in remarks what they find, transform and leave alone. Who wants
/// to conclude something from all of these, listens.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_VERDICTS_H
#define DLOPT_VERDICTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class Function;
class LLVMContext;
class Module;
} // namespace llvm

namespace dlopt {

/// A remark on the loops of a function.
struct LoopRemark {
  enum Kind : uint8_t {
    Recognized,  ///< a kernel, as the source has it
    Transformed, ///< something was made of it
    LeftToLLVM,  ///< LLVM's own vectorizer does as well
    Left,        ///< recognized, and nothing was made of it
    Missed,      ///< no kernel
    Around       ///< no kernel, and what is inside is one
  };
  Kind K;
  std::string Function; ///< its name in IR
  std::string Kernel;   ///< as describe() has it; empty where there is none
  std::string Reason;   ///< the name of a row of Reasons.def, or of the remark
  std::string Message;
  std::string File; ///< empty: where is not known
  unsigned Line = 0, Column = 0;
  /// Not a kernel that people know, and in a header of the system.
  bool IsOfSystem = false;
  unsigned Number = 0; ///< by which the limit counts kernels; 0: none

  bool hasPlace() const { return !File.empty(); }
  bool isAt(const LoopRemark &Other) const {
    return hasPlace() && Line == Other.Line && Column == Other.Column &&
           File == Other.File;
  }
};

/// Hears all remarks of this plugin in a context as long as it lives, and makes
/// passes give them; whoever heard them before still does.
class RemarkListener {
public:
  explicit RemarkListener(llvm::LLVMContext &C);
  ~RemarkListener();
  /// In the order of the passes.
  llvm::ArrayRef<LoopRemark> remarks() const { return Remarks; }

private:
  struct Stream;
  llvm::LLVMContext &C;
  std::vector<LoopRemark> Remarks;
  std::unique_ptr<Stream> Own;
};

/// Whether a contract requires kernels of a function that \p M defines.
bool hasContracts(const llvm::Module &M);

/// Compares with \p Remarks what contracts require: an error for each kind that
/// a function has lost. Contracts end with that, but for those that the link
/// may yet keep: of functions for which \p LearnsAtLink is true; null: there is
/// no link to come.
void checkContracts(llvm::Module &M, llvm::ArrayRef<LoopRemark> Remarks,
                    llvm::function_ref<bool(llvm::Function &)> LearnsAtLink);

/// A line for each source file, without line breaks: how many loops were
/// transformed, are as fast already and are missed, and where.
std::vector<std::string> summarize(const llvm::Module &M,
                                   llvm::ArrayRef<LoopRemark> Remarks);

/// Whether somebody asks for that.
bool wantsSummary(const llvm::Module &M);
/// Prints it, or says it in remarks, or both.
void reportSummary(llvm::Module &M, llvm::ArrayRef<LoopRemark> Remarks);
/// The same where \p Level ("O0") has no passes.
void reportNoSummary(llvm::Module &M, llvm::StringRef Level);

} // namespace dlopt

#endif // DLOPT_VERDICTS_H
