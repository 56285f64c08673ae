//===- stl-heavy.cpp - Input of scripts/compile-time ----------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everyday C++ that instantiates much of the standard library: thousands of
// small functions, hundreds of loops, hardly any arithmetic in them.
//
//===----------------------------------------------------------------------===//
#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <queue>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

namespace {

struct Record {
  std::string Name;
  std::vector<std::string> Tags;
  std::map<std::string, double> Scores;
  std::optional<int> Age;
  bool operator<(const Record &R) const {
    return std::tie(Name, Tags, Age) < std::tie(R.Name, R.Tags, R.Age);
  }
};

using Value = std::variant<long, double, std::string, std::vector<double>>;

template <typename Range> auto meanOf(const Range &R) {
  double Sum = 0;
  for (const auto &X : R)
    Sum += X;
  return R.empty() ? 0.0 : Sum / R.size();
}

class Index {
public:
  void add(Record R) {
    auto P = std::make_shared<Record>(std::move(R));
    ByName[P->Name] = P;
    for (const std::string &T : P->Tags)
      ByTag[T].insert(P->Name);
    Order.push_back(P);
  }

  std::vector<std::shared_ptr<Record>> find(const std::regex &Pattern) const {
    std::vector<std::shared_ptr<Record>> Found;
    std::copy_if(
        Order.begin(), Order.end(), std::back_inserter(Found),
        [&](const auto &P) { return std::regex_search(P->Name, Pattern); });
    std::sort(Found.begin(), Found.end(),
              [](const auto &A, const auto &B) { return *A < *B; });
    return Found;
  }

  std::map<std::string, double> averages() const {
    std::unordered_map<std::string, std::vector<double>> All;
    for (const auto &P : Order)
      for (const auto &[Key, Score] : P->Scores)
        All[Key].push_back(Score);
    std::map<std::string, double> Result;
    for (const auto &[Key, Scores] : All)
      Result[Key] = meanOf(Scores);
    return Result;
  }

  std::size_t tagged(const std::string &Tag) const {
    auto It = ByTag.find(Tag);
    return It == ByTag.end() ? 0 : It->second.size();
  }

private:
  std::unordered_map<std::string, std::shared_ptr<Record>> ByName;
  std::map<std::string, std::set<std::string>> ByTag;
  std::deque<std::shared_ptr<Record>> Order;
};

std::vector<std::string> split(const std::string &Line, char Separator) {
  std::vector<std::string> Parts;
  std::istringstream Stream(Line);
  for (std::string Part; std::getline(Stream, Part, Separator);)
    Parts.push_back(Part);
  return Parts;
}

Record parse(const std::string &Line) {
  static const std::regex Number("[-+]?[0-9]+(\\.[0-9]*)?");
  Record R;
  for (const std::string &Part : split(Line, ';')) {
    auto Pair = split(Part, '=');
    if (Pair.size() != 2)
      R.Name += Part;
    else if (Pair[0] == "age" && std::regex_match(Pair[1], Number))
      R.Age = std::stoi(Pair[1]);
    else if (std::regex_match(Pair[1], Number))
      R.Scores[Pair[0]] = std::stod(Pair[1]);
    else
      R.Tags.push_back(Pair[1]);
  }
  std::sort(R.Tags.begin(), R.Tags.end());
  R.Tags.erase(std::unique(R.Tags.begin(), R.Tags.end()), R.Tags.end());
  return R;
}

std::string show(const Value &V) {
  std::ostringstream Out;
  std::visit(
      [&](const auto &X) {
        using T = std::decay_t<decltype(X)>;
        if constexpr (std::is_same_v<T, std::vector<double>>) {
          Out << '[';
          for (double D : X)
            Out << std::setprecision(3) << D << ' ';
          Out << ']';
        } else
          Out << X;
      },
      V);
  return Out.str();
}

struct Graph {
  std::unordered_map<int, std::vector<std::pair<int, double>>> Edges;

  std::map<int, double> distances(int From) const {
    using Item = std::pair<double, int>;
    std::priority_queue<Item, std::vector<Item>, std::greater<Item>> Queue;
    std::map<int, double> Best;
    Queue.push({0.0, From});
    while (!Queue.empty()) {
      auto [Distance, Node] = Queue.top();
      Queue.pop();
      if (!Best.emplace(Node, Distance).second)
        continue;
      auto It = Edges.find(Node);
      if (It == Edges.end())
        continue;
      for (auto [To, Length] : It->second)
        Queue.push({Distance + Length, To});
    }
    return Best;
  }
};

template <typename T> void exercise(std::mt19937 &Random) {
  std::vector<T> V(1000);
  for (T &X : V)
    X = T(Random() % 1000);
  std::list<T> L(V.begin(), V.end());
  std::deque<T> D(V.rbegin(), V.rend());
  std::multiset<T> S(V.begin(), V.end());
  std::unordered_multiset<T> U(V.begin(), V.end());
  L.sort();
  L.unique();
  std::stable_sort(V.begin(), V.end(), std::greater<T>());
  std::partial_sort(D.begin(), D.begin() + 10, D.end());
  std::nth_element(V.begin(), V.begin() + 500, V.end());
  std::rotate(D.begin(), D.begin() + 100, D.end());
  std::shuffle(D.begin(), D.end(), Random);
  std::vector<T> Merged;
  std::set_intersection(S.begin(), S.end(), L.begin(), L.end(),
                        std::back_inserter(Merged));
  std::map<T, std::vector<std::size_t>> Positions;
  for (std::size_t I = 0; I < D.size(); ++I)
    Positions[D[I]].push_back(I);
  std::cout << std::accumulate(V.begin(), V.end(), T()) << ' '
            << std::inner_product(V.begin(), V.end(), D.begin(), T()) << ' '
            << Merged.size() << ' ' << Positions.size() << ' ' << U.size()
            << '\n';
}

} // namespace

int main(int Count, char **Arguments) {
  Index I;
  for (std::string Line; std::getline(std::cin, Line);)
    I.add(parse(Line));
  for (const auto &P : I.find(std::regex(Count > 1 ? Arguments[1] : "^a.*z$")))
    std::cout << P->Name << ' ' << I.tagged(P->Name) << '\n';
  for (const auto &[Key, Mean] : I.averages())
    std::cout << std::setw(20) << Key << std::fixed << Mean << '\n';
  std::mt19937 Random(42);
  exercise<int>(Random);
  exercise<unsigned long>(Random);
  exercise<float>(Random);
  exercise<double>(Random);
  exercise<short>(Random);
  Graph G;
  for (int N = 0; N < 100; ++N)
    G.Edges[N].push_back({int(Random() % 100), Random() / 1e9});
  for (auto [Node, Distance] : G.distances(0))
    std::cout << Node << ' ' << show(Distance) << '\n';
  std::vector<std::function<Value(long)>> Makers = {
      [](long X) { return Value(X * X); },
      [](long X) { return Value(X * 0.5); },
      [](long X) { return Value(std::to_string(X)); },
      [](long X) { return Value(std::vector<double>(X, 1.0 / (1 + X))); }};
  for (long X = 0; X < 10; ++X)
    for (const auto &Make : Makers)
      std::cout << show(Make(X)) << '\n';
}
