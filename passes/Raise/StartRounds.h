//===- StartRounds.h - What runs in the first round alone ------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_RAISE_STARTROUNDS_H
#define DLOPT_RAISE_STARTROUNDS_H

#include "dlopt/Kernel.h"

namespace dlopt {

/// Moves leaves that run in the first round of loops only, before all else
/// there, in front of the loops. The order of everything stays. Answers whether
/// it changed something.
bool hoistFirstRounds(Kernel &K);

} // namespace dlopt

#endif // DLOPT_RAISE_STARTROUNDS_H
