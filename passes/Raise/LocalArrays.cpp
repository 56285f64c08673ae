//===- LocalArrays.cpp - Elements of local arrays as scalars --------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A local array that nothing outside the nest sees is as good as one scalar
/// for each element:
///
///   for x: c[x] = 0;                        for x {
///   for k: for x: c[x] += f(k, x);            s = 0; for k: s += f(k, x);
///   for x: C[x] = c[x];                       C[x] = s; }
///
///   for x: a[x] = A[x];  for y: g(a[y]);    for y: g(A[y]);
///
/// Each element is written before it is read, in the same round of the axes
/// around all of it, since what writes has the axes of what reads.
///
//===----------------------------------------------------------------------===//
#include "Nest.h"
#include "Normalize.h"
#include "dlopt/Uses.h"

using namespace llvm;
using namespace dlopt;

namespace {

/// Leaves, with locals of their own, and the axes around them.
struct BodyNest {
  SmallVector<AxisId, 4> Axes;
  Node *Bottom = nullptr;

  Leaf &leaf(size_t I) const { return Bottom->Children[I]->L; }
};

/// What leaves read and write of an array.
struct Uses {
  std::optional<Poly> Read, Written;
  bool IsOne = true;  ///< one element, in all of them
  bool IsSet = false; ///< first of all, and whatever conditions there are
  unsigned Leaves = 0;
};

using AxisMap = SmallVector<std::pair<AtomId, Poly>, 4>;

} // namespace

/// One unconditional assignment in a perfect nest.
static std::optional<LeafNest> getPlainNest(Node &N) {
  std::optional<LeafNest> R = getLeafNest(N);
  return R && isPlain(*R->L) ? R : std::nullopt;
}

static std::optional<BodyNest> getBodyNest(Node &N) {
  BodyNest R;
  for (R.Bottom = &N;; R.Bottom = R.Bottom->Children.front().get()) {
    if (R.Bottom->K != Node::AxisNode || R.Bottom->Children.empty())
      return std::nullopt;
    R.Axes.push_back(R.Bottom->Ax);
    if (R.Bottom->Children.size() != 1 || !R.Bottom->Locals.empty() ||
        R.Bottom->Children.front()->K != Node::AxisNode)
      break;
  }
  if (!all_of(R.Bottom->Children,
              [](const auto &C) { return C->K == Node::LeafNode; }))
    return std::nullopt;
  return R;
}

unsigned dlopt::countLeaves(const Kernel &K, BufferId B) {
  unsigned Count = count_if(K.Atoms, [&](const Atom &A) {
    return A.K == Atom::Load && A.Source.Buf == B;
  });
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    Count += reads(L, B) || assigns(L, B);
  });
  return Count;
}

static Uses getUses(const BodyNest &N, BufferId B) {
  Uses U;
  for (const std::unique_ptr<Node> &Child : N.Bottom->Children) {
    const Leaf &L = Child->L;
    bool Any = false;
    auto Add = [&](std::optional<Poly> &To, const Access &X) {
      U.IsOne &= !To || *To == X.offset();
      To = X.offset();
      Any = true;
    };
    for (const Op &O : L.Ops)
      if (O.K == Op::Load && O.Acc.Buf == B)
        Add(U.Read, O.Acc);
    for (const Assign &A : L.Assigns)
      if (A.Target.Buf == B) {
        if (!U.Written && !U.Read)
          U.IsSet = isPlain(L);
        Add(U.Written, A.Target);
      }
    U.Leaves += Any;
  }
  return U;
}

static bool dependsOnAny(const Kernel &K, const Poly &P,
                         ArrayRef<AxisId> Axes) {
  return any_of(Axes, [&](AxisId A) { return K.dependsOn(P, A); });
}

/// Whether it takes values of parameters to know what \p P can be.
static bool dependsOnParams(const Kernel &K, const Poly &P,
                            ArrayRef<AxisId> Axes) {
  return K.anyNestedAtom(P, [](const Atom &A) { return A.K != Atom::Axis; }) ||
         any_of(Axes, [&](AxisId A) {
           return K.dependsOn(P, A) &&
                  any_of(K.Axes[A].Extents,
                         [](const Poly &E) { return !E.getConstant(); });
         });
}

/// Finds for each of \p Mine the one of \p Theirs by which \p To is what
/// \p From is: with the same step and the same rounds.
static bool pairAxes(Kernel &K, Poly From, ArrayRef<AxisId> Mine, Poly To,
                     ArrayRef<AxisId> Theirs, AxisMap &Pairs) {
  SmallVector<AxisId, 4> Free(Theirs);
  for (AxisId A : Mine) {
    AtomId Atom = K.getAxisAtom(A);
    std::optional<Poly> Step = From.coefficient(Atom);
    if (!Step || Step->isZero() || dependsOnAny(K, *Step, Mine))
      return false;
    auto *Partner = find_if(Free, [&](AxisId B) {
      return To.coefficient(K.getAxisAtom(B)) == *Step &&
             K.Axes[A].Extents == K.Axes[B].Extents;
    });
    if (Partner == Free.end())
      return false;
    AtomId Other = K.getAxisAtom(*Partner);
    Pairs.push_back({Atom, Poly::atom(Other)});
    From = From.without(Atom);
    To = To.without(Other);
    Free.erase(Partner);
  }
  return From == To && !dependsOnAny(K, From, Mine) &&
         !dependsOnAny(K, To, Theirs);
}

/// Whether no two points of \p Axes have one \p Offset: each step exceeds what
/// the smaller ones reach. May add needs.
static bool isInjective(Kernel &K, const Poly &Offset, ArrayRef<AxisId> Axes) {
  struct Digit {
    Poly Step, Extent;
    size_t Order;
  };
  SmallVector<Digit, 4> Digits;
  for (AxisId A : Axes) {
    std::optional<Poly> Step = Offset.coefficient(K.getAxisAtom(A));
    if (!Step || Step->isZero())
      return false;
    // Any of several bounds is one.
    const Poly *Extent = find_if(K.Axes[A].Extents,
                                 [](const Poly &E) { return E.getConstant(); });
    Digits.push_back({*Step,
                      Extent == K.Axes[A].Extents.end()
                          ? K.Axes[A].Extents.front()
                          : *Extent,
                      Digits.size()});
  }
  // Constant steps first; of others, those of inner axes.
  auto Key = [](const Digit &D) {
    std::optional<int64_t> C = D.Step.getConstant();
    return std::tuple(!C, C.value_or(0), -static_cast<int64_t>(D.Order));
  };
  llvm::sort(Digits,
             [&](const Digit &A, const Digit &B) { return Key(A) < Key(B); });
  Poly Reach = Poly(1);
  for (const Digit &D : Digits) {
    Poly Slack = D.Step - Reach;
    auto IsParam = [](const Atom &A) { return A.K == Atom::Param; };
    // A single axis may have any step that is not zero.
    bool Alone = Digits.size() == 1 && D.Step.getConstant();
    if (!Alone && getRange(K, Slack, {}).Lo < 0) {
      if (getRange(K, Slack, {}).Hi < 0 ||
          K.anyNestedAtom(Slack, [&](const Atom &A) { return !IsParam(A); }))
        return false;
      requireAtLeast(K, Slack, 0);
    }
    Reach += D.Step * (D.Extent - Poly(1));
  }
  return true;
}

static void substitute(Poly &P, const AxisMap &Pairs) {
  for (const auto &[From, To] : Pairs)
    P = P.substitute(From, To);
}

/// The axes of needs that are no more.
static void renameNeeds(Kernel &K, const AxisMap &Pairs) {
  for (Need &N : K.Needs)
    substitute(N.P, Pairs);
}

static std::unique_ptr<Node> makeAxisNode(AxisId A) {
  auto N = std::make_unique<Node>();
  N->K = Node::AxisNode;
  N->Ax = A;
  return N;
}

static std::unique_ptr<Node> makeLeafNode(Leaf L) {
  auto N = std::make_unique<Node>();
  N->K = Node::LeafNode;
  N->L = std::move(L);
  return N;
}

//===----------------------------------------------------------------------===//
// Accumulators
//===----------------------------------------------------------------------===//

namespace {

/// Start, update and result of an array \p B.
class ArrayContractor {
public:
  ArrayContractor(Kernel &K, BufferId B) : K(K), B(B) {}
  bool match(Node &S, Node &U, Node &R);
  std::unique_ptr<Node> apply();

private:
  bool isBox() const;
  bool matchStart(const Poly &Set, const Poly &Offset);

  Kernel &K;
  BufferId B;
  BodyNest Start, Update, Result;
  AxisMap OfStart, OfResult;
  /// Axes of the update that the element has, and the others.
  SmallVector<AxisId, 4> Elements, Sums;
};

} // namespace

bool ArrayContractor::isBox() const {
  for (AxisId A : Elements)
    for (const Poly &E : K.Axes[A].Extents)
      if (dependsOnAny(K, E, Update.Axes))
        return false;
  for (AxisId A : Sums)
    for (const Poly &E : K.Axes[A].Extents)
      if (dependsOnAny(K, E, Elements))
        return false;
  return true;
}

/// Each element that is updated has been set: in a loop like that of the
/// update, or as one of a row of elements that all get the same.
bool ArrayContractor::matchStart(const Poly &Set, const Poly &Offset) {
  if (Start.Axes.size() == Elements.size() &&
      pairAxes(K, Set, Start.Axes, Offset, Elements, OfStart))
    return true;
  OfStart.clear();
  if (Start.Axes.size() != 1)
    return false;
  const Axis &Row = K.Axes[Start.Axes[0]];
  AtomId X = K.getAxisAtom(Start.Axes[0]);
  std::optional<int64_t> Count =
      Row.Extents.size() == 1 ? Row.Extents[0].getConstant() : std::nullopt;
  if (!Count || *Count < 1 || Set.coefficient(X) != Poly(1) ||
      Start.Bottom->Children.size() != 1 ||
      any_of(
          Start.leaf(0).Ops,
          [&](const Op &O) {
            return K.dependsOn(O.Idx, Start.Axes[0]) ||
                   (O.K == Op::Load && K.dependsOn(O.Acc, Start.Axes[0]));
          }))
    return false;
  Poly Position = Offset - Set.without(X);
  if (K.anyNestedAtom(Position, [](const Atom &A) {
        return A.K != Atom::Axis && A.K != Atom::Param;
      }))
    return false;
  if (!getRange(K, Position, {}).within(0, *Count - 1)) {
    if (!dependsOnParams(K, Position, Update.Axes))
      return false;
    Need N;
    N.K = Need::InRange;
    N.P = std::move(Position);
    N.Hi = *Count - 1;
    K.Needs.push_back(std::move(N));
  }
  return true;
}

bool ArrayContractor::match(Node &S, Node &U, Node &R) {
  std::optional<BodyNest> Nests[3] = {getBodyNest(S), getBodyNest(U),
                                      getBodyNest(R)};
  for (const auto &N : Nests)
    if (!N)
      return false;
  Start = *Nests[0];
  Update = *Nests[1];
  Result = *Nests[2];
  const Uses Set = getUses(Start, B), Step = getUses(Update, B),
             Last = getUses(Result, B);
  if (Update.Bottom->Children.size() != 1 || !isPlain(Update.leaf(0)) ||
      !Update.Bottom->Locals.empty() || !Set.IsSet || !Set.IsOne || Set.Read ||
      !Step.Written || Step.Read != Step.Written || !Step.IsOne || !Last.Read ||
      Last.Written || !Last.IsOne ||
      countLeaves(K, B) != Set.Leaves + Step.Leaves + Last.Leaves)
    return false;
  const Poly Offset = *Step.Written;
  for (AxisId A : Update.Axes)
    (K.dependsOn(Offset, A) ? Elements : Sums).push_back(A);
  return !Elements.empty() && Result.Axes.size() == Elements.size() &&
         isBox() && matchStart(*Set.Written, Offset) &&
         pairAxes(K, *Last.Read, Result.Axes, Offset, Elements, OfResult) &&
         isInjective(K, Offset, Elements);
}

std::unique_ptr<Node> ArrayContractor::apply() {
  Buffer Sum;
  Sum.Name = "acc";
  Sum.Ty = K.Buffers[B].Ty;
  Sum.IsLocal = true;
  auto Id = static_cast<BufferId>(K.Buffers.size());
  K.Buffers.push_back(std::move(Sum));
  // No node has it, so that it goes.
  K.Buffers[B].IsLocal = true;
  Access Scalar;
  Scalar.Buf = Id;
  auto Take = [&](Leaf &L, const AxisMap &Pairs) {
    for (Op &O : L.Ops)
      if (O.K == Op::Load && O.Acc.Buf == B)
        O.Acc = Scalar;
    for (Assign &A : L.Assigns)
      if (A.Target.Buf == B) {
        A.Target = Scalar;
        A.Origin = nullptr;
      }
    forEachPoly(L, [&](Poly &P) { substitute(P, Pairs); });
    return makeLeafNode(std::move(L));
  };
  renameNeeds(K, OfStart);
  renameNeeds(K, OfResult);
  std::unique_ptr<Node> Middle = Take(Update.leaf(0), {});
  for (AxisId A : reverse(Sums)) {
    auto N = makeAxisNode(A);
    N->Children.push_back(std::move(Middle));
    Middle = std::move(N);
  }
  auto Bottom = makeAxisNode(Elements.back());
  Bottom->Locals.push_back(Id);
  auto TakeAll = [&](const BodyNest &N, const AxisMap &Pairs) {
    append_range(Bottom->Locals, N.Bottom->Locals);
    for (const std::unique_ptr<Node> &Child : N.Bottom->Children)
      Bottom->Children.push_back(Take(Child->L, Pairs));
  };
  TakeAll(Start, OfStart);
  Bottom->Children.push_back(std::move(Middle));
  TakeAll(Result, OfResult);
  useMemory(K, *Bottom);
  for (AxisId A : reverse(ArrayRef(Elements).drop_back())) {
    auto N = makeAxisNode(A);
    N->Children.push_back(std::move(Bottom));
    Bottom = std::move(N);
  }
  return Bottom;
}

bool dlopt::contractArrays(Kernel &K, Node &N, ArrayRef<BufferId> Private) {
  bool Changed = false;
  for (size_t I = 0; I + 2 < N.Children.size(); ++I)
    for (BufferId B : Private) {
      if (K.Buffers[B].IsLocal)
        continue;
      ArrayContractor C(K, B);
      if (!C.match(*N.Children[I], *N.Children[I + 1], *N.Children[I + 2]))
        continue;
      std::unique_ptr<Node> New = C.apply();
      N.Children[I] = std::move(New);
      N.Children.erase(N.Children.begin() + I + 1, N.Children.begin() + I + 3);
      Changed = true;
      break;
    }
  return Changed;
}

//===----------------------------------------------------------------------===//
// Copies of operands
//===----------------------------------------------------------------------===//

/// Calls \p Visit with each leaf below \p N and the axes between them.
static bool allLeavesBelow(Node &N, SmallVectorImpl<AxisId> &Axes,
                           function_ref<bool(Leaf &, ArrayRef<AxisId>)> Visit) {
  if (N.K == Node::LeafNode)
    return Visit(N.L, Axes);
  if (N.K == Node::AxisNode)
    Axes.push_back(N.Ax);
  bool Ok = all_of(N.Children, [&](const std::unique_ptr<Node> &Child) {
    return allLeavesBelow(*Child, Axes, Visit);
  });
  if (N.K == Node::AxisNode)
    Axes.pop_back();
  return Ok;
}

/// The leaf in the \p Copy th child of \p N sets \p B, which those behind read.
static bool forwardCopy(Kernel &K, Node &N, size_t Copy, BufferId B) {
  std::optional<LeafNest> From = getPlainNest(*N.Children[Copy]);
  if (!From || From->L->Assigns[0].Target.Buf != B)
    return false;
  const Op &Value = From->L->Ops[From->L->Assigns[0].Value];
  const Poly Offset = From->L->Assigns[0].Target.offset();
  if (Value.K != Op::Load || Value.Acc.Buf == B ||
      Value.Ty != K.Buffers[Value.Acc.Buf].Ty ||
      any_of(From->Axes, [&](AxisId A) {
        return any_of(K.Axes[A].Extents, [&](const Poly &E) {
          return dependsOnAny(K, E, From->Axes);
        });
      }))
    return false;
  SmallVector<std::pair<Op *, Access>, 2> Reads;
  AxisMap First;
  unsigned Readers = 0;
  auto Visit = [&](Leaf &L, ArrayRef<AxisId> Axes) {
    // What is copied must still be there.
    if (any_of(L.Assigns, [&](const Assign &A) {
          return A.Target.Buf == B || A.Target.Buf == Value.Acc.Buf;
        }))
      return false;
    size_t Before = Reads.size();
    for (Op &O : L.Ops) {
      if (O.K != Op::Load || O.Acc.Buf != B)
        continue;
      AxisMap Pairs;
      if (!pairAxes(K, Offset, From->Axes, O.Acc.offset(), Axes, Pairs))
        return false;
      if (Reads.empty())
        First = Pairs;
      Access X = Value.Acc;
      for (Poly &P : X.Subs)
        substitute(P, Pairs);
      Reads.push_back({&O, std::move(X)});
    }
    Readers += Reads.size() != Before;
    return true;
  };
  SmallVector<AxisId, 4> Axes;
  for (size_t I = Copy + 1; I != N.Children.size(); ++I)
    if (!allLeavesBelow(*N.Children[I], Axes, Visit))
      return false;
  if (Reads.empty() || countLeaves(K, B) != Readers + 1 ||
      !isInjective(K, Offset, From->Axes))
    return false;
  for (auto &[O, X] : Reads)
    O->Acc = std::move(X);
  renameNeeds(K, First);
  K.Buffers[B].IsLocal = true;
  N.Children.erase(N.Children.begin() + Copy);
  return true;
}

bool dlopt::forwardCopies(Kernel &K, Node &N, ArrayRef<BufferId> Private) {
  bool Changed = false;
  for (BufferId B : Private)
    for (size_t I = 0; I < N.Children.size() && !K.Buffers[B].IsLocal; ++I)
      Changed |= forwardCopy(K, N, I, B);
  return Changed;
}
