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
/// Only a build with DLOPT_PLANTED_BUGS has them. Its plugin is linked with the
/// answer that none is active; in a second one, of the same objects, the
/// environment variable DLOPT_PLANT names the one that is. In every other build
/// the macro is the constant false.
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

/// The bug that is active. Which definition is linked decides what it may be:
/// None alone (NoPlantedBug.cpp), or what DLOPT_PLANT names (PlantedBugs.cpp;
/// None if that is not set or wrong).
extern const PlantedBug ActivePlantedBug;
/// What is wrong with DLOPT_PLANT, as one line, or empty.
const std::string &getPlantedBugError();

} // namespace dlopt

#define DLOPT_PLANTED(NAME)                                                    \
  (::dlopt::ActivePlantedBug == ::dlopt::PlantedBug::NAME)

#else
#define DLOPT_PLANTED(NAME) false
#endif

#endif // DLOPT_PLANTEDBUGS_H
