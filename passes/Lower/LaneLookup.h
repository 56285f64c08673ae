//===- LaneLookup.h - Tables in registers -----------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_LOWER_LANELOOKUP_H
#define DLOPT_PASSES_LOWER_LANELOOKUP_H

#include "dlopt/Lanes.h"

namespace dlopt {

/// Bits of the widest registers in which \p K as \p Plan says reads tables; 0:
/// it does not.
uint64_t getLookupBits(const Kernel &K, const LanePlan &Plan);

} // namespace dlopt

#endif // DLOPT_PASSES_LOWER_LANELOOKUP_H
