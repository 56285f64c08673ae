//===- SearchStrategy.cpp - Which axes are searched in lanes --------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LaneChooser.h"
#include "LoopProfit.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace dlopt;

/// The greatest element along \p N and its position. Of numbers beside
/// functions of the library LLVM's vectors, which take any zero, are as good.
std::optional<Candidate> LaneChooser::considerSearch(const Node &N) {
  std::optional<LaneSearch> Search = getLaneSearch(K, N);
  if (!Search || Plan.Scalable || !isPlain(K, N))
    return std::nullopt;
  // Narrow integers are compared as wider ones.
  ScalarType Ty = K.Buffers[Search->State].Ty;
  unsigned Bytes = std::max(getSizeInBytes(Ty), isFloat(Ty) ? 0u : 4u);
  if (Bytes < 4 || (Search->OfNumbers && (!Target.KeepsFirstOfEqual ||
                                          NearCalls || callsLibrary(K, Plan))))
    return std::nullopt;
  Candidate C;
  C.Axes.push_back(N.Ax);
  C.Searches = C.HasGain = true;
  C.Maskable = false;
  Private.clear();
  for (auto [State, New] : Search->News)
    Private.push_back(State);
  if (!addNode(N, N.Ax, {}, C) || !C.WholeLoads)
    return std::nullopt;
  C.Bytes = Bytes;
  return C;
}

/// Whether \p A is all that takes time in \p N.
static bool isSearchOf(const Node &N, AxisId A) {
  return N.K == Node::AxisNode && all_of(N.Children, [&](const auto &C) {
           return C->K == Node::LeafNode ||
                  (C->K == Node::AxisNode && C->Ax == A);
         });
}

bool dlopt::takesSearch(const Node &N, Candidate &Own,
                        const Candidate &Inside) {
  if (!Own.Transposes || !Own.Splits.empty() || Own.Blocked ||
      !Inside.Searches || Inside.Axes.size() != 1 ||
      !isSearchOf(N, Inside.Axes.front()))
    return false;
  Own.LongSearch = Inside.Axes.front();
  return true;
}

void dlopt::setShortRows(const Kernel &K, const Node &N, Candidate &Own,
                         const Candidate &Inside) {
  if (!Own.HasGain || Inside.HasGain || Own.HasMath || Own.HasRoots ||
      Own.Blocked || !Own.Splits.empty() || Inside.Axes.size() != 1 ||
      !Inside.WholeLoads || !isSearchOf(N, Inside.Axes.front()))
    return;
  auto Row =
      find_if(N.Children, [](const auto &C) { return C->K == Node::AxisNode; });
  if (Row != N.Children.end() && choosesInAnyOrder(K, **Row))
    Own.ShortRows = Inside.Axes.front();
}
