//===- Fusion.cpp - Loops of a kernel that become one ---------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Fusion.h"
#include "dlopt/ContractionView.h"
#include "dlopt/Dependences.h"
#include "dlopt/Footprint.h"
#include "dlopt/Lanes.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Raise.h"
#include "dlopt/Strategies.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace dlopt;

namespace {

/// What becomes of the iterations of an axis.
enum class Sharing : uint8_t {
  Lanes,  ///< lanes can share them
  Chain,  ///< each goes on where the one before stopped
  Unknown ///< or worse
};

class AxisFuser {
public:
  explicit AxisFuser(Kernel &K) : K(K) {}
  bool run();
  /// The first reason why loops over the same memory stay apart.
  Reason getReason() const { return Why; }

private:
  bool fuseAllBelow(SmallVectorImpl<AxisId> &Around);
  bool fuseBelow(Node &Parent, SmallVectorImpl<AxisId> &Around);
  bool fuseInto(Node &Parent, size_t First, size_t Second,
                ArrayRef<size_t> Ahead, ArrayRef<AxisId> Around);
  bool refuse(Reason R) {
    if (Why == Reason::Ok)
      Why = R;
    return false;
  }
  bool mayJoin(const Node &A, const Node &B);
  std::optional<std::vector<Need>> isLegal(const Node &A, const Node &B,
                                           ArrayRef<AxisId> Around) const;
  bool isWorthIt(const Kernel &Trial, const Node &Joined, const Node &A,
                 const Node &B) const;
  bool isOfWindows(const Node &N) const;

  Kernel &K;
  SmallVector<size_t, 4> Path; ///< to the node whose children are looked at
  Reason Why = Reason::Ok;
};

} // namespace

static Sharing getSharing(const Kernel &K, const Node &N) {
  switch (K.Axes[N.Ax].R) {
  case Role::Parallel:
    return Sharing::Lanes;
  case Role::Reduction:
  case Role::Window:
    return getLaneReductions(K, N) ? Sharing::Lanes : Sharing::Chain;
  case Role::Sequential:
    return Sharing::Unknown;
  }
  return Sharing::Unknown;
}

bool dlopt::meet(const Kernel &K, const Node &A, const Node &B) {
  SmallVector<BufferId, 4> Mine;
  auto Visit = [&](const Node &N, function_ref<void(const Access &)> Use) {
    forEachLeaf(N, [&](const Leaf &L, ArrayRef<AxisId>) {
      for (const Op &O : L.Ops)
        if (O.K == Op::Load && K.dependsOn(O.Acc, N.Ax))
          Use(O.Acc);
      for (const Assign &To : L.Assigns)
        if (K.dependsOn(To.Target, N.Ax))
          Use(To.Target);
    });
  };
  bool Any = false;
  Visit(A, [&](const Access &X) { Mine.push_back(X.Buf); });
  Visit(B, [&](const Access &X) { Any |= is_contained(Mine, X.Buf); });
  return Any;
}

/// Whether one of the two reads memory that the other uses, too.
static bool haveReuse(const Kernel &K, const Node &A, const Node &B) {
  const Footprint OfA(K, A), OfB(K, B);
  return any_of(OfA.Reads, [&](BufferId Buf) { return OfB.uses(Buf); }) ||
         any_of(OfB.Reads, [&](BufferId Buf) { return OfA.uses(Buf); });
}

/// Whether the two are axes over the same memory that look alike.
bool AxisFuser::mayJoin(const Node &A, const Node &B) {
  if (A.K != Node::AxisNode || B.K != Node::AxisNode || !meet(K, A, B))
    return false;
  if (K.Axes[A.Ax].Extents != K.Axes[B.Ax].Extents)
    return refuse(Reason::FusionExtents);
  // One test that arrays are apart is all that is gained by both at once where
  // they only write to the same ones: little for long rows, and more than it
  // takes to write what fills no vector.
  constexpr uint64_t LongRow = 64, Vector = 4;
  if (std::optional<uint64_t> Rounds = getRounds(K, A.Ax);
      Rounds && (*Rounds >= LongRow || *Rounds < Vector) && !haveReuse(K, A, B))
    return refuse(Reason::FusionSharing);
  Sharing OfA = getSharing(K, A);
  return (OfA == getSharing(K, B) && OfA != Sharing::Unknown) ||
         refuse(Reason::FusionSharing);
}

/// The node that \p Path leads to.
static Node &follow(Kernel &K, ArrayRef<size_t> Path) {
  Node *N = &K.Root;
  for (size_t I : Path)
    N = N->Children[I].get();
  return *N;
}

/// Nothing if \p A and \p B cannot be one axis, else what has to be needed.
std::optional<std::vector<Need>>
AxisFuser::isLegal(const Node &A, const Node &B,
                   ArrayRef<AxisId> Around) const {
  const Footprint OfA(K, A), OfB(K, B);
  if (meetInErrno(OfA, OfB))
    return std::nullopt;
  std::vector<Need> Needs;
  const Dependences D(K);
  for (BufferId Buf = 0; Buf != K.Buffers.size(); ++Buf) {
    bool Written =
        is_contained(OfA.Writes, Buf) || is_contained(OfB.Writes, Buf);
    if (!Written || !OfA.uses(Buf) || !OfB.uses(Buf) ||
        DLOPT_PLANTED(FusionUnchecked))
      continue;
    auto More = D.meetsWithinIterations({&A, &B}, Around, Buf);
    if (!More)
      return std::nullopt;
    append_range(Needs, std::move(*More));
  }
  return Needs;
}

static bool isProduct(const Kernel &K, const Node &N) {
  std::optional<ContractionView> V = matchContraction(K, N);
  return V && (!V->M.empty() || !V->N.empty());
}

/// Whether some part of \p N is a product with a matrix.
static bool hasProduct(const Kernel &K, const Node &N) {
  if (N.K == Node::LeafNode)
    return false;
  return (N.K == Node::AxisNode && isProduct(K, N)) ||
         any_of(N.Children, [&](const auto &C) { return hasProduct(K, *C); });
}

/// Whether \p N, which Path leads to the parent of, has windows, or has some if
/// they move by one: nothing is known of steps that are arguments.
bool AxisFuser::isOfWindows(const Node &N) const {
  if (hasWindows(K, N))
    return true;
  Kernel Known;
  copyKernel(K, Known);
  if (!assumeWindowSteps(Known, 1))
    return false;
  for (const Node &Child : make_pointee_range(follow(Known, Path).Children))
    if (Child.K == Node::AxisNode && Child.Ax == N.Ax)
      return hasWindows(Known, Child);
  return false;
}

/// Whether the loops inside each iteration of \p N have so few rounds, all
/// together, that LLVM unrolls them all.
static bool hasFewRoundsInside(const Kernel &K, const Node &N) {
  constexpr uint64_t FewRounds = 16;
  uint64_t Rounds = 0;
  for (const auto &Child : N.Children)
    if (Child->K != Node::LeafNode)
      Rounds = SaturatingAdd(Rounds, getAllRounds(K, *Child));
  return Rounds <= FewRounds;
}

/// Whether \p L runs in all iterations of \p A or in none, and may do so in
/// none.
static bool isConditionOf(const Kernel &K, const Leaf &L, AxisId A) {
  if (L.Domain.empty() && !L.Predicate)
    return false;
  return none_of(L.Domain,
                 [&](const Constraint &C) { return K.dependsOn(C.P, A); }) &&
         none_of(L.Ops, [&](const Op &O) {
           return L.Predicate && ((O.K == Op::Load && K.dependsOn(O.Acc, A)) ||
                                  (O.K == Op::Index && K.dependsOn(O.Idx, A)));
         });
}

/// Whether \p N stores elements under conditions that hold for all of its
/// iterations, and no statement in front of these has set them: in a loop by
/// itself such a condition is tested once, and nothing keeps vectors from it.
static bool storesUnderConditions(const Kernel &K, const Node &N) {
  SmallVector<const Access *, 4> Set;
  for (const auto &Child : N.Children) {
    if (Child->K != Node::LeafNode)
      continue;
    const Leaf &L = Child->L;
    bool Always = L.Domain.empty() && !L.Predicate;
    for (const Assign &To : L.Assigns) {
      if (K.Buffers[To.Target.Buf].IsLocal)
        continue;
      if (Always)
        Set.push_back(&To.Target);
      else if (isConditionOf(K, L, N.Ax) && none_of(Set, [&](const Access *X) {
                 return X->Buf == To.Target.Buf &&
                        X->offset() == To.Target.offset();
               }))
        return true;
    }
  }
  return false;
}

/// \p Joined: what \p A and \p B have become in \p Trial.
bool AxisFuser::isWorthIt(const Kernel &Trial, const Node &Joined,
                          const Node &A, const Node &B) const {
  if (getSharing(Trial, Joined) != getSharing(K, A) &&
      !DLOPT_PLANTED(FusionUnchecked))
    return false;
  if (storesUnderConditions(Trial, Joined))
    return false;
  // Windows have scripts, which no other loop is a part of; and what is joined
  // is not as easily raised again.
  if (isOfWindows(A) || isOfWindows(B))
    return false;
  // Sums in memory that LLVM unrolls it vectorizes best by themselves, and
  // clears their results by one call.
  constexpr uint64_t LeastRows = 16;
  if (hasProduct(K, B) && !hasProduct(K, A) && hasFewRoundsInside(K, B) &&
      getRounds(K, B.Ax).value_or(LeastRows) >= LeastRows)
    return false;
  // A product stays one, with work on its results maybe.
  return (!hasProduct(K, A) && !hasProduct(K, B)) || isProduct(Trial, Joined);
}

/// Joins two children of \p Parent, and what can be joined inside. \p Ahead:
/// children between that go in front of both, in descending order.
bool AxisFuser::fuseInto(Node &Parent, size_t First, size_t Second,
                         ArrayRef<size_t> Ahead, ArrayRef<AxisId> Around) {
  const Node &A = *Parent.Children[First], &B = *Parent.Children[Second];
  std::optional<std::vector<Need>> Needs = isLegal(A, B, Around);
  if (!Needs)
    return refuse(Reason::FusionDependence);
  Kernel Trial;
  copyKernel(K, Trial);
  Node &Copy = follow(Trial, Path);
  Node &Joined = *Copy.Children[First];
  std::unique_ptr<Node> Other = std::move(Copy.Children[Second]);
  Copy.Children.erase(Copy.Children.begin() + Second);
  // One by one, the last first, each to where the first of both is.
  for (auto [Done, From] : enumerate(Ahead)) {
    std::unique_ptr<Node> Moved = std::move(Copy.Children[From + Done]);
    Copy.Children.erase(Copy.Children.begin() + From + Done);
    Copy.Children.insert(Copy.Children.begin() + First, std::move(Moved));
  }
  if (!replaceAxis(Trial, *Other, Joined.Ax))
    return refuse(Reason::FusionDependence);
  adoptNeeds(Trial, std::move(*Needs));
  append_range(Joined.Locals, Other->Locals);
  Joined.Children.insert(Joined.Children.end(),
                         std::make_move_iterator(Other->Children.begin()),
                         std::make_move_iterator(Other->Children.end()));
  SmallVector<AxisId, 6> Axes(Around);
  Axes.push_back(Joined.Ax);
  AxisFuser Inside(Trial);
  Inside.Path = Path;
  Inside.Path.push_back(First + Ahead.size());
  computeRoles(Trial, Inside.Path);
  if (Inside.fuseAllBelow(Axes))
    computeRoles(Trial, Inside.Path);
  if (!isWorthIt(Trial, follow(Trial, Inside.Path), A, B))
    return refuse(Reason::FusionSharing);
  K = std::move(Trial);
  return true;
}

/// Joins one pair of the children of \p Parent, or of nodes below. \p Around:
/// the axes around those.
bool AxisFuser::fuseBelow(Node &Parent, SmallVectorImpl<AxisId> &Around) {
  for (size_t J = 1; J < Parent.Children.size(); ++J) {
    const Node &Second = *Parent.Children[J];
    // What must stay in front of the second loop.
    SmallVector<size_t, 4> Ahead;
    SmallVector<Footprint, 4> Moved = {Footprint(K, Second)};
    for (size_t I = J; I-- > 0;) {
      const Node &First = *Parent.Children[I];
      const Footprint Own(K, First);
      bool Passes = all_of(ArrayRef(Moved).drop_front(), [&](const auto &Leaf) {
        return !conflict(Own, Leaf);
      });
      if (mayJoin(First, Second)) {
        if (Passes && fuseInto(Parent, I, J, Ahead, Around))
          return true;
        if (!Passes)
          refuse(Reason::FusionBetween);
      }
      if (DLOPT_PLANTED(FusionAcross) ||
          none_of(Moved, [&](const auto &X) { return conflict(Own, X); }))
        continue;
      if (First.K != Node::LeafNode)
        break;
      Ahead.push_back(I);
      Moved.push_back(Own);
    }
  }
  for (size_t I = 0; I != Parent.Children.size(); ++I) {
    Node &Child = *Parent.Children[I];
    if (Child.K != Node::AxisNode)
      continue;
    Path.push_back(I);
    Around.push_back(Child.Ax);
    bool Changed = fuseBelow(Child, Around);
    Around.pop_back();
    Path.pop_back();
    if (Changed)
      return true;
  }
  return false;
}

/// Joins all that can be joined below the node that Path leads to.
bool AxisFuser::fuseAllBelow(SmallVectorImpl<AxisId> &Around) {
  bool Changed = false;
  while (fuseBelow(follow(K, Path), Around))
    Changed = true;
  return Changed;
}

bool AxisFuser::run() {
  SmallVector<AxisId, 6> Around;
  bool Changed = fuseAllBelow(Around);
  // Of the others, too, with what has been found out meanwhile.
  if (Changed)
    computeRoles(K);
  return Changed;
}

bool dlopt::fuseAxes(Kernel &K, Reason &Why) {
  // Each step copies the kernel.
  constexpr unsigned MaxLeaves = 64;
  unsigned Leaves = 0;
  forEachLeaf(K.Root, [&](const Leaf &, ArrayRef<AxisId>) { ++Leaves; });
  if (Leaves > MaxLeaves)
    return false;
  AxisFuser Fuser(K);
  bool Changed = Fuser.run();
  Why = Fuser.getReason();
  return Changed;
}
