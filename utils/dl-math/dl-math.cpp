//===- dl-math.cpp - Shows the code of math functions ---------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Writes a module with a function for each math function, type and accuracy
/// there is code for,
///
///   void @exp_f32_1ulp(ptr out, ptr in, [ptr in2,] i64 n),
///
/// which computes n elements, a multiple of those of a vector, and a table
/// @dl_math of them (for utils/math/check.cc):
///
///   dl-math -mcpu=haswell | opt -O2 | llc -O3
///
/// With --models, a function for each model of a function of the C library
/// (MathModels.h), numbered from 1 on,
///
///   void @tanh_model_1(ptr out, ptr calls, ptr in, [ptr in2,] i64 n),
///
/// which writes a byte of all ones to \p calls where the library is called, and
/// no table (for utils/math/probes.py); and of those in double one for what is
/// rounded (for utils/math/values.py),
///
///   void @tanh_value_2(ptr out, ptr in, [ptr in2,] i64 n).
///
///
//===----------------------------------------------------------------------===//
#include "dlopt/Compat.h"
#include "dlopt/CorrectMath.h"
#include "dlopt/Lower.h"
#include "dlopt/MathModels.h"
#include "dlopt/Target.h"
#include "dlopt/VectorMath.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace dlopt;

static cl::OptionCategory Category("dl-math options");
static cl::opt<std::string> TripleName("mtriple", cl::desc("target"),
                                       cl::init("x86_64-unknown-linux-gnu"),
                                       cl::cat(Category));
static cl::opt<std::string> CPU("mcpu", cl::desc("CPU"), cl::cat(Category));
static cl::opt<std::string> Features("mattr", cl::desc("target features"),
                                     cl::cat(Category));
static cl::opt<std::string> Denormal("denormal-fp-math",
                                     cl::desc("as the attribute"),
                                     cl::cat(Category));
static cl::opt<unsigned> Width("width", cl::cat(Category),
                               cl::desc("elements of a vector (1: scalars; "
                                        "default: as the target has)"));
static cl::opt<bool> Scalable("scalable", cl::cat(Category),
                              cl::desc("vectors of width times vscale"));
static cl::opt<std::string> Prefix("prefix", cl::cat(Category),
                                   cl::desc("of all names, as avx2_"));
static cl::list<std::string> Functions("functions", cl::CommaSeparated,
                                       cl::desc("only these, as exp,log"),
                                       cl::cat(Category));
static cl::list<std::string> Types("types", cl::CommaSeparated,
                                   cl::desc("only these, as f32"),
                                   cl::cat(Category));
static cl::list<std::string> Accuracies("accuracies", cl::CommaSeparated,
                                        cl::desc("only these, as 1ulp"),
                                        cl::cat(Category));

static cl::opt<bool>
    ShowModels("models", cl::cat(Category),
               cl::desc("models of the C library's functions"));

namespace {

struct Variant {
  MathFunction Function;
  ScalarType Ty;
  MathAccuracy Accuracy;
};

} // namespace

static bool isAsked(const cl::list<std::string> &List, StringRef Name) {
  return List.empty() || is_contained(List, Name);
}

static SmallVector<Variant, 64> getVariants(const MathTarget &T) {
  SmallVector<Variant, 64> Result;
  static constexpr MathFunction All[] = {
#define DLOPT_MATH_FUNCTION(ID, NAME, ARGS) MathFunction::ID,
#include "dlopt/VectorMath.def"
  };
  for (MathFunction F : All)
    for (ScalarType Ty :
         {ScalarType::F16, ScalarType::BF16, ScalarType::F32, ScalarType::F64})
      for (MathAccuracy A : {MathAccuracy::OneULP, MathAccuracy::TwoULP,
                             MathAccuracy::FourULP, MathAccuracy::Machine})
        if ((A != MathAccuracy::Machine || T.IsGPU) &&
            isAsked(Functions, getName(F)) && isAsked(Types, getName(Ty)) &&
            isAsked(Accuracies, getName(A)) && canEmitMath(F, Ty, A, T) &&
            // All accuracies are one for numbers of 16 bits.
            (A == MathAccuracy::OneULP || getBitWidth(Ty) > 16))
          Result.push_back({F, Ty, A});
  return Result;
}

/// Elements of a vector of type \p Ty.
static ElementCount getLanes(ScalarType Ty, const TargetModel &T) {
  unsigned Bits = Scalable ? T.ScalableBits : T.VectorBits;
  unsigned Lanes = Width ? Width : Bits / getBitWidth(Ty);
  return ElementCount::get(std::max(Lanes, 1u), Scalable);
}

static void addAttributes(Function &F) {
  if (!CPU.empty())
    F.addFnAttr("target-cpu", CPU);
  if (!Features.empty())
    F.addFnAttr("target-features", Features);
  if (!Denormal.empty())
    F.addFnAttr("denormal-fp-math", Denormal);
  F.addFnAttr(Attribute::NoUnwind);
}

static Function *createFunction(Module &M, const Variant &V,
                                const TargetModel &Model) {
  LLVMContext &C = M.getContext();
  unsigned NumArgs = getNumArgs(V.Function);
  SmallVector<Type *, 4> Params(1 + NumArgs, PointerType::get(C, 0));
  Params.push_back(Type::getInt64Ty(C));
  auto *Ty = FunctionType::get(Type::getVoidTy(C), Params, false);
  auto *F = Function::Create(Ty, GlobalValue::ExternalLinkage,
                             Prefix + getName(V.Function) + "_" +
                                 getName(V.Ty) + "_" + getName(V.Accuracy),
                             M);
  addAttributes(*F);
  for (unsigned I = 0; I <= NumArgs; I++)
    F->addParamAttr(I, Attribute::NoAlias);
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  Type *Element = getIRType(V.Ty, C);
  ElementCount Lanes = getLanes(V.Ty, Model);
  Type *Vector = Lanes.isScalar() ? Element : VectorType::get(Element, Lanes);
  // Not every target can load bfloat.
  Type *InMemory = Vector;
  if (getBitWidth(V.Ty) == 16)
    InMemory = Vector->getWithNewType(B.getInt16Ty());
  Value *Step = B.CreateElementCount(B.getInt64Ty(), Lanes);
  CountedLoop L =
      beginLoop(B, F->getArg(1 + NumArgs), Step, "i", /*Final=*/false);
  SmallVector<Value *, 2> Args;
  Align A(getSizeInBytes(V.Ty));
  auto GetAddress = [&](unsigned Arg) {
    return B.CreateGEP(Element, F->getArg(Arg), L.Index);
  };
  for (unsigned I = 1; I <= NumArgs; I++)
    Args.push_back(B.CreateBitCast(
        B.CreateAlignedLoad(InMemory, GetAddress(I), A), Vector));
  if (V.Function == MathFunction::ExpNegative) {
    unsigned Bits = getBitWidth(V.Ty);
    Type *Int = Vector->getWithNewType(B.getIntNTy(Bits));
    Constant *Sign = ConstantInt::get(Int, APInt::getSignMask(Bits));
    Args[0] = B.CreateBitCast(B.CreateOr(B.CreateBitCast(Args[0], Int), Sign),
                              Vector);
  }
  // As in code that may be approximated: the flags must not reach the result.
  B.setFastMathFlags(FastMathFlags::getFast());
  Value *Result =
      emitMath(B, V.Function, Args, V.Accuracy, getMathTarget(*F, Model));
  B.CreateAlignedStore(B.CreateBitCast(Result, InMemory), GetAddress(0), A);
  endLoop(B, L);
  B.CreateRetVoid();
  return F;
}

/// void (ptr, ..., i64) with \p NumPtrs pointers.
static Function *beginFunction(Module &M, const Twine &Name, unsigned NumPtrs) {
  LLVMContext &C = M.getContext();
  SmallVector<Type *, 5> Params(NumPtrs, PointerType::get(C, 0));
  Params.push_back(Type::getInt64Ty(C));
  auto *Ty = FunctionType::get(Type::getVoidTy(C), Params, false);
  auto *F =
      Function::Create(Ty, GlobalValue::ExternalLinkage, Prefix + Name, M);
  addAttributes(*F);
  BasicBlock::Create(C, "entry", F);
  return F;
}

/// \p Model is the \p Number th one of its function. With \p Values, those in
/// double are stored, and no calls.
static void createModelFunction(Module &M, const MathModel &Model,
                                size_t Number, const TargetModel &Target,
                                bool Values) {
  unsigned NumArgs = getNumArgs(Model.Function), First = Values ? 1 : 2;
  StringRef Kind = Values ? "_value_" : "_model_";
  Function *F = beginFunction(M, getName(Model.Function) + Kind + Twine(Number),
                              First + NumArgs);
  IRBuilder<> B(&F->getEntryBlock());
  unsigned Lanes = getLanes(ScalarType::F32, Target).getFixedValue();
  auto *Vector = FixedVectorType::get(B.getFloatTy(), Lanes);
  auto *Bytes = FixedVectorType::get(B.getInt8Ty(), Lanes);
  CountedLoop L = beginLoop(B, F->getArg(First + NumArgs), B.getInt64(Lanes),
                            "i", /*Final=*/false);
  auto GetAddress = [&](unsigned Arg, Type *Element) {
    return B.CreateGEP(Element, F->getArg(Arg), L.Index);
  };
  SmallVector<Value *, 2> X;
  for (unsigned I = 0; I != NumArgs; ++I)
    X.push_back(B.CreateAlignedLoad(
        Vector, GetAddress(First + I, B.getFloatTy()), Align(4)));
  MathTarget T = getMathTarget(*F, Target);
  if (Values) {
    B.CreateAlignedStore(emitModelValue(B, Model, X, T),
                         GetAddress(0, B.getDoubleTy()), Align(8));
  } else {
    ModelledLanes Y = emitModel(B, Model, X, T);
    B.CreateAlignedStore(Y.Result, GetAddress(0, B.getFloatTy()), Align(4));
    Value *Calls = Constant::getNullValue(Bytes);
    if (!Y.Calls.empty())
      Calls = B.CreateSExt(concatenateVectors(B, Y.Calls), Bytes);
    B.CreateAlignedStore(Calls, GetAddress(1, B.getInt8Ty()), Align(1));
  }
  endLoop(B, L);
  B.CreateRetVoid();
}

static void createModels(Module &M, const TargetModel &Target) {
  static constexpr MathFunction All[] = {
#define DLOPT_MATH_FUNCTION(ID, NAME, ARGS) MathFunction::ID,
#include "dlopt/VectorMath.def"
  };
  auto Create = [&](const MathModel &Model, size_t Number) {
    for (bool Values : {false, true})
      if (!Values || Model.Formula.Double)
        createModelFunction(M, Model, Number, Target, Values);
  };
  for (MathFunction F : All) {
    if (!isAsked(Functions, getName(F)))
      continue;
    if (const MathModel *Correct = getCorrectMath(F))
      Create(*Correct, 0);
    for (auto [I, Model] : enumerate(getMathModels(F)))
      Create(Model, I + 1);
  }
}

/// @dl_math: name of the function, name of the type, name of the accuracy, the
/// function, number of its arguments; ends with nulls.
static void createTable(Module &M, ArrayRef<Variant> Variants,
                        ArrayRef<Function *> Code) {
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::get(C, 0), *Int = Type::getInt64Ty(C);
  auto *Row = StructType::get(Ptr, Ptr, Ptr, Ptr, Int);
  IRBuilder<> B(C);
  auto Text = [&](StringRef S) { return B.CreateGlobalString(S, "", 0, &M); };
  SmallVector<Constant *, 64> Rows;
  for (auto [V, F] : zip_equal(Variants, Code))
    Rows.push_back(ConstantStruct::get(
        Row, {Text(getName(V.Function)), Text(getName(V.Ty)),
              Text(getName(V.Accuracy)), F,
              ConstantInt::get(Int, getNumArgs(V.Function))}));
  Rows.push_back(ConstantAggregateZero::get(Row));
  auto *Ty = ArrayType::get(Row, Rows.size());
  new GlobalVariable(M, Ty, /*isConstant=*/true, GlobalValue::ExternalLinkage,
                     ConstantArray::get(Ty, Rows), Prefix + "dl_math");
}

static int run() {
  Triple TT(Triple::normalize(TripleName));
  std::string Error;
  const llvm::Target *T = TargetRegistry::lookupTarget("", TT, Error);
  if (!T) {
    WithColor::error() << Error << '\n';
    return 1;
  }
  std::unique_ptr<TargetMachine> TM(createTargetMachine(
      *T, TT, CPU, Features, TargetOptions(), std::nullopt));
  LLVMContext C;
  Module M("math", C);
  setTriple(M, TT);
  M.setDataLayout(TM->createDataLayout());
  auto *Probe = Function::Create(FunctionType::get(Type::getVoidTy(C), false),
                                 GlobalValue::ExternalLinkage, "probe", M);
  addAttributes(*Probe);
  BasicBlock::Create(C, "entry", Probe);
  TargetModel Model =
      getTargetModel(*Probe, TM->getTargetTransformInfo(*Probe));
  SmallVector<Variant, 64> Variants = getVariants(getMathTarget(*Probe, Model));
  Probe->eraseFromParent();
  if (Scalable && !Model.ScalableBits) {
    WithColor::error() << "the target has no scalable vectors\n";
    return 1;
  }
  if (ShowModels) {
    createModels(M, Model);
    M.print(outs(), nullptr);
    return verifyModule(M, &errs());
  }
  SmallVector<Function *, 64> Code;
  for (const Variant &V : Variants)
    Code.push_back(createFunction(M, V, Model));
  createTable(M, Variants, Code);
  M.print(outs(), nullptr);
  return verifyModule(M, &errs());
}

int main(int argc, char **argv) {
  InitLLVM X(argc, argv);
  InitializeAllTargetInfos();
  InitializeAllTargets();
  InitializeAllTargetMCs();
  cl::HideUnrelatedOptions(Category);
  cl::ParseCommandLineOptions(argc, argv,
                              "writes the code of math functions as IR\n");
  return run();
}
