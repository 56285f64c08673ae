//===- Arguments.h - What a command line asks a compiler for ----*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads arguments of clang and flang as far as it takes to say whether code is
/// optimized, and whether a linker does so.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_UTILS_DLCC_ARGUMENTS_H
#define DLOPT_UTILS_DLCC_ARGUMENTS_H

#include <string>
#include <vector>

namespace dlcc {

/// What one call of a compiler does.
struct Steps {
  /// Sources or IR go through the optimizer.
  bool Compiles = false;
  /// Files are linked by lld, which optimizes what it links.
  bool LinksIR = false;
  /// Such a link keeps what it compiles for the next one.
  bool CachesIR = false;
  /// Options of the plugin (-mllvm -dl-...) are given: clang reads them in
  /// front of each step but the assembler's, and knows none without the plugin.
  bool HasOptions = false;
  /// The preprocessor's output of a source is all that is wanted.
  bool Preprocesses = false;
};

/// The steps of a call with \p Arguments, which are those behind the name of
/// the compiler. Response files are read where they stand.
Steps stepsOf(const std::vector<std::string> &Arguments);

} // namespace dlcc

#endif // DLOPT_UTILS_DLCC_ARGUMENTS_H
