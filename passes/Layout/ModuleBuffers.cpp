//===- ModuleBuffers.cpp - Arrays and all that uses them ------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/ModuleBuffers.h"
#include "Copies.h"
#include "KnownCalls.h"
#include "dlopt/Layout.h"
#include "dlopt/Options.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace dlopt;

/// Pointers into one object that are looked at.
static constexpr size_t MaxPointers = 4096;

namespace {

/// Follows the address of one object to all of its uses.
class BufferWalker {
public:
  BufferWalker(ModuleBuffers &MB, ModuleBuffer &B, FunctionAnalysisManager &FAM,
               const DataLayout &DL)
      : MB(MB), B(B), FAM(FAM), DL(DL), Calls(*MB.Calls) {}
  void run();

private:
  void refuse(Reason R, const Value *Culprit, StringRef Detail = "");
  void escape(const Value *Culprit, StringRef Detail);
  void visit(const Use &U);
  void visitConstant(Constant &C);
  void visitInstruction(const Use &U, Instruction &I);
  void visitOther(const Use &U, Instruction &I);
  void visitFill(MemSetInst &M);
  void visitAccess(Instruction &I);
  void checkPhis();
  void checkDirect();
  void visitKernel(unsigned Index);
  bool isKnown(unsigned Index, BufferId Id, const Buffer &Buf);
  std::optional<unsigned> findKernel(const Instruction &I) const;
  bool setType(ScalarType Ty, const Value *Culprit);

  ModuleBuffers &MB;
  ModuleBuffer &B;
  FunctionAnalysisManager &FAM;
  const DataLayout &DL;
  KnownCalls &Calls;
  uint64_t Bytes = 0;
  bool HasType = false;
  const Function *LastUser = nullptr; ///< that has been looked at
  SmallVector<PHINode *, 4> Phis;
  /// Accesses that are not computed from an argument.
  SmallSetVector<const Instruction *, 8> Direct;
  SmallSetVector<unsigned, 4> Used; ///< kernels
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

/// All uses see elements of one type.
bool BufferWalker::setType(ScalarType Ty, const Value *Culprit) {
  if (!HasType) {
    HasType = true;
    B.Ty = Ty;
    B.Elements = Bytes / getSizeInBytes(Ty);
  }
  if (B.Ty == Ty)
    return true;
  refuse(Reason::BufferPunned, Culprit);
  return false;
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

/// The same byte everywhere stays so.
void BufferWalker::visitFill(MemSetInst &M) {
  auto *Length = dyn_cast<ConstantInt>(M.getLength());
  if (M.isVolatile())
    return refuse(Reason::Volatile, &M);
  if (M.getRawDest() != B.Object || !Length || Length->getValue() != Bytes)
    return refuse(Reason::BufferPart, &M);
  B.Fills.push_back(&M);
}

void BufferWalker::visitAccess(Instruction &I) {
  bool IsSimple = isa<LoadInst>(I) ? cast<LoadInst>(I).isUnordered()
                                   : cast<StoreInst>(I).isUnordered();
  if (I.isVolatile() || I.isAtomic() || !IsSimple)
    return refuse(I.isVolatile() ? Reason::Volatile : Reason::Atomic, &I);
  std::optional<ScalarType> Ty = getScalarType(getLoadStoreType(&I));
  if (!Ty || *Ty == ScalarType::I1 ||
      getLoadStoreAlignment(&I).value() < getSizeInBytes(*Ty))
    return refuse(Reason::BufferPunned, &I);
  if (!setType(*Ty, &I))
    return;
  if (FAM.getResult<LoopAnalysis>(*I.getFunction()).getLoopFor(I.getParent()))
    return refuse(Reason::BufferOutside, &I);
  B.Accesses.push_back(&I);
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
    if (Verdict Why = checkUser(*LastUser); !Why.ok())
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
  auto *Fill = dyn_cast<MemSetInst>(&I);
  if (!IsAddress && !(isa<MemIntrinsic>(I) && U.getOperandNo() < 2))
    return visitOther(U, I);
  if (IsAddress && !isa<Argument>(B.getBase(U).first))
    Direct.insert(&I);
  // A nest that is a kernel has said all about what is in it. If it should stay
  // beside what takes its place, each of its accesses goes through the map.
  if (std::optional<unsigned> Index = findKernel(I);
      Index && (IsAddress || MB.Kernels[*Index].Call)) {
    Used.insert(*Index);
    return;
  }
  if (IsAddress)
    return visitAccess(I);
  if (Fill &&
      !FAM.getResult<LoopAnalysis>(*I.getFunction()).getLoopFor(I.getParent()))
    return visitFill(*Fill);
  refuse(Reason::BufferPart, &I);
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

/// Where functions are passed the array, others lead to it that are computed
/// from neither.
void BufferWalker::checkDirect() {
  for (const Instruction *I : Direct)
    if (!B.Arguments.empty() &&
        getUnderlyingObject(getLoadStorePointerOperand(I), 0) != B.Object)
      return refuse(Reason::BufferOutside, I);
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

/// Whether the kernel's buffer \p Id begins at an element that is known.
bool BufferWalker::isKnown(unsigned Index, BufferId Id, const Buffer &Buf) {
  ObjectPlace P = Calls.getPlace(Buf.Bound);
  int64_t Size = getSizeInBytes(Buf.Ty);
  if (P.Object != B.Object || P.Bytes % Size)
    return false;
  B.Kernels.push_back({Index, Id, P.Bytes / Size});
  return true;
}

/// Whether a number or pointer that the kernel takes as given is computed from
/// a load through one of \p Pointers inside of the nest.
static bool isReadAsGiven(const RaisedKernel &RK,
                          const SmallSetVector<Value *, 16> &Pointers) {
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
      return true;
    Todo.insert_range(I->operand_values());
  }
  return false;
}

void BufferWalker::visitKernel(unsigned Index) {
  const RaisedKernel &RK = MB.Kernels[Index].RK;
  const Kernel &K = *RK.K;
  const Instruction *At = MB.Kernels[Index].getPlace();
  if (RK.Nest && isReadAsGiven(RK, B.Pointers))
    return refuse(Reason::BufferOutside, At);
  // An array that lives in the nest has no accesses of the kernel's.
  if (none_of(K.Buffers, [&](const Buffer &Buf) {
        return !Buf.IsLocal && B.Pointers.contains(Buf.Bound);
      }))
    return refuse(Reason::BufferOutside, At);
  for (auto [Id, Buf] : enumerate(K.Buffers)) {
    if (Buf.IsLocal || !Buf.Bound || !B.Pointers.contains(Buf.Bound))
      continue;
    if (!isKnown(Index, Id, Buf))
      return refuse(Reason::BufferPart, At, K.Function);
    // What copies elements does not say what they are.
    if (RK.Nest || !HasType ? !setType(Buf.Ty, At)
                            : getSizeInBytes(B.Ty) != getSizeInBytes(Buf.Ty))
      return refuse(Reason::BufferPunned, At);
    for (const Atom &A : K.Atoms)
      if (A.K == Atom::Load && A.Source.Buf == Id)
        return refuse(Reason::BufferIndices, At);
    for (const Need &N : K.Needs)
      if (N.K == Need::NonZero && N.Buf == Id)
        return refuse(Reason::BufferIndices, At);
  }
}

void BufferWalker::run() {
  B.IsPrivate = true;
  if (auto *G = dyn_cast<GlobalVariable>(B.Object)) {
    Bytes = DL.getTypeAllocSize(G->getValueType());
    if (!G->hasLocalLinkage() || G->hasSection() || G->isThreadLocal() ||
        G->isExternallyInitialized() || G->hasSanitizerMetadata() ||
        G->hasPartition() || G->getAddressSpace() != 0) {
      B.IsPrivate = false;
      refuse(Reason::BufferExported, nullptr);
    }
  } else {
    Bytes = cast<AllocaInst>(B.Object)
                ->getAllocationSize(DL)
                .value_or(TypeSize::getFixed(0))
                .getFixedValue();
  }
  B.Pointers.insert(B.Object);
  for (size_t Next = 0; Next != B.Pointers.size(); ++Next) {
    if (Next == MaxPointers)
      return escape(nullptr, "too many pointers");
    for (const Use &U : B.Pointers[Next]->uses())
      visit(U);
  }
  checkPhis();
  checkDirect();
  for (bool Calls : {false, true})
    for (unsigned Index : Used)
      if (Calls == (MB.Kernels[Index].Call != nullptr))
        visitKernel(Index);
  if (HasType &&
      (Bytes % getSizeInBytes(B.Ty) ||
       B.Object->getPointerAlignment(DL).value() < getSizeInBytes(B.Ty)))
    refuse(Reason::BufferPunned, nullptr);
}

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

const ModuleBuffer *ModuleBuffers::find(const Value *V) const {
  for (const ModuleBuffer &B : Buffers)
    if (B.Pointers.contains(const_cast<Value *>(V)))
      return &B;
  return nullptr;
}

bool ModuleBuffers::areApart(const Kernel &K, BufferId A, BufferId B) const {
  const ModuleBuffer *OfA = find(K.Buffers[A].Bound),
                     *OfB = find(K.Buffers[B].Bound);
  return OfA != OfB && ((OfA && OfA->IsPrivate) || (OfB && OfB->IsPrivate));
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
      return isArray(V->stripInBoundsConstantOffsets(), Private);
    });
  });
}

SetVector<Function *> dlopt::findArraySharers(Module &M) {
  KnownCalls Calls(M.getDataLayout(), FunctionClones());
  MapVector<Value *, SmallSetVector<Function *, 2>> Users;
  for (Function &F : M) {
    if (F.isDeclaration() || Calls.isDead(F))
      continue;
    auto Add = [&](Value *Object) {
      if (isArray(Object, /*Private=*/true))
        Users[Object].insert(&F);
    };
    for (Argument &A : F.args())
      if (A.getType()->isPointerTy())
        Add(Calls.getPlace(&A).Object);
    for (Instruction &I : instructions(F))
      for (Value *V : I.operand_values())
        Add(V->stripInBoundsConstantOffsets());
  }
  SetVector<Function *> Sharers;
  for (auto &[Object, Fs] : Users)
    if (Fs.size() > 1)
      Sharers.insert_range(Fs);
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
    for (RaisedKernel &RK : raiseFunction(F, FAM).Kernels)
      MB.Kernels.push_back({&F, std::move(RK)});
    for (Instruction &I : instructions(F))
      if (auto *A = dyn_cast<AllocaInst>(&I); A && A->isStaticAlloca())
        Locals.insert(A);
  }
  if (MB.Kernels.empty())
    return MB;
  addCopies(MB, Fs);
  for (GlobalVariable &G : M.globals())
    if (!G.isDeclaration())
      Objects.insert(&G);
  Objects.insert_range(Locals);
  for (Value *Object : Objects) {
    ModuleBuffer B;
    B.Object = Object;
    BufferWalker(MB, B, FAM, M.getDataLayout()).run();
    if (!B.Kernels.empty())
      MB.Buffers.push_back(std::move(B));
  }
  return MB;
}
