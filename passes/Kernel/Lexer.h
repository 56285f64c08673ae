//===- Lexer.h - Tokens of the textual form ---------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_KERNEL_LEXER_H
#define DLOPT_KERNEL_LEXER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace dlopt {

struct Token {
  enum Kind : uint8_t {
    Eof,
    Ident,   ///< keyword, operation, axis, local or let
    Percent, ///< %name
    At,      ///< @name
    Number,  ///< its spelling; a minus is a token of its own
    Word,    ///< a word of a kernel's first line behind the function
    Punct    ///< one character, or one of >= <= ==
  } K = Eof;
  std::string Text; ///< names without sigil and quotes
  unsigned Line = 0, Column = 0;
  /// Begins a line; lines that end inside parentheses or brackets go on.
  bool FirstOnLine = false;
  bool is(Kind Wanted, llvm::StringRef Spelling) const {
    return K == Wanted && Text == Spelling;
  }
};

/// "file:line:column: Message".
llvm::Error makeParseError(llvm::StringRef FileName, unsigned Line,
                           unsigned Column, const llvm::Twine &Message);

/// All tokens of \p Text, the last of kind Eof.
llvm::Expected<std::vector<Token>> tokenize(llvm::StringRef Text,
                                            llvm::StringRef FileName);

} // namespace dlopt

#endif // DLOPT_KERNEL_LEXER_H
