//===- Unused.h - Atoms and parameters that nothing uses --------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_RAISE_UNUSED_H
#define DLOPT_RAISE_UNUSED_H

#include "dlopt/Raise.h"

namespace dlopt {

/// Drops the atoms and parameters that neither the kernel nor its live-outs
/// use, and numbers the others anew, in the same order.
void dropUnused(RaisedKernel &R);

} // namespace dlopt

#endif // DLOPT_RAISE_UNUSED_H
