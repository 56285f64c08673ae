//===- dl-foreign.cpp - Runs every pass over IR nobody here wrote ---------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One forked process per file, so that a crash or a hang costs that check
/// alone; nothing is started, which is what would take most of the time.
///
///   find llvm/test -name '*.ll' | dl-foreign --plugin build/lib/libDLOpt.so
///
//===----------------------------------------------------------------------===//

#include "Checks.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <map>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace foreign;

static cl::OptionCategory Category("dl-foreign options");
static cl::opt<std::string> ListFile(cl::Positional,
                                     cl::desc("<file of paths, one a line>"),
                                     cl::init("-"), cl::cat(Category));
static cl::opt<std::string> PluginFile("plugin", cl::Required,
                                       cl::desc("The plugin"),
                                       cl::cat(Category));
static cl::opt<unsigned>
    Seconds("timeout", cl::desc("Processor time for a check, in seconds"),
            cl::init(10), cl::cat(Category));
static cl::opt<unsigned>
    HookedEvery("hooked-every",
                cl::desc("Check the default pipelines on each n-th file; 0: "
                         "on none"),
                cl::init(1), cl::cat(Category));
static cl::opt<std::string>
    Only("only", cl::desc("Only pipelines that contain this text"),
         cl::cat(Category));

namespace {

/// Counts of findings, by word.
struct Counts {
  unsigned Files = 0, Unreadable = 0, Baseline = 0, Checks = 0, Kernels = 0;
  std::map<std::string, unsigned> Findings;
};

/// The child's way to say what it is at and what it found.
void tell(int FD, const Twine &Line) {
  std::string Text = (Line + "\n").str();
  if (write(FD, Text.data(), Text.size()) < 0)
    _exit(3);
}

std::string oneLine(StringRef Text) {
  std::string Result;
  for (char C : Text.take_back(400))
    Result += C == '\n' || C == '\t' ? ' ' : C;
  return Result;
}

/// Processor time, with a wide margin of real time for what sleeps.
void startClock(unsigned Limit) {
  itimerval T = {{0, 0}, {static_cast<time_t>(Limit), 0}};
  setitimer(ITIMER_PROF, &T, nullptr);
  alarm(Limit * 12);
}

/// In the child: everything from check \p First on.
[[noreturn]] void work(int FD, StringRef Path, ArrayRef<Check> Checks,
                       size_t First, PassPlugin &Plugin) {
  auto Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer) {
    tell(FD, "F\tunreadable\t" + Buffer.getError().message());
    _exit(0);
  }
  startClock(Seconds);
  if (First == 0) {
    Outcome O = readModule(**Buffer);
    if (!O.Finding.empty()) {
      tell(FD, "F\tunreadable\t" + oneLine(O.Detail));
      _exit(0);
    }
    tell(FD, "R");
  }
  for (size_t I = First; I < Checks.size(); ++I) {
    tell(FD, "S\t" + Twine(I));
    startClock(Seconds);
    Outcome O = runCheck(Checks[I], **Buffer, Plugin, [&] {
      tell(FD, "O");
      startClock(Seconds);
    });
    if (O.Kernels)
      tell(FD, "K\t" + Twine(O.Kernels));
    if (!O.Finding.empty())
      tell(FD, "F\t" + O.Finding + "\t" + oneLine(O.Detail));
  }
  tell(FD, "E");
  _exit(0);
}

/// What a child said, and how it ended.
struct Answer {
  std::string Text, Errors;
  int Status = 0;
};

std::string readAll(FILE *F) {
  std::string Text;
  char Chunk[4096];
  rewind(F);
  while (size_t N = fread(Chunk, 1, sizeof(Chunk), F))
    Text.append(Chunk, N);
  return Text;
}

Answer runChild(StringRef Path, ArrayRef<Check> Checks, size_t First,
                PassPlugin &Plugin) {
  FILE *Said = tmpfile(), *Errors = tmpfile();
  if (!Said || !Errors)
    report_fatal_error("no temporary files", /*gen_crash_diag=*/false);
  outs().flush();
  pid_t Child = fork();
  if (Child < 0)
    report_fatal_error("cannot fork", /*gen_crash_diag=*/false);
  if (Child == 0) {
    rlimit None = {0, 0};
    setrlimit(RLIMIT_CORE, &None);
    // Printers write there; messages are what a crash leaves behind.
    if (!freopen("/dev/null", "w", stdout) || dup2(fileno(Errors), 2) < 0)
      _exit(3);
    work(fileno(Said), Path, Checks, First, Plugin);
  }
  Answer A;
  waitpid(Child, &A.Status, 0);
  A.Text = readAll(Said);
  A.Errors = readAll(Errors);
  fclose(Said);
  fclose(Errors);
  return A;
}

/// How a child died, if it did not say that it reached the end.
std::string nameDeath(const Answer &A) {
  if (WIFSIGNALED(A.Status)) {
    int Signal = WTERMSIG(A.Status);
    if (Signal == SIGPROF || Signal == SIGALRM)
      return "hang";
  }
  if (StringRef(A.Errors).contains("Broken module") ||
      StringRef(A.Errors).contains("Broken function"))
    return "verifier";
  return "crash";
}

class Runner {
public:
  Runner(PassPlugin &Plugin, std::vector<Check> Checks)
      : Plugin(Plugin), Checks(std::move(Checks)) {}

  void runFile(StringRef Path, bool WithHooks) {
    ++C.Files;
    std::vector<Check> ForFile;
    for (const Check &K : Checks)
      if (K.M != Check::Hooked || WithHooks)
        ForFile.push_back(K);
    for (size_t First = 0; First < ForFile.size();)
      First = runFrom(Path, ForFile, First);
    outs().flush();
  }

  bool summarize() const {
    outs() << C.Files << " files, " << C.Unreadable << " unreadable, "
           << C.Checks << " checks, " << C.Baseline
           << " left out since LLVM's own passes fail, " << C.Kernels
           << " kernels transformed\n";
    unsigned Total = 0;
    for (StringRef Word : {"crash", "hang", "verifier", "changed",
                           "not-idempotent", "unreported", "remarks"}) {
      auto It = C.Findings.find(Word.str());
      unsigned N = It == C.Findings.end() ? 0 : It->second;
      outs() << (Total || Word != "crash" ? ", " : "") << Word << ": " << N;
    }
    outs() << '\n';
    for (const auto &[Word, N] : C.Findings)
      Total += N;
    return Total == 0 && C.Files > C.Unreadable;
  }

private:
  void found(StringRef Path, const Check &K, StringRef Word, StringRef Detail) {
    ++C.Findings[Word.str()];
    outs() << Path << '\t' << Word << '\t' << K.Pipeline << '\t'
           << oneLine(Detail) << '\n';
  }

  /// How far a child came.
  struct Progress {
    size_t At = 0;
    bool IsRead = false, IsStarted = false, OwnPassesDone = false,
         Ended = false;
  };

  Progress evaluate(StringRef Path, ArrayRef<Check> ForFile, const Answer &A) {
    Progress P;
    SmallVector<StringRef, 32> Lines;
    StringRef(A.Text).split(Lines, '\n', -1, /*KeepEmpty=*/false);
    for (StringRef Line : Lines) {
      auto [Kind, Rest] = Line.split('\t');
      unsigned N = 0;
      if (Kind == "R") {
        P.IsRead = true;
      } else if (Kind == "S" && !Rest.getAsInteger(10, P.At)) {
        ++C.Checks;
        P.IsStarted = true;
        P.OwnPassesDone = false;
      } else if (Kind == "O") {
        P.OwnPassesDone = true;
      } else if (Kind == "K" && !Rest.getAsInteger(10, N)) {
        C.Kernels += N;
      } else if (Kind == "E") {
        P.Ended = true;
      } else if (Kind == "F" && P.IsStarted) {
        auto [Word, Detail] = Rest.split('\t');
        found(Path, ForFile[P.At], Word, Detail);
      }
    }
    return P;
  }

  /// Returns the check to go on with.
  size_t runFrom(StringRef Path, ArrayRef<Check> ForFile, size_t First) {
    Answer A = runChild(Path, ForFile, First, Plugin);
    Progress P = evaluate(Path, ForFile, A);
    if (P.Ended)
      return ForFile.size();
    if (!P.IsStarted) {
      ++C.Unreadable;
      return ForFile.size();
    }
    if (P.OwnPassesDone) {
      found(Path, ForFile[P.At], nameDeath(A), A.Errors);
      return P.At + 1;
    }
    // Where LLVM's own passes fail, nothing of the plugin can be judged.
    ++C.Baseline;
    return ForFile[P.At].M == Check::Baseline ? ForFile.size() : P.At + 1;
  }

  PassPlugin &Plugin;
  std::vector<Check> Checks;
  Counts C;
};

} // namespace

int main(int argc, char **argv) {
  // No handlers for crashes: the parent sees the signal.
  InitializeAllTargets();
  InitializeAllTargetMCs();
  InitializeAllTargetInfos();
  cl::ParseCommandLineOptions(argc, argv,
                              "Runs every pass of the plugin over IR files\n");
  Expected<PassPlugin> Plugin = PassPlugin::Load(PluginFile);
  if (!Plugin) {
    errs() << "dl-foreign: " << toString(Plugin.takeError()) << '\n';
    return 1;
  }
  auto List = MemoryBuffer::getFileOrSTDIN(ListFile);
  if (!List) {
    errs() << "dl-foreign: " << ListFile << ": " << List.getError().message()
           << '\n';
    return 1;
  }
  std::vector<Check> Checks = getChecks();
  erase_if(Checks, [](const Check &K) {
    return K.M != Check::Baseline && !StringRef(K.Pipeline).contains(Only);
  });
  Runner R(*Plugin, std::move(Checks));
  unsigned Number = 0;
  for (line_iterator Line(**List); !Line.is_at_eof(); ++Line)
    R.runFile(*Line, HookedEvery && Number++ % HookedEvery == 0);
  return R.summarize() ? 0 : 1;
}
