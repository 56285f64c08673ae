//===- LaneRows.cpp - What lanes do one after the other -------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A row program begins with sums and maxima of a row, whose order the lanes of
/// several rows keep, and ends with what writes a row: along the row, where its
/// elements are neighbours, or in the order of the source, where functions of
/// the library may set errno.
///
//===----------------------------------------------------------------------===//
#include "BlockUtils.h"
#include "LaneLower.h"
#include "dlopt/KernelEdit.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Uses.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace dlopt {

/// The type of an element of the local \p Buf in memory: a bit has none.
Type *LaneLowering::getMemoryType(BufferId Buf) {
  ScalarType Ty = K.Buffers[Buf].Ty;
  return Ty == ScalarType::I1 ? B.getInt8Ty() : getIRType(Ty, B.getContext());
}

/// The parts of \p N, and memory for what one of them leaves to another one.
LaneLowering::RowParts LaneLowering::getParts(const Node &N,
                                              const LanePlan::Split &Rows,
                                              unsigned Most) {
  RowParts Result;
  SmallVector<unsigned, 5> Ends(Rows.Ends.begin(), Rows.Ends.end());
  Ends.push_back(N.Children.size());
  unsigned From = 0;
  for (auto [Turn, To] : enumerate(Ends)) {
    if (From != To)
      Result.Parts.push_back({From, To, /*ByRow=*/Turn % 2 == 0});
    From = To;
  }
  Function &F = *B.GetInsertBlock()->getParent();
  for (BufferId Buf : N.Locals) {
    auto IsIn = [&](const RowPart &P) {
      return any_of(ArrayRef(N.Children).slice(P.From, P.To - P.From),
                    [&](const auto &X) { return uses(K, *X, Buf); });
    };
    if (K.Buffers[Buf].Shape.empty() && count_if(Result.Parts, IsIn) > 1)
      Result.Memory.push_back(
          {Buf, C.createLocal(F, Buf,
                              FixedVectorType::get(getMemoryType(Buf), Most))});
  }
  return Result;
}

/// Calls \p Do for what \p P shares: reads, if a part in front assigns it, or
/// else writes, if it assigns what a part behind uses.
void LaneLowering::forEachShared(
    const Node &N, const RowParts &Parts, const RowPart &P, bool Reads,
    function_ref<void(BufferId, AllocaInst *)> Do) {
  auto Children = ArrayRef(N.Children);
  auto Own = Children.slice(P.From, P.To - P.From);
  for (const auto &Shared : Parts.Memory) {
    BufferId Buf = Shared.first;
    auto Assigns = [&](const auto &X) { return assigns(*X, Buf); };
    auto Uses = [&](const auto &X) { return uses(K, *X, Buf); };
    if (Reads
            ? any_of(Children.take_front(P.From), Assigns) && any_of(Own, Uses)
            : any_of(Own, Assigns) && any_of(Children.drop_front(P.To), Uses))
      Do(Buf, Shared.second);
  }
}

/// Element \p Row of \p Memory becomes the local \p Buf.
void LaneLowering::readElement(BufferId Buf, AllocaInst *Memory, Value *Row) {
  Type *Elem = getMemoryType(Buf),
       *Ty = getIRType(K.Buffers[Buf].Ty, B.getContext());
  if (DLOPT_PLANTED(FirstRowForAll))
    Row = B.getInt64(0);
  Value *V = B.CreateLoad(Elem, B.CreateGEP(Elem, Memory, Row));
  B.CreateStore(V->getType() == Ty ? V : B.CreateTrunc(V, Ty), C.Locals[Buf]);
}

void LaneLowering::writeElement(BufferId Buf, AllocaInst *Memory, Value *Row) {
  Type *Elem = getMemoryType(Buf);
  Value *V =
      B.CreateLoad(getIRType(K.Buffers[Buf].Ty, B.getContext()), C.Locals[Buf]);
  B.CreateStore(V->getType() == Elem ? V : B.CreateZExt(V, Elem),
                B.CreateGEP(Elem, Memory, Row));
}

/// Computes quotients of the number of the row \p N that is run by itself, and
/// that \p Part of it asks for: LLVM moves no division out of a loop that may
/// not run. Returns them.
SmallVector<AtomId, 2> LaneLowering::computeQuotientsOfRow(const Node &N,
                                                           const Node &Part) {
  SmallVector<AtomId, 2> Computed;
  auto IsPositive = [&](const Poly &P) {
    return P.getConstant().value_or(0) > 0 ||
           any_of(K.Needs, [&](const Need &X) {
             return X.K == Need::InRange && X.Lo > 0 && X.P == P;
           });
  };
  auto IsOther = [&](const Atom &A) {
    return A.K == Atom::Load || (A.K == Atom::Axis && A.Ref != N.Ax);
  };
  auto Compute = [&](const Access &X) {
    X.offset().anyAtom([&](AtomId Id) {
      const Atom &A = K.Atoms[Id];
      Poly P = Poly::atom(Id);
      if ((A.K == Atom::FloorDiv || A.K == Atom::Mod) &&
          !C.Quotients.contains(Id) && IsPositive(A.Den) &&
          !K.anyNestedAtom(P, IsOther)) {
        Value *V = C.getPoly(P);
        C.Quotients[Id] = V;
        Computed.push_back(Id);
      }
      return false;
    });
  };
  forEachLeaf(Part, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Op &O : L.Ops)
      if (O.K == Op::Load && !K.Buffers[O.Acc.Buf].IsLocal)
        Compute(O.Acc);
    for (const Assign &A : L.Assigns)
      if (!K.Buffers[A.Target.Buf].IsLocal)
        Compute(A.Target);
  });
  return Computed;
}

/// Part \p P of \p N for each row of \p Block by itself, once for a row that
/// both halves of the lanes have. What lanes have for themselves, one element
/// for each, are scalars there.
void LaneLowering::lowerRows(const Node &N, const RowParts &Parts,
                             const RowPart &P, const RowBlock &Block) {
  DenseSet<BufferId> Private = std::move(C.Private);
  C.Private.clear();
  AlongRow = true;
  const Node *OuterRow = std::exchange(Row, &N),
             *OuterProgram = std::exchange(Program, &N);
  CountedLoop L = beginSteps(B, B.getInt64(0), Block.Rows, B.getInt64(1),
                             K.Axes[N.Ax].Name + ".row");
  C.enterLanes(N.Ax, B.CreateAdd(Block.First, L.Index), 1);
  // Its lane in the lower half, unless that has none, or in the upper one.
  auto GetLane = [&](bool Upper) -> Value * {
    if (!Block.Second)
      return L.Index;
    Value *Behind = B.CreateAdd(L.Index, B.CreateSub(Block.Size, Block.Rows));
    Value *IsLower =
        B.CreateICmpSLT(Upper ? Behind : L.Index, B.CreateLShr(Block.Size, 1));
    return B.CreateSelect(IsLower, L.Index, Behind);
  };
  forEachShared(N, Parts, P, /*Reads=*/true, [&](BufferId Buf, AllocaInst *M) {
    readElement(Buf, M, GetLane(/*Upper=*/false));
  });
  auto Children = ArrayRef(N.Children).slice(P.From, P.To - P.From);
  SmallVector<AtomId, 2> Quotients;
  for (const auto &Child : Children)
    Quotients.append(computeQuotientsOfRow(N, *Child));
  for (const auto &Child : Children)
    lower(*Child);
  for (AtomId Id : Quotients)
    C.Quotients.erase(Id);
  forEachShared(N, Parts, P, /*Reads=*/false, [&](BufferId Buf, AllocaInst *M) {
    if (DLOPT_PLANTED(RowResultLost))
      return;
    writeElement(Buf, M, GetLane(/*Upper=*/false));
    if (Block.Second && !DLOPT_PLANTED(UpperLaneForgotten))
      writeElement(Buf, M, GetLane(/*Upper=*/true));
  });
  endLoop(B, L);
  AlongRow = false;
  Row = OuterRow;
  Program = OuterProgram;
  C.Private = std::move(Private);
}

/// Part \p P of \p N for as many rows from where the axis is now on as there
/// are lanes.
void LaneLowering::lowerRowsInLanes(const Node &N, const RowParts &Parts,
                                    const RowPart &P) {
  Fetched.clear();
  AroundLanes = Row;
  Value *Zero = B.getInt64(0);
  auto GetType = [&](BufferId Buf) {
    return FixedVectorType::get(getMemoryType(Buf), C.getLanes());
  };
  forEachShared(N, Parts, P, /*Reads=*/true, [&](BufferId Buf, AllocaInst *M) {
    if (!C.inLanes())
      return readElement(Buf, M, Zero);
    Value *V = B.CreateLoad(GetType(Buf), M);
    if (K.Buffers[Buf].Ty == ScalarType::I1)
      V = B.CreateTrunc(V, V->getType()->getWithNewType(B.getInt1Ty()));
    C.setPrivate(Buf, V);
  });
  for (const auto &Child : ArrayRef(N.Children).slice(P.From, P.To - P.From))
    lower(*Child);
  forEachShared(N, Parts, P, /*Reads=*/false, [&](BufferId Buf, AllocaInst *M) {
    if (!C.inLanes())
      return writeElement(Buf, M, Zero);
    B.CreateStore(B.CreateZExtOrBitCast(C.getPrivate(Buf), GetType(Buf)), M);
  });
  if (P.To == N.Children.size())
    prefetchRow(N);
}

/// How rows that run in lanes are cut into blocks, from most rows on. Where the
/// next size would leave some of them, they are in both halves of the lanes if
/// \p InHalves: but for whole blocks, whose rows have one address and a
/// distance.
SmallVector<LaneLowering::BlockKind, 6>
LaneLowering::getBlockKinds(bool InHalves) const {
  SmallVector<BlockKind, 6> Kinds;
  unsigned Count = Plan.VectorElems * Plan.Vectors;
  Kinds.push_back({Count, Count, /*InHalves=*/false});
  while (Count > 1) {
    unsigned Next = getNextCount(Plan, Count);
    if (InHalves)
      Kinds.push_back({Count, std::max(Next + 1, Count / 2), true});
    else
      Kinds.push_back({Next, Next, false});
    Count = Next;
  }
  if (InHalves)
    Kinds.push_back({1, 1, false});
  return Kinds;
}

/// The next block of \p N, whose iterations go on up to \p Trip, from \p First
/// on: the first of \p Kinds that finds as many rows as it needs.
LaneLowering::RowBlock LaneLowering::getBlock(ArrayRef<BlockKind> Kinds,
                                              Value *First, Value *Trip) {
  Value *Left = B.CreateSub(Trip, First);
  RowBlock Block = {First, B.getInt64(1), nullptr,
                    B.getInt64(Kinds.size() - 1)};
  for (size_t I = Kinds.size() - 1; I--;) {
    Value *Fits = B.CreateICmpSGE(Left, B.getInt64(Kinds[I].Least));
    Block.Size = B.CreateSelect(Fits, B.getInt64(Kinds[I].Count), Block.Size);
    Block.Kind = B.CreateSelect(Fits, B.getInt64(I), Block.Kind);
  }
  Block.Rows = Block.Size;
  if (any_of(Kinds, [](const BlockKind &Kind) { return Kind.InHalves; })) {
    Value *Half = B.CreateLShr(Block.Size, 1);
    Block.Rows = B.CreateBinaryIntrinsic(Intrinsic::smin, Left, Block.Size);
    Block.Second = B.CreateBinaryIntrinsic(
        Intrinsic::smin, B.CreateAdd(First, Half), B.CreateSub(Trip, Half));
  }
  return Block;
}

/// The iterations of \p N from \p First to \p Trip, some of whose children are
/// for rows in lanes and some for one row after the other. All blocks are
/// rounds of one loop, so that what runs row by row is there once: it is the
/// larger part of the code. \p InHalves: rows that fill no vector are in both
/// halves.
void LaneLowering::lowerRowBlocks(const Node &N, const LanePlan::Split &Rows,
                                  Value *First, Value *Trip, bool InHalves) {
  SmallVector<BlockKind, 6> Kinds = getBlockKinds(InHalves);
  RowParts Parts = getParts(N, Rows, Kinds.front().Count);
  if (DLOPT_PLANTED(LaneRestDropped))
    Trip = B.CreateAnd(Trip, B.getInt64(-2));
  CountedLoop L = beginSteps(B, First, Trip, B.getInt64(Kinds.front().Count),
                             K.Axes[N.Ax].Name + ".rows");
  RowBlock Block = getBlock(Kinds, L.Index, Trip);
  setStep(L, Block.Size);
  for (const RowPart &P : Parts.Parts)
    if (P.ByRow)
      lowerRows(N, Parts, P, Block);
    else
      forEachKind(Kinds, Block, [&](const BlockKind &Kind) {
        C.enterLanes(N.Ax, L.Index, Kind.Count,
                     Kind.InHalves ? Block.Second : nullptr);
        lowerRowsInLanes(N, Parts, P);
      });
  endLoop(B, L);
  C.leaveLanes();
}

/// Runs \p Body for that of \p Kinds which \p Block is.
void LaneLowering::forEachKind(ArrayRef<BlockKind> Kinds, const RowBlock &Block,
                               function_ref<void(const BlockKind &)> Body) {
  auto Before = C.Copies;
  DebugLoc Loc = B.getCurrentDebugLocation();
  BasicBlock *Done = splitAtInsertPoint(B, "lanes.done");
  SmallVector<BasicBlock *, 6> Cases;
  for (const BlockKind &Kind : Kinds)
    Cases.push_back(BasicBlock::Create(B.getContext(),
                                       "lanes.x" + Twine(Kind.Count) +
                                           (Kind.InHalves ? ".halves" : ""),
                                       Done->getParent(), Done));
  SwitchInst *Switch =
      B.CreateSwitch(Block.Kind, Cases.back(), Kinds.size() - 1);
  for (auto [I, Kind] : enumerate(Kinds)) {
    if (Cases[I] != Cases.back())
      Switch->addCase(B.getInt64(I), Cases[I]);
    B.SetInsertPoint(Cases[I]);
    B.SetCurrentDebugLocation(Loc);
    Body(Kind);
    B.CreateBr(Done);
    C.Copies = Before;
  }
  B.SetInsertPoint(Done, Done->getFirstInsertionPt());
  B.SetCurrentDebugLocation(Loc);
}

bool areRows(const Kernel &K, const Node &N, const LanePlan &Plan) {
  return K.Axes[N.Ax].R == Role::Parallel && !Plan.Scalable &&
         (!Plan.MaskedRest || Plan.getSplit(N.Ax)) &&
         any_of(N.Children,
                [](const auto &C) { return C->K == Node::AxisNode; });
}

/// Whether loops inside the axis \p N of lanes read or write in each round what
/// lanes have as neighbours: whole vectors, of which halves would be twice as
/// many.
static bool hasNeighboursInside(const Kernel &K, const Node &N) {
  bool Any = false;
  auto Use = [&](const Access &X, ArrayRef<AxisId> Inside) {
    std::optional<Poly> Step = getStride(K, getOffset(K, X), N.Ax);
    Any |= !K.Buffers[X.Buf].IsLocal && Step && Step->getConstant() == 1 &&
           any_of(Inside, [&](AxisId A) { return K.dependsOn(X, A); });
  };
  for (const auto &Child : N.Children)
    forEachLeaf(*Child, [&](const Leaf &L, ArrayRef<AxisId> Inside) {
      for (const Op &O : L.Ops)
        if (O.K == Op::Load)
          Use(O.Acc, Inside);
      for (const Assign &A : L.Assigns)
        Use(A.Target, Inside);
    });
  return Any;
}

bool runsInHalves(const Kernel &K, AxisId A, const LanePlan &Plan) {
  const Node *N = findAxis(K.Root, A);
  return N && areRows(K, *N, Plan) && !hasSlowCalls(K, Plan) &&
         !hasNeighboursInside(K, *N);
}

/// All iterations of \p A: what whole vectors leave, if it is more than the
/// next smaller ones take, is one whose upper half ends with the last
/// iteration. Some are in both halves then, and run at the same time in both.
void LaneLowering::lowerInHalves(AxisId A, Value *Trip,
                                 function_ref<void()> Body) {
  Value *First = B.getInt64(0);
  unsigned Next = 0;
  for (unsigned Count = Plan.VectorElems * Plan.Vectors; Count; Count = Next) {
    Next = getNextCount(Plan, Count);
    if (Count == 1 && DLOPT_PLANTED(LaneRestDropped))
      break;
    unsigned Half = Count / 2, Left = Count > 1 ? std::max(Next, Half - 1) : 0;
    CountedLoop L =
        beginSteps(B, First, B.CreateSub(Trip, B.getInt64(Left)),
                   B.getInt64(Count), K.Axes[A].Name + ".x" + Twine(Count));
    Value *Second = nullptr;
    if (Count > 1)
      Second = B.CreateBinaryIntrinsic(Intrinsic::smin,
                                       B.CreateAdd(L.Index, B.getInt64(Half)),
                                       B.CreateSub(Trip, B.getInt64(Half)));
    C.enterLanes(A, L.Index, Count, Second);
    Body();
    endLoop(B, L);
    First = L.Index;
  }
  C.leaveLanes();
}

} // namespace dlopt
