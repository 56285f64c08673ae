//===- KnownCalls.cpp - Arrays that functions are passed ------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "KnownCalls.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace dlopt;

KnownCalls::KnownCalls(const DataLayout &DL, FunctionClones Clones)
    : DL(DL), Clones(std::move(Clones)) {
  for (auto [F, Clone] : this->Clones)
    Originals[Clone] = F;
}

bool KnownCalls::isDead(const Function &F) const {
  return !isClone(F) &&
         (Clones.contains(&F) || (F.hasLocalLinkage() && F.use_empty()));
}

const Function &KnownCalls::getOriginal(const Function &F) const {
  const Function *Original = Originals.lookup(&F);
  return Original ? *Original : F;
}

Function &KnownCalls::getBody(Function &F) const {
  Function *Clone = Clones.lookup(&F);
  return Clone ? *Clone : F;
}

bool RecursiveFunctions::contains(const Function &F) {
  if (!Nodes.contains(&F))
    visit(F);
  return Recursive.contains(&F);
}

/// \p F and all that may come to it.
void RecursiveFunctions::visit(const Function &F) {
  SmallVector<std::pair<const Function *, Value::const_user_iterator>, 16> Todo;
  auto Enter = [&](const Function *G) {
    unsigned Index = Nodes.size() + 1;
    Nodes[G] = {Index, Index, true};
    Open.push_back(G);
    Todo.push_back({G, G->user_begin()});
  };
  Enter(&F);
  while (!Todo.empty()) {
    const Function *G = Todo.back().first;
    auto &Next = Todo.back().second;
    if (Next == G->user_end()) {
      leave(*G);
      Todo.pop_back();
      if (!Todo.empty()) {
        unsigned &First = Nodes[Todo.back().first].First;
        First = std::min(First, Nodes[G].First);
      }
      continue;
    }
    const auto *I = dyn_cast<Instruction>(*Next++);
    const Function *Caller = I ? I->getFunction() : nullptr;
    if (Caller == G)
      Recursive.insert(G);
    else if (Caller && !Nodes.contains(Caller))
      Enter(Caller);
    else if (Caller && Nodes[Caller].IsOpen)
      Nodes[G].First = std::min(Nodes[G].First, Nodes[Caller].Index);
  }
}

/// All callers of \p F are known: with it, what it has a cycle with.
void RecursiveFunctions::leave(const Function &F) {
  if (Nodes[&F].First != Nodes[&F].Index)
    return;
  bool IsCycle = Open.back() != &F;
  const Function *Last;
  do {
    Last = Open.pop_back_val();
    Nodes[Last].IsOpen = false;
    if (IsCycle)
      Recursive.insert(Last);
  } while (Last != &F);
}

/// Whether \p U is the callee of an ordinary call of \p F.
static bool isPlainCall(const Use &U, const Function &F) {
  const auto *Call = dyn_cast<CallInst>(U.getUser());
  return Call && Call->isCallee(&U) && !Call->isMustTailCall() &&
         !Call->hasOperandBundles() &&
         Call->getFunctionType() == F.getFunctionType();
}

ArrayRef<CallBase *> KnownCalls::getCalls(const Function &F) {
  const Function &Original = getOriginal(F);
  auto [It, IsNew] = Calls.try_emplace(&Original);
  if (!IsNew)
    return It->second;
  std::vector<CallBase *> All;
  if (!Original.hasLocalLinkage() || Original.isVarArg() ||
      Original.isDeclaration())
    return {};
  for (const Use &U : Original.uses()) {
    if (const auto *I = dyn_cast<Instruction>(U.getUser());
        I && isDead(*I->getFunction()))
      continue;
    if (!isPlainCall(U, Original))
      return {};
    All.push_back(cast<CallBase>(U.getUser()));
  }
  if (All.empty() || Recursive.contains(Original))
    return {};
  return Calls[&Original] = std::move(All);
}

Argument *KnownCalls::getArgument(const Use &U) {
  auto *Call = dyn_cast<CallBase>(U.getUser());
  Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee || !Call->isArgOperand(&U))
    return nullptr;
  Function &Body = getBody(*Callee);
  if (getCalls(Body).empty())
    return nullptr;
  Argument *A = Body.getArg(Call->getArgOperandNo(&U));
  return A->hasPointeeInMemoryValueAttr() ? nullptr : A;
}

ObjectPlace KnownCalls::getPlace(const Value *Ptr) {
  APInt Offset(DL.getIndexTypeSizeInBits(Ptr->getType()), 0);
  const Value *Base = Ptr->stripAndAccumulateConstantOffsets(
      DL, Offset, /*AllowNonInbounds=*/true);
  ObjectPlace Own = {const_cast<Value *>(Base), Offset.getSExtValue()};
  const auto *A = dyn_cast<Argument>(Base);
  if (!A)
    return Own;
  auto [It, IsNew] = Places.try_emplace(A, ObjectPlace{Own.Object, 0});
  if (IsNew && !A->hasPointeeInMemoryValueAttr()) {
    std::optional<ObjectPlace> Passed;
    for (CallBase *Call : getCalls(*A->getParent())) {
      ObjectPlace P = getPlace(Call->getArgOperand(A->getArgNo()));
      if (Passed && !(*Passed == P) && !DLOPT_PLANTED(FirstCallForAll)) {
        Passed = std::nullopt;
        break;
      }
      if (!Passed)
        Passed = P;
    }
    if (Passed)
      Places[A] = *Passed;
  }
  ObjectPlace P = Places[A];
  return {P.Object, P.Bytes + Own.Bytes};
}

void KnownCalls::addObjects(const Function &F,
                            SmallPtrSetImpl<const Value *> &Objects) {
  SmallPtrSet<const Value *, 32> Seen;
  SmallVector<const Value *, 32> Todo;
  for (const Instruction &I : instructions(F))
    append_range(Todo, I.operand_values());
  for (const Argument &A : F.args())
    Todo.push_back(&A);
  while (!Todo.empty()) {
    const Value *V = Todo.pop_back_val();
    if (!isa<Constant, Argument, AllocaInst>(V) || !Seen.insert(V).second)
      continue;
    if (isa<GlobalVariable, AllocaInst>(V))
      Objects.insert(V);
    else if (const auto *C = dyn_cast<ConstantExpr>(V))
      append_range(Todo, C->operand_values());
    else if (const auto *A = dyn_cast<Argument>(V);
             A && A->getType()->isPointerTy())
      for (const CallBase *Call : getCalls(*A->getParent()))
        Todo.push_back(getPlace(Call->getArgOperand(A->getArgNo())).Object);
  }
}

/// Whether \p Call cannot come back into the module, nor to where it has come
/// back to before.
static bool staysOutside(const CallBase &Call, const TargetLibraryInfo &TLI) {
  LibFunc Func;
  if (Call.hasFnAttr(Attribute::ReturnsTwice))
    return false;
  const Function *Callee = Call.getCalledFunction();
  return isa<IntrinsicInst>(Call) || Call.hasFnAttr(Attribute::NoCallback) ||
         (Call.doesNotAccessMemory() && Call.doesNotThrow()) ||
         (Callee && Callee->isDeclaration() &&
          isModelLibFunction(Callee->getName()) && TLI.getLibFunc(Call, Func));
}

bool KnownCalls::isAlone(const Function &F, const Function &Again,
                         FunctionAnalysisManager &FAM,
                         SmallPtrSetImpl<const Function *> &Seen) {
  if (!Seen.insert(&F).second)
    return true;
  const auto &TLI =
      FAM.getResult<TargetLibraryAnalysis>(const_cast<Function &>(F));
  return all_of(instructions(F), [&](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || staysOutside(*Call, TLI))
      return true;
    Function *Callee = Call->getCalledFunction();
    return Callee && Callee->hasExactDefinition() &&
           Callee != &getOriginal(Again) &&
           isAlone(getBody(*Callee), Again, FAM, Seen);
  });
}

bool KnownCalls::isAlone(const Function &F, const Function &Again,
                         FunctionAnalysisManager &FAM) {
  SmallPtrSet<const Function *, 8> Seen;
  return isAlone(F, Again, FAM, Seen);
}
