//===- Compilers.h - Where plugin and compilers are -------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Finds the plugin that came with this program, and a compiler of an LLVM that
/// there is a plugin for.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_UTILS_DLCC_COMPILERS_H
#define DLOPT_UTILS_DLCC_COMPILERS_H

#include <filesystem>
#include <string>
#include <vector>

namespace dlcc {

/// The plugin, as it lies on this machine.
struct Plugin {
  std::filesystem::path Loader; ///< what compilers are given; empty if missing
  std::vector<int> Majors;      ///< of LLVM, the newest first
};

/// Looks where a build or an installation has the plugin of the program \p
/// Self.
Plugin findPlugin(const std::filesystem::path &Self);

/// A language that a compiler is for.
struct Language {
  const char *Wrapper;             ///< how this program is called for it
  const char *Variable;            ///< what names another compiler
  std::vector<const char *> Names; ///< of the compiler, without a version
  const char *Package;             ///< of Debian, without the version
};

/// The language that this program was called for by the name \p Name.
const Language &languageOf(const std::string &Name);

/// The words of a command that compiles, the first one a file; or, if there is
/// none, why.
struct Compiler {
  std::vector<std::string> Words;
  std::string Error;
};

Compiler findCompiler(const Language &L, const Plugin &P,
                      const std::filesystem::path &Self);

/// The file that a shell would run for \p Name; empty without one.
std::filesystem::path searchPath(const std::string &Name);

/// The major version of LLVM of a compiler: by where its file lies or what it
/// is called, else it is asked; 0 if it does not say.
int majorOf(const std::filesystem::path &Compiler);

/// What \p Program prints if it is run with \p Arguments, words of a shell.
std::string outputOf(const std::filesystem::path &Program,
                     const std::string &Arguments);

} // namespace dlcc

#endif // DLOPT_UTILS_DLCC_COMPILERS_H
