//===- StoresAhead.cpp - Stores in front of chains ------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///   for j { t = x[i][j] + r[i][j]; y[i][j] = t; s += t; }
///
/// is, where x, r and y are different arrays,
///
///   for j { y[i][j] = x[i][j] + r[i][j]; }
///   for j { s += y[i][j]; }
///
/// of which the first goes along the row, and the second has one array to read
/// many rows of at once.
///
//===----------------------------------------------------------------------===//
#include "LaneChooser.h"
#include "dlopt/Dependences.h"
#include "dlopt/MathModels.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Raise.h"
#include "dlopt/Uses.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace dlopt;

/// Whether \p N does nothing but to set locals, from locals.
static bool setsLocals(const Kernel &K, const Node &N, const LanePlan &Plan) {
  auto IsLocal = [&](const Access &X) { return K.Buffers[X.Buf].IsLocal; };
  return N.K == Node::LeafNode &&
         all_of(N.L.Ops,
                [&](const Op &O) {
                  return (O.K != Op::LibCall || isMathInLanes(O, Plan)) &&
                         (O.K != Op::Load || IsLocal(O.Acc));
                }) &&
         all_of(N.L.Assigns,
                [&](const Assign &A) { return IsLocal(A.Target); });
}

namespace {

/// Takes what a chain stores out of it.
class StoreSplitter {
public:
  StoreSplitter(Kernel &K, Node &Chain, const LanePlan &Plan)
      : K(K), Chain(Chain), Plan(Plan) {}
  /// The loop of the stores; null if the chain stays as it is. \p Broken: the
  /// loop could not be made after all.
  std::unique_ptr<Node> run(bool &Broken);

private:
  bool isOwn(BufferId B) const { return is_contained(Chain.Locals, B); }
  bool isEarly(const Leaf &L) const;
  bool addLeaf(const Leaf &L);
  bool mayStoreAhead(const Leaf &L) const;
  std::unique_ptr<Node> makeLoad(BufferId Local, const Assign &Store);

  Kernel &K;
  Node &Chain;
  const LanePlan &Plan;
  struct Element {
    BufferId Local;
    Assign Store;
  };
  /// Locals of a round, and the elements that are the same.
  SmallVector<Element, 2> Stored;
  SmallVector<BufferId, 4> Set;     ///< locals of a round
  SmallVector<BufferId, 4> Carried; ///< what is set at all
};

} // namespace

/// Whether \p L needs nothing that the chain carries, and sets nothing of that.
bool StoreSplitter::isEarly(const Leaf &L) const {
  auto IsCarried = [&](BufferId B) {
    return K.Buffers[B].IsLocal && !isOwn(B) && is_contained(Carried, B);
  };
  return none_of(L.Ops,
                 [&](const Op &O) {
                   return O.K == Op::Load && IsCarried(O.Acc.Buf);
                 }) &&
         none_of(L.Assigns,
                 [&](const Assign &A) { return IsCarried(A.Target.Buf); });
}

/// Whether \p L is understood: each local of the round is set once, what is
/// stored is one of them, and the rest of the chain stores nothing.
bool StoreSplitter::addLeaf(const Leaf &L) {
  bool IsEarly = isEarly(L);
  bool IsConditional = !L.Domain.empty() || L.Predicate;
  // Calls of one kind may come in another order, those in front of others.
  bool IsCall = any_of(L.Ops, [&](const Op &O) {
    return O.K == Op::LibCall && (!IsEarly || !isMathInLanes(O, Plan));
  });
  if (IsCall ||
      (IsEarly && IsConditional && !DLOPT_PLANTED(StoresAheadUnchecked)))
    return false;
  for (const Assign &A : L.Assigns) {
    BufferId Buf = A.Target.Buf;
    if (isOwn(Buf)) {
      if (!IsEarly || is_contained(Set, Buf))
        return false;
      Set.push_back(Buf);
    } else if (!K.Buffers[Buf].IsLocal) {
      const Op &V = L.Ops[A.Value];
      if (!IsEarly || V.K != Op::Load || !isOwn(V.Acc.Buf) ||
          V.Ty != K.Buffers[Buf].Ty || any_of(Stored, [&](const Element &E) {
            return E.Store.Target.Buf == Buf || E.Local == V.Acc.Buf;
          }))
        return false;
      Stored.push_back({V.Acc.Buf, A});
    }
  }
  return true;
}

/// Whether \p L finds in memory what it did between the stores: early leaves
/// read the element that is theirs at most, late ones have it as a local.
bool StoreSplitter::mayStoreAhead(const Leaf &L) const {
  bool IsEarly = isEarly(L);
  return all_of(L.Ops, [&](const Op &O) {
    if (O.K != Op::Load)
      return true;
    if (isOwn(O.Acc.Buf))
      return IsEarly || any_of(Stored, [&](const Element &E) {
               return E.Local == O.Acc.Buf;
             });
    return all_of(Stored, [&](const Element &E) {
      return E.Store.Target.Buf != O.Acc.Buf ||
             (IsEarly && getOffset(K, E.Store.Target) == getOffset(K, O.Acc));
    });
  });
}

std::unique_ptr<Node> StoreSplitter::makeLoad(BufferId Local,
                                              const Assign &Store) {
  auto Read = std::make_unique<Node>();
  Read->K = Node::LeafNode;
  Op Element;
  Element.K = Op::Load;
  Element.Ty = K.Buffers[Local].Ty;
  Element.Acc = Store.Target;
  Element.Origin = Store.Origin;
  Read->L.Ops.push_back(std::move(Element));
  Assign To;
  To.Target.Buf = Local;
  Read->L.Assigns.push_back(std::move(To));
  return Read;
}

std::unique_ptr<Node> StoreSplitter::run(bool &Broken) {
  for (const auto &Child : Chain.Children)
    for (const Assign &A : Child->L.Assigns)
      Carried.push_back(A.Target.Buf);
  for (const auto &Child : Chain.Children)
    if (Child->K != Node::LeafNode || !addLeaf(Child->L))
      return nullptr;
  if (Stored.empty() || !all_of(Chain.Children, [&](const auto &Child) {
        return mayStoreAhead(Child->L);
      }))
    return nullptr;
  auto Ahead = std::make_unique<Node>();
  Ahead->K = Node::AxisNode;
  Ahead->Ax = Chain.Ax;
  std::vector<std::unique_ptr<Node>> Late;
  for (auto &Child : Chain.Children)
    (isEarly(Child->L) ? Ahead->Children : Late).push_back(std::move(Child));
  Ahead->Locals = std::move(Chain.Locals);
  Chain.Locals.clear();
  Chain.Children.clear();
  for (const Element &E : Stored) {
    auto Local = static_cast<BufferId>(K.Buffers.size());
    K.Buffers.push_back(Buffer(K.Buffers[E.Local]));
    Chain.Locals.push_back(Local);
    Chain.Children.push_back(makeLoad(Local, E.Store));
    for (auto &Child : Late)
      for (Op &O : Child->L.Ops)
        if (O.K == Op::Load && O.Acc.Buf == E.Local)
          O.Acc.Buf = Local;
  }
  append_range(Chain.Children, make_range(std::make_move_iterator(Late.begin()),
                                          std::make_move_iterator(Late.end())));
  auto New = static_cast<AxisId>(K.Axes.size());
  K.Axes.push_back(Axis(K.Axes[Chain.Ax]));
  K.Axes.back().L = nullptr;
  Broken |= !replaceAxis(K, *Ahead, New);
  return Ahead;
}

static bool isChain(const Kernel &K, const Node &N) {
  return N.K == Node::AxisNode && K.Axes[N.Ax].R != Role::Parallel &&
         !getLaneReductions(K, N);
}

/// Whether \p N is a row: an element of a parallel axis, or all there is.
static bool isRow(const Kernel &K, const Node &N) {
  return &N == &K.Root ||
         (N.K == Node::AxisNode && K.Axes[N.Ax].R == Role::Parallel);
}

bool dlopt::hasChainOfRow(const Kernel &K, const Node &N) {
  bool IsRow = isRow(K, N);
  return any_of(N.Children, [&](const auto &Child) {
    return (IsRow && isChain(K, *Child)) || hasChainOfRow(K, *Child);
  });
}

/// \p Broken: \p K is no kernel any more.
static bool storeAhead(Kernel &K, Node &N, const LanePlan &Plan, bool &Broken) {
  bool Changed = false;
  for (auto &Child : N.Children)
    Changed |=
        Child->K == Node::AxisNode && storeAhead(K, *Child, Plan, Broken);
  if (!isRow(K, N))
    return Changed;
  // What other loops of the row find out goes into what is stored: lanes of
  // rows have it too late, but the row has not.
  for (auto It = N.Children.begin(); It != N.Children.end(); ++It) {
    std::unique_ptr<Node> Ahead =
        isChain(K, **It) ? StoreSplitter(K, **It, Plan).run(Broken) : nullptr;
    if (!Ahead)
      continue;
    // In front of what sets locals, unless it needs them.
    bool IsFirst =
        none_of(N.Locals, [&](BufferId B) { return uses(K, *Ahead, B); }) &&
        std::all_of(N.Children.begin(), It,
                    [&](const auto &C) { return setsLocals(K, *C, Plan); });
    N.Children.insert(IsFirst ? N.Children.begin() : It, std::move(Ahead));
    return true;
  }
  return Changed;
}

bool dlopt::storeAhead(Kernel &K, const LanePlan &Plan) {
  bool Broken = false;
  auto Added = static_cast<AxisId>(K.Axes.size());
  if (!::storeAhead(K, K.Root, Plan, Broken) || Broken)
    return false;
  computeRoles(K);
  // What is read again is what its own round has stored: no other round stores
  // there.
  return all_of(drop_begin(K.Axes, Added),
                [](const Axis &A) { return A.R == Role::Parallel; });
}
