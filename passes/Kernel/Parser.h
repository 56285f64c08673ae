//===- Parser.h - Text to kernels -------------------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A recursive-descent parser; docs/kernel-model.md has the grammar. Functions
/// that parse return true on an error, which is then in TheError.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_KERNEL_PARSER_H
#define DLOPT_KERNEL_PARSER_H

#include "Lexer.h"
#include "dlopt/Kernel.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"

namespace dlopt {

class Parser {
public:
  Parser(std::vector<Token> Tokens, llvm::StringRef FileName)
      : Tokens(std::move(Tokens)), FileName(FileName) {}
  /// Of a part, at a place in \p Known; the first token is passed by.
  Parser(Kernel &Known, llvm::ArrayRef<const Node *> Path,
         std::vector<Token> Ts);
  llvm::Expected<std::vector<std::unique_ptr<Kernel>>> run();

  // ParseParts.cpp.
  template <typename T>
  static llvm::Expected<T>
  parsePart(Kernel &K, llvm::ArrayRef<const Node *> Path, llvm::StringRef Text,
            bool (Parser::*Parse)(T &));
  bool parsePartAccess(Access &X);
  bool parsePartPolys(std::vector<Poly> &Ps);
  bool parsePartConstraints(std::vector<Constraint> &Cs);
  bool parsePartCases(llvm::SmallVector<NumberCase, 0> &Cases);

private:
  // Tokens.
  const Token &peek(unsigned Ahead = 0) const {
    return Tokens[std::min(Pos + Ahead, Tokens.size() - 1)];
  }
  Token take();
  bool atPunct(llvm::StringRef P, unsigned Ahead = 0) const {
    return peek(Ahead).is(Token::Punct, P) && !peek(Ahead).FirstOnLine;
  }
  bool takePunct(llvm::StringRef P);
  bool expectPunct(llvm::StringRef P);
  bool atWord(llvm::StringRef W) const { return peek().is(Token::Ident, W); }
  bool expectEndOfLine();
  /// Always true, so that `return error(...)` reads well.
  bool error(const llvm::Twine &Message) { return error(peek(), Message); }
  bool error(const Token &At, const llvm::Twine &Message);

  // Parser.cpp: kernels and trees.
  bool parseKernel();
  bool parseHeader();
  bool parseParams();
  bool parsePrivate(Buffer &B);
  bool parseBuffers();
  bool parseChildren(Node &N, unsigned Indent);
  bool parseBlock(Node &N, unsigned ParentIndent);
  bool parseLocals(Node &N);
  bool parseAxes(Node &N, unsigned Indent);
  bool parseAxis(Node &N);
  bool parseCase(Node &N);
  // ParserSchedule.cpp: how axes are run and where locals are.
  bool parseBounds(Axis &A);
  bool parseSchedule(AxisSchedule &S);
  bool parseSteps(AxisSchedule &S);
  bool parseScheduleSize(ScheduleSize &S, llvm::StringRef What, int64_t Most);
  bool atScheduleSize() const;
  bool parseNumber();
  bool parseCases(llvm::SmallVectorImpl<NumberCase> &Cases);
  bool parseLimit(AxisSchedule &S);
  void parsePlace(Buffer &B);
  bool parseSize(Poly &P);

  bool parseNeeds();
  bool parseNeed();
  bool parseType(ScalarType &Ty, bool *Signed = nullptr);
  bool declareBare(const Token &Name, bool IsAxis, uint32_t Id);
  /// Names may be declared again where those of before are out of scope. They
  /// stay known, so that the verifier can say what is wrong with a use.
  void leaveScope(size_t Mark);
  bool declareSigil(const Token &Name);

  // ParserPoly.cpp: polynomials and accesses.
  bool parsePoly(Poly &P);
  bool parsePolyTerm(Poly &P);
  bool parsePolyFactor(Poly &P);
  bool parseDivMod(Poly &P);
  bool parsePolyName(Poly &P);
  bool parsePolyList(llvm::SmallVectorImpl<Poly> &Ps, llvm::StringRef Close);
  bool parseConstraint(Constraint &C);
  bool parseInteger(int64_t &Value);
  /// At a % or bare name.
  bool parseAccess(Access &X);
  bool parseAligned(Access &X);
  bool parseSubscripts(Access &X);

  // ParserFunction.cpp: what bodies share.
  struct Function {
    /// Its first operations are in place of the arguments.
    Leaf Body;
    size_t NumArguments = 0;
    OpId Value = 0;
    ScalarType Ty = ScalarType::F32;
  };
  bool parseFunction();
  bool parseArguments(Function &F);
  bool parseInlined(Leaf &L, OpId &Id);

  // ParserBody.cpp: leaves.
  bool parseLocality(Leaf &L);
  bool parseDomain(Leaf &L);
  bool parseLeaf(Leaf &L, unsigned Indent);
  bool parseTargets(Leaf &L, bool &IsTuple);
  bool parseValues(Leaf &L, bool IsTuple);
  bool parseExpression(Leaf &L, std::optional<ScalarType> Expected, OpId &Id);
  bool parseName(Leaf &L, std::optional<ScalarType> Expected, OpId &Id);
  bool parseConstant(Op &O, std::optional<ScalarType> Expected);
  bool parseView(Leaf &L, std::optional<ScalarType> Expected, OpId &Id);
  bool parseOperation(Leaf &L, std::optional<ScalarType> Expected, OpId &Id);
  bool parseOperationName(Op &O);
  bool parseFlags(Op &O);
  bool parseFlag(Op &O);
  bool parseSuffix(ScalarType &Ty, std::optional<ScalarType> Default);

  std::vector<Token> Tokens;
  llvm::StringRef FileName;
  size_t Pos = 0;
  unsigned Depth = 0;
  llvm::Error TheError = llvm::Error::success();

  /// What belongs to the kernel being parsed.
  struct BareName {
    bool IsAxis;
    uint32_t Id;
    bool InScope = true;
  };
  std::unique_ptr<Kernel> Own;
  Kernel *K = nullptr;
  llvm::StringMap<ParamId> Params;
  llvm::StringMap<BufferId> Externals;
  llvm::StringMap<BareName> BareNames;
  /// Those in scope, in the order of the text.
  std::vector<std::string> Scope;
  llvm::StringMap<Function> Functions;
  /// Of the leaf, or of the function, being parsed.
  llvm::StringMap<OpId> Lets;
  /// Per buffer; the default is one dimension of stride 1.
  std::vector<llvm::SmallVector<Poly, 2>> DeclaredStrides;
};

} // namespace dlopt

#endif // DLOPT_KERNEL_PARSER_H
