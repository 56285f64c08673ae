//===- dl-schedule-fuzz.cpp - Schedules as code, and interpreted ----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Draws scheduled kernels, as text and by random scripts on random kernels,
/// and compares what their code leaves in memory with what the interpreter
/// does. Kernels are compiled together, for several targets, and run here, on
/// arrays that overlap and that end or begin at memory that must not be
/// touched. What a number draws depends on nothing but the number.
///
//===----------------------------------------------------------------------===//

#include "Arena.h"
#include "Trees.h"
#include "dlopt/KernelEdit.h"
#include "dlopt/Transform.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <chrono>
#include <map>

using namespace llvm;
using namespace dlopt;

static cl::OptionCategory Category("dl-schedule-fuzz options");
static cl::opt<uint64_t> Seed("seed", cl::desc("First seed"), cl::init(1),
                              cl::cat(Category));
static cl::opt<uint64_t> Kernels("kernels", cl::desc("Number of kernels"),
                                 cl::init(1000), cl::cat(Category));
static cl::opt<unsigned> Seconds("seconds",
                                 cl::desc("Stop after so many seconds"),
                                 cl::init(0), cl::cat(Category));
static cl::opt<bool> Scalable("vl",
                              cl::desc("Draw sizes that are times vl, too"),
                              cl::cat(Category));
static cl::opt<bool> Stats("counts", cl::desc("Print what was refused"),
                           cl::cat(Category));
static cl::opt<bool> PrintAll("print", cl::desc("Print the kernels"),
                              cl::cat(Category));
static cl::opt<bool> PrintIR("print-ir",
                             cl::desc("Print the code that is made"),
                             cl::cat(Category));
static cl::opt<bool> KeepGoing("keep-going",
                               cl::desc("Do not stop at a wrong one"),
                               cl::cat(Category));

namespace {

/// One kernel, and what it has to leave in memory.
struct Case {
  uint64_t Number = 0;
  std::unique_ptr<Kernel> K;
  std::vector<std::string> Lines; ///< that made it, if any
  const CodeTarget *Target = nullptr;
  bool IsCalled = false;
  std::vector<Layout> Layouts;
  std::vector<std::vector<uint8_t>> Expected;
  std::vector<int> Errors; ///< what errno is in the end, from 0
  std::string getName() const { return "f" + std::to_string(Number); }
};

class Fuzzer {
public:
  /// Whether nothing was wrong.
  bool draw(uint64_t Number);
  bool flush(unsigned Level);
  bool flushAll();
  void print() const;

private:
  struct Batch {
    std::unique_ptr<CodeBatch> Code;
    std::vector<Case> Cases;
  };
  static constexpr unsigned Levels = 4;
  static constexpr size_t CasesInBatch = 24;

  bool drawTree(Random &R, Case &C);
  bool drawScript(Random &R, Case &C);
  bool drawRuns(Random &R, const Kernel &Plain, Case &C);
  bool runCase(CodeFunction F, const Case &C, unsigned Level);
  bool report(const Case &C, unsigned Level, const Layout *L,
              const Twine &Text);

  Batch Batches[Levels];
  Arena Memory;
  unsigned Trees = 0, Runs = 0, Tails = 0, Copies = 0, Failures = 0;
  std::map<std::string, unsigned> Refused, Illegal;
};

} // namespace

bool Fuzzer::report(const Case &C, unsigned Level, const Layout *L,
                    const Twine &Text) {
  ++Failures;
  outs() << "# seed " << C.Number << ", " << C.Target->Name << " -O" << Level
         << (C.IsCalled ? " called" : "") << ": " << Text << '\n';
  if (L)
    L->print(outs());
  for (const std::string &Line : C.Lines)
    outs() << "# " << Line << '\n';
  if (C.K)
    C.K->print(outs());
  outs() << '\n';
  outs().flush();
  return false;
}

/// The text of an error without its numbers and names.
static std::string summarize(Error E) {
  std::string Text = toString(std::move(E)), Result;
  StringRef Rest = Text;
  Rest = Rest.substr(
      Rest.find("@f: ") == StringRef::npos ? 0 : Rest.find("@f: ") + 4);
  Rest = Rest.split(", at ").first;
  for (StringRef Word : split(Rest, ' '))
    if (Word.find_first_of("0123456789%[") == StringRef::npos)
      Result += (Result.empty() ? "" : " ") + Word.str();
  return Result;
}

/// Sizes and arrays that the kernel may be run on.
bool Fuzzer::drawRuns(Random &R, const Kernel &Plain, Case &C) {
  for (unsigned I = 0; I < 5; ++I) {
    std::optional<Layout> L = Layout::make(R, Plain);
    if (!L || L->overlaps(*C.K))
      continue;
    L->setFuse(C.Target->HasFMA);
    if (C.Target->VScale)
      L->setVL(LeastVL * C.Target->VScale);
    errno = 0;
    auto Expected = L->run(*C.K);
    int Error = errno;
    if (!Expected) {
      ++Illegal[summarize(Expected.takeError())];
      continue;
    }
    C.Layouts.push_back(std::move(*L));
    C.Expected.push_back(std::move(*Expected));
    C.Errors.push_back(Error);
  }
  return !C.Layouts.empty();
}

/// Text that means something: some leaf is run.
bool Fuzzer::drawTree(Random &R, Case &C) {
  for (unsigned Try = 0; Try < 30; ++Try) {
    auto Parsed = parseKernels(makeTree(R, /*Calls=*/true, Scalable), "tree");
    if (!Parsed) {
      return report(C, 0, nullptr, toString(Parsed.takeError()));
    }
    C.K = std::move(Parsed->front());
    if (Error E = verifyKernel(*C.K)) {
      ++Illegal[summarize(std::move(E))];
      continue;
    }
    if (drawRuns(R, *C.K, C))
      return true;
  }
  return false;
}

bool Fuzzer::drawScript(Random &R, Case &C) {
  auto Parsed = parseKernels(makeKernel(R), "plain");
  if (!Parsed)
    return report(C, 0, nullptr, toString(Parsed.takeError()));
  const Kernel &Plain = *Parsed->front();
  if (Error E = verifyKernel(Plain)) {
    consumeError(std::move(E));
    return false;
  }
  C.K = std::make_unique<Kernel>();
  copyKernel(Plain, *C.K);
  for (unsigned Try = 0; Try < 24 && C.Lines.size() < 10; ++Try) {
    std::string Line = makeLine(R, *C.K, Try, Scalable);
    if (Error E = applyStep(*C.K, Plain, Line))
      consumeError(std::move(E));
    else
      C.Lines.push_back(Line);
  }
  return drawRuns(R, Plain, C);
}

/// Whether lanes of a vector may be past the end.
static bool hasTail(const Kernel &K) {
  return any_of(K.Axes, [&](const Axis &A) {
    std::optional<uint64_t> Rounds =
        getRounds(K, static_cast<AxisId>(&A - K.Axes.data()));
    return A.Schedule.Lanes && (!Rounds || A.Schedule.Lanes.Scalable ||
                                *Rounds % A.Schedule.Lanes.N);
  });
}

/// Whether a local gets a copy of what is in memory, element by element.
static bool hasCopy(const Kernel &K) {
  bool Has = false;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Assign &A : L.Assigns)
      Has |= !K.Buffers[A.Target.Buf].Shape.empty() &&
             L.Ops[A.Value].K == Op::Load &&
             !K.Buffers[L.Ops[A.Value].Acc.Buf].IsLocal;
  });
  return Has;
}

static bool callsLibrary(const Kernel &K) {
  bool Calls = false;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    Calls |= any_of(L.Ops, [](const Op &O) { return O.K == Op::LibCall; });
  });
  return Calls;
}

bool Fuzzer::draw(uint64_t Number) {
  Random R(Number);
  Case C;
  C.Number = Number;
  C.Target = &R.pick(Scalable ? getScalableTargets() : getTargets());
  unsigned Level = R.percent(10) ? 0 : 1 + R.below(3);
  C.IsCalled = R.percent(50);
  if (!(R.percent(25) ? drawScript(R, C) : drawTree(R, C)))
    return !Failures || KeepGoing;
  if (PrintAll)
    C.K->print(outs());
  Batch &B = Batches[Level];
  if (!B.Code)
    B.Code = std::make_unique<CodeBatch>(Level);
  // Functions of the library are long.
  bool Models = Number % 2;
  unsigned Most = R.percent(3) ? 2500 : R.percent(12) ? 900 : 300;
  Verdict Why = B.Code->add(*C.K, C.getName(), *C.Target, C.IsCalled, Models,
                            Models && callsLibrary(*C.K) ? 8 * Most : Most);
  if (!Why.ok()) {
    ++Refused[summarize(createStringError(getText(Why.R) + ": " + Why.Detail))];
    return true;
  }
  ++Trees;
  Tails += hasTail(*C.K);
  Copies += hasCopy(*C.K);
  B.Cases.push_back(std::move(C));
  return B.Cases.size() < CasesInBatch || flush(Level);
}

/// Whether code leaves errno as the interpreter does, which calls functions for
/// intrinsics, too, and those that are said to set none.
static bool keepsErrno(const Kernel &K) {
  bool Keeps = true;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Op &O : L.Ops) {
      StringRef Name = O.Callee;
      bool SetsNone = Name.starts_with("floor") || Name.starts_with("atan");
      if (O.K == Op::LibCall
              ? !O.WritesErrno && !SetsNone
              : O.K == Op::Intrinsic && O.Opcode == Intrinsic::sqrt)
        Keeps = false;
    }
  });
  return Keeps;
}

bool Fuzzer::runCase(CodeFunction F, const Case &C, unsigned Level) {
  bool KeepsErrno = keepsErrno(*C.K);
  for (auto [L, Expected, Error] : zip(C.Layouts, C.Expected, C.Errors))
    for (bool AtEnd : {true, false}) {
      ++Runs;
      int Own = 0;
      auto Got = Memory.run(F, *C.K, L, AtEnd, Own);
      if (!Got)
        return report(C, Level, &L, toString(Got.takeError()));
      if (std::string Wrong = L.compare(Expected, *Got); !Wrong.empty())
        return report(C, Level, &L, Wrong);
      if (KeepsErrno && Own != Error)
        return report(C, Level, &L,
                      "errno is " + Twine(Own) + ", not " + Twine(Error));
    }
  return true;
}

bool Fuzzer::flush(unsigned Level) {
  Batch B = std::move(Batches[Level]);
  if (B.Cases.empty())
    return true;
  if (PrintIR)
    B.Code->getModule().print(outs(), nullptr);
  Error E = B.Code->optimize();
  if (!E)
    E = B.Code->load();
  if (E)
    return report(B.Cases.front(), Level, nullptr,
                  "this or one of the next: " + toString(std::move(E)));
  bool Ok = true;
  for (const Case &C : B.Cases) {
    auto F = B.Code->find(C.getName());
    Ok &= F ? runCase(*F, C, Level)
            : report(C, Level, nullptr, toString(F.takeError()));
    if (!Ok && !KeepGoing)
      break;
  }
  return Ok || KeepGoing;
}

bool Fuzzer::flushAll() {
  for (unsigned Level = 0; Level != Levels; ++Level)
    if (!flush(Level))
      return false;
  return !Failures;
}

void Fuzzer::print() const {
  unsigned All = 0;
  for (const auto &[Why, Count] : Refused)
    All += Count;
  outs() << Trees << " trees, " << Tails << " with a tail in lanes, " << Copies
         << " with copies, " << Runs << " runs, " << All << " refused, "
         << Failures << " wrong\n";
  if (!Stats)
    return;
  for (const auto &[Why, Count] : Refused)
    outs() << "  refused: " << Why << ": " << Count << '\n';
  for (const auto &[Why, Count] : Illegal)
    outs() << "  not drawn: " << Why << ": " << Count << '\n';
}

int main(int argc, char **argv) {
  InitLLVM Init(argc, argv);
  cl::HideUnrelatedOptions(Category);
  cl::ParseCommandLineOptions(argc, argv, "Random schedules as code\n");
  InitializeAllTargetInfos();
  InitializeAllTargets();
  InitializeAllTargetMCs();
  InitializeAllAsmPrinters();
  auto Start = std::chrono::steady_clock::now();
  Fuzzer F;
  bool Ok = true;
  for (uint64_t I = 0; I < Kernels && Ok; ++I) {
    if (Seconds && std::chrono::steady_clock::now() - Start >
                       std::chrono::seconds(Seconds))
      break;
    Ok = F.draw(Seed + I);
  }
  Ok &= F.flushAll();
  F.print();
  return Ok ? 0 : 1;
}
