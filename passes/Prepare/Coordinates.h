//===- Coordinates.h - Coordinates that loops compute -----------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_PREPARE_COORDINATES_H
#define DLOPT_PASSES_PREPARE_COORDINATES_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class Loop;
class LoopInfo;
class Value;
} // namespace llvm

namespace dlopt {

/// Whether \p L, inside another loop, does nothing but compute coordinates and
/// offsets.
bool computesCoordinates(const llvm::Loop &L);

/// Unrolls loops over a few dimensions inside other loops that do nothing but
/// compute coordinates and offsets. Loops must be in simplified form and in
/// LCSSA form. True if there were some.
bool unrollCoordinates(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Whether \p V, a number, becomes addresses and nothing else.
bool isAddressOnly(llvm::Value &V);

/// Gives arrays of a few coordinates, some of which are found by an index that
/// is read and not counted, accesses to all elements in place of these. True if
/// there were some.
bool spreadIndices(llvm::Function &F, const llvm::LoopInfo &LI);

} // namespace dlopt

#endif // DLOPT_PASSES_PREPARE_COORDINATES_H
