//===- Stage.cpp - Copies of what is read ---------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// stage %B K packed 256,64 k,j = k,j: a copy, made at the start of a round of
/// K, serves the accesses to %B below. It runs over the axes that are named;
/// behind the equals sign is the element of the copy that each point has.
///
//===----------------------------------------------------------------------===//
#include "Step.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Uses.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace dlopt;

struct Step::Copy {
  Place P; ///< of the axis at whose start it is made
  StringRef Name;
  SmallVector<int64_t, 4> Sizes;
  SmallVector<Node *, 4> Axes; ///< those that are named, outermost first
  SmallVector<Poly, 4> Index;
  Access X;                   ///< what is copied
  Place Served;               ///< the first leaf that reads it
  SmallVector<Node *, 4> All; ///< all of them
  /// The conditions of the copy: those of all that read it, where they speak of
  /// what it knows.
  SmallVector<Constraint, 2> Domain;
  BufferId Local = 0;
};

static bool readsAccess(const Leaf &L, const Access &X) {
  return any_of(L.Ops,
                [&](const Op &O) { return O.K == Op::Load && O.Acc == X; });
}

static bool isSameDomain(const Leaf &A, const Leaf &B) {
  return A.Domain.size() == B.Domain.size() &&
         all_of(zip(A.Domain, B.Domain), [](const auto &Pair) {
           const auto &[X, Y] = Pair;
           return X.P == Y.P && X.IsEquality == Y.IsEquality;
         });
}

bool Step::findCopy(Copy &C) {
  StringRef Name;
  if (takeWord(Name, "a buffer") || takeAxis(C.P) || takeNewName(C.Name) ||
      takeSizes(C.Sizes))
    return true;
  Node &At = C.P.node();
  Name.consume_front("%");
  auto IsOf = [&](const Op &O) {
    return O.K == Op::Load && K.Buffers[O.Acc.Buf].Name == Name;
  };
  auto FindLoad = [&](const Node &N) -> const Op * {
    const auto It = llvm::find_if(N.L.Ops, [&](const Op &O) {
      // What no value needs is never loaded.
      return IsOf(O) && any_of(N.L.Assigns, [&](const Assign &A) {
               return isComputedOf(N.L, A.Value,
                                   [&](const Op &X) { return &X == &O; });
             });
    });
    return It == N.L.Ops.end() ? nullptr : &*It;
  };
  auto First = [&](const Node &N, auto &Self) -> const Node * {
    if (FindLoad(N))
      return &N;
    for (const auto &Child : N.Children)
      if (const Node *Found = Self(*Child, Self))
        return Found;
    return nullptr;
  };
  const Node *Leaf = First(At, First);
  if (!Leaf)
    return fail("'" + Name + "' is not read below '" + axisOf(At).Name + "'");
  find([&](const Node &N) { return &N == Leaf; }, C.Served);
  C.X = FindLoad(*Leaf)->Acc;
  SmallVector<StringRef, 4> Names;
  StringRef Sign;
  if (takeNames(Names) || takeWord(Sign, "'='") ||
      (Sign != "=" && fail("expected '=', got '" + Sign + "'")))
    return true;
  for (StringRef Wanted : Names) {
    auto Below = ArrayRef(C.Served.Path).drop_front(C.P.Path.size());
    const auto *It = find_if(Below, [&](Node *N) {
      return N->K == Node::AxisNode && axisOf(*N).Name == Wanted;
    });
    if (It == Below.end())
      return fail("expected an axis between '" + axisOf(At).Name +
                  "' and what reads '" + Name + "', got '" + Wanted + "'");
    C.Axes.push_back(*It);
  }
  return takePolys(C.Served.Path, C.Index) || refuseUnsafe(C.Index);
}

/// Whether the copy does not know what \p A is.
bool Step::isHidden(const Copy &C, const Atom &A) {
  auto IsOf = [&](const Node *N) { return N->Ax == A.Ref; };
  if (A.K != Atom::Axis && A.K != Atom::Size)
    return A.K == Atom::Load;
  return none_of(C.P.axes(), IsOf) && none_of(C.Axes, IsOf);
}

/// Where leaves have different conditions the copy has none.
void Step::findConditions(Copy &C) {
  const Leaf &First = C.Served.node().L;
  if (!all_of(C.All, [&](const Node *N) { return isSameDomain(N->L, First); }))
    return;
  auto IsHidden = [&](const Atom &A) { return isHidden(C, A); };
  for (const Constraint &Cond : First.Domain)
    if (hasValue(Cond.P) && !K.anyNestedAtom(Cond.P, IsHidden))
      C.Domain.push_back(Cond);
}

/// Each leaf that reads the access does so in every round in which the copy
/// does, and so may the copy.
bool Step::checkRounds(const Copy &C) {
  for (const Node *N : C.All)
    if (N->L.Predicate || !isSameDomain(N->L, C.Served.node().L))
      return fail(text(C.X) + " is not read under one condition");
  if (C.Domain.size() != C.Served.node().L.Domain.size())
    return fail(text(C.X) + " is read under a condition on other axes");
  // Loops that the copy does not have may have no round.
  SmallVector<const Node *, 8> Around = C.P.axes();
  for (Node *N : ArrayRef(C.Served.Path).drop_front(C.P.Path.size())) {
    if (N->K != Node::AxisNode)
      continue;
    if (!is_contained(C.Axes, N) && !DLOPT_PLANTED(CopyUnreadable) &&
        requireRounds(Around, *N))
      return true;
    Around.push_back(N);
  }
  return false;
}

/// Nobody writes what is copied between the copy and its use.
bool Step::checkKept(const Copy &C, const Dependences &D) {
  auto NumSame = static_cast<unsigned>(C.P.axes().size());
  for (const MemoryUse &U : D.uses())
    for (const MemoryUse &W : D.uses())
      if (W.writes() && D.isBelow(W, C.P.node()) && U.X && *U.X == C.X &&
          !DLOPT_PLANTED(CopyOverwritten) &&
          any_of(C.All, [&](const Node *N) { return U.N == N; }) &&
          mustNotPrecede(D, W, U, NumSame, "the copy would be old"))
        return true;
  return false;
}

bool Step::checkCopy(const Copy &C) {
  Dependences D(K);
  for (const Node *N : C.Axes)
    if (refuseLoadedBounds(*N))
      return true;
  SmallVector<const Node *, 8> Path = C.P.axes();
  auto NumShared = static_cast<unsigned>(Path.size());
  for (Node *N : C.Axes)
    Path.push_back(N);
  if (C.Sizes.size() != C.Index.size())
    return fail("expected " + Twine(C.Sizes.size()) + " indices");
  for (auto [I, Size] : zip(C.Index, C.Sizes))
    if (!D.isAtLeastZero(I, Path, C.Domain) ||
        !D.isAtLeastZero(Poly(Size - 1) - I, Path, C.Domain))
      return fail("an index may be outside of '" + C.Name + "'");
  if (!DLOPT_PLANTED(CopyOverlaps) &&
      !D.isFunctionOf(C.X.Subs, C.Index, Path, NumShared))
    return fail("two elements have one place in '" + C.Name + "'");
  if (K.anyNestedAtom(C.X, [&](const Atom &A) { return isHidden(C, A); }))
    return fail(text(C.X) + " depends on more than the axes named");
  return (!D.isReadIn(Plain, C.X, Path) && checkRounds(C)) || checkKept(C, D);
}

void Step::makeCopy(Copy &C) {
  Node &At = C.P.node();
  Buffer B;
  B.Name = C.Name.str();
  B.Ty = K.Buffers[C.X.Buf].Ty;
  B.IsLocal = true;
  B.Where = Buffer::Stack;
  for (int64_t Size : C.Sizes)
    B.Shape.push_back(Poly(Size));
  C.Local = static_cast<BufferId>(K.Buffers.size());
  K.Buffers.push_back(std::move(B));
  Access Slot;
  Slot.Buf = C.Local;
  Slot.Subs.assign(C.Index.begin(), C.Index.end());
  auto Inner = std::make_unique<Node>();
  Inner->K = Node::LeafNode;
  Op Load;
  Load.K = Op::Load;
  Load.Ty = K.Buffers[C.X.Buf].Ty;
  Load.Acc = C.X;
  Inner->L.Ops.push_back(std::move(Load));
  Assign A;
  A.Target = Slot;
  Inner->L.Assigns.push_back(std::move(A));
  Inner->L.Domain = C.Domain;
  for (Node *N : C.All)
    for (Op &O : N->L.Ops)
      if (O.K == Op::Load && O.Acc == C.X)
        O.Acc = Slot;
  // The copy has axes of its own, which bear the others' names with a stroke.
  SmallVector<std::pair<AxisId, AxisId>, 4> Renamed;
  std::unique_ptr<Node> Nest = std::move(Inner);
  for (Node *N : reverse(C.Axes)) {
    Axis New = axisOf(*N);
    New.Name += "_";
    New.R = Role::Parallel;
    New.L = nullptr;
    New.Schedule.Unrolled = false;
    New.Schedule.Lanes = 0;
    New.Schedule.Row.clear();
    AxisId Id = addAxis(std::move(New));
    Renamed.push_back({N->Ax, Id});
    auto Around = makeAxisNode(Id);
    Around->Children.push_back(std::move(Nest));
    Nest = std::move(Around);
  }
  // Bounds of the outermost are its own, too.
  Node Holder;
  Holder.Children.push_back(std::move(Nest));
  for (auto [Old, New] : Renamed)
    replaceAxis(Old, New, Holder);
  At.Children.insert(At.Children.begin(), std::move(Holder.Children.front()));
  At.Locals.push_back(C.Local);
}

bool Step::stage() {
  Copy C;
  if (findCopy(C))
    return true;
  auto Collect = [&](Node &N, auto &Self) -> void {
    if (readsAccess(N.L, C.X))
      C.All.push_back(&N);
    for (auto &Child : N.Children)
      Self(*Child, Self);
  };
  Collect(C.P.node(), Collect);
  findConditions(C);
  if (checkCopy(C))
    return true;
  makeCopy(C);
  return false;
}
