//===- ContractionCopy.cpp - Copies of a block of rows --------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Copies a block of an operand along its rows. Nothing is rounded but what the
/// factors of the source are, so sums over the copy are those of the loop.
///
//===----------------------------------------------------------------------===//
#include "ContractionEmitter.h"
#include "dlopt/PlantedBugs.h"

using namespace llvm;

namespace dlopt::contraction {

/// How many rows of B, or of A, are on their way while others are copied. A
/// panel takes a few lines of each row, usually of a page of its own, which no
/// prefetcher of the hardware follows. Measured at 4 to 32 rows on Cascade
/// Lake: all gain 2% (256^3) to 90% (128x768x3072), and are equal within 3%.
static constexpr unsigned RowsAhead = 8;

void prefetchRowAhead(IRBuilderBase &B, Emitter &Source,
                      const ContractionPlan &Plan, const ColumnKind &Cols,
                      Value *Row, Value *Ld) {
  Value *Ahead = Source.at(Row, B.CreateMul(B.getInt64(RowsAhead), Ld));
  unsigned VectorBytes = Cols.Lanes * Plan.TuneVScale *
                         Source.getElem()->getScalarSizeInBits() / 8;
  unsigned Step = std::max(CacheLineBytes / VectorBytes, 1u);
  for (unsigned V = 0; V < Cols.Vectors; V += Step)
    Source.prefetch(Source.atVector(Cols, Ahead, V));
}

void copyBlock(IRBuilderBase &B, Emitter &E, const ContractionPlan &Plan,
               const CopiedBlock &Block, Value *Target, Value *Stride,
               function_ref<Value *(Value *)> Make) {
  Emitter From = E.forOperands();
  const ElementStep &Step = Block.Step;
  DoWhile Loop(B, {B.getInt64(0)}, "make.rows");
  Value *Row = From.at(Block.From, B.CreateMul(Loop[0], Block.Ld));
  Value *To = E.at(Target, B.CreateMul(Loop[0], Stride));
  Value *K = B.getInt64(0);
  for (unsigned Lanes : {4 * Plan.VectorElems, Plan.VectorElems, 1u}) {
    if (DLOPT_PLANTED(ExtendedRestDropped) && Lanes == 1)
      break;
    ColumnKind Cols = {1, std::min(Lanes, Plan.VectorElems)};
    K = E.emitWhileFits(K, Lanes, Block.Width, "make", [&](Value *First) {
      if (Lanes > Cols.Lanes && Step.Constant == 1)
        prefetchRowAhead(B, From, Plan, {Lanes / Cols.Lanes, Cols.Lanes},
                         From.at(Row, First), Block.Ld);
      for (unsigned V = 0; V != Lanes / Cols.Lanes; ++V) {
        Value *At = From.at(From.at(Row, First, Step),
                            B.getInt64(uint64_t(V) * Cols.Lanes), Step);
        E.store(Make(From.load(Cols, At, nullptr, Step)),
                E.atVector(Cols, E.at(To, First), V));
      }
    });
  }
  Value *Next = B.CreateAdd(Loop[0], B.getInt64(1));
  Loop.close({Next}, B.CreateICmpSLT(Next, Block.Rows));
}

void copyGroups(IRBuilderBase &B, Emitter &E, const ContractionPlan &Plan,
                const CopiedBlock &Block, Value *Target, Value *Stride,
                function_ref<Value *(Value *)> Make) {
  Emitter From = E.forOperands();
  const unsigned Height = Plan.TileRows;
  DoWhile Loop(B, {B.getInt64(0)}, "group.steps");
  Value *Source = From.at(Block.From, B.CreateMul(Loop[0], Block.Ld));
  Value *To = E.at(Target, B.CreateMul(Loop[0], B.getInt64(Height)));
  auto Copy = [&](Value *Column, unsigned Lanes, Value *At) {
    ColumnKind Cols = {1, Lanes};
    E.store(Make(From.load(Cols, From.at(Source, Column), nullptr)), At);
  };
  Value *Rest = E.emitWhileFits(
      B.getInt64(0), Height, Block.Width, "group", [&](Value *First) {
        prefetchRowAhead(B, From, Plan, {1, 1}, From.at(Source, First),
                         Block.Ld);
        Value *Group = E.at(To, B.CreateMul(First, Stride));
        for (unsigned At = 0, Lanes; At != Height; At += Lanes) {
          Lanes = std::min(Plan.VectorElems, llvm::bit_floor(Height - At));
          Copy(B.CreateAdd(First, B.getInt64(At)), Lanes, E.at(Group, At));
        }
      });
  Value *Group = E.at(To, B.CreateMul(Rest, Stride));
  if (!DLOPT_PLANTED(TransposedRestDropped))
    E.emitWhileFits(Rest, 1, Block.Width, "group.rest", [&](Value *Column) {
      Copy(Column, 1, E.at(Group, B.CreateSub(Column, Rest)));
    });
  Value *Next = B.CreateAdd(Loop[0], B.getInt64(1));
  Loop.close({Next}, B.CreateICmpSLT(Next, Block.Rows));
}

} // namespace dlopt::contraction
