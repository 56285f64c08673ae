//===- CallsBeside.cpp - Calls of the library next to a kernel ------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The maximum of a softmax that is written as three loops, or as a function of
/// its own, takes a hundredth of the time that `expf` takes in the next loop.
/// Whatever slows these calls down loses more than the kernel gains.
///
//===----------------------------------------------------------------------===//
#include "LoopProfit.h"
#include "dlopt/VectorMath.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace dlopt;

static bool isMathFunction(const Function &F) {
  Type *Ty = F.getReturnType();
  if (!F.isDeclaration() || !(Ty->isFloatTy() || Ty->isDoubleTy()))
    return false;
  Op O;
  O.K = F.isIntrinsic() ? Op::Intrinsic : Op::LibCall;
  O.Ty = Ty->isFloatTy() ? ScalarType::F32 : ScalarType::F64;
  O.Opcode = F.getIntrinsicID();
  O.Callee = F.getName();
  return getMathFunction(O).has_value();
}

/// Whether \p I calls a math function that no flag lets be computed inline.
static bool isMathCall(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && isMathFunction(*Callee) && !I.hasApproxFunc();
}

bool dlopt::usesLibrary(const Module &M) {
  return any_of(M, [](const Function &F) {
    return isMathFunction(F) && any_of(F.users(), [](const User *U) {
             const auto *Call = dyn_cast<CallBase>(U);
             return Call && isMathCall(*Call);
           });
  });
}

static bool hasCallsInLoops(const Function &F) {
  if (F.isDeclaration())
    return false;
  for (auto SCC = scc_begin(&F); !SCC.isAtEnd(); ++SCC)
    if (SCC.hasCycle() && any_of(*SCC, [](const BasicBlock *BB) {
          return any_of(*BB, isMathCall);
        }))
      return true;
  return false;
}

bool dlopt::callsLibraryBeside(const Function &F) {
  // One of many callers says little.
  constexpr unsigned MostCallers = 4;
  return hasCallsInLoops(F) || (!F.hasNUsesOrMore(MostCallers + 1) &&
                                any_of(F.users(), [&](const User *U) {
                                  const auto *Call = dyn_cast<CallBase>(U);
                                  return Call &&
                                         Call->getCalledOperand() == &F &&
                                         hasCallsInLoops(*Call->getFunction());
                                }));
}

bool dlopt::isRowOnly(const Kernel &K) {
  return all_of(K.Root.Children, [](const auto &N) {
    return all_of(N->Children, [](const auto &Inside) {
      return Inside->K == Node::LeafNode;
    });
  });
}
