//===- CorrectCalls.h - Calls whose results are exact -----------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Marks calls of the C library's functions of float that are to return the
/// float next to the exact value (CorrectMath.h). Such a call has no effects,
/// and LLVM knows nothing of it that would let it compute or replace it by
/// another function.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_CORRECTCALLS_H
#define DLOPT_CORRECTCALLS_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class CallBase;
class Function;
} // namespace llvm

namespace dlopt {

/// \p Name: of the function, as "exp".
void markCorrect(llvm::CallBase &Call, llvm::StringRef Name);
/// The name that \p Call has been marked with, or nothing.
llvm::StringRef getCorrectMark(const llvm::CallBase &Call);
/// \p Call, which has been marked, calls \p Correct from here on.
void replaceMarked(llvm::CallBase &Call, llvm::Function &Correct);

} // namespace dlopt

#endif // DLOPT_CORRECTCALLS_H
