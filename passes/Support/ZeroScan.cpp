//===- ZeroScan.cpp - Whether an operand has elements of zero -------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A product that leaves out factors of zero is a plain one where there are
/// none. To look at all elements of a factor takes the time of one column of
/// the product. Rows are looked at whole, which LLVM makes vectors of.
///
//===----------------------------------------------------------------------===//
#include "ZeroScan.h"
#include "GuardRules.h"
#include "dlopt/GeneratedFunction.h"
#include "dlopt/Guards.h"
#include "dlopt/Identical.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace dlopt {

std::optional<ZeroScan> getZeroScan(const Kernel &K, BufferId Buf,
                                    const Poly &P) {
  const Value *Base = K.Buffers[Buf].Bound;
  ScalarType Ty = K.Buffers[Buf].Ty;
  // Comparisons of half and bfloat are calls on some targets.
  if (!Base || Base->getType()->getPointerAddressSpace() ||
      Ty == ScalarType::F16 || Ty == ScalarType::BF16)
    return std::nullopt;
  ZeroScan Scan;
  Scan.Start = P;
  for (auto [Id, A] : enumerate(K.Atoms)) {
    if (A.K != Atom::Axis || !P.uses(Id))
      continue;
    std::optional<Poly> Stride = getStride(K, P, A.Ref);
    if (!Stride || !K.isFixed(*Stride) || !K.hasFixedExtents(A.Ref))
      return std::nullopt;
    Scan.Axes.push_back({static_cast<AxisId>(A.Ref), std::move(*Stride)});
    Scan.Start = Scan.Start.without(Id);
  }
  if (!K.isFixed(Scan.Start) || Scan.Axes.size() > ZeroScanDims)
    return std::nullopt;
  auto *Dense = find_if(
      Scan.Axes, [](const auto &D) { return D.Stride.getConstant() == 1; });
  if (Dense != Scan.Axes.end())
    std::rotate(Dense, Dense + 1, Scan.Axes.end());
  return Scan;
}

static Function *declareNoZeros(const Function &Served, ScalarType Ty) {
  LLVMContext &C = Served.getContext();
  SmallVector<Type *, 7> Args(1 + 2 * ZeroScanDims, Type::getInt64Ty(C));
  Args[0] = PointerType::get(C, 0);
  Function *F =
      createGeneratedTest(Served, "dl.no.zeros." + getName(Ty),
                          FunctionType::get(Type::getInt1Ty(C), Args, false));
  F->setOnlyReadsMemory();
  return F;
}

/// "Not zero" as the comparison of the kernel has it: NaN is not.
static Value *isNotZero(IRBuilderBase &B, Value *V) {
  Constant *Zero = Constant::getNullValue(V->getType());
  return V->getType()->isFloatingPointTy() ? B.CreateFCmpUNE(V, Zero)
                                           : B.CreateICmpNE(V, Zero);
}

Function *getNoZerosFunction(const Function &Served, ScalarType Ty) {
  Function *F = declareNoZeros(Served, Ty);
  LLVMContext &C = Served.getContext();
  Type *Int = Type::getInt64Ty(C), *Element = getIRType(Ty, C);
  auto *Entry = BasicBlock::Create(C, "entry", F),
       *Found = BasicBlock::Create(C, "found", F);
  IRBuilder<> B(Found);
  B.CreateRet(B.getFalse());
  B.SetInsertPoint(Entry);
  // Around each other, outermost first; from behind the innermost one, each
  // goes on or leaves to the one around it.
  Value *Row = F->getArg(0);
  SmallVector<PHINode *, 3> Index;
  for (unsigned D = 0; D != ZeroScanDims; ++D) {
    auto *Loop = BasicBlock::Create(C, "loop", F, Found);
    BasicBlock *Before = B.GetInsertBlock();
    B.CreateBr(Loop);
    B.SetInsertPoint(Loop);
    Index.push_back(B.CreatePHI(Int, 2));
    Index[D]->addIncoming(B.getInt64(0), Before);
    Row =
        B.CreateGEP(Element, Row, B.CreateMul(Index[D], F->getArg(2 + 2 * D)));
  }
  PHINode *Above = B.CreatePHI(B.getInt1Ty(), 2);
  BasicBlock &Head = *Index.back()->getParent();
  Above->moveBefore(Head, Head.begin());
  Above->addIncoming(B.getTrue(), Index.back()->getIncomingBlock(0));
  Value *None = B.CreateAnd(
      Above, isNotZero(B, B.CreateAlignedLoad(Element, Row,
                                              Align(getSizeInBytes(Ty)))));
  for (unsigned D = ZeroScanDims; D-- > 0;) {
    BasicBlock *Latch = B.GetInsertBlock();
    Value *Next = B.CreateAdd(Index[D], B.getInt64(1));
    auto *After = BasicBlock::Create(C, "after", F, Found);
    Index[D]->addIncoming(Next, Latch);
    if (D == ZeroScanDims - 1)
      Above->addIncoming(None, Latch);
    B.CreateCondBr(B.CreateICmpULT(Next, F->getArg(1 + 2 * D)),
                   Index[D]->getParent(), After);
    B.SetInsertPoint(After);
    if (D != ZeroScanDims - 1)
      continue;
    auto *Whole = BasicBlock::Create(C, "row", F, Found);
    B.CreateCondBr(None, Whole, Found);
    B.SetInsertPoint(Whole);
  }
  B.CreateRet(B.getTrue());
  return reuseIdentical(F);
}

bool GuardEmitter::addNonZero(BufferId Buf, const Poly &P) {
  std::optional<ZeroScan> Scan = getZeroScan(K, Buf, P);
  if (!Scan || !getHull(P))
    return false;
  for (AxisId A = 0; A != K.Axes.size(); ++A)
    if (!testRuns(A))
      return false;
  Value *First = getPointer(Buf), *Offset = getValue(Scan->Start);
  if (!First || !Offset)
    return false;
  SmallVector<Value *, 7> Args(1 + 2 * ZeroScanDims, B.getInt64(1));
  size_t D = ZeroScanDims - Scan->Axes.size();
  for (const ZeroScan::Dim &Axis : Scan->Axes) {
    Args[1 + 2 * D] = getExtent(Axis.Ax);
    if (DLOPT_PLANTED(ZeroScanRowShort))
      Args[1 + 2 * D] = B.getInt64(1);
    Args[2 + 2 * D] = getValue(Axis.Stride);
    if (!Args[1 + 2 * D] || !Args[2 + 2 * D])
      return false;
    ++D;
  }
  startBlock();
  ScalarType Ty = K.Buffers[Buf].Ty;
  Args[0] = B.CreateGEP(getIRType(Ty, B.getContext()), First, Offset);
  Function *Callee = getNoZerosFunction(*B.GetInsertBlock()->getParent(), Ty);
  addCondition(B.CreateCall(Callee, Args, "dl.no.zeros"));
  return true;
}

} // namespace dlopt
