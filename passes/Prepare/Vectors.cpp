//===- Vectors.cpp - Loops that compute with vectors ----------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///   typedef float f32x4 __attribute__((vector_size(16)));
///   for (k ...) { c0 += a[0][k] * b[k]; c1 += a[1][k] * b[k]; }
///
/// Tiles with vector types are unrolled loops, once their vectors are taken
/// apart. That must not happen to loops that stay, whatever their vectors hold.
///
//===----------------------------------------------------------------------===//
#include "Vectors.h"
#include "dlopt/Guards.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace dlopt {

static constexpr StringLiteral VectorsTag = "dl.had.vectors";

static bool hasVectorValues(const Loop &L) {
  auto IsVector = [](const Value *V) {
    return isa<FixedVectorType>(V->getType());
  };
  return any_of(L.blocks(), [&](const BasicBlock *BB) {
    return any_of(*BB, [&](const Instruction &I) {
      return IsVector(&I) || any_of(I.operands(), IsVector);
    });
  });
}

unsigned countVectorLoops(const LoopInfo &LI) {
  return count_if(LI, [](const Loop *L) { return hasVectorValues(*L); });
}

void markVectorLoops(const LoopInfo &LI) {
  for (Loop *L : LI)
    if (hasVectorValues(*L))
      addLoopFlag(*L, VectorsTag);
}

bool hadVectors(const Loop &L) {
  return findOptionMDForLoop(&L, VectorsTag) != nullptr;
}

} // namespace dlopt
