//===- Arguments.cpp - What a command line asks a compiler for ------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A call has steps for each input file, up to the last one that is asked for:
/// by -E, -M and -MM the preprocessor, by -fsyntax-only and the like the
/// frontend, by -S and -c one file of code, else a program. Neither
/// preprocessor nor assembler optimize, and headers are only read, so a call
/// that has nothing else gets no plugin: it could only fail there, or take
/// time.
///
//===----------------------------------------------------------------------===//
#include "Arguments.h"
#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <set>
#include <string_view>

using namespace dlcc;

namespace {

using Strings = std::vector<std::string>;

/// Options whose value is the next argument, if nothing is behind their name.
const std::set<std::string_view> WithValue = {"-A",
                                              "-B",
                                              "-D",
                                              "-F",
                                              "-G",
                                              "-I",
                                              "-J",
                                              "-L",
                                              "-MF",
                                              "-MJ",
                                              "-MQ",
                                              "-MT",
                                              "-T",
                                              "-Tbss",
                                              "-Tdata",
                                              "-Ttext",
                                              "-U",
                                              "-Xanalyzer",
                                              "-Xassembler",
                                              "-Xclang",
                                              "-Xclangas",
                                              "-Xcuda-fatbinary",
                                              "-Xcuda-ptxas",
                                              "-Xflang",
                                              "-Xlinker",
                                              "-Xoffload-linker",
                                              "-Xopenmp-target",
                                              "-Xpreprocessor",
                                              "-analyzer-output",
                                              "--analyzer-output",
                                              "-arch",
                                              "-arch_only",
                                              "-b",
                                              "-bundle_loader",
                                              "-client_name",
                                              "-compatibility_version",
                                              "-current_version",
                                              "-cxx-isystem",
                                              "-darwin-target-variant",
                                              "-dependency-dot",
                                              "-dependency-file",
                                              "-dumpdir",
                                              "-dylib_file",
                                              "-e",
                                              "-exported_symbols_list",
                                              "-filelist",
                                              "-force_load",
                                              "-framework",
                                              "-gcc-toolchain",
                                              "-hlsl-entry",
                                              "-iapinotes-modules",
                                              "-idirafter",
                                              "-iframework",
                                              "-iframeworkwithsysroot",
                                              "-imacros",
                                              "-image_base",
                                              "-include",
                                              "-include-pch",
                                              "-init",
                                              "-install_name",
                                              "-iprefix",
                                              "-iquote",
                                              "-isysroot",
                                              "-isystem",
                                              "-isystem-after",
                                              "-ivfsoverlay",
                                              "-iwithprefix",
                                              "-iwithprefixbefore",
                                              "-iwithsysroot",
                                              "-l",
                                              "-meabi",
                                              "-mllvm",
                                              "-mmlir",
                                              "-module-dependency-dir",
                                              "-module-dir",
                                              "-mthread-model",
                                              "-o",
                                              "-read_only_relocs",
                                              "-resource-dir",
                                              "-rpath",
                                              "-sectalign",
                                              "-segalign",
                                              "-serialize-diagnostics",
                                              "--serialize-diagnostics",
                                              "-target",
                                              "-u",
                                              "-umbrella",
                                              "-undefined",
                                              "-unexported_symbols_list",
                                              "-vfsoverlay",
                                              "-weak_framework",
                                              "-weak_library",
                                              "-working-directory",
                                              "-x",
                                              "-z",
                                              "--config",
                                              "--language",
                                              "--output",
                                              "--param",
                                              "--prefix",
                                              "--sysroot",
                                              "--include-directory",
                                              "--define-macro",
                                              "--undefine-macro"};

/// Suffixes of what is compiled; all else goes to the assembler or the linker,
/// or is a header.
const std::set<std::string_view> Compiled = {
    // C and its relatives, and what the preprocessor has been over.
    "c", "i", "m", "mi", "C", "cc", "CC", "cp", "cpp", "CPP", "cxx", "CXX",
    "c++", "C++", "ii", "mm", "mii", "M", "cu", "cui", "hip", "cl", "clcpp",
    "cppm", "ccm", "cxxm", "c++m", "ixx", "iim",
    // IR.
    "ll", "bc",
    // Fortran.
    "f", "F", "for", "FOR", "ftn", "fpp", "FPP", "f77", "f90", "F90", "f95",
    "F95", "f03", "F03", "f08", "F08", "f18", "F18", "ff90", "fpp90", "cuf",
    "CUF"};

const std::set<std::string_view> Preprocess = {
    "-E", "--preprocess", "-M", "-MM", "--dependencies", "--user-dependencies"};

/// Nothing is optimized behind these, either.
const std::set<std::string_view> Frontend = {
    "-fsyntax-only",  "--syntax-only",
    "-fdriver-only",  "-verify-pch",
    "--analyze",      "-emit-ast",
    "-extract-api",   "--emit-extension-symbol-graphs",
    "-rewrite-objc",  "-module-file-info",
    "-fmodule-header"};

bool startsWith(std::string_view Text, std::string_view Start) {
  return Text.substr(0, Start.size()) == Start;
}

/// Adds what stands in the text of a response file to \p Out: words with quotes
/// and backslashes as a shell has them.
void splitWords(const std::string &Text, Strings &Out) {
  std::string Word;
  bool InWord = false;
  char Quote = 0;
  for (size_t I = 0; I != Text.size(); ++I) {
    char C = Text[I];
    if (!Quote && std::isspace(static_cast<unsigned char>(C))) {
      if (InWord)
        Out.push_back(Word);
      Word.clear();
      InWord = false;
      continue;
    }
    InWord = true;
    if (C == '\\' && Quote != '\'' && I + 1 != Text.size())
      Word += Text[++I];
    else if (!Quote && (C == '"' || C == '\''))
      Quote = C;
    else if (C == Quote)
      Quote = 0;
    else
      Word += C;
  }
  if (InWord)
    Out.push_back(Word);
}

/// Adds \p Arguments to \p Out, with those of response files in the place of
/// their names. A file that cannot be read is the compiler's to complain about.
void expand(const Strings &Arguments, unsigned Depth, Strings &Out) {
  for (const std::string &Argument : Arguments) {
    std::ifstream File;
    if (Argument.size() > 1 && Argument[0] == '@' && Depth < 16)
      File.open(Argument.substr(1), std::ios::binary);
    if (!File.is_open()) {
      Out.push_back(Argument);
      continue;
    }
    std::string Text((std::istreambuf_iterator<char>(File)), {});
    Strings Words;
    splitWords(Text, Words);
    expand(Words, Depth + 1, Out);
  }
}

/// Reads arguments in their order.
class Reader {
public:
  void read(const Strings &Arguments);
  Steps result() const;

private:
  /// Options that are words of their own, or have their value behind them.
  void option(std::string_view Option);
  void value(std::string_view Option, std::string_view Value);
  void input(std::string_view File);
  bool isOptimized(std::string_view File) const;

  std::string Language; ///< by -x, or nothing
  bool HasInput = false, HasSource = false;
  bool StopsEarly = false, Preprocesses = false, StopsBeforeLink = false;
  bool LTO = false, LLD = false;
  /// Of what the linker makes of it: lld knows plugins in its form for ELF.
  bool ELF = true;
  bool HasOptions = false, CachesIR = false;
  bool Internal = false; ///< the compiler calls itself
};

void Reader::read(const Strings &Arguments) {
  bool OnlyFiles = false;
  for (size_t I = 0; I != Arguments.size(); ++I) {
    std::string_view A = Arguments[I];
    if (OnlyFiles || A == "-" || A.empty() || A[0] != '-') {
      input(A);
    } else if (A == "--") {
      OnlyFiles = true;
    } else if (WithValue.count(A) || startsWith(A, "-Xarch_") ||
               startsWith(A, "-Xopenmp-target=") ||
               startsWith(A, "-Xoffload-linker-")) {
      if (++I != Arguments.size())
        value(A, Arguments[I]);
    } else {
      option(A);
      Internal |= I == 0 && (startsWith(A, "-cc1") || A == "-fc1");
    }
  }
}

void Reader::option(std::string_view O) {
  auto Joined = [&](std::string_view Name) { return startsWith(O, Name); };
  StopsBeforeLink |= O == "-c" || O == "-S" || O == "--compile" ||
                     O == "--assemble" || O == "--precompile" ||
                     O == "-emit-interface-stubs";
  Preprocesses |= Preprocess.count(O) != 0 || O == "--driver-mode=cpp";
  StopsEarly |= Frontend.count(O) != 0 || Joined("-fmodule-header=") ||
                Joined("-print-supported-") || Joined("-rewrite-");
  if (O == "-fno-lto" || O == "-flto" || Joined("-flto="))
    LTO = O != "-fno-lto";
  else if (Joined("-fuse-ld=") || Joined("--ld-path="))
    LLD = O.find("lld", O.find('=')) != O.npos;
  else if (Joined("--target="))
    value("-target", O.substr(O.find('=') + 1));
  else if (Joined("-Wl,"))
    value("-Xlinker", O.substr(4));
  else if (Joined("-mllvm="))
    value("-mllvm", O.substr(O.find('=') + 1));
  else if (Joined("-x"))
    value("-x", O.substr(2));
  else if (Joined("--language="))
    value("-x", O.substr(O.find('=') + 1));
}

void Reader::value(std::string_view O, std::string_view Value) {
  if (O == "-x" || O == "--language")
    Language = Value == "none" ? "" : Value;
  CachesIR |= O == "-Xlinker" && Value.find("cache-dir=") != Value.npos;
  HasOptions |= O == "-mllvm" && startsWith(Value, "-dl-");
  if (O == "-target")
    for (std::string_view Other : {"apple", "darwin", "windows", "mingw",
                                   "win32", "wasm", "cygwin", "aix"})
      ELF &= Value.find(Other) == Value.npos;
}

bool Reader::isOptimized(std::string_view File) const {
  if (Language.empty()) {
    size_t Dot = File.rfind('.');
    return Dot != File.npos && Compiled.count(File.substr(Dot + 1)) != 0;
  }
  auto Has = [&](std::string_view Part) {
    return Language.find(Part) != Language.npos;
  };
  return !Has("assembler") && !Has("-header") && Language != "pcm" &&
         Language != "ast";
}

void Reader::input(std::string_view File) {
  HasInput = true;
  HasSource |= isOptimized(File);
}

Steps Reader::result() const {
  Steps S;
  S.Preprocesses = Preprocesses && HasSource && !Internal;
  S.HasOptions = HasOptions && HasInput && !Internal;
  if (Internal || Preprocesses || StopsEarly || !HasInput)
    return S;
  S.Compiles = HasSource;
  S.LinksIR = LTO && LLD && ELF && !StopsBeforeLink;
  S.CachesIR = S.LinksIR && CachesIR;
  return S;
}

} // namespace

Steps dlcc::stepsOf(const Strings &Arguments) {
  Strings All;
  expand(Arguments, 0, All);
  Reader R;
  R.read(All);
  return R.result();
}
