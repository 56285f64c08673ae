//===- LaneContext.cpp - Leaves in the lanes of vectors -------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A leaf as vector code: what does not depend on the lane stays scalar,
/// neighbours in memory are read and written as vectors, all else lane by lane.
/// Conditions that differ between lanes become masks: nothing is read or
/// written where the source does not.
///
//===----------------------------------------------------------------------===//
#include "LaneContext.h"
#include "ExpressionLower.h"
#include "dlopt/Compat.h"
#include "dlopt/Expression.h"
#include "dlopt/Lower.h"
#include "dlopt/MathModels.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace dlopt {

Poly getOffset(const Kernel &K, const Access &X) {
  return K.Buffers[X.Buf].IsLocal ? getLocalOffset(K, X) : X.offset();
}

std::optional<VectorStart> getVectorStart(const Kernel &K, const Access &X,
                                          AxisId Lane, unsigned Elems) {
  if (K.Buffers[X.Buf].IsLocal)
    return std::nullopt;
  VectorStart Result;
  Result.First = getOffset(K, X);
  for (AxisId A = 0; A != K.Axes.size(); ++A) {
    if (!K.dependsOn(Result.First, A))
      continue;
    std::optional<Poly> Stride = getStride(K, Result.First, A);
    if (!Stride || !K.isFixed(*Stride))
      return std::nullopt;
    // The atoms of axes are known, as the offset depends on them.
    for (auto [Id, At] : enumerate(K.Atoms))
      if (At.K == Atom::Axis && At.Ref == A)
        Result.First = Result.First.without(Id);
    if (A != Lane)
      Result.Steps.push_back(std::move(*Stride));
    else if (Stride->getConstant() != 1)
      return std::nullopt;
  }
  // The first elements of vectors in memory are those of whole objects.
  bool MayBeAligned = Result.First.getConstantTerm() % Elems == 0;
  bool DependsOnLane = K.dependsOn(getOffset(K, X), Lane);
  if (!DependsOnLane || !MayBeAligned || !K.isFixed(Result.First))
    return std::nullopt;
  return Result;
}

void LaneContext::enterLanes(AxisId A, Value *First, unsigned Count,
                             Value *Second) {
  AxisValues[A] = First;
  Lane = A;
  Lanes = Count;
  this->Second = Second;
}

/// The iteration that the lane \p L has, where the axis has that of the first
/// one.
Value *LaneContext::getLaneValue(unsigned L) {
  unsigned Half = Lanes / 2;
  if (Second && L >= Half)
    return L == Half ? Second : B.CreateAdd(Second, B.getInt64(L - Half));
  Value *First = AxisValues[Lane];
  return L ? B.CreateAdd(First, B.getInt64(L)) : First;
}

/// How many iterations lanes are behind the first one.
Value *LaneContext::getLaneOffsets() {
  Value *Numbers =
      B.CreateStepVector(VectorType::get(B.getInt64Ty(), getCount()));
  if (!Second || DLOPT_PLANTED(UpperHalfBehind))
    return Numbers;
  SmallVector<Constant *, 16> IsUpper;
  for (unsigned L = 0; L != Lanes; ++L)
    IsUpper.push_back(B.getInt1(L >= Lanes / 2));
  Value *Common =
      B.CreateSub(B.CreateAdd(AxisValues[Lane], B.getInt64(Lanes / 2)), Second);
  return B.CreateSelect(ConstantVector::get(IsUpper),
                        B.CreateSub(Numbers, spread(Common)), Numbers);
}

Type *LaneContext::getVectorType(ScalarType Ty) {
  return VectorType::get(getIRType(Ty, B.getContext()), getCount());
}

Value *LaneContext::spread(Value *V) {
  return inLanes() && !V->getType()->isVectorTy()
             ? B.CreateVectorSplat(getCount(), V)
             : V;
}

Value *LaneContext::getPoly(const Poly &P) {
  if (!inLanes() || !K.dependsOn(P, Lane))
    return ScalarContext::getPoly(P);
  if (std::optional<Poly> Stride = getStride(K, P, Lane)) {
    Value *Base = ScalarContext::getPoly(P);
    Value *Step = ScalarContext::getPoly(*Stride);
    return B.CreateAdd(spread(Base),
                       B.CreateMul(getLaneOffsets(), spread(Step)));
  }
  Value *First = AxisValues[Lane];
  Value *Result = PoisonValue::get(FixedVectorType::get(B.getInt64Ty(), Lanes));
  for (unsigned L = 0; L != Lanes; ++L) {
    AxisValues[Lane] = getLaneValue(L);
    Result = B.CreateInsertElement(Result, ScalarContext::getPoly(P), L);
    AxisValues[Lane] = First;
  }
  return Result;
}

/// Reads aligned vectors of what the address of \p X is made of.
void LaneContext::loadPositions(const Access &X) {
  if (!Plan.PerThread)
    return;
  for (auto [Id, A] : enumerate(K.Atoms))
    if (A.K == Atom::Load && getOffset(K, X).uses(Id) &&
        getVectorStart(K, A.Source, Lane, Lanes)) {
      Type *Ty = getVectorType(K.Buffers[A.Source.Buf].Ty);
      Positions[Id] = B.CreateAlignedLoad(Ty, getAddress(A.Source),
                                          getVectorAlign(A.Source, Align(1)));
    }
}

Value *LaneContext::getAtom(AtomId Id) {
  if (Value *Known = Positions.lookup(Id))
    return B.CreateIntCast(B.CreateExtractElement(Known, Position),
                           B.getInt64Ty(), K.Atoms[Id].Signed);
  return ScalarContext::getAtom(Id);
}

SmallVector<Value *, 16> LaneContext::getAddresses(const Access &X) {
  Value *First = AxisValues[Lane];
  SmallVector<Value *, 16> Result;
  loadPositions(X);
  for (unsigned L = 0; L != Lanes; ++L) {
    AxisValues[Lane] = getLaneValue(L);
    Position = L;
    Result.push_back(getAddress(X));
    AxisValues[Lane] = First;
  }
  Positions.clear();
  return Result;
}

Value *LaneContext::getSlot(const Access &X) {
  AllocaInst *&Slot = Slots[{X.Buf, Lanes}];
  Type *Ty = getVectorType(K.Buffers[X.Buf].Ty);
  if (!Slot)
    Slot = createLocal(*B.GetInsertBlock()->getParent(), X.Buf, Ty);
  return K.Buffers[X.Buf].Shape.empty()
             ? static_cast<Value *>(Slot)
             : B.CreateGEP(Ty, Slot, ScalarContext::getPoly(getOffset(K, X)));
}

static Access getScalarAccess(BufferId Buf) {
  Access X;
  X.Buf = Buf;
  return X;
}

Value *LaneContext::getPrivate(BufferId Buf) {
  return B.CreateLoad(getVectorType(K.Buffers[Buf].Ty),
                      getSlot(getScalarAccess(Buf)));
}

void LaneContext::setPrivate(BufferId Buf, Value *V) {
  B.CreateStore(spread(V), getSlot(getScalarAccess(Buf)));
}

Type *getMovedType(Type *Ty) {
  return Ty->getScalarType()->is16bitFPTy()
             ? Ty->getWithNewType(Type::getInt16Ty(Ty->getContext()))
             : Ty;
}

Value *makeVector(IRBuilderBase &B, ArrayRef<Value *> Elements) {
  Type *Own = Elements.front()->getType(), *Elem = getMovedType(Own);
  Value *Result = PoisonValue::get(FixedVectorType::get(Elem, Elements.size()));
  for (auto [L, V] : enumerate(Elements))
    Result = B.CreateInsertElement(Result, B.CreateBitCast(V, Elem), L);
  return B.CreateBitCast(Result, Result->getType()->getWithNewType(Own));
}

Value *LaneContext::load(const Op &O) {
  if (auto It = Tables.find(&O); It != Tables.end())
    return lookUp(It->second);
  if (Private.contains(O.Acc.Buf))
    return B.CreateLoad(getVectorType(O.Ty), getSlot(O.Acc));
  Poly Offset = getOffset(K, O.Acc);
  if (!K.dependsOn(Offset, Lane))
    return ScalarContext::getOp(O, {});
  return loadLanes(O);
}

std::optional<MathFunction> getInlineMath(const Op &O, const MathPlan &Plan) {
  if (!O.FMF.approxFunc() || O.WritesErrno)
    return std::nullopt;
  std::optional<MathFunction> F = getMathFunction(O);
  return F && canEmitMath(*F, O.Ty, Plan.Accuracy, Plan.Math) ? F
                                                              : std::nullopt;
}

bool isRoundedToBFloat(const Op &O) {
  return O.K == Op::Inst && O.Opcode == Instruction::FPTrunc &&
         O.Ty == ScalarType::BF16;
}

/// Operands of an operation on vectors are vectors, but for a condition that
/// chooses for all lanes and for what intrinsics take as a scalar.
void LaneContext::spreadOperands(const Op &O, MutableArrayRef<Value *> Args) {
  bool IsSelect = O.K == Op::Inst && O.Opcode == Instruction::Select;
  for (auto [I, V] : enumerate(Args))
    if (!(IsSelect && I == 0) &&
        !(O.K == Op::Intrinsic && takesScalar(O.Opcode, I)))
      V = spread(V);
}

/// \p O with its product, if it is one with a sum, rounded first.
Value *LaneContext::getSeparated(const Op &O, ArrayRef<Value *> Args) {
  Op Sum = O;
  Sum.FMF.setAllowContract(false);
  if (O.K != Op::Intrinsic || O.Opcode != Intrinsic::fmuladd)
    return ScalarContext::getOp(Sum, Args);
  Sum.K = Op::Inst;
  Sum.Opcode = Instruction::FAdd;
  Op Product = Sum;
  Product.Opcode = Instruction::FMul;
  return ScalarContext::getOp(
      Sum, {ScalarContext::getOp(Product, Args.take_front(2)), Args[2]});
}

/// GPUs approximate functions of scalars.
Value *LaneContext::emitMathInLanes(MathFunction F, ArrayRef<Value *> Args) {
  if (!Plan.PerThread || !Args.front()->getType()->isVectorTy())
    return emitMath(B, F, Args, Plan.Accuracy, Plan.Math);
  SmallVector<Value *, 4> Results;
  for (unsigned L = 0; L != Lanes; ++L) {
    SmallVector<Value *, 2> Own;
    for (Value *V : Args)
      Own.push_back(B.CreateExtractElement(V, L));
    Results.push_back(emitMath(B, F, Own, Plan.Accuracy, Plan.Math));
  }
  return makeVector(B, Results);
}

/// The greater or the less of the number Args[0] and Args[1], which takes its
/// place only if it is a number and differs.
Value *LaneContext::getExtreme(const Op &O, ArrayRef<Value *> Args) {
  CmpInst::Predicate Better =
      O.Opcode == Intrinsic::maxnum ? CmpInst::FCMP_OGT : CmpInst::FCMP_OLT;
  return B.CreateSelect(B.CreateFCmp(Better, Args[1], Args[0]), Args[1],
                        Args[0]);
}

Value *LaneContext::getOp(const Op &O, ArrayRef<Value *> Args) {
  if (Value *Known = Ahead.lookup(&O))
    return Known;
  SmallVector<Value *, 3> Own(Args);
  if (any_of(Args, [](Value *V) { return V->getType()->isVectorTy(); }))
    spreadOperands(O, Own);
  if (std::optional<MathFunction> F = getInlineMath(O, Plan)) {
    if (OfNegative.contains(&O))
      F = MathFunction::ExpNegative;
    return emitMathInLanes(*F, Own);
  }
  if (isRoundedToBFloat(O))
    return emitRoundToBFloat(B, Own.front(), Plan.Math);
  if (Plan.SeparateProducts && (O.K == Op::Inst || O.K == Op::Intrinsic))
    return getSeparated(O, Own);
  if (!inLanes())
    return ScalarContext::getOp(O, Own);
  if (OfNumbers.contains(&O))
    return getExtreme(O, Own);
  if (O.K == Op::Load)
    return load(O);
  if (O.K == Op::Index) {
    Value *V = getPoly(O.Idx);
    Type *Ty = getIRType(O.Ty, B.getContext());
    return B.CreateTrunc(V,
                         V->getType()->isVectorTy() ? getVectorType(O.Ty) : Ty);
  }
  const MathModel *Model = getMathModel(O, Plan);
  // What lanes share is computed once, but not where none of them runs: that
  // could set errno.
  if (Mask && (Model || isRoot(O)) && !DLOPT_PLANTED(SharedCallUnmasked))
    for (Value *&V : Own)
      V = spread(V);
  if ((Model || O.K == Op::LibCall) &&
      none_of(Own, [](Value *V) { return V->getType()->isVectorTy(); }))
    return callForAll(O, Own);
  if (Model)
    return Models.compute(O, *Model, Own, Mask);
  if (isRoot(O))
    return Models.getRoots(O, Own.front(), Mask);
  return O.K == Op::LibCall ? callForLanes(O, Own)
                            : ScalarContext::getOp(O, Own);
}

/// Says that all lanes that run call \p O.
void LaneContext::addCalls(const Op &O, ArrayRef<Value *> Args) {
  if (!O.WritesErrno)
    return;
  SmallVector<Value *, 2> All(
      map_range(Args, [&](Value *V) { return spread(V); }));
  Models.addCalls(O, All, Mask);
}

/// One call of a function for what all lanes share.
Value *LaneContext::callForAll(const Op &O, ArrayRef<Value *> Args) {
  if (!DLOPT_PLANTED(SharedCallOutOfOrder))
    addCalls(O, Args);
  return ScalarContext::getOp(O, Args);
}

/// A call of a function of the library for each lane, in order.
Value *LaneContext::callForLanes(const Op &O, ArrayRef<Value *> Args) {
  SmallVector<Value *, 16> Results;
  addCalls(O, Args);
  for (unsigned L = 0; L != Lanes; ++L) {
    SmallVector<Value *, 2> Own;
    for (Value *V : Args)
      Own.push_back(V->getType()->isVectorTy() ? B.CreateExtractElement(V, L)
                                               : V);
    Results.push_back(ScalarContext::getOp(O, Own));
  }
  return makeVector(B, Results);
}

void LaneContext::restrict(Value *Condition,
                           function_ref<void(Value *)> Branch) {
  if (!Condition->getType()->isVectorTy())
    return Branch(Condition);
  // A condition behind another is poison, maybe, where that does not hold.
  Mask = Mask ? B.CreateLogicalAnd(Mask, Condition) : Condition;
  if (Branches)
    Branch(B.CreateOrReduce(Mask));
}

void LaneContext::assign(ArrayRef<Assign> Assigns, ArrayRef<Value *> Values) {
  if (!inLanes())
    return ScalarContext::assign(Assigns, Values);
  for (auto [A, V] : zip_equal(Assigns, Values))
    store(A, V);
}

} // namespace dlopt
