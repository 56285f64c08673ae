//===- ParseParts.cpp - Parts of kernels from text ------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/ParseParts.h"
#include "Parser.h"
#include "dlopt/KernelText.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace dlopt;

bool dlopt::isBareName(StringRef Name) {
  return !Name.empty() && isBareNameStart(Name.front()) &&
         all_of(Name, isBareNameChar) && !isReservedWord(Name);
}

Parser::Parser(Kernel &Known, ArrayRef<const Node *> Path,
               std::vector<Token> Ts)
    : Tokens(std::move(Ts)), Pos(1), K(&Known) {
  DeclaredStrides.resize(K->Buffers.size());
  // Names as they are printed: of several that are equal each has its own.
  KernelText Text(*K);
  for (ParamId Id = 0; Id != K->Params.size(); ++Id)
    Params[Text.paramName(Id)] = Id;
  for (auto [Id, B] : enumerate(K->Buffers))
    if (!B.IsLocal)
      Externals[Text.bufferName(Id)] = static_cast<BufferId>(Id);
  for (const Node *N : Path) {
    if (N->K == Node::AxisNode)
      BareNames[K->Axes[N->Ax].Name] = BareName{/*IsAxis=*/true, N->Ax};
    for (BufferId B : N->Locals)
      BareNames[K->Buffers[B].Name] = BareName{/*IsAxis=*/false, B};
  }
}

/// The strides of the first access to \p B with \p Rank subscripts.
static SmallVector<Poly, 2> findStrides(const Kernel &K, BufferId B,
                                        size_t Rank) {
  SmallVector<Poly, 2> Strides;
  auto Visit = [&](const Access &X) {
    if (Strides.empty() && X.Buf == B && X.Subs.size() == Rank)
      Strides = X.Strides;
  };
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Op &O : L.Ops)
      if (O.K == Op::Load)
        Visit(O.Acc);
    for (const Assign &A : L.Assigns)
      Visit(A.Target);
  });
  return Strides;
}

bool Parser::parsePartAccess(Access &X) {
  // The number of subscripts is not known yet.
  size_t Start = Pos;
  Access Probe;
  Parser Ahead(*K, {}, Tokens);
  Ahead.BareNames = BareNames;
  Ahead.Pos = Pos;
  // What is wrong is said below.
  Ahead.parseAccess(Probe);
  consumeError(std::move(Ahead.TheError));
  if (Probe.Buf < K->Buffers.size() && !K->Buffers[Probe.Buf].IsLocal)
    DeclaredStrides[Probe.Buf] = findStrides(*K, Probe.Buf, Probe.Subs.size());
  Pos = Start;
  return parseAccess(X) || expectEndOfLine();
}

bool Parser::parsePartPolys(std::vector<Poly> &Ps) {
  do {
    if (parsePoly(Ps.emplace_back()))
      return true;
  } while (takePunct(","));
  return expectEndOfLine();
}

bool Parser::parsePartConstraints(std::vector<Constraint> &Cs) {
  do {
    if (parseConstraint(Cs.emplace_back()))
      return true;
  } while (takePunct(","));
  return expectEndOfLine();
}

bool Parser::parsePartCases(SmallVector<NumberCase, 0> &Cases) {
  return parseCases(Cases) || expectEndOfLine();
}

template <typename T>
Expected<T> Parser::parsePart(Kernel &K, ArrayRef<const Node *> Path,
                              StringRef Text, bool (Parser::*Parse)(T &)) {
  // What is parsed does not begin its line.
  Expected<std::vector<Token>> Tokens = tokenize(("at " + Text).str(), "");
  if (!Tokens)
    return Tokens.takeError();
  Parser P(K, Path, std::move(*Tokens));
  T Result;
  bool Failed = (P.*Parse)(Result);
  Error E = std::move(P.TheError);
  if (!Failed) {
    consumeError(std::move(E));
    return Result;
  }
  // Without the place, which is of no text that anybody sees.
  std::string Message = toString(std::move(E));
  return createStringError(StringRef(Message).split(": ").second);
}

Expected<Access> dlopt::parseAccess(Kernel &K, NodePath Path, StringRef Text) {
  return Parser::parsePart<Access>(K, Path, Text, &Parser::parsePartAccess);
}

Expected<std::vector<Poly>> dlopt::parsePolys(Kernel &K, NodePath Path,
                                              StringRef Text) {
  return Parser::parsePart<std::vector<Poly>>(K, Path, Text,
                                              &Parser::parsePartPolys);
}

Expected<std::vector<Constraint>>
dlopt::parseConstraints(Kernel &K, NodePath Path, StringRef Text) {
  return Parser::parsePart<std::vector<Constraint>>(
      K, Path, Text, &Parser::parsePartConstraints);
}

Expected<SmallVector<NumberCase, 0>> dlopt::parseCases(Kernel &K,
                                                       StringRef Text) {
  return Parser::parsePart<SmallVector<NumberCase, 0>>(K, {}, Text,
                                                       &Parser::parsePartCases);
}
