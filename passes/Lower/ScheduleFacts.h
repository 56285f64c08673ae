//===- ScheduleFacts.h - What is known where code is made -------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Axes and sizes are numbers, or in a range, and conditions hold, for the code
/// that is being made: all of it is scoped, as the same text is made into code
/// several times (once a size, once a copy).
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_LOWER_SCHEDULEFACTS_H
#define DLOPT_PASSES_LOWER_SCHEDULEFACTS_H

#include "dlopt/Kernel.h"
#include "dlopt/PlantedBugs.h"

namespace dlopt {

/// From Least to Most; what is not known is open.
struct NumberRange {
  std::optional<int64_t> Least, Most;
  /// It is so many times `vl`.
  std::optional<int64_t> TimesVL = std::nullopt;

  static NumberRange of(int64_t Number) { return {Number, Number}; }
  static NumberRange of(const ScheduleSize &S) {
    NumberRange Result{S.getLeast(), S.getMost()};
    if (S.Scalable)
      Result.TimesVL = S.N;
    return Result;
  }
  /// The number of elements, or how many times `vl` that is.
  std::optional<int64_t> getNumber(bool Scalable) const {
    return Scalable && TimesVL            ? TimesVL
           : Scalable && getNumber() != 0 ? std::nullopt
                                          : getNumber();
  }
  std::optional<int64_t> getNumber() const {
    return Least && Least == Most ? Least : std::nullopt;
  }
};

class ScheduleFacts {
public:
  explicit ScheduleFacts(const Kernel &K);

  /// \p P with what are numbers here as numbers.
  Poly fold(const Poly &P) const;
  std::optional<int64_t> getNumber(const Poly &P) const {
    return fold(P).getConstant();
  }
  NumberRange getRange(const Poly &P) const;
  /// Of the smallest of \p Extents, the largest of \p Begins.
  NumberRange getRangeOfMin(llvm::ArrayRef<Poly> Extents) const;
  NumberRange getRangeOfMax(llvm::ArrayRef<Poly> Begins) const;
  /// Whether it holds wherever this code runs, or nowhere; nullopt: it depends,
  /// or nobody knows. Conditions do not wrap around.
  std::optional<bool> holds(const Constraint &C) const;
  /// Whether \p P is known to be \p S at most.
  bool isAtMost(const Poly &P, const ScheduleSize &S) const {
    return holds({K.getPoly(S) - P, /*IsEquality=*/false}) == true;
  }
  std::optional<bool> isPositive(const Poly &P) const {
    return holds({P - 1, /*IsEquality=*/false});
  }
  /// \p P >= 0 from here on. What is loaded may change, and is no fact.
  void add(const Poly &P);
  void add(const Constraint &C);

  /// What was known before is known again at the end of a scope.
  class Scope {
  public:
    explicit Scope(ScheduleFacts &F, std::optional<AxisId> Bound = std::nullopt)
        : F(F), Count(F.Facts.size()), Bound(Bound) {
      if (Bound)
        Before = {F.Axes[*Bound], F.Sizes[*Bound]};
    }
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;
    ~Scope() {
      if (!DLOPT_PLANTED(FactsOutliveArm))
        F.Facts.truncate(Count);
      if (Bound)
        std::tie(F.Axes[*Bound], F.Sizes[*Bound]) = Before;
    }

  private:
    ScheduleFacts &F;
    size_t Count;
    std::optional<AxisId> Bound;
    std::pair<NumberRange, NumberRange> Before;
  };

private:
  NumberRange getRangeOfAtom(AtomId Id) const;
  bool isKnown(const Poly &P) const;

  const Kernel &K;

public:
  llvm::SmallVector<NumberRange, 8> Axes, Sizes;

private:
  llvm::SmallVector<NumberRange, 8> Params;
  llvm::SmallVector<Poly, 16> Facts;
};

/// Whether \p P has a loaded integer in it.
bool hasLoads(const Kernel &K, const Poly &P);

} // namespace dlopt

#endif // DLOPT_PASSES_LOWER_SCHEDULEFACTS_H
