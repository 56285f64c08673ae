//===- SizeCopies.cpp - Copies of functions by sizes ----------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A net in C has one function for all of its convolutions, and numbers where
/// it calls that:
///
///   conv2d(x, w1, y, 3, 224, 224, 64, 7, 2, 3);
///   conv2d(y, w2, z, 64, 56, 56, 64, 3, 1, 1);
///
/// What is known of windows and borders when code is made is worth a copy for
/// each of them. A compiler that inlines comes to that too late, and not for
/// functions of this size.
///
//===----------------------------------------------------------------------===//
#include "SizeCopies.h"
#include "Helpers.h"
#include "dlopt/HelperCopies.h"
#include "dlopt/Options.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include <map>

using namespace llvm;
using namespace dlopt;

/// Copies in a module, as many as large nets have layers that differ: each is
/// code for all machines that it may run on. And functions that pass on what
/// they are passed.
static constexpr size_t MostCopies = 32;
static constexpr unsigned MostRounds = 4;
/// Of an expression, each use of a variable again: a bound on time.
static constexpr unsigned MostSteps = 64;

/// The only value that a variable of the function ever has: what reads it
/// before reads nothing.
static Value *getOnlyValue(AllocaInst &A) {
  Value *Only = nullptr;
  for (User *U : A.users()) {
    if (auto *L = dyn_cast<LoadInst>(U)) {
      if (L->isVolatile() || L->getType() != A.getAllocatedType())
        return nullptr;
    } else if (auto *S = dyn_cast<StoreInst>(U)) {
      if (S->isVolatile() || S->getValueOperand() == &A ||
          (Only && !DLOPT_PLANTED(SecondValueLost)) ||
          S->getValueOperand()->getType() != A.getAllocatedType())
        return nullptr;
      Only = S->getValueOperand();
    } else if (!isa<LifetimeIntrinsic>(U)) {
      return nullptr;
    }
  }
  return Only;
}

/// The number that \p V is, as frontends write it: through variables that are
/// set once, conversions and arithmetic; \p Steps: how many of these may be
/// looked at.
static ConstantInt *getNumber(Value *V, const DataLayout &DL, unsigned &Steps) {
  if (auto *C = dyn_cast<ConstantInt>(V))
    return C;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !Steps || !V->getType()->isIntegerTy())
    return nullptr;
  --Steps;
  auto Fold = [&](Value *Operand) { return getNumber(Operand, DL, Steps); };
  if (auto *L = dyn_cast<LoadInst>(I)) {
    auto *A = dyn_cast<AllocaInst>(L->getPointerOperand());
    Value *Only = A ? getOnlyValue(*A) : nullptr;
    return Only ? Fold(Only) : nullptr;
  }
  if (!isa<CastInst, BinaryOperator>(I))
    return nullptr;
  SmallVector<Constant *, 2> Operands;
  for (Value *Operand : I->operands()) {
    Operands.push_back(Fold(Operand));
    if (!Operands.back())
      return nullptr;
  }
  return dyn_cast_or_null<ConstantInt>(
      ConstantFoldInstOperands(I, Operands, DL));
}

namespace {

using Numbers = std::vector<ConstantInt *>;

/// Calls by what they pass. Those that pass the same lead to one copy.
using CallsByNumbers =
    MapVector<Numbers, SmallVector<CallBase *, 2>, std::map<Numbers, unsigned>>;

class SizeCopier {
public:
  SizeCopier(Module &M, HelperCopies &Copies,
             function_ref<bool(Function &)> Gains)
      : M(M), Copies(Copies), Gains(Gains) {}
  void run();

private:
  bool gains(Function &F);
  CallsByNumbers getCalls(Function &F) const;
  bool copy(Function &F);

  Module &M;
  HelperCopies &Copies;
  function_ref<bool(Function &)> Gains;
  DenseMap<Function *, bool> Known;
  size_t NumCopies = 0;
};

} // namespace

/// Whether \p F is a function that gains by numbers, or calls one.
bool SizeCopier::gains(Function &F) {
  auto [It, IsNew] = Known.try_emplace(&F, false);
  if (!IsNew)
    return It->second;
  Options O = getOptions(F);
  if (!O.runs("dl-prepare") || !O.runs(Transformation::SizeCopies) ||
      F.hasAvailableExternallyLinkage() || !canCopyFunction(F) ||
      F.getInstructionCount() > O.Budget)
    return false;
  bool Result = Gains(F);
  if (!Result)
    for (Instruction &I : instructions(F))
      if (auto *CB = dyn_cast<CallBase>(&I))
        if (Function *Callee = getHelper(*CB))
          Result |= gains(*Callee);
  return Known[&F] = Result;
}

/// The calls of \p F that pass numbers.
CallsByNumbers SizeCopier::getCalls(Function &F) const {
  CallsByNumbers Result;
  for (Use &U : F.uses()) {
    auto *CB = dyn_cast<CallBase>(U.getUser());
    if (!CB || !CB->isCallee(&U) || getHelper(*CB) != &F ||
        CB->hasOperandBundles() || CB->getFunction() == &F ||
        CB->arg_size() != F.arg_size())
      continue;
    Numbers Passed;
    // A copy has no use of what it knows.
    for (auto [V, A] : zip_equal(CB->args(), F.args())) {
      unsigned Steps = MostSteps;
      Passed.push_back(A.use_empty() ? nullptr
                                     : getNumber(V, M.getDataLayout(), Steps));
    }
    if (any_of(Passed, [](const ConstantInt *C) { return C != nullptr; }))
      Result[std::move(Passed)].push_back(CB);
  }
  return Result;
}

bool SizeCopier::copy(Function &F) {
  CallsByNumbers Calls = getCalls(F);
  if (Calls.empty() || NumCopies + Calls.size() > MostCopies || !gains(F))
    return false;
  NumCopies += Calls.size();
  for (auto &[Passed, Of] : Calls)
    Copies.add(F, Passed, Of);
  return true;
}

void SizeCopier::run() {
  bool Again = true;
  for (unsigned Round = 0; Again && Round != MostRounds; ++Round) {
    Again = false;
    SmallVector<Function *, 16> Fs;
    for (Function &F : M)
      if (!F.isDeclaration() && !F.use_empty())
        Fs.push_back(&F);
    for (Function *F : Fs)
      Again |= copy(*F);
  }
}

void dlopt::addSizeCopies(Module &M, HelperCopies &Copies,
                          function_ref<bool(Function &)> Gains) {
  SizeCopier(M, Copies, Gains).run();
}
