//===- Sets.cpp - Random linear constraints and their points --------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Whether a set is empty, or covered by another one, is asked point by point:
/// each variable but the last has bounds of one digit. The last one may have
/// none; what bounds it then are other rows, whose numbers are small.
///
//===----------------------------------------------------------------------===//
#include "../../../passes/Support/IntegerSet.h"
#include "Fuzz.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace llvm;
using namespace dlopt;

namespace {

constexpr int64_t Most = 4, MostOfLast = 64;

struct RandomSet {
  unsigned NumVariables = 0;
  std::vector<LinearRow> Rows;

  void addBound(Random &R, unsigned Variable, int64_t Factor);
  static RandomSet make(Random &R, unsigned NumVariables);
  IntegerSet get() const;
  bool has(ArrayRef<int64_t> Point) const;
  /// The first \p NumShared coordinates of its points.
  std::set<std::vector<int64_t>> project(unsigned NumShared) const;
  void print(raw_ostream &OS) const;
};

} // namespace

void RandomSet::addBound(Random &R, unsigned Variable, int64_t Factor) {
  LinearRow Row{{{Variable, Factor}}, 0, false};
  Row.Constant = std::abs(Factor) * int64_t(R.below(Most + 1));
  Rows.push_back(Row);
}

RandomSet RandomSet::make(Random &R, unsigned NumVariables) {
  RandomSet S;
  S.NumVariables = NumVariables;
  for (unsigned V = 0; V != NumVariables; ++V) {
    bool IsLast = V + 1 == NumVariables;
    for (int64_t Sign : {1, -1})
      if (!IsLast || R.percent(40))
        S.addBound(R, V, Sign);
  }
  static constexpr int64_t Factors[] = {1, 1, 1, -1, -1, -1, 2, -2, 3, -3, 4};
  for (unsigned I = 0, E = 1 + R.below(5); I != E; ++I) {
    LinearRow Row{{}, int64_t(R.below(9)) - 4, R.percent(30)};
    for (unsigned T = 0, N = 1 + R.below(3); T != N; ++T)
      Row.Terms.push_back(
          {R.below(NumVariables), R.pick(ArrayRef<int64_t>(Factors))});
    S.Rows.push_back(Row);
  }
  return S;
}

IntegerSet RandomSet::get() const {
  IntegerSet S;
  for (unsigned I = 0; I != NumVariables; ++I)
    S.addVariable();
  for (const LinearRow &Row : Rows)
    if (Row.IsEquality)
      S.addEquality(Row.Terms, Row.Constant);
    else
      S.addInequality(Row.Terms, Row.Constant);
  return S;
}

bool RandomSet::has(ArrayRef<int64_t> Point) const {
  for (const LinearRow &Row : Rows) {
    int64_t Sum = Row.Constant;
    for (auto [Variable, Factor] : Row.Terms)
      Sum += Factor * Point[Variable];
    if (Row.IsEquality ? Sum != 0 : Sum < 0)
      return false;
  }
  return true;
}

std::set<std::vector<int64_t>> RandomSet::project(unsigned NumShared) const {
  std::set<std::vector<int64_t>> Result;
  std::vector<int64_t> Point(NumVariables, -Most);
  Point.back() = -MostOfLast;
  for (;;) {
    if (has(Point))
      Result.insert({Point.begin(), Point.begin() + NumShared});
    unsigned V = 0;
    for (; V != NumVariables; ++V) {
      bool IsLast = V + 1 == NumVariables;
      if (++Point[V] <= (IsLast ? MostOfLast : Most))
        break;
      Point[V] = IsLast ? -MostOfLast : -Most;
    }
    if (V == NumVariables)
      return Result;
  }
}

void RandomSet::print(raw_ostream &OS) const {
  for (const LinearRow &Row : Rows) {
    for (auto [Variable, Factor] : Row.Terms)
      OS << Factor << "*x" << Variable << " + ";
    OS << Row.Constant << (Row.IsEquality ? " == 0\n" : " >= 0\n");
  }
}

bool SetCounts::compare(uint64_t Seed) {
  Random R(Seed);
  unsigned NumVariables = 2 + R.below(3);
  unsigned NumShared = 1 + R.below(NumVariables - 1);
  RandomSet A = RandomSet::make(R, NumVariables),
            B = RandomSet::make(R, NumVariables);
  if (R.percent(50))
    B.Rows.resize(B.Rows.size() - 1);
  auto OfA = A.project(NumShared), OfB = B.project(NumShared);
  bool IsEmpty = OfA.empty();
  bool IsCovered =
      std::includes(OfB.begin(), OfB.end(), OfA.begin(), OfA.end());
  bool SaysEmpty = A.get().isEmpty();
  bool SaysCovered = A.get().isCoveredBy(B.get(), NumShared);
  Sets += 1;
  Empty += SaysEmpty;
  Covered += SaysCovered && !SaysEmpty;
  Unknown += (IsEmpty && !SaysEmpty) + (IsCovered && !SaysCovered);
  if ((SaysEmpty && !IsEmpty) || (SaysCovered && !IsCovered)) {
    Failures += 1;
    outs() << "# seed " << Seed << ": said to be "
           << (SaysEmpty && !IsEmpty ? "empty" : "covered by the second in ")
           << NumShared << " coordinates\n";
    A.print(outs());
    outs() << "and\n";
    B.print(outs());
    return false;
  }
  return true;
}

void SetCounts::print() const {
  outs() << Sets << " sets: " << Empty << " empty, " << Covered
         << " others covered, " << Unknown << " unknown; " << Failures
         << " wrong\n";
}
