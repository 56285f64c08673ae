//===- CPUFeatures.cpp - What the CPU supports, at run time ---------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A program has one word that says what the CPU supports, which a constructor
/// fills in. Until then, and where constructors do not run, it is 0: code for
/// any machine. Nothing outside is needed: __cpu_model of libgcc and
/// compiler-rt says the same, but programs may be linked without them
/// (-nodefaultlibs, rustc), and a weak reference does not get them out of their
/// archives.
///
/// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume
/// 1, 14.3 (AVX), 14.5.3 (FMA), 14.7.1 (AVX2), 15.2 to 15.4 (AVX-512), volume
/// 2, CPUID.
///
//===----------------------------------------------------------------------===//
#include "dlopt/CPUFeatures.h"
#include "dlopt/Compat.h"
#include "dlopt/GeneratedFunction.h"
#include "dlopt/Target.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace dlopt;

namespace {

/// Where CPUID reports a feature: leaf, subleaf, register.
enum Report : unsigned { Leaf1ECX, Leaf7EBX, Leaf7ECX, Leaf7Sub1EAX };

struct FeatureBit {
  StringLiteral Name;
  Report Where;
  unsigned Bit;
  bool NeedsZMM; ///< registers of 512 bits, which the system must save
};

/// The vendor, in the word of the program; from the next bit on the features.
/// Objects of older versions of the plugin have the same word and may be the
/// ones that fill it in: rows are only ever added, at the end.
constexpr uint64_t FromAMD = 1;
constexpr unsigned FirstFeature = 1;
constexpr FeatureBit FeatureBits[] = {
    {"fma", Leaf1ECX, 12, false},        {"avx2", Leaf7EBX, 5, false},
    {"avx512f", Leaf7EBX, 16, true},     {"avx512dq", Leaf7EBX, 17, true},
    {"avx512bw", Leaf7EBX, 30, true},    {"avx512vl", Leaf7EBX, 31, true},
    {"f16c", Leaf1ECX, 29, false},       {"avx512vnni", Leaf7ECX, 11, true},
    {"avxvnni", Leaf7Sub1EAX, 4, false}, {"avx512bf16", Leaf7Sub1EAX, 5, true},
};
static_assert(FirstFeature + std::size(FeatureBits) <= 64, "one word");

/// Builds the function that asks the CPU.
class Detector {
public:
  Detector(Function &F, GlobalVariable &Features)
      : F(F), Features(Features), B(F.getContext()),
        Done(BasicBlock::Create(F.getContext(), "done", &F)) {}
  void build();

private:
  enum Register : unsigned { EAX, EBX, ECX, EDX };
  Value *ask(unsigned Leaf, unsigned Subleaf = 0);
  Value *get(Value *Answer, Register R) {
    return B.CreateExtractValue(Answer, R);
  }
  Value *getEnabledState();
  Value *hasAll(Value *Word, uint32_t Bits) {
    return B.CreateICmpEQ(B.CreateAnd(Word, Bits), B.getInt32(Bits));
  }
  Value *choose(Value *Condition, uint64_t Bits) {
    return B.CreateSelect(Condition, B.getInt64(Bits), B.getInt64(0));
  }
  Value *getVendor(Value *Leaf0);
  Value *addFeatures(Value *Known, Value *Leaf1);
  /// Goes on where \p Condition holds; else \p Known is all there is.
  void require(Value *Condition, Value *Known);

  Function &F;
  GlobalVariable &Features;
  IRBuilder<> B;
  BasicBlock *Done;
  PHINode *Found = nullptr;
};

} // namespace

Value *Detector::ask(unsigned Leaf, unsigned Subleaf) {
  Type *Int = B.getInt32Ty();
  auto *Result = StructType::get(Int, Int, Int, Int);
  auto *Ask = InlineAsm::get(
      FunctionType::get(Result, {Int, Int}, false), "cpuid",
      "={ax},={bx},={cx},={dx},{ax},{cx},~{dirflag},~{fpsr},~{flags}",
      /*hasSideEffects=*/false);
  return B.CreateCall(Ask, {B.getInt32(Leaf), B.getInt32(Subleaf)});
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

void Detector::require(Value *Condition, Value *Known) {
  auto *Next = BasicBlock::Create(F.getContext(), "", &F, Done);
  Found->addIncoming(Known, B.GetInsertBlock());
  B.CreateCondBr(Condition, Next, Done);
  B.SetInsertPoint(Next);
}

/// FromAMD if the CPU is "AuthenticAMD".
Value *Detector::getVendor(Value *Leaf0) {
  Value *Name =
      B.CreateAnd({B.CreateICmpEQ(get(Leaf0, EBX), B.getInt32(0x68747541)),
                   B.CreateICmpEQ(get(Leaf0, EDX), B.getInt32(0x69746e65)),
                   B.CreateICmpEQ(get(Leaf0, ECX), B.getInt32(0x444d4163))});
  return choose(Name, FromAMD);
}

Value *Detector::addFeatures(Value *Known, Value *Leaf1) {
  constexpr uint32_t YMM = 0x06, ZMM = 0xe6; // in XCR0
  Value *State = getEnabledState();
  Value *SavesYMM = hasAll(State, YMM), *SavesZMM = hasAll(State, ZMM);
  Value *Leaf7 = ask(7);
  Value *Sub1 = B.CreateSelect(B.CreateICmpNE(get(Leaf7, EAX), B.getInt32(0)),
                               get(ask(7, 1), EAX), B.getInt32(0));
  Value *Words[] = {Leaf1, get(Leaf7, EBX), get(Leaf7, ECX), Sub1};
  for (auto [I, Feature] : enumerate(FeatureBits)) {
    Value *Has = B.CreateAnd(hasAll(Words[Feature.Where], 1u << Feature.Bit),
                             Feature.NeedsZMM ? SavesZMM : SavesYMM);
    Known = B.CreateOr(Known, choose(Has, 1ull << (FirstFeature + I)));
  }
  return Known;
}

void Detector::build() {
  constexpr uint32_t SavesState = 1u << 27, HasAVX = 1u << 28;
  B.SetInsertPoint(Done);
  Found = B.CreatePHI(B.getInt64Ty(), 3);
  B.CreateAlignedStore(Found, &Features, Align(8));
  B.CreateRetVoid();
  B.SetInsertPoint(BasicBlock::Create(F.getContext(), "entry", &F, Done));
  Value *Leaf0 = ask(0);
  Value *Known = getVendor(Leaf0);
  require(B.CreateICmpUGE(get(Leaf0, EAX), B.getInt32(7)), Known);
  Value *Leaf1 = get(ask(1), ECX);
  require(hasAll(Leaf1, SavesState | HasAVX), Known);
  Found->addIncoming(addFeatures(Known, Leaf1), B.GetInsertBlock());
  B.CreateBr(Done);
}

/// Code that asks the CPU runs on any; what \p Asker says of how branches and
/// returns are made holds for it, too.
static AttributeSet getDetectorAttributes(const Function &Asker) {
  AttrBuilder Attrs = getGeneratedAttributes(Asker);
  StringRef Given = Asker.getFnAttribute("target-features").getValueAsString();
  std::string Kept;
  for (StringRef Feature : split(Given, ','))
    if (any_of(
            ArrayRef<StringRef>{"+retpoline", "+lvi-", "+harden-sls", "+seses"},
            [&](StringRef P) { return Feature.starts_with(P); }))
      Kept += (Kept.empty() ? "" : ",") + Feature.str();
  for (StringRef Kind : {"target-cpu", "tune-cpu", "target-features"})
    Attrs.removeAttribute(Kind);
  if (!Kept.empty())
    Attrs.addAttribute("target-features", Kept);
  return AttributeSet::get(Asker.getContext(), Attrs);
}

/// The word of the program that \p Asker is a part of. It is filled in before
/// constructors run that have no priority of their own.
static GlobalVariable &getWord(const Function &Asker) {
  constexpr StringLiteral Name = "dl.cpu.features";
  Module &M = *const_cast<Module *>(Asker.getParent());
  Type *Int = Type::getInt64Ty(M.getContext());
  if (GlobalVariable *Known = M.getNamedGlobal(Name);
      Known && Known->getValueType() == Int)
    return *Known;
  auto *Word = new GlobalVariable(M, Int, /*isConstant=*/false,
                                  GlobalValue::LinkOnceODRLinkage,
                                  ConstantInt::get(Int, 0), Name);
  Word->setVisibility(GlobalValue::HiddenVisibility);
  Word->setDSOLocal(true);
  Word->setAlignment(Align(8));
  Function *F = createGenerated(Asker, "dl.cpu.detect", {}, {},
                                getDetectorAttributes(Asker));
  // It runs once, when the program starts, wherever its askers are.
  F->setSection("");
  if (getTriple(M).supportsCOMDAT()) {
    Word->setComdat(M.getOrInsertComdat(Name));
    F->setComdat(Word->getComdat());
  }
  Detector(*F, *Word).build();
  constexpr int AsLibGCC = 101;
  appendToGlobalCtors(M, F, AsLibGCC, Word);
  return *Word;
}

std::optional<uint64_t> dlopt::getCPUFeatures(ArrayRef<StringRef> Names) {
  uint64_t Word = 0;
  for (StringRef Name : Names) {
    auto *Row = find_if(FeatureBits,
                        [&](const FeatureBit &F) { return F.Name == Name; });
    if (Row == std::end(FeatureBits))
      return std::nullopt;
    Word |= 1ull << (FirstFeature + (Row - FeatureBits));
  }
  return Word;
}

Value *dlopt::loadCPUFeatures(IRBuilderBase &B) {
  return B.CreateAlignedLoad(B.getInt64Ty(),
                             &getWord(*B.GetInsertBlock()->getParent()),
                             Align(8), "cpu.features");
}

/// Whether \p Loaded has all that \p Features stand for.
static Value *hasAll(IRBuilderBase &B, Value *Loaded, uint64_t Features) {
  Value *Mask = B.getInt64(Features);
  return B.CreateICmpEQ(B.CreateAnd(Loaded, Mask), Mask);
}

Value *dlopt::hasCPUFeatures(IRBuilderBase &B, uint64_t Features) {
  return hasAll(B, loadCPUFeatures(B), Features);
}

Value *dlopt::isFromAMD(IRBuilderBase &B) {
  return B.CreateICmpNE(B.CreateAnd(loadCPUFeatures(B), FromAMD),
                        B.getInt64(0));
}

BasicBlock *dlopt::branchIfSupported(IRBuilderBase &B, Value *Features,
                                     const CodeVariant &V) {
  Function *F = B.GetInsertBlock()->getParent();
  auto *Has = BasicBlock::Create(B.getContext(), V.Name, F);
  auto *HasNot = BasicBlock::Create(B.getContext(), "no." + V.Name, F);
  B.CreateCondBr(hasAll(B, Features, V.CPUFeatures), Has, HasNot);
  B.SetInsertPoint(Has);
  return HasNot;
}
