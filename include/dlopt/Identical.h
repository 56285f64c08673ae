//===- Identical.h - Generated functions that a module has ------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_IDENTICAL_H
#define DLOPT_IDENTICAL_H

#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace llvm {
class Function;
} // namespace llvm

namespace dlopt {

/// The generated function of the module that is the same as \p New, which is
/// erased then, else \p New. What has the name alone may have been optimized
/// for the calls that the module had, before it came to the link.
llvm::Function *reuseIdentical(llvm::Function *New);

/// A function that does what another one does, with these arguments of that
/// one, of which some occur more than once.
struct GeneralFunction {
  llvm::Function *F = nullptr;
  llvm::SmallVector<unsigned, 12> Args;
};

/// A generated function of the module that is \p New where some of its
/// arguments are the same: called in place, code for two arrays is that for
/// one. Nothing is assumed of what memory they are: both do the same, access by
/// access. \p New, which nobody calls yet, is erased then with what it alone
/// calls. \p InPlace: it is two arrays that are the same, whose general
/// function may ask for more lines.
std::optional<GeneralFunction> reuseGeneral(llvm::Function *New, bool InPlace);

/// The other way round: generated functions that \p General is where some of
/// its arguments are the same are erased, and it is called for them.
void replaceCases(llvm::Function &General);

} // namespace dlopt

#endif // DLOPT_IDENTICAL_H
