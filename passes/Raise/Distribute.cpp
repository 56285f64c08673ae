//===- Distribute.cpp - Loops of their own for what loops share -----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Loop distribution (Kennedy and McKinley, Loop Distribution with Arbitrary
/// Control Flow, SC 1990, for straight bodies): the children of an axis become
/// groups, each with the axis around it. Two children stay together where one
/// iteration of the axis may use what another iteration's other child writes,
/// where a local passes between them, or where they need each other.
///
//===----------------------------------------------------------------------===//
#include "Normalize.h"
#include "dlopt/Dependences.h"
#include "dlopt/Footprint.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Raise.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

using namespace llvm;
using namespace dlopt;

namespace {

class Distributor {
public:
  Distributor(Kernel &K, Distribution How, size_t Kept)
      : K(K), How(How), Kept(Kept) {}
  /// What \p N becomes, in order.
  std::vector<std::unique_ptr<Node>> run(std::unique_ptr<Node> N);

private:
  using Nodes = std::vector<std::unique_ptr<Node>>;

  bool mustStay(Node &Axis, const Footprint &A, const Footprint &B);
  bool meetsWithinIterations(const Node &Axis, BufferId Buf);
  std::vector<BitVector> findOrder(Node &Axis, ArrayRef<Footprint>);
  std::vector<SmallVector<unsigned, 4>> group(Node &Axis, ArrayRef<Footprint>);
  std::unique_ptr<Node> split(Node &Axis, ArrayRef<unsigned> Group);

  Kernel &K;
  Distribution How;
  size_t Kept; ///< outermost axes that stay around all
  SmallVector<AxisId, 6> Around;
  /// Whether iterations of the axis that is looked at share no element, by
  /// buffer.
  SmallDenseMap<BufferId, bool, 8> Within;
  std::vector<Need> Needs; ///< of these answers
};

} // namespace

/// Whether two children of \p Axis cannot have loops of their own.
bool Distributor::mustStay(Node &Axis, const Footprint &A, const Footprint &B) {
  if (meetInErrno(A, B))
    return true;
  for (BufferId Buf = 0; Buf != K.Buffers.size(); ++Buf) {
    bool InA = is_contained(A.Writes, Buf), InB = is_contained(B.Writes, Buf);
    if ((!InA && !InB) || !A.uses(Buf) || !B.uses(Buf))
      continue;
    if (How == Distribution::ByTarget && InA && InB)
      return true;
    if (DLOPT_PLANTED(DistributionUnchecked) && !K.Buffers[Buf].IsLocal)
      continue;
    // Locals that somebody has put on the stack have elements for rounds.
    bool IsValue =
        K.Buffers[Buf].IsLocal && K.Buffers[Buf].Where != Buffer::Stack;
    if (IsValue || !meetsWithinIterations(Axis, Buf))
      return true;
  }
  return false;
}

/// It takes a look at all pairs of accesses, and many children ask.
bool Distributor::meetsWithinIterations(const Node &Axis, BufferId Buf) {
  auto [It, IsNew] = Within.try_emplace(Buf, false);
  if (IsNew)
    if (auto More = Dependences(K).meetsWithinIterations(
            &Axis, ArrayRef(Around).drop_back(), Buf)) {
      It->second = true;
      append_range(Needs, std::move(*More));
    }
  return It->second;
}

/// Which children run after each, or together with it: what stays together, and
/// what is on a path between two such children.
std::vector<BitVector> Distributor::findOrder(Node &Axis,
                                              ArrayRef<Footprint> Prints) {
  unsigned Num = Prints.size();
  Within.clear();
  Needs.clear();
  std::vector<BitVector> After(Num, BitVector(Num));
  for (unsigned J = 0; J != Num; ++J)
    for (unsigned I = 0; I != J; ++I)
      if (mustStay(Axis, Prints[I], Prints[J])) {
        After[I].set(J);
        After[J].set(I);
      } else if (conflict(Prints[I], Prints[J])) {
        After[I].set(J);
      }
  // The transitive closure, as by Warshall.
  for (unsigned Between = 0; Between != Num; ++Between)
    for (BitVector &Of : After)
      if (Of.test(Between))
        Of |= After[Between];
  return After;
}

/// The children of \p Axis that stay together, in an order that runs each after
/// those whose values it uses or overwrites.
std::vector<SmallVector<unsigned, 4>>
Distributor::group(Node &Axis, ArrayRef<Footprint> Prints) {
  unsigned Num = Prints.size();
  std::vector<BitVector> After = findOrder(Axis, Prints);
  auto AreOne = [&](unsigned I, unsigned J) {
    return I == J || (After[I].test(J) && After[J].test(I));
  };
  std::vector<SmallVector<unsigned, 4>> Groups;
  BitVector Left(Num, true);
  while (Left.any()) {
    auto IsNext = [&](unsigned I) {
      return none_of(Left.set_bits(), [&](unsigned J) {
        return After[J].test(I) && !AreOne(I, J);
      });
    };
    unsigned First = *find_if(Left.set_bits(), IsNext);
    SmallVector<unsigned, 4> &Group = Groups.emplace_back();
    for (unsigned J : Left.set_bits())
      if (AreOne(First, J))
        Group.push_back(J);
    for (unsigned J : Group)
      Left.reset(J);
  }
  return Groups;
}

/// Whether \p P can be written with another axis: \p A is in no atom of it.
static bool canRename(const Kernel &K, const Poly &P, AxisId A) {
  return !P.anyAtom([&](AtomId Id) {
    return K.Atoms[Id].K != Atom::Axis && K.dependsOn(Poly::atom(Id), A);
  });
}

static bool canRename(Kernel &K, Node &N) {
  bool Ok = true;
  forEachPolyBelow(K, N, [&](const Poly &P) { Ok &= canRename(K, P, N.Ax); });
  return Ok;
}

static void renameBelow(Kernel &K, Node &N, AxisId Old, AxisId New) {
  AtomId From = K.getAxisAtom(Old);
  Poly To = Poly::atom(K.getAxisAtom(New));
  forEachPolyBelow(K, N, [&](Poly &P) { P = P.substitute(From, To); });
}

bool dlopt::replaceAxis(Kernel &K, Node &N, AxisId To) {
  if (!canRename(K, N) || !all_of(K.Needs, [&](const Need &Old) {
        return canRename(K, Old.P, N.Ax);
      }))
    return false;
  renameBelow(K, N, N.Ax, To);
  AtomId From = K.getAxisAtom(N.Ax);
  Poly By = Poly::atom(K.getAxisAtom(To));
  for (Need &Old : K.Needs)
    Old.P = Old.P.substitute(From, By);
  N.Ax = To;
  return true;
}

/// Takes the children \p Group of \p Old into an axis of their own.
std::unique_ptr<Node> Distributor::split(Node &Old, ArrayRef<unsigned> Group) {
  auto New = std::make_unique<Node>();
  New->K = Node::AxisNode;
  New->Ax = static_cast<AxisId>(K.Axes.size());
  K.Axes.push_back(Axis(K.Axes[Old.Ax]));
  // The loop of the source is the first group's.
  K.Axes.back().L = nullptr;
  for (unsigned I : Group)
    New->Children.push_back(std::move(Old.Children[I]));
  const Footprint Used(K, *New);
  copy_if(Old.Locals, std::back_inserter(New->Locals),
          [&](BufferId B) { return Used.uses(B); });
  erase_if(Old.Locals,
           [&](BufferId B) { return is_contained(New->Locals, B); });
  renameBelow(K, *New, Old.Ax, New->Ax);
  return New;
}

Distributor::Nodes Distributor::run(std::unique_ptr<Node> N) {
  Nodes Result;
  constexpr size_t MaxChildren = 24;
  if (N->K == Node::AxisNode) {
    Around.push_back(N->Ax);
    Nodes Children;
    for (std::unique_ptr<Node> &Child : N->Children)
      for (std::unique_ptr<Node> &Part : run(std::move(Child)))
        Children.push_back(std::move(Part));
    N->Children = std::move(Children);
    if (N->Children.size() > 1 && N->Children.size() <= MaxChildren &&
        Around.size() > Kept && canRename(K, *N)) {
      SmallVector<Footprint, 8> Prints;
      for (const std::unique_ptr<Node> &Child : N->Children)
        Prints.emplace_back(K, *Child);
      auto Groups = group(*N, Prints);
      if (Groups.size() > 1)
        adoptNeeds(K, std::move(Needs));
      // Splitting moves the children away, so positions stay.
      for (ArrayRef<unsigned> Group : ArrayRef(Groups).drop_front())
        Result.push_back(split(*N, Group));
      erase_if(N->Children, [](const auto &Child) { return !Child; });
    }
    Around.pop_back();
  }
  Result.insert(Result.begin(), std::move(N));
  return Result;
}

bool dlopt::distribute(Kernel &K, unsigned Child, Distribution How,
                       size_t Kept) {
  std::vector<std::unique_ptr<Node>> &All = K.Root.Children;
  auto Parts = Distributor(K, How, Kept).run(std::move(All[Child]));
  bool Changed = Parts.size() > 1 || Kept;
  All.erase(All.begin() + Child);
  All.insert(All.begin() + Child, std::make_move_iterator(Parts.begin()),
             std::make_move_iterator(Parts.end()));
  if (Changed)
    computeRoles(K);
  return Changed;
}
