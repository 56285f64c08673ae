//===- Cost.cpp - Cycles that a schedule takes: loops ---------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Loops are walked from the outside in. Where something inside depends on
/// which round it is (the ends of an image, a block that is shorter), the
/// first, a middle and the last round are, and the middle stands for all
/// between.
///
/// Each loop's straight code is a region: cycles are the largest of what it
/// takes of each resource (getLargest), in all rounds together. Lines that it
/// touches come from a level of memory anew in each round of a loop around,
/// unless a round leaves room for them there: then once for all rounds.
///
//===----------------------------------------------------------------------===//
#include "CostModel.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace llvm;
using namespace dlopt;

namespace {

/// Until a loop that begins runs as fast as it can, and until it is left: a
/// branch that was not expected, but for loops so short that it is.
constexpr double EntryCycles = 10, ShortEntryCycles = 4;
constexpr int64_t ShortRounds = 32;
/// A loop of one round has a test and a branch that are.
constexpr double OnceCycles = 2;
/// Counting and branching.
constexpr double RoundInstructions = 2;

} // namespace

void CostWork::add(const CostWork &W, double Times) {
  Arithmetic += Times * W.Arithmetic;
  Loads += Times * W.Loads;
  Stores += Times * W.Stores;
  Shuffles += Times * W.Shuffles;
  Issued += Times * W.Issued;
  Chain += Times * W.Chain;
  Other += Times * W.Other;
}

void CostModel::merge(Regions &To, const Regions &From, double Times) {
  for (const auto &[N, R] : From) {
    CostRegion &Own = To[N];
    Own.Work.add(R.Work, Times);
    for (const auto &[Buf, Lines] : R.Lines)
      for (size_t Level = 0; Level != Lines.size(); ++Level)
        Own.Lines[Buf][Level] += Times * Lines[Level];
  }
}

std::optional<int64_t> CostModel::getValue(const Poly &P,
                                           const CostPoint &At) const {
  auto GetAtom = [&](AtomId Id) -> std::optional<int64_t> {
    const Atom &A = K.Atoms[Id];
    switch (A.K) {
    case Atom::Axis:
      return At.Axes[A.Ref];
    case Atom::Size:
      return At.Sizes[A.Ref];
    case Atom::FloorDiv:
    case Atom::Mod: {
      std::optional<int64_t> Num = getValue(A.Num, At),
                             Den = getValue(A.Den, At);
      if (!Num || Den.value_or(0) <= 0)
        return std::nullopt;
      int64_t Quotient = divideFloorSigned(*Num, *Den);
      return A.K == Atom::FloorDiv ? Quotient : *Num - *Den * Quotient;
    }
    case Atom::VL:
      return LeastVL;
    case Atom::Param:
    case Atom::Load:
      return std::nullopt;
    }
    return std::nullopt;
  };
  int64_t Sum = 0;
  for (const auto &[Product, Coefficient] : P.terms()) {
    int64_t Term = Coefficient;
    for (AtomId Id : Product) {
      std::optional<int64_t> Value = GetAtom(Id);
      if (!Value || MulOverflow(Term, *Value, Term))
        return std::nullopt;
    }
    if (AddOverflow(Sum, Term, Sum))
      return std::nullopt;
  }
  return Sum;
}

int64_t CostModel::getBegin(const Axis &A, const CostPoint &At) const {
  int64_t Begin = 0;
  for (const Poly &P : A.Begins)
    Begin = std::max(Begin, getValue(P, At).value_or(0));
  return Begin;
}

int64_t CostModel::getEnd(const Axis &A, const CostPoint &At) const {
  int64_t End = std::numeric_limits<int64_t>::max();
  for (const Poly &P : A.Extents)
    End = std::min(End, getValue(P, At).value_or(0));
  return End;
}

bool CostModel::isLoop(const Axis &A) {
  const AxisSchedule &S = A.Schedule;
  return S.isBlocks() || S.isPlain();
}

/// Finds the axes around each leaf, and what can be said of them where nothing
/// is known of a round; false: the rounds of an axis are no number.
bool CostModel::enter(const Node &N, SmallVectorImpl<const Node *> &Path) {
  if (N.K == Node::LeafNode) {
    Place &P = Places[&N.L];
    P.L = &N.L;
    P.Path.assign(Path.begin(), Path.end());
    auto Add = [&](const Access &X, bool IsStore) {
      const Buffer &Buf = K.Buffers[X.Buf];
      Touch T = {X.Buf, Poly(), getSizeInBytes(Buf.Ty), IsStore};
      if (Buf.IsLocal) {
        if (Buf.Where == Buffer::Register || Buf.Shape.empty())
          return;
        for (auto [Sub, Size] : zip(X.Subs, Buf.Shape))
          T.Offset = T.Offset * Size + Sub;
      } else {
        T.Offset = X.offset();
      }
      P.Touches.push_back(std::move(T));
    };
    for (const Op &O : N.L.Ops)
      if (O.K == Op::Load)
        Add(O.Acc, /*IsStore=*/false);
    for (const Assign &A : N.L.Assigns)
      Add(A.Target, /*IsStore=*/true);
    return true;
  }
  if (N.K == Node::AxisNode) {
    const Axis &A = K.Axes[N.Ax];
    for (const Poly &P : concat<const Poly>(A.Extents, A.Begins))
      if (!getValue(P, Middle))
        return false;
    Typical &Own = Typicals[&N];
    int64_t Begin = getBegin(A, Middle), End = getEnd(A, Middle);
    int64_t All = std::max<int64_t>(End - Begin, 1);
    if (A.Schedule.isBlocks()) {
      Own.Step = std::min(A.Schedule.Steps.front().getLeast(), All);
      for (const ScheduleSize &Size : A.Schedule.Steps)
        if (!A.Schedule.IsUpTo && Size.getLeast() <= All) {
          Own.Step = Size.getLeast();
          break;
        }
    }
    Own.Rounds = std::max(static_cast<double>(All) / Own.Step, 1.0);
    Middle.Sizes[N.Ax] = Own.Step;
    Middle.Axes[N.Ax] = Begin + All / Own.Step / 2 * Own.Step;
    Path.push_back(&N);
  }
  for (const auto &Child : N.Children)
    if (!enter(*Child, Path))
      return false;
  if (N.K == Node::AxisNode)
    Path.pop_back();
  return true;
}

SmallVector<CostModel::Rounds, 6>
CostModel::getRounds(const Axis &A, const CostPoint &At) const {
  const AxisSchedule &S = A.Schedule;
  int64_t First = getBegin(A, At), End = getEnd(A, At);
  SmallVector<Rounds, 6> All;
  auto Take = [&](int64_t Size, int64_t Count) {
    if (Count > 0 && Size > 0)
      All.push_back({First, Size, Count});
    First += Size * Count;
  };
  if (First >= End)
    return All;
  if (!S.isBlocks())
    Take(1, End - First);
  for (const ScheduleSize &Size : S.Steps)
    Take(Size.getLeast(), (End - First) / Size.getLeast());
  if (S.isBlocks() && (S.IsUpTo || S.HasRest))
    Take(End - First, 1);
  if (S.Overlaps && First < End)
    All.push_back(
        {End - S.Steps.back().getLeast(), S.Steps.back().getLeast(), 1});
  return All;
}

/// What a value or size of an axis is matters where a condition or a bound
/// speaks of it.
const CostModel::MatteringList &CostModel::findMattering(const Node &N) {
  MatteringList Used;
  auto Take = [&](Mattering M) {
    if (!is_contained(Used, M))
      Used.push_back(M);
  };
  auto Add = [&](const Poly &P) {
    K.anyNestedAtom(P, [&](const Atom &X) {
      if (X.K == Atom::Axis || X.K == Atom::Size)
        Take({X.Ref, X.K == Atom::Size});
      return false;
    });
  };
  for (const auto &Child : N.Children)
    for (Mattering M : findMattering(*Child))
      if (N.K != Node::AxisNode || M.first != N.Ax)
        Take(M);
  if (N.K == Node::LeafNode)
    for (const Constraint &C : N.L.Domain)
      Add(C.P);
  if (N.K == Node::AxisNode)
    for (const Poly &P :
         concat<const Poly>(K.Axes[N.Ax].Extents, K.Axes[N.Ax].Begins))
      Add(P);
  return Matters[&N] = std::move(Used);
}

SmallVector<int64_t, 8> CostModel::getKey(ArrayRef<Mattering> List,
                                          const CostPoint &At) {
  SmallVector<int64_t, 8> Key;
  for (auto [A, IsSize] : List)
    Key.push_back(IsSize ? At.Sizes[A] : At.Axes[A]);
  return Key;
}

void CostModel::runLoop(const Node &N, CostPoint &At, Regions &Out) {
  const Axis &A = K.Axes[N.Ax];
  auto Key = getKey(Matters[&N], At);
  auto [It, IsNew] = Known.try_emplace({&N, Key});
  if (!IsNew)
    return merge(Out, It->second, 1);
  Regions Own;
  bool Depends = any_of(N.Children, [&](const auto &Child) {
    return is_contained(Matters[Child.get()], Mattering{N.Ax, false});
  });
  auto Before = std::pair(At.Axes[N.Ax], At.Sizes[N.Ax]);
  for (const Rounds &R : getRounds(A, At)) {
    SmallVector<std::pair<int64_t, int64_t>, 3> Samples = {{0, R.Count}};
    if (Depends && R.Count == 2)
      Samples = {{0, 1}, {1, 1}};
    else if (Depends && R.Count > 2)
      Samples = {{0, 1}, {R.Count / 2, R.Count - 2}, {R.Count - 1, 1}};
    for (auto [Which, Count] : Samples) {
      At.Axes[N.Ax] = R.First + Which * R.Size;
      At.Sizes[N.Ax] = R.Size;
      Regions One;
      runOnce(N, At, R.Count > 1, One);
      merge(Own, One, static_cast<double>(Count));
    }
    Own[&N].Work.Other += R.Count == 1             ? OnceCycles
                          : R.Count <= ShortRounds ? ShortEntryCycles
                                                   : EntryCycles;
  }
  std::tie(At.Axes[N.Ax], At.Sizes[N.Ax]) = Before;
  keepLines(N, Own);
  merge(Out, Own, 1);
  Known[{&N, Key}] = std::move(Own);
}

/// The children of \p N, once.
void CostModel::runOnce(const Node &N, CostPoint &At, bool IsRepeated,
                        Regions &Out) {
  SmallVector<const Node *, 6> Straight;
  for (const auto &Child : N.Children)
    walk(*Child, N, Straight, At, Out);
  if (!IsRepeated)
    return;
  CostWork Turn;
  Turn.Issued = RoundInstructions;
  Out[&N].Work.add(Turn, 1);
}

/// How many sums the core works on at a time: those of other points begin while
/// one waits for its additions.
double CostModel::getOverlap(const Place &P, size_t NumStraight,
                             const CostWork &W) const {
  double Instructions = W.Issued + RoundInstructions;
  for (const Node *N : reverse(ArrayRef(P.Path).drop_back(NumStraight))) {
    if (K.Axes[N->Ax].R == Role::Parallel)
      break;
    Instructions *= Typicals.at(N).Rounds;
  }
  return std::max(T.InFlight / Instructions, 1.0);
}

void CostModel::walk(const Node &N, const Node &Around,
                     SmallVectorImpl<const Node *> &Straight, CostPoint &At,
                     Regions &Out) {
  if (N.K == Node::LeafNode) {
    const Place &P = Places[&N.L];
    CostRegion &R = Out[&Around];
    CostWork W = getWork(P, Straight, At);
    W.Chain /= getOverlap(P, Straight.size(), W);
    R.Work.add(W, 1);
    if (W.Issued != 0)
      for (const Touch &X : P.Touches) {
        double Lines = getLines(X, Straight);
        for (double &Level : R.Lines[X.Buf])
          Level = std::max(Level, Lines);
      }
    return;
  }
  bool IsAxis = N.K == Node::AxisNode;
  if (IsAxis && isLoop(K.Axes[N.Ax]) && Straight.empty())
    return runLoop(N, At, Out);
  if (IsAxis)
    Straight.push_back(&N);
  for (const auto &Child : N.Children)
    walk(*Child, Around, Straight, At, Out);
  if (IsAxis)
    Straight.pop_back();
}

/// What share of lines is lost from a cache of \p Bytes in which \p Lines are
/// touched in between: none as long as they are half of it.
static double getLost(double Lines, uint64_t Bytes) {
  double Room = static_cast<double>(Bytes) / LineBytes;
  if (Room == 0)
    return 1;
  return std::clamp((Lines / Room - 0.5) / 0.75, 0.0, 1.0);
}

/// Lines that a level has room for come once for all rounds of \p N.
void CostModel::keepLines(const Node &N, Regions &Out) {
  const Footprint &Whole = getFootprint(N, /*WithOwn=*/true);
  const Footprint &Round = getFootprint(N, /*WithOwn=*/false);
  const uint64_t Bytes[] = {T.L1, T.L2, T.L3};
  for (size_t Level = 0; Level != std::size(Bytes); ++Level) {
    double Lost = getLost(Round.All, Bytes[Level]);
    if (Lost == 1)
      continue;
    SmallMapVector<BufferId, double, 4> Left = Whole.Lines;
    for (auto &[Node, R] : Out)
      for (auto &[Buf, Lines] : R.Lines) {
        double Once = std::min(Lines[Level], std::max(Left[Buf], 0.0));
        Left[Buf] -= Once;
        Lines[Level] = Lost * Lines[Level] + (1 - Lost) * Once;
      }
  }
}

/// How far \p X moves in a step of the axis \p N.
std::optional<double> CostModel::getStride(const Touch &X,
                                           const Node &N) const {
  CostPoint Next = Middle;
  ++Next.Axes[N.Ax];
  std::optional<int64_t> Here = getValue(X.Offset, Middle),
                         There = getValue(X.Offset, Next);
  if (!Here || !There)
    return std::nullopt;
  return std::abs(static_cast<double>(*There - *Here)) *
         static_cast<double>(Typicals.at(&N).Step);
}

/// Lines that \p X touches while \p Axes run.
double CostModel::getLines(const Touch &X, ArrayRef<const Node *> Axes) const {
  SmallVector<std::pair<double, double>, 8> Moves;
  for (const Node *N : Axes) {
    // What nobody knows is far away.
    double Stride = getStride(X, *N).value_or(LineBytes);
    double Rounds = Typicals.at(N).Rounds;
    if (Stride != 0 && Rounds > 1)
      Moves.push_back({Stride, Rounds});
  }
  sort(Moves);
  // Elements behind each other, and how many such runs there are, of which
  // those may overlap that are less than a run apart.
  double Span = 1, Runs = 1, LastStride = 0, LastRounds = 1;
  for (auto [Stride, Rounds] : Moves) {
    double Full = LastStride * LastRounds;
    if (LastStride == 0 && (Stride - Span) * X.Bytes < LineBytes) {
      Span += Stride * (Rounds - 1);
    } else if (LastStride != 0 && Stride <= Full) {
      double Grown = (Stride * (Rounds - 1) + Full) / Full;
      Runs *= Grown;
      LastRounds *= Grown;
    } else {
      Runs *= Rounds;
      LastStride = Stride;
      LastRounds = Rounds;
    }
  }
  return Runs * (1 + (Span - 1) * X.Bytes / LineBytes);
}

const CostModel::Footprint &CostModel::getFootprint(const Node &N,
                                                    bool WithOwn) {
  auto [It, IsNew] = Footprints.try_emplace({&N, WithOwn});
  Footprint &F = It->second;
  if (!IsNew)
    return F;
  for (const auto &[L, P] : Places) {
    const auto *At = &N == &K.Root ? P.Path.begin() : find(P.Path, &N);
    if (At == P.Path.end() && &N != &K.Root)
      continue;
    ArrayRef<const Node *> Inside(WithOwn ? At : At + 1, P.Path.end());
    for (const Touch &X : P.Touches)
      F.Lines[X.Buf] = std::max(F.Lines[X.Buf], getLines(X, Inside));
  }
  for (const auto &[Buf, Lines] : F.Lines)
    F.All += Lines;
  return F;
}

/// The largest of \p Cycles, and more where others are nearly as large: no
/// order of the instructions keeps two resources busy all the time. Two alike
/// are 9% more, half as much is nothing.
static double getLargest(ArrayRef<double> Cycles) {
  double Most = *max_element(Cycles), Sum = 0;
  if (Most == 0)
    return 0;
  for (double X : Cycles) {
    double Squared = (X / Most) * (X / Most), Fourth = Squared * Squared;
    Sum += Fourth * Fourth;
  }
  return Most * std::sqrt(std::sqrt(std::sqrt(Sum)));
}

double CostModel::getCycles(const CostRegion &R) const {
  const CostWork &W = R.Work;
  // Products and sums that are not fused have units of their own.
  double Units = std::max(T.FMAPerCycle, T.HasVectorFMA ? 1U : 2U);
  // Sums that wait for each other get results forwarded, as far as is known.
  unsigned Latency = T.ChainLatency ? T.ChainLatency : T.FMALatency;
  SmallVector<double, 9> Cycles = {
      W.Arithmetic / Units,        W.Loads / T.LoadsPerCycle,
      W.Stores / T.StoresPerCycle, W.Shuffles / T.ShufflesPerCycle,
      W.Issued / T.IssueWidth,     W.Chain * Latency};
  const double PerCycle[] = {T.L2Bytes, T.L3Bytes, T.MemoryBytes};
  for (size_t Level = 0; Level != std::size(PerCycle); ++Level) {
    double Lines = 0;
    for (const auto &[Buf, Own] : R.Lines)
      Lines += Own[Level];
    Cycles.push_back(Lines * LineBytes / PerCycle[Level]);
  }
  return getLargest(Cycles) + W.Other;
}

std::optional<double> CostModel::run() {
  Middle.Axes.assign(K.Axes.size(), 0);
  Middle.Sizes.assign(K.Axes.size(), 1);
  SmallVector<const Node *, 12> Path;
  if (!enter(K.Root, Path))
    return std::nullopt;
  findMattering(K.Root);
  Regions All;
  CostPoint At = Middle;
  runOnce(K.Root, At, /*IsRepeated=*/false, All);
  // What the caches have room for is there from the call before.
  const uint64_t Bytes[] = {T.L1, T.L2, T.L3};
  double Whole = getFootprint(K.Root, /*WithOwn=*/true).All, Cycles = 0;
  for (auto &[N, R] : All) {
    for (auto &[Buf, Lines] : R.Lines)
      for (size_t Level = 0; Level != Lines.size(); ++Level)
        Lines[Level] *= getLost(Whole, Bytes[Level]);
    Cycles += getCycles(R);
  }
  return Cycles;
}

std::optional<double> dlopt::getCycles(const Kernel &K, const TargetModel &T) {
  return CostModel(K, T).run();
}
