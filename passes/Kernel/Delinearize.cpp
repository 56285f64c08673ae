//===- Delinearize.cpp - Subscripts and strides from linear offsets -------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Terms of the offset are grouped by what is invariant in them: i*%K + k has
/// the groups %K (subscript i) and 1 (subscript k). Inside a group, constant
/// strides are split off where the rest spans about one row. The result is
/// equal to the offset as a polynomial, whatever is grouped: how the terms are
/// split is a matter of reading, not of legality.
///
//===----------------------------------------------------------------------===//

#include "dlopt/Kernel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <map>

using namespace llvm;
using namespace dlopt;

namespace {

/// Inclusive; all numbers are small enough to compute with.
struct Range {
  int64_t Min = 0, Max = 0;
};

struct Dimension {
  Poly Sub, Stride;
};

class Delinearizer {
public:
  explicit Delinearizer(const Kernel &K) : K(K) {}
  std::vector<Dimension> run(const Poly &Linear);

private:
  bool isInvariant(AtomId A) const { return K.isFixed(Poly::atom(A)); }
  std::optional<Range> getRange(AtomId A) const;
  std::optional<Range> getRange(const Poly &P) const;
  bool splitAt(int64_t Stride, Poly &Rest, Poly &Outer) const;
  std::vector<std::pair<int64_t, Poly>> splitByConstants(Poly P) const;
  void foldInvariants(std::map<Monomial, Poly> &Groups) const;

  const Kernel &K;
};

} // namespace

/// Beyond this, nothing is an extent and sums might overflow.
static constexpr int64_t Huge = int64_t(1) << 40;

std::optional<Range> Delinearizer::getRange(AtomId A) const {
  const Atom &X = K.Atoms[A];
  std::optional<int64_t> Bound;
  if (X.K == Atom::Axis && K.Axes[X.Ref].Begins.empty()) {
    for (const Poly &E : K.Axes[X.Ref].Extents)
      if (std::optional<int64_t> C = E.getConstant())
        Bound = std::min(Bound.value_or(*C), *C);
  } else if (X.K == Atom::Mod) {
    Bound = X.Den.getConstant();
  }
  if (!Bound || *Bound < 1 || *Bound > Huge)
    return std::nullopt;
  return Range{0, *Bound - 1};
}

/// The range of a sum of single atoms, without the constant.
std::optional<Range> Delinearizer::getRange(const Poly &P) const {
  Range Sum;
  for (const auto &[M, Coef] : P.terms()) {
    if (M.empty())
      continue;
    std::optional<Range> R = M.size() == 1 ? getRange(M[0]) : std::nullopt;
    int64_t Extreme = 0;
    if (!R || MulOverflow(R->Max, Coef, Extreme) || Extreme > Huge ||
        Extreme < -Huge)
      return std::nullopt;
    (Extreme < 0 ? Sum.Min : Sum.Max) += Extreme;
    if (Sum.Max > Huge || Sum.Min < -Huge)
      return std::nullopt;
  }
  return Sum;
}

/// Splits the terms that are multiples of \p Stride off \p Rest if what is left
/// spans about one row of that length: padding may reach over its ends.
bool Delinearizer::splitAt(int64_t Stride, Poly &Rest, Poly &Outer) const {
  Poly Multiples, Inner;
  int64_t Constant = Rest.getConstantTerm();
  for (const auto &[M, Coef] : Rest.terms())
    if (!M.empty())
      (Coef % Stride ? Inner : Multiples) += Poly::monomial(M, Coef);
  if (Multiples.isZero() || Inner.isZero() || Constant > Huge ||
      Constant < -Huge)
    return false;
  std::optional<Range> R = getRange(Inner);
  if (!R)
    return false;
  int64_t Span = R->Max - R->Min;
  int64_t Slack = Stride >= 8 ? Stride / 4 : 0;
  if (Span >= Stride + Slack)
    return false;
  // The whole rows in the constant, such that the rest is centered in its row.
  int64_t Rows =
      divideFloorSigned(R->Min + R->Max + 2 * Constant + 1, 2 * Stride);
  Outer = *Multiples.divideExactly(Stride) + Poly(Rows);
  Rest = Inner + Poly(Constant - Rows * Stride);
  return true;
}

/// Subscripts with their constant strides, descending.
std::vector<std::pair<int64_t, Poly>>
Delinearizer::splitByConstants(Poly P) const {
  SmallVector<int64_t, 4> Strides;
  for (const auto &[M, Coef] : P.terms())
    if (!M.empty() && Coef > 1 && Coef <= Huge)
      Strides.push_back(Coef);
  llvm::sort(Strides, std::greater<>());
  Strides.erase(llvm::unique(Strides), Strides.end());
  std::vector<std::pair<int64_t, Poly>> Result;
  for (int64_t Stride : Strides)
    if (Poly Outer; splitAt(Stride, P, Outer))
      Result.emplace_back(Stride, std::move(Outer));
  Result.emplace_back(1, std::move(P));
  return Result;
}

/// Moves groups without an axis (a base offset such as %r*%W) into the group
/// with most factors in common, so that they do not become dimensions.
void Delinearizer::foldInvariants(std::map<Monomial, Poly> &Groups) const {
  for (auto It = Groups.begin(); It != Groups.end();) {
    const auto &[Factors, Sub] = *It;
    auto Best = Groups.end();
    if (Sub.getConstant())
      for (auto Into = Groups.begin(); Into != Groups.end(); ++Into)
        if (!Into->second.getConstant() &&
            std::includes(Factors.begin(), Factors.end(), Into->first.begin(),
                          Into->first.end()) &&
            (Best == Groups.end() || Best->first.size() < Into->first.size()))
          Best = Into;
    if (Best == Groups.end()) {
      // No row to be in: it counts elements.
      if (Sub.getConstant() && !Factors.empty()) {
        Groups[Monomial()] += Poly::monomial(Factors, *Sub.getConstant());
        It = Groups.erase(It);
      } else {
        ++It;
      }
      continue;
    }
    Monomial Rest;
    std::set_difference(Factors.begin(), Factors.end(), Best->first.begin(),
                        Best->first.end(), std::back_inserter(Rest));
    Best->second += Poly::monomial(Rest, *Sub.getConstant());
    It = Groups.erase(It);
  }
}

std::vector<Dimension> Delinearizer::run(const Poly &Linear) {
  std::map<Monomial, Poly> Groups;
  for (const auto &[M, Coef] : Linear.terms()) {
    Monomial Invariant, Varying;
    for (AtomId A : M)
      (isInvariant(A) ? Invariant : Varying).push_back(A);
    Groups[Invariant] += Poly::monomial(Varying, Coef);
  }
  foldInvariants(Groups);
  // More factors, larger stride; of equal ones, the order of their atoms.
  std::vector<std::pair<Monomial, Poly>> Sorted(Groups.begin(), Groups.end());
  llvm::sort(Sorted, [](const auto &A, const auto &B) {
    return A.first.size() != B.first.size() ? A.first.size() > B.first.size()
                                            : A.first < B.first;
  });
  // The constant strides of the innermost group are row sizes for the others.
  SmallVector<int64_t, 4> RowSizes;
  if (!Sorted.empty() && Sorted.back().first.empty())
    for (const auto &[Stride, Sub] : splitByConstants(Sorted.back().second))
      RowSizes.push_back(Stride);
  std::vector<Dimension> Result;
  for (const auto &[Factors, Group] : Sorted) {
    int64_t Row = 1;
    Poly Sub = Group;
    if (!Factors.empty())
      for (int64_t Size : RowSizes)
        if (std::optional<Poly> Quotient = Group.divideExactly(Size)) {
          Row = Size;
          Sub = *Quotient;
          break;
        }
    for (auto &[Stride, Outer] : splitByConstants(Sub))
      Result.push_back(
          {std::move(Outer), Poly::monomial(Factors, Row * Stride)});
  }
  return Result;
}

void dlopt::delinearize(const Kernel &K, Access &X) {
  if (K.Buffers[X.Buf].IsLocal)
    return;
  Poly Linear = X.offset();
  Access New;
  New.Buf = X.Buf;
  for (Dimension &D : Delinearizer(K).run(Linear)) {
    New.Subs.push_back(std::move(D.Sub));
    New.Strides.push_back(std::move(D.Stride));
  }
  if (!New.Subs.empty() && New.offset() == Linear)
    X = std::move(New);
}
