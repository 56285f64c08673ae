//===- dlcc.cpp - Compilers with the plugin -------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// dlcc, dl++ and dlfc are clang, clang++ and flang with the plugin:
///
///   dlcc -O3 -c a.c       clang-22 -fpass-plugin=<...>/libDLOpt.so -O3 -c a.c
///
/// They find a compiler that there is a plugin for, put one argument in front
/// where code is optimized, leave all others as they are, and become that
/// compiler: its exit status and its signals are its own.
///
//===----------------------------------------------------------------------===//
#include "Arguments.h"
#include "Caches.h"
#include "Compilers.h"
#include "PluginDigest.h"
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace dlcc;
namespace fs = std::filesystem;

namespace {

/// Changes with the plugin: caches take this program for the compiler.
[[gnu::used]] const char Digest[] = "DLOpt plugin " DLOPT_PLUGIN_DIGEST;

const char Usage[] =
    R"(usage: %s ARGUMENT...

%s with the plugin DLOpt, which finds deep-learning kernels in loops and makes
them fast. All arguments are the compiler's, but for these:

  --dl-help      this text
  --dl-version   this program, its plugins, and the compiler that it runs
  --dl-plugin    the path of the plugin, for -fpass-plugin= and others
  --dl-state     what objects depend on beside source and arguments: for caches

Names of this program: dlcc (clang), dl++ (clang++), dlfc (flang).

environment:
  DLOPT_OPTIONS                 options of the plugin, as fp=fast;stack=64k
  DLOPT_CC, DLOPT_CXX, DLOPT_FC the compiler to run, and what runs it: "ccache
                                clang-22"; without: the newest one that there is a
                                plugin for
)";

int fail(const std::string &Name, const std::string &Message) {
  std::fprintf(stderr, "%s: %s\n", Name.c_str(), Message.c_str());
  return 1;
}

fs::path findSelf(const char *Name) {
  std::error_code Error;
  fs::path Self = fs::read_symlink("/proc/self/exe", Error);
  if (Error)
    Self = fs::canonical(
        std::strchr(Name, '/') ? fs::path(Name) : searchPath(Name), Error);
  return Self;
}

void printVersion(const Plugin &P, const Compiler &C) {
  std::printf("DLOpt %s\nplugin: %s for LLVM", DLOPT_VERSION, P.Loader.c_str());
  for (int Major : P.Majors)
    std::printf(" %d", Major);
  std::printf("\ncompiler: ");
  for (const std::string &Word : C.Words)
    std::printf("%s%s", &Word == &C.Words.front() ? "" : " ", Word.c_str());
  std::printf("%s\n", C.Error.c_str());
}

/// Becomes the compiler. Returns if that cannot be.
void execute(const Compiler &C, const std::vector<std::string> &Added,
             char **Arguments) {
  std::vector<char *> All;
  for (const std::vector<std::string> *Words : {&C.Words, &Added})
    for (const std::string &Word : *Words)
      All.push_back(const_cast<char *>(Word.c_str()));
  for (; *Arguments; ++Arguments)
    All.push_back(*Arguments);
  All.push_back(nullptr);
  execv(All[0], All.data());
}

} // namespace

int main(int Count, char **Words) {
  std::string Name = fs::path(Count ? Words[0] : "dlcc").filename();
  const Language &L = languageOf(Name);
  std::vector<std::string> Arguments(Words + (Count != 0), Words + Count);
  const std::string Own = Count == 2 ? Arguments[0] : "";
  if (Own == "--dl-help") {
    std::printf(Usage, Name.c_str(), L.Names[0]);
    return 0;
  }

  fs::path Self = findSelf(Count ? Words[0] : "dlcc");
  Plugin P = findPlugin(Self);
  if (P.Majors.empty())
    return fail(Name,
                "no plugin beside " + Self.string() + ": install DLOpt again");
  if (Own == "--dl-plugin") {
    std::puts(P.Loader.c_str());
    return 0;
  }
  Compiler C = findCompiler(L, P, Self);
  if (Own == "--dl-version") {
    printVersion(P, C);
    return 0;
  }
  if (!C.Error.empty())
    return fail(Name, C.Error);
  if (Own == "--dl-state") {
    std::puts(stateOf(P, C, {}).c_str());
    return 0;
  }
  for (const std::string &A : Arguments)
    if (A.compare(0, 5, "--dl-") == 0)
      return fail(Name, "unknown option " + A +
                            ", or one that stands alone; see --dl-help");

  std::vector<std::string> Added;
  Steps S = stepsOf(Arguments);
  if (S.Compiles || S.HasOptions)
    Added.push_back("-fpass-plugin=" + P.Loader.string());
  // clang before LLVM 22 reads -mllvm before it loads what passes are from.
  if (S.HasOptions && L.Package == std::string("clang") &&
      majorOf(C.Words.back()) < 22)
    Added.push_back("-fplugin=" + P.Loader.string());
  if (S.LinksIR) {
    Added.push_back("-Xlinker");
    Added.push_back("--load-pass-plugin=" + P.Loader.string());
  }
  std::string Error = tellCache(stateOf(P, C, Arguments), C, S, Added);
  if (!Error.empty())
    return fail(Name, Error);
  execute(C, Added, Words + (Count != 0));
  return fail(Name, C.Words[0] + " cannot be run: " + std::strerror(errno));
}
