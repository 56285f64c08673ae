//===- SumPart.cpp - The part of a sum that is copied ---------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ScriptWriter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace dlopt;

bool dlopt::findPart(const Kernel &K, const StrategyRoles &R, uint64_t Most,
                     uint64_t Lanes, SumPart &S) {
  S.Split = R.Sums.size();
  S.Elements = 1;
  while (S.Split) {
    std::optional<uint64_t> Rounds = getRounds(K, R.Sums[--S.Split]);
    if (Rounds == 0)
      return false;
    if (S.Split && Rounds && S.Elements * *Rounds <= Most) {
      S.Elements *= *Rounds;
      continue;
    }
    S.Depth = std::min(Most / S.Elements, Rounds.value_or(Most));
    // Blocks of one element are no blocks, but for the innermost loop.
    if (S.Depth == 1 && S.Split + 1 != R.Sums.size()) {
      S.Depth = *getRounds(K, R.Sums[++S.Split]);
      S.Elements /= S.Depth;
    } else if (Rounds && *Rounds > S.Depth) {
      S.Depth = divideCeil(*Rounds, divideCeil(*Rounds, S.Depth));
      if (S.Elements == 1)
        S.Depth = std::min(alignTo(S.Depth, Lanes), Most);
    }
    return true;
  }
  return false;
}

void ScriptWriter::namePart(const SumPart &S, uint64_t Strip, StringRef Lane) {
  SmallVector<std::string, 4> Around, Inside, Copies;
  std::string Index;
  uint64_t Elements = S.Elements * Strip;
  for (auto [I, A] : enumerate(R.Sums)) {
    const std::string &Name = K.Axes[A].Name;
    if (I < S.Split) {
      Around.push_back(Name);
      continue;
    }
    Inside.push_back(Name);
    Copies.push_back(Name + "_");
    if (I > S.Split)
      Elements /= *getRounds(K, A);
    Index += (Index.empty() ? "" : "+") + utostr(Elements) + "*" + Name;
  }
  Around.push_back("D");
  Holes["part.split"] = Holes["part.first"] = {Inside.front()};
  Holes["part.depth"] = {getBlocks(S.Depth, getRounds(K, R.Sums[S.Split]))};
  // Of one axis the start goes into the first round.
  SmallVector<StringRef, 3> Children = {Lane, "o"};
  if (Around.size() > 1)
    Children.insert(Children.begin(), "b");
  Holes["part.children"] = {join(Children, " ")};
  Holes["part.lanes"] = {join(Children, ",")};
  Holes["part.chain"] = {join(Around, ",")};
  Holes["part.around"] = {join(Around, " ")};
  Holes["part.inside"] = {join(Inside, " ")};
  Holes["part.list"] = {join(Inside, ",")};
  Holes["part.index"] = {Index};
  Holes["part.copies"] = {join(Copies, " ")};
  Holes["part.last"] = {Copies.back()};
  Holes["part.neighbours"] = {Copies.size() == 1 ? Copies.front() : "e"};
  if (Copies.size() == 1)
    return;
  Holes["part.copied"] = {join(Copies, ",")};
  Copies.pop_back();
  Holes["part.others"] = {join(Copies, " ")};
}
