//===- Algebra.h - Expressions in a normal form ----------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a kernel computes, as formulas over real numbers, so that all spellings
/// of one formula are one expression. Labels come from here and nothing else:
/// rounding, overflow, NaN and what happens at a single point are not looked
/// at.
///
/// An expression is a sum of terms, a term a number times powers of atoms. All
/// products are multiplied out, and
/// * exp(a + b) is exp(a) exp(b), log(a b) is log(a) + log(b);
/// * a sum over an axis is the axis's extent times a mean, means are linear;
/// * a comparison is an atom that is 0 or 1, and select(c, a, b) is
///   c a + (1 - c) b: activations that are pieces of other functions have one
///   form however they are cut;
/// * a power of a sum is an atom without common factors, and a / (a + b) is
///   1 - b / (a + b).
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_NAMES_ALGEBRA_H
#define DLOPT_NAMES_ALGEBRA_H

#include "dlopt/Kernel.h"
#include "llvm/ADT/DenseSet.h"
#include <map>
#include <set>
#include <unordered_map>

namespace dlopt {

/// Equal expressions have equal ids.
using ExprId = uint32_t;
/// The axes with these numbers.
using AxisSet = uint64_t;

struct Factor {
  uint32_t Atom;
  double Power;
};
inline bool operator<(const Factor &A, const Factor &B) {
  return std::tie(A.Atom, A.Power) < std::tie(B.Atom, B.Power);
}
inline bool operator==(const Factor &A, const Factor &B) {
  return A.Atom == B.Atom && A.Power == B.Power;
}

struct Term {
  llvm::SmallVector<Factor, 4> Factors; ///< sorted
  double Coef = 0;
};
inline bool operator<(const Term &A, const Term &B) {
  return std::tie(A.Factors, A.Coef) < std::tie(B.Factors, B.Coef);
}
inline bool operator==(const Term &A, const Term &B) {
  return A.Factors == B.Factors && A.Coef == B.Coef;
}
/// Sorted by factors: what has none comes first.
using Terms = std::vector<Term>;

enum class Reduce : uint8_t {
  Mean,
  Max,
  Product,
  ArgMax,
  Scan ///< the sum of this round of the axis Ref and all in front of it
};

/// What the terms are made of.
struct SymbolicAtom {
  enum Kind : uint8_t {
    Load,      ///< Ref: the buffer, Index: the element
    Integer,   ///< Index: an axis, a parameter, a quotient or a remainder
    Param,     ///< Ref: a parameter that is no integer
    Infinity,  ///< infinite, or as large as masks are
    Sum,       ///< Args[0], of several terms, to a power that does not expand
    Call,      ///< Name, Args
    Greater,   ///< 1 where Args[0] > Bound, else 0
    Equal,     ///< 1 where Args[0] == Bound, else 0
    Max,       ///< the largest of Args
    Reduction, ///< How over Axes of Args[0]
    Carried,   ///< Ref: what a loop has so far
    Unknown    ///< Ref
  } K = Unknown;
  Reduce How = Reduce::Mean;
  uint32_t Ref = 0;
  AxisSet Axes = 0;
  double Bound = 0;
  llvm::SmallVector<ExprId, 2> Args;
  std::string Name;
  Poly Index;
  /// What the value depends on.
  AxisSet Deps = 0;
  /// One more than the highest number of what is Carried and occurs inside.
  uint32_t Carries = 0;
};

class Algebra {
public:
  explicit Algebra(Kernel &K) : K(K) {}

  /// Too large to go on: nothing means anything any more.
  bool hasFailed() const { return Failed; }
  /// Lets what comes now take so many steps, if as many are left: where it
  /// fails, all that has been before is as it was, once that is forgiven.
  void limit(unsigned Steps);
  /// Whether that was too little; false: there is nothing left, either.
  bool forgive();

  ExprId constant(double V);
  ExprId infinity();
  ExprId param(ParamId P);
  ExprId load(BufferId B, const Poly &Offset);
  ExprId integer(const Poly &P);
  ExprId carried(AxisSet Deps);
  uint32_t getNumCarried() const { return NumCarried; }
  ExprId unknown(AxisSet Deps);

  ExprId add(ExprId A, ExprId B);
  ExprId sub(ExprId A, ExprId B) { return add(A, scale(B, -1)); }
  ExprId scale(ExprId A, double By);
  ExprId mul(ExprId A, ExprId B);
  ExprId pow(ExprId A, double By);
  ExprId div(ExprId A, ExprId B) { return mul(A, pow(B, -1)); }
  ExprId exp(ExprId A);
  ExprId log(ExprId A);
  ExprId max(ExprId A, ExprId B);
  ExprId min(ExprId A, ExprId B);
  ExprId abs(ExprId A);
  ExprId sigmoid(ExprId A);
  ExprId tanh(ExprId A);
  /// 1 where A > 0, else 0.
  ExprId positive(ExprId A);
  /// 1 where the integer A is 0, else 0.
  ExprId isZero(ExprId A);
  ExprId negate(ExprId Condition) { return sub(constant(1), Condition); }
  ExprId select(ExprId Condition, ExprId A, ExprId B);
  /// A function of libm, an intrinsic or an operation, by its name.
  ExprId call(llvm::StringRef Name, llvm::ArrayRef<ExprId> Args);

  /// Whether rounding leaves \p E as it is.
  bool isWhole(ExprId E) const;

  ExprId mean(AxisSet Axes, ExprId A);
  /// The number of iterations of all \p Axes.
  ExprId count(AxisSet Axes);
  ExprId sum(AxisSet Axes, ExprId A) { return mul(count(Axes), mean(Axes, A)); }
  ExprId reduce(Reduce How, AxisSet Axes, ExprId A);
  ExprId scan(AxisId Ax, ExprId A);

  const Terms &terms(ExprId E) const { return *Exprs[E]; }
  const SymbolicAtom &atom(uint32_t A) const { return *Atoms[A]; }
  /// The only factor of the only term, with power and coefficient 1, or null.
  const SymbolicAtom *getAtom(ExprId E) const;
  std::optional<double> getConstant(ExprId E) const;
  AxisSet deps(ExprId E) const;
  /// Whether the atom is the same number for all elements, and no reduction.
  bool isUniform(uint32_t Id) const;
  /// Whether \p E is made of constants, parameters and sizes.
  bool isNumber(ExprId E) const;
  uint32_t carries(ExprId E) const;
  AxisSet depsOf(const Poly &P) const;
  /// E where the axis \p A has the value \p By.
  ExprId substitute(ExprId E, AxisId A, const Poly &By);
  /// \p E with the condition \p Of decided, inside its atoms, too.
  ExprId assume(ExprId E, uint32_t Of, bool Holds);
  /// Whether \p E is made of integers alone, and of some index.
  bool isOfIndices(ExprId E) const;
  /// What \p E is at elements that conditions on indices do not leave out:
  /// each of these is decided the way in which more is loaded. What indices are
  /// cut off at, by minima and maxima, is their value then.
  ExprId withoutPadding(ExprId E);
  /// What \p E is, of an element that was \p Old, if flags of the caller are
  /// set the way in which more is loaded, indices are in the bounds that loops
  /// keep them in, and loaded places are none that are left out.
  ExprId withoutFlags(ExprId E, ExprId Old);
  /// \p E where no function of elements is cut off at numbers: where it has
  /// ends, it goes on. \p Farthest: at numbers that are as far from zero.
  ExprId withoutEnds(ExprId E, double Farthest = 0);
  /// The one of two ways that load the same that does more to elements: which
  /// is the other one with ends, or a number of times that. Of what is stored
  /// and what is added to \p Old, the first.
  std::optional<ExprId> decideByMore(ExprId X, ExprId Y,
                                     std::optional<ExprId> Old = {});
  /// The same of numbers: one that is computed, and not a constant; or how many
  /// elements a window has, with those beyond a border or without.
  std::optional<ExprId> decideNumber(ExprId X, ExprId Y);
  /// A and B with E = A * C + B, if C, a carried value, is in no other place.
  bool splitLinear(ExprId E, ExprId C, ExprId &A, ExprId &B);
  /// What \p E is the maximum of, beside \p C, a carried value or minus one;
  /// minus infinity where a condition leaves that as it is.
  std::optional<ExprId> getMaximand(ExprId E, ExprId C);
  /// Calls \p Visit for each atom in \p E and inside its atoms, once.
  void forEachAtom(ExprId E, llvm::function_ref<void(uint32_t)> Visit) const;
  /// The atom to the power of 1.
  ExprId ofAtom(uint32_t A);

private:
  static constexpr unsigned MaxSteps = 120000;
  using Factors = llvm::SmallVector<Factor, 4>;
  ExprId of(SymbolicAtom A);
  uint32_t intern(SymbolicAtom A);
  ExprId intern(Terms T);
  ExprId ofTerm(Factors F, double Coef);
  ExprId fail();
  /// A number that was seen and differs by less than people's roundings.
  double snap(double V);
  bool isPositive(uint32_t A) const;
  /// Whether no term can have the other sign; 0: some may.
  int getSign(ExprId E);
  bool isNonNegative(const Factor &F);
  /// A positive number times abs(a) of some a.
  bool isAbsolute(ExprId E);
  /// 1 if \p E is a variance times a positive number, -1 if that is subtracted.
  int getSignOfVariance(ExprId E);
  Term multiply(const Term &A, const Term &B);
  std::optional<ExprId> rewrite(const Term &T);
  ExprId powTerm(const Term &T, double By);
  ExprId powSum(ExprId A, double By);
  /// Takes common factors and a number out of the sum \p A.
  ExprId takeContent(ExprId A, Term &Content);
  /// The coefficient of the only infinite term.
  std::optional<double> getInfinite(ExprId E) const;
  /// A condition that \p E has as a factor and that nothing carried is in.
  std::optional<uint32_t> findCondition(ExprId E) const;
  /// \p E with the condition decided the way in which more is loaded, beside
  /// \p Old; nullopt: each way loads something of its own, or none does.
  std::optional<ExprId> decideByLoads(ExprId E, uint32_t Condition,
                                      std::optional<ExprId> Old);
  unsigned countAtoms(ExprId E) const;
  /// What \p E loads, but for \p But.
  std::set<uint32_t> getLoads(ExprId E, std::optional<ExprId> But) const;
  /// \p E without the end that the atom \p Id puts to something.
  std::optional<ExprId> withoutEnd(ExprId E, uint32_t Id, double Farthest);
  /// \p E with other conditions on what \p Condition is about decided.
  ExprId decideAlike(ExprId E, uint32_t Condition, ExprId Old);
  /// \p E with \p By in the place of the atom \p Of.
  ExprId replace(ExprId E, uint32_t Of, ExprId By);
  std::optional<ExprId> selectExtremum(ExprId C, ExprId A, ExprId B);
  std::optional<ExprId> selectCut(ExprId C, ExprId A, ExprId B);
  ExprId selectAgain(ExprId R, ExprId Of);
  ExprId withoutClamps(ExprId E);
  /// \p E with what each index is cut off at, or with the index, for that.
  ExprId replaceClamps(ExprId E, bool ByEnds);
  /// Numbers that are loaded to say where something else is loaded, in \p E, or
  /// where \p Old is.
  std::set<uint32_t> getPlaces(ExprId E, ExprId Old);
  /// \p E with \p Base for each of its atoms.
  ExprId mapFactors(ExprId E, llvm::function_ref<ExprId(uint32_t)> Base);
  /// The atom \p Id with \p Map of its arguments, if the atom \p Of is in any.
  ExprId mapArguments(uint32_t Id, uint32_t Of,
                      llvm::function_ref<ExprId(ExprId)> Map);
  bool holdsInAllRounds(const SymbolicAtom &C);
  ExprId decide(ExprId E, uint32_t Condition, bool Holds);
  /// F(Args), for each value of conditions in them.
  std::optional<ExprId>
  splitCases(llvm::ArrayRef<ExprId> Args,
             llvm::function_ref<ExprId(llvm::ArrayRef<ExprId>)> F);
  /// The atom \p A of other arguments.
  ExprId remake(const SymbolicAtom &A, llvm::ArrayRef<ExprId> Args);
  ExprId substituteAtom(const SymbolicAtom &A, AxisId Ax, const Poly &By);
  void visitAtoms(ExprId E, llvm::SmallDenseSet<uint32_t, 16> &Seen,
                  llvm::function_ref<void(uint32_t)> Visit) const;

  struct AtomLess {
    bool operator()(const SymbolicAtom &A, const SymbolicAtom &B) const {
      return std::tie(A.K, A.How, A.Ref, A.Axes, A.Bound, A.Args, A.Name,
                      A.Index, A.Deps) < std::tie(B.K, B.How, B.Ref, B.Axes,
                                                  B.Bound, B.Args, B.Name,
                                                  B.Index, B.Deps);
    }
  };

  Kernel &K;
  bool Failed = false;
  unsigned Steps = 0, Limit = MaxSteps;
  unsigned Depth = 0;
  uint32_t NumCarried = 0, NumUnknown = 0;
  std::map<SymbolicAtom, uint32_t, AtomLess> AtomIds;
  std::vector<const SymbolicAtom *> Atoms;
  struct TermsHash {
    size_t operator()(const Terms &Of) const;
  };
  std::unordered_map<Terms, ExprId, TermsHash> ExprIds;
  std::vector<const Terms *> Exprs;
  std::set<double> Numbers;
};

} // namespace dlopt

#endif // DLOPT_NAMES_ALGEBRA_H
