//===- Pattern.h - Formulas of the table of programs -----------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_NAMES_PATTERN_H
#define DLOPT_NAMES_PATTERN_H

#include "Sampler.h"
#include <map>

namespace dlopt {

/// What the letters and the reductions of a formula stand for.
struct Binding {
  std::map<char, ExprId> Letters;
  AxisSet Row = 0;     ///< what sum, mean, max, ... run over
  AxisSet Outside = 0; ///< what batch runs over
  unsigned Root = 0;   ///< which of the forms that invroot has
};

/// What expressions consist of, whatever letters stand for.
struct Features {
  std::set<std::string> Functions; ///< that are called
  bool HasCases = false;           ///< conditions and maxima
  bool HasRoots = false;           ///< powers that are not whole
  bool HasMeans = false, HasTops = false, HasOthers = false; ///< reductions

  Features() = default;
  Features(const Algebra &A, ExprId E);
};

/// A formula as Programs.def spells it.
class Pattern {
public:
  /// All formulas that \p Text stands for: with and without each {part}, with
  /// each of {several|parts}.
  static std::vector<Pattern> parse(llvm::StringRef Text);

  static constexpr unsigned NumRoots = 5;
  /// The letters that it needs under \p Root.
  bool uses(char Letter, unsigned Root) const;
  bool hasRoots() const { return HasRoots; }
  bool hasReductions() const { return HasReductions; }
  bool hasExponentials() const { return mayCall("exp"); }
  /// Whether a letter may stand for something with arrays and functions in it.
  bool composes() const {
    return hasExponentials() || uses('w', 0) || uses('c', 0) || uses('a', 0);
  }
  /// Whether it can be an expression with these features.
  bool mayYield(const Features &Of) const;
  llvm::StringRef letters() const { return Letters; }
  ExprId evaluate(Algebra &A, const Binding &B) const;
  /// Whether it can be \p E, as far as samples tell. \p A counts rounds.
  bool mayBe(ExprId E, Algebra &A, Sampler &S, const Binding &B) const;

private:
  struct Node {
    char Op = 0; ///< one of + * ^ > = n (number) l (letter) f (function)
    double Value = 0;
    std::string Name;
    llvm::SmallVector<unsigned, 3> Args;
  };
  friend class PatternParser;
  bool mayCall(const std::string &Name) const { return Functions.count(Name); }
  ExprId evaluate(Algebra &A, const Binding &B, const Node &N) const;
  ExprId evaluateFunction(Algebra &A, const Binding &B, llvm::StringRef Name,
                          llvm::ArrayRef<ExprId> X) const;
  friend class PatternSampler;

  std::vector<Node> Nodes;         ///< the last one is the whole
  std::string Letters;             ///< each once
  std::set<std::string> Functions; ///< that occur
  bool HasRoots = false, HasReductions = false;
  bool HasCases = false, HasFractions = false, MustHaveRoots = false;
};

} // namespace dlopt

#endif // DLOPT_NAMES_PATTERN_H
