//===- Through.cpp - Sums that wait in memory -----------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// through acc K %C[i,j] [last]: between the rounds of K the local acc waits in
/// an element of a buffer, so that K may go around other loops:
///
///   local acc                     red K[%K] upto 256 once
///   acc = 0.0                       local acc
///   red K[%K] upto 256              acc = 0.0      where K == 0
///     acc = ... acc                 acc = %C[i,j]  where K > 0
///   %C[i,j] = acc                   acc = ... acc
///                                   %C[i,j] = acc
///
/// What comes behind K reads the element or, with `last`, runs in the last
/// round, from registers. Bits stay: the element has the local's type.
///
/// through acc m,n,K sums[i,j]: the same for a perfect nest, in a local buffer,
/// where the start waits, too:
///
///   sums[i,j] = 0.0
///   red m[%M] red n[%N] red K[%K] upto 256
///     local acc
///     acc = sums[i,j]
///     acc = ... acc
///     sums[i,j] = acc
///
//===----------------------------------------------------------------------===//
#include "Step.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Uses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instruction.h"

using namespace llvm;
using namespace dlopt;

struct Step::Sum {
  Place P;               ///< of the axis, the outermost one of a nest
  Node *Inner = nullptr; ///< the innermost one
  BufferId Local = 0;
  Access X;
  bool IsLast = false;
  size_t Start = 0;             ///< child that assigns it first
  SmallVector<size_t, 4> After; ///< children that read it behind the axis
  std::optional<size_t> Final;  ///< of these, what stores it to X
  bool IsBare = false;          ///< Final stores the local itself

  bool isNest() const { return Inner != &P.node(); }
};

/// Whether a leaf below reads \p B for something else than \p B.
static bool isReadForOthers(const Node &N, BufferId B) {
  bool ForOthers =
      N.K == Node::LeafNode && reads(N.L, B) &&
      any_of(N.L.Assigns, [&](const Assign &A) { return A.Target.Buf != B; });
  return ForOthers || any_of(N.Children, [&](const auto &C) {
           return isReadForOthers(*C, B);
         });
}

/// Whether what is done below \p N with \p B needs a value that was assigned:
/// tests, divisions and calls that may set errno.
static bool needsValue(const Kernel &K, const Node &N, BufferId B) {
  auto Minds = [](const Op &O) {
    return O.WritesErrno ||
           (O.K == Op::Inst && Instruction::isIntDivRem(O.Opcode));
  };
  return (N.K == Node::LeafNode && uses(K, N, B) &&
          (N.L.Predicate || any_of(N.L.Ops, Minds))) ||
         any_of(N.Children,
                [&](const auto &C) { return needsValue(K, *C, B); });
}

/// The axes that the sum waits between, and the element.
bool Step::takeNestOfSum(Sum &S) {
  SmallVector<StringRef, 4> Names;
  if (takeNames(Names) || findAxis(Names.front(), S.P))
    return true;
  Place At = S.P, Around = S.P;
  Around.Path.pop_back();
  for (StringRef Name : ArrayRef(Names).drop_front()) {
    Node &N = At.node();
    Node *Next = N.Children.size() == 1 ? N.Children.front().get() : nullptr;
    if (!Next || !N.Locals.empty() || Next->K != Node::AxisNode ||
        axisOf(*Next).Name != Name)
      return fail("'" + Name + "' is not all that is in '" + axisOf(N).Name +
                  "'");
    if (refuseLanes(At))
      return true;
    At.Path.push_back(Next);
  }
  S.Inner = &At.node();
  if (takeAccess(Around, S.X))
    return true;
  S.IsLast = takeOptional("last");
  if (S.isNest() && (S.IsLast || !K.Buffers[S.X.Buf].IsLocal))
    return fail("the sum of several axes waits in a local buffer");
  return expectEnd() || refuseLanes(At);
}

/// What the step is about, and whether it has the form.
bool Step::findSum(Sum &S) {
  Place Owner;
  if (takeLocal(Owner, S.Local) || takeNestOfSum(S))
    return true;
  const std::string &Name = K.Buffers[S.Local].Name;
  if (&Owner.node() == &K.Root)
    return fail("'" + Name + "' is a result of the kernel");
  Node &Parent = S.P.parent();
  const Axis &A = axisOf(S.P.node());
  if (&Owner.node() != &Parent || !K.Buffers[S.Local].Shape.empty())
    return fail("'" + Name + "' is no scalar that lives around '" + A.Name +
                "' alone");
  if (!S.isNest() &&
      (A.Begins.size() > 1 || (S.IsLast && A.Extents.size() > 1)))
    return fail("'" + A.Name + "' has several bounds");
  auto IsLoad = [](const Atom &X) { return X.K == Atom::Load; };
  if (K.anyNestedAtom(S.X, IsLoad) || any_of(K.Atoms, [&](const Atom &X) {
        return X.K == Atom::Load && X.Source.Buf == S.Local;
      }))
    return fail("'" + Name + "' or the element has a loaded index");
  size_t At = S.P.index();
  SmallVector<size_t, 4> Before;
  for (auto [I, Child] : enumerate(Parent.Children)) {
    if (I == At || !uses(K, *Child, S.Local))
      continue;
    (I < At ? Before : S.After).push_back(I);
    if (Child->K != Node::LeafNode || (I > At && assigns(Child->L, S.Local)) ||
        Child->L.Predicate)
      return fail("'" + Name + "' is used by more than leaves without a test");
  }
  if (Before.size() != 1)
    return fail("'" + Name + "' has not one start");
  S.Start = Before.front();
  const Leaf &Start = Parent.Children[S.Start]->L;
  if (!Start.Domain.empty() || Start.Assigns.size() != 1 ||
      reads(Start, S.Local))
    return fail("the start of '" + Name + "' is not unconditional");
  for (size_t I : S.After) {
    const Leaf &L = Parent.Children[I]->L;
    if (L.Assigns.size() != 1 || !(L.Assigns[0].Target == S.X))
      continue;
    const Op &Value = L.Ops[L.Assigns[0].Value];
    S.IsBare = Value.K == Op::Load && Value.Acc.Buf == S.Local;
    S.Final = I;
    if (any_of(L.Domain, [&](const Constraint &C) {
          return K.anyNestedAtom(C.P, IsLoad);
        }))
      return fail("the store has a condition that is loaded");
    break;
  }
  return false;
}

/// The element that a sum waits in.
static MemoryUse getElement(const Node &At, ArrayRef<const Node *> Path,
                            const Access &X, MemoryUse::Kind Kind) {
  MemoryUse U;
  U.K = Kind;
  U.N = &At;
  U.Path.assign(Path.begin(), Path.end());
  U.X = &X;
  U.IsOfDomain = true; // no condition is known of it
  return U;
}

/// The buffer: of the sum's type, its element free while the sum waits there.
bool Step::checkBuffer(const Sum &S, const Dependences &D) {
  const Buffer &B = K.Buffers[S.X.Buf];
  if (B.Ty != K.Buffers[S.Local].Ty)
    return fail("the buffer has another type");
  Node &Parent = S.P.parent();
  if (B.IsLocal) {
    // It may hold nothing that anybody reads: nobody uses it yet.
    if (any_of(D.uses(),
               [&](const MemoryUse &U) { return U.X && U.X->Buf == S.X.Buf; }))
      return fail("'" + B.Name + "' is in use");
    Place Around = S.P;
    Around.Path.pop_back();
    return refuseUnsafe(S.X.Subs) || requireFits(Around, S.X.Subs, S.X.Buf);
  }
  if (!S.Final || (!S.IsBare && *S.Final != S.After.back()))
    return fail(text(S.X) + " is not stored by what follows");
  SmallVector<const Node *, 8> Around = S.P.around();
  SmallVector<Direction, 8> Same(Around.size(), Direction::Same);
  MemoryUse Element = getElement(S.P.node(), Around, S.X, MemoryUse::Write);
  for (const MemoryUse &U : D.uses())
    for (size_t I = S.P.index(); I <= S.After.back(); ++I)
      if (I != *S.Final && D.isBelow(U, *Parent.Children[I]) &&
          !DLOPT_PLANTED(SumElementUnasked) &&
          mustNotMeet(D, Element, U, Same, "it is in use while the sum waits"))
        return true;
  // What the last store computes reads the element itself then.
  for (const MemoryUse &U : D.uses())
    if (U.N == Parent.Children[*S.Final].get() && U.K == MemoryUse::Read &&
        mustNotMeet(D, Element, U, Same, "it is in use while the sum waits"))
      return true;
  return false;
}

/// Whether something below \p N, which is around the elements of \p Blocks,
/// runs where there are none.
bool Step::runsWithoutElements(const Node &N, AxisId Blocks) {
  auto IsSize = [&](const Poly &P) {
    std::optional<AtomId> Id = P.getAtom();
    return Id && K.Atoms[*Id].K == Atom::Size && K.Atoms[*Id].Ref == Blocks;
  };
  if (any_of(N.Locals,
             [&](BufferId B) { return refuseUnsafe(K.Buffers[B].Shape); }))
    return true;
  return any_of(N.Children, [&](const auto &C) {
    if (C->K == Node::LeafNode)
      return true;
    if (C->K == Node::Sequence)
      return runsWithoutElements(*C, Blocks);
    const Axis &A = axisOf(*C);
    if (any_of(A.Extents, IsSize) && A.Begins.empty() && !A.Schedule.Once)
      return refuseUnsafe(A.Extents);
    return refuseUnsafe(A.Extents) || refuseUnsafe(A.Begins) ||
           runsWithoutElements(*C, Blocks);
  });
}

/// What moves to the last round meets nothing that it passes.
bool Step::checkLast(const Sum &S, const Dependences &D) {
  Node &Parent = S.P.parent();
  SmallVector<Direction, 8> Same(S.P.around().size(), Direction::Same);
  for (size_t Moved : S.After)
    for (size_t I = S.P.index() + 1; I < Moved; ++I)
      for (const MemoryUse &A : D.uses())
        for (const MemoryUse &B : D.uses())
          if (!is_contained(S.After, I) && !DLOPT_PLANTED(SumMovedUnasked) &&
              D.isBelow(A, *Parent.Children[I]) &&
              D.isBelow(B, *Parent.Children[Moved]) &&
              mustNotMeet(D, A, B, Same, "one would pass the other"))
            return true;
  return false;
}

bool Step::checkSum(const Sum &S) {
  Dependences D(K);
  Node &Parent = S.P.parent(), &N = S.P.node();
  SmallVector<const Node *, 8> Around = S.P.around();
  if (S.isNest())
    return checkBuffer(S, D);
  if (refuseLoadedBounds(N))
    return true;
  const AxisSchedule &Schedule = axisOf(N).Schedule;
  if (!Schedule.isBlocks() && requireRounds(Around, N))
    return true;
  if (Schedule.isBlocks() && !Schedule.Once && runsWithoutElements(N, N.Ax))
    return fail("what is in '" + axisOf(N).Name +
                "' would run without elements");
  // The start moves into the first round.
  SmallVector<Direction, 8> Same(Around.size(), Direction::Same);
  for (const MemoryUse &A : D.uses())
    for (const MemoryUse &B : D.uses())
      for (size_t I = S.Start + 1; I < S.P.index(); ++I)
        if (A.N == Parent.Children[S.Start].get() &&
            D.isBelow(B, *Parent.Children[I]) &&
            mustNotMeet(D, A, B, Same, "the start would pass it"))
          return true;
  // Where the store has conditions the sum is kept nowhere without them.
  bool IsPartial = S.Final && !Parent.Children[*S.Final]->L.Domain.empty();
  if (IsPartial &&
      (S.After.size() > 1 || isReadForOthers(N, S.Local) ||
       needsValue(K, N, S.Local)) &&
      !DLOPT_PLANTED(SumConditionUnasked))
    return fail("the store has conditions that other uses have not");
  return checkBuffer(S, D) || (S.IsLast && checkLast(S, D));
}

/// `Target = Source where Domain`.
static std::unique_ptr<Node> makeMove(const Access &Target,
                                      const Access &Source, ScalarType Ty,
                                      ArrayRef<Constraint> Domain) {
  auto N = std::make_unique<Node>();
  N->K = Node::LeafNode;
  Op O;
  O.K = Op::Load;
  O.Ty = Ty;
  O.Acc = Source;
  N->L.Ops.push_back(std::move(O));
  Assign A;
  A.Target = Target;
  N->L.Assigns.push_back(std::move(A));
  N->L.Domain.assign(Domain.begin(), Domain.end());
  return N;
}

/// Rounds whose sums wait in one element are no longer independent.
void Step::weakenRolesAround(const Sum &S) {
  Dependences D(K);
  SmallVector<const Node *, 8> Around = S.P.around();
  MemoryUse Element = getElement(S.P.node(), Around, S.X, MemoryUse::Write);
  SmallVector<Direction, 8> Where;
  for (const Node *N : Around) {
    Where.push_back(Direction::Later);
    if (axisOf(*N).R != Role::Sequential &&
        D.mayMeet(Element, Element, Where) != Dependences::Answer::No)
      axisOf(*N).R = Role::Sequential;
    Where.back() = Direction::Same;
  }
}

/// The element has the start, and what comes behind reads it. A nest without a
/// round leaves it as it is.
void Step::rewriteNest(Sum &S) {
  Node &Parent = S.P.parent();
  for (const Node *N = &S.P.node();; N = N->Children.front().get()) {
    if (!axisOf(*N).Schedule.isBlocks())
      axisOf(*N).R = Role::Sequential;
    if (N == S.Inner)
      break;
  }
  Access Self;
  Self.Buf = S.Local;
  ScalarType Ty = K.Buffers[S.Local].Ty;
  auto Load = makeMove(Self, S.X, Ty, {}), Store = makeMove(S.X, Self, Ty, {});
  Parent.Children[S.Start]->L.Assigns.front().Target = S.X;
  for (size_t I : S.After)
    for (Op &O : Parent.Children[I]->L.Ops)
      if (O.K == Op::Load && O.Acc.Buf == S.Local)
        O.Acc = S.X;
  llvm::erase(Parent.Locals, S.Local);
  S.Inner->Locals.push_back(S.Local);
  S.Inner->Children.insert(S.Inner->Children.begin(), std::move(Load));
  S.Inner->Children.push_back(std::move(Store));
}

void Step::rewriteSum(Sum &S) {
  Node &Parent = S.P.parent(), &N = S.P.node();
  Axis &A = axisOf(N);
  Poly X = Poly::atom(K.getAxisAtom(N.Ax)),
       Begin = A.Begins.empty() ? Poly() : A.Begins.front();
  ScalarType Ty = K.Buffers[S.Local].Ty;
  Access Self;
  Self.Buf = S.Local;
  SmallVector<Constraint, 4> Where;
  if (S.Final)
    Where.append(Parent.Children[*S.Final]->L.Domain);
  // Without the conditions it is computed with, though it has no value.
  if (!Where.empty() && K.Buffers[S.Local].Where == Buffer::AnyPlace)
    K.Buffers[S.Local].Where = Buffer::Register;
  if (A.Schedule.isBlocks() && !DLOPT_PLANTED(SumOfNothingLost))
    A.Schedule.Once = true;
  else if (!A.Schedule.isBlocks())
    A.R = Role::Sequential; // it hands the sum on through memory
  SmallVector<Constraint, 4> Again(Where);
  Again.insert(Again.begin(), {X - Begin - Poly(1), false});
  auto Load = makeMove(Self, S.X, Ty, Again),
       Store = makeMove(S.X, Self, Ty, Where);
  std::unique_ptr<Node> Start = std::move(Parent.Children[S.Start]);
  Start->L.Domain.push_back({X - Begin, true});
  SmallVector<std::unique_ptr<Node>, 4> Behind;
  SmallVector<Leaf *, 4> Last;
  // At least zero in the last round.
  Poly Past =
      X + (A.Schedule.isBlocks() ? Poly::atom(K.getSizeAtom(N.Ax)) : Poly(1)) -
      A.Extents.front();
  if (S.Final && S.IsBare)
    llvm::erase(S.After, *S.Final);
  for (size_t I : S.After)
    if (S.IsLast) {
      Behind.push_back(std::move(Parent.Children[I]));
      Last.push_back(&Behind.back()->L);
    } else {
      for (Op &O : Parent.Children[I]->L.Ops)
        if (O.K == Op::Load && O.Acc.Buf == S.Local)
          O.Acc = S.X;
    }
  if (S.IsLast && S.Final && !S.IsBare)
    Store->L.Domain.push_back({Poly(-1) - Past, false});
  if (S.Final && S.IsBare)
    Parent.Children[*S.Final].reset();
  llvm::erase(Parent.Locals, S.Local);
  N.Locals.push_back(S.Local);
  N.Children.insert(N.Children.begin(), std::move(Load));
  N.Children.insert(N.Children.begin(), std::move(Start));
  N.Children.push_back(std::move(Store));
  for (auto &Post : Behind)
    N.Children.push_back(std::move(Post));
  llvm::erase_if(Parent.Children, [](const auto &C) { return !C; });
  // It asks about the tree, which is whole again.
  for (Leaf *L : Last)
    addCondition(*L, {Past, false});
}

bool Step::through() {
  Sum S;
  if (findSum(S) || checkSum(S))
    return true;
  if (K.Buffers[S.X.Buf].IsLocal)
    weakenRolesAround(S);
  if (S.isNest())
    rewriteNest(S);
  else
    rewriteSum(S);
  return false;
}
