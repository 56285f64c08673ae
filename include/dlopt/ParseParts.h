//===- ParseParts.h - Parts of kernels from text ----------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Accesses, indices and conditions as text, at a place in a kernel that is
/// there: the names of the axes and locals of \p Path are known, the innermost
/// of each name. Errors say what was expected.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PARSEPARTS_H
#define DLOPT_PARSEPARTS_H

#include "dlopt/Kernel.h"

namespace dlopt {

using NodePath = llvm::ArrayRef<const Node *>;

/// An access to an external buffer without strides has those of the first one
/// with as many subscripts.
llvm::Expected<Access> parseAccess(Kernel &K, NodePath Path,
                                   llvm::StringRef Text);
/// Separated by commas.
llvm::Expected<std::vector<Poly>> parsePolys(Kernel &K, NodePath Path,
                                             llvm::StringRef Text);
llvm::Expected<std::vector<Constraint>>
parseConstraints(Kernel &K, NodePath Path, llvm::StringRef Text);
/// The cases of a number that is computed.
llvm::Expected<llvm::SmallVector<NumberCase, 0>>
parseCases(Kernel &K, llvm::StringRef Text);
/// Whether an axis or a local may be called so.
bool isBareName(llvm::StringRef Name);

} // namespace dlopt

#endif // DLOPT_PARSEPARTS_H
