//===- DependenceCheck.h - Answers about memory against isl -----*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The answers that polynomials alone give (Dependences::findRoles and
/// mayRunAhead) against those of integer sets. Of a kernel with parameters sets
/// know too little to say that two instances do meet; with numbers that the
/// needs allow in place of the parameters most kernels are affine, and sets
/// decide. What is said to be apart and meets then is a contradiction, whoever
/// said so: polynomials, the sets of the kernel with its parameters, or the
/// role that its text gives to an axis.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_DEPENDENCECHECK_H
#define DLOPT_DEPENDENCECHECK_H

#include "dlopt/Kernel.h"
#include <string>
#include <vector>

namespace dlopt {

/// Questions about rounds of one axis, and what they came to.
struct DependenceCounts {
  unsigned Kernels = 0;
  unsigned Both = 0;     ///< both say that rounds are apart
  unsigned Quick = 0;    ///< polynomials alone do
  unsigned Sets = 0;     ///< sets alone do
  unsigned Neither = 0;  ///< nobody does
  unsigned Compared = 0; ///< answers that were held against numbers

  DependenceCounts &operator+=(const DependenceCounts &O);
  void print(llvm::raw_ostream &OS) const;
};

/// Compares the answers about \p K, and appends a line to \p Contradictions for
/// each that is wrong. \p Seed: of the numbers. \p Stated: what the text of
/// the kernel says of its axes is held against them, too.
DependenceCounts checkDependences(const Kernel &K, uint64_t Seed, bool Stated,
                                  std::vector<std::string> &Contradictions);

} // namespace dlopt

#endif // DLOPT_DEPENDENCECHECK_H
