//===- LaneRewrite.cpp - Kernels in lanes to calls ------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LaneStrategy.h"
#include "dlopt/CPUFeatures.h"
#include "dlopt/Expression.h"
#include "dlopt/GeneratedDebugInfo.h"
#include "dlopt/Identical.h"
#include "dlopt/MathModels.h"
#include "dlopt/Ranges.h"
#include "dlopt/Uses.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace dlopt;

/// Adds tests that an extent that depends on axes around it, each a few times,
/// is small where they are. False: it is something else.
static bool addDependentExtent(GuardEmitter &E, const Kernel &K,
                               const Poly &Extent) {
  constexpr int64_t MaxSteps = 16, MaxOffset = 1 << 16;
  Poly Fixed = Extent;
  for (auto [Id, A] : enumerate(K.Atoms))
    if (A.K == Atom::FloorDiv && Extent == Poly::atom(Id) &&
        A.Den.getConstant())
      return addDependentExtent(E, K, A.Num);
  for (auto [Id, A] : enumerate(K.Atoms))
    if (A.K == Atom::Axis && Fixed.uses(Id)) {
      std::optional<Poly> Steps = Fixed.coefficient(Id);
      std::optional<int64_t> Number =
          Steps ? Steps->getConstant() : std::nullopt;
      if (!Number || std::abs(*Number) > MaxSteps)
        return false;
      Fixed = Fixed.without(Id);
    }
  if (std::optional<int64_t> Number = Fixed.getConstant())
    return std::abs(*Number) <= MaxOffset;
  Value *V = E.getValue(Fixed);
  if (V)
    E.addSmall(V);
  return V;
}

/// Adds tests that arithmetic with the condition \p Ax does not wrap. False: it
/// is made of something else than a few products of two numbers.
static bool addCondition(GuardEmitter &E, const Kernel &K, const Axis &Ax) {
  constexpr int64_t MaxSteps = 1 << 16;
  constexpr size_t MaxTerms = 16;
  // Each term is below 2^58.
  for (const Poly &P : Ax.Extents) {
    for (const auto &[M, Coef] : P.terms()) {
      int64_t Most = M.size() < 2 ? MaxSteps : 1;
      if (M.size() > 2 || P.terms().size() > MaxTerms || Coef > Most ||
          Coef < -Most)
        return false;
      for (AtomId Id : M) {
        if (K.Atoms[Id].K == Atom::Axis)
          continue;
        Value *V =
            K.Atoms[Id].K == Atom::Param ? E.getValue(Poly::atom(Id)) : nullptr;
        if (!V)
          return false;
        E.addSmall(V);
      }
    }
  }
  return true;
}

/// Whether functions of the elements of rows of \p A are all in lanes along
/// these: one is worth it. (In lanes of rows, one has none.)
static bool hasMathAlong(const Kernel &K, const LanePlan &Plan, AxisId A) {
  bool Any = false, All = true;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId> Around) {
    if (!is_contained(Around, A) || Around.back() == A ||
        none_of(L.Ops, [&](const Op &O) { return isMathInLanes(O, Plan); }))
      return;
    bool IsAlong = any_of(
        Around, [&](AxisId X) { return X != A && is_contained(Plan.Axes, X); });
    Any |= IsAlong;
    All &= IsAlong;
  });
  return Any && All;
}

/// Whether inner loops read what lanes of \p A have apart element by element:
/// what is not transposed, under a mask.
static bool gathersInside(const Kernel &K, AxisId A) {
  bool Any = false;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId> Around) {
    if (!L.Predicate || Around.empty() || Around.back() == A ||
        !is_contained(Around, A))
      return;
    for (const Op &O : L.Ops) {
      if (O.K != Op::Load || K.Buffers[O.Acc.Buf].IsLocal)
        continue;
      std::optional<Poly> Step = getStride(K, getOffset(K, O.Acc), A);
      Any |= !Step || (!Step->isZero() && Step->getConstant() != 1);
    }
  });
  return Any;
}

/// Whether lanes of \p A, at \p N or below, read tables in registers.
static bool looksUp(const Kernel &K, const Node &N, AxisId A, uint32_t Rows) {
  if (N.K == Node::AxisNode && N.Ax == A)
    return !getLookups(K, N, Rows).empty();
  return any_of(N.Children,
                [&](const auto &Child) { return looksUp(K, *Child, A, Rows); });
}

/// Whether what lanes of \p A leave is a vector under a mask.
static bool isUnderMask(const LanePlan &Plan, AxisId A) {
  return Plan.MaskedRest && !Plan.Scalable && !Plan.getSplit(A);
}

/// The least number of iterations of the axis \p A of lanes that is worth a
/// call.
static uint64_t getLeast(const Kernel &K, const LanePlan &Plan, AxisId A) {
  constexpr unsigned WorthMask = 2, WorthMasks = 5, WorthWidth = 64,
                     WorthWidthInside = 32;
  if (Plan.OnlyWider && any_of(K.Root.Children, [&](const auto &N) {
        return N->K == Node::AxisNode && N->Ax == A;
      }))
    return WorthWidth;
  if (Plan.OnlyWider)
    return WorthWidthInside;
  if (looksUp(K, K.Root, A, Plan.Lookups))
    return LeastLookups;
  if (Plan.getSplit(A) && hasMathAlong(K, Plan, A))
    return 1;
  uint64_t OfMath = callsFastFunctions(K, Plan) ? LeastOfFastFunctions : 0;
  if (!isUnderMask(Plan, A))
    return Plan.LeastRows ? Plan.LeastRows
                          : std::max<uint64_t>(Plan.VectorElems, OfMath);
  // A gather takes as long for a few elements as for all.
  uint64_t OfGather = gathersInside(K, A) ? Plan.VectorElems / 2 : 0;
  // Each loop computes a whole vector.
  return std::max<uint64_t>(
      {Plan.Axes.size() > 1 ? WorthMasks : WorthMask, OfMath, OfGather});
}

bool dlopt::areTooShort(const Kernel &K, const LanePlan &Plan) {
  if (Plan.LongSearch || Plan.OnlyStreams)
    return false;
  return any_of(Plan.Axes, [&](AxisId A) {
    const auto Least = static_cast<__int128>(getLeast(K, Plan, A));
    return K.hasFixedExtents(A) &&
           any_of(K.Axes[A].Extents,
                  [&](const Poly &P) { return getRange(K, P, {}).Hi < Least; });
  });
}

bool dlopt::mayBeFewRows(const Kernel &K, const LanePlan &Plan) {
  return any_of(Plan.Axes, [&](AxisId A) {
    const auto Least = static_cast<__int128>(getLeast(K, Plan, A));
    bool AreRows = false;
    forEachLeaf(K.Root, [&](const Leaf &, ArrayRef<AxisId> Around) {
      AreRows |= is_contained(Around, A) && Around.back() != A;
    });
    return AreRows && K.hasFixedExtents(A) &&
           any_of(K.Axes[A].Extents,
                  [&](const Poly &P) { return getRange(K, P, {}).Lo < Least; });
  });
}

/// The rounds of the loops of \p Axes together; null if that is not known in
/// front of the nest.
static Value *emitRounds(GuardEmitter &E, ArrayRef<AxisId> Axes) {
  Value *Rounds = E.builder().getInt64(1);
  for (AxisId A : Axes) {
    Value *Extent = E.getExtent(A);
    if (!Extent)
      return nullptr;
    Rounds = E.builder().CreateMul(Rounds, Extent);
  }
  return Rounds;
}

/// The rounds of the innermost loops of \p N, all together, where the loops
/// around have \p Around; of loops that have as many only those of the first.
/// Null: not known. \p Depth: of loops.
static Value *emitRounds(GuardEmitter &E, const Kernel &K, const Node &N,
                         Value *Around, unsigned &Depth) {
  IRBuilderBase &B = E.builder();
  if (N.K == Node::AxisNode && K.hasFixedExtents(N.Ax)) {
    Value *Extent = E.getExtent(N.Ax);
    if (!Extent)
      return nullptr;
    Around = B.CreateMul(Around, Extent);
    ++Depth;
  }
  Value *Inside = nullptr;
  SmallVector<AxisId, 4> Seen;
  unsigned Most = Depth;
  for (const auto &Child : N.Children) {
    if (Child->K != Node::AxisNode || any_of(Seen, [&](AxisId A) {
          return K.Axes[A].Extents == K.Axes[Child->Ax].Extents;
        }))
      continue;
    Seen.push_back(Child->Ax);
    unsigned Own = Depth;
    Value *Rounds = emitRounds(E, K, *Child, Around, Own);
    if (!Rounds)
      return nullptr;
    Most = std::max(Most, Own);
    Inside = Inside ? B.CreateAdd(Inside, Rounds) : Rounds;
  }
  Depth = Most;
  return Inside ? Inside : Around;
}

/// Whether \p Extent rows of \p A, fewer than are worth it in any case, are as
/// they are long: two chains that run at the same time are worth the way into
/// lanes from some hundreds of elements on. Null: they are not.
static Value *emitFewRowsTest(GuardEmitter &E, const Kernel &K, AxisId A,
                              Value *Extent, const LanePlan &Plan) {
  constexpr uint64_t LeastRows = 2, LeastElements = 256;
  if (!Plan.TakesFewRows || !runsInHalves(K, A, Plan))
    return nullptr;
  unsigned Depth = 0;
  IRBuilderBase &B = E.builder();
  Value *Elements = emitRounds(E, K, K.Root, B.getInt64(1), Depth);
  return Elements
             ? B.CreateAnd(B.CreateICmpSGE(Extent, B.getInt64(LeastRows)),
                           B.CreateICmpUGE(Elements, B.getInt64(LeastElements)))
             : nullptr;
}

/// How far apart loops inside of lanes of \p A store what the nest also reads,
/// from round to round; 0 if that is not known.
static SmallVector<Poly, 2> getStoredRows(const Kernel &K, AxisId A) {
  SmallVector<Poly, 2> Rows;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId> Around) {
    const AxisId *Lanes = find(Around, A);
    if (Lanes == Around.end())
      return;
    for (const Assign &S : L.Assigns)
      if (!K.Buffers[S.Target.Buf].IsLocal && isRead(K, S.Target.Buf))
        for (AxisId Inside : make_range(Lanes + 1, Around.end()))
          if (K.dependsOn(S.Target, Inside))
            Rows.push_back(
                getStride(K, getOffset(K, S.Target), Inside).value_or(Poly()));
  });
  return Rows;
}

/// Whether no load has to wait until stores under a mask are in the cache:
/// \p Extent lanes of \p A fill a vector, or that does not reach into the next
/// row that is stored. Null: nothing is stored so.
static Value *emitForwardsTest(GuardEmitter &E, const Kernel &K, AxisId A,
                               Value *Extent, const LanePlan &Plan) {
  SmallVector<Poly, 2> Rows = getStoredRows(K, A);
  if (!isUnderMask(Plan, A) || Rows.empty())
    return nullptr;
  IRBuilderBase &B = E.builder();
  // What is read back at once is late, too, which lanes have to make up for.
  constexpr uint64_t WorthLatency = 4;
  Value *Whole = B.getInt64(Plan.VectorElems);
  Value *Apart =
      B.CreateICmpSGE(Extent, B.getInt64(Plan.VectorElems / WorthLatency));
  for (const Poly &Row : Rows) {
    Value *Pitch = K.isFixed(Row) ? E.getValue(Row) : nullptr;
    Apart = Pitch ? B.CreateAnd(Apart, B.CreateICmpSGE(Pitch, Whole))
                  : B.getFalse();
  }
  return B.CreateOr(B.CreateICmpSGE(Extent, Whole), Apart);
}

/// \p Extent, of the axis \p A of lanes, fills a vector or is worth a mask, or
/// the search inside is worth its own lanes; or there is nothing to do but in
/// the loops beside it.
static bool emitWorthTest(GuardEmitter &E, const Kernel &K, AxisId A,
                          Value *Extent, const LanePlan &Plan) {
  uint64_t Least = getLeast(K, Plan, A);
  Value *Long = Plan.LongSearch ? E.getExtent(*Plan.LongSearch) : nullptr;
  if (Plan.LongSearch && !Long)
    return false;
  IRBuilderBase &B = E.builder();
  if (Plan.OnlyStreams) {
    E.addCondition(B.CreateICmpSGE(
        Extent, B.getInt64(getLeastStreamed(K, Plan.StreamBytes,
                                            getStreams(K, Plan.Axes[0])))));
    return true;
  }
  Value *Worth = B.CreateICmpSGE(Extent, B.getInt64(Least));
  if (Value *Few = emitFewRowsTest(E, K, A, Extent, Plan))
    Worth = B.CreateOr(Worth, Few);
  if (Value *Forwards = emitForwardsTest(E, K, A, Extent, Plan))
    Worth = B.CreateAnd(Worth, Forwards);
  if (hasLeafBeside(K.Root, A))
    Worth = B.CreateOr(Worth, B.CreateICmpEQ(Extent, B.getInt64(0)));
  if (Long)
    Worth = B.CreateOr(Worth, B.CreateICmpSGE(Long, B.getInt64(LongRow)));
  E.addCondition(Worth);
  Value *Short = Plan.ShortRows ? E.getExtent(*Plan.ShortRows) : nullptr;
  if (Plan.ShortRows && !Short)
    return false;
  if (Short)
    E.addCondition(B.CreateICmpSLE(Short, B.getInt64(MostShared)));
  return true;
}

/// Extents are no such numbers that arithmetic with them wraps. Loops that are
/// shorter than a vector stay as they are, unless a part of one does.
static Verdict emitExtentTests(GuardEmitter &E, const Kernel &K, const Node &N,
                               const LanePlan &Plan) {
  if (N.K == Node::AxisNode && K.Axes[N.Ax].isCondition()) {
    if (!addCondition(E, K, K.Axes[N.Ax]))
      return {Reason::NotInvariant, nullptr, ""};
  } else if (N.K == Node::AxisNode && !K.hasFixedExtents(N.Ax)) {
    if (!all_of(K.Axes[N.Ax].Extents,
                [&](const Poly &P) { return addDependentExtent(E, K, P); }))
      return {Reason::NotInvariant, nullptr, ""};
  } else if (N.K == Node::AxisNode) {
    Value *Extent = E.getExtent(N.Ax);
    if (!Extent)
      return {Reason::NotInvariant, nullptr, ""};
    E.addSmall(Extent);
    if (is_contained(Plan.Axes, N.Ax) &&
        !emitWorthTest(E, K, N.Ax, Extent, Plan))
      return {Reason::NotInvariant, nullptr, ""};
  }
  for (const auto &Child : N.Children)
    if (Verdict Why = emitExtentTests(E, K, *Child, Plan); !Why.ok())
      return Why;
  return {E.isKnownToFail() ? Reason::TooSmall : Reason::Ok, nullptr, ""};
}

/// Adds the test that there are \p Least rounds.
static bool addRoundsTest(GuardEmitter &E, Value *Rounds, uint64_t Least) {
  if (Rounds)
    E.addCondition(
        E.builder().CreateICmpUGE(Rounds, E.builder().getInt64(Least)));
  return Rounds;
}

/// Nests of few rounds are done before a call has begun, unless functions are
/// computed; tiles of a transpose also ask how its rows lie.
static bool emitNestTest(GuardEmitter &E, const Kernel &K,
                         const LanePlan &Plan) {
  constexpr uint64_t LeastRounds = 32, LeastWiderRounds = 128, LeastTile = 256,
                     LeastKnownTile = 64;
  if (Plan.Blocked) {
    bool IsKnown = true;
    SmallVector<AxisId, 2> Tile = {Plan.Axes.front(), *Plan.Blocked};
    for (AxisId A : Tile)
      IsKnown &= all_of(K.Axes[A].Extents, [](const Poly &P) {
        return P.getConstant().has_value();
      });
    return addRoundsTest(E, emitRounds(E, Tile),
                         IsKnown ? LeastKnownTile : LeastTile);
  }
  bool HasFunctions = false;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    HasFunctions |= any_of(L.Ops, [&](const Op &O) {
      return (O.K == Op::LibCall && !isRoot(O)) || getInlineMath(O, Plan);
    });
  });
  if (HasFunctions)
    return true;
  unsigned Depth = 0;
  Value *Rounds = emitRounds(E, K, K.Root, E.builder().getInt64(1), Depth);
  return Depth < 2 ||
         addRoundsTest(E, Rounds,
                       Plan.OnlyWider ? LeastWiderRounds : LeastRounds);
}

Verdict dlopt::emitLaneTests(GuardEmitter &E, const Kernel &K,
                             const LanePlan &Plan,
                             SmallVectorImpl<Value *> &Inputs) {
  // Few arrays are that large, or given for two pointers.
  if (Plan.OnlyStreams ||
      any_of(K.Needs, [](const Need &N) { return N.K == Need::Same; }))
    E.expectOriginal();
  if (!E.addSame())
    return {Reason::NotInvariant, nullptr, ""};
  // One comparison is all that other arrays wait for.
  E.startBlock();
  if (Plan.OnlyVariants)
    E.addCondition(hasCPUFeatures(E.builder(), Plan.CPUFeatures));
  if (Verdict Why = emitExtentTests(E, K, K.Root, Plan); !Why.ok())
    return Why;
  if (!Plan.OnlyStreams && !Plan.PerThread && !emitNestTest(E, K, Plan))
    return {Reason::NotInvariant, nullptr, ""};
  if (E.isKnownToFail())
    return {Reason::TooSmall, nullptr, ""};
  E.startBlock();
  LaneInputs In = getLaneInputs(K);
  for (BufferId Id : In.Buffers)
    Inputs.push_back(E.getPointer(Id));
  for (ParamId Id : In.Params)
    Inputs.push_back(E.getParam(Id));
  if (is_contained(Inputs, nullptr) ||
      (Plan.PerThread && !addAlignmentTests(E, K, Plan)) || !E.addNeeds())
    return {Reason::NotInvariant, nullptr, ""};
  addLibraryTests(E, K, Plan);
  return {E.isKnownToFail() ? Reason::GuardFails : Reason::Ok, nullptr, ""};
}

CallInst *dlopt::emitLanes(GuardedRegion &Region, const Kernel &K,
                           const LanePlan &Plan, ArrayRef<LaneVariant> Variants,
                           ArrayRef<Value *> Inputs, Function &F,
                           const DebugLoc &Loc) {
  IRBuilder<> B(Region.Fast->getTerminator());
  B.SetCurrentDebugLocation(getCallLoc(F, Loc));
  Function *Callee = getOrCreateLanes(K, Plan, F, Variants, Loc);
  SmallVector<Value *, 12> Args(Inputs);
  std::optional<GeneralFunction> General;
  if (Callee->use_empty()) {
    // Two arrays have a guard of their own in front of this one.
    General = reuseGeneral(Callee, any_of(K.Needs, [](const Need &N) {
                             return N.K == Need::Same;
                           }));
    if (!General)
      replaceCases(*Callee);
  }
  if (General) {
    Callee = General->F;
    addSite(*Callee, {F, K.Kind, Loc});
    Args = to_vector<12>(
        map_range(General->Args, [&](unsigned I) { return Inputs[I]; }));
  }
  CallInst *Call = B.CreateCall(Callee, Args);
  Call->setCallingConv(Callee->getCallingConv());
  return Call;
}
