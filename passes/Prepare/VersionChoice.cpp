//===- VersionChoice.cpp - Which copies of nests may help -----------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "VersionChoice.h"
#include "InvariantCalls.h"
#include "MiddleRounds.h"
#include "Ranks.h"
#include "ReadAhead.h"
#include "Rows.h"
#include "Tests.h"
#include "Unswitch.h"
#include "dlopt/Raise.h"
#include "dlopt/Vectorize.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;

namespace dlopt {

/// Whether tests that do not change keep a kernel from being transformed.
static bool readsUnderTests(Function &Clone, FunctionAnalysisManager &FAM,
                            bool DispatchIfHosted) {
  const LoopInfo &LI = FAM.getResult<LoopAnalysis>(Clone);
  if (none_of(LI, [&](const Loop *L) {
        return choosesLoads(*L, LI) || choosesAddresses(*L);
      }))
    return false;
  RaiseResult R = raiseFunction(Clone, FAM);
  return any_of(R.Missed,
                [&](const MissedNest &N) {
                  return N.L && N.Why.R == Reason::NonAffineAccess &&
                         choosesAddresses(*N.L);
                }) ||
         any_of(R.Kernels, [&](const RaisedKernel &RK) {
           return (choosesLoads(*RK.Nest, LI) || choosesAddresses(*RK.Nest)) &&
                  ((!hasStrategyForWhole(RK, Clone, FAM, DispatchIfHosted) &&
                    !hasStrategyForWindows(RK, Clone, FAM, DispatchIfHosted)) ||
                   gainsByTest(RK, Clone, FAM, DispatchIfHosted));
         });
}

/// Whether pointers and bounds that are read inside keep a nest from being
/// transformed.
static bool readsPointers(Function &Clone, FunctionAnalysisManager &FAM,
                          bool DispatchIfHosted) {
  RaiseResult R = raiseFunction(Clone, FAM);
  return any_of(R.Missed, asksPointers) ||
         any_of(R.Kernels, [&](const RaisedKernel &RK) {
           return mayReadAhead(RK) &&
                  !hasStrategyForWhole(RK, Clone, FAM, DispatchIfHosted);
         });
}

bool mayHaveVersions(Function &Clone, LightClone::Versions V,
                     FunctionAnalysisManager &FAM, bool DispatchIfHosted) {
  switch (V) {
  case LightClone::EvenRows:
    return loadsRows(Clone, FAM);
  case LightClone::Tested:
    return testsInLoops(FAM.getResult<LoopAnalysis>(Clone),
                        FAM.getResult<DominatorTreeAnalysis>(Clone));
  case LightClone::CalledAhead:
    return callsInvariants(Clone, FAM);
  case LightClone::MiddleRead:
    return readsUnderConditions(Clone, FAM);
  case LightClone::Unswitched:
    return readsUnderTests(Clone, FAM, DispatchIfHosted);
  case LightClone::ReadAhead:
    return readsPointers(Clone, FAM, DispatchIfHosted);
  case LightClone::Ranks:
    return hasRanks(Clone, FAM);
  }
  llvm_unreachable("unknown versions");
}

StringRef getTag(LightClone::Versions V) {
  switch (V) {
  case LightClone::EvenRows:
    return EvenRowsTag;
  case LightClone::Tested:
    return TestedTag;
  case LightClone::CalledAhead:
    return CalledAheadTag;
  case LightClone::MiddleRead:
    return MiddleReadTag;
  case LightClone::Unswitched:
    return UnswitchedTag;
  case LightClone::ReadAhead:
    return ReadAheadTag;
  case LightClone::Ranks:
    return RanksTag;
  }
  llvm_unreachable("unknown versions");
}

} // namespace dlopt
