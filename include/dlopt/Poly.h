//===- Poly.h - Integer polynomials over kernel atoms -----------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Multivariate integer polynomials: indices, extents, strides and conditions
/// of a kernel. A polynomial is a sum of coefficient * product of atoms; atoms
/// (axes, parameters, div, mod, loaded integers) are interned in the kernel
/// (Kernel.h), so equal polynomials compare equal. Arithmetic is exact modulo
/// 2^64, which is the arithmetic of addresses.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_POLY_H
#define DLOPT_POLY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace dlopt {

/// Index of an atom in Kernel::Atoms.
using AtomId = uint32_t;

/// Product of atoms, sorted by id; an atom may occur more than once. The empty
/// product is 1.
using Monomial = llvm::SmallVector<AtomId, 2>;

class Poly {
public:
  using Term = std::pair<Monomial, int64_t>; ///< a product, its coefficient

  Poly() = default;
  /*implicit*/ Poly(int64_t Constant);
  static Poly atom(AtomId A) { return monomial({A}, 1); }
  static Poly monomial(Monomial M, int64_t Coef);

  bool isZero() const { return !S; }
  /// The value if no atom occurs.
  std::optional<int64_t> getConstant() const;
  /// The coefficient of the empty product.
  int64_t getConstantTerm() const;
  /// The atom that this is, if it is no more than one.
  std::optional<AtomId> getAtom() const;
  bool uses(AtomId A) const;
  /// True if \p Pred holds for any atom that occurs.
  bool anyAtom(llvm::function_ref<bool(AtomId)> Pred) const;
  /// Highest power of \p A in any term.
  unsigned degree(AtomId A) const;
  /// The polynomial c with *this = c * A + rest, where rest does not use A;
  /// nullopt if A occurs with a power above one.
  std::optional<Poly> coefficient(AtomId A) const;
  /// *this without the terms that use \p A.
  Poly without(AtomId A) const;
  /// Replaces every \p A by \p By.
  Poly substitute(AtomId A, const Poly &By) const;
  /// *this / Divisor if every coefficient is a multiple of it.
  std::optional<Poly> divideExactly(int64_t Divisor) const;
  /// *this / \p Divisor, which must be one term with a positive coefficient, if
  /// every term is a multiple of it.
  std::optional<Poly> divideExactly(const Poly &Divisor) const;

  Poly &operator+=(const Poly &O);
  Poly &operator-=(const Poly &O);
  friend Poly operator+(Poly A, const Poly &B) { return A += B; }
  friend Poly operator-(Poly A, const Poly &B) { return A -= B; }
  friend Poly operator*(const Poly &A, const Poly &B);
  friend bool operator==(const Poly &A, const Poly &B) {
    return A.S == B.S || A.terms() == B.terms();
  }
  friend bool operator!=(const Poly &A, const Poly &B) { return !(A == B); }
  /// An arbitrary total order, for interning.
  friend bool operator<(const Poly &A, const Poly &B) {
    return std::lexicographical_compare(A.terms().begin(), A.terms().end(),
                                        B.terms().begin(), B.terms().end());
  }

  /// Terms in ascending order of their products; no coefficient is zero.
  llvm::ArrayRef<Term> terms() const {
    return S ? llvm::ArrayRef<Term>(S->Terms) : llvm::ArrayRef<Term>();
  }

private:
  /// Kernels are copied far more often than they change: copies of a polynomial
  /// share its terms until one of them does. Most have one or two.
  struct Sum : llvm::RefCountedBase<Sum> {
    llvm::SmallVector<Term, 2> Terms;
  };

  Sum &getOwn();
  void addTerm(const Monomial &M, int64_t Coef);
  void appendTerm(Monomial M, int64_t Coef);
  void addAll(const Poly &O, bool Negate);

  llvm::IntrusiveRefCntPtr<Sum> S; ///< null: no terms
};

Poly operator*(const Poly &A, const Poly &B);

} // namespace dlopt

#endif // DLOPT_POLY_H
