//===- Lexer.cpp - Tokens of the textual form -----------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Lexer.h"
#include "dlopt/KernelText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;
using namespace dlopt;

Error dlopt::makeParseError(StringRef FileName, unsigned Line, unsigned Column,
                            const Twine &Message) {
  return createStringError(inconvertibleErrorCode(),
                           FileName + ":" + Twine(Line) + ":" + Twine(Column) +
                               ": " + Message);
}

namespace {

class Lexer {
public:
  Lexer(StringRef Text, StringRef FileName) : Text(Text), FileName(FileName) {}
  Expected<std::vector<Token>> run();

private:
  char peek(size_t Ahead = 0) const {
    return Pos + Ahead < Text.size() ? Text[Pos + Ahead] : '\0';
  }
  bool atEnd() const { return Pos >= Text.size(); }
  void newLine();
  /// Skips blanks and comments; true at the end of the text.
  bool skipBlanks();
  Error lexToken();
  Error lexString(std::string &Result);
  void lexNumber();
  /// The rest of a kernel's first line.
  Error lexHeaderWords();
  Token &add(Token::Kind K);
  template <typename PredT> void takeWhile(std::string &Into, PredT Pred) {
    while (!atEnd() && Pred(Text[Pos]))
      Into += Text[Pos++];
  }
  /// A name ends in front of the two points between bounds.
  template <typename PredT> void takeName(std::string &Into, PredT Pred) {
    while (!atEnd() && Pred(Text[Pos]) && !(peek() == '.' && peek(1) == '.'))
      Into += Text[Pos++];
  }
  Error error(const Twine &Message) const {
    return makeParseError(FileName, Line, column(), Message);
  }
  unsigned column() const { return static_cast<unsigned>(Pos - LineStart) + 1; }

  StringRef Text, FileName;
  size_t Pos = 0, LineStart = 0;
  unsigned Line = 1, Nesting = 0;
  bool LineIsEmpty = true, InHeader = false;
  std::vector<Token> Tokens;
};

} // namespace

void Lexer::newLine() {
  ++Pos;
  ++Line;
  LineStart = Pos;
  LineIsEmpty = true;
}

bool Lexer::skipBlanks() {
  while (!atEnd()) {
    char C = Text[Pos];
    if (C == '\n') {
      if (InHeader)
        return false;
      newLine();
    } else if (C == '#' || (C == ';' && LineIsEmpty)) {
      // A semicolon inside a line separates the buffers of disjoint().
      while (!atEnd() && Text[Pos] != '\n')
        ++Pos;
    } else if (C == ' ' || C == '\r' || C == '\t') {
      ++Pos;
    } else {
      return false;
    }
  }
  return true;
}

Token &Lexer::add(Token::Kind K) {
  Token T;
  T.K = K;
  T.Line = Line;
  T.Column = column();
  T.FirstOnLine = LineIsEmpty && Nesting == 0;
  LineIsEmpty = false;
  Tokens.push_back(std::move(T));
  return Tokens.back();
}

Error Lexer::lexString(std::string &Result) {
  ++Pos;
  while (peek() != '"') {
    char C = peek();
    if (atEnd() || C == '\n')
      return error("expected '\"' at the end of a quoted name");
    if (C == '\\') {
      if (!isHexDigit(peek(1)) || !isHexDigit(peek(2)))
        return error("expected two hexadecimal digits after '\\'");
      C = static_cast<char>(hexDigitValue(peek(1)) * 16 +
                            hexDigitValue(peek(2)));
      Pos += 2;
    }
    Result += C;
    ++Pos;
  }
  ++Pos;
  return Error::success();
}

void Lexer::lexNumber() {
  Token &T = add(Token::Number);
  bool IsHex = peek() == '0' && toLower(peek(1)) == 'x';
  char Exponent = IsHex ? 'p' : 'e';
  while (isAlnum(peek()) || (peek() == '.' && peek(1) != '.') ||
         ((peek() == '+' || peek() == '-') && !T.Text.empty() &&
          toLower(T.Text.back()) == Exponent))
    T.Text += Text[Pos++];
}

Error Lexer::lexHeaderWords() {
  InHeader = true;
  while (!skipBlanks() && Text[Pos] != '\n') {
    Token &T = add(Token::Word);
    if (Text[Pos] == '"') {
      if (Error E = lexString(T.Text))
        return E;
      // A quoted word is a location, whatever it holds.
      T.Text.insert(0, ":");
      continue;
    }
    takeWhile(T.Text, [](char C) { return !isSpace(C); });
  }
  InHeader = false;
  return Error::success();
}

Error Lexer::lexToken() {
  char C = Text[Pos];
  if (isBareNameStart(C)) {
    Token &T = add(Token::Ident);
    takeName(T.Text, isBareNameChar);
    return Error::success();
  }
  if (isDigit(C)) {
    lexNumber();
    return Error::success();
  }
  if (C == '%' || C == '@') {
    Token &T = add(C == '%' ? Token::Percent : Token::At);
    ++Pos;
    if (peek() == '"') {
      if (Error E = lexString(T.Text))
        return E;
    } else {
      takeName(T.Text, isSigilNameChar);
      if (T.Text.empty())
        return error("expected a name");
    }
    size_t N = Tokens.size();
    if (N >= 3 && C == '@' && Tokens[N - 3].FirstOnLine &&
        Tokens[N - 3].is(Token::Ident, "kernel"))
      return lexHeaderWords();
    return Error::success();
  }
  bool IsRange = C == '.' && peek(1) == '.';
  if (!IsRange && !StringRef("()[]<>=+-*,;:").contains(C))
    return error("expected a token of the kernel language");
  Token &T = add(Token::Punct);
  T.Text = C;
  ++Pos;
  if (IsRange || (StringRef("<>=").contains(C) && peek() == '=')) {
    T.Text += IsRange ? '.' : '=';
    ++Pos;
  }
  if (C == '(' || C == '[')
    ++Nesting;
  if ((C == ')' || C == ']') && Nesting > 0)
    --Nesting;
  return Error::success();
}

Expected<std::vector<Token>> Lexer::run() {
  while (!skipBlanks())
    if (Error E = lexToken())
      return std::move(E);
  Nesting = 0;
  LineIsEmpty = true;
  add(Token::Eof);
  return std::move(Tokens);
}

Expected<std::vector<Token>> dlopt::tokenize(StringRef Text,
                                             StringRef FileName) {
  return Lexer(Text, FileName).run();
}
