//===- HelperCopies.h - Copies of functions by arguments --------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///   conv(a, 32, b);          conv.32.a.b(a, 32, b);
///   conv(b, 64, c);    ->    conv.64.b.c(b, 64, c);
///
/// A function that calls pass different arrays or sizes is copied for each such
/// tuple, so that each array may have an order of its own, and windows a size.
/// Copies that gain nothing are undone, and leave no trace.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_HELPERCOPIES_H
#define DLOPT_HELPERCOPIES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class CallBase;
class ConstantInt;
class Function;
class Module;
class Use;
} // namespace llvm

namespace dlopt {

class HelperCopies {
public:
  HelperCopies() = default;
  /// Makes the copies that \p M may need for layouts, and lets calls lead to
  /// them.
  explicit HelperCopies(llvm::Module &M);
  /// Lets \p Calls of \p F lead to a copy of it, in which \p Numbers take the
  /// place of the arguments (null: none). It has no name until it is kept.
  llvm::Function &add(llvm::Function &F,
                      llvm::ArrayRef<llvm::ConstantInt *> Numbers,
                      llvm::ArrayRef<llvm::CallBase *> Calls);
  bool isCopy(const llvm::Function &F) const {
    return llvm::any_of(Copies, [&](const Copy &C) { return C.F == &F; });
  }
  /// Keeps those that \p Keep says, with \p Suffix behind their names, in place
  /// of what nobody calls then.
  void finish(llvm::function_ref<bool(llvm::Function &)> Keep,
              llvm::StringRef Suffix, llvm::FunctionAnalysisManager &FAM);

private:
  struct Copy {
    llvm::Function *Original = nullptr, *F = nullptr;
  };
  bool split(llvm::Function &F, class KnownCalls &Known);
  void undo(const Copy &C);

  llvm::SmallVector<Copy, 8> Copies;
  /// By function: the places of its uses before.
  llvm::DenseMap<const llvm::Use *, unsigned> Order;
};

/// Whether the body of \p F may be there twice.
bool canCopyFunction(const llvm::Function &F);

} // namespace dlopt

#endif // DLOPT_HELPERCOPIES_H
