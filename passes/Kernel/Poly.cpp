//===- Poly.cpp - Integer polynomials over kernel atoms -------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Poly.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace dlopt;

/// Coefficients wrap modulo 2^64; signed overflow would be undefined.
static int64_t addWrap(int64_t A, int64_t B) {
  return static_cast<int64_t>(static_cast<uint64_t>(A) +
                              static_cast<uint64_t>(B));
}

static int64_t mulWrap(int64_t A, int64_t B) {
  return static_cast<int64_t>(static_cast<uint64_t>(A) *
                              static_cast<uint64_t>(B));
}

/// Adds \p Coef, which is not zero, to the coefficient of \p M; keeps zeros
/// out.
void Poly::addTerm(const Monomial &M, int64_t Coef) {
  assert(Coef && "no coefficient is zero");
  auto *It = lower_bound(
      Terms, M, [](const Term &T, const Monomial &N) { return T.first < N; });
  if (It == Terms.end() || It->first != M) {
    Terms.insert(It, Term(M, Coef));
    return;
  }
  It->second = addWrap(It->second, Coef);
  if (It->second == 0)
    Terms.erase(It);
}

Poly Poly::monomial(Monomial M, int64_t Coef) {
  Poly P;
  if (!Coef)
    return P;
  llvm::sort(M);
  P.Terms.emplace_back(std::move(M), Coef);
  return P;
}

std::optional<int64_t> Poly::getConstant() const {
  if (Terms.empty())
    return 0;
  if (Terms.size() == 1 && Terms.begin()->first.empty())
    return Terms.begin()->second;
  return std::nullopt;
}

std::optional<AtomId> Poly::getAtom() const {
  if (Terms.size() != 1 || Terms.front().second != 1 ||
      Terms.front().first.size() != 1)
    return std::nullopt;
  return Terms.front().first.front();
}

int64_t Poly::getConstantTerm() const {
  // The empty product is the first of all.
  return !Terms.empty() && Terms.front().first.empty() ? Terms.front().second
                                                       : 0;
}

bool Poly::uses(AtomId A) const {
  return anyAtom([A](AtomId B) { return A == B; });
}

bool Poly::anyAtom(function_ref<bool(AtomId)> Pred) const {
  for (const auto &[M, Coef] : Terms)
    if (any_of(M, Pred))
      return true;
  return false;
}

unsigned Poly::degree(AtomId A) const {
  unsigned Degree = 0;
  for (const auto &[M, Coef] : Terms)
    Degree = std::max<unsigned>(Degree, llvm::count(M, A));
  return Degree;
}

std::optional<Poly> Poly::coefficient(AtomId A) const {
  Poly Result;
  for (const auto &[M, Coef] : Terms) {
    const auto *It = llvm::find(M, A);
    if (It == M.end())
      continue;
    Monomial Rest(M.begin(), It);
    Rest.append(It + 1, M.end());
    if (is_contained(Rest, A))
      return std::nullopt;
    Result.addTerm(Rest, Coef);
  }
  return Result;
}

Poly Poly::without(AtomId A) const {
  Poly Result;
  for (const auto &[M, Coef] : Terms)
    if (!is_contained(M, A))
      Result.Terms.emplace_back(M, Coef);
  return Result;
}

Poly Poly::substitute(AtomId A, const Poly &By) const {
  Poly Result;
  for (const auto &[M, Coef] : Terms) {
    Monomial Rest;
    unsigned Power = 0;
    for (AtomId B : M)
      if (B == A)
        ++Power;
      else
        Rest.push_back(B);
    Poly Term = monomial(std::move(Rest), Coef);
    for (; Power; --Power)
      Term = Term * By;
    Result += Term;
  }
  return Result;
}

std::optional<Poly> Poly::divideExactly(int64_t Divisor) const {
  if (Divisor == 0)
    return std::nullopt;
  Poly Result;
  for (const auto &[M, Coef] : Terms) {
    // INT64_MIN / -1 overflows; -1 always divides and negates with wrapping.
    if (Divisor == -1) {
      Result.Terms.emplace_back(M, mulWrap(Coef, -1));
      continue;
    }
    if (Coef % Divisor)
      return std::nullopt;
    Result.Terms.emplace_back(M, Coef / Divisor);
  }
  return Result;
}

std::optional<Poly> Poly::divideExactly(const Poly &Divisor) const {
  if (Divisor.Terms.size() != 1 || Divisor.Terms.begin()->second <= 0)
    return std::nullopt;
  const auto &[Atoms, Factor] = *Divisor.Terms.begin();
  Poly Result;
  for (const auto &[Product, Coef] : Terms) {
    Monomial Rest = Product;
    for (AtomId A : Atoms) {
      auto *It = find(Rest, A);
      if (It == Rest.end())
        return std::nullopt;
      Rest.erase(It);
    }
    if (Coef % Factor)
      return std::nullopt;
    Result += monomial(std::move(Rest), Coef / Factor);
  }
  return Result;
}

Poly &Poly::operator+=(const Poly &O) {
  if (&O == this) {
    Poly Copy = O;
    return *this += Copy;
  }
  for (const auto &[M, Coef] : O.Terms)
    addTerm(M, Coef);
  return *this;
}

Poly &Poly::operator-=(const Poly &O) {
  if (&O == this) {
    Terms.clear();
    return *this;
  }
  for (const auto &[M, Coef] : O.Terms)
    addTerm(M, mulWrap(Coef, -1));
  return *this;
}

Poly dlopt::operator*(const Poly &A, const Poly &B) {
  if (B.getConstant() == 1)
    return A;
  Poly Result;
  for (const auto &[MA, CA] : A.Terms)
    for (const auto &[MB, CB] : B.Terms) {
      int64_t Coef = mulWrap(CA, CB);
      if (!Coef)
        continue;
      Monomial M = MA;
      M.append(MB.begin(), MB.end());
      llvm::sort(M);
      Result.addTerm(M, Coef);
    }
  return Result;
}
