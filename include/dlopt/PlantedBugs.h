//===- PlantedBugs.h - Deliberate miscompiles -------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Wrong code on purpose, to prove that the fuzzer and the tests would notice:
///
///   if (DLOPT_PLANTED(AliasGuardDropped))
///     return true;
///
/// Only a build with DLOPT_PLANTED_BUGS has them, and there the environment
/// variable DLOPT_PLANT names the one that is active. In every other build the
/// macro is the constant false.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PLANTEDBUGS_H
#define DLOPT_PLANTEDBUGS_H

#ifdef DLOPT_PLANTED_BUGS

#include <string>

namespace dlopt {

enum class PlantedBug {
  None,
#define DLOPT_PLANTED_BUG(NAME, FILE, RULE) NAME,
#include "dlopt/PlantedBugs.def"
};

/// The bug that DLOPT_PLANT names; None if it is not set or wrong.
PlantedBug getPlantedBug();
/// What is wrong with DLOPT_PLANT, as one line, or empty.
const std::string &getPlantedBugError();

} // namespace dlopt

#define DLOPT_PLANTED(NAME)                                                    \
  (::dlopt::getPlantedBug() == ::dlopt::PlantedBug::NAME)

#else
#define DLOPT_PLANTED(NAME) false
#endif

#endif // DLOPT_PLANTEDBUGS_H
