//===- ParserSchedule.cpp - Text to kernels: how they are run -------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Parser.h"
#include "dlopt/KernelText.h"

using namespace llvm;
using namespace dlopt;

/// "[" extent | begin ".." extent; several of one are min(...), max(...).
bool Parser::parseBounds(Axis &A) {
  auto ParseBound = [this](auto &Ps, StringRef Several) {
    if (!atWord(Several) || !atPunct("(", 1))
      return parsePoly(Ps.emplace_back());
    take();
    return expectPunct("(") || parsePolyList(Ps, ")");
  };
  if (atWord("max") && atPunct("(", 1)) {
    if (ParseBound(A.Begins, "max") || expectPunct(".."))
      return true;
    return ParseBound(A.Extents, "min");
  }
  if (ParseBound(A.Extents, "min"))
    return true;
  if (!atPunct(".."))
    return false;
  if (A.Extents.size() != 1)
    return error("expected max(...) in front of '..'");
  take();
  A.Begins.push_back(A.Extents.pop_back_val());
  return ParseBound(A.Extents, "min");
}

bool Parser::atScheduleSize() const {
  return !peek().FirstOnLine && (peek().K == Token::Number || atWord("vl"));
}

/// A number, or one times `vl`.
bool Parser::parseScheduleSize(ScheduleSize &S, StringRef What, int64_t Most) {
  std::optional<ScheduleSize> Size;
  if (atScheduleSize())
    Size = dlopt::parseScheduleSize(peek().Text, Most);
  if (!Size)
    return error("expected " + What);
  take();
  S = *Size;
  if (S.Scalable)
    K->getVLAtom();
  return false;
}

/// Behind "step".
bool Parser::parseSteps(AxisSchedule &S) {
  do {
    Token At = peek();
    ScheduleSize Size;
    if (parseScheduleSize(Size, "an integer of at least 1", INT64_MAX))
      return true;
    if (!S.Steps.empty() && !Size.isBelow(S.Steps.back()))
      return error(At, "expected sizes from the largest to the smallest");
    S.Steps.push_back(Size);
  } while (atScheduleSize());
  if ((atWord("rest") || atWord("over")) && !peek().FirstOnLine) {
    S.Overlaps = atWord("over");
    S.HasRest = !S.Overlaps;
    take();
  }
  return false;
}

/// CASE { "else" CASE }, the last one without a condition.
bool Parser::parseCases(SmallVectorImpl<NumberCase> &Cases) {
  bool IsLast = false;
  do {
    NumberCase &C = Cases.emplace_back();
    if (parsePoly(C.Value))
      return true;
    IsLast = !atWord("where");
    if (!IsLast) {
      take();
      do
        if (parseConstraint(C.Where.emplace_back()))
          return true;
      while (takePunct(","));
      if (!atWord("else"))
        return error("expected 'else'");
      take();
    }
  } while (!IsLast);
  return false;
}

/// "let" %NAME "=" cases "in" least ".." most
bool Parser::parseNumber() {
  take();
  Token Name = take();
  Param P;
  P.Name = Name.Text;
  if (declareSigil(Name) || expectPunct("=") || parseCases(P.Cases))
    return true;
  if (!atWord("in"))
    return error("expected 'in'");
  take();
  Token At = peek();
  if (parseInteger(P.Least) || expectPunct("..") || parseInteger(P.Most))
    return true;
  if (P.Least > P.Most)
    return error(At, "expected a range that is not empty");
  Params[P.Name] = static_cast<ParamId>(K->Params.size());
  K->Params.push_back(std::move(P));
  return expectEndOfLine();
}

/// Behind "upto": an integer, or a number that is computed.
bool Parser::parseLimit(AxisSchedule &S) {
  S.IsUpTo = true;
  if (peek().K != Token::Percent)
    return parseScheduleSize(S.Steps.emplace_back(), "an integer of at least 1",
                             INT64_MAX);
  Token Name = take();
  auto It = Params.find(Name.Text);
  if (It == Params.end() || !K->Params[It->second].isComputed())
    return error(Name, "expected a size or a number that 'let' computes");
  S.Limit = It->second;
  S.Steps.push_back({K->Params[It->second].Most});
  return false;
}

/// [ "step" sizes [ "rest" | "over" ] | "upto" size ] [ "once" ]
/// [ "unroll" | "lanes" n | "row" name ]
bool Parser::parseSchedule(AxisSchedule &S) {
  auto TakeWord = [this](StringRef Word) {
    if (!atWord(Word) || peek().FirstOnLine)
      return false;
    take();
    return true;
  };
  if (TakeWord("step")) {
    if (parseSteps(S))
      return true;
  } else if (TakeWord("upto")) {
    if (parseLimit(S))
      return true;
  }
  S.Once = TakeWord("once");
  if (TakeWord("unroll")) {
    S.Unrolled = true;
  } else if (TakeWord("row")) {
    if (peek().K != Token::Ident || peek().FirstOnLine ||
        isReservedWord(peek().Text))
      return error("expected the name of an instruction");
    S.Row = take().Text;
  } else if (TakeWord("lanes")) {
    Token At = peek();
    if (parseScheduleSize(S.Lanes, "an integer of at least 1", INT64_MAX))
      return true;
    if (!S.hasFewLanes())
      return error(At, "expected 2 to 1024 lanes");
  }
  return false;
}

void Parser::parsePlace(Buffer &B) {
  if (peek().FirstOnLine || (!atWord("reg") && !atWord("stack")))
    return;
  B.Where = take().Text == "reg" ? Buffer::Register : Buffer::Stack;
}

/// At "size(".
bool Parser::parseSize(Poly &P) {
  take();
  take();
  auto It = BareNames.find(peek().Text);
  if (peek().K != Token::Ident || It == BareNames.end() || !It->second.IsAxis)
    return error("expected an axis");
  P = Poly::atom(K->getSizeAtom(It->second.Id));
  take();
  return expectPunct(")");
}
