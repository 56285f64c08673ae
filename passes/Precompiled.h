//===- Precompiled.h - Headers that are compiled once -----------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What most files include, of LLVM and of the plugin itself: the classes of the
// kernel model are a third of what is read and of the templates that are made.
// With DLOPT_PRECOMPILE that happens once for all files of the plugin; no file
// relies on it, as builds with ccache do without.
//
//===----------------------------------------------------------------------===//

#ifndef DLOPT_PRECOMPILED_H
#define DLOPT_PRECOMPILED_H

#include "dlopt/Compat.h"
#include "dlopt/Dependences.h"
#include "dlopt/Expression.h"
#include "dlopt/Guards.h"
#include "dlopt/Kernel.h"
#include "dlopt/KernelEdit.h"
#include "dlopt/KernelText.h"
#include "dlopt/Lanes.h"
#include "dlopt/Lower.h"
#include "dlopt/Options.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Raise.h"
#include "dlopt/Remarks.h"
#include "dlopt/Target.h"
#include "dlopt/Uses.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#endif // DLOPT_PRECOMPILED_H
