//===- Elimination.cpp - Linear constraints without variables -------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What is asked of dependences are sets of some dozen variables, most of which
/// are sums of others, or bounded by numbers without a factor. Such ones go
/// without a solver, and integers stay integers:
///
///   x == 16*u + r               x is that in all other rows
///   x >= e, 3*x <= f            3*e <= f, where one of each pair has no factor
///   x >= e and no other bound   nothing
///
/// Where numbers would not fit, a variable stays.
///
//===----------------------------------------------------------------------===//
#include "Elimination.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace llvm;
using namespace dlopt;

using Term = LinearRow::Term;

namespace {

class Eliminator {
public:
  Eliminator(unsigned NumVariables, unsigned NumKept)
      : NumVariables(NumVariables), NumKept(NumKept) {}
  /// Both return whether there may be a solution. Terms are sorted.
  bool insert(LinearRow R);
  bool run();
  std::vector<LinearRow> take() { return std::move(Rows); }

private:
  /// How often a variable occurs.
  struct Uses {
    unsigned Above = 0, Below = 0, Equal = 0;
    bool HasFactorAbove = false, HasFactorBelow = false;
  };
  enum class Step { None, Done, NoSolution };

  std::vector<Uses> count() const;
  Step substitute();
  Step replace(size_t Row, unsigned Variable);
  Step project();
  Step combine(unsigned Variable);
  Step exchange(unsigned Variable, std::vector<LinearRow> New);

  unsigned NumVariables, NumKept;
  std::vector<LinearRow> Rows;
};

} // namespace

static bool isSmall(const LinearRow &R) {
  return isInt<32>(R.Constant) &&
         all_of(R.Terms, [](const Term &T) { return isInt<32>(T.second); });
}

/// Sorts terms and adds those of one variable; false: a number does not fit.
static bool collect(LinearRow &R) {
  sort(R.Terms);
  SmallVector<Term, 4> Terms;
  for (const Term &T : R.Terms) {
    if (Terms.empty() || Terms.back().first != T.first)
      Terms.push_back(T);
    else if (AddOverflow(Terms.back().second, T.second, Terms.back().second))
      return false;
  }
  erase_if(Terms, [](const Term &T) { return T.second == 0; });
  R.Terms = std::move(Terms);
  return none_of(R.Terms, [](const Term &T) { return T.second == INT64_MIN; });
}

/// Divides by what all coefficients are multiples of; false: no integers solve
/// it. To be at least zero, a sum of multiples of g has to be at least the next
/// multiple.
static bool reduce(LinearRow &R) {
  if (R.Terms.empty())
    return R.IsEquality ? R.Constant == 0 : R.Constant >= 0;
  int64_t Divisor = 0;
  for (const Term &T : R.Terms)
    Divisor = std::gcd(Divisor, T.second);
  if (R.IsEquality && R.Constant % Divisor != 0)
    return false;
  for (Term &T : R.Terms)
    T.second /= Divisor;
  R.Constant = DLOPT_PLANTED(EliminationRounded)
                   ? -divideFloorSigned(-R.Constant, Divisor)
                   : divideFloorSigned(R.Constant, Divisor);
  return true;
}

/// 1: the same sum; -1: its negative; 0: another one.
static int compare(const LinearRow &A, const LinearRow &B) {
  if (A.Terms.size() != B.Terms.size())
    return 0;
  bool IsSame = true, IsNegative = true;
  for (auto [X, Y] : zip(A.Terms, B.Terms)) {
    if (X.first != Y.first)
      return 0;
    IsSame &= X.second == Y.second;
    IsNegative &= X.second == -Y.second;
    if (!IsSame && !IsNegative)
      return 0;
  }
  return IsSame ? 1 : -1;
}

bool Eliminator::insert(LinearRow R) {
  if (!reduce(R))
    return false;
  if (R.Terms.empty())
    return true;
  for (LinearRow &Old : Rows) {
    int Sign = R.IsEquality || Old.IsEquality ? 0 : compare(Old, R);
    if (Sign > 0) {
      Old.Constant = std::min(Old.Constant, R.Constant);
      return true;
    }
    int64_t Room = 0;
    if (Sign == 0 || AddOverflow(Old.Constant, R.Constant, Room))
      continue;
    if (Room < 0)
      return false;
    if (Room == 0) {
      Old.IsEquality = true;
      return true;
    }
  }
  Rows.push_back(std::move(R));
  return true;
}

std::vector<Eliminator::Uses> Eliminator::count() const {
  std::vector<Uses> Result(NumVariables);
  for (const LinearRow &R : Rows)
    for (auto [Variable, Factor] : R.Terms) {
      Uses &U = Result[Variable];
      if (R.IsEquality) {
        ++U.Equal;
      } else if (Factor > 0) {
        ++U.Below;
        U.HasFactorBelow |= Factor != 1;
      } else {
        ++U.Above;
        U.HasFactorAbove |= Factor != -1;
      }
    }
  return Result;
}

/// \p FactorA times \p A and \p FactorB times \p B, with the kind of \p A;
/// nullopt: numbers do not fit, or are the first that a solver takes long for.
static std::optional<LinearRow> addRows(const LinearRow &A, int64_t FactorA,
                                        const LinearRow &B, int64_t FactorB) {
  LinearRow R = A;
  auto Scale = [](int64_t &X, int64_t By) { return !MulOverflow(X, By, X); };
  for (Term &T : R.Terms)
    if (!Scale(T.second, FactorA))
      return std::nullopt;
  int64_t Constant = B.Constant;
  if (!Scale(R.Constant, FactorA) || !Scale(Constant, FactorB) ||
      AddOverflow(R.Constant, Constant, R.Constant))
    return std::nullopt;
  for (Term T : B.Terms) {
    if (!Scale(T.second, FactorB))
      return std::nullopt;
    R.Terms.push_back(T);
  }
  if (!collect(R) || (isSmall(A) && isSmall(B) && !isSmall(R)))
    return std::nullopt;
  return R;
}

/// By how much \p Variable counts in \p R.
static int64_t getFactor(const LinearRow &R, unsigned Variable) {
  for (const Term &T : R.Terms)
    if (T.first == Variable)
      return T.second;
  return 0;
}

/// Has \p New instead of what speaks of \p Variable.
Eliminator::Step Eliminator::exchange(unsigned Variable,
                                      std::vector<LinearRow> New) {
  erase_if(Rows,
           [&](const LinearRow &R) { return getFactor(R, Variable) != 0; });
  for (LinearRow &R : New)
    if (!insert(std::move(R)))
      return Step::NoSolution;
  return Step::Done;
}

/// Puts what \p Variable is by row \p Row, where its factor is 1 or -1, in its
/// place.
Eliminator::Step Eliminator::replace(size_t Row, unsigned Variable) {
  const LinearRow &By = Rows[Row];
  int64_t Sign = getFactor(By, Variable);
  std::vector<LinearRow> New;
  for (const LinearRow &R : Rows) {
    int64_t Factor = getFactor(R, Variable);
    if (Factor == 0 || &R == &By)
      continue;
    std::optional<LinearRow> Sum = addRows(R, 1, By, -Factor * Sign);
    if (!Sum)
      return Step::None;
    New.push_back(std::move(*Sum));
  }
  return exchange(Variable, std::move(New));
}

/// Eliminates one variable that is a sum of others.
Eliminator::Step Eliminator::substitute() {
  for (size_t I = 0; I != Rows.size(); ++I) {
    if (!Rows[I].IsEquality)
      continue;
    SmallVector<Term, 4> Terms = Rows[I].Terms;
    for (auto [Variable, Factor] : Terms) {
      if (Variable < NumKept || (Factor != 1 && Factor != -1))
        continue;
      if (Step S = replace(I, Variable); S != Step::None)
        return S;
    }
  }
  return Step::None;
}

/// What follows for others from pairs of bounds of \p Variable.
Eliminator::Step Eliminator::combine(unsigned Variable) {
  std::vector<LinearRow> New;
  for (const LinearRow &Low : Rows) {
    int64_t Below = getFactor(Low, Variable);
    if (Below <= 0)
      continue;
    for (const LinearRow &High : Rows) {
      int64_t Above = getFactor(High, Variable);
      if (Above >= 0)
        continue;
      std::optional<LinearRow> Sum = addRows(Low, -Above, High, Below);
      if (!Sum)
        return Step::None;
      New.push_back(std::move(*Sum));
    }
  }
  return exchange(Variable, std::move(New));
}

/// Eliminates the variable that leaves the fewest rows.
Eliminator::Step Eliminator::project() {
  // More rows at a time soon are more than a solver takes.
  constexpr int64_t MostNew = 2;
  SmallVector<std::pair<int64_t, unsigned>, 16> Order;
  for (auto [Variable, U] : enumerate(count())) {
    bool IsExact = (!U.HasFactorAbove || !U.HasFactorBelow ||
                    DLOPT_PLANTED(EliminationInexact));
    if (Variable < NumKept || U.Equal || !IsExact || U.Above + U.Below == 0)
      continue;
    int64_t New = int64_t(U.Above) * U.Below - U.Above - U.Below;
    if (New <= MostNew)
      Order.push_back({New, static_cast<unsigned>(Variable)});
  }
  sort(Order);
  for (auto [New, Variable] : Order)
    if (Step S = combine(Variable); S != Step::None)
      return S;
  return Step::None;
}

bool Eliminator::run() {
  for (;;) {
    Step S = substitute();
    if (S == Step::None)
      S = project();
    if (S != Step::Done)
      return S == Step::None;
  }
}

std::optional<std::vector<LinearRow>>
dlopt::eliminateVariables(std::vector<LinearRow> Rows, unsigned NumVariables,
                          unsigned NumKept) {
  for (LinearRow &R : Rows)
    if (!collect(R))
      return Rows;
  Eliminator E(NumVariables, NumKept);
  for (LinearRow &R : Rows)
    if (!E.insert(std::move(R)))
      return std::nullopt;
  if (!E.run())
    return std::nullopt;
  return E.take();
}
