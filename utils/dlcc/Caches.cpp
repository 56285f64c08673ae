//===- Caches.cpp - What compiler caches have to know ---------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Two ways to use a cache, and what each is told:
///
///   dlcc runs it (DLOPT_CC="ccache clang-22")   by the cache's environment
///   it runs dlcc ("ccache dlcc", launchers)     by what the preprocessor
///   prints
///
/// A cache that runs dlcc hashes the preprocessor's output, so there a pragma
/// has the state. It comes from a file that nobody but the compiler can open:
/// ccache remembers the files that a source includes, to do without the
/// preprocessor the next time, and does not where one is gone. It must not, as
/// it would not see DLOPT_OPTIONS. The compilation itself has no such file, so
/// objects are those of a build without cache.
///
//===----------------------------------------------------------------------===//
#include "Caches.h"
#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace dlcc;
namespace fs = std::filesystem;

namespace {

/// An option of LLVM that takes any text and only matters to passes that draw
/// graphs. lld's cache of ThinLTO knows options of LLVM, but no plugins.
constexpr char IdleOption[] = "-cfg-func-name=dlopt.";

/// A descriptor that no cache has open itself.
constexpr int MarkerFile = 887;

/// When a file was written, and its size.
std::string stampOf(const std::string &File) {
  struct stat S;
  if (stat(File.c_str(), &S) != 0)
    return File + " missing";
  return File + " " + std::to_string(S.st_size) + " " +
         std::to_string(S.st_mtim.tv_sec) + "." +
         std::to_string(S.st_mtim.tv_nsec);
}

/// Adds stamps of the files that options in \p Text name, "tuned=FILE;...".
void addNamedFiles(std::string_view Text, std::string &State) {
  for (std::string_view Key : {"tuned=", "deny="})
    for (size_t At = Text.find(Key); At != Text.npos;
         At = Text.find(Key, At + 1)) {
      std::string_view File = Text.substr(At + Key.size());
      State += "; " + stampOf(std::string(File.substr(0, File.find(';'))));
    }
}

const char *environment(const char *Name) {
  const char *Value = std::getenv(Name);
  return Value ? Value : "";
}

bool isCache(const std::string &Name) {
  return Name == "ccache" || Name == "sccache";
}

bool isDistributor(const std::string &Name) {
  return Name == "distcc" || Name == "icecc";
}

/// The cache or distributor that has started this program, maybe through
/// scripts.
fs::path findStarter() {
  std::string Process = std::to_string(getppid());
  for (int Depth = 0; Depth != 4; ++Depth) {
    std::error_code Error;
    fs::path Program = fs::read_symlink("/proc/" + Process + "/exe", Error);
    std::string Name = Program.filename();
    if (isCache(Name) || isDistributor(Name))
      return Program;
    // "12 (a name) S 7 ...", where the last number is that of the parent.
    std::ifstream File("/proc/" + Process + "/stat");
    std::string Stat, State;
    std::getline(File, Stat);
    size_t Behind = Stat.rfind(')');
    if (Behind == Stat.npos)
      break;
    std::istringstream(Stat.substr(Behind + 1)) >> State >> Process;
  }
  return {};
}

/// A header that \p State stands in, as a path that this process can open, and
/// what it becomes. Empty if there cannot be one.
std::string makeMarker(const std::string &State) {
  // Nobody warns of a pragma in a header of the system, should the
  // preprocessor's output be compiled.
  std::string Text = "#pragma GCC system_header\n#pragma dlopt \"";
  for (char C : State)
    Text += C == '"' || C == '\\' || C == '\n' ? '_' : C;
  Text += "\"\n";
  int File = memfd_create("dlopt", 0);
  if (File < 0 || dup2(File, MarkerFile) < 0 ||
      write(MarkerFile, Text.data(), Text.size()) != ssize_t(Text.size()))
    return "";
  close(File);
  return "/proc/self/fd/" + std::to_string(MarkerFile);
}

} // namespace

std::string dlcc::stateOf(const Plugin &P, const Compiler &C,
                          const std::vector<std::string> &Arguments) {
  std::string State = stampOf(P.Loader);
  for (int Major : P.Majors)
    State += "; " + stampOf((P.Loader.parent_path() /
                             ("libDLOpt-" + std::to_string(Major) + ".so"))
                                .string());
  if (!C.Words.empty())
    State += "; " + stampOf(C.Words.back());
  for (const char *Name : {"DLOPT_OPTIONS", "DLOPT_LIMIT"})
    State += std::string("; ") + Name + "=" + environment(Name);
  addNamedFiles(environment("DLOPT_OPTIONS"), State);
  for (const std::string &A : Arguments)
    if (A.compare(0, 4, "-dl-") == 0)
      addNamedFiles(A, State);
  return State;
}

std::string dlcc::tellCache(const std::string &State, const Compiler &C,
                            const Steps &S, std::vector<std::string> &Added) {
  std::string Runner;
  if (C.Words.size() > 1)
    Runner = fs::path(C.Words[C.Words.size() - 2]).filename();
  if (Runner == "ccache")
    setenv("CCACHE_COMPILERCHECK", ("string:" + State).c_str(), 1);
  if (Runner == "sccache")
    setenv("SCCACHE_C_CUSTOM_CACHE_BUSTER", State.c_str(), 1);
  if (S.CachesIR)
    for (const std::string &Word :
         {std::string("-mllvm"),
          IdleOption + std::to_string(std::hash<std::string>()(State))}) {
      Added.push_back("-Xlinker");
      Added.push_back(Word);
    }
  if (!S.Compiles && !S.Preprocesses)
    return "";

  fs::path Starter = findStarter();
  std::string Name = Starter.filename();
  if (*environment("DLOPT_OPTIONS") &&
      (isDistributor(Runner) || isDistributor(Name)))
    return "DLOPT_OPTIONS does not reach the machines of " +
           (isDistributor(Runner) ? Runner : Name) +
           ": give options as -mllvm -dl-...";
  if (!isCache(Name))
    return "";
  // Who has ccache ask for the state can have it remember files, too.
  if (Name == "ccache" &&
      outputOf(Starter, "--get-config compiler_check").find("--dl-state") !=
          std::string::npos)
    return "";
  if (S.Compiles)
    return Name == "ccache" &&
                   outputOf(Starter, "--get-config depend_mode") == "true\n"
               ? "ccache does not see DLOPT_OPTIONS in its depend mode: set "
                 "CCACHE_COMPILERCHECK='%compiler% --dl-state'"
               : "";
  std::string Marker = makeMarker(State);
  if (Marker.empty())
    return "the cache cannot be told what objects depend on";
  Added.push_back("-include");
  Added.push_back(Marker);
  return "";
}
