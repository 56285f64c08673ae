//===- PlantedBugs.cpp - Which deliberate miscompile is active ------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/StringRef.h"
#include <cstdlib>

using namespace llvm;

namespace dlopt {
namespace {

struct Row {
  PlantedBug Bug;
  StringLiteral Name;
};

constexpr Row Rows[] = {
#define DLOPT_PLANTED_BUG(NAME, FILE, RULE) {PlantedBug::NAME, #NAME},
#include "dlopt/PlantedBugs.def"
};

/// DLOPT_PLANT, read once.
struct Choice {
  PlantedBug Bug = PlantedBug::None;
  std::string Error;

  Choice() {
    const char *Text = std::getenv("DLOPT_PLANT");
    if (!Text || !*Text)
      return;
    std::string Accepted;
    for (const Row &R : Rows) {
      if (R.Name == Text)
        Bug = R.Bug;
      Accepted += (Accepted.empty() ? "" : ", ") + R.Name.str();
    }
    if (Bug == PlantedBug::None)
      Error = std::string("DLOPT_PLANT: no planted bug '") + Text +
              "'; accepted: " + Accepted;
  }
};

const Choice &getChoice() {
  static const Choice C;
  return C;
}

} // namespace

const PlantedBug ActivePlantedBug = getChoice().Bug;

const std::string &getPlantedBugError() { return getChoice().Error; }

} // namespace dlopt
