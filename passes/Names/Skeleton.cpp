//===- Skeleton.cpp - Formulas without their numbers ----------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Skeleton.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace llvm;
using namespace dlopt;

namespace {

/// Signs of terms that are one without their numbers. Neither: they would be
/// zero, if conditions with different bounds were one.
enum Signs : uint8_t { Neither, Plus, Minus, Both };

class SkeletonWriter {
public:
  explicit SkeletonWriter(const Algebra &A) : A(A) {}
  std::map<std::string, uint8_t> getTerms(ExprId E);

  double getValue(const Term &T, bool OfAll) const;

private:
  double getValue(uint32_t Id) const;
  std::string write(ExprId E);
  std::string writeAtom(uint32_t Id);

  const Algebra &A;
};

} // namespace

/// A number for one that is the same for all elements: rates are between 0 and
/// 1, and so is what is left of 1.
double SkeletonWriter::getValue(uint32_t Id) const {
  const SymbolicAtom &X = A.atom(Id);
  if (X.K != SymbolicAtom::Sum) {
    double Whole;
    return 0.2 + 0.6 * std::modf(Id * 0.6180339887, &Whole);
  }
  double Sum = 0;
  for (const Term &T : A.terms(X.Args[0]))
    Sum += getValue(T, true);
  return Sum;
}

/// What the numbers of \p T, or all that it has, are together.
double SkeletonWriter::getValue(const Term &T, bool OfAll) const {
  double Value = T.Coef;
  for (const Factor &F : T.Factors)
    if (OfAll || A.isUniform(F.Atom))
      Value *= std::pow(getValue(F.Atom), F.Power);
  return Value;
}

std::map<std::string, uint8_t> SkeletonWriter::getTerms(ExprId E) {
  std::map<std::string, double> Values;
  std::set<std::string> Bounds;
  for (const Term &T : A.terms(E)) {
    SmallVector<std::string, 4> Factors;
    for (const Factor &F : T.Factors)
      if (!A.isUniform(F.Atom))
        Factors.push_back(writeAtom(F.Atom) + "^" + std::to_string(F.Power));
    llvm::sort(Factors);
    std::string Text = join(Factors, "*");
    Values[Text] += getValue(T, false);
    // Bounds of clamps may be negative.
    if (all_of(T.Factors, [&](const Factor &F) {
          return A.isUniform(F.Atom) ||
                 A.atom(F.Atom).K == SymbolicAtom::Greater;
        }))
      Bounds.insert(Text);
  }
  std::map<std::string, uint8_t> Result;
  for (const auto &[Text, Value] : Values) {
    uint8_t Sign = std::abs(Value) < 1e-9 ? Neither : Value > 0 ? Plus : Minus;
    Result[Text] = Bounds.count(Text) ? uint8_t(Both) : Sign;
  }
  return Result;
}

std::string SkeletonWriter::write(ExprId E) {
  std::map<std::string, uint8_t> Terms = getTerms(E);
  // Content may have been taken out, with its sign.
  uint8_t First = Both;
  std::string Text;
  for (const auto &[Term, Sign] : Terms) {
    if (First == Both || First == Neither)
      First = Sign;
    Text += (Sign == Both      ? "~"
             : Sign == Neither ? "0"
             : Sign == First   ? "+"
                               : "-") +
            Term;
  }
  return Text;
}

std::string SkeletonWriter::writeAtom(uint32_t Id) {
  const SymbolicAtom &X = A.atom(Id);
  std::string Text = std::to_string(X.K);
  switch (X.K) {
  case SymbolicAtom::Load:
  case SymbolicAtom::Integer:
  case SymbolicAtom::Unknown:
  case SymbolicAtom::Carried:
    return Text + ":" + std::to_string(Id);
  case SymbolicAtom::Reduction:
    Text += ":" + std::to_string(static_cast<int>(X.How)) + ":" +
            std::to_string(X.Axes);
    break;
  default:
    Text += X.Name;
  }
  SmallVector<std::string, 2> Args;
  for (ExprId Arg : X.Args)
    Args.push_back(write(Arg));
  if (X.K == SymbolicAtom::Max)
    llvm::sort(Args);
  return Text + "(" + join(Args, ",") + ")";
}

int dlopt::compareToOne(const Algebra &Alg, ExprId Factor) {
  SkeletonWriter Writer(Alg);
  double Value = 0;
  for (const Term &T : Alg.terms(Factor))
    Value += Writer.getValue(T, true);
  return std::abs(Value - 1) < 1e-9 ? 0 : Value < 1 ? -1 : 1;
}

bool dlopt::hasOnlyEpsilons(const Algebra &Alg, ExprId E) {
  constexpr double Least = 0.01;
  auto AreSmall = [&](ExprId Sum) {
    double Largest = 0, Constant = 0;
    for (const Term &T : Alg.terms(Sum))
      if (T.Factors.empty())
        Constant = std::abs(T.Coef);
      else
        Largest = std::max(Largest, std::abs(T.Coef));
    return Constant <= Least * Largest;
  };
  bool All = true;
  Alg.forEachAtom(E, [&](uint32_t Id) {
    const SymbolicAtom &X = Alg.atom(Id);
    if (X.K == SymbolicAtom::Sum && !Alg.isUniform(Id))
      All &= AreSmall(X.Args[0]);
  });
  return All;
}

bool dlopt::haveSameSkeleton(const Algebra &Alg, ExprId A, ExprId B) {
  SkeletonWriter Writer(Alg);
  std::map<std::string, uint8_t> OfA = Writer.getTerms(A);
  std::map<std::string, uint8_t> OfB = Writer.getTerms(B);
  if (OfA.size() != OfB.size())
    return false;
  auto Same = [&](bool Negated) {
    return all_of(zip(OfA, OfB), [&](const auto &Terms) {
      auto [Text, Sign] = std::get<0>(Terms);
      const auto &[OtherText, Other] = std::get<1>(Terms);
      if (Negated && (Sign == Plus || Sign == Minus))
        Sign = Both - Sign;
      return Text == OtherText && Sign == Other;
    });
  };
  return Same(false) || Same(true);
}
