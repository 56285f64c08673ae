//===- dl-fuzz.cpp - Compares kernels with and without the plugin ---------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Builds a module of kernels with and without the plugin, runs both on the
/// same memory and compares every byte:
///
///   dl-fuzz --plugin=libDLOpt.so kernels.bc batch.txt
///
/// utils/fuzz/fuzz.py writes the two files (Batch.h says what is in the second)
/// and reads what is printed: a line "finding ..." for each fault and, for each
/// kernel in each build, "stat ROW KERNEL CONFIG VARIANT STATIC INSTANCES
/// TRANSFORMED MISMATCHES CRASHES", and "oracle ROW KERNEL AGREED REFUSED
/// DIFFERED". The exit status is 1 if there are findings.
///
/// Each configuration is built in a process of its own and runs in another, so
/// that a crash or an endless loop of either is a finding like any other.
///
//===----------------------------------------------------------------------===//
#include "Runner.h"
#include "dlopt/Compat.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include <csignal>
#include <cstring>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace dlfuzz;

static cl::OptionCategory Category("dl-fuzz options");
static cl::opt<std::string> ModuleFile(cl::Positional, cl::Required,
                                       cl::desc("<module>"), cl::cat(Category));
static cl::opt<std::string> BatchFile(cl::Positional, cl::Required,
                                      cl::desc("<batch>"), cl::cat(Category));
static cl::opt<std::string> PluginFile("plugin", cl::Required,
                                       cl::desc("The plugin to test"),
                                       cl::cat(Category));
static cl::opt<std::string> OnlyKernel("kernel", cl::desc("Run only this one"),
                                       cl::cat(Category));
static cl::opt<int> OnlyInstance("instance", cl::init(-1),
                                 cl::desc("Run only this one of each kernel"),
                                 cl::cat(Category));
static cl::opt<unsigned> BuildSeconds("build-seconds", cl::init(120),
                                      cl::desc("Longest time of a build"),
                                      cl::cat(Category));
static cl::opt<unsigned>
    RunSeconds("run-seconds", cl::init(20),
               cl::desc("Longest time of all runs of a kernel"),
               cl::cat(Category));
static cl::opt<Fault> Injected(
    "inject", cl::init(Fault::None), cl::cat(Category),
    cl::desc("Put a fault into generated functions (a test of this tool)"),
    cl::values(clEnumValN(Fault::Store, "store", "a stored value is negated"),
               clEnumValN(Fault::Trap, "trap", "a trap"),
               clEnumValN(Fault::Hang, "hang", "an endless loop")));

namespace {

/// What processes share: the tallies of all builds and how far they are.
class Shared {
public:
  explicit Shared(const Batch &B) {
    size_t Kernels = B.Kernels.size();
    for (const Config &C : B.Configs) {
      Offsets.push_back(NumTallies);
      NumTallies += C.Variants.size() * Kernels;
    }
    NumOracle = Kernels * B.Configs.size();
    size_t NumStatic = NumTallies;
    size_t Bytes = sizeof(Progress) + sizeof(uint64_t) +
                   NumTallies * sizeof(Tally) +
                   NumOracle * sizeof(OracleTally) + NumStatic;
    void *P = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (P == MAP_FAILED)
      report_fatal_error("no shared memory");
    char *At = static_cast<char *>(P);
    Findings = reinterpret_cast<uint64_t *>(At);
    Tallies = reinterpret_cast<Tally *>(At += sizeof(uint64_t));
    OracleTallies =
        reinterpret_cast<OracleTally *>(At += NumTallies * sizeof(Tally));
    Where = reinterpret_cast<Progress *>(At += NumOracle * sizeof(OracleTally));
    Changed = At + sizeof(Progress);
  }

  std::vector<size_t> Offsets; ///< of the first tally of each configuration
  size_t NumTallies = 0, NumOracle = 0;
  uint64_t *Findings;
  Tally *Tallies;
  OracleTally *OracleTallies;
  Progress *Where;
  char *Changed; ///< by tally: the build transformed the kernel
};

/// Builds and runs one configuration.
class Worker {
public:
  Worker(const Module &M, const Batch &B, const PassPlugin &Plugin, Shared &S,
         unsigned Number)
      : M(M), B(B), C(B.Configs[Number]), S(S), Number(Number),
        Make(Plugin, Injected) {}
  void run();

private:
  bool buildAll();
  void readOracle();
  void runAll();
  void finding(StringRef Type, const KernelInfo *K, const Variant *V,
               StringRef What) {
    reportFinding(Type, K, K ? static_cast<unsigned>(S.Where->Instance) : 0, C,
                  V, What);
    ++*S.Findings;
  }

  const Module &M;
  const Batch &B;
  const Config &C;
  Shared &S;
  unsigned Number;
  Builder Make;
  Program Reference;
  std::vector<Program> Variants;
  Oracle Interpreter;
};

} // namespace

static bool isTimeout(int Status) {
  return WIFSIGNALED(Status) && WTERMSIG(Status) == SIGPROF;
}

static std::string describeEnd(int Status) {
  if (WIFEXITED(Status))
    return "exit status " + std::to_string(WEXITSTATUS(Status));
  if (isTimeout(Status))
    return "does not end";
  return std::string("signal ") + strsignal(WTERMSIG(Status));
}

/// Runs \p Do in another process; its status.
static int runApart(function_ref<void()> Do) {
  outs().flush();
  pid_t Child = fork();
  if (Child < 0)
    report_fatal_error("fork failed");
  if (!Child) {
    Do();
    outs().flush();
    _exit(0);
  }
  int Status = 0;
  waitpid(Child, &Status, 0);
  return Status;
}

bool Worker::buildAll() {
  S.Where->Stage = Progress::Reference;
  S.Where->Variant = 0;
  Expected<Program> P = Make.build(M, B, C, nullptr);
  if (!P) {
    finding("invalid", nullptr, nullptr, toString(P.takeError()));
    return false;
  }
  Reference = std::move(*P);
  S.Where->Stage = Progress::Plugin;
  size_t Kernels = B.Kernels.size();
  for (const auto &[I, V] : enumerate(C.Variants)) {
    S.Where->Variant = I;
    Expected<Program> Built = Make.build(M, B, C, &V);
    if (!Built) {
      finding("verify", nullptr, &V, toString(Built.takeError()));
      return false;
    }
    for (const auto &[N, K] : enumerate(B.Kernels))
      S.Changed[S.Offsets[Number] + I * Kernels + N] =
          Built->Changed.contains(K.Name);
    Variants.push_back(std::move(*Built));
  }
  return true;
}

void Worker::readOracle() {
  // It asks the library for functions.
  if (C.isCorrect() ||
      none_of(B.Kernels, [](const KernelInfo &K) { return K.Interpret; }))
    return;
  S.Where->Stage = Progress::Interpreter;
  Expected<std::string> Text = Make.printKernels(M, C);
  Error E =
      Text ? Interpreter.read(*Text, C.CPU != "x86-64") : Text.takeError();
  if (E)
    finding("raise", nullptr, nullptr, toString(std::move(E)));
}

void Worker::runAll() {
  RunPlan Plan{B,
               Number,
               {OnlyKernel, OnlyInstance},
               Reference,
               Variants,
               Interpreter,
               *S.Where,
               S.Tallies + S.Offsets[Number],
               S.OracleTallies + Number * B.Kernels.size(),
               RunSeconds};
  unsigned Kernel = 0;
  while (Kernel < B.Kernels.size()) {
    int Status = runApart([&] { runInstances(Plan, Kernel, 0); });
    if (!Status)
      return;
    // The kernel that was running is left, the next one begins.
    Kernel = S.Where->Kernel;
    const KernelInfo &K = B.Kernels[Kernel];
    std::string What =
        describeEnd(Status) + "; " + K.Instances[S.Where->Instance].Text;
    if (S.Where->Stage == Progress::Plugin) {
      const Variant &V = C.Variants[S.Where->Variant];
      ++Plan.tally(S.Where->Variant, Kernel).Crashes;
      finding(isTimeout(Status) ? "hang" : "crash", &K, &V, What);
    } else {
      finding(S.Where->Stage == Progress::Interpreter ? "raise" : "invalid", &K,
              nullptr, What);
    }
    ++Kernel;
  }
}

void Worker::run() {
  limitTime(BuildSeconds);
  if (!buildAll())
    return;
  readOracle();
  limitTime(0);
  runAll();
}

static uint64_t printTallies(const Batch &B, const Shared &S) {
  uint64_t Findings = *S.Findings;
  size_t Kernels = B.Kernels.size();
  for (const auto &[CI, C] : enumerate(B.Configs)) {
    for (const auto &[VI, V] : enumerate(C.Variants))
      for (const auto &[KI, K] : enumerate(B.Kernels)) {
        size_t At = S.Offsets[CI] + VI * Kernels + KI;
        const Tally &T = S.Tallies[At];
        outs() << "stat " << K.Row << ' ' << K.Name << ' ' << C.Level << ','
               << C.CPU << ' ' << V.text() << ' ' << int(S.Changed[At]) << ' '
               << T.Instances << ' ' << T.Transformed << ' ' << T.Mismatches
               << ' ' << T.Crashes << '\n';
        Findings += T.Mismatches + T.Crashes;
      }
    for (const auto &[KI, K] : enumerate(B.Kernels)) {
      const OracleTally &T = S.OracleTallies[CI * Kernels + KI];
      if (T.Agreed + T.Refused + T.Differed)
        outs() << "oracle " << K.Row << ' ' << K.Name << ' ' << T.Agreed << ' '
               << T.Refused << ' ' << T.Differed << '\n';
      Findings += T.Differed;
    }
  }
  return Findings;
}

static int fail(const Twine &Text) {
  errs() << "dl-fuzz: " << Text << '\n';
  return 2;
}

int main(int argc, char **argv) {
  InitLLVM Init(argc, argv);
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  // Code that asks the CPU is inline assembly.
  InitializeNativeTargetAsmParser();
  cl::HideUnrelatedOptions(Category);
  // The plugin brings options of its own, so it is loaded in front; without its
  // name, the parser explains or complains.
  const char *About = "Compares kernels with and without the plugin\n";
  StringRef Name;
  for (StringRef Argument : ArrayRef(argv, argc).drop_front())
    if (Argument.consume_front("--plugin="))
      Name = Argument;
  if (Name.empty())
    cl::ParseCommandLineOptions(argc, argv, About);
  Expected<PassPlugin> Plugin = PassPlugin::Load(Name.str());
  if (!Plugin)
    return fail(toString(Plugin.takeError()));
  cl::ParseCommandLineOptions(argc, argv, About);
  LLVMContext Context;
  SMDiagnostic Wrong;
  std::unique_ptr<Module> M = parseIRFile(ModuleFile, Wrong, Context);
  if (!M)
    return fail(ModuleFile + ": " + Wrong.getMessage());
  auto Text = MemoryBuffer::getFile(BatchFile);
  if (!Text)
    return fail(BatchFile + ": " + Text.getError().message());
  Expected<Batch> B = parseBatch((*Text)->getBuffer());
  if (!B)
    return fail(BatchFile + ": " + toString(B.takeError()));
  // Crashes are findings: their stack traces would only be noise.
  for (int Signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP})
    signal(Signal, SIG_DFL);
  Shared S(*B);
  for (unsigned N = 0; N != B->Configs.size(); ++N) {
    const Config &C = B->Configs[N];
    int Status = runApart([&] { Worker(*M, *B, *Plugin, S, N).run(); });
    if (!Status)
      continue;
    bool InPlugin = S.Where->Stage != Progress::Reference;
    bool HasVariant = S.Where->Stage == Progress::Plugin;
    reportFinding(!InPlugin           ? "invalid"
                  : isTimeout(Status) ? "build-hang"
                                      : "build-crash",
                  nullptr, 0, C,
                  HasVariant ? &C.Variants[S.Where->Variant] : nullptr,
                  describeEnd(Status));
    ++*S.Findings;
  }
  return printTallies(*B, S) ? 1 : 0;
}
