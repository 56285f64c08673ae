//===- ModuleBuffers.cpp - Arrays and all that uses them ------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/ModuleBuffers.h"
#include "BufferWalker.h"
#include "Copies.h"
#include "dlopt/Layout.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace dlopt;

Instruction *ModuleKernel::getPlace() const {
  return Call ? Call : RK.Nest->getHeader()->getTerminator();
}

DebugLoc ModuleKernel::getLoc() const {
  return Call ? Call->getDebugLoc() : RK.Nest->getStartLoc();
}

std::pair<Value *, int64_t> ModuleBuffer::getBase(const Value *Ptr) const {
  const Value *Base = getUnderlyingObject(Ptr, 0);
  for (auto [A, Bytes] : Arguments)
    if (A == Base)
      return {A, Bytes};
  return {Object, 0};
}

std::string ModuleBuffer::getName() const {
  // Compilers leave the names of local arrays out.
  std::string Name =
      Object->hasName() ? Object->getName().str() : "a local array";
  return Begin ? Name + "+" + std::to_string(Begin) : Name;
}

bool ModuleBuffers::areApart(unsigned Index, BufferId A, BufferId B) const {
  const Kernel &K = *Kernels[Index].RK.K;
  auto Find = [&](BufferId Id) {
    return find_if(Buffers, [&](const ModuleBuffer &Buf) {
      return Buf.Pointers.contains(K.Buffers[Id].Bound);
    });
  };
  auto OfA = Find(A), OfB = Find(B);
  auto IsPrivate = [&](auto It) {
    return It != Buffers.end() && It->IsPrivate;
  };
  if (!IsPrivate(OfA) && !IsPrivate(OfB))
    return false;
  if (OfA == Buffers.end() || OfB == Buffers.end() ||
      OfA->Object != OfB->Object)
    return true;
  // Of one object, those that stay in different parts.
  bool InA = false, InB = false;
  for (const ModuleBuffer &Buf : Buffers) {
    if (Buf.Object != OfA->Object)
      continue;
    auto Uses = [&](BufferId Id) {
      return any_of(Buf.Kernels, [&](const ModuleBuffer::KernelUse &U) {
        return U.Kernel == Index && U.Id == Id;
      });
    };
    if (!Buf.Why.ok() || (Uses(A) && Uses(B)))
      return false;
    InA |= Uses(A);
    InB |= Uses(B);
  }
  return InA && InB;
}

/// Numbers in the largest array of numbers in \p Ty, arrays of arrays, and of
/// structs that have nothing but numbers, being one.
static uint64_t getMostNumbers(const Type *Ty) {
  if (Ty->isArrayTy()) {
    const Type *Row = Ty->getArrayElementType();
    uint64_t Rows = Ty->getArrayNumElements();
    bool HasOthers =
        Row->isStructTy() && any_of(Row->subtypes(), IsaPred<PointerType>);
    return SaturatingMultiply(HasOthers ? 1 : Rows, getMostNumbers(Row));
  }
  if (!Ty->isStructTy())
    return Ty->isIntegerTy() || Ty->isFloatingPointTy();
  uint64_t Most = 0;
  for (const Type *Field : Ty->subtypes())
    Most = std::max(Most, getMostNumbers(Field));
  return Most;
}

/// Whether an order of elements may matter in \p Object: there are four rows of
/// four at least, and it is no text.
static bool mayHoldTensor(const Value *Object) {
  constexpr uint64_t LeastNumbers = 16;
  if (const auto *A = dyn_cast<AllocaInst>(Object))
    return A->isArrayAllocation() ||
           getMostNumbers(A->getAllocatedType()) >= LeastNumbers;
  const auto *G = cast<GlobalVariable>(Object);
  const auto *Data = dyn_cast<ConstantDataSequential>(G->getInitializer());
  return getMostNumbers(G->getValueType()) >= LeastNumbers &&
         !(Data && G->isConstant() && Data->isCString());
}

static bool isArray(const Value *Object, bool Private) {
  if (const auto *G = dyn_cast<GlobalVariable>(Object))
    return (!Private || G->hasLocalLinkage()) && !G->isDeclaration() &&
           G->getValueType()->isAggregateType();
  const auto *A = dyn_cast<AllocaInst>(Object);
  return A &&
         (A->isArrayAllocation() || A->getAllocatedType()->isAggregateType());
}

bool dlopt::usesArrays(const Function &F, bool Private) {
  return any_of(instructions(F), [&](const Instruction &I) {
    return any_of(I.operand_values(), [&](const Value *V) {
      const Value *Object = V->stripInBoundsConstantOffsets();
      return isArray(Object, Private) && (!Private || mayHoldTensor(Object));
    });
  });
}

SetVector<Function *>
dlopt::findArraySharers(Module &M,
                        function_ref<bool(const Function &)> MayHoldKernel) {
  KnownCalls Calls(M.getDataLayout(), FunctionClones());
  MapVector<Value *, SmallSetVector<Function *, 2>> Users;
  for (Function &F : M) {
    if (F.isDeclaration() || Calls.isDead(F))
      continue;
    auto Add = [&](Value *Object) {
      if (isArray(Object, /*Private=*/true) && mayHoldTensor(Object))
        Users[Object].insert(&F);
    };
    for (Argument &A : F.args())
      if (A.getType()->isPointerTy())
        Add(Calls.getPlace(&A).Object);
    for (Instruction &I : instructions(F))
      for (Value *V : I.operand_values())
        Add(V->stripInBoundsConstantOffsets());
  }
  DenseMap<const Function *, bool> Known;
  auto Holds = [&](const Function *F) {
    auto [It, IsNew] = Known.try_emplace(F);
    if (IsNew)
      It->second = MayHoldKernel(*F);
    return It->second;
  };
  SetVector<Function *> Sharers;
  for (auto &[Object, Fs] : Users)
    if (Fs.size() > 1 && any_of(Fs, Holds))
      Sharers.insert(Fs.begin(), Fs.end());
  return Sharers;
}

/// Whether \p F is passed arrays that can be looked at.
static bool isPassedArrays(Function &F, KnownCalls &Calls) {
  return any_of(F.args(), [&](Argument &A) {
    return A.getType()->isPointerTy() &&
           isa<GlobalVariable, AllocaInst>(Calls.getPlace(&A).Object);
  });
}

ModuleBuffers dlopt::findModuleBuffers(Module &M, FunctionAnalysisManager &FAM,
                                       const FunctionClones &Clones) {
  ModuleBuffers MB;
  MB.Calls = std::make_shared<KnownCalls>(M.getDataLayout(), Clones);
  SetVector<Value *> Objects, Locals;
  SmallVector<Function *, 8> Fs;
  for (Function &F : M) {
    if (F.isDeclaration() || MB.Calls->isDead(F) ||
        (!Clones.empty() && !MB.Calls->isClone(F)) ||
        (!usesArrays(F, /*Private=*/false) && !isPassedArrays(F, *MB.Calls)))
      continue;
    Fs.push_back(&F);
    for (RaisedKernel &RK : raiseFunction(F, FAM, /*OnlyCopies=*/true).Kernels)
      MB.Kernels.push_back({&F, std::move(RK)});
    for (Instruction &I : instructions(F))
      if (auto *A = dyn_cast<AllocaInst>(&I); A && A->isStaticAlloca())
        Locals.insert(A);
  }
  if (MB.Kernels.empty())
    return MB;
  addCopies(MB, Fs);
  // Loops are over what their functions know.
  SmallPtrSet<const Value *, 32> Known;
  for (Function *F : Fs)
    MB.Calls->addObjects(*F, Known);
  for (GlobalVariable &G : M.globals())
    if (!G.isDeclaration() && Known.contains(&G))
      Objects.insert(&G);
  Objects.insert(Locals.begin(), Locals.end());
  UserVerdicts Users;
  for (Value *Object : Objects) {
    BufferUses Uses = findBufferUses(MB, Object, M.getDataLayout(), Users);
    if (Uses.Kernels.empty())
      continue;
    for (ModuleBuffer &B : findBufferParts(MB, Uses, FAM, M.getDataLayout()))
      MB.Buffers.push_back(std::move(B));
  }
  return MB;
}
