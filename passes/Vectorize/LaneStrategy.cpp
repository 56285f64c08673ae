//===- LaneStrategy.cpp - Which axes become lanes -------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LaneStrategy.h"
#include "Dispatch.h"
#include "LaneChooser.h"
#include "LoopProfit.h"
#include "dlopt/Dependences.h"
#include "dlopt/MathModels.h"
#include "dlopt/Options.h"
#include "dlopt/Raise.h"
#include "dlopt/Target.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instruction.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace dlopt;

/// Whether there are local arrays.
static bool hasArrays(const Kernel &K, const Node &N) {
  return any_of(N.Locals,
                [&](BufferId Id) { return !K.Buffers[Id].Shape.empty(); }) ||
         any_of(N.Children,
                [&](const auto &Child) { return hasArrays(K, *Child); });
}

/// Vectors that are computed together: all their states are in registers.
static unsigned getVectors(const Candidate &C, unsigned NumRegs) {
  unsigned Room = NumRegs / 2 / std::max(C.State, 1u);
  return std::clamp(bit_floor(Room), 1u, 4u);
}

/// Fills in \p Plan for scalable vectors, unless \p Fixed, the way for fixed
/// ones, is another one.
static bool chooseScalable(Kernel &K, TargetModel Target, const Options &O,
                           const std::optional<Candidate> &Fixed,
                           LanePlan &Plan) {
  Plan.Scalable = true;
  Target.HasMaskedLoads = Target.HasMaskedMemory = true;
  std::optional<Candidate> C =
      LaneChooser(K, Target, Plan, O.FastFP).pick(K.Root);
  Plan.Scalable = C && C->HasGain && (!Fixed || Fixed->Axes == C->Axes);
  if (!Plan.Scalable)
    return false;
  adoptNeeds(K, std::move(C->Needs));
  Plan.Axes = C->Axes;
  Plan.VectorElems = Target.ScalableBits / (8 * C->Bytes);
  Plan.Vectors = getVectors(*C, Target.NumScalableRegs);
  Plan.MaskedRest = true;
  Plan.Math.VectorBits = Target.ScalableBits;
  return true;
}

/// A call that saves no vector registers, and no instruction with a rare call.
static bool isSlowCall(const Op &O, const LanePlan &Plan) {
  if (O.K == Op::LibCall)
    return !isRoot(O) && !isMathInLanes(O, Plan);
  return O.K == Op::Intrinsic && getMathFunction(O) && !isMathInLanes(O, Plan);
}

bool dlopt::callsLibrary(const Kernel &K, const LanePlan &Plan) {
  bool Any = false;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    Any |= any_of(L.Ops, [&](const Op &O) { return isSlowCall(O, Plan); });
  });
  return Any;
}

static bool callsByElement(const Node &N, const LanePlan &Plan, bool InLanes) {
  bool HasLanes = N.K == Node::AxisNode && is_contained(Plan.Axes, N.Ax),
       IsInnermost = all_of(
           N.Children, [](const auto &C) { return C->K == Node::LeafNode; });
  return any_of(enumerate(N.Children), [&](const auto &Numbered) {
    const auto &[Number, Child] = Numbered;
    bool Are = InLanes || (HasLanes && runsInLanes(Plan.Splits, N, Number));
    if (Child->K != Node::LeafNode)
      return callsByElement(*Child, Plan, Are);
    return IsInnermost && any_of(Child->L.Ops, [&](const Op &O) {
             return O.K == Op::LibCall && !isRoot(O) &&
                    !(Are && isMathInLanes(O, Plan));
           });
  });
}

bool dlopt::callsByElement(const Kernel &K, const LanePlan &Plan) {
  return ::callsByElement(K.Root, Plan, /*InLanes=*/false);
}

/// Whether all that lanes of \p A share below \p N are extremes of integers:
/// the oldest vectors have no instruction for most of them.
static bool sharesIntegers(const Kernel &K, const Node &N, AxisId A) {
  if (N.K != Node::AxisNode || N.Ax != A)
    return any_of(N.Children, [&](const auto &Child) {
      return sharesIntegers(K, *Child, A);
    });
  auto Shared = getLaneReductions(K, N);
  return Shared && !Shared->empty() && all_of(*Shared, [&](const auto &R) {
           return R.How == LaneReduction::Choice &&
                  !isFloat(K.Buffers[R.State].Ty);
         });
}

/// Whether \p C, whose loops LLVM vectorizes, too, gains by wider vectors. Of
/// loops over one row each gains by itself. Integers do where sums of them are
/// unrolled: the oldest vectors neither extend bytes nor multiply 32 bits.
static bool gainsByWidth(const Kernel &K, const Candidate &C) {
  bool HasMore = count_if(K.Root.Children, [](const auto &N) {
                   return N->K == Node::AxisNode;
                 }) != 1;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    HasMore |= any_of(L.Ops, [](const Op &O) { return O.K == Op::LibCall; });
  });
  return !HasMore && C.WholeLoads && C.WholeStores && C.Splits.empty() &&
         all_of(C.Axes, [&](AxisId A) {
           return K.Axes[A].R == Role::Parallel ? computes(K) || C.IsUnrolled
                                                : sharesIntegers(K, K.Root, A);
         });
}

unsigned dlopt::countMathOutside(const Node &N, const LanePlan &Plan,
                                 const std::optional<Candidate> &C) {
  if (C && N.K == Node::AxisNode && is_contained(C->Axes, N.Ax))
    return 0;
  // Beside loops, once a row, calls are cheap.
  bool HasLoops =
      any_of(N.Children, [](const auto &X) { return X->K != Node::LeafNode; });
  unsigned Count = 0;
  for (const auto &Child : N.Children)
    if (Child->K != Node::LeafNode)
      Count += countMathOutside(*Child, Plan, C);
    else if (!HasLoops)
      Count += count_if(Child->L.Ops,
                        [&](const Op &O) { return getMathModel(O, Plan); });
  return Count;
}

/// \p C for \p K with what its chains store in loops in front of them, if that
/// gains anything.
static void runStoresAhead(Kernel &K, const TargetModel &Target,
                           const LanePlan &Plan, const Options &O,
                           std::optional<Candidate> &C) {
  if (!hasChainOfRow(K, K.Root))
    return;
  Kernel Trial;
  copyKernel(K, Trial);
  if (!storeAhead(Trial, Plan))
    return;
  std::optional<Candidate> Ahead =
      LaneChooser(Trial, Target, Plan, O.FastFP).pick(Trial.Root);
  if (!Ahead || !Ahead->HasGain || Ahead->WritesRows ||
      (none_of(Ahead->Splits, [](const auto &S) { return S.beginsByRows(); }) &&
       countMathOutside(Trial.Root, Plan, *Ahead) >=
           countMathOutside(K.Root, Plan, C)))
    return;
  K = std::move(Trial);
  C = std::move(Ahead);
}

bool dlopt::isFastFunction(const Op &O, const LanePlan &Plan) {
  const MathModel *Model = getMathModel(O, Plan);
  return Model && Model->Window > 0;
}

bool dlopt::callsFastFunctions(const Kernel &K, const LanePlan &Plan) {
  bool Any = false;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    Any |= any_of(L.Ops, [&](const Op &O) { return isFastFunction(O, Plan); });
  });
  return Any;
}

/// What sums of such functions need to fill blocks; false: they certainly do
/// not.
static bool needLongSums(const Kernel &K, const LanePlan &Plan,
                         std::vector<Need> &Needs) {
  constexpr int64_t Least = LeastOfFastFunctions;
  bool AreLong = true;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId> Around) {
    if (Around.empty() || K.Axes[Around.back()].R == Role::Parallel ||
        !K.hasFixedExtents(Around.back()) ||
        none_of(L.Ops, [&](const Op &O) { return isFastFunction(O, Plan); }))
      return;
    for (const Poly &Extent : K.Axes[Around.back()].Extents)
      if (std::optional<int64_t> Known = Extent.getConstant())
        AreLong &= *Known >= Least;
      else
        Needs.push_back(getAtLeast(Extent, Least));
  });
  return AreLong;
}

/// Sets in \p Plan whether all functions of \p K that have models are in lanes,
/// of blocks if need be, which \p K has then. Those that are not are called.
static void takeModels(Kernel &K, const TargetModel &Target, const Options &O,
                       bool NearCalls, LanePlan &Plan) {
  // Calls that set errno to different values are in no axis of lanes.
  if (!Plan.Models || !countMathOutside(K.Root, Plan, std::nullopt)) {
    Plan.Models = false;
    return;
  }
  auto Pick = [&](const Kernel &X) {
    return LaneChooser(X, Target, Plan, O.FastFP, NearCalls).pick(X.Root);
  };
  std::optional<Candidate> C = Pick(K);
  if (!countMathOutside(K.Root, Plan, C))
    return;
  Kernel Trial;
  copyKernel(K, Trial);
  runStoresAhead(Trial, Target, Plan, O, C);
  if (!countMathOutside(Trial.Root, Plan, C))
    return;
  Kernel Blocks;
  copyKernel(K, Blocks);
  auto HasModel = [&](const Op &X) { return getMathModel(X, Plan) != nullptr; };
  std::vector<Need> Needs;
  Plan.Models = needLongSums(K, Plan, Needs) &&
                separateCalls(Blocks, HasModel) &&
                !countMathOutside(Blocks.Root, Plan, Pick(Blocks));
  if (Plan.Models) {
    Plan.SeparatesCalls = true;
    append_range(Blocks.Needs, std::move(Needs));
    K = std::move(Blocks);
  }
}

/// Whether two buffers are one pointer, which no test tells apart.
static bool sharesPointers(const Kernel &K) {
  DenseSet<const Value *> Seen;
  return any_of(K.Buffers, [&](const Buffer &B) {
    return !B.IsLocal && B.Bound && !Seen.insert(B.Bound).second;
  });
}

/// How \p Plan runs what whole vectors leave.
static void setRest(const Kernel &K, const TargetModel &Target,
                    const Candidate &C, LanePlan &Plan) {
  // Where masked stores are slow, math functions one by one are slower.
  // Parts of rows are whole vectors or none.
  bool Pays =
      C.HasMath && (!C.Splits.empty() || (C.WholeLoads && C.WholeStores));
  Plan.MaskedRest = (Target.HasMaskedMemory || Pays) && C.Maskable &&
                    (C.Splits.empty() ? !C.Transposes : C.HasMath);
  if (Plan.MaskedRest && !C.HasMath && goesOnInMemory(K, Plan.Axes)) {
    constexpr unsigned LeastVector = 4;
    Plan.MaskedRest = false;
    Plan.RestElems = std::min(LeastVector, Plan.VectorElems);
  }
  if (Plan.MaskedRest && !Target.HasMaskedMemory)
    Plan.RestElems = Plan.VectorElems;
}

/// Halves the vectors of \p Plan that are longer than one of its loops, down to
/// 128 bits: the four gates of a cell are no less than a vector.
static void fitShortLoops(const Kernel &K, unsigned Bytes, LanePlan &Plan) {
  constexpr unsigned LeastBits = 128;
  for (AxisId A : Plan.Axes)
    while (K.Axes[A].R == Role::Parallel && !Plan.MaskedRest &&
           Plan.VectorElems * 8 * Bytes > LeastBits &&
           getRounds(K, A).value_or(UINT64_MAX) < Plan.VectorElems)
      Plan.VectorElems /= 2;
  Plan.RestElems = std::min(Plan.RestElems, Plan.VectorElems);
}

/// The size of the widest element that \p K reads or writes.
static unsigned getElementBytes(const Kernel &K) {
  unsigned Bytes = 1;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Op &O : L.Ops)
      if (O.K == Op::Load)
        Bytes = std::max(Bytes, getSizeInBytes(O.Ty));
    for (const Assign &A : L.Assigns)
      Bytes = std::max(Bytes, getSizeInBytes(K.Buffers[A.Target.Buf].Ty));
  });
  return Bytes;
}

/// Adds to \p C what its blocks need to have squares at all: loops of three
/// channels are faster as they are.
static void needSquares(const Kernel &K, Candidate &C) {
  constexpr int64_t LeastSide = 4;
  for (AxisId A : {C.Axes.front(), *C.Blocked})
    for (const Poly &Extent : K.Axes[A].Extents)
      if (!Extent.getConstant())
        C.Needs.push_back(getAtLeast(Extent, LeastSide));
}

/// In what order blocks run.
static void setBlocks(const TargetModel &Target, uint64_t StackLimit,
                      LanePlan &Plan) {
  // Through a buffer all is stored twice. A core whose stores are narrower than
  // its vectors has no room for that beside what it waits for.
  bool MayStoreTwice = Target.StoresPerCycle >= 1;
  bool IsLarge = Target.L2 >= LeastStripCache;
  Plan.StripLines = IsLarge ? 2 : 0;
  // Strips and bands are as fast as a buffer that is most of a cache.
  Plan.Buffered =
      (IsLarge ? Target.L1 >= 2 * LaneBufferBytes : MayStoreTwice) &&
      StackLimit >= LaneBufferBytes;
}

Verdict dlopt::chooseLanes(Kernel &K, const TargetModel &Target,
                           const Options &O, const Function &F,
                           LanePlan &Plan) {
  if (!O.runs(Transformation::Lanes) ||
      (!Plan.SeparatesCalls && hasArrays(K, K.Root)))
    return {Reason::NoStrategy, nullptr, ""};
  if (Target.IsNVPTX)
    return chooseThreadVectors(K, Target, O, F, Plan);
  static_cast<MathPlan &>(Plan) = getMathPlan(F, Target, O);
  Plan.RowByRow |= !O.runs(Transformation::RowLanes);
  Plan.Lookups = sharesPointers(K) ? 0 : Target.Lookups;
  // Iterators and functions make several functions of what is one later.
  bool NearCalls = !O.FastFP && isRowOnly(K) && usesLibrary(*F.getParent());
  takeModels(K, Target, O, NearCalls, Plan);
  // What is in lanes is no call.
  NearCalls &= !Plan.Models;
  Plan.SeparatesCalls |=
      separateCalls(K, [&](const Op &X) { return isSlowCall(X, Plan); });
  std::optional<Candidate> C =
      LaneChooser(K, Target, Plan, O.FastFP, NearCalls).pick(K.Root);
  if (!C || !C->HasGain || C->WritesRows || countMathOutside(K.Root, Plan, C))
    runStoresAhead(K, Target, Plan, O, C);
  // Wider vectors than LLVM's are faster than these in any case.
  std::optional<AxisId> ShortRows;
  if (C && C->ShortRows && !Plan.ScalarOtherwise &&
      !mayWiden(F, O, Target.VectorBits)) {
    ShortRows = C->ShortRows;
    C->HasGain = getRounds(K, *ShortRows).value_or(0) <= MostShared;
    C->IsUnrolled |= !C->HasGain;
  }
  if (C && Plan.ScalarOtherwise && !C->HasGain)
    C->HasGain = Plan.OnlyVectors =
        C->WholeLoads && C->WholeStores && computes(K) &&
        any_of(C->Axes,
               [&](AxisId A) { return K.Axes[A].R == Role::Parallel; });
  setStreams(K, Target, O, F, C, Plan);
  if (C && !C->HasGain && O.runs(Transformation::Widening) &&
      gainsByWidth(K, *C))
    Plan.OnlyWider |= mayWiden(F, O, Target.VectorBits);
  Plan.OnlyStreams &= !Plan.OnlyWider;
  Reason Why = Reason::NoStrategy;
  if (C && !C->HasGain && !Plan.OnlyStreams && !Plan.OnlyWider) {
    bool IsWhole = C->WholeLoads && C->WholeStores;
    if (IsWhole || C->IsUnrolled)
      Why = Reason::NoGain;
    // LLVM vectorizes nothing of what is generated.
    if (!IsWhole || !Plan.SeparatesCalls)
      C = std::nullopt;
  }
  if (Target.ScalableBits && O.Scalable.value_or(Target.PrefersScalable) &&
      chooseScalable(K, Target, O, C, Plan))
    return {};
  if (!C && !Plan.SeparatesCalls)
    return {Why, nullptr, ""};
  if (!Target.NoSIMD.empty())
    return {Reason::NoTargetSupport, nullptr, Target.NoSIMD.str()};
  if (!C)
    return {};
  if (C->Blocked)
    needSquares(K, *C);
  adoptNeeds(K, std::move(C->Needs));
  Plan.Axes = C->Axes;
  Plan.Blocked = C->Blocked;
  Plan.LongSearch = C->LongSearch;
  Plan.ShortRows = ShortRows;
  if (C->Blocked) {
    setBlocks(Target, getStackLimit(F, O), Plan);
    // What is moved alone takes no more room than it has in memory.
    if (!computes(K))
      C->Bytes = getElementBytes(K);
  }
  Plan.Splits = C->Splits;
  // Those take most of the time, and are scalar code. Functions in lanes do
  // themselves.
  bool IsPlain = callsLibrary(K, Plan) || (NearCalls && callsLibraryBeside(F));
  unsigned Bits = IsPlain ? Target.PlainBits : Target.VectorBits;
  constexpr unsigned PartBits = 128;
  Plan.VectorElems = Bits / (8 * C->Bytes);
  Plan.Vectors = getVectors(*C, Target.NumVectorRegs);
  // A core has operations of several rounds in flight, and one more vector is
  // as much code again: two of 256 or 512 bits take as long as four.
  if (Bits > PartBits && computesModels(K.Root, Plan))
    Plan.Vectors = std::min(Plan.Vectors, 2u);
  setRest(K, Target, *C, Plan);
  fitShortLoops(K, C->Bytes, Plan);
  if (C->Transposes)
    setRows(K, Target, *C, Plan);
  // Narrower vectors are not faster than the prefetchers of the hardware.
  Plan.FetchesAhead = Target.VectorBits > PartBits && !C->Blocked &&
                      (C->Transposes || C->Searches);
  return {areTooShort(K, Plan) ? Reason::TooSmall : Reason::Ok, nullptr, ""};
}

/// Whether sums have another order; what is found has none, nor have integers.
static bool sharesSums(const Kernel &K, const Node &N, const LanePlan &Plan) {
  if (N.K == Node::AxisNode && Plan.isShared(K, N.Ax))
    if (auto Shared = getLaneReductions(K, N);
        Shared && any_of(*Shared, [&](const LaneReduction &R) {
          return isFloat(K.Buffers[R.State].Ty);
        }))
      return true;
  return any_of(N.Children,
                [&](const auto &Child) { return sharesSums(K, *Child, Plan); });
}

StringRef dlopt::getTier(const Kernel &K, const LanePlan &Plan) {
  bool Approximates = false, Rounds = false;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Op &O : L.Ops) {
      Approximates |= getInlineMath(O, Plan).has_value();
      Rounds |= Plan.Accuracy == MathAccuracy::Correct && getMathModel(O, Plan);
    }
  });
  if (sharesSums(K, K.Root, Plan))
    return "reassociated";
  return Approximates ? "approximated" : Rounds ? "correct" : "exact";
}
