//===- Axes.cpp - split, order, fission -----------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Addition.h"
#include "Step.h"
#include "dlopt/Combiners.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Instruction.h"

using namespace llvm;
using namespace dlopt;

/// Whether blocks of the sizes of \p S leave nothing of \p Extent elements.
static bool fills(const AxisSchedule &S, const ScheduleSize &Extent) {
  for (int64_t VL = LeastVL; VL <= MostVL; VL *= 2) {
    int64_t Left = Extent.at(VL);
    for (const ScheduleSize &Size : S.Steps)
      Left -= Left > 0 ? Left / Size.at(VL) * Size.at(VL) : 0;
    if (Left > 0)
      return false;
  }
  return true;
}

/// Whether blocks fill any loop with the bounds of \p A.
static bool fills(const Kernel &K, const AxisSchedule &S, const Axis &A) {
  if (S.HasRest || S.Overlaps || S.IsUpTo ||
      S.Steps.back() == ScheduleSize{1, false})
    return true;
  // What does not depend on where the loop is: others may reach it then.
  if (!A.Begins.empty() || A.Extents.size() != 1)
    return false;
  const Poly &Extent = A.Extents.front();
  if (std::optional<ScheduleSize> Number = K.getSize(Extent))
    return fills(S, *Number);
  // Inside of blocks that have few sizes.
  std::optional<AtomId> Size = Extent.getAtom();
  if (!Size || K.Atoms[*Size].K != Atom::Size)
    return false;
  const AxisSchedule &Outer = K.Axes[K.Atoms[*Size].Ref].Schedule;
  return Outer.isBlocks() && !Outer.HasRest && !Outer.IsUpTo &&
         all_of(Outer.Steps,
                [&](const ScheduleSize &Of) { return fills(S, Of); });
}

/// `6 4 2 1`, `64 16 rest`, `64 16 over`, `upto 256`, `upto %kc`.
bool Step::takeBlocks(AxisSchedule &S) {
  S.IsUpTo = takeOptional("upto");
  if (S.IsUpTo && Rest.consume_front("%")) {
    StringRef Name;
    if (takeWord(Name, "a number"))
      return true;
    for (auto [Id, P] : enumerate(K.Params))
      if (P.isComputed() && P.Name == Name)
        S.Limit = static_cast<ParamId>(Id);
    if (!S.Limit)
      return fail("expected a number that 'let' computes, got '%" + Name + "'");
    const Param &P = K.Params[*S.Limit];
    if (P.Least < 1 || P.Most > INT32_MAX)
      return fail("'%" + Name + "' is not certainly 1 to 2147483647");
    S.Steps.push_back({P.Most});
    return false;
  }
  do {
    if (takeSize(S.Steps.emplace_back()))
      return true;
    if (S.Steps.size() > 1 &&
        !S.Steps.back().isBelow(S.Steps[S.Steps.size() - 2]))
      return fail("expected sizes from the largest to the smallest");
    S.HasRest = !S.IsUpTo && takeOptional("rest");
    S.Overlaps = !S.IsUpTo && !S.HasRest && takeOptional("over");
  } while (!S.IsUpTo && !S.HasRest && !S.Overlaps && !Rest.empty());
  return false;
}

/// split i I 6 4 2 1: blocks of the axis i, whose first element is I. Always
/// legal, but that the sizes have to fill the loop (`over`: Overlap.cpp).
bool Step::split() {
  Place P;
  StringRef Name;
  Axis Blocks;
  AxisSchedule &S = Blocks.Schedule;
  if (takeAxis(P) || takeNewName(Name))
    return true;
  Node &N = P.node();
  if (takeBlocks(S) || expectEnd() || refuseBlocks(P) || refuseLanes(P))
    return true;
  if (S.Overlaps && asksOverlap(P, S.Steps.back()))
    return true;
  if (!fills(K, S, axisOf(N)))
    return fail("these sizes may leave a rest of '" + axisOf(N).Name + "'");
  Blocks.Name = Name.str();
  Blocks.R = axisOf(N).R;
  Blocks.Loc = axisOf(N).Loc;
  std::swap(Blocks.Begins, axisOf(N).Begins);
  std::swap(Blocks.Extents, axisOf(N).Extents);
  AxisId Outer = addAxis(std::move(Blocks)), Inner = N.Ax;
  axisOf(N).Extents = {Poly::atom(K.getSizeAtom(Outer))};
  auto Map = [&](const Atom &A) -> std::optional<Poly> {
    if (A.K != Atom::Axis || A.Ref != Inner)
      return std::nullopt;
    return Poly::atom(K.getAxisAtom(Outer)) + Poly::atom(K.getAxisAtom(Inner));
  };
  substituteBelow(K, N, Map);
  substituteNeeds(Map, [](const Need &) { return true; });
  std::unique_ptr<Node> Around = makeAxisNode(Outer);
  std::unique_ptr<Node> &Slot = P.parent().Children[P.index()];
  Around->Children.push_back(std::move(Slot));
  Slot = std::move(Around);
  return false;
}

/// The first perfect nest of these axes.
bool Step::findChain(ArrayRef<StringRef> Names, SmallVectorImpl<Node *> &Chain,
                     unsigned &Depth) {
  StringSet<> Wanted;
  for (StringRef Name : Names)
    if (!Wanted.insert(Name).second)
      return fail("expected each axis once, got '" + Name + "' again");
  Place P;
  auto IsTop = [&](const Node &N) {
    Chain.clear();
    const Node *At = &N;
    StringSet<> Seen;
    while (At->K == Node::AxisNode && Wanted.contains(axisOf(*At).Name) &&
           Seen.insert(axisOf(*At).Name).second) {
      Chain.push_back(const_cast<Node *>(At));
      if (Chain.size() == Names.size())
        return true;
      if (At->Children.size() != 1 || !At->Locals.empty())
        return false;
      At = At->Children.front().get();
    }
    return false;
  };
  if (!find(IsTop, P)) {
    for (StringRef Name : Names)
      if (findAxis(Name, P))
        return true;
    return fail("these axes are no perfect nest");
  }
  Depth = static_cast<unsigned>(P.around().size());
  return false;
}

bool dlopt::isAddition(const Kernel &K, const Leaf &L, BufferId Sum) {
  if (L.Assigns.size() != 1 || L.Predicate ||
      L.Assigns.front().Target.Buf != Sum)
    return false;
  const Assign &A = L.Assigns.front();
  const Buffer &B = K.Buffers[Sum];
  std::optional<Combiner> C = getCombiner(L, A);
  auto IsOfSum = [&](const Access &X) { return X.Buf == Sum; };
  auto IsLoaded = [&](const Atom &X) {
    return X.K == Atom::Load && IsOfSum(X.Source);
  };
  bool Adds =
      C && C->K == Op::Inst &&
      (C->Opcode == Instruction::Add ||
       (C->Opcode == Instruction::FAdd && DLOPT_PLANTED(OrderOfFloats)));
  return B.IsLocal && Adds && !any_of(K.Atoms, IsLoaded) &&
         count_if(L.Ops, [&](const Op &O) {
           return O.K == Op::Load && IsOfSum(O.Acc);
         }) == 1;
}

/// Whether both are parts of additions to one sum.
static bool areAdditions(const Kernel &K, const MemoryUse &A,
                         const MemoryUse &B) {
  auto IsOf = [&](const MemoryUse &U) {
    return U.N->K == Node::LeafNode && isAddition(K, U.N->L, A.X->Buf);
  };
  return A.X && B.X && A.X->Buf == B.X->Buf && IsOf(A) && IsOf(B);
}

/// No order gives another sum modulo 2^n, but what is summed up on the way may
/// wrap around in another one.
static void dropWrapFlags(Node &N, const SmallPtrSetImpl<const Node *> &Of) {
  if (Of.contains(&N)) {
    Op &Sum = N.L.Ops[N.L.Assigns.front().Value];
    Sum.NSW = Sum.NUW = false;
  }
  for (auto &Child : N.Children)
    dropWrapFlags(*Child, Of);
}

/// No dependence of the nest becomes negative: of two instances that meet the
/// first stays in front (Allen and Kennedy, Optimizing Compilers for Modern
/// Architectures, 5.2), but for those that add integers to one and the same.
bool Step::asksOrder(ArrayRef<Node *> Chain, ArrayRef<unsigned> New,
                     unsigned Depth) {
  if (DLOPT_PLANTED(OrderUnasked))
    return false;
  Dependences D(K);
  SmallPtrSet<const Node *, 4> Reordered;
  SmallVector<Direction, 12> Where(Depth + Chain.size(), Direction::Any);
  std::fill_n(Where.begin(), Depth, Direction::Same);
  auto Level = MutableArrayRef(Where).drop_front(Depth);
  auto Ask = [&](const MemoryUse &A, const MemoryUse &B, unsigned Carrier) {
    std::fill(Level.begin(), Level.end(), Direction::Any);
    std::fill_n(Level.begin(), Carrier, Direction::Same);
    Level[Carrier] = Direction::Later;
    if (D.mayMeet(A, B, Where) == Dependences::Answer::No)
      return false;
    for (unsigned At : New) {
      if (At == Carrier)
        break; // stays in front
      if (At < Carrier)
        continue;
      Level[At] = Direction::Earlier;
      bool IsOfSum = areAdditions(K, A, B);
      if (IsOfSum && D.mayMeet(A, B, Where) != Dependences::Answer::No) {
        Reordered.insert(A.N);
        Reordered.insert(B.N);
      } else if (!IsOfSum &&
                 mustNotMeet(D, A, B, Where, "their order would turn around"))
        return true;
      Level[At] = Direction::Same;
    }
    return false;
  };
  for (const MemoryUse &A : D.uses())
    for (const MemoryUse &B : D.uses())
      if (D.isBelow(A, *Chain.back()) && D.isBelow(B, *Chain.back()))
        for (unsigned At = 0; At < Chain.size(); ++At)
          if (Ask(A, B, At))
            return true;
  dropWrapFlags(*Chain.back(), Reordered);
  return false;
}

/// An axis that goes around another one has rounds of that one inside. Where
/// its own rounds meet in different ones of these, of which its role did not
/// speak before, it is sequential.
void Step::weakenRoles(ArrayRef<Node *> Chain, ArrayRef<unsigned> New,
                       unsigned Depth) {
  Dependences D(K);
  auto MayMeet = [&](ArrayRef<Direction> Where) {
    return any_of(D.uses(), [&](const MemoryUse &A) {
      return D.isBelow(A, *Chain.back()) &&
             any_of(D.uses(), [&](const MemoryUse &B) {
               return D.isBelow(B, *Chain.back()) &&
                      D.mayMeet(A, B, Where) != Dependences::Answer::No;
             });
    });
  };
  for (auto [I, At] : enumerate(New))
    for (unsigned Inside : New.drop_front(I + 1)) {
      Axis &Outer = axisOf(*Chain[At]);
      if (Inside > At || Outer.R == Role::Sequential)
        continue; // was inside before
      SmallVector<Direction, 12> Where(Depth + Chain.size(), Direction::Any);
      std::fill_n(Where.begin(), Depth + Inside, Direction::Same);
      for (unsigned Around : New.take_front(I))
        Where[Depth + Around] = Direction::Same;
      Where[Depth + At] = Where[Depth + Inside] = Direction::Later;
      if (MayMeet(Where))
        Outer.R = Role::Sequential;
    }
}

/// order J K I i j: a perfect nest with its axes in another order.
bool Step::order() {
  SmallVector<StringRef, 8> Names;
  while (!Rest.empty())
    if (takeWord(Names.emplace_back(), "an axis"))
      return true;
  SmallVector<Node *, 8> Chain;
  unsigned Depth = 0;
  if (Names.size() < 2)
    return fail("expected two axes or more");
  if (findChain(Names, Chain, Depth))
    return true;
  SmallVector<unsigned, 8> New;
  SmallVector<AxisId, 8> Ids;
  for (StringRef Name : Names) {
    const auto *It =
        find_if(Chain, [&](Node *N) { return axisOf(*N).Name == Name; });
    New.push_back(static_cast<unsigned>(It - Chain.begin()));
    Ids.push_back((*It)->Ax);
  }
  // Loops may be entered where they were not: one around them has no round.
  for (Node *N : Chain)
    if (refuseUnsafe(axisOf(*N).Extents) || refuseUnsafe(axisOf(*N).Begins) ||
        (axisOf(*N).Schedule.Lanes &&
         fail("'" + axisOf(*N).Name + "' runs in lanes")))
      return true;
  // Nor is read for a need what was not.
  for (const Need &Of : K.Needs)
    if (Of.K == Need::NonZero &&
        any_of(Ids, [&](AxisId A) { return K.dependsOn(Of.P, A); }))
      return fail("a need of elements speaks of these axes");
  if (refuseOutOfVersion(Chain, New) || asksOrder(Chain, New, Depth))
    return true;
  weakenRoles(Chain, New, Depth);
  for (auto [N, Id] : zip(Chain, Ids))
    N->Ax = Id;
  return false;
}

/// No later child of one round is met by an earlier one of a later round, but
/// where both add to one sum.
bool Step::asksFission(const Place &P) {
  if (DLOPT_PLANTED(FissionUnasked))
    return false;
  const Node &N = P.node();
  Dependences D(K);
  SmallPtrSet<const Node *, 4> Reordered;
  SmallVector<Direction, 8> Where(P.around().size(), Direction::Same);
  Where.push_back(Direction::Later);
  auto Ask = [&](const MemoryUse &A, const MemoryUse &B) {
    if (!areAdditions(K, A, B))
      return mustNotMeet(D, A, B, Where, "a later round needs an earlier one");
    if (D.mayMeet(A, B, Where) != Dependences::Answer::No) {
      Reordered.insert(A.N);
      Reordered.insert(B.N);
    }
    return false;
  };
  for (size_t Late = 1; Late < N.Children.size(); ++Late)
    for (const MemoryUse &A : D.uses())
      for (const MemoryUse &B : D.uses())
        for (size_t Early = 0; Early < Late; ++Early)
          if (D.isBelow(A, *N.Children[Late]) &&
              D.isBelow(B, *N.Children[Early]) && Ask(A, B))
            return true;
  dropWrapFlags(P.node(), Reordered);
  return false;
}

/// A loop like that of \p Old around \p Child, under an axis of its own. Needs
/// go with the axes that they speak of.
std::unique_ptr<Node> Step::copyAround(AxisId Old,
                                       std::unique_ptr<Node> Child) {
  Axis Copy = K.Axes[Old];
  AxisId New = addAxis(std::move(Copy));
  auto Map = [&](const Atom &A) -> std::optional<Poly> {
    if ((A.K != Atom::Axis && A.K != Atom::Size) || A.Ref != Old)
      return std::nullopt;
    return Poly::atom(A.K == Atom::Axis ? K.getAxisAtom(New)
                                        : K.getSizeAtom(New));
  };
  SmallVector<AxisId, 4> Inside;
  collectAxes(*Child, Inside);
  substituteNeeds(Map, [&](const Need &Of) {
    return any_of(Inside, [&](AxisId A) { return K.dependsOn(Of.P, A); });
  });
  std::unique_ptr<Node> Part = makeAxisNode(New);
  Part->Children.push_back(std::move(Child));
  substituteAxis(K, *Part, Old, New);
  return Part;
}

void Step::takeApart(const Place &P, ArrayRef<StringRef> Names) {
  Node &N = P.node();
  std::vector<std::unique_ptr<Node>> Parts;
  for (auto &Child : MutableArrayRef(N.Children).drop_front())
    Parts.push_back(copyAround(N.Ax, std::move(Child)));
  N.Children.resize(1);
  for (auto [I, Name] : enumerate(Names))
    (I ? axisOf(*Parts[I - 1]) : axisOf(N)).Name = Name.str();
  auto &Siblings = P.parent().Children;
  Siblings.insert(Siblings.begin() + static_cast<ptrdiff_t>(P.index()) + 1,
                  std::make_move_iterator(Parts.begin()),
                  std::make_move_iterator(Parts.end()));
}

/// fission i a b: the axis around each of its children in turn. Legal if no
/// later child of one round is met by an earlier one of a later round.
bool Step::fission() {
  StringRef Name;
  SmallVector<StringRef, 4> Names;
  if (takeWord(Name, "an axis"))
    return true;
  while (!Rest.empty()) {
    // Several parts may have one name, that of before, too.
    StringRef Next = getToken(Rest).first;
    if (Next == Name || is_contained(Names, Next)) {
      Names.push_back(Next);
      takeOptional(Next);
    } else if (takeNewName(Names.emplace_back())) {
      return true;
    }
  }
  Place P;
  auto IsIt = [&](const Node &N) {
    return N.K == Node::AxisNode && axisOf(N).Name == Name &&
           N.Children.size() > 1;
  };
  if (!find(IsIt, P))
    return fail("expected an axis of several children, got '" + Name + "'");
  Node &N = P.node();
  if (refuseLanes(P) || refuseLoadedBounds(N))
    return true;
  if (!N.Locals.empty())
    return fail("'" + K.Buffers[N.Locals.front()].Name + "' lives in '" + Name +
                "': expand it");
  if (!Names.empty() && Names.size() != N.Children.size())
    return fail("expected " + Twine(N.Children.size()) + " names");
  if (asksFission(P))
    return true;
  takeApart(P, Names);
  return false;
}
