//===- ElementScan.cpp - What is true of all elements of an operand -------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A product that leaves out factors of zero is a plain one where there are
/// none. To look at all elements of a factor takes the time of one column of
/// the product. What labels of rows say is a place in the row, as a rule; there
/// is one for each. Elements behind each other are looked at together, which
/// LLVM makes vectors of.
///
//===----------------------------------------------------------------------===//
#include "GuardRules.h"
#include "dlopt/GeneratedFunction.h"
#include "dlopt/Guards.h"
#include "dlopt/Identical.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace dlopt {

std::optional<ElementScan> getElementScan(const Kernel &K, BufferId Buf,
                                          const Poly &P) {
  const Value *Base = K.Buffers[Buf].Bound;
  ScalarType Ty = K.Buffers[Buf].Ty;
  // Comparisons of half and bfloat are calls on some targets.
  if (!Base || Base->getType()->getPointerAddressSpace() ||
      Ty == ScalarType::F16 || Ty == ScalarType::BF16)
    return std::nullopt;
  ElementScan Scan;
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
  if (!K.isFixed(Scan.Start) || Scan.Axes.size() > ElementScanDims)
    return std::nullopt;
  auto *Dense = find_if(
      Scan.Axes, [](const auto &D) { return D.Stride.getConstant() == 1; });
  if (Dense != Scan.Axes.end())
    std::rotate(Dense, Dense + 1, Scan.Axes.end());
  return Scan;
}

/// The arguments of what looks at a box: the first element, and the count and
/// the stride of each dimension.
static constexpr unsigned BoxArgs = 1 + 2 * ElementScanDims;

namespace {

/// What is asked of each element.
struct ElementTest {
  std::string Name; ///< of the function
  ScalarType Ty;
  unsigned MoreArgs; ///< behind those of the box
  function_ref<Value *(IRBuilderBase &, Value *, const Function &)> Emit;
};

} // namespace

static Function *declareTest(const Function &Served, const ElementTest &Test) {
  LLVMContext &C = Served.getContext();
  SmallVector<Type *, 9> Args(BoxArgs + Test.MoreArgs, Type::getInt64Ty(C));
  Args[0] = PointerType::get(C, 0);
  Function *F = createGeneratedTest(
      Served, Test.Name, FunctionType::get(Type::getInt1Ty(C), Args, false));
  F->setOnlyReadsMemory();
  return F;
}

/// i1 (ptr first, {i64 count, i64 stride} of each dimension, the innermost one
/// last, ..): all elements pass. Counts are at least 1.
static Function *getTestFunction(const Function &Served,
                                 const ElementTest &Test) {
  Function *F = declareTest(Served, Test);
  LLVMContext &C = Served.getContext();
  Type *Int = Type::getInt64Ty(C), *Element = getIRType(Test.Ty, C);
  auto *Entry = BasicBlock::Create(C, "entry", F),
       *Found = BasicBlock::Create(C, "found", F);
  IRBuilder<> B(Found);
  B.CreateRet(B.getFalse());
  B.SetInsertPoint(Entry);
  // Around each other, outermost first; from behind the innermost one, each
  // goes on or leaves to the one around it.
  Value *Row = F->getArg(0);
  SmallVector<PHINode *, 3> Index;
  for (unsigned D = 0; D != ElementScanDims; ++D) {
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
  Value *Own =
      B.CreateAlignedLoad(Element, Row, Align(getSizeInBytes(Test.Ty)));
  Value *All = B.CreateAnd(Above, Test.Emit(B, Own, *F));
  for (unsigned D = ElementScanDims; D-- > 0;) {
    BasicBlock *Latch = B.GetInsertBlock();
    Value *Next = B.CreateAdd(Index[D], B.getInt64(1));
    auto *After = BasicBlock::Create(C, "after", F, Found);
    Index[D]->addIncoming(Next, Latch);
    if (D == ElementScanDims - 1)
      Above->addIncoming(All, Latch);
    B.CreateCondBr(B.CreateICmpULT(Next, F->getArg(1 + 2 * D)),
                   Index[D]->getParent(), After);
    B.SetInsertPoint(After);
    if (D != ElementScanDims - 1)
      continue;
    auto *Whole = BasicBlock::Create(C, "row", F, Found);
    B.CreateCondBr(All, Whole, Found);
    B.SetInsertPoint(Whole);
  }
  B.CreateRet(B.getTrue());
  return reuseIdentical(F);
}

/// The arguments for the elements of \p Buf at \p P, in a block behind all
/// tests so far; empty: they cannot be looked at.
SmallVector<Value *, 9> GuardEmitter::openBox(BufferId Buf, const Poly &P) {
  std::optional<ElementScan> Scan = getElementScan(K, Buf, P);
  if (!Scan || !getHull(P))
    return {};
  for (AxisId A = 0; A != K.Axes.size(); ++A)
    if (!testRuns(A))
      return {};
  Value *First = getPointer(Buf), *Offset = getValue(Scan->Start);
  if (!First || !Offset)
    return {};
  SmallVector<Value *, 9> Args(BoxArgs, B.getInt64(1));
  size_t D = ElementScanDims - Scan->Axes.size();
  for (const ElementScan::Dim &Axis : Scan->Axes) {
    Args[1 + 2 * D] = getExtent(Axis.Ax);
    if (DLOPT_PLANTED(ZeroScanRowShort))
      Args[1 + 2 * D] = B.getInt64(1);
    Args[2 + 2 * D] = getValue(Axis.Stride);
    if (!Args[1 + 2 * D] || !Args[2 + 2 * D])
      return {};
    ++D;
  }
  startBlock();
  Args[0] =
      B.CreateGEP(getIRType(K.Buffers[Buf].Ty, B.getContext()), First, Offset);
  return Args;
}

bool GuardEmitter::addNonZero(BufferId Buf, const Poly &P) {
  SmallVector<Value *, 9> Args = openBox(Buf, P);
  if (Args.empty())
    return false;
  // "Not zero" as the comparison of the kernel has it: NaN is not.
  auto IsNotZero = [](IRBuilderBase &B, Value *V, const Function &) {
    Constant *Zero = Constant::getNullValue(V->getType());
    return V->getType()->isFloatingPointTy() ? B.CreateFCmpUNE(V, Zero)
                                             : B.CreateICmpNE(V, Zero);
  };
  const ScalarType Ty = K.Buffers[Buf].Ty;
  Function *Callee =
      getTestFunction(*B.GetInsertBlock()->getParent(),
                      {"dl.no.zeros." + getName(Ty).str(), Ty, 0, IsNotZero});
  addCondition(B.CreateCall(Callee, Args, "dl.no.zeros"));
  return true;
}

bool GuardEmitter::addLoadInRange(AtomId Load) {
  const Atom &A = K.Atoms[Load];
  std::optional<Range> R = getRange(Load);
  if (!R || !getLoadBounds(K, Load))
    return false;
  // As an unsigned number, a span below zero is that of all.
  addCondition(B.CreateICmpSGE(R->Hi, R->Lo));
  Value *Span = B.CreateSub(R->Hi, R->Lo);
  if (DLOPT_PLANTED(PlacesInRowsOff))
    Span = B.CreateAdd(Span, B.getInt64(1));
  SmallVector<Value *, 9> Args = openBox(A.Source.Buf, A.Source.offset());
  if (Args.empty())
    return false;
  Args.append({R->Lo, Span});
  auto IsInRange = [&](IRBuilderBase &B, Value *V, const Function &F) {
    Value *Number = B.CreateIntCast(V, B.getInt64Ty(), A.Signed);
    return B.CreateICmpULE(B.CreateSub(Number, F.getArg(BoxArgs)),
                           F.getArg(BoxArgs + 1));
  };
  const ScalarType Ty = K.Buffers[A.Source.Buf].Ty;
  const std::string Name = "dl.in.range." + getName(Ty).str();
  Function *Callee = getTestFunction(*B.GetInsertBlock()->getParent(),
                                     {Name, Ty, 2, IsInRange});
  if (!DLOPT_PLANTED(PlacesInRowsUntested))
    addCondition(B.CreateCall(Callee, Args, "dl.in.range"));
  return true;
}

} // namespace dlopt
