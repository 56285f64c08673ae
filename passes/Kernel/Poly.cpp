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

/// The terms, which nobody else has.
Poly::Sum &Poly::getOwn() {
  if (!S)
    S = makeIntrusiveRefCnt<Sum>();
  else if (S->UseCount() > 1)
    S = makeIntrusiveRefCnt<Sum>(*S);
  return *S;
}

/// Behind all others.
void Poly::appendTerm(Monomial M, int64_t Coef) {
  getOwn().Terms.emplace_back(std::move(M), Coef);
}

/// Adds \p Coef, which is not zero, to the coefficient of \p M; keeps zeros
/// out.
void Poly::addTerm(const Monomial &M, int64_t Coef) {
  assert(Coef && "no coefficient is zero");
  SmallVectorImpl<Term> &Terms = getOwn().Terms;
  auto *It = lower_bound(
      Terms, M, [](const Term &T, const Monomial &N) { return T.first < N; });
  if (It == Terms.end()) {
    Terms.emplace_back(M, Coef);
    return;
  }
  if (It->first != M) {
    Terms.insert(It, Term(M, Coef));
    return;
  }
  It->second = addWrap(It->second, Coef);
  if (It->second == 0)
    Terms.erase(It);
  if (Terms.empty())
    S.reset();
}

Poly::Poly(int64_t Constant) {
  if (Constant)
    appendTerm(Monomial(), Constant);
}

Poly Poly::monomial(Monomial M, int64_t Coef) {
  Poly P;
  if (!Coef)
    return P;
  if (M.size() > 1)
    llvm::sort(M);
  P.appendTerm(std::move(M), Coef);
  return P;
}

std::optional<int64_t> Poly::getConstant() const {
  if (!S)
    return 0;
  if (terms().size() == 1 && terms().front().first.empty())
    return terms().front().second;
  return std::nullopt;
}

std::optional<AtomId> Poly::getAtom() const {
  if (terms().size() != 1 || terms().front().second != 1 ||
      terms().front().first.size() != 1)
    return std::nullopt;
  return terms().front().first.front();
}

int64_t Poly::getConstantTerm() const {
  // The empty product is the first of all.
  return S && terms().front().first.empty() ? terms().front().second : 0;
}

bool Poly::uses(AtomId A) const {
  return any_of(terms(),
                [A](const Term &T) { return is_contained(T.first, A); });
}

bool Poly::anyAtom(function_ref<bool(AtomId)> Pred) const {
  for (const auto &[M, Coef] : terms())
    for (AtomId A : M)
      if (Pred(A))
        return true;
  return false;
}

unsigned Poly::degree(AtomId A) const {
  unsigned Degree = 0;
  for (const auto &[M, Coef] : terms())
    Degree = std::max<unsigned>(Degree, llvm::count(M, A));
  return Degree;
}

std::optional<Poly> Poly::coefficient(AtomId A) const {
  Poly Result;
  if (!uses(A))
    return Result;
  for (const auto &[M, Coef] : terms()) {
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
  if (!uses(A))
    return *this;
  Poly Result;
  for (const auto &[M, Coef] : terms())
    if (!is_contained(M, A))
      Result.appendTerm(M, Coef);
  return Result;
}

Poly Poly::substitute(AtomId A, const Poly &By) const {
  if (!uses(A))
    return *this;
  Poly Result;
  for (const auto &[M, Coef] : terms()) {
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
  for (const auto &[M, Coef] : terms()) {
    // INT64_MIN / -1 overflows; -1 always divides and negates with wrapping.
    if (Divisor == -1) {
      Result.appendTerm(M, mulWrap(Coef, -1));
      continue;
    }
    if (Coef % Divisor)
      return std::nullopt;
    Result.appendTerm(M, Coef / Divisor);
  }
  return Result;
}

std::optional<Poly> Poly::divideExactly(const Poly &Divisor) const {
  if (Divisor.terms().size() != 1 || Divisor.terms().front().second <= 0)
    return std::nullopt;
  const auto &[Atoms, Factor] = Divisor.terms().front();
  Poly Result;
  for (const auto &[Product, Coef] : terms()) {
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

void Poly::addAll(const Poly &O, bool Negate) {
  // What is added may be of this polynomial.
  const Poly Keep = O;
  for (const auto &[M, Coef] : Keep.terms())
    addTerm(M, Negate ? mulWrap(Coef, -1) : Coef);
}

Poly &Poly::operator+=(const Poly &O) {
  if (isZero())
    return *this = O;
  addAll(O, /*Negate=*/false);
  return *this;
}

Poly &Poly::operator-=(const Poly &O) {
  if (S == O.S)
    S.reset();
  else
    addAll(O, /*Negate=*/true);
  return *this;
}

Poly dlopt::operator*(const Poly &A, const Poly &B) {
  if (B.getConstant() == 1)
    return A;
  if (A.getConstant() == 1)
    return B;
  Poly Result;
  for (const auto &[MA, CA] : A.terms())
    for (const auto &[MB, CB] : B.terms()) {
      int64_t Coef = mulWrap(CA, CB);
      if (!Coef)
        continue;
      Monomial M = MA;
      M.append(MB.begin(), MB.end());
      if (M.size() > 1)
        llvm::sort(M);
      Result.addTerm(M, Coef);
    }
  return Result;
}
