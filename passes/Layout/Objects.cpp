//===- Objects.cpp - What is not a loop over a buffer ---------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Objects.h"
#include "dlopt/Compat.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

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

/// The part of \p C that has \p Size bytes from \p At on, and how to get there;
/// nullptr: there is no such part.
static Constant *findPart(Constant *C, uint64_t At, uint64_t Size,
                          const DataLayout &DL,
                          SmallVectorImpl<unsigned> &Path) {
  while (C && (At || DL.getTypeStoreSize(C->getType()) != Size)) {
    unsigned I = 0;
    if (auto *S = dyn_cast<StructType>(C->getType())) {
      const StructLayout &Offsets = *DL.getStructLayout(S);
      if (At >= Offsets.getSizeInBytes())
        return nullptr;
      I = Offsets.getElementContainingOffset(At);
      At -= Offsets.getElementOffset(I);
    } else if (auto *A = dyn_cast<ArrayType>(C->getType())) {
      uint64_t Step = DL.getTypeAllocSize(A->getElementType());
      if (!Step || At / Step >= A->getNumElements())
        return nullptr;
      I = static_cast<unsigned>(At / Step);
      At %= Step;
    } else {
      return nullptr;
    }
    Path.push_back(I);
    C = C->getAggregateElement(I);
  }
  return C;
}

/// The initial value of \p B, which is all of its object's or that of a field.
static Constant *getInitialValue(const ModuleBuffer &B, const DataLayout &DL,
                                 SmallVectorImpl<unsigned> &Path) {
  Constant *C = cast<GlobalVariable>(B.Object)->getInitializer();
  return B.IsPart
             ? findPart(C, B.Begin, B.Elements * getSizeInBytes(B.Ty), DL, Path)
             : C;
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

/// A value of type \p Ty of the \p Elements from \p At on, behind which that
/// is moved; nullptr: they are of another type than what that consists of.
static Constant *shape(Type *Ty, ArrayRef<Constant *> Elements, size_t &At) {
  auto *S = dyn_cast<StructType>(Ty);
  auto *A = dyn_cast<ArrayType>(Ty);
  if (!S && !A)
    return At < Elements.size() && Elements[At]->getType() == Ty
               ? Elements[At++]
               : nullptr;
  std::vector<Constant *> Parts(S ? S->getNumElements() : A->getNumElements());
  for (auto [I, Part] : enumerate(Parts))
    if (!(Part = shape(S ? S->getElementType(I) : A->getElementType(), Elements,
                       At)))
      return nullptr;
  return S ? ConstantStruct::get(S, Parts) : ConstantArray::get(A, Parts);
}

/// \p Elements in an array, one behind the other; where the type of \p G cannot
/// change, as \p C has them, if they are of the type that it consists of.
static Constant *shapeLike(const Constant *C, ArrayRef<Constant *> Elements,
                           GlobalVariable &G) {
  size_t At = 0;
  Constant *Shaped =
      canChangeType(G) ? nullptr : shape(C->getType(), Elements, At);
  return Shaped && At == Elements.size()
             ? Shaped
             : ConstantArray::get(
                   ArrayType::get(Elements.front()->getType(), Elements.size()),
                   Elements);
}

/// \p C with \p Value at \p Path, which may have another type; nullptr: what is
/// beside it would not stay where it is.
static Constant *replacePart(Constant *C, ArrayRef<unsigned> Path,
                             Constant *Value, const DataLayout &DL) {
  constexpr uint64_t MostElements = 1024;
  if (Path.empty())
    return Value;
  auto *S = dyn_cast<StructType>(C->getType());
  auto *A = dyn_cast<ArrayType>(C->getType());
  uint64_t Count = S ? S->getNumElements() : A->getNumElements();
  if (Count > MostElements)
    return nullptr;
  SmallVector<Constant *, 8> Fields;
  for (unsigned I = 0; I != Count; ++I) {
    Constant *Field = C->getAggregateElement(I);
    if (Field && I == Path.front())
      Field = replacePart(Field, Path.drop_front(), Value, DL);
    if (!Field)
      return nullptr;
    Fields.push_back(Field);
  }
  if (Fields[Path.front()]->getType() ==
      C->getAggregateElement(Path.front())->getType())
    return S ? ConstantStruct::get(S, Fields) : ConstantArray::get(A, Fields);
  Constant *New = ConstantStruct::getAnon(C->getContext(), Fields,
                                          /*Packed=*/S && S->isPacked());
  const StructLayout &Offsets =
      *DL.getStructLayout(cast<StructType>(New->getType()));
  bool Same = Offsets.getSizeInBytes() == DL.getTypeAllocSize(C->getType());
  for (unsigned I = 0; I != Count; ++I)
    Same &= Offsets.getElementOffset(I) ==
            (S ? DL.getStructLayout(S)->getElementOffset(I).getFixedValue()
               : I * DL.getTypeAllocSize(A->getElementType()).getFixedValue());
  return Same ? New : nullptr;
}

bool dlopt::canPermute(const ModuleBuffer &B, const DataLayout &DL) {
  auto *G = dyn_cast<GlobalVariable>(B.Object);
  if (!G || G->getInitializer()->isNullValue() ||
      isa<UndefValue>(G->getInitializer()))
    return true;
  SmallVector<unsigned, 4> Path;
  Constant *C = getInitialValue(B, DL, Path);
  if (!C || !getElements(B, C, DL))
    return false;
  std::vector<Constant *> Zeros(
      B.Elements, Constant::getNullValue(getIRType(B.Ty, G->getContext())));
  Constant *New =
      replacePart(G->getInitializer(), Path, shapeLike(C, Zeros, *G), DL);
  return New && (New->getType() == G->getValueType() || canChangeType(*G));
}

void dlopt::permuteInitializer(const ModuleBuffer &B, const ChannelMap &M,
                               const DataLayout &DL) {
  auto *G = dyn_cast<GlobalVariable>(B.Object);
  if (!G || G->getInitializer()->isNullValue() ||
      isa<UndefValue>(G->getInitializer()) ||
      DLOPT_PLANTED(InitializerNotPermuted))
    return;
  SmallVector<unsigned, 4> Path;
  Constant *C = getInitialValue(B, DL, Path);
  if (C->isNullValue() || isa<UndefValue>(C))
    return;
  std::vector<Constant *> Old = *getElements(B, C, DL), New(Old.size());
  for (uint64_t E = 0; E != Old.size(); ++E)
    New[M.map(E, Old.size())] = Old[E];
  MaybeAlign Alignment = G->getAlign();
  G->setAlignment(Alignment ? *Alignment
                            : DL.getABITypeAlign(G->getValueType()));
  replaceInitializer(
      *G, replacePart(G->getInitializer(), Path, shapeLike(C, New, *G), DL));
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

SmallVector<Instruction *, 2> dlopt::expandBlock(MemIntrinsic &Call,
                                                 ScalarType Ty) {
  IRBuilder<> B(&Call);
  Type *T = getIRType(Ty, Call.getContext());
  uint64_t Size = getSizeInBytes(Ty);
  Value *Count = B.CreateExactUDiv(
      Call.getLength(), ConstantInt::get(Call.getLength()->getType(), Size));
  Instruction *Then = SplitBlockAndInsertIfThen(
      B.CreateIsNotNull(Count), Call.getIterator(), /*Unreachable=*/false);
  auto [At, Index] = insertLoop(Count, Then->getIterator());
  B.SetInsertPoint(At);
  Value *To = B.CreateGEP(T, Call.getRawDest(), Index), *V;
  SmallVector<Instruction *, 2> Accesses;
  if (auto *Copy = dyn_cast<MemTransferInst>(&Call)) {
    V = B.CreateAlignedLoad(T, B.CreateGEP(T, Copy->getRawSource(), Index),
                            Align(Size));
    Accesses.push_back(cast<Instruction>(V));
  } else {
    const APInt &Byte =
        cast<ConstantInt>(cast<MemSetInst>(Call).getValue())->getValue();
    V = B.CreateBitCast(B.getInt(APInt::getSplat(8 * Size, Byte)), T);
  }
  Accesses.insert(Accesses.begin(), B.CreateAlignedStore(V, To, Align(Size)));
  Call.eraseFromParent();
  return Accesses;
}

void dlopt::forgetVariable(const ModuleBuffer &B) {
  if (auto *G = dyn_cast<GlobalVariable>(B.Object)) {
    G->eraseMetadata(LLVMContext::MD_dbg);
    return;
  }
  for (DbgVariableRecord *R : findDebugUsers(B.Object))
    R->eraseFromParent();
}

void dlopt::markLaidOut(const ModuleBuffer &B) {
  // What functions are said to write first they may write elsewhere now.
  // (By name: LLVM 19 does not know it.)
  Attribute::AttrKind Initializes =
      Attribute::getAttrKindFromName("initializes");
  for (auto [A, Bytes] : B.Arguments)
    if (Initializes != Attribute::None)
      A->removeAttr(Initializes);
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
