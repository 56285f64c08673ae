//===- Reroll.cpp - Unrolled and split loops as one loop ------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Nest.h"
#include "Normalize.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Uses.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;
using namespace dlopt;

static bool readsBuffer(const Leaf &L, OpId Id, BufferId Buf) {
  return isComputedOf(
      L, Id, [&](const Op &O) { return O.K == Op::Load && O.Acc.Buf == Buf; });
}

/// The operations through which \p A's target goes into its new value, last
/// one first, and the operand that it goes through; empty if there is no such
/// chain of sums or if something else reads the target.
static SmallVector<std::pair<OpId, unsigned>, 8> findChain(const Leaf &L,
                                                           const Assign &A) {
  SmallVector<std::pair<OpId, unsigned>, 8> Chain;
  BufferId Buf = A.Target.Buf;
  OpId Id = A.Value;
  for (;;) {
    const Op &O = L.Ops[Id];
    if (O.K == Op::Load && O.Acc == A.Target)
      return Chain;
    unsigned Next;
    if (O.K == Op::Intrinsic &&
        (O.Opcode == Intrinsic::fmuladd || O.Opcode == Intrinsic::fma))
      Next = 2;
    else if (O.K == Op::Inst && O.Opcode == Instruction::FAdd)
      Next = readsBuffer(L, O.Args[0], Buf) ? 0 : 1;
    else
      return {};
    for (auto [I, Arg] : enumerate(O.Args))
      if (I != Next && readsBuffer(L, Arg, Buf))
        return {};
    Chain.push_back({Id, Next});
    Id = O.Args[Next];
  }
}

static std::unique_ptr<Node> makeLeaf(const Leaf &From, const Assign &A) {
  auto N = std::make_unique<Node>();
  N->K = Node::LeafNode;
  N->L.Loc = From.Loc;
  N->L.Assigns.push_back(A);
  return N;
}

/// acc = f(b, f(a, acc)) as acc = f(a, acc); acc = f(b, acc).
static bool splitChain(const Leaf &L, std::vector<std::unique_ptr<Node>> &Out) {
  const Assign &A = L.Assigns[0];
  auto Chain = findChain(L, A);
  if (Chain.size() < 2)
    return false;
  for (auto [Id, Next] : reverse(Chain)) {
    std::unique_ptr<Node> N = makeLeaf(L, A);
    OpId Before = L.Ops[Id].Args[Next];
    N->L.Assigns[0].Value = copyExpression(L, Id, N->L, [&](OpId Arg, Op &New) {
      if (Arg != Before)
        return false;
      New = Op();
      New.K = Op::Load;
      New.Ty = L.Ops[A.Value].Ty;
      New.Acc = A.Target;
      return true;
    });
    Out.push_back(std::move(N));
  }
  return true;
}

/// (a, b) = (f, g) as a = f; b = g, for scalars that the others do not read.
static bool splitTuple(const Kernel &K, const Leaf &L,
                       std::vector<std::unique_ptr<Node>> &Out) {
  for (const Assign &A : L.Assigns) {
    if (!K.Buffers[A.Target.Buf].IsLocal)
      return false;
    for (const Assign &B : L.Assigns)
      if (&A != &B && readsBuffer(L, B.Value, A.Target.Buf))
        return false;
  }
  for (const Assign &A : L.Assigns) {
    std::unique_ptr<Node> N = makeLeaf(L, A);
    N->L.Assigns[0].Value =
        copyExpression(L, A.Value, N->L, [](OpId, Op &) { return false; });
    Out.push_back(std::move(N));
  }
  return true;
}

static const Access *getLoad(const Leaf &L) {
  const Op &O = L.Ops[L.Assigns[0].Value];
  return O.K == Op::Load ? &O.Acc : nullptr;
}

/// t = f; C = t; ... t ... as C = f; ... C ..., as long as C is what t is.
bool dlopt::forwardStores(Kernel &K, Node &N) {
  bool Changed = false;
  for (size_t I = 0; I + 1 < N.Children.size(); ++I) {
    auto IsPlain = [](const Node &X) {
      return X.K == Node::LeafNode && X.L.Domain.empty() && !X.L.Predicate &&
             X.L.Assigns.size() == 1;
    };
    if (!IsPlain(*N.Children[I]) || !IsPlain(*N.Children[I + 1]))
      continue;
    Leaf &Value = N.Children[I]->L, &Store = N.Children[I + 1]->L;
    const Access Kept = Value.Assigns[0].Target, To = Store.Assigns[0].Target;
    const Access *From = getLoad(Store);
    if (!is_contained(N.Locals, Kept.Buf) || !Kept.Subs.empty() ||
        K.Buffers[To.Buf].IsLocal || !From || !(*From == Kept))
      continue;
    // Reads of t: in the leaves behind, before C changes.
    bool Ok = true, Overwritten = false;
    for (size_t J = 0; J != N.Children.size(); ++J) {
      if (J == I || J == I + 1)
        continue;
      bool Reads = false, Writes = false;
      forEachLeaf(*N.Children[J], [&](const Leaf &L, ArrayRef<AxisId>) {
        for (const Op &O : L.Ops)
          Reads |= O.K == Op::Load && O.Acc.Buf == Kept.Buf;
        for (const Assign &A : L.Assigns) {
          Writes |= A.Target.Buf == To.Buf;
          Ok &= A.Target.Buf != Kept.Buf;
        }
      });
      Ok &= !Reads || (J > I && IsPlain(*N.Children[J]) && !Overwritten);
      Overwritten |= J > I && Writes;
    }
    if (!Ok || readsBuffer(Value, Value.Assigns[0].Value, Kept.Buf))
      continue;
    for (size_t J = I + 2; J != N.Children.size(); ++J)
      for (Op &O : N.Children[J]->L.Ops)
        if (O.K == Op::Load && O.Acc == Kept)
          O.Acc = To;
    Value.Assigns[0].Target = To;
    Value.Assigns[0].Origin = Store.Assigns[0].Origin;
    N.Children.erase(N.Children.begin() + I + 1);
    erase(N.Locals, Kept.Buf);
    Changed = true;
  }
  return Changed;
}

static bool splitLeavesOnce(const Kernel &K, Node &N) {
  std::vector<std::unique_ptr<Node>> New;
  bool Changed = false;
  for (std::unique_ptr<Node> &Child : N.Children) {
    const Leaf &L = Child->L;
    bool Plain = Child->K == Node::LeafNode && L.Domain.empty() && !L.Predicate;
    bool Split = false;
    if (Plain && L.Assigns.size() == 1)
      Split = splitChain(L, New);
    else if (Plain && L.Assigns.size() > 1)
      Split = splitTuple(K, L, New);
    if (!Split)
      New.push_back(std::move(Child));
    Changed |= Split;
  }
  N.Children = std::move(New);
  return Changed;
}

/// One assignment in each leaf, then one step of a sum.
bool dlopt::splitLeaves(Kernel &K, Node &N) {
  bool Changed = false;
  for (bool Again = true; Again; Changed |= Again)
    Again = splitLeavesOnce(K, N);
  return Changed;
}

namespace {

/// Sees the body of an axis as U copies of one body that are U-ths of a step
/// apart: copy u of each leaf follows copy u - 1 of it.
class Reroller {
public:
  Reroller(Kernel &K, AxisId X, unsigned U)
      : K(K), Axis(K.getAxisAtom(X)), X(X), U(U), Locals(U) {}

  bool match(const Node &N) {
    SmallVector<AxisId, 4> Inner;
    return match(N, Inner);
  }
  bool isSeparable(const Node &N) const;
  void apply(Node &N);

private:
  bool match(const Node &N, SmallVectorImpl<AxisId> &Inner);
  std::optional<Poly> shift(const Poly &P, unsigned Copy) const;
  SmallVector<BufferId, 2> getLocals(const Leaf &L) const;

  Kernel &K;
  AtomId Axis;
  AxisId X;
  unsigned U;
  /// Of each copy: the local that stands in the first one for it.
  std::vector<SmallVector<std::pair<BufferId, BufferId>, 4>> Locals;
  /// One leaf of each copy. If there is more than one group, or if there are
  /// axes around it, the source interleaves copies.
  struct Group {
    bool Inside = false;
    SmallVector<SmallVector<BufferId, 2>, 4> Locals; ///< used, of each copy
  };
  std::vector<Group> Groups;
};

} // namespace

std::optional<Poly> Reroller::shift(const Poly &P, unsigned Copy) const {
  std::optional<Poly> Coef = P.coefficient(Axis);
  std::optional<Poly> Step = Coef ? Coef->divideExactly(U) : std::nullopt;
  if (!Step || K.dependsOn(P.without(Axis), X) || K.dependsOn(*Step, X))
    return std::nullopt;
  return P + *Step * Poly(Copy);
}

/// The locals that \p L reads or writes.
SmallVector<BufferId, 2> Reroller::getLocals(const Leaf &L) const {
  SmallVector<BufferId, 2> Used;
  auto Use = [&](BufferId B) {
    if (K.Buffers[B].IsLocal)
      Used.push_back(B);
  };
  for (const Assign &A : L.Assigns)
    Use(A.Target.Buf);
  for (const Op &O : L.Ops)
    if (O.K == Op::Load)
      Use(O.Acc.Buf);
  return Used;
}

/// \p Inner: the axes around \p N in the one that is rerolled.
bool Reroller::match(const Node &N, SmallVectorImpl<AxisId> &Inner) {
  for (size_t I = 0; I != N.Children.size();) {
    const Node &Child = *N.Children[I];
    if (Child.K == Node::AxisNode) {
      Inner.push_back(Child.Ax);
      if (any_of(K.Axes[Child.Ax].Extents,
                 [&](const Poly &E) { return K.dependsOn(E, X); }) ||
          !match(Child, Inner))
        return false;
      Inner.pop_back();
      ++I;
      continue;
    }
    if (Child.K != Node::LeafNode || I + U > N.Children.size())
      return false;
    for (unsigned Copy = 0; Copy != U; ++Copy) {
      const Node &Other = *N.Children[I + Copy];
      auto Shift = [&](const Poly &P) { return shift(P, Copy); };
      if (Other.K != Node::LeafNode ||
          !isSameLeaf(Child.L, Other.L, K, Shift, Locals[Copy]))
        return false;
    }
    Group &G = Groups.emplace_back();
    G.Inside = N.Ax != X;
    for (unsigned Copy = 0; Copy != U; ++Copy)
      G.Locals.push_back(getLocals(N.Children[I + Copy]->L));
    // Sums keep their order: what all rounds of an inner axis add to is the
    // same for all copies of one round first.
    if (any_of(Child.L.Assigns, [&](const Assign &A) {
          return !K.Buffers[A.Target.Buf].IsLocal &&
                 !K.dependsOn(A.Target, X) && any_of(Inner, [&](AxisId Y) {
                   return !K.dependsOn(A.Target, Y);
                 });
        }))
      return false;
    I += U;
  }
  return !Groups.empty();
}

/// Whether copies only share locals if their order stays.
bool Reroller::isSeparable(const Node &N) const {
  SmallVector<BufferId, 8> Own;
  collectLocals(N, Own);
  for (const auto &Pairs : Locals)
    for (auto [Base, Mine] : Pairs)
      if (Base != Mine &&
          (!is_contained(Own, Base) || !is_contained(Own, Mine)))
        return false;
  // What runs before an earlier copy of something, in the same round or in the
  // next one of an axis around both, runs after it from now on.
  auto Share = [&](const Group &G, unsigned A, const Group &H, unsigned B) {
    return any_of(G.Locals[A], [&](BufferId Used) {
      return is_contained(H.Locals[B], Used);
    });
  };
  for (size_t Late = 0; Late != Groups.size(); ++Late)
    for (size_t Early = 0; Early <= Late; ++Early)
      for (unsigned A = 0; A != U; ++A)
        for (unsigned B = 0; B != U; ++B) {
          const Group &G = Groups[Early], &H = Groups[Late];
          bool Swapped =
              (Early != Late && A > B) || (A != B && G.Inside && H.Inside);
          if (Swapped && Share(G, A, H, B))
            return false;
        }
  return true;
}

void Reroller::apply(Node &N) {
  std::vector<std::unique_ptr<Node>> New;
  for (size_t I = 0; I != N.Children.size();) {
    std::unique_ptr<Node> &Child = N.Children[I];
    if (Child->K == Node::AxisNode) {
      apply(*Child);
      ++I;
    } else {
      forEachPoly(Child->L, [&](Poly &P) {
        std::optional<Poly> Coef = P.coefficient(Axis);
        if (std::optional<Poly> Step = Coef ? Coef->divideExactly(U) : Coef)
          P = P.without(Axis) + *Step * Poly::atom(Axis);
      });
      I += U;
    }
    New.push_back(std::move(Child));
  }
  N.Children = std::move(New);
}

/// Locals of one round that no leaf uses any more.
static void dropLocals(Node &N) {
  SmallVector<BufferId, 8> Used;
  forEachLeaf(N, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Assign &A : L.Assigns)
      Used.push_back(A.Target.Buf);
    for (const Op &O : L.Ops)
      if (O.K == Op::Load)
        Used.push_back(O.Acc.Buf);
  });
  erase_if(N.Locals, [&](BufferId B) { return !is_contained(Used, B); });
  for (std::unique_ptr<Node> &Child : N.Children)
    dropLocals(*Child);
}

bool dlopt::reroll(Kernel &K, Node &N) {
  if (N.K != Node::AxisNode || N.Children.empty() || isScanned(K, N.Ax))
    return false;
  for (unsigned U = 16; U >= 2; --U) {
    Reroller R(K, N.Ax, U);
    if (!R.match(N) || !R.isSeparable(N))
      continue;
    R.apply(N);
    dropLocals(N);
    for (Poly &E : K.Axes[N.Ax].Extents)
      E = E * Poly(U);
    return true;
  }
  return false;
}

/// Whole steps that cover P are P rounds where P is a multiple of them.
bool dlopt::roundExtent(Kernel &K, Node &N) {
  if (N.K != Node::AxisNode)
    return false;
  bool Changed = false;
  for (Poly &E : K.Axes[N.Ax].Extents)
    for (AtomId Id = 0; Id != K.Atoms.size(); ++Id) {
      const Atom &A = K.Atoms[Id];
      if (A.K != Atom::FloorDiv || A.Den.getConstant().value_or(0) <= 0 ||
          E != (Poly::atom(Id) + Poly(1)) * A.Den)
        continue;
      Poly P = A.Num + Poly(1), Step = A.Den;
      if (K.anyNestedAtom(P, [](const Atom &B) { return B.K != Atom::Param; }))
        continue;
      Need Whole;
      Whole.K = Need::InRange;
      Whole.P = Poly::atom(K.getModAtom(P, Step));
      if (!DLOPT_PLANTED(PartialStepUntested))
        K.Needs.push_back(std::move(Whole));
      E = P;
      Changed = true;
      break;
    }
  return Changed;
}
