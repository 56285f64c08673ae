//===- MetEnds.cpp - Loops that run until they meet a number --------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What is tested by `!=` ends where steps fill the way to a number:
///
///   do { *y++ = *x++; bytes -= 4; } while (bytes != 0);
///
/// Steps that do not fill it go past it, and round all numbers of their type.
/// That a way of unknown length is filled is a need.
///
//===----------------------------------------------------------------------===//
#include "Index.h"
#include "dlopt/PlantedBugs.h"

using namespace llvm;
using namespace dlopt;

/// Steps of whole rows: the end is met where rows fill the way to it, and not
/// before, as nothing wraps. What is left may be what is counted.
std::optional<Poly> IndexBuilder::countRows(Poly Way, Poly Step,
                                            unsigned Bits) {
  if (all_of(Step.terms(), [](const auto &T) { return T.second < 0; })) {
    Step = Poly() - Step;
    Way = Poly() - Way;
  }
  std::optional<Poly> Q = Way.divideExactly(Step);
  if (Bits != 64 || (!Q && !(S.K.isFixed(Way) && S.K.isFixed(Step))))
    return std::nullopt;
  S.addInRange(Step, 1, INT64_MAX);
  S.addInRange(Way, 0, INT64_MAX);
  if (!Q) {
    Q = Poly::atom(S.K.getFloorDivAtom(Way, Step));
    S.addInRange(Poly::atom(S.K.getModAtom(Way, Step)), 0, 0);
  }
  S.addInRange(*Q, 0, INT64_MAX);
  return Q;
}

/// The number of steps that fill \p Way, which is no longer than numbers of so
/// many bits go, so that they do not meet its end by wrapping before.
std::optional<Poly> IndexBuilder::countSteps(const Poly &Way, int64_t Step,
                                             unsigned Bits,
                                             const Loop *Parent) {
  int64_t Longest = Bits < 64 ? (int64_t(1) << Bits) - 1 : INT64_MAX;
  std::optional<Poly> Q = Way.divideExactly(Step);
  Poly Counted = Q ? *Q : Way;
  // Less than 2^62 elements of memory.
  int64_t Max = !Q || Step == 1 ? Longest
                : Bits < 64     ? Longest / Step
                                : (INT64_MAX >> 8) / Step;
  Range R = getRange(S.K, Counted, S.axesOf(Parent));
  if (R.Hi < 0 || (!Q && !S.K.isFixed(Way)))
    return std::nullopt;
  if (!R.within(0, Max))
    S.addInRange(Counted, 0, Max);
  if (Q)
    return Q;
  if (!DLOPT_PLANTED(StepsPastEnd))
    S.addInRange(Poly::atom(S.K.getModAtom(Way, Step)), 0, 0);
  return divideFloor(S.K, Way, Step);
}

/// How often \p Step goes into \p Way, from where a loop begins to what its
/// counter of so many bits is tested to differ from.
std::optional<Poly> IndexBuilder::countRoundsToEnd(Poly Way, Poly Step,
                                                   unsigned Bits,
                                                   const Loop *Parent) {
  std::optional<int64_t> Each = Step.getConstant();
  if (!Each)
    return countRows(std::move(Way), std::move(Step), Bits);
  if (*Each == INT64_MIN)
    return std::nullopt;
  return countSteps(*Each < 0 ? Poly() - Way : Way, std::abs(*Each), Bits,
                    Parent);
}
