//===- EvenRows.cpp - Whether pointers are equally far apart --------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Rows.h"
#include "dlopt/GeneratedFunction.h"
#include "dlopt/Identical.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace dlopt {

static constexpr StringLiteral EvenName = "dl.even.rows";

Function *getEvenRowsFunction(const Function &Served) {
  LLVMContext &C = Served.getContext();
  Type *Ptr = PointerType::get(C, 0), *Int = Type::getInt64Ty(C);
  auto *Result = StructType::get(Ptr, Int, Type::getInt1Ty(C));
  Function *F = createGeneratedTest(
      Served, EvenName, FunctionType::get(Result, {Ptr, Int, Int}, false));
  Argument *Table = F->getArg(0), *Step = F->getArg(1), *Count = F->getArg(2);
  Table->setName("table");
  Step->setName("step");
  Count->setName("count");
  auto *Entry = BasicBlock::Create(C, "entry", F),
       *Next = BasicBlock::Create(C, "next", F),
       *Loop = BasicBlock::Create(C, "loop", F),
       *End = BasicBlock::Create(C, "end", F);
  IRBuilder<> B(Entry);
  auto Load = [&](Value *Index) {
    Value *At = B.CreatePtrAdd(Table, B.CreateMul(Index, Step));
    return B.CreateAlignedLoad(Ptr, At, Align(8));
  };
  auto Distance = [&](Value *Later, Value *Earlier) {
    return B.CreateSub(B.CreatePtrToInt(Later, Int),
                       B.CreatePtrToInt(Earlier, Int));
  };
  Value *Zero = B.getInt64(0), *One = B.getInt64(1);
  Value *First = Load(Zero);
  B.CreateCondBr(B.CreateICmpUGT(Count, One), Next, End);
  B.SetInsertPoint(Next);
  Value *Second = Load(One);
  Value *Apart = Distance(Second, First);
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  PHINode *I = B.CreatePHI(Int, 2), *Row = B.CreatePHI(Ptr, 2),
          *Odd = B.CreatePHI(Int, 2);
  I->addIncoming(One, Next);
  Row->addIncoming(First, Next);
  Odd->addIncoming(Zero, Next);
  Value *Now = Load(I);
  Value *NowOdd = B.CreateOr(Odd, B.CreateXor(Distance(Now, Row), Apart));
  Value *Following = B.CreateAdd(I, One);
  I->addIncoming(Following, Loop);
  Row->addIncoming(Now, Loop);
  Odd->addIncoming(NowOdd, Loop);
  B.CreateCondBr(B.CreateICmpULT(Following, Count), Loop, End);
  B.SetInsertPoint(End);
  PHINode *D = B.CreatePHI(Int, 2), *AnyOdd = B.CreatePHI(Int, 2);
  // Of a single row any distance will do.
  D->addIncoming(B.getInt64(1 << 24), Entry);
  D->addIncoming(Apart, Loop);
  AnyOdd->addIncoming(Zero, Entry);
  AnyOdd->addIncoming(DLOPT_PLANTED(RowsAssumedEven) ? Zero : NowOdd, Loop);
  Value *R = B.CreateInsertValue(PoisonValue::get(Result), First, 0);
  R = B.CreateInsertValue(R, D, 1);
  R = B.CreateInsertValue(R, B.CreateICmpEQ(AnyOdd, Zero), 2);
  B.CreateRet(R);
  return reuseIdentical(F);
}

} // namespace dlopt
