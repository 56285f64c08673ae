//===- Loops.cpp - What loops that carry values compute -------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Evaluator.h"
#include "dlopt/Raise.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;
using namespace dlopt;

/// Loops that run equally often at the same depth of such loops are one axis.
void Evaluator::shareAxes(Node &N, SmallVectorImpl<AxisId> &Around) {
  if (N.K == Node::AxisNode) {
    auto *At = find_if(Shared, [&](AxisId Of) {
      return Of != N.Ax && !is_contained(Around, Of) &&
             K.Axes[Of].Extents == K.Axes[N.Ax].Extents;
    });
    // Where it cannot be renamed it is an axis of its own.
    if (At != Shared.end())
      (void)replaceAxis(K, N, *At);
    if (!is_contained(Shared, N.Ax))
      Shared.push_back(N.Ax);
    Around.push_back(N.Ax);
  }
  for (const std::unique_ptr<Node> &Child : N.Children)
    shareAxes(*Child, Around);
  if (N.K == Node::AxisNode)
    Around.pop_back();
}

/// Loops over the start of a row, as causal ones are, are loops over the row
/// with a condition, if the row is gone through beside.
void Evaluator::lengthenAxes(Node &N) {
  for (const std::unique_ptr<Node> &Child : N.Children) {
    lengthenAxes(*Child);
    if (Child->K != Node::AxisNode || !dependsOnAxes(Child->Ax))
      continue;
    for (const std::unique_ptr<Node> &Other : N.Children) {
      if (Other->K != Node::AxisNode || dependsOnAxes(Other->Ax))
        continue;
      SmallVector<Poly, 1> Extents = K.Axes[Child->Ax].Extents;
      if (replaceAxis(K, *Child, Other->Ax))
        Shortened[Child.get()] = std::move(Extents);
      break;
    }
  }
}

bool Evaluator::dependsOnAxes(AxisId Ax) const {
  return any_of(K.Axes[Ax].Extents,
                [&](const Poly &P) { return A.depsOf(P) != 0; });
}

//===----------------------------------------------------------------------===//
// Ends of loops
//===----------------------------------------------------------------------===//

/// An axis with one round more than \p Ax.
AxisId Evaluator::getLonger(AxisId Ax) {
  Poly Extent = K.Axes[Ax].Extents[0] + Poly(1);
  for (AxisId Of : Shared)
    if (!is_contained(Open, Of) && K.Axes[Of].Extents.size() == 1 &&
        K.Axes[Of].Extents[0] == Extent)
      return Of;
  Axis Longer = K.Axes[Ax];
  Longer.Extents = {Extent};
  K.Axes.push_back(std::move(Longer));
  Shared.push_back(static_cast<AxisId>(K.Axes.size() - 1));
  return Shared.back();
}

/// Whether a maximum of numbers may begin with it.
static bool isLowest(const Algebra &A, ExprId E) {
  constexpr double Low = -1000;
  if (std::optional<double> C = A.getConstant(E))
    return *C <= Low;
  const Terms &T = A.terms(E);
  return T.size() == 1 && T[0].Coef < 0 && T[0].Factors.size() == 1 &&
         A.atom(T[0].Factors[0].Atom).K == SymbolicAtom::Infinity;
}

/// Whether \p Start is no greater than any element that \p Each can be: no
/// signed integer of its bits is less, and no unsigned one.
static bool isBelow(Algebra &A, const Kernel &K, ExprId Start, ExprId Each) {
  std::optional<double> C = A.getConstant(Start);
  bool HasLoads = false, IsBelow = C.has_value();
  // A maximum over other axes, too, and each of them at borders.
  const SymbolicAtom *Inner = nullptr;
  do {
    Each = Inner ? Inner->Args[0] : Each;
    Each = A.withoutPadding(Each);
    Inner = A.getAtom(Each);
  } while (Inner && Inner->K == SymbolicAtom::Reduction &&
           Inner->How == Reduce::Max);
  for (const Term &T : A.terms(Each))
    for (const Factor &F : T.Factors) {
      const SymbolicAtom &X = A.atom(F.Atom);
      if (X.K != SymbolicAtom::Load)
        continue;
      ScalarType Ty = K.Buffers[X.Ref].Ty;
      HasLoads = true;
      IsBelow &= !isFloat(Ty) && T.Coef == 1 && F.Power == 1 &&
                 *C <= -std::exp2(getBitWidth(Ty) - 1);
    }
  return HasLoads && IsBelow && A.terms(Each).size() == 1;
}

/// \p Start combined with \p Each of all rounds; a mean stands for a sum.
ExprId Evaluator::reduceFrom(Reduce How, ExprId Start, ExprId Each, AxisId Ax) {
  AxisSet Axes = AxisSet(1) << Ax;
  // The first round is in front of the loop.
  bool Peeled = K.Axes[Ax].Extents.size() == 1 && K.Axes.size() < MaxAxes &&
                (A.deps(Each) & Axes) &&
                A.substitute(Each, Ax, Poly(-1)) == Start;
  if (Peeled) {
    AxisId Longer = getLonger(Ax);
    Poly Before = Poly::atom(K.getAxisAtom(Longer)) - Poly(1);
    Each = A.substitute(Each, Ax, Before);
    Axes = AxisSet(1) << Longer;
  }
  ExprId All =
      How == Reduce::Mean ? A.sum(Axes, Each) : A.reduce(How, Axes, Each);
  if (Peeled)
    return All;
  switch (How) {
  case Reduce::Mean:
    return A.add(Start, All);
  case Reduce::Product:
    return A.mul(Start, All);
  default:
    // The first element may be looked at twice.
    if (isLowest(A, Start) || isBelow(A, K, Start, Each) ||
        A.substitute(Each, Ax, Poly()) == Start)
      return All;
    return A.max(Start, All);
  }
}

/// s = s + e, s = s * e.
std::optional<ExprId> Evaluator::closeSum(const State &S, AxisId Ax,
                                          uint32_t First) {
  ExprId Factor, Each;
  if (!A.splitLinear(S.Next, S.Carried, Factor, Each) ||
      A.carries(Factor) > First || A.carries(Each) > First)
    return std::nullopt;
  if (A.getConstant(Factor) == 1.0)
    return reduceFrom(Reduce::Mean, S.Start, Each, Ax);
  if (A.getConstant(Each) == 0.0 && (A.deps(Factor) & (AxisSet(1) << Ax)))
    return reduceFrom(Reduce::Product, S.Start, Factor, Ax);
  return std::nullopt;
}

/// What \p S is the maximum of; with \p Sign -1, minus that of the minimum.
std::optional<ExprId> Evaluator::getMaximand(const State &S, double Sign,
                                             uint32_t First) {
  ExprId Next = A.scale(S.Next, Sign), Own = A.scale(S.Carried, Sign);
  std::optional<ExprId> Each = A.getMaximand(Next, Own);
  if (!Each || A.carries(*Each) > First)
    return std::nullopt;
  return Each;
}

/// s = max(s, e), s = min(s, e).
std::optional<ExprId> Evaluator::closeMax(const State &S, AxisId Ax,
                                          uint32_t First) {
  for (double Sign : {1.0, -1.0})
    if (std::optional<ExprId> Each = getMaximand(S, Sign, First))
      return A.scale(reduceFrom(Reduce::Max, A.scale(S.Start, Sign), *Each, Ax),
                     Sign);
  return std::nullopt;
}

/// Whether a search, which has \p At and \p Extreme in front of the loop,
/// begins with the element that \p Each is in \p FirstRound, or with none.
bool Evaluator::findsFirst(ExprId At, const State &Extreme, double Sign,
                           ExprId Each, AxisId Ax, const Poly &FirstRound) {
  ExprId Start = A.scale(Extreme.Start, Sign);
  if (isLowest(A, Start))
    return A.getConstant(At).has_value();
  // The greatest unsigned integer.
  if (Sign < 0 && A.getConstant(Extreme.Start) == -1.0)
    return A.getConstant(At).has_value();
  // If no element is greater, the first one is as great.
  if (FirstRound.isZero() && isBelow(A, K, Start, A.scale(Each, Sign)))
    return A.getConstant(At) == 0.0;
  // What is loaded in front of the kernel is a parameter of it, and what is
  // loaded for loops that have rounds depends on a condition.
  ExprId First = A.scale(A.substitute(Each, Ax, FirstRound), Sign);
  bool IsFirst = First == Extreme.Start ||
                 (!A.getConstant(Extreme.Start) && A.deps(Extreme.Start) == 0);
  bool HasLoad = false;
  A.forEachAtom(Extreme.Start, [&](uint32_t Id) {
    IsFirst |= A.ofAtom(Id) == First;
    HasLoad |= A.atom(Id).K == SymbolicAtom::Load && A.ofAtom(Id) != First;
  });
  IsFirst &= !HasLoad;
  return A.getConstant(At) == 0.0 && IsFirst;
}

/// s = e > m ? index : s, with m = max(m, e). Of equal ones the first counts,
/// or with >= the last.
std::optional<ExprId> Evaluator::closeSearch(const State &S, AxisId Ax,
                                             ArrayRef<State> States,
                                             uint32_t First) {
  ExprId Kept, Taken;
  if (!A.splitLinear(S.Next, S.Carried, Kept, Taken))
    return std::nullopt;
  for (const State &Of : States)
    for (double Sign : {1.0, -1.0}) {
      std::optional<ExprId> Each = getMaximand(Of, Sign, First);
      if (!Each || &Of == &S)
        continue;
      ExprId Found = A.positive(A.sub(*Each, A.scale(Of.Carried, Sign)));
      if (Kept != A.negate(Found))
        continue;
      Poly Index = Poly::atom(K.getAxisAtom(Ax));
      if (Taken == A.mul(Found, A.integer(Index)) &&
          findsFirst(S.Start, Of, Sign, *Each, Ax, Poly()))
        return A.reduce(Reduce::ArgMax, AxisSet(1) << Ax, *Each);
      // The first round is in front of the loop.
      if (Taken != A.mul(Found, A.integer(Index + Poly(1))) ||
          K.Axes.size() >= MaxAxes ||
          !findsFirst(S.Start, Of, Sign, *Each, Ax, Poly(-1)))
        continue;
      AxisId Longer = getLonger(Ax);
      Poly Before = Poly::atom(K.getAxisAtom(Longer)) - Poly(1);
      return A.reduce(Reduce::ArgMax, AxisSet(1) << Longer,
                      A.substitute(*Each, Ax, Before));
    }
  return std::nullopt;
}

/// s = s * exp(m - max(m, e)) + f, with m = max(m, e): the sum of an online
/// softmax. s * exp(m) is a sum of f * exp(max(m, e)).
std::optional<ExprId> Evaluator::closeScaled(const State &S, AxisId Ax,
                                             ArrayRef<State> States,
                                             uint32_t First) {
  ExprId Factor, Each;
  if (!A.splitLinear(S.Next, S.Carried, Factor, Each))
    return std::nullopt;
  for (const State &Of : States) {
    if (&Of == &S || !getMaximand(Of, 1, First))
      continue;
    std::optional<ExprId> Last = closeMax(Of, Ax, First);
    ExprId Next = A.exp(Of.Next);
    Each = A.mul(Each, Next);
    if (!Last || Factor != A.div(A.exp(Of.Carried), Next) ||
        A.carries(Each) > First)
      continue;
    ExprId Start = A.mul(S.Start, A.exp(Of.Start));
    return A.div(reduceFrom(Reduce::Mean, Start, Each, Ax), A.exp(*Last));
  }
  return std::nullopt;
}

/// What \p S is the running mean of: s = s + (e - s) / (round + 1).
std::optional<ExprId> Evaluator::getRunningMean(const State &S, AxisId Ax,
                                                uint32_t First) {
  ExprId Factor, Each;
  ExprId Round = A.integer(Poly::atom(K.getAxisAtom(Ax)));
  ExprId Next = A.add(Round, A.constant(1));
  if (!A.splitLinear(S.Next, S.Carried, Factor, Each) ||
      A.carries(Each) > First || A.mul(Factor, Next) != Round)
    return std::nullopt;
  return A.mul(Each, Next);
}

/// A running mean m, or s = s + (e - m) (e - m') with the next one m'
/// (Welford).
std::optional<ExprId> Evaluator::closeWelford(const State &S, AxisId Ax,
                                              ArrayRef<State> States,
                                              uint32_t First) {
  AxisSet Axes = AxisSet(1) << Ax;
  if (std::optional<ExprId> Each = getRunningMean(S, Ax, First))
    return A.mean(Axes, *Each);
  for (const State &Of : States) {
    std::optional<ExprId> Each = getRunningMean(Of, Ax, First);
    if (!Each || A.sub(S.Next, S.Carried) !=
                     A.mul(A.sub(*Each, Of.Carried), A.sub(*Each, Of.Next)))
      continue;
    ExprId Rest = A.sub(*Each, A.mean(Axes, *Each));
    return A.add(S.Start, A.sum(Axes, A.pow(Rest, 2)));
  }
  return std::nullopt;
}

ExprId Evaluator::close(const State &S, AxisId Ax, ArrayRef<State> States,
                        uint32_t First) {
  AxisSet Own = AxisSet(1) << Ax;
  if (S.Next == S.Carried)
    return S.Start;
  if (A.carries(S.Next) <= First)
    return A.deps(S.Next) & Own ? A.unknown(A.deps(S.Next) & ~Own) : S.Next;
  if (auto R = closeSum(S, Ax, First))
    return *R;
  if (auto R = closeMax(S, Ax, First))
    return *R;
  if (auto R = closeSearch(S, Ax, States, First))
    return *R;
  if (auto R = closeScaled(S, Ax, States, First))
    return *R;
  if (auto R = closeWelford(S, Ax, States, First))
    return *R;
  return A.unknown(A.deps(S.Next) & ~Own);
}

//===----------------------------------------------------------------------===//
// Trees
//===----------------------------------------------------------------------===//

/// Elements that rounds of \p Ax have in common.
void Evaluator::collectStates(const Node &N, AxisId Ax,
                              std::vector<State> &States) {
  for (const Assign &To : N.L.Assigns) {
    Cell C = getCell(To.Target);
    bool Moves =
        any_of(C.Index, [&](const Poly &P) { return K.dependsOn(P, Ax); });
    if (!Moves && none_of(States, [&](const State &S) { return S.At == C; }))
      States.push_back({C, C});
  }
  for (const std::unique_ptr<Node> &Child : N.Children)
    collectStates(*Child, Ax, States);
  erase_if(States,
           [&](const State &S) { return is_contained(N.Locals, S.At.Buf); });
}

/// Elements in front of those that a round of \p N stores, as the round in
/// front of it has left them, if they are loaded.
void Evaluator::collectNeighbours(const Node &N,
                                  std::vector<State> &States) const {
  AxisId Ax = N.Ax;
  if (K.Axes[Ax].R != Role::Sequential)
    return;
  std::vector<Cell> Loaded;
  forEachLeaf(N, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Op &O : L.Ops)
      if (O.K == Op::Load && !K.Buffers[O.Acc.Buf].IsLocal)
        Loaded.push_back(getCell(O.Acc));
  });
  for (const Cell &To : Targets) {
    std::optional<Poly> Step = To.Index[0].coefficient(K.getAxisAtom(Ax));
    if (!Step || Step->isZero())
      continue;
    Cell Before = {To.Buf, {To.Index[0] - *Step}};
    if (is_contained(Loaded, Before) &&
        none_of(States, [&](const State &S) { return S.At == Before; }))
      States.push_back({Before, To});
  }
}

/// \p Value of this round, if of what the loop has so far it is a linear
/// function, and that is a sum.
ExprId Evaluator::getSoFar(ExprId Value, AxisId Ax, ArrayRef<State> States,
                           uint32_t First) {
  for (const State &S : States) {
    ExprId Factor, Rest, Kept, Each;
    if (!A.splitLinear(Value, S.Carried, Factor, Rest) ||
        !A.splitLinear(S.Next, S.Carried, Kept, Each) ||
        A.getConstant(Factor) == 0.0 || A.getConstant(Kept) != 1.0 ||
        A.carries(Factor) > First || A.carries(Rest) > First ||
        A.carries(Each) > First)
      continue;
    ExprId SoFar = A.add(S.Start, A.sub(A.scan(Ax, Each), Each));
    return A.add(A.mul(Factor, SoFar), Rest);
  }
  return A.unknown(A.deps(Value));
}

void Evaluator::evaluateLoop(const Node &N) {
  uint32_t First = A.getNumCarried();
  std::vector<State> States;
  collectStates(N, N.Ax, States);
  size_t NumOwn = States.size();
  collectNeighbours(N, States);
  for (State &S : States) {
    AxisSet Deps = open();
    for (const Poly &P : S.At.Index)
      Deps |= A.depsOf(P);
    Cell Start = S.At;
    for (Poly &P : Start.Index)
      P = P.substitute(K.getAxisAtom(N.Ax), Poly());
    S.Start = load(Start);
    S.Carried = A.carried(Deps);
  }
  for (State &S : States)
    Values[S.At] = S.Carried;
  for (const State &S : drop_begin(States, NumOwn))
    Neighbours.push_back(S.At);
  Open.push_back(N.Ax);
  size_t Restricted = Restrictions.size();
  if (auto At = Shortened.find(&N); At != Shortened.end())
    for (const Poly &P : At->second) {
      Poly Left = P - Poly::atom(K.getAxisAtom(N.Ax));
      Restrictions.push_back(
          A.positive(A.sub(A.integer(Left), A.constant(0.5))));
    }
  for (const std::unique_ptr<Node> &Child : N.Children)
    evaluate(*Child);
  Restrictions.resize(Restricted);
  for (State &S : States)
    S.Next = Values.count(S.To) ? Values[S.To] : A.unknown(0);
  Open.pop_back();
  SmallVector<ExprId, 4> Results;
  ArrayRef<State> Own = ArrayRef(States).take_front(NumOwn);
  for (const State &S : Own)
    Results.push_back(A.hasFailed() ? 0 : close(S, N.Ax, States, First));
  for (auto [S, Result] : zip(Own, Results))
    Values[S.At] = Result;
  for (const State &S : drop_begin(States, NumOwn))
    Values.erase(S.At);
  Neighbours.resize(Neighbours.size() - (States.size() - NumOwn));
  if (A.hasFailed())
    return;
  // What a round has seen of a state.
  for (auto &[C, Value] : Values)
    if (A.carries(Value) > First)
      Value = getSoFar(Value, N.Ax, States, First);
}

void Evaluator::evaluate(const Node &N) {
  if (A.hasFailed())
    return;
  switch (N.K) {
  case Node::AxisNode:
    return evaluateLoop(N);
  case Node::LeafNode:
    return evaluate(N.L);
  case Node::Sequence:
    for (const std::unique_ptr<Node> &Child : N.Children)
      evaluate(*Child);
  }
}

bool Evaluator::run(std::vector<Formula> &Results, size_t MaxOps) {
  bool IsLarge = false;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    IsLarge |= L.Ops.size() > MaxOps;
  });
  if (IsLarge || K.Axes.size() >= MaxAxes)
    return false;
  SmallVector<AxisId, 6> Around;
  shareAxes(K.Root, Around);
  lengthenAxes(K.Root);
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Assign &To : L.Assigns)
      if (!K.Buffers[To.Target.Buf].IsLocal)
        Targets.push_back(getCell(To.Target));
  });
  evaluate(K.Root);
  if (A.hasFailed())
    return false;
  for (const auto &[C, Value] : Values)
    if (!K.Buffers[C.Buf].IsLocal)
      Results.push_back({C.Buf, C.Index[0], Value, A.depsOf(C.Index[0])});
  if (Results.empty())
    for (const auto &[C, Value] : Values)
      if (is_contained(K.Root.Locals, C.Buf) && C.Index.empty())
        Results.push_back({C.Buf, Poly(), Value, 0});
  return true;
}

Formula Evaluator::getScalar(BufferId Local) {
  return {Local, Poly(), load(Cell{Local, {}}), 0};
}
