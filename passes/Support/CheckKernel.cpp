//===- CheckKernel.cpp - What a program knows of what it checks -----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CheckKernel.h"
#include "dlopt/Compat.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace dlopt {
namespace {

/// enum Class of CheckRuntime.c.
enum Class : unsigned { Integer, Half, BFloat, Float, Double, Bits };

} // namespace

unsigned getCheckClass(const Type *Ty) {
  if (Ty->isHalfTy())
    return Half;
  if (Ty->isBFloatTy())
    return BFloat;
  if (Ty->isFloatTy())
    return Float;
  if (Ty->isDoubleTy())
    return Double;
  return Ty->isIntegerTy() ? Integer : Bits;
}

std::pair<unsigned, unsigned> getCheckElement(Type *Ty, const DataLayout &DL) {
  if (isa<FixedVectorType>(Ty) &&
      DL.typeSizeEqualsStoreSize(Ty->getScalarType()))
    Ty = Ty->getScalarType();
  TypeSize Size = DL.getTypeStoreSize(Ty);
  if (Size.isScalable() || Size.getFixedValue() > 8 ||
      !isPowerOf2_64(Size.getFixedValue()) || Ty->isVectorTy() ||
      Ty->isAggregateType())
    return {Bits, 1};
  return {getCheckClass(Ty), static_cast<unsigned>(Size.getFixedValue())};
}

Value *emitCheckBits(IRBuilderBase &B, Value *V) {
  Type *Ty = V->getType();
  if (Ty->isPointerTy())
    return B.CreatePtrToInt(V, B.getInt64Ty());
  V = B.CreateBitCast(V, B.getIntNTy(Ty->getPrimitiveSizeInBits()));
  return B.CreateZExtOrTrunc(V, B.getInt64Ty());
}

void emitCheckNote(Instruction &Store, Value *Log, unsigned Output) {
  IRBuilder<> B(&Store);
  Module &M = *Store.getModule();
  Value *Bytes, *Where;
  if (auto *S = dyn_cast<StoreInst>(&Store)) {
    Where = S->getPointerOperand();
    Bytes = B.getInt64(M.getDataLayout()
                           .getTypeStoreSize(S->getValueOperand()->getType())
                           .getFixedValue());
  } else {
    auto &Mem = cast<MemIntrinsic>(Store);
    Where = Mem.getRawDest();
    Bytes = B.CreateZExtOrTrunc(Mem.getLength(), B.getInt64Ty());
  }
  B.CreateCall(&getCheckFunction(M, "note"),
               {Log, Where, Bytes, B.getInt32(Output)});
}

std::string getSourceName(Value *V, StringRef Default) {
  for (const DbgVariableRecord *R : findDebugValues(V))
    if (const DILocalVariable *Variable = R->getVariable();
        Variable && !R->getExpression()->isComplex())
      return Variable->getName().str();
  return Default.str();
}

/// The function that says where errno is.
static Constant *getErrnoFunction(Module &M) {
  const Triple T = getTriple(M);
  StringRef Name = T.isAndroid()   ? "__errno"
                   : T.isOSLinux() ? "__errno_location"
                                   : "__error";
  auto *Ty = FunctionType::get(PointerType::getUnqual(M.getContext()), false);
  return cast<Constant>(M.getOrInsertFunction(Name, Ty).getCallee());
}

namespace {

class KernelBuilder {
public:
  explicit KernelBuilder(Module &M) : M(M), Ctx(M.getContext()) {}
  GlobalVariable *createConstant(Constant *Init, const Twine &Name) {
    return new GlobalVariable(M, Init->getType(), /*isConstant=*/true,
                              GlobalValue::PrivateLinkage, Init, Name);
  }
  Constant *getText(StringRef Text);
  Constant *createOutputs(ArrayRef<CheckOutput> Outputs);
  Constant *createCounts();

private:
  Module &M;
  LLVMContext &Ctx;
};

} // namespace

Constant *KernelBuilder::getText(StringRef Text) {
  GlobalVariable *V =
      createConstant(ConstantDataArray::getString(Ctx, Text), "dl.check.text");
  V->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  V->setAlignment(Align(1));
  return V;
}

Constant *KernelBuilder::createOutputs(ArrayRef<CheckOutput> Outputs) {
  auto *I32 = Type::getInt32Ty(Ctx);
  auto *Ty = StructType::get(PointerType::getUnqual(Ctx), I32, I32, I32);
  SmallVector<Constant *, 4> Rows;
  for (const CheckOutput &O : Outputs)
    Rows.push_back(ConstantStruct::get(
        Ty, {getText(O.Name), ConstantInt::get(I32, O.Class),
             ConstantInt::get(I32, O.Bytes), ConstantInt::get(I32, O.Rank)}));
  return createConstant(
      ConstantArray::get(ArrayType::get(Ty, Rows.size()), Rows),
      "dl.check.outputs");
}

/// struct Counts, with room around: arrays of the program that may be looked at
/// are not right beside it.
Constant *KernelBuilder::createCounts() {
  constexpr unsigned Margin = 64;
  auto *I64 = Type::getInt64Ty(Ctx);
  auto *Pair = ArrayType::get(I64, 2);
  auto *Apart = ArrayType::get(Type::getInt8Ty(Ctx), Margin);
  auto *Ty = StructType::get(
      Apart, StructType::get(Pair, Pair, Type::getInt32Ty(Ctx)), Apart);
  auto *Counts = new GlobalVariable(
      M, Ty, /*isConstant=*/false, GlobalValue::PrivateLinkage,
      ConstantAggregateZero::get(Ty), "dl.check.counts");
  Counts->setAlignment(Align(Margin));
  return ConstantExpr::getGetElementPtr(Type::getInt8Ty(Ctx), Counts,
                                        ConstantInt::get(I64, Margin));
}

/// LLVM may do to either side what flags permit. llvm.maxnum may return either
/// of two zeros (LangRef), and vectors of it do.
Exactness getExactness(const Instruction &I) {
  if (isa<FPMathOperator>(I) && I.getFastMathFlags().any())
    return Exactness::Bounded;
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call && (Call->getIntrinsicID() == Intrinsic::maxnum ||
                  Call->getIntrinsicID() == Intrinsic::minnum)
             ? Exactness::BitsButZeros
             : Exactness::Bits;
}

GlobalVariable *createCheckKernel(Module &M, const SelfCheck &C,
                                  StringRef Where,
                                  ArrayRef<CheckOutput> Outputs, Exactness How,
                                  bool IsFunction) {
  LLVMContext &Ctx = M.getContext();
  KernelBuilder B(M);
  auto *Ptr = PointerType::getUnqual(Ctx);
  auto *I8 = Type::getInt8Ty(Ctx);
  auto *I32 = Type::getInt32Ty(Ctx);
  auto *F64 = Type::getDoubleTy(Ctx);
  auto GetBool = [&](bool B) { return ConstantInt::get(I8, B); };
  auto [Absolute, Relative] = C.Tolerance.value_or(std::pair(-1.0, -1.0));
  auto *Ty =
      StructType::get(Ptr, Ptr, Ptr, Ptr, Ptr, F64, F64, I32, I8, I8, I8);
  return B.createConstant(
      ConstantStruct::get(
          Ty, {B.getText(Where), B.getText(C.Name), B.createOutputs(Outputs),
               B.createCounts(), getErrnoFunction(M),
               ConstantFP::get(F64, Absolute), ConstantFP::get(F64, Relative),
               ConstantInt::get(I32, Outputs.size()),
               ConstantInt::get(I8, uint8_t(How)),
               GetBool(C.Mode == CheckMode::Report), GetBool(IsFunction)}),
      "dl.check.kernel");
}

/// The functions that are called may have any effect, and may be recursive.
void dropEffects(Function &F) {
  for (Attribute::AttrKind K :
       {Attribute::Memory, Attribute::NoFree, Attribute::NoSync,
        Attribute::NoRecurse, Attribute::WillReturn})
    F.removeFnAttr(K);
}

} // namespace dlopt
