//===- Skeleton.h - Formulas without their numbers -------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_NAMES_SKELETON_H
#define DLOPT_NAMES_SKELETON_H

#include "Algebra.h"

namespace dlopt {

/// Whether \p A and \p B are one formula but for the values of numbers and of
/// parameters: factors that are the same for all elements are not looked at,
/// nor is how many terms that differ in nothing else there are. Signs of terms,
/// with all parameters between 0 and 1, are the same in all, or in none: a
/// factor that is left out may be negative.
bool haveSameSkeleton(const Algebra &Alg, ExprId A, ExprId B);

/// -1, 0 or 1: \p Factor, with all parameters between 0 and 1, is less than 1,
/// 1, or greater.
int compareToOne(const Algebra &Alg, ExprId Factor);

/// Whether each constant that is added to something is small beside it, as what
/// keeps a divisor away from zero is.
bool hasOnlyEpsilons(const Algebra &Alg, ExprId E);

} // namespace dlopt

#endif // DLOPT_NAMES_SKELETON_H
