//===- HelperCopies.cpp - Functions that are passed several arrays --------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/HelperCopies.h"
#include "KnownCalls.h"
#include "dlopt/Contracts.h"
#include "dlopt/Options.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <map>

using namespace llvm;
using namespace dlopt;

/// What calls pass that makes a copy different: arrays and sizes.
using Tuple = std::vector<std::pair<Value *, int64_t>>;

/// Copies of one function, and passes over functions that are passed on to
/// others.
static constexpr size_t MaxCopies = 16;
static constexpr unsigned MaxRounds = 4;

bool dlopt::canCopyFunction(const Function &F) {
  if (F.hasOptNone() || F.isPresplitCoroutine() || F.isVarArg())
    return false;
  return none_of(F,
                 [](const BasicBlock &BB) { return BB.hasAddressTaken(); }) &&
         none_of(instructions(F), [](const Instruction &I) {
           const auto *Call = dyn_cast<CallBase>(&I);
           return isa<IndirectBrInst, CallBrInst>(I) ||
                  (Call && Call->cannotDuplicate());
         });
}

static bool canCopy(Function &F) {
  Options O = getOptions(F);
  return O.runs("dl-prepare") && O.runs("dl-layout") && !F.hasComdat() &&
         F.getInstructionCount() <= O.Budget && canCopyFunction(F);
}

static bool isPrivate(const Value *Object) {
  const auto *G = dyn_cast<GlobalVariable>(Object);
  return isa<AllocaInst>(Object) ||
         (G && G->hasLocalLinkage() && !G->isDeclaration());
}

/// What \p Call passes; empty: no array.
static Tuple getTuple(const CallBase &Call, KnownCalls &Known) {
  Tuple Key;
  bool HasArray = false;
  for (Value *V : Call.args()) {
    Key.emplace_back(nullptr, 0);
    if (isa<ConstantInt>(V)) {
      Key.back().first = V;
    } else if (V->getType()->isPointerTy()) {
      ObjectPlace P = Known.getPlace(V);
      if (isPrivate(P.Object)) {
        Key.back() = {P.Object, P.Bytes};
        HasArray = true;
      }
    }
  }
  return HasArray ? Key : Tuple();
}

Function &HelperCopies::add(Function &F, ArrayRef<ConstantInt *> Numbers,
                            ArrayRef<CallBase *> Calls) {
  for (auto [Number, U] : enumerate(F.uses()))
    Order.try_emplace(&U, static_cast<unsigned>(Number));
  // Names that are used once change others.
  auto *New =
      Function::Create(F.getFunctionType(), GlobalValue::InternalLinkage,
                       F.getAddressSpace(), "", F.getParent());
  ValueToValueMapTy Map;
  for (auto [From, To] : zip(F.args(), New->args())) {
    To.setName(From.getName());
    Map[&From] = &To;
  }
  SmallVector<ReturnInst *, 4> Returns;
  CloneFunctionInto(New, &F, Map, CloneFunctionChangeType::LocalChangesOnly,
                    Returns);
  // With numbers in it, a kernel may be one of another name.
  if (!New->getFnAttribute(RequireAttr).getValueAsString().empty())
    New->addFnAttr(RequireAttr, AnyKind);
  New->setVisibility(GlobalValue::DefaultVisibility);
  New->setDLLStorageClass(GlobalValue::DefaultStorageClass);
  New->setDSOLocal(true);
  for (auto [A, Number] : zip(New->args(), Numbers))
    if (Number && Number->getType() == A.getType())
      A.replaceAllUsesWith(Number);
  for (CallBase *Call : Calls)
    Call->setCalledFunction(New);
  Copies.push_back({&F, New});
  return *New;
}

bool HelperCopies::split(Function &F, KnownCalls &Known) {
  MapVector<Tuple, SmallVector<CallBase *, 2>, std::map<Tuple, unsigned>>
      Tuples;
  for (CallBase *Call : Known.getCalls(F))
    Tuples[getTuple(*Call, Known)].push_back(Call);
  bool HasSizes = any_of(Tuples, [](const auto &Entry) {
    return any_of(Entry.first, [](const auto &Passed) {
      return isa_and_nonnull<ConstantInt>(Passed.first);
    });
  });
  if (Tuples.empty() || Tuples.size() > MaxCopies ||
      (Tuples.size() == 1 && !HasSizes) ||
      all_of(Tuples, [](const auto &Entry) { return Entry.first.empty(); }) ||
      !canCopy(F))
    return false;
  for (auto &[Key, Calls] : Tuples) {
    if (Key.empty())
      continue;
    SmallVector<ConstantInt *, 8> Numbers;
    for (const auto &Passed : Key)
      Numbers.push_back(dyn_cast_or_null<ConstantInt>(Passed.first));
    add(F, Numbers, Calls);
  }
  return true;
}

HelperCopies::HelperCopies(Module &M) {
  bool Again = true;
  for (unsigned Round = 0; Again && Round != MaxRounds; ++Round) {
    Again = false;
    KnownCalls Known(M.getDataLayout(), FunctionClones());
    SmallVector<Function *, 16> Fs;
    for (Function &F : M)
      if (F.hasLocalLinkage() && !F.isDeclaration() && !F.use_empty() &&
          !isCopy(F))
        Fs.push_back(&F);
    for (Function *F : Fs)
      Again |= split(*F, Known);
  }
}

void HelperCopies::undo(const Copy &C) {
  // Callers may have other bodies by now.
  C.F->replaceAllUsesWith(C.Original);
  C.Original->sortUseList([&](const Use &L, const Use &R) {
    return Order.lookup(&L) < Order.lookup(&R);
  });
  C.F->eraseFromParent();
}

void HelperCopies::finish(function_ref<bool(Function &)> Keep, StringRef Suffix,
                          FunctionAnalysisManager &FAM) {
  SmallSetVector<Function *, 8> Originals;
  // The last ones first: they may be what earlier ones call.
  for (const Copy &C : reverse(Copies))
    if (Keep(*C.F)) {
      Originals.insert(C.Original);
      // Of a copy of a copy.
      const Function *First = C.Original;
      for (const Copy &Before : reverse(Copies))
        if (Before.F == First)
          First = Before.Original;
      C.F->setName(First->getName() + Suffix);
    } else {
      Originals.remove(C.F);
      undo(C);
    }
  // What nobody calls any more would be transformed, and reported, once more.
  for (bool Again = true; std::exchange(Again, false);)
    Originals.remove_if([&](Function *F) {
      if (!F->use_empty() || !F->hasLocalLinkage())
        return false;
      FAM.clear(*F, F->getName());
      F->eraseFromParent();
      return Again = true;
    });
}
