//===- Dependences.cpp - What may meet in memory --------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Dependences.h"
#include "Instances.h"
#include "RoleFinder.h"
#include "dlopt/Expression.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace llvm;
using namespace dlopt;

/// Collects the uses in the order of the text.
struct Dependences::Walk {
  const Dependences &D;
  SmallVector<const Node *, 8> Path;
  unsigned Position = 0;

  void add(MemoryUse::Kind K, const Node &N, const Access *X,
           unsigned Part = 0) {
    MemoryUse U;
    U.K = K;
    U.N = &N;
    U.Path = Path;
    U.X = X;
    U.Position = Position;
    U.Part = Part;
    D.Uses.push_back(std::move(U));
    if (X) {
      for (const Poly &P : X->Subs)
        addLoads(N, P);
      for (const Poly &P : X->Strides)
        addLoads(N, P);
    }
  }
  /// Elements that \p P is made of.
  void addLoads(const Node &N, const Poly &P) {
    for (auto [Id, A] : enumerate(D.K.Atoms)) {
      if (!P.uses(static_cast<AtomId>(Id)))
        continue;
      if (A.K == Atom::Load) {
        add(MemoryUse::Read, N, &A.Source);
      } else {
        addLoads(N, A.Num);
        addLoads(N, A.Den);
      }
    }
  }
  void visitLeaf(const Node &N) {
    size_t First = D.Uses.size();
    for (const Constraint &C : N.L.Domain)
      addLoads(N, C.P);
    for (MemoryUse &U : MutableArrayRef(D.Uses).drop_front(First))
      U.IsOfDomain = true;
    for (const Op &O : N.L.Ops) {
      addLoads(N, O.Idx);
      if (O.K == Op::Load)
        add(MemoryUse::Read, N, &O.Acc);
      if (O.WritesErrno) {
        add(MemoryUse::Errno, N, nullptr);
        D.Uses.back().Error = getOnlyErrno(D.K, N.L, O);
      }
    }
    for (auto [I, A] : enumerate(N.L.Assigns))
      add(MemoryUse::Write, N, &A.Target, static_cast<unsigned>(I));
  }
  void visit(const Node &N) {
    ++Position;
    if (N.K == Node::LeafNode)
      return visitLeaf(N);
    for (const Constraint &C : N.Cases)
      addLoads(N, C.P);
    if (N.K == Node::AxisNode) {
      for (const Poly &P : D.K.Axes[N.Ax].Extents)
        addLoads(N, P);
      for (const Poly &P : D.K.Axes[N.Ax].Begins)
        addLoads(N, P);
      Path.push_back(&N);
    }
    for (BufferId B : N.Locals) {
      D.DepthOfLocal[B] = static_cast<unsigned>(Path.size());
      for (const Poly &P : D.K.Buffers[B].Shape)
        addLoads(N, P);
    }
    for (const auto &Child : N.Children)
      visit(*Child);
    if (N.K == Node::AxisNode)
      Path.pop_back();
  }
};

ArrayRef<MemoryUse> Dependences::uses() const {
  if (!IsCollected)
    Walk{*this, {}}.visit(K.Root);
  IsCollected = true;
  return Uses;
}

unsigned Dependences::getDepthOfLocal(BufferId B) const {
  (void)uses();
  return DepthOfLocal.lookup(B);
}

Role AxisRoles::get(AxisId A) const {
  auto It = find_if(Roles, [&](const auto &R) { return R.first == A; });
  return It == Roles.end() ? Role::Sequential : It->second;
}

void dlopt::adoptNeeds(Kernel &K, std::vector<Need> Needs) {
  for (Need &New : Needs)
    if (auto Old = find(K.Needs, New); Old != K.Needs.end())
      Old->IsOfRoles &= New.IsOfRoles;
    else
      K.Needs.push_back(std::move(New));
}

void dlopt::dropNeedsOfRoles(Kernel &K) {
  erase_if(K.Needs,
           [](const Need &N) { return N.IsOfRoles && N.K == Need::InRange; });
}

void dlopt::computeRoles(Kernel &K, ArrayRef<size_t> Path) {
  AxisRoles Found = Dependences(K).findRoles(Path);
  for (auto [A, R] : Found.Roles)
    K.Axes[A].R = R;
  for (Need &N : Found.Needs)
    N.IsOfRoles = true;
  adoptNeeds(K, std::move(Found.Needs));
}

AxisRoles Dependences::findRoles(ArrayRef<size_t> Path) const {
  return RoleFinder(K).findRoles(Path);
}

std::optional<std::vector<Need>> Dependences::meetsWithinIterations(
    ArrayRef<const Node *> Parts, ArrayRef<AxisId> Around, BufferId Buf) const {
  RoleFinder Finder(K);
  if (!Finder.meetsWithinIterations(Parts, Around, Buf))
    return std::nullopt;
  return Finder.takeNeeds();
}

std::optional<std::vector<Need>>
Dependences::mayRunAhead(const Node &N, ArrayRef<AxisId> Around,
                         unsigned Split) const {
  RoleFinder Finder(K);
  if (!Finder.mayRunAhead(N, Around, Split))
    return std::nullopt;
  return Finder.takeNeeds();
}

bool Dependences::isBelow(const MemoryUse &U, const Node &N) const {
  if (U.N == &N || is_contained(U.Path, &N))
    return true;
  return N.K == Node::Sequence && any_of(N.Children, [&](const auto &Child) {
           return isBelow(U, *Child);
         });
}

unsigned Dependences::getCommon(const MemoryUse &A, const MemoryUse &B) const {
  unsigned N = 0;
  while (N < A.Path.size() && N < B.Path.size() && A.Path[N] == B.Path[N])
    ++N;
  return N;
}

bool Dependences::isUnaliased(BufferId A, BufferId B) const {
  return any_of(K.Needs, [&](const Need &N) {
    return N.K == Need::Disjoint &&
           ((N.Buf == A && is_contained(N.Others, B)) ||
            (N.Buf == B && is_contained(N.Others, A)));
  });
}

Need Dependences::getDisjointNeed(const MemoryUse &A,
                                  const MemoryUse &B) const {
  Need N;
  bool IsErrno = A.K == MemoryUse::Errno || B.K == MemoryUse::Errno;
  N.K = IsErrno ? Need::NoErrno : Need::Disjoint;
  const MemoryUse &First = A.K == MemoryUse::Write ? A : B,
                  &Second = &First == &A ? B : A;
  N.Buf = (First.X ? First : Second).X->Buf;
  if (!IsErrno)
    N.Others.push_back(Second.X->Buf);
  return N;
}

bool Dependences::isAtLeastZero(const Poly &P, ArrayRef<const Node *> Path,
                                ArrayRef<Constraint> Domain) const {
  Instances I(K);
  I.enter(0, Path);
  I.assume(0, Domain);
  I.requireAtLeastZero(Poly(-1) - I.translate(P, 0));
  return I.isEmpty();
}

bool Dependences::isMultiple(const Poly &P, int64_t Of,
                             ArrayRef<const Node *> Path) const {
  Instances I(K);
  I.enter(0, Path);
  I.requireNoMultiple(I.translate(P, 0), Of);
  return I.isEmpty();
}

bool Dependences::isFunctionOf(ArrayRef<Poly> Of, ArrayRef<Poly> Index,
                               ArrayRef<const Node *> Path,
                               unsigned NumShared) const {
  auto MayDiffer = [&](const Poly &P, bool Above) {
    Instances I(K);
    for (const Node *N : Path.take_front(NumShared))
      I.share(N->Ax);
    I.enter(0, Path);
    I.enter(1, Path);
    for (const Poly &Same : Index)
      I.requireZero(I.translate(Same, 0) - I.translate(Same, 1));
    Poly Difference = I.translate(P, 0) - I.translate(P, 1);
    I.requireAtLeastZero((Above ? Difference : Poly() - Difference) - Poly(1));
    return !I.isEmpty();
  };
  return none_of(Of, [&](const Poly &P) {
    return MayDiffer(P, true) || MayDiffer(P, false);
  });
}

/// Whether each subscript of \p U but the first is in its row, which is some
/// number of elements of the next one.
bool Dependences::hasWholeRows(const MemoryUse &U) const {
  const Access &X = *U.X;
  ArrayRef<Constraint> Domain = U.domain();
  const Poly &Step = X.Strides.back();
  bool Ok = isAtLeastZero(Step - Poly(1), U.Path, Domain) ||
            isAtLeastZero(Poly(-1) - Step, U.Path, Domain);
  for (size_t I = 1; Ok && I < X.Subs.size(); ++I) {
    std::optional<Poly> Length = X.Strides[I - 1].divideExactly(X.Strides[I]);
    Ok = Length && isAtLeastZero(X.Subs[I], U.Path, Domain) &&
         isAtLeastZero(*Length - X.Subs[I] - Poly(1), U.Path, Domain);
  }
  return Ok;
}

/// Whether products of two such polynomials, and sums of some of these, have no
/// number that does not fit.
static bool isSmall(const Poly &P) {
  constexpr int64_t Most = int64_t(1) << 28;
  return all_of(P.terms(), [](const Poly::Term &T) {
    return T.second >= -Most && T.second <= Most;
  });
}

/// An order of the subscripts of \p U in which each stride is behind all
/// elements that those before it reach: rows that are any number of elements
/// apart, in whatever order they were found. Empty: there is none.
SmallVector<unsigned, 4> Dependences::orderRows(const MemoryUse &U) const {
  // Strides that are compared with what is before them.
  constexpr unsigned MostTrials = 24;
  const Access &X = *U.X;
  if (!all_of(X.Strides,
              [&](const Poly &P) { return K.isFixed(P) && isSmall(P); }) ||
      !all_of(X.Subs, isSmall))
    return {};
  unsigned Trials = 0;
  auto IsAtLeastZero = [&](const Poly &P) {
    return isAtLeastZero(P, U.Path, U.domain());
  };
  SmallVector<unsigned, 4> Order;
  auto Append = [&](const Poly &Reach, auto &Self) -> bool {
    if (Order.size() == X.Subs.size())
      return true;
    for (unsigned I : reverse(seq<unsigned>(0, X.Subs.size()))) {
      if (is_contained(Order, I) || ++Trials > MostTrials ||
          (!IsAtLeastZero(X.Strides[I] - Reach - Poly(1)) &&
           !DLOPT_PLANTED(RowReachUnasked)))
        continue;
      bool IsLast = Order.size() + 1 == X.Subs.size();
      if (!IsLast && !IsAtLeastZero(X.Subs[I]))
        return false;
      Order.push_back(I);
      if (Self(Reach + X.Subs[I] * X.Strides[I], Self))
        return true;
      Order.pop_back();
    }
    return false;
  };
  Append(Poly(), Append);
  return Order;
}

/// The order in which subscripts are in rows, so that elements of accesses with
/// one order are the same only where all subscripts are: not where steps have
/// no length.
Dependences::RowOrder Dependences::findRows(const MemoryUse &U) const {
  // The first element has no subscripts.
  if (U.X->Strides.empty() || hasWholeRows(U))
    return SmallVector<unsigned, 4>();
  SmallVector<unsigned, 4> Sorted = orderRows(U);
  return Sorted.empty() ? RowOrder() : std::move(Sorted);
}

Dependences::RowOrder Dependences::getRows(const MemoryUse &U) const {
  // Others come and go.
  if (&U < Uses.data() || &U >= Uses.data() + Uses.size())
    return findRows(U);
  auto [It, IsNew] = Rows.try_emplace(&U);
  if (IsNew)
    It->second = findRows(U);
  return It->second;
}

/// Whether there is a lane past the end of one of the bounds, of the leaf of
/// \p W if there is one, of which \p Add holds. Conditions that are loaded say
/// nothing of it.
bool Dependences::mayBeJunk(ArrayRef<const Node *> Path, ScheduleSize Lanes,
                            const MemoryUse *W, ArrayRef<AxisId> Shared,
                            function_ref<void(Instances &)> Add) const {
  auto IsLoad = [](const Atom &A) { return A.K == Atom::Load; };
  SmallVector<Constraint, 4> Domain;
  if (W)
    for (const Constraint &C : W->domain())
      if (!K.anyNestedAtom(C.P, IsLoad))
        Domain.push_back(C);
  return any_of(K.Axes[Path.back()->Ax].Extents, [&](const Poly &End) {
    Instances I(K);
    for (AxisId A : Shared)
      I.share(A);
    I.enterPastEnd(0, Path, Lanes, End);
    I.assume(0, Domain);
    Add(I);
    return !I.isEmpty();
  });
}

bool Dependences::hasJunk(ArrayRef<const Node *> Path,
                          ScheduleSize Lanes) const {
  return mayBeJunk(Path, Lanes, nullptr, {}, [](Instances &) {});
}

bool Dependences::isJunkInside(const MemoryUse &W, ArrayRef<const Node *> Path,
                               ScheduleSize Lanes) const {
  auto MayBeNegative = [&](const Poly &P) {
    return mayBeJunk(Path, Lanes, &W, {}, [&](Instances &I) {
      I.requireAtLeastZero(Poly(-1) - I.translate(P, 0));
    });
  };
  return none_of(
      zip(W.X->Subs, K.Buffers[W.X->Buf].Shape), [&](const auto &Pair) {
        const auto &[Sub, Size] = Pair;
        return MayBeNegative(Sub) || MayBeNegative(Size - Sub - Poly(1));
      });
}

bool Dependences::mayJunkMeet(const MemoryUse &W, const MemoryUse &U,
                              ArrayRef<const Node *> Path,
                              ScheduleSize Lanes) const {
  SmallVector<AxisId, 8> Shared;
  for (const Node *N : Path.take_front(getDepthOfLocal(W.X->Buf)))
    Shared.push_back(N->Ax);
  return mayBeJunk(Path, Lanes, &W, Shared, [&](Instances &I) {
    I.enter(1, U.Path);
    I.assume(1, U.domain());
    for (auto [P, Q] : zip(W.X->Subs, U.X->Subs))
      I.requireZero(I.translate(P, 0) - I.translate(Q, 1));
  });
}

bool Dependences::mayBeSameElement(const MemoryUse &A, const MemoryUse &B,
                                   ArrayRef<Direction> Where,
                                   std::optional<Poly> Distance) const {
  const Buffer &Buf = K.Buffers[A.X->Buf];
  unsigned Lives = Buf.IsLocal ? getDepthOfLocal(A.X->Buf) : 0,
           Common = getCommon(A, B);
  Instances I(K);
  auto GetWhere = [&](unsigned At) {
    return At < Where.size() ? Where[At] : Direction::Any;
  };
  for (unsigned At = 0; At < Common; ++At) {
    // Another round has a local of its own.
    if (At < Lives && GetWhere(At) != Direction::Same &&
        GetWhere(At) != Direction::Any)
      return false;
    if (At < Lives || GetWhere(At) == Direction::Same)
      I.share(A.Path[At]->Ax);
  }
  I.enter(0, A.Path);
  I.enter(1, B.Path);
  I.assume(0, A.domain());
  I.assume(1, B.domain());
  for (unsigned At = 0; At < Common; ++At)
    if (GetWhere(At) == Direction::Later || GetWhere(At) == Direction::Earlier)
      I.separate(A.Path[At]->Ax, GetWhere(At) == Direction::Later);
  if (Distance)
    I.limitDistance(A.Path[Where.size() - 1]->Ax, *Distance);
  auto HasRows = [&] {
    RowOrder Order = getRows(A);
    return Order && Order == getRows(B);
  };
  if (Buf.IsLocal || (A.X->Strides == B.X->Strides && HasRows()))
    for (auto [P, Q] : zip(A.X->Subs, B.X->Subs))
      I.requireZero(I.translate(P, 0) - I.translate(Q, 1));
  else
    I.requireZero(I.translate(A.X->offset(), 0) -
                  I.translate(B.X->offset(), 1));
  return !I.isEmpty();
}

Dependences::Answer Dependences::mayMeet(const MemoryUse &A, const MemoryUse &B,
                                         ArrayRef<Direction> Where,
                                         std::optional<Poly> Distance) const {
  if (!A.writes() && !B.writes())
    return Answer::No;
  if (A.K == MemoryUse::Errno || B.K == MemoryUse::Errno) {
    // One value is the same whichever call is the last.
    if (A.K == B.K)
      return A.Error && A.Error == B.Error ? Answer::No : Answer::Yes;
    BufferId Buf = (A.X ? A : B).X->Buf;
    // Floating-point numbers are not errno where types say what memory holds,
    // which text does not: they are asked, too.
    bool Asked = any_of(K.Needs, [&](const Need &N) {
      return N.K == Need::NoErrno && N.Buf == Buf;
    });
    return K.Buffers[Buf].IsLocal || Asked ? Answer::No : Answer::IfAliased;
  }
  if (A.X->Buf == B.X->Buf)
    return mayBeSameElement(A, B, Where, Distance) ? Answer::Yes : Answer::No;
  bool Apart = K.Buffers[A.X->Buf].IsLocal || K.Buffers[B.X->Buf].IsLocal ||
               isUnaliased(A.X->Buf, B.X->Buf);
  return Apart ? Answer::No : Answer::IfAliased;
}
