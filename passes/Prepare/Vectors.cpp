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
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace dlopt {

static constexpr StringLiteral VectorsTag = "dl.had.vectors";

static bool usesVectors(const Instruction &I) {
  auto IsVector = [](const Value *V) { return V->getType()->isVectorTy(); };
  return IsVector(&I) || any_of(I.operands(), IsVector);
}

static bool hasVectorValues(const Loop &L) {
  return any_of(L.blocks(),
                [](const BasicBlock *BB) { return any_of(*BB, usesVectors); });
}

/// The operations that products are made of. On some others ScalarizerPass of
/// LLVM 22.1 fails: on elements that a vector does not have, of which it looks
/// behind the last, and on an ldexp of a vector by one scalar.
static bool canTakeApart(const Instruction &I) {
  auto IsPlain = [](const Value *V) {
    auto *Ty = dyn_cast<FixedVectorType>(V->getType());
    return !V->getType()->isVectorTy() ||
           (Ty && !Ty->getElementType()->isPointerTy());
  };
  if (!IsPlain(&I) || !all_of(I.operands(), IsPlain))
    return false;
  auto IsElement = [](const Value *Index, const Value *Vector) {
    auto *C = dyn_cast<ConstantInt>(Index);
    return C && C->getValue().ult(
                    cast<FixedVectorType>(Vector->getType())->getNumElements());
  };
  if (auto *E = dyn_cast<ExtractElementInst>(&I))
    return IsElement(E->getIndexOperand(), E->getVectorOperand());
  if (auto *E = dyn_cast<InsertElementInst>(&I))
    return IsElement(E->getOperand(2), E);
  if (auto *Call = dyn_cast<IntrinsicInst>(&I))
    return Call->getIntrinsicID() == Intrinsic::fma ||
           Call->getIntrinsicID() == Intrinsic::fmuladd;
  return isa<LoadInst, StoreInst, PHINode, ShuffleVectorInst, BinaryOperator,
             UnaryOperator>(I);
}

bool canTakeApart(const Function &F) {
  return all_of(instructions(F), [](const Instruction &I) {
    return !usesVectors(I) || canTakeApart(I);
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
