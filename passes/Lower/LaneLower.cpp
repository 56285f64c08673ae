//===- LaneLower.cpp - Kernels with lanes ---------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An axis with lanes is three loops: several vectors at a time, one vector at
/// a time, and what is left one by one.
///
//===----------------------------------------------------------------------===//
#include "LaneLower.h"
#include "CacheLines.h"
#include "dlopt/Dependences.h"
#include "dlopt/KernelEdit.h"
#include "dlopt/MathModels.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Uses.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace dlopt {

bool isTransposed(const Kernel &K, const Op &O, AxisId Inner, AxisId Lane) {
  if (O.K != Op::Load || K.Buffers[O.Acc.Buf].IsLocal)
    return false;
  Poly Offset = getOffset(K, O.Acc);
  std::optional<Poly> Along = getStride(K, Offset, Inner),
                      Apart = getStride(K, Offset, Lane);
  return Along && Apart && Along->getConstant() == 1 && !Apart->isZero() &&
         Apart->getConstant() != 1;
}

bool mayReadAhead(const Node &Inner, const Leaf &L, const Op &O) {
  return !isConditional(L) && !assigns(Inner, O.Acc.Buf);
}

bool mayWriteBehind(const Kernel &K, const Node &Inner, const Leaf &L,
                    const Assign &A, AxisId Lane) {
  BufferId Buf = A.Target.Buf;
  if (K.Buffers[Buf].IsLocal || isConditional(L))
    return false;
  Poly Offset = getOffset(K, A.Target);
  std::optional<Poly> Along = getStride(K, Offset, Inner.Ax),
                      Apart = getStride(K, Offset, Lane);
  if (!Along || !Apart || Along->getConstant() != 1 || Apart->isZero() ||
      Apart->getConstant() == 1)
    return false;
  unsigned Others = 0;
  forEachLeaf(Inner, [&](const Leaf &Other, ArrayRef<AxisId>) {
    for (const Assign &X : Other.Assigns)
      Others += &X != &A && X.Target.Buf == Buf;
    for (const Op &O : Other.Ops)
      Others += O.K == Op::Load && O.Acc.Buf == Buf;
  });
  return !Others;
}

/// The local bit that \p L runs under, and whether it has to be false.
static std::optional<std::pair<BufferId, bool>> getBit(const Kernel &K,
                                                       const Leaf &L) {
  if (!L.Domain.empty() || !L.Predicate)
    return std::nullopt;
  const Op *O = &L.Ops[*L.Predicate];
  bool IsNot = O->K == Op::Inst && O->Opcode == Instruction::Xor &&
               L.Ops[O->Args[1]].K == Op::Const && L.Ops[O->Args[1]].Bits;
  if (IsNot)
    O = &L.Ops[O->Args[0]];
  if (O->K != Op::Load || !K.Buffers[O->Acc.Buf].IsLocal ||
      !K.Buffers[O->Acc.Buf].Shape.empty())
    return std::nullopt;
  return std::pair(O->Acc.Buf, IsNot);
}

bool areOpposite(const Kernel &K, const Node &N, size_t First, size_t Second) {
  if (N.Children[First]->K != Node::LeafNode ||
      N.Children[Second]->K != Node::LeafNode)
    return false;
  auto Bit = getBit(K, N.Children[First]->L),
       Other = getBit(K, N.Children[Second]->L);
  return Bit && Other && Bit->first == Other->first &&
         Bit->second != Other->second &&
         none_of(ArrayRef(N.Children).slice(First, Second - First),
                 [&](const auto &C) { return assigns(*C, Bit->first); });
}

/// Whether both read one element, whatever happens between them.
static bool isSameLoad(const Kernel &K, const Op &X, const Op &Y) {
  return X.K == Op::Load && Y.K == Op::Load && X.Acc.Buf == Y.Acc.Buf &&
         X.Ty == Y.Ty && getOffset(K, X.Acc) == getOffset(K, Y.Acc) &&
         !K.anyNestedAtom(getOffset(K, X.Acc),
                          [](const Atom &A) { return A.K == Atom::Load; });
}

/// Whether \p L reads \p O whatever its condition says: there is none, or it is
/// what asks for it.
static bool isReadAlways(const Leaf &L, const Op &O) {
  return !isConditional(L) ||
         (L.Domain.empty() && L.Predicate &&
          isComputedOf(L, *L.Predicate, [&](const Op &X) { return &X == &O; }));
}

void addSafeLoads(const Kernel &K, const Node &N, DenseSet<const Op *> &Loads) {
  SmallVector<const Op *, 8> Always;
  for (const auto &Child : N.Children)
    if (Child->K == Node::LeafNode)
      for (const Op &O : Child->L.Ops)
        if (O.K == Op::Load && isReadAlways(Child->L, O))
          Always.push_back(&O);
  // What both sides of a condition read is read always.
  for (size_t First = 0; First != N.Children.size(); ++First)
    for (size_t Second = First + 1; Second != N.Children.size(); ++Second)
      if (areOpposite(K, N, First, Second))
        for (const Op &O : N.Children[First]->L.Ops)
          if (any_of(N.Children[Second]->L.Ops,
                     [&](const Op &X) { return isSameLoad(K, O, X); }))
            Always.push_back(&O);
  for (const auto &Child : N.Children) {
    addSafeLoads(K, *Child, Loads);
    if (Child->K == Node::LeafNode && isConditional(Child->L))
      for (const Op &O : Child->L.Ops)
        if (any_of(Always,
                   [&](const Op *Other) { return isSameLoad(K, *Other, O); }))
          Loads.insert(&O);
  }
}

void LaneLowering::lowerLeaf(const Leaf &L) {
  bool ReadsScalars = any_of(L.Ops, [&](const Op &O) {
    return O.K == Op::Load && !C.Private.contains(O.Acc.Buf) && C.inLanes() &&
           !C.Safe.contains(&O) &&
           !K.dependsOn(getOffset(K, O.Acc), C.getLaneAxis());
  });
  C.beginLeaf(ReadsScalars);
  ScalarLowering::lowerLeaf(L);
}

void LaneLowering::collectPrivate(const Node &N) {
  C.Private.insert(N.Locals.begin(), N.Locals.end());
  for (const auto &Child : N.Children)
    collectPrivate(*Child);
}

unsigned getNextCount(const LanePlan &Plan, unsigned Count) {
  if (Count > Plan.LeastRows && Count <= Plan.VectorElems && Plan.LeastRows)
    return Count / 2;
  if (!Plan.RestElems)
    return Count > Plan.VectorElems ? Count / 2 : Count > 1;
  for (unsigned Next : {Plan.VectorElems, Plan.RestElems, 1u})
    if (Next < Count)
      return Next;
  return 0;
}

/// The next iterations of \p A in \p Count lanes, which go on with what the
/// lanes before them, if there were any, have found.
void LaneLowering::enterShared(AxisId A, Value *First, unsigned Count,
                               bool IsFirst,
                               ArrayRef<LaneReduction> Reductions) {
  if (!IsFirst && Count > 1)
    narrowReductions(Reductions, Count);
  else if (!IsFirst)
    closeReductions(Reductions);
  C.enterLanes(A, First, Count);
  if (IsFirst && Count > 1)
    openReductions(Reductions);
}

const Node *findAxis(const Node &N, AxisId A) {
  if (N.K == Node::AxisNode && N.Ax == A)
    return &N;
  for (const auto &Child : N.Children)
    if (const Node *Found = findAxis(*Child, A))
      return Found;
  return nullptr;
}

bool hasSlowCalls(const Kernel &K, const LanePlan &Plan) {
  bool HasCalls = false;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    HasCalls |= any_of(L.Ops, [&](const Op &O) {
      return O.K == Op::LibCall && !isMathInLanes(O, Plan) && !isRoot(O);
    });
  });
  return HasCalls;
}

static bool hasMath(const Node &N, const LanePlan &Plan) {
  bool Any = false;
  forEachLeaf(N, [&](const Leaf &L, ArrayRef<AxisId>) {
    Any |= any_of(L.Ops, [&](const Op &O) { return isMathInLanes(O, Plan); });
  });
  return Any;
}

/// Whether iterations of the parallel axis of \p N may run twice.
static bool mayRepeat(const Kernel &K, const Node &N, const LanePlan &Plan) {
  return !hasSlowCalls(K, Plan) && K.Axes[N.Ax].R == Role::Parallel &&
         Dependences(K).mayRunTwice(N);
}

/// Whether that pays where single iterations of \p N are left: they compute
/// math functions, or single lanes write rows that are far apart. (Nothing else
/// would be other code than in place, where none may run twice.)
static bool paysToRepeat(const Node &N, const LanePlan &Plan) {
  return hasMath(N, Plan) || Plan.InBands;
}

/// All iterations of \p A, which may run twice: what whole vectors leave, if it
/// is more than the next smaller ones take, is one that ends with the last
/// iteration.
void LaneLowering::lowerRowsTwice(AxisId A, Value *Trip,
                                  function_ref<void()> Body) {
  Value *First = B.getInt64(0);
  unsigned Next = 0;
  for (unsigned Count = Plan.VectorElems * Plan.Vectors; Count; Count = Next) {
    Next = getNextCount(Plan, Count);
    if (Count == 1 && DLOPT_PLANTED(LaneRestDropped))
      break;
    First = lowerUpToLast(A, First, Trip, Count, Next, Body);
  }
  C.leaveLanes();
}

/// Vectors from \p First on that may run twice, the last of which ends with the
/// last iteration, if there are so many and more than \p Next are left. Returns
/// what is left then.
Value *LaneLowering::lowerUpToLast(AxisId A, Value *First, Value *Trip,
                                   unsigned Count, unsigned Next,
                                   function_ref<void()> Body) {
  Value *Last = B.CreateSub(Trip, B.getInt64(Count));
  Value *End = B.CreateSelect(B.CreateICmpSGE(Last, B.getInt64(0)),
                              B.CreateSub(Trip, B.getInt64(Next)), First);
  CountedLoop L = beginSteps(B, First, End, B.getInt64(Count),
                             K.Axes[A].Name + ".x" + Twine(Count));
  C.enterLanes(A, B.CreateBinaryIntrinsic(Intrinsic::smin, L.Index, Last),
               Count);
  Body();
  endLoop(B, L);
  return L.Index;
}

void LaneLowering::lowerLanes(AxisId A, Value *First, Value *Trip,
                              ArrayRef<LaneReduction> Reductions,
                              function_ref<void()> Body) {
  if (Plan.MaskedRest)
    return lowerMaskedLanes(A, First, Trip, Reductions, Body);
  unsigned Vectors = AlongRow ? Plan.AlongVectors : Plan.Vectors;
  unsigned Most = Plan.VectorElems * Vectors;
  const Node *N = findAxis(K.Root, A);
  bool Repeats = N && paysToRepeat(*N, Plan) && mayRepeat(K, *N, Plan);
  for (unsigned Count = Most, Next; Count; Count = Next) {
    Next = getNextCount(Plan, Count);
    enterShared(A, First, Count, Count == Most, Reductions);
    if (Count == 1 && DLOPT_PLANTED(LaneRestDropped))
      break;
    if (Next == 1 && Repeats) {
      First = lowerUpToLast(A, First, Trip, Count, /*Next=*/0, Body);
      continue;
    }
    CountedLoop L = beginWholeSteps(B, First, Trip, Count,
                                    K.Axes[A].Name + ".x" + Twine(Count));
    C.enterLanes(A, L.Index, Count);
    Body();
    endLoop(B, L);
    First = L.Index;
  }
  C.leaveLanes();
}

void LaneLowering::lowerAxis(const Node &N) {
  if (Plan.LongSearch && is_contained(Plan.Axes, N.Ax) && !C.inLanes()) {
    branch(
        B.CreateICmpSGE(getTrip(*Plan.LongSearch), B.getInt64(LongRow)),
        [&] {
          const Node *Outer = std::exchange(Row, &N);
          ScalarLowering::lowerAxis(N);
          Row = Outer;
        },
        [&] { lowerLanesOf(N); });
    return;
  }
  if (Plan.StreamBytes && is_contained(Plan.Axes, N.Ax) &&
      getLookups(K, N, Plan.Lookups).empty())
    if (auto Streams = getStreams(K, N.Ax); !Streams.empty())
      return lowerStreams(N, Streams);
  if (!C.inLanes() &&
      (Plan.LongSearch == N.Ax || is_contained(Plan.Axes, N.Ax)) &&
      !getLaneReductions(K, N))
    if (auto Search = getLaneSearch(K, N))
      return lowerSearch(N, *Search);
  lowerLanesOf(N);
}

static bool contains(const Node &Outer, const Node &N) {
  return &Outer == &N ||
         any_of(Outer.Children, [&](const auto &C) { return contains(*C, N); });
}

/// What the loop \p N of a row reads and writes, one element a round, and that
/// other rows have elsewhere; and whether it is written. (Loops inside of it
/// read more: they have ended, or not begun.)
static SmallVector<std::pair<const Access *, bool>, 4>
getElements(const Kernel &K, const Node &N, AxisId Rows) {
  SmallVector<std::pair<const Access *, bool>, 4> Result;
  SmallVector<AxisId, 4> Below;
  for (const auto &Child : N.Children)
    collectAxes(*Child, Below);
  auto Add = [&](const Access &X, bool IsWrite) {
    if (any_of(Below, [&](AxisId A) { return K.dependsOn(X, A); }))
      return;
    Poly Offset = getOffset(K, X);
    std::optional<Poly> Along = getStride(K, Offset, N.Ax),
                        Apart = getStride(K, Offset, Rows);
    if (!K.Buffers[X.Buf].IsLocal && Along && Along->getConstant() == 1 &&
        Apart && !Apart->isZero() && none_of(Result, [&](const auto &E) {
          return E.first->Buf == X.Buf && getOffset(K, *E.first) == Offset;
        }))
      Result.push_back({&X, IsWrite});
  };
  forEachLeaf(N, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Op &O : L.Ops)
      if (O.K == Op::Load)
        Add(O.Acc, false);
    for (const Assign &A : L.Assigns)
      Add(A.Target, true);
  });
  return Result;
}

/// The part of \p Program with the most time for what comes next: the first one
/// with math functions or, where there are none, the last one.
static const Node &getLongestPart(const Node &Program, const LanePlan &Plan) {
  auto Found = find_if(Program.Children,
                       [&](const auto &Part) { return hasMath(*Part, Plan); });
  return Found == Program.Children.end() ? *Program.Children.back() : **Found;
}

/// Whether a loop of \p Program in front of the one with \p N reads or writes
/// \p Buf.
static bool isTouchedBefore(const Kernel &K, const Node &Program, const Node &N,
                            BufferId Buf) {
  for (const auto &Child : Program.Children) {
    if (contains(*Child, N))
      return false;
    if (Child->K == Node::AxisNode && uses(K, *Child, Buf))
      return true;
  }
  return false;
}

/// Asks for the lines from \p X on that the lanes have, \p Ahead bytes further
/// on.
void LaneLowering::prefetchAhead(const Access &X, Value *Ahead, bool IsWrite) {
  prefetchLines(B, B.CreatePtrAdd(C.getAddress(X), Ahead),
                uint64_t(C.getLanes()) * getSizeInBytes(K.Buffers[X.Buf].Ty),
                IsWrite);
}

/// How many bytes further on the next row has what \p X reads or writes.
Value *LaneLowering::getNextRow(const Access &X) {
  return B.CreateMul(C.getPoly(*getStride(K, getOffset(K, X), Row->Ax)),
                     B.getInt64(getSizeInBytes(K.Buffers[X.Buf].Ty)));
}

/// What the loop \p N of a row is the first to write is asked for a little
/// ahead: further on, or of the next row where rows are short.
void LaneLowering::prefetchWritten(const Node &N) {
  for (auto [X, IsWrite] : getElements(K, N, Row->Ax)) {
    if (!IsWrite || isTouchedBefore(K, *Program, N, X->Buf))
      continue;
    Value *Near = B.getInt64(BytesAhead);
    Value *IsLong = B.CreateICmpUGT(
        B.CreateMul(getTrip(N.Ax),
                    B.getInt64(getSizeInBytes(K.Buffers[X->Buf].Ty))),
        Near);
    Value *IsLast = B.CreateICmpEQ(
        B.CreateAdd(C.AxisValues[Row->Ax], B.getInt64(1)), getTrip(Row->Ax));
    Value *Next = B.CreateSelect(IsLast, B.getInt64(0), getNextRow(*X));
    prefetchAhead(*X, B.CreateSelect(IsLong, Near, Next), /*IsWrite=*/true);
  }
}

/// The next row comes into the cache while one is worked on: where rows are a
/// page or more, prefetchers of the hardware stop at the end of each. (Not
/// where several rows are read at once: their lines have no room for more.)
void LaneLowering::prefetchRow(const Node &N) {
  unsigned Vectors = AlongRow ? Plan.AlongVectors : Plan.Vectors;
  if (!Row || !Program || Plan.Scalable ||
      C.getLanes() != Plan.VectorElems * Vectors)
    return;
  prefetchWritten(N);
  if (AlongRow || Row != Program || &getLongestPart(*Program, Plan) != &N)
    return;
  for (const auto &Child : Program->Children) {
    if (Child->K != Node::AxisNode)
      continue;
    C.AxisValues[Child->Ax] = C.AxisValues[N.Ax];
    for (auto [X, IsWrite] : getElements(K, *Child, Row->Ax))
      if (!IsWrite && !isTouchedBefore(K, *Program, *Child, X->Buf))
        prefetchAhead(*X, getNextRow(*X), /*IsWrite=*/false);
  }
}

/// The axis \p N in lanes itself or, in lanes of one around it or of one
/// inside, as a loop.
void LaneLowering::lowerLanesOf(const Node &N) {
  const Node *Child =
      N.Children.size() == 1 ? N.Children.front().get() : nullptr;
  bool IsLane = is_contained(Plan.Axes, N.Ax);
  if (Child && Child->K == Node::AxisNode &&
      ((IsLane && Plan.Blocked == Child->Ax) ||
       (Plan.Blocked == N.Ax && is_contained(Plan.Axes, Child->Ax))))
    return lowerBlocks(N);
  if (IsLane) {
    collectPrivate(N);
    SmallVector<LaneReduction, 2> Reductions;
    if (Plan.isShared(K, N.Ax))
      if (auto Known = getLaneReductions(K, N))
        Reductions = *Known;
    auto Body = [&] {
      Fetched.clear();
      AroundLanes = Row;
      lowerChildren(N);
      prefetchRow(N);
    };
    const LanePlan::Split *Rows = Plan.getSplit(N.Ax);
    Value *Trip = getTrip(N.Ax);
    bool InHalves = !AlongRow && runsInHalves(K, N.Ax, Plan);
    auto Lower = [&](Value *First, Value *End) {
      if (Rows)
        lowerRowBlocks(N, *Rows, First, End, InHalves);
      else
        lowerLanes(N.Ax, First, End, Reductions, Body);
    };
    if (auto Lookups = getLookups(K, N, Plan.Lookups); !Lookups.empty())
      return lowerLookups(N, Lookups, Lower);
    if (InHalves && !Rows)
      return lowerInHalves(N.Ax, Trip, Body);
    if (!AlongRow && !Rows && areRows(K, N, Plan) && mayRepeat(K, N, Plan))
      return lowerRowsTwice(N.Ax, Trip, Body);
    return Lower(B.getInt64(0), Trip);
  }
  if (C.inLanes() && lowerTransposed(N))
    return;
  const Node *Outer = std::exchange(Row, &N), *OuterProgram = Program;
  if (N.Children.size() > 1)
    Program = &N;
  ScalarLowering::lowerAxis(N);
  Row = Outer;
  Program = OuterProgram;
}

} // namespace dlopt
