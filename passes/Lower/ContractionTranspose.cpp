//===- ContractionTranspose.cpp - Transposed operands of a contraction ----===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Copies the transpose of a block: as many of its rows as a vector has lanes
/// at a time, by transposing squares in registers. Nothing is rounded, so sums
/// over the copy are those of the loop.
///
//===----------------------------------------------------------------------===//
#include "ContractionEmitter.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace dlopt::contraction {

/// Elements of a 128-bit vector: what crosses such parts of a wider vector is
/// slow, so squares of this size are transposed first, then parts exchanged.
static unsigned getPartLanes(unsigned Lanes, const Type *Elem) {
  return std::min(Lanes, 128 / Elem->getScalarSizeInBits());
}

/// In each part of \p PartLanes lanes: the lower (or upper) halves of the parts
/// of two vectors, lane by lane in turn.
static SmallVector<int, 16> getInterleaveMask(unsigned Lanes,
                                              unsigned PartLanes, bool Upper) {
  SmallVector<int, 16> Mask;
  for (unsigned Part = 0; Part != Lanes; Part += PartLanes)
    for (unsigned I = 0; I != PartLanes / 2; ++I) {
      unsigned Lane = Part + I + (Upper ? PartLanes / 2 : 0);
      Mask.push_back(int(Lane));
      Mask.push_back(int(Lane + Lanes));
    }
  return Mask;
}

/// The first (or second) of each pair of runs of \p Run lanes of two vectors:
/// those of the first vector at even places, those of the second at odd ones.
static SmallVector<int, 16> getExchangeMask(unsigned Lanes, unsigned Run,
                                            bool Second) {
  SmallVector<int, 16> Mask;
  for (unsigned Lane = 0; Lane != Lanes; ++Lane) {
    unsigned From = (Lane & ~Run) | (Second ? Run : 0);
    Mask.push_back(int(Lane & Run ? From + Lanes : From));
  }
  return Mask;
}

void transposeSquare(IRBuilderBase &B, SmallVectorImpl<Value *> &Rows) {
  unsigned Lanes = Rows.size();
  if (Lanes == 1)
    return;
  unsigned Part = getPartLanes(Lanes, Rows[0]->getType()->getScalarType());
  auto Lower = getInterleaveMask(Lanes, Part, false);
  auto Upper = getInterleaveMask(Lanes, Part, true);
  for (unsigned Group = 0; Group != Lanes; Group += Part)
    for (unsigned Stage = 1; Stage != Part; Stage *= 2) {
      SmallVector<Value *, 16> Old(ArrayRef(Rows).slice(Group, Part));
      for (unsigned I = 0; I != Part / 2; ++I) {
        Value *X = Old[I], *Y = Old[I + Part / 2];
        Rows[Group + 2 * I] = B.CreateShuffleVector(X, Y, Lower);
        Rows[Group + 2 * I + 1] = B.CreateShuffleVector(X, Y, Upper);
      }
    }
  for (unsigned Run = Part; Run != Lanes; Run *= 2) {
    auto First = getExchangeMask(Lanes, Run, false);
    auto Second = getExchangeMask(Lanes, Run, true);
    for (unsigned I = 0; I != Lanes; ++I) {
      if (I & Run)
        continue;
      Value *X = Rows[I], *Y = Rows[I + Run];
      Rows[I] = B.CreateShuffleVector(X, Y, First);
      Rows[I + Run] = B.CreateShuffleVector(X, Y, Second);
    }
  }
}

namespace {

/// Copies one group of rows, as many as a vector has lanes.
class GroupCopier {
public:
  GroupCopier(IRBuilderBase &B, Emitter &E, ArrayRef<Value *> Rows, Value *To,
              uint64_t Stride)
      : B(B), E(E), Rows(Rows), To(To), Stride(Stride),
        VecTy(FixedVectorType::get(E.getElem(), Rows.size())) {}
  /// Elements [0, Width) of all rows.
  void run(Value *Width);

private:
  void copySquare(Value *First);
  void copyElement(Value *First);
  /// Copies \p Count elements at a time from \p First on; the first that is
  /// left.
  Value *copyWhile(Value *First, unsigned Count, Value *Width,
                   function_ref<void(Value *)> Copy);
  Value *target(Value *Element, unsigned Offset) {
    return E.at(E.at(To, B.CreateMul(Element, B.getInt64(Stride))),
                Offset * Stride);
  }

  IRBuilderBase &B;
  Emitter &E;
  ArrayRef<Value *> Rows;
  Value *To;
  uint64_t Stride;
  Type *VecTy;
};

void GroupCopier::copySquare(Value *First) {
  SmallVector<Value *, 16> Square;
  for (Value *Row : Rows)
    Square.push_back(
        B.CreateAlignedLoad(VecTy, E.at(Row, First), E.getElemAlign()));
  transposeSquare(B, Square);
  for (unsigned I = 0; I != Square.size(); ++I)
    E.store(Square[I], target(First, I));
}

void GroupCopier::copyElement(Value *First) {
  for (unsigned Lane = 0; Lane != Rows.size(); ++Lane) {
    Value *X = B.CreateAlignedLoad(E.getElem(), E.at(Rows[Lane], First),
                                   E.getElemAlign());
    E.store(X, E.at(target(First, 0), Lane));
  }
}

Value *GroupCopier::copyWhile(Value *First, unsigned Count, Value *Width,
                              function_ref<void(Value *)> Copy) {
  Value *Step = B.getInt64(Count), *Next = nullptr;
  BasicBlock *Before = B.GetInsertBlock(), *After = nullptr;
  auto Fits = [&](Value *I) {
    return B.CreateICmpSLE(B.CreateAdd(I, Step), Width);
  };
  E.emitIf(Fits(First), "transpose", [&] {
    DoWhile Loop(B, {First}, "transpose.loop");
    Copy(Loop[0]);
    Next = B.CreateAdd(Loop[0], Step);
    Loop.close({Next}, Fits(Next));
    After = B.GetInsertBlock();
  });
  PHINode *Phi = B.CreatePHI(B.getInt64Ty(), 2);
  Phi->addIncoming(First, Before);
  Phi->addIncoming(Next, After);
  return Phi;
}

void GroupCopier::run(Value *Width) {
  Value *First = copyWhile(B.getInt64(0), Rows.size(), Width,
                           [&](Value *I) { copySquare(I); });
  copyWhile(First, 1, Width, [&](Value *I) { copyElement(I); });
}

} // namespace

void transposeBlock(IRBuilderBase &B, Emitter &E, const ContractionPlan &Plan,
                    const TransposedBlock &Block, uint64_t Stride,
                    function_ref<Value *(Value *)> Target) {
  unsigned Lanes = Plan.VectorElems;
  DoWhile Loop(B, {B.getInt64(0)}, "transpose.rows");
  Value *Row = Loop[0];
  // Lanes beyond the last row repeat it; nothing reads them.
  Value *Last = B.CreateSub(B.CreateSub(Block.Rows, Row), B.getInt64(1));
  Value *First = E.at(Block.From, B.CreateMul(Row, Block.Ld));
  SmallVector<Value *, 16> Sources;
  for (unsigned Lane = 0; Lane != Lanes; ++Lane) {
    Value *Capped =
        B.CreateBinaryIntrinsic(Intrinsic::umin, B.getInt64(Lane), Last);
    Value *Source = E.at(First, B.CreateMul(Capped, Block.Ld));
    // One address register per row, as for the rows of A.
    Sources.push_back(B.CreateLaunderInvariantGroup(Source));
  }
  GroupCopier(B, E, Sources, Target(Row), Stride).run(Block.Width);
  Value *Next = B.CreateAdd(Row, B.getInt64(Lanes));
  Loop.close({Next}, B.CreateICmpSLT(Next, Block.Rows));
}

} // namespace dlopt::contraction
