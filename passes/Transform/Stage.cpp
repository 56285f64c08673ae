//===- Stage.cpp - Copies of what is read ---------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// stage %B K packed 256,64 k,j = k,j: a copy, made at the start of a round of
/// K, serves the accesses to %B below. It runs over the axes that are named, or
/// the values of sums of them; behind the equals sign is the element of the
/// copy that each point has. `as i16`: the copy has what is made of each
/// element that is read (Conversion.h), as a number of that type.
///
//===----------------------------------------------------------------------===//
#include "Copy.h"
#include "dlopt/KernelText.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Uses.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace dlopt;

SmallVector<const Node *, 8> Step::Copy::path() const {
  SmallVector<const Node *, 8> Result = P.axes();
  Result.append(Axes.begin(), Axes.end());
  return Result;
}

static bool readsAccess(const Leaf &L, const Access &X) {
  return any_of(L.Ops,
                [&](const Op &O) { return O.K == Op::Load && O.Acc == X; });
}

bool dlopt::isSameDomain(const Leaf &A, const Leaf &B) {
  return A.Domain == B.Domain;
}

/// The axes of the copy, and what it is made of.
bool Step::takeCopyAxes(Copy &C, StringRef Of) {
  SmallVector<StringRef, 4> Names;
  StringRef Sign;
  if (takeNames(Names) || takeWord(Sign, "'='") ||
      (Sign != "=" && fail("expected '=', got '" + Sign + "'")))
    return true;
  for (StringRef Wanted : Names) {
    if (auto [Name, Sum] = Wanted.split('='); !Sum.empty()) {
      if (takeSum(C, Name, Sum))
        return true;
      continue;
    }
    auto Below = ArrayRef(C.Served.Path).drop_front(C.P.Path.size());
    const auto *It = find_if(Below, [&](Node *N) {
      return N->K == Node::AxisNode && axisOf(*N).Name == Wanted;
    });
    if (It == Below.end())
      return fail("expected an axis between '" + axisOf(C.P.node()).Name +
                  "' and what reads '" + Of + "', got '" + Wanted + "'");
    C.Axes.push_back(*It);
  }
  return false;
}

/// `if %K*%N >= 65536`: one code for both, so that the condition may speak of
/// sizes alone.
bool Step::takeCondition(Copy &C, StringRef Text) {
  StringRef Before = Rest;
  Rest = Text.trim();
  SmallVector<Constraint, 1> Cs;
  if (takeConstraints(C.P, Cs))
    return true;
  Rest = Before;
  if (Cs.size() != 1 || Cs.front().IsEquality)
    return fail("expected one condition without '==', got '" + Text + "'");
  if (!K.isFixed(Cs.front().P) || !hasValue(Cs.front().P))
    return fail("'" + Text.trim() + "' depends on more than sizes");
  if (C.Fill)
    return fail("a copy that is filled is made always");
  C.If = Cs.front();
  return requireNoWrap(C.If->P);
}

/// What stands behind the indices: the type of the copy, and what it has where
/// nothing is read.
bool Step::takeOptions(Copy &C) {
  C.Ty = K.Buffers[C.X.Buf].Ty;
  auto [All, If] = Rest.split(" if ");
  auto [Text, Fill] = All.split(" fill ");
  auto [Before, Type] = Text.split(" as ");
  Rest = Before.rtrim();
  Fill = Fill.trim();
  C.FillsOutside = Fill.consume_back(" outside");
  if (!Fill.empty() && !(C.Fill = parseScalar(C.Ty, Fill.rtrim())))
    return fail("expected a number that fills, got '" + Fill + "'");
  if (!If.empty() && takeCondition(C, If))
    return true;
  if (Type.empty())
    return false;
  std::optional<FactorType> Own = parseFactorType(Type.trim());
  if (!Own)
    return fail("expected a type of numbers, got '" + Type.trim() + "'");
  C.IsConverted = true;
  C.IsUnsigned = !Own->Signed;
  if (C.If)
    return fail("a copy that is made under a condition has the type of what is "
                "read");
  if (C.Fill)
    return fail("a copy that is filled has the type of what is read");
  C.Ty = Own->Ty;
  return false;
}

/// The element of the copy.
bool Step::takePlaces(Copy &C) {
  SmallVector<Node *, 8> Path(C.Served.Path);
  for (const Copy::Sum &S : C.Sums)
    Path.push_back(S.N.get());
  if (takePolys(Path, C.Index))
    return true;
  for (Poly &P : C.Index) {
    C.Places.push_back(inCopy(C, P));
    P = inServed(C, P);
  }
  return refuseUnsafe(C.Index) || refuseUnsafe(C.Places);
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
  // Something else of the buffer may be read outside of the axes named.
  SmallVector<StringRef, 4> Wanted;
  StringRef(Rest).split(" = ").first.split(Wanted, ',');
  erase_if(Wanted, [](StringRef Text) { return Text.contains('='); });
  auto First = [&](const Node &N, SmallVector<StringRef, 4> Missing,
                   auto &Self) -> const Node * {
    if (N.K == Node::AxisNode && &N != &At)
      llvm::erase(Missing, axisOf(N).Name);
    if (Missing.empty() && FindLoad(N))
      return &N;
    for (const auto &Child : N.Children)
      if (const Node *Found = Self(*Child, Missing, Self))
        return Found;
    return nullptr;
  };
  const Node *Leaf = First(At, Wanted, First);
  if (!Leaf)
    Leaf = First(At, {}, First);
  if (!Leaf)
    return fail("'" + Name + "' is not read below '" + axisOf(At).Name + "'");
  find([&](const Node &N) { return &N == Leaf; }, C.Served);
  C.X = FindLoad(*Leaf)->Acc;
  if (takeCopyAxes(C, Name) || takeOptions(C) || takePlaces(C))
    return true;
  C.From = C.X;
  for (Poly &P : C.From.Subs)
    P = inCopy(C, P);
  for (Poly &P : C.From.Strides)
    P = inCopy(C, P);
  return false;
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
  for (const Constraint &Cond : First.Domain) {
    Poly Own = inCopy(C, Cond.P);
    if (!hasValue(Own) || K.anyNestedAtom(Own, IsHidden))
      continue;
    C.Domain.push_back(Cond);
    C.Where.push_back({Own, Cond.IsEquality});
  }
}

/// Each leaf that reads the access does so in every round in which the copy
/// does, and so may the copy.
bool Step::checkRounds(const Copy &C) {
  // Not every value of a sum need be one that is read.
  if (!C.Sums.empty())
    return fail("not all of " + text(C.From) + " is certainly read");
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
  SmallVector<const Node *, 8> Path = C.path();
  auto NumShared = static_cast<unsigned>(C.P.axes().size());
  if (C.Sizes.size() != C.Index.size())
    return fail("expected " + Twine(C.Sizes.size()) + " indices");
  // What is filled is so in all rounds.
  ArrayRef<Constraint> Where = C.Fill ? ArrayRef<Constraint>() : C.Where;
  for (auto [I, Size] : zip(C.Places, C.Sizes))
    if (!D.isAtLeastZero(I, Path, Where) ||
        !D.isAtLeastZero(K.getPoly(Size) - Poly(1) - I, Path, Where))
      return fail("an index may be outside of '" + C.Name + "'");
  if (!DLOPT_PLANTED(CopyOverlaps) &&
      !D.isFunctionOf(C.From.Subs, C.Places, Path, NumShared))
    return fail("two elements have one place in '" + C.Name + "'");
  auto IsHidden = [&](const Atom &A) { return isHidden(C, A); };
  if (K.anyNestedAtom(C.From, IsHidden))
    return fail(text(C.From) + " depends on more than the axes named");
  for (const Poly &P : C.Places)
    if (K.anyNestedAtom(P, IsHidden))
      return fail("'" + KernelText(K).poly(P) +
                  "' depends on more than the axes named");
  return (!D.isReadIn(Plain, C.From, Path, C.Where) && checkRounds(C)) ||
         checkKept(C, D) || (C.Fill && checkFill(C, D));
}

/// The leaves of the copy: `t[..] = fill`, if it has one, for all elements or
/// for those of each condition that does not hold, and `t[..] = %x[..]`.
void Step::addMoves(const Copy &C, Node &To) {
  Access Slot;
  Slot.Buf = C.Local;
  Slot.Subs.assign(C.Places.begin(), C.Places.end());
  Op Value;
  Value.Ty = K.Buffers[C.X.Buf].Ty;
  auto Add = [&]() -> Leaf & {
    auto N = std::make_unique<Node>();
    N->K = Node::LeafNode;
    N->L.Ops.push_back(Value);
    Assign A;
    A.Target = Slot;
    N->L.Assigns.push_back(std::move(A));
    To.Children.push_back(std::move(N));
    return To.Children.back()->L;
  };
  if (C.Fill) {
    Value.K = Op::Const;
    Value.Bits = *C.Fill;
    if (!C.FillsOutside)
      Add();
    else
      for (const Constraint &Cond : C.Where)
        Add().Domain = {{Poly(-1) - Cond.P, /*IsEquality=*/false}};
  }
  Value.K = Op::Load;
  Value.Acc = C.From;
  Leaf &L = Add();
  L.Domain = C.Where;
  if (C.IsConverted)
    L.Assigns.front().Value = addConversion(L, C.Conversion, 0);
}

/// Whether each point of the copy has a place of its own.
bool Step::hasOwnPlaces(const Copy &C) {
  SmallVector<Poly, 4> Points;
  for (const Node *N : C.Axes)
    Points.push_back(Poly::atom(K.getAxisAtom(N->Ax)));
  return Dependences(K).isFunctionOf(Points, C.Places, C.path(),
                                     static_cast<unsigned>(C.P.axes().size()));
}

/// The axis \p N of what is served as one of the copy.
AxisId Step::addCopyAxis(const Node &N) {
  Axis New = axisOf(N);
  New.Name += "_";
  New.L = nullptr;
  New.Schedule.Unrolled = false;
  New.Schedule.Lanes = ScheduleSize();
  New.Schedule.Row.clear();
  return addAxis(std::move(New));
}

void Step::makeCopy(Copy &C) {
  Node &At = C.P.node();
  Buffer B;
  B.Name = C.Name.str();
  B.Ty = C.Ty;
  B.IsLocal = true;
  B.Where = Buffer::Stack;
  for (const ScheduleSize &Size : C.Sizes)
    B.Shape.push_back(K.getPoly(Size));
  C.Local = static_cast<BufferId>(K.Buffers.size());
  K.Buffers.push_back(std::move(B));
  for (Node *N : C.All)
    redirect(C, N->L);
  // What fills a place comes before what is copied to it.
  Role R = C.Fill && !hasOwnPlaces(C) ? Role::Sequential : Role::Parallel;
  // The copy has axes of its own, which bear the others' names with a stroke.
  SmallVector<std::pair<AxisId, AxisId>, 4> Renamed;
  Node Holder;
  Node *Inner = &Holder;
  for (const Node *N : C.Axes) {
    AxisId Id = C.isSum(N) ? N->Ax : addCopyAxis(*N);
    K.Axes[Id].R = R;
    if (Id != N->Ax)
      Renamed.push_back({N->Ax, Id});
    Inner->Children.push_back(makeAxisNode(Id));
    Inner = Inner->Children.back().get();
  }
  addMoves(C, *Inner);
  // Bounds of the outermost are its own, too.
  for (auto [Old, New] : Renamed)
    substituteAxis(K, Holder, Old, New);
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
  if (C.If)
    C.Where.push_back(*C.If);
  if (findConversion(C) || checkCopy(C))
    return true;
  if (C.Fill)
    dropFilled(C);
  makeCopy(C);
  return false;
}
