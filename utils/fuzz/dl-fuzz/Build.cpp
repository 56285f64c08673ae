//===- Build.cpp - Compiles a module with and without the plugin ----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Build.h"
#include "dlopt/Compat.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/StructuralHash.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <unistd.h>

using namespace llvm;

namespace dlfuzz {

static Error makeError(const Twine &Text) {
  return createStringError(inconvertibleErrorCode(), Text);
}

static unsigned getLevel(const Config &C) {
  return C.Level == "O1" ? 1 : C.Level == "O2" ? 2 : 3;
}

std::unique_ptr<TargetMachine> createTargetMachine(unsigned Level) {
  static const CodeGenOptLevel Levels[] = {
      CodeGenOptLevel::None, CodeGenOptLevel::Less, CodeGenOptLevel::Default,
      CodeGenOptLevel::Aggressive};
  Triple TT(sys::getProcessTriple());
  std::string Message;
  const Target *T = TargetRegistry::lookupTarget("", TT, Message);
  if (!T)
    return nullptr;
  return std::unique_ptr<TargetMachine>(dlopt::createTargetMachine(
      *T, TT, "", "", TargetOptions(), Reloc::PIC_, CodeModel::Small,
      Levels[Level], /*JIT=*/true));
}

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

namespace {

/// Whether products may be fused with their sums, or not. SLP vectorization
/// fuses none of those that it takes, which are some of an unrolled sum: plain
/// LLVM's result is one of many then, and nothing to compare with.
static bool mayFuse(const Module &M) {
  return any_of(M, [](const Function &F) {
    return any_of(instructions(F), [](const Instruction &I) {
      return isa<FPMathOperator>(I) && I.hasAllowContract() &&
             !I.hasAllowReassoc();
    });
  });
}

/// A pass builder as clang sets it up, with what it needs.
struct Pipeline {
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PassBuilder PB;

  static PipelineTuningOptions getTuning(unsigned Level, bool Contracts) {
    PipelineTuningOptions PTO;
    PTO.LoopInterleaving = PTO.LoopVectorization = Level > 1;
    PTO.SLPVectorization = Level > 1 && !Contracts;
    return PTO;
  }

  Pipeline(TargetMachine &TM, unsigned Level, const PassPlugin *Plugin,
           bool Contracts = false)
      : PB(&TM, getTuning(Level, Contracts)) {
    if (Plugin)
      Plugin->registerPassBuilderCallbacks(PB);
    TargetLibraryInfoImpl TLII(TM.getTargetTriple());
    FAM.registerPass([&] { return TargetLibraryAnalysis(TLII); });
    PB.registerModuleAnalyses(MAM);
    PB.registerCGSCCAnalyses(CGAM);
    PB.registerFunctionAnalyses(FAM);
    PB.registerLoopAnalyses(LAM);
    PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  }

  Error run(Module &M, StringRef Passes) {
    ModulePassManager MPM;
    if (Error E = PB.parsePassPipeline(MPM, Passes))
      return E;
    MPM.run(M, MAM);
    return verify(M);
  }

  Error runDefault(Module &M, unsigned Level) {
    static const OptimizationLevel Levels[] = {
        OptimizationLevel::O0, OptimizationLevel::O1, OptimizationLevel::O2,
        OptimizationLevel::O3};
    PB.buildPerModuleDefaultPipeline(Levels[Level]).run(M, MAM);
    return verify(M);
  }

  static Error verify(const Module &M) {
    std::string Text;
    raw_string_ostream OS(Text);
    if (verifyModule(M, &OS))
      return makeError("the module is broken: " +
                       StringRef(Text).take_front(300));
    return Error::success();
  }
};

} // namespace

/// What clang -march=CPU would have written.
static void setTarget(Module &M, const TargetMachine &TM, const Config &C,
                      const Variant *V) {
  dlopt::setTriple(M, TM.getTargetTriple());
  M.setDataLayout(TM.createDataLayout());
  bool Native = C.CPU == "native";
  std::string Features;
  if (Native)
    for (const auto &F : sys::getHostCPUFeatures())
      Features += (Features.empty() ? "" : ",") +
                  ((F.second ? "+" : "-") + F.first()).str();
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    F.removeFnAttr("tune-cpu");
    F.removeFnAttr("target-features");
    F.addFnAttr("target-cpu", Native ? sys::getHostCPUName() : C.CPU);
    if (Native)
      F.addFnAttr("target-features", Features);
    if (V)
      for (const auto &[Key, Value] : V->Attributes)
        F.addFnAttr(Key, Value);
    else if (C.isCorrect())
      F.addFnAttr("dl-math", "correct");
  }
}

/// Brings \p M into the form that the configuration starts from.
static Error changeForm(Module &M, TargetMachine &TM, const Config &C) {
  StringRef Passes = C.Passes;
  if (Passes.consume_front("drop-flags"))
    for (Function &F : M)
      for (Instruction &I : instructions(F))
        if (!isa<FPMathOperator>(I))
          I.dropPoisonGeneratingFlags();
  Passes.consume_front(",");
  if (Passes.empty())
    return Error::success();
  return Pipeline(TM, getLevel(C), nullptr).run(M, Passes);
}

static StringMap<uint64_t> hashFunctions(const Module &M) {
  StringMap<uint64_t> Result;
  for (const Function &F : M)
    if (!F.isDeclaration())
      Result[F.getName()] = StructuralHash(F, /*DetailedHash=*/true);
  return Result;
}

/// Functions that call generated ones, which are called dl.*.
static void findCallers(const Module &M, StringSet<> &Callers) {
  for (const Function &F : M)
    if (F.getName().starts_with("dl."))
      for (const User *U : F.users())
        if (const auto *I = dyn_cast<Instruction>(U))
          Callers.insert(I->getFunction()->getName());
}

Error Builder::optimize(Module &M, const Config &C, const Variant *V,
                        StringSet<> &Changed) {
  unsigned Level = getLevel(C);
  auto TM = createTargetMachine(Level);
  setTarget(M, *TM, C, V);
  if (Error E = changeForm(M, *TM, C))
    return E;
  if (V && V->Mode != "plugin") {
    // Single passes in front of a pipeline without the plugin.
    Pipeline Front(*TM, Level, &Plugin);
    if (V->Mode == "relower") {
      if (Error E = Front.run(M, "dl-prepare<loops>"))
        return E;
      StringMap<uint64_t> Before = hashFunctions(M);
      if (Error E = Front.run(M, "dl-relower"))
        return E;
      StringMap<uint64_t> After = hashFunctions(M);
      for (const auto &[Name, Hash] : After)
        if (Before.lookup(Name) != Hash)
          Changed.insert(Name);
    } else if (Error E = Front.run(M, V->Mode)) {
      return E;
    }
    V = nullptr;
  }
  // What functions the reference calls is no business of other libraries then.
  bool Marks = !V && C.isCorrect();
  if (Marks)
    if (Error E = Pipeline(*TM, Level, &Plugin).run(M, "dl-math<mark>"))
      return E;
  Pipeline Main(*TM, Level, V ? &Plugin : nullptr, mayFuse(M));
  if (Error E = Main.runDefault(M, Level))
    return E;
  if (Marks)
    if (Error E = Pipeline(*TM, Level, &Plugin).run(M, "dl-math"))
      return E;
  findCallers(M, Changed);
  return Error::success();
}

/// Whether \p F writes memory outside of loops: its kernels are not all it
/// does.
static bool writesOutsideLoops(Function &F) {
  DominatorTree DT(F);
  LoopInfo LI(DT);
  return any_of(instructions(F), [&](const Instruction &I) {
    const auto *Call = dyn_cast<IntrinsicInst>(&I);
    return !LI.getLoopFor(I.getParent()) && I.mayWriteToMemory() &&
           !(Call && Call->isAssumeLikeIntrinsic());
  });
}

Expected<std::string> Builder::printKernels(const Module &M, const Config &C) {
  std::unique_ptr<Module> Copy = CloneModule(M);
  auto TM = createTargetMachine(getLevel(C));
  setTarget(*Copy, *TM, C, nullptr);
  if (Error E = changeForm(*Copy, *TM, C))
    return std::move(E);
  Pipeline Printer(*TM, getLevel(C), &Plugin);
  // The pass prints on standard output.
  FILE *File = tmpfile();
  int Saved = dup(1);
  if (!File || Saved < 0)
    return makeError("no temporary file");
  outs().flush();
  dup2(fileno(File), 1);
  Error E = Printer.run(*Copy, "dl-prepare<loops>,function(print<dl-kernels>)");
  outs().flush();
  dup2(Saved, 1);
  close(Saved);
  std::string Text;
  rewind(File);
  char Part[4096];
  while (size_t N = fread(Part, 1, sizeof(Part), File))
    Text.append(Part, N);
  fclose(File);
  if (E)
    return std::move(E);
  for (Function &F : *Copy)
    if (!F.isDeclaration() && writesOutsideLoops(F))
      Text += "missed @" + F.getName().str() + " has more than kernels\n";
  return Text;
}

//===----------------------------------------------------------------------===//
// Machine code
//===----------------------------------------------------------------------===//

static constexpr StringLiteral CounterName = "dlfuzz.calls";
/// What fills in the word that generated code chooses by.
static constexpr StringLiteral DetectorName = "dl.cpu.detect";

static void injectFault(Function &F, Fault Injected) {
  BasicBlock::iterator Begin = F.getEntryBlock().getFirstInsertionPt();
  IRBuilder<> B(&*Begin);
  if (Injected == Fault::Trap)
    B.CreateIntrinsic(Intrinsic::trap, ArrayRef<Type *>(), {});
  if (Injected == Fault::Hang) {
    // A new entry whose successor runs for ever.
    BasicBlock *Old = &F.getEntryBlock();
    auto *Entry = BasicBlock::Create(F.getContext(), "entry", &F, Old);
    auto *Wait = BasicBlock::Create(F.getContext(), "wait", &F, Old);
    B.SetInsertPoint(Entry);
    auto *Flag = B.CreateAlloca(B.getInt1Ty());
    B.CreateStore(B.getTrue(), Flag);
    B.CreateBr(Wait);
    B.SetInsertPoint(Wait);
    B.CreateCondBr(B.CreateLoad(B.getInt1Ty(), Flag, true), Wait, Old);
  }
  if (Injected == Fault::Store)
    for (Instruction &I : instructions(F))
      if (auto *S = dyn_cast<StoreInst>(&I))
        if (Value *V = S->getValueOperand(); V->getType()->isFPOrFPVectorTy()) {
          B.SetInsertPoint(S);
          S->setOperand(0, B.CreateFNeg(V));
          return;
        }
}

/// Generated functions say when they are called.
static void instrument(Module &M, Fault Injected) {
  Type *Ty = Type::getInt64Ty(M.getContext());
  auto *Counter = new GlobalVariable(M, Ty, false, GlobalValue::ExternalLinkage,
                                     ConstantInt::get(Ty, 0), CounterName);
  for (Function &F : M) {
    if (F.isDeclaration() || !F.getName().starts_with("dl.") ||
        F.getName() == DetectorName || F.getName().starts_with("dl.check."))
      continue;
    injectFault(F, Injected);
    IRBuilder<> B(&*F.getEntryBlock().getFirstInsertionPt());
    Value *Old = B.CreateLoad(Ty, Counter, /*isVolatile=*/true);
    B.CreateStore(B.CreateAdd(Old, B.getInt64(1)), Counter,
                  /*isVolatile=*/true);
    F.setMemoryEffects(MemoryEffects::unknown());
  }
}

/// Code that chooses by the CPU reads a word that a constructor fills in, which
/// nobody runs here: load() calls it.
static void exportDetector(Module &M) {
  Function *F = M.getFunction(DetectorName);
  GlobalVariable *Constructors = M.getNamedGlobal("llvm.global_ctors");
  if (!F || !Constructors)
    return;
  Constructors->eraseFromParent();
  F->setLinkage(GlobalValue::ExternalLinkage);
  if (Comdat *Group = F->getComdat())
    for (GlobalObject *GO : to_vector(Group->getUsers()))
      GO->setComdat(nullptr);
}

static Expected<std::unique_ptr<MemoryBuffer>> emitObject(Module &M,
                                                          TargetMachine &TM) {
  SmallVector<char, 0> Bytes;
  raw_svector_ostream OS(Bytes);
  legacy::PassManager PM;
  MCContext *Context = nullptr;
  if (TM.addPassesToEmitMC(PM, Context, OS, /*DisableVerify=*/true))
    return makeError("the target emits no objects");
  PM.run(M);
  return std::make_unique<SmallVectorMemoryBuffer>(std::move(Bytes));
}

/// What the weak function of that name is replaced by when it is linked.
static float times(float A, float B) { return A * B + 1; }

static Error replaceWeak(orc::LLJIT &JIT) {
  orc::SymbolMap Symbols;
  Symbols[JIT.mangleAndIntern("dlfuzz_times")] = {
      orc::ExecutorAddr::fromPtr(&times), JITSymbolFlags::Exported};
  return JIT.getMainJITDylib().define(orc::absoluteSymbols(Symbols));
}

Expected<Program> Builder::load(Module &M, const Batch &B, const Config &C) {
  auto TM = createTargetMachine(getLevel(C));
  auto Object = emitObject(M, *TM);
  if (!Object)
    return Object.takeError();
  auto JIT = orc::LLJITBuilder().create();
  if (!JIT)
    return JIT.takeError();
  Program P;
  // Lives as long as the process, which runs one configuration.
  P.JIT = JIT->release();
  if (Error E = replaceWeak(*P.JIT))
    return std::move(E);
  if (Error E = P.JIT->addObjectFile(std::move(*Object)))
    return std::move(E);
  auto Find = [&](const std::string &Name) -> Expected<void *> {
    const Function *F = M.getFunction(Name);
    if (!F || F->isDeclaration())
      return nullptr;
    auto Address = P.JIT->lookup(Name);
    if (!Address)
      return Address.takeError();
    return Address->toPtr<void *>();
  };
  for (const KernelInfo &K : B.Kernels)
    for (auto [Suffix, Into] :
         {std::pair<const char *, std::vector<void *> &>("", P.Entries),
          {"_v", P.Values},
          {"_m", P.Magnitudes}}) {
      auto Address = Find(K.Name + Suffix);
      if (!Address)
        return Address.takeError();
      Into.push_back(*Address);
    }
  if (M.getNamedGlobal(CounterName)) {
    auto Address = P.JIT->lookup(CounterName);
    if (!Address)
      return Address.takeError();
    P.Calls = Address->toPtr<volatile uint64_t *>();
  }
  if (M.getFunction(DetectorName)) {
    auto Address = P.JIT->lookup(DetectorName);
    if (!Address)
      return Address.takeError();
    Address->toPtr<void (*)()>()();
  }
  return P;
}

Builder::Builder(const PassPlugin &Plugin, Fault Injected)
    : Plugin(Plugin), Injected(Injected) {}
Builder::~Builder() = default;

Expected<Program> Builder::build(const Module &M, const Batch &B,
                                 const Config &C, const Variant *V) {
  std::unique_ptr<Module> Copy = CloneModule(M);
  StringSet<> Changed;
  if (Error E = optimize(*Copy, C, V, Changed))
    return std::move(E);
  if (V)
    instrument(*Copy, Injected);
  exportDetector(*Copy);
  Expected<Program> P = load(*Copy, B, C);
  if (P)
    P->Changed = std::move(Changed);
  return P;
}

} // namespace dlfuzz
