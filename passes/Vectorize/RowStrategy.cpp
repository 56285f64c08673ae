//===- RowStrategy.cpp - Rows that begin in lanes -------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LaneChooser.h"
#include "LaneStrategy.h"
#include "dlopt/Dependences.h"
#include "dlopt/Raise.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace dlopt;

bool dlopt::runsInLanes(ArrayRef<LanePlan::Split> Splits, const Node &N,
                        unsigned Child) {
  if (N.K != Node::AxisNode)
    return true;
  auto *Rows =
      find_if(Splits, [&](const LanePlan::Split &S) { return S.Rows == N.Ax; });
  return Rows == Splits.end() ||
         count_if(Rows->Ends, [&](unsigned End) { return End <= Child; }) % 2;
}

/// The children of \p N from \p Begin on and in front of \p Split as lanes of
/// \p N.
bool LaneChooser::addAhead(const Node &N, unsigned Begin, unsigned Split,
                           Candidate &C) {
  Private.assign(N.Locals.begin(), N.Locals.end());
  C.State = N.Locals.size();
  const Node *Inner[] = {&N};
  return all_of(ArrayRef(N.Children).slice(Begin, Split - Begin),
                [&](const auto &Child) {
                  return isPlain(K, *Child) && addNode(*Child, N.Ax, Inner, C);
                });
}

/// The child \p Child of \p N in lanes along the row, if that is possible.
bool LaneChooser::addAlong(const Node &N, const Node &Child, Candidate &C) {
  std::optional<Candidate> Along = pick(Child, &N);
  if (!Along || !Along->WholeLoads || !Along->WholeStores || Along->Blocked ||
      !Along->Splits.empty())
    return false;
  C.Axes.append(Along->Axes);
  C.Bytes = std::max(C.Bytes, Along->Bytes);
  C.HasMath |= Along->HasMath;
  C.Maskable &= Along->Maskable;
  return true;
}

/// Whether the first \p Split children of \p N may run ahead of the others.
/// What that needs \p C needs.
bool LaneChooser::mayRunAhead(const Node &N, unsigned Split,
                              Candidate &C) const {
  auto Needs = Dependences(K).mayRunAhead(N, Around, Split);
  if (Needs)
    append_range(C.Needs, std::move(*Needs));
  return Needs.has_value();
}

/// Chains whose order matters in lanes of rows, all other loops along their
/// rows, by turns: of a softmax the maximum and the exponential functions,
/// their sum, the quotients. What is done once a row goes with the chain before
/// it if it may.
std::optional<Candidate> LaneChooser::considerTurns(const Node &N) {
  Candidate C;
  C.Axes.push_back(N.Ax);
  Private.assign(N.Locals.begin(), N.Locals.end());
  C.State = N.Locals.size();
  const Node *Inner[] = {&N};
  SmallVector<unsigned, 4> Ends;
  SmallVector<const Node *, 4> Along;
  bool InLanes = false;
  for (auto [Number, Child] : enumerate(N.Children)) {
    bool IsLoop = Child->K == Node::AxisNode;
    bool Goes = IsLoop ? K.Axes[Child->Ax].R != Role::Parallel &&
                             !getLaneReductions(K, *Child) &&
                             !getLaneSearch(K, *Child)
                       : InLanes;
    if (Goes) {
      Candidate With = C;
      Goes = isPlain(K, *Child) && addNode(*Child, N.Ax, Inner, With);
      if (Goes)
        C = std::move(With);
      else if (IsLoop)
        return std::nullopt;
    }
    if (IsLoop && !Goes)
      Along.push_back(Child.get());
    if (Goes != InLanes)
      Ends.push_back(Number);
    InLanes = Goes;
  }
  if (InLanes)
    Ends.push_back(N.Children.size());
  C.Maskable = true;
  // What rows need of each other takes the most time to find.
  if (!C.HasGain || !C.Transposes || C.WritesRows ||
      !all_of(Along,
              [&](const Node *Child) { return addAlong(N, *Child, C); }) ||
      !all_of(Ends,
              [&](unsigned End) { return !End || mayRunAhead(N, End, C); }))
    return std::nullopt;
  C.Splits.push_back({N.Ax, std::move(Ends)});
  return C;
}

/// The first child of \p N if it stores rows, and no more, whatever the others
/// have found out.
static unsigned getStoresAhead(const Kernel &K, const Node &N) {
  const Node &First = *N.Children.front();
  if (First.K != Node::AxisNode || K.Axes[First.Ax].R != Role::Parallel)
    return 0;
  bool UsesState = false;
  forEachLeaf(First, [&](const Leaf &L, ArrayRef<AxisId>) {
    UsesState |= any_of(L.Ops, [&](const Op &O) {
      return O.K == Op::LibCall ||
             (O.K == Op::Load && is_contained(N.Locals, O.Acc.Buf));
    });
    UsesState |= any_of(L.Assigns, [&](const Assign &A) {
      return is_contained(N.Locals, A.Target.Buf);
    });
  });
  return !UsesState;
}

/// The first children of \p N in lanes, as many as possible, the others row by
/// row; by turns, where that is not possible.
std::optional<Candidate> LaneChooser::considerRows(const Node &N) {
  auto IsChain = [&](const Node &X) {
    return X.K == Node::AxisNode && K.Axes[X.Ax].R != Role::Parallel;
  };
  auto IsLeaf = [&](const Node &X) {
    return X.K == Node::LeafNode && !readsUntested(K, X.L);
  };
  unsigned Begin = getStoresAhead(K, N);
  Candidate OfStores;
  if (Begin && !mayRunAhead(N, Begin, OfStores))
    Begin = 0;
  for (unsigned Last = N.Children.size(); Last-- > Begin;) {
    if (!IsChain(*N.Children[Last]))
      continue;
    // What is done once a row goes with the lanes if it may.
    unsigned Most = Last + 1;
    while (Most < N.Children.size() && IsLeaf(*N.Children[Most]))
      ++Most;
    for (unsigned Split : {Most, Last + 1}) {
      Candidate C = OfStores;
      C.Axes.push_back(N.Ax);
      if (!addAhead(N, Begin, Split, C) || !C.HasGain || !C.Transposes ||
          !mayRunAhead(N, Split, C))
        continue;
      C.Splits.push_back({N.Ax, {Begin, Split}});
      C.Maskable = true;
      for (auto [Number, Child] : enumerate(N.Children))
        if (Number < Begin || Number >= Split)
          addAlong(N, *Child, C);
      if (!C.WritesRows)
        return C;
      std::optional<Candidate> Turns = considerTurns(N);
      return Turns ? Turns : C;
    }
  }
  return considerTurns(N);
}

/// Calls \p Visit with the leaves below \p N that are in lanes of \p C, and all
/// axes around them.
static void
forEachLeafInLanes(const Candidate &C, const Node &N,
                   SmallVectorImpl<AxisId> &Axes,
                   function_ref<void(const Leaf &, ArrayRef<AxisId>)> Visit) {
  if (N.K == Node::LeafNode)
    return Visit(N.L, Axes);
  if (N.K == Node::AxisNode)
    Axes.push_back(N.Ax);
  for (auto [Number, Child] : enumerate(N.Children))
    if (runsInLanes(C.Splits, N, Number))
      forEachLeafInLanes(C, *Child, Axes, Visit);
  if (N.K == Node::AxisNode)
    Axes.pop_back();
}

/// Whether a set of the first-level cache has no more lines than 8. (It has as
/// many as the cache has pages: it is looked up by bits that addresses share
/// with what they stand for.)
static bool hasFewWays(const TargetModel &Target) {
  constexpr uint64_t PageBytes = 4096, FewWays = 8;
  return Target.L1 <= FewWays * PageBytes;
}

/// Whether lines of more rows than one set of the first-level cache holds are
/// gone before they are used up: where one loop reads rows of several arrays or
/// writes some, where a line has many squares, and, in sets of 8 lines, where
/// rows of several parts are read again, and written, one by one. (With 12, on
/// a Zen 5, batchnorm in training takes 0.69 to 0.82 of the time by sixteen
/// rows, 14^2 to 64^2 pixels.)
static bool losesLines(const Kernel &K, const TargetModel &Target,
                       const Candidate &C) {
  bool HasFewWays = hasFewWays(Target), Any = C.WritesRows || C.Blocked;
  SmallVector<std::tuple<AxisId, BufferId, Poly>, 4> Rows;
  SmallVector<AxisId, 6> Around;
  auto Visit = [&](const Leaf &L, ArrayRef<AxisId> Axes) {
    for (const Op &O : L.Ops) {
      if (Axes.empty())
        continue;
      AxisId Inner = Axes.back();
      auto *Lane = find_if(
          C.Axes, [&](AxisId A) { return isTransposed(K, O, Inner, A); });
      if (Lane == C.Axes.end())
        continue;
      bool HasParts = HasFewWays && !C.Splits.empty() && Axes.size() > 1 &&
                      Axes[Axes.size() - 2] != *Lane;
      std::tuple Row(Inner, O.Acc.Buf, getOffset(K, O.Acc));
      Any |= HasParts || getSizeInBytes(O.Ty) < 4 ||
             any_of(
                 Rows,
                 [&](const auto &Other) {
                   return std::get<0>(Other) == Inner && Other != Row;
                 });
      Rows.push_back(Row);
    }
  };
  forEachLeafInLanes(C, K.Root, Around, Visit);
  return Any;
}

/// Whether a vector of \p Elems lanes is a cache line of all that \p K reads
/// and writes.
static bool isLine(const Kernel &K, unsigned Elems) {
  constexpr unsigned LineBytes = 64;
  bool Is = true;
  auto Use = [&](BufferId Buf) {
    Is &= K.Buffers[Buf].IsLocal ||
          Elems * getSizeInBytes(K.Buffers[Buf].Ty) == LineBytes;
  };
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Op &O : L.Ops)
      if (O.K == Op::Load)
        Use(O.Acc.Buf);
    for (const Assign &A : L.Assigns)
      Use(A.Target.Buf);
  });
  return Is;
}

void dlopt::setRows(const Kernel &K, const TargetModel &Target,
                    const Candidate &C, LanePlan &Plan) {
  // Rows that lie a multiple of a page apart have their lines in one set of the
  // cache, which holds this many. A vector with twice as many lanes pays
  // nevertheless where those of the next one do. Fewer take as long as one.
  constexpr unsigned Rows = 8, LeastRows = 4;
  // A line that is written at once need not stay.
  Plan.InBands = Plan.StripLines && isLine(K, Plan.VectorElems);
  // Elements of a byte or two take more than that from each line they read.
  const bool IsNarrow = C.Blocked && C.Bytes < 4;
  if (Plan.VectorElems > Rows &&
      (Plan.InBands || IsNarrow || !losesLines(K, Target, C))) {
    Plan.Vectors = 1;
  } else {
    Plan.VectorElems = std::min(Plan.VectorElems, Rows);
    Plan.Vectors = Rows / Plan.VectorElems;
  }
  // Of narrow ones each smaller vector is as much code as the whole ones.
  constexpr unsigned PartBytes = 16;
  if (IsNarrow)
    Plan.RestElems = std::min(Plan.VectorElems, PartBytes / C.Bytes);
  else if (Plan.VectorElems > LeastRows)
    Plan.RestElems = Plan.LeastRows = LeastRows;
  Plan.AlongVectors = 4;
  Plan.FetchesToL1 = !hasFewWays(Target);
}
