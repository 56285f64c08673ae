//===- dl-contraction.cpp - Shows the code of a contraction ---------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Writes a module whose external function @gemm calls the generated code of
/// one contraction, for tests and measurements on any target:
///
///   dl-contraction -mcpu=znver4 -comb=muladd | opt -O3 | llc -O3
///
/// With -code-cpu the schedule is that of -mcpu, the code that of another CPU:
/// vectors that this one lacks are split, so any schedule runs anywhere.
///
//===----------------------------------------------------------------------===//
#include "dlopt/Compat.h"
#include "dlopt/Contraction.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"
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

static cl::OptionCategory Category("dl-contraction options");
static cl::opt<std::string> TripleName("mtriple", cl::desc("target"),
                                       cl::init("x86_64-unknown-linux-gnu"),
                                       cl::cat(Category));
static cl::opt<std::string> CPU("mcpu", cl::desc("CPU"), cl::cat(Category));
static cl::opt<std::string> CodeCPU("code-cpu", cl::cat(Category),
                                    cl::desc("CPU of the code (as -mcpu)"));
static cl::opt<std::string> Features("mattr", cl::desc("target features"),
                                     cl::cat(Category));
static cl::opt<std::string> PreferWidth("prefer-vector-width",
                                        cl::desc("as the attribute"),
                                        cl::cat(Category));
static cl::opt<ContractionSpec::Combiner>
    Comb("comb", cl::cat(Category), cl::desc("multiply and add"),
         cl::values(clEnumValN(ContractionSpec::FMulAdd, "fmuladd", ""),
                    clEnumValN(ContractionSpec::FMA, "fma", ""),
                    clEnumValN(ContractionSpec::MulAdd, "muladd", "")));
static cl::opt<bool> Double("f64", cl::cat(Category), cl::desc("double"));
static cl::opt<bool> Contract("contract", cl::cat(Category),
                              cl::desc("operations have the contract flag"));
static cl::opt<bool> PostAdd("post-add", cl::cat(Category),
                             cl::desc("C += the sum"));
static cl::opt<bool> Reassoc("reassoc", cl::cat(Category),
                             cl::desc("operations have the reassoc flag"));
static cl::opt<bool> TransA("trans-a", cl::cat(Category),
                            cl::desc("A is transposed"));
static cl::opt<bool> TransB("trans-b", cl::cat(Category),
                            cl::desc("B is transposed"));
static cl::opt<unsigned> TileRows("tile-rows", cl::cat(Category));
static cl::opt<unsigned> TileVectors("tile-vectors", cl::cat(Category));
static cl::opt<unsigned> Unroll("unroll", cl::cat(Category));
static cl::opt<cl::boolOrDefault> Scalable("scalable", cl::cat(Category));
static cl::opt<bool> NoPack("no-pack", cl::cat(Category));
static cl::opt<uint64_t> Stack("stack", cl::init(128 << 10), cl::cat(Category));
static cl::opt<unsigned> BlockSteps("block-steps", cl::cat(Category));
static cl::opt<unsigned> BlockColumns("block-columns", cl::cat(Category));
static cl::opt<uint64_t> InPlace("in-place", cl::cat(Category));
static cl::opt<uint64_t> KC("kc", cl::cat(Category));
static cl::opt<uint64_t> NC("nc", cl::cat(Category));
static cl::opt<uint64_t> SumRows("sum-rows", cl::cat(Category));
static cl::opt<uint64_t> Direct("direct", cl::cat(Category));
static cl::opt<uint64_t> LargeWork("large-work", cl::cat(Category));
static cl::opt<unsigned> RowGroups("row-groups", cl::cat(Category));
static cl::opt<uint64_t> PackRows("pack-rows", cl::cat(Category));

/// @gemm, which passes its arguments on.
static Function *createCaller(Module &M, StringRef CPU) {
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::get(C, 0), *Int = Type::getInt64Ty(C);
  auto *Ty = FunctionType::get(
      Type::getVoidTy(C),
      {Ptr, Int, Ptr, Int, Ptr, Int, Ptr, Int, Int, Int, Int, Int}, false);
  auto *F = Function::Create(Ty, GlobalValue::ExternalLinkage, "gemm", M);
  if (!CPU.empty())
    F->addFnAttr("target-cpu", CPU);
  if (!Features.empty())
    F->addFnAttr("target-features", Features);
  if (!PreferWidth.empty())
    F->addFnAttr("prefer-vector-width", PreferWidth);
  F->addFnAttr("probe-stack", "inline-asm");
  F->addFnAttr(Attribute::NoUnwind);
  return F;
}

static ContractionSpec getSpec() {
  ContractionSpec S;
  S.Ty = Double ? ScalarType::F64 : ScalarType::F32;
  S.Comb = Comb;
  S.MulFlags.setAllowContract(Contract);
  S.AddFlags.setAllowContract(Contract);
  S.MulFlags.setAllowReassoc(Reassoc);
  S.AddFlags.setAllowReassoc(Reassoc);
  if (PostAdd)
    S.Epilogue = getAddition(S.Ty, S.AddFlags);
  S.TransA = TransA;
  S.TransB = TransB;
  return S;
}

static std::optional<ContractionPlan> getPlan(const ContractionSpec &S,
                                              const TargetModel &T) {
  ContractionOverrides O;
  O.TileRows = TileRows;
  O.TileVectors = TileVectors;
  O.Pack = !NoPack;
  O.BlockSteps = BlockSteps;
  O.BlockColumns = BlockColumns;
  if (InPlace.getNumOccurrences())
    O.InPlaceBytes = InPlace;
  if (Scalable != cl::boolOrDefault::BOU_UNSET)
    O.Scalable = Scalable == cl::boolOrDefault::BOU_TRUE;
  std::optional<ContractionPlan> P = planContraction(S, T, Stack, O);
  if (!P)
    return P;
  auto Set = [](const cl::opt<uint64_t> &From, uint64_t &To) {
    if (From.getNumOccurrences())
      To = From;
  };
  for (PackedBlocks *Blocks : {static_cast<PackedBlocks *>(&*P), &P->Large}) {
    Set(KC, Blocks->KC);
    Set(NC, Blocks->NC);
    if (Blocks->SumRows && (KC.getNumOccurrences() || NC.getNumOccurrences())) {
      // Half of the block for sums.
      Blocks->SumKC = Blocks->KC / 2;
      Blocks->SumNC = Blocks->NC;
      Blocks->SumRows = Blocks->KC - Blocks->SumKC;
    }
    if (SumRows.getNumOccurrences())
      Blocks->SumRows = std::min<uint64_t>(Blocks->SumRows, SumRows);
    Blocks->NarrowKC = std::min(Blocks->NarrowKC,
                                Blocks->SumRows ? Blocks->SumKC : Blocks->KC);
    // Where the tests want larger blocks than the plan has.
    Blocks->PackedLda = std::max(Blocks->PackedLda, Blocks->KC + 16);
    Blocks->StackBytes =
        std::max(Blocks->StackBytes, (Blocks->KC * Blocks->NC +
                                      Blocks->RowsOfA * Blocks->PackedLda) *
                                         getSizeInBytes(S.Ty));
  }
  Set(LargeWork, P->LargeWork);
  Set(Direct, P->DirectBytes);
  Set(PackRows, P->PackRows);
  if (RowGroups)
    P->RowGroups = RowGroups;
  if (Unroll)
    P->UnrollK = Unroll;
  return P;
}

static void printBlocks(const PackedBlocks &P) {
  outs() << ", kc " << P.KC << ", nc " << P.NC << ", sums " << P.SumRows << '/'
         << P.SumKC << 'x' << P.SumNC << ", stack " << P.StackBytes;
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
  Module M("contraction", C);
  setTriple(M, TT);
  M.setDataLayout(TM->createDataLayout());
  Function *F = createCaller(M, CPU);
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  B.CreateRetVoid();

  TargetModel Model = getTargetModel(*F, TM->getTargetTransformInfo(*F));
  ContractionSpec S = getSpec();
  std::optional<ContractionPlan> P = getPlan(S, Model);
  if (!P) {
    WithColor::error() << "no schedule for this target"
                       << (Model.NoSIMD.empty() ? "" : ": ") << Model.NoSIMD
                       << '\n';
    return 1;
  }
  F->deleteBody();
  std::string CodeCPUName = CodeCPU.empty() ? CPU : CodeCPU;
  if (!CodeCPUName.empty())
    F->addFnAttr("target-cpu", CodeCPUName);
  Function *G = getOrCreateContraction(S, *P, *F);
  B.SetInsertPoint(BasicBlock::Create(C, "entry", F));
  SmallVector<Value *, 12> Args;
  for (Argument &A : F->args())
    Args.push_back(&A);
  B.CreateCall(G, Args);
  B.CreateRetVoid();
  outs() << "; target " << Model.Family << ", tile " << P->TileRows << 'x'
         << P->TileVectors << 'x' << (P->Scalable ? "vscale x " : "")
         << P->VectorElems << ", fused " << P->Fused;
  printBlocks(*P);
  if (P->LargeWork) {
    outs() << "; from " << P->LargeWork << " on";
    printBlocks(P->Large);
  }
  if (P->MayStayA) {
    outs() << ", A in place up to " << P->StepBytesOfA;
    if (P->SetBytesOfA)
      outs() << ", sets of " << P->SetBytesOfA;
  }
  outs() << '\n';
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
                              "writes the code of a contraction as IR\n");
  return run();
}
