//===- CPUFeatures.cpp - What the CPU supports, at run time ---------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The drivers of clang and flang link libgcc or compiler-rt, whose __cpu_model
/// says what the CPU supports. Others (rustc, whoever links objects of MLIR)
/// may link neither: their modules get a word of their own with the same bits,
/// which a constructor fills in. Until then it is 0, code for any machine.
///
/// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume
/// 1, 14.3 (AVX), 14.5.3 (FMA), 14.7.1 (AVX2), 15.2 to 15.4 (AVX-512).
///
//===----------------------------------------------------------------------===//
#include "GeneratedFunction.h"
#include "dlopt/Lanes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/X86TargetParser.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace dlopt;

namespace {

/// A feature as CPUID reports it.
struct FeatureBit {
  StringLiteral Name;
  bool InLeaf7; ///< in EBX of leaf 7, else in ECX of leaf 1
  unsigned Bit;
  bool NeedsZMM; ///< registers of 512 bits, which the system must save
};

constexpr FeatureBit FeatureBits[] = {
    {"fma", false, 12, false},    {"avx2", true, 5, false},
    {"avx512f", true, 16, true},  {"avx512dq", true, 17, true},
    {"avx512bw", true, 30, true}, {"avx512vl", true, 31, true},
};

/// Builds the function that asks the CPU.
class Detector {
public:
  Detector(Function &F, GlobalVariable &Features)
      : F(F), Features(Features), B(F.getContext()) {}
  void build();

private:
  enum Register : unsigned { EAX, EBX, ECX, EDX };
  Value *getID(unsigned Leaf, Register R);
  Value *getEnabledState();
  Value *hasAll(Value *Word, uint32_t Bits) {
    return B.CreateICmpEQ(B.CreateAnd(Word, Bits), B.getInt32(Bits));
  }
  /// Goes on where \p Condition holds, and else to \p Done.
  void require(Value *Condition, BasicBlock *Done);

  Function &F;
  GlobalVariable &Features;
  IRBuilder<> B;
};

} // namespace

Value *Detector::getID(unsigned Leaf, Register R) {
  Type *Int = B.getInt32Ty();
  auto *Result = StructType::get(Int, Int, Int, Int);
  auto *Ask = InlineAsm::get(
      FunctionType::get(Result, {Int, Int}, false), "cpuid",
      "={ax},={bx},={cx},={dx},{ax},{cx},~{dirflag},~{fpsr},~{flags}",
      /*hasSideEffects=*/false);
  return B.CreateExtractValue(
      B.CreateCall(Ask, {B.getInt32(Leaf), B.getInt32(0)}), R);
}

/// The low half of XCR0: the registers that the system saves.
Value *Detector::getEnabledState() {
  Type *Int = B.getInt32Ty();
  auto *Result = StructType::get(Int, Int);
  auto *Ask = InlineAsm::get(FunctionType::get(Result, {Int}, false), "xgetbv",
                             "={ax},={dx},{cx},~{dirflag},~{fpsr},~{flags}",
                             /*hasSideEffects=*/true);
  return B.CreateExtractValue(B.CreateCall(Ask, {B.getInt32(0)}), 0);
}

void Detector::require(Value *Condition, BasicBlock *Done) {
  auto *Next = BasicBlock::Create(F.getContext(), "", &F, Done);
  B.CreateCondBr(Condition, Next, Done);
  B.SetInsertPoint(Next);
}

void Detector::build() {
  constexpr uint32_t SavesState = 1u << 27, HasAVX = 1u << 28;
  constexpr uint32_t YMM = 0x06, ZMM = 0xe6; // in XCR0
  B.SetInsertPoint(BasicBlock::Create(F.getContext(), "entry", &F));
  auto *Done = BasicBlock::Create(F.getContext(), "done", &F);
  require(B.CreateICmpUGE(getID(0, EAX), B.getInt32(7)), Done);
  Value *Leaf1 = getID(1, ECX);
  require(hasAll(Leaf1, SavesState | HasAVX), Done);
  Value *State = getEnabledState(), *Leaf7 = getID(7, EBX);
  Value *SavesYMM = hasAll(State, YMM), *SavesZMM = hasAll(State, ZMM);
  Value *All = B.getInt32(0);
  for (const FeatureBit &Bit : FeatureBits) {
    Value *Has = B.CreateAnd(hasAll(Bit.InLeaf7 ? Leaf7 : Leaf1, 1u << Bit.Bit),
                             Bit.NeedsZMM ? SavesZMM : SavesYMM);
    Value *Mask = B.getInt32(X86::getCpuSupportsMask({Bit.Name})[0]);
    All = B.CreateOr(All, B.CreateSelect(Has, Mask, B.getInt32(0)));
  }
  B.CreateAlignedStore(All, &Features, Align(4));
  B.CreateBr(Done);
  B.SetInsertPoint(Done);
  B.CreateRetVoid();
}

/// The word of \p M, which is filled in before its constructors run that have
/// no priority of their own.
static GlobalVariable &getOwnFeatures(Module &M) {
  constexpr StringLiteral Name = "dl.cpu.features";
  LLVMContext &C = M.getContext();
  Type *Int = Type::getInt32Ty(C);
  GlobalVariable *Known = M.getNamedGlobal(Name);
  if (Known && Known->hasLocalLinkage() && Known->getValueType() == Int)
    return *Known;
  auto *Features = new GlobalVariable(M, Int, /*isConstant=*/false,
                                      GlobalValue::InternalLinkage,
                                      ConstantInt::get(Int, 0), Name);
  Features->setAlignment(Align(4));
  auto *F = Function::Create(FunctionType::get(Type::getVoidTy(C), false),
                             GlobalValue::InternalLinkage, "dl.cpu.detect", M);
  F->setDoesNotThrow();
  F->addFnAttr("dl-generated");
  Detector(*F, *Features).build();
  constexpr int AsLibGCC = 101;
  appendToGlobalCtors(M, F, AsLibGCC);
  return *Features;
}

static bool isFromHostedCompiler(const Module &M) {
  const NamedMDNode *Idents = M.getNamedMetadata("llvm.ident");
  return Idents && all_of(Idents->operands(), [](const MDNode *N) {
           auto *Text = dyn_cast_or_null<MDString>(
               N->getNumOperands() ? N->getOperand(0).get() : nullptr);
           return Text && (Text->getString().contains("clang version") ||
                           Text->getString().contains("flang version"));
         });
}

/// __cpu_model of libgcc and compiler-rt.
static Value *getCPUModel(Module &M) {
  Type *Int = Type::getInt32Ty(M.getContext());
  return M.getOrInsertGlobal(
      "__cpu_model", StructType::get(Int, Int, Int, ArrayType::get(Int, 1)));
}

Value *dlopt::loadCPUFeatures(IRBuilderBase &B, Module &M) {
  Type *Int = B.getInt32Ty();
  Value *At = nullptr;
  if (isFromHostedCompiler(M))
    At = B.CreateConstGEP1_64(Int, getCPUModel(M), 3); // __cpu_features[0]
  else
    At = &getOwnFeatures(M);
  return B.CreateAlignedLoad(Int, At, Align(4), "cpu.features");
}

bool dlopt::knowsVendor(const Module &M) { return isFromHostedCompiler(M); }

Value *dlopt::isFromAMD(IRBuilderBase &B, Module &M) {
  // __cpu_vendor
  Value *Vendor = B.CreateAlignedLoad(B.getInt32Ty(), getCPUModel(M), Align(4),
                                      "cpu.vendor");
  return B.CreateICmpEQ(Vendor, B.getInt32(X86::VENDOR_AMD));
}
