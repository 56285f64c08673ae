//===- Compilers.cpp - Where plugin and compilers are ---------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The order in which compilers are looked for is the one of docs/builds.md:
/// what somebody has named; then, for each plugin that is here, the newest
/// first, the compiler of its version beside this program, where Debian has it,
/// and on PATH with the version in its name; last what PATH has without one.
///
/// A compiler tells its version by its path as nearly all are installed, which
/// takes no time; to ask it takes as long as a small compilation.
///
//===----------------------------------------------------------------------===//
#include "Compilers.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <unistd.h>

using namespace dlcc;
namespace fs = std::filesystem;

namespace {

const Language Languages[] = {
    {"dlcc", "DLOPT_CC", {"clang"}, "clang"},
    {"dl++", "DLOPT_CXX", {"clang++"}, "clang"},
    {"dlfc", "DLOPT_FC", {"flang", "flang-new"}, "flang"}};

bool isProgram(const fs::path &File) {
  std::error_code Error;
  return fs::is_regular_file(File, Error) && access(File.c_str(), X_OK) == 0;
}

/// The number at the end of \p Text behind \p Before and a dash, or 0.
int numberBehind(const std::string &Text, const std::string &Before) {
  size_t Dash = Text.rfind('-');
  if (Dash == Text.npos || Text.compare(0, Dash, Before) != 0)
    return 0;
  return std::atoi(Text.c_str() + Dash + 1);
}

/// What \p File says if it is asked for its version, in which programs of LLVM
/// have "version N.".
int askForMajor(const fs::path &File) {
  std::string Text = outputOf(File, "--version");
  size_t At = Text.find("version ");
  bool IsLLVM =
      Text.find("clang") != Text.npos || Text.find("flang") != Text.npos;
  return IsLLVM && At != Text.npos ? std::atoi(Text.c_str() + At + 8) : 0;
}

std::string join(const std::vector<int> &Numbers) {
  std::string Text;
  for (int N : Numbers)
    Text += (Text.empty() ? "" : ", ") + std::to_string(N);
  return Text;
}

std::string kindOf(int Major) {
  return Major ? "of LLVM " + std::to_string(Major) : "no compiler of LLVM";
}

/// The compiler that the variable of \p L names, in front of whose name there
/// may be programs that run it.
Compiler namedCompiler(const Language &L, const char *Value, const Plugin &P) {
  Compiler C;
  std::istringstream Words(Value);
  // A path with blanks is one word, if there is such a file.
  if (isProgram(Value))
    C.Words.push_back(Value);
  else
    for (std::string Word; Words >> Word;)
      C.Words.push_back(Word);
  auto Fail = [&](const std::string &Message) {
    return Compiler{{}, L.Variable + (" names " + Message)};
  };
  if (C.Words.empty())
    return Fail("nothing");
  for (std::string &Word : C.Words) {
    fs::path File = Word;
    if (Word.find('/') == Word.npos)
      File = searchPath(Word);
    if (!isProgram(File))
      return Fail(Word + ", and there is no such program");
    Word = File.string();
  }
  int Major = majorOf(C.Words.back());
  if (!std::count(P.Majors.begin(), P.Majors.end(), Major))
    return Fail(C.Words.back() + ", which is " + kindOf(Major) +
                "; there is a plugin for LLVM " + join(P.Majors));
  return C;
}

} // namespace

Plugin dlcc::findPlugin(const fs::path &Self) {
  Plugin P;
  fs::path Folder = Self.parent_path().parent_path();
  for (const char *Library : {"lib", "lib/dlopt"}) {
    fs::path Loader = Folder / Library / "libDLOpt.so";
    std::error_code Error;
    if (!fs::exists(Loader, Error))
      continue;
    P.Loader = Loader;
    for (const auto &Entry : fs::directory_iterator(Folder / Library, Error))
      if (Entry.path().extension() == ".so")
        if (int Major = numberBehind(Entry.path().stem(), "libDLOpt"))
          P.Majors.push_back(Major);
    std::sort(P.Majors.rbegin(), P.Majors.rend());
    break;
  }
  return P;
}

const Language &dlcc::languageOf(const std::string &Name) {
  auto Has = [&](const char *Part) { return Name.find(Part) != Name.npos; };
  if (Has("dlfc") || Has("flang") || Has("fortran"))
    return Languages[2];
  return Languages[Has("++")];
}

fs::path dlcc::searchPath(const std::string &Name) {
  const char *Path = std::getenv("PATH");
  std::istringstream Folders(Path ? Path : "");
  for (std::string Folder; std::getline(Folders, Folder, ':');) {
    fs::path File = fs::path(Folder.empty() ? "." : Folder) / Name;
    if (isProgram(File))
      return File;
  }
  return {};
}

std::string dlcc::outputOf(const fs::path &Program,
                           const std::string &Arguments) {
  std::string Command = "'", Text;
  for (char C : Program.string())
    Command += C == '\'' ? std::string("'\\''") : std::string(1, C);
  FILE *Pipe =
      popen((Command + "' " + Arguments + " 2>/dev/null").c_str(), "r");
  if (!Pipe)
    return "";
  char Block[512];
  while (size_t Size = fread(Block, 1, sizeof(Block), Pipe))
    Text.append(Block, Size);
  pclose(Pipe);
  return Text;
}

int dlcc::majorOf(const fs::path &Compiler) {
  std::error_code Error;
  fs::path Real = fs::canonical(Compiler, Error);
  if (Error)
    return 0;
  for (const char *Name : {"clang", "clang++", "flang", "flang-new"})
    if (int Major = numberBehind(Real.filename(), Name))
      return Major;
  for (const fs::path &Part : Real)
    if (int Major = numberBehind(Part, "llvm"))
      return Major;
  return askForMajor(Real);
}

Compiler dlcc::findCompiler(const Language &L, const Plugin &P,
                            const fs::path &Self) {
  if (const char *Value = std::getenv(L.Variable))
    return namedCompiler(L, Value, P);
  // Where this program is called clang, it is no compiler all the same.
  auto IsOther = [&](const fs::path &File) {
    std::error_code Error;
    return isProgram(File) && !fs::equivalent(File, Self, Error);
  };
  for (int Major : P.Majors)
    for (const std::string Name : L.Names) {
      std::string Number = std::to_string(Major), Full = Name + "-" + Number;
      for (const fs::path &File :
           {Self.parent_path() / Full,
            fs::path("/usr/lib/llvm-" + Number + "/bin") / Name,
            searchPath(Full)})
        if (IsOther(File))
          return {{File.string()}, ""};
    }
  std::string Seen;
  for (const std::string Name : L.Names)
    for (const fs::path &File : {Self.parent_path() / Name, searchPath(Name)}) {
      if (!IsOther(File))
        continue;
      int Major = majorOf(File);
      if (std::count(P.Majors.begin(), P.Majors.end(), Major))
        return {{File.string()}, ""};
      Seen = " (" + File.string() + " is " + kindOf(Major) + ")";
    }
  return {{},
          std::string("no ") + L.Names[0] + " of LLVM " + join(P.Majors) +
              " here" + Seen + ": install " + L.Package + "-" +
              std::to_string(P.Majors.front()) + ", or name one in " +
              L.Variable};
}
