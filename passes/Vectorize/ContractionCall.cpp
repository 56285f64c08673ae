//===- ContractionCall.cpp - Calls of the generated function --------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ContractionCall.h"
#include "dlopt/Compat.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace dlopt;

bool ContractionArguments::complete() const {
  return all_of(Extras, [](Extra X) { return X.Scalar || X.Matrix; }) &&
         all_of(Ptr, [](Value *V) { return V; }) &&
         all_of(Ld, [](Value *V) { return V; }) && M && N && K &&
         (ColumnSteps[0] || !HasColumnStep[0]) &&
         (ColumnSteps[1] || !HasColumnStep[1]) &&
         (ColumnSteps[2] || !HasColumnStep[2]) && StartColumns &&
         all_of(Extents, [](Value *V) { return V; }) &&
         all_of(Steps, [](ArrayRef<Value *> S) {
           return all_of(S, [](Value *V) { return V; });
         });
}

/// Opens loops over the outer axes and moves the pointers on in them.
static void emitOuterLoops(const ContractionArguments &Args,
                           MutableArrayRef<Value *> Ptrs, IRBuilder<> &B) {
  for (auto [Extent, Steps] : zip(Args.Extents, Args.Steps)) {
    auto [Body, Index] = insertLoop(Extent, B.GetInsertPoint());
    B.SetInsertPoint(Body);
    for (auto [Ptr, Step, Size] : zip(Ptrs, Steps, Args.Sizes)) {
      Value *Offset = B.CreateMul(Index, Step);
      Ptr = B.CreatePtrAdd(Ptr, B.CreateMul(Offset, B.getInt64(Size)));
    }
  }
}

/// Memory that holds the start value. The call does not keep its address.
static Value *emitStartMemory(IRBuilder<> &B, Value *V) {
  BasicBlock &Entry = B.GetInsertBlock()->getParent()->getEntryBlock();
  auto *Memory =
      new AllocaInst(V->getType(), Entry.getDataLayout().getAllocaAddrSpace(),
                     "dl.start", Entry.getFirstNonPHIOrDbgOrAlloca());
  B.CreateStore(V, Memory);
  return Memory;
}

namespace {

/// Rows of the product, and steps of k. FromSums: what their elements start
/// from is in C.
struct Part {
  Value *FirstRow, *Rows, *FirstStep, *Steps;
  bool FromSums;
};

class CallEmitter {
public:
  CallEmitter(IRBuilder<> &B, const ContractionChoice &Choice,
              const ContractionArguments &Args, Function &Callee,
              ArrayRef<Value *> Ptrs)
      : B(B), Choice(Choice), Args(Args), Callee(Callee), Ptrs(Ptrs) {}

  void emitWhole() {
    Value *Zero = B.getInt64(0);
    emit({Zero, Args.M, Zero, Args.K, /*FromSums=*/false});
  }
  void emitTriangle();

private:
  void emit(const Part &P);
  void emitStarts(uint64_t Height);
  void emitIfAny(Part P, Value *End);
  void emitBlocks(ArrayRef<uint64_t> Heights, Value *Begin, Value *End,
                  Value *Bound);
  /// The pointer of \p Matrix so many rows and columns further on.
  Value *moveOn(unsigned Matrix, Value *Rows, Value *RowStep, Value *Columns,
                Value *ColumnStep);

  IRBuilder<> &B;
  const ContractionChoice &Choice;
  const ContractionArguments &Args;
  Function &Callee;
  ArrayRef<Value *> Ptrs;
};

} // namespace

Value *CallEmitter::moveOn(unsigned Matrix, Value *Rows, Value *RowStep,
                           Value *Columns, Value *ColumnStep) {
  Value *Ptr = Ptrs[Matrix], *Size = B.getInt64(Args.Sizes[Matrix]);
  for (auto [Index, Step] : {std::pair(Rows, RowStep), {Columns, ColumnStep}})
    if (!match(Index, m_Zero()))
      Ptr = B.CreatePtrAdd(Ptr, B.CreateMul(B.CreateMul(Index, Step), Size));
  return Ptr;
}

void CallEmitter::emit(const Part &P) {
  const ContractionSpec &Spec = Choice.Spec;
  auto GetStep = [&](unsigned I, int64_t Known) -> Value * {
    return Args.ColumnSteps[I] ? Args.ColumnSteps[I] : B.getInt64(Known);
  };
  Value *StepA = GetStep(0, Spec.StepA), *StepB = GetStep(1, Spec.StepB);
  Value *Zero = B.getInt64(0), *LdA = Args.Ld[1], *LdB = Args.Ld[2];
  Value *C = moveOn(0, P.FirstRow, Args.Ld[0], Zero, Zero);
  Value *A = moveOn(1, P.FirstRow, Spec.TransA ? StepA : LdA, P.FirstStep,
                    Spec.TransA ? LdA : StepA);
  Value *OfB = moveOn(2, P.FirstStep, Spec.TransB ? StepB : LdB, Zero, Zero);
  Value *S = P.FromSums ? C : moveOn(3, P.FirstRow, Args.Ld[3], Zero, Zero);
  Value *Srs = Args.Ld[P.FromSums ? 0 : 3],
        *Scs = P.FromSums ? B.getInt64(1) : Args.StartColumns;
  SmallVector<Value *, 16> Operands = {
      C, Args.Ld[0], A, LdA, OfB, LdB, S, Srs, Scs, P.Rows, Args.N, P.Steps};
  for (const ContractionArguments::Extra &X : Args.Extras) {
    if (X.Scalar)
      Operands.push_back(X.Scalar);
    else if (X.Loaded)
      Operands.push_back(B.CreateAlignedLoad(X.Loaded, Ptrs[X.Matrix],
                                             Align(Args.Sizes[X.Matrix])));
    else
      Operands.append({Ptrs[X.Matrix], Args.Ld[X.Matrix]});
    if (X.Step)
      Operands.push_back(X.Step);
    if (X.Condition)
      Operands.push_back(X.Condition);
  }
  for (Value *Step : Args.ColumnSteps)
    if (Step)
      Operands.push_back(Step);
  if (Callee.arg_size() > Operands.size())
    Operands.push_back(B.getInt64(uint64_t(Choice.Diagonal)));
  CallInst *Call = B.CreateCall(&Callee, Operands);
  Call->setCallingConv(Callee.getCallingConv());
}

/// The steps from P.FirstStep to \p End, if there are any.
void CallEmitter::emitIfAny(Part P, Value *End) {
  Instruction *Behind = &*B.GetInsertPoint();
  B.SetInsertPoint(SplitBlockAndInsertIfThen(B.CreateICmpSLT(P.FirstStep, End),
                                             Behind, /*Unreachable=*/false));
  P.Steps = B.CreateSub(End, P.FirstStep);
  emit(P);
  B.SetInsertPoint(Behind);
}

/// Rows from \p Begin to \p End in blocks of the first of \p Heights, down to
/// single rows. They have done what is in front of step \p Bound or, if steps
/// begin at the diagonal, leave those from there on to the block around.
void CallEmitter::emitBlocks(ArrayRef<uint64_t> Heights, Value *Begin,
                             Value *End, Value *Bound) {
  Instruction *Behind = &*B.GetInsertPoint();
  Value *Height = B.getInt64(Heights.front());
  Value *Count = B.CreateUDiv(
      B.CreateAdd(B.CreateSub(End, Begin), B.getInt64(Heights.front() - 1)),
      Height);
  auto [Body, Index] = insertLoop(Count, Behind->getIterator());
  B.SetInsertPoint(Body);
  Value *First = B.CreateAdd(Begin, B.CreateMul(Index, Height));
  Value *Last =
      B.CreateBinaryIntrinsic(Intrinsic::smin, B.CreateAdd(First, Height), End);
  bool IsRow = Heights.size() == 1, FromDiagonal = Choice.Steps->FromDiagonal;
  // Behind the first steps of a row, its sums are in C.
  bool IsFirst = FromDiagonal ? IsRow : !Bound;
  Part P = {First, B.CreateSub(Last, First), nullptr, nullptr, !IsFirst};
  if (FromDiagonal) {
    Value *Most = Bound ? Bound : Args.StepsRest;
    P.FirstStep = First;
    if (!IsRow) {
      P.FirstStep =
          B.CreateBinaryIntrinsic(Intrinsic::smin, Last, Args.StepsRest);
      emitBlocks(Heights.drop_front(), First, Last, P.FirstStep);
    }
    emitIfAny(P, Most);
  } else {
    P.FirstStep = Bound ? Bound : B.getInt64(0);
    Value *Common = B.CreateAdd(First, Args.StepsRest);
    if (Args.StepsMost)
      Common = B.CreateBinaryIntrinsic(Intrinsic::smin, Common, Args.StepsMost);
    emitIfAny(P, Common);
    if (!IsRow)
      emitBlocks(Heights.drop_front(), First, Last,
                 DLOPT_PLANTED(DiagonalRepeated) ? P.FirstStep : Common);
  }
  B.SetInsertPoint(Behind);
}

/// Rows without a step, as the first of a strict triangle, are what they start
/// from. If they are the first, all of their block, which is \p Height rows,
/// start from C then: they have no steps in common.
void CallEmitter::emitStarts(uint64_t Height) {
  Instruction *Behind = &*B.GetInsertPoint();
  bool FromDiagonal = Choice.Steps->FromDiagonal;
  Value *Zero = B.getInt64(0), *One = B.getInt64(1), *Rest = Args.StepsRest;
  Value *Begin = Rest, *End = Args.M;
  if (!FromDiagonal) {
    Value *Block =
        B.CreateBinaryIntrinsic(Intrinsic::smin, B.getInt64(Height), Args.M);
    Begin = Zero;
    End = B.CreateSelect(B.CreateICmpEQ(Rest, Zero), Block, Zero);
  }
  B.SetInsertPoint(SplitBlockAndInsertIfThen(B.CreateICmpSLT(Begin, End),
                                             Behind, /*Unreachable=*/false));
  auto [Rows, Row] = insertLoop(B.CreateSub(End, Begin), B.GetInsertPoint());
  B.SetInsertPoint(Rows);
  Value *Number = B.CreateAdd(Begin, Row);
  auto [Columns, Column] = insertLoop(Args.N, B.GetInsertPoint());
  B.SetInsertPoint(Columns);
  Type *Ty = getIRType(Choice.Spec.Ty, B.getContext());
  Align ElemAlign(Args.Sizes[0]);
  Value *From = moveOn(3, Number, Args.Ld[3], Column, Args.StartColumns);
  B.CreateAlignedStore(B.CreateAlignedLoad(Ty, From, ElemAlign),
                       moveOn(0, Number, Args.Ld[0], Column, One), ElemAlign);
  B.SetInsertPoint(Behind);
}

void CallEmitter::emitTriangle() {
  // Blocks that use a copy of B often enough, and tiles.
  const uint64_t Tile = Choice.Plan.TileRows;
  if (!Choice.startsFromOutput() && !DLOPT_PLANTED(EmptyRowsForgotten))
    emitStarts(16 * Tile);
  emitBlocks({16 * Tile, Tile, 1}, B.getInt64(0), Args.M, nullptr);
}

void dlopt::emitContractionCalls(IRBuilder<> &B,
                                 const ContractionChoice &Choice,
                                 const ContractionArguments &Args,
                                 Function &Callee) {
  Instruction *Behind = &*B.GetInsertPoint();
  SmallVector<Value *, 6> Ptrs(Args.Ptr);
  if (Args.StartValue) {
    Value *Memory = emitStartMemory(B, Args.StartValue);
    Ptrs[3] = Args.StartCondition
                  ? B.CreateSelect(Args.StartCondition, Ptrs[3], Memory)
                  : Memory;
  }
  emitOuterLoops(Args, Ptrs, B);
  CallEmitter Calls(B, Choice, Args, Callee, Ptrs);
  if (Choice.Steps)
    Calls.emitTriangle();
  else
    Calls.emitWhole();
  B.SetInsertPoint(Behind);
}
