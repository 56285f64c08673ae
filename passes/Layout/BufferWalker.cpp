//===- BufferWalker.cpp - All uses of one object --------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BufferWalker.h"
#include "dlopt/Options.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace dlopt;

/// Pointers into one object that are looked at.
static constexpr size_t MaxPointers = 4096;

namespace {

class BufferWalker {
public:
  BufferWalker(ModuleBuffers &MB, BufferUses &Uses, UserVerdicts &Users)
      : MB(MB), Uses(Uses), B(Uses.Whole), Calls(*MB.Calls), Users(Users) {}
  void run(const DataLayout &DL);

private:
  void refuse(Reason R, const Value *Culprit, StringRef Detail = "");
  void escape(const Value *Culprit, StringRef Detail);
  void measure(const DataLayout &DL);
  void visit(const Use &U);
  void visitConstant(Constant &C);
  void visitInstruction(const Use &U, Instruction &I);
  void visitAccess(const Use &U, Instruction &I);
  void visitOther(const Use &U, Instruction &I);
  void checkPhis();
  void checkDirect();
  std::optional<unsigned> findKernel(const Instruction &I) const;

  ModuleBuffers &MB;
  BufferUses &Uses;
  ModuleBuffer &B;
  KnownCalls &Calls;
  UserVerdicts &Users;
  const Function *LastUser = nullptr; ///< that has been looked at
  SmallVector<PHINode *, 4> Phis;
  /// Addresses that are not computed from an argument.
  SmallSetVector<const Value *, 8> Direct;
};

} // namespace

void BufferWalker::refuse(Reason R, const Value *Culprit, StringRef Detail) {
  if (B.Why.ok())
    B.Why = {R, dyn_cast_or_null<Instruction>(Culprit), Detail.str()};
}

void BufferWalker::escape(const Value *Culprit, StringRef Detail) {
  B.IsPrivate = false;
  refuse(Reason::BufferEscapes, Culprit, Detail);
}

std::optional<unsigned> BufferWalker::findKernel(const Instruction &I) const {
  for (auto [Index, MK] : enumerate(MB.Kernels))
    if (MK.Call ? MK.Call == &I
                : MK.F == I.getFunction() && MK.RK.Nest->contains(&I))
      return static_cast<unsigned>(Index);
  return std::nullopt;
}

void BufferWalker::visitConstant(Constant &C) {
  if (auto *GEP = dyn_cast<GEPOperator>(&C)) {
    B.Pointers.insert(GEP);
    return;
  }
  if (!isa<GlobalValue>(C) && !C.isConstantUsed())
    return;
  B.IsPrivate = false;
  refuse(isa<GlobalValue>(C) || isa<ConstantAggregate>(C)
             ? Reason::BufferExported
             : Reason::BufferEscapes,
         nullptr, isa<GlobalValue>(C) ? C.getName() : "a constant");
}

/// Whether \p F may be changed at all.
static Verdict checkUser(const Function &F) {
  Options O = getOptions(F);
  Verdict Why = checkFunction(F);
  if (Why.ok() && (!O.runs("dl-layout") || F.hasAvailableExternallyLinkage()))
    Why.R = Reason::Denied;
  if (Why.ok() && O.Check != CheckMode::Off)
    Why.R = Reason::CannotCheck;
  return Why;
}

void BufferWalker::visitInstruction(const Use &U, Instruction &I) {
  if (Calls.isDead(*I.getFunction()))
    return;
  if (I.getFunction() != LastUser) {
    LastUser = I.getFunction();
    auto [It, IsNew] = Users.try_emplace(LastUser);
    if (IsNew)
      It->second = checkUser(*LastUser);
    if (const Verdict &Why = It->second; !Why.ok())
      refuse(Why.R, &I, Why.Detail);
  }
  if (isa<GetElementPtrInst>(I)) {
    // Vectors of pointers are no kernel's.
    if (!I.getType()->isPointerTy())
      return escape(&I, "a vector of pointers");
    B.Pointers.insert(&I);
    return;
  }
  if (auto *P = dyn_cast<PHINode>(&I)) {
    B.Pointers.insert(P);
    Phis.push_back(P);
    return;
  }
  if (I.isLifetimeStartOrEnd())
    return;
  bool IsAddress = getLoadStorePointerOperand(&I) == U.get() &&
                   (!isa<StoreInst>(I) || U.getOperandNo() == 1);
  if (!IsAddress && !(isa<MemIntrinsic>(I) && U.getOperandNo() < 2))
    return visitOther(U, I);
  visitAccess(U, I);
}

void BufferWalker::visitAccess(const Use &U, Instruction &I) {
  std::optional<unsigned> Index = findKernel(I);
  bool IsCall = isa<MemIntrinsic>(I) && (!Index || MB.Kernels[*Index].Call);
  if (!IsCall && !isa<Argument>(B.getBase(U.get()).first))
    Direct.insert(U.get());
  // A nest that is a kernel has said all about what is in it. If it should stay
  // beside what takes its place, each of its accesses goes through the map.
  if (Index)
    Uses.Kernels.insert(*Index);
  else
    Uses.Singles.insert(&I);
}

/// What is no access: the array may be passed on.
void BufferWalker::visitOther(const Use &U, Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  Argument *A = Calls.getArgument(U);
  if (!A)
    return escape(&I, Callee ? Callee->getName() : I.getOpcodeName());
  ObjectPlace P = Calls.getPlace(A);
  if (P.Object != B.Object) {
    B.IsPrivate = false;
    return refuse(Reason::BufferShared, &I, Callee->getName());
  }
  if (B.Pointers.insert(A))
    B.Arguments.push_back({A, P.Bytes});
}

void BufferWalker::visit(const Use &U) {
  if (auto *I = dyn_cast<Instruction>(U.getUser()))
    visitInstruction(U, *I);
  else if (auto *C = dyn_cast<Constant>(U.getUser()))
    visitConstant(*C);
  else
    escape(nullptr, "a value");
}

/// What may be the address of another object, too, is none of this one.
void BufferWalker::checkPhis() {
  for (PHINode *P : Phis)
    for (const Value *V : P->incoming_values())
      if (!B.Pointers.contains(const_cast<Value *>(V)))
        return escape(P, "phi");
}

/// Where functions are passed the array, others lead to it that are computed
/// from neither.
void BufferWalker::checkDirect() {
  for (const Value *Ptr : Direct)
    if (!B.Arguments.empty() && getUnderlyingObject(Ptr, 0) != B.Object)
      return refuse(Reason::BufferOutside, Ptr);
}

void BufferWalker::measure(const DataLayout &DL) {
  B.IsPrivate = true;
  auto *G = dyn_cast<GlobalVariable>(B.Object);
  if (!G) {
    Uses.Bytes = cast<AllocaInst>(B.Object)
                     ->getAllocationSize(DL)
                     .value_or(TypeSize::getFixed(0))
                     .getFixedValue();
    return;
  }
  Uses.Bytes = DL.getTypeAllocSize(G->getValueType());
  if (!G->hasLocalLinkage() || G->hasSection() || G->isThreadLocal() ||
      G->isExternallyInitialized() || G->hasSanitizerMetadata() ||
      G->hasPartition() || G->getAddressSpace() != 0) {
    B.IsPrivate = false;
    refuse(Reason::BufferExported, nullptr);
  }
}

void BufferWalker::run(const DataLayout &DL) {
  measure(DL);
  B.Pointers.insert(B.Object);
  for (size_t Next = 0; Next != B.Pointers.size(); ++Next) {
    if (Next == MaxPointers)
      return escape(nullptr, "too many pointers");
    for (const Use &U : B.Pointers[Next]->uses())
      visit(U);
  }
  checkPhis();
  checkDirect();
}

BufferUses dlopt::findBufferUses(ModuleBuffers &MB, Value *Object,
                                 const DataLayout &DL, UserVerdicts &Users) {
  BufferUses Uses;
  Uses.Whole.Object = Object;
  BufferWalker(MB, Uses, Users).run(DL);
  return Uses;
}

SmallVector<const LoadInst *, 2>
dlopt::findGivenLoads(const RaisedKernel &RK,
                      const SmallSetVector<Value *, 16> &Pointers) {
  SmallVector<const LoadInst *, 2> Loads;
  SmallSetVector<const Value *, 16> Todo;
  for (const Param &P : RK.K->Params)
    Todo.insert(P.Bound);
  for (const Buffer &Buf : RK.K->Buffers)
    if (Buf.Bound)
      Todo.insert(Buf.Bound);
  for (size_t Next = 0; Next != Todo.size(); ++Next) {
    const auto *I = dyn_cast<Instruction>(Todo[Next]);
    if (!I || !RK.Nest->contains(I))
      continue;
    if (const auto *L = dyn_cast<LoadInst>(I);
        L && Pointers.contains(const_cast<Value *>(L->getPointerOperand())))
      Loads.push_back(L);
    Todo.insert(I->value_op_begin(), I->value_op_end());
  }
  return Loads;
}
