//===- dl-script-fuzz.cpp - Random scripts on random kernels --------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Draws plain kernels and lines of scripts. What the lines that are accepted
/// make of a kernel has to leave the same bits in memory as the kernel itself,
/// run by the interpreter, at sizes from 0 on, with arrays that overlap and
/// that end at what the plain kernel touches. Where a need does not hold the
/// kernel would not be run, and nothing is compared.
///
//===----------------------------------------------------------------------===//

#include "Fuzz.h"
#include "dlopt/DependenceCheck.h"
#include "dlopt/KernelEdit.h"
#include "dlopt/Transform.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <map>

using namespace llvm;
using namespace dlopt;

static cl::OptionCategory Category("dl-script-fuzz options");
static cl::opt<uint64_t> Seed("seed", cl::desc("First seed"), cl::init(1),
                              cl::cat(Category));
static cl::opt<uint64_t> Kernels("kernels", cl::desc("Number of kernels"),
                                 cl::init(1000), cl::cat(Category));
static cl::opt<unsigned> Seconds("seconds",
                                 cl::desc("Stop after so many seconds"),
                                 cl::init(0), cl::cat(Category));
static cl::opt<bool> Stats("counts",
                           cl::desc("Print how often lines were accepted"),
                           cl::cat(Category));
static cl::opt<bool> Scalable("vl",
                              cl::desc("Draw sizes that are times vl, too"),
                              cl::cat(Category));
static cl::opt<bool> OnlyDependences(
    "dependences",
    cl::desc("No scripts: compare what is said to be apart with integer sets"),
    cl::cat(Category));
static cl::opt<bool> OnlySets(
    "sets",
    cl::desc("No kernels: compare answers about integer sets with points"),
    cl::cat(Category));

namespace {

class Fuzzer {
public:
  bool runSeed(uint64_t Number);
  void print() const;
  unsigned getCompared() const { return Compared; }

private:
  bool check(const Kernel &Plain, const Kernel &K, Random &R);
  bool compareDependences(const Kernel &Plain);
  void report(const Kernel &Plain, const Kernel &K, const Layout &L,
              const Twine &Text);

  uint64_t Number = 0;
  unsigned Scripts = 0, Compared = 0, Unmet = 0, Failures = 0;
  DependenceCounts Dependences;
  std::vector<std::string> Lines;
  std::map<std::string, std::pair<unsigned, unsigned>> Count;
};

} // namespace

void Fuzzer::report(const Kernel &Plain, const Kernel &K, const Layout &L,
                    const Twine &Text) {
  ++Failures;
  outs() << "# seed " << Number << ": " << Text << '\n';
  L.print(outs());
  Plain.print(outs());
  for (const std::string &Line : Lines)
    outs() << "# " << Line << '\n';
  K.print(outs());
  outs() << '\n';
}

/// The text of \p K is that of a kernel, which has the same text.
static Expected<std::unique_ptr<Kernel>> readBack(const Kernel &K) {
  std::string Text, Again;
  raw_string_ostream OS(Text);
  K.print(OS);
  auto Parsed = parseKernels(Text, "again");
  if (!Parsed)
    return Parsed.takeError();
  raw_string_ostream OSAgain(Again);
  Parsed->front()->print(OSAgain);
  if (Again != Text)
    return createStringError("its text reads back as\n" + Again);
  return std::move(Parsed->front());
}

/// Whether nothing is wrong.
bool Fuzzer::check(const Kernel &Plain, const Kernel &K, Random &R) {
  ++Scripts;
  for (unsigned I = 0; I < 4; ++I) {
    std::optional<Layout> L = Layout::make(R, Plain);
    if (!L)
      continue;
    auto Expected = L->run(Plain);
    if (!Expected) {
      // Overlapping arrays may make loaded indices wrong.
      consumeError(Expected.takeError());
      continue;
    }
    if (L->overlaps(K)) {
      ++Unmet;
      continue;
    }
    auto Read = readBack(K);
    if (!Read) {
      report(Plain, K, *L, toString(Read.takeError()));
      return false;
    }
    if (Scalable)
      L->setVL(LeastVL << R.below(4));
    auto Got = L->run(R.percent(50) ? K : **Read);
    if (!Got) {
      Error E = Got.takeError();
      if (E.isA<NeedError>()) {
        ++Unmet;
        consumeError(std::move(E));
        continue;
      }
      std::string Text = toString(std::move(E));
      // Arrays of several dimensions that are times vl.
      if (Scalable && StringRef(Text).contains("is too large")) {
        ++Unmet;
        continue;
      }
      report(Plain, K, *L, Text);
      return false;
    }
    ++Compared;
    if (std::string Wrong = L->compare(*Expected, *Got); !Wrong.empty()) {
      report(Plain, K, *L, Wrong);
      return false;
    }
  }
  return true;
}

bool Fuzzer::compareDependences(const Kernel &Plain) {
  std::vector<std::string> Wrong;
  Dependences += checkDependences(Plain, Number, /*Stated=*/false, Wrong);
  if (Wrong.empty())
    return true;
  ++Failures;
  outs() << "# seed " << Number << '\n';
  for (const std::string &Line : Wrong)
    outs() << "# " << Line << '\n';
  Plain.print(outs());
  return false;
}

bool Fuzzer::runSeed(uint64_t N) {
  Number = N;
  Random R(N);
  std::string Text = makeKernel(R);
  auto Parsed = parseKernels(Text, "plain");
  if (!Parsed) {
    // The generator is wrong, not what is tested.
    outs() << Text << '\n' << toString(Parsed.takeError()) << '\n';
    ++Failures;
    return false;
  }
  // A tuple may assign one element twice.
  if (Error E = verifyKernel(*Parsed->front())) {
    consumeError(std::move(E));
    return true;
  }
  const Kernel &Plain = *Parsed->front();
  if (OnlyDependences)
    return compareDependences(Plain);
  Kernel K;
  copyKernel(Plain, K);
  Lines.clear();
  for (unsigned Try = 0; Try < 40 && Lines.size() < 14; ++Try) {
    std::string Line = makeLine(R, K, Try, Scalable);
    std::string Word = Line.substr(0, Line.find(' '));
    if (StringRef(Line).contains(" fill "))
      Word += " fill";
    if (StringRef(Line).contains(" if "))
      Word += " if";
    if (StringRef(Line).contains(" upto %"))
      Word += " upto %";
    if (StringRef(Line).ends_with(" over"))
      Word += " over";
    auto &[Accepted, All] = Count[Word];
    ++All;
    if (Error E = applyStep(K, Plain, Line)) {
      consumeError(std::move(E));
      continue;
    }
    ++Accepted;
    Lines.push_back(Line);
    if (R.percent(30) && !check(Plain, K, R))
      return false;
  }
  return check(Plain, K, R);
}

void Fuzzer::print() const {
  if (OnlyDependences) {
    Dependences.print(outs());
    outs() << Failures << " wrong\n";
    return;
  }
  outs() << Scripts << " scripts, " << Compared << " runs compared, " << Unmet
         << " with needs that do not hold, " << Failures << " wrong\n";
  if (Stats)
    for (const auto &[Word, Of] : Count)
      outs() << "  " << Word << ": " << Of.first << " of " << Of.second << '\n';
}

int main(int argc, char **argv) {
  InitLLVM Init(argc, argv);
  cl::HideUnrelatedOptions(Category);
  cl::ParseCommandLineOptions(argc, argv, "Random scripts on random kernels\n");
  auto Start = std::chrono::steady_clock::now();
  Fuzzer F;
  SetCounts Sets;
  bool Ok = true;
  for (uint64_t I = 0; I < Kernels && Ok; ++I) {
    if (Seconds && std::chrono::steady_clock::now() - Start >
                       std::chrono::seconds(Seconds))
      break;
    Ok = OnlySets ? Sets.compare(Seed + I) : F.runSeed(Seed + I);
  }
  if (OnlySets)
    Sets.print();
  else
    F.print();
  return Ok ? 0 : 1;
}
