//===- SourceNames.h - What the source calls values -------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_RAISE_SOURCENAMES_H
#define DLOPT_RAISE_SOURCENAMES_H

#include <string>

namespace llvm {
class Value;
} // namespace llvm

namespace dlopt {

/// What people call \p V, which has no name in IR: "%n" if the variable of the
/// source is known whose value it is, "%l->rows" of a member, "%size(a,1)" of
/// an array of Fortran, "argument 3" if it is one; else nothing.
std::string getShownName(const llvm::Value &V);

} // namespace dlopt

#endif // DLOPT_RAISE_SOURCENAMES_H
