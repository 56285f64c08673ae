//===- Distribute.cpp - Products of sums as sums of products --------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// distribute s D z: what is added is multiplied by the sum of the other
/// factor, which has fewer points: in each round of D
///
///   par F
///     red k par i par j  s[i,j] = add(s[i,j], mul(add(f, c), g(k,j)))
///   ->
///   par j z[j] = 0
///   red k par j  z[j] = add(z[j], g(k,j))
///   par j z[j] = mul(z[j], c)
///   par F
///     par i par j  s[i,j] = add(s[i,j], z[j])
///     red k par i par j  s[i,j] = add(s[i,j], mul(f, g(k,j)))
///
/// Where c is loaded, of one element for all terms (a zero point for each row),
/// s[i,j] = add(s[i,j], mul(z[j], c(i))) has the product.
///
/// Legal as integers modulo 2^n are a ring: sums in any order, products of sums
/// term by term. The other factor is the same for all rounds between D and the
/// loop in which s lives, and its terms are the same for all elements of s.
///
//===----------------------------------------------------------------------===//
#include "Addition.h"
#include "Step.h"
#include "dlopt/KernelText.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Uses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instruction.h"

using namespace llvm;
using namespace dlopt;

static bool isInst(const Op &O, unsigned Opcode) {
  return O.K == Op::Inst && O.Opcode == Opcode;
}

static bool isLoaded(const Leaf &L, OpId Id) {
  return isComputedOf(L, Id, [](const Op &O) { return O.K == Op::Load; });
}

/// The nest of copies of \p Axes, outermost first, around \p L.
std::unique_ptr<Node> Step::makeNest(ArrayRef<Node *> Axes, Leaf L) {
  Node Holder;
  Node *Inner = &Holder;
  SmallVector<std::pair<AxisId, AxisId>, 4> Copies;
  for (const Node *N : Axes) {
    Axis New = axisOf(*N);
    New.L = nullptr;
    Copies.push_back({N->Ax, addAxis(std::move(New))});
    Inner->Children.push_back(makeAxisNode(Copies.back().second));
    Inner = Inner->Children.back().get();
  }
  auto N = std::make_unique<Node>();
  N->K = Node::LeafNode;
  N->L = std::move(L);
  Inner->Children.push_back(std::move(N));
  // Bounds of the outermost are its own, too.
  for (auto [Old, Own] : Copies)
    substituteAxis(K, Holder, Old, Own);
  return std::move(Holder.Children.front());
}

static bool speaksOf(const Kernel &K, const Poly &P, const Node &N) {
  return K.anyNestedAtom(P, [&](const Atom &A) {
    return (A.K == Atom::Axis || A.K == Atom::Size) && A.Ref == N.Ax;
  });
}

/// Whether what \p Id is made of speaks of \p N.
static bool speaksOf(const Kernel &K, const Leaf &L, OpId Id, const Node &N) {
  return isComputedOf(L, Id, [&](const Op &O) {
    return O.K == Op::Load &&
           any_of(O.Acc.Subs, [&](const Poly &P) { return speaksOf(K, P, N); });
  });
}

/// Whether \p Id is made of numbers, parameters, and elements of memory that
/// are the same in all rounds of \p Sums.
static bool isFixed(const Kernel &K, const Leaf &L, OpId Id,
                    ArrayRef<Node *> Sums) {
  auto IsOne = [&](const Op &O) {
    bool IsPlain =
        !K.Buffers[O.Acc.Buf].IsLocal &&
        !K.anyNestedAtom(O.Acc, [](const Atom &A) {
          return A.K == Atom::Load || A.K == Atom::FloorDiv || A.K == Atom::Mod;
        });
    return IsPlain && none_of(Sums, [&](const Node *N) {
             return any_of(O.Acc.Subs,
                           [&](const Poly &P) { return speaksOf(K, P, *N); });
           });
  };
  return !isComputedOf(L, Id, [&](const Op &O) {
    if (O.K == Op::Load)
      return !IsOne(O);
    return O.K != Op::Const && O.K != Op::Param &&
           (O.K != Op::Inst || Instruction::isIntDivRem(O.Opcode) ||
            (!Instruction::isBinaryOp(O.Opcode) &&
             !Instruction::isCast(O.Opcode)));
  });
}

/// The leaf `s = add(s, mul(add(p, q), g))` below D, and the axes around it,
/// all from the outside in.
struct Step::Distribution {
  Leaf *L = nullptr;
  OpId Product = 0, P = 0, Q = 0, G = 0;
  unsigned Arg = 0;                ///< of the product: the sum of p and q
  SmallVector<Node *, 8> Path;     ///< from the child of D to the leaf
  size_t Owner = 0;                ///< of Path: where s lives
  size_t Next = 0;                 ///< of Path: the loops that add to s
  SmallVector<Node *, 4> Elements; ///< which s has an element for
  SmallVector<Node *, 4> Terms;    ///< which z is the sum over
  SmallVector<Node *, 4> Kept;     ///< which z has an element for
  Access At;                       ///< z

  bool findParts(const Kernel &K, ArrayRef<Node *> Around, BufferId Local);
};

/// mul(add(p, q), g) with q fixed in the loops \p Around of the sum.
bool Step::Distribution::findParts(const Kernel &K, ArrayRef<Node *> Around,
                                   BufferId Local) {
  SmallVector<Node *, 4> Sums;
  for (Node *N : reverse(Around)) {
    if (is_contained(N->Locals, Local))
      break;
    if (N->K == Node::AxisNode &&
        none_of(L->Assigns.front().Target.Subs,
                [&](const Poly &P) { return speaksOf(K, P, *N); }))
      Sums.push_back(N);
  }
  for (unsigned I : {0, 1}) {
    const Op &Sum = L->Ops[L->Ops[Product].Args[I]];
    if (!isInst(Sum, Instruction::Add))
      continue;
    for (unsigned J : {0, 1})
      if (isFixed(K, *L, Sum.Args[J], Sums) &&
          !isFixed(K, *L, Sum.Args[1 - J], Sums)) {
        Arg = I;
        Q = Sum.Args[J];
        P = Sum.Args[1 - J];
        G = L->Ops[Product].Args[1 - I];
        return true;
      }
  }
  return false;
}

/// Which of the axes z is computed over: all of the other factor's, and those
/// that the sum is over.
bool Step::findTerms(Distribution &D) {
  const Access &Sum = D.L->Assigns.front().Target;
  SmallVector<Node *, 4> Others, Sums;
  auto Speaks = [&](ArrayRef<Poly> Ps, ArrayRef<Node *> Of) {
    return any_of(Ps, [&](const Poly &P) {
      return any_of(Of, [&](const Node *N) { return speaksOf(K, P, *N); });
    });
  };
  for (auto [I, N] : enumerate(D.Path)) {
    if (N->K != Node::AxisNode)
      continue;
    bool IsOfFactor = speaksOf(K, *D.L, D.G, *N);
    bool IsOfSum = Speaks(Sum.Subs, N);
    if (I <= D.Owner && IsOfFactor)
      return fail("the other factor depends on '" + axisOf(*N).Name + "'");
    if (I > D.Owner)
      (IsOfSum ? D.Elements : Sums).push_back(N);
    if (IsOfSum && IsOfFactor)
      D.Kept.push_back(N);
    (IsOfFactor || (I > D.Owner && !IsOfSum) ? D.Terms : Others).push_back(N);
  }
  auto IsOfOthers = [&](const Node *N) {
    return Speaks(axisOf(*N).Extents, Others) ||
           Speaks(axisOf(*N).Begins, Others);
  };
  auto IsOfSums = [&](const Node *N) {
    return Speaks(axisOf(*N).Extents, Sums) || Speaks(axisOf(*N).Begins, Sums);
  };
  if (any_of(D.Terms, IsOfOthers) || any_of(D.Elements, IsOfSums))
    return fail("the rounds of the sum depend on where it is");
  for (const Constraint &C : D.L->Domain)
    if (Speaks(C.P, D.Terms) || refuseUnsafe(C.P))
      return Message.empty() ? fail("not all terms are added everywhere")
                             : true;
  for (auto [I, Index] : enumerate(Sum.Subs)) {
    if (!Speaks(Index, D.Kept))
      continue;
    if (Speaks(Index, Others))
      return fail("'" + KernelText(K).poly(Index) +
                  "' depends on axes of both factors");
    D.At.Subs.push_back(Index);
  }
  return false;
}

/// Each element of the sum, and of z, is that of one round of its axes.
bool Step::checkElements(const Distribution &D, ArrayRef<const Node *> Path) {
  Dependences Of(K);
  auto Check = [&](ArrayRef<Node *> Axes, const Access &X) {
    SmallVector<Poly, 4> Points;
    for (const Node *N : Axes)
      Points.push_back(Poly::atom(K.getAxisAtom(N->Ax)));
    auto NumShared = static_cast<unsigned>(
        llvm::find(Path, Axes.empty() ? nullptr : Axes.front()) - Path.begin());
    return Axes.empty() || Of.isFunctionOf(Points, X.Subs, Path, NumShared) ||
           DLOPT_PLANTED(DistributedTwice);
  };
  return (!Check(D.Elements, D.L->Assigns.front().Target) ||
          !Check(D.Kept, D.At)) &&
         fail("several rounds have one element of " +
              text(D.L->Assigns.front().Target));
}

/// Nothing but the leaf, and others that add to it, has to do with the sum
/// while it grows.
bool Step::checkSumAlone(const Distribution &D, BufferId Local) {
  const Node &Loops = *D.Path[D.Next];
  // What is multiplied is not made of the sum so far.
  bool IsAlone = !isReadBySubscripts(K, Local) &&
                 !isComputedOf(*D.L, D.Product, [&](const Op &O) {
                   return O.K == Op::Load && O.Acc.Buf == Local;
                 });
  forEachLeaf(Loops, [&](const Leaf &L, ArrayRef<AxisId>) {
    auto Loads = count_if(L.Ops, [&](const Op &O) {
      return O.K == Op::Load && O.Acc.Buf == Local;
    });
    IsAlone &= &L == D.L
                   ? Loads == 1
                   : (!Loads && !assigns(L, Local)) || isAddition(K, L, Local);
  });
  return !IsAlone && !DLOPT_PLANTED(DistributedUnasked) &&
         fail("'" + K.Buffers[Local].Name +
              "' is used while products are added to it");
}

/// The other factor is there in front of the loops: a copy on the stack, or in
/// memory that these do not write, and surely read.
bool Step::checkFactor(const Distribution &D, const Place &P) {
  const Leaf &L = *D.L;
  SmallVector<BufferId, 1> Copies;
  bool IsOther = isComputedOf(L, D.G, [&](const Op &O) {
    if (O.K == Op::Load)
      Copies.push_back(O.Acc.Buf);
    return O.K != Op::Load && O.K != Op::Const && O.K != Op::Param &&
           (O.K != Op::Inst || Instruction::isIntDivRem(O.Opcode));
  });
  bool IsInMemory = false;
  for (BufferId B : Copies) {
    const Buffer &Of = K.Buffers[B];
    IsInMemory |= !Of.IsLocal;
    IsOther |= Of.IsLocal &&
               (Of.Where != Buffer::Stack || assigns(*D.Path.front(), B));
  }
  if (IsOther)
    return fail("the other factor is no copy on the stack");
  return IsInMemory && checkMemory(D, P);
}

/// What is read of memory is read in front of loops that read it, too, and do
/// not write it.
bool Step::checkMemory(const Distribution &D, const Place &P) {
  SmallVector<const Node *, 8> Around = P.axes();
  if (!D.L->Domain.empty() || D.L->Predicate)
    return fail("the other factor is read under a condition");
  for (Node *N : D.Path) {
    if (N->K == Node::LeafNode)
      break;
    if (N->K != Node::AxisNode)
      return fail("the other factor is read in some cases");
    if (!is_contained(D.Terms, N) && requireRounds(Around, *N))
      return true;
    Around.push_back(N);
  }
  return checkUnwritten(
      D, P, [&](const Access &X) { return !K.Buffers[X.Buf].IsLocal; });
}

/// Nobody in the loops writes what the leaf reads of \p IsRead.
bool Step::checkUnwritten(const Distribution &D, const Place &P,
                          function_ref<bool(const Access &)> IsRead) {
  Dependences Of(K);
  SmallVector<Direction, 8> Same(P.axes().size(), Direction::Same);
  for (const MemoryUse &U : Of.uses())
    for (const MemoryUse &W : Of.uses())
      if (U.X && W.writes() && !W.IsOfDomain && &U.N->L == D.L &&
          IsRead(*U.X) && Of.isBelow(W, *D.Path.front()) &&
          !DLOPT_PLANTED(DistributedOverwritten) &&
          mustNotMeet(Of, W, U, Same, "the other factor would be old"))
        return true;
  return false;
}

/// \p N has a round. Of blocks one of which is empty if there are no elements
/// there are none then, which is a need.
bool Step::requireElements(ArrayRef<const Node *> Around, const Node &N) {
  const Axis &A = axisOf(N);
  std::optional<AtomId> Size = A.Begins.empty() && A.Extents.size() == 1
                                   ? A.Extents.front().getAtom()
                                   : std::nullopt;
  if (!Size || K.Atoms[*Size].K != Atom::Size)
    return requireRounds(Around, N);
  const Axis &Blocks = K.Axes[K.Atoms[*Size].Ref];
  if (!Blocks.Schedule.Once || !Blocks.Begins.empty())
    return requireRounds(Around, N);
  for (const Poly &End : Blocks.Extents) {
    if (!K.isFixed(End) || !hasValue(End))
      return fail("'" + Blocks.Name + "' may have no round");
    Need Some;
    Some.K = Need::InRange;
    Some.P = End;
    Some.Lo = 1;
    Some.Hi = INT64_MAX;
    addNeed(K, std::move(Some));
  }
  return false;
}

/// What is loaded and added to a factor is read in front of the loops that read
/// it, too, and do not write it.
bool Step::checkLoaded(const Distribution &D, const Place &P) {
  if (!isLoaded(*D.L, D.Q))
    return false;
  SmallVector<const Node *, 8> Around = P.axes();
  for (auto [I, N] : enumerate(D.Path)) {
    if (N->K != Node::AxisNode)
      continue;
    if (I >= D.Next && !is_contained(D.Elements, N) &&
        !DLOPT_PLANTED(OffsetReadUnasked) && requireElements(Around, *N))
      return true;
    Around.push_back(N);
  }
  return checkUnwritten(D, P, [&](const Access &X) {
    return isComputedOf(*D.L, D.Q, [&](const Op &O) { return &O.Acc == &X; });
  });
}

bool Step::findDistribution(Distribution &D, const Place &P, BufferId Local) {
  Place Found;
  auto IsIt = [&](const Node &N) {
    if (N.K != Node::LeafNode)
      return false;
    D.L = const_cast<Leaf *>(&N.L);
    std::optional<OpId> Product = findProduct(N.L, Local);
    D.Product = Product.value_or(0);
    return Product && D.findParts(K, Found.Path, Local);
  };
  bool IsBelow = find(IsIt, Found) && Found.Path.size() > P.Path.size() + 1 &&
                 Found.Path[P.Path.size() - 1] == &P.node();
  if (!IsBelow)
    return fail("'" + K.Buffers[Local].Name +
                "' adds no product of a sum below '" + axisOf(P.node()).Name +
                "'");
  D.Path.append(Found.Path.begin() + static_cast<ptrdiff_t>(P.Path.size()),
                Found.Path.end());
  auto *Owner = find_if(
      D.Path, [&](const Node *N) { return is_contained(N->Locals, Local); });
  if (Owner == D.Path.end())
    return fail("'" + K.Buffers[Local].Name + "' lives around '" +
                axisOf(P.node()).Name + "'");
  D.Owner = static_cast<size_t>(Owner - D.Path.begin());
  for (const Node *N : D.Path)
    if (N->K == Node::AxisNode &&
        (axisOf(*N).Schedule.Lanes || !axisOf(*N).Schedule.Row.empty()))
      return fail("'" + axisOf(*N).Name + "' runs in lanes");
  D.Next = D.Owner + 1;
  while (D.Path[D.Next]->K == Node::Sequence)
    ++D.Next;
  return findTerms(D) || checkElements(D, Found.axes()) || checkFactor(D, P) ||
         checkLoaded(D, P) || checkSumAlone(D, Local);
}

/// The leaf that assigns to \p To what \p Opcode makes of it and \p Other.
static Leaf makeUpdate(const Leaf &From, const Access &To, ScalarType Ty,
                       unsigned Opcode, OpId Other) {
  Leaf L;
  L.Ops = From.Ops;
  L.Loc = From.Loc;
  Op Load;
  Load.K = Op::Load;
  Load.Ty = Ty;
  Load.Acc = To;
  Op Own;
  Own.K = Op::Inst;
  Own.Ty = Ty;
  Own.Opcode = Opcode;
  Own.Args = {static_cast<OpId>(L.Ops.size()), Other};
  L.Ops.push_back(std::move(Load));
  Assign A;
  A.Target = To;
  A.Value = static_cast<OpId>(L.Ops.size());
  L.Ops.push_back(std::move(Own));
  L.Assigns.push_back(std::move(A));
  dropUnusedOps(L);
  return L;
}

bool Step::distribute() {
  Place Owner, P;
  BufferId Local = 0;
  StringRef Name;
  Distribution D;
  if (takeLocal(Owner, Local) || takeAxis(P) || takeNewName(Name) ||
      expectEnd() || findDistribution(D, P, Local))
    return true;
  Buffer New = K.Buffers[Local];
  New.Name = Name.str();
  New.Where = Buffer::Stack;
  New.Shape.clear();
  const Access Sum = D.L->Assigns.front().Target;
  for (auto [Index, Size] : zip(Sum.Subs, K.Buffers[Local].Shape))
    if (is_contained(D.At.Subs, Index))
      New.Shape.push_back(Size);
  D.At.Buf = static_cast<BufferId>(K.Buffers.size());
  ScalarType Ty = New.Ty;
  K.Buffers.push_back(std::move(New));
  P.node().Locals.push_back(D.At.Buf);

  const Leaf Old = *D.L;
  Leaf Zero = makeUpdate(Old, D.At, Ty, Instruction::Add, D.Q);
  Zero.Ops.assign(1, Op());
  Zero.Ops.front().K = Op::Const;
  Zero.Ops.front().Ty = Ty;
  Zero.Assigns.front().Value = 0;
  SmallVector<std::unique_ptr<Node>, 3> Before;
  Before.push_back(makeNest(D.Kept, std::move(Zero)));
  Before.push_back(
      makeNest(D.Terms, makeUpdate(Old, D.At, Ty, Instruction::Add, D.G)));
  const bool IsLoadedNumber = isLoaded(Old, D.Q);
  if (!IsLoadedNumber)
    Before.push_back(
        makeNest(D.Kept, makeUpdate(Old, D.At, Ty, Instruction::Mul, D.Q)));
  Leaf Correction;
  Correction.Ops = Old.Ops;
  Correction.Loc = Old.Loc;
  auto Added = static_cast<OpId>(Correction.Ops.size());
  Op Load;
  Load.K = Op::Load;
  Load.Ty = Ty;
  Load.Acc = D.At;
  Correction.Ops.push_back(std::move(Load));
  if (IsLoadedNumber) {
    Op Times;
    Times.K = Op::Inst;
    Times.Ty = Ty;
    Times.Opcode = Instruction::Mul;
    Times.Args = {Added++, D.Q};
    Correction.Ops.push_back(std::move(Times));
  }
  Correction = makeUpdate(Correction, Sum, Ty, Instruction::Add, Added);
  Correction.Domain = Old.Domain;

  D.L->Ops[D.Product].Args[D.Arg] = D.P;
  dropUnusedOps(*D.L);
  // What the source promises of its sums it does not of these.
  forEachLeafNode(Owner.node(), [&](Leaf &L) {
    if (assigns(L, Local))
      for (Op &O : L.Ops)
        O.NSW = O.NUW = false;
  });
  auto InsertBefore = [](Node &At, const Node *Child, auto First, auto Last) {
    auto It =
        find_if(At.Children, [&](const auto &N) { return N.get() == Child; });
    At.Children.insert(It, std::make_move_iterator(First),
                       std::make_move_iterator(Last));
  };
  std::unique_ptr<Node> Behind[] = {
      makeNest(D.Elements, std::move(Correction))};
  InsertBefore(*D.Path[D.Next - 1], D.Path[D.Next], std::begin(Behind),
               std::end(Behind));
  InsertBefore(P.node(), D.Path.front(), Before.begin(), Before.end());
  return false;
}
