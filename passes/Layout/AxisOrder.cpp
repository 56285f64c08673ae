//===- AxisOrder.cpp - Which axis of a kernel is innermost ----------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///   for m, j, k {                     for j, k {
///     t = b[m];                         for m: t[m] = b[m];
///     for c, r, s:                      for c, r, s:
///       if (f(j, k, r, s))        ->      if (f(j, k, r, s))
///         t += x[..] * w[m, ..];            for m: t[m] += x[..] * w[.., m];
///     y[m, j, k] = t;                   for m: y[j, k, m] = t[m];
///   }                                 }
///
/// Each sum is added up in the order of the source; only sums that have nothing
/// to do with each other take turns.
///
//===----------------------------------------------------------------------===//
#include "AxisOrder.h"
#include "../Fuse/Fusion.h"
#include "../Raise/Normalize.h"
#include "dlopt/Dependences.h"
#include "dlopt/Lanes.h"
#include "dlopt/Lower.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Raise.h"
#include "dlopt/Ranges.h"
#include "dlopt/Uses.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace dlopt;

using NodePtr = std::unique_ptr<Node>;

namespace {

class AxisSinker {
public:
  AxisSinker(Kernel &K, AxisId A) : K(K), A(A) {}
  bool run() { return sinkBelow(K.Root); }

private:
  bool sinkBelow(Node &Parent);
  bool distribute(Node &Parent, size_t At);
  bool pushInto(std::vector<NodePtr> &Children);
  bool canPush(const Node &N) const;
  NodePtr wrap(std::vector<NodePtr> Leaves);
  NodePtr addCondition(const Constraint &C, NodePtr Inside);
  void moveLocals(Node &N);
  void makeRow(BufferId Local);

  Kernel &K;
  AxisId A;
  bool Placed = false; ///< the axis itself has a node again
  /// Locals that live for one iteration of the axis, or of one below it.
  SmallVector<BufferId, 4> Rows;
  /// The axes that stand for it, by their nodes.
  SmallVector<Node *, 4> Wraps;
};

} // namespace

/// Whether loops below \p N are the same in all iterations of the axis, and
/// calls may come in another order.
bool AxisSinker::canPush(const Node &N) const {
  if (N.K == Node::AxisNode && any_of(K.Axes[N.Ax].Extents, [&](const Poly &E) {
        return K.dependsOn(E, A);
      }))
    return false;
  if (any_of(N.L.Ops, [](const Op &O) { return O.WritesErrno; }))
    return false;
  return all_of(N.Children, [&](const NodePtr &C) { return canPush(*C); });
}

NodePtr AxisSinker::addCondition(const Constraint &C, NodePtr Inside) {
  Axis Once;
  Once.Name = "if";
  Once.R = Role::Sequential;
  Once.Extents = {Poly(1), C.P + Poly(1)};
  if (C.IsEquality)
    Once.Extents.push_back(Poly(1) - C.P);
  auto N = std::make_unique<Node>();
  N->K = Node::AxisNode;
  N->Ax = static_cast<AxisId>(K.Axes.size());
  K.Axes.push_back(std::move(Once));
  N->Children.push_back(std::move(Inside));
  return N;
}

/// Whether \p P + 1 and 1 - \p P are no other numbers than they say. No loads:
/// what is asked first may guard what is read next.
static bool isSmall(const Kernel &K, const Poly &P) {
  constexpr int64_t Max = std::numeric_limits<int64_t>::max();
  return getRange(K, P, {}).within(1 - Max, Max - 1) &&
         !K.anyNestedAtom(P, [](const Atom &X) { return X.K == Atom::Load; });
}

/// The axis around \p Leaves, inside of the conditions that they have in common
/// and that its iterations agree on.
NodePtr AxisSinker::wrap(std::vector<NodePtr> Leaves) {
  AxisId Own = A;
  if (Placed) {
    Own = static_cast<AxisId>(K.Axes.size());
    Axis Copy = K.Axes[A];
    Copy.L = nullptr;
    K.Axes.push_back(std::move(Copy));
    AtomId Old = K.getAxisAtom(A);
    Poly New = Poly::atom(K.getAxisAtom(Own));
    for (NodePtr &N : Leaves)
      forEachPoly(N->L, [&](Poly &P) { P = P.substitute(Old, New); });
  }
  Placed = true;
  SmallVector<Constraint, 4> Common;
  if (Leaves.size() == 1)
    erase_if(Leaves.front()->L.Domain, [&](const Constraint &C) {
      // What is asked first may guard what is asked next.
      if (K.dependsOn(C.P, Own) || !isSmall(K, C.P))
        return false;
      Common.push_back(C);
      return true;
    });
  auto N = std::make_unique<Node>();
  N->K = Node::AxisNode;
  N->Ax = Own;
  N->Children = std::move(Leaves);
  Wraps.push_back(N.get());
  for (const Constraint &C : reverse(Common))
    N = addCondition(C, std::move(N));
  return N;
}

/// Puts the axis around the leaves below \p Children, neighbours together.
bool AxisSinker::pushInto(std::vector<NodePtr> &Children) {
  std::vector<NodePtr> Result, Leaves;
  auto Flush = [&] {
    if (!Leaves.empty())
      Result.push_back(wrap(std::move(Leaves)));
    Leaves.clear();
  };
  for (NodePtr &Child : Children) {
    if (Child->K == Node::LeafNode) {
      if (!Child->L.Domain.empty())
        Flush();
      bool Alone = !Child->L.Domain.empty();
      Leaves.push_back(std::move(Child));
      if (Alone)
        Flush();
      continue;
    }
    Flush();
    append_range(Rows, Child->Locals);
    pushInto(Child->Children);
    Result.push_back(std::move(Child));
  }
  Flush();
  Children = std::move(Result);
  return true;
}

/// \p Local has an element for each iteration of the axis.
void AxisSinker::makeRow(BufferId Local) {
  K.Buffers[Local].Shape.push_back(K.Axes[A].Extents.front());
  for (Node *W : Wraps) {
    Poly Index = Poly::atom(K.getAxisAtom(W->Ax));
    for (NodePtr &N : W->Children) {
      for (Op &O : N->L.Ops)
        if (O.K == Op::Load && O.Acc.Buf == Local)
          O.Acc.Subs.push_back(Index);
      for (Assign &To : N->L.Assigns)
        if (To.Target.Buf == Local)
          To.Target.Subs.push_back(Index);
    }
  }
}

/// What lives for one iteration of \p N, where the axis was: in the one loop
/// behind it that uses it, or as a row.
void AxisSinker::moveLocals(Node &N) {
  for (BufferId Local : Rows) {
    SmallVector<Node *, 2> Users;
    for (Node *W : Wraps)
      if (uses(K, *W, Local))
        Users.push_back(W);
    bool IsOwn = is_contained(N.Locals, Local);
    if (!IsOwn || Users.size() != 1 ||
        none_of(N.Children,
                [&](const NodePtr &C) { return C.get() == Users.front(); })) {
      makeRow(Local);
      continue;
    }
    erase(N.Locals, Local);
    Users.front()->Locals.push_back(Local);
  }
}

/// Replaces the axis, the child \p At of \p Parent, by what is below it.
bool AxisSinker::distribute(Node &Parent, size_t At) {
  NodePtr Old = std::move(Parent.Children[At]);
  if (!all_of(Old->Children, [&](const NodePtr &C) { return canPush(*C); }))
    return false;
  auto Sequence = std::make_unique<Node>();
  Sequence->Locals = Old->Locals;
  append_range(Rows, Old->Locals);
  Sequence->Children = std::move(Old->Children);
  if (!pushInto(Sequence->Children))
    return false;
  moveLocals(*Sequence);
  append_range(Parent.Locals, Sequence->Locals);
  Parent.Children.erase(Parent.Children.begin() + At);
  Parent.Children.insert(Parent.Children.begin() + At,
                         std::make_move_iterator(Sequence->Children.begin()),
                         std::make_move_iterator(Sequence->Children.end()));
  return true;
}

bool AxisSinker::sinkBelow(Node &Parent) {
  for (size_t I = 0; I != Parent.Children.size(); ++I) {
    Node &Child = *Parent.Children[I];
    if (Child.K == Node::AxisNode && Child.Ax == A)
      return distribute(Parent, I);
    if (sinkBelow(Child))
      return true;
  }
  return false;
}

/// Whether \p A occurs where it cannot be replaced.
static bool isNested(const Kernel &K, AxisId A) {
  for (AtomId Id = 0; Id != K.Atoms.size(); ++Id)
    if (K.Atoms[Id].K != Atom::Axis && K.dependsOn(Poly::atom(Id), A))
      return true;
  return any_of(K.Buffers, [&](const Buffer &B) {
    return any_of(B.Shape, [&](const Poly &E) { return K.dependsOn(E, A); });
  });
}

bool dlopt::sinkAxis(Kernel &K, AxisId A) {
  if (K.Axes[A].R != Role::Parallel && !DLOPT_PLANTED(FlatSumReordered))
    return false;
  if (K.Axes[A].Extents.size() != 1 || getRounds(K, A).value_or(0) < 2)
    return false;
  if (isNested(K, A))
    return false;
  return AxisSinker(K, A).run();
}

//===----------------------------------------------------------------------===//
// for i < C * P: x[i]   ->   for c < C, p < P: x[c * P + p]
//===----------------------------------------------------------------------===//

/// The node of \p A below \p N.
static NodePtr *findAxis(Node &N, AxisId A) {
  for (NodePtr &Child : N.Children) {
    if (Child->K == Node::AxisNode && Child->Ax == A)
      return &Child;
    if (NodePtr *Found = findAxis(*Child, A))
      return Found;
  }
  return nullptr;
}

static void visitBelow(Kernel &K, Node &N, function_ref<void(Poly &)> Visit) {
  forEachPoly(N.L, Visit);
  for (NodePtr &C : N.Children) {
    if (C->K == Node::AxisNode)
      for_each(K.Axes[C->Ax].Extents, Visit);
    visitBelow(K, *C, Visit);
  }
}

void dlopt::splitAxis(Kernel &K, AxisId A, uint64_t Count) {
  uint64_t Rounds = getRounds(K, A).value_or(0);
  NodePtr *Place = findAxis(K.Root, A);
  if (Rounds <= Count || Rounds % Count || !Place || isNested(K, A) ||
      K.Axes[A].Extents.size() != 1 ||
      any_of(K.Needs, [&](const Need &N) { return K.dependsOn(N.P, A); }))
    return;
  AxisId Outer = static_cast<AxisId>(K.Axes.size());
  Axis Blocks = K.Axes[A];
  Blocks.L = nullptr;
  Blocks.Extents = {Poly(static_cast<int64_t>(Rounds / Count))};
  K.Axes.push_back(std::move(Blocks));
  K.Axes[A].Extents = {Poly(static_cast<int64_t>(Count))};
  AtomId Own = K.getAxisAtom(A);
  Poly New =
      Poly(static_cast<int64_t>(Count)) * Poly::atom(K.getAxisAtom(Outer)) +
      Poly::atom(Own);
  visitBelow(K, **Place, [&](Poly &P) { P = P.substitute(Own, New); });
  auto N = std::make_unique<Node>();
  N->K = Node::AxisNode;
  N->Ax = Outer;
  N->Children.push_back(std::move(*Place));
  *Place = std::move(N);
}

//===----------------------------------------------------------------------===//
// What an order costs
//===----------------------------------------------------------------------===//

/// The offset of \p X along \p A as a constant.
static std::optional<int64_t> getStep(const Kernel &K, const Access &X,
                                      AxisId A) {
  Poly Offset;
  if (K.Buffers[X.Buf].IsLocal)
    for (auto [Extent, Sub] : zip_equal(K.Buffers[X.Buf].Shape, X.Subs))
      Offset = Offset * Extent + Sub;
  else
    Offset = X.offset();
  std::optional<Poly> Stride = getStride(K, Offset, A);
  return Stride ? Stride->getConstant() : std::nullopt;
}

/// The loop that LLVM's vectorizer finds around \p L: short ones inside, whose
/// rounds are known, are unrolled before it runs.
static std::optional<AxisId> getVectorAxis(const Kernel &K,
                                           ArrayRef<AxisId> Around) {
  constexpr uint64_t MaxUnrolled = 16;
  uint64_t Unrolled = 1;
  for (AxisId A : reverse(Around)) {
    if (K.Axes[A].isCondition())
      continue;
    uint64_t Rounds = getRounds(K, A).value_or(UINT64_MAX);
    if (K.Axes[A].R == Role::Parallel || Rounds > MaxUnrolled / Unrolled)
      return A;
    Unrolled *= Rounds;
  }
  return std::nullopt;
}

/// What one round of \p L in the loop \p A takes: 1 if it is scalar code over
/// neighbours.
static double getLeafCost(const Kernel &K, const Leaf &L, AxisId A,
                          const VectorUnit &Unit) {
  // Elements in other cache lines each take longer: stores more so, as lines
  // are read first. Measured with strides of 200 bytes and more on Zen 3.
  constexpr double FarLoad = 1, FarStore = 4;
  constexpr int64_t Near = 4;
  unsigned Bits = 8;
  double Far = 0, Slower = 1;
  bool IsVector = K.Axes[A].R == Role::Parallel;
  auto Visit = [&](const Access &X, bool IsStore) {
    const Buffer &B = K.Buffers[X.Buf];
    if (B.IsLocal && B.Shape.empty())
      return;
    std::optional<int64_t> Step = getStep(K, X, A);
    bool IsNear = Step && *Step >= 0 && *Step <= Near;
    if (!IsNear)
      Far += IsStore ? FarStore : FarLoad;
    IsVector &= IsNear && (!IsStore || *Step == 1);
    // Groups of neighbours are read whole.
    if (IsNear && *Step > 1)
      Slower = std::max(Slower, double(*Step));
  };
  for (const Assign &To : L.Assigns) {
    Bits = std::max(Bits, 8 * getSizeInBytes(K.Buffers[To.Target.Buf].Ty));
    Visit(To.Target, true);
  }
  for (const Op &O : L.Ops) {
    IsVector &= O.K != Op::LibCall;
    if (O.K == Op::Load)
      Visit(O.Acc, false);
  }
  if (any_of(L.Domain,
             [&](const Constraint &C) { return K.dependsOn(C.P, A); })) {
    IsVector &= Unit.HasMaskedLoads;
    Slower *= 2;
  }
  IsVector &= getRounds(K, A).value_or(UINT64_MAX) >= Unit.Bits / Bits;
  return IsVector ? Slower * Bits / Unit.Bits : 1 + Far;
}

double dlopt::getCost(const Kernel &K, const VectorUnit &Unit) {
  double Cost = 0;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId> Around) {
    // Of what is known only at run time, as of any other loop.
    constexpr uint64_t Rounds = 16;
    double Points = 1;
    for (AxisId A : Around)
      if (!K.Axes[A].isCondition())
        Points *= getRounds(K, A).value_or(Rounds);
    std::optional<AxisId> A = getVectorAxis(K, Around);
    Cost += A ? Points * getLeafCost(K, L, *A, Unit) : Points;
  });
  return Cost;
}

std::optional<double> dlopt::improveOrder(Kernel &K, const VectorUnit &Unit,
                                          double Limit) {
  std::optional<Kernel> Best;
  Kernel Kept;
  copyKernel(K, Kept);
  keepInLocals(Kept, {});
  computeRoles(Kept);
  // Axes keep their roles: the iterations of each have as little to do with
  // each other as before.
  if (Kept.Needs.size() != K.Needs.size())
    return std::nullopt;
  for (AxisId A = 0; A != K.Axes.size(); ++A) {
    Kernel Trial;
    copyKernel(Kept, Trial);
    if (!sinkAxis(Trial, A))
      continue;
    double Cost = getCost(Trial, Unit);
    if (Cost >= Limit)
      continue;
    Limit = Cost;
    Best = std::move(Trial);
  }
  if (!Best)
    return std::nullopt;
  K = std::move(*Best);
  return Limit;
}
