//===- Skeleton.cpp - Formulas without their numbers ----------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Skeleton.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace dlopt;

namespace {

/// Signs of terms that are one without their numbers.
enum Signs : uint8_t { Plus = 1, Minus = 2, Both = 3, Unknown = 4 };

class SkeletonWriter {
public:
  explicit SkeletonWriter(const Algebra &A) : A(A) {}
  std::map<std::string, uint8_t> getTerms(ExprId E);

private:
  std::string write(ExprId E);
  std::string writeAtom(uint32_t Id);

  const Algebra &A;
};

} // namespace

std::map<std::string, uint8_t> SkeletonWriter::getTerms(ExprId E) {
  std::map<std::string, uint8_t> Result;
  for (const Term &T : A.terms(E)) {
    SmallVector<std::string, 4> Factors;
    uint8_t Sign = T.Coef > 0 ? Plus : Minus;
    for (const Factor &F : T.Factors)
      if (!A.isUniform(F.Atom))
        Factors.push_back(writeAtom(F.Atom) + "^" + std::to_string(F.Power));
      else if (A.atom(F.Atom).K == SymbolicAtom::Sum)
        Sign = Unknown; // 1 - p may be turned into p - 1
    llvm::sort(Factors);
    // Bounds of clamps may be negative.
    bool IsBound = all_of(T.Factors, [&](const Factor &F) {
      return A.isUniform(F.Atom) || A.atom(F.Atom).K == SymbolicAtom::Greater;
    });
    Result[join(Factors, "*")] |= IsBound ? uint8_t(Both) : Sign;
  }
  return Result;
}

std::string SkeletonWriter::write(ExprId E) {
  std::string Text;
  for (const auto &[Term, Sign] : getTerms(E))
    Text += "+" + Term;
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
      return Text == OtherText && (Sign == Other || ((Sign | Other) & Unknown));
    });
  };
  return Same(false) || Same(true);
}
