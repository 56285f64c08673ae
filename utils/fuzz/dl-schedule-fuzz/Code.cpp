//===- Code.cpp - Kernels as code that runs here --------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Code.h"
#include "dlopt/Compat.h"
#include "dlopt/KernelEdit.h"
#include "dlopt/LowerSchedule.h"
#include "dlopt/MathModels.h"
#include "dlopt/Options.h"
#include "dlopt/Target.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/bit.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

using namespace llvm;

namespace dlopt {

ArrayRef<CodeTarget> getTargets() {
  static const CodeTarget All[] = {
      {"sse2", "x86-64", "", false},
      {"avx2", "haswell", "", true},
      {"avx512", "skylake-avx512", "", true},
      {"avx512.512", "skylake-avx512", "-prefer-256-bit", true}};
  static const size_t Count = [] {
    StringMap<bool> Has = sys::getHostCPUFeatures();
    if (!Has.lookup("avx2") || !Has.lookup("fma"))
      return 1;
    if (!Has.lookup("avx512bw") || !Has.lookup("avx512vl") ||
        !Has.lookup("avx512dq"))
      return 2;
    return 4;
  }();
  return ArrayRef(All).take_front(Count);
}

ArrayRef<CodeTarget> getScalableTargets() {
  static const CodeTarget Plain[] = {{"vl 4", "x86-64", "", false, 1},
                                     {"vl 8", "x86-64", "", false, 2},
                                     {"vl 16", "x86-64", "", false, 4}},
                          Longer[] = {{"vl 4", "haswell", "", true, 1},
                                      {"vl 8", "haswell", "", true, 2},
                                      {"vl 16", "haswell", "", true, 4},
                                      {"vl 64", "haswell", "", true, 16}};
  return getTargets().size() > 1 ? ArrayRef(Longer) : ArrayRef(Plain);
}

CodeBatch::CodeBatch(unsigned Level, StringRef TripleName) : Level(Level) {
  // Without any passes, too, instructions are selected as with some: LLVM 22's
  // FastISel reads 16 bytes where a select takes an f32 from memory.
  static const CodeGenOptLevel Levels[] = {
      CodeGenOptLevel::Less, CodeGenOptLevel::Less, CodeGenOptLevel::Default,
      CodeGenOptLevel::Aggressive};
  Triple TT(TripleName.empty() ? sys::getProcessTriple() : TripleName.str());
  std::string Message;
  const Target *T = TargetRegistry::lookupTarget("", TT, Message);
  if (!T)
    report_fatal_error(Twine(Message));
  TM.reset(createTargetMachine(*T, TT, "", "", TargetOptions(), Reloc::PIC_,
                               std::nullopt, Levels[Level],
                               /*JIT=*/TripleName.empty()));
  M = std::make_unique<Module>("batch", Context);
  setTriple(*M, TT);
  M->setDataLayout(TM->createDataLayout());
}

CodeBatch::~CodeBatch() = default;

/// Binds the buffers and parameters of \p K to what the arguments of \p B's
/// function point to.
static void bind(IRBuilder<> &B, Kernel &K) {
  Function &F = *B.GetInsertBlock()->getParent();
  unsigned Buffers = 0, Params = 0;
  for (Buffer &Buf : K.Buffers)
    if (!Buf.IsLocal)
      Buf.Bound = B.CreateLoad(
          B.getPtrTy(),
          B.CreateConstGEP1_64(B.getPtrTy(), F.getArg(0), Buffers++), Buf.Name);
  for (Param &P : K.Params)
    P.Bound = B.CreateLoad(
        getIRType(P.Ty, B.getContext()),
        B.CreateConstGEP1_64(B.getInt64Ty(), F.getArg(1), Params++), P.Name);
}

/// Instructions, with those that many targets do lane by lane.
static unsigned estimateLength(const Function &F) {
  unsigned Result = 0;
  for (const Instruction &I : instructions(F)) {
    ++Result;
    const auto *Call = dyn_cast<IntrinsicInst>(&I);
    if (!Call ||
        !Call->getCalledFunction()->getName().starts_with("llvm.masked"))
      continue;
    Type *Ty = Call->getType()->isVoidTy() ? Call->getArgOperand(0)->getType()
                                           : Call->getType();
    Result += 4 * cast<FixedVectorType>(Ty)->getNumElements();
  }
  return Result;
}

/// 0: it is not known.
static unsigned getLibraryRelease() {
#ifdef __GLIBC__
  StringRef Version = gnu_get_libc_version();
  unsigned Release = 0;
  if (Version.consume_front("2.") && !Version.consumeInteger(10, Release))
    return Release;
#endif
  return 0;
}

static MathPlan getPlan(const Kernel &K, const Function &F,
                        const TargetTransformInfo &TTI, bool Models) {
  Options O;
  O.Library.Release = getLibraryRelease();
  MathPlan Plan = getMathPlan(F, getTargetModel(F, TTI), O);
  Plan.Models = Models && areModelsKnown(*F.getParent(), K, Plan);
  return Plan;
}

/// A line of a module with scalable vectors, where vscale is \p VScale.
static std::string fixLine(StringRef Text, unsigned VScale) {
  std::string Result;
  auto TakeNumber = [&](StringRef Before, StringRef After, StringRef New) {
    unsigned Number = 0;
    StringRef Rest = Text;
    if (!Rest.consume_front(Before) || Rest.consumeInteger(10, Number) ||
        !Rest.consume_front(After))
      return false;
    Result += (New + utostr(Number * VScale) + After).str();
    Text = Rest;
    return true;
  };
  while (!Text.empty()) {
    if (TakeNumber("<vscale x ", " x ", "<") || TakeNumber("nxv", "", "v"))
      continue;
    if (Text.consume_front("call i64 @llvm.vscale.i64()")) {
      Result += "add i64 0, " + utostr(VScale);
      continue;
    }
    Result += Text.front();
    Text = Text.drop_front();
  }
  return Result;
}

/// \p Text of such a module. Vectors that had a fixed length before may have
/// the same functions.
static std::string fixLength(StringRef Text, unsigned VScale) {
  std::string Result;
  StringSet<> Declared;
  for (StringRef Line : split(Text, '\n')) {
    std::string Fixed = fixLine(Line, VScale) + "\n";
    if (!Line.starts_with("declare") ||
        Declared.insert(StringRef(Fixed).split('@').second.split('(').first)
            .second)
      Result += Fixed;
  }
  return Result;
}

Verdict CodeBatch::add(const Kernel &K, StringRef Name, const CodeTarget &T,
                       bool IsCalled, bool Models, unsigned MostInstructions) {
  // In a module of its own, of which nothing is left if it is refused.
  auto Own = std::make_unique<Module>(Name, Context);
  Own->setTargetTriple(M->getTargetTriple());
  Own->setDataLayout(M->getDataLayout());
  Verdict Why = add(*Own, K, Name, T, IsCalled, Models);
  if (!Why.ok())
    return Why;
  if (T.VScale) {
    std::string Text;
    raw_string_ostream OS(Text);
    Own->print(OS, nullptr);
    SMDiagnostic Wrong;
    Own = parseAssemblyString(fixLength(Text, T.VScale), Wrong, Context);
    if (!Own)
      report_fatal_error(Wrong.getMessage());
  }
  const Function &Made =
      IsCalled ? Own->getFunctionList().back() : *Own->getFunction(Name);
  if (estimateLength(Made) > MostInstructions)
    return {Reason::OverBudget, nullptr, "much code"};
  if (Linker::linkModules(*M, std::move(Own)))
    report_fatal_error("modules cannot be linked");
  return Why;
}

/// Adds the function to \p Into.
Verdict CodeBatch::add(Module &Into, const Kernel &Text, StringRef Name,
                       const CodeTarget &T, bool IsCalled, bool Models) {
  Kernel K;
  copyKernel(Text, K);
  Type *Ptr = PointerType::getUnqual(Context);
  auto *F = Function::Create(
      FunctionType::get(Type::getVoidTy(Context), {Ptr, Ptr}, false),
      GlobalValue::ExternalLinkage, Name, Into);
  F->addFnAttr("target-cpu", T.CPU);
  if (!T.Features.empty())
    F->addFnAttr("target-features", T.Features);
  IRBuilder<> B(BasicBlock::Create(Context, "entry", F));
  bind(B, K);
  MathPlan Math = getPlan(K, *F, TM->getTargetTransformInfo(*F), Models);
  // What the emitter knows of scalable vectors it knows by their name.
  if (T.VScale)
    F->addFnAttr("target-features", "+sve");
  Verdict Why = canLowerSchedule(
      K, {1 << 16, /*StackByNumber=*/true, T.VScale ? F : nullptr});
  if (!Why.ok())
    return Why;
  // Code is made in the middle of a block, too.
  B.SetInsertPoint(B.CreateRetVoid());
  if (IsCalled)
    callScheduled(B, K, Math);
  else
    lowerSchedule(B, K, Math);
  if (T.VScale)
    for (Function &Made : Into)
      Made.removeFnAttr("target-features");
  return Why;
}

static Error verify(const Module &M) {
  std::string Text;
  raw_string_ostream OS(Text);
  if (verifyModule(M, &OS))
    return createStringError("the module is broken: " +
                             StringRef(Text).take_front(300).str());
  return Error::success();
}

Error CodeBatch::optimize() {
  if (Error E = verify(*M))
    return E;
  static const OptimizationLevel Levels[] = {
      OptimizationLevel::O0, OptimizationLevel::O1, OptimizationLevel::O2,
      OptimizationLevel::O3};
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PassBuilder PB(TM.get());
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  if (Level)
    PB.buildPerModuleDefaultPipeline(Levels[Level]).run(*M, MAM);
  return verify(*M);
}

Expected<SmallVector<char, 0>> CodeBatch::emitObject() {
  SmallVector<char, 0> Bytes;
  raw_svector_ostream OS(Bytes);
  legacy::PassManager PM;
  if (TM->addPassesToEmitFile(PM, OS, nullptr, CodeGenFileType::ObjectFile,
                              /*DisableVerify=*/true))
    return createStringError("the target emits no objects");
  PM.run(*M);
  return std::move(Bytes);
}

/// What code calls where there is no instruction, and what older libraries do
/// not have: the result is in the low bits of a register.
template <typename T> static float toBFloat(T Value) {
  bool Lost = false;
  APFloat X(Value);
  X.convert(APFloat::BFloat(), APFloat::rmNearestTiesToEven, &Lost);
  return bit_cast<float>(
      static_cast<uint32_t>(X.bitcastToAPInt().getZExtValue()));
}

static Error addConversions(orc::LLJIT &JIT) {
  orc::SymbolMap Symbols;
  auto Add = [&](StringRef Name, auto *F) {
    Symbols[JIT.mangleAndIntern(Name)] = {orc::ExecutorAddr::fromPtr(F),
                                          JITSymbolFlags::Exported};
  };
  Add("__truncsfbf2", &toBFloat<float>);
  Add("__truncdfbf2", &toBFloat<double>);
  return JIT.getMainJITDylib().define(orc::absoluteSymbols(Symbols));
}

Error CodeBatch::load() {
  auto Object = emitObject();
  if (!Object)
    return Object.takeError();
  auto New = orc::LLJITBuilder().create();
  if (!New)
    return New.takeError();
  JIT = std::move(*New);
  if (Error E = addConversions(*JIT))
    return E;
  return JIT->addObjectFile(
      std::make_unique<SmallVectorMemoryBuffer>(std::move(*Object)));
}

Expected<CodeFunction> CodeBatch::find(StringRef Name) {
  auto Address = JIT->lookup(Name);
  if (!Address)
    return Address.takeError();
  return Address->toPtr<CodeFunction>();
}

} // namespace dlopt
