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

/// Whether rows that have run before need not run the children of \p N from
/// \p From on again: nothing comes behind, and nothing in front has written
/// what these write.
bool LaneLowering::areDone(const Node &N, unsigned From, unsigned To) const {
  if (To != N.Children.size())
    return false;
  if (DLOPT_PLANTED(RowsTakenForDone))
    return true;
  auto Children = ArrayRef(N.Children);
  return none_of(Children.drop_front(From), [&](const auto &Child) {
    bool IsWritten = false;
    forEachLeaf(*Child, [&](const Leaf &L, ArrayRef<AxisId>) {
      for (const Assign &A : L.Assigns)
        IsWritten |= !is_contained(N.Locals, A.Target.Buf) &&
                     any_of(Children.take_front(From), [&](const auto &Before) {
                       return assigns(*Before, A.Target.Buf);
                     });
    });
    return IsWritten;
  });
}

/// Whether \p L does no harm, whatever it reads: it assigns to \p Locals alone,
/// cannot trap and sets no errno.
static bool isHarmless(const Leaf &L, ArrayRef<BufferId> Locals) {
  auto IsLocal = [&](const Assign &A) {
    return is_contained(Locals, A.Target.Buf);
  };
  auto IsOf = [](const Op &O, std::initializer_list<unsigned> Opcodes) {
    return O.K == Op::Inst && is_contained(Opcodes, O.Opcode);
  };
  return all_of(L.Assigns, IsLocal) && none_of(L.Ops, [&](const Op &O) {
           return O.K == Op::LibCall ||
                  IsOf(O, {Instruction::SDiv, Instruction::UDiv,
                           Instruction::SRem, Instruction::URem});
         });
}

/// Whether rows in lanes leave nothing behind but what each writes by itself in
/// the end, which those that have run leave out: what they would be from what
/// has been written since nobody gets to know.
bool LaneLowering::writesLast(const Node &N) const {
  const LanePlan::Split *Rows = Plan.getSplit(N.Ax);
  if (!Rows || Rows->Ends.back() == N.Children.size())
    return false;
  if (DLOPT_PLANTED(LastWritesAssumed))
    return true;
  SmallVector<BufferId, 8> Locals;
  collectLocals(N, Locals);
  for (auto [Id, Buf] : enumerate(K.Buffers)) {
    auto Own = static_cast<BufferId>(Id);
    if (assigns(N, Own) && isReadBySubscripts(K, Own))
      return false;
  }
  return all_of(ArrayRef(N.Children).take_front(Rows->Ends.back()),
                [&](const auto &Child) {
                  bool Is = true;
                  forEachLeaf(*Child, [&](const Leaf &L, ArrayRef<AxisId>) {
                    Is &= isHarmless(L, Locals);
                  });
                  return Is;
                });
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

/// Part \p P of \p N for each of \p Size rows from \p First on by itself.
/// What lanes have for themselves, one element for each, are scalars there.
void LaneLowering::lowerRows(const Node &N, const RowParts &Parts,
                             const RowPart &P, Value *First, Value *Size) {
  DenseSet<BufferId> Private = std::move(C.Private);
  C.Private.clear();
  AlongRow = true;
  const Node *OuterRow = std::exchange(Row, &N),
             *OuterProgram = std::exchange(Program, &N);
  Value *Before = std::exchange(Repeated, nullptr),
        *Done = Before && areDone(N, P.From, P.To) ? Before : B.getInt64(0);
  CountedLoop L =
      beginSteps(B, Done, Size, B.getInt64(1), K.Axes[N.Ax].Name + ".row");
  C.enterLanes(N.Ax, B.CreateAdd(First, L.Index), 1);
  forEachShared(N, Parts, P, /*Reads=*/true, [&](BufferId Buf, AllocaInst *M) {
    readElement(Buf, M, L.Index);
  });
  for (const auto &Child : ArrayRef(N.Children).slice(P.From, P.To - P.From))
    lower(*Child);
  forEachShared(N, Parts, P, /*Reads=*/false, [&](BufferId Buf, AllocaInst *M) {
    if (!DLOPT_PLANTED(RowResultLost))
      writeElement(Buf, M, L.Index);
  });
  endLoop(B, L);
  Repeated = Before;
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

/// How many rows the block at \p First has: as many as \p Sizes, which fall,
/// allow. If rows may run twice a block ends with the last one, where those of
/// the next size would not be enough.
Value *LaneLowering::getBlockSize(ArrayRef<unsigned> Sizes, Value *First,
                                  Value *Trip, bool Repeats) {
  Value *Left = B.CreateSub(Trip, First), *Size = B.getInt64(1);
  unsigned Next = 1;
  for (unsigned Count : drop_begin(reverse(Sizes))) {
    Value *Fits = B.CreateICmpSGE(Repeats ? Trip : Left, B.getInt64(Count));
    if (Repeats)
      Fits = B.CreateAnd(Fits, B.CreateICmpSGT(Left, B.getInt64(Next)));
    Size = B.CreateSelect(Fits, B.getInt64(Count), Size);
    Next = Count;
  }
  return Size;
}

/// The iterations of \p N from \p First to \p Trip, some of whose children are
/// for rows in lanes and some for one row after the other. All blocks are
/// rounds of one loop, so that what runs row by row is there once: it is the
/// larger part of the code.
void LaneLowering::lowerRowBlocks(const Node &N, const LanePlan::Split &Rows,
                                  Value *First, Value *Trip, bool Repeats) {
  SmallVector<unsigned, 6> Sizes;
  for (unsigned Count = Plan.VectorElems * Plan.Vectors; Count;
       Count = getNextCount(Plan, Count))
    Sizes.push_back(Count);
  RowParts Parts = getParts(N, Rows, Sizes.front());
  if (DLOPT_PLANTED(LaneRestDropped))
    Trip = B.CreateAnd(Trip, B.getInt64(-2));
  CountedLoop L = beginSteps(B, First, Trip, B.getInt64(Sizes.front()),
                             K.Axes[N.Ax].Name + ".rows");
  Value *Size = getBlockSize(Sizes, L.Index, Trip, Repeats), *At = L.Index;
  setStep(L, Size);
  if (Repeats) {
    At = B.CreateBinaryIntrinsic(Intrinsic::smin, At, B.CreateSub(Trip, Size));
    Repeated = B.CreateSub(L.Index, At);
  }
  for (const RowPart &P : Parts.Parts) {
    if (P.ByRow) {
      lowerRows(N, Parts, P, At, Size);
      continue;
    }
    forEachSize(Size, Sizes, [&](unsigned Count) {
      C.enterLanes(N.Ax, At, Count);
      lowerRowsInLanes(N, Parts, P);
    });
  }
  Repeated = nullptr;
  endLoop(B, L);
  C.leaveLanes();
}

/// Runs \p Body for that of \p Sizes which \p Size is.
void LaneLowering::forEachSize(Value *Size, ArrayRef<unsigned> Sizes,
                               function_ref<void(unsigned)> Body) {
  auto Before = C.Copies;
  DebugLoc Loc = B.getCurrentDebugLocation();
  BasicBlock *Done = splitAtInsertPoint(B, "lanes.done");
  SmallVector<BasicBlock *, 6> Cases;
  for (unsigned Count : Sizes)
    Cases.push_back(BasicBlock::Create(B.getContext(), "lanes.x" + Twine(Count),
                                       Done->getParent(), Done));
  SwitchInst *Switch = B.CreateSwitch(Size, Cases.back(), Sizes.size() - 1);
  for (auto [Count, Case] : zip_equal(Sizes, Cases)) {
    if (Case != Cases.back())
      Switch->addCase(B.getInt64(Count), Case);
    B.SetInsertPoint(Case);
    B.SetCurrentDebugLocation(Loc);
    Body(Count);
    B.CreateBr(Done);
    C.Copies = Before;
  }
  B.SetInsertPoint(Done, Done->getFirstInsertionPt());
  B.SetCurrentDebugLocation(Loc);
}

} // namespace dlopt
