//===- NarrowSums.h - Sums of 64 bits by sums of 32 -------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_VECTORIZE_NARROWSUMS_H
#define DLOPT_VECTORIZE_NARROWSUMS_H

namespace dlopt {

class Kernel;

/// Makes sums of 64 bits of narrow integers sums of 32 bits, which are added to
/// them before they could wrap around: each as a whole if \p AsWhole, under
/// needs, else in blocks. False: there are none.
bool narrowSums(Kernel &K, bool AsWhole);

} // namespace dlopt

#endif // DLOPT_VECTORIZE_NARROWSUMS_H
