//===- Objects.cpp - What is not a loop over a buffer ---------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Objects.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace dlopt;

static constexpr StringLiteral LaidOut = "dl.layout";

/// Writes the elements of type \p Ty that \p C is made of to \p Out, the first
/// at the byte \p At. False: it has others.
static bool flatten(Constant *C, Type *Ty, uint64_t At, const DataLayout &DL,
                    MutableArrayRef<Constant *> Out) {
  uint64_t Size = DL.getTypeAllocSize(Ty);
  if (isa<UndefValue>(C))
    return true;
  if (C->isNullValue() && C->getType()->isAggregateType()) {
    uint64_t Bytes = DL.getTypeAllocSize(C->getType());
    if (At % Size || Bytes % Size)
      return false;
    for (uint64_t I = 0; I != Bytes / Size; ++I)
      Out[At / Size + I] = Constant::getNullValue(Ty);
    return true;
  }
  if (C->getType() == Ty) {
    if (At % Size || !isa<ConstantData>(C))
      return false;
    Out[At / Size] = C;
    return true;
  }
  if (auto *S = dyn_cast<StructType>(C->getType())) {
    const StructLayout &Offsets = *DL.getStructLayout(S);
    for (unsigned I = 0; I != S->getNumElements(); ++I)
      if (!flatten(C->getAggregateElement(I), Ty,
                   At + Offsets.getElementOffset(I), DL, Out))
        return false;
    return true;
  }
  auto *A = dyn_cast<ArrayType>(C->getType());
  if (!A)
    return false;
  uint64_t Step = DL.getTypeAllocSize(A->getElementType());
  for (uint64_t I = 0; I != A->getNumElements(); ++I)
    if (!flatten(C->getAggregateElement(I), Ty, At + I * Step, DL, Out))
      return false;
  return true;
}

/// The initial value of \p B, which is all of its object's or that of a field.
static Constant *getInitialValue(const ModuleBuffer &B, const DataLayout &DL,
                                 std::optional<unsigned> &Field) {
  Constant *C = cast<GlobalVariable>(B.Object)->getInitializer();
  if (!B.IsPart)
    return C;
  auto *S = dyn_cast<StructType>(C->getType());
  for (unsigned I = 0; S && I != S->getNumElements(); ++I) {
    Constant *Value = C->getAggregateElement(I);
    if (DL.getStructLayout(S)->getElementOffset(I) == uint64_t(B.Begin) &&
        Value &&
        DL.getTypeStoreSize(Value->getType()) ==
            B.Elements * getSizeInBytes(B.Ty)) {
      Field = I;
      return Value;
    }
  }
  return nullptr;
}

static std::optional<std::vector<Constant *>>
getElements(const ModuleBuffer &B, Constant *C, const DataLayout &DL) {
  Type *Ty = getIRType(B.Ty, C->getContext());
  std::vector<Constant *> Elements(B.Elements, UndefValue::get(Ty));
  if (flatten(C, Ty, 0, DL, Elements))
    return Elements;
  // Bytes, as rustc has them.
  APInt At(DL.getIndexSizeInBits(0), 0);
  for (Constant *&E : Elements) {
    E = ConstantFoldLoadFromConst(C, Ty, At, DL);
    if (!isa_and_nonnull<ConstantData>(E))
      return std::nullopt;
    At += getSizeInBytes(B.Ty);
  }
  return Elements;
}

/// Like \p S, with a field \p I of the type \p Ty.
static StructType *replaceField(StructType *S, unsigned I, Type *Ty) {
  SmallVector<Type *, 8> Types(S->elements());
  Types[I] = Ty;
  return StructType::get(S->getContext(), Types, S->isPacked());
}

/// Whether all fields of \p C stay where they are then.
static bool keepsOffsets(const Constant &C, unsigned I, Type *Ty,
                         const DataLayout &DL) {
  auto *S = cast<StructType>(C.getType());
  const StructLayout *Old = DL.getStructLayout(S),
                     *New = DL.getStructLayout(replaceField(S, I, Ty));
  return Old->getSizeInBytes() == New->getSizeInBytes() &&
         equal(Old->getMemberOffsets(), New->getMemberOffsets());
}

bool dlopt::canPermute(const ModuleBuffer &B, const DataLayout &DL) {
  auto *G = dyn_cast<GlobalVariable>(B.Object);
  if (!G || G->getInitializer()->isNullValue() ||
      isa<UndefValue>(G->getInitializer()))
    return true;
  std::optional<unsigned> Field;
  Constant *C = getInitialValue(B, DL, Field);
  if (!C || !getElements(B, C, DL))
    return false;
  auto *Ty = ArrayType::get(getIRType(B.Ty, G->getContext()), B.Elements);
  return !Field || keepsOffsets(*G->getInitializer(), *Field, Ty, DL);
}

void dlopt::permuteInitializer(const ModuleBuffer &B, const ChannelMap &M,
                               const DataLayout &DL) {
  auto *G = dyn_cast<GlobalVariable>(B.Object);
  if (!G || G->getInitializer()->isNullValue() ||
      isa<UndefValue>(G->getInitializer()) ||
      DLOPT_PLANTED(InitializerNotPermuted))
    return;
  std::optional<unsigned> Field;
  Constant *C = getInitialValue(B, DL, Field);
  if (C->isNullValue() || isa<UndefValue>(C))
    return;
  std::vector<Constant *> Old = *getElements(B, C, DL), New(Old.size());
  for (uint64_t E = 0; E != Old.size(); ++E)
    New[M.map(E, Old.size())] = Old[E];
  auto *Ty = ArrayType::get(New.front()->getType(), New.size());
  MaybeAlign Alignment = G->getAlign();
  G->setAlignment(Alignment ? *Alignment
                            : DL.getABITypeAlign(G->getValueType()));
  Constant *Value = ConstantArray::get(Ty, New);
  if (Field) {
    Constant *Whole = G->getInitializer();
    auto *S = cast<StructType>(Whole->getType());
    SmallVector<Constant *, 8> Fields;
    for (unsigned I = 0; I != S->getNumElements(); ++I)
      Fields.push_back(I == *Field ? Value : Whole->getAggregateElement(I));
    Value = ConstantStruct::get(replaceField(S, *Field, Ty), Fields);
  }
  G->replaceInitializer(Value);
}

/// The number of the element after \p M that lies \p Bytes behind the first.
static Value *emitElement(IRBuilderBase &Builder, Value *Bytes,
                          const ModuleBuffer &B, uint64_t Elements,
                          const ChannelMap &M) {
  Value *E = Builder.CreateUDiv(Bytes, Builder.getInt64(getSizeInBytes(B.Ty)));
  Value *Pixels = Builder.getInt64(M.Pixels);
  Value *In = Builder.CreateURem(E, Builder.getInt64(M.getBlock()));
  Value *Place =
      Builder.CreateAdd(Builder.CreateMul(Builder.CreateURem(In, Pixels),
                                          Builder.getInt64(M.Channels)),
                        Builder.CreateUDiv(In, Pixels));
  Value *New = Builder.CreateAdd(Builder.CreateSub(E, In), Place);
  uint64_t Mapped = Elements / M.getBlock() * M.getBlock();
  return Mapped == B.Elements
             ? New
             : Builder.CreateSelect(
                   Builder.CreateICmpULT(E, Builder.getInt64(Mapped)), New, E);
}

void dlopt::mapAddress(Instruction &I, const ModuleBuffer &B, uint64_t Elements,
                       const ChannelMap &M) {
  IRBuilder<> Builder(&I);
  const DataLayout &DL = I.getDataLayout();
  Value *Ptr = getLoadStorePointerOperand(&I);
  APInt Offset(DL.getIndexTypeSizeInBits(Ptr->getType()), 0);
  // What is computed from an argument stays so.
  auto [Base, Bound] = B.getBase(Ptr);
  int64_t First = Bound - B.Begin;
  int64_t Size = getSizeInBytes(B.Ty);
  Value *New, *IsIn = nullptr;
  if (Ptr->stripAndAccumulateConstantOffsets(
          DL, Offset, /*AllowNonInbounds=*/true) == Base) {
    int64_t Bytes = Offset.getSExtValue() + First;
    if (Bytes < 0 || Bytes / Size >= static_cast<int64_t>(B.Elements))
      return;
    New = Builder.getInt64(M.map(Bytes / Size, Elements) - First / Size);
  } else {
    Type *I64 = Builder.getInt64Ty();
    // In front of the buffer is nothing.
    Value *Bytes = Builder.CreateSub(Builder.CreatePtrToInt(Ptr, I64),
                                     Builder.CreatePtrToInt(Base, I64));
    Bytes = Builder.CreateAdd(Bytes, Builder.getInt64(First));
    if (B.IsPart)
      IsIn = Builder.CreateICmpULT(Bytes, Builder.getInt64(B.Elements * Size));
    New = Builder.CreateSub(emitElement(Builder, Bytes, B, Elements, M),
                            Builder.getInt64(First / Size));
  }
  Value *Address = Builder.CreateGEP(getLoadStoreType(&I), Base, New);
  if (IsIn)
    Address = Builder.CreateSelect(IsIn, Address, Ptr);
  I.setOperand(isa<StoreInst>(I) ? 1 : 0, Address);
  Align Known =
      std::min(getLoadStoreAlignment(&I), Align(getSizeInBytes(B.Ty)));
  if (auto *L = dyn_cast<LoadInst>(&I))
    L->setAlignment(Known);
  else
    cast<StoreInst>(I).setAlignment(Known);
}

void dlopt::forgetVariable(const ModuleBuffer &B) {
  if (auto *G = dyn_cast<GlobalVariable>(B.Object)) {
    G->eraseMetadata(LLVMContext::MD_dbg);
    return;
  }
  SmallVector<DbgVariableRecord *, 2> Records;
  findDbgUsers(B.Object, Records);
  for (DbgVariableRecord *R : Records)
    R->eraseFromParent();
}

void dlopt::markLaidOut(const ModuleBuffer &B) {
  // What functions are said to write first they may write elsewhere now.
  for (auto [A, Bytes] : B.Arguments)
    A->removeAttr(Attribute::Initializes);
  MDNode *Empty = MDNode::get(B.Object->getContext(), {});
  if (auto *G = dyn_cast<GlobalVariable>(B.Object))
    G->setMetadata(LaidOut, Empty);
  else
    cast<Instruction>(B.Object)->setMetadata(LaidOut, Empty);
}

bool dlopt::isLaidOut(const ModuleBuffer &B) {
  if (auto *G = dyn_cast<GlobalVariable>(B.Object))
    return G->hasMetadata(LaidOut);
  return cast<Instruction>(B.Object)->hasMetadata(LaidOut);
}
