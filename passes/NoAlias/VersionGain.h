//===- VersionGain.h - Nests that gain from another version -----*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A test in front of a nest and a second copy of it are worth it where the
/// copy becomes vectors. A loop that is left as it is, as one that copies
/// structs one by one, saves a load from the first-level cache in each
/// iteration, beside others: less than the test and the code take where loops
/// are short, as in programs that have no arrays to speak of.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_NOALIAS_VERSIONGAIN_H
#define DLOPT_NOALIAS_VERSIONGAIN_H

#include "NestCopy.h"
#include "NestMemory.h"

namespace dlopt {

/// Whether LLVM's loop vectorizer can make vectors of an innermost loop of
/// \p C, in which what is read once is in front of the loops by now, or sums
/// will be kept in registers. What \p FAM knows of the copy has to be right.
bool gainsFromVersion(NestCopy &C, const NestMemory &Memory,
                      llvm::FunctionAnalysisManager &FAM);

} // namespace dlopt

#endif // DLOPT_NOALIAS_VERSIONGAIN_H
