//===- Pattern.h - Formulas of the table of programs -----------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_NAMES_PATTERN_H
#define DLOPT_NAMES_PATTERN_H

#include "Sampler.h"
#include "llvm/ADT/bit.h"
#include <array>

namespace dlopt {

/// Some of the letters from a to z.
using LetterSet = uint32_t;
constexpr LetterSet getLetter(char C) { return LetterSet(1) << (C - 'a'); }
template <size_t N> constexpr LetterSet getLetters(const char (&Text)[N]) {
  LetterSet Set = 0;
  for (size_t I = 0; I + 1 < N; ++I)
    Set |= getLetter(Text[I]);
  return Set;
}

/// Arrays; those of them that have all axes; conditions and angles; numbers, e
/// is the epsilon of invroot.
constexpr LetterSet ArrayLetters = getLetters("xyzdhuogbmvrfk");
constexpr LetterSet FullLetters = getLetters("xyzdhuo");
constexpr LetterSet OtherLetters = getLetters("wca");
constexpr llvm::StringLiteral NumberLetters = "stpqnle";

/// An expression for each of some letters.
class LetterValues {
public:
  std::optional<ExprId> get(char C) const {
    return Bound & getLetter(C) ? std::optional(Values[C - 'a']) : std::nullopt;
  }
  void set(char C, ExprId E) {
    Bound |= getLetter(C);
    Values[C - 'a'] = E;
  }
  void erase(char C) { Bound &= ~getLetter(C); }
  /// Whether a letter stands for \p E.
  bool has(ExprId E) const {
    for (char C = 'a'; C <= 'z'; ++C)
      if (get(C) == E)
        return true;
    return false;
  }

private:
  std::array<ExprId, 26> Values;
  LetterSet Bound = 0;
};

/// What the letters and the reductions of a formula stand for.
struct Binding {
  LetterValues Letters;
  AxisSet Row = 0;     ///< what sum, mean, max, ... run over
  AxisSet Outside = 0; ///< what batch runs over
  unsigned Root = 0;   ///< which of the forms that invroot has
};

/// What expressions consist of, whatever letters stand for.
struct Features {
  unsigned Functions = 0; ///< that are called, by getFunction()
  bool HasCases = false;  ///< conditions and maxima
  bool HasRoots = false;  ///< powers that are not whole
  bool HasMeans = false, HasTops = false, HasOthers = false; ///< reductions

  Features() = default;
  Features(const Algebra &A, ExprId E);
};

/// A formula as Programs.def spells it.
class Pattern {
public:
  /// All formulas that \p Text stands for: with and without each {part}, with
  /// each of {several|parts}. Kept for the next one who asks.
  static llvm::ArrayRef<Pattern> parse(llvm::StringRef Text);
  /// What is known of all formulas that a text stands for before any is parsed.
  struct Outline {
    unsigned AlwaysCalled = 0; ///< each Function
    unsigned MinArrays = 0, MaxArrays = 0;
    bool MayCompose = false; ///< composes() of some of them
    bool MayReduce = false;  ///< hasReductions() of some of them
    bool MustReduce = false; ///< of all
    explicit Outline(llvm::StringRef Text);
    /// Whether one of them may be an expression with these features, of so many
    /// arrays, with or without reductions.
    bool mayYield(const Features &Of, size_t NumArrays, bool Reduces) const;
  };

  static constexpr unsigned NumRoots = 5;
  /// The letters that it needs under \p Root.
  bool uses(char Letter, unsigned Root) const;
  bool hasRoots() const { return HasRoots; }
  bool hasReductions() const { return HasReductions; }
  bool hasExponentials() const { return HasExponentials; }
  /// Whether a letter may stand for something with arrays and functions in it.
  bool composes() const { return hasExponentials() || (Set & OtherLetters); }
  /// The value of a root or of a variance of equal numbers says little.
  bool hasDifferences() const { return HasDifferences; }
  /// Whether it can be an expression with these features.
  bool mayYield(const Features &Of) const;
  llvm::StringRef letters() const { return Letters; }
  LetterSet letterSet() const { return Set; }
  unsigned countArrays() const { return llvm::popcount(Set & ArrayLetters); }
  /// The same for the same formula in several rows.
  unsigned id() const { return Id; }
  ExprId evaluate(Algebra &A, const Binding &B) const;
  /// Whether it can be \p E, as far as samples tell.
  bool mayBe(ExprId E, Sampler &S, const Binding &B) const;
  /// The same, but letters stand for arrays that are equal (all, or all of all
  /// axes): it does not matter which one stands for which.
  bool mayBeOfEqual(ExprId E, Sampler &S, const Binding &B,
                    bool AreAllFull) const;

private:
  enum Function : uint8_t {
    Sum,
    Mean,
    Var,
    Top,
    Bottom,
    Product,
    ArgMax,
    ArgMin,
    CumSum,
    Count,
    Batch,
    Rows,
    InvRoot,
    Exp,
    Log,
    Sqrt,
    Abs,
    Max,
    Min,
    Sigmoid,
    Tanh,
    Select,
    Infinity,
    Other
  };
  static constexpr unsigned MeanFunctions =
      1u << Sum | 1u << Mean | 1u << Var | 1u << Batch;
  static constexpr unsigned TopFunctions = 1u << Top | 1u << Bottom;
  static constexpr unsigned OtherReductions =
      1u << ArgMax | 1u << ArgMin | 1u << Product | 1u << CumSum;
  static constexpr unsigned Reductions =
      ((MeanFunctions | TopFunctions | OtherReductions) &
       ~(1u << Batch | 1u << CumSum)) |
      1u << Count;
  static constexpr unsigned CaseFunctions =
      1u << Select | 1u << Max | 1u << Min | 1u << Abs;
  static constexpr unsigned RootFunctions = 1u << Sqrt | 1u << InvRoot;
  static constexpr unsigned ExpFunctions =
      1u << Exp | 1u << Tanh | 1u << Sigmoid;
  struct Node {
    char Op = 0; ///< one of + * ^ > = n (number) l (letter) f (function)
    Function Callee = Other;
    double Value = 0;
    std::string Name;
    llvm::SmallVector<unsigned, 3> Args;
  };
  friend class PatternParser;
  template <class Domain> friend class PatternEvaluator;
  static Function getFunction(llvm::StringRef Name);
  void findFeatures();
  bool agrees(ExprId E, Sampler &S, const Binding &B, LetterSet Equal,
              LetterSet Full) const;

  std::vector<Node> Nodes; ///< the last one is the whole
  std::string Letters;     ///< each once
  LetterSet Set = 0;       ///< the same
  unsigned Id = 0;
  unsigned Called = 0; ///< each Function
  unsigned Calls = 0;  ///< as Features::Functions
  bool HasExponentials = false;
  bool HasRoots = false, HasReductions = false, HasDifferences = false;
  bool HasCases = false, HasFractions = false, MustHaveRoots = false;
  bool MayHaveRoots = false, MayHaveMeans = false, MayHaveTops = false;
  bool MayHaveOthers = false;
};

} // namespace dlopt

#endif // DLOPT_NAMES_PATTERN_H
