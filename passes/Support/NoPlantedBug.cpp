//===- NoPlantedBug.cpp - No deliberate miscompile is active --------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a plugin for use is linked with whose objects ask for planted bugs, in
/// place of PlantedBugs.cpp: nothing switches one on.
///
//===----------------------------------------------------------------------===//
#include "dlopt/PlantedBugs.h"

namespace dlopt {

const PlantedBug ActivePlantedBug = PlantedBug::None;

const std::string &getPlantedBugError() {
  static const std::string None;
  return None;
}

} // namespace dlopt
